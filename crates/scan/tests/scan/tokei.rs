//! Whole trees have the same lines per language as tokei says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use luminos_core::scan::{LineCounts, Scan};
use luminos_scan::{Cache, Options};

use crate::tree::{Tree, scan_of};

/// Files and lines, by language.
type Lines = BTreeMap<&'static str, (u64, LineCounts, BTreeMap<&'static str, LineCounts>)>;

fn ours(scan: &Scan) -> Lines {
    let mut lines = Lines::new();
    for file in scan.file_ids() {
        let record = scan.file(file);
        let Some(language) = record.language else { continue };
        let (files, own, embedded) = lines.entry(scan.language_name(language)).or_default();
        *files += 1;
        *own += record.counts();
        for inside in scan.embedded_in(file) {
            *embedded.entry(scan.language_name(inside.language)).or_default() += inside.counts;
        }
    }
    lines
}

fn tokeis(tree: &Path) -> Lines {
    let mut languages = tokei::Languages::new();
    // The directories that a scan always leaves out, as far as they are not hidden.
    let left_out = ["__pycache__/", "node_modules/", "venv/", "dist/", "build/", "*.egg-info/"];
    languages.get_statistics(
        &[tree],
        &left_out,
        &tokei::Config { no_ignore_parent: Some(false), ..Default::default() },
    );
    let mut lines = Lines::new();
    for (language, counted) in &languages {
        let (files, own, embedded) = lines.entry(language.name()).or_default();
        *files = counted.reports.len() as u64;
        for report in &counted.reports {
            *own += counts(&report.stats);
            flatten(&report.stats, embedded);
        }
    }
    lines
}

fn counts(stats: &tokei::CodeStats) -> LineCounts {
    LineCounts { code: stats.code as u64, comments: stats.comments as u64, blanks: stats.blanks as u64 }
}

fn flatten(stats: &tokei::CodeStats, embedded: &mut BTreeMap<&'static str, LineCounts>) {
    for (language, inner) in &stats.blobs {
        *embedded.entry(language.name()).or_default() += counts(inner);
        flatten(inner, embedded);
    }
}

#[track_caller]
fn check(tree: &Path) {
    let scan = scan_of(tree, &Options::default(), &Cache::default()).scan;
    let (ours, theirs) = (ours(&scan), tokeis(tree));
    for language in ours.keys().chain(theirs.keys()) {
        assert_eq!(ours.get(language), theirs.get(language), "{language} in {}", tree.display());
    }
}

#[test]
fn this_project_counts_as_in_tokei() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
}

/// `LUMINOS_BENCH_TREE` may name larger ones, separated by colons.
#[test]
fn other_trees_count_as_in_tokei() {
    #[expect(clippy::disallowed_methods, reason = "a test may be pointed at other trees")]
    let trees = std::env::var_os("LUMINOS_BENCH_TREE").unwrap_or_default();
    let trees: Vec<PathBuf> = std::env::split_paths(&trees).filter(|tree| tree.is_dir()).collect();
    trees.iter().for_each(|tree| check(tree));
}

#[test]
fn odd_files_count_as_in_tokei() {
    let tree = Tree::of(&[
        (".git/HEAD", ""),
        ("Makefile", "all:\n\t# x\n\techo\n"),
        ("script", "#!/usr/bin/env python3\n# c\nx\n"),
        ("no-language", "text\n"),
        (
            "notebook.ipynb",
            "{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"x = 1\\n\",\"# c\"]}],\"metadata\":{\"kernelspec\":{\"language\":\"python\"},\"language_info\":{}}}",
        ),
        ("legacy.f", "c comment\n      x = 'a'\n  c no\n"),
        ("raku.raku", "#`( a\n b )\nsay 1;\n"),
        ("a.LOG.rs", "fn f() {}"),
        ("utf16.rs", "\u{feff}// x\n"),
        ("crlf.c", "/* a\r\n */\r\nint x;\r\n\r\n"),
        ("ignored.rs", "fn f() {}\n"),
        (".gitignore", "ignored.rs\n"),
    ]);
    check(&tree.root());
}
