//! `luminosctl config path`

use std::path::PathBuf;

use clap::Args;
use luminos_core::Exit;
use luminos_core::config::Standing;
use serde::Serialize;

use crate::printer::Stop;
use crate::session::{Role, Session, for_terminal};

/// Print where configuration files can lie, and which of them are read
///
/// The strongest comes first. This works also when a file is faulty.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct PathArgs {
    /// Print a JSON array of objects with role, path and standing
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
  luminosctl config path
  luminosctl config path --json | jq -r '.[] | select(.standing == \"read\") | .path'

Exit codes:
  0  done
  2  the command line makes no sense";

/// Prints the places.
pub(crate) fn run(args: &PathArgs, session: Session<'_>) -> Result<Exit, Stop> {
    let sources = match &args.target {
        Some(target) => session.sources_for(target),
        None => session.sources(),
    };
    if args.json {
        let places: Vec<PlaceJson> = sources
            .iter()
            .map(|source| PlaceJson {
                role: role_name(source.role),
                path: source.path.to_string_lossy().into_owned(),
                standing: standing_name(source.standing),
            })
            .collect();
        session.printer.print_json(&places)?;
        return Ok(Exit::Done);
    }
    let paths: Vec<String> = sources.iter().map(|source| for_terminal(&source.path)).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or_default();
    for (source, path) in sources.iter().zip(paths) {
        let role = role_name(source.role);
        let standing = standing_in_words(source.standing);
        session.printer.print(format_args!("{role:7}  {path:width$}  {standing}\n"))?;
    }
    Ok(Exit::Done)
}

/// A place, for programs. Its fields are an interface.
#[derive(Debug, Serialize)]
struct PlaceJson {
    role: &'static str,
    path: String,
    standing: &'static str,
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Named => "named",
        Role::Project => "project",
        Role::User => "user",
    }
}

fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Read => "read",
        Standing::Absent => "absent",
        Standing::Shadowed => "shadowed",
        Standing::InsideTarget => "inside-target",
    }
}

fn standing_in_words(standing: Standing) -> &'static str {
    match standing {
        Standing::Read => "read",
        Standing::Absent => "absent",
        Standing::Shadowed => "not read: a nearer one is",
        Standing::InsideTarget => "not read: it lies inside the target",
    }
}
