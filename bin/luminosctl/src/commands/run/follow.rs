//! A run from its start to its end, as whoever asked for it sees it.

use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

use luminos_core::config::Config;
use luminos_core::{Exit, Failure};
use luminos_engine::{Client, State};
use luminos_wire::control::{Ended, Reply, Request, RunEvent, RunRequest};

use super::progress::Progress;
use crate::printer::Stop;
use crate::session::Session;
use crate::{daemon, known};

/// Whether somebody wants to see how a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watching {
    /// Passes, directories, flags.
    Live,
    /// Nothing.
    Quiet,
}

/// A run that is over.
#[derive(Debug)]
pub(crate) struct Followed {
    /// The investigation.
    pub(crate) investigation: String,
    /// How it ended.
    pub(crate) ended: Ended,
}

/// Has something investigated, and shows what happens until the run is over.
pub(crate) fn run_to_end(
    request: RunRequest,
    watching: Watching,
    config: &Config,
    session: &mut Session<'_>,
) -> Result<Followed, Stop> {
    let mut client = daemon::connect_or_start(config)?;
    let investigation = match daemon::ask(&mut client, &Request::Start(Box::new(request)))? {
        Reply::Started { investigation, is_joined } => {
            if is_joined && watching == Watching::Live {
                session.printer.note("this target is being investigated already; joining that run");
            }
            investigation
        }
        Reply::Subscribed(_) | Reply::Status(_) | Reply::Done | Reply::Refused(_) => {
            return Err(daemon::nonsense().into());
        }
    };
    under_way(Some(investigation.clone()));
    listen_for_interrupts(&config.home);
    let followed = follow(&mut client, &investigation, watching, session);
    under_way(None);
    let ended = match followed? {
        Some(ended) => ended,
        None => how_it_ended(&config.home, &investigation)?,
    };
    Ok(Followed { investigation, ended })
}

/// Shows what happens until the run is over. `None` if it was over before anybody could look.
fn follow(
    client: &mut Client,
    investigation: &str,
    watching: Watching,
    session: &mut Session<'_>,
) -> Result<Option<Ended>, Stop> {
    let request = Request::Subscribe { investigation: investigation.to_owned() };
    let reply = client.ask(&request).map_err(|error| daemon::failure(&error))?;
    let snapshot = match reply {
        Reply::Subscribed(snapshot) => snapshot,
        Reply::Refused(_) => return Ok(None),
        Reply::Started { .. } | Reply::Status(_) | Reply::Done => return Err(daemon::nonsense().into()),
    };
    let mut progress = Progress::new(watching == Watching::Quiet, session.printer.is_colored_on_stderr());
    progress.show(&snapshot);
    loop {
        match client.next_event().map_err(|error| daemon::failure(&error))? {
            RunEvent::Progress(snapshot) => progress.show(&snapshot),
            RunEvent::Planned { order, tiers, turns } => progress.planned(order, tiers, turns),
            RunEvent::Note(note) => progress.note(&note),
            RunEvent::Flag(flag) => progress.flag(&flag),
            RunEvent::Changed { .. } => {}
            RunEvent::Ended(ended) => {
                progress.end();
                return Ok(Some(ended));
            }
        }
    }
}

/// How a run ended that was over before anybody could look: the store tells.
fn how_it_ended(home: &Path, investigation: &str) -> Result<Ended, Failure> {
    let store = known::store(home)?;
    let id = investigation.parse().map_err(|_| daemon::nonsense())?;
    let meta = store.investigation(id).meta().map_err(|problem| Failure::new(&problem, None))?;
    let unknown = || Ended::Failed { reason: "the daemon's log says more".to_owned() };
    let Some(meta) = meta else { return Ok(unknown()) };
    Ok(match meta.state {
        State::Done => Ended::Done,
        State::Partial => Ended::Partial { reasons: meta.reasons },
        State::Cancelled => Ended::Cancelled,
        State::Failed if !meta.reasons.is_empty() => Ended::Failed { reason: meta.reasons.join("; ") },
        State::Running | State::Paused { .. } | State::Failed => unknown(),
    })
}

/// The run that Ctrl-C cancels, if one is under way.
static UNDER_WAY: Mutex<Option<String>> = Mutex::new(None);

/// Sets what Ctrl-C cancels; gives what it was.
fn under_way(investigation: Option<String>) -> Option<String> {
    let mut place = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *place, investigation)
}

/// From now on Ctrl-C cancels the run that is under way, and ends this program at once if none is, or if it is pressed
/// again.
fn listen_for_interrupts(home: &Path) {
    static IS_LISTENING: Once = Once::new();
    let home = home.to_owned();
    let listen = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        while runtime.block_on(async { tokio::signal::ctrl_c().await.is_ok() }) {
            let Some(investigation) = under_way(None) else { return end_at_once() };
            if let Ok(Some(mut client)) = daemon::connect(&home) {
                let _ = client.ask(&Request::Cancel { investigation });
            }
        }
    };
    // Without it Ctrl-C simply ends this program; the daemon goes on with the run.
    IS_LISTENING.call_once(|| drop(std::thread::Builder::new().name("signals".to_owned()).spawn(listen)));
}

#[expect(clippy::exit, reason = "somebody has had enough: nothing is worth waiting for")]
fn end_at_once() {
    std::process::exit(Exit::Interrupted as i32);
}
