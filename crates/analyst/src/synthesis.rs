//! The report on the whole, from the facts of the entries.
//!
//! Nothing is said that no entry and no count says: what is known of the directories is put together, ordered and cited.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::entry::{Claim, DirEntry, FileEntry};
use luminos_core::fact::{Fact, FactKind};
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::{Findings, Item, ItemKind, Origin, Section, worst_first};
use luminos_core::scan::{DirId, Rule};

use super::sentence;
use super::words::{code, count, some_of};
use luminos_core::whole::{Material, Scale, Synthesis};

mod brief;
mod components;
mod data;
mod extent;
mod faults;
mod graph;
mod group;
mod heart;
mod layers;
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

use extent::is_same_licence;
use graph::Graph;
use group::subsystems;
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

/// A fact as the synthesis sees it: with the entry that holds it, and where what it is about lies.
struct Known<'a> {
    entry: &'a DirEntry,
    path: String,
    fact: &'a FactKind,
    whole: &'a Fact,
    /// The claim that words it.
    worded: Option<&'a Claim>,
}

impl<'a> Known<'a> {
    /// All facts of an entry, those first that its claims word.
    fn all_of(entry: &'a DirEntry) -> impl Iterator<Item = Self> {
        let worded = entry.claims.iter().filter_map(|claim| Some((claim.fact.as_deref()?, Some(claim))));
        let all = worded.chain(entry.facts.iter().map(|fact| (fact, None)));
        all.map(move |(whole, worded)| {
            let path = whole.subject.path(&entry.relative_path).to_word();
            Self { entry, path, fact: &whole.fact, whole, worded }
        })
    }

    /// The fact as a claim.
    fn claim(&self) -> Claim {
        self.worded.cloned().unwrap_or_else(|| sentence::claim(self.whole))
    }
}

/// What the entries tell, by kind.
struct Told<'a> {
    material: &'a Material<'a>,
    root: Option<&'a DirEntry>,
    /// Every fact, those of directories near the top first.
    facts: Vec<Known<'a>>,
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
        let facts: Vec<Known<'_>> = dirs.iter().flat_map(|entry| Known::all_of(entry)).collect();
        let scan = material.whole.scan;
        let sides = Sides::of(scan);
        let graph = Graph::of(scan, material.files, &modules(&facts), &references(&facts), &sides);
        Self {
            files: material.files.iter().map(|file| (file.relative_path.to_word(), file)).collect(),
            said: maps::of(&facts, scan, &sides),
            material,
            root: dirs.into_iter().find(|entry| entry.relative_path.is_root()),
            facts,
            graph,
            sides,
            dirs: scan.dir_ids().map(|dir| (scan.dir_path(dir), dir)).collect(),
        }
    }

    fn of_root(&self) -> impl Iterator<Item = &Known<'a>> {
        self.facts.iter().filter(|known| known.entry.relative_path.is_root())
    }

    fn findings(&self) -> Findings {
        let mut sections = BTreeMap::new();
        let mut add = |section: Section, items: Vec<Item>| {
            if !items.is_empty() {
                sections.insert(section, items);
            }
        };
        add(Section::OverallPurpose, self.purpose().into_iter().collect());
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
        let titles = self.facts.iter().filter_map(|Known { entry, path, fact, .. }| {
            let FactKind::Title { text: title } = fact else { return None };
            // What stands at the head of a setting is no theme.
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
            let is_document =
                ["md", "markdown", "rst", "adoc", "org", "tex", "txt", "html"].contains(&ending.as_str());
            is_document.then(|| Item {
                name: String::new(),
                path: Some(RelPath::from(path.as_str())),
                text: format!("“{title}”"),
                sources: vec![entry.relative_path.clone()],
                ..Item::default()
            })
        });
        let mut told = std::collections::BTreeSet::new();
        titles.filter(|item| told.insert(item.text.clone())).take(30).collect()
    }

    /// What it is for, in its own words.
    fn purpose(&self) -> Option<Item> {
        let said = self.of_root().find_map(|Known { path, fact, .. }| {
            let FactKind::Description { text } = fact else { return None };
            super::readme::is_readme(path).then_some((path, text.as_str()))
        });
        // Of a workspace whose top says nothing, the package it is named for.
        let of_main = || {
            let main = self.main_package()?;
            self.facts.iter().find_map(|Known { entry, path, fact, .. }| {
                let FactKind::Description { text } = fact else { return None };
                (entry.relative_path == main.relative_path).then_some((path, text.as_str()))
            })
        };
        // The place stands before the end of the sentence.
        said.or_else(of_main).map(|(path, words)| {
            let text = format!("{} ({})", super::words::quoted(words).trim_end_matches('.'), code(path));
            Item { kind: Some(ItemKind::Quotation { words: words.to_owned() }), ..prose(text) }
        })
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
            let advice = advice.unwrap_or_default();
            Some(Item {
                name: first.severity.word().to_owned(),
                path: Some(first.path),
                text: format!("{finding}{more}{advice}"),
                sources: vec![first.directory],
                kind: Some(ItemKind::Concern { rule: first.rule, advice: advice.trim_start().to_owned() }),
            })
        });
        items.take(20).collect()
    }

    /// Whether the target has a history.
    fn has_history(&self) -> bool {
        self.facts.iter().any(|Known { fact, .. }| matches!(fact, FactKind::History { .. }))
    }

    /// The claims that the report rests on.
    fn cited(&self) -> Vec<Claim> {
        let is_cited = |known: &&Known<'_>| match known.fact {
            FactKind::Description { .. }
            | FactKind::Package { .. }
            | FactKind::EntryPoint { .. }
            | FactKind::History { .. }
            | FactKind::Churn { .. }
            | FactKind::Columns { .. }
            | FactKind::Contents(_)
            | FactKind::Period { .. }
            | FactKind::Fault { .. }
            | FactKind::References { .. }
            | FactKind::NamedBeside { .. }
            | FactKind::Mention { .. } => true,
            FactKind::Licence { .. }
            | FactKind::Version { .. }
            | FactKind::Offers { .. }
            | FactKind::Members { .. }
            | FactKind::Commands { .. }
            | FactKind::Requirement { .. }
            | FactKind::EntryFile { .. }
            | FactKind::Ports { .. }
            | FactKind::Services { .. }
            | FactKind::Variables { .. }
            | FactKind::DevelopmentDependencies { .. }
            | FactKind::Dependencies { .. } => known.entry.relative_path.is_root(),
            FactKind::Imports { .. } => known.path.matches('/').count() < 2,
            FactKind::OwnWords { .. }
            | FactKind::Documentation { .. }
            | FactKind::Definitions { .. }
            | FactKind::Holding(_)
            | FactKind::Counts { .. }
            | FactKind::Title { .. } => false,
        };
        self.facts.iter().filter(is_cited).take(CLAIMS).map(Known::claim).collect()
    }
}

/// What a flag says where nothing can stay in a history.
fn without_history(finding: &str) -> String {
    finding.replacen(": it stays in the history even after it is removed", "", 1)
}

/// What manifests declare: where, what kind and which name.
fn modules(facts: &[Known<'_>]) -> Vec<(String, String, String)> {
    let declared = facts.iter().filter_map(|Known { entry, fact, .. }| {
        let FactKind::Package { kind, name, .. } = fact else { return None };
        let dir = if entry.relative_path.is_root() { String::new() } else { entry.relative_path.to_word() };
        Some((dir, kind.clone(), name.clone()))
    });
    declared.collect()
}

/// Which directories of projects refer to which others.
fn references(facts: &[Known<'_>]) -> Vec<(String, String)> {
    let referred = facts.iter().filter_map(|Known { entry, fact, .. }| {
        let FactKind::References { dirs: names } = fact else { return None };
        let from = entry.relative_path.to_word();
        Some(names.iter().map(move |to| (from.clone(), to.clone())))
    });
    referred.flatten().collect()
}

fn lines_of_code(lines: u64) -> String {
    format!("{} of code", count(lines, "line"))
}

fn prose(text: String) -> Item {
    Item { text, ..Item::default() }
}
