//! One question to a model behind a real socket.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use insta::assert_snapshot;
use luminos_model_server::{Answer, Matcher, ModelFacts, ModelServer, Refusal, Script, Settings};

use crate::canaries::spellings;
use crate::history::program;
use crate::machine::{Machine, Run};
use crate::server::{blanked, chat_url, heard, says, serve};

/// A key that would be noticed anywhere.
const CANARY: &str = "canary-Qx7Vb2-lantern-8841-meadow";

fn ask(machine: &Machine, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = machine.command(&[&["ask"], arguments].concat());
    machine.ended(command.envs(variables.iter().copied()).output().unwrap())
}

#[test]
fn an_answer_streams_and_what_it_took_is_told() {
    let server = says("Hello,\n\u{1b}[31mworld.");
    let run = ask(
        &Machine::new(),
        &[("OPENAI_BASE_URL", &chat_url(&server)), ("OPENAI_API_KEY", CANARY)],
        &["--model", "openai/tiny", "Hello?"],
    );
    assert_snapshot!(blanked(&server, run), @r"
    exit code: 0
    ---- stdout
    Hello,
    \u{1b}[31mworld.
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    openai/tiny · 9 tokens in, 5 out · price unknown
    ");
    let received = server.requests();
    assert_eq!(received[0].request.header("authorization"), Some(&*format!("Bearer {CANARY}")));
    assert!(heard(&server)[0].contains("Hello?"));
}

#[test]
fn programs_get_the_answer_as_json() {
    let server = says("Hello.");
    let run = ask(
        &Machine::new(),
        &[("OPENAI_BASE_URL", &chat_url(&server))],
        &["--model", "openai/tiny", "--json", "Hello?"],
    );
    assert_snapshot!(blanked(&server, run), @r#"
    exit code: 0
    ---- stdout
    {
      "model": "openai/tiny",
      "text": "Hello.",
      "stop": "end-turn",
      "usage": {
        "input": 9,
        "cache_write": 0,
        "cache_read": 0,
        "output": 2
      },
      "cost": null,
      "retries": 0,
      "notes": []
    }
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    "#);
}

#[test]
fn a_question_can_come_from_standard_input_and_the_model_from_the_configuration() {
    let server = says("Yes.");
    let machine = Machine::new()
        .with_file(".config/luminos/config.toml", "[models]\ndefault = 'ollama/tiny'\nconfig = 'm.toml'\n")
        .with_file(".config/luminos/m.toml", "[tiny]\ninput = 1\noutput = 2\n");
    let mut command = machine.command(&["ask", "--max-cost", "0.05", "-"]);
    command
        .env("OLLAMA_HOST", server.address().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"Is AKIAA1B2C3D4E5F6G7H8 a key?").unwrap();
    assert_snapshot!(blanked(&server, machine.ended(child.wait_with_output().unwrap())), @"
    exit code: 0
    ---- stdout
    Yes.
    ---- stderr
    asking ollama/tiny at [SERVER]; recognised secrets are taken out of the question
    ollama/tiny · 14 tokens in, 1 out · $0.000016
    note: secrets taken out of the question: 1
    ");
    let heard = heard(&server);
    assert!(heard[0].contains("Is [redacted aws-key] a key?"), "{heard:?}");
}

#[test]
fn a_model_is_named_as_its_server_lists_it_and_a_slip_is_told() {
    let chat_models = vec![ModelFacts::plain("llama3.2", 100_000, 8_000)];
    let settings = Settings { chat_models, ..Settings::default() };
    let server = ModelServer::start_on_thread(Script::new().always(Answer::text("Yes.")), settings).unwrap();
    let (machine, address) = (Machine::new(), server.address().to_string());
    let variables = [("OLLAMA_HOST", &*address)];
    let named = ask(&machine, &variables, &["--model", "llama3.2", "Hello?"]);
    assert_eq!((named.code, named.stdout.as_str()), (Some(0), "Yes.\n"), "{named}");
    assert!(named.stderr.starts_with("asking ollama/llama3.2 at "), "{named}");
    let slip = ask(&machine, &variables, &["--model", "ollama/lama3.2", "Hello?"]);
    let told = "`ollama/lama3.2` is in no list of models; did you mean `ollama/llama3.2`?";
    assert!(slip.stderr.contains(told), "{slip}");
    let slip = ask(&machine, &variables, &["--model", "lama3.2", "Hello?"]);
    assert_eq!(slip.code, Some(2), "{slip}");
    assert!(slip.stderr.contains("hint: did you mean `ollama/llama3.2`?"), "{slip}");
}

#[test]
fn a_key_that_is_not_accepted_is_a_failure_with_a_way_out() {
    let said = format!(
        r#"{{"error":{{"message":"Incorrect API key provided: {CANARY}","type":"invalid_request_error"}}}}"#
    );
    let server = serve(Script::new().always(Refusal::Page(401, said)));
    let run = ask(
        &Machine::new(),
        &[("OPENAI_BASE_URL", &chat_url(&server)), ("OPENAI_API_KEY", CANARY)],
        &["--model", "openai/tiny", "Hello?"],
    );
    assert_snapshot!(blanked(&server, run), @"
    exit code: 1
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    error: [SERVER] does not accept the key: Incorrect API key provided: [key] (request req_000000000000000000000001)

    hint: check the key; it is read from the environment, a file or a credential
    ");
}

#[test]
fn a_money_limit_needs_a_price() {
    let server = says("Never.");
    let variables = [("OPENAI_BASE_URL", &*chat_url(&server))];
    let run = ask(&Machine::new(), &variables, &["--model", "openai/tiny", "--max-cost", "0.05", "Hello?"]);
    assert_snapshot!(blanked(&server, run), @r#"
    exit code: 2
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    error: tiny is not asked: there is a money limit, and the price of the model is not known

    hint: leave out `--max-cost`, or add these lines to models.toml, in dollars for a million tokens:
    ["tiny"]
    input = …
    output = …
    (your models.toml is `[ROOT]/home/.config/luminos/models.toml`)
    "#);
    assert_eq!(server.counters().requests, 0);
}

#[test]
fn a_limit_that_is_too_low_is_told_before_anything_is_sent() {
    let server = says("Never.");
    let variables = [("OPENAI_BASE_URL", &*chat_url(&server))];
    let machine =
        Machine::new().with_file(".config/luminos/models.toml", "[tiny]\ninput = 1\noutput = 100\n");
    let run = ask(&machine, &variables, &["--model", "openai/tiny", "--max-cost", "0.05", "Hello?"]);
    assert_snapshot!(blanked(&server, run), @"
    exit code: 3
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    error: tiny is not asked: the money limit of $0.05 leaves $0.05, and the next call can cost $0.409651

    hint: raise the money limit, or allow a shorter answer
    ");
    let run = ask(&machine, &variables, &["--model", "openai/tiny", "--max-tokens", "50", "Hello?"]);
    assert_eq!(run.code, Some(3), "{run}");
    assert_eq!(server.counters().requests, 0);
}

#[test]
fn an_answer_that_is_cut_off_is_a_partial_one() {
    let server = says("And so on and on.");
    let variables = [("OPENAI_BASE_URL", &*chat_url(&server))];
    let run = ask(&Machine::new(), &variables, &["--model", "openai/tiny", "--max-output", "3", "Go on."]);
    assert_snapshot!(blanked(&server, run), @"
    exit code: 3
    ---- stdout
    And so on an
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    openai/tiny · 9 tokens in, 3 out · price unknown
    note: the answer is cut off; --max-output allows a longer one
    ");
}

#[test]
fn a_model_must_be_named_and_reachable() {
    let machine = Machine::new();
    assert_snapshot!(ask(&machine, &[], &["Hello?"]), @"
    exit code: 2
    ---- stderr
    error: no model is named

    hint: name one with `--model`, or in the setting `models.default`; `luminosctl models` lists some
    ");
    assert_snapshot!(ask(&machine, &[], &["--model", "nobody", "Hello?"]), @"
    exit code: 2
    ---- stderr
    error: `nobody` names no model (hint: write `anthropic/ID`, `openai/ID`, `ollama/ID`, `codex`, `claude` or `command`)
    ");
    assert_snapshot!(ask(&machine, &[], &["--model", "anthropic/claude-sonnet-5-5", "Hello?"]), @"
    exit code: 1
    ---- stderr
    error: anthropic/claude-sonnet-5-5 needs a key

    hint: set ANTHROPIC_API_KEY, or put the key into `[ROOT]/home/.config/luminos/anthropic.key` (mode 0600)
    ");
}

#[test]
fn a_failure_that_comes_again_is_told_once() {
    let refusal = || Refusal::Page(500, r#"{"error":{"message":"The disk\n  is full."}}"#.to_owned());
    let server = serve(
        Script::new()
            .when(Matcher::any(), [refusal().into(), refusal().into()])
            .always(Answer::text("Fine.")),
    );
    let run = ask(
        &Machine::new(),
        &[("OPENAI_BASE_URL", &*chat_url(&server))],
        &["--model", "openai/tiny", "Hello?"],
    );
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "Fine."), "{run}");
    let warnings: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    let [first, second] = warnings.as_slice() else { panic!("{run}") };
    assert!(
        first
            .contains("failed: The disk is full. (request req_000000000000000000000001); asking again in 0."),
        "{run}"
    );
    assert!(second.starts_with("warning: the same again; asking again in "), "{run}");
}

#[test]
fn a_model_that_the_server_does_not_know_is_told_with_a_way_out() {
    let refusal =
        Refusal::Page(400, r#"{"error":{"message":"Invalid model name passed in model=none"}}"#.to_owned());
    let server = serve(Script::new().always(refusal));
    let run = ask(
        &Machine::new(),
        &[("OPENAI_BASE_URL", &*chat_url(&server))],
        &["--model", "openai/tiny", "Hello?"],
    );
    assert_snapshot!(blanked(&server, run), @"
    exit code: 1
    ---- stderr
    asking openai/tiny at [SERVER]; recognised secrets are taken out of the question
    error: [SERVER] does not accept the request: Invalid model name passed in model=none (request req_000000000000000000000001)

    hint: check the model's id; `luminosctl models` asks the server what it offers
    ");
}

#[test]
fn keys_stay_where_they_are() {
    let refusal = || Refusal::Page(401, format!(r#"{{"error":{{"message":"no: {CANARY}"}}}}"#));
    let bad = Matcher::any().containing("A bad question");
    let script = Script::new().when(bad, [refusal().into(), refusal().into()]).always(Answer::text("Fine."));
    let server = serve(script);
    let machine = Machine::new();
    program(&machine, "codex", "#!/bin/sh\n/usr/bin/env > \"$HOME/.codex/child\"\nexit 1\n");
    let path = machine.home().join("bin");
    let variables = [
        ("OPENAI_BASE_URL", &*chat_url(&server)),
        ("OPENAI_API_KEY", CANARY),
        ("ANTHROPIC_API_KEY", CANARY),
        ("ANTHROPIC_BASE_URL", &*server.url()),
        ("PATH", path.to_str().unwrap()),
    ];
    let mut seen = String::new();
    for arguments in [
        &["ask", "--model", "openai/tiny", "A good question"][..],
        &["ask", "--model", "openai/tiny", "A bad question"],
        &["ask", "--model", "anthropic/claude-sonnet-5-5", "A bad question"],
        &["ask", "--model", "openai/tiny", "--json", "A good question"],
        &["ask", "--model", "codex", "Hello?"],
        &["models"],
        &["models", "--json"],
        &["doctor"],
        &["doctor", "--json"],
        &["config", "show", "--origin"],
    ] {
        let mut command = machine.command(arguments);
        let run = machine.ended(command.envs(variables).output().unwrap());
        seen += &run.to_string();
    }
    let is_used = |header| {
        server.requests().iter().any(|it| it.request.header(header).is_some_and(|it| it.contains(CANARY)))
    };
    assert!(is_used("x-api-key") && is_used("authorization"), "the key was never used");
    assert_eq!(server.counters().requests, 12, "four questions to servers, and four times the lists of two");
    assert!(
        fs::read_to_string(machine.home().join(".codex/child")).unwrap().contains("HOME="),
        "no program ran"
    );
    read_all(&machine.home(), &mut seen);
    for form in spellings(CANARY) {
        assert!(!seen.contains(&form), "{form} in\n{seen}");
    }
}

/// All names and contents below a directory, state directory and the child's environment included.
fn read_all(dir: &Path, seen: &mut String) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        *seen += &path.to_string_lossy();
        if path.is_dir() {
            read_all(&path, seen);
        } else {
            *seen += &String::from_utf8_lossy(&fs::read(&path).unwrap());
        }
    }
}
