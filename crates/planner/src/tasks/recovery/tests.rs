use super::*;
use crate::tasks::task::{Draft, Origin, Role};

fn paths(command: &str) -> Vec<String> {
    Recovery::default().paths_of(&Command::parse(command).unwrap()).cloned().collect()
}

#[test]
fn commands_bring_their_files_along() {
    assert_eq!(paths("cargo test"), ["Cargo.toml", "Cargo.lock"]);
    assert_eq!(paths("go test ./..."), ["go.mod", "go.sum"]);
    assert_eq!(paths("/usr/bin/make check"), ["Makefile", "makefile", "GNUmakefile"]);
    assert_eq!(paths("./gradlew test").len(), 5);
    assert!(paths("make-it").is_empty());
    assert!(paths("echo cargo").is_empty());
}

#[test]
fn a_file_adds_to_the_rules_and_its_faults_have_a_line() {
    let json = r#"{
  "mode": "balanced",
  "commandDrivenAllowedPathRules": [ {"pattern": "\\bbuck2\\b", "paths": ["BUCK", "./.buckconfig"]} ]
}"#;
    let recovery = Recovery::default().over(json).unwrap();
    assert_eq!(recovery.mode, RecoveryMode::Balanced);
    let command = Command::parse("buck2 test //...").unwrap();
    assert_eq!(recovery.paths_of(&command).collect::<Vec<_>>(), ["BUCK", ".buckconfig"]);
    let said = |json: &str| Recovery::default().over(json).unwrap_err().to_string();
    let all = [
        said("{\n  \"mode\": \"bold\"\n}"),
        said("{\n \"comandDriven\": []}"),
        said("{\n\n \"commandDrivenAllowedPathRules\": [{\"pattern\": \"(\", \"paths\": [\"x\"]}]}"),
        said("{\"commandDrivenAllowedPathRules\": [\n{\"pattern\": \"a\", \"paths\": []}]}"),
    ];
    insta::assert_snapshot!(all.join("\n---\n"), @r"
    unknown variant `bold`, expected one of `conservative`, `balanced`, `aggressive` at line 2 column 16
    ---
    unknown field `comandDriven`, expected one of `mode`, `replaceDefaultCommandDrivenAllowedPathRules`, `commandDrivenAllowedPathRules`, `infraSignalTokens`, `safeInfraFileBasenames`, `safeInfraFileExtensions`, `safeHiddenRootFiles` at line 2 column 15
    ---
    line 3: `(` is no pattern: regex parse error:
        (
        ^
    error: unclosed group
    ---
    line 2: the rule for `a` names no paths
    ");
}

#[test]
fn hints_reach_tasks_like_the_one_they_come_from() {
    let hint = |path: &str, count, source: &str| Hint {
        path: path.to_owned(),
        role: Role::Worker,
        count,
        source: source.to_owned(),
    };
    let hints = [
        hint("link.ld", 1, "build the kernel with cargo"),
        hint("build.sh", 1, "build the docs"),
        hint("tools.sh", 2, "build the docs"),
        hint("src/a.rs", 1, ""),
        hint("../out", 9, "cargo"),
    ];
    let mut with_cargo = Draft::new("Build with cargo", "x", Origin::Model);
    with_cargo.context.files = vec!["src/a.rs".to_owned()];
    let mut drafts = vec![
        with_cargo,
        Draft::new("Build it", "x", Origin::Model),
        Draft::new("Builder pattern", "x", Origin::Model),
        Draft { role: Role::Docser, ..Draft::new("Build docs with cargo", "x", Origin::Model) },
    ];
    let mut warnings = Vec::new();
    let applied = apply_hints(&mut drafts, &hints, &Recovery::default(), &mut warnings);
    let told: Vec<String> = applied
        .iter()
        .flat_map(|it| {
            it.matched_hints.iter().map(|hint| format!("{} {} {}", it.task_index, hint.path, hint.reason))
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    0 link.ld signal_match_strong
    0 tools.sh signal_match_repeated_weak
    0 src/a.rs context_file_match
    1 tools.sh signal_match_repeated_weak
    ");
    insta::assert_snapshot!(warnings.join("\n"), @"paths that earlier tasks turned out to need were allowed: link.ld, src/a.rs, tools.sh");
}
