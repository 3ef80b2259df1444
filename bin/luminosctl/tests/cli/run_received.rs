//! An answer that has arrived is not bought again, whatever the disk does just then; nor does a resumed run forget what it
//! has taken out of its questions.

use std::fs;
use std::process::Stdio;

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use serde_json::Value;

use crate::faults::house::{House, has_strace};
use crate::faults::stuck::interfere;
use crate::machine::Machine;
use crate::site::{Site, project, until};

/// The disk takes so long to make something last that the daemon dies while an answer waits for it.
#[test]
fn an_answer_that_waits_for_the_disk_is_not_bought_again() {
    if !has_strace() {
        return;
    }
    let gate = Gate::shut();
    let parser = Matcher::any().offering("read_file").containing(r"directory: src/parser\n");
    let script = Script::new()
        .when(parser, [Answer::policy(), Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let house = House::new(script);
    let mut daemon = house.daemon(&[]).stderr(Stdio::null()).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let client = house.site.start("--parallel 1 --workers 1 .");
    house.site.until_asked(&[("src/parser", 2)]);
    // What is on its way is the next answer; from here on, nothing that is to last does so for a minute.
    let process = *house.site.processes("serve").first().unwrap();
    let mut strace = interfere(process, &["-e", "inject=fdatasync,syncfs,fsync:delay_enter=60000000"]);
    gate.open();
    let received = || {
        let dirs = house.site.investigations();
        dirs.iter().any(|dir| fs::read_dir(dir.join("received")).is_ok_and(|files| 0 < files.count()))
    };
    until(received);
    let asked = house.site.asked().len();
    house.site.kill_daemon();
    daemon.wait().unwrap();
    strace.wait().unwrap();
    house.site.wait(client);
    house.site.done("--parallel 1 --workers 1 .");
    let bodies: Vec<String> = house.site.asked().into_iter().map(|asked| asked.body).collect();
    let again = bodies[asked..].iter().filter(|body| bodies[..asked].contains(body)).count();
    assert_eq!(again, 0, "{again} of {asked} questions were asked again");
    let left = fs::read_dir(house.site.investigation().join("received")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "what is in transcripts is kept once");
}

/// A project whose first file holds a secret of a form that is taken out of what is sent.
fn with_secret() -> Machine {
    project().with_file("project/docs/key.md", "token: ghp_p8Qv3xW7mT2kR9sLd4Yh6NbC1jF5gZ0uAeXi\n")
}

fn redactions(site: &Site) -> Vec<String> {
    let report = site.report();
    let notes = report["notes"].as_array().into_iter().flatten();
    let texts = notes.filter_map(|note| note["text"].as_str().or(note.as_str()).map(str::to_owned));
    texts.filter(|text| text.contains("taken out of what was sent")).collect()
}

#[test]
fn a_resumed_run_still_tells_what_it_took_out() {
    let undisturbed = Site::new(with_secret(), Policy::default());
    undisturbed.done("--parallel 1 --workers 1 .");
    let expected = redactions(&undisturbed);
    assert_eq!(expected.len(), 1, "{}", undisturbed.report()["notes"]);

    // The target itself comes last: by then the secret was sent.
    let gate = Gate::shut();
    let root = Matcher::any().offering("read_file").containing(r"directory: .\n");
    let script = Script::new().when(root, [Answer::policy().behind(&gate)]).otherwise(Policy::default());
    let site = Site::new(with_secret(), script);
    let client = site.start("--parallel 1 --workers 1 .");
    site.until_asked(&[(".", 1)]);
    site.kill_daemon();
    site.wait(client);
    gate.open();
    site.done("--parallel 1 --workers 1 .");
    assert_eq!(redactions(&site), expected);
}

/// Whoever may write no large file is told so, and the file at its place is whole or not there.
#[test]
fn a_file_that_may_not_grow_is_an_error_and_not_begun() {
    let machine = project();
    assert_eq!(machine.run("run . --offline --quiet").code, Some(0));
    let script = "ulimit -f 8; exec $CTL show --format json -o big.json";
    let run = machine.ended(machine.shell(script).output().unwrap());
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("cannot write") && run.stderr.contains("File too large"), "{run}");
    let left: Vec<_> =
        fs::read_dir(machine.project()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("big.json")), "{left:?}");
    // The same for what goes elsewhere: a sentence and a code, never a signal.
    for words in [
        "show --format json > ../out",
        "show --format html -o ../big.html",
        "bundle . -o ../big.tar",
        "man > ../out",
        "completions bash > ../out",
    ] {
        let run = machine.shell(&format!("ulimit -f 8; exec $CTL {words}")).output().unwrap();
        let run = machine.ended(run);
        assert_eq!(run.code, Some(1), "{words}: {run}");
        assert!(run.stderr.contains("File too large"), "{words}: {run}");
    }
    assert_eq!(machine.run("show --format json -o big.json").code, Some(0));
    let report: Value =
        serde_json::from_slice(&fs::read(machine.project().join("big.json")).unwrap()).unwrap();
    assert!(report["flags"].is_array());
}
