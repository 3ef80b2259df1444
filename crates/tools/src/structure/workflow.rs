//! What a build server does: jobs and their steps.

use serde::{Deserialize, Serialize};

use super::outline::{Lines, Note};
use super::source::one_line;
use super::tree::Node;

/// Keys of .gitlab-ci.yml that are no jobs.
const GITLAB_WORDS: &[&str] = &[
    "stages",
    "variables",
    "default",
    "include",
    "workflow",
    "image",
    "services",
    "cache",
    "before_script",
    "after_script",
    "pages",
    "spec",
];

/// A pipeline of a build server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workflow {
    /// Whose pipeline it is.
    pub server: BuildServer,
    /// Its name.
    pub name: Option<Note>,
    /// What starts it.
    pub triggers: Vec<Note>,
    /// Its jobs.
    pub jobs: Vec<Job>,
}

/// A build server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the servers' own")]
pub enum BuildServer {
    GitHub,
    GitLab,
}

/// A job of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// Where it runs: a machine, an image, a stage.
    pub runs_on: Option<String>,
    /// What it does.
    pub steps: Vec<Step>,
    /// Where it stands.
    pub lines: Lines,
}

/// A step of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// The command, or the action it uses.
    pub does: String,
    /// Where it stands.
    pub lines: Lines,
}

/// Reads a workflow of GitHub.
pub(super) fn github(root: &Node) -> Workflow {
    let name =
        root.get("name").and_then(|node| Some(Note { text: node.line_of_text()?, line: node.lines.first }));
    let on = root.get("on");
    let mut triggers: Vec<Note> = Vec::new();
    for node in on.map(Node::items).unwrap_or_default() {
        triggers.extend(node.line_of_text().map(|text| Note { text, line: node.lines.first }));
        triggers
            .extend(node.entries().map(|(key, node)| Note { text: key.to_owned(), line: node.lines.first }));
    }
    let jobs = root.get("jobs").into_iter().flat_map(Node::entries).map(|(key, job)| {
        let steps = job.get("steps").map(Node::items).unwrap_or_default();
        let reused = job.get("uses").and_then(Node::line_of_text);
        let reused = reused.map(|does| Step { name: None, does, lines: job.lines });
        let runs_on = job.get("runs-on");
        Job {
            name: job.get("name").and_then(Node::line_of_text).unwrap_or_else(|| key.to_owned()),
            runs_on: runs_on
                .and_then(|node| node.line_of_text().or_else(|| node.items().first()?.line_of_text())),
            steps: reused.into_iter().chain(steps.iter().filter_map(step)).collect(),
            lines: job.lines,
        }
    });
    Workflow { server: BuildServer::GitHub, name, triggers, jobs: jobs.collect() }
}

fn step(node: &Node) -> Option<Step> {
    let uses = node.get("uses").and_then(Node::line_of_text).map(|action| format!("uses {action}"));
    let run = node.get("run").and_then(Node::text).map(commands);
    Some(Step { name: node.get("name").and_then(Node::line_of_text), does: uses.or(run)?, lines: node.lines })
}

/// Several commands in one line.
fn commands(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    one_line(&lines.collect::<Vec<&str>>().join("; "), 200)
}

/// Reads a pipeline of GitLab.
pub(super) fn gitlab(root: &Node) -> Workflow {
    let is_job = |key: &str, node: &Node| {
        !GITLAB_WORDS.contains(&key) && !key.starts_with('.') && node.entries().next().is_some()
    };
    let jobs = root.entries().filter(|(key, node)| is_job(key, node)).map(|(key, job)| {
        let scripts = ["before_script", "script"].iter().filter_map(|part| job.get(part));
        let steps = scripts
            .flat_map(Node::items)
            .filter_map(|line| Some(Step { name: None, does: commands(line.text()?), lines: line.lines }));
        let stage = job.get("stage").or_else(|| job.get("image"));
        Job {
            name: key.to_owned(),
            runs_on: stage.and_then(Node::line_of_text),
            steps: steps.collect(),
            lines: job.lines,
        }
    });
    let stages = root.get("stages").map(Node::items).unwrap_or_default();
    let triggers =
        stages.iter().filter_map(|node| Some(Note { text: node.line_of_text()?, line: node.lines.first }));
    Workflow { server: BuildServer::GitLab, name: None, triggers: triggers.collect(), jobs: jobs.collect() }
}
