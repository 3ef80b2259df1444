use super::*;
use crate::evolve::fixture;
use crate::evolve::plan::{Known, fewest_steps, problems};

fn recent(hash: &str, subject: &str, paths: &[&str]) -> Recent {
    let paths = paths.iter().map(|&path| path.to_owned()).collect();
    Recent { commit: CommitId::new(hash), subject: subject.to_owned(), paths }
}

fn facts() -> Facts {
    let files =
        ["Cargo.toml", "README.md", "src/parse.rs", "src/keywords.rs", "src/main.rs", "tests/parse.rs"];
    Facts {
        history: vec![
            recent("b0b0b0b0b0b0b0b0", "Read lines in one go", &["src/parse.rs"]),
            recent("a1a1a1a1a1a1a1a1", "Fix keywords with digits", &["src/keywords.rs", "tests/parse.rs"]),
            recent("a2a2a2a2a2a2a2a2", "Print a version", &["src/main.rs"]),
        ],
        own: vec![vec![
            recent("1111111111111111", "Look up keywords in a table", &[]),
            recent("2222222222222222", "Tidy up", &[]),
        ]],
        files: files.map(str::to_owned).to_vec(),
        ..Facts::default()
    }
}

#[test]
fn a_plan_names_files_commits_and_numbers_for_a_reason() {
    let plan = plan(&fixture::request(), &facts());
    insta::assert_snapshot!(crate::evolve::markdown::plan_lines(&plan));
}

#[test]
fn a_plan_keeps_the_rules_of_all_plans() {
    let request = fixture::request();
    let known = Known { metrics: request.metric_names() };
    for count in 0..4 {
        let mut request = request.clone();
        request.inspirations = vec![request.inspirations[0].clone(); count];
        for facts in [facts(), Facts::default()] {
            let plan = plan(&request, &facts);
            assert_eq!(problems(&plan, &known), Vec::<String>::new());
            assert!((fewest_steps()..=6).contains(&plan.steps.len()));
            assert_eq!(plan.clone().bounded(), plan);
            assert_eq!(plan, super::plan(&request, &facts), "the same every time");
        }
    }
}

#[test]
fn without_metrics_nothing_is_made_up() {
    let mut request = fixture::request();
    request.base.card.metrics.clear();
    request.inspirations.clear();
    request.wish.goal = "Do better".to_owned();
    let plan = plan(&request, &facts());
    assert_eq!(plan.focus_metrics, Vec::<String>::new());
    assert!(plan.rationale.contains("Neither files nor the last 3 commits mention the words of the goal"));
    assert!(plan.handoff_notes.iter().any(|note| note.starts_with("No metrics are known")));
}

#[test]
fn an_inspiration_far_away_has_no_number_of_commits() {
    let plan = plan(&fixture::request(), &facts());
    assert!(plan.rationale.contains("has an unknown number of commits of its own"), "{}", plan.rationale);
    let adopt = plan.steps.iter().find(|step| step.step_id == "adopt-1").unwrap();
    assert!(adopt.risks[0].starts_with("No commit was found that both have in common"), "{adopt:?}");
    let mut near = fixture::request();
    near.inspirations[0].trajectory_meta = Some(crate::evolve::rollup::TrajectoryMeta {
        lca_commit_hash: Some(CommitId::new("b0b0")),
        unique_steps_count: 2,
        ..Default::default()
    });
    let adopt = super::plan(&near, &facts()).steps.remove(2);
    assert!(adopt.risks[0].starts_with("It is 2 commits away"), "{adopt:?}");
}
