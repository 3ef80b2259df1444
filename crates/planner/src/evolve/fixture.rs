//! A request that tests share.

use super::card::{Changes, CommitCard, FileChange, RawCommit};
use super::chain::CommitId;
use super::metric::{Measured, Metric};
use super::request::{CommitContext, PlanningRequest, Wish};

pub(crate) fn change(path: &str, added: u64, removed: u64) -> FileChange {
    FileChange { path: path.to_owned(), added, removed }
}

pub(crate) fn metric(name: &str, value: f64, higher_is_better: bool) -> Metric {
    Metric::new(name, value).unwrap().with(None, Some(higher_is_better), None)
}

pub(crate) fn context(
    hash: &str,
    message: &str,
    metrics: Vec<Metric>,
    files: Vec<FileChange>,
) -> CommitContext {
    let raw = RawCommit { message: message.to_owned(), ..RawCommit::default() };
    let measured = Measured { metrics, ..Measured::default() };
    CommitContext {
        revision: hash.to_owned(),
        card: CommitCard::new(CommitId::new(hash), &raw, &Changes::new(files, false), measured),
        trajectory: Vec::new(),
        trajectory_meta: None,
        difference: None,
    }
}

pub(crate) fn request() -> PlanningRequest {
    let base = context(
        "b0b0b0b0b0b0b0b0",
        "Read lines in one go\n\nThe parser looked at each byte.",
        vec![metric("speed", 12.5, true), metric("errors", 3.0, false)],
        vec![change("src/parse.rs", 40, 10), change("README.md", 1, 0)],
    );
    let mut inspiration = context(
        "1111111111111111",
        "Look up keywords in a table",
        vec![metric("speed", 14.0, true)],
        vec![change("src/keywords.rs", 120, 0)],
    );
    inspiration.trajectory = vec![
        "unique_steps_count: 2 (lca aaaaaaaaaaaa, anchor aaaaaaaaaaaa (chain_root))".to_owned(),
        "  Recent steps (2):".to_owned(),
        "    222222222222: Count keywords".to_owned(),
        "    111111111111: Look up keywords in a table".to_owned(),
    ];
    inspiration.difference =
        Some(Changes::new(vec![change("src/keywords.rs", 130, 0), change("src/parse.rs", 10, 40)], false));
    PlanningRequest {
        base,
        inspirations: vec![inspiration],
        wish: Wish {
            goal: "Make parsing of keywords faster".to_owned(),
            constraints: vec!["No new dependency".to_owned()],
            acceptance_criteria: vec!["speed is at least 15".to_owned()],
            iteration_hint: Some("third try".to_owned()),
            cold_start: false,
        },
        lessons: vec!["a plan for cccccccccccc failed: speed got worse (12.5 → 9)".to_owned()],
    }
}
