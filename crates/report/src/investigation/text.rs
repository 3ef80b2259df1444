//! A report as a person reads it on a terminal: what it is first, what is wrong with it next, and how far all of it
//! can be trusted at the end.
//!
//! Sections with nothing to say do not appear.

pub(super) mod directories;
pub(super) mod findings;
pub(crate) mod flagged;

use luminos_core::ByteSize;
use luminos_core::entry::DirEntry;
use luminos_core::flag::Flag;
use luminos_core::report::{Note, Report};

use super::head::Tally;
use super::{basis, glance};
use crate::measure::{count, fit, number, width};
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::{Detail, Layout, prose};

/// The report for people.
pub fn text(report: &Report, layout: &Layout) -> String {
    set(report, &Tally::of(report), layout)
}

/// The same, from what a report shows and how much there is of it.
pub(super) fn set(report: &Report, tally: &Tally, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    headline(&mut sheet, report, tally);
    if layout.detail != Detail::Brief {
        findings::write(&mut sheet, report, tally, layout.detail);
    }
    flagged::section(&mut sheet, report, tally, layout.detail);
    if layout.detail != Detail::Brief {
        findings::unverified(&mut sheet, report, tally, layout.detail);
        directories::section(&mut sheet, report, tally, layout);
        what_it_rests_on(&mut sheet, report, tally, layout.detail);
    }
    sheet.finish()
}

/// What is known about one directory, with its claims.
pub fn directory(entry: &DirEntry, flags: &[Flag], layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    directories::whole(&mut sheet, entry);
    let flags: Vec<&Flag> = flags.iter().filter(|flag| flag.directory == entry.relative_path).collect();
    if !flags.is_empty() {
        sheet.section("Flags", &flagged::counts_of(flags.iter().copied()));
        flags.iter().for_each(|flag| flagged::write(&mut sheet, flag));
    }
    sheet.finish()
}

/// The target, how large it is, and what it is in a few sentences.
fn headline(sheet: &mut Sheet, report: &Report, tally: &Tally) {
    let counters = &report.counters;
    let facts = [
        count(counters.files, "file", "files"),
        count(counters.dirs, "directory", "directories"),
        ByteSize(counters.bytes).to_string(),
    ];
    let facts = facts.join(" · ");
    let name = prose::one_line(&report.target);
    let path = prose::one_line(&report.path);
    // A path says what the target is called, as a rule.
    let name = match path.rsplit('/').next() {
        Some(last) if last == name => path,
        Some("") | None => name,
        Some(_) => format!("{name}  {path}"),
    };
    let separator = if width(&name) + 3 + width(&facts) <= sheet.width { " · " } else { "\n" };
    let name = sheet.style.paint(Ink::Title, fit(&name, sheet.width)).to_string();
    sheet.line(format_args!("{name}{separator}{facts}"));
    if let Some(reason) = basis::why_partial(report, tally) {
        sheet.line("");
        sheet.beside("Partial:", Ink::Warning, "Partial:".len(), &reason);
    }
    sheet.line("");
    sheet.prose(0, &report.findings.brief);
    glance(sheet, report);
}

/// How wide the words beside the first answers are.
const WIDEST_FIELD: usize = 10;

/// What a reader looks for first, a line or two for each field.
fn glance(sheet: &mut Sheet, report: &Report) {
    let rows = glance::rows(report);
    if !rows.is_empty() {
        sheet.line("");
    }
    for row in rows {
        let lines: Vec<String> = row.lines.iter().map(glance::Line::plain).collect();
        // Short answers share a line.
        let one = lines.join("; ");
        let is_short = row.lines.iter().all(|line| line.about.is_empty());
        let lines = if is_short { vec![one] } else { lines };
        for (number, line) in lines.iter().enumerate() {
            sheet.beside(if number == 0 { row.title } else { "" }, Ink::Faint, WIDEST_FIELD, line);
        }
    }
    let unanswered = glance::unanswered(report);
    if !unanswered.is_empty() {
        sheet.beside(
            "Not told",
            Ink::Faint,
            WIDEST_FIELD,
            &format!("nothing here says {}", list(&unanswered)),
        );
    }
}

fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// How wide the words in the margin are.
const MARGIN: usize = 11;
/// How many notes are shown: a plan may give reason for thousands.
pub(super) const SHOWN_NOTES: usize = 12;

fn what_it_rests_on(sheet: &mut Sheet, report: &Report, tally: &Tally, detail: Detail) {
    sheet.section("What this rests on", "");
    for (word, fact) in basis::facts(report, tally) {
        sheet.beside(word, Ink::Faint, MARGIN, &fact);
    }
    // What makes it partial stands at its head.
    let notes: Vec<&Note> = report.notes.iter().filter(|note| !matches!(note, Note::Partial(_))).collect();
    if notes.is_empty() {
        return;
    }
    sheet.section("Notes", "");
    let shown = limit(detail, SHOWN_NOTES, notes.len());
    for note in &notes[..shown] {
        let (kind, text) = basis::note(note);
        sheet.beside(kind, Ink::Faint, MARGIN, &prose::one_line(text));
    }
    more(sheet, tally.notes - shown as u64, "luminosctl show --full");
}

/// How many items of a list are shown: all of them where everything is to be told.
fn limit(detail: Detail, usual: usize, all: usize) -> usize {
    if detail == Detail::Full { all } else { all.min(usual) }
}

/// Ends a list of which some items are not shown with how to see them.
fn more(sheet: &mut Sheet, hidden: u64, command: &str) {
    if 0 < hidden {
        sheet.more(&format!("{} more: {command}", number(hidden)));
    }
}

#[cfg(test)]
mod tests;
