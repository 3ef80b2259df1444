use proptest::prelude::*;

use super::Builder;
use crate::scan::{FileRecord, Kind, LanguageId, LineCounts, Scan};

/// One way to come by a tree: its paths, in this order.
fn build(paths: &[&str]) -> Scan {
    let mut builder = Builder::new("/target", vec!["Rust"]);
    for path in paths {
        let description = builder.describe(&format!("what {path} is"));
        let size = path.len() as u64;
        let file =
            builder.file_at(path.as_bytes(), FileRecord { size, description, ..FileRecord::default() });
        builder.embed(file, LanguageId(0), LineCounts { code: size, ..LineCounts::default() });
    }
    builder.finish()
}

fn paths(scan: &Scan) -> (Vec<String>, Vec<String>) {
    let dirs = scan.dir_ids().map(|dir| scan.dir_path(dir).for_terminal()).collect();
    let files = scan.file_ids().map(|file| scan.file_path(file).for_terminal()).collect();
    (dirs, files)
}

#[test]
fn an_empty_scan_has_the_target_alone() {
    let scan = build(&[]);
    assert_eq!(scan.dirs.len(), 1);
    assert_eq!(scan.dirs[0].subtree_end, 1);
    assert!(scan.files.is_empty());
}

#[test]
fn directories_stand_in_preorder_and_files_by_directory_and_name() {
    let scan = build(&["z", "b/x/2", "b/x/1", "b-c/3", "a/4", "b/5"]);
    let (dirs, files) = paths(&scan);
    assert_eq!(dirs, [".", "a", "b", "b/x", "b-c"]);
    assert_eq!(files, ["z", "a/4", "b/5", "b/x/1", "b/x/2", "b-c/3"]);
    let ends: Vec<u32> = scan.dirs.iter().map(|dir| dir.subtree_end).collect();
    assert_eq!(ends, [5, 2, 4, 4, 5]);
    let depths: Vec<u32> = scan.dirs.iter().map(|dir| dir.depth).collect();
    assert_eq!(depths, [0, 1, 1, 2, 1]);
}

#[test]
fn totals_cover_the_subtree_and_regular_files_only() {
    let mut builder = Builder::new("/target", Vec::new());
    builder.file_at(b"a/b/deep", FileRecord { size: 10, ..FileRecord::default() });
    builder.file_at(b"a/near", FileRecord { size: 5, ..FileRecord::default() });
    builder.file_at(b"a/link", FileRecord { size: 99, kind: Kind::Symlink, ..FileRecord::default() });
    let scan = builder.finish();
    let totals: Vec<_> = scan.dirs.iter().map(|dir| (dir.own_files, dir.files, dir.bytes)).collect();
    assert_eq!(totals, [(0, 2, 15), (2, 2, 15), (1, 1, 10)]);
}

#[test]
fn what_belongs_to_a_file_stays_with_it() {
    let scan = build(&["b", "a"]);
    for file in scan.file_ids() {
        let path = scan.file_path(file).for_terminal();
        assert_eq!(scan.description(scan.file(file)), Some(format!("what {path} is").as_str()));
        assert_eq!(scan.embedded_in(file).len(), 1);
    }
}

#[test]
fn a_very_deep_tree_needs_no_deep_stack() {
    let mut builder = Builder::new("/target", Vec::new());
    let mut at = Builder::ROOT;
    for _ in 0..100_000 {
        at = builder.add_dir(at, b"d");
    }
    builder.add_file(at, b"f", FileRecord { size: 7, ..FileRecord::default() });
    let scan = builder.finish();
    assert_eq!(scan.dirs[0].bytes, 7);
    assert_eq!(scan.dirs[0].subtree_end, 100_001);
}

proptest! {
    #[test]
    fn the_order_of_coming_does_not_matter(
        (paths, shuffled) in prop::collection::btree_set("[a-c]/[a-c-]{1,2}/[a-d]{1,2}|[a-c]/[d-e]{1,2}", 0..30)
            .prop_map(|paths| paths.into_iter().collect::<Vec<String>>())
            .prop_flat_map(|paths| (Just(paths.clone()), Just(paths).prop_shuffle()))
    ) {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let shuffled: Vec<&str> = shuffled.iter().map(String::as_str).collect();
        prop_assert_eq!(build(&paths), build(&shuffled));
    }
}
