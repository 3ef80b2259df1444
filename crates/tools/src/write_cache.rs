//! The tool that keeps what was found out about a file or directory, for the passes that come later.
//!
//! A loop writes about its own directory and the files in it, about nothing else: otherwise one poisoned file could
//! rewrite what is known of all others. And it writes what it thinks, not what it read: entries that carry the text of
//! the file are refused.

use std::io::Read as _;

use luminos_core::RelPath;
use luminos_core::proof::{Evidence, ToolCallId};
use rustix::fs::FileType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::flag::Citation;
use crate::session::{Done, Effect, Reply, Session};
use crate::toolbox::{Scope, Tool};

/// Keys under which models like to put whole files.
const CONTENTS: [&str; 3] = ["content", "contents", "raw"];
/// How much of a file is compared with a summary.
const COMPARED: u64 = 1 << 20;
/// A summary may quote so many bytes of its file in a row, and no more than twice that.
const QUOTED: usize = 240;

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// a file.
    File,
    /// a directory.
    Dir,
}

impl EntryKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dir => "dir",
        }
    }
}

/// What a model wrote about a file or directory, to be completed with what the scan knows.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryDraft {
    /// What it is about.
    pub kind: EntryKind,
    /// Its path.
    pub path: RelPath,
    /// What was written.
    pub data: EntryData,
}

/// What a model may write about a file or directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryData {
    /// What it is, what it does and what stands out, in your own words. Never the text of the file.
    #[schemars(length(min = 1, max = 4000))]
    pub summary: String,
    /// What kind of content it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub category: Option<String>,
    /// Whether somebody new to the target should see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notable: Option<bool>,
    /// Why they should.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub notable_reason: Option<String>,
    /// For a directory: the names of the files in it that matter most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub notable_files: Vec<String>,
    /// How sure you are, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// What makes you sure or unsure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub confidence_reason: Option<String>,
    /// How much of it you have seen, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub completeness: Option<f64>,
    /// The lines that show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub evidence: Vec<Citation>,
}

impl EntryData {
    /// What it rests on.
    pub fn evidence(&self) -> Vec<Evidence> {
        self.evidence.iter().cloned().map(Evidence::from).collect()
    }
}

/// Refuses what carries the text of files. Looked at before the schema, for the sake of the sentence.
pub(crate) fn carries_contents(arguments: &Map<String, Value>) -> Option<String> {
    let data = arguments.get("data")?.as_object()?;
    let key = CONTENTS.iter().find(|key| data.contains_key(**key))?;
    Some(format!(
        "`data.{key}` is not taken: entries hold summaries, never the text of files. Say what matters about it in \
         `data.summary`, and cite lines in `data.evidence`."
    ))
}

/// The tool.
pub(crate) struct WriteCache;

/// What to keep.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    /// Whether the entry is about a file or about the directory itself.
    cache_type: EntryKind,
    /// What it is about, relative to the target: a file that lies in your directory, or your directory.
    #[schemars(length(min = 1))]
    path: String,
    /// The entry.
    data: EntryData,
}

impl Tool for WriteCache {
    type Arguments = Kept;
    const NAME: &'static str = "write_cache";
    const ABOUT: &'static str = "Keep a summary of a file in your directory as soon as you understand the file; write it \
        again to replace it. Summaries are kept even if your turns run out, and are what later passes read instead of \
        the files. Only files that lie directly in your directory, and the directory itself.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];
    const IS_LENIENT: bool = true;

    fn run(session: &mut Session, arguments: Kept, _: &ToolCallId) -> Reply {
        let Kept { cache_type: kind, path, data } = arguments;
        let path = session.path(&path)?;
        let (stamp, path) = session.root()?.look(&path).map_err(|refused| refused.to_string())?;
        let dir = session.dir();
        let is_own = match kind {
            EntryKind::File => path.parent().as_ref() == Some(dir),
            EntryKind::Dir => path == *dir,
        };
        if !is_own {
            return Err(format!(
                "`{}` is not yours to write about: only the files directly in `{dir}`, and `{dir}` itself.",
                path.for_terminal(),
                dir = dir.for_terminal()
            ));
        }
        match (kind, stamp.kind) {
            (EntryKind::File, FileType::Directory) => {
                return Err("This is a directory; its own investigation writes its entry.".to_owned());
            }
            (EntryKind::File, FileType::RegularFile) if is_copied(session, &path, &data.summary) => {
                return Err(
                    "The summary repeats the text of the file. Say in your own words what it is, what it \
                            does and what stands out; cite lines in `data.evidence`."
                        .to_owned(),
                );
            }
            (EntryKind::File | EntryKind::Dir, _) => {}
        }
        let text = format!("Kept the {} entry of `{}`.", kind.word(), path.for_terminal());
        Ok(Done::text(text).with(Effect::Entry(EntryDraft { kind, path, data })))
    }
}

/// Whether a summary repeats a long piece of its file. Pieces are taken often enough for none of twice the length to
/// slip through.
fn is_copied(session: &Session, path: &RelPath, summary: &str) -> bool {
    if summary.len() < QUOTED {
        return false;
    }
    let Ok(opened) = session.root().and_then(|root| root.file(path).map_err(|refused| refused.to_string()))
    else {
        return false;
    };
    let mut bytes = Vec::new();
    if opened.file.take(COMPARED).read_to_end(&mut bytes).is_err() {
        return false;
    }
    let summary = summary.as_bytes();
    let starts = (0..=summary.len() - QUOTED).step_by(QUOTED / 2);
    starts.into_iter().any(|start| memchr::memmem::find(&bytes, &summary[start..start + QUOTED]).is_some())
}
