//! `luminosctl show`

use std::path::PathBuf;

use clap::Args;
use luminos_core::answer::Field;
use luminos_core::{Exit, Failure, RelPath};
use luminos_report::{Detail, Layout, investigation};

use super::report::{ReportArgs, layout, print_head, print_report};
use crate::known;
use crate::printer::Stop;
use crate::session::Session;

/// Print the report of an investigation again
///
/// No daemon and no model are needed: the report is read from the state directory.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The investigation: its id, the beginning of it, or the target's path; or a file with a report or a bundle
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Show what is known about this directory of the target instead
    #[arg(long, value_name = "PATH")]
    dir: Option<String>,

    /// Show everything: each directory with its claims and what they rest on
    #[arg(long)]
    full: bool,

    /// Say where the answer to a question comes from: all candidates for FIELD, with their scores
    #[arg(long, value_name = "FIELD", value_parser = field, conflicts_with_all = ["dir", "full"])]
    explain: Option<Field>,

    #[command(flatten)]
    report: ReportArgs,
}

fn field(word: &str) -> Result<Field, String> {
    Field::of_word(word).ok_or_else(|| {
        let words: Vec<&str> = Field::ALL.into_iter().map(Field::word).collect();
        format!("there is no such field; there are {}", words.join(", "))
    })
}

/// Prints what is known.
pub(crate) fn run(args: &ShowArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(luminos_core::config::Layer::default())?.config;
    // A report that was kept or sent is shown like one of one's own.
    let is_file = session.absolute(&args.investigation).is_file();
    let found = if is_file { None } else { Some(known::find(&config.home, &args.investigation, &session)?) };
    let baseline = args.report.baseline(&mut session)?;
    if !args.full
        && args.dir.is_none()
        && args.explain.is_none()
        && let Some(found) = &found
        && let Some(exit) = print_head(found, &args.report, &mut session)?
    {
        return Ok(exit);
    }
    let report = match &found {
        Some(found) => known::report(found)?,
        None => known::report_of(&args.investigation, &mut session)?,
    };
    if let Some(field) = args.explain {
        session.printer.print(investigation::explain(&report, field))?;
        return Ok(Exit::Done);
    }
    if let Some(dir) = &args.dir {
        let wanted = RelPath::from_word(dir.trim_start_matches("./").trim_end_matches('/'));
        let entry = report.directories.iter().find(|entry| Some(&entry.relative_path) == wanted.as_ref());
        let Some(entry) = entry else {
            let dir = luminos_core::Untrusted::new(dir.as_bytes()).for_terminal();
            return Err(Failure::usage(
                format!("nothing is known about the directory `{dir}`"),
                "name a directory as the report does, relative to the target",
            )
            .into());
        };
        let layout = Layout { detail: Detail::Full, ..layout(&session) };
        let text = investigation::directory(entry, &report.flags, &layout);
        session.printer.print(text)?;
        return Ok(Exit::Done);
    }
    let detail = if args.full { Detail::Full } else { Detail::Usual };
    print_report(&report, found.as_ref(), &args.report, baseline.as_deref(), detail, &mut session)
}
