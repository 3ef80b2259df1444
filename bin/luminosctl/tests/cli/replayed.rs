//! Runs that are repeated from what they left behind: the same report, byte for byte, and nobody is asked.

#![expect(clippy::disallowed_methods, reason = "a test writes its own files")]

use std::fs;

use luminos_model_server::{Answer, Honesty, Matcher, Policy, Script, Turn};
use serde_json::{Value, json};

use crate::machine::{Run, finish};
use crate::site::{Api, PATIENCE, Site, project};

#[track_caller]
fn replay(site: &Site, arguments: &str) -> Run {
    site.machine.ended(finish(&mut site.command(&format!("replay -q {arguments}")), PATIENCE))
}

/// Repeats the run of a site, and takes it for granted that it comes out the same without anybody being asked.
#[track_caller]
fn same_again(site: &Site) {
    let asked = site.server.requests().len();
    let before = fs::read(site.investigation().join("report.json")).unwrap();
    let run = replay(site, ".");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.starts_with("the same report, byte for byte"), "{run}");
    assert_eq!(site.server.requests().len(), asked, "a repeated run asks nobody");
    assert_eq!(fs::read(site.investigation().join("report.json")).unwrap(), before);
    assert_eq!(site.investigations().len(), 1, "it leaves nothing behind");
}

#[test]
fn a_run_through_messages_comes_out_the_same() {
    let site = Site::through(Api::Messages, project(), Policy::default());
    site.done(".");
    same_again(&site);
}

#[test]
fn a_run_through_chat_completions_comes_out_the_same() {
    let site = Site::through(Api::Chat, project(), Policy::default());
    site.done(".");
    same_again(&site);
}

#[test]
fn a_run_without_a_model_comes_out_the_same() {
    let site = Site::new(project(), Policy::default());
    let run = site.machine.ended(finish(&mut site.command("run --offline ."), PATIENCE));
    assert_eq!(run.code, Some(0), "{run}");
    same_again(&site);
    assert!(site.server.requests().is_empty());
}

#[test]
fn a_later_run_that_used_results_of_an_earlier_one_comes_out_the_same() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    fs::write(site.machine.project().join("docs/guide.md"), "# Guide\n\nBegin with the words.\n").unwrap();
    site.done(".");
    assert!(0 < site.report()["counters"]["directories_reused"].as_u64().unwrap());
    same_again(&site);
}

#[test]
fn what_was_borrowed_mended_doubted_and_never_answered_comes_out_the_same() {
    let wish = Turn::call("request_turns", &json!({ "turns": 2, "reason": "there is more to read" }));
    let tests = Matcher::any().offering("read_file").containing(r"directory: tests\n");
    let verdict =
        |word: &str| Answer::from(Turn::call("submit_verdict", &json!({ "verdict": word, "reason": "r" })));
    let script = Script::new()
        .when(tests, [Answer::policy(), wish.into()])
        .when(Matcher::any().offering("submit_verdict").containing("TODO"), vec![verdict("unsure"); 50])
        .when(Matcher::any().offering("submit_verdict"), vec![verdict("stands"); 200])
        .otherwise(Policy { honesty: Honesty::Invents, ..Policy::default() });
    let site = Site::new(project(), script);
    site.done("--judge model .");
    same_again(&site);
}

#[test]
fn another_tree_is_a_miss_that_names_the_first_difference() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let asked = site.server.requests().len();
    fs::write(site.machine.project().join("docs/guide.md"), "# Guide\n\nBegin with the words.\n").unwrap();
    let run = replay(&site, ".");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("is not what it was when the report was made"), "{run}");
    // The survey is asked before everything else and is told of all sizes; what directories are asked differs after it.
    assert!(run.stderr.contains("of `/survey` was never asked so: the first difference is /new/0"), "{run}");
    assert_eq!(run.stderr.matches("was never asked so").count(), 1, "one difference is named: {run}");
    assert_eq!(site.server.requests().len(), asked);
}

#[test]
fn a_changed_transcript_is_no_transcript() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    for entry in fs::read_dir(site.investigation().join("transcripts")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("entries were looked at", "entries were overlooked")).unwrap();
    }
    let run = replay(&site, ".");
    assert_eq!(run.code, Some(1), "{run}");
}

#[test]
fn a_fork_repeats_what_came_before_and_asks_another_model_from_there_on() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let asked = site.asked().len();
    let turns = replay(&site, "--turns .").stdout;
    assert_eq!(turns.lines().count(), asked, "{turns}");
    let last = turns.lines().last().unwrap();
    assert!(last.contains("synthesis"), "{turns}");
    let old = site.investigation();
    let fork = replay(&site, &format!(". --from {asked} --model anthropic/claude-sonnet-5-5 --json"));
    assert_eq!(fork.code, Some(0), "{fork}");
    let after: Vec<_> = site.asked().into_iter().skip(asked).collect();
    assert_eq!(after.len(), 1, "only what comes after the fork is asked: {after:?}");
    assert_eq!(after[0].pass, "synthesis");
    let new = site.investigation();
    assert_ne!(new, old);
    let report: Value = serde_json::from_str(&fork.stdout).unwrap();
    assert_eq!(report["models"]["synthesis"], "anthropic/claude-sonnet-5-5", "{report}");
    assert_eq!(report["counters"]["calls"], 1, "{}", report["counters"]);
    // A fork is an investigation like any other: it can be repeated, too.
    let again = replay(&site, ".");
    assert_eq!(again.code, Some(0), "{again}");
    assert_eq!(site.asked().len(), asked + 1);
    let beyond = replay(&site, &format!(". --from {} --model anthropic/claude-sonnet-5-5", asked + 9));
    assert_eq!(beyond.code, Some(2), "{beyond}");
}
