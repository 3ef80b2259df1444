//! The tool that shows text of a file: by bytes or by lines, never more than was asked for or fits, and always with
//! the way to what was left out. What is no text is described.

use std::fs::File;

use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::{Served, ToolCallId};
use luminos_core::{RelPath, Untrusted};
use rustix::fs::fstat;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::blobs::{Encoding, Facts, read_full};
use crate::root::{Opened, Stamp};
use crate::session::{Done, Effect, Reply, Session};
use crate::toolbox::{Scope, Tool};

mod binary;
mod piece;
#[cfg(test)]
mod tests;

use piece::Piece;

/// How much is shown if nothing else was asked for.
const USUAL_BYTES: u64 = 4_096;
/// What the words around the text may take of a result.
const WORDS: usize = 1_024;

/// The tool.
pub(crate) struct ReadFile;

/// What to read.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct What {
    /// The file, relative to the target, such as `src/main.rs`.
    #[schemars(length(min = 1))]
    path: String,
    /// How many bytes to show at most: 4096 unless you say otherwise, or as many as fit when you ask for lines.
    #[schemars(range(min = 1, max = 32768))]
    #[serde(default)]
    max_bytes: Option<u64>,
    /// The byte to start at, counted from 0. Not together with lines.
    #[serde(default)]
    offset: Option<u64>,
    /// The first line to show, counted from 1.
    #[schemars(range(min = 1))]
    #[serde(default)]
    start_line: Option<u64>,
    /// The last line to show.
    #[schemars(range(min = 1))]
    #[serde(default)]
    end_line: Option<u64>,
    /// Whether each line is shown with its number and a tab before it.
    #[serde(default)]
    numbered: bool,
}

impl Tool for ReadFile {
    type Arguments = What;
    const NAME: &'static str = "read_file";
    const ABOUT: &'static str = "Read a file, or a part of it: by bytes (offset, max_bytes) or by lines (start_line, \
        end_line; numbered shows line numbers, which you need to cite). Says which lines were shown, and how to read on \
        where it cut. Binary files are described instead. Several calls in one turn are fine.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(session: &mut Session, what: What, call: &ToolCallId) -> Reply {
        let path = session.path(&what.path)?;
        let opened = session.root()?.file(&path).map_err(|refused| refused.to_string())?;
        session.may_show(&opened)?;
        let facts = session.facts(&opened)?;
        let mut done = match facts.encoding {
            _ if opened.stamp.size == 0 => Done::text(format!("{}\n", head(&path, &opened, &facts))),
            Encoding::Binary => binary::describe(session, &path, &opened, &facts, call)?,
            Encoding::Utf8 { .. } | Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Latin1 => {
                show(session, &path, &opened, &facts, &what, call)?
            }
        };
        done.effects.extend(foreign_link(session, &opened));
        Ok(done)
    }
}

/// The first line of every result: what the file is as a whole.
fn head(path: &RelPath, opened: &Opened, facts: &Facts) -> String {
    let name = opened.name.for_terminal();
    let mut words = String::new();
    if *path != opened.name && is_link(path, opened) {
        words.push_str(&format!("`{}` leads to `{name}`.\n", path.for_terminal()));
    }
    let size = opened.stamp.size;
    if size == 0 {
        words.push_str(&format!("`{name}` is empty."));
        return words;
    }
    words.push_str(&format!("`{name}`: "));
    if facts.encoding != Encoding::Binary {
        match &facts.lines {
            Some(lines) => words.push_str(&format!("{}, ", counted(lines.total, "line"))),
            None => words.push_str("lines not counted, "),
        }
    }
    words.push_str(&format!("{}, {}", counted(size, "byte"), facts.encoding.words()));
    if opened.stamp.is_sparse() {
        words.push_str(&format!(", mostly holes: {} allocated", counted(opened.stamp.allocated, "byte")));
    }
    match &facts.blob {
        Some(blob) => words.push_str(&format!(", blob {}.", blob.short())),
        None if facts.lines.is_none() => words.push_str(", too large to be hashed."),
        None => words.push_str(". It changed while it was read: what is shown cannot be cited."),
    }
    words
}

fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Whether a path is another name, and not only another spelling.
fn is_link(path: &RelPath, opened: &Opened) -> bool {
    let names = |path: &RelPath| -> Vec<Vec<u8>> {
        let names = path.as_bytes().split(|&byte| byte == b'/').filter(|name| !matches!(name, [] | [b'.']));
        names.map(<[u8]>::to_vec).collect()
    };
    names(path) != names(&opened.name) && !path.as_bytes().windows(2).any(|pair| pair == b"..")
}

/// A file of somebody else that has further names may be one from elsewhere, linked into the target.
fn foreign_link(session: &Session, opened: &Opened) -> Option<Effect> {
    let owner = session.root().ok()?.owner();
    if opened.stamp.names < 2 || opened.stamp.owner == owner {
        return None;
    }
    Some(Effect::Flag(Flag {
        path: opened.name.clone(),
        finding:
            "This file has several names and belongs to another user than the target: it may be a file from \
                  outside that was linked in."
                .to_owned(),
        severity: Severity::Info,
        rule: Some("file.foreign-hard-link".to_owned()),
        evidence: Vec::new(),
        directory: session.dir().clone(),
        verified: false,
        faults: Vec::new(),
    }))
}

/// Which bytes are wanted.
struct Range {
    start: u64,
    /// Where what was asked for ends.
    stop: u64,
    /// How many bytes may be shown of it.
    most: u64,
    is_by_lines: bool,
}

fn range(file: &File, size: u64, facts: &Facts, what: &What, room: usize) -> Result<Range, String> {
    let is_by_lines = what.start_line.is_some() || what.end_line.is_some();
    let room = room as u64;
    if !is_by_lines {
        let start = what.offset.unwrap_or(0);
        if size <= start {
            return Err(format!("The file has {size} bytes: `offset` must be below that, not {start}."));
        }
        let most = what.max_bytes.unwrap_or(USUAL_BYTES).min(room);
        return Ok(Range { start, stop: size, most, is_by_lines });
    }
    if what.offset.is_some() {
        return Err("Ask by bytes (`offset`) or by lines (`start_line`, `end_line`), not both.".to_owned());
    }
    let lines = facts.lines.as_ref().ok_or_else(|| {
        format!(
            "The file has {size} bytes; lines are not counted in files that large. Use `offset`, or search."
        )
    })?;
    let first = what.start_line.unwrap_or(1);
    let last = what.end_line.unwrap_or(u64::MAX).min(lines.total);
    if lines.total < first {
        return Err(format!("The file has {}: there is no line {first}.", counted(lines.total, "line")));
    }
    if last < first {
        return Err(format!("`end_line` ({last}) lies before `start_line` ({first})."));
    }
    let place = |line: u64| match lines.start(file, line) {
        Ok(place) => place.ok_or_else(|| "The file changed while it was read. Try again.".to_owned()),
        Err(error) => Err(format!("It could not be read: {error}.")),
    };
    let start = place(first)?;
    let stop = if last == lines.total { size } else { place(last + 1)? };
    Ok(Range { start, stop, most: what.max_bytes.unwrap_or(room).min(room), is_by_lines })
}

fn show(
    session: &mut Session,
    path: &RelPath,
    opened: &Opened,
    facts: &Facts,
    what: &What,
    call: &ToolCallId,
) -> Reply {
    let unread = |error: std::io::Error| format!("It could not be read: {error}.");
    let room = session.limits.result_bytes.saturating_sub(WORDS);
    let Opened { file, stamp, name } = opened;
    let range = range(file, stamp.size, facts, what, room)?;
    let mut bytes = vec![0; usize::try_from((range.stop - range.start).min(range.most)).unwrap_or(room)];
    let length = read_full(file, &mut bytes, range.start).map_err(unread)?;
    bytes.truncate(length);

    let mut piece = Piece::new(&bytes, range.start, range.stop, facts);
    let first_line = match &facts.lines {
        Some(lines) => lines.at(file, piece.start).map_err(unread)?,
        None => 0,
    };
    let label = name.for_terminal();
    let secrets = session.secrets(opened, facts.encoding, piece.start..piece.end())?;
    let text = loop {
        let shown = piece.text(facts.encoding, what.numbered.then_some(first_line), &secrets);
        let text = session.quoted(&shown, &label);
        if text.len() <= room || !piece.shrink(room, text.len()) {
            break text;
        }
    };
    let last_line = if first_line == 0 { 0 } else { piece.last_line(first_line) };

    let mut words = head(path, opened, facts);
    words.push('\n');
    let bytes_shown = format!("bytes {}–{}", piece.start, piece.end().saturating_sub(1));
    match (first_line, last_line) {
        (0, _) => words.push_str(&format!("Shown: {bytes_shown}.\n")),
        (first, last) if first == last => words.push_str(&format!("Shown: line {first} ({bytes_shown}).\n")),
        (first, last) => words.push_str(&format!("Shown: lines {first}–{last} ({bytes_shown}).\n")),
    }
    words.push_str(&text);
    words.push('\n');
    if piece.end() < range.stop {
        words.push_str(&read_on(name, &piece, &range, what, last_line));
    }
    // What was read before and after a change belongs to no state of the file that anybody could look up.
    let is_same = fstat(file).is_ok_and(|stat| Stamp::of(&stat) == *stamp);
    let served = Served {
        path: name.clone(),
        blob: facts.blob.filter(|_| is_same),
        start: piece.start,
        end: piece.end(),
        first_line,
        last_line,
        call: call.clone(),
    };
    Ok(Done { served: vec![served], ..Done::text(words) })
}

/// The very call that shows what comes next.
fn read_on(name: &RelPath, piece: &Piece<'_>, range: &Range, what: &What, last_line: u64) -> String {
    let path = Untrusted::new(name.to_word().as_bytes()).for_json();
    let mut call = format!("{{\"path\":{path}");
    if range.is_by_lines && piece.ends_with_line() {
        call.push_str(&format!(",\"start_line\":{}", last_line + 1));
        if let Some(last) = what.end_line {
            call.push_str(&format!(",\"end_line\":{last}"));
        }
    } else {
        call.push_str(&format!(",\"offset\":{}", piece.end()));
    }
    if let Some(most) = what.max_bytes {
        call.push_str(&format!(",\"max_bytes\":{most}"));
    }
    if what.numbered {
        call.push_str(",\"numbered\":true");
    }
    call.push('}');
    format!("Cut here, {} bytes are left. To read on: read_file {call}\n", range.stop - piece.end())
}
