//! One worker process: how it is started, spoken to, and reaped.

use std::ffi::OsString;
use std::future::Future;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream as StdStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc as std_mpsc;
use std::time::Duration;

use luminos_agent::MOST_WORKER_MEMORY;
use luminos_core::ByteSize;
use luminos_wire::worker::{FromWorker, Greeting, ToWorker};
use luminos_wire::{Frames, MOST_BYTES, TooLong, VERSION, decode, encode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};

use super::PoolSetup;

/// The signal of an abort.
const ABORTED: i32 = nix::sys::signal::Signal::SIGABRT as i32;

/// Memory that a worker's allocator asks for at a time.
pub(crate) const ARENA: &str = "32M";

/// Which process of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WorkerId(pub(super) u64);

/// The program that becomes a worker, and the arguments that make it one.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Its arguments; the process id of the daemon is added.
    pub arguments: Vec<OsString>,
}

/// Starts processes, all from one thread that lives as long as the daemon: a worker asks to be killed with its parent,
/// and the kernel takes the thread that started it for the parent.
#[derive(Debug, Clone)]
pub(crate) struct Spawner {
    orders: std_mpsc::Sender<Order>,
}

#[derive(Debug)]
struct Order {
    program: Program,
    input: StdStream,
    reply: oneshot::Sender<io::Result<Child>>,
}

impl Spawner {
    /// Starts the thread.
    pub(crate) fn new() -> io::Result<Self> {
        let (orders, incoming) = std_mpsc::channel::<Order>();
        std::thread::Builder::new().name("spawner".to_owned()).spawn(move || {
            for Order { program, input, reply } in incoming {
                // Whoever asked may be gone; the child is then dropped and ends with its pipe.
                let _ = reply.send(spawn(&program, input));
            }
        })?;
        Ok(Self { orders })
    }

    async fn start(&self, program: Program, input: StdStream) -> io::Result<Child> {
        let (reply, child) = oneshot::channel();
        let gone = || io::Error::other("the thread that starts workers is gone");
        self.orders.send(Order { program, input, reply }).map_err(|_| gone())?;
        child.await.map_err(|_| gone())?
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the place where workers are started")]
fn spawn(program: &Program, input: StdStream) -> io::Result<Child> {
    std::process::Command::new(&program.path)
        .args(&program.arguments)
        .arg(std::process::id().to_string())
        .env_clear()
        // The allocator would set a gigabyte aside at once, more than a worker may have.
        .env("MIMALLOC_ARENA_RESERVE", ARENA)
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(input)))
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
}

/// Who hears what a process says, and that it is gone.
pub(super) struct Ears {
    pub(super) heard: Box<dyn Fn(WorkerId, FromWorker) + Send + Sync>,
    pub(super) gone: Box<dyn Fn(WorkerId, String) + Send + Sync>,
}

/// A running process. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    /// Frames on their way out. Unbounded, but each job has at most one answer and one word to stop on its way.
    frames: mpsc::UnboundedSender<Vec<u8>>,
    kill: Option<oneshot::Sender<()>>,
}

impl Process {
    /// Sends a message; whether it arrives, the reading task will tell.
    pub(super) fn send(&self, message: &ToWorker) -> Result<(), TooLong> {
        let frame = encode(message)?;
        let _ = self.frames.send(frame);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(kill) = self.kill.take() {
            let _ = kill.send(());
        }
    }
}

/// Starts a process and greets it.
pub(super) fn start(
    worker: WorkerId,
    setup: &PoolSetup,
    heartbeat: Duration,
    ears: Ears,
    looks_ahead: bool,
) -> impl Future<Output = io::Result<Process>> + use<> {
    let greeting = Greeting {
        version: VERSION,
        target: setup.target.as_os_str().as_bytes().to_vec(),
        own_state: setup.own_state.as_os_str().as_bytes().to_vec(),
        loops: setup.loops,
        heartbeat_seconds: u32::try_from(heartbeat.as_secs()).unwrap_or(1),
        patience_seconds: u32::try_from(setup.patience.as_secs()).unwrap_or(u32::MAX),
        looks_ahead,
    };
    let (spawner, program) = (setup.spawner.clone(), setup.program.clone());
    async move {
        let (ours, theirs) = StdStream::pair()?;
        ours.set_nonblocking(true)?;
        let child = spawner.start(program, theirs).await?;
        let (read, write) = UnixStream::from_std(ours)?.into_split();
        let (frames, outgoing) = mpsc::unbounded_channel();
        let (kill, killed) = oneshot::channel();
        let _ = frames.send(encode(&greeting).map_err(io::Error::other)?);
        tokio::spawn(write_frames(write, outgoing));
        tokio::spawn(watch(worker, child, read, killed, ears));
        Ok(Process { frames, kill: Some(kill) })
    }
}

async fn write_frames(mut write: OwnedWriteHalf, mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(frame) = outgoing.recv().await {
        if write.write_all(&frame).await.is_err() {
            // The reading task sees the end of the process, too.
            return;
        }
    }
}

/// Reads until the process hangs up, breaks the rules or is to be killed; then reaps it.
async fn watch(
    worker: WorkerId,
    mut child: Child,
    read: OwnedReadHalf,
    killed: oneshot::Receiver<()>,
    ears: Ears,
) {
    let broken = tokio::select! {
        broken = read_frames(worker, read, &ears) => broken,
        _ = killed => None,
    };
    // It may have ended by itself; killing it again does no harm, since it is not reaped yet.
    let _ = child.kill();
    let ended = tokio::task::spawn_blocking(move || child.wait()).await;
    let status = match ended {
        Ok(Ok(status)) => ending(status),
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    let reason = broken.unwrap_or_else(|| format!("the worker process ended: {status}"));
    (ears.gone)(worker, reason);
}

/// How a process ended, in words. One that is given no more memory aborts: panics are caught and do not.
fn ending(status: ExitStatus) -> String {
    if status.signal() == Some(ABORTED) {
        let most = ByteSize(MOST_WORKER_MEMORY);
        return format!("it was aborted, as one is that needs more than {most} of memory ({status})");
    }
    status.to_string()
}

/// Reads until the end; says what was wrong, if something was.
async fn read_frames(worker: WorkerId, mut read: OwnedReadHalf, ears: &Ears) -> Option<String> {
    let mut frames = Frames::new(MOST_BYTES);
    let mut buffer = vec![0; 64 << 10];
    loop {
        match read.read(&mut buffer).await {
            Ok(0) => return None,
            // It died with words of ours unread.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return None,
            Ok(count) => frames.feed(&buffer[..count]),
            Err(error) => return Some(format!("the worker cannot be heard: {error}")),
        }
        loop {
            match frames.take() {
                Ok(None) => break,
                Ok(Some(body)) => match decode(body) {
                    Ok(message) => (ears.heard)(worker, message),
                    Err(error) => return Some(format!("the worker speaks nonsense: {error}")),
                },
                Err(error) => return Some(format!("the worker speaks nonsense: {error}")),
            }
        }
    }
}
