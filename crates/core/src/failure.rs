//! How a command ends: exit codes, and failures in words.

use std::error::Error;
use std::fmt;

/// How a command ended. The numbers are an interface: scripts rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// Nothing useful came out.
    Failed = 1,
    /// The command line or the configuration makes no sense.
    Usage = 2,
    /// Done, but a limit was reached or a model kept failing.
    Partial = 3,
    /// Done, and there are flags at or above the severity that was asked about.
    Flagged = 4,
    /// Interrupted; the work is kept and the next run resumes.
    Interrupted = 130,
}

/// A failure as a user sees it: what went wrong, why, and a way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// Why, outermost cause first.
    pub causes: Vec<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// The exit code it leads to.
    pub exit: Exit,
}

impl Failure {
    /// Words for an error and its causes.
    pub fn new(error: &dyn Error, hint: Option<&str>) -> Self {
        let mut causes = Vec::new();
        let mut source = error.source();
        while let Some(cause) = source {
            causes.push(cause.to_string());
            source = cause.source();
        }
        Self { message: error.to_string(), causes, hint: hint.map(str::to_owned), exit: Exit::Failed }
    }

    /// Words for what went wrong, with an error and its causes as the reason.
    pub fn caused_by(message: impl Into<String>, error: &dyn Error) -> Self {
        let mut failure = Self::new(error, None);
        failure.causes.insert(0, std::mem::replace(&mut failure.message, message.into()));
        failure
    }

    /// A command line or configuration that makes no sense.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), causes: Vec::new(), hint: Some(hint.into()), exit: Exit::Usage }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        for cause in &self.causes {
            write!(f, "\n  because: {cause}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n\nhint: {hint}")?;
        }
        Ok(())
    }
}
