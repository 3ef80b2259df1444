//! The report on the whole, from the sentences of the entries.
//!
//! Nothing is said that no entry and no count says: what the statements of the directories tell is put together,
//! ordered and cited.

use std::collections::BTreeMap;

use luminos_core::entry::{Claim, DirEntry};
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::{Findings, Item, Origin, Section, worst_first};
use luminos_core::scan::{Category, DirId};
use luminos_core::{ByteSize, RelPath};

use super::compose::gist_of;
use super::role::Role;
use super::statement::{Statement, noun_for};
use super::survey::{builds, collection, is_software};
use super::tree::{categories, languages, languages_in_words, root_names};
use super::words::{code, count, list, number, some_of};
use crate::pass::{Material, Scale, Synthesis};

mod data;
mod graph;
mod group;
mod resolve;
mod structure;

use group::subsystems;

/// So many parts are described.
const PARTS: usize = 14;
/// So many claims are cited.
const CLAIMS: usize = 30;

/// Writes the report on the whole by rule.
pub fn synthesise(material: &Material<'_>) -> Synthesis {
    let flags = super::rules::tree::flags(material.whole.scan);
    let all = [material.flags, &flags].concat();
    let material = &Material { flags: &all, ..*material };
    let told = Told::of(material);
    let scale = Scale::of(material.dirs.len(), material.files.len() as u64);
    let subsystems = if scale < Scale::Large { Vec::new() } else { subsystems(material.dirs) };
    let findings = told.findings();
    Synthesis { origin: Origin::Offline, findings, subsystems, flags, failure: None }
}

/// What the entries tell, by kind.
struct Told<'a> {
    material: &'a Material<'a>,
    root: Option<&'a DirEntry>,
    /// Every statement with its claim, those of directories near the top first.
    statements: Vec<(&'a DirEntry, Statement, &'a Claim)>,
}

impl<'a> Told<'a> {
    fn of(material: &'a Material<'a>) -> Self {
        let mut dirs: Vec<&DirEntry> = material.dirs.iter().collect();
        let depth = |entry: &DirEntry| {
            let path = entry.relative_path.as_bytes();
            if path.is_empty() { 0 } else { 1 + path.iter().filter(|byte| **byte == b'/').count() }
        };
        dirs.sort_by(|a, b| depth(a).cmp(&depth(b)).then_with(|| a.relative_path.cmp(&b.relative_path)));
        let statements = dirs.iter().flat_map(|entry| {
            let read = |claim: &'a Claim| Some((*entry, Statement::read(&claim.text)?, claim));
            entry.claims.iter().filter_map(read).collect::<Vec<_>>()
        });
        let statements = statements.collect();
        Self { material, root: dirs.into_iter().find(|entry| entry.relative_path.is_root()), statements }
    }

    fn of_root(&self) -> impl Iterator<Item = &(&'a DirEntry, Statement, &'a Claim)> {
        self.statements.iter().filter(|(entry, _, _)| entry.relative_path.is_root())
    }

    fn findings(&self) -> Findings {
        let mut sections = BTreeMap::new();
        let mut add = |section: Section, items: Vec<Item>| {
            if !items.is_empty() {
                sections.insert(section, items);
            }
        };
        add(Section::OverallPurpose, self.purpose().into_iter().map(prose).collect());
        if self.is_software() {
            add(Section::Architecture, self.architecture());
            add(Section::TechStack, self.tech_stack());
            add(Section::EntryPoints, self.entry_points());
            add(Section::Components, self.components());
        }
        add(Section::Themes, self.themes());
        add(Section::Datasets, self.datasets());
        add(Section::PeriodCovered, self.period().into_iter().map(prose).collect());
        add(Section::DataQuality, self.quality());
        add(Section::Concerns, self.concerns());
        // The brief stands above this: it is not said again.
        let mut paragraphs: Vec<String> = self.extent().into_iter().collect();
        // Of software the components are told below.
        paragraphs.extend(self.parts().filter(|_| !self.is_software() || self.components().len() < 2));
        paragraphs.extend(self.work_with_it());
        paragraphs.extend(self.tests().filter(|_| self.is_software()));
        paragraphs.extend(self.limits());
        Findings { brief: self.brief(), detailed: paragraphs.join("\n\n"), sections, claims: self.cited() }
    }

    fn is_software(&self) -> bool {
        is_software(self.material.whole.scan)
    }

    /// What the documents are about, by their titles.
    fn themes(&self) -> Vec<Item> {
        if self.is_software() {
            return Vec::new();
        }
        let titles = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Titled { path, title } = statement else { return None };
            Some(Item {
                name: String::new(),
                path: Some(RelPath::from(path.as_str())),
                text: format!("“{title}” ({})", code(path)),
                sources: vec![entry.relative_path.clone()],
            })
        });
        titles.take(30).collect()
    }

    /// What it is for, in its own words.
    fn purpose(&self) -> Option<String> {
        self.of_root().find_map(|(_, statement, _)| {
            let Statement::Describes { path, words } = statement else { return None };
            super::readme::is_readme(path).then(|| format!("“{words}” ({})", code(path)))
        })
    }

    fn brief(&self) -> String {
        let scan = self.material.whole.scan;
        let name = code(self.material.whole.name);
        let is_told =
            self.root.is_some_and(|root| root.confidence.is_some_and(|confidence| 0.9 <= confidence.get()));
        let what = match self.root {
            Some(_) if !is_told && !self.is_software() && self.collected().is_some() => {
                self.collected().unwrap_or_default()
            }
            Some(_) if !is_told && !self.is_software() => {
                let (what, _) = collection(&self.material.whole, &categories(scan));
                format!("{name}: {}", what.replacen('A', "a", 1))
            }
            Some(root) => {
                let first = root.summary.split("\n\n").next().unwrap_or_default();
                let gist = super::compose::opening_of(first);
                gist.to_owned()
            }
            None => self.material.survey.map_or_else(
                || format!("{name} was not described as a whole."),
                |survey| format!("{name}: {}", survey.description),
            ),
        };
        let names = root_names(scan);
        let languages = languages_in_words(scan, 3);
        let builds = builds(&names);
        let mut parts = vec![ended(&what)];
        match (self.is_software() && !languages.is_empty(), builds.is_empty()) {
            (true, false) => parts.push(format!("Written in {languages}; built with {}.", list(&builds))),
            (true, true) => parts.push(format!("Written in {languages}.")),
            (false, _) => {}
        }
        let flags = self.material.flags;
        let of = |severity: Severity| flags.iter().filter(|flag| flag.severity == severity).count() as u64;
        match (of(Severity::Critical), of(Severity::Concern)) {
            (0, 0) => {}
            (critical, 0) => parts.push(format!("{} critical to look at.", number(critical))),
            (0, concerns) => parts.push(format!("{} to look at.", count(concerns, "concern"))),
            (critical, concerns) => {
                parts.push(format!(
                    "{} critical and {} to look at.",
                    number(critical),
                    count(concerns, "concern")
                ));
            }
        }
        parts.join(" ")
    }

    fn extent(&self) -> Option<String> {
        let scan = self.material.whole.scan;
        let root = scan.dirs.first()?;
        let code: u64 = languages(scan).iter().map(|(_, lines)| lines).sum();
        let of_code = if code == 0 || !self.is_software() {
            String::new()
        } else {
            format!(", {}", lines_of_code(code))
        };
        let mut licences: Vec<String> = Vec::new();
        for (_, statement, _) in self.of_root() {
            if let Statement::Licence { name, path } = statement
                && !licences.iter().any(|known| known.starts_with(&format!("{name} (")))
            {
                licences.push(format!("{name} ({})", super::words::code(path)));
            }
        }
        let licence = if licences.is_empty() && !self.is_software() {
            String::new()
        } else if licences.is_empty() {
            " No licence was found at the top.".to_owned()
        } else {
            format!(" Licence: {}.", list(&licences))
        };
        Some(format!(
            "{} in {}, {}{of_code}.{}",
            count(root.files, "file"),
            count(scan.dirs.len() as u64, "directory"),
            ByteSize(root.bytes),
            licence
        ))
    }

    /// The main parts, most code first: the directories directly in the target; of one that only groups others, those.
    fn tops(&self) -> Vec<(&'a DirEntry, u64, u64)> {
        let scan = self.material.whole.scan;
        let by_path: BTreeMap<&RelPath, &DirEntry> =
            self.material.dirs.iter().map(|entry| (&entry.relative_path, entry)).collect();
        let mut tops = Vec::new();
        let mut open: Vec<DirId> =
            if scan.dirs.is_empty() { Vec::new() } else { scan.children_of(DirId(0)).collect() };
        while let Some(dir) = open.pop() {
            let Some(entry) = by_path.get(&scan.dir_path(dir)) else { continue };
            let record = scan.dir(dir);
            let code_of = |dirs: std::ops::Range<u32>| -> u64 {
                let files = dirs.flat_map(|dir| scan.files_of(DirId(dir)));
                let files =
                    files.map(|file| scan.file(file)).filter(|file| file.category == Category::Source);
                files.map(|file| u64::from(file.code)).sum()
            };
            let code = code_of(dir.0..record.subtree_end);
            let own = code_of(dir.0..dir.0 + 1);
            let is_told = entry.confidence.is_some_and(|confidence| 0.9 <= confidence.get())
                || Role::of(&entry.relative_path.to_word()).is_some_and(|role| role != Role::Source);
            let is_house = record.own_files == 0 || (own * 10 < code && !is_told);
            if is_house && record.depth < 3 && scan.children_of(dir).next().is_some() {
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

    fn parts(&self) -> Option<String> {
        let tops = self.tops();
        if tops.is_empty() {
            return None;
        }
        let lines: Vec<String> = tops
            .iter()
            .take(PARTS)
            .map(|(entry, code_lines, files)| {
                let size = if *code_lines == 0 || !self.is_software() {
                    count(*files, "file")
                } else {
                    lines_of_code(*code_lines)
                };
                format!(
                    "- {} ({size}): {}",
                    code(&format!("{}/", entry.relative_path.to_word())),
                    gist_of(entry)
                )
            })
            .collect();
        let head =
            if self.is_software() { "Its parts, most code first" } else { "Its parts, most files first" };
        Some(format!("{head}:\n{}", lines.join("\n")))
    }

    fn components(&self) -> Vec<Item> {
        let declared = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Declares { name, .. } = statement else { return None };
            (!entry.relative_path.is_root()).then(|| (*entry, name.clone()))
        });
        let mut items: Vec<Item> = declared.map(|(entry, name)| part(entry, name)).take(20).collect();
        let tops = self.tops();
        let all: u64 = tops.iter().map(|(_, code, _)| code).sum();
        for (entry, code, _) in tops {
            // What is less than a hundredth of the code is no component of a program.
            if code * 100 < all {
                continue;
            }
            let is_known = items.iter().any(|item| item.path.as_ref() == Some(&entry.relative_path));
            let is_side = Role::of(&entry.relative_path.to_word()).is_some_and(|role| role != Role::Source);
            if !is_known && !is_side {
                let mut item = part(entry, entry.relative_path.to_word());
                item.text = format!("{}; {} in all", item.text, lines_of_code(code));
                items.push(item);
            }
        }
        items.dedup_by(|a, b| a.path == b.path);
        items.truncate(24);
        items
    }

    fn tech_stack(&self) -> Vec<Item> {
        let scan = self.material.whole.scan;
        let all: u64 = languages(scan).iter().map(|(_, lines)| lines).sum();
        let mut items: Vec<Item> = languages(scan)
            .iter()
            .filter(|(_, lines)| all < lines * 50)
            .take(6)
            .map(|(name, lines)| Item {
                name: (*name).to_owned(),
                text: lines_of_code(*lines),
                ..Item::default()
            })
            .collect();
        for tool in builds(&root_names(scan)) {
            items.push(Item { name: tool, text: "build".to_owned(), ..Item::default() });
        }
        for (entry, statement, _) in self.of_root() {
            if let Statement::Needs { path, names } = statement {
                let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                items.push(Item {
                    name: "Dependencies".to_owned(),
                    path: Some(RelPath::from(path.as_str())),
                    text: if names.len() < 12 { list(&names) } else { format!("{}, …", names.join(", ")) },
                    sources: vec![entry.relative_path.clone()],
                });
            }
        }
        items
    }

    fn entry_points(&self) -> Vec<Item> {
        let is_side = |path: &str| {
            path.rsplit_once('/').is_some_and(|(dir, _)| {
                Role::of(dir).is_some_and(|role| !matches!(role, Role::Source | Role::Scripts))
            })
        };
        let starts = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Starts { path, what } = statement else { return None };
            (!is_side(path)).then(|| Item {
                name: String::new(),
                path: Some(RelPath::from(path.as_str())),
                text: format!("{}: {}", code(path), code(what)),
                sources: vec![entry.relative_path.clone()],
            })
        });
        starts.take(20).collect()
    }

    /// How to build, test and run it.
    fn work_with_it(&self) -> Option<String> {
        let mut told = Vec::new();
        for (_, statement, _) in self.of_root() {
            if let Statement::Offers { path, noun, names } = statement {
                let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                told.push(format!(
                    "{} has the {} {}.",
                    code(path),
                    noun_for(noun, &names),
                    some_of(&names, 12)
                ));
            }
        }
        let starts = self.entry_points();
        if !starts.is_empty() {
            let places: Vec<String> = starts.iter().map(|item| item.text.clone()).collect();
            told.push(format!("Programs start in {}.", some_of(&places, 5)));
        }
        (!told.is_empty()).then(|| told.join(" "))
    }

    fn tests(&self) -> Option<String> {
        // A directory of that name may hold what tests are written with, and no tests.
        let has_tests = |dir: &str| {
            self.material.files.iter().any(|file| {
                file.relative_path.to_word().strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
                    && (file.summary.contains(" tests.") || file.summary.contains(" test."))
            })
        };
        let mut dirs: Vec<String> = self
            .material
            .dirs
            .iter()
            .map(|entry| entry.relative_path.to_word())
            .filter(|path| Role::Tests.begins_at(path) && has_tests(path))
            .map(|path| code(&path))
            .collect();
        dirs.sort_by_key(|path| path.matches('/').count());
        let by_name = |entry: &&luminos_core::entry::FileEntry| {
            super::rules::is_for_tests(&entry.relative_path.to_word())
        };
        let files = self.material.files.iter().filter(by_name).count();
        match (dirs.is_empty(), files) {
            (true, 0) => Some("No tests were found.".to_owned()),
            (true, _) => None,
            (false, _) => Some(format!("Tests lie in {}.", some_of(&dirs, 6))),
        }
    }

    fn limits(&self) -> Option<String> {
        let dirs = self.material.dirs;
        let unknown = dirs
            .iter()
            .filter(|entry| entry.confidence.is_some_and(|confidence| confidence.get() < 0.6))
            .count();
        let partial = dirs.iter().filter(|entry| entry.partial).count();
        let mut told = Vec::new();
        if 0 < unknown {
            told.push(format!(
                "For {} of {} nothing written says what they are for.",
                number(unknown as u64),
                count(dirs.len() as u64, "directory")
            ));
        }
        if 0 < partial {
            told.push(format!("{} were not looked at to the end.", count(partial as u64, "directory")));
        }
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Flags that matter, those of one rule together.
    fn concerns(&self) -> Vec<Item> {
        let mut by_rule: BTreeMap<(std::cmp::Reverse<Severity>, String), Vec<Flag>> = BTreeMap::new();
        for flag in worst_first(self.material.flags.to_vec()) {
            if flag.severity == Severity::Info {
                continue;
            }
            let rule = flag.rule.clone().unwrap_or_else(|| flag.finding.clone());
            by_rule.entry((std::cmp::Reverse(flag.severity), rule)).or_default().push(flag);
        }
        let items = by_rule.into_values().filter_map(|flags| {
            let first = flags.first()?.clone();
            let text = match flags.len() {
                1 => first.finding.clone(),
                more => {
                    let places: Vec<String> =
                        flags.iter().skip(1).map(|flag| code(&flag.path.to_word())).collect();
                    format!("{} Also in {}; {more} files in all.", first.finding, some_of(&places, 4))
                }
            };
            Some(Item {
                name: first.severity.word().to_owned(),
                path: Some(first.path),
                text,
                sources: vec![first.directory],
            })
        });
        items.take(20).collect()
    }

    /// The claims that the report rests on.
    fn cited(&self) -> Vec<Claim> {
        let is_cited = |entry: &DirEntry, statement: &Statement| match statement {
            Statement::Describes { .. } | Statement::Declares { .. } | Statement::Starts { .. } => true,
            Statement::Licence { .. }
            | Statement::Offers { .. }
            | Statement::Members { .. }
            | Statement::Needs { .. } => entry.relative_path.is_root(),
            Statement::Columns { .. }
            | Statement::Holds { .. }
            | Statement::Spans { .. }
            | Statement::Lacks { .. } => true,
            Statement::Imports { path, .. } => path.matches('/').count() < 2,
            Statement::Says { .. } | Statement::Defines { .. } | Statement::Titled { .. } => false,
        };
        let cited = self.statements.iter().filter(|(entry, statement, _)| is_cited(entry, statement));
        cited.map(|(_, _, claim)| (*claim).clone()).take(CLAIMS).collect()
    }
}

fn lines_of_code(lines: u64) -> String {
    format!("{} of code", count(lines, "line"))
}

fn prose(text: String) -> Item {
    Item { text, ..Item::default() }
}

fn part(entry: &DirEntry, name: String) -> Item {
    Item {
        name,
        path: Some(entry.relative_path.clone()),
        text: gist_of(entry),
        sources: vec![entry.relative_path.clone()],
    }
}

/// A sentence with its end.
fn ended(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '”', ')']) { text.to_owned() } else { format!("{text}.") }
}
