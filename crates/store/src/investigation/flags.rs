//! The flags of an investigation.
//!
//! They stand in the entries of their directories. `flags.jsonl` is a copy of those that the report tells of, one a line,
//! for people and their programs; it is made anew with each report and never read as truth.
//!
//! Programs that wrote entries of format 1 kept flags in that journal alone, with those of directories that had changed
//! since. [`Investigation::flags_beside_entries`] reads them for whoever takes over such entries.

use luminos_core::ContentHash;
use luminos_core::flag::Flag;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Investigation, malformed};
use crate::document::open_trusted;
use crate::error::Problem;
use crate::journal::{self, Kind as Lines, walk};
use crate::writer::{Addition, Journals};
use crate::{Receipt, RestsOn, Urgency, Writer};

/// The copy's name.
pub(super) const NAME: &str = "flags.jsonl";
/// The format of journals that were the only place of flags.
const BESIDE_ENTRIES: u64 = 1;

/// A flag as it is kept.
#[derive(Serialize, Deserialize)]
struct FlagLine {
    flag: Flag,
}

/// What `flags.jsonl` holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FlagLines {
    /// The format of the journal; 0 where there is none.
    pub(crate) format: u64,
    /// The flags of its lines, each once.
    pub(crate) flags: Vec<Flag>,
    /// How many lines cannot be used.
    pub(crate) skipped: u64,
}

impl Investigation {
    /// The flags of all directories that have an entry, in the order of directories.
    pub fn flags(&self) -> Vec<Flag> {
        self.dir_entries().0.into_iter().flat_map(|entry| entry.flags).collect()
    }

    /// The flags that an older program kept beside its entries, in the order in which they came. Those of directories
    /// that have changed since are among them.
    pub fn flags_beside_entries(&self) -> Vec<Flag> {
        self.flag_lines().ok().filter(|lines| lines.format == BESIDE_ENTRIES).unwrap_or_default().flags
    }

    /// Makes `flags.jsonl` anew: these flags, each once, and no others.
    pub fn put_flags(&self, writer: &Writer, flags: &[Flag]) -> Receipt {
        let journal = self.journal(NAME, Lines::Flags);
        let mut additions = Vec::with_capacity(flags.len());
        let mut known = std::collections::HashSet::new();
        for flag in flags {
            let id = flag_id(flag).to_string();
            if !known.insert(id.clone()) {
                continue;
            }
            match journal::words(&FlagLine { flag: flag.clone() }) {
                Ok(body) => additions.push(Addition { id: Some(id), body }),
                Err(reason) => return malformed(&journal.path, &reason),
            }
        }
        writer.put(&journal.path, Journals::whole(&journal, &additions), Urgency::Usual)
    }

    /// Whether the copy is there and whole, or is an older program's: as many flags as there were when the last run ended.
    pub fn has_flags(&self, rests_on: Option<&RestsOn>) -> bool {
        let written = rests_on.and_then(|rests_on| rests_on.flags).unwrap_or(0);
        self.flag_lines()
            .is_ok_and(|lines| 0 < lines.format && lines.skipped == 0 && written <= lines.flags.len() as u64)
    }

    /// What `flags.jsonl` holds.
    pub(crate) fn flag_lines(&self) -> Result<FlagLines, Problem> {
        let journal = self.journal(NAME, Lines::Flags);
        let problem = |why| Problem::new(&journal.path, why);
        let Some((file, _)) = open_trusted(&journal.path).map_err(problem)? else {
            return Ok(FlagLines::default());
        };
        let mut found = FlagLines::default();
        let mut strange = 0;
        let walked = walk(file, journal.kind, &journal.about, |_, line| {
            match serde_json::from_slice::<FlagLine>(&journal::line::body(line.fields)) {
                Ok(FlagLine { flag }) => found.flags.push(flag),
                Err(_) => strange += 1,
            }
            Ok(())
        });
        let walked = walked.map_err(problem)?;
        found.format = walked.format;
        found.skipped = walked.skipped + strange;
        Ok(found)
    }
}

/// What makes a flag the same as another: everything in it.
pub fn flag_id(flag: &Flag) -> ContentHash {
    let words = serde_json::to_vec(flag).unwrap_or_default();
    ContentHash(Sha256::digest(words).into())
}
