//! Records of one form, one in each line: JSON with the same keys is a table by another name.

use std::collections::BTreeMap;

use luminos_core::fact::{Day, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use serde_json::{Map, Value};

use super::{Look, days, geo, kept, lacks, most, tables::missing, titles, warns, words};
use crate::words::{code, count, number, some_of};

/// Different keys that are looked at.
const MOST_KEYS: usize = 1_000;
/// A document that would take more memory, by its marks, is not read as a whole.
const MOST_MEMORY: usize = 192 << 20;
/// So many keys are told.
const KEYS: usize = 8;
/// More words for one key are no few.
const WORDS: usize = 8;
/// Larger documents are not read as a whole.
const LARGEST: usize = 8 << 20;
/// Shorter lists are settings.
const LIST: usize = 5;
/// Fewer lines are no set of records.
const FEWEST: u64 = 2;

#[derive(Default)]
struct Records {
    rows: u64,
    keys: BTreeMap<String, u64>,
    order: Vec<String>,
    nulls: BTreeMap<String, u64>,
    null_at: BTreeMap<String, Evidence>,
    broken: u64,
    broken_at: Option<Evidence>,
    /// Records with more values than are read at once.
    too_large: u64,
    too_large_at: Option<Evidence>,
    /// Whether there are more keys than are looked at.
    has_more_keys: bool,
    first: Option<(i64, Evidence)>,
    last: Option<(i64, Evidence)>,
    head: Option<Evidence>,
    /// Words that come again and again, by key: levels, states, names of services.
    words: BTreeMap<String, BTreeMap<String, u64>>,
}

pub(super) fn look(files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let text = String::from_utf8_lossy(&head.bytes);
        let mut records = Records::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            records.see(line, &|| head.cite_line(at + 1));
        }
        told.extend(records.told(&head.word));
    }
    told
}

/// Documents of JSON that are a list of records, or hold one.
pub(super) fn documents(files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    for file in files.iter().filter(|file| file.size <= LARGEST as u64) {
        let Some(head) = peek(file) else { continue };
        if MOST_MEMORY < memory_of(&head.bytes) {
            let words = "it has so many values that it was not read as a whole".to_owned();
            told.push(lacks(&head.word, words, vec![head.cite_head()]));
            continue;
        }
        let document = match serde_json::from_slice::<Value>(&head.bytes) {
            Ok(document) => document,
            Err(fault) => {
                // A mistake in the middle may be another dialect; an end too soon is an end too soon.
                if fault.is_eof() && 0 < fault.line() {
                    let words = "it ends in the middle: cut off or damaged".to_owned();
                    told.push(warns(&head.word, words, vec![head.cite_head()]));
                }
                continue;
            }
        };
        if document.get("type").and_then(Value::as_str) == Some("FeatureCollection") {
            told.extend(geo::features(&head));
            continue;
        }
        let own = document.as_array();
        let inner =
            || document.as_object()?.values().filter_map(Value::as_array).max_by_key(|list| list.len());
        let Some(list) = own.or_else(inner).filter(|list| LIST <= list.len()) else { continue };
        let mut records = Records::default();
        for record in list {
            match record.as_object() {
                Some(record) => records.take(record, &|| head.cite_head()),
                None => records.broken += 1,
            }
        }
        records.broken_at = None;
        told.extend(records.told(&head.word));
    }
    told
}

/// How much memory a document takes at most once it is parsed. The marks of short ones need not be counted.
fn memory_of(json: &[u8]) -> usize {
    const OBJECT: usize = 700;
    const LIST: usize = 160;
    const VALUE: usize = 220;
    if json.len() * OBJECT < MOST_MEMORY {
        return 0;
    }
    let count = |mark: u8| memchr::memchr_iter(mark, json).count();
    count(b'{') * OBJECT + count(b'[') * LIST + count(b',') * VALUE
}

impl Records {
    fn see(&mut self, line: &str, cite: &dyn Fn() -> Evidence) {
        if MOST_MEMORY < memory_of(line.as_bytes()) {
            self.too_large += 1;
            self.too_large_at.get_or_insert_with(cite);
            return;
        }
        let Ok(Value::Object(record)) = serde_json::from_str::<Value>(line) else {
            self.broken += 1;
            self.broken_at.get_or_insert_with(cite);
            return;
        };
        self.take(&record, cite);
    }

    fn take(&mut self, record: &Map<String, Value>, cite: &dyn Fn() -> Evidence) {
        self.rows += 1;
        self.head.get_or_insert_with(cite);
        for (key, value) in record {
            if !self.keys.contains_key(key) {
                if MOST_KEYS <= self.keys.len() {
                    self.has_more_keys = true;
                    continue;
                }
                self.order.push(key.clone());
            }
            *self.keys.entry(key.clone()).or_default() += 1;
            if value.is_null() || value.as_str() == Some("") {
                *self.nulls.entry(key.clone()).or_default() += 1;
                self.null_at.entry(key.clone()).or_insert_with(cite);
            } else if let Some(word) = value.as_str() {
                let words = self.words.entry(key.clone()).or_default();
                if words.len() <= WORDS {
                    *words
                        .entry(if word.len() <= 24 { word.to_owned() } else { String::new() })
                        .or_default() += 1;
                }
            }
        }
        let Some(day) = record.values().find_map(|value| days::at_start(value.as_str()?)) else { return };
        if self.first.as_ref().is_none_or(|(first, _)| day < *first) {
            self.first = Some((day, cite()));
        }
        if self.last.as_ref().is_none_or(|(last, _)| *last < day) {
            self.last = Some((day, cite()));
        }
    }

    /// Keys with a few words that come again and again.
    fn often(&self) -> Vec<String> {
        let is_plain = |word: &String| {
            !word.is_empty()
                && !word.contains(['`', ';', ',', '(', ')', ':', '\n'])
                && !titles::is_private(word)
        };
        let few = self.words.iter().filter(|(_, words)| {
            let all: u64 = words.values().sum();
            1 < words.len()
                && words.len() <= WORDS
                && words.len() as u64 * 5 <= all
                && words.keys().all(is_plain)
        });
        few.take(2).map(|(key, words)| format!("{} {}", code(key), most(words, 4))).collect()
    }

    fn told(self, path: &str) -> Vec<Fact> {
        let plain = |key: &&String| !key.contains(['`', '\n', ':', ';']) && key.len() <= 60;
        let names: Vec<String> = self.order.iter().filter(plain).map(|key| code(key)).collect();
        let too_large = self.too_large_at.clone().map(|cited| {
            let lines = count(self.too_large, "line");
            let words = match self.too_large {
                1 => format!("{lines} has so many values that it was not read"),
                _ => format!("{lines} have so many values that they were not read"),
            };
            lacks(path, words, vec![cited])
        });
        // A file that is mostly something else is no set of records.
        if self.rows < FEWEST || self.rows < self.broken * 4 || names.is_empty() {
            return too_large.into_iter().collect();
        }
        let period = self
            .first
            .as_ref()
            .zip(self.last.as_ref())
            .map(|(first, last)| (Day::of_number(first.0), Day::of_number(last.0)));
        let mut details = vec![format!("with {}", some_of(&names, KEYS))];
        if self.has_more_keys {
            let most = number(MOST_KEYS as u64);
            details.push(format!("more than {most} keys, of which the first were looked at"));
        }
        details.extend(self.often());
        let keeps = Holding { count: self.rows, noun: "record".to_owned(), period, details: words(details) };
        let mut evidence: Vec<Evidence> = self.head.iter().cloned().collect();
        evidence.extend(self.first.into_iter().chain(self.last).map(|(_, cited)| cited));
        let mut told = vec![kept(path, keeps, evidence)];
        told.extend(too_large);
        let mut missing: Vec<(&String, u64)> = self
            .keys
            .iter()
            .map(|(key, seen)| (key, self.rows - seen + self.nulls.get(key).copied().unwrap_or(0)))
            .filter(|(key, missing)| 0 < *missing && plain(key) && self.null_at.contains_key(*key))
            .collect();
        missing.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        for (key, missing) in missing.into_iter().take(3) {
            let cited = self.null_at.get(key).cloned().into_iter().collect();
            told.push(self::missing(path, missing, self.rows, key, cited));
        }
        if let Some(cited) = self.broken_at {
            let verb = if self.broken == 1 { "is" } else { "are" };
            told.push(lacks(path, format!("{} {verb} no JSON", count(self.broken, "line")), vec![cited]));
        }
        told
    }
}
