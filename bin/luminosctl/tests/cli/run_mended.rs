//! Damage to what a finished run has left: told, made again, and nothing of it bought a second time.

use std::fs;
use std::path::{Path, PathBuf};

use luminos_model_server::Policy;
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
        let is_missed = !["report.md", "report.html", "report.head.json", "flags.jsonl", "investigation.log"]
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
