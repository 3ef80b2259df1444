//! The daemon: one for a state directory.
//!
//! It holds the lock, the writer, the registry and the socket. Everything it does for a client it would do for another:
//! clients come and go, runs stay. It ends when it is told to, by a signal or a client, or (if it was started by a
//! client) when there has been nothing to do for a while. Runs that are under way then are stopped and can be resumed;
//! a second signal does not wait for them.
//!
//! | what dies | what follows |
//! |---|---|
//! | a client | nothing |
//! | a worker | its directories begin again where they were (`pool`, `run`) |
//! | a run | its clients are told; the next `run` of the target resumes |
//! | registry or planner | the daemon ends (`top`); the next one resumes, as after a kill |
//! | the thread that writes | the same |
//! | the disk, or the state directory goes away | runs fail and say why, the daemon ends |

mod door;
mod signals;
mod socket;
mod top;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use luminos_store::{
    DaemonLock, Depth, Durability, Holder, NetworkState, Serving, Settings, Standing, Store, WhenFull, Writer,
};
use tokio::net::UnixListener;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::planner::PlannerHandle;
use crate::pool::{Program, Spawner};
use crate::registry::{RegistryHandle, RegistrySetup};
use signals::Signals;
pub(crate) use socket::is_nobody_elses;
pub use socket::socket_path;
use top::Top;

/// How long runs may take to stop when the daemon ends.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often an idle daemon looks whether it should end.
const LOOK: Duration = Duration::from_millis(250);

/// How often a daemon with nothing to write looks whether the state directory is still its own.
const LOOK_AT_STORE: Duration = Duration::from_secs(2);

/// How a daemon works.
#[derive(Debug, Clone)]
pub struct DaemonSetup {
    /// The state directory.
    pub home: PathBuf,
    /// What a worker is.
    pub program: Program,
    /// How long it stays when there is nothing to do; `None` is for ever.
    pub idle: Option<Duration>,
    /// After so long without a sign of life a directory's loop counts as stuck.
    pub patience: Duration,
    /// What must survive.
    pub durability: Durability,
    /// The program's name and version, for messages.
    pub name: String,
}

/// Why there is no daemon.
#[derive(Debug, thiserror::Error)]
pub enum CannotServe {
    /// The store cannot be used, or somebody else serves it.
    #[error(transparent)]
    Store(#[from] luminos_store::Error),
    /// The socket cannot be made.
    #[error("cannot listen at `{path}`", path = luminos_core::Untrusted::new(.path.as_os_str().as_encoded_bytes()).for_terminal())]
    Socket {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A part of the daemon has died, and nothing can be done without it.
    #[error("a part of the daemon died: {0}")]
    Died(String),
    /// A part of the daemon could not be started.
    #[error("the daemon cannot start")]
    Start(#[source] io::Error),
}

impl CannotServe {
    /// Whether another daemon serves this state directory.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Store(luminos_store::Error::Busy { .. }))
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Died(_) => Some("the next command starts another one, which goes on where this one was"),
            Self::Socket { .. } | Self::Start(_) => None,
        }
    }
}

/// Says in the log what is wrong with investigations that were cut off. Nobody waits for that: what is broken is dealt
/// with where somebody comes across it.
fn look_over(store: &Store) {
    let store = store.clone();
    tokio::task::spawn_blocking(move || {
        for finding in store.check_all(Serving::Yes, Depth::Unfinished).findings {
            let path =
                luminos_core::Untrusted::new(finding.path.as_os_str().as_encoded_bytes()).for_terminal();
            let remedy = finding.remedy.words();
            tracing::warn!(
                path,
                what = finding.what,
                remedy,
                "something in the store is not as it should be"
            );
        }
    });
}

/// Serves until it is told to end. Somebody is told when clients can come.
pub fn serve(setup: DaemonSetup, on_ready: impl FnOnce()) -> Result<(), CannotServe> {
    // Before there is a second thread: all of them inherit it.
    luminos_store::ignore_file_size_signal();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(CannotServe::Start)?;
    let served = runtime.block_on(serve_async(setup, on_ready));
    // A scan that nobody waits for any more would hold the daemon up.
    runtime.shutdown_background();
    served
}

async fn serve_async(setup: DaemonSetup, on_ready: impl FnOnce()) -> Result<(), CannotServe> {
    let store = Store::open(&setup.home)?;
    let holder = Holder::this_process(crate::registry::now(), "luminosd");
    let lock = DaemonLock::try_acquire(&store, &holder, NetworkState::Refused)?;
    let settings =
        Settings { durability: setup.durability, when_full: WhenFull::Wait, ..Settings::default() };
    let (writer, found) = Writer::start(&store, lock, settings)?;
    for problem in &found.problems {
        tracing::warn!(%problem, "something in the store cannot be used");
        drop(writer.quarantine(problem));
    }
    look_over(&store);
    let start = |error: ractor::SpawnErr| CannotServe::Start(io::Error::other(error.to_string()));
    let top = Top::start().await.map_err(start)?;
    let planner = PlannerHandle::start(store.clone(), holder).await.map_err(start)?;
    let planner = planner.supervised_by(top.cell());
    let spawner = Spawner::new().map_err(CannotServe::Start)?;
    let registry = RegistryHandle::start(RegistrySetup {
        store: store.clone(),
        writer: writer.clone(),
        planner,
        lanes: Default::default(),
        spawner,
        program: setup.program.clone(),
        patience: setup.patience,
    });
    let registry = registry.await.map_err(start)?.supervised_by(top.cell());
    let path = socket_path(store.home());
    let (listener, socket) =
        socket::listen(&path).map_err(|source| CannotServe::Socket { path: path.clone(), source })?;
    tracing::info!(epoch = writer.epoch(), "serving");
    on_ready();
    let daemon = Daemon { setup, writer, registry, top, started: Instant::now() };
    daemon.run(listener, &socket).await
}

struct Daemon {
    setup: DaemonSetup,
    writer: Writer,
    registry: RegistryHandle,
    top: Top,
    started: Instant,
}

impl Daemon {
    async fn run(self, listener: UnixListener, socket: &socket::Own) -> Result<(), CannotServe> {
        let mut signals = Signals::listen();
        let (stop, stopped) = watch::channel(false);
        let house = door::House {
            name: self.setup.name.clone(),
            home: self.setup.home.clone(),
            writer: self.writer.clone(),
            registry: self.registry.clone(),
            started: self.started,
            ends_when_idle: self.setup.idle.is_some(),
            stop: stop.clone(),
        };
        let guests = door::open(listener, house, stopped.clone());
        let broken = tokio::select! {
            () = signals.next() => None,
            () = told(stopped) => None,
            () = self.idle(&guests) => None,
            error = self.broken() => Some(error.into()),
            why = self.top.broken() => Some(CannotServe::Died(why)),
        };
        // No new guests; those inside are told about the end of their runs.
        let _ = stop.send(true);
        if broken.is_none() {
            self.registry.cancel_all().await;
        }
        tokio::select! {
            () = self.drained() => {}
            () = signals.next() => tracing::warn!("told to end once more: runs are not waited for"),
        }
        socket.remove();
        let _ = self.writer.close().await;
        match broken {
            Some(error) => Err(error),
            None => {
                tracing::info!("ended");
                Ok(())
            }
        }
    }

    /// Waits until all runs have ended, or have taken too long.
    async fn drained(&self) {
        let deadline = Instant::now() + PATIENCE;
        while 0 < self.registry.count().await && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Ends when the store can never be written again.
    async fn broken(&self) -> luminos_store::Error {
        let mut looked = Instant::now();
        loop {
            if let Standing::Broken(error) = self.writer.standing() {
                return error;
            }
            tokio::time::sleep(LOOK).await;
            if LOOK_AT_STORE < looked.elapsed() {
                looked = Instant::now();
                // What comes of it shows in how the writer stands.
                drop(self.writer.look());
            }
        }
    }

    /// Ends when nothing has happened for as long as it may.
    async fn idle(&self, guests: &door::Guests) {
        let Some(patience) = self.setup.idle else { return std::future::pending().await };
        let mut since = Instant::now();
        loop {
            tokio::time::sleep(LOOK.min(patience)).await;
            if 0 < guests.count() || 0 < self.registry.count().await {
                since = Instant::now();
            } else if patience <= since.elapsed() {
                return;
            }
        }
    }
}

async fn told(mut stopped: watch::Receiver<bool>) {
    // If nobody can tell any more, the daemon is over as well.
    let _ = stopped.wait_for(|is_stopped| *is_stopped).await;
}
