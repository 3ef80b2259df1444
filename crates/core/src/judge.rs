//! Whether a report says what is so: claims against bytes, without a model.
//!
//! A claim holds when each piece of its evidence does: the file is the one that was scanned, its lines exist, the
//! quote stands in them, and a tool really showed those bytes to the loop. What is found out on the way (byte range,
//! hash, tool call) is written into the evidence, so that anybody can check it again later.
//!
//! A fault is a sentence for the model: it says what is wrong and, where that is known, what would be right.
//!
//! Not here: reading files (a `Library` does), and who gets turns to mend a report (`turns`).

mod cited;
mod coverage;
mod named;
#[cfg(test)]
mod tests;

pub use coverage::coverage;

use crate::job::DirReport;
use crate::proof::Served;
use crate::{ContentHash, RelPath};

/// A file, as it is when the judge looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhibit {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their sha256.
    pub blob: ContentHash,
    /// The sha256 that the scan saw; `None` if it did not read the file whole.
    pub scanned: Option<ContentHash>,
}

/// Where the judge looks things up.
pub trait Library {
    /// A regular file of the target; `None` if there is none, or it cannot be read, or is too large to be checked.
    fn file(&mut self, path: &RelPath) -> Option<Exhibit>;

    /// Whether the target has something at a path, or something whose path ends in it.
    fn has(&self, path: &str) -> bool;
}

/// What becomes of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong with it.
    Accept,
    /// It goes back.
    Revise,
    /// It is kept, and what is wrong with it is marked.
    AcceptWithFaults,
}

/// What the judge found.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The report, its claims marked.
    pub report: DirReport,
    /// What is wrong, one sentence each.
    pub faults: Vec<String>,
}

impl Judgement {
    /// What becomes of the report, depending on whether its loop may mend it.
    pub fn verdict(&self, may_revise: bool) -> Verdict {
        match (self.faults.is_empty(), may_revise) {
            (true, _) => Verdict::Accept,
            (false, true) => Verdict::Revise,
            (false, false) => Verdict::AcceptWithFaults,
        }
    }
}

/// No more faults than this go back to a loop: whoever makes more has misunderstood something.
const MOST_FAULTS: usize = 20;

/// Checks a report against the target and against what was shown to its loop.
pub fn judge(mut report: DirReport, served: &[Served], library: &mut impl Library) -> Judgement {
    let mut faults = Vec::new();
    for (number, claim) in (1..).zip(&mut report.claims) {
        claim.faults = cited::check(claim, served, library);
        claim.verified = claim.faults.is_empty();
        faults.extend(claim.faults.iter().map(|fault| format!("claim {number}: {fault}")));
    }
    for name in named::paths_in(&report.summary) {
        if !library.has(name) {
            let name = crate::Untrusted::new(name.as_bytes()).for_terminal();
            faults
                .push(format!("the summary names `{name}`, and there is nothing of that name in the target"));
        }
    }
    faults.truncate(MOST_FAULTS);
    Judgement { report, faults }
}
