//! What a loop is given to work with: its directory, listed, and what is known around it.

use std::collections::BTreeMap;

use luminos_core::job::{Assignment, Child, ListedFile};
use luminos_core::plan::{Allocation, Turns};
use luminos_core::scan::{DirId, FileId, Kind, Reading, Scan, Trouble};
use luminos_core::survey::Survey;
use luminos_core::{RelPath, TargetKind};

use super::Loop;

/// More files of one directory are not listed in its assignment; the loop can list them itself.
const MOST_LISTED: usize = 2_000;

/// What an assignment is made of, besides the directory itself.
pub(in crate::run) struct Circumstances<'a> {
    pub(in crate::run) scan: &'a Scan,
    pub(in crate::run) target_name: &'a str,
    pub(in crate::run) target_kind: TargetKind,
    pub(in crate::run) survey: Option<&'a Survey>,
    pub(in crate::run) plan_notes: &'a str,
    pub(in crate::run) context_budget: u64,
    pub(in crate::run) show_secrets: bool,
    pub(in crate::run) nonce: &'a str,
}

/// Everything that a loop needs.
pub(in crate::run) fn assignment(
    around: &Circumstances<'_>,
    work: &Loop,
    allocation: &Allocation,
    children: Vec<Child>,
) -> Assignment {
    let all: Vec<FileId> = around.scan.files_of(work.dir).collect();
    let files = spread(&all).map(|file| listed(around.scan, file));
    Assignment {
        job: work.job.clone(),
        mind: work.mind,
        target_name: around.target_name.to_owned(),
        target_kind: around.target_kind,
        tier: allocation.tier,
        turns: Turns(work.allowed),
        used: Turns(work.turns),
        files: files.collect(),
        file_count: u64::from(around.scan.dir(work.dir).own_files),
        endings: if all.len() <= MOST_LISTED { Vec::new() } else { endings(around.scan, &all) },
        unreadable: unreadable(around.scan, work.dir),
        folded: around.scan.dir(work.dir).folded,
        children,
        survey: around.survey.cloned(),
        plan_notes: around.plan_notes.to_owned(),
        tier_reason: allocation.reason.clone(),
        context_budget: around.context_budget,
        commands: true,
        show_secrets: around.show_secrets,
        nonce: work.nonce.clone().unwrap_or_else(|| around.nonce.to_owned()),
        history: work.messages.clone(),
        doubts: work.doubts.clone(),
    }
}

/// Why a directory could not be listed; `None` for one that was.
fn unreadable(scan: &Scan, dir: DirId) -> Option<String> {
    if !scan.dir(dir).unreadable {
        return None;
    }
    let path = scan.dir_path(dir);
    let reason = scan.problems.iter().filter(|problem| problem.path == path).find_map(|problem| {
        if let Trouble::Unlisted(reason) = &problem.trouble {
            return Some(reason.to_lowercase());
        }
        (problem.trouble == Trouble::Changed).then(|| "it is no directory any more".to_owned())
    });
    Some(reason.unwrap_or_else(|| "the reason is not known".to_owned()))
}

/// Of very many files as many as are listed, from the first to the last.
fn spread(all: &[FileId]) -> impl Iterator<Item = FileId> {
    let listed = all.len().min(MOST_LISTED);
    let place = move |at: usize| at * all.len().saturating_sub(1) / listed.saturating_sub(1).max(1);
    (0..listed).filter_map(move |at| all.get(place(at)).copied())
}

/// How many files there are of each ending.
fn endings(scan: &Scan, all: &[FileId]) -> Vec<(String, u64)> {
    let mut endings: BTreeMap<String, u64> = BTreeMap::new();
    for file in
        all.iter().map(|file| scan.file(*file)).filter(|file| file.kind == Kind::File && 0 < file.size)
    {
        let name = String::from_utf8_lossy(scan.name(file.name)).to_ascii_lowercase();
        if let Some((_, ending)) = name.rsplit_once('.').filter(|(_, ending)| ending.len() <= 8) {
            *endings.entry(ending.to_owned()).or_default() += 1;
        }
    }
    endings.into_iter().collect()
}

fn listed(scan: &Scan, file: FileId) -> ListedFile {
    let record = scan.file(file);
    ListedFile {
        name: RelPath::new(scan.name(record.name)),
        size: record.size,
        category: record.category,
        language: record.language.map(|language| scan.language_name(language).to_owned()),
        description: scan.description(record).map(str::to_owned),
        lines: record.lines,
        hash: (record.reading == Reading::Whole).then_some(record.hash),
        kind: (record.kind != Kind::File).then(|| record.kind.name().to_owned()),
        executable: record.executable,
    }
}
