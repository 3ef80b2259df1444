//! Map, flags, directories and plan: the places that the script fills, and the same as text for who has no script.

use std::collections::BTreeMap;

use luminos_core::entry::{Claim, DirEntry, FilledIn};
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::flag::Flag;
use luminos_core::report::Report;
use luminos_core::seen::Extent;
use luminos_core::{ByteSize, RelPath, Untrusted};

use super::data::shortened;
use super::paragraphs::{block, inline, lines, text};
use super::put;
use crate::investigation::Comparison;
use crate::investigation::cited::place;
use crate::investigation::flagged;
use crate::measure::{count, number};
use crate::prose;

pub(super) fn map(out: &mut String, report: &Report) {
    if report.directories.is_empty() {
        return;
    }
    out.push_str(
        "<section id=\"map\" class=\"part\" hidden><div class=\"title\"><h2>Map</h2><div id=\"map-tools\" \
         class=\"tools\"></div></div>\n<nav id=\"map-way\" class=\"way\" aria-label=\"Way to the directory that the map \
         shows\"></nav>\n<div class=\"map-and-entry\"><div><div id=\"map-tiles\" class=\"map\" role=\"group\" \
         aria-label=\"Map of the directories; arrow keys move, Enter opens, Escape goes up\"></div>\n<div \
         id=\"map-legend\" class=\"legend\"></div></div>\n<aside id=\"map-entry\" class=\"entry\" aria-live=\"polite\" \
         aria-label=\"The chosen directory\"></aside></div></section>\n",
    );
}

pub(super) fn flags(out: &mut String, report: &Report, compared: Option<&Comparison>) {
    let counts =
        if report.flags.is_empty() { "none".to_owned() } else { flagged::counts_of(report.flags.iter()) };
    put(
        out,
        format_args!(
            "<section id=\"flags\" class=\"part\"><div class=\"title\"><h2>Flags <span class=\"faint\">{counts}</span></h2>\
             <div id=\"flags-tools\" class=\"tools\"></div></div>\n"
        ),
    );
    if report.flags.is_empty() {
        out.push_str("<p class=\"faint\">Nothing was found that somebody should look at.</p></section>\n");
        return;
    }
    out.push_str("<div id=\"flags-list\"></div>\n<noscript><ul class=\"flags\">\n");
    for (number, flag) in report.flags.iter().enumerate() {
        self::flag(out, flag, compared.and_then(|compared| compared.mark(number)));
    }
    out.push_str("</ul></noscript></section>\n");
}

fn flag(out: &mut String, flag: &Flag, mark: Option<&str>) {
    let places: Vec<String> = flag.evidence.iter().map(|evidence| code(&place(evidence))).collect();
    let place = if places.is_empty() && !flag.path.is_root() {
        code(&flag.path.for_terminal())
    } else {
        places.join(", ")
    };
    let word = flagged::word(flag);
    let mark = mark.map(|mark| format!(" <span class=\"fresh\">{mark}</span>")).unwrap_or_default();
    let rule = flag.rule.as_deref().map(|rule| format!(" <span class=\"rule\">{}</span>", text(rule)));
    put(
        out,
        format_args!(
            "<li class=\"flag {word}\"><p><strong class=\"severity\">{word}</strong>{mark} {place}{}</p><p>{}</p>",
            rule.unwrap_or_default(),
            inline(&format!("{}{}", flag.finding, flagged::doubt(flag)))
        ),
    );
    if let Some(quote) = flag.evidence.first().and_then(|evidence| evidence.quote.as_deref()) {
        put(out, format_args!("<pre>{}</pre>", lines(quote)));
    }
    out.push_str("</li>\n");
}

/// A path or a place in a file.
fn code(words: &str) -> String {
    format!("<code>{}</code>", Untrusted::new(words.as_bytes()).for_html())
}

/// Directories. What is said about each stands in this form only: the script reads it, piece by piece.
pub(super) fn directories(out: &mut String, report: &Report, evaluation: Option<&Evaluation>) {
    if report.directories.is_empty() {
        return;
    }
    let rows = evaluation.into_iter().flat_map(|evaluation| &evaluation.per_directory);
    let rows: BTreeMap<&RelPath, &DirEvaluation> = rows.map(|row| (&row.dir, row)).collect();
    let all = number(report.directories.len() as u64);
    put(
        out,
        format_args!(
            "<section id=\"directories\" class=\"part\"><div class=\"title\"><h2>Directories <span class=\"faint\">{all}\
             </span></h2><div id=\"tree-tools\" class=\"tools\"></div></div>\n<div id=\"tree\"></div>\n\
             <noscript id=\"words\">\n"
        ),
    );
    for entry in &report.directories {
        directory(out, entry, rows.get(&entry.relative_path).copied());
    }
    out.push_str("</noscript></section>\n");
}

/// The script takes a directory apart at the first end of a paragraph, which is the one with facts.
fn directory(out: &mut String, entry: &DirEntry, planned: Option<&DirEvaluation>) {
    let (verified, claims) = entry.verified_claims();
    let mut facts = vec![
        count(entry.child_count, "entry", "entries"),
        ByteSize(entry.coverage.bytes).to_string(),
        format!("{} seen", entry.coverage.share()),
    ];
    if let Some(rated) = entry.completeness {
        facts.push(format!("rated itself {rated} complete"));
    }
    if 0 < claims {
        facts.push(format!("{} of {} verified", number(verified), count(claims, "claim", "claims")));
    }
    if let Some(row) = planned {
        facts.push(format!(
            "{} look: {} used of {} allocated, {} borrowed",
            row.planned_tier.word(),
            count(row.turns_used.0.into(), "turn", "turns"),
            row.turns_allocated.0,
            row.turns_borrowed.0
        ));
    }
    put(
        out,
        format_args!(
            "<details class=\"plain\"><summary>{}</summary><p class=\"faint\">{}</p>",
            code(&entry.relative_path.for_terminal()),
            facts.join(" · "),
        ),
    );
    if entry.partial {
        let reason = entry.partial_reason.as_deref().map(text).unwrap_or_default();
        let reason = if reason.is_empty() { "Its loop ended early.".to_owned() } else { reason };
        let word = prose::capital(entry.filled_in.map_or("Partial", FilledIn::words));
        put(out, format_args!("<p class=\"warn\"><strong>{word}.</strong> {reason}</p>"));
    }
    put(out, format_args!("<div class=\"summary\">{}</div>", block(&entry.summary)));
    if let Some(why) = entry.confidence_reason.as_deref().map(inline).filter(|why| !why.is_empty()) {
        put(out, format_args!("<p class=\"see\">Not surer because: {why}</p>"));
    }
    if !entry.notable_files.is_empty() {
        let files: Vec<String> = entry.notable_files.iter().map(|path| code(&path.for_terminal())).collect();
        put(out, format_args!("<p class=\"see\">See {}</p>", files.join(", ")));
    }
    if !entry.claims.is_empty() {
        out.push_str("<ul class=\"claims\">");
        entry.claims.iter().for_each(|claim| self::claim(out, claim));
        out.push_str("</ul>");
    }
    out.push_str("</details>\n");
}

/// Whether it holds, what it says, and each place with the words there; then what is wrong with it.
fn claim(out: &mut String, claim: &Claim) {
    let mark = if claim.verified { "✓" } else { "✗ not verified:" };
    put(out, format_args!("<li><b>{mark}</b> <span>{}</span>", inline(&claim.text)));
    for evidence in &claim.evidence {
        put(out, format_args!(" {}", code(&place(evidence))));
        let quote = shortened(evidence.quote.as_deref().unwrap_or_default());
        if !quote.is_empty() {
            put(out, format_args!("<pre data-line=\"{}\">{}</pre>", evidence.start_line, lines(quote)));
        }
    }
    for fault in &claim.faults {
        put(out, format_args!("<p class=\"fault\">{}</p>", inline(fault)));
    }
    out.push_str("</li>");
}

/// How much of the files was seen, over all.
pub(super) fn coverage(out: &mut String, report: &Report) {
    if report.files.is_empty() {
        return;
    }
    out.push_str(
        "<h3>Coverage</h3><div class=\"scroll\"><table class=\"grid narrow\"><thead><tr><th scope=\"col\">seen</th>\
                  <th scope=\"col\">files</th><th scope=\"col\">bytes</th></tr></thead><tbody>\n",
    );
    let words = [
        (Extent::Whole, "read whole"),
        (Extent::Ranges, "read in parts"),
        (Extent::Metadata, "name, size and kind only"),
        (Extent::Skipped, "left out by a rule"),
        (Extent::Unreadable, "could not be read"),
    ];
    for (extent, words) in words {
        let of = report.files.iter().filter(|file| file.extent == extent);
        let unlisted = if extent == Extent::Skipped { report.files_unlisted } else { 0 };
        let (files, bytes) = of.fold((unlisted, 0), |(files, bytes), file| (files + 1, bytes + file.size));
        let bytes = ByteSize(bytes);
        put(out, format_args!("<tr><td>{words}</td><td>{}</td><td>{bytes}</td></tr>\n", number(files)));
    }
    out.push_str("</tbody></table></div>\n");
    let coverage = report.coverage;
    if 0 < coverage.symbols {
        let seen = number(coverage.symbols_seen);
        let symbols = count(coverage.symbols, "type or function", "types and functions");
        put(out, format_args!("<p class=\"faint\">{seen} of {symbols} were seen.</p>\n"));
    }
}

pub(super) fn plan(out: &mut String, evaluation: &Evaluation) {
    let sum = |turns: fn(&luminos_core::evaluation::DirEvaluation) -> u32| {
        number(evaluation.per_directory.iter().map(|row| u64::from(turns(row))).sum())
    };
    put(
        out,
        format_args!(
            "<section id=\"plan\" class=\"part\"><div class=\"title\"><h2>Plan and outcome</h2><div id=\"plan-tools\" \
             class=\"tools\"></div></div>\n<p>Of <strong>{}</strong> turns that the plan gave to directories, \
             <strong>{}</strong> were used; <strong>{}</strong> were borrowed on top, <strong>{}</strong> given back.</p>\n\
             <div id=\"plan-chart\"></div>\n<noscript><p class=\"faint\">What each was allocated and used stands with \
             it under Directories.</p></noscript></section>\n",
            number(evaluation.total_turns_allocated.0.into()),
            number(evaluation.total_turns_used.0.into()),
            sum(|row| row.turns_borrowed.0),
            sum(|row| row.turns_returned.0),
        ),
    );
}
