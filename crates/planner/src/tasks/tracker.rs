//! Issues for tasks: what stands in one, in GitHub's tracker or as a Markdown file.
//!
//! Every issue carries the name of its task where people do not see it, so that a planner that was killed between making an
//! issue and noting it finds the one that is there.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use luminos_models::{Error as ServiceError, JsonApi, Network, Secret};
use serde_json::{Value, json};

use super::task::{IssueLink, Task};

#[cfg(test)]
mod tests;

/// How many issues are looked through for one that is there, and how many at once.
const MOST_PAGES: usize = 5;
const PAGE: usize = 100;
/// The longest title that trackers take.
const LONGEST_TITLE: usize = 200;

/// What an issue is called.
pub fn issue_title(task: &Task) -> String {
    format!("[Task] {}", super::clipped(&task.title, LONGEST_TITLE))
}

/// The words by which the issue of a task is known.
fn marker(task: &Task) -> String {
    format!("<!-- luminos-task: {} -->", task.id)
}

/// What stands in an issue. `requirement` is the goal that the plan is for.
pub fn issue_body(task: &Task, requirement: Option<&str>) -> String {
    let mut text = format!("{}\n\n{}\n", marker(task), task.goal);
    let _ = writeln!(
        text,
        "\n- Task: `{}`\n- Role: {}\n- Risk: {}\n- Time: {} minutes",
        task.id.short(),
        task.role,
        task.risk_level,
        task.timebox_minutes
    );
    if let Some(goal) = requirement {
        let _ = writeln!(text, "\n## Requirement\n\n{goal}");
    }
    let lists = [
        ("Allowed paths", &task.allowed_paths),
        ("Verification", &task.commands),
        ("Files to start from", &task.context.files),
    ];
    for (title, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
        let _ = writeln!(text, "\n## {title}\n");
        items.iter().for_each(|item| {
            let _ = writeln!(text, "- `{}`", item.replace('`', "'"));
        });
    }
    for (title, words) in [("Specification", &task.context.specs), ("Notes", &task.context.notes)] {
        if !words.is_empty() {
            let _ = writeln!(text, "\n## {title}\n\n{words}");
        }
    }
    text
}

/// A repository of GitHub's, or of a server that speaks like it.
#[derive(Debug, Clone)]
pub struct GitHub {
    base: String,
    repo: String,
    key: Option<Secret>,
    network: Network,
}

impl GitHub {
    /// The repository `owner/name` at a server.
    pub fn new(base: &str, repo: &str, key: Option<Secret>, network: Network) -> Self {
        Self { base: base.to_owned(), repo: repo.to_owned(), key, network }
    }

    fn api(&self, query: &str) -> Result<JsonApi, ServiceError> {
        let headers = [("accept", "application/vnd.github+json"), ("x-github-api-version", "2022-11-28")];
        JsonApi::new(&format!("{}{query}", self.base), &headers, self.key.clone(), &self.network)
    }

    /// Makes the issue of a task.
    pub async fn create(&self, task: &Task, requirement: Option<&str>) -> Result<IssueLink, ServiceError> {
        let body = json!({ "title": issue_title(task), "body": issue_body(task, requirement) });
        let made = self.api("")?.post(&format!("/repos/{}/issues", self.repo), &body).await?;
        Ok(link(&made, &self.base))
    }

    /// The issues that there are for some tasks, in the order of the tasks.
    pub async fn find(&self, tasks: &[Task]) -> Result<Vec<Option<IssueLink>>, ServiceError> {
        let mut found: Vec<Option<IssueLink>> = tasks.iter().map(|_| None).collect();
        for page in 1..=MOST_PAGES {
            let api = self.api(&format!("?state=all&per_page={PAGE}&page={page}"))?;
            let answer = api.get(&format!("/repos/{}/issues", self.repo)).await?;
            let issues = answer.as_array().map(Vec::as_slice).unwrap_or_default();
            for issue in issues {
                let body = issue["body"].as_str().unwrap_or_default();
                for (task, place) in tasks.iter().zip(&mut found) {
                    if place.is_none() && body.contains(&marker(task)) {
                        *place = Some(link(issue, &self.base));
                    }
                }
            }
            if issues.len() < PAGE || found.iter().all(Option::is_some) {
                break;
            }
        }
        Ok(found)
    }
}

/// The link in what the service says of an issue. An address that is none of the web is not repeated.
fn link(issue: &Value, base: &str) -> IssueLink {
    let text = |name: &str| issue[name].as_str().unwrap_or_default().to_owned();
    let url = Some(text("html_url")).filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    IssueLink {
        number: issue["number"].as_u64().unwrap_or_default(),
        url: url.unwrap_or_else(|| base.to_owned()),
        title: text("title"),
    }
}

/// Writes the issue of a task as a file in a directory. One that is there stays as it is: people may have written into it.
pub fn write_issue(dir: &Path, task: &Task, requirement: Option<&str>) -> io::Result<IssueLink> {
    std::fs::create_dir_all(dir)?;
    let words = task.title.to_lowercase();
    let words: Vec<&str> =
        words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(60).collect();
    let path = dir.join(format!("{}-{}.md", task.id.short(), slug.trim_end_matches('-')));
    let title = issue_title(task);
    match std::fs::File::options().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            file.write_all(format!("# {title}\n\n{}", issue_body(task, requirement)).as_bytes())?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    Ok(IssueLink { number: 0, url: path.to_string_lossy().into_owned(), title })
}
