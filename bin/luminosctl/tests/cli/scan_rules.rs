//! `luminosctl scan`: flags and settings that decide what is looked at.

use crate::machine::Machine;
use crate::project::{files, json, report, typical};

#[track_caller]
fn check(arguments: &str, more: &[&str], less: &[&str]) {
    let machine = typical();
    let plain = json(&machine, "--files");
    let changed = json(&machine, &format!("--files {arguments}"));
    let mut expected: Vec<&str> = files(&plain).into_iter().filter(|path| !less.contains(path)).collect();
    expected.extend(more);
    expected.sort_unstable();
    let mut found = files(&changed);
    found.sort_unstable();
    assert_eq!(found, expected, "{arguments}");
}

#[test]
fn all_shows_hidden_files_but_no_repository() {
    check("-a", &[".editorconfig", ".gitignore"], &[]);
    check("--all", &[".editorconfig", ".gitignore"], &[]);
}

#[test]
fn no_ignore_shows_what_git_ignores() {
    check("--no-ignore", &["debug.log", "out/page.html"], &[]);
}

#[test]
fn exclude_leaves_out_names_wherever_they_are() {
    check("-x src", &[], &["src/main.rs", "src/greet/words.rs"]);
    check("-x greet/ --exclude *.png", &[], &["src/greet/words.rs", "logo.png"]);
    check("-x !x -x #x", &[], &[]);
}

#[test]
fn keep_looks_into_what_is_always_left_out() {
    check("--keep node_modules", &["node_modules/left/index.js"], &[]);
    check("--keep target --keep node_modules/", &["node_modules/left/index.js", "target/debug/hello"], &[]);
}

#[test]
fn depth_limits_the_shown_tree_only() {
    check("--depth 0", &[], &[]);
    let machine = typical();
    let text = machine.run("scan --depth 1").stdout;
    assert!(text.contains("├── src/  ...") && !text.contains("── main.rs"), "{text}");
    let text = machine.run("scan -d 2").stdout;
    assert!(
        text.contains("── main.rs") && text.contains("── greet/  ...") && !text.contains("── words.rs"),
        "{text}"
    );
    let text = machine.run("scan -d 0").stdout;
    assert!(text.contains("\nproject/  ...\n"), "{text}");
}

#[test]
fn hash_limit_samples_large_files() {
    let report = json(&typical(), "--files --hash-limit 20");
    let read = |path: &str| {
        let all = report["files"].as_array().unwrap();
        all.iter().find(|file| file["path"] == path).unwrap()["reading"].clone()
    };
    assert_eq!((read("index"), read("src/main.rs")), ("whole".into(), "sampled".into()));
}

#[test]
fn settings_have_effect_from_wherever_they_come() {
    let machine =
        typical().with_file(".config/luminos/config.toml", "[scan]\nexclude = ['src']\nhidden = true\n");
    let has = |report: &serde_json::Value, path: &str| files(report).contains(&path);
    let by_file = json(&machine, "--files");
    assert!(!has(&by_file, "src/main.rs") && has(&by_file, ".editorconfig"));

    let variables = [("LUMINOS_SCAN_EXCLUDE", "tools,*.md"), ("LUMINOS_SCAN_IGNORE_FILES", "false")];
    let by_variable = report(&machine.run_with(&variables, "scan --json --files"));
    assert!(has(&by_variable, "src/main.rs") && has(&by_variable, "debug.log"));
    assert!(!has(&by_variable, "tools/run") && !has(&by_variable, "README.md"));

    let by_flag = report(&machine.run_with(&variables, "scan --json --files -x web"));
    assert!(has(&by_flag, "tools/run") && !has(&by_flag, "web/index.html") && has(&by_flag, ".editorconfig"));
}

/// What a report says of `--keep` is true for whoever reads it.
#[test]
fn what_is_left_out_by_itself_is_looked_into_by_run_and_plan_where_somebody_says_so() {
    let machine = Machine::new()
        .with_file("project/src/main.rs", "fn main() {}\n")
        .with_file("project/build/Makefile", "all:\n");
    let usual = machine.run("run -q .");
    assert!(
        usual.stdout.split_whitespace().collect::<Vec<_>>().join(" ").contains("`--keep build`"),
        "{usual}"
    );
    let planned = |arguments: &str| {
        let plan: serde_json::Value = serde_json::from_str(&machine.run(arguments).stdout).unwrap();
        crate::project::strings(&plan["rows"], "dir").contains(&"build")
    };
    assert!(!planned("plan --json ."));
    assert!(planned("plan --json --keep build ."));
    let kept = machine.run("run -q --keep build .");
    assert_eq!(kept.code, Some(0), "{kept}");
    assert!(kept.stdout.contains("  build/") && !kept.stdout.contains("--keep"), "{kept}");
}

#[test]
fn the_luminos_toml_of_the_current_project_holds_for_other_targets() {
    let machine = Machine::new()
        .with_file("project/luminos.toml", "[scan]\nexclude = ['b']\n")
        .with_file("other/a", "")
        .with_file("other/b", "");
    assert_eq!(files(&json(&machine, "--files ../other")), ["a"]);
}
