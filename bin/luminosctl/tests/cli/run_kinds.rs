//! A program is told as a program, and a collection as a collection, whoever looks at the whole first and whatever is said of it.

use luminos_model_server::{Answer, Matcher, Policy, Script};
use serde_json::Value;

use crate::machine::Machine;
use crate::site::Site;

/// A program with a table and a list of words beside it; `more` files of the program's own.
fn program(more: usize) -> Machine {
    let machine = Machine::new()
        .with_file(
            "project/app.py",
            "def main():\n    print(\"hi\")\n\n\nif __name__ == \"__main__\":\n    main()\n",
        )
        .with_file("project/runs.csv", "day,turns\n2024-01-01,3\n2024-01-02,4\n2024-01-03,5\n")
        .with_file("project/passwords.txt", "hunter2\n123456\nletmein\n");
    let add = |machine: Machine, number: usize| {
        machine.with_file(
            format!("project/part{number}.py"),
            format!("def part{number}():\n    return {number}\n"),
        )
    };
    (0..more).fold(machine, add)
}

/// Somebody's papers.
fn papers(more: usize) -> Machine {
    let machine = Machine::new()
        .with_file("project/runs.csv", "day,turns\n2024-01-01,3\n2024-01-02,4\n2024-01-03,5\n")
        .with_file("project/letter.txt", "Dear Kim,\n\nthank you for the cake.\n")
        .with_file("project/passwords.txt", "gmail hunter2\nbank 123456\n");
    let add = |machine: Machine, number: usize| {
        machine.with_file(format!("project/letter{number}.txt"), format!("Letter {number}.\n"))
    };
    (0..more).fold(machine, add)
}

/// Runs in every mode, and gives what each report is.
fn reports(machine: impl Fn(usize) -> Machine) -> Vec<(String, Value)> {
    let survey = || Matcher::any().offering("submit_survey");
    let unusable =
        || Script::new().when(survey(), vec![Answer::text("No idea."); 9]).otherwise(Policy::default());
    let mut all = Vec::new();
    for more in [0, 12] {
        for (mode, words, script) in [
            ("offline", "run . --offline --quiet", Script::new()),
            (
                "a model for everything",
                "run . --model anthropic/claude-haiku-5-5 --quiet",
                Script::new().otherwise(Policy::default()),
            ),
            ("a model that gives no survey", "run . --model anthropic/claude-haiku-5-5 --quiet", unusable()),
            ("a survey by a model", "run . --quiet", Script::new().otherwise(Policy::default())),
            ("no survey, and directories offline", "run . --quiet", unusable()),
        ] {
            let site = Site::new(machine(more), script);
            if mode == "a survey by a model" || mode.starts_with("no survey") {
                let setting = "[models]\nsurvey = \"anthropic/claude-haiku-5-5\"\n";
                site.machine.write(".config/luminos/config.toml", setting);
            }
            let run = crate::tasks::run(&site, words);
            assert!(matches!(run.code, Some(0 | 3)), "{mode}: {run}");
            all.push((format!("{mode}, {more} more files"), site.report()));
        }
    }
    all
}

fn stores_of_keys(report: &Value) -> usize {
    let flags = report["flags"].as_array().unwrap();
    flags.iter().filter(|flag| flag.to_string().contains("secret.key-store")).count()
}

#[test]
fn a_program_is_no_collection_whoever_looked_first() {
    for (mode, report) in reports(program) {
        assert_eq!(stores_of_keys(&report), 0, "{mode}: {}", report["flags"]);
        assert!(!report.to_string().contains("keeps the table"), "{mode}");
    }
}

#[test]
fn a_list_of_passwords_among_papers_is_a_concern_whoever_looked_first() {
    for (mode, report) in reports(papers) {
        assert_eq!(stores_of_keys(&report), 1, "{mode}: {}", report["flags"]);
    }
}
