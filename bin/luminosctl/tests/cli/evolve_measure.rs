//! Commits are measured, plans are scored, and what was learned is told to whoever plans next.

use std::fs;

use insta::assert_snapshot;
use luminos_model_server::{Answer, Script};
use serde_json::{Value, json};

use crate::history::{Evolving, git, history, json_of, model_plan};
use crate::machine::Run;
use crate::site::until;

fn place() -> Evolving {
    Evolving::new(history(2), Script::new().always(Answer::text(&model_plan().to_string())))
}

/// Measures with a line of shell.
#[track_caller]
fn measure(place: &Evolving, more: &[&str], script: &str) -> Run {
    let arguments = [&["evolve", "evaluate"], more, &["--", "sh", "-c", script]].concat();
    place.run(&arguments)
}

#[test]
fn a_commit_is_measured_in_a_clean_checkout() {
    let place = place();
    place.machine.write("project/untracked", "x\n");
    let script = r#"ls -A > "$HOME/seen"; pwd > "$HOME/where"; env > "$HOME/environment"; echo "building"; echo '{"summary": "fine", "metrics": [{"name": "lines", "value": '$(wc -l < src/print.rs)', "higher_is_better": false}], "tests_executed": ["parse"], "logs": ["one"]}'"#;
    let run = measure(&place, &["--commit", "HEAD~1"], script);
    assert_snapshot!(run.to_string().replace(&git(&place.machine, "git rev-parse HEAD~1")[..12], "[COMMIT]"), @"
    exit code: 0
    ---- stdout
    [COMMIT]: fine
      lines: 1 (lower is better)
      tests: parse
    ");
    let read = |name: &str| fs::read_to_string(place.machine.home().join(name)).unwrap();
    assert_eq!(read("seen"), "Cargo.toml\nsrc\ntests\n");
    let environment = read("environment");
    assert!(
        environment.contains("LUMINOS_COMMIT=") && !environment.contains("key-of-a-test"),
        "{environment}"
    );
    assert!(!std::path::Path::new(read("where").trim()).exists(), "the checkout is gone");
    assert_eq!(git(&place.machine, "git status --porcelain; git for-each-ref refs/notes"), "?? untracked");
}

#[test]
fn only_results_that_make_sense_are_taken() {
    let place = place();
    for (result, why) in [
        (r#"{"summary": "s", "metrics": [{"name": "a", "value": NaN}]}"#, "no JSON object"),
        (r#"{"summary": "s", "metrics": [{"name": "a", "value": "nan"}]}"#, "`a`"),
        (r#"{"summary": "s", "metrics": [{"name": "a", "value": true}]}"#, "`a`"),
        (r#"{"summary": "s", "metrics": [{"name": "a", "value": 1}, {"name": "a", "value": 2}]}"#, "twice"),
        (r#"{"metrics": [{"name": "a", "value": 1}]}"#, "summary"),
        ("nothing of the kind", "nothing of the kind"),
        ("", "it printed nothing"),
    ] {
        let run = measure(&place, &[], &format!("echo '{result}'"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{result}: {run}");
        assert!(run.stderr.contains(why), "{result}: {run}");
    }
    assert!(place.kept("metrics").is_empty(), "nothing was kept");
    assert_snapshot!(measure(&place, &[], "echo oh no >&2; exit 7"), @"
    exit code: 1
    ---- stderr
    error: the evaluator failed (exit status: 7): oh no

    hint: the whole of what it printed is shown with `--verbose`
    ");
    assert_snapshot!(place.run(&["evolve", "evaluate", "--", "no-such-program"]), @"
    exit code: 1
    ---- stderr
    error: cannot start `no-such-program`: No such file or directory (os error 2)

    hint: name a program in the PATH, or a file of the repository as `./NAME`
    ");
}

#[test]
fn what_takes_too_long_ends_with_everything_it_started() {
    let place = place();
    let script = "sleep 300 & echo $! > \"$HOME/child\"; echo $$ > \"$HOME/leader\"; sleep 300";
    assert_snapshot!(measure(&place, &["--timeout", "1"], script), @"
    exit code: 1
    ---- stderr
    error: the evaluator did not end within 1s

    hint: allow more with `--timeout`
    ");
    for name in ["child", "leader"] {
        let id = fs::read_to_string(place.machine.home().join(name)).unwrap();
        let stat = || fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        until(|| stat().rsplit(')').next().is_none_or(|rest| rest.is_empty() || rest.starts_with(" Z")));
    }
}

#[test]
fn output_is_read_while_the_command_runs() {
    let place = place();
    // More than any pipe holds, on both sides.
    let script = r#"head -c 3000000 /dev/zero | tr '\0' 'x'; head -c 3000000 /dev/zero | tr '\0' 'y' >&2; echo; echo '{"summary": "s", "metrics": [{"name": "a", "value": 1}]}'"#;
    let run = measure(&place, &["--timeout", "60", "--json"], script);
    assert_eq!(run.code, Some(0), "{run}");
    let result: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(result["metrics"][0]["name"], "a", "{result}");
}

#[test]
fn a_note_is_written_only_when_somebody_asks() {
    let place = place();
    let script = r#"echo '{"summary": "s", "metrics": [{"name": "speed", "value": 4}]}'"#;
    assert_eq!(measure(&place, &[], script).code, Some(0));
    assert_eq!(git(&place.machine, "git for-each-ref refs/notes"), "");
    let run = measure(&place, &["--note"], script);
    assert!(run.stderr.contains("refs/notes/luminos-metrics"), "{run}");
    let note = git(&place.machine, "git notes --ref luminos-metrics show HEAD");
    assert_eq!(serde_json::from_str::<Value>(&note).unwrap()["metrics"][0]["value"], 4.0, "{note}");
    // Somebody who has the note, and not this state directory, has the metrics.
    fs::remove_dir_all(place.machine.state()).unwrap();
    let plan = place.plan(&["--json"]);
    assert!(plan.stdout.contains("\"speed\""), "{plan}");
}

#[test]
fn a_plan_is_scored_and_the_score_is_told_to_later_plans() {
    let place = place();
    let measured = |value: u32| {
        format!(
            r#"echo '{{"summary": "s", "metrics": [{{"name": "speed", "value": {value}, "higher_is_better": true}}]}}'"#
        )
    };
    measure(&place, &[], &measured(10));
    let plan = place.plan(&["--model", "openai/tiny", "--mode", "strict", "-o", "../plan.json"]);
    assert_eq!(plan.code, Some(0), "{plan}");
    git(
        &place.machine,
        "echo '// worse' >> src/parse.rs; git commit -q -am 'Skip blanks' -m 'Plan-Step: skip'",
    );
    git(&place.machine, "echo '// odd' >> src/print.rs; git commit -q -am 'Print oddly'");
    measure(&place, &[], &measured(7));
    let score = place.run(&["evolve", "score", "--plan", "../plan.json", "--result", "HEAD"]);
    let hashes = git(&place.machine, "git rev-parse HEAD HEAD~2");
    let mut shown = score.to_string();
    for (hash, name) in hashes.lines().zip(["[RESULT]", "[BASE]"]) {
        shown = shown.replace(hash, name).replace(&hash[..12], name);
    }
    assert_snapshot!(shown, @"
    exit code: 0
    ---- stdout
    # Score: Parse faster

    From [BASE] to [RESULT]: the plan failed (score 0.33).

    ## Focus metrics

    - speed: 10 → 7 (worse)

    ## Steps

    - measure: unknown: it names no files, and no commit names it
    - skip: completed
    - compare: unknown: it names no files, and no commit names it

    ## Files

    - planned and touched: src/parse.rs
    - planned, not touched: none
    - touched, not planned: src/print.rs
    ");
    measure(&place, &["--commit", "HEAD"], "echo it does not build >&2; exit 1");
    let before = place.asked().len();
    place.plan(&["--model", "openai/tiny", "--mode", "strict", "--base", "HEAD~2"]);
    place.plan(&["--model", "openai/tiny", "--mode", "strict"]);
    let asked = place.asked();
    assert_eq!(asked.len(), before + 2);
    assert!(asked[before].contains("failed: speed got worse (10 → 7)"), "{}", asked[before]);
    assert!(asked[before + 1].contains("it does not build"), "{}", asked[before + 1]);
    // What was measured in the end has not failed.
    measure(&place, &["--commit", "HEAD"], &measured(7));
    place.plan(&["--model", "openai/tiny", "--mode", "strict"]);
    assert!(!place.asked()[before + 2].contains("it does not build"));
    measure(&place, &["--commit", "HEAD"], "echo it does not build >&2; exit 1");
    // Far away from it nobody is told.
    git(&place.machine, "git checkout -q --orphan other; git commit -q -m 'Begin anew'");
    place.plan(&["--model", "openai/tiny", "--mode", "strict"]);
    assert!(!place.asked()[before + 3].contains("it does not build"));
}

#[test]
fn a_score_needs_a_plan_and_a_result() {
    let place = place();
    place.machine.write("project/other.json", json!({"kind": "something"}).to_string());
    assert_snapshot!(place.run(&["evolve", "score", "--plan", "other.json", "--result", "HEAD"]), @"
    exit code: 2
    ---- stderr
    error: `[ROOT]/home/project/other.json` is no plan of the evolution planner: its `kind` is not `evolution-plan`

    hint: `luminosctl evolve plan -o plan.json` writes one
    ");
    assert_eq!(place.plan(&["-o", "../plan.json"]).code, Some(0));
    assert_snapshot!(place.run(&["evolve", "score", "--plan", "../plan.json", "--result", "nope"]), @"
    exit code: 2
    ---- stderr
    error: `nope` names no commit in this repository: no branch, tag or commit is called so

    hint: `git log --oneline` lists commits, `git branch --all` branches; one of a remote is written `origin/NAME`
    ");
    let plan = json_of(&place.machine.home().join("plan.json"));
    assert_eq!(plan["source"], "offline");
}
