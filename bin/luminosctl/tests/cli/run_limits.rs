//! Limits: what is reached is told, what was learned is kept, and no limit is passed.

use std::time::{Duration, Instant};

use luminos_model_server::{Answer, Block, Gate, Matcher, Policy, Script, Submits, Turn, TurnFault, Usage};
use serde_json::json;

use crate::machine::{Machine, Run};
use crate::site::{Site, project};

fn is_partial(site: &Site, run: &Run) {
    assert_eq!(run.code, Some(3), "{run}\n{}", site.log());
    assert!(!run.stdout.is_empty(), "{run}");
    assert_eq!(site.document("meta.json")["state"], "partial");
    assert!(site.investigation().join("report.json").is_file());
}

#[test]
fn money_runs_out() {
    // Some 7,500 tokens for each turn: a few of them are as much as may be spent.
    let words = Block::Text("word ".repeat(6_000));
    let look = Block::call("list_directory", &json!({ "path": "." }));
    let talk: Answer = Turn::of(vec![words, look]).into();
    let script = Script::new()
        .when(Matcher::any().offering("read_file"), vec![talk; 100])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.run("--max-cost 0.02 .");
    is_partial(&site, &run);
    // The limit is the one that was given, not the part of it that directories may use.
    assert!(run.stderr.contains("the money limit of $0.02 was reached"), "{run}");
    let report = site.report();
    assert!(report["notes"].to_string().contains("the money limit of $0.02 was reached"), "{report}");
    let spent = site.document("meta.json")["counters"]["nanodollars"].as_u64().unwrap();
    assert!(5_000_000 < spent && spent <= 20_000_000, "{spent}");
    // The synthesis had its share.
    assert!(run.stdout.contains("entries were looked at"), "{run}");
    // What the limit left out the analyst has looked at, and that is marked.
    assert_eq!(site.entries("dirs").len(), 5, "{run}");
    assert!(run.stdout.contains("(by the analyst) "), "{run}");
    let filled = site.report()["directories"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|dir| !dir["filled_in"].is_null())
        .count();
    assert!(0 < filled, "{run}");
}

#[test]
fn tokens_run_out() {
    let site = Site::new(project(), Policy { turns: 10, ..Policy::default() });
    let run = site.run("--max-tokens 90000 .");
    is_partial(&site, &run);
    assert!(run.stderr.contains("the limit of 90000 tokens was reached"), "{run}");
    let counters = site.server.counters();
    let used = counters.prompt_tokens + counters.turn_tokens;
    assert!(0 < used && used <= 90_000, "{counters:?}");
    let told = site.document("meta.json")["counters"]["tokens"].as_u64().unwrap();
    assert!(used <= told && told <= 90_000, "{told} of {used}");
}

#[test]
fn few_turns_are_shared_and_what_gets_none_is_named() {
    let site = Site::new(project(), Policy::default());
    // Six turns for five directories, of which each needs two: the shallow one goes first, then the default one.
    let run = site.run("--max-turns 6 .");
    is_partial(&site, &run);
    let evaluation = site.document("plan_evaluation.json");
    assert_eq!(evaluation["total_turns_allocated"], 6, "{evaluation}");
    assert!(evaluation["total_turns_used"].as_u64().unwrap() <= 6, "{evaluation}");
    let notes = site.report()["notes"].to_string();
    assert!(notes.contains("too few turns for docs"), "{notes}");
    assert_eq!(site.dir_turns().len() as u64, evaluation["total_turns_used"].as_u64().unwrap());
}

#[test]
fn turns_that_suffice_are_scaled_down() {
    let site = Site::new(project(), Policy::default());
    let run = site.run("--max-turns 20 .");
    let evaluation = site.document("plan_evaluation.json");
    let total = evaluation["total_turns_used"].as_u64().unwrap();
    assert!(total <= 20, "{evaluation}\n{run}");
    assert_eq!(evaluation["total_dirs_investigated"], 5, "{evaluation}");
}

#[test]
fn time_runs_out_even_if_the_model_hangs() {
    let gate = Gate::shut();
    let hang = Answer::policy().behind(&gate);
    let script = Script::new()
        .when(Matcher::any().offering("read_file"), vec![hang; 100])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let start = Instant::now();
    let run = site.run("--max-time 3 .");
    is_partial(&site, &run);
    assert!(start.elapsed() < Duration::from_secs(20), "{run}");
    assert!(run.stderr.contains("the time limit"), "{run}");
    let notes = site.report()["notes"].to_string();
    assert!(notes.contains("the time limit"), "{notes}");
}

#[test]
fn a_loop_that_never_reports_leaves_what_it_learned() {
    let machine =
        Machine::new().with_file("project/only.md", "# Only\n").with_file("project/a/b.md", "# B\n");
    let script = Script::new().otherwise(Policy { submits: Submits::Never, ..Policy::default() });
    let site = Site::new(machine, script);
    let run = site.run(".");
    is_partial(&site, &run);
    let entry = site.entry("a");
    assert_eq!(entry["partial"], true, "{entry}");
    let reason = entry["partial_reason"].as_str().unwrap();
    assert!(reason.contains("circles"), "it lists the same directory again and again: {reason}");
    assert!(site.report()["notes"].to_string().contains("without a model"));
}

/// What a provider reports counts, also above what was set aside for a call, and passing a limit that way is told.
#[test]
fn a_provider_that_reports_more_than_was_reserved_passes_the_limit_and_that_is_told() {
    let site = Site::new(project(), Policy::default());
    site.done("--max-tokens 400000 .");
    let truth = site.document("meta.json")["counters"]["tokens"].as_u64().unwrap();
    let dear = Answer::policy().with(TurnFault::Usage(Usage::Times(100)));
    let script = Script::new()
        .when(Matcher::any().offering("read_file"), vec![dear; 100])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.run("--max-tokens 400000 .");
    is_partial(&site, &run);
    let booked = site.document("meta.json")["counters"]["tokens"].as_u64().unwrap();
    assert!(400_000 < booked && truth < booked, "{booked}");
    let told = "the limit of 400000 tokens was passed";
    assert!(run.stderr.contains(told), "{run}");
    assert!(site.report()["notes"].to_string().contains(told), "{}", site.report());
}

/// The longest answers that calls may have are no reason to stop far below a limit that the run does not reach.
#[test]
fn a_limit_a_little_above_the_true_cost_is_enough() {
    let site = || {
        let machine = (0..12).fold(Machine::new(), |machine, number| {
            machine.with_file(format!("project/part-{number}/a.md"), format!("# Part {number}\n"))
        });
        let words = Block::Text("word ".repeat(900));
        let talk: Answer =
            Turn::of(vec![words, Block::call("list_directory", &json!({ "path": "." }))]).into();
        let script = Script::new()
            .when(Matcher::any().offering("read_file"), vec![talk; 26])
            .otherwise(Policy::default());
        Site::new(machine, script)
    };
    let free = site();
    free.done(".");
    let truth = free.document("meta.json")["counters"]["nanodollars"].as_u64().unwrap();
    let limit = truth / 4 * 5;
    let run = site().run(&format!("--max-cost 0.{limit:09} ."));
    assert_eq!(run.code, Some(0), "{truth} of {limit}: {run}");
}
