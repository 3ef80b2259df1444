//! Hints from earlier tasks: paths that they turned out to need.

use serde::{Deserialize, Serialize};

use super::Recovery;
use crate::tasks::glob::{is_pattern, plain};
use crate::tasks::roles::has_phrase;
use crate::tasks::task::{Draft, Role};

/// A path that tasks of a role turned out to need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The path.
    pub path: String,
    /// Who needed it.
    pub role: Role,
    /// How often.
    pub count: u32,
    /// What the latest of those tasks was about, in small letters.
    pub source: String,
}

/// What a task got from hints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HintApplication {
    /// The task, by its index.
    pub task_index: usize,
    /// Its title.
    pub task_title: String,
    /// Its role.
    pub task_role: Role,
    /// What it may change now.
    pub added_allowed_paths: Vec<String>,
    /// Why.
    pub matched_hints: Vec<MatchedHint>,
}

/// A hint that fitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchedHint {
    /// The path.
    pub path: String,
    /// Who needed it.
    pub hint_role: Role,
    /// How often.
    pub hint_count: u32,
    /// Why it fits.
    pub reason: String,
}

/// Words that say little by themselves.
const WEAK: &[&str] = &["build", "compile", "link", "setup", "bootstrap"];
/// No more paths than this are told.
const TOLD: usize = 8;

/// Gives each task the paths that tasks like it turned out to need.
pub fn apply_hints(
    drafts: &mut [Draft],
    hints: &[Hint],
    recovery: &Recovery,
    warnings: &mut Vec<String>,
) -> Vec<HintApplication> {
    let mut applications = Vec::new();
    for (index, draft) in drafts.iter_mut().enumerate().filter(|(_, draft)| draft.role != Role::Docser) {
        let text =
            format!("{} {} {} {}", draft.title, draft.goal, draft.context.specs, draft.commands.join(" "))
                .to_lowercase();
        let mut matched = Vec::new();
        for hint in hints.iter().filter(|hint| hint.role == draft.role) {
            let Some(reason) = reason(hint, draft, &text, recovery) else { continue };
            let path = &hint.path;
            if draft.allowed_paths.contains(path) || draft.implied_paths.contains(path) {
                continue;
            }
            draft.implied_paths.push(path.clone());
            matched.push(MatchedHint {
                path: path.clone(),
                hint_role: hint.role,
                hint_count: hint.count,
                reason: reason.to_owned(),
            });
        }
        if !matched.is_empty() {
            applications.push(HintApplication {
                task_index: index,
                task_title: draft.title.clone(),
                task_role: draft.role,
                added_allowed_paths: matched.iter().map(|hint| hint.path.clone()).collect(),
                matched_hints: matched,
            });
        }
    }
    if !applications.is_empty() {
        let mut paths: Vec<&str> =
            applications.iter().flat_map(|it| &it.added_allowed_paths).map(String::as_str).collect();
        paths.sort_unstable();
        paths.dedup();
        let more =
            if TOLD < paths.len() { format!(" and {} more", paths.len() - TOLD) } else { String::new() };
        paths.truncate(TOLD);
        warnings.push(format!(
            "paths that earlier tasks turned out to need were allowed: {}{more}",
            paths.join(", ")
        ));
    }
    applications
}

fn reason(hint: &Hint, draft: &Draft, text: &str, recovery: &Recovery) -> Option<&'static str> {
    if is_pattern(&hint.path) || plain(&hint.path).as_ref() != Ok(&hint.path) {
        return None;
    }
    if draft.context.files.contains(&hint.path) {
        return Some("context_file_match");
    }
    let shared = recovery.signal_tokens.iter().map(String::as_str);
    let shared: Vec<&str> =
        shared.filter(|token| has_phrase(text, token) && has_phrase(&hint.source, token)).collect();
    if shared.iter().any(|token| !WEAK.contains(token)) {
        Some("signal_match_strong")
    } else if !shared.is_empty() && 2 <= hint.count {
        Some("signal_match_repeated_weak")
    } else {
        None
    }
}
