//! What data there is, which time it covers and what is wrong with it; of a target without a program, the whole in two
//! sentences.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::report::Item;

use super::Told;
use crate::offline::collection::{Keeps, part, together};
use crate::offline::role::Role;
use crate::offline::rules;
use crate::offline::statement::Statement;
use crate::offline::words::{code, count, list, number, some_of};

/// So many files are told.
const FILES: usize = 40;

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
            Some("document" | "picture") => 2,
            Some("log line") => return 2 * self.keeps.len() as u64 + 3,
            Some("packed file") => return self.keeps.len() as u64,
            Some(_) | None => 1,
        };
        self.count() * each
    }

    fn sentence(&self) -> String {
        if let [only] = &self.keeps[..] {
            let details: Vec<&str> = only.details.split("; ").take(2).collect();
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
        let place = |path: &str| if path == "." { "the top directory".to_owned() } else { code(path) };
        let mut places: Vec<String> = self.keeps.iter().map(|keeps| place(&keeps.path)).collect();
        places.dedup();
        format!("{} in {}", part(&merged), some_of(&places, 3))
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
                let Some((name, files)) = one.strip_suffix(')').and_then(|one| one.rsplit_once(" (")) else {
                    continue;
                };
                *cameras.entry(name).or_default() += files.replace(',', "").parse::<u64>().unwrap_or(0);
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
                let place = if item.name == "." || item.text.starts_with('`') {
                    String::new()
                } else {
                    format!("{}: ", code(&item.name))
                };
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
        let mut places = std::collections::BTreeSet::new();
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
            return kept.into_iter().take(FILES).collect();
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
            faults.extend(self.empty());
            faults.extend(self.twins());
        }
        let mut told = std::collections::BTreeSet::new();
        faults.retain(|item| told.insert((item.name.clone(), item.text.clone())));
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

    /// Files with the same content.
    fn twins(&self) -> Option<Item> {
        let groups = rules::tree::alike(self.material.whole.scan, |_| true);
        let (_, first) = groups.first()?;
        let names: Vec<String> = first.iter().map(|path| code(&path.to_word())).collect();
        let copies: usize = groups.iter().map(|(_, paths)| paths.len() - 1).sum();
        let more = if groups.len() == 1 {
            String::new()
        } else {
            format!(", {} in all", count(copies as u64, "copy"))
        };
        Some(Item {
            name: ".".to_owned(),
            text: format!(
                "{} have the same content{more}",
                list(&names.into_iter().take(4).collect::<Vec<_>>())
            ),
            ..Item::default()
        })
    }
}
