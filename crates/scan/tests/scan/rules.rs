//! What is left out, and why.

use luminos_core::scan::{Rule, Scan};
use luminos_scan::{Error, Options, Progress};

use crate::tree::{Tree, dirs, paths, problems, scan_of};

fn skipped(scan: &Scan) -> Vec<(String, String)> {
    scan.skipped.iter().map(|skipped| (skipped.path.for_terminal(), skipped.rule.to_string())).collect()
}

fn explained() -> Options {
    Options { explain_skipped: true, ..Options::default() }
}

#[test]
fn directories_of_others_are_always_left_out() {
    let names = [
        ".git",
        ".svn",
        ".hg",
        "__pycache__",
        "node_modules",
        ".tox",
        ".mypy_cache",
        ".pytest_cache",
        ".venv",
        "venv",
        ".env",
        "dist",
        "build",
        ".eggs",
        "a.egg-info",
    ];
    let tree = Tree::of(&[("kept/a.rs", ""), ("x/target/b.rs", "")]);
    for name in names {
        tree.write(&format!("{name}/inside.rs"), "");
        tree.write(&format!("deep/{name}/inside.rs"), "");
    }
    for hidden in [false, true] {
        let scan = tree.scan_with(Options { hidden, ..explained() });
        assert_eq!(paths(&scan), ["kept/a.rs", "x/target/b.rs"]);
        assert_eq!(scan.skipped.len(), names.len() * 2);
        assert!(scan.skipped.iter().all(|skipped| skipped.rule == Rule::AlwaysLeftOut));
    }
}

#[test]
fn files_with_such_names_stay() {
    let tree = Tree::of(&[("build", ""), ("dist", ""), ("x/venv", "")]);
    assert_eq!(paths(&tree.scan()), ["build", "dist", "x/venv"]);
}

#[test]
fn cargos_output_is_left_out_beside_a_manifest_only() {
    let tree = Tree::of(&[("Cargo.toml", ""), ("target/a", ""), ("other/target/b", "")]);
    assert_eq!(paths(&tree.scan()), ["Cargo.toml", "other/target/b"]);
    let keep = Options { keep: vec!["target".to_owned()], ..Options::default() };
    assert_eq!(paths(&tree.scan_with(keep)), ["Cargo.toml", "other/target/b", "target/a"]);
}

#[test]
fn kept_names_are_looked_into() {
    let tree = Tree::of(&[("build/a", ""), ("dist/b", "")]);
    let keep = Options { keep: vec!["build".to_owned()], ..Options::default() };
    assert_eq!(paths(&tree.scan_with(keep)), ["build/a"]);
}

#[test]
fn hidden_files_are_left_out_unless_asked_for() {
    let tree = Tree::of(&[(".hidden", ""), (".config/a", ""), ("b", "")]);
    assert_eq!(paths(&tree.scan()), ["b"]);
    let all = Options { hidden: true, ..Options::default() };
    assert_eq!(paths(&tree.scan_with(all)), [".config/a", ".hidden", "b"]);
}

#[test]
fn a_hidden_path_that_an_ignore_file_names_to_keep_is_seen() {
    let tree = Tree::of(&[
        (".ignore", "!.github\n!.git\n"),
        (".github/a.yml", ""),
        (".other", ""),
        (".git/HEAD", ""),
    ]);
    assert_eq!(paths(&tree.scan()), [".github/a.yml"]);
}

#[test]
fn ignore_files_are_honoured_the_nearest_and_strongest_first() {
    let tree = Tree::of(&[
        (".gitignore", "*.log\n/top\nsub/never\n# comment\n\n!keep.log\n"),
        ("a.log", ""),
        ("keep.log", ""),
        ("top", ""),
        ("sub/top", ""),
        ("sub/never/x", ""),
        ("sub/.gitignore", "!a.log\n"),
        ("sub/a.log", ""),
        ("sub/b.log", ""),
        ("strong/.ignore", "!c.log\n*.txt\n"),
        ("strong/c.log", ""),
        ("strong/d.txt", ""),
        ("own/.luminosignore", "secret\n"),
        ("own/secret", ""),
        ("own/.ignore", "!secret\n"),
    ]);
    assert_eq!(paths(&tree.scan()), ["keep.log", "strong/c.log", "sub/a.log", "sub/top"]);
    let none = Options { ignore_files: false, ..Options::default() };
    assert_eq!(paths(&tree.scan_with(none)).len(), 10);
}

#[test]
fn each_path_left_out_names_its_rule() {
    let tree = Tree::of(&[
        ("sub/.gitignore", "*.log\r\n"),
        ("sub/a.log", ""),
        ("build/x", ""),
        (".dot", ""),
        ("skip-me/x", ""),
        ("Cargo.toml", ""),
        ("target/x", ""),
    ]);
    let options = Options { exclude: vec!["skip-me".to_owned()], ..explained() };
    assert_eq!(
        skipped(&tree.scan_with(options)),
        [
            (".dot", "hidden (-a shows hidden files)"),
            ("build", "always left out (--keep NAME looks inside)"),
            ("skip-me", "--exclude skip-me"),
            ("sub/.gitignore", "hidden (-a shows hidden files)"),
            ("sub/a.log", "sub/.gitignore: *.log"),
            ("target", "Cargo's build output (--keep target looks inside)"),
        ]
        .map(|(path, rule)| (path.to_owned(), rule.to_owned()))
    );
}

#[test]
fn a_repository_inside_is_not_ruled_by_the_one_around_it() {
    let tree =
        Tree::of(&[(".gitignore", "*.log\n"), ("inner/.git/HEAD", ""), ("inner/a.log", ""), ("b.log", "")]);
    assert_eq!(paths(&tree.scan()), ["inner/a.log"]);
}

#[test]
fn in_a_part_of_a_repository_its_rules_hold() {
    let tree = Tree::of(&[
        (".git/HEAD", ""),
        (".gitignore", "*.log\n/part/sub/x\n"),
        ("part/.gitignore", "y\n"),
        ("part/sub/a.log", ""),
        ("part/sub/x", ""),
        ("part/sub/y", ""),
        ("part/sub/z", ""),
    ]);
    let scan = scan_of(&tree.root().join("part/sub"), &explained(), &Default::default()).scan;
    assert_eq!(paths(&scan), ["z"]);
    let whole = tree.scan();
    assert_eq!(paths(&whole), ["part/sub/z"]);
}

#[test]
fn excluded_names_may_have_wildcards_and_signs() {
    let tree = Tree::of(&[
        ("a.min.js", ""),
        ("b.js", ""),
        ("!odd", ""),
        ("#odd", ""),
        ("docs/x", ""),
        ("d/docs", ""),
    ]);
    let exclude = ["*.min.js", "!odd", "#odd", "docs"].map(str::to_owned).to_vec();
    assert_eq!(paths(&tree.scan_with(Options { exclude, ..Options::default() })), ["b.js"]);

    let exclude = vec!["[z-a]".to_owned()];
    let bad = luminos_scan::scan(
        &tree.root(),
        &Options { exclude, ..Options::default() },
        &Default::default(),
        &Progress::default(),
    );
    assert!(matches!(bad, Err(Error::BadExclude { .. })));
}

#[test]
fn a_line_that_is_no_pattern_is_a_problem_and_the_others_hold() {
    let tree = Tree::of(&[(".gitignore", "[z-a]\n*.log\n"), ("x.log", ""), ("y", "")]);
    let scan = tree.scan();
    assert_eq!(paths(&scan), ["y"]);
    assert_eq!(problems(&scan), [(".gitignore".to_owned(), "bad-pattern")]);
}

#[test]
fn empty_directories_are_found_and_leaves_come_first() {
    let tree = Tree::of(&[("a/b/c/", ""), ("z/", "")]);
    let scan = tree.scan();
    assert_eq!(dirs(&scan), ["a", "a/b", "a/b/c", "z"]);
    let leaves: Vec<String> =
        scan.leaves_first().into_iter().map(|dir| scan.dir_path(dir).for_terminal()).collect();
    assert_eq!(leaves, ["a/b/c", "a/b", "a", "z", "."]);
}
