//! The tool that runs a read-only program. What runs it, and how it is confined, is somebody else's work.

use luminos_core::proof::ToolCallId;
use luminos_core::{RelPath, SECRET_DIRS, SECRET_NAMES};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::session::{Done, Reply, Secrets, Session};
use crate::toolbox::{Scope, Tool};

/// What runs programs for a session, in the target's directory and under confinement.
pub trait Commands: Send + Sync {
    /// Runs one program. An error says, to a model, why it was not run and what would be right.
    fn run(&self, argv: &[String]) -> Result<CommandOutput, String>;
}

impl<F: Fn(&[String]) -> Result<CommandOutput, String> + Send + Sync> Commands for F {
    fn run(&self, argv: &[String]) -> Result<CommandOutput, String> {
        self(argv)
    }
}

/// What a program said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandOutput {
    /// How it ended, as a short phrase such as `exit code 1` or `stopped after 15 s`; empty if it ended well.
    pub ending: String,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it complained about.
    pub stderr: Vec<u8>,
    /// Whether it would have said more than was kept.
    pub is_cut: bool,
}

/// The tool.
pub(crate) struct RunCommand;

/// What to run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    /// The program and its arguments, one item each, such as ["wc", "-l", "src/main.rs"]. Paths are relative to the
    /// target. There is no shell: no pipes, no redirection, no wildcards.
    #[schemars(length(min = 1, max = 200))]
    argv: Vec<String>,
    /// Skip so many bytes of the output, to read on where an earlier result was cut.
    #[serde(default)]
    offset: Option<usize>,
}

impl Tool for RunCommand {
    type Arguments = Program;
    const NAME: &'static str = "run_command";
    const ABOUT: &'static str = "Run one read-only program in the target: wc, file, grep, head, tail, stat, du, find, \
        sort or uniq. No shell, no writing, no network; it is stopped after 15 seconds. Prefer the other tools where \
        they can do it: what they show can be cited as evidence, the output of programs cannot.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(session: &mut Session, arguments: Program, _: &ToolCallId) -> Reply {
        let commands = session.commands.clone().ok_or("Programs cannot be run on this machine.")?;
        let output = commands.run(&without_secrets(session, arguments.argv)?)?;
        let offset = arguments.offset.unwrap_or(0);
        let mut text = if output.ending.is_empty() { "Done" } else { &output.ending }.to_owned();
        if output.stdout.is_empty() && output.stderr.is_empty() {
            text.push_str("; nothing was printed");
        }
        text.push_str(".\n");
        let room = session.limits.result_bytes.saturating_sub(1024);
        let said: [(&str, &[u8]); 2] = [("stdout", &output.stdout), ("stderr", &output.stderr)];
        for (name, bytes) in said {
            if !bytes.is_empty() {
                let rest = bytes.get(offset.min(bytes.len())..).unwrap_or_default();
                let (shown, block) = session.fitted(rest, name, room / 2);
                text.push_str(&block);
                text.push('\n');
                if shown < rest.len() {
                    let next = offset + shown;
                    text.push_str(&format!(
                        "Cut here: {} of {} bytes shown. To read on, call again with \"offset\": {next}.\n",
                        shown,
                        bytes.len()
                    ));
                }
            }
        }
        if output.is_cut {
            text.push_str("The program printed more than is kept; ask it for less.\n");
        }
        Ok(Done::text(text))
    }
}

/// The command without the contents of files that keep secrets: as operands they are refused, and a search through
/// directories passes them by.
fn without_secrets(session: &Session, mut argv: Vec<String>) -> Result<Vec<String>, String> {
    let program = argv.first().map(String::as_str).unwrap_or_default();
    let shows_contents = matches!(program, "grep" | "head" | "tail" | "sort" | "uniq");
    if session.secrets == Secrets::Shown || !shows_contents {
        return Ok(argv);
    }
    let is_grep = program == "grep";
    let gives_pattern = |word: &String| {
        word.starts_with("--regexp") || word.starts_with('-') && !word.starts_with("--") && word.contains('e')
    };
    let has_pattern = argv.iter().any(gives_pattern);
    let operands = argv.iter().skip(1).filter(|word| !word.starts_with('-') || word.contains('/'));
    for word in operands.skip(usize::from(is_grep && !has_pattern)) {
        session.may_show_at(&RelPath::from(word.as_str()))?;
    }
    if is_grep {
        // Of options that contradict each other the last one counts.
        let end = argv.iter().position(|word| word == "--").unwrap_or(argv.len());
        let names = SECRET_NAMES.iter().map(|name| format!("--exclude={name}"));
        let dirs = SECRET_DIRS.iter().map(|name| format!("--exclude-dir={name}"));
        argv.splice(end..end, names.chain(dirs));
    }
    Ok(argv)
}
