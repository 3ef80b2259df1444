//! The part of a report that somebody had to write, and how it is read from what a model submits.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::RelPath;
use crate::answer::Answers;
use crate::entry::Claim;

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
