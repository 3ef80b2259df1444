//! The readers of the store, on bytes instead of files: for programs that try to break them (`fuzz/`). What does not hold
//! panics.

use luminos_core::entry::{DirEntry, FileEntry};
use serde_json::Value;

use crate::document::{seal, unseal};
use crate::journal::{Kind, line, walk};
use crate::layout::{DIR_ENTRY, FILE_ENTRIES, FILE_ENTRY, META, PLAN};

/// Reads bytes as a document of each kind, as they are and with a seal that is right.
pub fn document(bytes: &[u8]) {
    for kind in [DIR_ENTRY, FILE_ENTRY, FILE_ENTRIES, META, PLAN] {
        let _ = unseal(kind, bytes).map(read_entries);
    }
    let Ok(body) = serde_json::from_slice::<Value>(bytes) else { return };
    let Ok(sealed) = seal(DIR_ENTRY, &body) else { return };
    if let Ok(document) = unseal(DIR_ENTRY, &sealed) {
        read_entries(document);
    }
    // One byte that is not what was written, and nothing of it is believed.
    let mut damaged = sealed;
    let at = bytes.len() % damaged.len();
    damaged[at] ^= 1;
    assert!(unseal(DIR_ENTRY, &damaged).is_err(), "a document with a flipped bit was believed");
}

fn read_entries(document: Value) {
    let _ = DirEntry::read(document.clone());
    let _ = FileEntry::read(document);
}

/// Reads bytes as a journal of each kind, as they are and as lines whose checks are right.
pub fn journal(bytes: &[u8]) {
    for kind in [Kind::Budget, Kind::Spend, Kind::Run, Kind::Transcript, Kind::Flags, Kind::Log] {
        read_journal(kind, bytes);
        let mut good = line::header(kind, "");
        for (number, body) in bytes.split(|byte| *byte == b'\n').enumerate().take(64) {
            line::render(&mut good, number as u64 + 1, None, body);
        }
        read_journal(kind, &good);
    }
}

fn read_journal(kind: Kind, bytes: &[u8]) {
    let read = |bytes: &[u8]| {
        let mut lines = Vec::new();
        let walked = walk(bytes, kind, "", |number, line| {
            lines.push((number, line.seq, line::body(line.fields)));
            Ok(())
        });
        walked.map(|walked| (walked, lines))
    };
    let Ok((walked, lines)) = read(bytes) else { return };
    let whole = usize::try_from(walked.whole).unwrap_or(usize::MAX);
    assert!(whole <= bytes.len(), "more was read than there is");
    // What is whole is whole: reading only that gives the same lines.
    if let Ok((again, same)) = read(&bytes[..whole]) {
        assert!(
            same == lines && again.next == walked.next,
            "the whole lines are others when they are read alone"
        );
    }
}
