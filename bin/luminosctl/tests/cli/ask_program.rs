//! One question to a program of the user's own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::machine::{Machine, Run};

const KEY: &str = "sk-test-0123456789abcdefghij";

fn ask(machine: &Machine, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = machine.command(&[&["ask"], arguments].concat());
    machine.ended(command.envs(variables.iter().copied()).output().unwrap())
}

/// A program that says which arguments and variables it got, and what it was asked.
const AGENT: &str = "#!/bin/sh\necho \"$# $*\"\n/usr/bin/env | /usr/bin/grep -c KEY\n/bin/cat\n";

#[test]
fn a_program_of_ones_own_can_be_asked() {
    let machine = Machine::new().with_file("bin/agent", AGENT);
    let program = machine.home().join("bin/agent");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = machine.home().join("bin");
    let variables = [("PATH", path.to_str().unwrap()), ("OPENAI_API_KEY", KEY)];
    machine.write(
        ".config/luminos/config.toml",
        "[models]\ncommand = ['agent', '--model', '{model}', 'two words']\n",
    );
    let run = ask(&machine, &variables, &["--model", "command/big", "What is; $(this)?"]);
    assert_snapshot!(run, @"
    exit code: 0
    ---- stdout
    3 --model big two words
    0
    What is; $(this)?
    ---- stderr
    asking command/big (your own program here, which may send what it is asked anywhere); recognised secrets are taken out of the question
    command/big · 58 tokens in, 21 out · price unknown
    note: what was used was not said; it is estimated
    ");
    assert_snapshot!(ask(&machine, &variables, &["--model", "command", "Hello?"]), @"
    exit code: 1
    ---- stderr
    error: the model command cannot be used as it is set up: `models.command` wants a model's id: write `command/ID`
    ");
    let found = machine.run_with(&variables, "models");
    assert!(found.stdout.contains(&format!("command    program {}", "[ROOT]/home/bin/agent")), "{found}");
    let checked = machine.run_with(&variables, "doctor");
    assert!(checked.stdout.contains("program          command: [ROOT]/home/bin/agent"), "{checked}");
}

#[test]
fn a_project_cannot_name_a_program_to_run() {
    let machine = Machine::new()
        .with_file("bin/agent", "#!/bin/sh\necho Done.\n")
        .with_file("project/luminos.toml", "[models]\ndefault = 'command'\ncommand = ['agent']\n");
    let program = machine.home().join("bin/agent");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = machine.home().join("bin");
    let variables = [("PATH", path.to_str().unwrap())];
    assert_snapshot!(ask(&machine, &variables, &["Hello?"]), @"
    exit code: 2
    ---- stderr
    warning: `luminos.toml` line 2: `models.default` is not obeyed: which models are asked, and how, is not for a project to say
    warning: `luminos.toml` line 3: `models.command` is not obeyed: which programs are run is not for a project to say (hint: write it into your own `[ROOT]/home/.config/luminos/config.toml`, or name this file with `--config`)
    error: no model is named

    hint: name one with `--model`, or in the setting `models.default`; `luminosctl models` lists some
    ");
    // Whoever names the file means it.
    let named = ask(&machine, &variables, &["--config", "luminos.toml", "Hello?"]);
    assert_eq!((named.code, named.stdout.as_str()), (Some(0), "Done.\n"), "{named}");
}
