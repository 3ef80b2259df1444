use super::*;
use crate::http::TimeOuts;
use crate::model::Model;

#[track_caller]
fn check(name: &str, variables: &[(&str, &str)], expected: Result<&[&str], &str>) {
    check_with(["agent", "--quiet"], name, variables, expected);
}

#[track_caller]
fn check_with<const N: usize>(
    command: [&str; N],
    name: &str,
    variables: &[(&str, &str)],
    expected: Result<&[&str], &str>,
) {
    let around = Surroundings {
        variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
        ..Surroundings::default()
    };
    let http = HttpClient::new(TimeOuts::default(), &crate::http::Network::default()).unwrap();
    let places = ConnectSettings {
        anthropic_version: "2026-10-21".to_owned(),
        anthropic_betas: vec!["one".to_owned(), "two".to_owned()],
        cache_time: CacheTime::Hour,
        command: command.map(str::to_owned).to_vec(),
        command_schema: vec!["--schema".to_owned(), "{schema-file}".to_owned()],
        launcher: None,
        program_time: Duration::from_secs(9),
        apart: Apart::default(),
    };
    let connected = connect(&name.parse().unwrap(), &around, &[], &http, &places);
    match (connected, expected) {
        (Ok(model), Ok(parts)) => {
            let shown = format!("{} {model:?}", model.id());
            assert!(!shown.contains("CANARY"), "{shown}");
            for part in parts {
                assert!(shown.contains(part), "{part} is not in {shown}");
            }
        }
        (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected),
        (connected, expected) => panic!("{name}: {connected:?}, expected {expected:?}"),
    }
}

#[test]
fn names_say_who_serves_a_model() {
    for name in ["anthropic/claude-sonnet-5-5", "ollama/hf.co/a/b:q4", "codex", "claude/opus"] {
        assert_eq!(name.parse::<ModelName>().unwrap().to_string(), name);
    }
    for name in ["", "anthropic", "anthropic/", "gpt-x", "openai/a b", "Anthropic/x"] {
        assert!(name.parse::<ModelName>().is_err(), "{name}");
    }
    assert_eq!(
        "x\u{1b}".parse::<ModelName>().unwrap_err().to_string(),
        "`x\\u{1b}` names no model (hint: write `anthropic/ID`, `openai/ID`, `ollama/ID`, `codex`, `claude` or `command`)"
    );
}

#[test]
fn keys_and_addresses_come_from_the_services_variables() {
    let key = ("ANTHROPIC_API_KEY", "sk-CANARY");
    check("anthropic/m", &[key], Ok(&["m Anthropic(", "api.anthropic.com"]));
    check("anthropic/m", &[key, ("ANTHROPIC_BASE_URL", "http://gpu:1")], Ok(&["gpu:1"]));
    check(
        "anthropic/m",
        &[],
        Err("anthropic/m needs a key (hint: set ANTHROPIC_API_KEY, or name a key file)"),
    );
    let key = ("OPENAI_API_KEY", "sk-CANARY");
    check("openai/m", &[key], Ok(&["api.openai.com", "MaxCompletionTokens"]));
    check("openai/m", &[("OPENAI_BASE_URL", "http://gpu:1/v1")], Ok(&["gpu:1", "MaxTokens"]));
    check("openai/m", &[], Err("openai/m needs a key (hint: set OPENAI_API_KEY, or name a key file)"));
    check("ollama/m", &[], Ok(&["127.0.0.1:11434"]));
    check("ollama/m", &[("OLLAMA_HOST", "gpu")], Ok(&["gpu:11434"]));
}

#[test]
fn programs_get_the_usual_variables_and_no_keys() {
    let variables =
        [("PATH", "/bin"), ("ANTHROPIC_API_KEY", "sk-CANARY"), ("AWS_SECRET_ACCESS_KEY", "CANARY")];
    check("claude/opus", &variables, Ok(&["claude:opus Command(", "\"PATH\": \"/bin\""]));
    check("codex", &variables, Ok(&["codex Command("]));
    check("command", &variables, Ok(&["agent Command(", "\"PATH\": \"/bin\""]));
}

#[test]
fn a_program_of_ones_own_is_called_as_the_setting_says() {
    let parts = ["agent Command(", r#"arguments: ["--quiet"]"#, r#"["--schema", "{schema-file}"]"#];
    check("command", &[], Ok(&parts));
    let words = ["agent", "--model={model}"];
    check_with(words, "command/big", &[], Ok(&["agent:big Command(", "--model={model}"]));
    let told = |why| format!("the model {why}");
    check_with(
        words,
        "command",
        &[],
        Err(&told(
            "command cannot be used as it is set up: `models.command` wants a model's id: write `command/ID`",
        )),
    );
    check(
        "command/big",
        &[],
        Err(&told(
            "command/big cannot be used as it is set up: `models.command` has no `{model}` that the id could take the \
             place of: write `command`",
        )),
    );
    check_with(["/opt/agent"], "command", &[], Ok(&["/opt/agent Command("]));
    for relative in ["./agent", "tools/agent"] {
        let why = "command cannot be used as it is set up: the program of `models.command` needs its whole path, or its name alone";
        check_with([relative], "command", &[], Err(&told(why)));
    }
    check_with(
        [],
        "command",
        &[],
        Err(&told("command cannot be used as it is set up: the setting `models.command` names no program")),
    );
}

#[test]
fn an_address_that_is_none_is_told() {
    let variables = [("ANTHROPIC_API_KEY", "sk-CANARY"), ("ANTHROPIC_BASE_URL", "ftp://x")];
    let words = "the model server cannot be used as it is set up: `ftp://x` is no http or https address";
    check("anthropic/m", &variables, Err(words));
}
