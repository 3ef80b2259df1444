//! Records of one form, one in each line: JSON with the same keys is a table by another name.

use std::collections::BTreeMap;

use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use serde_json::Value;

use super::{Keeps, Look, Told, days, lacks, tables::missing_in_words};
use crate::offline::words::{code, count, some_of};

/// So many keys are told.
const KEYS: usize = 8;
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
    first: Option<(i64, Evidence)>,
    last: Option<(i64, Evidence)>,
    head: Option<Evidence>,
}

pub(super) fn look(files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
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

impl Records {
    fn see(&mut self, line: &str, cite: &dyn Fn() -> Evidence) {
        let Ok(Value::Object(record)) = serde_json::from_str::<Value>(line) else {
            self.broken += 1;
            self.broken_at.get_or_insert_with(cite);
            return;
        };
        self.rows += 1;
        self.head.get_or_insert_with(cite);
        for (key, value) in &record {
            if !self.keys.contains_key(key) {
                self.order.push(key.clone());
            }
            *self.keys.entry(key.clone()).or_default() += 1;
            if value.is_null() || value.as_str() == Some("") {
                *self.nulls.entry(key.clone()).or_default() += 1;
                self.null_at.entry(key.clone()).or_insert_with(cite);
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

    fn told(self, path: &str) -> Vec<Told> {
        let plain = |key: &&String| !key.contains(['`', '\n', ':', ';']) && key.len() <= 60;
        let names: Vec<String> = self.order.iter().filter(plain).map(|key| code(key)).collect();
        // A file that is mostly something else is no set of records.
        if self.rows < FEWEST || self.rows < self.broken * 4 || names.is_empty() {
            return Vec::new();
        }
        let period = self
            .first
            .as_ref()
            .zip(self.last.as_ref())
            .map(|(first, last)| (days::told(first.0), days::told(last.0)));
        let keeps = Keeps {
            path: path.to_owned(),
            count: self.rows,
            noun: "record".to_owned(),
            period,
            details: format!("with {}", some_of(&names, KEYS)),
        };
        let mut evidence: Vec<Evidence> = self.head.iter().cloned().collect();
        evidence.extend(self.first.into_iter().chain(self.last).map(|(_, cited)| cited));
        let mut told = vec![Told { text: keeps.sentence(), evidence }];
        let mut missing: Vec<(&String, u64)> = self
            .keys
            .iter()
            .map(|(key, seen)| (key, self.rows - seen + self.nulls.get(key).copied().unwrap_or(0)))
            .filter(|(key, missing)| 0 < *missing && plain(key) && self.null_at.contains_key(*key))
            .collect();
        missing.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        for (key, missing) in missing.into_iter().take(3) {
            let cited = self.null_at.get(key).cloned().into_iter().collect();
            told.push(lacks(path, missing_in_words(missing, self.rows, key), cited));
        }
        if let Some(cited) = self.broken_at {
            let verb = if self.broken == 1 { "is" } else { "are" };
            told.push(lacks(path, format!("{} {verb} no JSON", count(self.broken, "line")), vec![cited]));
        }
        told
    }
}
