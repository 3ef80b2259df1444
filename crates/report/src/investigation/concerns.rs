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

#[cfg(test)]
mod tests {
    use luminos_core::RelPath;
    use luminos_core::flag::Severity;

    use super::*;
    use crate::investigation::sample;
    use crate::{Detail, Layout, Style};

    fn with(concern: &str) -> Report {
        let mut report = sample::report();
        let path = RelPath::from("src/cache.rs");
        let found = sample::flag(Severity::Concern, "Reads what anybody wrote.", Vec::new());
        report.flags = vec![Flag { path: path.clone(), ..found }];
        let item = Item { path: Some(path), text: concern.to_owned(), ..Item::default() };
        report.findings.sections.insert(Section::Concerns, vec![item]);
        report
    }

    #[test]
    fn a_concern_that_a_flag_tells_is_told_once_with_what_to_do() {
        let layout = Layout { width: 80, style: Style::Plain, detail: Detail::Usual, ..Layout::default() };
        let told = with("Reads what anybody wrote. Also in `b.rs`; 2 files in all. Check who wrote it.");
        let page = crate::investigation::text::text(&told, &layout);
        assert!(page.contains("→ Check who wrote it.") && !page.contains("\nConcerns\n"), "{page}");
        assert_eq!(page.matches("Reads what anybody wrote").count(), 1);
        let own = with("No test covers refunds.");
        let page = crate::investigation::text::text(&own, &layout);
        assert!(page.contains("\nConcerns\n") && !page.contains('→'), "{page}");
    }

    #[test]
    fn what_each_part_uses_is_for_whoever_asks_for_all_where_layers_are_told() {
        let mut report = sample::report();
        let item =
            |name: &str, text: &str| Item { name: name.to_owned(), text: text.to_owned(), ..Item::default() };
        let layers = item("", "It lies in 2 layers, each using only those named after it: `a`; `b`.");
        report.findings.sections.insert(Section::Architecture, vec![layers, item("a", "uses `b`")]);
        let page = |detail: Detail| {
            let layout = Layout { width: 80, style: Style::Plain, detail, ..Layout::default() };
            crate::investigation::text::text(&report, &layout)
        };
        assert!(!page(Detail::Usual).contains("uses `b`") && page(Detail::Full).contains("uses `b`"));
        assert!(page(Detail::Usual).contains("1 more: luminosctl show --full"));
    }
}
