//! Runs the offline analyst over a directory, one directory after another, and prints what it says.
//!
//! `cargo run -p luminos-analyst --example offline -- PATH [dirs]`

#![expect(clippy::print_stdout, reason = "it is there to be read")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, FileEntry, Stamp};
use luminos_core::flag::Flag;
use luminos_core::job::{
    Ask, Assignment, Child, DirReport, DirResult, JobId, ListedFile, Loan, Mind, News, NoTurn, Reception,
    Said,
};
use luminos_core::plan::{Dirs, Turns, apply_plan};
use luminos_core::scan::{DirId, Kind, Scan};
use luminos_core::services::{Answers, Services};
use luminos_core::whole::{Material, Whole};
use luminos_core::{RelPath, report::worst_first};
use luminos_scan::{Cache, Options, Progress};
use luminos_tools::Root;

/// Takes what the analyst tells.
#[derive(Default)]
struct Ears {
    flags: RefCell<Vec<Flag>>,
    files: RefCell<Vec<FileEntry>>,
    turns: RefCell<u32>,
}

impl Answers for Ears {
    fn turn(&self, _: Ask) -> Result<Said, NoTurn> {
        Err(NoTurn::Stopped)
    }
}

impl Services for Ears {
    fn borrow(&self, turns: Turns, _: &str) -> Loan {
        Loan::Granted(turns)
    }

    fn news(&self, news: News) {
        match news {
            News::Flag(flag) => self.flags.borrow_mut().push(flag),
            News::File(entry) => self.files.borrow_mut().push(*entry),
            News::Turn(_) => *self.turns.borrow_mut() += 1,
            News::Tool(_) | News::Served(_) | News::Symbols(_) => {}
        }
    }

    fn done(&self, _: DirResult) -> Reception {
        Reception::Accepted
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which directory?")?;
    let shows_dirs = arguments.next().is_some();
    let scanned =
        luminos_scan::scan(Path::new(&path), &Options::default(), &Cache::default(), &Progress::default())?;
    let scan = scanned.scan;
    let root = Root::open(&scan.root)?;
    let name = scan.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let whole = Whole {
        name: &name,
        scan: &scan,
        kind: luminos_analyst::target_kind(&scan),
        nonce: "5eed",
        context_budget: 0,
    };
    let survey = luminos_analyst::survey(&whole);
    println!("SURVEY\n{}\n{}\n{}\n", survey.description, survey.approach, survey.domain_notes);
    let plan = luminos_analyst::plan(&whole, &luminos_core::experience::Experience::default());
    println!("PLAN\n{}", plan.notes);
    for dir in plan.priority_dirs.iter().take(12) {
        println!("  {} {} ({})", dir.path, dir.suggested_turns.0, dir.reason);
    }
    for dir in plan.skip_dirs.iter().take(12) {
        println!("  skip {} ({})", dir.path, dir.reason);
    }
    let dirs = Dirs::of(&scan);
    let schedule = apply_plan(&plan, &dirs, None);
    let ears = Ears::default();
    let mut entries: BTreeMap<DirId, DirEntry> = BTreeMap::new();
    for dir in scan.leaves_first() {
        let allocation = &schedule.allocations[dir.0 as usize];
        if !allocation.is_investigated() {
            continue;
        }
        let children = scan.children_of(dir).map(|child| match entries.get(&child) {
            Some(entry) => Child::Done(Box::new(entry.clone())),
            None => Child::Skipped {
                path: scan.dir_path(child),
                reason: schedule.allocations[child.0 as usize].reason.clone(),
            },
        });
        let assignment = Assignment {
            job: JobId { investigation: "x".to_owned(), dir: scan.dir_path(dir), attempt: 1, epoch: 1 },
            mind: Mind::Offline,
            target_name: name.clone(),
            target_kind: whole.kind,
            tier: allocation.tier,
            turns: allocation.turns,
            used: Turns(0),
            files: scan.files_of(dir).map(|file| listed(&scan, file)).collect(),
            file_count: u64::from(scan.dir(dir).own_files),
            endings: Vec::new(),
            unreadable: None,
            folded: 0,
            children: children.collect(),
            survey: Some(survey.clone()),
            plan_notes: String::new(),
            doubts: Vec::new(),
            tier_reason: allocation.reason.clone(),
            context_budget: 0,
            commands: false,
            show_secrets: false,
            nonce: "5eed".to_owned(),
            history: Vec::new(),
        };
        if let DirResult::Reported(report) | DirResult::Judged(report) =
            luminos_analyst::run_dir(&assignment, &root, &ears)
        {
            let entry = entry(&assignment, report);
            check(&scan.root, &entry)?;
            if shows_dirs {
                println!("\n== {}\n{}", entry.relative_path.to_word(), entry.summary);
            }
            entries.insert(dir, entry);
        }
    }
    let dirs: Vec<DirEntry> = entries.into_values().collect();
    let files = ears.files.into_inner();
    let flags = worst_first(ears.flags.into_inner());
    let material =
        Material { whole, survey: Some(&survey), dirs: &dirs, files: &files, flags: &flags, notes: &[] };
    let synthesis = luminos_analyst::synthesise(&material);
    println!(
        "\nREPORT ({} turns)\n\nBRIEF\n{}\n\nDETAILED\n{}",
        ears.turns.borrow(),
        synthesis.findings.brief,
        synthesis.findings.detailed
    );
    for (section, items) in &synthesis.findings.sections {
        println!("\n{}", section.title().to_uppercase());
        for item in items {
            println!("- {}{}{}", item.name, if item.name.is_empty() { "" } else { ": " }, item.text);
        }
    }
    println!("\nFLAGS ({})", flags.len());
    for flag in flags.iter().take(40) {
        let place = flag.evidence.first();
        let line = place.map_or(0, |evidence| evidence.start_line);
        let quote = place.and_then(|evidence| evidence.quote.clone()).unwrap_or_default();
        println!(
            "{:8} {:22} {}:{line}  {}  | {}",
            flag.severity.word(),
            flag.rule.clone().unwrap_or_default(),
            flag.path.for_terminal(),
            flag.finding,
            quote.chars().take(80).collect::<String>()
        );
    }
    Ok(())
}

/// Every quote must stand where its evidence says.
fn check(root: &Path, entry: &DirEntry) -> Result<(), Box<dyn Error>> {
    for claim in &entry.claims {
        for evidence in &claim.evidence {
            let text = std::fs::read_to_string(root.join(evidence.path.to_utf8().unwrap_or_default()))?;
            let lines: Vec<&str> = text.lines().collect();
            let cited = lines
                .get(evidence.start_line as usize - 1..evidence.end_line as usize)
                .map(|lines| lines.join("\n"));
            let quote = evidence.quote.clone().unwrap_or_default();
            if !cited.is_some_and(|cited| cited.contains(&quote)) {
                println!("WRONG QUOTE {}:{} {quote:?}", evidence.path.for_terminal(), evidence.start_line);
            }
        }
    }
    Ok(())
}

fn listed(scan: &Scan, file: luminos_core::scan::FileId) -> ListedFile {
    let record = scan.file(file);
    ListedFile {
        name: RelPath::new(scan.name(record.name)),
        size: record.size,
        category: record.category,
        language: record.language.map(|language| scan.language_name(language).to_owned()),
        description: scan.description(record).map(str::to_owned),
        lines: record.lines,
        hash: Some(record.hash),
        kind: (record.kind != Kind::File).then(|| record.kind.name().to_owned()),
        executable: record.executable,
    }
}

fn entry(assignment: &Assignment, report: DirReport) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: report.opening,
        facts: report.facts,
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: assignment.job.dir.clone(),
        child_count: assignment.file_count + assignment.children.len() as u64,
        summary: report.summary,
        dominant_category: assignment.files.first().map(|file| file.category).unwrap_or_default(),
        cached_at: Stamp::default(),
        notable_files: report.notable_files,
        confidence: report.confidence,
        confidence_reason: report.confidence_reason,
        completeness: report.completeness,
        coverage: Coverage::default(),
        claims: report.claims,
        flags: Vec::new(),
        reads: Vec::new(),
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch: 0,
        run: String::new(),
    }
}
