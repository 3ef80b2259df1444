//! From what a model submitted to what a loop reports.

use luminos_core::RelPath;
use luminos_core::entry::{Claim, Share};
use luminos_core::job::DirReport;
use luminos_core::proof::Evidence;
use luminos_tools as submission;

/// The report that a submission makes, of which something may have been lost.
pub(super) fn report(submitted: submission::DirReport, dir: &RelPath, lost: Vec<String>) -> DirReport {
    let claim = |text: String, evidence: Vec<Evidence>| Claim {
        refuted: false,
        fact: None,
        text,
        evidence: evidence.into_iter().map(|evidence| located(evidence, dir)).collect(),
        entries: Vec::new(),
        faults: Vec::new(),
        verified: false,
    };
    let loose = submitted.evidence();
    let claims = submitted.claims.into_iter();
    let claims =
        claims.map(|stated| claim(stated.text, stated.evidence.into_iter().map(Evidence::from).collect()));
    // Evidence without a statement proves only that the words stand there. That is what its claim says.
    let loose = loose.into_iter().map(|evidence| claim(words_of(&evidence), vec![evidence]));
    DirReport {
        opening: None,
        facts: Vec::new(),
        summary: submitted.summary,
        completeness: submitted.completeness.and_then(Share::new),
        confidence: submitted.confidence.and_then(Share::new),
        confidence_reason: submitted.confidence_reason,
        claims: claims.chain(loose).collect(),
        notable_files: Vec::new(),
        corrections: lost,
    }
}

/// Models write `./x` for `x`.
fn located(mut evidence: Evidence, _dir: &RelPath) -> Evidence {
    if let Some(path) = evidence.path.to_utf8().and_then(|path| path.strip_prefix("./")) {
        evidence.path = RelPath::from(path);
    }
    evidence
}

fn words_of(evidence: &Evidence) -> String {
    let path = evidence.path.for_terminal();
    let Evidence { start_line, end_line, quote, .. } = evidence;
    let lines = if start_line == end_line {
        format!("line {start_line}")
    } else {
        format!("lines {start_line}–{end_line}")
    };
    match quote {
        Some(quote) => format!("`{path}`, {lines}: “{}”", crate::prompt::cut(quote.trim(), 200)),
        None => format!("`{path}`, {lines}, is what the summary rests on."),
    }
}
