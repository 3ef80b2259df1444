//! The parts of a target: directories that a reader would name, most code first, and what each is for.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::entry::{DirEntry, FileEntry};
use luminos_core::report::Item;
use luminos_core::scan::{Category, DirId, Scan};

use super::graph::{TOP, is_named_test};
use super::{Told, lines_of_code};
use crate::offline::collection::{Keeps, form_of};
use crate::offline::gist::{file_gist, gist_of};
use crate::offline::role::Role;
use crate::offline::rules::is_for_tests;
use crate::offline::statement::Statement;
use crate::offline::words::{code, count, some_of};

/// So many parts are described, of so many that are looked at.
const PARTS: usize = 14;
const LOOKED_AT: usize = 200;
/// With fewer components, files are told, too.
const FEW: usize = 4;
/// So many of them.
const FILES: usize = 8;
/// Files with fewer lines are no component, unless the whole is hardly larger.
const SMALL: u32 = 60;
const SMALL_WHOLE: u64 = 2_000;

/// Whether a directory is no part of the program itself, by its name.
pub(super) fn is_side(path: &str) -> bool {
    Role::of(path).is_some_and(|role| !matches!(role, Role::Source | Role::Migrations))
}

/// The lines of code below some directories.
pub(super) fn code_of(scan: &Scan, dirs: std::ops::Range<u32>) -> u64 {
    let files = dirs.flat_map(|dir| scan.files_of(DirId(dir))).map(|file| scan.file(file));
    // Wrappers of build tools are nobody's own code.
    let files = files.filter(|file| !matches!(scan.name(file.name), b"mvnw" | b"gradlew"));
    files.filter(|file| file.category == Category::Source).map(|file| u64::from(file.code)).sum()
}

impl<'a> Told<'a> {
    /// The main parts, most code first: the directories directly in the target; of one that only groups others, those.
    pub(super) fn tops(&self) -> Vec<(&'a DirEntry, u64, u64)> {
        let scan = self.material.whole.scan;
        let by_path: BTreeMap<&RelPath, &DirEntry> =
            self.material.dirs.iter().map(|entry| (&entry.relative_path, entry)).collect();
        let packages = self.packages();
        let whole = code_of(scan, 0..scan.dirs.len() as u32);
        let mut tops = Vec::new();
        let mut open: Vec<DirId> =
            if scan.dirs.is_empty() { Vec::new() } else { scan.children_of(DirId(0)).collect() };
        while let Some(dir) = open.pop() {
            let Some(entry) = by_path.get(&scan.dir_path(dir)) else { continue };
            let record = scan.dir(dir);
            let code = code_of(scan, dir.0..record.subtree_end);
            let own = code_of(scan, dir.0..dir.0 + 1);
            // A package is a part, whatever it is made of; one that is most of the whole is taken apart.
            let is_told = entry.confidence.is_some_and(|confidence| 0.9 <= confidence.get())
                || packages.contains(&entry.relative_path) && code * 2 < whole
                || is_side(&entry.relative_path.to_word());
            let is_house = (record.own_files == 0 || own * 10 < code) && !is_told;
            // Packages of some languages lie at the end of long chains.
            let is_chain = record.own_files == 0 && scan.children_of(dir).count() == 1;
            if (is_chain || is_house && forks(scan, dir) < 3) && scan.children_of(dir).next().is_some() {
                open.extend(scan.children_of(dir));
                continue;
            }
            tops.push((*entry, code, record.files));
        }
        tops.sort_by(|a, b| {
            (b.1, b.2).cmp(&(a.1, a.2)).then_with(|| a.0.relative_path.cmp(&b.0.relative_path))
        });
        tops
    }

    /// Where manifests declare packages.
    fn packages(&self) -> BTreeSet<&RelPath> {
        let declares = |statement: &Statement| matches!(statement, Statement::Declares { .. });
        self.statements
            .iter()
            .filter(|(_, of, _)| declares(of))
            .map(|(entry, _, _)| &entry.relative_path)
            .collect()
    }

    /// The lines of code in files directly at the top.
    pub(super) fn own_code(&self) -> u64 {
        let scan = self.material.whole.scan;
        if scan.dirs.is_empty() { 0 } else { code_of(scan, 0..1) }
    }

    /// The parts between which imports are told: the tops that are the program itself, taken apart until there are some.
    pub(super) fn own_parts(&self) -> Vec<String> {
        let scan = self.material.whole.scan;
        let mut parts: Vec<String> = self
            .tops()
            .into_iter()
            .filter(|(_, code, _)| 0 < *code)
            .map(|(entry, _, _)| entry.relative_path.to_word())
            .filter(|path| !is_side(path))
            .collect();
        let by_path: BTreeMap<String, DirId> =
            scan.dir_ids().map(|dir| (scan.dir_path(dir).to_word(), dir)).collect();
        let packages = self.packages();
        for _ in 0..3 {
            if FEW <= parts.len() {
                break;
            }
            let mut finer = Vec::new();
            // Packages are parts as they are: who imports one imports all of it.
            let is_whole =
                |part: &&String| 1 < parts.len() && packages.contains(&RelPath::from(part.as_str()));
            for part in parts.iter().filter(|part| !is_whole(part)) {
                let below = by_path.get(part).into_iter().flat_map(|dir| scan.children_of(*dir));
                let with_code = below.filter(|dir| 0 < code_of(scan, dir.0..scan.dir(*dir).subtree_end));
                finer.extend(with_code.map(|dir| scan.dir_path(dir).to_word()).filter(|path| !is_side(path)));
            }
            if finer.is_empty() {
                break;
            }
            finer.retain(|path| !parts.contains(path));
            parts.extend(finer);
        }
        if 0 < self.own_code() {
            parts.push(TOP.to_owned());
        }
        parts
    }

    /// What lies further below a part of a collection, by kinds: its own words tell only of what lies directly in it.
    fn kept_below(&self, part: &DirEntry) -> String {
        let above = part.relative_path.as_bytes();
        let is_below = |entry: &&DirEntry| {
            entry.relative_path.as_bytes().strip_prefix(above).is_some_and(|rest| rest.starts_with(b"/"))
        };
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for entry in self.material.dirs.iter().filter(is_below) {
            for keeps in entry.claims.iter().filter_map(|claim| Keeps::read(&claim.text)) {
                *kinds.entry(keeps.noun).or_default() += keeps.count;
            }
        }
        kinds.remove("link between tables");
        let mut kinds: Vec<(String, u64)> = kinds.into_iter().collect();
        kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let told: Vec<String> = kinds.iter().map(|(noun, all)| count(*all, noun)).collect();
        if told.is_empty() { String::new() } else { format!("; below it {}", some_of(&told, 3)) }
    }

    /// The parts of a collection.
    pub(super) fn parts(&self) -> Option<String> {
        let mut tops = self.tops();
        if tops.is_empty() {
            return None;
        }
        tops.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.relative_path.cmp(&b.0.relative_path)));
        let mut parts: Vec<Alike> = Vec::new();
        for (entry, _, files) in tops.iter().take(LOOKED_AT) {
            let name = code(&format!("{}/", entry.relative_path.to_word()));
            let gist = format!("{}{}", gist_of(entry), self.kept_below(entry));
            let form = form_of(&format!("{name} {gist}"));
            match parts.iter_mut().find(|part| part.form == form) {
                Some(part) => {
                    part.names.push(name);
                    part.files += files;
                }
                None => parts.push(Alike { form, names: vec![name], files: *files, gist }),
            }
        }
        let lines: Vec<String> = parts.iter().take(PARTS).map(Alike::line).collect();
        Some(format!("Its parts, most files first:\n{}", lines.join("\n")))
    }

    /// Packages and directories that the program is made of, most code first; of small programs, files, too.
    pub(super) fn components(&self) -> Vec<Item> {
        let scan = self.material.whole.scan;
        let by_path: BTreeMap<RelPath, DirId> = scan.dir_ids().map(|dir| (scan.dir_path(dir), dir)).collect();
        let size = |path: &RelPath| {
            by_path.get(path).map_or(0, |dir| code_of(scan, dir.0..scan.dir(*dir).subtree_end))
        };
        let mut found: BTreeMap<RelPath, (u64, Item)> = BTreeMap::new();
        let tops = self.tops();
        let all: u64 = tops.iter().map(|(_, code, _)| code).sum();
        for (entry, statement, _) in &self.statements {
            let path = entry.relative_path.to_word();
            if let Statement::Declares { kind, name, .. } = statement
                && !entry.relative_path.is_root()
                && !is_side(&path)
                // What begins so is left out of every build of Go.
                && !(kind == "Go module" && path.split('/').any(|step| step.starts_with('_')))
            {
                let code = size(&entry.relative_path);
                found
                    .entry(entry.relative_path.clone())
                    .or_insert_with(|| (code, part(entry, name.clone(), code)));
            }
        }
        for (entry, code, _) in tops {
            // What is less than a hundredth of the code is no component of a program.
            if code * 100 < all || is_side(&entry.relative_path.to_word()) {
                continue;
            }
            let item = part(entry, entry.relative_path.to_word(), code);
            found.entry(entry.relative_path.clone()).or_insert((code, item));
        }
        let mut found: Vec<(u64, Item)> = found.into_values().collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
        let mut items: Vec<Item> = found.into_iter().map(|(_, item)| item).take(24).collect();
        if items.len() < FEW || all < self.own_code() * 4 {
            items.extend(self.main_files());
        }
        items
    }

    /// The files that a small program is made of: those that most rests on, and the largest.
    fn main_files(&self) -> Vec<Item> {
        let scan = self.material.whole.scan;
        let lines: BTreeMap<RelPath, u32> = scan
            .file_ids()
            .filter(|file| scan.file(*file).category == Category::Source)
            .map(|file| (scan.file_path(file), scan.file(file).code))
            .collect();
        let all: u64 = lines.values().map(|lines| u64::from(*lines)).sum();
        let fewest = if all < SMALL_WHOLE { 2 } else { SMALL };
        let central: Vec<&str> = self.graph.central(FILES).into_iter().map(|(path, _)| path).collect();
        let mut files: Vec<(bool, u32, &FileEntry, String)> = self
            .material
            .files
            .iter()
            .filter_map(|file| {
                let word = file.relative_path.to_word();
                let dir = word.rsplit_once('/').map_or("", |(dir, _)| dir);
                let lines = *lines.get(&file.relative_path)?;
                let is_wrapper = matches!(word.as_str(), "mvnw" | "gradlew");
                let is_own = !is_wrapper
                    && !is_for_tests(&word)
                    && !is_named_test(&word)
                    && !is_side(dir)
                    && fewest <= lines;
                let gist = file_gist(file).filter(|_| is_own)?;
                Some((central.contains(&word.as_str()), lines, file, gist))
            })
            .collect();
        files.sort_by(|a, b| {
            (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| a.2.relative_path.cmp(&b.2.relative_path))
        });
        files.truncate(FILES);
        files.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.2.relative_path.cmp(&b.2.relative_path)));
        let item = |(_, lines, file, gist): (bool, u32, &FileEntry, String)| Item {
            name: file.relative_path.to_word(),
            path: Some(file.relative_path.clone()),
            text: format!("{gist}; {}", lines_of_code(u64::from(lines))),
            sources: file.relative_path.parent().into_iter().collect(),
        };
        files.into_iter().map(item).collect()
    }
}

/// Directories that differ by numbers only, such as one for each year: they are told once.
struct Alike {
    form: String,
    names: Vec<String>,
    files: u64,
    gist: String,
}

impl Alike {
    fn line(&self) -> String {
        let files = count(self.files, "file");
        let Self { names, gist, .. } = self;
        match (names.first(), names.iter().min().zip(names.iter().max())) {
            (Some(one), Some((first, last))) if first != last => {
                let dirs = count(names.len() as u64, "directory");
                format!("- {first} to {last} ({dirs}, {files}): {one}, like the others, {gist}")
            }
            (Some(one), _) => format!("- {one} ({files}): {gist}"),
            (None, _) => String::new(),
        }
    }
}

/// How often the way to a directory forks: packages of some languages lie at the end of long chains.
fn forks(scan: &Scan, dir: DirId) -> usize {
    let path = scan.dir_path(dir);
    let mut forks = 0;
    let mut at = DirId(0);
    while at != dir {
        let next = scan.children_of(at).find(|child| {
            let child = scan.dir_path(*child);
            path.as_bytes()
                .strip_prefix(child.as_bytes())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        });
        let Some(next) = next else { break };
        forks += usize::from(0 < scan.dir(at).own_files || 1 < scan.children_of(at).count());
        at = next;
    }
    forks
}

fn part(entry: &DirEntry, name: String, code: u64) -> Item {
    let gist = gist_of(entry);
    let text = if code == 0 { gist } else { format!("{gist}; {}", lines_of_code(code)) };
    Item { name, path: Some(entry.relative_path.clone()), text, sources: vec![entry.relative_path.clone()] }
}
