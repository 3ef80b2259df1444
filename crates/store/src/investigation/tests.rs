//! Documents of an investigation: what comes back, and what is done about those that were tampered with.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, FileEntry, Stamp};
use luminos_core::flag::Flag;
use luminos_core::flag::Severity;
use luminos_core::scan::Category;
use serde_json::json;

use super::*;
use crate::Why;
use crate::{
    Cleaning, DaemonLock, Durability, Holder, Investigations, NetworkState, Settings, State, Store, Target,
    to_clean,
};

mod limits;
mod noted;

struct House {
    dir: tempfile::TempDir,
    store: Store,
    writer: Writer,
}

fn start(store: &Store) -> (Writer, crate::FoundAtStart) {
    let lock = DaemonLock::try_acquire(
        store,
        &Holder::this_process(Stamp::default(), "a test"),
        NetworkState::Allowed,
    );
    let settings = Settings { durability: Durability::Kill, ..Settings::default() };
    Writer::start(store, lock.unwrap(), settings).unwrap()
}

fn house() -> House {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("home")).unwrap();
    let (writer, _) = start(&store);
    House { dir, store, writer }
}

impl House {
    /// A new investigation of a target.
    fn begin(&self, target: &Path) -> (Investigation, Meta) {
        let meta = Meta::fresh(
            Target::new(target),
            json!({"depth": 3}),
            Stamp("now".to_owned()),
            self.writer.epoch(),
        );
        let investigation = self.store.investigation(meta.id);
        investigation.put_meta(&self.writer, &meta, Urgency::Usual).wait().unwrap();
        self.writer.set_current(&meta.target, meta.id).wait().unwrap();
        (investigation, meta)
    }

    fn all(&self) -> Investigations {
        self.store.investigations()
    }
}

fn dir_entry(path: &[u8]) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: "/x".to_owned(),
        relative_path: RelPath::new(path),
        child_count: 2,
        summary: "Things.".to_owned(),
        dominant_category: Category::Source,
        cached_at: Stamp("2999-01-01T00:00:00Z".to_owned()),
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
        epoch: 1,
        run: String::new(),
    }
}

fn file_entry(path: &[u8]) -> FileEntry {
    FileEntry {
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: "/x/y".to_owned(),
        relative_path: RelPath::new(path),
        size_bytes: 3,
        category: Category::Source,
        summary: "A thing.".to_owned(),
        cached_at: Stamp("now".to_owned()),
        notable: false,
        notable_reason: None,
        confidence: None,
        confidence_reason: None,
        evidence: Vec::new(),
        content_hash: None,
    }
}

/// Two files of a directory.
fn files_in(dir: &[u8]) -> Vec<FileEntry> {
    let slash: &[u8] = if dir.is_empty() { b"" } else { b"/" };
    [b"f", b"g"].map(|name| file_entry(&[dir, slash, name].concat())).to_vec()
}

fn flag(finding: &str) -> Flag {
    Flag {
        path: RelPath::from("a"),
        finding: finding.to_owned(),
        severity: Severity::Concern,
        rule: None,
        evidence: Vec::new(),
        directory: RelPath::root(),
        verified: false,
        faults: Vec::new(),
    }
}

#[test]
fn everything_comes_back_and_reading_needs_no_writer() {
    let house = house();
    let (investigation, mut meta) = house.begin(house.dir.path());
    meta.state = State::Paused { reason: "no money".to_owned() };
    investigation.put_meta(&house.writer, &meta, Urgency::Usual).wait().unwrap();
    let survey = Survey { description: "A compiler".to_owned(), ..Survey::default() };
    investigation.put_survey(&house.writer, &survey).wait().unwrap();
    investigation.put_report(&house.writer, &json!({"brief": "It compiles."})).wait().unwrap();
    investigation.put_evaluation(&house.writer, &json!({"total": 3})).wait().unwrap();
    investigation
        .put_rendering(&house.writer, Rendering::Markdown, "# It compiles\n".to_owned())
        .wait()
        .unwrap();
    let paths: [&[u8]; 4] = [b"", b"src", b"src/a\xff", b"src/deep"];
    for path in paths {
        investigation.put_dir_entry(&house.writer, &dir_entry(path)).wait().unwrap();
        let files = files_in(path);
        investigation.put_file_entries(&house.writer, &RelPath::new(path), &files).wait().unwrap();
    }
    let flags = ["one", "two", "one"].map(flag);
    investigation.put_flags(&house.writer, &flags).wait().unwrap();
    investigation.append_run_event(&house.writer, &json!({"planned": true})).wait().unwrap();
    investigation.log_lines(&house.writer, [json!({"tool": "read_file"})].iter()).wait().unwrap();
    house.writer.close().wait().unwrap();

    assert_eq!(investigation.meta().unwrap(), Some(meta));
    assert_eq!(investigation.survey().unwrap(), Some(survey));
    assert_eq!(investigation.plan().unwrap(), None);
    assert_eq!(investigation.report::<Value>().unwrap().unwrap()["brief"], "It compiles.");
    assert_eq!(investigation.evaluation::<Value>().unwrap().unwrap()["total"], 3);
    for path in paths {
        assert_eq!(investigation.dir_entry(&RelPath::new(path)).unwrap(), Some(dir_entry(path)));
    }
    assert_eq!(investigation.dir_entry(&RelPath::from("other")).unwrap(), None);
    assert_eq!(investigation.dir_entries(), (paths.map(dir_entry).to_vec(), Vec::new()));
    assert_eq!(investigation.file_entries_of(&RelPath::from("src")).unwrap(), files_in(b"src"));
    assert_eq!(investigation.file_entries_of(&RelPath::from("none")).unwrap(), []);
    let deep = RelPath::from("src/deep/f");
    assert_eq!(investigation.file_entry(&deep).unwrap(), Some(file_entry(b"src/deep/f")));
    assert_eq!(investigation.file_entry(&RelPath::from("src/none")).unwrap(), None);
    let mut all: Vec<FileEntry> = paths.into_iter().flat_map(files_in).collect();
    all.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
    assert_eq!(investigation.file_entries(), (all, Vec::new()));
    let copy = investigation.flag_lines().unwrap();
    assert_eq!((copy.format, copy.flags, copy.skipped), (2, vec![flag("one"), flag("two")], 0));
    assert!(investigation.has_flags(None));
    assert_eq!(investigation.flags(), [], "the copy is never read as truth");
    assert_eq!(investigation.flags_beside_entries(), []);
    assert_eq!(investigation.run_events().unwrap().into_bodies(), [json!({"planned": true})]);
    assert_eq!(investigation.log::<Value>().unwrap().into_bodies(), [json!({"tool": "read_file"})]);
}

#[test]
fn documents_are_for_their_owner_alone_and_named_by_the_hash_of_their_path() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    investigation.put_dir_entry(&house.writer, &dir_entry(b"src")).wait().unwrap();
    let name = "25a6634263c1b1f6fc4697a04e2b9904ea4b042a89af59dc93ec1f5d44848a26";
    let path = investigation.dir().join("dirs").join(format!("{name}.json"));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(investigation.dir()).unwrap().permissions().mode() & 0o777, 0o700);
}

/// Replaces an entry by something else.
type Tamper = fn(&Path, &Investigation);

fn overwrite(path: &Path, bytes: &[u8]) {
    crate::atomic::replace_disposable(path, bytes).unwrap();
}

fn change(path: &Path, change: impl FnOnce(&mut serde_json::Map<String, Value>), kind: Kind) {
    let mut entry = serde_json::to_value(dir_entry(b"src")).unwrap();
    change(entry.as_object_mut().unwrap());
    overwrite(path, &seal(kind, &entry).unwrap());
}

const TAMPERED: &[(&str, Tamper)] = &[
    ("cut", |path, _| overwrite(path, &std::fs::read(path).unwrap()[..200])),
    ("empty", |path, _| overwrite(path, b"")),
    ("no JSON", |path, _| overwrite(path, b"\x7fELF\x00\xff")),
    ("plain JSON", |path, _| overwrite(path, br#"{"summary": "trust me"}"#)),
    ("another path inside", |path, _| {
        change(
            path,
            |entry| drop(entry.insert("relative_path".to_owned(), "etc".into())),
            crate::layout::DIR_ENTRY,
        );
    }),
    ("another entry's file", |path, investigation| {
        let other = investigation.dir().join("dirs").join(format!("{}.json", key(&RelPath::root())));
        overwrite(path, &std::fs::read(other).unwrap());
    }),
    ("huge summary", |path, _| {
        change(
            path,
            |entry| drop(entry.insert("summary".to_owned(), "x".repeat(5 << 20).into())),
            crate::layout::DIR_ENTRY,
        );
    }),
    ("contents", |path, _| {
        change(path, |entry| drop(entry.insert("content".to_owned(), "x".into())), crate::layout::DIR_ENTRY);
    }),
    ("confidence of 7", |path, _| {
        change(path, |entry| drop(entry.insert("confidence".to_owned(), 7.into())), crate::layout::DIR_ENTRY);
    }),
    ("another kind", |path, _| change(path, |_| {}, crate::layout::FILE_ENTRY)),
    ("link", |path, investigation| {
        let aside = investigation.dir().join("aside");
        rustix::fs::rename(path, &aside).unwrap();
        std::os::unix::fs::symlink(&aside, path).unwrap();
    }),
    ("hard link", |path, investigation| {
        std::fs::hard_link(path, investigation.dir().join("second")).unwrap()
    }),
    ("writable by others", |path, _| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666)).unwrap();
    }),
    ("pipe", |path, _| {
        rustix::fs::unlink(path).unwrap();
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    }),
    ("directory", |path, _| {
        rustix::fs::unlink(path).unwrap();
        std::fs::create_dir(path).unwrap();
    }),
];

#[test]
fn an_entry_that_was_tampered_with_counts_as_absent_is_reported_and_put_aside() {
    for (name, tamper) in TAMPERED {
        let house = house();
        let (investigation, _) = house.begin(house.dir.path());
        for path in [b"".as_slice(), b"src", b"other"] {
            investigation.put_dir_entry(&house.writer, &dir_entry(path)).wait().unwrap();
        }
        let src = RelPath::from("src");
        let path = investigation.dir().join("dirs").join(format!("{}.json", key(&src)));
        tamper(&path, &investigation);
        let problem = investigation.dir_entry(&src).expect_err(name);
        assert_eq!(problem.path, path);
        let (entries, problems) = investigation.dir_entries();
        assert_eq!(entries, [dir_entry(b""), dir_entry(b"other")], "{name}");
        assert_eq!(problems, std::slice::from_ref(&problem), "{name}");
        assert!(problem.is_worthless(), "{name}");
        house.writer.quarantine(&problem).wait().unwrap();
        assert_eq!(investigation.dir_entry(&src).expect(name), None);
        assert!(
            std::fs::symlink_metadata(investigation.dir().join("bad").join(path.file_name().unwrap()))
                .is_ok()
        );
        investigation.put_dir_entry(&house.writer, &dir_entry(b"src")).wait().unwrap();
        assert_eq!(investigation.dir_entry(&src).expect(name), Some(dir_entry(b"src")));
    }
}

#[test]
fn a_document_of_a_newer_program_is_not_put_aside() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    let newer = Kind::new("survey", 2, 1 << 20);
    std::fs::create_dir_all(investigation.dir()).unwrap();
    overwrite(&investigation.dir().join("survey.json"), &seal(newer, &json!({})).unwrap());
    let problem = investigation.survey().unwrap_err();
    assert!(!problem.is_worthless());
    assert_eq!(problem.why, Why::TooNew { found: 2, known: 1 });
}

#[test]
fn what_is_put_aside_twice_is_there_twice() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    for text in ["one", "two"] {
        overwrite(&investigation.dir().join("survey.json"), text.as_bytes());
        house.writer.quarantine(&investigation.survey().unwrap_err()).wait().unwrap();
    }
    let bad = investigation.dir().join("bad");
    assert_eq!(std::fs::read_to_string(bad.join("survey.json")).unwrap(), "one");
    assert_eq!(std::fs::read_to_string(bad.join("survey.json.1")).unwrap(), "two");
}

#[test]
fn an_entry_that_nobody_could_read_back_is_not_written() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    let entry = DirEntry { summary: "x".repeat(1 << 20), ..dir_entry(b"src") };
    let answer = investigation.put_dir_entry(&house.writer, &entry).wait();
    assert!(matches!(answer, Err(Error::Malformed { .. })));
    let answer = investigation.append_budget(&house.writer, None, &json!({"seq": 1})).wait();
    assert!(matches!(answer, Err(Error::Malformed { .. })));
}

#[test]
fn entries_of_files_are_those_of_one_directory_and_what_an_older_program_kept_is_read() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    let src = RelPath::from("src");
    let stray = investigation.put_file_entries(&house.writer, &src, &[file_entry(b"src/deep/f")]).wait();
    assert!(matches!(stray, Err(Error::Malformed { .. })), "{stray:?}");
    let mut endless = file_entry(b"src/f");
    endless.summary = "x".repeat(luminos_core::entry::LONGEST_SUMMARY + 1);
    let refused = investigation.put_file_entries(&house.writer, &src, &[endless]).wait();
    assert!(matches!(refused, Err(Error::Malformed { .. })), "{refused:?}");
    assert_eq!(investigation.file_entries(), (Vec::new(), Vec::new()));

    investigation.put_file_entries(&house.writer, &src, &files_in(b"src")).wait().unwrap();
    // Each file had a document of its own once.
    let old = file_entry(b"lib/x");
    let path = investigation.dir().join("files").join(format!("{}.json", key(&old.relative_path)));
    overwrite(&path, &crate::document::seal(crate::layout::FILE_ENTRY, &old).unwrap());
    let expected: Vec<FileEntry> = [old].into_iter().chain(files_in(b"src")).collect();
    assert_eq!(investigation.file_entries(), (expected, Vec::new()));
    // One that is not where it belongs is not believed.
    let elsewhere = path.with_file_name(format!("{}.json", key(&RelPath::from("lib"))));
    rustix::fs::rename(&path, &elsewhere).unwrap();
    let (entries, problems) = investigation.file_entries();
    assert_eq!((entries, problems.len()), (files_in(b"src"), 1));
}

#[test]
fn flipped_bits_in_every_kind_of_document_are_noticed() {
    let house = house();
    let (investigation, meta) = house.begin(house.dir.path());
    investigation.put_dir_entry(&house.writer, &dir_entry(b"src")).wait().unwrap();
    investigation.put_file_entries(&house.writer, &RelPath::from("src"), &files_in(b"src")).wait().unwrap();
    investigation.put_survey(&house.writer, &Survey::default()).wait().unwrap();
    investigation.put_report(&house.writer, &json!({"brief": "x"})).wait().unwrap();
    let plan = StoredPlan {
        fence: crate::Fence(1),
        plan: luminos_core::plan::Plan::default(),
        revisions: Vec::new(),
        made: Stamp::default(),
    };
    investigation.put_plan(&house.writer, &plan).wait().unwrap();
    let src = RelPath::from("src");
    let dir_path = format!("dirs/{}.json", key(&src));
    let file_path = format!("files/{}.json", key(&src));
    type Broken = fn(&Investigation) -> bool;
    let kinds: [(&str, Broken); 6] = [
        ("meta.json", |one| crate::index::read_meta_at(&one.dir().join("meta.json"), one.id()).is_err()),
        ("survey.json", |one| one.survey().is_err()),
        ("plan.json", |one| one.plan().is_err()),
        ("report.json", |one| one.report::<Value>().is_err()),
        (&dir_path, |one| one.dir_entry(&RelPath::from("src")).is_err()),
        (&file_path, |one| one.file_entry(&RelPath::from("src/f")).is_err()),
    ];
    for (name, is_broken) in kinds {
        let path = investigation.dir().join(name);
        let bytes = std::fs::read(&path).unwrap();
        assert!(!is_broken(&investigation), "{name}");
        for step in 0..200 {
            let mut flipped = bytes.clone();
            flipped[step * bytes.len() / 200] ^= 1 << (step % 8);
            overwrite(&path, &flipped);
            assert!(is_broken(&investigation), "{name}, step {step}");
            assert_eq!(investigation.meta().unwrap().as_ref(), Some(&meta), "there is a copy of it");
        }
        overwrite(&path, &bytes);
    }
    assert_eq!(investigation.meta().unwrap(), Some(meta));
}

#[test]
fn a_run_resumes_its_targets_investigation_and_a_fresh_one_takes_its_place() {
    let house = house();
    let target = house.dir.path().join(OsStr::from_bytes(b"odd \xff name"));
    std::fs::create_dir(&target).unwrap();
    let (_, first) = house.begin(&target);
    assert_eq!(house.all().current(&first.target).map(|meta| meta.id), Some(first.id));
    let (_, second) = house.begin(&target);
    assert!(first.id < second.id);
    assert_eq!(house.all().current(&first.target).map(|meta| meta.id), Some(second.id));
    assert_eq!(house.all().all().len(), 2);
}

/// Waits for a future without a runtime.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    loop {
        if let std::task::Poll::Ready(value) =
            future.as_mut().poll(&mut std::task::Context::from_waker(&waker))
        {
            return value;
        }
        std::thread::park();
    }
}

#[test]
fn an_investigation_that_begins_is_the_current_one() {
    let house = house();
    let meta = Meta::fresh(Target::new(Path::new("/a")), json!({}), Stamp::default(), house.writer.epoch());
    let investigation = house.store.investigation(meta.id);
    block_on(investigation.create(&house.writer, &meta)).unwrap();
    assert_eq!(house.all().current(&meta.target), Some(&meta));
    let other = house.store.investigation(InvestigationId::fresh());
    assert!(matches!(block_on(other.create(&house.writer, &meta)), Err(Error::Malformed { .. })));
}

/// What the first format looks like. It must be read for as long as there are stores that hold it.
#[test]
fn the_first_format_is_read() {
    let house = house();
    let investigation = house.store.investigation("01890a5d-ac96-774b-bcce-b302099a8057".parse().unwrap());
    std::fs::create_dir(investigation.dir()).unwrap();
    overwrite(&investigation.dir().join("survey.json"), include_bytes!("../../tests/format-1/survey.json"));
    overwrite(&investigation.dir().join("budget.jsonl"), include_bytes!("../../tests/format-1/budget.jsonl"));
    let survey =
        Survey { description: "A compiler".to_owned(), approach: "Read".to_owned(), ..Survey::default() };
    assert_eq!(investigation.survey().unwrap(), Some(survey));
    let lines = investigation.budget::<Value>().unwrap().records;
    let expected = [(1, Some("reserve/src"), json!({"turns": 10})), (2, None, json!({"turns": 3}))];
    let found: Vec<_> = lines.iter().map(|line| (line.seq, line.id.as_deref(), line.body.clone())).collect();
    assert_eq!(found, expected);
    // And what is written is still the same.
    let survey = investigation.survey().unwrap().unwrap();
    investigation.put_survey(&house.writer, &survey).wait().unwrap();
    let written = std::fs::read_to_string(investigation.dir().join("survey.json")).unwrap();
    assert_eq!(written, include_str!("../../tests/format-1/survey.json"));
}

#[test]
fn a_lost_index_is_made_again_from_what_there_is() {
    let house = house();
    let (_, first) = house.begin(Path::new("/a"));
    let (_, second) = house.begin(Path::new("/a"));
    let (_, other) = house.begin(Path::new("/b"));
    house.writer.close().wait().unwrap();
    overwrite(&house.store.home().join("investigations.json"), b"{}");
    let all = house.all();
    assert_eq!(all.problems().count(), 1);
    assert_eq!(all.current(&first.target).map(|meta| meta.id), Some(second.id));
    let (writer, found) = start(&house.store);
    assert_eq!(found.problems.len(), 1);
    assert!(house.store.home().join("bad/investigations.json").exists());
    writer.set_current(&first.target, first.id).wait().unwrap();
    let all = house.all();
    assert_eq!(all.problems().count(), 0);
    assert_eq!(all.current(&first.target).map(|meta| meta.id), Some(first.id));
    assert_eq!(all.current(&other.target).map(|meta| meta.id), Some(other.id));
}

#[test]
fn investigations_are_found_by_id_by_its_beginning_and_by_target() {
    let house = house();
    let target = house.dir.path().join("project");
    std::fs::create_dir(&target).unwrap();
    let (_, one) = house.begin(&std::fs::canonicalize(&target).unwrap());
    let (_, two) = house.begin(Path::new("/nowhere/project"));
    let all = house.all();
    let find = |word: &str| all.find(OsStr::new(word));
    for meta in [&one, &two] {
        assert_eq!(find(&meta.id.to_string()).unwrap(), meta.id);
        assert_eq!(find(&all.short(meta.id)).unwrap(), meta.id);
        assert_eq!(find(&all.short(meta.id).to_uppercase()).unwrap(), meta.id);
    }
    let through_dots = target.join("../project/.");
    assert_eq!(all.find(through_dots.as_os_str()).unwrap(), one.id);
    assert_eq!(find("/nowhere/project").unwrap(), two.id);
    let Err(Error::Ambiguous { candidates, .. }) = find(&one.id.to_string()[..6]) else { panic!("two fit") };
    assert_eq!(candidates.len(), 2);
    assert!(candidates[1].ends_with(" (/nowhere/project)"), "{candidates:?}");
    let Err(Error::Unknown { near, .. }) = find("/elsewhere/project") else { panic!("none fits") };
    assert_eq!(near.len(), 2);
    assert!(matches!(find(""), Err(Error::Unknown { .. })));
}

#[test]
fn cleaning_spares_those_that_run() {
    let house = house();
    let metas: Vec<Meta> = ["/a", "/a", "/b", "/a"].map(|target| house.begin(Path::new(target)).1).into();
    let ids: Vec<InvestigationId> = metas.iter().map(|meta| meta.id).collect();
    let chosen = |cleaning, running: &[InvestigationId]| {
        to_clean(&house.store, &house.all(), cleaning, &running.iter().copied().collect())
    };
    assert_eq!(chosen(Cleaning::KeepNewest(1), &[]), [ids[0], ids[1]]);
    assert_eq!(chosen(Cleaning::KeepNewest(1), &[ids[1]]), [ids[0]]);
    assert_eq!(chosen(Cleaning::KeepNewest(0), &[]), ids);
    assert_eq!(chosen(Cleaning::One(ids[2]), &[]), [ids[2]]);
    assert!(chosen(Cleaning::One(ids[2]), &[ids[2]]).is_empty());
    let now = std::time::SystemTime::now();
    let hour = std::time::Duration::from_secs(3600);
    assert!(chosen(Cleaning::UntouchedSince(now - hour), &[]).is_empty());
    assert_eq!(chosen(Cleaning::UntouchedSince(now + hour), &[]), ids);
    house.writer.remove(ids[3]).wait().unwrap();
    let all = house.all();
    assert_eq!(all.all().len(), 3);
    assert!(all.current(&metas[0].target).is_none(), "the current one is gone, and an older one is not it");
    assert!(all.find(OsStr::new("/b")).is_ok());
    house.writer.remove(ids[3]).wait().unwrap();
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test breaks what it has made")]
fn a_head_counts_only_beside_the_report_it_is_of() {
    let house = house();
    let (investigation, _) = house.begin(house.dir.path());
    let head = |investigation: &Investigation| investigation.report_head::<String>().unwrap();
    let put = |head: &str| investigation.put_report_head(&house.writer, &head).wait();
    assert!(matches!(put("early"), Err(Error::Malformed { .. })), "there is no report yet");
    investigation.put_report(&house.writer, &json!({"brief": "one"})).wait().unwrap();
    assert!(!investigation.has_report());
    put("the first").unwrap();
    assert_eq!(head(&investigation).as_deref(), Some("the first"));
    assert!(investigation.has_report());

    investigation.put_report(&house.writer, &json!({"brief": "two"})).wait().unwrap();
    assert_eq!(head(&investigation), None, "it is that of the report before");
    assert!(!investigation.has_report());
    put("the second").unwrap();
    assert!(investigation.has_report());

    let (report, kept) =
        (investigation.dir().join("report.json"), investigation.dir().join("report.head.json"));
    let whole = std::fs::read(&report).unwrap();
    for cut in 0..whole.len() {
        std::fs::write(&report, &whole[..cut]).unwrap();
        assert_eq!(head(&investigation), None, "the report is cut at {cut}");
    }
    std::fs::write(&report, &whole).unwrap();
    assert!(investigation.has_report());
    let whole = std::fs::read(&kept).unwrap();
    for cut in 0..whole.len() {
        std::fs::write(&kept, &whole[..cut]).unwrap();
        assert!(investigation.report_head::<String>().is_err(), "the head is cut at {cut}");
        assert!(!investigation.has_report());
    }
}
