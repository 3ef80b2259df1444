//! What a loop says may be more than a store takes. That is a fault of its directory: it is cut or told, and the run goes
//! on and ends, whoever said it.

use std::time::Duration;

use luminos_core::RelPath;
use luminos_core::entry::{ENTRY_FORMAT, FileEntry, LONGEST_SUMMARY};
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::Note;
use luminos_core::scan::Category;

use super::*;

/// More than any document or line of a directory may have.
const FAR_TOO_MUCH: usize = 9 << 20;
/// Nobody waits longer for a run of five directories.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a loop says of its directory where it says too much of something.
pub(super) fn too_much(excess: Excess, job: &JobId) -> (Vec<News>, DirReport) {
    let mut report = DirReport { summary: "Much.".to_owned(), ..DirReport::default() };
    let much = "x".repeat(FAR_TOO_MUCH);
    let path = |name: &str| {
        let beside = if job.dir.is_root() { String::new() } else { format!("{}/", job.dir.to_word()) };
        RelPath::from(format!("{beside}{name}").as_str())
    };
    let news = match excess {
        Excess::Summary => {
            report.summary = "ö".repeat(LONGEST_SUMMARY);
            Vec::new()
        }
        Excess::Reason => {
            report.confidence_reason = Some(much);
            Vec::new()
        }
        Excess::Claim => {
            let claim = json!({"text": much, "evidence": []});
            report.claims = vec![serde_json::from_value(claim).unwrap()];
            Vec::new()
        }
        Excess::NotableFile => {
            report.notable_files = vec![path(&much)];
            Vec::new()
        }
        Excess::Flag => {
            let flag = |finding: String, severity| Flag {
                path: path("a.rs"),
                finding,
                severity,
                rule: Some("a.rule".to_owned()),
                evidence: Vec::new(),
                directory: job.dir.clone(),
                verified: false,
                faults: Vec::new(),
            };
            vec![
                News::Flag(flag(much, Severity::Info)),
                News::Flag(flag("This is bad.".to_owned(), Severity::Critical)),
            ]
        }
        Excess::FileSummary => vec![News::File(Box::new(FileEntry {
            facts: Vec::new(),
            format: ENTRY_FORMAT + 1,
            path: String::new(),
            relative_path: path("a.rs"),
            size_bytes: 3,
            category: Category::Source,
            summary: much,
            cached_at: Stamp::default(),
            notable: false,
            notable_reason: None,
            confidence: None,
            confidence_reason: None,
            evidence: Vec::new(),
            content_hash: None,
        }))],
    };
    (news, report)
}

/// A run with such a loop, from the analyst's side or from a model's.
async fn run(excess: Excess, model: Option<&'static str>) -> (Ended, Report) {
    let place = Place::new().await;
    let with = move |setup: RunSetup| match model {
        Some(model) => RunSetup { minds: Minds::of_dirs(model), ..setup },
        None => setup,
    };
    let mut started = place.start(Behaviour::Exceed(excess), with).await;
    let ended = tokio::time::timeout(PATIENCE, started.end()).await;
    let ended = ended.unwrap_or_else(|_| panic!("{excess:?} of {model:?}: the run does not end"));
    let investigation = place.store.investigation(place.meta().id);
    let (entries, problems) = investigation.dir_entries();
    assert_eq!((entries.len(), problems), (5, Vec::new()), "{excess:?} of {model:?}");
    assert!(entries.iter().all(|entry| entry.summary.len() <= LONGEST_SUMMARY));
    let (files, problems) = investigation.file_entries();
    assert_eq!(problems, []);
    assert!(files.iter().all(|file| file.summary.len() <= LONGEST_SUMMARY));
    (ended, investigation.report().unwrap().unwrap())
}

#[tokio::test]
async fn a_summary_that_is_too_long_is_cut() {
    for model in [None, Some("a model")] {
        for excess in [Excess::Summary, Excess::FileSummary] {
            let (ended, report) = run(excess, model).await;
            assert_eq!(ended, Ended::Done, "{excess:?} of {model:?}");
            assert_eq!(report.directories.len(), 5);
            let is_marked = report.directories.iter().all(|entry| entry.summary.ends_with(" […]"));
            assert_eq!(is_marked, excess == Excess::Summary);
        }
    }
}

#[tokio::test]
async fn what_a_store_refuses_is_a_fault_of_its_directory_and_told() {
    for model in [None, Some("a model")] {
        for excess in [Excess::Reason, Excess::Claim, Excess::NotableFile, Excess::Flag] {
            let (ended, report) = run(excess, model).await;
            assert!(matches!(ended, Ended::Partial { .. }), "{excess:?} of {model:?}: {ended:?}");
            let is_told = |note: &Note| matches!(note, Note::Partial(words) if words.contains("not all that was found out can be kept"));
            assert_eq!(report.notes.iter().filter(|note| is_told(note)).count(), 5, "{:#?}", report.notes);
            let critical = report.flags.iter().filter(|flag| flag.severity == Severity::Critical).count();
            assert_eq!(critical, if excess == Excess::Flag { 5 } else { 0 }, "what matters most is kept");
        }
    }
}
