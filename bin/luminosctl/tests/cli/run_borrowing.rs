//! Turns on loan: granted, waited for, refused.

use luminos_model_server::{Answer, Matcher, Policy, Script, Turn};
use serde_json::json;

use crate::machine::Machine;
use crate::site::{Site, project};

/// A model that asks for turns once, in this directory, in its second turn.
fn asking(dir: &str, turns: u32) -> Script {
    let wish = Turn::call("request_turns", &json!({ "turns": turns, "reason": "there is more to read" }));
    let loops = Matcher::any().offering("read_file").containing(&format!(r"directory: {dir}\n"));
    Script::new().when(loops, [Answer::policy(), wish.into()]).otherwise(Policy::default())
}

/// Without anything shallow: every turn of the budget is promised to somebody.
fn without_surplus() -> Machine {
    Machine::new()
        .with_file("project/Cargo.toml", "[package]\nname = \"lantern\"\n")
        .with_file("project/a/deep/one.rs", "pub fn one() {}\n")
        .with_file("project/a/two.rs", "pub fn two() {}\n")
        .with_file("project/b/three.rs", "pub fn three() {}\n")
        .with_file("project/b/four.rs", "pub fn four() {}\n")
}

#[test]
fn what_nobody_was_promised_is_lent_at_once() {
    let site = Site::new(project(), asking("tests", 2));
    site.done("--parallel 1 .");
    let row = site.evaluated("tests");
    let turns = ["turns_allocated", "turns_borrowed", "turns_used", "turns_returned"].map(|key| &row[key]);
    assert_eq!(turns, [&json!(10), &json!(2), &json!(3), &json!(9)], "{row}");
    let told = site.asked().into_iter().find(|asked| asked.dir == "tests" && asked.turn == 3).unwrap();
    assert!(told.body.contains("You got 2 more turns"), "{}", told.body);
}

#[test]
fn whoever_waits_makes_room_and_is_served_when_turns_come_back() {
    let site = Site::new(without_surplus(), asking("a/deep", 3));
    site.done("--parallel 1 .");
    let row = site.evaluated("a/deep");
    let turns = ["turns_allocated", "turns_borrowed", "turns_used", "turns_returned"].map(|key| &row[key]);
    assert_eq!(turns, [&json!(10), &json!(3), &json!(3), &json!(10)], "{row}");
    // There is one slot. While one waits, it works for the other, whose turns come back at its end.
    let order: Vec<String> =
        site.asked().into_iter().filter(|asked| asked.pass == "dir").map(|asked| asked.dir).collect();
    let expected = ["a/deep"; 2].iter().chain(&["b"; 4]).chain(&["a/deep"; 1]);
    assert!(order.iter().zip(expected).all(|(dir, expected)| dir == expected), "{order:?}");
    let journal = std::fs::read_to_string(site.investigation().join("budget.jsonl")).unwrap();
    assert!(journal.contains("borrow"), "{journal}");
}

#[test]
fn whoever_waits_for_nothing_is_refused() {
    let machine = Machine::new().with_file("project/main.py", "print('hello')\n");
    let site = Site::new(machine, asking(".", 3));
    site.done(".");
    let row = site.evaluated(".");
    assert_eq!((&row["turns_borrowed"], &row["turns_used"]), (&json!(0), &json!(3)), "{row}");
    let told = site.asked().into_iter().find(|asked| asked.pass == "dir" && asked.turn == 3).unwrap();
    assert!(told.body.contains("No more turns"), "{}", told.body);
}

#[test]
fn all_who_wait_for_each_other_come_to_an_end() {
    // Everybody asks, nothing is free, and only one can run: the queue must empty all the same.
    let site = Site::new(without_surplus(), Policy { asks_for_turns: 5, ..Policy::default() });
    site.done("--parallel 2 .");
    let evaluation = site.document("plan_evaluation.json");
    let sum = |key: &str| -> u64 {
        evaluation["per_directory"].as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum()
    };
    assert_eq!(
        sum("turns_allocated") + sum("turns_borrowed"),
        sum("turns_used") + sum("turns_returned"),
        "{evaluation}"
    );
    assert_eq!(evaluation["total_dirs_investigated"], 4, "{evaluation}");
}
