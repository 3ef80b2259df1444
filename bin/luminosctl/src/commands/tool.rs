//! `luminosctl tool`

use std::path::PathBuf;

use clap::Args;
use luminos_core::talk::ToolSpec;
use luminos_core::{Exit, Failure, RelPath};
use luminos_engine::{Secrets, call_by_hand, dir_tools, redact};
use luminos_wire::worker::Handed;
use serde_json::Value;

use super::target::real_target;
use crate::printer::Stop;
use crate::session::Session;

/// Call a tool by hand as a model would, to see what a model gets to see
///
/// The tool works in a process that is locked in exactly as those are in which models look into directories: it can
/// read the target and nothing else, write nothing, and reach no network. What is printed is what a model would read.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ToolArgs {
    /// The tool; --list tells which there are
    #[arg(required_unless_present = "list")]
    name: Option<String>,

    /// What it is given: a JSON object
    #[arg(default_value = "{}")]
    arguments: String,

    /// The directory that the tool may see
    #[arg(long, value_name = "DIR", default_value = ".")]
    target: PathBuf,

    /// Call it from this directory of the target: relative paths start there
    #[arg(long, value_name = "PATH", default_value = "")]
    dir: String,

    /// Show files that keep secrets by their names, such as `.env`, private keys and key stores
    #[arg(long)]
    include_secrets: bool,

    /// List the tools that models have while they look into a directory
    #[arg(long, conflicts_with_all = ["name", "target", "dir"])]
    list: bool,

    /// With --list, print a JSON array with the schema of each tool's arguments
    #[arg(long, requires = "list")]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl tool --list
  luminosctl tool list_directory --target ~/src/x
  luminosctl tool read_file --target ~/src/x '{\"path\": \"README.md\"}'
  luminosctl tool run_command '{\"argv\": [\"wc\", \"-l\", \"Cargo.toml\"]}'

Exit codes:
  0  the tool answered
  1  the tool failed, or the process could not be locked in
  2  the command line makes no sense";

/// Calls a tool, or lists all.
pub(crate) fn run(args: &ToolArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let tools = dir_tools();
    let Some(name) = &args.name else { return list(&tools, args.json, session) };
    if !tools.iter().any(|tool| tool.name == *name) {
        let name = luminos_core::Untrusted::new(name.as_bytes()).for_terminal();
        return Err(Failure::usage(
            format!("there is no tool `{name}`"),
            "`luminosctl tool --list` tells which there are",
        )
        .into());
    }
    let target = real_target(&session, &args.target)?;
    let dir = RelPath::from_word(args.dir.trim_start_matches("./").trim_end_matches('/'));
    let dir = dir.ok_or_else(|| {
        Failure::usage("--dir makes no sense", "name a directory relative to the target, such as `src/lib`")
    })?;
    let program = std::env::current_exe().map_err(|error| Failure::new(&error, None))?;
    let secrets = if args.include_secrets { Secrets::Shown } else { Secrets::Withheld };
    let home = session.resolve_for(&args.target, Default::default())?.config.home;
    let handed = call_by_hand(&program, &target, &home, &dir, name, &args.arguments, secrets);
    match handed.map_err(|error| Failure::caused_by("the tool could not be called", &error))? {
        Handed::Result { text, failed, confinement } => {
            // What is sent to a model goes through the same check once more.
            let text = redact(&text).text;
            session.printer.print(&text)?;
            if !text.ends_with('\n') {
                session.printer.print('\n')?;
            }
            if name == "run_command" && !confinement.commands {
                for lack in &confinement.lacks {
                    session.printer.warn(lack);
                }
            }
            Ok(if failed { Exit::Failed } else { Exit::Done })
        }
        Handed::Unable { reason } => Err(Failure {
            message: "the tool could not be called".to_owned(),
            causes: vec![reason],
            hint: Some("`luminosctl doctor` says how well this machine can lock processes in".to_owned()),
            exit: Exit::Failed,
        }
        .into()),
    }
}

fn list(tools: &[ToolSpec], is_json: bool, session: Session<'_>) -> Result<Exit, Stop> {
    if is_json {
        session.printer.print_json(&tools)?;
        return Ok(Exit::Done);
    }
    for tool in tools {
        session.printer.print(format_args!("{}\n", tool.name))?;
        let width = session.printer.width().unwrap_or(100).saturating_sub(4).max(20);
        for line in wrapped(&tool.description, width) {
            session.printer.print(format_args!("    {line}\n"))?;
        }
        let fields = tool.schema.get("properties").and_then(Value::as_object);
        let required = tool.schema.get("required").and_then(Value::as_array);
        let is_required = |field: &str| required.is_some_and(|all| all.iter().any(|one| one == field));
        let fields: Vec<String> = fields
            .into_iter()
            .flat_map(|fields| fields.keys())
            .map(|field| if is_required(field) { field.clone() } else { format!("[{field}]") })
            .collect();
        session.printer.print(format_args!("    takes: {}\n", fields.join(" ")))?;
    }
    Ok(Exit::Done)
}

/// Text in lines of at most so many characters, unless a word is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}
