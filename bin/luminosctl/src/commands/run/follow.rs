//! A run from its start to its end, as whoever asked for it sees it.

use std::path::Path;

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
    cancel_when_interrupted(&config.home, &investigation);
    let ended = match follow(&mut client, &investigation, watching, session)? {
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
    Ok(match meta.map(|meta| meta.state) {
        Some(State::Done) => Ended::Done,
        Some(State::Partial) => Ended::Partial { reasons: Vec::new() },
        Some(State::Cancelled) => Ended::Cancelled,
        Some(State::Running | State::Paused { .. } | State::Failed) | None => {
            Ended::Failed { reason: "the daemon's log says more".to_owned() }
        }
    })
}

/// Cancels the run when somebody presses Ctrl-C; ends at once when they do it again.
fn cancel_when_interrupted(home: &Path, investigation: &str) {
    let (home, investigation) = (home.to_owned(), investigation.to_owned());
    // Without it Ctrl-C simply ends this program; the daemon goes on with the run.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        let interrupted = runtime.block_on(async { tokio::signal::ctrl_c().await.is_ok() });
        if !interrupted {
            return;
        }
        if let Ok(Some(mut client)) = daemon::connect(&home) {
            let _ = client.ask(&Request::Cancel { investigation });
        }
        let _ = runtime.block_on(tokio::signal::ctrl_c());
        end_at_once();
    });
}

#[expect(clippy::exit, reason = "somebody pressed Ctrl-C twice: nothing is worth waiting for")]
fn end_at_once() {
    std::process::exit(Exit::Interrupted as i32);
}
