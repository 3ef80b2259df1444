//! `luminosctl doctor`

use std::io::{self, IsTerminal as _};
use std::path::Path;

use clap::Args;
use luminos_core::config::{Layer, Resolved, Standing};
use luminos_core::{ByteSize, Exit, Failure, Untrusted};
use luminos_engine::{Models, Service, check_state_dir, confinement_words, program_confinement};
use serde::Serialize;

use super::ask::models_known;
use super::models::{Found, Key, Place, look_around, passes};
use crate::daemon;
use crate::printer::{Printer, Stop};
use crate::session::{Session, for_terminal};

/// Check what is set up, and say what is missing
///
/// Looks at the state directory, the daemon, how well processes can be locked in, the configuration files, the keys,
/// the servers that a variable names, and the terminal; and says where room or limits are short. The state directory is made if it is missing; nothing else is changed. Keys are never shown.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct DoctorArgs {
    /// Print a JSON array of objects with check, state, words and hint
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl doctor
  luminosctl doctor --json | jq -r '.[] | select(.state == \"bad\") | .words'

Exit codes:
  0  everything that is set up works
  1  something does not
  2  the command line makes no sense";

/// One thing that was looked at. Its fields are an interface.
#[derive(Debug, Serialize)]
struct Check {
    check: &'static str,
    state: State,
    words: String,
    hint: Option<String>,
}

/// How a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// It works.
    Good,
    /// It is not there, and need not be.
    Absent,
    /// It does not work.
    Bad,
}

impl Check {
    fn good(check: &'static str, words: impl Into<String>) -> Self {
        Self { check, state: State::Good, words: words.into(), hint: None }
    }

    fn absent(check: &'static str, words: impl Into<String>) -> Self {
        Self { check, state: State::Absent, words: words.into(), hint: None }
    }

    fn bad(check: &'static str, words: impl Into<String>) -> Self {
        Self { check, state: State::Bad, words: words.into(), hint: None }
    }

    fn failed(check: &'static str, failure: Failure) -> Self {
        let words = [&[failure.message][..], &failure.causes].concat().join(": ");
        Self { hint: failure.hint, ..Self::bad(check, words) }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// Looks at everything and prints it.
pub(crate) fn run(args: &DoctorArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let mut checks = Vec::new();
    let resolved = match session.resolve(Layer::default()) {
        Ok(resolved) => Some(resolved),
        Err(Stop::OutputClosed) => return Err(Stop::OutputClosed),
        Err(Stop::Failed(failure)) => {
            checks.push(Check::failed("configuration", failure));
            None
        }
    };
    if let Some(resolved) = &resolved {
        checks.push(configuration(&session));
        checks.push(state_dir(resolved));
        checks.extend(room(&resolved.config.home));
        checks.push(daemon(resolved));
        checks.push(models_file(resolved));
    }
    checks.push(confinement());
    checks.push(program_box());
    checks.extend(limits());
    let found = look_around(session.around(), resolved.as_ref().map(|resolved| &resolved.config.models))?;
    checks.extend(found.iter().filter_map(key));
    checks.extend(found.iter().filter_map(place));
    if let Some(resolved) = &resolved {
        checks.push(default_model(resolved, &found));
    }
    checks.push(terminal(session.printer));

    if args.json {
        session.printer.print_json(&checks)?;
    } else {
        print(&checks, session.printer)?;
    }
    let is_bad = checks.iter().any(|check| check.state == State::Bad);
    Ok(if is_bad { Exit::Failed } else { Exit::Done })
}

fn print(checks: &[Check], printer: &mut Printer) -> Result<(), Stop> {
    for Check { check, state, words, hint } in checks {
        let mark = match state {
            State::Good => "ok",
            State::Absent => "-",
            State::Bad => "bad",
        };
        printer.print(format_args!("{mark:3}  {check:15}  {words}\n"))?;
        for line in hint.iter().flat_map(|hint| hint.lines()) {
            printer.print(format_args!("{:22}{line}\n", ""))?;
        }
    }
    Ok(())
}

fn configuration(session: &Session<'_>) -> Check {
    let sources = session.sources();
    let read: Vec<String> = sources
        .iter()
        .filter(|source| source.standing == Standing::Read)
        .map(|source| for_terminal(&source.path))
        .collect();
    if read.is_empty() {
        return Check::good("configuration", "no file; the defaults hold");
    }
    Check::good("configuration", read.join(", "))
}

fn state_dir(resolved: &Resolved) -> Check {
    let home = &resolved.config.home;
    match check_state_dir(home) {
        Ok(()) => Check::good("state directory", for_terminal(home)),
        Err(error) => {
            Check::failed("state directory", Failure::new(&error, Some("--home names another one")))
        }
    }
}

fn daemon(resolved: &Resolved) -> Check {
    let home = &resolved.config.home;
    let log = daemon::log(home);
    let log = log.exists().then(|| format!("its log is {}", for_terminal(&log)));
    match daemon::status(home) {
        Ok(Some(status)) => {
            let program = Untrusted::new(status.program.as_bytes()).for_terminal();
            let runs = status.runs.len();
            let check = Check::good(
                "daemon",
                format!("{program}, process {}, investigations under way: {runs}", status.pid),
            );
            Check { hint: log, ..check }
        }
        Ok(None) => {
            let check = Check::absent("daemon", "not running; it is started when it is needed");
            Check { hint: log, ..check }
        }
        Err(failure) => Check::failed("daemon", failure),
    }
}

/// Less room than this for what is kept, and a run will pause before long.
const LITTLE_ROOM: u64 = 256 << 20;
/// Fewer open files are too few for a daemon with workers and a handful of clients.
const FEW_FILES: u64 = 256;
/// Fewer directories can be listened to; larger targets are then scanned again and again by `watch`.
const FEW_WATCHES: u64 = 8192;

/// Told only where it is short: how much room there is for what is kept.
fn room(home: &Path) -> Option<Check> {
    let found = rustix::fs::statvfs(home).ok()?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    if found.f_favail == 0 && 0 < found.f_files {
        return Some(
            Check::bad("room", "the disk of the state directory has no room for another file")
                .hint("remove files there, or choose another one with --home"),
        );
    }
    (free < LITTLE_ROOM).then(|| {
        Check::bad("room", format!("only {} are left where the state directory is", ByteSize(free))).hint(
            "make room (`luminosctl clean`), or choose another one with --home; a run that finds none pauses",
        )
    })
}

/// Told only where they are low: what the system lets a process have.
fn limits() -> Vec<Check> {
    let mut checks = Vec::new();
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    if let Some(files) = files.filter(|files| *files < FEW_FILES) {
        checks.push(
            Check::bad("limits", format!("a process may have {files} files open: too few for a daemon"))
                .hint("raise it, such as with `ulimit -n 4096`, or LimitNOFILE= of a service"),
        );
    }
    let watches = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok();
    let watches: Option<u64> = watches.and_then(|text| text.trim().parse().ok());
    if let Some(watches) = watches.filter(|watches| *watches < FEW_WATCHES) {
        checks.push(
            Check::absent("limits", format!("only {watches} directories can be listened to; `watch` scans larger targets every few seconds"))
                .hint("raise fs.inotify.max_user_watches"),
        );
    }
    checks
}

/// How well processes that models work through can be locked in.
fn confinement() -> Check {
    let mut words = confinement_words().into_iter();
    let level = words.next().unwrap_or_default();
    let lacks: Vec<String> = words.collect();
    let hint = (!lacks.is_empty()).then(|| lacks.join("\n"));
    // Below the floor no programs are offered to models; everything else works all the same.
    let state = if level.starts_with("L0") { State::Absent } else { State::Good };
    Check { check: "confinement", state, words: level, hint }
}

/// Whether programs that are used as models can be confined.
fn program_box() -> Check {
    match program_confinement() {
        Ok(()) => Check::good("program box", "programs used as models (codex, claude, command) are confined"),
        Err(lacks) => {
            Check::absent("program box", "programs used as models are refused: they cannot be confined here")
                .hint(lacks.join("\n"))
        }
    }
}

fn models_file(resolved: &Resolved) -> Check {
    let path = &resolved.config.models.config;
    match models_known(resolved) {
        Ok(_) if path.exists() => Check::good("models file", for_terminal(path)),
        Ok(_) => Check::absent("models file", "none of your own; the built-in prices hold"),
        Err(failure) => Check::failed("models file", failure),
    }
}

fn key(found: &Found) -> Option<Check> {
    let service = found.service.word();
    match &found.key {
        Key::Unneeded => None,
        Key::Missing { .. } if found.needs_no_key() => {
            Some(Check::absent("key", format!("{service}: none, and none needed")))
        }
        Key::Missing { variable } => Some(
            Check::absent("key", format!("{service}: none"))
                .hint(format!("to use {service}, set {variable}")),
        ),
        Key::Found { place } => Some(Check::good("key", format!("{service}: in {place}"))),
        Key::Unusable { why } => Some(Check::bad("key", format!("{service}: {why}"))),
    }
}

fn place(found: &Found) -> Option<Check> {
    let service = found.service.word();
    match &found.place {
        Place::Server { address, variable: Some(_), answer: Some(Ok(offered)) } => {
            let models = match offered.len() {
                1 => "1 model".to_owned(),
                count => format!("{count} models"),
            };
            let check = Check::good("server", format!("{service}: {address} offers {models}"));
            let has_key = matches!(found.key, Key::Found { .. });
            Some(if has_key && is_open(address) {
                check.hint("what is asked, and the key, go there without encryption")
            } else {
                check
            })
        }
        Place::Server { address, variable: Some(variable), answer: Some(Err(unanswered)) } => {
            let hint = unanswered.hint.unwrap_or("look at what runs there");
            Some(
                Check::bad("server", format!("{service}: {address}: {}", unanswered.why))
                    .hint(format!("{hint} ({variable})")),
            )
        }
        Place::Server { .. } => None,
        Place::Program(Some(path)) => Some(Check::good("program", format!("{service}: {path}"))),
        // Nobody has to have one of their own; one that is named and missing is told by the model.
        Place::Program(None) if found.service == Service::Command => None,
        Place::Program(None) => Some(Check::absent("program", format!("{service}: not installed"))),
    }
}

/// Whether an address leads out of this machine without encryption.
fn is_open(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    !(host == "localhost" || host == "[::1]" || host.starts_with("127."))
}

fn default_model(resolved: &Resolved, found: &[Found]) -> Check {
    let known = models_known(resolved).or_else(|_| Models::read(None).map_err(drop)).ok();
    let offered =
        found.iter().flat_map(|found| found.offered().iter().map(|model| (found.service, model.id.clone())));
    let offered: Vec<(Service, String)> = offered.collect();
    let passes = passes(&resolved.config.models, known.as_ref(), &offered);
    if let Some(bad) = passes.iter().find(|pass| pass.problem.is_some()) {
        return Check::bad(
            "model",
            format!("models.{}: {}", bad.word, bad.problem.clone().unwrap_or_default()),
        );
    }
    let Some(chosen) = passes.first().and_then(|pass| pass.chosen.as_deref()) else {
        return Check::absent("model", "none chosen").hint("name one in the setting `models.default`");
    };
    let service = chosen.split('/').next().unwrap_or_default();
    let keyless = found.iter().find(|found| found.service.word() == service);
    match keyless.map(|found| (&found.key, &found.place)) {
        Some((Key::Missing { variable }, Place::Server { variable: None, .. })) => {
            Check::bad("model", format!("{chosen} is chosen, but there is no key"))
                .hint(format!("set {variable}"))
        }
        Some((_, Place::Program(None))) if service == Service::Command.word() => {
            Check::bad("model", format!("{chosen} is chosen, but there is no such program"))
                .hint("name one that can be run in the setting `models.command`")
        }
        Some((_, Place::Program(None))) => {
            Check::bad("model", format!("{chosen} is chosen, but the program is not installed"))
        }
        Some(_) | None => Check::good("model", chosen),
    }
}

fn terminal(printer: &Printer) -> Check {
    if !io::stdout().is_terminal() {
        return Check::absent("terminal", "standard output is none");
    }
    let width =
        printer.width().map_or("of unknown width".to_owned(), |width| format!("{width} columns wide"));
    let colors = if printer.is_colored() { "with colours" } else { "without colours" };
    Check::good("terminal", format!("{width}, {colors}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_without_encryption_are_known() {
        for (address, expected) in [
            ("https://api.example.com/v1", false),
            ("http://127.0.0.1:8080/v1", false),
            ("http://localhost:11434/v1", false),
            ("http://[::1]:8080", false),
            ("http://gpu.lan:8000/v1", true),
            ("http://10.0.0.7/v1", true),
        ] {
            assert_eq!(is_open(address), expected, "{address}");
        }
    }
}
