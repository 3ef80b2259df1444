//! The report on the whole, from entries alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use luminos_core::entry::{DirEntry, FileEntry};
use luminos_core::report::{Findings, Item, Origin, Section, Subsystem, worst_first};
use luminos_core::{ByteSize, RelPath};
use luminos_tools::{Entries, EntryKind, FinalReport, Limits, Scope, Session, Submission};

use super::group::{frontier, group};
use luminos_core::whole::{Material, Scale, Synthesis};

use super::{Pass, fence_of, hold};
use crate::prompt::dir::survey_block;
use crate::prompt::{SYNTHESIS, SYNTHESIS_TASK, cut, fenced, results};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

/// Turns of the synthesis.
const TURNS: u32 = 5;
/// Bytes of all directories' summaries in the first message, and of one at least and at most.
const SUMMARIES: usize = 60 * 1024;
const SUMMARY: (usize, usize) = (160, 1_600);
/// Directories shown of a large target.
const SHOWN: usize = 150;

/// Asks a model for the report. There is always one: without the model's it is put together from the entries.
pub fn synthesise(material: &Material<'_>, answers: &impl Answers) -> Synthesis {
    let scale = Scale::of(material.dirs.len(), material.files.len() as u64);
    let subsystems = match scale {
        Scale::Small | Scale::Medium => Vec::new(),
        Scale::Large | Scale::Huge => {
            group(&material.whole, material.survey, material.dirs, answers).unwrap_or_default()
        }
    };
    let fence = fence_of(&material.whole);
    let known = Known::new(material.dirs, material.files);
    let mut session =
        Session::new(Scope::Synthesis, fence.clone(), Limits::default()).with_entries(Arc::new(known));
    let pass = Pass {
        words: SYNTHESIS,
        task: task(material, scale, &subsystems),
        submit: "submit_report",
        turns: TURNS,
        context_budget: material.whole.context_budget,
    };
    let given = hold(pass, &mut session, &fence, answers);
    // What only shows in the whole tree shows whoever writes about it.
    let flags = [luminos_analyst::flags_of_tree(&material.whole), given.flags].concat();
    match given.submission {
        Ok(Submission::Final(report)) => {
            Synthesis { origin: Origin::Model, findings: findings(*report), subsystems, flags, failure: None }
        }
        other => Synthesis {
            origin: Origin::Mechanical,
            findings: mechanical(material),
            subsystems,
            flags,
            failure: Some(other.err().unwrap_or(EndReason::OutOfTurns)),
        },
    }
}

fn task(material: &Material<'_>, scale: Scale, subsystems: &[Subsystem]) -> String {
    let fence = fence_of(&material.whole);
    let shown = frontier(material.dirs, SHOWN);
    let each = (SUMMARIES / shown.len().max(1)).clamp(SUMMARY.0, SUMMARY.1);
    let mut entries = results::dirs(&shown, each, &fence);
    if scale == Scale::Small {
        entries.push_str(&results::files(material.files, SUMMARY.1, &fence));
    }
    if shown.len() < material.dirs.len() {
        let more = material.dirs.len() - shown.len();
        entries.push_str(&format!(
            "There are entries for {more} more directories: list_cache and read_cache.\n"
        ));
    }
    let survey = material.survey.map(|survey| survey_block(survey, &fence)).unwrap_or_default();
    SYNTHESIS_TASK.fill(&[
        ("turns", &TURNS.to_string()),
        ("facts", &fenced(&facts(material), "facts", &fence)),
        ("survey", survey.trim_start()),
        ("subsystems", &results::subsystems(subsystems, &fence)),
        ("entries", &entries),
        ("flags", &results::flags(material.flags, &fence)),
    ])
}

fn facts(material: &Material<'_>) -> String {
    let scan = material.whole.scan;
    let (files, bytes) = scan.dirs.first().map_or((0, 0), |root| (root.files, root.bytes));
    let partial = material.dirs.iter().filter(|entry| entry.partial).count();
    let mut facts = format!(
        "target: {}\nfiles: {files}\nsize: {}\ndirectories: {}\nentries: {} directories ({partial} of them incomplete), {} files",
        material.whole.name,
        ByteSize(bytes),
        scan.dirs.len(),
        material.dirs.len(),
        material.files.len()
    );
    let languages = languages(scan);
    if !languages.is_empty() {
        facts.push_str(&format!("\nlines of code: {}", languages.join(", ")));
    }
    for note in material.notes {
        facts.push_str(&format!("\nnote: {}", cut(note, 400)));
    }
    facts
}

/// The languages with most code, each with its lines.
pub(crate) fn languages(scan: &luminos_core::scan::Scan) -> Vec<String> {
    let mut code: BTreeMap<&str, u64> = BTreeMap::new();
    for file in &scan.files {
        if let Some(language) = file.language {
            *code.entry(scan.language_name(language)).or_default() += u64::from(file.code);
        }
    }
    let mut code: Vec<(u64, &str)> = code.into_iter().map(|(name, lines)| (lines, name)).collect();
    code.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    code.iter()
        .take(8)
        .filter(|(lines, _)| 0 < *lines)
        .map(|(lines, name)| format!("{name} {lines}"))
        .collect()
}

fn findings(report: FinalReport) -> Findings {
    let prose = |text: String| vec![Item { text, ..Item::default() }];
    let list = |texts: Vec<String>| texts.into_iter().flat_map(prose).collect::<Vec<Item>>();
    let path = |word: &String| RelPath::from_word(word.trim_start_matches("./").trim_end_matches('/'));
    let components = report.components.into_iter().map(|component| Item {
        path: component.paths.first().and_then(path),
        sources: component.paths.iter().filter_map(path).collect(),
        name: component.name,
        text: component.description,
    });
    let sections = [
        (Section::OverallPurpose, report.overall_purpose.map(prose).unwrap_or_default()),
        (Section::Architecture, report.architecture.map(prose).unwrap_or_default()),
        (Section::Components, components.collect()),
        (Section::TechStack, list(report.tech_stack)),
        (Section::EntryPoints, list(report.entry_points)),
        (Section::Datasets, list(report.datasets)),
        (Section::SchemaSummary, report.schema_summary.map(prose).unwrap_or_default()),
        (Section::PeriodCovered, report.period_covered.map(prose).unwrap_or_default()),
        (Section::Themes, list(report.themes)),
        (Section::DataQuality, report.data_quality.map(prose).unwrap_or_default()),
        (Section::Concerns, list(report.concerns)),
    ];
    Findings {
        brief: report.brief,
        detailed: report.detailed,
        sections: sections.into_iter().filter(|(_, items)| !items.is_empty()).collect(),
        ..Findings::default()
    }
}

/// A report put together from the entries, without a model.
pub fn mechanical(material: &Material<'_>) -> Findings {
    let scan = material.whole.scan;
    let (files, bytes) = scan.dirs.first().map_or((0, 0), |root| (root.files, root.bytes));
    let root = material.dirs.iter().find(|entry| entry.relative_path.is_root());
    let mut brief = match (root, material.survey) {
        (Some(root), _) => cut(first_paragraph(&root.summary), 900),
        (None, Some(survey)) if !survey.description.is_empty() => survey.description.clone(),
        (None, _) => format!("{} was not described as a whole.", material.whole.name),
    };
    let (dirs, entries) = (scan.dirs.len(), material.dirs.len());
    brief.push_str(&format!(
        " It has {files} {} ({}) in {dirs} {}; {entries} of them {}.",
        if files == 1 { "file" } else { "files" },
        ByteSize(bytes),
        if dirs == 1 { "directory" } else { "directories" },
        if entries == 1 { "has an entry" } else { "have entries" },
    ));
    let top = frontier(material.dirs, 40);
    let paragraphs: Vec<String> = top
        .iter()
        .map(|entry| {
            let mark = if entry.partial { " (incomplete)" } else { "" };
            format!("{}/{mark}: {}", entry.relative_path.to_word(), cut(&entry.summary, 600))
        })
        .collect();
    let mut sections = BTreeMap::new();
    let components: Vec<Item> = top
        .iter()
        .filter(|entry| !entry.relative_path.is_root())
        .take(20)
        .map(|entry| Item {
            name: entry.relative_path.to_word(),
            path: Some(entry.relative_path.clone()),
            text: cut(first_paragraph(&entry.summary), 400),
            sources: vec![entry.relative_path.clone()],
        })
        .collect();
    if !components.is_empty() {
        sections.insert(Section::Components, components);
    }
    let concerns: Vec<Item> = worst_first(material.flags.to_vec())
        .into_iter()
        .filter(|flag| luminos_core::flag::Severity::Concern <= flag.severity && !flag.is_unproved())
        .take(20)
        .map(|flag| Item { path: Some(flag.path), text: flag.finding, ..Item::default() })
        .collect();
    if !concerns.is_empty() {
        sections.insert(Section::Concerns, concerns);
    }
    Findings { brief, detailed: paragraphs.join("\n\n"), sections, ..Findings::default() }
}

fn first_paragraph(text: &str) -> &str {
    text.split("\n\n").next().unwrap_or_default().trim()
}

/// The entries, where the tools of a pass can look them up.
pub(crate) struct Known {
    dirs: BTreeMap<RelPath, String>,
    files: BTreeMap<RelPath, String>,
}

impl Known {
    pub(crate) fn new(dirs: &[DirEntry], files: &[FileEntry]) -> Self {
        Self {
            dirs: dirs.iter().map(|entry| (entry.relative_path.clone(), results::whole_dir(entry))).collect(),
            files: files
                .iter()
                .map(|entry| (entry.relative_path.clone(), results::whole_file(entry)))
                .collect(),
        }
    }

    fn of(&self, kind: EntryKind) -> &BTreeMap<RelPath, String> {
        match kind {
            EntryKind::File => &self.files,
            EntryKind::Dir => &self.dirs,
        }
    }
}

impl Entries for Known {
    fn list(&self, kind: EntryKind) -> Vec<RelPath> {
        self.of(kind).keys().cloned().collect()
    }

    fn read(&self, kind: EntryKind, path: &RelPath) -> Option<String> {
        self.of(kind).get(path).cloned()
    }
}
