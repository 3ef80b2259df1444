//! Investigations from their plan to their end: `plan`, `list`, `status`, `flags`, `clean`.

use std::fs;

use serde_json::Value;

use crate::machine::Machine;

/// A project in which there is something to flag.
fn machine() -> Machine {
    Machine::new()
        .with_file("project/README.md", "# Adder\n\nAdds numbers.\n")
        .with_file("project/src/main.py", "import sys\n\nprint(eval(sys.argv[1]))\n")
        .with_file("project/docs/guide.md", "# Guide\n\nCall it.\n")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn list(machine: &Machine) -> Vec<Value> {
    let run = machine.run("list --json");
    assert_eq!(run.code, Some(0), "{run}");
    json(&run.stdout).as_array().unwrap().clone()
}

fn states(machine: &Machine) -> Vec<String> {
    list(machine).iter().map(|row| row["state"].as_str().unwrap().to_owned()).collect()
}

/// The plan as it is stored, of the only investigation.
fn stored_plan(machine: &Machine) -> Vec<u8> {
    let id = list(machine)[0]["id"].as_str().unwrap().to_owned();
    fs::read(machine.state().join(id).join("plan.json")).unwrap()
}

#[test]
fn a_plan_is_shown_and_a_run_follows_it() {
    let machine = machine();
    let run = machine.run("plan --json");
    assert_eq!(run.code, Some(0), "{run}");
    let plan = json(&run.stdout);
    assert_eq!(plan["rows"].as_array().unwrap().len(), 3, "{run}");
    assert_eq!(states(&machine), ["planned"]);
    assert_eq!(json(&machine.run("status . --json").stdout)["turns"], 0);
    let shown = machine.run("plan --quiet");
    assert_eq!(shown.stderr, "", "{shown}");
    assert!(shown.stdout.contains("shallow      5  docs"), "{shown}");
    assert!(shown.stdout.contains("3 directories: 1 default (10 turns), 2 shallow (10 turns)"), "{shown}");

    let before = stored_plan(&machine);
    let run = machine.run("run");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("3 of 3 investigated"), "{run}");
    assert_eq!(stored_plan(&machine), before, "the run made another plan");
    assert_eq!(states(&machine), ["done"]);

    assert_eq!(machine.run("plan").code, Some(0));
    assert_eq!(states(&machine), ["done"], "a plan alone does not undo a report");
    assert_eq!(machine.run("show").code, Some(0));
}

#[test]
fn a_plan_keeps_to_a_limit_and_can_be_made_anew() {
    let machine = machine();
    assert_eq!(machine.run("plan").code, Some(0));
    let before = stored_plan(&machine);
    let run = machine.run("plan --refresh --max-turns 6 --json");
    assert!(json(&run.stdout)["total"].as_u64().unwrap() <= 6, "{run}");
    assert_ne!(stored_plan(&machine), before);
}

#[test]
fn what_is_no_directory_cannot_be_planned_for() {
    let machine = machine();
    for command in ["plan", "estimate", "run"] {
        let run = machine.run(&format!("{command} README.md"));
        assert_eq!(run.code, Some(2), "{run}");
        assert!(run.stderr.contains("is not a directory"), "{run}");
        let run = machine.run(&format!("{command} nowhere"));
        assert_eq!(run.code, Some(1), "{run}");
    }
    assert!(!machine.state().join("run").exists(), "a daemon was started for nothing");
}

#[test]
fn an_investigation_is_named_by_id_prefix_or_path() {
    let machine = machine();
    assert_eq!(machine.run("run --quiet").code, Some(0));
    let row = list(&machine).remove(0);
    let id = row["id"].as_str().unwrap();
    assert_eq!(row["target"], "[ROOT]/home/project");
    assert_eq!(row["cost"], 0);
    let path = machine.project();
    for name in [id, &id[..8], ".", path.to_str().unwrap()] {
        let run = machine.run(&format!("status {name} --json"));
        let status = json(&run.stdout);
        assert_eq!((&status["id"], &status["state"]), (&id.into(), &"done".into()), "{run}");
        assert_eq!(status["models"]["dir"], "offline", "{run}");
    }
    let run = machine.run("status");
    assert!(run.stdout.contains("Nothing is running."), "{run}");
    let run = machine.run("status .");
    assert!(run.stdout.contains("done") && run.stdout.contains("`luminosctl show`"), "{run}");
    for command in ["status", "flags", "show", "pause", "resume", "cancel", "clean"] {
        let run = machine.run(&format!("{command} nowhere"));
        assert_eq!(run.code, Some(2), "{command}: {run}");
        assert!(run.stderr.contains("there is no investigation `nowhere`"), "{command}: {run}");
    }
}

#[test]
fn flags_are_listed_by_severity() {
    let machine = machine();
    let run = machine.run("run --quiet --fail-on concern");
    assert_eq!(run.code, Some(4), "{run}");
    let run = machine.run("flags");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("concern") && run.stdout.contains("src/main.py:3"), "{run}");
    let run = machine.run("flags --json");
    let flag = json(run.stdout.lines().next().unwrap());
    assert_eq!((&flag["severity"], &flag["path"]), (&"concern".into(), &"src/main.py".into()), "{run}");
    let run = machine.run("flags --min critical");
    assert_eq!(run.stdout, "No flags.\n");
    assert!(run.stderr.contains("less severe left out"), "{run}");
    assert_eq!(machine.run("flags --min awful").code, Some(2));
}

#[test]
fn cleaning_says_what_goes_before_it_goes() {
    let machine = machine();
    assert_eq!(machine.run("clean").code, Some(2));
    assert!(machine.run("clean --all").stderr.contains("nothing to remove"));
    assert_eq!(machine.run("run --quiet").code, Some(0));
    assert_eq!(machine.run("run --quiet --fresh").code, Some(0));
    assert_eq!(list(&machine).len(), 2);

    let run = machine.run("clean --keep 1");
    assert!(run.stderr.contains("1 investigation would be removed"), "{run}");
    assert_eq!(list(&machine).len(), 2, "nobody said --yes");
    let run = machine.run("clean --older-than 1 --keep 1 --yes");
    assert!(run.stderr.contains("nothing to remove"), "{run}");
    let newest = list(&machine)[1].clone();
    let run = machine.run("clean --keep 1 --yes");
    assert!(run.stderr.contains("1 investigation removed"), "{run}");
    assert_eq!(list(&machine)[0]["id"], newest["id"]);

    // Without a daemon one is started for it.
    assert_eq!(machine.run("daemon stop").code, Some(0));
    assert_eq!(machine.run("clean . --yes").code, Some(0));
    assert!(list(&machine).is_empty());
    let run = machine.run("show");
    assert_eq!(run.code, Some(2), "{run}");
}

#[test]
fn before_anything_was_investigated_there_is_nothing_to_list() {
    let machine = Machine::new();
    assert_eq!(machine.run("list").stdout, "No investigations yet: luminosctl run <path> makes one.\n");
    assert_eq!(machine.run("status").stdout, "Nothing is running: there is no daemon.\n");
    assert_eq!(machine.run("status --json").stdout, "null\n");
    let run = machine.run("flags");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(!machine.state().exists(), "looking made a state directory");
}

#[test]
fn a_report_shows_as_many_levels_as_asked_and_no_form_that_there_is_not() {
    let machine = machine().with_file("project/src/deep/er/part.py", "def part():\n    return 1\n");
    let run = machine.run("run --quiet --depth 1");
    assert!(run.stdout.contains("\n  src/ ") && !run.stdout.contains("\n  src/deep/ "), "{run}");
    let run = machine.run("show --depth 3");
    assert!(run.stdout.contains("\n  src/deep/er/"), "{run}");
    let run = machine.run("run --format pdf");
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("use text, md, html, json or sarif"), "{run}");
}

#[test]
fn a_report_is_a_page_that_tells_of_the_plan_too() {
    let machine = machine();
    let run = machine.run("run --quiet --format html -o report.html");
    assert_eq!(run.code, Some(0), "{run}");
    let page = fs::read_to_string(machine.project().join("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert!(page.contains("<section id=\"plan\""), "{page}");
    assert!(machine.run("show --format html").stdout.starts_with("<!doctype html>"));
}

#[test]
fn a_model_that_could_be_asked_is_suggested_but_not_asked() {
    let machine = machine();
    let key = [("ANTHROPIC_API_KEY", "sk-test-0123456789abcdefghij")];
    let run = machine.run_with(&key, "run");
    let suggestions = run.stderr.lines().filter(|line| line.contains("a key for anthropic was found"));
    assert_eq!(
        suggestions.filter(|line| line.contains("--model anthropic/claude-") && line.contains('$')).count(),
        1,
        "{run}"
    );
    assert!(run.stdout.contains("the offline analyst, without a model"), "{run}");
    for silent in ["run --quiet", "run --offline"] {
        let run = machine.run_with(&key, silent);
        assert!(!run.stderr.contains("was found"), "{run}");
    }
    assert!(!machine.run("run").stderr.contains("was found"));
}

#[test]
fn an_estimate_is_a_range_and_asks_nobody() {
    let machine = machine();
    let run = machine.run("estimate --model anthropic/claude-sonnet-5-5 --json");
    assert_eq!(run.code, Some(0), "{run}");
    let estimate = json(&run.stdout);
    let (least, most) = (&estimate["cost"]["start"], &estimate["cost"]["end"]);
    assert!(0 < least.as_u64().unwrap() && least.as_u64() < most.as_u64(), "{run}");
    let run = machine.run("estimate --model openai/nobody-knows-it");
    assert!(run.stdout.contains("cost        not known"), "{run}");
    assert!(run.stdout.contains("Assuming"), "{run}");
    let run = machine.run("estimate");
    assert!(run.stdout.contains("offline, which asks nobody") && run.stdout.contains("$0.00"), "{run}");
    assert_eq!(machine.run("estimate --model nobody").code, Some(2));
    assert!(!machine.state().join("run").exists(), "an estimate needs no daemon");
}

#[test]
fn only_what_the_baseline_does_not_have_fails_a_build() {
    let machine = machine();
    assert_eq!(machine.run("run --quiet --json -o ../old.json").code, Some(0));
    let run = machine.run("run --quiet --baseline ../old.json --fail-on concern:new");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains("Flags against the baseline: 0 new"), "{run}");
    // Lines move, and another one appears.
    machine.write("project/src/main.py", "import sys\n\n\n# Adds.\nprint(eval(sys.argv[1]))\n");
    machine.write("project/src/more.py", "import sys\n\nexec(sys.argv[2])\n");
    let run = machine
        .run("run --quiet --baseline ../old.json --fail-on concern:new --format sarif -o ../flags.sarif");
    assert_eq!(run.code, Some(4), "{run}");
    assert!(run.stderr.contains("src/more.py"), "{run}");
    let sarif = json(&fs::read_to_string(machine.project().join("../flags.sarif")).unwrap());
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let state = |path: &str| {
        let at = |result: &&Value| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str() == Some(path)
        };
        results.iter().find(at).map(|result| result["baselineState"].clone())
    };
    assert_eq!(state("src/main.py"), Some(Value::from("unchanged")));
    assert_eq!(state("src/more.py"), Some(Value::from("new")));
    let run = machine.run("show --fail-on critical:new");
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("--baseline"), "{run}");
    assert_eq!(machine.run("show --baseline ../flags.sarif").code, Some(2), "that is no report");
}

#[test]
fn facts_go_into_the_file_that_was_named_and_nowhere_else() {
    let machine = machine().with_file("notes/AGENTS.md", "# Mine\n");
    assert_eq!(machine.run("run --quiet").code, Some(0));
    let run = machine.run("export agents-md");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.starts_with("<!-- luminos:begin -->\n") && run.stdout.len() <= 1024, "{run}");
    assert!(run.stdout.contains("src/main.py:3"), "{run}");
    assert!(!machine.project().join("AGENTS.md").exists());
    let file = machine.project().join("../notes/AGENTS.md");
    for news in ["the facts are in", "is up to date"] {
        let run = machine.run("export agents-md . -o ../notes/AGENTS.md");
        assert_eq!(run.code, Some(0), "{run}");
        assert!(run.stderr.contains(news), "{run}");
    }
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Mine\n\n<!-- luminos:begin -->"), "{text}");
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
}
