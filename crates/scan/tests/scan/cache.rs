//! Scans with a memory equal scans without one.

use std::time::{Duration, SystemTime};

use luminos_core::scan::Scan;
use luminos_scan::{Cache, Options, Scanned};

use crate::tree::{Tree, scan_of};

const OLD: Duration = Duration::from_secs(60);

/// Sets all clocks of a file back, as far as that can be done: the time of change cannot be set, so the tests
/// wait for it to be old enough.
fn wait_until_trusted(tree: &Tree) {
    let probe = tree.outside().join("probe");
    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    std::fs::write(&probe, "").unwrap();
    let is_old = || {
        let written = std::fs::metadata(&probe).unwrap().modified().unwrap();
        SystemTime::now().duration_since(written).is_ok_and(|age| Duration::from_millis(2_050) < age)
    };
    let deadline = std::time::Instant::now() + OLD;
    while !is_old() {
        assert!(std::time::Instant::now() < deadline);
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

fn sample() -> Tree {
    let tree = Tree::of(&[
        ("a.rs", "/// ```\n/// x\n/// ```\nfn f() {}\n"),
        ("page.html", "<script>\nlet a;\n</script>\n"),
        ("sub/b.py", "# c\nx = 1\n"),
        ("sub/unexplained", "some words\n"),
        ("sub/deep/blob", "\0\u{1}\u{2}"),
        ("empty", ""),
    ]);
    std::os::unix::fs::symlink("a.rs", tree.root().join("link")).unwrap();
    std::fs::hard_link(tree.root().join("a.rs"), tree.root().join("sub/a2.rs")).unwrap();
    tree
}

fn again(tree: &Tree, cache: &Cache) -> Scanned {
    scan_of(&tree.root(), &Options::default(), cache)
}

fn remembered(tree: &Tree) -> Cache {
    Cache::decode(again(tree, &Cache::default()).cache.unwrap())
}

fn check(tree: &Tree, cache: &Cache, read: u64) -> Scan {
    let with = again(tree, cache);
    assert_eq!(with.scan, again(tree, &Cache::default()).scan);
    assert_eq!(with.files_read, read);
    with.scan
}

#[test]
fn an_unchanged_tree_is_not_read_again() {
    let tree = sample();
    wait_until_trusted(&tree);
    let cache = remembered(&tree);
    assert_eq!(cache.files(), 7);
    check(&tree, &cache, 0);
    assert!(again(&tree, &cache).cache.is_none(), "what is remembered is still right");
}

#[test]
fn only_what_changed_is_read_again() {
    let tree = sample();
    wait_until_trusted(&tree);
    let cache = remembered(&tree);
    tree.write("sub/b.py", "# d\nx = 1\n");
    check(&tree, &cache, 1);
    tree.write("sub/new", "x");
    check(&tree, &cache, 2);
    tree.remove("empty");
    check(&tree, &cache, 2);
}

#[test]
fn what_has_not_changed_stays_remembered() {
    let tree = sample();
    for file in 0..300 {
        tree.write(&format!("wide/f{file}"), format!("{file}"));
    }
    wait_until_trusted(&tree);
    let cache = remembered(&tree);
    assert_eq!(cache.files(), 307);
    tree.write("sub/b.py", "# d\nx = 1\n");
    tree.remove("wide/f7");
    wait_until_trusted(&tree);
    let second = again(&tree, &cache);
    assert_eq!(second.files_read, 1);
    let cache = Cache::decode(second.cache.unwrap());
    assert_eq!(cache.files(), 306);
    check(&tree, &cache, 0);
    assert!(again(&tree, &cache).cache.is_none());
}

#[test]
fn a_file_that_keeps_its_size_and_time_is_still_seen_to_change() {
    let tree = sample();
    wait_until_trusted(&tree);
    let path = tree.root().join("sub/b.py");
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let cache = remembered(&tree);
    tree.write("sub/b.py", "# c\nx = 2\n");
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(before).unwrap();
    check(&tree, &cache, 1);
}

#[test]
fn a_file_modified_a_moment_ago_is_not_trusted() {
    let tree = sample();
    let cache = Cache::decode(again(&tree, &Cache::default()).cache.unwrap());
    assert_eq!(cache.files(), 0);
    check(&tree, &cache, 7);
}

#[test]
fn a_renamed_file_keeps_nothing_that_hung_on_its_name() {
    let tree = sample();
    wait_until_trusted(&tree);
    let cache = remembered(&tree);
    #[expect(clippy::disallowed_methods, reason = "a test moves its own files")]
    std::fs::rename(tree.root().join("sub/b.py"), tree.root().join("sub/b.rs")).unwrap();
    check(&tree, &cache, 1);
}

#[test]
fn rules_may_change_between_scans() {
    let tree = sample();
    wait_until_trusted(&tree);
    let cache = remembered(&tree);
    tree.write(".gitignore", "sub\n");
    let scan = check(&tree, &cache, 0);
    assert_eq!(scan.dirs.len(), 1);
}

#[test]
fn a_damaged_cache_is_as_good_as_none() {
    let tree = sample();
    wait_until_trusted(&tree);
    let bytes = again(&tree, &Cache::default()).cache.unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert_eq!(Cache::decode(damaged).files(), 0, "byte {at}");
    }
    for len in 0..bytes.len() {
        assert_eq!(Cache::decode(bytes[..len].to_vec()).files(), 0, "cut at {len}");
    }
    check(&tree, &Cache::decode(bytes), 0);
}
