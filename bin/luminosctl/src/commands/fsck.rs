//! `luminosctl fsck`

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use luminos_core::Exit;
use luminos_core::config::Layer;
use luminos_engine::{Checkup, Depth, Finding, Promise, Remedy, Serving, Store, tasks};

use crate::printer::{Paint, Printer, Stop};
use crate::session::{Session, for_terminal};
use crate::{daemon, known};

/// Look over the state directory and say what is wrong with it
///
/// Reads every document, entry and journal of all investigations and the backlog of tasks, and checks what is promised of
/// them: that nothing is torn, that no turn was lost, that results have what they rest on, that old daemons and planners
/// had no say. Says
/// what will be done about each finding, and by whom. Changes nothing.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct FsckArgs {
    /// Print a JSON object with investigations, documents, lines and findings
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A `fault` breaks a promise. A `note` is something to know of: what a crash has left and the next start
removes, a run that can go on, a file that Luminos did not write.

Examples:
  luminosctl fsck
  luminosctl fsck --json | jq -r '.findings[] | select(.is_fault) | .path'

Exit codes:
  0  every promise holds
  1  one does not, or the state directory could not be read
  2  the command line makes no sense";

/// Looks over everything and prints what was found.
pub(crate) fn run(args: &FsckArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let store = Store::existing(&config.home).map_err(|error| known::failure(&error))?;
    let checkup = match store {
        Some(store) => {
            let serving = if daemon::status(&config.home)?.is_some() { Serving::Yes } else { Serving::No };
            let mut checkup = store.check_all(serving, Depth::All);
            let path = tasks::Backlog::path_in(Path::new(""));
            for what in tasks::Backlog::check(&config.home) {
                let (promise, path, remedy) = (Promise::NothingTorn, path.clone(), Remedy::Somebody);
                checkup.add(Finding { promise, path, what, remedy, is_fault: true });
            }
            checkup
        }
        None => Checkup::default(),
    };
    if args.json {
        session.printer.print_json(&checkup)?;
    } else {
        let text = text(&checkup, &for_terminal(&config.home), session.printer);
        session.printer.print(text)?;
    }
    Ok(if checkup.is_sound() { Exit::Done } else { Exit::Failed })
}

fn text(checkup: &Checkup, home: &str, printer: &Printer) -> String {
    let mut text = format!(
        "{home}: {}, {} and {} of journals read\n",
        counted(checkup.investigations, "investigation"),
        counted(checkup.documents, "document"),
        counted(checkup.lines, "line"),
    );
    for finding in &checkup.findings {
        let (paint, word) = if finding.is_fault { (Paint::Error, "fault") } else { (Paint::Faint, "note ") };
        // Writing to a text cannot fail.
        let _ = write!(
            text,
            "\n{}  {}\n       {}\n       {}\n",
            printer.painted(paint, word),
            for_terminal(&finding.path),
            finding.what,
            finding.remedy.words(),
        );
    }
    let faults = checkup.findings.iter().filter(|finding| finding.is_fault).count() as u64;
    let verdict = if faults == 0 {
        "everything holds".to_owned()
    } else {
        format!("{} found; nothing was changed", counted(faults, "fault"))
    };
    let _ = writeln!(text, "\n{verdict}");
    text
}

/// A number with its noun.
fn counted(number: u64, noun: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{end}")
}
