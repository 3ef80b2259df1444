//! Concerns and flags often say the same: here is told which of the concerns the flags tell, and what these leave out.

use luminos_core::flag::Flag;
use luminos_core::report::{Item, Report, Section};

/// Whether every concern is told by a flag at the same place.
pub(super) fn are_told(report: &Report) -> bool {
    items(report).all(|item| report.flags.iter().any(|flag| rest(item, flag).is_some()))
}

/// What a concern advises about a flag.
pub(super) fn advice<'r>(report: &'r Report, flag: &Flag) -> Option<&'r str> {
    let rest = items(report).find_map(|item| rest(item, flag))?;
    // Where else it is, other flags say.
    let advice = match rest.strip_prefix("Also in ") {
        Some(others) => others.split_once(" in all.").map_or("", |(_, advice)| advice.trim_start()),
        None => rest,
    };
    (!advice.is_empty()).then_some(advice)
}

fn items(report: &Report) -> impl Iterator<Item = &Item> {
    report.findings.sections.get(&Section::Concerns).into_iter().flatten()
}

/// What a concern says beyond a flag.
fn rest<'i>(item: &'i Item, flag: &Flag) -> Option<&'i str> {
    // Of several that were gathered, the finding goes on.
    let finding = flag.finding.split(" There are ").next().unwrap_or_default();
    let is_same_place = item.path.as_ref() == Some(&flag.path);
    is_same_place.then(|| item.text.strip_prefix(finding)).flatten().map(str::trim_start)
}
