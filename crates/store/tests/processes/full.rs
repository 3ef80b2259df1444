//! A disk that is full, that has no names left, that cannot be written, and files that may not grow.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use luminos_core::entry::Stamp;
use luminos_store::{
    Durability, Error, Investigation, InvestigationId, Meta, Settings, Standing, State, Store, Target,
    Urgency, WhenFull, Writer,
};
use nix::sys::resource::{Resource, setrlimit};
use serde_json::{Value, json};

use super::role::{Player, arguments, command, prepare, say};
use super::{daemon, in_memory, temporaries, writer};

struct House {
    home: PathBuf,
    store: Store,
    writer: Writer,
    investigation: Investigation,
    meta: Meta,
}

fn house(home: &Path) -> House {
    let store = Store::open(home).unwrap();
    let writer = writer(&store, Durability::PowerLoss);
    furnished(home, store, writer)
}

fn furnished(home: &Path, store: Store, writer: Writer) -> House {
    let meta = Meta::fresh(Target::new(Path::new("/x")), json!({}), Stamp::default(), writer.epoch());
    let investigation = store.investigation(meta.id);
    let house = House { home: home.to_owned(), store, writer, investigation, meta };
    house.put_meta(Urgency::Usual).unwrap();
    house.append(10).unwrap();
    house
}

impl House {
    fn put_meta(&self, urgency: Urgency) -> Result<(), Error> {
        self.investigation.put_meta(&self.writer, &self.meta, urgency).wait()
    }

    fn append(&self, bytes: usize) -> Result<(), Error> {
        let body = json!({"text": "x".repeat(bytes)});
        self.investigation.append_budget(&self.writer, None, &body).wait()
    }

    fn put_report(&self, bytes: usize) -> Result<(), Error> {
        self.investigation.put_report(&self.writer, &json!({"text": "x".repeat(bytes)})).wait()
    }

    fn lines(&self) -> usize {
        self.investigation.budget::<Value>().unwrap().records.len()
    }

    fn reported(&self) -> usize {
        let report: Value = self.investigation.report().unwrap().unwrap();
        report["text"].as_str().unwrap().len()
    }
}

#[track_caller]
fn is_space(answer: Result<(), Error>) {
    assert!(answer.as_ref().is_err_and(Error::is_space), "{answer:?}");
}

/// Fills the disk to the last byte.
fn fill_up(path: &Path) {
    let mut file = File::create(path).unwrap();
    let block = [0; 4096];
    while file.write_all(&block).is_ok() {}
    while file.write_all(&block[..1]).is_ok() {}
}

/// Plays in 12 MB.
pub(crate) fn fill(home: &Path) {
    let mut house = house(home);
    house.put_report(100_000).unwrap();
    let reserve = home.join("reserve");
    assert_eq!(reserve.metadata().unwrap().len(), 1 << 20);
    is_space(house.put_report(14 << 20));
    assert_eq!(house.reported(), 100_000);
    let filler = home.join("filler");
    fill_up(&filler);
    is_space(house.put_report(200_000));
    is_space(house.append(100_000));
    house.meta.state = State::Paused { reason: "the disk is full".to_owned() };
    is_space(house.put_meta(Urgency::Usual));
    assert_eq!(house.investigation.meta().unwrap().unwrap().state, State::Running);
    assert!(temporaries(home).is_empty());
    assert_eq!((house.reported(), house.lines()), (100_000, 1));
    house.put_meta(Urgency::LastWords).unwrap();
    assert_eq!(house.investigation.meta().unwrap(), Some(house.meta.clone()));
    let left = reserve.metadata().unwrap().len();
    assert!(left < 1 << 20, "what last words have left is taken back, and no more: {left}");
    // They can be said again and again.
    for _ in 0..3 {
        house.put_meta(Urgency::LastWords).unwrap();
        is_space(house.append(1 << 20));
    }
    rustix::fs::unlink(&filler).unwrap();
    house.append(100_000).unwrap();
    house.put_report(200_000).unwrap();
    assert_eq!((house.reported(), house.lines()), (200_000, 2));
    assert_eq!(
        reserve.metadata().unwrap().len(),
        1 << 20,
        "there is space again, and some of it is set aside"
    );
    assert_eq!(house.home, house.store.home());
    say("done");
}

/// Plays in 12 MB, and waits when they are used up.
pub(crate) fn wait_for_space(home: &Path) {
    let store = Store::open(home).unwrap();
    let settings = Settings { when_full: WhenFull::Wait, ..Settings::default() };
    let patient = || Writer::start(&store, daemon(&store).unwrap(), settings).unwrap().0;
    let mut house = furnished(home, store.clone(), patient());
    let other = store.investigation(InvestigationId::fresh());
    other.put_report(&house.writer, &json!({"text": "x".repeat(3 << 20)})).wait().unwrap();
    let filler = home.join("filler");
    fill_up(&filler);
    let line = |text: &str| json!({"text": text.repeat(50_000)});
    let first = house.investigation.append_budget(&house.writer, None, &line("a"));
    let report = house.investigation.put_report(&house.writer, &line("b"));
    until(|| matches!(house.writer.standing(), Standing::Waiting(Error::Space { .. })));
    let later = house.investigation.append_budget(&house.writer, None, &json!({"text": "later"}));
    // Why it waits can be said all the same, and what was to be said there before does not come after it.
    let stale = house.investigation.put_meta(&house.writer, &house.meta, Urgency::Usual);
    house.meta.state = State::Paused { reason: "the disk is full".to_owned() };
    house.put_meta(Urgency::LastWords).unwrap();
    stale.wait().unwrap();
    assert_eq!(house.lines(), 1, "nothing overtakes what waits");
    // Removing an investigation is a way to make space.
    house.writer.remove(other.id()).wait().unwrap();
    first.wait().unwrap();
    report.wait().unwrap();
    later.wait().unwrap();
    assert_eq!((house.lines(), house.reported()), (3, 50_000));
    assert_eq!(house.investigation.meta().unwrap(), Some(house.meta.clone()));
    until(|| matches!(house.writer.standing(), Standing::Working));
    // Whoever wants it to end does not have to make space first.
    fill_up(&home.join("filler-2"));
    let refused = house.investigation.append_budget(&house.writer, None, &line("c"));
    until(|| matches!(house.writer.standing(), Standing::Waiting(_)));
    house.writer.close().wait().unwrap();
    is_space(refused.wait());
    assert!(temporaries(home).is_empty());
    say("done");
}

fn until(mut is_so: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_so() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "it is never so");
        std::thread::park_timeout(std::time::Duration::from_millis(2));
    }
}

/// Plays with 24 names.
pub(crate) fn run_out_of_inodes(home: &Path) {
    let house = house(home);
    let put = |number: u64| {
        let other = house.store.investigation(InvestigationId::fresh());
        other.put_report(&house.writer, &json!({"number": number})).wait()
    };
    let failed = (0..30).map(put).find(Result::is_err).unwrap();
    is_space(failed);
    is_space(house.put_report(10));
    assert!(temporaries(home).is_empty());
    house.append(10).unwrap();
    assert_eq!(house.lines(), 2, "a journal that is there needs no name");
    say("done");
}

/// Plays where nothing can be written, after somebody else has.
pub(crate) fn find_it_read_only(home: &Path) {
    let store = Store::open(home).unwrap();
    let answer = daemon(&store);
    let Err(Error::Write { source, .. }) = answer else { panic!("{answer:?}") };
    assert_eq!(source.raw_os_error(), Some(rustix::io::Errno::ROFS.raw_os_error()));
    let all = store.investigations();
    let known = store.investigation(all.all()[0].id);
    assert_eq!(known.budget::<Value>().unwrap().records.len(), 2, "reading needs no writing");
    say("done");
}

/// Plays with files of 64 KiB at most.
pub(crate) fn write_only_small_files(home: &Path) {
    let house = house(home);
    setrlimit(Resource::RLIMIT_FSIZE, 64 << 10, 64 << 10).unwrap();
    is_space(house.put_report(100_000));
    house.put_report(10_000).unwrap();
    for _ in 0..3 {
        house.append(20_000).unwrap();
    }
    is_space(house.append(20_000));
    house.append(100).unwrap();
    assert_eq!((house.reported(), house.lines()), (10_000, 5));
    assert!(temporaries(home).is_empty());
    say("done");
}

#[test]
fn files_that_may_not_grow_are_like_a_full_disk() {
    let dir = in_memory();
    let (status, said) = Player::start(command("small-files", dir.path())).finish();
    assert_eq!((status.code(), said), (Some(0), vec!["done".to_owned()]));
}

/// Plays roles, one after the other, on a small disk of their own; not at all where the machine does not let us have
/// one.
#[expect(clippy::disallowed_methods, reason = "these tests are about processes")]
fn on_a_disk(options: &str, roles: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let mount = format!("mount -t tmpfs -o mode=0700,{options} small \"$LUMINOS_TEST_HOME\"");
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["-Urm", "sh", "-c", script, "sh"])
            .arg(std::env::current_exe().unwrap())
            .args(arguments());
        prepare(&mut command, "", dir.path());
        command
    };
    let probe = unshare(&mount).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        println!("this machine does not let us mount a disk of our own");
        return;
    }
    let steps: Vec<String> = roles
        .iter()
        .map(|role| match *role {
            "remount" => "mount -o remount,ro \"$LUMINOS_TEST_HOME\"".to_owned(),
            role => format!("LUMINOS_TEST_ROLE={role} \"$@\" 2>&1"),
        })
        .collect();
    let mut child = unshare(&format!("{mount} && {}", steps.join(" && "))).spawn().unwrap();
    drop(child.stdin.take());
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    let done = said.lines().filter(|line| *line == "role: done").count();
    assert_eq!(done, roles.iter().filter(|role| **role != "remount").count(), "{said}");
}

#[test]
fn a_full_disk_loses_nothing_and_leaves_room_for_last_words() {
    on_a_disk("size=12m", &["fill"]);
}

#[test]
fn a_writer_that_waits_for_space_loses_nothing_and_keeps_the_order() {
    on_a_disk("size=12m", &["wait"]);
}

#[test]
fn a_disk_without_names_loses_nothing() {
    on_a_disk("size=12m,nr_inodes=24", &["many"]);
}

#[test]
fn a_disk_that_cannot_be_written_can_be_read() {
    on_a_disk("size=12m", &["fill", "remount", "read-only"]);
}
