//! Targets of all sizes.

use luminos_model_server::Policy;

use crate::machine::Machine;
use crate::site::Site;

#[test]
fn a_small_target_needs_neither_survey_nor_plan() {
    let machine = Machine::new().with_file("project/main.py", "print('hello')\n");
    let site = Site::new(machine, Policy::default());
    site.done(".");
    let passes: Vec<&str> = site.asked().iter().map(|asked| asked.pass).collect();
    assert!(passes.iter().all(|pass| matches!(*pass, "dir" | "synthesis")), "{passes:?}");
    assert_eq!(site.entries("dirs").len(), 1);
}

#[test]
fn a_large_target_is_grouped_before_it_is_told() {
    let mut machine = Machine::new();
    for part in 0..5 {
        for place in 0..41 {
            let path = format!("project/part{part}/place{place}/notes.md");
            machine = machine.with_file(path, format!("# Place {place} of part {part}\n"));
        }
    }
    let site = Site::new(machine, Policy { turns: 2, ..Policy::default() });
    let run = site.done(".");
    let counters = site.server.counters();
    assert_eq!((counters.invalid, counters.unexpected), (0, 0), "{run}");
    let evaluation = site.document("plan_evaluation.json");
    assert_eq!(evaluation["total_dirs_investigated"], 5 * 42 + 1, "{evaluation}");
    let passes: Vec<&str> = site.asked().iter().map(|asked| asked.pass).collect();
    assert!(passes.contains(&"grouping"), "{run}");
    // The planner was asked again at a quarter and at a half.
    assert_eq!(passes.iter().filter(|pass| **pass == "revision").count(), 2);
    let report = site.report();
    assert!(!report["subsystems"].as_array().unwrap().is_empty(), "{}", report["notes"]);
    // No directory began before everything below it had ended.
    let asked = site.asked();
    let first = |dir: &str| asked.iter().position(|asked| asked.dir == dir).unwrap();
    let last = |dir: &str| asked.iter().rposition(|asked| asked.dir == dir).unwrap();
    for part in 0..5 {
        for place in 0..41 {
            assert!(last(&format!("part{part}/place{place}")) < first(&format!("part{part}")));
        }
        assert!(last(&format!("part{part}")) < first("."));
    }
}

#[test]
fn what_is_said_again_is_paid_at_the_price_of_the_cache() {
    // As somebody would who sends everything anew each turn: fifteen directories, five hundred files, four reads each.
    let dirs =
        ["", "src/", "src/a/", "src/b/", "src/c/", "lib/", "lib/x/", "lib/y/", "docs/", "tests/", "tests/u/"];
    let dirs = dirs.into_iter().chain(["tests/i/", "tools/", "data/", "data/old/"]);
    let machine = dirs.flat_map(|dir| (0..34).map(move |file| format!("project/{dir}f{file}.py"))).fold(
        Machine::new(),
        |machine, path| {
            let text: String =
                (0..40).map(|line| format!("def work{line}(x):\n    return x * {line}\n")).collect();
            machine.with_file(path, text)
        },
    );
    let site = Site::new(machine, Policy { turns: 5, reads_per_turn: 1, ..Policy::default() });
    site.done("--parallel 16 .");
    let report = site.report();
    let tokens = &report["counters"]["tokens"];
    let count = |name: &str| tokens[name].as_u64().unwrap() as f64;
    let (new, written, read) = (count("input"), count("cache_write_5m"), count("cache_read"));
    let (paid, anew) = (new + 1.25 * written + 0.1 * read, new + written + read);
    assert!(paid <= 0.35 * anew, "{paid} of {anew}: {tokens}");
}
