//! What is wrong with the data of a target, what is not there, and what was left out.

use std::collections::BTreeSet;

use luminos_core::RelPath;
use luminos_core::fact::{FactKind, Gravity};
use luminos_core::report::Item;

use super::{Known, Told};
use crate::collection::gathered;
use crate::rules;
use crate::words::{code, number, some_of};

/// So many faults are told.
const FAULTS: usize = 40;
/// So many places of one kind are told.
const PLACES: usize = 3;
/// So many directories by years have a rhythm.
const YEARS: usize = 4;

/// Something that is wrong, and how much that matters: what tells about the world comes before what tells about cells.
pub(super) struct Remark {
    pub(super) gravity: Gravity,
    pub(super) item: Item,
}

impl Remark {
    fn usual(item: Item) -> Self {
        Self { gravity: Gravity::Usual, item }
    }
}

impl Told<'_> {
    /// What is wrong with the data.
    pub(super) fn quality(&self) -> Vec<Item> {
        self.remarks().into_iter().map(|remark| remark.item).collect()
    }

    /// What is wrong with the data, with how much it matters.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        // What was told of a set is not told again of its files.
        let sets = self.sets_of_tables();
        let faults = self.facts.iter().filter_map(|Known { entry, path, fact, .. }| {
            let FactKind::Fault { gravity, text } = *fact else { return None };
            let dir = path.rsplit_once('/').map_or(".", |(dir, _)| dir);
            // Of a program it is told what is wrong with its code.
            if sets.iter().any(|set| set == dir) || self.is_software() || *gravity == Gravity::Repeated {
                return None;
            }
            let item = Item {
                name: path.clone(),
                path: Some(RelPath::from(path.as_str())),
                text: text.clone(),
                sources: vec![entry.relative_path.clone()],
                ..Item::default()
            };
            Some(Remark { gravity: *gravity, item })
        });
        let mut faults: Vec<Remark> = faults.collect();
        faults.sort_by_key(|remark| remark.gravity);
        if !self.is_software() {
            let left_out = self.years_left_out().into_iter();
            faults.extend(left_out.map(|item| Remark { gravity: Gravity::High, item }));
            faults.extend(self.empty().map(Remark::usual));
            faults.extend(self.twins().map(Remark::usual));
        }
        let mut faults = said_once(faults);
        faults.truncate(FAULTS);
        faults
    }

    /// Files without content: they cannot be cited, and the scan counts them.
    fn empty(&self) -> Option<Item> {
        let scan = self.material.whole.scan;
        let is_empty = |file: &luminos_core::scan::FileId| {
            let record = scan.file(*file);
            record.kind == luminos_core::scan::Kind::File && record.size == 0
        };
        let names: Vec<String> =
            scan.file_ids().filter(is_empty).map(|file| code(&scan.file_path(file).to_word())).collect();
        let (verb, thing) = if names.len() == 1 { ("is", "file") } else { ("are", "files") };
        (!names.is_empty()).then(|| Item {
            name: ".".to_owned(),
            text: format!("{} {thing} {verb} empty: {}", number(names.len() as u64), some_of(&names, 4)),
            ..Item::default()
        })
    }

    /// Whether most of what lies at the top is hidden, as where somebody keeps settings of programs.
    pub(super) fn is_mostly_hidden(&self) -> bool {
        let scan = self.material.whole.scan;
        let is_hidden = |skipped: &&luminos_core::scan::Skipped| {
            let word = skipped.path.to_word();
            let is_of_git = word.starts_with(".git") && word != ".gitconfig";
            skipped.rule == luminos_core::scan::Rule::Hidden
                && !skipped.is_dir
                && !word.contains('/')
                && !is_of_git
        };
        let hidden = scan.skipped.iter().filter(is_hidden).count();
        crate::tree::root_names(scan).len() < hidden
    }

    /// What is hidden and was left out: in a collection that may be folders of mail, or keys.
    pub(super) fn hidden(&self) -> Option<String> {
        let scan = self.material.whole.scan;
        let is_hidden =
            |skipped: &&luminos_core::scan::Skipped| skipped.rule == luminos_core::scan::Rule::Hidden;
        let mut names: Vec<String> = scan
            .skipped
            .iter()
            .filter(is_hidden)
            .map(|skipped| {
                let word = skipped.path.to_word();
                code(&if skipped.is_dir { format!("{word}/") } else { word })
            })
            // What systems leave beside each file is of no use to anybody.
            .filter(|name| {
                let own = name.trim_matches('`').trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                !own.starts_with("._") && own != ".DS_Store" && own != ".git"
            })
            .collect();
        names.sort();
        (!names.is_empty()).then(|| {
            format!("Left out, because it is hidden: {}; {} looks inside.", some_of(&names, 6), code("--all"))
        })
    }

    /// Years that are not there, where directories are called by years.
    fn years_left_out(&self) -> Vec<Item> {
        let scan = self.material.whole.scan;
        let mut found = Vec::new();
        for dir in scan.dir_ids() {
            let name =
                |child| scan.dir_path(child).to_word().rsplit('/').next().unwrap_or_default().to_owned();
            let years: BTreeSet<u32> = scan
                .children_of(dir)
                .filter_map(|child| name(child).parse::<u32>().ok())
                .filter(|year| (1900..2100).contains(year))
                .collect();
            let (Some(first), Some(last)) = (years.first(), years.last()) else { continue };
            let lost: Vec<String> =
                (*first..*last).filter(|year| !years.contains(year)).map(|year| year.to_string()).collect();
            if years.len() < YEARS || lost.is_empty() || years.len() < lost.len() * 2 {
                continue;
            }
            let path = scan.dir_path(dir);
            let word = path.to_word();
            found.push(Item {
                name: if word.is_empty() { ".".to_owned() } else { word },
                path: Some(path.clone()),
                text: format!("nothing for {}, between {first} and {last}", some_of(&lost, 4)),
                sources: vec![path],
                ..Item::default()
            });
        }
        found.truncate(PLACES);
        found
    }

    /// Files with the same content.
    fn twins(&self) -> Option<Item> {
        let groups = rules::tree::alike(self.material.whole.scan, |_| true);
        let (_, first) = groups.first()?;
        let names: Vec<String> = first.iter().map(|path| code(&path.to_word())).collect();
        let copies: usize = groups.iter().map(|(_, paths)| paths.len() - 1).sum();
        let waste: u64 = groups.iter().map(|(size, paths)| size * (paths.len() as u64 - 1)).sum();
        let more = if groups.len() == 1 {
            String::new()
        } else {
            let files = if copies == 1 {
                "1 file is a copy".to_owned()
            } else {
                format!("{} files are copies", number(copies as u64))
            };
            format!("; in all {files} of others, {}", luminos_core::ByteSize(waste))
        };
        let text = format!("{} have the same content{more}", some_of(&names, 4));
        Some(Item { name: ".".to_owned(), text, ..Item::default() })
    }
}

/// What is said of several files in the same words is said once.
fn said_once(faults: Vec<Remark>) -> Vec<Remark> {
    let groups = gathered(faults, |remark| remark.item.text.clone());
    let told = groups.into_iter().filter_map(|mut group| {
        let mut others: Vec<String> = group.drain(1..).map(|remark| remark.item.name).collect();
        let Remark { gravity, item: first } = group.pop()?;
        others.retain(|name| *name != first.name);
        others.dedup();
        let others: Vec<String> = others.iter().map(|name| code(name)).collect();
        let item = match others.is_empty() {
            true => first,
            false => Item { text: format!("{} (also in {})", first.text, some_of(&others, PLACES)), ..first },
        };
        Some(Remark { gravity, item })
    });
    told.collect()
}
