//! Plans for a repository's next change without a model, and everything that is told before one is asked.

use insta::assert_snapshot;
use luminos_model_server::Script;
use serde_json::Value;

use crate::history::{Evolving, git, history, json_of};
use crate::machine::{Machine, Run};

/// A machine whose model must not be asked.
fn without_model(machine: Machine) -> Evolving {
    Evolving::new(machine, Script::new())
}

#[track_caller]
fn refused(place: &Evolving, more: &[&str]) -> Run {
    let run = place.plan(&[&["--model", "openai/tiny"], more].concat());
    assert_eq!(place.server.counters().requests, 0, "the model was asked: {run}");
    run
}

#[test]
fn without_a_model_history_and_metrics_make_a_plan_that_says_so() {
    let place = without_model(history(10));
    place.machine.write("project/metrics.csv", "commit,name,value,unit,higher_is_better,summary\nmain,speed,12.5,MB/s,true,\nfast,speed,20,MB/s,true,\n");
    let run = place.plan(&["--inspiration", "fast", "--metrics", "metrics.csv", "-o", "../plan.json"]);
    assert_snapshot!(run);
    let plan = json_of(&place.machine.home().join("plan.json"));
    assert_eq!((plan["source"].as_str(), plan["degraded"].as_str()), (Some("offline"), None), "{plan}");
    let again = place.plan(&["--inspiration", "fast", "--metrics", "metrics.csv", "--json"]);
    let mut again: Value = serde_json::from_str(&again.stdout).unwrap();
    for field in ["made_at", "effort", "repository"] {
        again[field] = plan[field].clone();
    }
    assert_eq!(again, plan, "the same question has the same answer");
    assert_eq!(place.server.counters().requests, 0);
}

#[test]
fn a_bare_repository_is_as_good() {
    let place = without_model(history(3));
    let whole = place.plan(&["--inspiration", "fast", "--json"]);
    git(&place.machine, "git clone -q --bare . ../bare.git");
    let bare = place.plan(&["--repo", "../bare.git", "--inspiration", "fast", "--json"]);
    let steps = |run: &Run| {
        let plan: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
        (plan["base"].clone(), plan["plan"]["steps"].clone())
    };
    assert_eq!(steps(&bare), steps(&whole));
}

#[test]
fn a_cold_start_leaves_results_and_inspirations_aside() {
    let place = without_model(history(3));
    let run = place.plan(&["--inspiration", "fast", "--cold-start", "--json"]);
    let plan: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
    assert_eq!(plan["inspirations"], Value::Array(Vec::new()));
    assert!(plan["notes"].to_string().contains("cold start"), "{plan}");
}

#[test]
fn what_is_wrong_with_a_question_is_told_before_a_model_is_asked() {
    let place = without_model(history(2));
    assert_snapshot!(refused(&place, &["--base", "nowhere"]), @"
    exit code: 2
    ---- stderr
    error: `nowhere` names no commit in this repository: no branch, tag or commit is called so

    hint: `git log --oneline` lists commits, `git branch --all` branches; one of a remote is written `origin/NAME`
    ");
    assert_snapshot!(refused(&place, &["--inspiration=--upload-pack=x"]), @"
    exit code: 2
    ---- stderr
    error: `--upload-pack=x` names no commit in this repository: a revision does not begin with `-`

    hint: `git log --oneline` lists commits, `git branch --all` branches; one of a remote is written `origin/NAME`
    ");
    assert_snapshot!(refused(&place, &["--repo", "/"]), @"
    exit code: 2
    ---- stderr
    error: `/` is not in a git repository

    hint: name a directory inside a repository with `--repo`
    ");
    assert_snapshot!(refused(&place, &["--metrics", "none.json"]), @"
    exit code: 2
    ---- stderr
    error: cannot read `[ROOT]/home/project/none.json`: No such file or directory (os error 2)
    ");
    for (name, text) in [
        ("nan.json", "{\"main\": {\"speed\": NaN}}"),
        ("twice.json", "{\"main\": [{\"name\": \"a\", \"value\": 1}, {\"name\": \"a\", \"value\": 2}]}"),
        ("bool.json", "{\"main\": {\"speed\": true}}"),
        ("row.csv", "commit,name,value\nmain,speed,inf\n"),
    ] {
        place.machine.write(format!("project/{name}"), text);
        let run = refused(&place, &["--metrics", name]);
        assert_eq!(run.code, Some(2), "{run}");
        insta::assert_snapshot!(format!("metrics_{}", name.replace('.', "_")), run);
    }
}

#[test]
fn broken_repositories_are_told_before_a_model_is_asked() {
    let place = without_model(history(2));
    git(&place.machine, "git clone -q --depth 1 --no-single-branch file://$PWD ../shallow");
    assert_snapshot!(refused(&place, &["--repo", "../shallow", "--inspiration", "origin/fast"]), @"
    exit code: 1
    ---- stderr
    error: this is a shallow clone: its history ends before base and `origin/fast` meet

    hint: `git fetch --unshallow` fetches the rest; or leave this inspiration out
    ");
    // A file that leads to a repository which is gone, as a removed worktree leaves behind.
    place.machine.write("torn/.git", "gitdir: /nowhere/at/all\n");
    assert_snapshot!(refused(&place, &["--repo", "../torn"]), @"
    exit code: 1
    ---- stderr
    error: cannot open the git repository of `[ROOT]/home/project/../torn`: [ROOT]/home/project/../torn/.git leads to a directory that is not there

    hint: `git status` there tells what git thinks of it
    ");
    git(&place.machine, "git init -q ../empty");
    assert_snapshot!(refused(&place, &["--repo", "../empty"]), @"
    exit code: 2
    ---- stderr
    error: the repository has no commits yet

    hint: commit something first
    ");
    let tree = git(&place.machine, "git rev-parse HEAD^{tree}");
    git(&place.machine, &format!("rm -f .git/objects/{}/{}", &tree[..2], &tree[2..]));
    let run = refused(&place, &[]);
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("git fsck"), "{run}");
}
