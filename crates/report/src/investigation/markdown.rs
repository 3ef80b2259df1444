//! A report as GitHub-flavoured Markdown, to be kept beside the target or pasted into a discussion.
//!
//! Links are relative to the target and are ours alone: whatever a model or the target wrote becomes plain text, with
//! words in backticks as code. There is no raw HTML, no image, and no way out to another place.

mod diagram;
mod marked;

use std::fmt::Write as _;

use luminos_core::entry::{Claim, DirEntry, FilledIn};
use luminos_core::flag::Flag;
use luminos_core::report::{Item, Note, Report, Section};
use luminos_core::{ByteSize, RelPath, Untrusted};

use self::marked::{block, cited, indented, link, named_link, plain};
pub(super) use self::marked::{destination, inline};
use super::gathered::gathered;
use super::head::Tally;
use super::{Comparison, basis, glance};
use crate::investigation::flagged;
use crate::measure::{count, number};
use crate::prose;

/// The report as Markdown. With a comparison, flags that an earlier report did not have are marked.
pub fn markdown(report: &Report, compared: Option<&Comparison>) -> String {
    let mut out = String::new();
    headline(&mut out, report);
    glance(&mut out, report);
    findings(&mut out, report);
    flags(&mut out, report, compared);
    unverified(&mut out, report);
    directories(&mut out, report);
    what_it_rests_on(&mut out, report);
    out
}

fn line(out: &mut String, text: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn section(out: &mut String, title: &str) {
    line(out, format_args!("\n## {title}\n"));
}

fn headline(out: &mut String, report: &Report) {
    let counters = &report.counters;
    let name = plain(&report.target);
    line(out, format_args!("# {}\n", if name.is_empty() { "Report" } else { &name }));
    let facts = [
        count(counters.files, "file", "files"),
        count(counters.dirs, "directory", "directories"),
        ByteSize(counters.bytes).to_string(),
    ];
    line(out, facts.join(" · "));
    if let Some(reason) = basis::why_partial(report, &Tally::of(report)) {
        line(out, format_args!("\n> **Partial:** {}", plain(&reason)));
    }
    let brief = block(&report.findings.brief);
    if !brief.is_empty() {
        line(out, format_args!("\n{brief}"));
    }
}

fn findings(out: &mut String, report: &Report) {
    let findings = &report.findings;
    let detailed = findings.detailed.trim();
    if detailed != findings.brief.trim() && !detailed.is_empty() {
        section(out, "Overview");
        line(out, block(detailed));
    }
    for section in Section::ALL {
        // What the head says is not said again.
        let is_said = |items: &&Vec<Item>| {
            section == Section::OverallPurpose
                && items.iter().all(|item| prose::is_quoted_in(&item.text, &findings.brief))
        };
        if let Some(items) = findings.sections.get(&section).filter(|items| !is_said(items)) {
            self::section(out, section.title());
            items_of(out, items);
            if let Some(diagram) = diagram::diagram(items).filter(|_| section == Section::Architecture) {
                line(out, format_args!("\n{diagram}"));
            }
        }
        if section == Section::Components && !report.subsystems.is_empty() {
            subsystems(out, report);
        }
    }
}

/// What a reader looks for first, as a list.
fn glance(out: &mut String, report: &Report) {
    let rows = glance::rows(report);
    if rows.is_empty() {
        return;
    }
    out.push('\n');
    for row in rows {
        let lines: Vec<String> = row.lines.iter().map(|line| inline(&line.plain())).collect();
        line(out, format_args!("- **{}**: {}", row.title, lines.join("; ")));
    }
}

fn items_of(out: &mut String, items: &[Item]) {
    if let [item] = items
        && item.name.trim().is_empty()
        && item.path.is_none()
    {
        line(out, block(&item.text));
        return;
    }
    for item in items {
        let name = plain(&item.name);
        let head = match &item.path {
            Some(path) if name.is_empty() || path.to_utf8() == Some(item.name.trim()) => link(path),
            Some(path) if prose::is_short_for(&item.name, &path.for_terminal()) => {
                named_link(&item.name, path)
            }
            Some(path) => format!("**{name}** ({})", link(path)),
            None if name.is_empty() => String::new(),
            None => format!("**{name}**"),
        };
        // Where something lies, what is said of it was found.
        let is_elsewhere = |source: &&RelPath| {
            let path = item.path.as_ref();
            path.is_some_and(|path| *source != path && path.parent().as_ref() != Some(*source))
                && !source.is_root()
        };
        let sources = match item.sources.iter().filter(is_elsewhere).map(link).collect::<Vec<_>>().join(", ")
        {
            sources if sources.is_empty() => sources,
            sources => format!(" (from {sources})"),
        };
        let text = item
            .path
            .as_ref()
            .map_or(item.text.as_str(), |path| prose::beyond_name(&item.text, &path.for_terminal()));
        let lines = prose::lines(text);
        match (head.as_str(), lines.as_slice()) {
            ("", []) => {}
            ("", [_]) => line(out, format_args!("- {}{sources}", inline(text))),
            ("", _) => line(out, format_args!("-{}", indented(&block(text)).split_at(1).1)),
            (head, []) => line(out, format_args!("- {head}{sources}")),
            (head, [_]) => line(out, format_args!("- {head}: {}{sources}", inline(text))),
            (head, _) => {
                line(out, format_args!("- {head}{sources}\n\n{}", indented(&block(text))));
            }
        }
    }
}

/// So many directories of a subsystem are linked; all of them have a section of their own.
const SHOWN_DIRS: usize = 6;

fn subsystems(out: &mut String, report: &Report) {
    section(out, "Subsystems");
    for subsystem in &report.subsystems {
        let mut dirs: Vec<String> = subsystem.dirs.iter().take(SHOWN_DIRS).map(link).collect();
        if SHOWN_DIRS < subsystem.dirs.len() {
            dirs.push(format!("and {} more", number((subsystem.dirs.len() - SHOWN_DIRS) as u64)));
        }
        let description = inline(&prose::one_line(&subsystem.description));
        line(out, format_args!("- **{}**: {description} ({})", plain(&subsystem.name), dirs.join(", ")));
    }
}

fn flags(out: &mut String, report: &Report, compared: Option<&Comparison>) {
    if report.flags.is_empty() {
        return;
    }
    section(out, "Flags");
    line(out, format_args!("{}\n", flagged::counts_of(report.flags.iter())));
    match compared {
        // What is new is told one by one.
        Some(compared) => {
            let marked = report.flags.iter().enumerate();
            marked.for_each(|(number, flag)| self::flag(out, flag, compared.mark(number)));
        }
        None => gathered(&report.flags).iter().for_each(|flag| self::flag(out, flag, None)),
    }
}

/// No more lines of a quote than this.
const QUOTED_LINES: usize = 10;

fn flag(out: &mut String, flag: &Flag, mark: Option<&str>) {
    let place = flag.evidence.first().map_or_else(|| link(&flag.path), cited);
    let place =
        if flag.path.is_root() && flag.evidence.is_empty() { String::new() } else { format!(" {place}") };
    let rule = flag.rule.as_ref().map(|rule| format!(" ({})", plain(rule))).unwrap_or_default();
    let others: Vec<String> = flag.evidence.iter().skip(1).map(cited).collect();
    let others = if others.is_empty() { String::new() } else { format!(" Also {}.", others.join(", ")) };
    let severity = flagged::word(flag);
    let doubt = inline(&flagged::doubt(flag));
    let doubt = if doubt.is_empty() { doubt } else { format!(" {}", doubt.trim()) };
    let mark = mark.map(|mark| format!(" *({mark})*")).unwrap_or_default();
    line(out, format_args!("- **{severity}**{mark}{place}: {}{rule}{doubt}{others}", inline(&flag.finding)));
    if let Some(quote) = flag.evidence.first().and_then(|evidence| evidence.quote.as_deref()) {
        let quote: Vec<&str> = quote.lines().take(QUOTED_LINES).collect();
        let quote = Untrusted::new(quote.join("\n").as_bytes()).for_markdown_block("");
        line(out, format_args!("\n{}", indented(quote.trim_end_matches('\n'))));
    }
}

fn unverified(out: &mut String, report: &Report) {
    let of_the_whole = report.findings.claims.iter();
    let of_dirs = report.directories.iter().flat_map(|entry| &entry.claims);
    let claims: Vec<&Claim> = of_the_whole.chain(of_dirs).filter(|claim| !claim.verified).collect();
    if claims.is_empty() {
        return;
    }
    section(out, "Not verified");
    claims.iter().for_each(|claim| self::claim(out, claim));
}

fn claim(out: &mut String, claim: &Claim) {
    let mark = if claim.verified { "✓" } else { "?" };
    let places: Vec<String> = claim.evidence.iter().map(cited).collect();
    let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    line(out, format_args!("- {mark} {}{places}", inline(&claim.text)));
    for fault in &claim.faults {
        line(out, format_args!("  - {}", inline(fault)));
    }
}

fn directories(out: &mut String, report: &Report) {
    if report.directories.is_empty() {
        return;
    }
    section(out, "Directories");
    for (index, entry) in report.directories.iter().enumerate() {
        if 0 < index {
            out.push('\n');
        }
        directory(out, entry);
    }
}

fn directory(out: &mut String, entry: &DirEntry) {
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
    line(out, format_args!("### {}\n\n{}", link(&entry.relative_path), facts.join(" · ")));
    if entry.partial {
        let reason = entry.partial_reason.as_deref().map(plain).unwrap_or_default();
        let word = entry.filled_in.map_or("Partial", FilledIn::words);
        line(out, format_args!("\n> **{}:** {reason}", prose::capital(word)));
    }
    let summary = block(&entry.summary);
    if !summary.is_empty() {
        line(out, format_args!("\n{summary}"));
    }
    if !entry.notable_files.is_empty() {
        let files: Vec<String> = entry.notable_files.iter().map(link).collect();
        line(out, format_args!("\nSee {}.", files.join(", ")));
    }
    if !entry.claims.is_empty() {
        out.push('\n');
        entry.claims.iter().for_each(|claim| self::claim(out, claim));
    }
}

fn what_it_rests_on(out: &mut String, report: &Report) {
    section(out, "What this rests on");
    line(out, "| | |\n|---|---|");
    for (word, fact) in basis::facts(report, &Tally::of(report)) {
        line(out, format_args!("| {word} | {} |", plain(&fact)));
    }
    // What makes it partial stands at its head.
    let notes: Vec<&Note> = report.notes.iter().filter(|note| !matches!(note, Note::Partial(_))).collect();
    if notes.is_empty() {
        return;
    }
    section(out, "Notes");
    for note in notes {
        let (kind, text) = basis::note(note);
        line(out, format_args!("- **{kind}**: {}", inline(text)));
    }
}

#[cfg(test)]
pub(super) mod tests;
