//! Damage to what a finished run has left: told, made again, and nothing of it bought a second time.

use std::fs;
use std::path::{Path, PathBuf};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use serde_json::Value;

use crate::machine::finish;
use crate::run_interrupted::outcome;
use crate::site::{PATIENCE, Site, project};

/// So many places of each file get a turned bit.
const PLACES: usize = 4;

/// A target that was investigated, and what it cost.
struct Finished {
    site: Site,
    dir: PathBuf,
    asked: usize,
    outcome: (Value, Value, Value),
    counters: Value,
    listed: Value,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Finished {
    fn new() -> Self {
        let site = Site::new(project(), Policy::default());
        site.done(".");
        stop(&site);
        let (asked, outcome, counters) = (site.asked().len(), outcome(&site), counters(&site));
        let mut files = Vec::new();
        let dir = site.investigation();
        read(&dir, &mut files);
        let listed = listed(&site);
        Self { site, dir, asked, outcome, counters, listed, files }
    }

    /// Puts every file back, and takes away what came since.
    #[expect(clippy::disallowed_methods, reason = "the test puts back what it has taken away")]
    fn restore(&self) {
        fs::remove_dir_all(&self.dir).unwrap();
        for (path, bytes) in &self.files {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// A run comes to the same report, and asks nothing.
    #[track_caller]
    fn comes_to_the_same(&self, what: &str) {
        let run = self.site.run(".");
        assert_eq!(run.code, Some(0), "{what}: {run}");
        assert_eq!(self.site.asked().len(), self.asked, "{what}: something was bought again");
        let mut now = outcome(&self.site);
        // What was made again is told.
        if let Some(notes) = now.0.get_mut("notes").and_then(Value::as_array_mut) {
            notes.retain(|note| !note["text"].as_str().unwrap_or_default().contains("was made again"));
        }
        assert!(now == self.outcome, "{what}: {now:#?} instead of {:#?}", self.outcome);
        assert_eq!(counters(&self.site), self.counters, "{what}: the totals");
        assert_eq!(listed(&self.site), self.listed, "{what}: what it cost");
        stop(&self.site);
    }

    fn fsck(&self) -> Option<i32> {
        finish(&mut self.site.command("fsck"), PATIENCE).status.code()
    }
}

fn stop(site: &Site) {
    assert!(finish(&mut site.command("daemon stop"), PATIENCE).status.success());
}

/// What was done and used, but how long it took.
fn counters(site: &Site) -> Value {
    let mut counters = site.report()["counters"].clone();
    counters.as_object_mut().unwrap().shift_remove("seconds");
    counters
}

/// What `list` says that it cost.
fn listed(site: &Site) -> Value {
    let output = finish(&mut site.command("list --json"), PATIENCE);
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = rows.as_array().map_or(&rows, |rows| &rows[0]).clone();
    row["cost"].clone()
}

fn read(dir: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            read(&path, files);
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
}

#[expect(clippy::disallowed_methods, reason = "the test damages what was written")]
fn flip(path: &Path, bytes: &[u8], at: usize) {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 4;
    fs::write(path, bytes).unwrap();
}

/// One turned bit at many places of every file.
#[test]
fn one_bit_in_any_file_is_told_and_costs_nothing() {
    let finished = Finished::new();
    for (path, bytes) in &finished.files {
        let name = path.strip_prefix(&finished.dir).unwrap().display().to_string();
        let is_for_people = name == "report.md" || name == "report.html";
        for place in 0..PLACES {
            let at = place * bytes.len() / PLACES;
            let what = format!("{name}, byte {at}");
            flip(path, bytes, at);
            assert_eq!(finished.fsck(), Some(i32::from(!is_for_people)), "{what} is told");
            finished.comes_to_the_same(&what);
            finished.restore();
        }
    }
    assert_eq!(finished.fsck(), Some(0));
}

/// Every file, and every directory of files, is lost.
#[expect(clippy::disallowed_methods, reason = "a test breaks what it has made")]
#[test]
fn a_file_that_is_lost_costs_nothing() {
    let finished = Finished::new();
    let dir = finished.dir.clone();
    let whole = ["dirs", "files"].map(|name| dir.join(name));
    for path in finished.files.iter().map(|(path, _)| path).chain(&whole) {
        let name = path.strip_prefix(&dir).unwrap().display().to_string();
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        let is_missed = !["report.md", "report.html", "report.head.json", "investigation.log"]
            .contains(&name.as_str())
            && !name.starts_with("files")
            && name != "meta.copy.json";
        assert_eq!(finished.fsck(), Some(i32::from(is_missed)), "{name}");
        finished.comes_to_the_same(&name);
        finished.restore();
    }
}

/// The same after a change of the target: what did not change is not bought again, from whatever its entries are made.
#[test]
fn entries_that_are_lost_come_from_their_conversations_again() {
    let finished = Finished::new();
    fs::remove_dir_all(finished.dir.join("dirs")).unwrap();
    finished.site.machine.write("project/tests/all.rs", "#[test]\nfn it_runs_well() {}\n");
    finished.site.done(".");
    let asked: Vec<_> = finished.site.asked().into_iter().skip(finished.asked).collect();
    let dirs: Vec<_> = asked.iter().filter(|asked| asked.pass == "dir").map(|asked| &asked.dir).collect();
    assert!(dirs.iter().all(|dir| *dir == "tests"), "{dirs:?}");
    assert_eq!(fs::read_dir(finished.dir.join("dirs")).unwrap().count(), 5);
}

/// Ledgers and conversations are written by later runs, too: they go on whatever a bit in them does.
#[test]
fn one_bit_in_a_ledger_or_conversation_is_undone_by_the_run_that_writes_it() {
    let finished = Finished::new();
    let unchanged = fs::read_to_string(finished.site.machine.project().join("tests/all.rs")).unwrap();
    let change = || finished.site.machine.write("project/tests/all.rs", "#[test]\nfn it_runs_well() {}\n");
    let asked = || finished.site.asked().len();
    change();
    finished.site.done(".");
    stop(&finished.site);
    let expected = asked() - finished.asked;
    let mut mended = 0;
    for (path, bytes) in &finished.files {
        let name = path.strip_prefix(&finished.dir).unwrap().display().to_string();
        if path.extension().is_none_or(|kind| kind != "jsonl") {
            continue;
        }
        for place in 0..PLACES {
            finished.restore();
            finished.site.machine.write("project/tests/all.rs", &unchanged);
            let at = (2 * place + 1) * bytes.len() / (2 * PLACES);
            flip(path, bytes, at);
            change();
            let before = asked();
            let run = finished.site.run(".");
            assert_eq!(run.code, Some(0), "{name}, byte {at}: {run}");
            assert_eq!(asked() - before, expected, "{name}, byte {at}: {run}");
            let notes = finished.site.report()["notes"].to_string();
            let is_told = notes.contains("and was mended: nothing of it was lost");
            mended += usize::from(is_told);
            if finished.dir.join("bad").join(path.file_name().unwrap()).exists() {
                assert!(is_told, "{name}, byte {at}: {notes}");
                assert_ne!(fs::read(path).unwrap(), *bytes, "{name}, byte {at}");
            }
            stop(&finished.site);
        }
    }
    // Both ledgers, and what was said of `tests`, of the whole and of the directories above.
    assert!(4 * PLACES <= mended, "{mended}");
}

/// The second question about `src` waits at the gate.
fn held(gate: &Gate) -> Script {
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    Script::new().when(src, [Answer::policy(), Answer::policy().behind(gate)]).otherwise(Policy::default())
}

/// The same in a run that was cut off: what it had bought it still has.
#[test]
fn one_bit_in_any_file_of_a_run_that_was_cut_off_costs_nothing() {
    let gate = Gate::shut();
    let site = Site::new(project(), held(&gate));
    let client = site.start("--parallel 1 --workers 1 .");
    site.until_asked(&[("src", 2)]);
    site.kill_daemon();
    site.wait(client);
    gate.open();
    let dir = site.investigation();
    let mut files = Vec::new();
    read(&dir, &mut files);
    let cut_off = Finished {
        asked: site.asked().len(),
        dir,
        outcome: Default::default(),
        counters: Value::Null,
        listed: Value::Null,
        files,
        site,
    };
    let asked = || cut_off.site.asked().len();
    cut_off.site.done("--parallel 1 --workers 1 .");
    stop(&cut_off.site);
    let (expected, report) = (asked() - cut_off.asked, outcome(&cut_off.site));
    for (path, bytes) in &cut_off.files {
        let name = path.strip_prefix(&cut_off.dir).unwrap().display().to_string();
        cut_off.restore();
        flip(path, bytes, bytes.len() / 2);
        let before = asked();
        let run = cut_off.site.run("--parallel 1 --workers 1 .");
        assert_eq!(run.code, Some(0), "{name}: {run}");
        assert_eq!(asked() - before, expected, "{name}: something was bought again");
        let (mut now, plan, evaluation) = outcome(&cut_off.site);
        if let Some(notes) = now.get_mut("notes").and_then(Value::as_array_mut) {
            let is_about_damage =
                |text: &str| text.contains("was damaged") || text.contains("was made again");
            notes.retain(|note| !is_about_damage(note["text"].as_str().unwrap_or_default()));
        }
        assert!((now, plan, evaluation) == report, "{name}: it comes to something else");
        stop(&cut_off.site);
    }
}

/// What an investigation is stands in two documents. Neither of them is missed as long as there is the other.
#[expect(clippy::disallowed_methods, reason = "a test breaks what it has made")]
#[test]
fn an_investigation_that_forgot_what_it_is_still_has_its_answers_and_its_cost() {
    let finished = Finished::new();
    let meta = finished.dir.join("meta.json");
    fs::remove_file(&meta).unwrap();
    assert_eq!(finished.fsck(), Some(1));
    finished.site.machine.write("project/tests/all.rs", "#[test]\nfn it_runs_well() {}\n");
    finished.site.done(".");
    let dirs: Vec<_> =
        finished.site.asked().into_iter().skip(finished.asked).map(|asked| asked.dir).collect();
    assert!(dirs.iter().all(|dir| dir == "tests" || dir.is_empty()), "{dirs:?}");
    assert!(meta.exists());
    assert_eq!(finished.fsck(), Some(0));
}
