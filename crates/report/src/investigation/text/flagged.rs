//! Flags: where, what, and the lines that show it.

use std::collections::BTreeMap;

use luminos_core::flag::{Flag, Severity};
use luminos_core::report::Report;

use super::{limit, more};
use crate::Detail;
use crate::investigation::cited::{place, place_of};
use crate::investigation::concerns;
use crate::investigation::gathered::gathered;
use crate::investigation::head::{Tally, by_severity, unproved};
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
    sheet.section("Flags", &counts(&tally.flags, tally.flags_unproved));
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

/// The same of flags that were not counted before.
pub(crate) fn counts_of<'a>(flags: impl Iterator<Item = &'a Flag> + Clone) -> String {
    counts(&by_severity(flags.clone()), unproved(flags))
}

/// How many there are of each severity, worst first: `1 critical · 2 info · 1 unproved`.
fn counts(flags: &BTreeMap<Severity, u64>, unproved: u64) -> String {
    let worst_first = flags.iter().rev();
    let counts = worst_first.map(|(severity, flags)| format!("{} {}", number(*flags), severity.word()));
    let unproved = (0 < unproved).then(|| format!("{} {UNPROVED}", number(unproved)));
    counts.chain(unproved).collect::<Vec<_>>().join(" · ")
}

/// The word for a flag that nothing shows to be so.
pub(crate) const UNPROVED: &str = "unproved";

/// What stands beside a flag: how severe it is, or that it is not proved.
pub(crate) fn word(flag: &Flag) -> &'static str {
    if flag.is_unproved() { UNPROVED } else { flag.severity.word() }
}

/// The color of that word.
pub(crate) fn ink_of(flag: &Flag) -> Ink {
    if flag.is_unproved() { Ink::Faint } else { ink(flag.severity) }
}

/// How severe an unproved flag would be, and why it is not proved; nothing for others.
pub(crate) fn doubt(flag: &Flag) -> String {
    if !flag.is_unproved() {
        return String::new();
    }
    let fault = flag.faults.first().map(|fault| format!(": {}", prose::one_line(fault)));
    format!(" ({}, if it is so{})", flag.severity.word(), fault.unwrap_or_default())
}

fn ink(severity: Severity) -> Ink {
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
    let finding = format!("{}{rule}{}", prose::one_line(&flag.finding), doubt(flag));
    if flag.path.is_root() && flag.evidence.is_empty() {
        sheet.beside(word(flag), ink_of(flag), MARGIN, &finding);
        return;
    }
    sheet.beside(word(flag), ink_of(flag), MARGIN, &place_of(flag));
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
