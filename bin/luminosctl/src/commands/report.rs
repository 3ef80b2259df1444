//! How a command prints a report: flags that several commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::evaluation::Evaluation;
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::Report;
use luminos_core::{Exit, Failure};
use luminos_engine::Investigation;
use luminos_report::{Detail, Layout, Style, investigation as paper};

use super::run::severity;
use crate::{files, known};
use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// What a report looks like, and where it goes.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Hold the flags against those of OLD, an investigation or a JSON report
    #[arg(long, value_name = "OLD")]
    baseline: Option<PathBuf>,

    /// End with code 4 at such a flag or a worse one; critical:new, a new one
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on)]
    fail_on: Option<FailOn>,

    /// Print the report as text, md, html, json or sarif
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
    /// The file that the report goes into, if it does.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Whether the report goes into a file.
    pub(crate) fn is_for_a_file(&self) -> bool {
        self.output.is_some()
    }

    /// How its text is set.
    fn layout(&self, detail: Detail, session: &Session<'_>) -> Layout {
        let usual = layout(session);
        let style = if self.output.is_some() { Style::Plain } else { usual.style };
        Layout { style, detail, depth: self.depth, ..usual }
    }

    /// Puts it where it should go.
    fn deliver(&self, bytes: &[u8], session: &mut Session<'_>) -> Result<(), Stop> {
        match &self.output {
            Some(path) => write(path, bytes, session),
            None => session.printer.print_bytes(bytes),
        }
    }

    /// Whether the worst of all flags is one that the user wanted to be told about.
    fn is_flagged(&self, worst: Option<Severity>) -> bool {
        let (Some(FailOn::Any(least) | FailOn::New(least)), Some(worst)) = (self.fail_on, worst) else {
            return false;
        };
        least <= worst
    }
}

/// How a report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// For a terminal.
    Text,
    /// GitHub-flavoured Markdown.
    Md,
    /// One web page.
    Html,
    /// For programs; docs/report-json.md in the source explains every key.
    Json,
    /// The flags, for code hosts and editors.
    Sarif,
}

/// Which flags make a command end with a code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailOn {
    /// Those of a severity, or a worse one.
    Any(Severity),
    /// Those that the baseline does not have.
    New(Severity),
}

fn fail_on(word: &str) -> Result<FailOn, String> {
    match word.split_once(':') {
        None => severity(word).map(FailOn::Any),
        Some((word, "new")) => severity(word).map(FailOn::New),
        Some(_) => Err("use a severity, or a severity and `:new`, such as `critical:new`".to_owned()),
    }
}

impl ReportArgs {
    /// The flags that those of the report are held against. Read before anything is investigated: that may replace the
    /// very report.
    pub(crate) fn baseline(&self, session: &mut Session<'_>) -> Result<Option<Vec<Flag>>, Stop> {
        let Some(old) = &self.baseline else {
            if matches!(self.fail_on, Some(FailOn::New(_))) {
                return Err(Failure::usage(
                    "`:new` says nothing without a report to compare with",
                    "name one with `--baseline`: `luminosctl show --json -o old.json` writes one",
                )
                .into());
            }
            return Ok(None);
        };
        Ok(Some(known::report_of(old, session)?.flags))
    }
}

fn format(word: &str) -> Result<Format, String> {
    match word {
        "text" => Ok(Format::Text),
        "md" => Ok(Format::Md),
        "html" => Ok(Format::Html),
        "json" => Ok(Format::Json),
        "sarif" => Ok(Format::Sarif),
        _ => Err("use text, md, html, json or sarif".to_owned()),
    }
}

/// How text for people is set here.
pub(crate) fn layout(session: &Session<'_>) -> Layout {
    let style = if session.printer.is_colored() { Style::Ansi } else { Style::Plain };
    let usual = Layout::default();
    Layout { width: session.printer.width().unwrap_or(usual.width), style, ..usual }
}

/// Prints a report, or writes it into a file; and what became of the flags of a baseline. The exit tells whether there are
/// flags that the user wanted to be told about by it.
pub(crate) fn print_report(
    report: &Report,
    investigation: Option<&Investigation>,
    args: &ReportArgs,
    baseline: Option<&[Flag]>,
    detail: Detail,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let compared = baseline.map(|before| paper::Comparison::new(before, &report.flags));
    let format = if args.json { Format::Json } else { args.format };
    let bytes = match format {
        Format::Text => paper::text(report, &args.layout(detail, session)).into_bytes(),
        Format::Md => paper::markdown(report, compared.as_ref()).into_bytes(),
        Format::Html => {
            // Without what came of the plan the page says everything else.
            let evaluation = investigation.and_then(|found| found.evaluation::<Evaluation>().ok().flatten());
            paper::html(report, evaluation.as_ref(), compared.as_ref()).into_bytes()
        }
        Format::Json => json(report, compared.as_ref())?,
        Format::Sarif => {
            let mut bytes = Vec::new();
            paper::write_sarif(&mut bytes, report, compared.as_ref())
                .map_err(|error| Failure::caused_by("cannot put the report in words", &error))?;
            bytes
        }
    };
    args.deliver(&bytes, session)?;
    if let Some(compared) = &compared {
        session.printer.note(compared.text(&report.flags).trim_end());
    }
    let is_flagged = match (args.fail_on, &compared) {
        (Some(FailOn::New(severity)), Some(compared)) => compared.has_new(&report.flags, severity),
        (Some(FailOn::Any(_) | FailOn::New(_)) | None, _) => args.is_flagged(report.worst()),
    };
    Ok(if is_flagged { Exit::Flagged } else { Exit::Done })
}

/// The same, if the head of the report is all that it takes, which is there in no time however large the report is;
/// `None` if somebody wants to see more than that.
pub(crate) fn print_head(
    investigation: &Investigation,
    args: &ReportArgs,
    session: &mut Session<'_>,
) -> Result<Option<Exit>, Stop> {
    if args.json || args.format != Format::Text || args.baseline.is_some() {
        return Ok(None);
    }
    // A head that is missing or broken is no trouble: the report itself has it all.
    let Some(head) = investigation.report_head::<paper::Head>().ok().flatten() else { return Ok(None) };
    let Some(text) = head.text(&args.layout(Detail::Usual, session)) else { return Ok(None) };
    args.deliver(text.as_bytes(), session)?;
    Ok(Some(if args.is_flagged(head.worst()) { Exit::Flagged } else { Exit::Done }))
}

/// A report for programs.
pub(crate) fn json(report: &Report, compared: Option<&paper::Comparison>) -> Result<Vec<u8>, Failure> {
    paper::json(report, compared)
        .map_err(|error| Failure::caused_by("cannot put the report in words", &error))
}

/// Writes a file that somebody asked for.
pub(crate) fn write_file(path: &Path, bytes: &[u8], session: &Session<'_>) -> Result<(), Failure> {
    let path = session.absolute(path);
    files::replace(&path, bytes)
        .map_err(|error| Failure::caused_by(format!("cannot write `{}`", for_terminal(&path)), &error))
}

pub(crate) fn write(path: &Path, bytes: &[u8], session: &mut Session<'_>) -> Result<(), Stop> {
    let path = session.absolute(path);
    files::replace(&path, bytes).map_err(|error| {
        Failure::caused_by(format!("cannot write the report to `{}`", for_terminal(&path)), &error)
    })?;
    session.printer.note(format_args!("the report is in `{}`", for_terminal(&path)));
    Ok(())
}
