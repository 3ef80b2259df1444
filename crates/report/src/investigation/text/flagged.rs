//! Flags: where, what, and the lines that show it.

use std::collections::BTreeMap;

use luminos_core::flag::{Flag, Severity};
use luminos_core::report::Report;

use super::{limit, more};
use crate::Detail;
use crate::investigation::cited::{place, place_of};
use crate::investigation::concerns;
use crate::investigation::gathered::gathered;
use crate::investigation::head::Tally;
use crate::measure::{cut, number};
use crate::prose;
use crate::sheet::Sheet;
use crate::style::Ink;

/// How many flags a report shows; `luminosctl flags` shows all.
pub(in crate::investigation) const SHOWN: usize = 20;
/// How many lines of a quote are shown.
const QUOTED_LINES: usize = 3;
/// How many other places of a flag are named.
const OTHER_PLACES: usize = 4;
/// How wide the words in the margin are: as wide as the widest severity.
const MARGIN: usize = 8;

pub(super) fn section(sheet: &mut Sheet, report: &Report, tally: &Tally, detail: Detail) {
    let flags = &report.flags;
    if flags.is_empty() {
        return;
    }
    sheet.section("Flags", &counts(&tally.flags));
    // Everything means each by itself.
    if detail == Detail::Full {
        flags.iter().for_each(|flag| write(sheet, flag));
        return;
    }
    let shown = gathered(flags);
    let shown = &shown[..limit(detail, SHOWN, shown.len())];
    for flag in shown {
        write(sheet, flag);
        if let Some(advice) = concerns::advice(report, flag) {
            sheet.hanging(&format!("{}→ ", " ".repeat(MARGIN + 4)), &prose::one_line(advice));
        }
    }
    more(sheet, tally.flags_gathered.saturating_sub(shown.len() as u64), "luminosctl flags");
}

/// How many there are of each severity, worst first: `1 critical · 2 info`.
pub(crate) fn counts(flags: &BTreeMap<Severity, u64>) -> String {
    let worst_first = flags.iter().rev();
    let counts = worst_first.map(|(severity, flags)| format!("{} {}", number(*flags), severity.word()));
    counts.collect::<Vec<_>>().join(" · ")
}

pub(crate) fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::Critical => Ink::Alarm,
        Severity::Concern => Ink::Warning,
        Severity::Info => Ink::Faint,
    }
}

pub(crate) fn write(sheet: &mut Sheet, flag: &Flag) {
    let column = MARGIN + 4;
    let indent = " ".repeat(column);
    let rule = flag.rule.as_ref().map(|rule| format!(" [{}]", prose::one_line(rule))).unwrap_or_default();
    let finding = format!("{}{rule}", prose::one_line(&flag.finding));
    if flag.path.is_root() && flag.evidence.is_empty() {
        sheet.beside(flag.severity.word(), ink(flag.severity), MARGIN, &finding);
        return;
    }
    sheet.beside(flag.severity.word(), ink(flag.severity), MARGIN, &place_of(flag));
    sheet.hanging(&indent, &finding);
    let quote = flag.evidence.first().and_then(|evidence| evidence.quote.as_deref()).unwrap_or_default();
    let quote: Vec<String> = prose::lines(quote).into_iter().filter(|line| !line.is_empty()).collect();
    let more = (QUOTED_LINES < quote.len()).then(|| "…".to_owned());
    for line in quote.iter().take(QUOTED_LINES).chain(&more) {
        // A line of code says most at its beginning.
        let line = format!("│ {}", line.trim_start());
        let room = sheet.width.saturating_sub(column);
        sheet.painted(&indent, Ink::Faint, &cut(&line, room));
    }
    let others: Vec<String> = flag.evidence.iter().skip(1).map(place).collect();
    if !others.is_empty() {
        let more = match others.len().saturating_sub(OTHER_PLACES) {
            0 => String::new(),
            more => format!(" and {} more", number(more as u64)),
        };
        let named = others.iter().take(OTHER_PLACES).map(String::as_str).collect::<Vec<_>>().join(", ");
        sheet.hanging(&indent, &format!("also {named}{more}"));
    }
}
