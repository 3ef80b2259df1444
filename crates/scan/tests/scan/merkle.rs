//! What the hashes depend on, and what they do not.

use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime};

use luminos_core::scan::{Kind, Reading};
use luminos_scan::Options;

use crate::tree::{Tree, record};

fn sample() -> Tree {
    let tree = Tree::of(&[("a/b.txt", "one\n"), ("a/c.txt", "two"), ("d.rs", "fn f() {}\n"), ("e/", "")]);
    std::os::unix::fs::symlink("d.rs", tree.root().join("link")).unwrap();
    tree.set_mode("d.rs", 0o644);
    tree
}

#[test]
fn the_same_tree_has_the_same_hash_everywhere() {
    // Written out, so that a change of the recipe shows: stored results of all users would become invalid.
    insta::assert_snapshot!(sample().scan().content_hash(), @"214937fb7539569f0d68b45989779f44435ad714149aa973481a92ef8f83d41d");
    assert_eq!(sample().scan().content_hash(), sample().scan().content_hash());
}

#[test]
fn a_file_has_the_sha256_of_its_bytes() {
    let tree = Tree::of(&[("a", "abc"), ("empty", "")]);
    let scan = tree.scan();
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(record(&scan, "a").hash.to_string(), abc);
    assert_eq!(record(&scan, "empty").hash.to_string(), nothing);
}

#[test]
fn the_hash_changes_with_content_name_kind_and_executable_bit() {
    let before = sample().scan();
    let changed = |change: &dyn Fn(&Tree)| {
        let tree = sample();
        change(&tree);
        let after = tree.scan();
        assert_ne!(after.content_hash(), before.content_hash());
        after
    };
    let after = changed(&|tree| tree.write("a/b.txt", "One\n"));
    // Only what changed, and what it lies in.
    let hash = |scan: &luminos_core::scan::Scan, path: &str| {
        let dir = scan.dir_ids().find(|&dir| scan.dir_path(dir).for_terminal() == path).unwrap();
        scan.dir(dir).hash
    };
    assert_ne!(hash(&after, "a"), hash(&before, "a"));
    assert_eq!(hash(&after, "e"), hash(&before, "e"));

    changed(&|tree| {
        tree.remove("a/c.txt");
        tree.write("a/c2.txt", "two");
    });
    changed(&|tree| tree.set_mode("d.rs", 0o755));
    changed(&|tree| {
        tree.remove("d.rs");
        tree.write("d.rs/", "");
    });
    changed(&|tree| {
        tree.remove("link");
        std::os::unix::fs::symlink("a/b.txt", tree.root().join("link")).unwrap();
    });
    changed(&|tree| tree.write("e/new", ""));
}

#[test]
fn the_hash_does_not_change_with_times_other_bits_or_threads() {
    let tree = sample();
    let before = tree.scan();
    let file = std::fs::File::options().write(true).open(tree.root().join("d.rs")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(1_000_000)).unwrap();
    tree.set_mode("d.rs", 0o604);
    for threads in [1, 2, 7] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let after = tree.scan_with(Options { threads, ..Options::default() });
        assert_eq!(after.content_hash(), before.content_hash());
    }
}

#[test]
fn names_cannot_be_arranged_to_look_like_another_tree() {
    let one = Tree::of(&[("ab/c", "x")]).scan();
    let other = Tree::of(&[("a/bc", "x")]).scan();
    assert_ne!(one.content_hash(), other.content_hash());
}

#[test]
fn links_are_listed_with_the_hash_of_their_destination() {
    let scan = sample().scan();
    let link = record(&scan, "link");
    assert_eq!((link.kind, link.reading, link.size), (Kind::Symlink, Reading::Unread, 4));
    assert_ne!(link.hash, record(&scan, "d.rs").hash);
}

#[test]
fn scans_of_many_threads_and_of_one_are_equal() {
    let tree = Tree::new();
    for file in 0..700 {
        tree.write(&format!("wide/file{file}.rs"), format!("// {file}\nfn f() {{}}\n"));
        tree.write(&format!("deep{}/deeper{}/file{file}", file % 7, file % 13), format!("{file}"));
    }
    let scan = |threads| {
        tree.scan_with(Options { threads: NonZeroUsize::new(threads).unwrap(), ..Options::default() })
    };
    let one = scan(1);
    assert_eq!(one, scan(2));
    assert_eq!(one, scan(8));
}
