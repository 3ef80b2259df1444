//! Odd targets: each gets a clear sentence, and the exit code that fits.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};

use crate::machine::{Machine, finish};
use crate::site::{PATIENCE, Site, project};

#[test]
fn what_is_no_directory_or_not_there() {
    let machine = Machine::new().with_file("project/only.txt", "x\n");
    for target in ["only.txt", "/dev/null"] {
        let run = machine.run(&format!("run {target}"));
        assert_eq!(run.code, Some(2), "{run}");
        let said =
            format!("error: `{target}` is not a directory\n\nhint: name the directory that it lies in\n");
        assert_eq!(run.stderr, said);
    }
    let run = machine.run("run nowhere");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.starts_with("error: cannot investigate `nowhere`\n  because: No such file"), "{run}");
}

#[test]
fn what_can_be_no_target() {
    let machine = Machine::new().with_file("project/a.md", "# A\n");
    assert_eq!(machine.run("run --quiet .").code, Some(0));
    let run = machine.run("run --quiet ../.local/state/luminos/run");
    assert_eq!(run.code, Some(1), "{run}");
    let place = "`[ROOT]/home/.local/state/luminos/run`";
    assert!(
        run.stderr.contains(&format!("because: {place} lies inside the state directory of Luminos")),
        "{run}"
    );
    let run = machine.run("run --quiet /proc/self");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("a view into the kernel (proc)"), "{run}");
}

#[test]
fn an_empty_directory_is_called_empty() {
    let machine = Machine::new().with_file("project/full/a.md", "# A\n");
    fs::create_dir(machine.project().join("empty")).unwrap();
    let run = machine.run("run --quiet empty");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.starts_with("[ROOT]/home/project/empty · 0 files · 1 directory · 0 B\n"), "{run}");
    assert!(run.stdout.contains("empty"), "{run}");
    assert!(!run.stdout.contains("collection of ;"), "{run}");
}

#[test]
fn a_name_cannot_steer_the_terminal() {
    let machine = Machine::new();
    let name = std::ffi::OsStr::from_bytes(b"new\nline\x1b[31m\xff");
    let target = machine.project().join(name);
    fs::create_dir(&target).unwrap();
    fs::copy("/etc/hostname", target.join("a.md")).unwrap_or_default();
    let mut command = machine.command(&["run"]);
    let run = machine.ended(finish(command.arg(&target), PATIENCE));
    assert_eq!(run.code, Some(0), "{run}");
    assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "{run}");
    assert!(run.stdout.contains(r"new\nline\u{1b}[31m\xff"), "{run}");
}

#[test]
fn what_may_not_be_read_is_said_with_the_reason() {
    let machine =
        Machine::new().with_file("project/open/a.md", "# A\n").with_file("project/shut/b.md", "# B\n");
    let mode =
        |mode: u32| fs::set_permissions(machine.project().join("shut"), fs::Permissions::from_mode(mode));
    mode(0o000).unwrap();
    let run = machine.ended(finish(&mut machine.unprivileged("run --quiet shut"), PATIENCE));
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("cannot open `[ROOT]/home/project/shut`: Permission denied"), "{run}");
    let run = machine.ended(finish(&mut machine.unprivileged("run --quiet --json ."), PATIENCE));
    assert_eq!(run.code, Some(0), "what can be read is looked at: {run}");
    let stopped = finish(&mut machine.unprivileged("daemon stop"), PATIENCE);
    assert!(stopped.status.success());
    mode(0o700).unwrap();
}

#[test]
fn a_target_that_disappears_is_told_in_part() {
    let gate = Gate::shut();
    let held = Answer::policy().behind(&gate);
    let script = Script::new()
        .when(Matcher::any().containing("directory: src/parser"), [held])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.start(".");
    site.until_asked(&[("src/parser", 1)]);
    fs::remove_dir_all(site.machine.project()).unwrap();
    gate.open();
    let run = site.wait(run);
    assert_eq!(run.code, Some(3), "{run}\n{}", site.log());
    assert!(run.stdout.contains("the target disappeared while it was looked into"), "{run}");
    assert!(run.stderr.contains("the target disappeared while it was looked into"), "{run}");
}
