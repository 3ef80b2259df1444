//! The server as a whole: started, asked what it saw, and ended when it is dropped.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};

use crate::connection::{self, Service as _};
use crate::record::{Counters, Received};
use crate::script::Script;
use crate::service::ModelService;
use crate::settings::Settings;

/// A model server on loopback. It ends, connections included, when this is dropped.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    service: Arc<ModelService>,
    door: watch::Sender<Door>,
    opened: watch::Receiver<Door>,
    running: Running,
}

/// Whether connections are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Door {
    Open,
    Shut,
}

#[derive(Debug)]
enum Running {
    /// On the runtime of whoever started it, under its clock.
    Task(JoinHandle<()>),
    Thread {
        end: Option<oneshot::Sender<()>>,
        thread: Option<thread::JoinHandle<()>>,
    },
}

impl ModelServer {
    /// Starts a server on the current runtime, with a script or a policy and the usual settings.
    ///
    /// # Errors
    /// When no port on loopback can be had.
    pub async fn start(script: impl Into<Script>) -> io::Result<ModelServer> {
        ModelServer::start_with(script, Settings::default()).await
    }

    /// The same with other settings.
    ///
    /// # Errors
    /// When the port on loopback cannot be had.
    pub async fn start_with(script: impl Into<Script>, settings: Settings) -> io::Result<ModelServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port)).await?;
        let address = listener.local_addr()?;
        let service = Arc::new(ModelService::new(script.into(), settings));
        let (door, wanted) = watch::channel(Door::Open);
        let (state, opened) = watch::channel(Door::Open);
        let task = tokio::spawn(accept(listener, address, Arc::clone(&service), wanted, state));
        Ok(ModelServer { address, service, door, opened, running: Running::Task(task) })
    }

    /// Starts a server on a thread and a runtime of its own, for tests that have none.
    ///
    /// # Errors
    /// When the port on loopback or the thread cannot be had.
    pub fn start_on_thread(script: impl Into<Script>, settings: Settings) -> io::Result<ModelServer> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let service = Arc::new(ModelService::new(script.into(), settings));
        let (door, wanted) = watch::channel(Door::Open);
        let (state, opened) = watch::channel(Door::Open);
        let (end, ended) = oneshot::channel::<()>();
        let served = Arc::clone(&service);
        let serve = move || {
            runtime.block_on(async move {
                let Ok(listener) = TcpListener::from_std(listener) else {
                    return;
                };
                tokio::select! {
                    () = accept(listener, address, served, wanted, state) => {}
                    _ = ended => {}
                }
            });
        };
        let thread = thread::Builder::new().name("model-server".to_owned()).spawn(serve)?;
        let running = Running::Thread { end: Some(end), thread: Some(thread) };
        Ok(ModelServer { address, service, door, opened, running })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What clients take as the base of their addresses: `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The same for a client that expects TLS, which it will not find.
    pub fn https_url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// Everything that was received, in order.
    pub fn requests(&self) -> Vec<Received> {
        self.service.record().requests()
    }

    /// What happened so far.
    pub fn counters(&self) -> Counters {
        self.service.record().counters()
    }

    /// Waits until the counters are as wanted, and gives them.
    pub async fn until(&self, wanted: impl FnMut(&Counters) -> bool) -> Counters {
        let mut counters = self.service.record().watch();
        match counters.wait_for(wanted).await {
            Ok(counters) => *counters,
            Err(_) => self.counters(),
        }
    }

    /// Replaces what is left of the script.
    pub fn play(&self, script: impl Into<Script>) {
        self.service.play(script.into());
    }

    /// Ends all connections and refuses new ones until [`ModelServer::accept_connections`]; the port stays taken.
    pub async fn refuse_connections(&self) {
        self.turn(Door::Shut).await;
    }

    /// Accepts connections again.
    pub async fn accept_connections(&self) {
        self.turn(Door::Open).await;
    }

    async fn turn(&self, door: Door) {
        self.door.send_replace(door);
        let mut opened = self.opened.clone();
        let _ = opened.wait_for(|state| *state == door).await;
    }

    /// Runs until the server ends by itself, which it does only when its listener fails.
    pub async fn join(mut self) {
        if let Running::Task(task) = &mut self.running {
            let _ = task.await;
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        match &mut self.running {
            Running::Task(task) => task.abort(),
            Running::Thread { end, thread } => {
                drop(end.take());
                if let Some(thread) = thread.take() {
                    let _ = thread.join();
                }
            }
        }
    }
}

/// Accepts connections as long as the door is open.
async fn accept(
    listener: TcpListener,
    address: SocketAddr,
    service: Arc<ModelService>,
    mut wanted: watch::Receiver<Door>,
    state: watch::Sender<Door>,
) {
    let mut connections = JoinSet::new();
    let mut listener = listener;
    let mut number = 0;
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                number += 1;
                let service = Arc::clone(&service);
                connections.spawn(async move { serve(stream, number, &service).await });
            }
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            alive = async { wanted.wait_for(|door| *door == Door::Shut).await.is_ok() } => {
                if !alive {
                    return;
                }
                connections.shutdown().await;
                drop(listener);
                // Bound but not listening: connections are refused, and nobody else gets the port.
                let Ok(socket) = reserve(address) else { return };
                state.send_replace(Door::Shut);
                if wanted.wait_for(|door| *door == Door::Open).await.is_err() {
                    return;
                }
                let Ok(reopened) = socket.listen(1024) else { return };
                listener = reopened;
                state.send_replace(Door::Open);
            }
        }
    }
}

async fn serve(stream: TcpStream, number: u64, service: &ModelService) {
    service.record().count(|counters| {
        counters.connections += 1;
        counters.connections_open += 1;
    });
    let closed = Closed(service);
    connection::serve(stream, number, service).await;
    drop(closed);
}

/// Counts the end of a connection, however it comes.
struct Closed<'a>(&'a ModelService);

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.0.record().count(|counters| counters.connections_open -= 1);
    }
}

fn reserve(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}
