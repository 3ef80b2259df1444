//! What is told about a commit.

use serde::{Deserialize, Serialize};

use super::chain::CommitId;
use super::clip::{clip, one_line};
use super::metric::{Measured, Metric};

const SUBJECT: usize = 72;
const CHANGE_SUMMARY: usize = 512;
const KEY_FILES: usize = 20;
const FILE: usize = 256;
const HIGHLIGHTS: usize = 8;
const HIGHLIGHT: usize = 200;
const TOUCHED: usize = 5;

/// A commit as git has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RawCommit {
    /// The whole message.
    pub message: String,
    /// The commit it was made from.
    pub parent: Option<CommitId>,
    /// Seconds since 1970, as its committer says.
    pub seconds: i64,
}

/// What a commit did to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Its path, fit to be shown.
    pub path: String,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

impl FileChange {
    /// What is told about it.
    pub fn line(&self) -> String {
        format!("{}: +{}/-{}", self.path, self.added, self.removed)
    }
}

/// What a commit did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Changes {
    /// The files, most churn first.
    pub files: Vec<FileChange>,
    /// Whether lines were counted only in some files, as there are so many.
    pub is_sampled: bool,
}

impl Changes {
    /// Files in the order in which they are told: most churn first, then most lines added, then by name.
    pub fn new(mut files: Vec<FileChange>, is_sampled: bool) -> Self {
        files.sort_by(|a, b| {
            let key = |file: &FileChange| (file.added + file.removed, file.added);
            key(b).cmp(&key(a)).then_with(|| a.path.cmp(&b.path))
        });
        Self { files, is_sampled }
    }

    /// All in one line.
    pub fn total(&self) -> String {
        let (added, removed) = self
            .files
            .iter()
            .fold((0, 0), |(added, removed), file| (added + file.added, removed + file.removed));
        let files = self.files.len();
        let at_least = if self.is_sampled { ", at least" } else { "" };
        format!("{files} file{}{at_least} +{added}/-{removed}", if files == 1 { "" } else { "s" })
    }
}

/// What is told about a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommitCard {
    /// The commit.
    pub commit_hash: CommitId,
    /// The commit it was made from.
    pub parent_commit_hash: Option<CommitId>,
    /// One line.
    pub subject: String,
    /// What it changes, in words.
    pub change_summary: String,
    /// Files it changed.
    pub key_files: Vec<String>,
    /// Where most of it happened.
    pub highlights: Vec<String>,
    /// What came of an evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_summary: Option<String>,
    /// What was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
}

impl CommitCard {
    /// A card within its bounds.
    pub fn new(commit: CommitId, raw: &RawCommit, changes: &Changes, measured: Measured) -> Self {
        let (subject, body) = words(&raw.message);
        let paths =
            || changes.files.iter().map(|file| clip(&file.path, FILE)).filter(|path| !path.is_empty());
        let mut highlights: Vec<String> = changes
            .files
            .iter()
            .filter(|file| 0 < file.added + file.removed)
            .take(HIGHLIGHTS)
            .map(|file| clip(&file.line(), HIGHLIGHT))
            .collect();
        if highlights.is_empty() {
            let touched: Vec<String> = paths().take(TOUCHED).collect();
            highlights.push(if touched.is_empty() {
                "No file changed.".to_owned()
            } else {
                clip(&format!("Touched files: {}", touched.join(", ")), HIGHLIGHT)
            });
        }
        Self {
            subject: bounded_subject(&subject, &commit),
            change_summary: clip(if body.is_empty() { &subject } else { &body }, CHANGE_SUMMARY),
            key_files: paths().take(KEY_FILES).collect(),
            highlights,
            evaluation_summary: measured.summary,
            metrics: measured.metrics,
            parent_commit_hash: raw.parent.clone(),
            commit_hash: commit,
        }
    }
}

fn bounded_subject(subject: &str, commit: &CommitId) -> String {
    // What looks like a document or a fence would only confuse whoever reads the card.
    let is_odd = subject.is_empty() || subject.contains("```") || subject.starts_with(['{', '[']);
    if is_odd { format!("Commit {}", commit.short()) } else { clip(subject, SUBJECT) }
}

/// What one step is told as: its subject, and the beginning of what it says besides.
pub(crate) fn step_words(message: &str) -> String {
    match words(message) {
        (subject, _) if subject.is_empty() => "N/A".to_owned(),
        (subject, body) if body.is_empty() => subject,
        (subject, body) => format!("{subject} — {body}"),
    }
}

/// The subject of a message and the rest of it, each in one line. Who signed it, and other lines for programs, are left out.
pub(crate) fn words(message: &str) -> (String, String) {
    let message = message.trim();
    let (subject, rest) = message.split_once("\n\n").unwrap_or((message, ""));
    let is_trailer = |line: &str| {
        let key = line.split_once(": ").map(|(key, _)| key);
        key.is_some_and(|key| {
            key.contains('-') && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
    };
    let lines: Vec<&str> = rest.lines().filter(|line| !is_trailer(line.trim())).collect();
    (one_line(subject), one_line(&lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, added: u64, removed: u64) -> FileChange {
        FileChange { path: path.to_owned(), added, removed }
    }

    fn card(message: &str, files: Vec<FileChange>) -> CommitCard {
        let raw = RawCommit { message: message.to_owned(), ..RawCommit::default() };
        CommitCard::new(
            CommitId::new("0123456789abcdef"),
            &raw,
            &Changes::new(files, false),
            Measured::default(),
        )
    }

    #[test]
    fn a_card_stays_within_its_bounds() {
        let files = (0..40).map(|at| file(&"d/".repeat(200), at, 1)).collect();
        let card = card(&format!("{}\n\n{}", "word ".repeat(40), "long ".repeat(400)), files);
        assert_eq!(card.subject.chars().count(), 72);
        assert!(card.change_summary.chars().count() <= 512 && card.change_summary.starts_with("long long"));
        assert_eq!((card.key_files.len(), card.highlights.len()), (20, 8));
        assert!(card.key_files.iter().all(|path| path.chars().count() <= 256));
        assert!(card.highlights.iter().all(|line| line.chars().count() <= 200));
    }

    #[test]
    fn the_most_changed_files_come_first() {
        let card = card(
            "x",
            vec![file("b", 1, 1), file("a", 1, 1), file("c", 2, 0), file("z", 9, 9), file("bin", 0, 0)],
        );
        assert_eq!(card.highlights, ["z: +9/-9", "c: +2/-0", "a: +1/-1", "b: +1/-1"]);
        assert_eq!(card.key_files, ["z", "c", "a", "b", "bin"]);
    }

    #[test]
    fn a_card_always_says_something() {
        assert_eq!(card("", vec![]).subject, "Commit 0123456789ab");
        assert_eq!(card("", vec![]).highlights, ["No file changed."]);
        assert_eq!(card("{\"a\": 1}", vec![]).subject, "Commit 0123456789ab");
        assert_eq!(card("x", vec![file("logo.png", 0, 0)]).highlights, ["Touched files: logo.png"]);
    }

    #[test]
    fn lines_for_programs_are_no_words() {
        let message = "Make it\nfast\n\nIt was: slow.\n\nSigned-off-by: A <a@b>\nCo-authored-by: B\n";
        assert_eq!(words(message), ("Make it fast".to_owned(), "It was: slow.".to_owned()));
        assert_eq!(step_words(message), "Make it fast — It was: slow.");
        assert_eq!(step_words(" \n"), "N/A");
    }
}
