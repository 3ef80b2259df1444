use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use luminos_tools::Root;
use tempfile::TempDir;

use super::history;
use crate::Ahead;

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test makes its own repository")]
fn write(target: &TempDir, path: &str, bytes: &[u8]) {
    let path = target.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// An id: readers do not check that it is the hash of what it names.
fn id(number: u8) -> ([u8; 20], String) {
    ([number; 20], format!("{number:02x}").repeat(20))
}

fn loose(target: &TempDir, number: u8, kind: &str, body: &[u8]) {
    let hex = id(number).1;
    let bytes = [format!("{kind} {}\0", body.len()).as_bytes(), body].concat();
    write(target, &format!(".git/objects/{}/{}", &hex[..2], &hex[2..]), &zipped(&bytes));
}

fn tree(entries: &[(&str, &str, u8)]) -> Vec<u8> {
    let entry = |(mode, name, number): &(&str, &str, u8)| {
        [format!("{mode} {name}\0").as_bytes(), &id(*number).0[..]].concat()
    };
    entries.iter().flat_map(entry).collect()
}

fn commit(tree: u8, parents: &[u8], mail: &str, time: i64) -> Vec<u8> {
    let parents: String = parents.iter().map(|parent| format!("parent {}\n", id(*parent).1)).collect();
    format!(
        "tree {}\n{parents}author A B <{mail}> {time} +0100\ncommitter C <c@x> {time} +0100\n\nWords\n",
        id(tree).1
    )
    .into_bytes()
}

/// Four commits, each of which changes `src/a.c`, and the second `b.c` as well.
fn a_repository() -> TempDir {
    let target = tempfile::tempdir().unwrap();
    write(&target, ".git/HEAD", b"ref: refs/heads/main\n");
    write(&target, ".git/packed-refs", format!("# pack-refs\n{} refs/heads/main\n", id(0xd4).1).as_bytes());
    for (number, source, file) in [(1_u8, 0x21, 0x31), (2, 0x22, 0x32), (3, 0x23, 0x32), (4, 0x24, 0x32)] {
        loose(&target, source, "tree", &tree(&[("100644", "a.c", 0x40 + number)]));
        let top = tree(&[("100644", "b.c", file), ("40000", "src", source)]);
        loose(&target, 0x10 + number, "tree", &top);
    }
    let year = 365 * 86_400;
    let start = 1_600_000_000;
    loose(&target, 0xd1, "commit", &commit(0x11, &[], "a@x", start));
    loose(&target, 0xd2, "commit", &commit(0x12, &[0xd1], "b@x", start + 2 * year));
    loose(&target, 0xd3, "commit", &commit(0x13, &[0xd2], "A@X", start + 3 * year - 9));
    loose(&target, 0xd4, "commit", &commit(0x14, &[0xd3], "a@x", start + 3 * year));
    target
}

#[test]
fn a_history_is_counted_from_its_newest_commit() {
    let target = a_repository();
    let history = history(&Root::open(target.path()).unwrap()).unwrap();
    assert_eq!((history.tip.line, history.tip.id.hex()), (2, id(0xd4).1));
    assert_eq!((history.commits, history.authors, history.is_cut), (4, 2, false));
    assert_eq!(
        (history.first.to_string(), history.last.to_string()),
        ("2020-09-13".to_owned(), "2023-09-13".to_owned())
    );
    assert_eq!((history.last_year, history.last_year_authors), (2, 1));
    assert_eq!((history.churn.commits, history.churn.files), (3, vec![("src/a.c".to_owned(), 3)]));
}

#[test]
fn a_shallow_clone_says_that_there_is_more() {
    let target = a_repository();
    std::fs::remove_dir_all(target.path().join(".git/objects/d1")).unwrap();
    let history = history(&Root::open(target.path()).unwrap()).unwrap();
    assert_eq!((history.commits, history.is_cut), (3, true));
}

/// A pack of objects: each with how it is written and what stands in it.
fn packed(target: &TempDir, objects: &[(u8, u8, Vec<u8>)]) {
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend((objects.len() as u32).to_be_bytes());
    let mut offsets = Vec::new();
    for (number, kind, body) in objects {
        offsets.push((*number, pack.len() as u32));
        let size = body.len();
        let more = if 15 < size { 0x80 } else { 0 };
        pack.push(more | kind << 4 | (size & 15) as u8);
        let mut rest = size >> 4;
        while 0 < rest {
            let more = if 127 < rest { 0x80 } else { 0 };
            pack.push(more | (rest & 127) as u8);
            rest >>= 7;
        }
        if *kind == 6 {
            // A change of the object before it.
            let back = offsets[offsets.len() - 1].1 - offsets[offsets.len() - 2].1;
            assert!(back < 128);
            pack.push(back as u8);
        }
        pack.extend(zipped(body));
    }
    offsets.sort_unstable();
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=255_u32 {
        let below = offsets.iter().filter(|(number, _)| u32::from(*number) <= first).count() as u32;
        index.extend(below.to_be_bytes());
    }
    offsets.iter().for_each(|(number, _)| index.extend(id(*number).0));
    offsets.iter().for_each(|_| index.extend([0; 4]));
    offsets.iter().for_each(|(_, offset)| index.extend(offset.to_be_bytes()));
    index.extend([0; 40]);
    write(target, ".git/objects/pack/pack-x.pack", &pack);
    write(target, ".git/objects/pack/pack-x.idx", &index);
}

#[test]
fn packs_are_read_with_their_changes() {
    let target = tempfile::tempdir().unwrap();
    write(&target, ".git/HEAD", format!("{}\n", id(0xd2).1).as_bytes());
    let old = tree(&[("100644", "a.c", 0x41)]);
    // Copies all but the id, and adds another.
    let mut change = vec![old.len() as u8, old.len() as u8, 0x90, (old.len() - 20) as u8, 20];
    change.extend(id(0x42).0);
    let objects = [
        (0x11, 2, old),
        (0x12, 6, change),
        (0xd1, 1, commit(0x11, &[], "a@x", 1_700_000_000)),
        (0xd2, 1, commit(0x12, &[0xd1], "b@x", 1_700_000_001)),
    ];
    packed(&target, &objects);
    let root = Root::open(target.path()).unwrap();
    let told = history(&root).unwrap();
    assert_eq!((told.commits, told.authors, told.churn.commits), (2, 2, 1));
    // A pack that is cut anywhere tells less, and does no harm.
    let pack = std::fs::read(target.path().join(".git/objects/pack/pack-x.pack")).unwrap();
    let index = std::fs::read(target.path().join(".git/objects/pack/pack-x.idx")).unwrap();
    for cut in 0..pack.len() {
        write(&target, ".git/objects/pack/pack-x.pack", &pack[..cut]);
        if let Some(told) = history(&root) {
            assert!(told.commits < 2 || told.churn.commits < 2, "{cut}");
        }
    }
    write(&target, ".git/objects/pack/pack-x.pack", &pack);
    for at in (0..index.len()).step_by(7) {
        let mut broken = index.clone();
        broken[at] ^= 0xff;
        write(&target, ".git/objects/pack/pack-x.idx", &broken);
        let _ = history(&root);
    }
}

#[test]
fn what_is_no_repository_has_no_history() {
    for head in ["", "ref: ../../etc/passwd\n", "ref: refs/../x\n", "gitdir: /x\n", "ref: refs/heads/none\n"]
    {
        let target = tempfile::tempdir().unwrap();
        write(&target, ".git/HEAD", head.as_bytes());
        assert_eq!(history(&Root::open(target.path()).unwrap()), None, "{head}");
    }
    let target = tempfile::tempdir().unwrap();
    write(&target, ".git", b"gitdir: /elsewhere\n");
    assert_eq!(history(&Root::open(target.path()).unwrap()), None);
}

#[test]
fn what_was_read_ahead_counts_as_long_as_nobody_went_on() {
    let target = a_repository();
    let root = Arc::new(Root::open(target.path()).unwrap());
    let ahead = Ahead::default();
    ahead.begin(&root);
    assert_eq!(ahead.history(&root), history(&root), "read ahead");
    assert_eq!(ahead.history(&root), history(&root), "read when it was needed");
    ahead.begin(&root);
    // What was begun may end before or after this: it is of the old tip, or of the new one.
    loose(&target, 0xd5, "commit", &commit(0x14, &[0xd4], "d@x", 9 * 365 * 86_400));
    write(&target, ".git/packed-refs", format!("# pack-refs\n{} refs/heads/main\n", id(0xd5).1).as_bytes());
    let now = ahead.history(&root).unwrap();
    assert_eq!(now.commits, 5);
    assert_eq!(Some(now), history(&root));
}
