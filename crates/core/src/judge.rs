//! Whether a report says what is so: claims against bytes, without a model.
//!
//! A claim holds when each piece of its evidence does: the file is the one that was scanned, its lines exist, the
//! quote stands in them, and a tool really showed those bytes to the loop; and when every name and number in the
//! sentence stands in what it cites, in the scan or in an entry that it cites. What is found out on the way (byte range,
//! hash, tool call) is written into the evidence, so that anybody can check it again later ([`crate::verify`]).
//!
//! A fault is a sentence for the model: it says what is wrong and, where that is known, what would be right.
//!
//! Not here: reading files (a `Library` does), and who gets turns to mend a report (`turns`).

mod cited;
mod coverage;
mod named;
mod stated;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

pub use coverage::coverage;

use crate::entry::{Claim, DirEntry};
use crate::flag::Flag;
use crate::job::DirReport;
use crate::proof::Served;
use crate::report::Findings;
use crate::scan::home_of;
use crate::{ContentHash, RelPath};

pub(crate) use cited::{Measure, check_at, find_quote, is_served};
pub(crate) use stated::{Grounds, fault as fault_of_words};
pub(crate) use text::Text;

/// A file, as it is when the judge looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhibit {
    /// Its bytes. Several claims may be about them.
    pub bytes: Arc<Vec<u8>>,
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

    /// Numbers that the scan has of a file: its size and its lines.
    fn numbers(&self, path: &RelPath) -> Vec<u64>;
}

/// Who wrote a sentence, and so what its words must rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// A model: every path, name and number must stand in what is cited, in the scan, or in an entry below.
    Model,
    /// The embedded analyst. Its words are those of its rules, and what it counted and concluded is its own; what it
    /// cites is checked like anybody's.
    Analyst,
}

impl Author {
    /// What the analyst is called where models are named.
    const ANALYST: &str = "offline";

    /// The author by the name of the model that looked into directories.
    pub fn named(model: Option<&str>) -> Self {
        if model == Some(Self::ANALYST) { Self::Analyst } else { Self::Model }
    }
}

/// What a loop was shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Ranges of files.
    pub served: &'a [Served],
    /// What is known of directories below, in words.
    pub entries: &'a BTreeMap<RelPath, String>,
    /// Who was shown it, and writes about it.
    pub author: Author,
}

/// What an entry says, for sentences that cite it.
pub fn words_of(entry: &DirEntry) -> String {
    let claims = entry.claims.iter().map(|claim| claim.text.as_str());
    std::iter::once(entry.summary.as_str()).chain(claims).collect::<Vec<_>>().join("\n")
}

/// The numbers of a file that a sentence may give: its size, its lines, and its lines below a head.
pub fn numbers_of(size: u64, lines: u64) -> Vec<u64> {
    vec![size, lines, lines.saturating_sub(1)]
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
pub fn judge(mut report: DirReport, shown: Shown<'_>, library: &mut impl Library) -> Judgement {
    let mut faults = Vec::new();
    for (number, claim) in (1..).zip(&mut report.claims) {
        claim.faults = cited::check(claim, shown, library);
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

/// What the fault of a claim or flag begins with that a second judge refuted.
pub const REFUTED: &str = "a second judge does not find it in the cited lines";

/// Checks what a flag cites, and marks it. It stays whatever comes of that: nothing in the target can suppress it. What a
/// second judge refuted stays refuted.
pub fn judge_flag(flag: &mut Flag, served: &[Served], library: &mut impl Library) {
    let mut faults = cited::check_flag(flag, served, library);
    faults.extend(std::mem::take(&mut flag.faults).into_iter().filter(|fault| fault.starts_with(REFUTED)));
    flag.faults = faults;
    flag.verified = flag.faults.is_empty();
}

/// Whether a flag of an earlier look is about something that is no longer so: a file that it cites is gone, or has changed
/// since; or, where it cites nothing, its path is gone.
pub fn is_void(flag: &Flag, library: &mut impl Library) -> bool {
    if flag.evidence.is_empty() {
        return !flag.path.is_root() && !library.has(&flag.path.to_word());
    }
    flag.evidence.iter().any(|evidence| match library.file(&evidence.path) {
        Some(exhibit) => evidence.blob.is_some_and(|blob| blob != exhibit.blob),
        None => true,
    })
}

/// Checks what was written about the whole: it may cite what entries claim, and nothing else.
pub fn judge_findings(findings: &mut Findings, directories: &[DirEntry]) {
    let claimed: HashMap<&str, &Claim> = directories
        .iter()
        .flat_map(|entry| &entry.claims)
        .map(|claim| (claim.text.as_str(), claim))
        .collect();
    for claim in &mut findings.claims {
        match claimed.get(claim.text.as_str()) {
            Some(known) => *claim = (*known).clone(),
            None => {
                claim.verified = false;
                claim.faults = vec![NOT_CLAIMED.to_owned()];
            }
        }
    }
    let known: HashSet<&RelPath> = directories.iter().map(|entry| &entry.relative_path).collect();
    for item in findings.sections.values_mut().flatten() {
        // A file is known by the entry of its directory.
        item.sources.retain(|path| known.contains(path) || known.contains(&home_of(path)));
    }
}

/// What is wrong with a sentence about the whole that no entry makes.
pub(crate) const NOT_CLAIMED: &str = "no directory's entry makes this claim";
