use super::*;
use crate::scan::{Builder, LanguageId, LineCounts, Rule, Trouble};

const RUST: LanguageId = LanguageId(0);
const HTML: LanguageId = LanguageId(1);
const JAVASCRIPT: LanguageId = LanguageId(2);
const CSS: LanguageId = LanguageId(3);

fn builder() -> Builder {
    Builder::new("/target", vec!["Rust", "HTML", "JavaScript", "CSS"])
}

fn source(size: u64, lines: u32) -> FileRecord {
    FileRecord { category: Category::Source, size, lines, ..FileRecord::default() }
}

fn names(scan: &Scan, files: impl IntoIterator<Item = FileId>) -> Vec<String> {
    files.into_iter().map(|file| scan.file_path(file).for_terminal()).collect()
}

#[test]
fn an_empty_target_is_one_directory() {
    for scan in [builder().finish(), Scan::default()] {
        let summary = Summary::of(&scan, &SummaryOptions::default());
        let directories = scan.dirs.len() as u64;
        assert_eq!(summary.totals, Totals { directories, ..Totals::default() });
        assert!(summary.languages.is_empty() && summary.recent_files.is_empty());
        assert!(summary.tree.root.children.is_empty());
    }
}

#[test]
fn totals_tell_files_from_links_and_devices() {
    let mut builder = builder();
    builder.file_at(b"a/b/file", source(10, 1));
    builder.file_at(b"link", FileRecord { kind: Kind::Symlink, size: 99, ..FileRecord::default() });
    builder.file_at(b"pipe", FileRecord { kind: Kind::Fifo, ..FileRecord::default() });
    let scan = builder.finish();
    let totals = Summary::of(&scan, &SummaryOptions::default()).totals;
    let expected = Totals { files: 1, directories: 3, bytes: 10, symlinks: 1, specials: 1, max_depth: 2 };
    assert_eq!(totals, expected);
}

#[test]
fn categories_stand_in_their_order_even_when_empty() {
    let mut builder = builder();
    builder.file_at(b"main.rs", source(10, 1));
    builder.file_at(b"x", FileRecord { size: 5, ..FileRecord::default() });
    let scan = builder.finish();
    let categories = Summary::of(&scan, &SummaryOptions::default()).categories;
    assert_eq!(categories.map(|total| total.category), Category::ALL);
    assert_eq!(categories.map(|total| (total.files, total.bytes)), {
        let mut expected = [(0, 0); 7];
        expected[0] = (1, 10);
        expected[6] = (1, 5);
        expected
    });
}

#[test]
fn lines_inside_other_files_are_counted_apart() {
    let lines = |code| LineCounts { code, comments: 1, blanks: 2 };
    let page = |code| FileRecord { language: Some(HTML), code, ..source(1, code) };
    let mut builder = builder();
    let one = builder.file_at(b"1.html", page(30));
    let two = builder.file_at(b"2.html", page(40));
    builder.embed(two, JAVASCRIPT, lines(5));
    builder.embed(one, JAVASCRIPT, lines(6));
    builder.embed(one, CSS, lines(50));
    builder.file_at(b"main.rs", FileRecord { language: Some(RUST), code: 100, ..source(1, 100) });
    let scan = builder.finish();
    let code = |code| LineCounts { code, ..LineCounts::default() };
    let expected = [
        LanguageTotals { language: "Rust", files: 1, counts: code(100), embedded: Vec::new() },
        LanguageTotals {
            language: "HTML",
            files: 2,
            counts: code(70),
            embedded: vec![
                EmbeddedTotals { language: "CSS", files: 1, counts: lines(50) },
                EmbeddedTotals {
                    language: "JavaScript",
                    files: 2,
                    counts: LineCounts { code: 11, comments: 2, blanks: 4 },
                },
            ],
        },
    ];
    assert_eq!(Summary::of(&scan, &SummaryOptions::default()).languages, expected);
}

#[track_caller]
fn check_large(file: FileRecord, expected: &[Largeness]) {
    assert_eq!(Largeness::of(&file), expected, "{file:?}");
}

#[test]
fn only_source_files_over_a_limit_are_large() {
    check_large(source(100, 1_000), &[]);
    check_large(source(100, 1_001), &[Largeness::Lines]);
    check_large(source(10 * 1024 * 1024, 1), &[]);
    check_large(source(10 * 1024 * 1024 + 1, 0), &[Largeness::Bytes]);
    check_large(source(u64::MAX, u32::MAX), &[Largeness::Lines, Largeness::Bytes]);
    check_large(FileRecord { category: Category::Data, ..source(u64::MAX, u32::MAX) }, &[]);
}

#[test]
fn large_files_come_biggest_first_and_say_how_many_more_there_are() {
    let mut builder = builder();
    for size in 1..=60 {
        builder.file_at(format!("{size}.rs").as_bytes(), source(size, 2_000));
    }
    let scan = builder.finish();
    let summary = Summary::of(&scan, &SummaryOptions::default());
    assert_eq!((summary.large_files.len(), summary.more_large_files), (50, 10));
    let shown = names(&scan, summary.large_files.iter().take(2).map(|large| large.file));
    assert_eq!(shown, ["60.rs", "59.rs"]);
}

#[test]
fn recent_files_come_latest_first_and_equal_ones_in_order() {
    let mut builder = builder();
    for (name, modified) in [("old", 1), ("d/same", 5), ("same", 5), ("new", 9)] {
        builder.file_at(name.as_bytes(), FileRecord { modified, ..FileRecord::default() });
    }
    let link = FileRecord { kind: Kind::Symlink, modified: 99, ..FileRecord::default() };
    builder.file_at(b"link", link);
    let scan = builder.finish();
    let summary = Summary::of(&scan, &SummaryOptions { recent_files: 3, ..SummaryOptions::default() });
    assert_eq!(names(&scan, summary.recent_files), ["new", "same", "d/same"]);
}

#[test]
fn the_largest_directories_count_their_whole_subtree() {
    let mut builder = builder();
    builder.file_at(b"a/b/c/file", source(100, 1));
    builder.file_at(b"d/file", source(200, 1));
    builder.file_at(b"file", source(900, 1));
    builder.dir_at(b"empty");
    let scan = builder.finish();
    let summary = Summary::of(&scan, &SummaryOptions { largest_directories: 3, ..SummaryOptions::default() });
    let shown: Vec<String> =
        summary.largest_directories.iter().map(|&dir| scan.dir_path(dir).for_terminal()).collect();
    assert_eq!(shown, ["d", "a", "a/b"]);
}

#[test]
fn problems_stand_by_path_and_what_was_left_out_by_rule() {
    let mut scan = builder().finish();
    let problem = |path: &str| Problem { path: path.into(), trouble: Trouble::Changed };
    scan.problems = vec![problem("b"), problem("a")];
    let skipped = |path: &str, rule| Skipped { path: path.into(), rule, is_dir: false };
    scan.skipped =
        vec![skipped("c", Rule::AlwaysLeftOut), skipped(".b", Rule::Hidden), skipped(".a", Rule::Hidden)];
    let summary = Summary::of(&scan, &SummaryOptions::default());
    let problems: Vec<String> = summary.problems.iter().map(|problem| problem.path.for_terminal()).collect();
    assert_eq!(problems, ["a", "b"]);
    let skipped: Vec<String> = summary.skipped.iter().map(|skipped| skipped.path.for_terminal()).collect();
    assert_eq!(skipped, [".a", ".b", "c"]);
}
