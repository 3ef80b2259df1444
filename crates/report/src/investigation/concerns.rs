//! Concerns and flags often say the same: here is told which of the concerns the flags tell, and what these leave out.

use luminos_core::flag::Flag;
use luminos_core::report::{Item, ItemKind, Report, Section};

/// Whether every concern is told by a flag at the same place.
pub(super) fn are_told(report: &Report) -> bool {
    items(report).all(|item| report.flags.iter().any(|flag| advice_on(item, flag).is_some()))
}

/// What a concern advises about a flag.
pub(super) fn advice<'r>(report: &'r Report, flag: &Flag) -> Option<&'r str> {
    let advice = items(report).find_map(|item| advice_on(item, flag))?;
    (!advice.is_empty()).then_some(advice)
}

fn items(report: &Report) -> impl Iterator<Item = &Item> {
    report.findings.sections.get(&Section::Concerns).into_iter().flatten()
}

/// What a concern advises about a flag; `None` where it is about something else.
fn advice_on<'i>(item: &'i Item, flag: &Flag) -> Option<&'i str> {
    let Some(ItemKind::Concern { rule, advice }) = &item.kind else { return None };
    (item.path.as_ref() == Some(&flag.path) && *rule == flag.rule).then_some(advice)
}

#[cfg(test)]
mod tests {
    use luminos_core::RelPath;
    use luminos_core::flag::Severity;

    use super::*;
    use crate::investigation::sample;
    use crate::{Detail, Layout, Style};

    fn with(concern: &str, kind: Option<ItemKind>) -> Report {
        let mut report = sample::report();
        let path = RelPath::from("src/cache.rs");
        let found = sample::flag(Severity::Concern, "Reads what anybody wrote.", Vec::new());
        report.flags = vec![Flag { path: path.clone(), ..found }];
        let item = Item { path: Some(path), text: concern.to_owned(), kind, ..Item::default() };
        report.findings.sections.insert(Section::Concerns, vec![item]);
        report
    }

    #[test]
    fn a_concern_that_a_flag_tells_is_told_once_with_what_to_do() {
        let layout = Layout { width: 80, style: Style::Plain, detail: Detail::Usual, ..Layout::default() };
        let rule = sample::flag(Severity::Concern, "", Vec::new()).rule;
        let kind = ItemKind::Concern { rule, advice: "Check who wrote it.".to_owned() };
        let words = "Reads what anybody wrote. Also in `b.rs`; 2 files in all. Check who wrote it.";
        let told = with(words, Some(kind));
        let page = crate::investigation::text::text(&told, &layout);
        assert!(page.contains("→ Check who wrote it.") && !page.contains("\nConcerns\n"), "{page}");
        assert_eq!(page.matches("Reads what anybody wrote").count(), 1);
        let own = with("No test covers refunds.", None);
        let page = crate::investigation::text::text(&own, &layout);
        assert!(page.contains("\nConcerns\n") && !page.contains('→'), "{page}");
    }

    #[test]
    fn what_each_part_uses_is_for_whoever_asks_for_all_where_layers_are_told() {
        let mut report = sample::report();
        let item = |name: &str, text: &str, kind: ItemKind| Item {
            name: name.to_owned(),
            text: text.to_owned(),
            kind: Some(kind),
            ..Item::default()
        };
        let words = "It lies in 2 layers, each using only those named after it: `a`; `b`.";
        let layers = item("", words, ItemKind::Layers);
        let uses = item("a", "uses `b`", ItemKind::Uses { parts: vec!["b".to_owned()] });
        report.findings.sections.insert(Section::Architecture, vec![layers, uses]);
        let page = |detail: Detail| {
            let layout = Layout { width: 80, style: Style::Plain, detail, ..Layout::default() };
            crate::investigation::text::text(&report, &layout)
        };
        assert!(!page(Detail::Usual).contains("uses `b`") && page(Detail::Full).contains("uses `b`"));
        assert!(page(Detail::Usual).contains("1 more: luminosctl show --full"));
    }
}
