//! How much there is of what a report rests on.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::flags::NAME as FLAGS_NAME;
use super::{Investigation, REPORT_NAME};
use crate::RestsOn;

impl Investigation {
    /// Counts what lies there: the documents of the passes, and lines of ledgers and conversations. `entries` is for whoever
    /// has just read them.
    pub fn count_what_it_rests_on(&self, entries: u64) -> RestsOn {
        let is_there = |name: &&str| self.dir.join(name).is_file();
        let documents =
            ["survey.json", "plan.json", "plan_evaluation.json", REPORT_NAME].into_iter().filter(is_there);
        RestsOn {
            documents: documents.map(str::to_owned).collect(),
            entries,
            budget: lines_of(&self.dir.join("budget.jsonl")),
            spend: lines_of(&self.dir.join("spend.jsonl")),
            turns: self.turns_kept(),
            flags: Some(lines_of(&self.dir.join(FLAGS_NAME))),
        }
    }

    /// How many lines all conversations have together.
    pub(crate) fn turns_kept(&self) -> u64 {
        let found = std::fs::read_dir(self.dir.join("transcripts")).into_iter().flatten().flatten();
        found.map(|entry| lines_of(&entry.path())).sum()
    }
}

/// How many lines a journal has after its header.
pub(crate) fn lines_of(path: &Path) -> u64 {
    let Ok(mut file) = File::open(path) else { return 0 };
    let (mut ends, mut buffer) = (0_u64, vec![0; 64 << 10]);
    while let Ok(read @ 1..) = file.read(&mut buffer) {
        ends += buffer[..read].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    ends.saturating_sub(1)
}
