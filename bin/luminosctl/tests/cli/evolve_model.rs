//! Plans that a model makes: in all three modes, through both interfaces and through programs, within limits, one at a time.

use std::fs;
use std::process::Stdio;

use insta::assert_snapshot;
use luminos_model_server::{Answer, Gate, Matcher, Script};
use serde_json::{Value, json};

use crate::history::{Evolving, git, history, json_of, model_plan, program};
use crate::machine::{Run, finish};
use crate::site::{PATIENCE, until};

const CHAT: &[&str] = &["--model", "openai/tiny"];
const MESSAGES: &[&str] = &["--model", "anthropic/claude-haiku-5-5"];

fn words(base: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
    [base, more].concat()
}

#[track_caller]
fn document(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

/// A text without the port of the server, which differs each time.
pub(crate) fn without_port(text: &str) -> String {
    match text.split_once(" at 127.0.0.1:") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
            format!("{before} at [SERVER]{after}")
        }
        None => text.to_owned(),
    }
}

/// What differs between runs and places: hashes of prompts, seconds, tokens.
fn blanked(run: &Run) -> String {
    let seconds = |line: &str| match (line.find(" tokens in, "), line.rfind(" · ")) {
        (Some(_), Some(end)) => format!("{} · [SECONDS]", &line[..end]),
        _ => line.to_owned(),
    };
    without_port(&run.to_string()).lines().map(seconds).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_strict_plan_is_the_models_own_through_both_interfaces() {
    for api in [CHAT, MESSAGES] {
        let place = Evolving::new(history(3), Script::new().then(Answer::text(&model_plan().to_string())));
        let run = place.plan(&words(api, &["--mode", "strict", "--inspiration", "fast", "--json"]));
        assert_eq!(run.code, Some(0), "{run}");
        let plan = document(&run);
        assert_eq!((plan["source"].as_str(), plan["degraded"].as_str()), (Some("model"), None), "{plan}");
        assert_eq!(plan["plan"]["steps"].as_array().map(Vec::len), Some(3));
        let asked = place.asked();
        assert_eq!(asked.len(), 1);
        for told in ["Parse faster", "Skip blanks faster, part 3", "Print all words at once"] {
            assert!(asked[0].contains(told), "{told} is not in {}", asked[0]);
        }
        assert_eq!(place.server.counters().invalid, 0, "the schema is one that services take");
    }
}

#[test]
fn a_plan_of_a_model_as_people_read_it() {
    let place = Evolving::new(history(3), Script::new().then(Answer::text(&model_plan().to_string())));
    let run = place.plan(&words(CHAT, &["--mode", "strict", "--inspiration", "fast"]));
    assert_snapshot!(blanked(&run));
}

#[test]
fn a_plan_that_breaks_a_rule_is_asked_for_once_more_with_what_is_wrong() {
    let mut circle = model_plan();
    circle["steps"][0]["dependencies"] = json!(["compare"]);
    let script =
        Script::new().then(Answer::text(&circle.to_string())).then(Answer::text(&model_plan().to_string()));
    let place = Evolving::new(history(1), script);
    let plan = document(&place.plan(&words(CHAT, &["--mode", "strict", "--json"])));
    assert_eq!((plan["source"].as_str(), plan["effort"]["calls"].as_u64()), (Some("model"), Some(2)));
    let asked = place.asked();
    assert_eq!(asked.len(), 2);
    assert!(!asked[0].contains("in a circle"));
    assert!(
        asked[1].contains("steps depend on one another in a circle: compare → skip → measure → compare"),
        "{}",
        asked[1]
    );
}

#[test]
fn strict_means_strict() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut plan = model_plan();
        change(&mut plan);
        Answer::text(&plan.to_string())
    };
    let step = model_plan()["steps"][0].clone();
    for (answer, why) in [
        (Answer::text("I would begin with the parser."), "it holds no JSON document"),
        (with(&|plan| plan["steps"] = json!([])), "steps"),
        (with(&|plan| plan["steps"] = Value::Array(vec![step.clone(); 7])), "steps"),
        (with(&|plan| plan["steps"][1]["id"] = json!("measure")), "two steps have the id `measure`"),
        (with(&|plan| plan["steps"][1]["dependencies"] = json!(["nobody"])), "which is no step"),
        (with(&|plan| plan["steps"][1]["files"] = json!(["../outside"])), "leads out of the repository"),
        (with(&|plan| plan["surprise"] = json!(1)), "surprise"),
        (with(&|plan| plan["plan_summary"] = json!("x".repeat(600))), "plan_summary"),
    ] {
        let place = Evolving::new(history(1), Script::new().times(2, answer));
        let run = place.plan(&words(CHAT, &["--mode", "strict"]));
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run}");
        assert!(run.stderr.contains(why), "{why}: {run}");
        assert_eq!(place.server.counters().requests, 2, "one retry, no more");
    }
}

#[test]
fn focus_metrics_must_exist_where_any_are_known() {
    let mut wrong = model_plan();
    wrong["focus_metrics"] = json!(["velocity"]);
    let place = Evolving::new(history(1), Script::new().times(2, Answer::text(&wrong.to_string())));
    place.machine.write("project/metrics.json", "{\"main\": {\"speed\": 3}}");
    let run = place.plan(&words(CHAT, &["--mode", "strict", "--metrics", "metrics.json"]));
    assert!(
        run.stderr.contains("the focus metric `velocity` is not known; the known ones are: speed"),
        "{run}"
    );
}

#[test]
fn a_lenient_plan_of_words_is_marked() {
    let script = Script::new()
        .then(Answer::text("Well."))
        .then(Answer::text("1. Measure the parser\n2. Skip blanks\n3. Measure again"));
    let place = Evolving::new(history(1), script);
    let run = place.plan(&words(CHAT, &["--mode", "lenient"]));
    assert_eq!(place.server.counters().requests, 2);
    assert_snapshot!(blanked(&run));
}

#[test]
fn without_a_document_nothing_is_retried_and_the_plan_says_whose_it_is() {
    let place = Evolving::new(history(1), Script::new().then(Answer::text(&model_plan().to_string())));
    let run = place.plan(&words(MESSAGES, &["--mode", "none", "--json"]));
    assert_eq!(run.code, Some(0), "{run}");
    let plan = document(&run);
    assert_eq!(plan["source"], "synthesised");
    assert!(plan["degraded"].is_string(), "{plan}");
    let asked = place.asked();
    assert_eq!(asked.len(), 1);
    assert!(!asked[0].contains("plan_summary"), "no schema is sent: {}", asked[0]);
}

#[test]
fn long_histories_are_summarised_once_for_each_model() {
    let summaries = Matcher::any().containing("You summarise a piece");
    let script = || {
        Script::new()
            .when(summaries.clone(), vec![Answer::text("Blanks are skipped faster."); 4])
            .always(Answer::text(&model_plan().to_string()))
    };
    let place = Evolving::new(history(40), script());
    let arguments = words(CHAT, &["--mode", "strict", "--inspiration", "fast", "--json"]);
    let first = document(&place.plan(&arguments));
    assert_eq!(first["inspirations"][0]["trajectory"]["unique_steps_count"], 40);
    let asked = place.asked();
    assert_eq!(asked.len(), 4, "three chunks and the plan");
    assert!(asked[3].matches("Blanks are skipped faster.").count() == 3, "{}", asked[3]);
    assert!(asked[3].contains("Omitted: 8 steps"), "{}", asked[3]);
    document(&place.plan(&arguments));
    assert_eq!(place.asked().len(), 5, "only the plan is asked for again");
}

#[test]
fn every_attempt_is_kept_without_secrets() {
    let machine = history(1);
    git(&machine, "git commit -q --allow-empty -m 'Add the key AKIAQ3ZL7WXN5T2HBV6K by mistake'");
    let mut bad = model_plan();
    bad["steps"] = json!([]);
    let script =
        Script::new().then(Answer::text(&bad.to_string())).then(Answer::text(&model_plan().to_string()));
    let place = Evolving::new(machine, script);
    document(&place.plan(&words(CHAT, &["--mode", "strict", "--json"])));
    let attempts = place.kept("attempts");
    assert_eq!(attempts.len(), 2);
    for attempt in &attempts {
        assert!(!attempt.to_string().contains("AKIAQ3ZL7WXN5T2HBV6K"), "{attempt}");
        let body = attempt.get("body").unwrap_or(attempt);
        for field in
            ["prompt", "output", "seconds", "input_tokens", "output_tokens", "mode", "model", "goal", "base"]
        {
            assert!(!body[field].is_null(), "{field} is missing: {body}");
        }
    }
    let last = attempts[1].get("body").unwrap_or(&attempts[1]);
    assert_eq!(last["plan"]["summary"], "Skip blanks in one go.");
    assert!(!place.asked()[0].contains("AKIAQ3ZL7WXN5T2HBV6K"), "secrets are not sent either");
}

/// What a call can cost at most follows from marks in the prompt that are drawn each time.
fn refusal(run: &Run) -> String {
    let shortened = |line: &str| match line.split_once("the next call can ") {
        Some((before, _)) => format!("{before}the next call can […]"),
        None => line.to_owned(),
    };
    without_port(&run.to_string()).lines().map(shortened).collect::<Vec<_>>().join("\n")
}

#[test]
fn limits_are_the_gateways() {
    let place = Evolving::new(history(1), Script::new());
    assert_snapshot!(refusal(&place.plan(&words(MESSAGES, &["--max-cost", "0.000001"]))), @"
    exit code: 3
    ---- stderr
    asking anthropic/claude-haiku-5-5 at [SERVER]; commit messages, differences, file names and lines of files are sent there, recognised secrets taken out
    error: claude-haiku-5-5 is not asked: the money limit of $0.000001 leaves $0.000001, and the next call can […]

    hint: raise the money limit, or allow a shorter answer
    ");
    assert_snapshot!(refusal(&place.plan(&words(CHAT, &["--max-tokens", "100"]))), @"
    exit code: 3
    ---- stderr
    asking openai/tiny at [SERVER]; commit messages, differences, file names and lines of files are sent there, recognised secrets taken out
    error: tiny is not asked: the limit of 100 tokens leaves 100, and the next call can […]

    hint: raise the limit of tokens, or allow a shorter answer
    ");
    assert_snapshot!(without_port(&place.plan(&words(CHAT, &["--max-cost", "1"])).to_string()), @r#"
    exit code: 2
    ---- stderr
    asking openai/tiny at [SERVER]; commit messages, differences, file names and lines of files are sent there, recognised secrets taken out
    error: tiny is not asked: there is a money limit, and the price of the model is not known

    hint: leave out `--max-cost`, or add these lines to models.toml, in dollars for a million tokens:
    ["tiny"]
    input = …
    output = …
    (your models.toml is `[ROOT]/home/.config/luminos/models.toml`)
    "#);
    assert_eq!(place.server.counters().requests, 0);
}

/// Says what it was given, and answers as `codex exec --json` does.
const CODEX: &str = r#"#!/bin/sh
printf '%s\n' "$@" > "$HOME/.codex/arguments"
for word; do [ -f "$word" ] && cp "$word" "$HOME/.codex/schema.json"; done
pwd > "$HOME/.codex/place"
cat > "$HOME/.codex/prompt"
env > "$HOME/.codex/environment"
echo '{"type":"thread.started","thread_id":"1"}'
printf '{"type":"item.completed","item":{"id":"0","type":"agent_message","text":%s}}\n' "$(cat "$HOME/.codex/answer")"
echo '{"type":"turn.completed","usage":{"input_tokens":70,"cached_input_tokens":0,"output_tokens":30}}'
"#;

const CLAUDE: &str = r#"#!/bin/sh
cat > "$HOME/.claude/prompt"
printf '{"type":"result","subtype":"success","is_error":false,"result":%s,"usage":{"input_tokens":70,"output_tokens":30}}\n' "$(cat "$HOME/.claude/answer")"
"#;

#[test]
fn programs_are_models_too() {
    for (name, script) in [("codex", CODEX), ("claude", CLAUDE)] {
        let machine = history(1);
        program(&machine, name, script);
        machine.write(format!(".{name}/answer"), json!(model_plan().to_string()).to_string());
        let place = Evolving::new(machine, Script::new());
        let run = place.plan(&["--model", name, "--mode", "strict", "--json"]);
        let plan = document(&run);
        assert_eq!(
            (plan["source"].as_str(), plan["effort"]["model"].as_str()),
            (Some("model"), Some(name)),
            "{run}"
        );
        assert_eq!(plan["effort"]["output_tokens"], 30);
        let own = place.machine.home().join(format!(".{name}"));
        let read = |name: &str| fs::read_to_string(own.join(name)).unwrap_or_default();
        assert!(read("prompt").contains("Parse faster"));
        if name == "codex" {
            let arguments = read("arguments");
            assert!(arguments.contains("read-only") && arguments.contains("--output-schema"), "{arguments}");
            assert!(!arguments.contains("Parse faster"), "the prompt is not on the command line");
            let schema = json_of(&own.join("schema.json"));
            let required = schema["required"].as_array().unwrap().len();
            assert_eq!(
                required,
                schema["properties"].as_object().unwrap().len(),
                "strict services want all keys"
            );
            assert!(read("place").contains("/luminos-program-"), "it stands in the repository");
            assert!(!read("environment").contains("key-of-a-test"), "programs get no keys");
            let attempts = place.kept("attempts");
            let attempt = attempts[0].get("body").unwrap_or(&attempts[0]);
            let command = attempt["command"].as_str().unwrap_or_default();
            assert!(command.starts_with("codex exec --json --sandbox read-only"), "{attempt}");
        }
    }
}

/// The directory that is looked at is the whole repository, wherever in it somebody stands.
#[test]
fn a_program_that_lies_in_the_repository_is_not_used() {
    let machine = history(1);
    machine.write("project/sub/x", "");
    let path = format!("{}:/usr/bin:/bin", machine.home().join("project/bin").display());
    machine.write("project/bin/claude", "#!/bin/sh\ntouch $HOME/ran\n");
    let theirs = machine.home().join("project/bin/claude");
    fs::set_permissions(theirs, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let arguments = ["evolve", "plan", "--repo", "sub", "--goal", "Faster", "--model", "claude"];
    let mut command = machine.command(&[&arguments[..], &["--allow-unconfined-program"]].concat());
    let run = machine.ended(finish(command.env("PATH", path), PATIENCE));
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("cannot start the program `claude`"), "{run}");
    assert!(!machine.home().join("ran").exists());
}

#[test]
fn a_program_that_changes_the_worktree_spoils_the_plan() {
    let machine = history(1);
    let script = "#!/bin/sh\necho more >> \"$HOME/project/src/parse.rs\"\ncat \"$HOME/answer\"\n";
    program(&machine, "agent", script);
    machine.write("answer", model_plan().to_string());
    let place = Evolving::new(machine, Script::new());
    // In its box it could not.
    place
        .machine
        .write(".config/luminos/config.toml", "[models]\ncommand = ['agent']\ncommand-box = false\n");
    assert_snapshot!(place.plan(&["--model", "command", "--mode", "strict", "-o", "../plan.json"]), @"
    exit code: 1
    ---- stderr
    asking command (your own program here, which may send what it is asked anywhere); commit messages, differences, file names and lines of files are sent there, recognised secrets taken out
    error: files changed while the plan was made: src/parse.rs

    hint: if you changed them yourself, plan again; otherwise look at what the model's program did with `git diff`
    ");
    assert!(!place.machine.home().join("plan.json").exists());
}

#[test]
fn one_planner_at_a_time() {
    let gate = Gate::shut();
    let plan = Answer::text(&model_plan().to_string());
    let place = Evolving::new(history(1), Script::new().then(plan.clone().behind(&gate)).then(plan));
    let start = || {
        let mut command =
            place.command(&words(&["evolve", "plan", "--goal", "Parse faster", "--json"], CHAT));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let first = start();
    until(|| place.server.counters().requests == 1);
    let mut second = start();
    let mut told = String::new();
    let stderr = second.stderr.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stderr), &mut told).unwrap();
    assert!(told.contains("waiting for"), "{told}");
    assert_eq!(place.server.counters().requests, 1, "the second has not asked");
    gate.open();
    for child in [first, second] {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(place.server.counters().requests, 2);
    assert_eq!(place.server.counters().most_in_flight, 1);
}
