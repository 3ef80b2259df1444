//! `luminosctl watch`

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use luminos_core::flag::Flag;
use luminos_core::report::Report;
use luminos_core::{ContentHash, Exit, RelPath, Untrusted};
use luminos_engine::Investigation;
use luminos_report::Detail;
use luminos_wire::control::{Ended, Reply, Request, RunEvent};

use super::report::{ReportArgs, print_report};
use super::run::{SecretFiles, Watching, announce, request, run_to_end, stored_report};
use super::target::{ModelArgs, WalkArgs, real_target};
use crate::daemon;
use crate::printer::Stop;
use crate::session::Session;

/// Investigate a directory, and again whenever something in it changes
///
/// The first report is printed as by `luminosctl run`. After that, each change is told in a line: what was looked at
/// again, and which flags came and went. Only directories that changed, and those above them whose view of them did,
/// are looked at. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct WatchArgs {
    /// The directory to watch
    #[arg(default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    walk: WalkArgs,

    #[command(flatten)]
    report: ReportArgs,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl watch .                     keep the report of the current directory true
  luminosctl watch . -o report.md --format md --quiet

Exit codes:
    1  failed
    2  the command line or the configuration makes no sense
  130  ended with Ctrl-C; what was found out is kept";

/// Watches until somebody has enough.
pub(crate) fn run(args: &WatchArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve_for(&args.path, args.models.over(args.walk.layer()))?.config;
    let target = real_target(&session, &args.path)?;
    let models = args.models.models(&config, &mut session)?;
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    announce(&models, &Default::default(), SecretFiles::Withheld, &mut session);
    let request = request(&config, &session, &target, models);
    // Whoever listens first misses nothing that happens during the first run.
    let mut changes = daemon::connect_or_start(&config)?;
    let watch = Request::Watch { target: request.target.clone(), walk: request.walk.clone() };
    match daemon::ask(&mut changes, &watch)? {
        Reply::Done => {}
        Reply::Started { .. } | Reply::Subscribed(_) | Reply::Status(_) | Reply::Refused(_) => {
            return Err(daemon::nonsense().into());
        }
    }
    let mut before: Option<Report> = None;
    loop {
        let followed = run_to_end(request.clone(), watching, &config, &mut session)?;
        match &followed.ended {
            Ended::Cancelled => return Ok(Exit::Interrupted),
            Ended::Failed { reason } => {
                session.printer.warn(Untrusted::new(reason.as_bytes()).for_terminal());
            }
            Ended::Done | Ended::Partial { .. } => {
                let (found, report) = stored_report(&config.home, &followed.investigation)?;
                tell(before.as_ref(), &report, &found, args, &mut session)?;
                before = Some(report);
            }
        }
        session.printer.flush()?;
        loop {
            match changes.next_event().map_err(|error| daemon::failure(&error))? {
                RunEvent::Changed { directories } => {
                    if !args.quiet {
                        session.printer.note(changed(&directories));
                    }
                    break;
                }
                RunEvent::Note(note) => {
                    session.printer.warn(Untrusted::new(note.as_bytes()).for_terminal());
                }
                RunEvent::Progress(_) | RunEvent::Planned { .. } | RunEvent::Flag(_) | RunEvent::Ended(_) => {
                }
            }
        }
    }
}

/// Tells what is new: everything the first time.
fn tell(
    before: Option<&Report>,
    report: &Report,
    found: &Investigation,
    args: &WatchArgs,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let Some(before) = before else {
        return print_report(report, Some(found), &args.report, None, Detail::Usual, session).map(drop);
    };
    if before.made_at == report.made_at && before.key == report.key {
        return Ok(());
    }
    if args.report.is_for_a_file() {
        print_report(report, Some(found), &args.report, None, Detail::Usual, session)?;
    }
    for line in news(before, report) {
        session.printer.print(format_args!("{line}\n"))?;
    }
    Ok(())
}

/// What a report tells that the one before it did not.
fn news(before: &Report, report: &Report) -> Vec<String> {
    let counters = &report.counters;
    let looked = counters.dirs_investigated.saturating_sub(counters.dirs_reused);
    let word = if looked == 1 { "directory was" } else { "directories were" };
    let mut lines =
        vec![format!("{looked} {word} looked at again, {} stayed as they were", counters.dirs_reused)];
    let inert = |text: &str| Untrusted::new(text.as_bytes()).for_terminal();
    if before.findings.brief != report.findings.brief {
        lines.push(format!("  {}", inert(&report.findings.brief)));
    }
    // Lines that move and files that change around a flag make no other flag of it; a proof that is lost does.
    let keys = |report: &Report| report.flags.iter().map(flag_key).collect::<HashSet<_>>();
    let (known, found) = (keys(before), keys(report));
    let word = |flag: &Flag| if flag.is_unproved() { "unproved" } else { flag.severity.word() };
    for flag in report.flags.iter().filter(|flag| !known.contains(&flag_key(flag))) {
        let (severity, path) = (word(flag), flag.path.for_terminal());
        lines.push(format!("  new flag: {severity}: {path}: {}", inert(&flag.finding)));
    }
    for flag in before.flags.iter().filter(|flag| !found.contains(&flag_key(flag))) {
        let (severity, path) = (word(flag), flag.path.for_terminal());
        lines.push(format!("  no longer: {severity}: {path}: {}", inert(&flag.finding)));
    }
    lines
}

/// What makes a flag the same one in another report.
fn flag_key(flag: &Flag) -> (ContentHash, bool) {
    (flag.fingerprint(), flag.is_unproved())
}

/// Directories that are named, and no more.
const SHOWN: usize = 5;

fn changed(directories: &[RelPath]) -> String {
    if directories.is_empty() {
        return "something has changed".to_owned();
    }
    let name = |dir: &RelPath| if dir.is_root() { ".".to_owned() } else { dir.for_terminal() };
    let shown: Vec<String> = directories.iter().take(SHOWN).map(name).collect();
    let more = match directories.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("changes in {}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_shortly() {
        let dirs = |names: &[&str]| names.iter().map(|name| RelPath::from(*name)).collect::<Vec<_>>();
        assert_eq!(changed(&[]), "something has changed");
        assert_eq!(changed(&[RelPath::root()]), "changes in .");
        assert_eq!(changed(&dirs(&["a", "b"])), "changes in a, b");
        assert_eq!(
            changed(&dirs(&["a", "b", "c", "d", "e", "f", "g"])),
            "changes in a, b, c, d, e and 2 more"
        );
    }
}
