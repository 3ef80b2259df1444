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
