//! The tool that finds lines by a regular expression, anywhere in the target.
//!
//! Files are found by descriptors beneath the target and opened as in `read_file`; links are not followed. Several
//! threads search, but the order of the results and where they are cut do not depend on which of them was faster.
//!
//! A pattern is a program that a stranger wrote: its size is limited when it is compiled, and the time of the whole
//! search when it runs.

use std::sync::Arc;
use std::time::Instant;

use luminos_core::Untrusted;
use luminos_core::proof::{Served, ToolCallId};
use luminos_core::secrets::{TextKind, redact, redact_part};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::root::{Root, Why};
use crate::session::{Done, Reply, Secrets, Session};
use crate::toolbox::{Scope, Tool};

mod found;
mod hunt;
mod ignored;
mod pattern;
#[cfg(test)]
mod tests;
mod walk;

use found::{FileHits, Line};
use hunt::{Hunt, Tally};
use pattern::Pattern;

/// How many matches are shown if nothing else was asked for.
const USUAL_MATCHES: usize = 50;
/// What the words around the matches may take of a result.
const WORDS: usize = 1_024;

/// The tool.
pub(crate) struct Search;

/// What to search for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct What {
    /// A regular expression, matched within single lines: Rust's syntax, close to Perl's, without look-around and
    /// back-references.
    #[schemars(length(min = 1, max = 1000))]
    pattern: String,
    /// The directory or file to search, relative to the target. The whole target if you leave it out.
    #[serde(default)]
    path: Option<String>,
    /// Only files whose path matches this, such as `*.rs` or `src/**/*.{c,h}`; with a leading `!` all others.
    #[schemars(length(max = 200))]
    #[serde(default)]
    glob: Option<String>,
    /// Whether the pattern is plain text.
    #[serde(default)]
    literal: bool,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    ignore_case: bool,
    /// How many lines to show before and after each match.
    #[schemars(range(max = 10))]
    #[serde(default)]
    context: usize,
    /// How many matching lines to show: 50 unless you say otherwise.
    #[schemars(range(min = 1, max = 200))]
    #[serde(default)]
    max_matches: Option<usize>,
    /// Skip so many matching lines, to read on where an earlier result was cut.
    #[serde(default)]
    skip: usize,
    /// Whether to search hidden and ignored files, too.
    #[serde(default)]
    all: bool,
}

impl Tool for Search {
    type Arguments = What;
    const NAME: &'static str = "search";
    const ABOUT: &'static str = "Find lines by a regular expression in all files of the target or of a part of it, with \
        paths and line numbers. Use it to see who uses a name, where a setting is read, how often something occurs. \
        Lines shown can be cited. Binary, hidden and ignored files are left out.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(session: &mut Session, what: What, call: &ToolCallId) -> Reply {
        let path = what.path.as_deref().map(|path| session.path(path)).transpose()?.unwrap_or_default();
        let pattern = Pattern::new(&what.pattern, what.literal, what.ignore_case)?;
        let glob = what.glob.as_deref().map(ignored::glob).transpose()?;
        let root = Arc::clone(session.root()?);
        let most = what.max_matches.unwrap_or(USUAL_MATCHES);
        let hunt = Hunt {
            root: &root,
            pattern,
            glob,
            all: what.all,
            secrets: session.secrets,
            context: what.context,
            // One more, to know whether there are more.
            enough: what.skip.saturating_add(most).saturating_add(1),
            line_bytes: session.limits.search_line_bytes,
            threads: session.limits.search_threads.get(),
            most_files: session.limits.search_files,
            deadline: Instant::now() + session.limits.search_time,
        };
        let (mut hits, mut tally) = match root.directory(&path) {
            Ok(directory) => hunt.below(directory),
            Err(refused) if refused.why == Why::NotADirectory => {
                session.may_show_at(&path)?;
                hunt.in_file(&path)?
            }
            Err(refused) => return Err(refused.to_string()),
        };
        if session.secrets == Secrets::Withheld {
            let before = hits.len();
            hits.retain(|file| !root.is_other_name_of_secret(&file.stamp));
            tally.withheld += before - hits.len();
        }
        mask(session, &root, &mut hits);
        Ok(report(session, &root, &hits, &tally, what.skip, most, call))
    }
}

/// Takes the secrets out of the lines that were found, by where they stand in their files.
fn mask(session: &mut Session, root: &Root, hits: &mut [FileHits]) {
    for file in hits {
        let opened = root.file(&file.path).ok().filter(|opened| opened.stamp == file.stamp);
        let range = file.lines.first().map_or(0, |line| line.start)..file.lines.last().map_or(0, Line::end);
        let secrets = opened.and_then(|opened| {
            let encoding = session.facts(&opened).ok()?.encoding;
            session.secrets(&opened, encoding, range).ok()
        });
        for line in &mut file.lines {
            let start = usize::try_from(line.start).unwrap_or(usize::MAX);
            line.text = match &secrets {
                Some(secrets) => redact_part(&line.text, start, secrets),
                // It has changed meanwhile, so all there is to go by is the line itself.
                None => redact(&line.text, TextKind::Settings).map_or_else(|| line.text.clone(), |it| it.bytes),
            };
        }
    }
}

/// Puts what was found into words, as far as it fits.
fn report(
    session: &mut Session,
    root: &Root,
    hits: &[FileHits],
    tally: &Tally,
    skip: usize,
    most: usize,
    call: &ToolCallId,
) -> Done {
    let room = session.limits.result_bytes.saturating_sub(WORDS + tally.words().len());
    let mut rows = String::new();
    let mut served = Vec::new();
    let (mut seen, mut shown, mut files) = (0, 0, 0);
    let mut is_cut = false;
    'files: for file in hits {
        let mut above: Option<u64> = None;
        let mut blob = None;
        for unit in file.units() {
            if seen < skip {
                seen += 1;
                continue;
            }
            let mut unit = unit;
            let mut row = written(file, unit, above);
            if room < rows.len() + row.len() && shown == 0 {
                // Not even the first one fits with the lines around it, so it goes without them.
                unit = unit.iter().position(|line| line.is_match).map_or(unit, |at| &unit[at..=at]);
                row = written(file, unit, above);
            }
            if most <= shown || room < rows.len() + row.len() {
                is_cut = true;
                break 'files;
            }
            files += usize::from(above.is_none());
            above = unit.last().map(|line| line.number);
            rows.push_str(&row);
            seen += 1;
            shown += 1;
            let blob = *blob.get_or_insert_with(|| blob_of(session, root, file));
            served.extend(ranges(unit).map(|range| Served {
                path: file.path.clone(),
                blob,
                start: range.start,
                end: range.end,
                first_line: range.first_line,
                last_line: range.last_line,
                call: call.clone(),
            }));
        }
    }
    let mut text = match (shown, skip) {
        (0, 0) => "No line matches.".to_owned(),
        (0, _) => format!("No further line matches: there are {seen} in all."),
        (1, _) => "1 matching line is shown.".to_owned(),
        (shown, _) => format!("{shown} matching lines in {} are shown.", counted(files, "file")),
    };
    text.push_str(&tally.words());
    text.push('\n');
    if 0 < shown {
        text.push_str(&session.quoted(rows.as_bytes(), "matches"));
        text.push('\n');
    }
    if is_cut {
        text.push_str(&format!(
            "There are more. To read on, call again with \"skip\": {}; or narrow the pattern, the path or the glob.\n",
            skip + shown
        ));
    }
    Done { served, ..Done::text(text) }
}

/// A match with the lines around it: the path before the first of a file, a mark where lines are left out. It is
/// written in the way it will be shown, for its true length.
fn written(file: &FileHits, unit: &[Line], above: Option<u64>) -> String {
    let mut row = Vec::new();
    let first = unit.first().map_or(0, |line| line.number);
    let has_context = unit.iter().any(|line| !line.is_match);
    match above {
        None => row.extend_from_slice(&file.heading()),
        Some(above) if has_context && above + 1 < first => row.extend_from_slice(b"--\n"),
        Some(_) => {}
    }
    unit.iter().for_each(|line| line.write(&mut row));
    Untrusted::new(&row).for_lines()
}

/// The hash of a file that was searched; `None` if it is not any more what was searched.
fn blob_of(session: &mut Session, root: &Root, file: &FileHits) -> Option<luminos_core::ContentHash> {
    let opened = root.file(&file.path).ok()?;
    if opened.stamp != file.stamp {
        return None;
    }
    session.facts(&opened).ok()?.blob
}

/// Bytes that were shown in a row.
struct Range {
    start: u64,
    end: u64,
    first_line: u64,
    last_line: u64,
}

/// The ranges that lines make up: whole lines that follow one another are one.
fn ranges(group: &[Line]) -> impl Iterator<Item = Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for line in group {
        let (start, end) = (line.start, line.start + line.length);
        match ranges.last_mut() {
            Some(last) if last.end == start && last.last_line + 1 == line.number => {
                last.end = end;
                last.last_line = line.number;
            }
            Some(_) | None => {
                ranges.push(Range { start, end, first_line: line.number, last_line: line.number });
            }
        }
    }
    ranges.into_iter()
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
