//! Measures a commit with somebody's own command.
//!
//! The command runs in a clean checkout that nothing else sees, in a process group of its own, without the keys of model
//! services. Its output is read while it runs, so that it never waits for us; of endless output the end is kept. When time is
//! up, the group is asked to end and then ended. Whatever happens, group and checkout are gone afterwards.
//!
//! Not here: what is done with the result.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use luminos_models::{documents, redact};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};

use super::chain::CommitId;
use super::clip::clip_line;
use super::error::Error;
use super::git::{Repo, inert};
use super::metric::{Measured, Summary, read_result};

#[cfg(test)]
mod tests;

/// How much of what a command prints is kept.
const KEPT_BYTES: usize = 16 << 20;
/// How long a group may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(5);
const SAID: usize = 300;
const SHOWN_LINES: usize = 5;

/// How a commit is measured.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// How long it may take.
    pub time_limit: Duration,
    /// All variables it gets.
    pub variables: BTreeMap<String, OsString>,
    /// Where the checkout is made.
    pub scratch: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// What was measured.
    pub measured: Measured,
    /// How long the command took.
    pub seconds: f64,
    /// Submodules that are not in the checkout.
    pub left_out: usize,
    /// What it printed.
    pub printed: Printed,
}

/// What a command printed: the end of it, if it was too much.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Printed {
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub complaints: String,
}

/// Why nothing was measured, and what was printed nevertheless.
#[derive(Debug)]
pub struct NotEvaluated {
    /// Why.
    pub error: Error,
    /// What the command printed.
    pub printed: Printed,
}

impl NotEvaluated {
    /// Whether the commit is to blame, as far as one can tell.
    pub fn is_about_the_commit(&self) -> bool {
        matches!(self.error, Error::TimeOut(_) | Error::EvaluatorFailed { .. } | Error::NoResult(_))
    }
}

impl From<Error> for NotEvaluated {
    fn from(error: Error) -> Self {
        Self { error, printed: Printed::default() }
    }
}

impl Evaluator {
    /// Measures a commit.
    pub async fn run(&self, repo: &Repo, commit: &CommitId) -> Result<Evaluated, NotEvaluated> {
        let checkout = tempfile::Builder::new()
            .prefix("luminos-evaluate-")
            .tempdir_in(&self.scratch)
            .map_err(|error| Error::Checkout(error.to_string()))?;
        let left_out = repo.check_out(commit, checkout.path())?;
        let started = Instant::now();
        let (status, printed) = self.run_in(checkout.path(), commit).await?;
        let seconds = started.elapsed().as_secs_f64();
        match read(status, &printed, self.time_limit) {
            Ok(measured) => Ok(Evaluated { measured, seconds, left_out, printed }),
            Err(error) => Err(NotEvaluated { error, printed }),
        }
    }

    /// Runs the command to its end, or to the end of its time.
    async fn run_in(&self, dir: &Path, commit: &CommitId) -> Result<(Option<ExitStatus>, Printed), Error> {
        let program = self.command.first().cloned().unwrap_or_default();
        let not_started = |why: String| Error::NotStarted { program: inert(program.as_encoded_bytes()), why };
        let mut child = Command::new(&program)
            .args(self.command.iter().skip(1))
            .env_clear()
            .envs(&self.variables)
            .env("LUMINOS_COMMIT", commit.as_str())
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| not_started(error.to_string()))?;
        let group = Group(child.id().and_then(|id| Pid::from_raw(id.cast_signed())));
        let (out, complaints) = (child.stdout.take(), child.stderr.take());
        let wait = async {
            let status = self.wait(&mut child, &group).await;
            // What it has left running must neither go on nor hold its output open.
            group.send(Signal::KILL);
            status
        };
        let (status, out, complaints) = tokio::join!(wait, read_tail(out), read_tail(complaints));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let status = status.map_err(|error| not_started(error.to_string()))?;
        Ok((status, Printed { out: text(out), complaints: text(complaints) }))
    }

    /// How the child ended; `None` if its time was up.
    async fn wait(&self, child: &mut Child, group: &Group) -> std::io::Result<Option<ExitStatus>> {
        if let Ok(status) = tokio::time::timeout(self.time_limit, child.wait()).await {
            return status.map(Some);
        }
        group.send(Signal::TERM);
        let _ = tokio::time::timeout(GRACE, child.wait()).await;
        Ok(None)
    }
}

/// A process group that ends with this value.
struct Group(Option<Pid>);

impl Group {
    fn send(&self, signal: Signal) {
        if let Some(leader) = self.0 {
            // It may have ended by itself, which is as good.
            let _ = kill_process_group(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.send(Signal::KILL);
    }
}

async fn read_tail(pipe: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut tail = Vec::new();
    let Some(mut pipe) = pipe else { return tail };
    // A pipe that breaks has ended.
    while let Ok(1..) = pipe.read_buf(&mut tail).await {
        if 2 * KEPT_BYTES < tail.len() {
            tail.drain(..tail.len() - KEPT_BYTES);
        }
    }
    tail
}

/// The result in what a command printed.
fn read(status: Option<ExitStatus>, printed: &Printed, time_limit: Duration) -> Result<Measured, Error> {
    let Some(status) = status else { return Err(Error::TimeOut(time_limit)) };
    if !status.success() {
        let complaint = last_words(&printed.complaints).or_else(|| last_words(&printed.out));
        let said = complaint.map_or(String::new(), |said| format!(": {said}"));
        return Err(Error::EvaluatorFailed { status: status.to_string(), said });
    }
    let mut problem = None;
    for document in documents(&printed.out) {
        let Value::Object(fields) = document else { continue };
        match read_result(&fields, Summary::Required) {
            Ok(measured) => return Ok(measured),
            Err(error) => problem = problem.or(Some(error.to_string())),
        }
    }
    let nothing = || match last_words(&printed.out) {
        Some(said) => format!("there is no JSON object in its output, which ends with: {said}"),
        None => "it printed nothing".to_owned(),
    };
    Err(Error::NoResult(problem.unwrap_or_else(nothing)))
}

/// The end of what was said, fit to be shown.
fn last_words(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let start = lines.len().saturating_sub(SHOWN_LINES);
    let said = lines.get(start..)?.join(" ");
    let said = inert(redact(&said).text.as_bytes());
    let surplus = said.chars().count().saturating_sub(SAID);
    let said: String = said.chars().skip(surplus).collect();
    (!said.is_empty()).then(|| clip_line(&said, SAID))
}
