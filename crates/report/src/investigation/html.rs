//! A report as one web page: a single file that needs nothing else, on this machine or on any other.
//!
//! What a reader sees first is written here as plain HTML. Directories, flags and the plan can be many thousand: their
//! numbers are embedded as data, what is said about directories as what is shown without a script, which a browser
//! with one does not look into. The script makes elements of those that are looked at.
//!
//! Nothing that the target or a model wrote can act: it comes on the page through [`Untrusted`], the script puts it
//! there as text only, and the page's own policy allows no script and no style but ours (by their hashes), no image, no
//! connection, no form and no frame. Words are never links: every link leads to a place on the page itself.

mod data;
mod lists;
mod paragraphs;
mod passes;
mod policy;

use std::fmt::{Display, Write as _};

use luminos_core::evaluation::Evaluation;
use luminos_core::flag::Severity;
use luminos_core::report::{Item, Note, Report, Section};
use luminos_core::{ByteSize, Untrusted};

use self::paragraphs::{block, inline, text};
use super::head::Tally;
use super::{Comparison, basis, glance};
use crate::measure::{count, money, number};
use crate::{prose, time};

/// Rules of the page, and its script: files of their own, put together in this order.
const STYLE: &str = concat!(
    include_str!("html/page/colors.css"),
    include_str!("html/page/page.css"),
    include_str!("html/page/lists.css"),
    include_str!("html/page/map.css"),
);
const SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("html/page/elements.js"),
    include_str!("html/page/entry.js"),
    include_str!("html/page/map.js"),
    include_str!("html/page/flags.js"),
    include_str!("html/page/tree.js"),
    include_str!("html/page/plan.js"),
    include_str!("html/page/start.js"),
    "})();\n",
);

/// The report as a web page. With the evaluation of its plan it also tells how turns were planned and used; with a
/// comparison, flags that an earlier report did not have are marked.
pub fn html(report: &Report, evaluation: Option<&Evaluation>, compared: Option<&Comparison>) -> String {
    let evaluation = evaluation.filter(|evaluation| !evaluation.per_directory.is_empty());
    let mut out = String::new();
    head(&mut out, report);
    bar(&mut out, report, evaluation.is_some());
    out.push_str("<main id=\"main\">\n");
    opening(&mut out, report);
    findings(&mut out, report);
    lists::map(&mut out, report);
    lists::flags(&mut out, report, compared);
    lists::directories(&mut out, report, evaluation);
    if let Some(evaluation) = evaluation {
        lists::plan(&mut out, evaluation);
    }
    passes::passes(&mut out, report);
    basis_of(&mut out, report);
    out.push_str(
        "</main>\n<footer class=\"foot\"><p>Made by Luminos. This page is one file: it loads nothing and ",
    );
    out.push_str("sends nothing.</p></footer>\n");
    out.push_str("<script type=\"application/json\" id=\"data\">");
    data::write(&mut out, report, evaluation, compared);
    out.push_str("</script>\n");
    put(&mut out, format_args!("<script>{SCRIPT}</script>\n</body>\n</html>\n"));
    out
}

/// Writing to a string cannot fail.
fn put(out: &mut String, words: impl Display) {
    let _ = write!(out, "{words}");
}

fn title(report: &Report) -> String {
    let name = text(&report.target);
    if name.is_empty() { "Report".to_owned() } else { name }
}

fn head(out: &mut String, report: &Report) {
    put(
        out,
        format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{} · Luminos report</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n",
            policy::policy(SCRIPT, STYLE),
            title(report),
        ),
    );
}

fn bar(out: &mut String, report: &Report, is_evaluated: bool) {
    out.push_str("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header class=\"bar\">\n");
    put(
        out,
        format_args!(
            "<a class=\"mark\" href=\"#main\"><span class=\"sun\" aria-hidden=\"true\"></span>{}</a>\n",
            title(report)
        ),
    );
    out.push_str("<nav aria-label=\"Parts of the report\"><ul>\n");
    let parts = [
        ("what", "What it is", true),
        ("map", "Map", !report.directories.is_empty()),
        ("flags", "Flags", true),
        ("directories", "Directories", !report.directories.is_empty()),
        ("plan", "Plan", is_evaluated),
        ("passes", "Cost", !report.passes.is_empty()),
        ("basis", "Basis", true),
    ];
    for (id, words, _) in parts.iter().filter(|(_, _, is_there)| *is_there) {
        put(out, format_args!("<li><a href=\"#{id}\">{words}</a></li>\n"));
    }
    out.push_str("</ul></nav>\n<button id=\"theme\" class=\"quiet\" type=\"button\" hidden>Theme: auto</button>\n</header>\n");
}

fn opening(out: &mut String, report: &Report) {
    let counters = &report.counters;
    put(
        out,
        format_args!(
            "<section id=\"what\" class=\"opening\" aria-label=\"What it is\">\n<h1>{}</h1>\n",
            title(report)
        ),
    );
    let facts = [
        count(counters.files, "file", "files"),
        count(counters.dirs, "directory", "directories"),
        ByteSize(counters.bytes).to_string(),
    ];
    let path = if report.path.is_empty() {
        String::new()
    } else {
        format!(" · <code>{}</code>", text(&report.path))
    };
    put(out, format_args!("<p class=\"facts\">{}{path}</p>\n", facts.join(" · ")));
    put(out, format_args!("<div class=\"brief\">{}</div>\n", block(&report.findings.brief)));
    if let Some(reason) = basis::why_partial(report, &Tally::of(report)) {
        put(out, format_args!("<p class=\"banner\"><strong>Partial.</strong> {}</p>\n", text(&reason)));
    }
    glance(out, report);
    tiles(out, report);
    out.push_str("</section>\n");
}

/// What a reader looks for first, field by field.
fn glance(out: &mut String, report: &Report) {
    let rows = glance::rows(report);
    if rows.is_empty() {
        return;
    }
    out.push_str("<dl class=\"glance\">\n");
    for row in rows {
        put(out, format_args!("<dt>{}</dt>", row.title));
        for line in &row.lines {
            put(out, format_args!("<dd>{}</dd>", inline(&line.plain())));
        }
        out.push('\n');
    }
    out.push_str("</dl>\n");
}

/// The numbers by which a reader judges the rest.
fn tiles(out: &mut String, report: &Report) {
    let counters = &report.counters;
    out.push_str("<ul class=\"tiles\">\n");
    let mut tile = |word: &str, value: &str, note: &str, share: Option<f64>| {
        put(out, format_args!("<li><span class=\"word\">{word}</span><span class=\"value\">{value}</span>"));
        if let Some(share) = share {
            let filled = (share * 100.0).clamp(0.0, 100.0);
            put(
                out,
                format_args!(
                    "<svg class=\"share\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
                     <rect class=\"all\" width=\"100\" height=\"4\"/><rect class=\"part\" width=\"{filled:.1}\" \
                     height=\"4\"/></svg>"
                ),
            );
        }
        put(out, format_args!("<span class=\"note\">{note}</span></li>\n"));
    };
    let verified = if report.claims == 0 {
        ("none".to_owned(), "no claims that can be checked".to_owned(), None)
    } else {
        let note =
            format!("{} of {}", number(report.claims_verified), count(report.claims, "claim", "claims"));
        (report.verified_share().to_string(), note, Some(report.verified_share().get()))
    };
    tile("verified", &verified.0, &verified.1, verified.2);
    let coverage = report.coverage;
    let seen = format!(
        "{} of {} files{}",
        number(coverage.files_seen),
        number(coverage.files),
        crate::coverage::unreadable(coverage)
    );
    tile("seen", &coverage.share().to_string(), &seen, Some(coverage.share().get()));
    let of = |severity: Severity| {
        let flags = report.flags.iter().filter(|flag| !flag.is_unproved());
        flags.filter(|flag| flag.severity == severity).count() as u64
    };
    let flags = Severity::ALL.map(|severity| format!("{} {}", number(of(severity)), severity.word()));
    tile("flags", &number(report.flags.len() as u64), &flags.join(" · "), None);
    let dirs = format!("of {} investigated", count(counters.dirs, "directory", "directories"));
    tile("directories", &number(counters.dirs_investigated), &dirs, None);
    let turns = count(counters.turns, "turn", "turns");
    let calls = count(counters.calls, "model call", "model calls");
    let cost = match counters.cost {
        _ if counters.calls == 0 => "nothing".to_owned(),
        Some(cost) => money(cost),
        None => "not known".to_owned(),
    };
    let others = match (counters.reserved.calls, counters.lost.calls) {
        (0, 0) => String::new(),
        _ => format!(
            "; besides {} reserved, {} lost in flight",
            money(counters.reserved.money),
            money(counters.lost.money)
        ),
    };
    tile("spent", &cost, &format!("{turns}, {calls}{others}"), None);
    tile("time", &time::duration(counters.seconds), &text(&time::stamp(&report.made_at)), None);
    out.push_str("</ul>\n");
}

fn findings(out: &mut String, report: &Report) {
    let findings = &report.findings;
    let detailed = findings.detailed.trim();
    let has_overview = detailed != findings.brief.trim() && !detailed.is_empty();
    if !has_overview && findings.sections.is_empty() && report.subsystems.is_empty() {
        return;
    }
    out.push_str("<div class=\"findings\">\n");
    if has_overview {
        put(
            out,
            format_args!("<section class=\"card wide\"><h2>Overview</h2>{}</section>\n", block(detailed)),
        );
    }
    for section in Section::ALL {
        if let Some(items) = findings.sections.get(&section).filter(|items| !items.is_empty()) {
            let is_wide = matches!(section, Section::Architecture | Section::OverallPurpose);
            let class = if is_wide { "card wide" } else { "card" };
            put(out, format_args!("<section class=\"{class}\"><h2>{}</h2>", section.title()));
            items_of(out, items);
            out.push_str("</section>\n");
        }
        if section == Section::Components && !report.subsystems.is_empty() {
            subsystems(out, report);
        }
    }
    out.push_str("</div>\n");
}

/// A text of so many characters stands beside what it is about.
const SHORT: usize = 48;
/// More items than this are folded.
const SHOWN_ITEMS: usize = 6;

fn items_of(out: &mut String, items: &[Item]) {
    if let [item] = items
        && item.name.trim().is_empty()
        && item.path.is_none()
    {
        out.push_str(&block(&item.text));
        return;
    }
    let (first, rest) = items.split_at(items.len().min(SHOWN_ITEMS));
    let list = |out: &mut String, items: &[Item]| {
        out.push_str("<ul class=\"items\">");
        items.iter().for_each(|item| self::item(out, item));
        out.push_str("</ul>");
    };
    list(out, first);
    if !rest.is_empty() {
        put(
            out,
            format_args!("<details class=\"rest\"><summary>{} more</summary>", number(rest.len() as u64)),
        );
        list(out, rest);
        out.push_str("</details>");
    }
}

fn item(out: &mut String, item: &Item) {
    let name = text(&item.name);
    let path = item.path.as_ref().map(|path| Untrusted::new(path.for_terminal().as_bytes()).for_html());
    let head = match path {
        Some(path) if name.is_empty() || path == name => format!("<code class=\"head\">{path}</code>"),
        Some(path) if prose::is_short_for(&name, &path) => {
            format!("<code class=\"head\">{name}</code>")
        }
        Some(path) => format!("<strong class=\"head\">{name}</strong> <code>{path}</code>"),
        None if name.is_empty() => String::new(),
        None => format!("<strong class=\"head\">{name}</strong>"),
    };
    let words = item
        .path
        .as_ref()
        .map_or(item.text.as_str(), |path| prose::beyond_name(&item.text, &path.for_terminal()));
    let is_short = !head.is_empty() && words.chars().count() <= SHORT && !words.contains('\n');
    let (class, words) = match is_short {
        true => (" class=\"short\"", format!(" <span>{}</span>", inline(words))),
        false => ("", block(words)),
    };
    put(out, format_args!("<li{class}>{head}{words}</li>"));
}

fn subsystems(out: &mut String, report: &Report) {
    out.push_str("<section class=\"card\"><h2>Subsystems</h2><ul class=\"items\">");
    for subsystem in &report.subsystems {
        let dirs = count(subsystem.dirs.len() as u64, "directory", "directories");
        put(
            out,
            format_args!(
                "<li><strong class=\"head\">{}</strong> <span class=\"faint\">{dirs}</span>{}</li>",
                text(&subsystem.name),
                block(&subsystem.description)
            ),
        );
    }
    out.push_str("</ul></section>\n");
}

fn basis_of(out: &mut String, report: &Report) {
    out.push_str(
        "<section id=\"basis\" class=\"part\"><h2>What this rests on</h2>\n<table class=\"pairs\"><tbody>\n",
    );
    for (word, fact) in basis::facts(report, &Tally::of(report)) {
        put(out, format_args!("<tr><th scope=\"row\">{word}</th><td>{}</td></tr>\n", text(&fact)));
    }
    out.push_str("</tbody></table>\n");
    lists::coverage(out, report);
    let notes: Vec<&Note> = report.notes.iter().filter(|note| !matches!(note, Note::Partial(_))).collect();
    if !notes.is_empty() {
        out.push_str("<h3>Notes</h3><ul class=\"notes\">");
        for note in notes {
            let (kind, words) = basis::note(note);
            put(out, format_args!("<li><strong>{kind}</strong> {}</li>", inline(words)));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

#[cfg(test)]
mod tests;
