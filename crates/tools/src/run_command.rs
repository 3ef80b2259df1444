//! The tool that runs a read-only program. What runs it, and how it is confined, is somebody else's work.

use luminos_core::proof::ToolCallId;
use luminos_core::secrets::SecretPieces;
use luminos_core::{RelPath, SECRET_DIRS, SECRET_NAMES};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::blobs::add_pieces;
use crate::command::read_by;
use crate::root::{Opened, Root};
use crate::session::{Done, Reply, Secrets, Session};
use crate::toolbox::{Scope, Tool};

/// So many files and bytes of a target are gone through for the secrets in the output of one command.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 256 << 20;
/// So many other names of secret files are left out of a search by name.
const MOST_ALIASES: usize = 100;

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
        let argv = without_secrets(session, arguments.argv)?;
        let mut output = commands.run(&argv)?;
        mask(session, &argv, &mut output);
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
    if session.secrets == Secrets::Shown || !shows_contents(program) {
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
        let aliases = session.root().map(|root| root.other_names_of_secrets().to_vec()).unwrap_or_default();
        let aliases = aliases.into_iter().filter_map(|name| Some(format!("--exclude={}", as_glob(&name)?)));
        argv.splice(end..end, names.chain(dirs).chain(aliases.take(MOST_ALIASES)));
    }
    Ok(argv)
}

/// A pattern that fits this name. What cannot stand in an argument is taken out of the output.
fn as_glob(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    let mut glob = String::with_capacity(name.len());
    for letter in name.chars() {
        if matches!(letter, '*' | '?' | '[' | '\\') {
            glob.push('\\');
        }
        glob.push(letter);
    }
    Some(glob)
}

/// Whether a program prints what is in files.
fn shows_contents(program: &str) -> bool {
    matches!(program, "grep" | "head" | "tail" | "sort" | "uniq")
}

/// Takes the secrets of the files that a program has read out of what it printed: it may show any part of a line, in any
/// order, with anything before it.
fn mask(session: &Session, argv: &[String], output: &mut CommandOutput) {
    let mut pieces = SecretPieces::default();
    let Ok(root) = session.root() else { return };
    if argv.first().is_some_and(|program| shows_contents(program)) && !output.stdout.is_empty() {
        let mut room = Room { files: MOST_FILES, bytes: MOST_BYTES, is_wanted: false };
        for path in read_by(argv) {
            let path = RelPath::from(path);
            match root.file(&path) {
                Ok(opened) => add(session, &opened, &mut room, &mut pieces),
                Err(_) => add_below(session, root, path, &mut room, &mut pieces),
            }
        }
        if room.is_wanted {
            return;
        }
    }
    output.stdout = pieces.redact(&output.stdout);
    output.stderr = pieces.redact(&output.stderr);
}

/// How much of a target is gone through for one command. Where that is not enough whatever looks like a key is taken out.
struct Room {
    files: usize,
    bytes: u64,
    /// Whether a file was read of which whoever runs it wants the secrets to be shown.
    is_wanted: bool,
}

fn add(session: &Session, opened: &Opened, room: &mut Room, pieces: &mut SecretPieces) {
    room.is_wanted |= session.secrets == Secrets::Shown && session.keeps_secrets(opened);
    if room.files == 0 || room.bytes < opened.stamp.size {
        pieces.set_incomplete();
        return;
    }
    room.files -= 1;
    room.bytes -= opened.stamp.size;
    if add_pieces(opened, pieces).is_err() {
        pieces.set_incomplete();
    }
}

/// The files below a directory, as a program finds them: hidden ones, too, and no links.
fn add_below(session: &Session, root: &Root, top: RelPath, room: &mut Room, pieces: &mut SecretPieces) {
    let mut left = vec![top];
    while let Some(path) = left.pop() {
        let Ok(directory) = root.directory(&path) else { continue };
        let mut files = Vec::new();
        // What cannot be listed the program cannot have read.
        let _ = directory.each(|entry| {
            if entry.kind.is_dir() {
                left.push(directory.child(entry.name));
            } else if entry.kind.is_file() {
                files.push(entry.name.to_vec());
            }
        });
        for name in files {
            if let Ok(opened) = root.file_of(&directory, &name) {
                add(session, &opened, room, pieces);
            }
        }
    }
}
