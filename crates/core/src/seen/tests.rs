use super::*;
use crate::entry::{Coverage, ENTRY_FORMAT, Stamp};
use crate::scan::{Builder, Category, FileRecord, Problem, Rule, Skipped};

const BLOB: ContentHash = ContentHash([7; 32]);

fn served(path: &str, range: (u64, u64), call: &str) -> Served {
    Served {
        path: RelPath::from(path),
        blob: Some(BLOB),
        start: range.0,
        end: range.1,
        first_line: 1,
        last_line: 2,
        call: ToolCallId(call.to_owned()),
    }
}

fn entry(path: &str, reads: Vec<Served>) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: RelPath::from(path),
        child_count: 0,
        summary: String::new(),
        dominant_category: Category::Source,
        cached_at: Stamp::default(),
        notable_files: Vec::new(),
        confidence: None,
        confidence_reason: None,
        completeness: None,
        coverage: Coverage::default(),
        claims: Vec::new(),
        flags: Vec::new(),
        reads,
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch: 0,
        run: String::new(),
    }
}

/// A target with one file of each fate.
fn scan() -> Scan {
    let mut builder = Builder::new("/t", Vec::new());
    let file = |size: u64| FileRecord { size, lines: 9, hash: BLOB, ..FileRecord::default() };
    builder.file_at(b"a/empty", file(0));
    builder.file_at(b"a/link", FileRecord { kind: Kind::Symlink, ..file(4) });
    builder.file_at(b"a/locked", FileRecord { reading: Reading::Unread, ..file(50) });
    builder.file_at(b"a/other", file(70));
    builder.file_at(b"a/part", file(100));
    builder.file_at(b"a/whole", file(40));
    builder.file_at(b"vendor/lib", file(30));
    let mut scan = builder.finish();
    let locked = Trouble::Unread("Permission denied".to_owned());
    scan.problems.push(Problem { path: RelPath::from("a/locked"), trouble: locked });
    scan.skipped.push(Skipped { path: RelPath::from(".git"), rule: Rule::AlwaysLeftOut, is_dir: true });
    scan
}

#[test]
fn every_path_has_its_line() {
    let reads = vec![
        served("a/part", (0, 30), "1"),
        served("a/part", (20, 60), "2"),
        served("a/whole", (0, 40), "3"),
        Served { blob: Some(ContentHash([9; 32])), ..served("a/other", (0, 70), "4") },
    ];
    let entries = [entry("a", reads), entry("", vec![served("a/part", (90, 100), "9")])];
    let planned = BTreeMap::from([(RelPath::from("vendor"), "a copy".to_owned())]);
    let (files, unlisted) = ledger(&scan(), &entries, &planned);
    let line = |file: &SeenFile| {
        let reason = file.reason.as_deref().unwrap_or_default();
        let path = file.path.for_terminal();
        format!(
            "{path} {} {}/{} {} {reason}",
            file.extent.word(),
            file.bytes_seen,
            file.size,
            file.looks.len()
        )
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    .git skipped 0/0 0 always left out (--keep NAME looks inside)
    a/empty whole 0/0 0 
    a/link metadata 0/0 0 symlink
    a/locked unreadable 0/50 0 not read: Permission denied
    a/other metadata 0/70 0 
    a/part ranges 70/100 3 
    a/whole whole 40/40 1 
    vendor/lib skipped 0/30 0 skipped by the plan: a copy
    ");
    assert_eq!(unlisted, 0);
    let part = files.iter().find(|file| file.path == RelPath::from("a/part")).unwrap();
    assert_eq!(part.served(Some(&RelPath::root())), [served("a/part", (90, 100), "9")]);
    assert_eq!(part.served(Some(&RelPath::from("a"))).len(), 2);
    assert_eq!(part.served(None).len(), 3);
}

#[test]
fn what_was_shown_beside_the_scan_is_in_the_record() {
    let reads = vec![served(".git/refs/heads/main", (0, 41), "1"), served(".git", (0, 9), "2")];
    let (files, _) = ledger(&scan(), &[entry("", reads)], &BTreeMap::new());
    let row = |path: &str| files.iter().filter(|file| file.path == RelPath::from(path)).collect::<Vec<_>>();
    let head = row(".git/refs/heads/main");
    assert_eq!((head.len(), head[0].blob, head[0].bytes_seen), (1, Some(BLOB), 41));
    assert!(!head[0].served(Some(&RelPath::root())).is_empty());
    // It is left out by a rule and was shown: that it was shown is what counts.
    assert_eq!(row(".git").iter().map(|file| file.extent).collect::<Vec<_>>(), [Extent::Ranges]);
}

#[test]
fn ranges_of_one_call_that_touch_are_one() {
    let pieces = vec![
        served("b", (0, 5), "1"),
        served("a", (10, 20), "1"),
        served("a", (0, 10), "1"),
        served("a", (15, 18), "2"),
        served("a", (30, 40), "1"),
    ];
    let merged = compact(pieces);
    let ranges: Vec<_> = merged.iter().map(|piece| (piece.path.to_word(), piece.start, piece.end)).collect();
    let expected = [("a", 0, 20), ("a", 30, 40), ("a", 15, 18), ("b", 0, 5)];
    assert_eq!(ranges, expected.map(|(path, start, end)| (path.to_owned(), start, end)));
}

#[test]
fn a_ledger_that_was_touched_has_another_digest() {
    let entries = [entry("a", vec![served("a/part", (0, 30), "1")])];
    let (files, _) = ledger(&scan(), &entries, &BTreeMap::new());
    let before = digest(&files);
    assert_eq!(digest(&files.clone()), before);
    let change: [fn(&mut Vec<SeenFile>); 5] = [
        |files| drop(files.pop()),
        |files| files.iter_mut().for_each(|file| file.looks.clear()),
        |files| files.iter_mut().flat_map(|file| &mut file.looks).for_each(|look| look.end += 1),
        |files| files.iter_mut().for_each(|file| file.blob = Some(ContentHash([1; 32]))),
        |files| files[0].extent = Extent::Whole,
    ];
    for change in change {
        let mut changed = files.clone();
        change(&mut changed);
        assert_ne!(digest(&changed), before);
    }
}
