//! What data there is, which time it covers and what is wrong with it; of a target without a program, the whole in two
//! sentences.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::fact::{Contents, Count, Detail, FactKind, Holding};
use luminos_core::report::Item;

use super::faults::Remark;
use super::{Known, Told};
use crate::collection::{Kept, form_of, gathered, together};
use crate::role::Role;
use crate::rules;
use crate::sentence::{self, part};
use crate::survey::{Collection, collection};
use crate::tree::categories;
use crate::words::{code, count, list, number, some_of};

/// So many files are told.
const FILES: usize = 40;
/// So many files usually lie beside a shapefile.
const BESIDE_SHAPES: u64 = 4;
/// So many notebooks of one directory are named.
const NOTEBOOKS: usize = 8;
/// So many places are told by their paths.
const PLACES: usize = 3;

/// A kind of thing that is collected here, wherever it lies.
struct Kind {
    keeps: Vec<Kept>,
}

impl Kind {
    fn count(&self) -> u64 {
        self.keeps.iter().map(|keeps| keeps.holding.count).sum()
    }

    /// How many files these are: of logs and mails, lines and letters are counted.
    fn files(&self) -> u64 {
        // A shapefile is several files of one name.
        let shapes = self.keeps.iter().filter(|keeps| keeps.path.ends_with(".shp")).count() as u64;
        let beside = shapes * BESIDE_SHAPES;
        beside
            + match self.keeps.first().map(|keeps| keeps.holding.noun.as_str()) {
                Some(
                    "log line" | "record" | "database table" | "dumped table" | "table definition"
                    | "map feature" | "track point" | "place mark" | "contact" | "appointment" | "sheet",
                ) => self.keeps.len() as u64,
                // An archive is one file, however much it packs; files that are packed one by one are told by their names.
                Some("packed file") => self
                    .keeps
                    .iter()
                    .map(|keeps| match keeps.holding.details.first() {
                        Some(Detail::Names(_)) => keeps.holding.count,
                        _ => 1,
                    })
                    .sum(),
                Some(_) | None => self.count(),
            }
    }

    /// What matters more is told first: rows and mails before what surrounds them.
    fn weight(&self) -> u64 {
        let each = match self.keeps.first().map(|keeps| keeps.holding.noun.as_str()) {
            Some(noun) if noun.ends_with("table") && noun != "dumped table" && noun != "database table" => 20,
            Some("sheet") => return 20 * self.keeps.len() as u64,
            Some("record") => return 15 * self.keeps.len() as u64,
            Some("photo" | "scan" | "mail") => 5,
            Some("web page") => 3,
            Some("document" | "picture" | "notebook") => 2,
            Some("log line") => return 2 * self.keeps.len() as u64 + 3,
            Some("packed file") => return self.keeps.len() as u64,
            Some("map feature" | "track point" | "place mark" | "contact" | "appointment") => {
                return 10 * self.keeps.len() as u64;
            }
            Some("recording" | "video" | "book") => 4,
            Some("link between tables") => 0,
            Some(_) | None => 1,
        };
        self.count() * each
    }

    fn sentence(&self) -> String {
        if let [only] = &self.keeps[..] {
            let Kept { path, holding } = only;
            // Names of single files are told below.
            let shown = if holding.noun == "sheet" { 1 } else { 2 };
            let is_shown =
                |detail: &&Detail| !matches!(detail, Detail::Names(_)) || holding.noun.ends_with("table");
            let details = holding.details.iter().take(shown).filter(is_shown).cloned().collect();
            let place = if path == "." { String::new() } else { format!(" in {}", code(path)) };
            return format!("{}{place}", part(&Holding { details, ..holding.clone() }));
        }
        let noun = self.keeps.first().map_or("", |keeps| keeps.holding.noun.as_str());
        let periods = || self.keeps.iter().filter_map(|keeps| keeps.holding.period);
        let from = periods().map(|(from, _)| from).min();
        let to = periods().map(|(_, to)| to).max();
        let merged = Holding {
            count: self.count(),
            noun: noun.to_owned(),
            period: from.zip(to),
            details: [self.cameras(), self.site()].into_iter().flatten().collect(),
        };
        format!("{} in {}", part(&merged), self.places())
    }

    /// Where they lie: few places by their paths, many by the directories at the top, those with most first.
    fn places(&self) -> String {
        // Beside files at the top, the others there have no place of their own.
        let is_file = |path: &str| !path.contains('/') && path.trim_start_matches('.').contains('.');
        let at_top = self.keeps.iter().filter(|keeps| is_file(&keeps.path)).count();
        let top = if self.keeps.len() < at_top * 2 { "other files" } else { "the top directory" };
        let place = |path: &str| if path == "." { top.to_owned() } else { code(path) };
        let mut places: Vec<String> = self.keeps.iter().map(|keeps| place(&keeps.path)).collect();
        places.dedup();
        // Files that are numbered are told by the first and the last.
        let forms: BTreeSet<String> = places.iter().map(|place| form_of(place)).collect();
        if let ([first, .., last], 1, true) = (&places[..], forms.len(), PLACES < places.len()) {
            return format!("{first} to {last}");
        }
        if places.len() <= PLACES {
            return list(&places);
        }
        let mut tops: BTreeMap<&str, u64> = BTreeMap::new();
        for keeps in &self.keeps {
            *tops.entry(keeps.path.split('/').next().unwrap_or(".")).or_default() += keeps.holding.count;
        }
        if tops.len() < 2 {
            return some_of(&places, PLACES);
        }
        let mut tops: Vec<(&str, u64)> = tops.into_iter().collect();
        tops.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        // One of each needs no number.
        let is_one_each = tops.iter().all(|(_, files)| *files == 1);
        let told: Vec<String> = tops
            .iter()
            .map(
                |(path, files)| {
                    if is_one_each { place(path) } else { format!("{} ({})", place(path), number(*files)) }
                },
            )
            .collect();
        some_of(&told, PLACES * 2)
    }

    /// The site that all pages are of.
    fn site(&self) -> Option<Detail> {
        let of = |keeps: &Kept| {
            keeps.holding.details.iter().find_map(|detail| match detail {
                Detail::Site(site) => Some(site.clone()),
                _ => None,
            })
        };
        let mut sites: Vec<Option<String>> = self.keeps.iter().map(of).collect();
        sites.dedup();
        if let [Some(only)] = &sites[..] { Some(Detail::Site(only.clone())) } else { None }
    }

    /// The cameras of all photos together.
    fn cameras(&self) -> Option<Detail> {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for Kept { holding, .. } in &self.keeps {
            for detail in &holding.details {
                let Detail::Cameras { are_scanners: false, took_all, cameras } = detail else { continue };
                for Count { number, of } in cameras {
                    *sums.entry(of).or_default() += if *took_all { holding.count } else { *number };
                }
            }
        }
        let mut cameras: Vec<Count> =
            sums.into_iter().map(|(of, number)| Count { number, of: of.to_owned() }).collect();
        cameras.sort_by(|a, b| b.number.cmp(&a.number).then_with(|| a.of.cmp(&b.of)));
        (!cameras.is_empty()).then_some(Detail::Cameras { are_scanners: false, took_all: false, cameras })
    }
}

/// Data of a file, with the names of its columns if it is a table.
type Dataset = (Item, Vec<String>);

/// Sets of the same columns in one line: a program keeps many measurements of one form.
fn alike(items: Vec<Dataset>) -> Vec<Item> {
    let mut groups: Vec<(Vec<String>, Vec<Item>)> = Vec::new();
    for (item, columns) in items {
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
    /// What each directory keeps, directory by directory.
    fn kept(&self) -> impl Iterator<Item = (&DirEntry, Kept)> {
        self.material.dirs.iter().flat_map(|entry| {
            let facts = entry.all_facts();
            facts.filter_map(move |(fact, _)| Some((entry, Kept::of(fact, &entry.relative_path)?)))
        })
    }

    /// The paths of tables that are told as a set of files, wherever those stand.
    pub(super) fn sets_of_tables(&self) -> Vec<String> {
        let sets = self.kept().filter(|(_, Kept { path, holding })| {
            let is_inside = path.contains(".db") || path.ends_with(".sql");
            holding.noun.ends_with("table") && 1 < holding.count && !is_inside
        });
        sets.map(|(_, keeps)| keeps.path).collect()
    }

    /// What the whole keeps, in two sentences without its name, for a target without a program; `None` where nothing is known of its files.
    pub(super) fn collected(&self) -> Option<String> {
        let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
        for (_, keeps) in self.kept() {
            kinds
                .entry(keeps.holding.noun.clone())
                .or_insert_with(|| Kind { keeps: Vec::new() })
                .keeps
                .push(keeps);
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
        let mut text = match self.mostly(&kinds) {
            Some(files) => format!("keeps {files}; among them {}.", told.join("; ")),
            None => format!("keeps {}.", told.join("; ")),
        };
        let mut faults: Vec<Remark> = self.remarks();
        faults.sort_by_key(|remark| remark.gravity);
        if !faults.is_empty() {
            let more = faults.len().saturating_sub(3);
            faults.truncate(3);
            // What is wrong with one file is told together.
            let groups = gathered(faults, |remark| remark.item.name.clone());
            let faults: Vec<String> = groups
                .iter()
                .map(|group| {
                    let texts: Vec<&str> = group.iter().map(|remark| remark.item.text.as_str()).collect();
                    let is_listed = texts.iter().any(|text| text.contains(", ") || text.contains(" and "));
                    let texts = texts.join(if is_listed { "; " } else { ", " });
                    match group.first().map(|remark| remark.item.name.as_str()) {
                        None | Some(".") => texts,
                        Some(name) => format!("{}: {texts}", code(name)),
                    }
                })
                .collect();
            let more = if more == 0 {
                String::new()
            } else {
                format!("; {} below", count(more as u64, "more remark"))
            };
            text.push_str(&format!(" Worth knowing: {}{more}.", faults.join("; ")));
        }
        Some(text)
    }

    /// Where what is told of files is told of a few of them, what all of them are.
    fn mostly(&self, kinds: &[Kind]) -> Option<String> {
        let scan = self.material.whole.scan;
        let covered: u64 = kinds.iter().map(Kind::files).sum();
        let all = scan.dirs.first()?.files;
        if all < covered * 2 {
            return None;
        }
        match collection(&self.material.whole, &categories(scan)) {
            Collection::Files { kinds, .. } => Some(kinds),
            Collection::Hardly(_) => None,
        }
    }

    /// Programs that lie in a collection, by their manifests.
    fn programs(&self) -> Option<String> {
        let mut places = BTreeSet::new();
        let packages = self.facts.iter().filter_map(|Known { entry, fact, .. }| {
            let FactKind::Package { kind, name, .. } = fact else { return None };
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
                let facts = entry.all_facts();
                let keeps = facts.filter_map(|(fact, _)| Kept::of(fact, &entry.relative_path)).collect();
                together(keeps).into_iter().map(move |keeps| Item {
                    name: keeps.path.clone(),
                    path: Some(RelPath::from(keeps.path.trim_start_matches('.'))),
                    text: part(&keeps.holding),
                    sources: vec![entry.relative_path.clone()],
                    ..Item::default()
                })
            })
            .collect();
        if !kept.is_empty() {
            return largest(of_one_form(kept));
        }
        let mut items: BTreeMap<&str, Dataset> = BTreeMap::new();
        for Known { entry, path, fact, .. } in &self.facts {
            let (text, columns) = match fact {
                FactKind::Columns { names } => {
                    let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                    (format!("columns {}", some_of(&names, 12)), Vec::new())
                }
                // What sets up machines is told with those.
                FactKind::Contents(contents) if !contents.sets_up_machines() => {
                    let columns = match contents {
                        Contents::Table { columns, .. } => columns.iter().map(|of| of.name.clone()).collect(),
                        _ => Vec::new(),
                    };
                    (sentence::contents(contents), columns)
                }
                _ => continue,
            };
            let item = Item {
                name: path.clone(),
                path: Some(RelPath::from(path.as_str())),
                text,
                sources: vec![entry.relative_path.clone()],
                ..Item::default()
            };
            // What says how much there is says more than the names alone.
            if matches!(fact, FactKind::Contents(_)) || !items.contains_key(path.as_str()) {
                items.insert(path, (item, columns));
            }
        }
        if self.is_software() {
            items.retain(|path, _| !rules::is_for_tests(path));
            return self.notebooks(items.into_values().collect());
        }
        items.into_values().map(|(item, _)| item).take(FILES).collect()
    }

    /// Many notebooks of one directory as one: their names say what each is about. A directory tells of a few of its files
    /// only, so the scan says how many there are.
    fn notebooks(&self, items: Vec<Dataset>) -> Vec<Item> {
        let scan = self.material.whole.scan;
        let is_notebook = |(item, _): &Dataset| item.name.ends_with(".ipynb");
        let (notebooks, rest): (Vec<Dataset>, Vec<Dataset>) = items.into_iter().partition(is_notebook);
        let notebooks: Vec<Item> = notebooks.into_iter().map(|(item, _)| item).collect();
        // Tables with the same columns are one; two editions of a book are two.
        let mut rest = alike(rest);
        let dir_of = |item: &Item| item.name.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
        for group in gathered(notebooks, dir_of) {
            let Some(first) = group.first().filter(|_| PLACES < group.len()) else {
                rest.extend(group);
                continue;
            };
            let dir = dir_of(first);
            let path = RelPath::from(dir.as_str());
            let files = self.dirs.get(&path).into_iter().flat_map(|dir| scan.files_of(*dir));
            let names =
                files.map(|file| String::from_utf8_lossy(scan.name(scan.file(file).name)).into_owned());
            let mut names: Vec<String> =
                names.filter(|name| name.ends_with(".ipynb")).map(|name| code(&name)).collect();
            names.sort();
            let text = format!("{} notebooks: {}", number(names.len() as u64), some_of(&names, NOTEBOOKS));
            let name = if dir.is_empty() { ".".to_owned() } else { dir };
            rest.push(Item { kind: None, name, path: Some(path), text, sources: first.sources.clone() });
        }
        rest.sort_by(|a, b| a.name.cmp(&b.name));
        rest
    }

    /// The time that all data together covers. What tests use says nothing about it.
    pub(super) fn period(&self) -> Option<String> {
        let kept: Vec<Kept> =
            self.kept().map(|(_, keeps)| keeps).filter(|keeps| keeps.holding.period.is_some()).collect();
        let from = kept.iter().filter_map(|keeps| Some((keeps.holding.period?.0, &keeps.path))).min();
        let to = kept.iter().filter_map(|keeps| Some((keeps.holding.period?.1, &keeps.path))).max();
        if let (Some((from, first)), Some((to, last))) = (from, to) {
            let place = |path: &str| if path == "." { "the top directory".to_owned() } else { code(path) };
            return Some(if from == to {
                format!("{from} ({}).", place(first))
            } else if first == last {
                format!("{from} to {to} ({}).", place(first))
            } else {
                format!("{from} ({}) to {to} ({}).", place(first), place(last))
            });
        }
        let spans = self.facts.iter().filter_map(|Known { path, fact, .. }| {
            let FactKind::Period { from, to } = *fact else { return None };
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
}

/// Of very many, those with most in them; the others are counted.
fn largest(mut items: Vec<Item>) -> Vec<Item> {
    if items.len() <= FILES {
        return items;
    }
    let size = |item: &Item| {
        let number: String = item.text.chars().take_while(|of| of.is_ascii_digit() || *of == ',').collect();
        number.replace(',', "").parse::<u64>().unwrap_or(0)
    };
    items.sort_by_key(|item| std::cmp::Reverse(size(item)));
    let more = items.len() - FILES;
    items.truncate(FILES);
    items.sort_by(|a, b| a.name.cmp(&b.name));
    let text = format!("{} more of this kind", number(more as u64));
    items.push(Item { name: "…".to_owned(), text, ..Item::default() });
    items
}

/// Items of one directory that differ by numbers only, such as one for each year, as one.
fn of_one_form(items: Vec<Item>) -> Vec<Item> {
    let groups = gathered(items, |item| form_of(&format!("{} {}", item.name, item.text)));
    let told = groups.into_iter().flat_map(|group| match &group[..] {
        [first, .., last] if PLACES <= group.len() => {
            let more = number(group.len() as u64 - 1);
            let text = format!("{}; {more} more like it, up to {}", first.text, code(&last.name));
            vec![Item { text, ..first.clone() }]
        }
        _ => group,
    });
    told.collect()
}
