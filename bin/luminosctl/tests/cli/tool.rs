//! Tools that are called by hand, in a process that is locked in.

use std::os::unix::fs::symlink;

use crate::machine::{Machine, Run};

fn machine() -> Machine {
    Machine::new()
        .with_file("project/README.md", "# Adder\n\nAdds numbers.\n")
        .with_file("project/src/main.py", "def add(a, b):\n    \"\"\"Adds.\"\"\"\n    return a + b\n")
        .with_file("secret.txt", "not for models\n")
}

fn call(machine: &Machine, tool: &str, arguments: &str) -> Run {
    machine.ended(machine.command(&["tool", tool, arguments]).output().unwrap())
}

#[test]
fn a_tool_shows_what_a_model_gets_to_see() {
    let machine = machine();
    let run = call(&machine, "read_file", r#"{"path": "README.md"}"#);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{run}");
    assert!(run.stdout.contains("Adds numbers.") && run.stdout.contains("<data-"), "{run}");
    let run = call(&machine, "parse_structure", r#"{"path": "src/main.py"}"#);
    assert!(run.code == Some(0) && run.stdout.contains("def add(a, b)"), "{run}");
    let run = call(&machine, "search", r#"{"pattern": "numb.rs"}"#);
    assert!(run.code == Some(0) && run.stdout.contains("README.md"), "{run}");
    let run = call(&machine, "list_directory", "");
    assert!(run.code == Some(0) && run.stdout.contains("src/"), "{run}");
    assert!(!machine.state().exists(), "a tool needs no state");
}

#[test]
fn secrets_are_taken_out_of_what_is_shown_and_files_that_keep_them_are_not() {
    let rows = ["x7Kd03mZq1Xw7Lr5Tn2Vb9Yc4Pf6Hs8Jg0UeQ7ZMPL9R", "TVB2WDa8Kd03mZq1Xw7Lr5Tn2Vb9Yc4Pf6Hs8Jg0U"];
    let key = format!("-----BEGIN PRIVATE {}-----\n{}\n-----END PRIVATE KEY-----\n", "KEY", rows.join("\n"));
    let machine = machine()
        .with_file("project/keys.txt", &key)
        .with_file("project/add.diff", key.replace('\n', "\n+"))
        .with_file("project/conf.yaml", "db:\n  password: hunter2x-meadow\n")
        .with_file("project/.env", "NOTE=lantern-of-the-meadow\n");
    std::fs::hard_link(machine.project().join(".env"), machine.project().join("notes.txt")).unwrap();
    for (tool, arguments) in [
        ("read_file", r#"{"path": "keys.txt", "start_line": 3}"#),
        ("read_file", r#"{"path": "keys.txt", "offset": 60}"#),
        ("read_file", r#"{"path": "conf.yaml"}"#),
        ("search", r#"{"pattern": "[A-Za-z0-9]{20,}|meadow"}"#),
        ("search", r#"{"path": "add.diff", "pattern": "."}"#),
        ("run_command", r#"{"argv": ["sort", "keys.txt"]}"#),
        ("run_command", r#"{"argv": ["tail", "-n", "+2", "keys.txt"]}"#),
        ("run_command", r#"{"argv": ["grep", "-rhoE", "[A-Za-z0-9+/-]+", "."]}"#),
        ("run_command", r#"{"argv": ["head", "-n", "3", "add.diff"]}"#),
    ] {
        let run = call(&machine, tool, arguments);
        assert!(run.code == Some(0) && run.stdout.contains("[redacted "), "{tool} {arguments}: {run}");
        for secret in rows.into_iter().chain(["hunter2x", "lantern-of"]) {
            assert!(!run.stdout.contains(&secret[..8]), "{tool} {arguments}: {run}");
        }
    }
    let run = call(&machine, "read_file", r#"{"path": "notes.txt"}"#);
    assert!(run.code == Some(1) && run.stdout.contains("has another name, too"), "{run}");
}

#[test]
fn nothing_outside_of_the_target_is_shown() {
    let machine = machine();
    symlink(machine.home().join("secret.txt"), machine.project().join("link")).unwrap();
    let outside = machine.home().join("secret.txt");
    for path in ["../secret.txt", outside.to_str().unwrap(), "link"] {
        let run = call(&machine, "read_file", &format!(r#"{{"path": "{path}"}}"#));
        assert_eq!(run.code, Some(1), "{run}");
        assert!(!run.stdout.contains("not for models"), "{run}");
        let run = call(&machine, "run_command", &format!(r#"{{"argv": ["head", "{path}"]}}"#));
        assert!(!run.stdout.contains("not for models"), "{run}");
    }
    let run = call(&machine, "run_command", r#"{"argv": ["sh", "-c", "id"]}"#);
    assert_eq!(run.code, Some(1), "{run}");
}

#[test]
fn it_works_for_everybody() {
    let run = {
        let machine = machine();
        let output = machine.unprivileged("tool list_directory --target src").output().unwrap();
        machine.ended(output)
    };
    assert!(run.code == Some(0) && run.stdout.contains("main.py"), "{run}");
}

#[test]
fn what_is_wrong_with_a_call_is_told() {
    let machine = machine();
    let run = call(&machine, "read_file", r#"{"pat": 1}"#);
    assert!(run.code == Some(1) && run.stdout.contains("did you mean `path`?"), "{run}");
    let run = call(&machine, "read_file", "{");
    assert!(run.code == Some(1) && run.stdout.contains("no valid JSON"), "{run}");
    let run = call(&machine, "reed_file", "{}");
    assert!(run.code == Some(2) && run.stderr.contains("there is no tool `reed_file`"), "{run}");
    assert_eq!(machine.run("tool").code, Some(2));
    assert_eq!(machine.run("tool list_directory --target nowhere").code, Some(1));
}

#[test]
fn all_tools_are_listed() {
    let run = Machine::new().run("tool --list");
    assert_eq!(run.code, Some(0), "{run}");
    for name in ["list_directory", "read_file", "parse_structure", "search", "run_command", "flag", "think"] {
        assert!(run.stdout.lines().any(|line| line == name), "no {name} in {run}");
    }
    let run = Machine::new().run("tool --list --json");
    let tools: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(tools.as_array().unwrap().iter().all(|tool| tool["schema"]["type"] == "object"), "{run}");
}
