//! Where loops work: a process that has locked itself in on one target.
//!
//! [`Workplace::lock_in`] is the first thing a worker does, while it has one thread; there is no way back. What it
//! leaves is all that a loop needs: the target beneath one descriptor, the programs that may be run, the parser.
//!
//! Not here: how assignments come in and results go out (`luminos-engine`).

use std::ffi::OsString;
use std::io::Read as _;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luminos_core::RelPath;
use luminos_core::job::{Assignment, DirResult, Mind, News};
use luminos_core::proof::Symbols;
use luminos_core::scan::Category;
use luminos_core::talk::{ToolCall, ToolSpec};
use luminos_tools::command::{self, Commands};
use luminos_tools::sandbox::{
    self, CannotConfine, End, Limits as CommandLimits, ParserLimits, ParserRole, Support, WorkerConfinement,
    confine_worker,
};
use luminos_tools::{CannotOpen, CommandOutput, Offer, Outcome, Outlines, Root, Scope, Secrets};

use crate::session::{open_session, tools_in};
use crate::{refine_dir, run_dir};
use luminos_core::services::Services;

/// Symbols are counted in so many bytes of a directory's own source files.
const COUNTED: u64 = 4 << 20;

mod parser;

pub use parser::parse;

/// Why a worker cannot work.
#[derive(Debug, thiserror::Error)]
pub enum CannotWork {
    /// The target cannot be opened.
    #[error("the target cannot be opened")]
    Target(#[from] CannotOpen),
    /// It could not be locked in, and must not go on unconfined.
    #[error("the worker cannot be confined")]
    Confine(#[from] CannotConfine),
}

/// A process that has locked itself in on one target.
#[derive(Clone)]
pub struct Workplace {
    root: Arc<Root>,
    support: Arc<Support>,
    commands: Option<Arc<dyn luminos_tools::Commands>>,
    outlines: Arc<dyn Outlines>,
    /// The history of the target, for whoever tells of its top.
    ahead: luminos_analyst::Ahead,
    looks_ahead: bool,
}

/// How a worker starts the process that parses: its own program, with arguments that lead to [`parse`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParserStart {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Workplace {
    /// Locks this process in on a target, for good. What `own_state` names stays closed. `keep` stays open besides the standard three; without the process
    /// `parent` it does not even begin.
    pub fn lock_in(
        target: &Path,
        own_state: Option<&Path>,
        keep: &[BorrowedFd<'_>],
        parent: Option<u32>,
        parser: &ParserStart,
    ) -> Result<Self, CannotWork> {
        let root = Root::open(target)?;
        // The state directory may be named through links; where it is missing, there is nothing to keep closed.
        let own_state = own_state.and_then(|path| path.canonicalize().ok());
        let root = Arc::new(match own_state {
            Some(own_state) => root.without_own_state(target, &own_state),
            None => root,
        });
        let readable = [root.fd()];
        let mut executable = command::programs();
        executable.push(parser.program.clone());
        let confinement = WorkerConfinement { keep, parent, ..WorkerConfinement::to(&readable, &executable) };
        let support = confine_worker(&confinement)?;
        // A program reads whatever is in the target: where that includes our own results, there are no programs.
        let may_run = support.offers_commands() && !root.holds_own_state();
        let commands = Commands::new(&support, &readable).ok().filter(|_| may_run);
        let commands = commands.map(|commands| {
            Arc::new(InTarget { commands, root: Arc::clone(&root) }) as Arc<dyn luminos_tools::Commands>
        });
        let role = ParserRole { program: parser.program.clone(), arguments: parser.arguments.clone() };
        let outlines = parser::start(&support, role, ParserLimits::default());
        let (support, ahead) = (Arc::new(support), luminos_analyst::Ahead::default());
        Ok(Self { root, support, commands, outlines, ahead, looks_ahead: false })
    }

    /// The same as the one that is likely to be asked about the top of the target: it prepares for that.
    pub fn looking_ahead(self) -> Self {
        Self { looks_ahead: true, ..self }
    }

    /// How well it is locked in.
    pub fn support(&self) -> &Support {
        &self.support
    }

    /// Why programs cannot be offered, where they cannot.
    pub fn lacks(&self) -> Vec<String> {
        let mut words = self.support.words();
        if self.root.holds_own_state() {
            words.push("the state directory lies in the target (--home moves it)".to_owned());
        }
        words
    }

    /// Whether programs can be offered.
    pub fn offers_commands(&self) -> bool {
        self.commands.is_some()
    }

    /// Does an assignment to its end, and hands in what came of it.
    pub fn work(&self, assignment: &Assignment, services: &impl Services) -> DirResult {
        match assignment.mind {
            Mind::Remote => {
                let (root, outlines) = (Arc::clone(&self.root), Arc::clone(&self.outlines));
                self.count_symbols(assignment, services);
                // Whoever goes on where another one was, or looks again, finds its flags raised.
                if assignment.history.is_empty() && assignment.doubts.is_empty() {
                    luminos_analyst::look_over(assignment, &self.root, services);
                }
                let mut session = open_session(assignment, root, self.commands.clone(), outlines);
                if assignment.doubts.is_empty() {
                    run_dir(assignment, &mut session, services)
                } else {
                    refine_dir(assignment, &assignment.doubts, &mut session, services)
                }
            }
            Mind::Offline => {
                if self.looks_ahead && !assignment.job.dir.is_root() {
                    self.ahead.begin(&self.root);
                }
                luminos_analyst::run_dir_ahead(assignment, &self.root, services, &self.ahead)
            }
        }
    }

    /// Tells where the symbols of the directory's own files are, so that it can be said how many of them were shown.
    fn count_symbols(&self, assignment: &Assignment, services: &impl Services) {
        let mut room = COUNTED;
        let sources = assignment.files.iter().filter(|file| file.category == Category::Source);
        for file in sources.filter(|file| file.language.is_some() && file.kind.is_none()) {
            let path = file.path_in(&assignment.job.dir);
            if room < file.size || services.is_stopped() {
                continue;
            }
            room -= file.size;
            let Ok(opened) = self.root.file(&path) else { continue };
            let mut bytes = Vec::new();
            if opened.file.take(file.size).read_to_end(&mut bytes).is_err() {
                continue;
            }
            if let Ok(outline) = self.outlines.outline(&path, &bytes) {
                services.news(News::Symbols(Symbols { path, lines: outline.symbols }));
            }
        }
    }

    /// Calls one tool of those that loops over directories have. Gives what a model would read, and whether it failed.
    pub fn call(&self, dir: &RelPath, call: &ToolCall, nonce: &str, secrets: Secrets) -> (String, bool) {
        let (root, outlines) = (Arc::clone(&self.root), Arc::clone(&self.outlines));
        let mut session = tools_in(dir, nonce, root, self.commands.clone(), outlines).with_secrets(secrets);
        match session.call(call) {
            Outcome::Result { text, failed, .. } => (text, failed),
            Outcome::Submit { corrections, .. } => (
                format!("Taken. With this a loop over the directory would end.{}", corrections.words()),
                false,
            ),
        }
    }
}

/// The tools that loops over directories have, as a model gets to see them where programs can be run.
pub fn dir_tools() -> Vec<ToolSpec> {
    luminos_tools::specs(Scope::Dir, &Offer { run_command: true, skip: &[] })
}

/// What the machine offers for confinement, in words for people.
pub fn confinement_words() -> Vec<String> {
    sandbox::probe().words()
}

/// Programs that are run in the target's own directory.
struct InTarget {
    commands: Commands,
    root: Arc<Root>,
}

impl luminos_tools::Commands for InTarget {
    fn run(&self, argv: &[String]) -> Result<CommandOutput, String> {
        // A program opens what it is given: one that is given a pipe or a device waits, or never comes to an end.
        for path in command::check(argv).map_err(|refusal| refusal.to_string())?.opens {
            self.root.may_be_opened(&RelPath::from(path)).map_err(|refused| refused.to_string())?;
        }
        let limits = CommandLimits::default();
        let outcome =
            self.commands.run(argv, self.root.fd().as_fd(), &limits).map_err(|error| match error {
                command::Error::Refused(refusal) => refusal.to_string(),
                command::Error::CannotStart(error) => format!("The program could not be run: {error}."),
            })?;
        let ending = match outcome.end {
            End::Exited(0) => String::new(),
            End::Exited(code) => format!("exit code {code}"),
            End::Signalled(signal) => format!("killed by signal {signal}"),
            End::TimedOut => "stopped: it took too long".to_owned(),
            End::Flooded => "stopped: it printed too much".to_owned(),
        };
        Ok(CommandOutput {
            ending,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
            is_cut: outcome.truncated,
        })
    }
}
