//! What it is made of: where it begins, where to begin reading, its parts.

use luminos_core::RelPath;
use luminos_core::answer::Candidate;
use luminos_core::entry::DirEntry;
use luminos_core::fact::{FactKind, Opening};
use luminos_core::scan::Category;

use crate::sentence::{file_gist, gist_of};
use crate::synthesis::Told;
use crate::synthesis::components::Part;

/// Documents that say how the whole is built, best first.
const MAPS: [&str; 6] = [
    "ARCHITECTURE.md",
    "docs/architecture.md",
    "docs/ARCHITECTURE.md",
    "DESIGN.md",
    "docs/design.md",
    "HACKING.md",
];

/// Of a program with more files of its own, directories are the parts.
const FEW_FILES: usize = 40;

impl Told<'_> {
    /// Where it begins.
    pub(super) fn ways_to_enter(&self) -> Vec<Candidate> {
        if !self.is_software() {
            return Vec::new();
        }
        let items = self.entry_points();
        let paths = items.iter().filter_map(|item| Some((item, item.path.as_ref()?)));
        let candidates = paths.enumerate().map(|(number, (item, path))| {
            let word = path.to_word();
            let is_aside = crate::synthesis::starts::is_aside(&word) || self.sides.tests(&word);
            let score = 92_u8.saturating_sub(u8::try_from(number * 3).unwrap_or(u8::MAX));
            let score = if is_aside { score.min(45) } else { score.max(52) };
            Candidate::new(&word, "what starts here, declared or seen", score)
                .about(&item.text)
                .at(path.clone(), 0)
        });
        candidates.collect()
    }

    /// Where to begin reading.
    pub(super) fn places_to_begin(&self) -> Vec<Candidate> {
        if !self.is_software() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let there = |path: &str| self.files.contains_key(path);
        for (number, map) in MAPS.into_iter().filter(|map| there(map)).enumerate() {
            let score = 90 - u8::try_from(number).unwrap_or(0);
            found.push(at(map, "a document on how it is built", score));
        }
        for item in self.entry_points().into_iter().take(2) {
            let Some(path) = item.path else { continue };
            let word = path.to_word();
            let is_file = self.files.contains_key(&word);
            if is_file && !crate::synthesis::starts::is_aside(&word) && !self.sides.tests(&word) {
                found.push(at(&word, "where it begins", 84));
            }
        }
        for (number, (path, users)) in self.graph.central(3, &self.sides).into_iter().enumerate() {
            let score = 80_u8.saturating_sub(u8::try_from(number * 4).unwrap_or(u8::MAX));
            let about = format!("{users} files rest on it");
            found.push(at(path, "what most of it rests on", score).about(&about));
        }
        found
    }

    /// Its parts, each with what it does.
    pub(super) fn what_it_is_made_of(&self) -> Vec<Candidate> {
        if self.is_software() {
            let parts = self.parts_told();
            let candidates = parts.iter().enumerate().filter_map(|(number, part)| self.part(number, part));
            return candidates.chain(self.files_that_speak()).collect();
        }
        let mut dirs: Vec<_> = self
            .material
            .dirs
            .iter()
            .filter(|entry| !entry.relative_path.is_root() && !entry.relative_path.to_word().contains('/'))
            .collect();
        // A directory that only groups others is told by those.
        let groups = |entry: &DirEntry| {
            let dir = self.dirs.get(&entry.relative_path);
            let scan = self.material.whole.scan;
            dir.is_some_and(|dir| scan.files_of(*dir).next().is_none())
        };
        let below = |of: &RelPath| {
            let of = of.clone();
            self.material.dirs.iter().filter(move |entry| entry.relative_path.parent().as_ref() == Some(&of))
        };
        let grouped: Vec<&DirEntry> =
            dirs.iter().filter(|entry| groups(entry)).flat_map(|entry| below(&entry.relative_path)).collect();
        dirs.retain(|entry| !groups(entry));
        dirs.extend(grouped);
        dirs.sort_by_key(|entry| std::cmp::Reverse(entry.coverage.bytes));
        let candidates = dirs.into_iter().enumerate().map(|(number, entry)| {
            let score = 80_u8.saturating_sub(u8::try_from(number).unwrap_or(u8::MAX));
            Candidate::new(&entry.relative_path.to_word(), "a directory at the top", score)
                .about(&gist_of(entry))
                .at(entry.relative_path.clone(), 0)
        });
        candidates.collect()
    }

    /// Files of a small program that say what they are for.
    fn files_that_speak(&self) -> Vec<Candidate> {
        let is_own = |word: &str| {
            let dir = word.rsplit_once('/').map_or("", |(dir, _)| dir);
            !self.sides.tests(word) && !self.sides.has(dir) && !crate::synthesis::starts::is_aside(word)
        };
        let files = self.material.files.iter().filter(|file| file.category == Category::Source);
        let files: Vec<_> = files.filter(|file| is_own(&file.relative_path.to_word())).collect();
        if FEW_FILES < files.len() {
            return Vec::new();
        }
        let speaking = files.into_iter().filter_map(|file| Some((file, file_gist(file)?)));
        let mut speaking: Vec<_> = speaking.collect();
        speaking.sort_by_key(|(file, gist)| (gist.words.is_none(), std::cmp::Reverse(file.size_bytes)));
        let candidates = speaking.into_iter().enumerate().map(|(number, (file, gist))| {
            let base: u8 = if gist.words.is_some() { 74 } else { 58 };
            let score = base.saturating_sub(u8::try_from(number).unwrap_or(u8::MAX));
            Candidate::new(&file.relative_path.to_word(), "a file of a small program", score)
                .about(&gist.text)
                .at(file.relative_path.clone(), 0)
        });
        candidates.collect()
    }

    fn part(&self, number: usize, part: &Part) -> Option<Candidate> {
        let path = part.item.path.clone()?;
        let word = path.to_word();
        let is_made = self.facts.iter().any(|known| {
            matches!(known.fact, FactKind::OwnWords { text } if known.path == word && is_made_by_a_tool(text))
        });
        let is_told = part.is_quoted || !self.is_told_by_its_files(&path);
        let score = 84_u8.saturating_sub(u8::try_from(number).unwrap_or(u8::MAX));
        // What is only counted says less than a file that says what it is for.
        let score = if is_told { score } else { score.min(60) };
        let score = if is_made || self.sides.tests(&word) { 40 } else { score };
        Some(
            Candidate::new(&word, "a package or directory of its own code", score)
                .about(&part.about)
                .at(path, 0),
        )
    }

    /// Whether nobody says what a directory is: its summary opens with what lies in it.
    fn is_told_by_its_files(&self, path: &RelPath) -> bool {
        let entry = self.material.dirs.iter().find(|entry| entry.relative_path == *path);
        entry.is_some_and(|entry| matches!(entry.opening.as_deref(), Some(Opening::Inside(_)) | None))
    }
}

fn at(path: &str, source: &str, score: u8) -> Candidate {
    Candidate::new(path, source, score).at(RelPath::from(path), 0)
}

/// Whether a file says of itself that a tool made it.
fn is_made_by_a_tool(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    ["made by gnu bison", "generated by", "autogenerated", "auto-generated", "do not edit"]
        .iter()
        .any(|mark| words.contains(mark))
}
