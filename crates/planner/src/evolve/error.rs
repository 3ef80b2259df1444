//! Why there is no plan, no measurement or no score.

use std::path::PathBuf;
use std::time::Duration;

use luminos_core::Untrusted;

use super::metric::BadMetric;
use super::prompt::TooLarge;
use super::request::BadWish;

/// Why the evolution planner could not do what was asked. All but the last few are found before a model is asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no repository.
    #[error("`{path}` is not in a git repository", path = shown(.path))]
    NoRepository {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// There is one, but it cannot be opened.
    #[error("cannot open the git repository of `{path}`: {why}", path = shown(.path))]
    Unreadable {
        /// Where it was looked for.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// It holds no commit.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// A revision names no commit.
    #[error("`{revision}` names no commit in this repository: {why}")]
    BadRevision {
        /// As it was given.
        revision: String,
        /// What is wrong.
        why: String,
    },
    /// The history that is needed is not there.
    #[error("this is a shallow clone: its history ends before base and `{revision}` meet")]
    Shallow {
        /// The inspiration.
        revision: String,
    },
    /// An object is missing or broken.
    #[error("cannot read {what} from the repository: {why}")]
    Object {
        /// Which one.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// Somebody asks for something that cannot be planned for.
    #[error(transparent)]
    Wish(#[from] BadWish),
    /// Too many inspirations.
    #[error("there are {count} inspirations; at most {most} are taken")]
    ManyInspirations {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}`: {why}", path = shown(.path))]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Metrics make no sense.
    #[error("cannot use the metrics of {place}")]
    Metrics {
        /// Where they come from.
        place: String,
        /// What is wrong.
        source: BadMetric,
    },
    /// A plan makes no sense.
    #[error("`{path}` is no plan of the evolution planner: {why}", path = shown(.path))]
    NotAPlan {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The goal alone is too long for the model.
    #[error(transparent)]
    Prompt(#[from] TooLarge),
    /// The state directory cannot be used.
    #[error(transparent)]
    Store(#[from] luminos_store::Error),
    /// The commit cannot be checked out.
    #[error("cannot make a clean checkout: {0}")]
    Checkout(String),
    /// The evaluator cannot be started.
    #[error("cannot start `{program}`: {why}")]
    NotStarted {
        /// The program.
        program: String,
        /// What is wrong.
        why: String,
    },
    /// The evaluator took too long.
    #[error("the evaluator did not end within {0:?}")]
    TimeOut(Duration),
    /// The evaluator failed.
    #[error("the evaluator failed ({status}){said}")]
    EvaluatorFailed {
        /// How it ended.
        status: String,
        /// What it complained about, with a colon before it.
        said: String,
    },
    /// What the evaluator printed is no result.
    #[error("the result of the evaluator cannot be used: {0}")]
    NoResult(String),
    /// The note cannot be written.
    #[error("cannot write the note: {0}")]
    Note(String),
    /// The model failed, or gave no plan.
    #[error("there is no plan: {0}")]
    Model(String),
    /// Somebody changed files while a plan was made.
    #[error("files changed while the plan was made: {}", .0.join(", "))]
    WorktreeChanged(Vec<String>),
}

impl Error {
    /// A way out.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoRepository { .. } => "name a directory inside a repository with `--repo`",
            Self::Unreadable { .. } => "`git status` there tells what git thinks of it",
            Self::NoCommits => "commit something first",
            Self::BadRevision { .. } => {
                "`git log --oneline` lists commits, `git branch --all` branches; one of a remote is written `origin/NAME`"
            }
            Self::Shallow { .. } => "`git fetch --unshallow` fetches the rest; or leave this inspiration out",
            Self::Object { .. } => "`git fsck` tells what is missing; `git fetch` may bring it",
            Self::Wish(BadWish::NoGoal) => "say what should be better afterwards with `--goal`",
            Self::Wish(_) => "say it in fewer words",
            Self::ManyInspirations { .. } => "leave some out",
            Self::File { .. } => return None,
            Self::Metrics { .. } => "`luminosctl evolve plan --help` shows how metrics are written",
            Self::NotAPlan { .. } => "`luminosctl evolve plan -o plan.json` writes one",
            Self::Prompt(_) => "use a model with a larger window, or fewer constraints",
            Self::Store(error) => return error.hint(),
            Self::Checkout(_) => "is there room where TMPDIR points to?",
            Self::NotStarted { .. } => "name a program in the PATH, or a file of the repository as `./NAME`",
            Self::TimeOut(_) => "allow more with `--timeout`",
            Self::EvaluatorFailed { .. } => "the whole of what it printed is shown with `--verbose`",
            Self::NoResult(_) => {
                "it must print one JSON object such as {\"summary\": \"ok\", \"metrics\": [{\"name\": \"x\", \"value\": 1}]}"
            }
            Self::Note(_) => "somebody else may have changed it at the same time: try again",
            Self::Model(_) => {
                "`--mode lenient` makes a plan of whatever the model says, `--offline` asks no model"
            }
            Self::WorktreeChanged(_) => {
                "if you changed them yourself, plan again; otherwise look at what the model's program did with `git diff`"
            }
        })
    }
}

pub(crate) fn shown(path: &std::path::Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}
