//! What the program says about what is set up: `models` and `doctor`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::machine::Machine;
use crate::server::{blanked, chat_url, says};

const KEY: &str = "sk-test-0123456789abcdefghij";

/// What the doctor says, without how well this very machine can lock processes in.
fn without_confinement(run: impl ToString) -> String {
    let text = run.to_string();
    let (mut kept, mut is_about_it, mut count) = (String::new(), false, 0);
    for line in text.lines() {
        is_about_it = if line.starts_with(' ') { is_about_it } else { line.contains("  confinement  ") };
        count += usize::from(is_about_it);
        if !is_about_it {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    assert!(0 < count, "nothing about confinement in {text}");
    kept
}

#[test]
fn models_lists_what_is_known_and_found() {
    let machine =
        Machine::new().with_file(".config/luminos/models.toml", "['tiny']\nwindow = 4096\n").with_file(
            ".config/luminos/config.toml",
            "[models]\ndefault = 'ollama/tiny'\njudge = 'claude'\nplan = 'nobody'\n",
        );
    let run = machine.run_with(&[("ANTHROPIC_API_KEY", KEY)], "models");
    assert_snapshot!(run, @"
    exit code: 0
    ---- stdout
    Models                  window   output    $ in   $ out  $ cached
      claude-fable-5-1   1,000,000  128,000   10.00   50.00      0.25
      claude-haiku-4-5     200,000   64,000    1.00    5.00      0.10
      claude-haiku-5-5   1,000,000  128,000    0.10    0.50      0.01
      claude-mythos-5-1  1,000,000  128,000   10.00   50.00      0.25
      claude-opus-4-6    1,000,000  128,000    5.00   25.00      0.50
      claude-opus-4-7    1,000,000  128,000    5.00   25.00      0.50
      claude-opus-4-8    1,000,000  128,000    5.00   25.00      0.50
      claude-opus-5      1,000,000  128,000    5.00   25.00      0.50
      claude-opus-5-5    1,000,000  128,000    4.00   20.00      0.20
      claude-sonnet-4-6  1,000,000  128,000    3.00   15.00      0.30
      claude-sonnet-5    1,000,000  128,000    2.00   10.00      0.20
      claude-sonnet-5-5  1,000,000  128,000    2.00   10.00      0.10
      tiny                   4,096        ?       ?       ?         ?

    Services
      anthropic  key in the variable ANTHROPIC_API_KEY; server https://api.anthropic.com, not asked
      openai     no key (set OPENAI_API_KEY); server https://api.openai.com/v1, not asked
      ollama     server http://127.0.0.1:11434/v1, not asked
      codex      program not installed
      claude     program not installed
      command    no program, or none that can be run (models.command)

    Passes
      default    ollama/tiny
      survey     ollama/tiny  (models.default)
      plan       nobody  (`nobody` names no model (hint: write `anthropic/ID`, `openai/ID`, `ollama/ID`, `codex`, `claude` or `command`))
      dir        ollama/tiny  (models.default)
      judge      claude
      synthesis  ollama/tiny  (models.default)
    ");
}

#[test]
fn models_for_programs() {
    let server = says("Hello.");
    let machine = Machine::new().with_file(".config/luminos/openai.key", format!("{KEY}\n"));
    let file = machine.home().join(".config/luminos/openai.key");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let run = machine.run_with(&[("OPENAI_BASE_URL", &chat_url(&server))], "models --json");
    let json: serde_json::Value = serde_json::from_str(&blanked(&server, &run.stdout)).unwrap();
    let model = json["models"].as_array().unwrap().iter().find(|model| model["id"] == "claude-sonnet-5-5");
    assert_snapshot!(model.unwrap(), @r#"{"id":"claude-sonnet-5-5","provider":"anthropic","window":1000000,"max_output":128000,"input":"2.00","output":"10.00","cache_write":"2.50","cache_read":"0.10"}"#);
    assert_snapshot!(json["services"][1], @r#"{"service":"openai","key":"the file [ROOT]/home/.config/luminos/openai.key","address":"http://[SERVER]/v1","program":null,"offers":2,"models":["tiny","small"],"problem":null}"#);
    assert_snapshot!(json["passes"], @r#"[{"pass":"default","model":null},{"pass":"survey","model":null},{"pass":"plan","model":null},{"pass":"dir","model":null},{"pass":"judge","model":null},{"pass":"synthesis","model":null}]"#);
}

#[test]
fn a_faulty_models_file_is_named() {
    let machine = Machine::new().with_file(".config/luminos/models.toml", "[tiny]\nprize = 3\n");
    assert_snapshot!(machine.run("models"), @"
    exit code: 2
    ---- stderr
    error: cannot use the models file `[ROOT]/home/.config/luminos/models.toml`
      because: the file of models is not understood
      because: TOML parse error at line 2, column 1
      |
    2 | prize = 3
      | ^^^^^
    unknown field `prize`, expected one of `provider`, `window`, `max-output`, `min-cached-prefix`, `input`, `output`, `cache-write-5m`, `cache-write-1h`, `cache-read`, `long-prompt-above`, `long-prompt-factor`
    ");
    let machine = Machine::new().with_file(".config/luminos/config.toml", "[models]\nconfig = 'none.toml'\n");
    assert_snapshot!(machine.run("models"), @"
    exit code: 2
    ---- stderr
    error: cannot read the models file `[ROOT]/home/.config/luminos/none.toml`
      because: No such file or directory (os error 2)
    ");
}

#[test]
fn a_machine_without_any_set_up_is_a_healthy_one() {
    assert_snapshot!(without_confinement(Machine::new().run("doctor")), @"
    exit code: 0
    ---- stdout
    ok   configuration    no file; the defaults hold
    ok   state directory  [ROOT]/home/.local/state/luminos
    -    daemon           not running; it is started when it is needed
    -    models file      none of your own; the built-in prices hold
    ok   program box      programs used as models (codex, claude, command) are confined
    -    key              anthropic: none
                          to use anthropic, set ANTHROPIC_API_KEY
    -    key              openai: none
                          to use openai, set OPENAI_API_KEY
    -    program          codex: not installed
    -    program          claude: not installed
    -    model            none chosen
                          name one in the setting `models.default`
    -    terminal         standard output is none
    ");
}

#[test]
fn what_is_set_up_is_checked() {
    let server = says("Hello.");
    let machine =
        Machine::new().with_file(".config/luminos/config.toml", "[models]\ndefault = 'openai/tiny'\n");
    let run = machine.run_with(&[("OPENAI_BASE_URL", &chat_url(&server)), ("OPENAI_API_KEY", KEY)], "doctor");
    assert_snapshot!(without_confinement(blanked(&server, run)), @"
    exit code: 0
    ---- stdout
    ok   configuration    [ROOT]/home/.config/luminos/config.toml
    ok   state directory  [ROOT]/home/.local/state/luminos
    -    daemon           not running; it is started when it is needed
    -    models file      none of your own; the built-in prices hold
    ok   program box      programs used as models (codex, claude, command) are confined
    -    key              anthropic: none
                          to use anthropic, set ANTHROPIC_API_KEY
    ok   key              openai: in the variable OPENAI_API_KEY
    ok   server           openai: http://[SERVER]/v1 offers 2 models
    -    program          codex: not installed
    -    program          claude: not installed
    ok   model            openai/tiny
    -    terminal         standard output is none
    ");
}

#[test]
fn what_does_not_work_is_told_with_a_way_out() {
    let machine = Machine::new()
        .with_file(".config/luminos/config.toml", "[models]\ndefault = 'anthropic/claude-sonnet-5-5'\n")
        .with_file("occupied", "")
        .with_file(".config/luminos/openai.key", KEY);
    let file = machine.home().join(".config/luminos/openai.key");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    // Nobody listens on port 1.
    let variables = [("OLLAMA_HOST", "127.0.0.1:1"), ("LUMINOS_HOME", "../occupied")];
    assert_snapshot!(without_confinement(machine.run_with(&variables, "doctor")), @"
    exit code: 1
    ---- stdout
    ok   configuration    [ROOT]/home/.config/luminos/config.toml
    bad  state directory  cannot use the state directory `[ROOT]/home/project/../occupied`: File exists (os error 17)
                          --home names another one
    -    daemon           not running; it is started when it is needed
    -    models file      none of your own; the built-in prices hold
    ok   program box      programs used as models (codex, claude, command) are confined
    -    key              anthropic: none
                          to use anthropic, set ANTHROPIC_API_KEY
    bad  key              openai: the key file [ROOT]/home/.config/luminos/openai.key can be read by others (mode 0644; hint: chmod 600 [ROOT]/home/.config/luminos/openai.key)
    bad  server           ollama: http://127.0.0.1:1/v1: cannot reach 127.0.0.1:1
                          check the address, and whether a server runs there (OLLAMA_HOST)
    -    program          codex: not installed
    -    program          claude: not installed
    bad  model            anthropic/claude-sonnet-5-5 is chosen, but there is no key
                          set ANTHROPIC_API_KEY
    -    terminal         standard output is none
    ");
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

/// What is short is told, with a way out; what is not is passed over.
#[test]
fn short_limits_and_little_room_are_told_with_a_way_out() {
    let machine = Machine::new();
    let run = machine.ended(machine.shell("ulimit -n 64 && exec $CTL doctor").output().unwrap());
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stdout.contains("a process may have 64 files open: too few for a daemon"), "{run}");
    assert!(run.stdout.contains("ulimit -n 4096"), "{run}");

    fs::create_dir(machine.home().join("small")).unwrap();
    let mounted =
        "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o size=1m,mode=700 none ../small";
    if !machine.shell(&format!("{mounted}'")).status().unwrap().success() {
        eprintln!("not tested, for this machine forbids mounts");
        return;
    }
    let script = format!("{mounted} && LUMINOS_HOME=../small exec $CTL doctor'");
    let run = machine.ended(machine.shell(&script).output().unwrap());
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stdout.contains("are left where the state directory is"), "{run}");
    assert!(run.stdout.contains("a run that finds none pauses"), "{run}");
}
