//! The verdict on finished work. It fails closed: what is not known to be right is not approved.
//!
//! Checks of a continuous integration, the paths of the whole diff, the risk that follows from its size and its places, and
//! a model's review, which can only lower the verdict. No checks are no pass; a review that failed is none.

mod diff;
#[cfg(test)]
mod tests;

use luminos_models::Model;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{Asker, NoAnswer};
use super::glob::{PathList, any_matches, is_pattern};
use super::recovery::Recovery;
use super::task::{Risk, Task};
use super::word::words;
pub use diff::{BadDiff, Changed, Diff};

words! {
    /// What becomes of finished work.
    Verdict, "a verdict" {
        /// It can be merged.
        Approve = "approve",
        /// It must be changed first.
        RequestChanges = "request_changes",
        /// Somebody must look at it.
        NeedsHuman = "needs_human",
    }
}

/// What work may look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgePolicy {
    /// Nobody may change these.
    pub denied_paths: Vec<String>,
    /// Changes of more lines than this are too large.
    pub max_lines: u64,
    /// Changes of more files than this are too large.
    pub max_files: usize,
    /// Checks that must have run and passed; all that ran, if none is named.
    pub required_checks: Vec<String>,
    /// Work of a greater risk is approved by people only.
    pub max_risk: Risk,
}

impl Default for JudgePolicy {
    fn default() -> Self {
        let denied = [".env", ".env.*", "**/.env", "**/*.pem", "**/*.key", "**/secrets/**", ".git/**"];
        Self {
            denied_paths: denied.map(str::to_owned).to_vec(),
            max_lines: 500,
            max_files: 20,
            required_checks: Vec::new(),
            max_risk: Risk::Medium,
        }
    }
}

/// A check that ran.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// `success`, `failure`, `pending`, `skipped`, …
    pub status: String,
}

/// What checks say.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Checks {
    checks: Vec<Check>,
}

/// Reads the results of checks: `{"checks": [{"name": "test", "status": "success"}]}`, or just the list.
pub fn read_checks(json: &str) -> Result<Vec<Check>, String> {
    let list = serde_json::from_str::<Vec<Check>>(json);
    list.or_else(|_| serde_json::from_str::<Checks>(json).map(|checks| checks.checks))
        .map_err(|error| error.to_string())
}

/// What a model says about a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    /// Nobody was asked.
    NotAsked,
    /// It has looked at everything and objects to these; none, if it is content.
    Seen {
        /// Whether it lets the work pass.
        passes: bool,
        /// What it objects to.
        issues: Vec<String>,
    },
    /// It could not be asked, or has not seen everything.
    Failed(String),
}

/// A verdict with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The risk of the work: the task's, or a greater one that the diff shows.
    pub risk_level: Risk,
    /// Why it is not approved; empty if it is.
    pub reasons: Vec<String>,
    /// What to do about it.
    pub suggestions: Vec<String>,
    /// Paths outside of the task's own that passed, and why.
    pub recovered: Vec<(String, String)>,
}

/// Judges finished work.
pub fn judge(
    task: &Task,
    diff: Result<&Diff, &BadDiff>,
    checks: Option<&[Check]>,
    review: &Review,
    policy: &JudgePolicy,
    recovery: &Recovery,
) -> Judgement {
    let (mut changes, mut doubts, mut suggestions, mut recovered) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    judge_checks(checks, policy, &mut changes, &mut doubts);
    let mut risk = task.risk_level;
    match diff {
        Err(error) => doubts.push(format!("the change cannot be judged: {error}")),
        Ok(diff) if diff.files.is_empty() => changes.push("nothing was changed".to_owned()),
        Ok(diff) => {
            for file in &diff.files {
                match path_fault(task, &file.path, policy, recovery) {
                    Ok(None) => {}
                    Ok(Some(reason)) => recovered.push((file.path.clone(), reason.to_owned())),
                    Err(fault) => {
                        changes.push(fault);
                        suggestions.push(format!("take {} out, or allow it to the task", file.path));
                    }
                }
            }
            risk = risk.max(computed_risk(diff, policy));
            let lines = diff.lines();
            if policy.max_lines < lines || policy.max_files < diff.files.len() {
                doubts.push(format!(
                    "the change is too large to be judged by itself: {lines} lines in {} {} (at most {} in {})",
                    diff.files.len(),
                    if diff.files.len() == 1 { "file" } else { "files" },
                    policy.max_lines,
                    policy.max_files
                ));
            }
        }
    }
    if policy.max_risk < risk {
        doubts.push(format!("its risk is {risk}, and beyond {} people decide", policy.max_risk));
    }
    match review {
        Review::NotAsked => {}
        Review::Seen { passes: true, issues } if issues.is_empty() => {}
        Review::Seen { issues, .. } => {
            changes.push("the review objects".to_owned());
            changes.extend(issues.iter().take(10).cloned());
        }
        Review::Failed(why) => doubts.push(format!("there is no review: {why}")),
    }
    let verdict = match (changes.is_empty(), doubts.is_empty()) {
        (false, _) => Verdict::RequestChanges,
        (true, false) => Verdict::NeedsHuman,
        (true, true) => Verdict::Approve,
    };
    changes.extend(doubts);
    Judgement { verdict, risk_level: risk, reasons: changes, suggestions, recovered }
}

fn judge_checks(
    checks: Option<&[Check]>,
    policy: &JudgePolicy,
    changes: &mut Vec<String>,
    doubts: &mut Vec<String>,
) {
    let Some(checks) = checks.filter(|checks| !checks.is_empty()) else {
        doubts.push("no checks have run, which is not the same as checks that pass".to_owned());
        return;
    };
    let mut passed = 0;
    for check in checks {
        match check.status.to_lowercase().as_str() {
            "success" | "passed" | "pass" | "ok" => passed += 1,
            "skipped" | "neutral" => {}
            "failure" | "failed" | "fail" | "timed_out" | "cancelled" | "error" | "action_required" => {
                changes.push(format!("the check `{}` failed ({})", check.name, check.status));
            }
            status => doubts.push(format!("the check `{}` is `{status}`, not passed", check.name)),
        }
    }
    if passed == 0 {
        doubts.push("no check has passed".to_owned());
    }
    let has_passed = |name: &String| {
        checks.iter().any(|check| {
            check.name == *name
                && matches!(check.status.to_lowercase().as_str(), "success" | "passed" | "pass" | "ok")
        })
    };
    for name in policy.required_checks.iter().filter(|name| !has_passed(name)) {
        doubts.push(format!("the required check `{name}` has not passed"));
    }
}

/// Whether a task may change a path: `None` by its own right, or the reason why it may after all.
fn path_fault(
    task: &Task,
    path: &str,
    policy: &JudgePolicy,
    recovery: &Recovery,
) -> Result<Option<&'static str>, String> {
    if any_matches(&policy.denied_paths, path) {
        return Err(format!("{path} must not be changed by anybody"));
    }
    if super::glob::plain(path).is_err() || is_pattern(path) && !any_matches(&task.allowed_paths, path) {
        return Err(format!("{path} is no path of the repository"));
    }
    let allowed = PathList::read(&task.allowed_paths);
    if allowed.denied().any(|glob| glob.matches(path)) {
        return Err(format!("{path} lies in what the requirement takes out of the allowed paths"));
    }
    if allowed.matches(path) || any_matches(&task.implied_paths, path) {
        return Ok(None);
    }
    recovery
        .allows(task, path)
        .map(Some)
        .ok_or_else(|| format!("{path} lies outside of what the task may change"))
}

/// Places where a mistake costs more.
const SENSITIVE: &[&str] = &[
    "**/auth/**",
    "**/security/**",
    "**/migrations/**",
    "**/schema.*",
    ".github/workflows/**",
    ".gitlab-ci.yml",
    "**/Dockerfile",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pyproject.toml",
    "Gemfile",
    "composer.json",
    "pom.xml",
    "**/*.lock",
    "**/*.tf",
];

/// The risk that a diff shows: by how much of the limits it uses, one step more in sensitive places.
pub fn computed_risk(diff: &Diff, policy: &JudgePolicy) -> Risk {
    let lines = diff.lines();
    let files = diff.files.len();
    let is_beyond = |share: u64| {
        policy.max_lines * share < lines * 100 || policy.max_files as u64 * share < files as u64 * 100
    };
    let by_size = if is_beyond(50) {
        Risk::High
    } else if is_beyond(25) {
        Risk::Medium
    } else {
        Risk::Low
    };
    let sensitive: Vec<String> = SENSITIVE.iter().map(|glob| (*glob).to_owned()).collect();
    if !diff.files.iter().any(|file| any_matches(&sensitive, &file.path)) {
        return by_size;
    }
    match by_size {
        Risk::Low => Risk::Medium,
        Risk::Medium | Risk::High => Risk::High,
    }
}

/// The largest diff that a model is asked about; of a larger one it would see a part, which is no review.
const MOST_BYTES: usize = 120_000;

/// Asks a model about the whole diff.
pub async fn review<M: Model>(asker: &mut Asker<'_, M>, task: &Task, text: &str, diff: &Diff) -> Review {
    if MOST_BYTES < text.len() {
        return Review::Failed(format!(
            "the change has {} bytes, more than can be reviewed as a whole",
            text.len()
        ));
    }
    match ask_for_review(asker, task, text).await {
        Ok(document) => read_review(&document, diff),
        Err(NoAnswer(why)) => Review::Failed(why),
    }
}

async fn ask_for_review<M: Model>(
    asker: &mut Asker<'_, M>,
    task: &Task,
    text: &str,
) -> Result<Value, NoAnswer> {
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["pass", "issues"], "properties": {
        "pass": { "type": "boolean" },
        "issues": { "type": "array", "items": { "type": "object", "additionalProperties": false,
            "required": ["severity", "file", "message"], "properties": {
                "severity": { "enum": ["error", "warning", "info"] }, "file": { "type": "string" }, "message": { "type": "string" } } } } } });
    let about = format!(
        "{}\n{}\n{}\nMay change: {}",
        task.title,
        task.goal,
        task.context.specs,
        task.allowed_paths.join(", ")
    );
    let question = format!(
        "{}{}\nDoes this change do what the task asks, completely and without breaking anything? `pass` only if you would merge it. \
         An error is something that is wrong; say where and why.",
        asker.data("task", &about),
        asker.data("diff", text),
    );
    asker.document("review", schema, question, Ok, || Value::Null).await
}

/// Both words count: a pass with an error is none, nor is a refusal without one.
fn read_review(document: &Value, diff: &Diff) -> Review {
    let items = document.get("issues").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text =
        |item: &Value, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_here = |item: &&Value| diff.files.iter().any(|file| file.path == text(item, "file"));
    let errors = items.iter().filter(|item| text(item, "severity") == "error").filter(is_here);
    let issues: Vec<String> =
        errors.map(|item| format!("{}: {}", text(item, "file"), text(item, "message"))).collect();
    let passes = document.get("pass").and_then(Value::as_bool).unwrap_or(false) && issues.is_empty();
    Review::Seen { passes, issues }
}
