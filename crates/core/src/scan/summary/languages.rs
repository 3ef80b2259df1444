//! Lines by language, with the languages inside others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::scan::{FileRecord, LanguageId, LineCounts, Scan};

/// The files of one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageTotals {
    /// The language.
    pub language: &'static str,
    /// How many files are written in it.
    pub files: u64,
    /// Their lines in the language itself.
    pub counts: LineCounts,
    /// Their lines in other languages, most code first.
    pub embedded: Vec<EmbeddedTotals>,
}

/// Lines of one language inside files of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedTotals {
    /// The language inside.
    pub language: &'static str,
    /// How many files hold it.
    pub files: u64,
    /// Its lines.
    pub counts: LineCounts,
}

/// Counts files by their language.
pub(super) struct LanguageCounter<'a> {
    scan: &'a Scan,
    by_language: Vec<(u64, LineCounts)>,
}

impl<'a> LanguageCounter<'a> {
    pub(super) fn new(scan: &'a Scan) -> Self {
        Self { scan, by_language: vec![Default::default(); scan.languages.len()] }
    }

    pub(super) fn count(&mut self, file: &FileRecord) {
        let Some(language) = file.language else { return };
        if let Some((files, counts)) = self.by_language.get_mut(usize::from(language.0)) {
            *files += 1;
            *counts += file.counts();
        }
    }

    pub(super) fn into_totals(self) -> Vec<LanguageTotals> {
        let mut embedded = self.embedded_totals();
        let mut totals = Vec::new();
        for (language, (files, counts)) in (0..).map(LanguageId).zip(self.by_language) {
            if files > 0 {
                totals.push(LanguageTotals {
                    language: self.scan.language_name(language),
                    files,
                    counts,
                    embedded: embedded.remove(&language).unwrap_or_default(),
                });
            }
        }
        totals.sort_by_key(|total| (Reverse(total.counts.code), total.language));
        totals
    }

    /// What is inside the files of each language.
    fn embedded_totals(&self) -> BTreeMap<LanguageId, Vec<EmbeddedTotals>> {
        let mut pairs: BTreeMap<(LanguageId, LanguageId), (u64, LineCounts)> = BTreeMap::new();
        for embedded in &self.scan.embedded {
            if let Some(outer) = self.scan.file(embedded.file).language {
                let (files, counts) = pairs.entry((outer, embedded.language)).or_default();
                *files += 1;
                *counts += embedded.counts;
            }
        }
        let mut totals: BTreeMap<LanguageId, Vec<EmbeddedTotals>> = BTreeMap::new();
        for ((outer, inner), (files, counts)) in pairs {
            let language = self.scan.language_name(inner);
            totals.entry(outer).or_default().push(EmbeddedTotals { language, files, counts });
        }
        for inside in totals.values_mut() {
            inside.sort_by_key(|total| (Reverse(total.counts.code), total.language));
        }
        totals
    }
}
