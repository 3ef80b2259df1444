//! The components: packages and directories that the program is made of, told by what they do; of small programs, files.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::fact::{FactKind, Opening};
use luminos_core::report::Item;
use luminos_core::scan::Category;

use super::graph::is_named_test;
use super::{Known, Told, lines_of_code};
use crate::sentence::{FileGist, file_gist, gist_of, quotation_of};
use crate::words::{clipped, code, count, list, number, quoted};

/// So many components are told.
const MOST: usize = 24;
/// With fewer components, files are told, too.
const FEW: usize = 4;
/// So many of them.
const FILES: usize = 8;
/// Files with fewer lines are no component, unless the whole is hardly larger.
const SMALL: u32 = 60;
const SMALL_WHOLE: u64 = 2_000;
/// Of a program with more lines, twice as many files are told.
const LARGE: u64 = 50_000;
/// More users, or more lines, make a file no more important.
const MANY: u64 = 20;
const LONG: u64 = 1_500;
/// So many files speak for a directory that says nothing of itself, with so much of their words.
const SPEAKERS: usize = 3;
const WORDS: usize = 140;

/// The files of the program itself, those that speak for it first.
struct Speakers<'t> {
    /// The path, the lines of code, and what the file says.
    files: Vec<(&'t str, u32, FileGist)>,
}

impl Told<'_> {
    /// Packages and directories that the program is made of, most code first; of small programs, files, too.
    pub(super) fn components(&self) -> Vec<Item> {
        self.parts_told().into_iter().map(|part| part.item).collect()
    }

    /// The components, with what each is told by.
    pub(super) fn parts_told(&self) -> Vec<Part> {
        let scan = self.material.whole.scan;
        let by_path = &self.dirs;
        let size = |path: &RelPath| {
            by_path.get(path).map_or(0, |dir| self.sides.code(scan, dir.0..scan.dir(*dir).subtree_end))
        };
        let mut found: BTreeMap<RelPath, (u64, String, &DirEntry)> = BTreeMap::new();
        let tops = self.tops();
        let all: u64 = tops.iter().map(|(_, code, _)| code).sum();
        for Known { entry, fact, .. } in &self.facts {
            let path = entry.relative_path.to_word();
            if let FactKind::Package { kind, name, .. } = fact
                && !entry.relative_path.is_root()
                && !self.sides.has(&path)
                // What begins so is left out of every build of Go.
                && !(kind == "Go module" && path.split('/').any(|step| step.starts_with('_')))
            {
                let code = size(&entry.relative_path);
                // Names of modules of Go are addresses, which end in the path.
                let name = if kind == "Go module" { &path } else { name };
                found.entry(entry.relative_path.clone()).or_insert_with(|| (code, name.clone(), entry));
            }
        }
        for (entry, code, _) in tops {
            // What is less than a hundredth of the code is no component of a program.
            if code * 100 < all || self.sides.has(&entry.relative_path.to_word()) {
                continue;
            }
            let name = entry.relative_path.to_word();
            found.entry(entry.relative_path.clone()).or_insert((code, name, entry));
        }
        // One that is nearly all of the program is told by what lies in it.
        if found.len() < FEW {
            for part in self.own_parts() {
                let path = RelPath::from(part.as_str());
                if let Some(entry) = self.material.dirs.iter().find(|entry| entry.relative_path == path) {
                    let code = size(&path);
                    if all < code * 100 {
                        found.entry(path).or_insert((code, part, entry));
                    }
                }
            }
        }
        // One that is all there is in another is told with that.
        let is_all_of_another = |path: &RelPath, code: u64| {
            let above = std::iter::successors(path.parent(), RelPath::parent);
            above
                .filter(|above| !above.is_root())
                .any(|above| found.get(&above).is_some_and(|(all, ..)| *all == code))
        };
        let doubles: Vec<RelPath> = found
            .iter()
            .filter(|(path, (code, ..))| 0 < *code && is_all_of_another(path, *code))
            .map(|(path, _)| path.clone())
            .collect();
        doubles.iter().for_each(|path| {
            found.remove(path);
        });
        let mut found: Vec<(u64, String, &DirEntry)> = found.into_values().collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.relative_path.cmp(&b.2.relative_path)));
        found.truncate(MOST);
        let speakers = self.speakers();
        let places: Vec<String> = found.iter().map(|(_, _, entry)| entry.relative_path.to_word()).collect();
        let mut items: Vec<Component<'_>> = found
            .iter()
            .map(|(code, name, entry)| self.component(entry, name, *code, &speakers, &places))
            .collect();
        // A directory that holds nearly all of it, file beside file, says nothing by itself.
        let own: u64 = found.iter().map(|(code, _, _)| *code).max().unwrap_or(0);
        let is_heap = |entry: &DirEntry| {
            let dir = by_path.get(&entry.relative_path);
            own * 6 < dir.map_or(0, |dir| self.sides.code(scan, dir.0..dir.0 + 1)) * 10
        };
        let has_heap = found.iter().any(|(_, _, entry)| is_heap(entry));
        if items.len() < FEW || has_heap || all < self.own_code() * 4 {
            let mut files = self.main_files(&speakers);
            // What has nothing to say but what its files say is told by those.
            let is_told = |part: &Component<'_>| {
                let of_files = !part.speakers.is_empty();
                of_files && files.iter().filter(|file| is_within(file, part)).count() >= SPEAKERS
            };
            if found.len() < FEW {
                items.retain(|item| !is_told(item));
            }
            // What speaks for a part is not said again.
            files.retain(|file| !items.iter().any(|part| is_within(file, part) && speaks_for(file, part)));
            items.extend(files);
        }
        let part = |Component { item, about, words, .. }| Part { item, about, is_quoted: words.is_some() };
        items.into_iter().map(part).collect()
    }

    /// One component: what it says of itself, or else what its main files say; and how large it is.
    fn component<'s>(
        &self,
        entry: &DirEntry,
        name: &str,
        lines: u64,
        speakers: &'s Speakers<'_>,
        places: &[String],
    ) -> Component<'s> {
        let is_written = entry.confidence.is_some_and(|confidence| 0.9 <= confidence.get());
        let place = entry.relative_path.to_word();
        let mut told = Vec::new();
        let said = self.said_of(&place).filter(|_| !is_written);
        let is_said = is_written || said.is_some();
        let mut words = said.map(str::to_owned);
        told.extend(said.map(|words| format!("“{words}”")));
        if is_written {
            let own = own_words(entry, name);
            words = own.words;
            told.push(own.text);
        }
        let files = if is_said { Vec::new() } else { speakers.of(&place, places) };
        if !files.is_empty() {
            told.push(list(&files.iter().map(|(_, words)| words.clone()).collect::<Vec<_>>()));
        } else if !is_said {
            told.push(gist_of(entry));
        }
        let about = told.join("; ");
        // Tests lie in the directories of what they test, in some languages.
        let tests = self.tests_below(&entry.relative_path);
        match (lines.saturating_sub(tests), tests) {
            (0, 0) => {}
            (lines, tests) if tests * 10 < lines => told.push(lines_of_code(lines + tests)),
            (0, tests) => told.push(format!("{} of tests", count(tests, "line"))),
            (lines, tests) => told.push(format!("{}, {} of tests", lines_of_code(lines), number(tests))),
        }
        let item = Item {
            name: name.to_owned(),
            path: Some(entry.relative_path.clone()),
            text: told.join("; "),
            sources: vec![entry.relative_path.clone()],
            ..Item::default()
        };
        Component { item, about, words, speakers: files.into_iter().map(|(path, _)| path).collect() }
    }

    fn tests_below(&self, path: &RelPath) -> u64 {
        let scan = self.material.whole.scan;
        let dir = self.dirs.get(path);
        dir.map_or(0, |dir| self.sides.code_of_tests(scan, dir.0..scan.dir(*dir).subtree_end))
    }

    /// The files that can speak for a part, those that most rests on first, then the largest.
    fn speakers(&self) -> Speakers<'_> {
        let scan = self.material.whole.scan;
        let lines: BTreeMap<String, u32> = scan
            .file_ids()
            .filter(|file| scan.file(*file).category == Category::Source)
            .map(|file| (scan.file_path(file).to_word(), scan.file(file).code))
            .collect();
        let named: BTreeMap<&str, u64> = self
            .facts
            .iter()
            .filter_map(|Known { path, fact, .. }| {
                let FactKind::NamedBeside { files, .. } = fact else { return None };
                Some((path.as_str(), *files))
            })
            .collect();
        let imported: BTreeMap<&str, usize> = self.graph.ranked().into_iter().collect();
        let mut files: Vec<(&str, u32, FileGist)> = self
            .files
            .iter()
            .filter_map(|(word, file)| {
                let dir = word.rsplit_once('/').map_or("", |(dir, _)| dir);
                let lines = *lines.get(word)?;
                let name = word.rsplit('/').next().unwrap_or_default();
                let is_wrapper =
                    matches!(word.as_str(), "mvnw" | "gradlew") || crate::manifest::is_manifest(name);
                let is_own = !is_wrapper
                    && !self.sides.tests(word)
                    && (!is_named_test(word) || self.sides.is_shipped(word))
                    && !self.sides.has(dir)
                    && 1 < lines;
                let gist = self
                    .said_of(word)
                    .map(FileGist::of_words)
                    .or_else(|| file_gist(file))
                    .filter(|_| is_own)?;
                Some((word.as_str(), lines, gist))
            })
            .collect();
        // Who says something comes before who does not; then who is large and used by many. Errors and helpers are used by
        // many, too, and say little of what a part does.
        files.sort_by_key(|(path, lines, gist)| {
            let users =
                imported.get(path).copied().unwrap_or(0) as u64 + named.get(path).copied().unwrap_or(0);
            let weight = (users.min(MANY) + 1) * u64::from(*lines).min(LONG);
            (gist.words.is_none(), is_helper(path), std::cmp::Reverse(weight), *path)
        });
        Speakers { files }
    }

    /// What a document says of a file or directory.
    fn said_of(&self, path: &str) -> Option<&str> {
        self.said.get(path).map(String::as_str)
    }

    /// The files that a small program is made of: those that most rests on, and the largest.
    fn main_files<'s>(&self, speakers: &'s Speakers<'_>) -> Vec<Component<'s>> {
        let all: u64 = speakers.files.iter().map(|(_, lines, _)| u64::from(*lines)).sum();
        let fewest = if all < SMALL_WHOLE { 2 } else { SMALL };
        let mut files: Vec<&(&str, u32, FileGist)> =
            speakers.files.iter().filter(|(_, lines, _)| fewest <= *lines).collect();
        let first: BTreeSet<&str> = files.iter().map(|(path, ..)| *path).take(FILES / 2).collect();
        // What somebody wrote about comes before what only is large.
        let is_first = |path: &str| first.contains(path) || self.said.contains_key(path);
        let most = if all < LARGE { FILES } else { FILES * 2 };
        // One of several that are all said to be the same is enough.
        let mut words: BTreeSet<&str> = BTreeSet::new();
        files.sort_by_key(|(path, lines, _)| (std::cmp::Reverse(*lines), *path));
        files.retain(|(_, _, gist)| words.insert(&gist.text));
        let (told, mut rest): (Vec<_>, Vec<_>) = files.into_iter().partition(|(path, ..)| is_first(path));
        let told: Vec<_> = told.into_iter().take(most / 2).collect();
        rest.truncate(most - told.len());
        let mut files = [told, rest].concat();
        files.sort_by_key(|(path, lines, _)| (std::cmp::Reverse(*lines), *path));
        let item = |(path, lines, gist): &(&str, u32, FileGist)| {
            let path = RelPath::from(*path);
            let item = Item {
                name: path.to_word(),
                text: format!("{}; {}", gist.text, lines_of_code(u64::from(*lines))),
                sources: path.parent().into_iter().collect(),
                path: Some(path),
                ..Item::default()
            };
            Component { item, about: gist.text.clone(), words: gist.words.clone(), speakers: Vec::new() }
        };
        files.into_iter().map(item).collect()
    }
}

/// A part of the program.
pub(super) struct Part {
    pub(super) item: Item,
    /// What it does.
    pub(super) about: String,
    /// Whether somebody said so: it, its README or its manifest.
    pub(super) is_quoted: bool,
}

/// A component as it is told.
struct Component<'s> {
    item: Item,
    /// What it does, without how large it is.
    about: String,
    /// The words of somebody that it is told by.
    words: Option<String>,
    /// The files that it is told by, where it says nothing of itself.
    speakers: Vec<&'s str>,
}

impl<'t> Speakers<'t> {
    /// The files that speak for a directory, each with its words; those of other parts speak for themselves.
    fn of(&self, dir: &str, places: &[String]) -> Vec<(&'t str, String)> {
        let below = |path: &str, dir: &str| path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        let is_of_another =
            |path: &str| places.iter().any(|other| dir.len() < other.len() && below(path, other));
        let mut told: Vec<(&str, String)> = Vec::new();
        let mut gists: Vec<&str> = Vec::new();
        for (path, _, gist) in &self.files {
            if told.len() < SPEAKERS
                && below(path, dir)
                && !is_of_another(path)
                && !gists.contains(&gist.text.as_str())
            {
                let short = path.strip_prefix(dir).unwrap_or(path).trim_start_matches('/');
                // A file that is called like its directory would be taken for it.
                let is_namesake = dir.rsplit('/').next() == Some(short);
                let the = if is_namesake && told.is_empty() { "the file " } else { "" };
                told.push((path, format!("{the}{} ({})", code(short), shortened(&gist.text))));
                gists.push(&gist.text);
            }
        }
        told
    }
}

/// What a file says, cut so that a quotation still ends.
fn shortened(gist: &str) -> String {
    let short = clipped(gist, WORDS);
    let is_open = short.matches('“').count() != short.matches('”').count();
    if is_open { format!("{short}”") } else { short }
}

/// Whether a file is one of those that every part has.
fn is_helper(path: &str) -> bool {
    let stem = path.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
    matches!(
        stem.trim_start_matches('_').to_ascii_lowercase().as_str(),
        "error"
            | "errors"
            | "exceptions"
            | "exception"
            | "util"
            | "utils"
            | "helpers"
            | "constants"
            | "compat"
            | "version"
            | "types"
            | "common"
    ) || path.ends_with(".h")
        || path.ends_with("/__init__.py")
}

fn is_within(file: &Component<'_>, part: &Component<'_>) -> bool {
    let (Some(file), Some(part)) = (&file.item.path, &part.item.path) else { return false };
    file.to_word().strip_prefix(part.to_word().as_str()).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a part is told by a file of it.
fn speaks_for(file: &Component<'_>, part: &Component<'_>) -> bool {
    // A package of one file says what that says.
    part.speakers.contains(&file.item.name.as_str()) || part.words.is_some() && file.words == part.words
}

/// What a directory says of itself. The name of a package stands before it already.
fn own_words(entry: &DirEntry, of: &str) -> FileGist {
    match entry.opening.as_deref() {
        Some(Opening::Package { name, version, text: Some(text), .. }) if name == of => {
            let version = version.as_deref().filter(|version| *version != "0.0.0");
            let version = version.map(|version| format!("{version}: ")).unwrap_or_default();
            let said = quoted(text);
            FileGist {
                text: format!("{version}{}", said.trim_end_matches('.')),
                words: version.is_empty().then(|| text.clone()),
            }
        }
        _ => FileGist { text: gist_of(entry), words: quotation_of(entry).map(str::to_owned) },
    }
}
