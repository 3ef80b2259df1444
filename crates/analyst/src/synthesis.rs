//! The report on the whole, from the sentences of the entries.
//!
//! Nothing is said that no entry and no count says: what the statements of the directories tell is put together,
//! ordered and cited.

use std::collections::BTreeMap;

use luminos_core::entry::{Claim, DirEntry, FileEntry};
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::{Findings, Item, Origin, Section, worst_first};
use luminos_core::scan::{DirId, Rule};
use luminos_core::{ByteSize, RelPath};

use super::statement::Statement;
use super::survey::{builds_of, collection};
use super::tree::{categories, languages, languages_in_words};
use super::words::{code, count, list, number, some_of};
use luminos_core::whole::{Material, Scale, Synthesis};

mod components;
mod data;
mod faults;
mod graph;
mod group;
mod heart;
mod layers;
mod machines;
mod maps;
mod packages;
mod parts;
mod rank;
mod resolve;
mod short;
mod sides;
mod stack;
mod starts;
mod structure;
mod trials;
mod work;

use graph::Graph;
use group::subsystems;
pub(super) use machines::is_of_machines;
use machines::sets_up_machines;
use sides::Sides;

/// So many claims are cited.
const CLAIMS: usize = 40;

/// Writes the report on the whole by rule.
pub fn synthesise(material: &Material<'_>) -> Synthesis {
    let flags = super::rules::tree::flags(&material.whole);
    let all = [material.flags, &flags].concat();
    let material = &Material { flags: &all, ..*material };
    let told = Told::of(material);
    let scale = Scale::of(material.dirs.len(), material.files.len() as u64);
    let mut findings = told.findings();
    let short = if told.is_software() { short::Short::of(&told.own_parts()) } else { None };
    if let Some(short) = &short {
        short.shorten(&mut findings);
    }
    let components = findings.sections.get(&Section::Components).into_iter().flatten();
    let components: Vec<RelPath> = components.filter_map(|item| item.path.clone()).collect();
    // The parts of a collection are told by what they keep, not by their code.
    let is_small = scale < Scale::Large || !told.is_software();
    let mut subsystems = if is_small { Vec::new() } else { subsystems(material, &components, &told.sides) };
    if let Some(short) = &short {
        subsystems.iter_mut().for_each(|subsystem| short.name_of(subsystem));
    }
    Synthesis { origin: Origin::Offline, findings, subsystems, flags, failure: None }
}

/// What the entries tell, by kind.
struct Told<'a> {
    material: &'a Material<'a>,
    root: Option<&'a DirEntry>,
    /// Every statement with its claim, those of directories near the top first.
    statements: Vec<(&'a DirEntry, Statement, &'a Claim)>,
    /// Who imports whom.
    graph: Graph,
    /// The entries of files by their paths.
    files: BTreeMap<String, &'a FileEntry>,
    /// What documents say of files and directories, by their paths.
    said: BTreeMap<String, String>,
    /// What stands beside the program.
    sides: Sides,
    /// The directories of the scan by their paths.
    dirs: BTreeMap<RelPath, DirId>,
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
        let statements: Vec<(&DirEntry, Statement, &Claim)> = statements.collect();
        let scan = material.whole.scan;
        let sides = Sides::of(scan);
        let graph = Graph::of(scan, material.files, &modules(&statements), &references(&statements), &sides);
        Self {
            files: material.files.iter().map(|file| (file.relative_path.to_word(), file)).collect(),
            said: maps::of(&statements, scan, &sides),
            material,
            root: dirs.into_iter().find(|entry| entry.relative_path.is_root()),
            statements,
            graph,
            sides,
            dirs: scan.dir_ids().map(|dir| (scan.dir_path(dir), dir)).collect(),
        }
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
        // What sets up machines is told with those.
        let sets_up = |item: &Item| sets_up_machines(&item.text);
        add(Section::Datasets, self.datasets().into_iter().filter(|item| !sets_up(item)).collect());
        add(Section::PeriodCovered, self.period().into_iter().map(prose).collect());
        add(Section::DataQuality, self.quality());
        add(Section::Concerns, self.concerns());
        // The brief stands above this: it is not said again.
        let mut paragraphs: Vec<String> = self.extent().into_iter().collect();
        // Of software the components are told below.
        paragraphs.extend(self.parts().filter(|_| !self.is_software()));
        paragraphs.extend(self.history());
        paragraphs.extend(self.commands());
        paragraphs.extend(self.trials().filter(|_| self.is_software()));
        paragraphs.extend(self.infrastructure());
        paragraphs.extend(self.surroundings());
        paragraphs.extend(self.left_out());
        paragraphs.extend(self.hidden().filter(|_| !self.is_software() || self.is_mostly_hidden()));
        // What is kept for its own sake is for nothing else.
        paragraphs.extend(self.limits().filter(|_| self.is_software()));
        Findings {
            brief: self.brief(),
            detailed: paragraphs.join("\n\n"),
            sections,
            claims: self.cited(),
            answers: self.answers(),
        }
    }

    fn is_software(&self) -> bool {
        self.material.whole.kind.is_program()
    }

    /// What the documents are about, by their titles.
    fn themes(&self) -> Vec<Item> {
        if self.is_software() {
            return Vec::new();
        }
        let titles = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Titled { path, title } = statement else { return None };
            // What stands at the head of a setting is no theme.
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
            let is_document =
                ["md", "markdown", "rst", "adoc", "org", "tex", "txt", "html"].contains(&ending.as_str());
            is_document.then(|| Item {
                name: String::new(),
                path: Some(RelPath::from(path.as_str())),
                text: format!("“{title}”"),
                sources: vec![entry.relative_path.clone()],
            })
        });
        let mut told = std::collections::BTreeSet::new();
        titles.filter(|item| told.insert(item.text.clone())).take(30).collect()
    }

    /// What it is for, in its own words.
    fn purpose(&self) -> Option<String> {
        let said = self.of_root().find_map(|(_, statement, _)| {
            let Statement::Describes { path, words } = statement else { return None };
            super::readme::is_readme(path).then_some((path, words.as_str()))
        });
        // Of a workspace whose top says nothing, the package it is named for.
        let of_main = || {
            let main = self.main_package()?;
            self.statements.iter().find_map(|(entry, statement, _)| {
                let Statement::Describes { path, words } = statement else { return None };
                (entry.relative_path == main.relative_path).then_some((path, words.as_str()))
            })
        };
        // The place stands before the end of the sentence.
        said.or_else(of_main).map(|(path, words)| {
            format!("{} ({})", super::words::quoted(words).trim_end_matches('.'), code(path))
        })
    }

    /// What a directory says of itself.
    fn words_of(&self, entry: &DirEntry) -> Option<&str> {
        self.statements.iter().find_map(|(of, statement, _)| {
            let Statement::Describes { words, .. } = statement else { return None };
            (of.relative_path == entry.relative_path).then_some(words.as_str())
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
                match what.strip_prefix("It ") {
                    Some(rest) => format!("{name} {rest}"),
                    None => format!("{name}: {}", what.replacen('A', "a", 1)),
                }
            }
            Some(_)
                if !is_told
                    && self.is_software()
                    && let Some(words) = self.workspace() =>
            {
                words
            }
            Some(_) if !is_told && let Some((package, entry)) = self.namesake() => {
                let words = self.words_of(entry).map(|words| format!(": {}", super::words::quoted(words)));
                let place = code(&entry.relative_path.to_word());
                format!("{name} holds the {package} in {place}{}", words.unwrap_or_default())
            }
            Some(root) => {
                let first = root.summary.split("\n\n").next().unwrap_or_default();
                let gist = super::gist::opening_of(first);
                gist.to_owned()
            }
            None => self.material.survey.map_or_else(
                || format!("{name} was not described as a whole."),
                |survey| format!("{name}: {}", survey.description),
            ),
        };
        // What somebody wrote about a collection says why it is there; what is in it comes next.
        let kept = if is_told && !self.is_software() { self.collected() } else { None };
        let languages = languages_in_words(scan, 3);
        let builds = builds_of(scan);
        let mut parts = vec![ended(&what)];
        parts.extend(kept.map(|kept| kept.replacen(&format!("{name} keeps "), "It keeps ", 1)));
        if self.is_software() && !languages.is_empty() {
            let built =
                if builds.is_empty() { String::new() } else { format!("; built with {}", list(&builds)) };
            let last = self.last_day().map(|day| format!("; last commit {day}")).unwrap_or_default();
            parts.push(format!("Written in {languages}{built}{last}."));
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
        Some(format!(
            "{} in {}, {}{of_code}.{}{}",
            count(root.files, "file"),
            count(scan.dirs.len() as u64, "directory"),
            ByteSize(root.bytes),
            self.version().unwrap_or_default(),
            self.licence()
        ))
    }

    /// Which licences the files at the top name, each once with those that do.
    fn licence(&self) -> String {
        let mut licences: Vec<(&str, Vec<String>)> = Vec::new();
        for (_, statement, _) in self.of_root() {
            if let Statement::Licence { name, path } = statement {
                match licences.iter_mut().find(|(known, _)| is_same_licence(known, name)) {
                    Some((known, paths)) => {
                        paths.push(super::words::code(path));
                        // The longer name says more: `AGPL-3.0-or-later`.
                        *known = if known.len() < name.len() { name } else { known };
                    }
                    None => licences.push((name, vec![super::words::code(path)])),
                }
            }
        }
        // The one that is named most stands for the whole; a file for something else comes last.
        licences.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
        // A manifest that leaves a choice names all of them.
        let choice = licences.iter().find(|(name, _)| name.contains(" OR ")).map(|(name, _)| *name);
        licences.retain(|(name, _)| choice.is_none_or(|choice| *name == choice || !choice.contains(*name)));
        let told: Vec<String> =
            licences.into_iter().map(|(name, paths)| format!("{name} ({})", list(&paths))).collect();
        match (told.is_empty(), self.is_software()) {
            (true, false) => String::new(),
            (true, true) => match self.licence_file() {
                Some(path) => format!(" Licence: terms of its own ({}).", super::words::code(&path)),
                None => " No licence was found at the top.".to_owned(),
            },
            (false, _) => format!(" Licence: {}.", list(&told)),
        }
    }

    /// A file at the top that grants a licence in words that nobody here knows.
    fn licence_file(&self) -> Option<String> {
        let is_it = |name: &String| {
            let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
            matches!(stem.as_str(), "LICENSE" | "LICENCE" | "COPYING")
        };
        super::tree::root_names(self.material.whole.scan).into_iter().find(is_it)
    }

    /// Directories that may be somebody's work and are left out by their names, with the way to keep them.
    fn left_out(&self) -> Option<String> {
        let scan = self.material.whole.scan;
        let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for skipped in scan.skipped.iter().filter(|skipped| skipped.rule == Rule::AlwaysLeftOut) {
            let word = skipped.path.to_word();
            let last = word.rsplit('/').next().unwrap_or_default();
            // What is hidden, or made by package managers, is nobody's own.
            if let Some(name) = ["build", "dist"].into_iter().find(|name| *name == last) {
                names.entry(name).or_default().push(code(&word));
            }
        }
        let all: Vec<String> = names.values().flatten().cloned().collect();
        if all.is_empty() {
            return None;
        }
        let keep: Vec<String> = names.keys().map(|name| format!("--keep {name}")).collect();
        Some(format!(
            "Left out, because such names usually hold what is built: {}; {} looks inside.",
            some_of(&all, 6),
            code(&keep.join(" "))
        ))
    }

    fn limits(&self) -> Option<String> {
        let dirs = self.material.dirs;
        let partial = dirs.iter().filter(|entry| entry.partial && entry.filled_in.is_none()).count();
        let verb = if partial == 1 { "was" } else { "were" };
        (0 < partial)
            .then(|| format!("{} {verb} not looked at to the end.", count(partial as u64, "directory")))
    }

    /// Flags that matter, those of one rule together.
    fn concerns(&self) -> Vec<Item> {
        let mut by_rule: BTreeMap<(std::cmp::Reverse<Severity>, String), Vec<Flag>> = BTreeMap::new();
        for flag in worst_first(self.material.flags.to_vec()) {
            if flag.severity == Severity::Info || flag.is_unproved() {
                continue;
            }
            let rule = flag.rule.clone().unwrap_or_else(|| flag.finding.clone());
            by_rule.entry((std::cmp::Reverse(flag.severity), rule)).or_default().push(flag);
        }
        let has_history = self.has_history();
        let items = by_rule.into_values().filter_map(|flags| {
            let first = flags.first()?.clone();
            let more = match flags.len() {
                1 => String::new(),
                all => {
                    let places: Vec<String> =
                        flags.iter().skip(1).map(|flag| code(&flag.path.to_word())).collect();
                    format!(" Also in {}; {all} files in all.", some_of(&places, 4))
                }
            };
            // What was found stands with the flag; here, what to do about it.
            let advice = first.rule.as_deref().and_then(super::rules::advice);
            let finding = if has_history { first.finding } else { without_history(&first.finding) };
            Some(Item {
                name: first.severity.word().to_owned(),
                path: Some(first.path),
                text: format!("{finding}{more}{}", advice.unwrap_or_default()),
                sources: vec![first.directory],
            })
        });
        items.take(20).collect()
    }

    /// Whether the target has a history.
    fn has_history(&self) -> bool {
        self.statements.iter().any(|(_, statement, _)| matches!(statement, Statement::History { .. }))
    }

    /// The claims that the report rests on.
    fn cited(&self) -> Vec<Claim> {
        let is_cited = |entry: &DirEntry, statement: &Statement| match statement {
            Statement::Describes { .. } | Statement::Declares { .. } | Statement::Starts { .. } => true,
            Statement::Licence { .. }
            | Statement::Versioned { .. }
            | Statement::Offers { .. }
            | Statement::Members { .. }
            | Statement::Runs { .. }
            | Statement::Requires { .. }
            | Statement::Loads { .. }
            | Statement::Listens { .. }
            | Statement::Starting { .. }
            | Statement::Takes { .. }
            | Statement::Develops { .. }
            | Statement::Needs { .. } => entry.relative_path.is_root(),
            Statement::History { .. } | Statement::Churn { .. } => true,
            Statement::Columns { .. }
            | Statement::Holds { .. }
            | Statement::Spans { .. }
            | Statement::Lacks { .. } => true,
            Statement::Imports { path, .. } => path.matches('/').count() < 2,
            Statement::Refers { .. } | Statement::Named { .. } | Statement::Tells { .. } => true,
            Statement::Says { .. }
            | Statement::Explains { .. }
            | Statement::Defines { .. }
            | Statement::Titled { .. } => false,
        };
        let cited = self.statements.iter().filter(|(entry, statement, _)| is_cited(entry, statement));
        cited.map(|(_, _, claim)| (*claim).clone()).take(CLAIMS).collect()
    }
}

/// What a flag says where nothing can stay in a history.
fn without_history(finding: &str) -> String {
    finding.replacen(": it stays in the history even after it is removed", "", 1)
}

/// What manifests declare: where, what kind and which name.
fn modules(statements: &[(&DirEntry, Statement, &Claim)]) -> Vec<(String, String, String)> {
    let declared = statements.iter().filter_map(|(entry, statement, _)| {
        let Statement::Declares { kind, name, .. } = statement else { return None };
        let dir = if entry.relative_path.is_root() { String::new() } else { entry.relative_path.to_word() };
        Some((dir, kind.clone(), name.clone()))
    });
    declared.collect()
}

/// Which directories of projects refer to which others.
fn references(statements: &[(&DirEntry, Statement, &Claim)]) -> Vec<(String, String)> {
    let referred = statements.iter().filter_map(|(entry, statement, _)| {
        let Statement::Refers { names, .. } = statement else { return None };
        let from = entry.relative_path.to_word();
        Some(names.iter().map(move |to| (from.clone(), to.clone())))
    });
    referred.flatten().collect()
}

/// Whether two names mean one licence: `AGPL-3.0` and `AGPL-3.0-or-later`.
fn is_same_licence(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_ascii_lowercase(), other.to_ascii_lowercase());
    one == other || one.starts_with(&format!("{other}-")) || other.starts_with(&format!("{one}-"))
}

fn lines_of_code(lines: u64) -> String {
    format!("{} of code", count(lines, "line"))
}

fn prose(text: String) -> Item {
    Item { text, ..Item::default() }
}

/// A sentence with its end.
fn ended(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', ')'])
        || text.ends_with(".”")
        || text.ends_with("!”")
        || text.ends_with("?”")
        || text.ends_with("…”")
    {
        return text.to_owned();
    }
    format!("{text}.")
}
