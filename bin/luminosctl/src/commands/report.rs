//! How a command prints a report: flags that several commands share.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use luminos_core::Failure;
use luminos_core::report::Report;
use luminos_report::{Detail, Layout, Style, investigation};

use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// What a report looks like, and where it goes.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Print the report in this form: text, md or json
    #[arg(long, value_name = "FORM", default_value = "text", value_parser = format)]
    format: Format,

    /// Print the report as JSON: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Show this many levels of directories instead of as many as fit
    #[arg(short, long, value_name = "LEVELS")]
    depth: Option<usize>,

    /// Write the report into this file instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ReportArgs {
    /// Whether the report goes into a file.
    pub(crate) fn is_for_a_file(&self) -> bool {
        self.output.is_some()
    }
}

/// How a report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// For a terminal.
    Text,
    /// GitHub-flavoured Markdown.
    Md,
    /// For programs; docs/report-json.md in the source explains every key.
    Json,
}

fn format(word: &str) -> Result<Format, String> {
    match word {
        "text" => Ok(Format::Text),
        "md" => Ok(Format::Md),
        "json" => Ok(Format::Json),
        "html" | "sarif" => Err(format!("reports in {word} are not available; use text, md or json")),
        _ => Err("use text, md or json".to_owned()),
    }
}

/// How text for people is set here.
pub(crate) fn layout(session: &Session<'_>) -> Layout {
    let style = if session.printer.is_colored() { Style::Ansi } else { Style::Plain };
    let usual = Layout::default();
    Layout { width: session.printer.width().unwrap_or(usual.width), style, ..usual }
}

/// Prints a report, or writes it into a file.
pub(crate) fn print_report(
    report: &Report,
    args: &ReportArgs,
    detail: Detail,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let format = if args.json { Format::Json } else { args.format };
    let bytes = match format {
        Format::Text => {
            let usual = layout(session);
            let style = if args.output.is_some() { Style::Plain } else { usual.style };
            let layout = Layout { style, detail, depth: args.depth, ..usual };
            investigation::text(report, &layout).into_bytes()
        }
        Format::Md => investigation::markdown(report).into_bytes(),
        Format::Json => {
            let mut bytes = Vec::new();
            investigation::write_json(&mut bytes, report)
                .map_err(|error| Failure::caused_by("cannot put the report in words", &error))?;
            bytes
        }
    };
    let Some(path) = &args.output else { return session.printer.print_bytes(&bytes) };
    let path = session.absolute(path);
    let written = std::fs::File::create(&path).and_then(|mut file| file.write_all(&bytes));
    written.map_err(|error| {
        Failure::caused_by(format!("cannot write the report to `{}`", for_terminal(&path)), &error)
    })?;
    session.printer.note(format_args!("the report is in `{}`", for_terminal(&path)));
    Ok(())
}
