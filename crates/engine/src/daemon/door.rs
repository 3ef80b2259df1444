//! The door for clients: who may come in, what they ask, what they are told.
//!
//! Only the daemon's own user comes in. Everything a client sends is bounded: how long it may take to greet and to end what
//! it has begun to say, how long a frame is, how many clients there are. Where too many have not greeted, the one that has
//! been silent longest goes. A client that does not listen is dropped; none can slow another, or a run.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luminos_core::run::Event;
use luminos_store::Writer;
use luminos_wire::control::{DaemonStatus, Ended, Hello, Refused, Reply, Request, RunEvent, Walk};
use luminos_wire::{Frames, VERSION, decode, encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, timeout};

use crate::registry::{RegistryHandle, begin};
use crate::watch::Watch;

/// How long a client may take to greet, and to end a request that it has begun.
const GREETING: Duration = Duration::from_secs(5);
/// How long a client may be silent between requests.
const SILENCE: Duration = Duration::from_secs(600);
/// How long a client may take to take what it is told.
const TAKING: Duration = Duration::from_secs(10);
/// The longest request.
const MOST_BYTES: usize = 1 << 20;
/// The most clients at a time.
const MOST_GUESTS: usize = 256;
/// The most clients that have not greeted yet.
const MOST_WAITING: usize = 64;
/// The pause after a client could not be let in, and the longest one.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// What clients find inside.
#[derive(Clone)]
pub(super) struct House {
    pub(super) name: String,
    pub(super) home: PathBuf,
    pub(super) writer: Writer,
    pub(super) registry: RegistryHandle,
    pub(super) started: Instant,
    pub(super) ends_when_idle: bool,
    pub(super) stop: watch::Sender<bool>,
}

/// How many clients are inside, and who has not greeted yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Guests {
    inside: Arc<AtomicUsize>,
    waiting: Arc<Mutex<VecDeque<Waiting>>>,
}

/// A client that has not greeted. It is asked to leave by dropping this.
#[derive(Debug)]
struct Waiting {
    number: u64,
    _stays: oneshot::Sender<()>,
}

impl Guests {
    pub(super) fn count(&self) -> usize {
        self.inside.load(Ordering::Relaxed)
    }

    /// Lets one come in who has yet to greet. If there are too many of those, the first one leaves.
    fn wait(&self, number: u64) -> oneshot::Receiver<()> {
        let (stays, leaves) = oneshot::channel();
        let mut waiting = self.waiting();
        waiting.push_back(Waiting { number, _stays: stays });
        if MOST_WAITING < waiting.len() {
            waiting.pop_front();
        }
        leaves
    }

    /// One has greeted, or is gone.
    fn waits_no_more(&self, number: u64) {
        self.waiting().retain(|waiting| waiting.number != number);
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        // Nothing that can panic happens under this lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn come_in(&self) -> Option<Guest> {
        if MOST_GUESTS <= self.inside.fetch_add(1, Ordering::Relaxed) {
            self.inside.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(Guest(Arc::clone(&self.inside)))
    }
}

struct Guest(Arc<AtomicUsize>);

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Lets clients in until the daemon ends.
pub(super) fn open(listener: UnixListener, house: House, mut stopped: watch::Receiver<bool>) -> Guests {
    let guests = Guests::default();
    let counted = guests.clone();
    tokio::spawn(async move {
        let own = rustix::process::geteuid().as_raw();
        let mut pause = PAUSE.0;
        let mut number = 0;
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stopped.wait_for(|is_stopped| *is_stopped) => return,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of descriptors, most likely: trying again at once would only burn a core.
                    tracing::warn!(%error, "a client could not be let in");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSE.1);
                    continue;
                }
            };
            pause = PAUSE.0;
            let is_own = stream.peer_cred().is_ok_and(|peer| peer.uid() == own || peer.uid() == 0);
            if !is_own {
                continue;
            }
            number += 1;
            let leaves = counted.wait(number);
            let (house, guests) = (house.clone(), counted.clone());
            tokio::spawn(async move {
                let mut line = Line { stream, frames: Frames::new(MOST_BYTES) };
                let hello = tokio::select! {
                    hello = line.hear::<Hello>(GREETING) => hello,
                    _ = leaves => Err(io::ErrorKind::TimedOut.into()),
                };
                guests.waits_no_more(number);
                let Ok(Some(hello)) = hello else { return };
                let Some(guest) = guests.come_in() else { return };
                if let Err(error) = house.talk(&mut line, &hello).await {
                    tracing::debug!(%error, "a client is gone");
                }
                drop(guest);
            });
        }
    });
    guests
}

/// The line to a client.
struct Line {
    stream: UnixStream,
    frames: Frames,
}

impl Line {
    /// The next message; `None` when the client has hung up.
    async fn hear<T: DeserializeOwned>(&mut self, patience: Duration) -> io::Result<Option<T>> {
        let mut buffer = vec![0; 16 << 10];
        let mut deadline = Instant::now() + patience;
        let mut has_begun = false;
        loop {
            if let Some(body) = self.frames.take().map_err(io::Error::other)? {
                return decode(body).map(Some).map_err(io::Error::other);
            }
            if !has_begun && self.frames.is_torn() {
                // Whoever begins a request has it at hand.
                has_begun = true;
                deadline = deadline.min(Instant::now() + GREETING);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match timeout(left, self.stream.read(&mut buffer)).await {
                Err(_) => return Err(io::ErrorKind::TimedOut.into()),
                Ok(Ok(0)) => return Ok(None),
                Ok(Ok(count)) => self.frames.feed(&buffer[..count]),
                Ok(Err(error)) => return Err(error),
            }
        }
    }

    async fn say<T: Serialize>(&mut self, message: &T) -> io::Result<()> {
        let frame = encode(message).map_err(io::Error::other)?;
        match timeout(TAKING, self.stream.write_all(&frame)).await {
            Ok(written) => written,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl House {
    async fn talk(&self, line: &mut Line, hello: &Hello) -> io::Result<()> {
        line.say(&Hello { version: VERSION, program: self.name.clone() }).await?;
        if hello.version != VERSION {
            return Ok(());
        }
        while let Some(request) = line.hear::<Request>(SILENCE).await? {
            match request {
                Request::Start(request) => {
                    let reply = self.registry.begin(*request).await;
                    line.say(&reply).await?;
                }
                Request::Subscribe { investigation } => self.subscribe(line, investigation).await?,
                Request::Watch { target, walk } => self.watch(line, &target, &walk).await?,
                Request::Status => line.say(&Reply::Status(self.status().await)).await?,
                Request::Pause { investigation } => {
                    let reason = "somebody asked for it".to_owned();
                    let reply = self.tell(investigation, Event::Pause { reason }).await;
                    line.say(&reply).await?;
                }
                Request::Resume { investigation } => {
                    let reply = self.tell(investigation, Event::Resume).await;
                    line.say(&reply).await?;
                }
                Request::Cancel { investigation } => {
                    let reply = self.tell(investigation, Event::Cancel).await;
                    line.say(&reply).await?;
                }
                Request::Clean { investigations } => {
                    let reply = self.clean(&investigations).await;
                    line.say(&reply).await?;
                }
                Request::Shutdown => {
                    line.say(&Reply::Done).await?;
                    let _ = self.stop.send(true);
                }
            }
        }
        Ok(())
    }

    /// Tells a client what happens in a run until it ends, or the client hangs up.
    async fn subscribe(&self, line: &mut Line, investigation: String) -> io::Result<()> {
        let subscription = match self.registry.run(investigation.clone()).await {
            Some(run) => run.subscribe().await,
            None => None,
        };
        let Some((snapshot, mut events)) = subscription else {
            return line.say(&not_running(&investigation)).await;
        };
        line.say(&Reply::Subscribed(snapshot)).await?;
        let mut nothing = [0; 1];
        loop {
            tokio::select! {
                event = events.recv() => {
                    let event = event.unwrap_or_else(died);
                    line.say(&event).await?;
                    if matches!(event, RunEvent::Ended(_)) {
                        return Ok(());
                    }
                }
                // A client that listens says nothing: whatever can be read now is its end, or a breach.
                _ = line.stream.read(&mut nothing) => return Err(io::ErrorKind::ConnectionAborted.into()),
            }
        }
    }

    /// Tells a client when a target changes, until it hangs up or the daemon ends.
    async fn watch(&self, line: &mut Line, target: &[u8], walk: &Walk) -> io::Result<()> {
        let (target, options) = (begin::path(target), begin::walk(walk));
        let mut watch = match Watch::start(target, options, self.home.clone()).await {
            Ok(watch) => watch,
            Err(reason) => {
                return line
                    .say(&Reply::Refused(Refused {
                        message: format!("the target cannot be watched: {reason}"),
                        causes: Vec::new(),
                        hint: None,
                        is_usage: false,
                    }))
                    .await;
            }
        };
        line.say(&Reply::Done).await?;
        if let Some(why) = &watch.lacks {
            let note =
                format!("changes cannot be listened for ({why}); the target is scanned every few seconds");
            line.say(&RunEvent::Note(note)).await?;
        }
        let mut stopped = self.stop.subscribe();
        let mut nothing = [0; 1];
        loop {
            let changed = tokio::select! {
                changed = watch.next() => changed,
                _ = stopped.wait_for(|is_stopped| *is_stopped) => return Ok(()),
                _ = line.stream.read(&mut nothing) => return Err(io::ErrorKind::ConnectionAborted.into()),
            };
            let directories = changed.map_err(io::Error::other)?;
            line.say(&RunEvent::Changed { directories }).await?;
        }
    }

    async fn tell(&self, investigation: String, event: Event) -> Reply {
        match self.registry.run(investigation.clone()).await {
            Some(run) => {
                run.tell(event);
                Reply::Done
            }
            None => not_running(&investigation),
        }
    }

    async fn clean(&self, investigations: &[String]) -> Reply {
        for investigation in investigations {
            if self.registry.run(investigation.clone()).await.is_some() {
                return Reply::Refused(Refused {
                    message: format!("the investigation {investigation} is running"),
                    causes: Vec::new(),
                    hint: Some("cancel it first".to_owned()),
                    is_usage: false,
                });
            }
            let Ok(id) = investigation.parse() else { continue };
            if let Err(error) = self.writer.remove(id).await {
                return Reply::Refused(Refused {
                    message: error.to_string(),
                    causes: Vec::new(),
                    hint: error.hint().map(str::to_owned),
                    is_usage: false,
                });
            }
        }
        Reply::Done
    }

    async fn status(&self) -> DaemonStatus {
        DaemonStatus {
            pid: std::process::id(),
            program: self.name.clone(),
            uptime_seconds: self.started.elapsed().as_secs(),
            ends_when_idle: self.ends_when_idle,
            runs: self.registry.snapshots().await,
        }
    }
}

/// What a client hears of a run that is gone without a word.
fn died() -> RunEvent {
    let reason = "its run died; `run/daemon.log` in the state directory says more".to_owned();
    RunEvent::Ended(Ended::Failed { reason })
}

fn not_running(investigation: &str) -> Reply {
    Reply::Refused(Refused {
        message: format!("the investigation {investigation} is not running"),
        causes: Vec::new(),
        hint: Some("`luminosctl run` on its target goes on where it was".to_owned()),
        is_usage: false,
    })
}
