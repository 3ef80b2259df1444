//! A writer that is killed in the middle, again and again, in one and the same store.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::sync_channel;

use luminos_core::RelPath;
use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, Stamp};
use luminos_core::flag::{Flag, Severity};
use luminos_core::scan::Category;
use luminos_store::{Durability, Investigation, Meta, Receipt, Store, Target, Urgency, Writer};
use serde_json::{Value, json};

use super::role::{Player, command, say, told};
use super::{Random, in_memory, temporaries, writer};

/// So many stores, and so many deaths in each.
const STORES: u64 = 12;
const ROUNDS: u64 = 10;
const DIRS: u64 = 12;

fn path(number: u64) -> RelPath {
    RelPath::from(format!("dir/{number}").as_str())
}

fn entry(number: u64, version: u64) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: path(number),
        child_count: version,
        summary: format!("Version {version}. {}", "Words. ".repeat((version % 2000) as usize)),
        dominant_category: Category::Source,
        cached_at: Stamp::default(),
        notable_files: Vec::new(),
        confidence: None,
        confidence_reason: None,
        completeness: None,
        coverage: Coverage::default(),
        claims: Vec::new(),
        flags: vec![flag(&version.to_string())],
        reads: Vec::new(),
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch: 0,
        run: String::new(),
    }
}

fn flag(name: &str) -> Flag {
    Flag {
        path: RelPath::root(),
        finding: name.to_owned(),
        severity: Severity::Info,
        rule: None,
        evidence: Vec::new(),
        directory: RelPath::root(),
        verified: false,
        faults: Vec::new(),
    }
}

fn only_investigation(store: &Store) -> Investigation {
    store.investigation(store.investigations().all()[0].id)
}

/// Writes at random for as long as it lives, and says what was acknowledged.
pub(crate) fn write(home: &Path) {
    let words = told().unwrap();
    let (round, seed) = words.split_once(' ').unwrap();
    let (round, seed): (u64, u64) = (round.parse().unwrap(), seed.parse().unwrap());
    say("start");
    let store = Store::open(home).unwrap();
    let writer = writer(&store, Durability::PowerLoss);
    let investigation = only_investigation(&store);
    let mut random = Random(seed | 1);
    // Many are on the way at any time, so that the writer is busy whenever death comes.
    let (sender, receipts) = sync_channel::<(String, Receipt)>(64);
    std::thread::spawn(move || {
        for (name, receipt) in receipts {
            receipt.wait().unwrap();
            say(format!("ok {name}"));
        }
    });
    for version in round * 1_000_000.. {
        sender.send(one_write(&investigation, &writer, &mut random, version)).unwrap();
    }
}

fn one_write(
    investigation: &Investigation,
    writer: &Writer,
    random: &mut Random,
    version: u64,
) -> (String, Receipt) {
    let dir = random.below(DIRS);
    let name = version.to_string();
    let body = json!({"name": name, "padding": "x".repeat(random.below(1500) as usize)});
    match random.below(6) {
        0 | 1 => {
            (format!("entry {dir} {version}"), investigation.put_dir_entry(writer, &entry(dir, version)))
        }
        2 => (format!("budget 0 {version}"), investigation.append_budget(writer, Some(&name), &body)),
        3 => (format!("turn {dir} {version}"), investigation.append_turn(writer, &path(dir), None, &body)),
        4 => (format!("run 0 {version}"), investigation.append_run_event(writer, &body)),
        _ => (format!("log 0 {version}"), investigation.log_lines(writer, std::iter::once(&body))),
    }
}

/// What has been acknowledged so far.
#[derive(Default)]
struct Acknowledged {
    entries: BTreeMap<u64, u64>,
    lines: BTreeMap<(String, u64), BTreeSet<u64>>,
}

impl Acknowledged {
    fn note(&mut self, words: &str) {
        let mut words = words.split(' ');
        let mut next = || words.next().unwrap();
        let kind = next().to_owned();
        let (dir, version) = (next().parse().unwrap(), next().parse().unwrap());
        if kind == "entry" {
            self.entries.insert(dir, version);
        } else {
            self.lines.entry((kind, dir)).or_default().insert(version);
        }
    }

    /// Everything acknowledged is there, and nothing is torn. Nobody holds the lock, and nothing is repaired first.
    fn check(&self, investigation: &Investigation) {
        let (entries, problems) = investigation.dir_entries();
        assert!(problems.is_empty(), "{problems:?}");
        for (&dir, &version) in &self.entries {
            let found = entries.iter().find(|entry| entry.relative_path == path(dir)).unwrap();
            assert!(version <= found.child_count, "dir {dir}: {} instead of {version}", found.child_count);
            assert_eq!(*found, entry(dir, found.child_count));
        }
        for ((kind, dir), versions) in &self.lines {
            let named = |value: &Value| value["name"].as_str().unwrap().parse::<u64>().unwrap();
            let found: Vec<u64> = match kind.as_str() {
                "budget" => investigation.budget().unwrap().into_bodies().iter().map(named).collect(),
                "turn" => {
                    investigation.transcript(&path(*dir)).unwrap().into_bodies().iter().map(named).collect()
                }
                "log" => {
                    let log = investigation.log().unwrap();
                    assert_eq!(log.skipped, 0);
                    log.into_bodies().iter().map(named).collect()
                }
                _ => investigation.run_events().unwrap().into_bodies().iter().map(named).collect(),
            };
            assert!(found.is_sorted_by(|a, b| a < b), "{kind} {dir}: each line once, in order");
            let found: BTreeSet<u64> = found.into_iter().collect();
            let lost: Vec<&u64> = versions.difference(&found).collect();
            assert!(lost.is_empty(), "{kind} {dir}: lost {lost:?}");
        }
    }
}

/// Kills the writer of one store several times; tells how many lines were acknowledged, and how many half-written files
/// the dead left behind.
fn kill_rounds(random: &mut Random) -> (usize, usize) {
    let dir = in_memory();
    let store = Store::open(dir.path()).unwrap();
    let meta = Meta::fresh(Target::new(Path::new("/x")), json!({}), Stamp::default(), 1);
    let investigation = store.investigation(meta.id);
    let first = writer(&store, Durability::Kill);
    investigation.put_meta(&first, &meta, Urgency::Usual).wait().unwrap();
    first.close().wait().unwrap();

    let mut acknowledged = Acknowledged::default();
    let mut left_behind = 0;
    for round in 0..ROUNDS {
        let mut player = Player::start(command("write", dir.path()));
        player.tell(&format!("{round} {}", random.below(u64::MAX)));
        assert_eq!(player.hear().as_deref(), Some("start"));
        // Sometimes it dies while it is still cleaning up behind the last one.
        for _ in 0..random.below(40) {
            let words = player.hear().unwrap();
            acknowledged.note(words.strip_prefix("ok ").unwrap());
        }
        player.kill();
        // What it had said before it died counts, too.
        while let Some(words) = player.hear() {
            acknowledged.note(words.strip_prefix("ok ").unwrap());
        }
        left_behind += temporaries(dir.path()).len();
        acknowledged.check(&investigation);
    }
    let last = writer(&store, Durability::Kill);
    assert_eq!(temporaries(dir.path()), Vec::<std::path::PathBuf>::new());
    acknowledged.check(&investigation);
    last.close().wait().unwrap();
    (acknowledged.lines.values().map(BTreeSet::len).sum(), left_behind)
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_torn() {
    let seed = u64::from(std::process::id()) << 32 | 0x9e37_79b9;
    println!("seed {seed}");
    let mut random = Random(seed);
    let (mut lines, mut left_behind) = (0, 0);
    for _ in 0..STORES {
        let (more_lines, more_left) = kill_rounds(&mut random);
        lines += more_lines;
        left_behind += more_left;
    }
    println!("{lines} lines acknowledged, {left_behind} half-written files left, {} kills", STORES * ROUNDS);
    assert!(500 < lines, "the writers hardly wrote anything");
}
