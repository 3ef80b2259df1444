//! What is wrong with the data of a target, what is not there, and what was left out.

use std::collections::BTreeSet;

use luminos_core::RelPath;
use luminos_core::report::Item;

use super::Told;
use crate::collection::gathered;
use crate::rules;
use crate::statement::Statement;
use crate::words::{code, number, some_of};

/// So many faults are told.
const FAULTS: usize = 40;
/// So many places of one kind are told.
const PLACES: usize = 3;
/// So many directories by years have a rhythm.
const YEARS: usize = 4;

/// How much a fault matters: what tells about the world before what tells about cells.
pub(super) fn weight(fault: &str) -> u8 {
    let first = [
        "stops on",
        "burst",
        "out of place",
        "cut off",
        "does not begin like one",
        "no rows on",
        "where ",
        "lacks the column",
        "a slip, or something rare",
        "e-mail addresses",
        "logins failed",
        "errors say",
        "keys or passwords",
        "fewer pages than",
        "in the middle of",
        "not there",
        "between ",
    ];
    let last = ["leaves beside a document", "has no rows", "have no rows", "empty in every row"];
    match () {
        () if first.iter().any(|word| fault.contains(word)) => 0,
        () if last.iter().any(|word| fault.contains(word)) => 2,
        () => 1,
    }
}

impl Told<'_> {
    /// What is wrong with the data.
    pub(super) fn quality(&self) -> Vec<Item> {
        // What was told of a set is not told again of its files.
        let sets: Vec<String> = self
            .kept()
            .filter(|(_, keeps)| {
                keeps.noun.ends_with("table")
                    && 1 < keeps.count
                    && !keeps.path.contains(".db")
                    && !keeps.path.ends_with(".sql")
            })
            .map(|(_, keeps)| keeps.path)
            .collect();
        let faults = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Lacks { path, words } = statement else { return None };
            let dir = path.rsplit_once('/').map_or(".", |(dir, _)| dir);
            // Of a program it is told what is wrong with its code.
            let is_told_again = words.contains(" missing and ")
                || words.contains(" missing, ")
                || words.ends_with(" missing") && !words.contains(" of ");
            if sets.iter().any(|set| set == dir) || self.is_software() || is_told_again {
                return None;
            }
            Some(Item {
                name: path.clone(),
                path: Some(RelPath::from(path.as_str())),
                text: words.clone(),
                sources: vec![entry.relative_path.clone()],
            })
        });
        let mut faults: Vec<Item> = faults.collect();
        faults.sort_by_key(|item| weight(&item.text));
        if !self.is_software() {
            faults.extend(self.years_left_out());
            faults.extend(self.empty());
            faults.extend(self.twins());
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
fn said_once(faults: Vec<Item>) -> Vec<Item> {
    let groups = gathered(faults, |item| item.text.clone());
    let told = groups.into_iter().filter_map(|mut group| {
        let mut others: Vec<String> = group.drain(1..).map(|item| item.name).collect();
        let first = group.pop()?;
        others.retain(|name| *name != first.name);
        others.dedup();
        let others: Vec<String> = others.iter().map(|name| code(name)).collect();
        Some(match others.is_empty() {
            true => first,
            false => Item { text: format!("{} (also in {})", first.text, some_of(&others, PLACES)), ..first },
        })
    });
    told.collect()
}
