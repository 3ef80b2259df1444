//! An investigation in one file, for whoever is to find out what went wrong with it.
//!
//! What is in it: the report, what the passes made, the ledgers, the log of tool calls, and of every turn of a model how
//! long it was, what was called and what it used. What is not: files of the target beyond what the report quotes, what
//! models were shown and said (unless asked for), keys, words that look like secrets, and the path of the home directory.
//! A quote has a mark in the place of a secret, and the hash of the true words, by which it can still be verified. It is an archive that any machine can unpack, and the report in it can be shown,
//! compared and verified as it is.

mod tar;

use std::io;

use luminos_core::ContentHash;
use luminos_core::report::Report;
use luminos_core::secrets::count_marks;
use luminos_core::talk::{AssistantBlock, UserBlock};
use luminos_models::redact;
use luminos_store::{Investigation, Records};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::recordings::places;
use crate::run::TurnLine;

/// What to put into a bundle.
#[derive(Debug, Clone, Default)]
pub struct BundleOptions {
    /// Whether what models were shown and said goes with it.
    pub transcripts: bool,
    /// The paths that are nobody's business, with what stands for them.
    pub hidden: Vec<(String, &'static str)>,
    /// The end of the daemon's log.
    pub log: String,
    /// The program and its version.
    pub program: String,
}

/// An investigation, packed.
#[derive(Debug)]
pub struct Bundle {
    /// The archive.
    pub bytes: Vec<u8>,
    /// The files in it, with their sizes.
    pub files: Vec<(String, u64)>,
    /// How many words were taken out that look like secrets.
    pub redactions: usize,
}

/// The schema of the list of contents.
const SCHEMA: &str = "luminos.bundle/1";
/// Of the daemon's log the end is enough.
const LONGEST_LOG: usize = 64 * 1024;

/// Packs an investigation. `written` is its report for programs.
pub fn bundle(
    investigation: &Investigation,
    report: &Report,
    written: &[u8],
    options: &BundleOptions,
) -> io::Result<Bundle> {
    let mut packing = Packing { options, files: Vec::new(), redactions: 0 };
    packing.report(written)?;
    for name in ["meta.json", "survey.json", "plan.json", "plan_evaluation.json"] {
        packing.document(name, &investigation.dir().join(name))?;
    }
    for name in ["flags.jsonl", "budget.jsonl", "spend.jsonl", "investigation.log"] {
        packing.journal(name, &investigation.dir().join(name))?;
    }
    packing.turns(investigation, report);
    let log = &options.log[options.log.ceil_char_boundary(options.log.len().saturating_sub(LONGEST_LOG))..];
    let log = packing.clean(log);
    packing.add("daemon.log", log.into_bytes());
    packing.finish(investigation)
}

/// The report in a bundle, if it is one.
pub fn bundled_report(bytes: &[u8]) -> Option<&[u8]> {
    let manifest: Value = serde_json::from_slice(tar::find(bytes, "bundle.json")?).ok()?;
    if manifest["schema"] != SCHEMA {
        return None;
    }
    tar::find(bytes, "report.json")
}

struct Packing<'a> {
    options: &'a BundleOptions,
    files: Vec<(String, Vec<u8>)>,
    redactions: usize,
}

impl Packing<'_> {
    fn add(&mut self, name: &str, content: Vec<u8>) {
        self.files.push((name.to_owned(), content));
    }

    /// A text without secrets and without the paths that are nobody's business.
    fn clean(&mut self, text: &str) -> String {
        let redacted = redact(text);
        // What a tool has taken out of what it showed is a secret that is not in here, either.
        self.redactions += redacted.count + count_marks(text);
        let mut text = redacted.text.into_owned();
        for (path, stand_in) in &self.options.hidden {
            text = text.replace(path, stand_in);
        }
        text
    }

    fn clean_value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.clean(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean_value(item)),
            Value::Object(fields) => {
                // Names can be paths, too.
                let old = std::mem::take(fields);
                for (name, mut value) in old {
                    self.clean_value(&mut value);
                    fields.insert(self.clean(&name), value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn report(&mut self, written: &[u8]) -> io::Result<()> {
        let mut document: Value = serde_json::from_slice(written).map_err(io::Error::other)?;
        self.clean_value(&mut document);
        let sealed = luminos_report::investigation::sealed(document);
        self.add("report.json", sealed.into_bytes());
        Ok(())
    }

    /// A document of the store, without the check that it had there: it is another one now.
    fn document(&mut self, name: &str, path: &std::path::Path) -> io::Result<()> {
        let Some(bytes) = read(path)? else { return Ok(()) };
        let Ok(mut document) = serde_json::from_slice::<Value>(&bytes) else {
            self.add(&format!("{name}.damaged"), Vec::new());
            return Ok(());
        };
        if let Some(fields) = document.as_object_mut() {
            fields.remove("sha256");
            // The word that fences what a model is shown must stay between us.
            fields.remove("nonce");
        }
        self.clean_value(&mut document);
        self.add(name, format!("{document:#}\n").into_bytes());
        Ok(())
    }

    fn journal(&mut self, name: &str, path: &std::path::Path) -> io::Result<()> {
        let Some(bytes) = read(path)? else { return Ok(()) };
        let mut lines = String::new();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let Ok(mut line) = serde_json::from_slice::<Value>(line) else {
                lines.push_str("\"a line that cannot be read\"\n");
                continue;
            };
            self.clean_value(&mut line);
            if let Some(fields) = line.as_object_mut() {
                fields.remove("check");
                fields.remove("run");
            }
            lines.push_str(&format!("{line}\n"));
        }
        self.add(name, lines.into_bytes());
        Ok(())
    }

    fn turns(&mut self, investigation: &Investigation, report: &Report) {
        let mut lines = Vec::new();
        for (pass, dir, place) in places(report) {
            let found = investigation.transcript::<TurnLine>(&place).map(Records::into_bodies);
            for line in found.unwrap_or_default() {
                let mut told = outline(&line);
                told.insert("pass".to_owned(), json!(pass.word()));
                told.insert("directory".to_owned(), json!(dir.as_ref().map(luminos_core::RelPath::to_word)));
                if self.options.transcripts {
                    told.insert("ask".to_owned(), json!(line.ask));
                    told.insert("said".to_owned(), json!(line.said));
                }
                let mut told = Value::Object(told);
                self.clean_value(&mut told);
                lines.push((line.at, told));
            }
        }
        lines.sort_by_key(|(at, _)| *at);
        let lines: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
        self.add("turns.jsonl", lines.into_bytes());
    }

    fn finish(mut self, investigation: &Investigation) -> io::Result<Bundle> {
        let list = self.files.iter().map(|(name, content)| {
            json!({ "name": name, "bytes": content.len(), "sha256": hash(content).to_string() })
        });
        let manifest = json!({
            "schema": SCHEMA,
            "program": self.options.program,
            "platform": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            "investigation": investigation.id().to_string(),
            "transcripts": if self.options.transcripts { "whole, without secrets" } else { "outlines only" },
            "redactions": self.redactions,
            "files": list.collect::<Vec<_>>(),
        });
        self.files.insert(0, ("bundle.json".to_owned(), format!("{manifest:#}\n").into_bytes()));
        let files = self.files.iter().map(|(name, content)| (name.clone(), content.len() as u64)).collect();
        let packed = self.files.iter().map(|(name, content)| (name.as_str(), content.as_slice()));
        Ok(Bundle { bytes: tar::pack(packed)?, files, redactions: self.redactions })
    }
}

/// What a turn was, without what was shown or said.
fn outline(line: &TurnLine) -> Map<String, Value> {
    let calls = line.said.content.iter().filter_map(|block| match block {
        AssistantBlock::ToolCall(call) => Some(json!({
            "tool": call.name,
            "bytes": serde_json::to_string(&call.arguments).unwrap_or_default().len(),
        })),
        AssistantBlock::Text(_) | AssistantBlock::Opaque(_) => None,
    });
    let shown = line.ask.new.iter().map(|block| match block {
        UserBlock::Text(text) => text.len(),
        other => serde_json::to_string(other).unwrap_or_default().len(),
    });
    let asked = serde_json::to_vec(&line.ask).unwrap_or_default();
    let told = json!({
        "at": line.at,
        "turn": line.ask.turn,
        "round": line.round,
        "model": line.model,
        "asked_bytes": shown.sum::<usize>(),
        "asked_sha256": hash(&asked).to_string(),
        "calls": calls.collect::<Vec<_>>(),
        "usage": line.said.usage,
        "failed": line.failed.as_ref().map(ToString::to_string),
    });
    match told {
        Value::Object(told) => told,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

fn read(path: &std::path::Path) -> io::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash(Sha256::digest(bytes).into())
}
