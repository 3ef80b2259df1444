//! Directories, each in a line or two; or each with all that is known about it.

use luminos_core::entry::{DirEntry, FilledIn};
use luminos_core::report::Report;

use super::{findings, more};
use crate::investigation::head::Tally;
use crate::measure::{count, fit, number, width};
use crate::prose;
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::{Detail, Layout};

/// How many directories a report shows; `luminosctl show --full` shows all.
const SHOWN: usize = 24;
/// How many lines a directory gets.
const LINES: usize = 2;

pub(super) fn section(sheet: &mut Sheet, report: &Report, tally: &Tally, layout: &Layout) {
    let detail = layout.detail;
    // The target itself is what the whole report is about.
    let is_below = |entry: &&DirEntry| detail == Detail::Full || !entry.relative_path.is_root();
    let mut entries: Vec<&DirEntry> = report.directories.iter().filter(is_below).collect();
    if entries.is_empty() {
        return;
    }
    let root = if detail == Detail::Full { entries.len() as u64 - tally.directories } else { 0 };
    let all = tally.directories + root;
    sheet.section("Directories", &number(all));
    if let Some(levels) = layout.depth {
        entries.retain(|entry| depth(entry) <= levels);
    }
    if detail == Detail::Full {
        for (index, entry) in entries.iter().enumerate() {
            if 0 < index {
                sheet.line("");
            }
            whole(sheet, entry);
        }
        return;
    }
    // Who says how many levels gets all of them.
    let shown = if layout.depth.is_some() { entries } else { upper_levels(&entries) };
    let names: Vec<String> = shown.iter().map(|entry| name(entry)).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0).min(sheet.width / 3);
    for (entry, name) in shown.iter().zip(&names) {
        in_short(sheet, entry, name, column);
    }
    more(sheet, all - shown.len() as u64, "luminosctl show --full");
}

/// As many levels as fit, but at least the beginning of the first; by path.
pub(in crate::investigation) fn upper_levels<'a>(entries: &[&'a DirEntry]) -> Vec<&'a DirEntry> {
    let mut by_depth: Vec<(usize, &DirEntry)> = entries.iter().map(|entry| (depth(entry), *entry)).collect();
    by_depth.sort_by_key(|(depth, _)| *depth);
    let mut fits = by_depth.len().min(SHOWN);
    if fits < by_depth.len() {
        // A level of which only some directories were shown would look like one that has no others.
        let first_hidden = by_depth[fits].0;
        let whole_levels = by_depth.partition_point(|(depth, _)| *depth < first_hidden);
        fits = if whole_levels == 0 { fits } else { whole_levels };
    }
    by_depth.truncate(fits);
    let mut shown: Vec<&DirEntry> = by_depth.into_iter().map(|(_, entry)| entry).collect();
    shown.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
    shown
}

fn depth(entry: &DirEntry) -> usize {
    let path = entry.relative_path.as_bytes();
    if path.is_empty() { 0 } else { 1 + path.iter().filter(|byte| **byte == b'/').count() }
}

fn name(entry: &DirEntry) -> String {
    if entry.relative_path.is_root() {
        ".".to_owned()
    } else {
        format!("{}/", entry.relative_path.for_terminal())
    }
}

fn in_short(sheet: &mut Sheet, entry: &DirEntry, name: &str, column: usize) {
    let room = sheet.width.saturating_sub(column + 4);
    let partial = match entry.filled_in {
        Some(_) => "(by the analyst) ",
        None if entry.partial => "(partial) ",
        None => "",
    };
    let name = fit(name, column);
    let summary = prose::beyond_name(&entry.summary, &entry.relative_path.for_terminal());
    for (index, piece) in prose::gist(&format!("{partial}{summary}"), room, LINES).iter().enumerate() {
        let name = if index == 0 { &*name } else { "" };
        let gap = " ".repeat(column.saturating_sub(width(name)));
        let name =
            if name.is_empty() { String::new() } else { sheet.style.paint(Ink::Directory, name).to_string() };
        sheet.line(format_args!("  {name}{gap}  {piece}"));
    }
}

/// All that is known about a directory.
pub(super) fn whole(sheet: &mut Sheet, entry: &DirEntry) {
    let (verified, claims) = entry.verified_claims();
    let mut facts = vec![count(entry.child_count, "entry", "entries")];
    // What is empty is mostly nothing.
    if 0 < entry.child_count {
        facts.push(format!("mostly {}", entry.dominant_category.name()));
    }
    facts.push(format!("{} seen", entry.coverage.share()));
    if 0 < claims {
        facts.push(format!("{} of {} verified", number(verified), count(claims, "claim", "claims")));
    }
    if let Some(confidence) = entry.confidence {
        facts.push(format!("{confidence} sure"));
    }
    sheet.painted("", Ink::Directory, &name(entry));
    sheet.facts("  ", &facts);
    if entry.partial {
        let reason = entry.partial_reason.as_deref().map(prose::one_line).unwrap_or_default();
        let reason = if reason.is_empty() { "its loop ended early".to_owned() } else { reason };
        let word = format!("{}:", entry.filled_in.map_or("partial", FilledIn::words));
        sheet.beside(&word, Ink::Warning, word.len(), &reason);
    }
    sheet.prose(2, &entry.summary);
    if let Some(reason) = entry.confidence_reason.as_deref().map(prose::one_line)
        && !reason.is_empty()
    {
        sheet.hanging("  ", &format!("Not surer because: {reason}"));
    }
    if !entry.notable_files.is_empty() {
        let files: Vec<String> = entry.notable_files.iter().map(|path| path.for_terminal()).collect();
        sheet.hanging("  ", &format!("See: {}", files.join(", ")));
    }
    for claim in &entry.claims {
        findings::claim(sheet, claim);
    }
}
