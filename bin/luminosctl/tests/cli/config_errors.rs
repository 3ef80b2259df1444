//! What is said about a configuration that cannot be used: one test for each class of fault.

use insta::assert_snapshot;

use crate::machine::{Machine, Run};

fn with_project_file(text: &str) -> Run {
    Machine::new().with_file("project/luminos.toml", text).run("config show")
}

#[test]
fn an_unknown_key() {
    assert_snapshot!(with_project_file("color = 'auto'\n\n[scan]\n# Dotfiles too.\nhiden = true\n"), @"
    exit code: 2
    ---- stderr
    error: `luminos.toml` line 5: unknown key `scan.hiden` (hint: did you mean `scan.hidden`?)

    hint: `luminosctl config path` names the files that are read
    ");
}

#[test]
fn a_wrong_type() {
    assert_snapshot!(with_project_file("[scan]\nhidden = 'yes'\n"), @r#"
    exit code: 2
    ---- stderr
    error: `luminos.toml` line 2: `scan.hidden` cannot be "yes" (hint: expected true or false)

    hint: `luminosctl config path` names the files that are read
    "#);
}

#[test]
fn a_bad_size() {
    assert_snapshot!(with_project_file("[scan]\nhash-limit = '1 gigabyte'\n"), @r#"
    exit code: 2
    ---- stderr
    error: `luminos.toml` line 2: `scan.hash-limit` cannot be "1 gigabyte" (hint: expected a size like "512 MB", or a number of bytes)

    hint: `luminosctl config path` names the files that are read
    "#);
}

#[test]
fn bad_toml() {
    assert_snapshot!(with_project_file("[scan]\nhidden = yes\ndepth 3\n"), @"
    exit code: 2
    ---- stderr
    error: the configuration has 2 faults
      because: `luminos.toml` line 2: not valid TOML: string values must be quoted, expected literal string
      because: `luminos.toml` line 3: not valid TOML: key with no value, expected `=`

    hint: `luminosctl config path` names the files that are read
    ");
}

#[test]
fn several_faults_in_several_places() {
    let machine = Machine::new()
        .with_file("project/luminos.toml", "hidden = true\n[scan]\ndepth = 1.5\n")
        .with_file(".config/luminos/config.toml", "colour = 'never'\n");
    assert_snapshot!(machine.run_with(&[("LUMINOS_SCAN_THREADS", "all")], "config show"), @r#"
    exit code: 2
    ---- stderr
    error: the configuration has 4 faults
      because: `luminos.toml` line 1: unknown key `hidden` (hint: did you mean `scan.hidden`?)
      because: `luminos.toml` line 3: `scan.depth` cannot be 1.5 (hint: expected a whole number, 0 or more)
      because: `[ROOT]/home/.config/luminos/config.toml` line 1: unknown key `colour` (hint: did you mean `color`?)
      because: environment variable `LUMINOS_SCAN_THREADS` cannot be "all" (hint: expected a whole number from 0 to 1024)

    hint: `luminosctl config path` names the files that are read
    "#);
}

#[test]
fn a_malformed_variable() {
    assert_snapshot!(Machine::new().run_with(&[("LUMINOS_SCAN_DEPTH", "deep")], "config show"), @r#"
    exit code: 2
    ---- stderr
    error: environment variable `LUMINOS_SCAN_DEPTH` cannot be "deep" (hint: expected a whole number, 0 or more)
    "#);
}

#[test]
fn an_unknown_variable_is_only_a_warning() {
    let run = Machine::new().run_with(&[("LUMINOS_SCAN_HIDEN", "1"), ("LUMINOS_X", "1")], "config show");
    assert_eq!(run.code, Some(0));
    assert_snapshot!(run.stderr, @"
    warning: unknown environment variable `LUMINOS_SCAN_HIDEN` (hint: did you mean `LUMINOS_SCAN_HIDDEN`?)
    warning: unknown environment variable `LUMINOS_X` (hint: `luminosctl config --help` explains all settings)
    ");
}

#[test]
fn a_named_file_that_is_not_there() {
    assert_snapshot!(Machine::new().run("config show --config missing.toml"), @"
    exit code: 1
    ---- stderr
    error: cannot read the configuration file `[ROOT]/home/project/missing.toml`
      because: No such file or directory (os error 2)
    ");
}

#[test]
fn a_directory_in_the_place_of_a_file() {
    let machine = Machine::new().with_file("project/luminos.toml/x", "");
    assert_snapshot!(machine.run("config show"), @"
    exit code: 1
    ---- stderr
    error: cannot read the configuration file `[ROOT]/home/project/luminos.toml`
      because: it is not a regular file
    ");
}

#[test]
fn a_wrong_value_of_a_flag() {
    assert_snapshot!(Machine::new().run("config show --color pink"), @"
    exit code: 2
    ---- stderr
    error: invalid value 'pink' for '--color <WHEN>'
      [possible values: auto, always, never]

    For more information, try '--help'.
    ");
}
