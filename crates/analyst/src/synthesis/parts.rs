//! The parts of a target: directories that a reader would name, most code first, and what each is for.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::scan::{DirId, Scan};

use super::Told;
use super::graph::TOP;
use crate::collection::{Keeps, form_of};
use crate::gist::gist_of;
use crate::statement::Statement;
use crate::words::{code, count, some_of};

/// So many parts are described, of so many that are looked at.
const PARTS: usize = 14;
const LOOKED_AT: usize = 200;
/// With fewer parts, those are taken apart.
const FEW: usize = 4;

impl<'a> Told<'a> {
    /// The main parts, most code first: the directories directly in the target; of one that only groups others, those.
    pub(super) fn tops(&self) -> Vec<(&'a DirEntry, u64, u64)> {
        let scan = self.material.whole.scan;
        let by_path: BTreeMap<&RelPath, &DirEntry> =
            self.material.dirs.iter().map(|entry| (&entry.relative_path, entry)).collect();
        let packages = self.packages();
        let whole = self.sides.code(scan, 0..scan.dirs.len() as u32);
        let mut tops = Vec::new();
        let mut open: Vec<DirId> =
            if scan.dirs.is_empty() { Vec::new() } else { scan.children_of(DirId(0)).collect() };
        while let Some(dir) = open.pop() {
            let Some(entry) = by_path.get(&scan.dir_path(dir)) else { continue };
            let record = scan.dir(dir);
            let code = self.sides.code(scan, dir.0..record.subtree_end);
            let own = self.sides.code(scan, dir.0..dir.0 + 1);
            // A package is a part, whatever it is made of; one that is most of the whole is taken apart.
            let is_told = entry.confidence.is_some_and(|confidence| 0.9 <= confidence.get())
                || packages.contains(&entry.relative_path) && code * 2 < whole
                || self.sides.has(&entry.relative_path.to_word());
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
        if scan.dirs.is_empty() { 0 } else { self.sides.code(scan, 0..1) }
    }

    /// The parts between which imports are told: the tops that are the program itself, taken apart until there are some.
    pub(super) fn own_parts(&self) -> Vec<String> {
        let scan = self.material.whole.scan;
        let mut parts: Vec<String> = self
            .tops()
            .into_iter()
            .filter(|(_, code, _)| 0 < *code)
            .map(|(entry, _, _)| entry.relative_path.to_word())
            .filter(|path| !self.sides.has(path))
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
                let with_code =
                    below.filter(|dir| 0 < self.sides.code(scan, dir.0..scan.dir(*dir).subtree_end));
                finer.extend(
                    with_code.map(|dir| scan.dir_path(dir).to_word()).filter(|path| !self.sides.has(path)),
                );
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
    let parent = |dir: &DirId| (dir.0 != 0).then(|| scan.dir(*dir).parent);
    let above = std::iter::successors(parent(&dir), parent);
    above.filter(|at| 0 < scan.dir(*at).own_files || scan.children_of(*at).nth(1).is_some()).count()
}
