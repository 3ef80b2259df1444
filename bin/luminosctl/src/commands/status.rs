//! `luminosctl status`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::{Config, Layer};
use luminos_core::spend::Money;
use luminos_core::{Exit, Untrusted};
use luminos_engine::Meta;
use luminos_report::progress::ProgressView;
use luminos_report::status::{self, StatusView};
use luminos_wire::control::DaemonStatus;
use serde::Serialize;

use super::report::layout;
use crate::daemon;
use crate::known::{self, Used};
use crate::printer::Stop;
use crate::run_view::progress;
use crate::session::Session;

/// Show what is running and how far it is, or how one investigation stands
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct StatusArgs {
    /// The investigation: its id, the beginning of it, or the target's path; all that run without it
    investigation: Option<PathBuf>,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  done, whether something runs or not
  1  the daemon or the investigation could not be asked
  2  the command line makes no sense, or there is no such investigation";

/// Prints how things stand.
pub(crate) fn run(args: &StatusArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let daemon = daemon::status(&config.home)?;
    if let Some(word) = &args.investigation {
        return one(word, args.json, daemon, &config, session);
    }
    match daemon {
        Some(daemon) if args.json => session.printer.print_json(&view(daemon))?,
        Some(daemon) => {
            let text = status::text(&view(daemon), &layout(&session));
            session.printer.print(text)?;
        }
        None if args.json => session.printer.print("null\n")?,
        None => session.printer.print("Nothing is running: there is no daemon.\n")?,
    }
    Ok(Exit::Done)
}

fn one(
    word: &std::path::Path,
    is_json: bool,
    daemon: Option<DaemonStatus>,
    config: &Config,
    session: Session<'_>,
) -> Result<Exit, Stop> {
    let found = known::find(&config.home, word, &session)?;
    let meta = known::meta(&found)?;
    let state = known::standing(&found, &meta, daemon.as_ref());
    let used = known::Used::find(&found, &meta, daemon.as_ref());
    let id = found.id().to_string();
    let running = daemon.and_then(|mut daemon| {
        daemon.runs.retain(|run| run.investigation == id);
        (!daemon.runs.is_empty()).then(|| view(daemon))
    });
    if is_json {
        let run = running.and_then(|mut view| view.runs.pop());
        session.printer.print_json(&Json::new(&meta, used, state, run))?;
    } else if let Some(view) = running {
        let text = status::text(&view, &layout(&session));
        session.printer.print(text)?;
    } else {
        session.printer.print(words(&meta, used, state))?;
    }
    Ok(Exit::Done)
}

/// How an investigation stands that nobody works on.
fn words(meta: &Meta, used: Used, state: &str) -> String {
    let shown = |text: &str| Untrusted::new(text.as_bytes()).for_terminal();
    let mut models: Vec<String> = meta.models.values().map(|name| shown(name)).collect();
    models.sort_unstable();
    models.dedup();
    let mut words = format!("{}\n  {} · {state}\n", shown(&meta.display), meta.id);
    words.push_str(&format!("  started   {}\n", shown(&meta.started.0)));
    if let Some(ended) = &meta.ended {
        words.push_str(&format!("  last run  {}\n", shown(&ended.0)));
    }
    words.push_str(&format!("  models    {}\n", models.join(", ")));
    let counters = used.counters;
    words.push_str(&format!("  used      {} turns", counters.turns));
    if 0 < counters.calls || 0 < counters.lost_tokens {
        let spent = used.spent().map_or("cost not known".to_owned(), |cost| format!("{cost} spent"));
        words.push_str(&format!(", {} calls, {} tokens, {spent}", counters.calls, counters.tokens));
        words.push_str(&format!(", {} reserved, {} lost in flight", used.reserved, used.lost()));
    }
    words.push('\n');
    words.push_str(match state {
        "done" | "partial" => "  `luminosctl show` prints the report\n",
        "planned" => "  `luminosctl run` follows the plan\n",
        _ => "  `luminosctl resume` goes on\n",
    });
    words
}

/// An investigation for programs. The fields are an interface.
#[derive(Debug, Serialize)]
struct Json {
    id: String,
    target: String,
    state: &'static str,
    started: String,
    ended: Option<String>,
    models: std::collections::BTreeMap<String, String>,
    calls: u64,
    tokens: u64,
    turns: u64,
    /// US dollars as a decimal text; nothing if a price is not known.
    cost: Option<String>,
    /// What calls on their way can cost at most.
    reserved: String,
    /// What was reserved for calls whose process died: nobody knows whether they cost it.
    lost_in_flight: String,
    /// How far it is, while it runs.
    run: Option<ProgressView>,
}

impl Json {
    fn new(meta: &Meta, used: Used, state: &'static str, run: Option<ProgressView>) -> Self {
        Self {
            id: meta.id.to_string(),
            target: meta.display.clone(),
            state,
            started: meta.started.0.clone(),
            ended: meta.ended.as_ref().map(|ended| ended.0.clone()),
            models: meta.models.clone(),
            calls: used.counters.calls,
            tokens: used.counters.tokens,
            turns: used.counters.turns,
            cost: used.spent().map(dollars),
            reserved: dollars(used.reserved),
            lost_in_flight: dollars(used.lost()),
            run,
        }
    }
}

fn dollars(amount: Money) -> String {
    amount.to_string().replace('$', "")
}

fn view(status: DaemonStatus) -> StatusView {
    StatusView {
        pid: status.pid,
        program: status.program,
        uptime_seconds: status.uptime_seconds,
        ends_when_idle: status.ends_when_idle,
        runs: status.runs.into_iter().map(progress).collect(),
    }
}
