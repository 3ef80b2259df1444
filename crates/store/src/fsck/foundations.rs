//! What a report rests on: entries, ledgers, conversations. None of them can be seen to be incomplete from within, so
//! the report and `meta.json` are held against them.

use std::collections::HashSet;

use luminos_core::RelPath;
use serde::Deserialize;

use super::{Check, Promise, Remedy};
use crate::investigation::rests_on::lines_of;
use crate::{Investigation, Meta, State};

/// Of a report, what it says about directories.
#[derive(Deserialize)]
struct Directories {
    #[serde(default)]
    directories: Vec<Directory>,
}

#[derive(Deserialize)]
struct Directory {
    relative_path: RelPath,
    #[serde(default)]
    partial: bool,
}

impl Check<'_> {
    /// What is known only in part is not called done, and what a report tells of a directory stands in an entry.
    pub(super) fn report(&mut self, investigation: &Investigation, meta: &Meta, known: &HashSet<RelPath>) {
        let Ok(Some(report)) = investigation.report::<Directories>() else { return };
        let path = investigation.dir().join("report.json");
        let partial = report.directories.iter().filter(|dir| dir.partial).count();
        if meta.state == State::Done && 0 < partial {
            let what = format!(
                "is of an investigation that says it is done, but {partial} directories are known in part"
            );
            self.fault(Promise::ToldTheTruth, &path, what, Remedy::MadeAgain);
        }
        let told = report.directories.len();
        let missing = report.directories.iter().filter(|dir| !known.contains(&dir.relative_path)).count();
        if 0 < missing {
            let what = format!("tells of {told} directories, and {missing} of them have no entry");
            self.fault(Promise::Causality, &path, what, Remedy::MadeAgain);
        }
    }

    /// Ledgers and conversations have at least what they had when the last run ended, and so have entries.
    pub(super) fn foundations(&mut self, investigation: &Investigation, meta: &Meta, entries: u64) {
        let dir = investigation.dir();
        let (budget, spend) = (dir.join("budget.jsonl"), dir.join("spend.jsonl"));
        let Some(rests_on) = &meta.rests_on else {
            // An older program did not count. What it used cannot have left no line.
            if 0 < meta.counters.turns && lines_of(&budget) == 0 {
                self.fault(Promise::Causality, &budget, lost("lines", 0, None), Remedy::Lost);
            }
            if 0 < meta.counters.calls && lines_of(&spend) == 0 {
                self.fault(Promise::Causality, &spend, lost("lines", 0, None), Remedy::Lost);
            }
            return;
        };
        for (path, found, written) in [
            (&budget, lines_of(&budget), rests_on.budget),
            (&spend, lines_of(&spend), rests_on.spend),
            (&dir.join("transcripts"), investigation.turns_kept(), rests_on.turns),
        ] {
            if found < written {
                self.fault(Promise::Causality, path, lost("lines", found, Some(written)), Remedy::Lost);
            }
        }
        // A run that is under way may have put entries aside that it could not use.
        let is_over = matches!(meta.state, State::Done | State::Partial);
        if is_over && entries < rests_on.entries {
            let what = lost("directories", entries, Some(rests_on.entries));
            self.fault(Promise::Causality, dir, what, Remedy::MadeAgain);
        }
        let flags = dir.join("flags.jsonl");
        let (found, written) = (lines_of(&flags), rests_on.flags.unwrap_or(0));
        if is_over && found < written {
            self.fault(Promise::Causality, &flags, lost("flags", found, Some(written)), Remedy::Rebuilt);
        }
        for (name, path) in rests_on.documents.iter().map(|name| (name, dir.join(name))) {
            if is_over && name != "report.json" && !path.exists() {
                let what = "was there when the last run ended, and is missing".to_owned();
                self.fault(Promise::Causality, &path, what, Remedy::MadeAgain);
            }
        }
    }
}

fn lost(what: &str, found: u64, written: Option<u64>) -> String {
    match written {
        Some(written) => format!("has {found} {what}, and had {written} when the last run ended"),
        None => format!("has no {what}, and something was used"),
    }
}
