//! The writer: what is made to last together, and what happens when the disk does not play along.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex};

use luminos_core::RelPath;
use luminos_core::entry::Stamp;
use serde_json::{Value, json};

use super::*;
use crate::{Holder, Investigation, NetworkState, Why};

/// Remembers how it was asked, and fails when told to.
#[derive(Debug, Clone, Default)]
struct Watched(Arc<(Mutex<WatchedState>, Condvar)>);

#[derive(Debug, Default)]
struct WatchedState {
    asked: Vec<&'static str>,
    fails: VecDeque<&'static str>,
    /// While this holds, whoever makes something last waits.
    held: bool,
    waiting: bool,
}

impl Watched {
    fn ask(&self, what: &'static str) -> io::Result<()> {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        state.waiting = true;
        changed.notify_all();
        while state.held {
            state = changed.wait(state).unwrap();
        }
        state.waiting = false;
        state.asked.push(what);
        if state.fails.front() == Some(&what) {
            state.fails.pop_front();
            return Err(io::Error::from_raw_os_error(rustix::io::Errno::IO.raw_os_error()));
        }
        Ok(())
    }

    fn hold(&self) {
        self.0.0.lock().unwrap().held = true;
    }

    fn wait_until_held(&self) {
        let (state, changed) = &*self.0;
        drop(changed.wait_while(state.lock().unwrap(), |state| !(state.held && state.waiting)).unwrap());
    }

    fn release(&self) {
        self.0.0.lock().unwrap().held = false;
        self.0.1.notify_all();
    }

    fn fail(&self, what: &'static str) {
        self.0.0.lock().unwrap().fails.push_back(what);
    }

    fn asked(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.0.0.lock().unwrap().asked)
    }
}

impl Syncing for Watched {
    fn file(&mut self, _: &File) -> io::Result<()> {
        self.ask("file")
    }

    fn all(&mut self, _: &File) -> io::Result<()> {
        self.ask("all")
    }

    fn dir(&mut self, _: &Path) -> io::Result<()> {
        self.ask("dir")
    }
}

struct Bench {
    _dir: tempfile::TempDir,
    store: Store,
    writer: Writer,
    watched: Watched,
    investigation: Investigation,
}

fn lock(store: &Store) -> DaemonLock {
    DaemonLock::try_acquire(store, &Holder::this_process(Stamp::default(), "a test"), NetworkState::Allowed)
        .unwrap()
}

fn bench() -> Bench {
    bench_with(Settings::default())
}

fn bench_with(settings: Settings) -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("home")).unwrap();
    let watched = Watched::default();
    let (writer, _) = Writer::start_with(&store, lock(&store), settings, Box::new(watched.clone())).unwrap();
    let investigation = store.investigation(InvestigationId::fresh());
    Bench { _dir: dir, store, writer, watched, investigation }
}

impl Bench {
    fn append(&self, id: Option<&str>, body: &Value) -> Receipt {
        self.investigation.append_budget(&self.writer, id, body)
    }

    fn put(&self, name: &str, text: &str) -> Receipt {
        self.writer.put(&self.investigation.dir().join(name), text.as_bytes().to_vec(), Urgency::Usual)
    }

    fn text(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.investigation.dir().join(name)).ok()
    }

    fn postings(&self) -> Vec<Value> {
        self.investigation.budget::<Value>().unwrap().into_bodies()
    }

    /// Hands something over and lets the disk hold it up, so that all that follows waits together.
    fn hold(&self) -> Receipt {
        self.watched.hold();
        let held = self.put("held", "x");
        self.watched.wait_until_held();
        held
    }

    /// No half-written file anywhere.
    fn has_temporaries(&self) -> bool {
        let dirs = [self.store.home(), self.investigation.dir()];
        let entries = dirs.into_iter().flat_map(|dir| std::fs::read_dir(dir).into_iter().flatten());
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with(".tmp-"))
    }
}

#[test]
fn what_waits_is_made_to_last_together() {
    let bench = bench();
    let mut receipts = vec![bench.hold()];
    for number in 0..100 {
        receipts.push(bench.put(&format!("document-{number}"), "x"));
        receipts.push(bench.append(None, &json!({"number": number})));
    }
    bench.watched.release();
    receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
    let asked = bench.watched.asked();
    // The held one: its file, and the directories that were made for it. Then a hundred documents and lines.
    assert_eq!(asked, ["file", "dir", "dir", "all", "dir"]);
    assert_eq!(bench.postings().len(), 100);
    assert_eq!(bench.text("document-99").as_deref(), Some("x"));
}

#[test]
fn what_nobody_waits_for_is_made_to_last_with_what_somebody_does() {
    let patient = Settings { linger: std::time::Duration::from_secs(3600), ..Settings::default() };
    let bench = bench_with(patient);
    let leisurely = bench.writer.leisurely();
    let mut receipts = Vec::new();
    for number in 0..20 {
        receipts.push(bench.investigation.append_budget(&leisurely, None, &json!({"number": number})));
        let path = bench.investigation.dir().join(format!("document-{number}"));
        receipts.push(leisurely.put(&path, b"x".to_vec(), Urgency::Usual));
    }
    receipts.push(bench.append(None, &json!({"number": 20})));
    receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
    // All of it once, and the directories that were made for it.
    assert_eq!(bench.watched.asked(), ["all", "dir", "dir"]);
    let numbers = bench.postings().into_iter().map(|line| line["number"].as_u64().unwrap());
    assert!(numbers.eq(0..=20));
    // Nor does anybody who only looks, or closes, have to wait.
    let late = bench.investigation.append_budget(&leisurely, None, &json!({"number": 21}));
    bench.writer.look().wait().unwrap();
    late.wait().unwrap();
}

#[test]
fn what_nobody_waits_for_lasts_by_itself_in_a_moment() {
    let bench = bench();
    let path = bench.investigation.dir().join("document");
    bench.writer.leisurely().put(&path, b"x".to_vec(), Urgency::Usual).wait().unwrap();
    assert_eq!(bench.text("document").as_deref(), Some("x"));
}

#[test]
fn a_few_files_are_made_to_last_one_by_one() {
    let bench = bench();
    let mut receipts = vec![bench.hold()];
    for name in ["a", "b", "a", "a"] {
        receipts.push(bench.put(name, name));
    }
    bench.watched.release();
    receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
    // Of the three versions of `a` only the last one is written.
    assert_eq!(bench.watched.asked()[3..], ["file", "file", "dir"]);
}

#[test]
fn the_last_of_several_versions_stays() {
    let bench = bench();
    let mut receipts = vec![bench.hold()];
    receipts.extend((0..50).map(|number| bench.put("counter", &number.to_string())));
    bench.watched.release();
    receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
    assert_eq!(bench.text("counter").as_deref(), Some("49"));
}

#[test]
fn when_the_disk_does_not_keep_something_nothing_is_written_any_more() {
    for failing in ["file", "dir"] {
        let bench = bench();
        bench.put("kept", "old").wait().unwrap();
        bench.watched.fail(failing);
        let answer = bench.put("kept", "new").wait();
        assert!(matches!(answer, Err(Error::ReadOnly { .. })), "{failing}: {answer:?}");
        bench.watched.asked();
        for answer in [bench.put("later", "x").wait(), bench.append(None, &json!({})).wait()] {
            let Err(Error::ReadOnly { reason }) = answer else { panic!("{failing}: {answer:?}") };
            assert!(reason.contains("os error 5"), "{reason}");
        }
        assert!(bench.watched.asked().is_empty(), "the disk is not asked again");
        assert_eq!(bench.text("later"), None);
        bench.writer.close().wait().unwrap();
        assert!(!bench.has_temporaries());
        if failing == "file" {
            assert_eq!(bench.text("kept").as_deref(), Some("old"));
        }
    }
}

#[test]
fn a_line_with_a_name_is_added_once() {
    let bench = bench();
    for id in ["a", "b", "a"] {
        bench.append(Some(id), &json!({"id_was": id})).wait().unwrap();
    }
    bench.writer.close().wait().unwrap();
    let (writer, _) = Writer::start(&bench.store, lock(&bench.store), Settings::default()).unwrap();
    bench.investigation.append_budget(&writer, Some("b"), &json!({})).wait().unwrap();
    bench.investigation.append_budget(&writer, Some("c"), &json!({"id_was": "c"})).wait().unwrap();
    assert_eq!(bench.postings(), [json!({"id_was": "a"}), json!({"id_was": "b"}), json!({"id_was": "c"})]);
}

#[test]
fn a_line_that_was_never_finished_is_cut_and_the_next_one_takes_its_number() {
    let bench = bench();
    bench.append(None, &json!({"n": 1})).wait().unwrap();
    bench.append(None, &json!({"n": 2})).wait().unwrap();
    bench.writer.close().wait().unwrap();
    let path = bench.investigation.dir().join("budget.jsonl");
    let length = std::fs::metadata(&path).unwrap().len();
    File::options().write(true).open(&path).unwrap().set_len(length - 7).unwrap();
    assert_eq!(bench.postings(), [json!({"n": 1})]);
    let (writer, _) = Writer::start(&bench.store, lock(&bench.store), Settings::default()).unwrap();
    bench.investigation.append_budget(&writer, None, &json!({"n": 3})).wait().unwrap();
    let found = bench.investigation.budget::<Value>().unwrap();
    assert_eq!(found.records.iter().map(|record| record.seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(found.into_bodies(), [json!({"n": 1}), json!({"n": 3})]);
}

#[test]
fn a_line_that_lacks_only_its_end_counts() {
    let bench = bench();
    bench.append(None, &json!({"n": 1})).wait().unwrap();
    bench.writer.close().wait().unwrap();
    let path = bench.investigation.dir().join("budget.jsonl");
    let length = std::fs::metadata(&path).unwrap().len();
    File::options().write(true).open(&path).unwrap().set_len(length - 1).unwrap();
    let (writer, _) = Writer::start(&bench.store, lock(&bench.store), Settings::default()).unwrap();
    bench.investigation.append_budget(&writer, None, &json!({"n": 2})).wait().unwrap();
    assert_eq!(bench.postings(), [json!({"n": 1}), json!({"n": 2})]);
}

#[test]
fn a_document_is_not_written_if_a_line_before_it_could_not_be() {
    let bench = bench();
    bench.append(None, &json!({"n": 1})).wait().unwrap();
    bench.writer.close().wait().unwrap();
    let path = bench.investigation.dir().join("budget.jsonl");
    // A newer program's: it is left alone.
    let header = json!({"kind": "budget", "format": 2, "about": bench.investigation.id().to_string()});
    let mut bytes = Vec::new();
    crate::journal::render(&mut bytes, 0, None, header.to_string().as_bytes());
    crate::atomic::replace_disposable(&path, &bytes).unwrap();
    let watched = Watched::default();
    let settings = Settings::default();
    let (writer, _) =
        Writer::start_with(&bench.store, lock(&bench.store), settings, Box::new(watched.clone())).unwrap();
    let bench = Bench { writer, watched, ..bench };
    let before = bench.hold();
    let earlier = bench.put("earlier", "x");
    let line = bench.append(None, &json!({"n": 2}));
    let later = bench.put("later", "x");
    let elsewhere = bench.store.investigation(InvestigationId::fresh());
    let elsewhere = elsewhere.put_report(&bench.writer, &json!({}));
    bench.watched.release();
    before.wait().unwrap();
    elsewhere.wait().unwrap();
    earlier.wait().unwrap();
    let Err(Error::Damaged(problem)) = line.wait() else { panic!("the line must be refused") };
    assert_eq!(problem.why, Why::TooNew { found: 2, known: 1 });
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert!(matches!(later.wait(), Err(Error::Skipped { .. })));
    assert_eq!(bench.text("later"), None);
}

/// A turned bit is undone, and what is worse costs its own lines. What was there is put aside, and it is told once.
#[test]
fn a_damaged_journal_is_put_aside_and_goes_on_with_what_is_good() {
    for (damage, left, lost) in [(1_u8, vec![1, 2, 3, 4], 0), (3, vec![1, 3, 4], 1)] {
        let bench = bench();
        (1..4).for_each(|number| bench.append(None, &json!({"n": number})).wait().unwrap());
        bench.writer.close().wait().unwrap();
        let path = bench.investigation.dir().join("budget.jsonl");
        let mut bytes = std::fs::read(&path).unwrap();
        let second = bytes.windows(7).position(|bytes| bytes == b"\"seq\":2").unwrap();
        bytes[second] ^= damage;
        crate::atomic::replace_disposable(&path, &bytes).unwrap();
        let (writer, _) = Writer::start(&bench.store, lock(&bench.store), Settings::default()).unwrap();
        let bench = Bench { writer, ..bench };
        bench.append(None, &json!({"n": 4})).wait().unwrap();
        let expected: Vec<Value> = left.iter().map(|number| json!({ "n": number })).collect();
        assert_eq!(bench.postings(), expected);
        assert_eq!(bench.investigation.budget::<Value>().unwrap().fault, None);
        assert_eq!(std::fs::read(bench.investigation.dir().join("bad/budget.jsonl")).unwrap(), bytes);
        let mended = bench.writer.take_mended(&bench.investigation);
        assert_eq!(mended.iter().map(|mended| mended.lost).collect::<Vec<_>>(), [Lost::Lines(lost)]);
        assert_eq!(bench.writer.take_mended(&bench.investigation), []);
    }
}

/// What a call cost says nothing without what was set aside for it: it would look like a cost that was booked twice.
#[test]
fn a_journal_of_spending_that_was_mended_adds_up() {
    use luminos_core::spend::{Charge, SpendPosting, Tokens};
    let bench = bench();
    let charge = Charge { money: None, tokens: Tokens(10) };
    for call in ["a", "b"] {
        let (run, call, pass) = ("r".to_owned(), call.to_owned(), "dir".to_owned());
        let reserve = SpendPosting::Reserve { run, call: call.clone(), worst: charge, pass };
        let settle = SpendPosting::Settle { call, charged: Some(charge), usage: None };
        for posting in [reserve, settle] {
            bench.investigation.append_spending(&bench.writer, &posting).wait().unwrap();
        }
    }
    bench.writer.close().wait().unwrap();
    let path = bench.investigation.dir().join("spend.jsonl");
    let mut bytes = std::fs::read(&path).unwrap();
    let third = bytes.windows(7).position(|bytes| bytes == b"\"seq\":3").unwrap();
    bytes[third] ^= 3;
    crate::atomic::replace_disposable(&path, &bytes).unwrap();
    assert_eq!(bench.investigation.spending::<SpendPosting>().unwrap().skipped, 1);
    let (writer, _) = Writer::start(&bench.store, lock(&bench.store), Settings::default()).unwrap();
    let none = SpendPosting::Settle { call: "c".to_owned(), charged: None, usage: None };
    bench.investigation.append_spending(&writer, &none).wait().unwrap();
    let left = bench.investigation.spending::<SpendPosting>().unwrap().into_bodies();
    let calls: Vec<&str> = left
        .iter()
        .map(|posting| match posting {
            SpendPosting::Reserve { call, .. } | SpendPosting::Settle { call, .. } => call.as_str(),
        })
        .collect();
    assert_eq!(calls, ["a", "a", "c"]);
}

#[test]
fn a_journal_that_was_removed_or_changed_by_others_is_not_written() {
    let bench = bench();
    bench.append(None, &json!({})).wait().unwrap();
    let path = bench.investigation.dir().join("budget.jsonl");
    io::Write::write_all(&mut File::options().append(true).open(&path).unwrap(), b"x").unwrap();
    assert!(matches!(bench.append(None, &json!({})).wait(), Err(Error::Damaged(_))));
    rustix::fs::unlink(&path).unwrap();
    assert!(matches!(bench.append(None, &json!({})).wait(), Err(Error::Write { .. })));
}

#[test]
fn a_state_directory_that_is_gone_is_not_made_again() {
    let bench = bench();
    bench.put("a", "x").wait().unwrap();
    std::fs::remove_dir_all(bench.store.home()).unwrap();
    let answer = bench.put("a", "x").wait();
    let Err(Error::ReadOnly { reason }) = answer else { panic!("{answer:?}") };
    assert!(reason.contains("was removed"), "{reason}");
    assert!(!bench.store.home().exists());
    assert!(matches!(bench.writer.standing(), Standing::Broken(_)));
}

#[test]
fn many_transcripts_at_once_need_few_descriptors() {
    let bench = bench();
    let dirs: Vec<RelPath> = (0..400).map(|number| RelPath::from(format!("d{number}").as_str())).collect();
    for round in 0..2 {
        let turn = json!({"round": round});
        let turns = dirs.iter().map(|dir| bench.investigation.append_turn(&bench.writer, dir, None, &turn));
        let receipts: Vec<Receipt> = turns.collect();
        receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
    }
    let transcripts = bench.investigation.dir().join("transcripts");
    let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let open = open.filter_map(|fd| std::fs::read_link(fd.path()).ok());
    assert!(open.filter(|path| path.starts_with(&transcripts)).count() <= 96);
    for dir in &dirs {
        let turns = bench.investigation.transcript::<Value>(dir).unwrap().into_bodies();
        assert_eq!(turns, [json!({"round": 0}), json!({"round": 1})]);
    }
}

#[test]
fn a_long_log_is_put_aside() {
    let bench = bench_with(Settings { longest_log: 2000, ..Settings::default() });
    for number in 0..60 {
        bench
            .investigation
            .log_lines(&bench.writer, std::iter::once(json!({"number": number})))
            .wait()
            .unwrap();
    }
    let found = bench.investigation.log::<Value>().unwrap();
    let aside = std::fs::metadata(bench.investigation.dir().join("investigation.log.1")).unwrap();
    assert!(2000 < aside.len() && aside.len() < 2200);
    assert_eq!(found.skipped, 0);
    assert_eq!(found.records.last().map(|record| record.seq), Some(60));
    assert!(found.records.len() < 60);
}

#[test]
fn a_closed_writer_says_so_and_has_let_go_of_the_lock() {
    let bench = bench();
    bench.put("a", "x").wait().unwrap();
    bench.writer.close().wait().unwrap();
    assert!(matches!(bench.put("b", "x").wait(), Err(Error::Closed)));
    assert!(1 < lock(&bench.store).epoch());
}

#[test]
fn a_writer_of_an_earlier_life_is_refused() {
    let bench = bench();
    bench.put("a", "x").wait().unwrap();
    // Somebody removes the lock's file, so that a second daemon can start beside the first.
    rustix::fs::unlink(bench.store.home().join("daemon.lock")).unwrap();
    let second = lock(&bench.store);
    let answer = bench.put("a", "y").wait();
    assert!(matches!(answer, Err(Error::Superseded { ours: 1, current: 2 })), "{answer:?}");
    assert_eq!(bench.text("a").as_deref(), Some("x"));
    drop(second);
}

#[test]
fn what_the_dead_left_is_swept_away() {
    let bench = bench();
    bench.put("dirs/a.json", "x").wait().unwrap();
    bench.writer.close().wait().unwrap();
    let inside = bench.investigation.dir();
    let trash = bench.store.home().join(format!(".trash-{}", InvestigationId::fresh()));
    std::fs::create_dir_all(trash.join("dirs")).unwrap();
    std::fs::create_dir_all(bench.store.home().join("scan")).unwrap();
    let places = [bench.store.home().to_owned(), inside.to_owned(), inside.join("dirs")];
    for place in places.iter().chain([&bench.store.home().join("scan")]) {
        File::create(place.join(".tmp-1-1")).unwrap();
    }
    let (_writer, found) = Writer::start(&bench.store, lock(&bench.store), Settings::default()).unwrap();
    assert_eq!(found.swept, 4);
    assert!(places.iter().all(|place| !place.join(".tmp-1-1").exists()));
    assert!(bench.store.home().join("scan/.tmp-1-1").exists(), "scans look after themselves");
    assert!(!trash.exists());
}

#[test]
fn a_receipt_is_a_future() {
    use std::task::{Context, Poll, Wake, Waker};
    struct Woken(Mutex<bool>, Condvar);
    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            *self.0.lock().unwrap() = true;
            self.1.notify_all();
        }
    }
    let bench = bench();
    let woken = Arc::new(Woken(Mutex::new(false), Condvar::new()));
    let waker = Waker::from(Arc::clone(&woken));
    let mut receipt = std::pin::pin!(bench.hold());
    assert!(receipt.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    bench.watched.release();
    drop(woken.1.wait_while(woken.0.lock().unwrap(), |woken| !*woken).unwrap());
    assert!(matches!(receipt.as_mut().poll(&mut Context::from_waker(&waker)), Poll::Ready(Ok(()))));
}
