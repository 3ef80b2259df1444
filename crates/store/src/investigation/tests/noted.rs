//! What the analyst found out: one journal, in which the last word about a directory counts.

use super::*;

const NAME: &str = "entries.jsonl";

fn said(path: &[u8], summary: &str) -> DirEntry {
    DirEntry { summary: summary.to_owned(), ..dir_entry(path) }
}

fn note(house: &House, investigation: &Investigation, path: &[u8], summary: &str) {
    investigation.note_dir(&house.writer, &said(path, summary), &files_in(path)).wait().unwrap();
}

fn summaries(investigation: &Investigation) -> Vec<(String, String)> {
    let (entries, problems) = investigation.dir_entries();
    assert_eq!(problems, []);
    entries.into_iter().map(|entry| (entry.relative_path.to_word(), entry.summary)).collect()
}

fn journal(investigation: &Investigation) -> PathBuf {
    investigation.dir().join(NAME)
}

#[test]
fn the_last_word_about_a_directory_counts() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    for (path, summary) in [(&b"src"[..], "old"), (b"", "whole"), (b"src", "new"), (b"src/a\xff", "odd")] {
        note(&house, &investigation, path, summary);
    }
    let expected = [(".", "whole"), ("src", "new"), ("hex:7372632f61ff", "odd")];
    assert_eq!(summaries(&investigation), expected.map(|(path, words)| (path.to_owned(), words.to_owned())));
    let src = RelPath::from("src");
    assert_eq!(investigation.dir_entry(&src).unwrap(), Some(said(b"src", "new")));
    assert_eq!(investigation.dir_entry(&RelPath::from("none")).unwrap(), None);
    assert_eq!(investigation.file_entries_of(&src).unwrap(), files_in(b"src"));
    assert_eq!(investigation.file_entry(&RelPath::from("src/g")).unwrap(), Some(file_entry(b"src/g")));
    let mut whole = investigation.file_entries().0;
    assert_eq!(whole.len(), 6);
    // A run that goes on reads them back; one that noted them all has them at hand. Both must tell the same.
    whole.iter_mut().for_each(FileEntry::shorten);
    assert_eq!(investigation.file_gists(), whole);
    assert!(!investigation.dir().join("dirs").exists(), "nothing was written but the journal");
}

#[test]
fn what_a_model_said_comes_first_and_from_then_on_all_are_documents() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    note(&house, &investigation, b"src", "by the analyst");
    note(&house, &investigation, b"lib", "by the analyst");
    investigation.put_dir_entry(&house.writer, &said(b"src", "by a model")).wait().unwrap();
    let before = std::fs::read(journal(&investigation)).unwrap();
    note(&house, &investigation, b"lib", "by the analyst, later");
    assert_eq!(std::fs::read(journal(&investigation)).unwrap(), before);
    let expected = [("lib", "by the analyst, later"), ("src", "by a model")];
    assert_eq!(summaries(&investigation), expected.map(|(path, words)| (path.to_owned(), words.to_owned())));
    assert_eq!(investigation.file_entries().0.len(), 4, "files that no document tells of are still known");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test damages what the store wrote")]
fn a_damaged_line_costs_one_directory() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    for path in [&b"a"[..], b"b", b"c"] {
        note(&house, &investigation, path, "known");
    }
    let mut bytes = std::fs::read(journal(&investigation)).unwrap();
    let needle = b"\"about\":\"b\"";
    let at = bytes.windows(needle.len()).position(|window| window == needle).unwrap();
    bytes[at + 20] ^= 1;
    std::fs::write(journal(&investigation), bytes).unwrap();
    let paths: Vec<String> = summaries(&investigation).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["a", "c"]);
    let (lines, unusable) = investigation.noted_lines().unwrap();
    assert!(lines == 2 && 0 < unusable, "{lines} lines, {unusable} unusable");
    // Whoever makes it again adds a line, and all is well.
    note(&house, &investigation, b"b", "known again");
    assert_eq!(summaries(&investigation).len(), 3);
}

#[test]
fn a_journal_of_old_words_is_written_anew() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    for round in 0..150 {
        for path in [&b"a"[..], b"b"] {
            note(&house, &investigation, path, &format!("round {round}"));
        }
    }
    let before = std::fs::metadata(journal(&investigation)).unwrap().len();
    investigation.tidy_entries(&house.writer).expect("most of it is old").wait().unwrap();
    let after = std::fs::metadata(journal(&investigation)).unwrap().len();
    assert!(after * 50 < before, "{before} bytes became {after}");
    let expected = [("a", "round 149"), ("b", "round 149")];
    assert_eq!(summaries(&investigation), expected.map(|(path, words)| (path.to_owned(), words.to_owned())));
    assert!(investigation.tidy_entries(&house.writer).is_none(), "there is nothing to tidy up");
    note(&house, &investigation, b"b", "later");
    note(&house, &investigation, b"c", "new");
    assert_eq!(investigation.noted_lines().unwrap(), (4, 0));
    assert_eq!(summaries(&investigation).len(), 3);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test damages what the store wrote")]
fn a_journal_that_is_none_is_moved_away_and_another_one_begins() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    note(&house, &investigation, b"a", "known");
    std::fs::remove_file(journal(&investigation)).unwrap();
    std::os::unix::fs::symlink("meta.json", journal(&investigation)).unwrap();
    let (entries, problems) = investigation.dir_entries();
    assert_eq!((entries.len(), problems.len()), (0, 1));
    house.writer.quarantine(&problems[0]).wait().unwrap();
    note(&house, &investigation, b"a", "known again");
    assert_eq!(summaries(&investigation), [("a".to_owned(), "known again".to_owned())]);
}

#[test]
fn what_is_too_long_for_a_line_becomes_documents() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    note(&house, &investigation, b"a", "short");
    let many: Vec<FileEntry> = (0..3_000)
        .map(|number| FileEntry {
            summary: "x".repeat(4_000),
            ..file_entry(format!("b/{number}").as_bytes())
        })
        .collect();
    investigation.note_dir(&house.writer, &said(b"b", "long"), &many).wait().unwrap();
    assert_eq!(summaries(&investigation).len(), 2);
    assert_eq!(investigation.file_entries_of(&RelPath::from("b")).unwrap().len(), 3_000);
    assert!(investigation.dir().join("dirs").is_dir());
}
