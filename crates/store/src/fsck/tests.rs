//! A store that is sound, and what is said of one that is not.

use std::fs;

use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, Stamp};
use luminos_core::plan::Turns;
use luminos_core::scan::Category;
use luminos_core::turns::Posting;
use serde_json::json;

use super::*;
use crate::layout::key;
use crate::{
    DaemonLock, Durability, Holder, Investigation, Meta, NetworkState, Settings, Target, Urgency, Writer,
};

struct House {
    _dir: tempfile::TempDir,
    store: Store,
    writer: Writer,
    investigation: Investigation,
}

/// A store with one investigation by a model: one directory, its conversation, some turns, a report.
fn house(state: State) -> House {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("home")).unwrap();
    let holder = Holder::this_process(Stamp::default(), "a test");
    let lock = DaemonLock::try_acquire(&store, &holder, NetworkState::Allowed).unwrap();
    let settings = Settings { durability: Durability::Kill, ..Settings::default() };
    let (writer, _) = Writer::start(&store, lock, settings).unwrap();
    let mut meta =
        Meta::fresh(Target::new(Path::new("/t")), json!({}), Stamp("now".to_owned()), writer.epoch());
    meta.models.insert("dir".to_owned(), "anthropic/claude-haiku-5-5".to_owned());
    meta.state = state;
    let investigation = store.investigation(meta.id);
    investigation.put_meta(&writer, &meta, Urgency::Usual).wait().unwrap();
    writer.set_current(&meta.target, meta.id).wait().unwrap();
    let src = luminos_core::RelPath::from("src");
    let postings = [
        Posting::Open { total: Turns(20) },
        Posting::Promise { dir: src.clone(), turns: Turns(10) },
        Posting::Start { dir: src.clone(), attempt: 1 },
        Posting::Spend { dir: src.clone(), attempt: 1, turn: 1 },
    ];
    for posting in &postings {
        investigation.append_budget(&writer, None, posting).wait().unwrap();
    }
    investigation.append_turn(&writer, &src, None, &json!({"turn": 1})).wait().unwrap();
    investigation.put_dir_entry(&writer, &dir_entry(writer.epoch())).wait().unwrap();
    investigation.put_report(&writer, &json!({"brief": "Things."})).wait().unwrap();
    House { _dir: dir, store, writer, investigation }
}

fn dir_entry(epoch: u64) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: "/t/src".to_owned(),
        relative_path: luminos_core::RelPath::from("src"),
        child_count: 2,
        summary: "Things.".to_owned(),
        dominant_category: Category::Source,
        cached_at: Stamp("now".to_owned()),
        notable_files: Vec::new(),
        confidence: None,
        confidence_reason: None,
        completeness: None,
        coverage: Coverage::default(),
        claims: Vec::new(),
        flags: Vec::new(),
        reads: Vec::new(),
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch,
        run: String::new(),
    }
}

impl House {
    fn checked(&self) -> Checkup {
        self.store.check_all(Serving::No, Depth::All)
    }

    fn only(&self, dir: &str) -> PathBuf {
        let found = entries(&self.investigation.dir().join(dir));
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].1.clone()
    }

    /// Spoils a byte in the middle.
    #[expect(clippy::disallowed_methods, reason = "the test damages what the store wrote")]
    fn flip(&self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "the test takes away what the store wrote")]
    fn lose(&self, path: &Path) {
        fs::remove_file(path).unwrap();
    }

    #[track_caller]
    fn expect(&self, promise: Promise, name: &str, remedy: Remedy, is_fault: bool) {
        let checkup = self.checked();
        let [finding] = &checkup.findings[..] else { panic!("{:#?}", checkup.findings) };
        assert_eq!(
            (finding.promise, finding.remedy, finding.is_fault),
            (promise, remedy, is_fault),
            "{finding:?}"
        );
        assert!(finding.path.to_string_lossy().contains(name), "{finding:?}");
        assert!(!finding.path.is_absolute(), "{finding:?}");
        assert_eq!(checkup.is_sound(), !is_fault);
    }
}

#[test]
fn a_sound_store_has_nothing_to_tell() {
    let house = house(State::Done);
    let checkup = house.checked();
    assert_eq!(checkup.findings, []);
    assert_eq!((checkup.investigations, checkup.lines), (1, 5));
    assert!(4 <= checkup.documents, "{checkup:?}");
}

#[test]
fn damage_in_every_kind_of_file_is_found_and_what_follows_is_said() {
    let document = [("dirs", Remedy::MadeAgain), ("transcripts", Remedy::Mended)];
    for (dir, remedy) in document {
        let house = house(State::Done);
        house.flip(&house.only(dir));
        house.expect(Promise::NothingTorn, dir, remedy, true);
    }
    let files = [
        ("report.json", Remedy::MadeAgain),
        ("budget.jsonl", Remedy::Mended),
        ("meta.json", Remedy::Rebuilt),
        ("meta.copy.json", Remedy::Rebuilt),
    ];
    for (name, remedy) in files {
        let house = house(State::Done);
        house.flip(&house.investigation.dir().join(name));
        house.expect(Promise::NothingTorn, name, remedy, true);
    }
    for name in ["investigations.json", "epoch.json"] {
        let house = house(State::Done);
        house.flip(&house.store.home().join(name));
        let found = house.checked().findings;
        assert!(
            found.iter().any(|finding| finding.path == Path::new(name)
                && finding.promise == Promise::NothingTorn
                && finding.remedy == Remedy::Rebuilt),
            "{found:#?}"
        );
    }
}

/// What the analyst says of directories is one journal: a line that is spoilt costs a look.
#[test]
fn a_spoilt_line_of_the_analysts_is_found_and_made_again() {
    let house = house(State::Done);
    let mut meta = Meta::fresh(
        Target::new(Path::new("/other")),
        json!({}),
        Stamp("now".to_owned()),
        house.writer.epoch(),
    );
    meta.models.insert("dir".to_owned(), "offline".to_owned());
    let investigation = house.store.investigation(meta.id);
    investigation.put_meta(&house.writer, &meta, Urgency::Usual).wait().unwrap();
    house.writer.set_current(&meta.target, meta.id).wait().unwrap();
    for dir in ["a", "b", "c"] {
        let entry =
            DirEntry { relative_path: luminos_core::RelPath::from(dir), ..dir_entry(house.writer.epoch()) };
        investigation.note_dir(&house.writer, &entry, &[]).wait().unwrap();
    }
    assert!(house.checked().is_sound(), "{:#?}", house.checked().findings);
    let path = investigation.dir().join("entries.jsonl");
    house.flip(&path);
    let found = house.checked().findings;
    let spoilt: Vec<&Finding> =
        found.iter().filter(|finding| finding.path.ends_with("entries.jsonl")).collect();
    let [finding] = spoilt[..] else { panic!("{found:#?}") };
    assert_eq!((finding.promise, finding.remedy), (Promise::NothingTorn, Remedy::MadeAgain));
    assert!(finding.is_fault);
}

#[test]
fn a_result_without_the_conversation_that_led_to_it_is_a_fault() {
    let house = house(State::Done);
    house.lose(&house.only("transcripts"));
    house.expect(Promise::Causality, "dirs", Remedy::Stays, true);
}

#[test]
fn a_report_that_is_only_claimed_is_a_fault() {
    let house = house(State::Partial);
    house.lose(&house.investigation.dir().join("report.json"));
    house.expect(Promise::Causality, "meta.json", Remedy::MadeAgain, true);
}

#[test]
fn numbers_from_the_future_are_a_fault() {
    let house = house(State::Done);
    house.lose(&house.store.home().join("epoch.json"));
    let found = house.checked().findings;
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|finding| finding.promise == Promise::OneWriter && finding.is_fault));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test leaves what a crash would")]
fn what_a_crash_leaves_is_told_and_no_fault() {
    let house = house(State::Done);
    fs::write(house.investigation.dir().join("dirs/.tmp-1-1"), "half").unwrap();
    house.expect(Promise::NothingTorn, ".tmp-1-1", Remedy::Swept, false);
    assert_eq!(house.store.check_all(Serving::Yes, Depth::All).findings, [], "a daemon may be at it");
    fs::remove_file(house.investigation.dir().join("dirs/.tmp-1-1")).unwrap();

    fs::create_dir(house.store.home().join(".trash-x")).unwrap();
    house.expect(Promise::NothingTorn, ".trash-x", Remedy::Swept, false);
    fs::remove_dir(house.store.home().join(".trash-x")).unwrap();

    fs::write(house.investigation.dir().join("notes.txt"), "mine").unwrap();
    house.expect(Promise::InOrder, "notes.txt", Remedy::Stays, false);
}

#[test]
fn a_run_that_was_cut_off_is_told_and_no_fault() {
    let house = house(State::Running);
    house.expect(Promise::InOrder, "meta.json", Remedy::Resumed, false);
    assert_eq!(house.store.check_all(Serving::Yes, Depth::Unfinished).findings, []);
}

#[test]
fn an_investigation_that_is_gone_is_missed_by_the_index() {
    let house = house(State::Done);
    fs::remove_dir_all(house.investigation.dir()).unwrap();
    house.expect(Promise::InOrder, "investigations.json", Remedy::BegunAnew, true);
}

#[test]
fn what_has_come_to_its_end_is_left_alone_when_only_the_rest_matters() {
    let house = house(State::Done);
    house.flip(&house.only("dirs"));
    assert!(house.store.check_all(Serving::No, Depth::Unfinished).is_sound());
    assert!(!house.checked().is_sound());
}

#[test]
fn a_call_that_is_booked_twice_is_found() {
    use luminos_core::spend::{Charge, SpendPosting, Tokens};
    let house = house(State::Done);
    let charge = Charge { money: None, tokens: Tokens(10) };
    let (call, pass) = ("c".to_owned(), "dir".to_owned());
    let reserve = SpendPosting::Reserve { run: "r".to_owned(), call: call.clone(), worst: charge, pass };
    let settle = SpendPosting::Settle { call, charged: Some(charge), usage: None };
    for posting in [&reserve, &settle] {
        house.investigation.append_spending(&house.writer, posting).wait().unwrap();
    }
    assert_eq!(house.checked().findings, []);
    house.investigation.append_spending(&house.writer, &settle).wait().unwrap();
    house.expect(Promise::LedgerConserved, "spend.jsonl", Remedy::StartFresh, true);
}

#[test]
fn what_is_called_done_is_not_known_in_part() {
    let house = house(State::Done);
    let report = json!({"directories": [{"relative_path": "src", "partial": true}]});
    house.investigation.put_report(&house.writer, &report).wait().unwrap();
    // It has removed what it replaced by then.
    house.writer.close().wait().unwrap();
    house.expect(Promise::ToldTheTruth, "report.json", Remedy::MadeAgain, true);
}

#[test]
fn a_conversation_without_a_turn_is_none() {
    let house = house(State::Done);
    let transcript = house.only("transcripts");
    let header = fs::read_to_string(&transcript).unwrap().lines().next().unwrap().len() as u64;
    fs::File::options().write(true).open(&transcript).unwrap().set_len(header + 1).unwrap();
    house.expect(Promise::Causality, "dirs", Remedy::Stays, true);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test leaves what a crash would")]
fn a_conversation_whose_first_line_was_never_finished_is_no_fault_and_begins_anew() {
    let house = house(State::Done);
    let lib = luminos_core::RelPath::from("lib");
    let path = house.investigation.dir().join("transcripts").join(format!("{}.jsonl", key(&lib)));
    let whole = fs::read(house.only("transcripts")).unwrap();
    let header = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for cut in [0, 1, header / 2, header - 1] {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(house.checked().findings, [], "cut at {cut}");
    }
    house.investigation.append_turn(&house.writer, &lib, None, &json!({"turn": 1})).wait().unwrap();
    assert_eq!(house.investigation.transcript::<serde_json::Value>(&lib).unwrap().records.len(), 1);
    assert_eq!(house.checked().findings, []);
}

/// A house whose `meta.json` says what its report rests on.
fn counted() -> House {
    use luminos_core::spend::{Charge, SpendPosting, Tokens};
    let house = house(State::Done);
    let charge = Charge { money: None, tokens: Tokens(10) };
    let (call, pass) = ("c".to_owned(), "dir".to_owned());
    let reserve = SpendPosting::Reserve { run: "r".to_owned(), call, worst: charge, pass };
    house.investigation.append_spending(&house.writer, &reserve).wait().unwrap();
    let report = json!({"directories": [{"relative_path": "src"}]});
    house.investigation.put_report(&house.writer, &report).wait().unwrap();
    let flag = json!({"path": "src/a.py", "finding": "A key.", "severity": "critical", "directory": "src"});
    let flag = serde_json::from_value(flag).unwrap();
    house.investigation.put_flags(&house.writer, &[flag]).wait().unwrap();
    let mut meta = house.investigation.meta().unwrap().unwrap();
    meta.rests_on = Some(house.investigation.count_what_it_rests_on(1));
    house.investigation.put_meta(&house.writer, &meta, Urgency::Usual).wait().unwrap();
    house.writer.close().wait().unwrap();
    assert_eq!(house.checked().findings, []);
    house
}

/// Ledgers, conversations and entries cannot tell from within that they are incomplete; somebody else can.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test takes away what the store wrote")]
fn what_a_report_rests_on_is_missed_when_it_is_gone_emptied_or_cut() {
    type Harm = fn(&Path);
    let delete: Harm = |path| {
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    };
    let empty: Harm = |path| fs::write(path, "").unwrap();
    let cut: Harm = |path| {
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let kept = lines[..lines.len() - 1].iter().map(|line| format!("{line}\n"));
        fs::write(path, kept.collect::<String>()).unwrap();
    };
    let harms = [("spend.jsonl", delete), ("spend.jsonl", empty), ("spend.jsonl", cut)];
    let harms =
        harms.into_iter().chain([("budget.jsonl", delete), ("budget.jsonl", empty), ("budget.jsonl", cut)]);
    let harms = harms.chain([("flags.jsonl", delete), ("flags.jsonl", empty), ("flags.jsonl", cut)]);
    let harms = harms.chain([("transcripts", delete), ("dirs", delete)]);
    for (number, (name, harm)) in harms.enumerate() {
        let house = counted();
        harm(&house.investigation.dir().join(name));
        let checkup = house.checked();
        assert!(!checkup.is_sound(), "{name}, harm {number}");
        let is_it = |finding: &Finding| finding.is_fault && finding.promise == Promise::Causality;
        assert!(checkup.findings.iter().any(is_it), "{name}, harm {number}: {:#?}", checkup.findings);
    }
    for harm in [empty, cut] {
        let house = counted();
        harm(&house.only("transcripts"));
        assert!(!house.checked().is_sound());
    }
}

/// An older program did not count what its report rests on, but what it used has left lines.
#[test]
fn a_ledger_that_an_older_program_must_have_had_is_missed() {
    for name in ["budget.jsonl", "spend.jsonl"] {
        let house = house(State::Done);
        let mut meta = house.investigation.meta().unwrap().unwrap();
        let used = crate::Counters { calls: 1, turns: 1, ..crate::Counters::default() };
        meta.counters = used;
        house.investigation.put_meta(&house.writer, &meta, Urgency::Usual).wait().unwrap();
        if house.investigation.dir().join(name).exists() {
            house.lose(&house.investigation.dir().join(name));
        }
        let found = house.checked().findings;
        let is_it = |finding: &Finding| finding.is_fault && finding.path.ends_with(name);
        assert!(found.iter().any(is_it), "{name}: {found:#?}");
    }
}

/// The copy of the first document is written before the document: a death in between breaks no promise.
#[test]
fn an_investigation_that_was_only_begun_is_no_fault() {
    let house = house(State::Done);
    let target = Target::new(Path::new("/begun"));
    let meta = Meta::fresh(target, json!({}), Stamp::default(), house.writer.epoch());
    let begun = house.store.investigation(meta.id);
    begun.put_meta(&house.writer, &meta, Urgency::Usual).wait().unwrap();
    house.lose(&begun.dir().join("meta.json"));
    let checkup = house.checked();
    assert!(checkup.is_sound(), "{:#?}", checkup.findings);
    assert!(checkup.findings.iter().any(|finding| finding.what.contains("has a copy of `meta.json` only")));
    // Where there is more, it was there and is lost.
    begun.put_report(&house.writer, &json!({"brief": "Things."})).wait().unwrap();
    assert!(!house.checked().is_sound());
}

/// Somebody cleans while somebody else looks: what is gone is no fault.
#[test]
fn what_is_removed_while_it_is_looked_over_is_no_fault() {
    let house = house(State::Done);
    let ids: Vec<_> = (0..60)
        .map(|number| {
            let target = Target::new(Path::new(&format!("/t{number}")));
            let mut meta = Meta::fresh(target, json!({}), Stamp::default(), house.writer.epoch());
            meta.state = State::Done;
            let investigation = house.store.investigation(meta.id);
            investigation.put_meta(&house.writer, &meta, Urgency::Usual).wait().unwrap();
            investigation.put_report(&house.writer, &json!({"brief": "Things."})).wait().unwrap();
            meta.id
        })
        .collect();
    std::thread::scope(|scope| {
        let removing = scope.spawn(|| {
            for id in ids {
                house.writer.remove(id).wait().unwrap();
            }
        });
        while !removing.is_finished() {
            let found = house.store.check_all(Serving::Yes, Depth::All).findings;
            assert_eq!(found, []);
        }
    });
}
