//! `luminosctl config show`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::{Layer, Origin, Resolved, Standing};
use luminos_core::{Exit, Untrusted};
use serde::Serialize;

use crate::printer::{Paint, Printer, Stop};
use crate::session::{Role, Session, for_terminal};

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
    /// A luminos.toml inside it is then not read. Which one is obeyed, and what of it is not, is said on standard error.
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
    tell_of_project(args, &mut session);
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

/// Which `luminos.toml` is obeyed, and by whom: what is not is warned of wherever the configuration is read.
fn tell_of_project(args: &ShowArgs, session: &mut Session<'_>) {
    let sources = match &args.target {
        Some(target) => session.sources_for(target),
        None => session.sources(),
    };
    let read = sources.iter().find(|it| it.role == Role::Project && it.standing == Standing::Read);
    let Some(path) = read.map(|source| for_terminal(&source.path)) else { return };
    match &args.target {
        Some(_) => session.printer.note(format_args!("`{path}` is obeyed")),
        None => session.printer.note(format_args!(
            "`{path}` is obeyed, but not by a command that looks at a directory it lies in, such as `luminosctl run .` \
             (`--target DIR` shows what holds there)"
        )),
    }
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
