//! What an investigation found out, as one document: everything a page, a text or a machine shows is made of it.
//!
//! The prose comes from the synthesis (or, when there was none, from the entries themselves: see [`Origin`]); the
//! rest are facts of the run. Sections have names and items, so that whoever renders a report needs no case for
//! each of them.
//!
//! Not here: how it looks (`luminos-report`), and where it is kept (`luminos-store`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::Answers;
use crate::entry::{Claim, Coverage, DirEntry, Share, Stamp};
use crate::flag::{Flag, Severity};
use crate::plan::Turns;
use crate::seen::{self, SeenFile};
use crate::spend::{Money, PassSpend, Totals, Usage};
use crate::{ContentHash, RelPath};

#[cfg(test)]
mod tests;

/// The format of reports that this program writes.
pub const REPORT_FORMAT: u32 = 1;

/// The longest text of one item, in bytes; what is longer is cut.
const LONGEST_TEXT: usize = 16 * 1024;
/// No section has more items than this.
const MOST_ITEMS: usize = 200;

/// A part of the report that some targets have and others do not. The order is that of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// What it is all for.
    OverallPurpose,
    /// How it is built.
    Architecture,
    /// Its parts.
    Components,
    /// What it is built with.
    TechStack,
    /// Where it starts.
    EntryPoints,
    /// Tables and records in it.
    Datasets,
    /// Their columns.
    SchemaSummary,
    /// The time it covers.
    PeriodCovered,
    /// What it is about.
    Themes,
    /// What is wrong with the data.
    DataQuality,
    /// What somebody should worry about.
    Concerns,
}

impl Section {
    /// All sections, in the order of the page.
    pub const ALL: [Self; 11] = [
        Self::OverallPurpose,
        Self::Architecture,
        Self::Components,
        Self::TechStack,
        Self::EntryPoints,
        Self::Datasets,
        Self::SchemaSummary,
        Self::PeriodCovered,
        Self::Themes,
        Self::DataQuality,
        Self::Concerns,
    ];

    /// The word for it: the field of `submit_report` and of the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            Self::OverallPurpose => "overall_purpose",
            Self::Architecture => "architecture",
            Self::Components => "components",
            Self::TechStack => "tech_stack",
            Self::EntryPoints => "entry_points",
            Self::Datasets => "datasets",
            Self::SchemaSummary => "schema_summary",
            Self::PeriodCovered => "period_covered",
            Self::Themes => "themes",
            Self::DataQuality => "data_quality",
            Self::Concerns => "concerns",
        }
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::OverallPurpose => "Purpose",
            Self::Architecture => "Architecture",
            Self::Components => "Components",
            Self::TechStack => "Built with",
            Self::EntryPoints => "Entry points",
            Self::Datasets => "Datasets",
            Self::SchemaSummary => "Schema",
            Self::PeriodCovered => "Period covered",
            Self::Themes => "Themes",
            Self::DataQuality => "Data quality",
            Self::Concerns => "Concerns",
        }
    }
}

/// One thing that a section says. A section of prose has a single item without a name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Item {
    /// What it is about, where the section is a list.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where that lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<RelPath>,
    /// What is said.
    pub text: String,
    /// The directories whose entries it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<RelPath>,
    /// What it is about as values, where whoever shows it has to know that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ItemKind>,
}

impl Item {
    /// Whether it only quotes words that stand in another text.
    pub fn is_quoted_in(&self, text: &str) -> bool {
        matches!(&self.kind, Some(ItemKind::Quotation { words }) if text.contains(words.trim_end_matches('.')))
    }
}

/// What an item is about, as values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// Which parts lie above which, or use each other in a circle.
    Layers,
    /// What a part uses.
    Uses {
        /// The names of other parts, those first that it uses most.
        parts: Vec<String>,
    },
    /// What somebody wrote.
    Quotation {
        /// The words.
        words: String,
    },
    /// Something to worry about, for which there are flags.
    Concern {
        /// The rule that raised them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// What to do about it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        advice: String,
    },
}

/// The part of a report that somebody had to write.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// The whole in two or three sentences.
    pub brief: String,
    /// The whole in some paragraphs.
    pub detailed: String,
    /// What else fits this target.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sections: BTreeMap<Section, Vec<Item>>,
    /// Sentences of the above with what they rest on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// What a reader looks for first, field by field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: Answers,
}

impl Findings {
    /// What a model submitted. Sections may be texts, lists of texts or lists of objects; what is empty is left
    /// out. Without a brief it is no report.
    pub fn from_arguments(arguments: &Map<String, Value>) -> Result<Self, &'static str> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim();
        if text("brief").is_empty() {
            return Err("`brief` is missing: two or three sentences that say what the whole is");
        }
        let mut sections = BTreeMap::new();
        for section in Section::ALL {
            let items = arguments.get(section.word()).map(items).unwrap_or_default();
            if !items.is_empty() {
                sections.insert(section, items);
            }
        }
        let detailed = if text("detailed").is_empty() { text("brief") } else { text("detailed") };
        Ok(Self { brief: cut(text("brief")), detailed: cut(detailed), sections, ..Self::default() })
    }
}

fn items(value: &Value) -> Vec<Item> {
    match value {
        Value::Array(values) => values.iter().filter_map(item).take(MOST_ITEMS).collect(),
        Value::Object(object) if !object.keys().any(|key| NAMES.contains(&key.as_str())) => {
            let named =
                object.iter().filter_map(|(name, value)| Some(Item { name: cut(name), ..item(value)? }));
            named.take(MOST_ITEMS).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            item(value).into_iter().collect()
        }
    }
}

/// What models call the name of an item, and its text.
const NAMES: [&str; 3] = ["name", "title", "path"];
const TEXTS: [&str; 6] = ["text", "description", "summary", "purpose", "role", "reason"];

fn item(value: &Value) -> Option<Item> {
    let object = match value {
        Value::String(text) if !text.trim().is_empty() => {
            return Some(Item { text: cut(text.trim()), ..Item::default() });
        }
        Value::Number(number) => return Some(Item { text: number.to_string(), ..Item::default() }),
        Value::Object(object) => object,
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) => return None,
    };
    let first = |names: &[&str]| names.iter().find_map(|name| object.get(*name)?.as_str()).map(str::trim);
    let path = |word: &str| RelPath::from_word(word.trim().trim_start_matches("./").trim_end_matches('/'));
    let name = first(&["name", "title"]).unwrap_or_default();
    let text = first(&TEXTS).unwrap_or_default();
    let sources = object.get("sources").and_then(Value::as_array).into_iter().flatten();
    let item = Item {
        name: cut(name),
        path: object.get("path").and_then(Value::as_str).and_then(path),
        text: cut(text),
        sources: sources.filter_map(Value::as_str).filter_map(path).take(MOST_ITEMS).collect(),
        kind: None,
    };
    (!item.name.is_empty() || !item.text.is_empty()).then_some(item)
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(LONGEST_TEXT)].to_owned()
}

/// Directories that belong together, for targets too large to be seen at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Subsystem {
    /// What it is called.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The directories in it.
    pub dirs: Vec<RelPath>,
    /// What the description tells.
    #[serde(default, skip_serializing_if = "SubsystemTold::is_in_words")]
    pub told: SubsystemTold,
}

/// What the description of a subsystem tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubsystemTold {
    /// What it is for.
    #[default]
    InWords,
    /// How large it is, and nothing else.
    Size,
    /// That it holds settings, and nothing else.
    Settings,
}

impl SubsystemTold {
    fn is_in_words(&self) -> bool {
        *self == Self::InWords
    }
}

/// Who wrote the prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A model, in the synthesis pass.
    Model,
    /// The embedded analyst.
    Offline,
    /// Nobody: it was put together from the directories' entries.
    #[default]
    Mechanical,
}

/// Something about the run that a reader must know to judge the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "text")]
pub enum Note {
    /// The investigation is not complete, and why.
    Partial(String),
    /// A part of the run had to do without something, and what that means.
    Degraded(String),
    /// Something was odd about the plan.
    Plan(String),
    /// Directories that were left out, and why.
    LeftOut(String),
    /// Anything else.
    Other(String),
}

/// How much was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Directories of the target.
    pub dirs: u64,
    /// Regular files in it.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Directories with an entry, old or new.
    pub dirs_investigated: u64,
    /// Those whose entry was still good from an earlier run.
    pub dirs_reused: u64,
    /// Those whose loop ended early.
    pub dirs_partial: u64,
    /// Those that were skipped.
    pub dirs_skipped: u64,
    /// Those that could not be investigated.
    pub dirs_failed: u64,
    /// Turns of directory loops.
    pub turns: u64,
    /// Model calls in all passes.
    pub calls: u64,
    /// What they used.
    pub usage: Usage,
    /// What they cost; `None` when a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Money>,
    /// What calls on their way could use when the report was made.
    #[serde(default)]
    pub reserved: Totals,
    /// What was reserved for calls whose process died: nobody knows whether they used it.
    #[serde(default)]
    pub lost: Totals,
    /// How long it took.
    pub seconds: u64,
    /// What a second judge was asked, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_judge: Option<SecondJudge>,
}

/// How often a model that is to refute claims disagreed with the bytes that proved them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SecondJudge {
    /// Claims that it was asked about.
    pub asked: u64,
    /// Those that it refuted, or was not sure of.
    pub refuted: u64,
}

impl SecondJudge {
    /// The share of claims on which the judges disagree; none where nothing was asked.
    pub fn disagreement(self) -> Share {
        if self.asked == 0 { Share::NONE } else { Share::of(self.refuted, self.asked) }
    }

    /// The sums of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { asked: self.asked + other.asked, refuted: self.refuted + other.refuted }
    }
}

/// The run that made a report, as far as it takes to make it again from the records: what shaped it, besides the target.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The word by which the run is known, all its lives together.
    pub run: String,
    /// Models, versions of prompts and tools, how the target was walked.
    pub parameters: Value,
    /// The most turns that directories could use together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_turns: Option<Turns>,
    /// How often, at most, weak results were looked into again.
    #[serde(default)]
    pub refinements: u32,
    /// How many tokens a conversation in each pass could have.
    #[serde(default)]
    pub windows: BTreeMap<String, u64>,
    /// A fork knows of earlier investigations what its source knew: those older than this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_before: Option<String>,
}

/// What an investigation found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The format of this document.
    pub format: u32,
    /// The investigation.
    pub investigation: String,
    /// What the target is called.
    pub target: String,
    /// Where it lies on this machine, for people.
    pub path: String,
    /// The hash of the whole target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<ContentHash>,
    /// What it was made from: with the same key it would be made again just so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ContentHash>,
    /// When it was made.
    pub made_at: Stamp,
    /// Who wrote the prose.
    pub origin: Origin,
    /// The models that were asked, by pass.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
    /// The prose.
    pub findings: Findings,
    /// The parts of a large target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subsystems: Vec<Subsystem>,
    /// What somebody should know, worst first.
    pub flags: Vec<Flag>,
    /// Every directory with an entry, by path.
    pub directories: Vec<DirEntry>,
    /// Claims that hold, of all directories together.
    pub claims_verified: u64,
    /// Claims in all.
    pub claims: u64,
    /// How much of the files the tools have shown.
    pub coverage: Coverage,
    /// What was seen of each file, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SeenFile>,
    /// Paths that were left out and are not listed one by one.
    #[serde(default)]
    pub files_unlisted: u64,
    /// The sha256 of what `files` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_digest: Option<ContentHash>,
    /// How much was done.
    pub counters: Counters,
    /// What the calls of each pass came to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub passes: BTreeMap<String, PassSpend>,
    /// The run that made it. Kept in the state directory only: nobody else can use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// What a reader must know to judge it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Report {
    /// A report of these findings and entries. Counts of claims and coverage are taken from the entries; the rest
    /// is for whoever ran the investigation to fill in.
    pub fn new(origin: Origin, findings: Findings, mut directories: Vec<DirEntry>, flags: Vec<Flag>) -> Self {
        directories.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
        let (mut verified, mut claims, mut coverage) = (0, 0, Coverage::default());
        for entry in &mut directories {
            let (hold, all) = entry.verified_claims();
            verified += hold;
            claims += all;
            coverage.files += entry.coverage.files;
            coverage.files_seen += entry.coverage.files_seen;
            coverage.bytes += entry.coverage.bytes;
            coverage.bytes_seen += entry.coverage.bytes_seen;
            coverage.symbols += entry.coverage.symbols;
            coverage.symbols_seen += entry.coverage.symbols_seen;
            coverage.unreadable += entry.coverage.unreadable;
            // These are in the ledger, file by file, and in the list of flags.
            entry.reads.clear();
            entry.flags.clear();
        }
        Self {
            format: REPORT_FORMAT,
            investigation: String::new(),
            target: String::new(),
            path: String::new(),
            content_hash: None,
            key: None,
            made_at: Stamp::default(),
            origin,
            models: BTreeMap::new(),
            findings,
            subsystems: Vec::new(),
            flags: worst_first(flags),
            directories,
            claims_verified: verified,
            claims,
            coverage,
            files: Vec::new(),
            files_unlisted: 0,
            files_digest: None,
            counters: Counters::default(),
            passes: BTreeMap::new(),
            provenance: None,
            notes: Vec::new(),
        }
    }

    /// Takes up what was seen of each file.
    pub fn set_files(&mut self, (files, unlisted): (Vec<SeenFile>, u64)) {
        self.files_digest = Some(seen::digest(&files));
        self.files = files;
        self.files_unlisted = unlisted;
    }

    /// The share of claims that hold; all of them where there is none.
    pub fn verified_share(&self) -> Share {
        Share::of(self.claims_verified, self.claims)
    }

    /// The worst severity among its flags. What is not proved does not count.
    pub fn worst(&self) -> Option<Severity> {
        self.flags.iter().filter(|flag| !flag.is_unproved()).map(|flag| flag.severity).max()
    }

    /// Whether something is missing that a complete investigation would have.
    pub fn is_partial(&self) -> bool {
        let is_note = self.notes.iter().any(|note| matches!(note, Note::Partial(_)));
        is_note || self.directories.iter().any(|entry| entry.partial) || 0 < self.counters.dirs_failed
    }
}

/// Flags as a reader wants them: the worst first, then by path, each once. What is not proved comes last.
pub fn worst_first(mut flags: Vec<Flag>) -> Vec<Flag> {
    let line = |flag: &Flag| flag.evidence.first().map_or(0, |evidence| evidence.start_line);
    flags.sort_by(|a, b| {
        let proved = a.is_unproved().cmp(&b.is_unproved());
        proved
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| line(a).cmp(&line(b)))
            .then_with(|| a.rule.cmp(&b.rule))
            .then_with(|| a.finding.cmp(&b.finding))
    });
    flags.dedup();
    flags
}
