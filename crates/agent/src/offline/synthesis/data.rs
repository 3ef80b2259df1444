//! What data there is, which time it covers and what is wrong with it; of a target without a program, the whole in two
//! sentences.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::report::Item;

use super::Told;
use crate::offline::collection::{Keeps, form_of, part, together};
use crate::offline::role::Role;
use crate::offline::rules;
use crate::offline::statement::Statement;
use crate::offline::words::{code, count, list, number, some_of};

/// So many files are told.
const FILES: usize = 40;
/// So many places are told by their paths.
const PLACES: usize = 3;
/// So many directories by years have a rhythm.
const YEARS: usize = 4;

/// A kind of thing that is collected here, wherever it lies.
struct Kind {
    keeps: Vec<Keeps>,
}

impl Kind {
    fn count(&self) -> u64 {
        self.keeps.iter().map(|keeps| keeps.count).sum()
    }

    /// What matters more is told first: rows and mails before what surrounds them.
    fn weight(&self) -> u64 {
        let each = match self.keeps.first().map(|keeps| keeps.noun.as_str()) {
            Some(noun) if noun.ends_with("table") && noun != "dumped table" && noun != "database table" => 20,
            Some("record") => return 15 * self.keeps.len() as u64,
            Some("photo" | "mail") => 5,
            Some("web page") => 3,
            Some("document" | "picture" | "notebook") => 2,
            Some("log line") => return 2 * self.keeps.len() as u64 + 3,
            Some("packed file") => return self.keeps.len() as u64,
            Some("map feature" | "track point" | "place mark" | "contact" | "appointment") => {
                return 10 * self.keeps.len() as u64;
            }
            Some("recording" | "book") => 4,
            Some("link between tables") => 0,
            Some(_) | None => 1,
        };
        self.count() * each
    }

    fn sentence(&self) -> String {
        if let [only] = &self.keeps[..] {
            // Names of single files are told below.
            let details: Vec<&str> = only
                .details
                .split("; ")
                .take(2)
                .filter(|part| !part.starts_with('`') || only.noun.ends_with("table"))
                .collect();
            let place = if only.path == "." { String::new() } else { format!(" in {}", code(&only.path)) };
            return format!("{}{place}", part(&Keeps { details: details.join("; "), ..only.clone() }));
        }
        let noun = self.keeps.first().map_or("", |keeps| keeps.noun.as_str());
        let from = self.keeps.iter().filter_map(|keeps| keeps.period.as_ref()).map(|period| &period.0).min();
        let to = self.keeps.iter().filter_map(|keeps| keeps.period.as_ref()).map(|period| &period.1).max();
        let period = from.cloned().zip(to.cloned());
        let merged = Keeps {
            path: String::new(),
            count: self.count(),
            noun: noun.to_owned(),
            period,
            details: self.cameras(),
        };
        format!("{} in {}", part(&merged), self.places())
    }

    /// Where they lie: few places by their paths, many by the directories at the top, those with most first.
    fn places(&self) -> String {
        let place = |path: &str| if path == "." { "the top directory".to_owned() } else { code(path) };
        let mut places: Vec<String> = self.keeps.iter().map(|keeps| place(&keeps.path)).collect();
        places.dedup();
        if places.len() <= PLACES {
            return list(&places);
        }
        let mut tops: BTreeMap<&str, u64> = BTreeMap::new();
        for keeps in &self.keeps {
            *tops.entry(keeps.path.split('/').next().unwrap_or(".")).or_default() += keeps.count;
        }
        if tops.len() < 2 {
            return some_of(&places, PLACES);
        }
        let mut tops: Vec<(&str, u64)> = tops.into_iter().collect();
        tops.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let told: Vec<String> =
            tops.iter().map(|(path, files)| format!("{} ({})", place(path), number(*files))).collect();
        some_of(&told, PLACES * 2)
    }

    /// The cameras of all photos together.
    fn cameras(&self) -> String {
        let mut cameras: BTreeMap<&str, u64> = BTreeMap::new();
        for keeps in &self.keeps {
            let Some(told) = keeps.details.split("; ").find_map(|part| part.strip_prefix("taken with "))
            else {
                continue;
            };
            for one in told.split(", ").flat_map(|part| part.split(" and ")) {
                // A single camera took all of them.
                let (name, files) = match one.strip_suffix(')').and_then(|one| one.rsplit_once(" (")) {
                    Some((name, files)) => (name, files.replace(',', "").parse::<u64>().unwrap_or(0)),
                    None if told == one => (one, keeps.count),
                    None => continue,
                };
                *cameras.entry(name).or_default() += files;
            }
        }
        let mut cameras: Vec<(&str, u64)> = cameras.into_iter().collect();
        cameras.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let told: Vec<String> =
            cameras.iter().map(|(name, files)| format!("{name} ({})", number(*files))).collect();
        if told.is_empty() { String::new() } else { format!("taken with {}", some_of(&told, 3)) }
    }
}

/// How much a fault matters: what tells about the world before what tells about cells.
fn weight(fault: &str) -> u8 {
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
    ];
    if first.iter().any(|word| fault.contains(word)) { 0 } else { 1 }
}

/// Sets of the same columns in one line: a program keeps many measurements of one form.
fn alike(items: Vec<Item>) -> Vec<Item> {
    let form =
        |item: &Item| -> Vec<String> { item.text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut groups: Vec<(Vec<String>, Vec<Item>)> = Vec::new();
    for item in items {
        let columns = form(&item);
        match groups.iter_mut().find(|(known, _)| !columns.is_empty() && *known == columns) {
            Some((_, group)) => group.push(item),
            None => groups.push((columns, vec![item])),
        }
    }
    let told = groups.into_iter().filter_map(|(columns, group)| {
        let others = group.len() - 1;
        let first = group.into_iter().next()?;
        if others == 0 {
            return Some(first);
        }
        let columns: Vec<String> = columns.iter().map(|name| code(name)).collect();
        let text =
            format!("{}; the same columns in {}", some_of(&columns, 12), count(others as u64, "more file"));
        Some(Item { text: format!("columns {text}"), ..first })
    });
    told.take(FILES).collect()
}

impl Told<'_> {
    fn kept(&self) -> impl Iterator<Item = (&luminos_core::entry::DirEntry, Keeps)> {
        self.material.dirs.iter().flat_map(|entry| {
            entry.claims.iter().filter_map(move |claim| Some((entry, Keeps::read(&claim.text)?)))
        })
    }

    /// The whole in two sentences, for a target without a program; `None` where nothing is known of its files.
    pub(super) fn collected(&self) -> Option<String> {
        let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
        for (_, keeps) in self.kept() {
            kinds.entry(keeps.noun.clone()).or_insert_with(|| Kind { keeps: Vec::new() }).keeps.push(keeps);
        }
        for kind in kinds.values_mut() {
            kind.keeps = together(std::mem::take(&mut kind.keeps));
        }
        let mut kinds: Vec<Kind> = kinds.into_values().collect();
        kinds.retain(|kind| 0 < kind.weight());
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.weight()));
        let mut told: Vec<String> = kinds.iter().take(4).map(Kind::sentence).collect();
        told.extend(self.programs());
        if told.is_empty() {
            return None;
        }
        let mut text = format!("{} keeps {}.", code(self.material.whole.name), told.join("; "));
        let mut faults: Vec<String> = self
            .quality()
            .into_iter()
            .map(|item| {
                let place = if item.name == "." { String::new() } else { format!("{}: ", code(&item.name)) };
                format!("{place}{}", item.text)
            })
            .collect();
        faults.sort_by_key(|fault| weight(fault));
        if !faults.is_empty() {
            let more = faults.len().saturating_sub(3);
            faults.truncate(3);
            let more = if more == 0 {
                String::new()
            } else {
                format!("; {} below", count(more as u64, "more remark"))
            };
            text.push_str(&format!(" Worth knowing: {}{more}.", faults.join("; ")));
        }
        Some(text)
    }

    /// Programs that lie in a collection, by their manifests.
    fn programs(&self) -> Option<String> {
        let mut places = BTreeSet::new();
        let packages = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Declares { kind, name, .. } = statement else { return None };
            let dir = entry.relative_path.to_word();
            let is_new = !entry.relative_path.is_root() && places.insert(dir.clone());
            is_new.then(|| format!("the {kind} {} in {}", code(name), code(&dir)))
        });
        let packages: Vec<String> = packages.collect();
        (!packages.is_empty()).then(|| some_of(&packages, 2))
    }

    /// Tables, logs, mailboxes and notebooks with what they hold.
    pub(super) fn datasets(&self) -> Vec<Item> {
        let kept: Vec<Item> = self
            .material
            .dirs
            .iter()
            .flat_map(|entry| {
                let keeps = entry.claims.iter().filter_map(|claim| Keeps::read(&claim.text)).collect();
                together(keeps).into_iter().map(move |keeps| Item {
                    name: keeps.path.clone(),
                    path: Some(RelPath::from(keeps.path.trim_start_matches('.'))),
                    text: part(&keeps),
                    sources: vec![entry.relative_path.clone()],
                })
            })
            .collect();
        if !kept.is_empty() {
            return of_one_form(kept).into_iter().take(FILES).collect();
        }
        let mut items: BTreeMap<&str, Item> = BTreeMap::new();
        for (entry, statement, _) in &self.statements {
            let (path, text) = if let Statement::Columns { path, names } = statement {
                let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                (path, format!("columns {}", some_of(&names, 12)))
            } else if let Statement::Holds { path, words } = statement {
                (path, words.clone())
            } else {
                continue;
            };
            let item = Item {
                name: path.clone(),
                path: Some(RelPath::from(path.as_str())),
                text,
                sources: vec![entry.relative_path.clone()],
            };
            // What says how much there is says more than the names alone.
            if matches!(statement, Statement::Holds { .. }) || !items.contains_key(path.as_str()) {
                items.insert(path, item);
            }
        }
        if self.is_software() {
            items.retain(|path, _| !rules::is_for_tests(path));
            return alike(items.into_values().collect());
        }
        items.into_values().take(FILES).collect()
    }

    /// The time that all data together covers. What tests use says nothing about it.
    pub(super) fn period(&self) -> Option<String> {
        let kept: Vec<Keeps> =
            self.kept().map(|(_, keeps)| keeps).filter(|keeps| keeps.period.is_some()).collect();
        let from = kept.iter().filter_map(|keeps| Some((&keeps.period.as_ref()?.0, &keeps.path))).min();
        let to = kept.iter().filter_map(|keeps| Some((&keeps.period.as_ref()?.1, &keeps.path))).max();
        if let (Some((from, first)), Some((to, last))) = (from, to) {
            return Some(if first == last {
                format!("{from} to {to} ({}).", code(first))
            } else {
                format!("{from} ({}) to {to} ({}).", code(first), code(last))
            });
        }
        let spans = self.statements.iter().filter_map(|(_, statement, _)| {
            let Statement::Spans { path, from, to } = statement else { return None };
            let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            let is_for_tests = matches!(Role::of(dir), Some(Role::Tests | Role::Fixtures | Role::Examples));
            (!is_for_tests).then_some((path, from, to))
        });
        let spans: Vec<_> = spans.collect();
        let (first, from, _) = spans.iter().min_by_key(|(_, from, _)| *from)?;
        let (last, _, to) = spans.iter().max_by_key(|(_, _, to)| *to)?;
        Some(if first == last {
            format!("{from} to {to} ({}).", code(first))
        } else {
            format!("{from} ({}) to {to} ({}).", code(first), code(last))
        })
    }

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
        faults.truncate(FILES);
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
            .filter(|name| !name.ends_with(".DS_Store`") && !name.ends_with(".git/`"))
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
    let mut groups: Vec<(Item, Vec<String>)> = Vec::new();
    for item in faults {
        match groups.iter_mut().find(|(first, _)| first.text == item.text) {
            Some((first, others)) if first.name != item.name => others.push(code(&item.name)),
            Some(_) => {}
            None => groups.push((item, Vec::new())),
        }
    }
    let told = groups.into_iter().map(|(first, others)| match others.is_empty() {
        true => first,
        false => Item { text: format!("{} (so it is in {})", first.text, some_of(&others, PLACES)), ..first },
    });
    told.collect()
}

/// Items of one directory that differ by numbers only, such as one for each year, as one.
fn of_one_form(items: Vec<Item>) -> Vec<Item> {
    let mut groups: Vec<(String, Vec<Item>)> = Vec::new();
    for item in items {
        let form = form_of(&format!("{} {}", item.name, item.text));
        match groups.iter_mut().find(|(known, _)| *known == form) {
            Some((_, group)) => group.push(item),
            None => groups.push((form, vec![item])),
        }
    }
    let told = groups.into_iter().flat_map(|(_, group)| match &group[..] {
        [first, .., last] if PLACES <= group.len() => {
            let text = format!(
                "{}; the same in {} up to {}",
                first.text,
                count(group.len() as u64 - 1, "more directory"),
                code(&last.name)
            );
            vec![Item { text, ..first.clone() }]
        }
        _ => group,
    });
    told.collect()
}
