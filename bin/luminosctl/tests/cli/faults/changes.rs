//! F44, F45: the target changes while it is looked at, and files that cannot be read.

use std::process::Stdio;

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};

use super::house::{House, ended, has_strace};

const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// Files change, vanish, are renamed and appear while a model thinks about the second directory. The report names what is out
/// of date, and the next run looks again, until nothing is.
#[test]
fn what_changes_while_it_is_looked_at_is_named_and_looked_at_again() {
    let gate = Gate::shut();
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    let script = Script::new()
        .when(src, [Answer::policy(), Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let house = House::new(script);
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 2)]);
    let project = house.site.machine.project();
    for step in 0..100 {
        house
            .site
            .machine
            .write(format!("project/src/parser/step{step}.rs"), format!("pub fn step{step}() {{}}\n"));
        house.site.machine.write("project/src/main.rs", format!("fn main() {{ run({step}) }}\n"));
        if 0 < step {
            rustix::fs::unlink(project.join(format!("src/parser/step{}.rs", step - 1))).unwrap();
        }
    }
    rustix::fs::unlink(project.join("tests/all.rs")).unwrap();
    rustix::fs::rename(project.join("docs/guide.md"), project.join("docs/manual.md")).unwrap();
    gate.open();
    let run = house.site.wait(client);
    assert!(matches!(run.code, Some(0 | 3)), "{run}");
    let notes = house.site.document("report.json")["notes"].to_string();
    assert!(notes.contains("have changed since they were scanned"), "{notes}");
    for dir in ["`docs`", "`src`", "`src/parser`", "`tests`"] {
        assert!(notes.contains(dir), "{dir}: {notes}");
    }
    house.site.done(ARGUMENTS);
    let notes = house.site.document("report.json")["notes"].to_string();
    assert!(!notes.contains("changed since"), "{notes}");
    let asked = house.asked();
    house.site.done(ARGUMENTS);
    assert_eq!(house.asked(), asked, "nothing has changed, and nothing is asked");
    house.stop();
    house.is_sound("after changes");
}

/// The whole target vanishes: the run ends, and says what it could not see.
#[test]
fn a_target_that_vanishes_ends_in_words() {
    let gate = Gate::shut();
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    let script = Script::new()
        .when(src, [Answer::policy(), Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let house = House::new(script);
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 2)]);
    let project = house.site.machine.project();
    rustix::fs::rename(&project, project.with_file_name("elsewhere")).unwrap();
    gate.open();
    let run = house.site.wait(client);
    rustix::fs::rename(project.with_file_name("elsewhere"), &project).unwrap();
    assert_eq!(run.code, Some(3), "{run}");
    let notes = house.site.document("report.json")["notes"].to_string();
    assert!(notes.contains("the target is gone"), "{notes}");
    house.site.done(ARGUMENTS);
    house.stop();
    house.is_sound("after the target came back");
}

/// A disk that gives an error for one file: that file is named, and everything else is told.
#[test]
fn a_file_that_cannot_be_read_is_named_and_nothing_else_is_lost() {
    if !has_strace() {
        return;
    }
    let house = House::new(Policy::default());
    let file = house.site.machine.project().join("src/parser/words.rs");
    let strace =
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-P", file.to_str().unwrap()];
    let strace: Vec<&str> = strace.into_iter().chain(["-e", "inject=read,pread64:error=EIO"]).collect();
    let mut daemon = house.daemon(&strace).stderr(Stdio::null()).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let run = house.site.run(ARGUMENTS);
    assert!(matches!(run.code, Some(0 | 3)), "{run}");
    let report = house.site.document("report.json").to_string();
    assert!(report.contains("words.rs"), "the file is not named");
    assert!(
        report.to_lowercase().contains("input/output error") || report.contains("unreadable"),
        "{report}"
    );
    assert_eq!(house.site.entries("dirs").len(), 5);
    house.stop();
    ended(&mut daemon);
    house.is_sound("after a file that cannot be read");
}
