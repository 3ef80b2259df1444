//! What the survey is told about a target: counts and names, never content.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::first::First;
use super::{FileId, Kind, Scan};
use crate::Untrusted;

/// How long each list of the signals may be.
const LIST: usize = 20;
/// How many characters of a description are kept.
const DESCRIPTION: usize = 80;
/// What stands for a file without extension.
const NO_EXTENSION: &str = "(none)";

/// The survey signals. All text is escaped: it is for eyes and models, not for finding files again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signals {
    /// Regular files in the whole target.
    pub total_files: u64,
    /// The most frequent extensions in lower case; `(none)` for files without.
    pub extension_histogram: Vec<Tally>,
    /// What the files are whose names do not tell, the most frequent first.
    pub file_descriptions: Vec<Tally>,
    /// File names, evenly drawn over the target.
    pub filename_samples: Vec<String>,
}

/// How many files have something in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// What they have in common.
    pub name: String,
    /// How many they are.
    pub files: u64,
}

impl Signals {
    /// Looks over all regular files once.
    pub fn of(scan: &Scan) -> Self {
        let total = scan.dirs.first().map_or(0, |root| root.files);
        let mut extensions = Extensions::default();
        let mut described = vec![0u64; scan.descriptions.len() + 1];
        let mut samples = Vec::new();
        let mut wanted = sample_places(total).peekable();
        let regular = scan.file_ids().filter(|&file| scan.file(file).kind == Kind::File);
        for (place, file) in (0u64..).zip(regular) {
            let record = scan.file(file);
            extensions.count(scan.name(record.name));
            if let Some(count) = described.get_mut(record.description as usize) {
                *count += 1;
            }
            if wanted.next_if_eq(&place).is_some() {
                samples.push(file);
            }
        }
        Self {
            total_files: total,
            extension_histogram: extensions.into_tallies(),
            file_descriptions: description_tallies(scan, &described),
            filename_samples: samples.into_iter().map(|file| escaped_name(scan, file)).collect(),
        }
    }
}

/// Which files to take as samples, so that the gaps between them are equal.
fn sample_places(total: u64) -> impl Iterator<Item = u64> {
    let samples = total.min(LIST as u64);
    (0..samples).map(move |index| (u128::from(index) * u128::from(total) / u128::from(samples)) as u64)
}

fn escaped_name(scan: &Scan, file: FileId) -> String {
    Untrusted::new(scan.name(scan.file(file).name)).for_terminal()
}

/// Counts extensions as raw bytes; only those shown become text.
#[derive(Debug, Default)]
struct Extensions {
    counts: HashMap<Box<[u8]>, u64>,
    without: u64,
    lower: Vec<u8>,
}

impl Extensions {
    fn count(&mut self, name: &[u8]) {
        let Some(extension) = extension(name) else {
            self.without += 1;
            return;
        };
        // ASCII only: that is what extensions are made of, and it works on names that are not UTF-8.
        self.lower.clear();
        self.lower.extend(extension.iter().map(u8::to_ascii_lowercase));
        match self.counts.get_mut(&*self.lower) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(self.lower.as_slice().into(), 1);
            }
        }
    }

    fn into_tallies(self) -> Vec<Tally> {
        let mut first = First::new(LIST);
        for (extension, files) in self.counts {
            first.offer((Reverse(files), extension));
        }
        if self.without > 0 {
            first.offer((Reverse(self.without), NO_EXTENSION.as_bytes().into()));
        }
        let named = |(Reverse(files), name): (_, Box<[u8]>)| Tally {
            name: Untrusted::new(&name).for_terminal(),
            files,
        };
        first.into_sorted().into_iter().map(named).collect()
    }
}

/// What follows the last dot; neither `.bashrc` nor `name.` has an extension.
fn extension(name: &[u8]) -> Option<&[u8]> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let extension = &name[dot + 1..];
    (dot > 0 && !extension.is_empty()).then_some(extension)
}

/// Descriptions that differ only after the cut count as one.
fn description_tallies(scan: &Scan, described: &[u64]) -> Vec<Tally> {
    let mut merged: BTreeMap<String, u64> = BTreeMap::new();
    for (description, &files) in
        scan.descriptions.iter().zip(&described[1..]).filter(|(_, files)| **files > 0)
    {
        let text = Untrusted::new(description.as_bytes()).for_terminal();
        *merged.entry(text.chars().take(DESCRIPTION).collect()).or_default() += files;
    }
    let mut first = First::new(LIST);
    for (text, files) in merged {
        first.offer((Reverse(files), text));
    }
    first.into_sorted().into_iter().map(|(Reverse(files), name)| Tally { name, files }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, FileRecord};
    use super::*;

    fn signals(paths: &[&[u8]]) -> Signals {
        let mut builder = Builder::new("/target", Vec::new());
        for path in paths {
            builder.file_at(path, FileRecord::default());
        }
        Signals::of(&builder.finish())
    }

    #[track_caller]
    fn check_extension(name: &str, expected: Option<&str>) {
        assert_eq!(extension(name.as_bytes()), expected.map(str::as_bytes), "{name}");
    }

    #[test]
    fn an_extension_is_what_follows_the_last_dot() {
        check_extension("main.rs", Some("rs"));
        check_extension("archive.tar.gz", Some("gz"));
        check_extension(".bashrc", None);
        check_extension(".config.toml", Some("toml"));
        check_extension("Makefile", None);
        check_extension("ends.", None);
        check_extension("", None);
    }

    #[test]
    fn extensions_are_counted_without_case_and_the_frequent_come_first() {
        let signals = signals(&[b"a.RS", b"b.rs", b"README", b"c/x.toml", b"c/y.\xff\x1b"]);
        let shown: Vec<(&str, u64)> =
            signals.extension_histogram.iter().map(|tally| (&*tally.name, tally.files)).collect();
        assert_eq!(shown, [("rs", 2), ("(none)", 1), ("toml", 1), ("\\xff\\u{1b}", 1)]);
        assert_eq!(signals.total_files, 5);
    }

    #[test]
    fn each_list_has_twenty_items_at_most() {
        let names: Vec<String> = (0..100).map(|number| format!("file{number:02}.e{number:02}")).collect();
        let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        let signals = signals(&names);
        assert_eq!(signals.extension_histogram.len(), 20);
        assert_eq!(signals.filename_samples.len(), 20);
        assert_eq!(signals.filename_samples[0], "file00.e00");
        assert_eq!(signals.filename_samples[1], "file05.e05");
        assert_eq!(signals.filename_samples[19], "file95.e95");
    }

    #[test]
    fn few_files_are_all_samples() {
        assert_eq!(signals(&[b"b/2", b"1"]).filename_samples, ["1", "2"]);
        assert_eq!(signals(&[]), Signals::default());
    }

    #[test]
    fn links_and_devices_are_not_counted() {
        let mut builder = Builder::new("/target", Vec::new());
        builder.file_at(b"link.so", FileRecord { kind: Kind::Symlink, ..FileRecord::default() });
        builder.file_at(b"pipe", FileRecord { kind: Kind::Fifo, ..FileRecord::default() });
        assert_eq!(Signals::of(&builder.finish()), Signals::default());
    }

    #[test]
    fn descriptions_are_cut_escaped_and_counted() {
        let mut builder = Builder::new("/target", Vec::new());
        let long = "x".repeat(90);
        let descriptions = [format!("{long}1"), format!("{long}2"), "ELF\x1b[2J".to_owned(), String::new()];
        for (name, text) in descriptions.iter().enumerate() {
            let description = if text.is_empty() { 0 } else { builder.describe(text) };
            let record = FileRecord { description, ..FileRecord::default() };
            builder.file_at(name.to_string().as_bytes(), record);
        }
        let signals = Signals::of(&builder.finish());
        let expected =
            [Tally { name: "x".repeat(80), files: 2 }, Tally { name: "ELF\\u{1b}[2J".to_owned(), files: 1 }];
        assert_eq!(signals.file_descriptions, expected);
    }
}
