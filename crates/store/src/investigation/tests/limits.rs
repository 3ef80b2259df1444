//! What a store refuses, and what it takes over from an older program.

use super::*;

/// What every limit takes, and what is refused: an error that says so, and nothing on the disk.
#[test]
fn what_could_not_be_read_back_is_refused() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    let writer = &house.writer;
    let with = |bytes: usize| DirEntry { summary: "x".repeat(bytes), ..dir_entry(b"src") };
    investigation.note_dir(writer, &with(16 << 10), &[]).wait().unwrap();
    let told = |receipt: Receipt| {
        assert!(receipt.refusal().is_some(), "it is known at once");
        let error = receipt.wait().unwrap_err();
        assert!(error.is_refusal() && !error.may_pass(), "{error}");
        error.to_string()
    };
    let long = with((16 << 10) + 1);
    assert!(told(investigation.note_dir(writer, &long, &[])).contains("at most 16384 are allowed"));
    assert!(told(investigation.put_dir_entry(writer, &long)).contains("at most 16384 are allowed"));
    let file = FileEntry { summary: "x".repeat((16 << 10) + 1), ..file_entry(b"src/f") };
    let src = RelPath::from("src");
    let note = investigation.note_dir(writer, &dir_entry(b"src"), std::slice::from_ref(&file));
    assert!(told(note).contains("at most 16384"));
    assert!(told(investigation.put_file_entries(writer, &src, &[file])).contains("at most 16384"));
    let stray = file_entry(b"other/f");
    assert!(told(investigation.put_file_entries(writer, &src, &[stray])).contains("another directory"));

    let large = DirEntry { flags: vec![flag(&"x".repeat(4 << 20))], ..dir_entry(b"src") };
    let words = told(investigation.put_dir_entry(writer, &large));
    assert!(words.contains("bytes; at most 4194304 are kept"), "{words}");
    // Too much for a line of the journal, and for a document.
    let long = || FileEntry { notable_reason: Some("x".repeat(1 << 20)), ..file_entry(b"src/f") };
    let files: Vec<FileEntry> = std::iter::repeat_with(long).take(65).collect();
    let words = told(investigation.note_dir(writer, &dir_entry(b"src"), &files));
    assert!(words.contains("bytes; at most 67108864 are kept"), "{words}");
    let survey = Survey { description: "x".repeat(4 << 20), ..Survey::default() };
    assert!(told(investigation.put_survey(writer, &survey)).contains("at most 4194304 are kept"));
    let line = json!({"said": "x".repeat(32 << 20)});
    assert!(told(investigation.append_turn(writer, &src, None, &line)).contains("bytes; at most"));
    let line = json!({"said": "x".repeat((32 << 20) - 5000)});
    investigation.append_turn(writer, &src, None, &line).wait().unwrap();
    assert_eq!(investigation.transcript::<Value>(&src).unwrap().records.len(), 1);
    house.writer.close().wait().unwrap();
    assert_eq!(investigation.survey().unwrap(), None);
    assert_eq!(investigation.dir_entry(&src).unwrap(), Some(with(16 << 10)));
}

/// What a run is must stay readable, whatever the reasons are that it gives.
#[test]
fn reasons_without_end_do_not_replace_what_a_run_is() {
    let house = house();
    let (investigation, meta) = house.begin(house.dir.path());
    let long = Meta { reasons: vec!["x".repeat(4 << 20)], ..meta };
    let error = investigation.put_meta(&house.writer, &long, Urgency::Usual).wait().unwrap_err();
    assert!(error.is_refusal() && !error.may_pass(), "{error}");
    assert!(error.to_string().contains("at most 4194304 are kept"), "{error}");
    house.writer.close().wait().unwrap();
    assert_eq!(investigation.meta().unwrap().unwrap().reasons, Vec::<String>::new());
}

/// What an older program has left: entries without flags, and a journal of all flags there ever were.
#[test]
fn flags_that_an_older_program_kept_beside_its_entries_are_read() {
    let house = house();
    let investigation = house.store.investigation("01890a5d-ac96-774b-bcce-b302099a8057".parse().unwrap());
    std::fs::create_dir(investigation.dir()).unwrap();
    let put = |name: &str, bytes: &[u8]| overwrite(&investigation.dir().join(name), bytes);
    put("entries.jsonl", include_bytes!("../../../tests/format-1/entries.jsonl"));
    put("flags.jsonl", include_bytes!("../../../tests/format-1/flags.jsonl"));
    let (entries, problems) = investigation.dir_entries();
    assert_eq!(problems, []);
    let found: Vec<_> =
        entries.iter().map(|entry| (entry.relative_path.to_word(), entry.holds_its_flags())).collect();
    assert_eq!(found, [(".".to_owned(), false), ("b".to_owned(), false), ("src".to_owned(), false)]);
    assert_eq!(investigation.flags(), []);
    let flags = investigation.flags_beside_entries();
    let found: Vec<_> = flags.iter().map(|flag| flag.path.to_word()).collect();
    assert_eq!(found, ["src/a.py"]);
    // The next report makes the journal anew, and nothing is read beside entries any more.
    investigation.put_flags(&house.writer, &flags).wait().unwrap();
    assert_eq!(investigation.flags_beside_entries(), []);
    assert!(investigation.has_flags(None));
}
