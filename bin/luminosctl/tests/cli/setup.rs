//! What the program says about what is set up: `models` and `doctor`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::machine::Machine;
use crate::server::Server;

const KEY: &str = "sk-test-0123456789abcdefghij";

#[test]
fn models_lists_what_is_known_and_found() {
    let machine =
        Machine::new().with_file(".config/luminos/models.toml", "['tiny']\nwindow = 4096\n").with_file(
            "project/luminos.toml",
            "[models]\ndefault = 'ollama/tiny'\njudge = 'claude'\nplan = 'nobody'\n",
        );
    let run = machine.run_with(&[("ANTHROPIC_API_KEY", KEY)], "models");
    assert_snapshot!(run, @"");
}

#[test]
fn models_for_programs() {
    let server = Server::chat(&[]);
    let machine = Machine::new().with_file(".config/luminos/openai.key", format!("{KEY}\n"));
    let file = machine.home().join(".config/luminos/openai.key");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let run = machine.run_with(&[("OPENAI_BASE_URL", &server.url())], "models --json");
    let json: serde_json::Value = serde_json::from_str(&server.blanked(&run.stdout)).unwrap();
    let model = json["models"].as_array().unwrap().iter().find(|model| model["id"] == "claude-sonnet-5-5");
    assert_snapshot!(model.unwrap(), @"");
    assert_snapshot!(json["services"][1], @"");
    assert_snapshot!(json["passes"], @"");
}

#[test]
fn a_faulty_models_file_is_named() {
    let machine = Machine::new().with_file(".config/luminos/models.toml", "[tiny]\nprize = 3\n");
    assert_snapshot!(machine.run("models"), @"");
    let machine = Machine::new().with_file("project/luminos.toml", "[models]\nconfig = 'none.toml'\n");
    assert_snapshot!(machine.run("models"), @"");
}

#[test]
fn a_machine_without_any_set_up_is_a_healthy_one() {
    assert_snapshot!(Machine::new().run("doctor"), @"");
}

#[test]
fn what_is_set_up_is_checked() {
    let server = Server::chat(&[]);
    let machine =
        Machine::new().with_file(".config/luminos/config.toml", "[models]\ndefault = 'openai/tiny'\n");
    let run = machine.run_with(&[("OPENAI_BASE_URL", &server.url()), ("OPENAI_API_KEY", KEY)], "doctor");
    assert_snapshot!(server.blanked(run), @"");
}

#[test]
fn what_does_not_work_is_told_with_a_way_out() {
    let machine = Machine::new()
        .with_file("project/luminos.toml", "[models]\ndefault = 'anthropic/claude-sonnet-5-5'\n")
        .with_file("occupied", "")
        .with_file(".config/luminos/openai.key", KEY);
    let file = machine.home().join(".config/luminos/openai.key");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    // Nobody listens on port 1.
    let variables = [("OLLAMA_HOST", "127.0.0.1:1"), ("LUMINOS_HOME", "../occupied")];
    assert_snapshot!(machine.run_with(&variables, "doctor"), @"");
}

#[test]
fn a_broken_configuration_does_not_keep_the_doctor_away() {
    let machine = Machine::new().with_file("project/luminos.toml", "broken");
    let run = machine.run("doctor --json");
    let checks: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (run.code, &checks[0]["check"], &checks[0]["state"]),
        (Some(1), &"configuration".into(), &"bad".into())
    );
}
