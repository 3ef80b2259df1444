//! `luminosctl show`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::report::Report;
use luminos_core::{Exit, Failure, RelPath};
use luminos_report::{Detail, Layout, Style, investigation};

use super::run::Format;
use crate::known;
use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Print the report of an investigation again
///
/// No daemon and no model are needed: the report is read from the state directory.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Show what is known about this directory of the target instead
    #[arg(long, value_name = "PATH")]
    dir: Option<String>,

    /// Print the report in this form
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Format,

    /// Print the report as JSON: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Show everything: each directory with its claims and what they rest on
    #[arg(long)]
    full: bool,

    /// Write the report into this file instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints what is known.
pub(crate) fn run(args: &ShowArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(luminos_core::config::Layer::default())?.config;
    let found = known::find(&config.home, &args.investigation, &session)?;
    let report = known::report(&found)?;
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
        let text = investigation::directory(entry, &report.flags, &layout(&session, Detail::Full));
        session.printer.print(text)?;
        return Ok(Exit::Done);
    }
    let format = if args.json { Format::Json } else { args.format };
    let detail = if args.full { Detail::Full } else { Detail::Usual };
    print_report(&report, format, detail, args.output.as_deref(), &mut session)?;
    Ok(Exit::Done)
}

fn layout(session: &Session<'_>, detail: Detail) -> Layout {
    let style = if session.printer.is_colored() { Style::Ansi } else { Style::Plain };
    let usual = Layout::default();
    Layout { width: session.printer.width().unwrap_or(usual.width), style, detail }
}

/// Prints a report, or writes it into a file.
pub(crate) fn print_report(
    report: &Report,
    format: Format,
    detail: Detail,
    output: Option<&Path>,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let bytes = match format {
        Format::Text if output.is_some() => {
            investigation::text(report, &Layout { style: Style::Plain, ..layout(session, detail) })
                .into_bytes()
        }
        Format::Text => investigation::text(report, &layout(session, detail)).into_bytes(),
        Format::Md => investigation::markdown(report).into_bytes(),
        Format::Json => {
            let mut bytes = Vec::new();
            investigation::write_json(&mut bytes, report)
                .map_err(|error| Failure::caused_by("cannot put the report in words", &error))?;
            bytes
        }
    };
    let Some(path) = output else { return session.printer.print_bytes(&bytes) };
    let path = session.absolute(path);
    let written = std::fs::File::create(&path).and_then(|mut file| file.write_all(&bytes));
    written.map_err(|error| {
        Failure::caused_by(format!("cannot write the report to `{}`", for_terminal(&path)), &error)
    })?;
    session.printer.note(format_args!("the report is in `{}`", for_terminal(&path)));
    Ok(())
}
