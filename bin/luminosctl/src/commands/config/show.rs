//! `luminosctl config show`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::{Layer, Origin, Resolved};
use luminos_core::{Exit, Untrusted};
use serde::Serialize;

use crate::printer::{Paint, Printer, Stop};
use crate::session::Session;

/// Print every setting as it holds here and now
///
/// What is printed is a valid configuration file.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ShowArgs {
    /// Print beside each value the place that decided it
    #[arg(long)]
    origin: bool,

    /// Print a JSON array of objects with key, value and origin
    #[arg(long)]
    json: bool,

    /// Show what holds for a command that looks at this directory
    ///
    /// A luminos.toml inside it is then not read.
    #[arg(long, value_name = "DIR")]
    target: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl config show
  luminosctl config show --origin --target .
  luminosctl config show --json | jq '.[] | select(.origin.kind != \"default\")'

Exit codes:
  0  done
  1  a configuration file could not be read
  2  the command line or the configuration makes no sense";

/// Prints the settings.
pub(crate) fn run(args: &ShowArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = match &args.target {
        Some(target) => session.resolve_for(target, Layer::default())?,
        None => session.resolve(Layer::default())?,
    };
    if args.json {
        let settings: Vec<SettingJson<'_, _>> = resolved
            .settings()
            .map(|shown| SettingJson {
                key: shown.key,
                value: shown.value,
                origin: OriginJson::new(shown.origin, &session),
            })
            .collect();
        session.printer.print_json(&settings)?;
    } else {
        print_toml(&resolved, args.origin, session.printer)?;
    }
    Ok(Exit::Done)
}

fn print_toml(resolved: &Resolved, with_origin: bool, printer: &mut Printer) -> Result<(), Stop> {
    let lines: Vec<(&str, String, String)> = resolved
        .settings()
        .map(|shown| {
            let (section, name) = shown.key.split_once('.').unwrap_or(("", shown.key));
            let value = shown.value.to_string();
            let value = Untrusted::new(value.as_bytes()).for_terminal();
            (section, format!("{name} = {value}"), shown.origin.to_string())
        })
        .collect();
    let width = lines.iter().map(|(_, line, _)| line.chars().count()).max().unwrap_or_default();
    let mut current_section = "";
    for (section, line, origin) in lines {
        if section != current_section {
            printer.print(format_args!("\n[{section}]\n"))?;
            current_section = section;
        }
        if with_origin {
            let comment = format!("# {origin}");
            let comment = printer.painted(Paint::Faint, &comment).into_owned();
            printer.print(format_args!("{line:width$}  {comment}\n"))?;
        } else {
            printer.print(format_args!("{line}\n"))?;
        }
    }
    Ok(())
}

/// A setting, for programs. Its fields are an interface.
#[derive(Debug, Serialize)]
struct SettingJson<'a, Value> {
    key: &'static str,
    value: Value,
    origin: OriginJson<'a>,
}

/// Where a value comes from, for programs.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum OriginJson<'a> {
    Default,
    File { path: String, line: usize },
    Variable { name: &'a str },
    Flag { name: &'static str },
}

impl<'a> OriginJson<'a> {
    fn new(origin: &'a Origin, session: &Session<'_>) -> Self {
        match origin {
            Origin::Default => Self::Default,
            Origin::File { path, line } => {
                Self::File { path: session.absolute(path).to_string_lossy().into_owned(), line: *line }
            }
            Origin::Variable(name) => Self::Variable { name },
            Origin::Flag(name) => Self::Flag { name },
        }
    }
}
