//! What came of checking a report again, for `luminosctl verify`.

use std::io::{self, Write};

use luminos_core::report::Report;
use luminos_core::verify::{Checked, Outcome, Standing, Subject};
use serde::Serialize;

use crate::measure::{count, number};
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::{Detail, Layout, prose, time, write_json_line};

/// How many of each kind are told, if not all are.
const SHOWN: usize = 20;

/// The outcome for people.
pub fn text(report: &Report, outcome: &Outcome, tree: &str, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    let made = time::stamp(&report.made_at);
    sheet.hanging("", &format!("{} · reported {made} · against {tree}", prose::one_line(&report.target)));
    for fault in &outcome.faults {
        sheet.beside("false", Ink::Alarm, 8, &prose::one_line(fault));
    }
    let (mut claims, mut flags) = ([0_u64; 5], [0_u64; 5]);
    let mut unverified = 0;
    for row in &outcome.checked {
        if !is_told(row) {
            unverified += 1;
            continue;
        }
        let counts = if row.subject == Subject::Flag { &mut flags } else { &mut claims };
        counts[place(&row.standing)] += 1;
    }
    sheet.hanging("", &format!("claims: {}", tally(claims)));
    sheet.hanging("", &format!("flags: {}", tally(flags)));
    if 0 < unverified {
        let words = count(unverified, "was", "were");
        sheet.hanging("", &format!("{words} unverified from the beginning, as the report says"));
    }
    for kind in [4, 3, 2, 1] {
        let rows = outcome.checked.iter().filter(|row| is_told(row) && place(&row.standing) == kind);
        let rows: Vec<&Checked> = rows.collect();
        let Some(first) = rows.first() else { continue };
        sheet.section(title(&first.standing), &number(rows.len() as u64));
        let most = if layout.detail == Detail::Full { rows.len() } else { SHOWN };
        rows.iter().take(most).for_each(|row| one(&mut sheet, row));
        if most < rows.len() {
            sheet.more(&format!("{} more (--full shows all)", number((rows.len() - most) as u64)));
        }
    }
    sheet.line("");
    sheet.hanging("", if outcome.holds() { "Everything holds." } else { "Not everything holds." });
    sheet.finish()
}

/// Whether it is told one by one: a sentence that the report itself calls unverified is not.
fn is_told(row: &Checked) -> bool {
    row.verified || row.subject == Subject::Flag
}

fn place(standing: &Standing) -> usize {
    match standing {
        Standing::Same => 0,
        Standing::Moved { .. } => 1,
        Standing::Changed => 2,
        Standing::Gone => 3,
        Standing::Refuted { .. } => 4,
    }
}

fn tally(counts: [u64; 5]) -> String {
    let words = ["the same", "moved", "changed", "gone", "refuted"];
    let told: Vec<String> = counts
        .into_iter()
        .zip(words)
        .filter(|(found, _)| 0 < *found)
        .map(|(found, word)| format!("{} {word}", number(found)))
        .collect();
    if told.is_empty() { "none".to_owned() } else { told.join(" · ") }
}

fn title(standing: &Standing) -> &'static str {
    match standing {
        Standing::Same => "The same",
        Standing::Moved { .. } => "Moved: the words stand elsewhere now",
        Standing::Changed => "Changed: the file has, and the words are not in it any more",
        Standing::Gone => "Gone: there is no such file any more",
        Standing::Refuted { .. } => "Refuted: never was so",
    }
}

fn one(sheet: &mut Sheet, row: &Checked) {
    let at = match (&row.path, row.line) {
        (Some(path), Some(line)) => format!("{}:{line}", path.for_terminal()),
        (Some(path), None) => path.for_terminal(),
        (None, _) => row.directory.for_terminal(),
    };
    let became = match &row.standing {
        Standing::Moved { path, line } => format!("{at} → {}:{line}", path.for_terminal()),
        Standing::Refuted { fault } => format!("{at}: {}", prose::one_line(fault)),
        Standing::Same | Standing::Changed | Standing::Gone => at,
    };
    sheet.hanging("  ", &became);
    sheet.hanging("    ", &prose::one_line(&row.text));
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    investigation: &'a str,
    tree: &'a str,
    holds: bool,
    faults: &'a [String],
    checked: &'a [Checked],
}

/// Writes the outcome for programs, on one line.
pub fn write_json(out: &mut dyn Write, report: &Report, outcome: &Outcome, tree: &str) -> io::Result<()> {
    write_json_line(
        out,
        &Document {
            schema: "luminos.verify/1",
            investigation: &report.investigation,
            tree,
            holds: outcome.holds(),
            faults: &outcome.faults,
            checked: &outcome.checked,
        },
    )
}
