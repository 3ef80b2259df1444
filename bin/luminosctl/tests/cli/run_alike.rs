//! Without a model, the same tree gives the same report: again, with other numbers of workers, and for nothing where
//! nothing changed.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::machine::Machine;

/// A project of many directories, so that several are under way at once and the plan is revised on the way.
fn machine() -> Machine {
    let mut machine = Machine::new()
        .with_file("project/README.md", "# Fleet\n\nFleet is a program that moves ships.\n")
        .with_file("project/Cargo.toml", "[package]\nname = \"fleet\"\nversion = \"0.1.0\"\n")
        .with_file("project/src/main.rs", "//! Moves ships.\n\nmod ships;\n\nfn main() {}\n")
        .with_file("project/data/runs.csv", "day,ships\n2024-01-01,3\n2024-01-02,\n");
    for ship in 0..24 {
        let source = format!(
            "//! Ship number {ship}.\n\nuse crate::ships::s{};\n\n/// A ship.\npub struct Ship{ship};\n",
            ship / 2
        );
        machine = machine.with_file(format!("project/src/ships/s{ship}/mod.rs"), &source).with_file(
            format!("project/src/ships/s{ship}/sails/mod.rs"),
            "//! Sails.\n\npub fn set() {\n    // TODO\n}\n",
        );
    }
    machine
}

/// A report without what no two runs have in common.
fn lasting(report: &str) -> Vec<String> {
    let is_passing =
        |line: &&str| ["time ", "id ", "| Time", "| Id", "ended 20"].iter().any(|word| line.contains(word));
    report.lines().filter(|line| !is_passing(line)).map(str::to_owned).collect()
}

fn report(machine: &Machine, arguments: &str) -> Vec<String> {
    let run = machine.run(&format!("run --quiet {arguments}"));
    assert_eq!(run.code, Some(0), "{run}");
    let full = machine.run("show . --full");
    lasting(&format!("{}\n{}", run.stdout, full.stdout))
}

#[test]
fn the_same_tree_gives_the_same_report_with_one_worker_and_with_two() {
    let machine = machine();
    let first = report(&machine, "--workers 1");
    assert!(first.iter().any(|line| line.contains("Fleet is a program that moves ships.")), "{first:#?}");
    for arguments in ["--fresh --workers 1", "--fresh --workers 2", "--fresh --workers 2 --format md"] {
        let again = report(&machine, arguments);
        if !arguments.contains("md") {
            assert_eq!(again, first, "{arguments}");
        }
    }
    let markdown = report(&machine, "--format md");
    assert_eq!(report(&machine, "--fresh --workers 1 --format md"), markdown);
}

/// Directories in which a tool was called since a line of the log.
fn looked_at(machine: &Machine, since: usize) -> (BTreeSet<String>, usize) {
    let list: Value = serde_json::from_str(&machine.run("list --json").stdout).unwrap();
    let id = list[0]["id"].as_str().unwrap().to_owned();
    let log = fs::read_to_string(machine.state().join(id).join("investigation.log")).unwrap();
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let word = |line: &Value| line.pointer("/body/directory").or(line.get("directory")).map(Value::to_string);
    let dirs = lines.iter().skip(since).filter_map(word).map(|word| word.trim_matches('"').to_owned());
    (dirs.collect(), lines.len())
}

#[test]
fn nothing_changed_costs_nothing_and_a_changed_file_its_directory_and_those_above() {
    let machine = machine();
    let first = report(&machine, "");
    let (all, lines) = looked_at(&machine, 0);
    assert!(all.contains("src/ships/s7/sails"), "{all:?}");
    assert_eq!(report(&machine, ""), first);
    assert_eq!(looked_at(&machine, lines), (BTreeSet::new(), lines));
    machine.write("project/src/ships/s7/sails/mod.rs", "//! Other sails.\n\npub fn set() {}\n");
    report(&machine, "");
    let (again, _) = looked_at(&machine, lines);
    // What stands above quotes what changed, up to where nobody does.
    assert!(again.contains("src/ships/s7/sails") && again.contains("src/ships/s7"), "{again:?}");
    let above = ["src/ships/s7/sails", "src/ships/s7", "src/ships", "src", ".", ""];
    assert!(again.iter().all(|dir| above.contains(&dir.as_str())), "{again:?}");
}
