//! Bodies by indentation: Python.

use super::{LEAST, Measured, Method, Skim};
use crate::structure::Heads;

/// Words at the beginning of a line that belong into an outline: a body with one of them stays.
const KEEPS: &[&[u8]] = &[b"def", b"class", b"async", b"import", b"from"];

/// Words that nest what follows.
const NESTS: &[&[u8]] = &[b"if", b"for", b"while", b"try", b"with", b"match"];

/// Words at which the way divides.
const FORKS: &[&[u8]] = &[b"if", b"elif", b"for", b"while", b"except", b"and", b"or"];

/// A line of a program: a statement with all the lines it goes over, or a line without code.
struct Line {
    start: usize,
    /// Where the next one begins.
    end: usize,
    indent: usize,
    rows: usize,
    code_rows: u32,
    forks: u32,
    /// Whether it has no comment.
    is_empty: bool,
    kind: LineKind,
}

impl Line {
    /// Whether nothing stands in it, not even a comment.
    fn is_blank(&self) -> bool {
        self.kind == LineKind::Nothing && self.is_empty
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// Blank, or only a comment.
    Nothing,
    /// Begins with `def`, perhaps after `async`, and ends with `:`.
    Function,
    /// Begins with a word that nests.
    Nest,
    /// Goes on with what a nesting line began: `else`, `except`.
    Continuation,
    /// Begins with a word that belongs into an outline.
    Kept,
    /// Only a string: documentation, if it comes first.
    String,
    Other,
}

/// The text without bodies.
///
/// Where only names are asked for, a method is its name: parameters and what it says in its body go, too. And of methods that
/// follow each other, the grammar reads the first and the last: those between are like the first, but for their names.
pub(super) fn skim(text: &[u8], heads: Heads) -> Skim {
    let mut skim = Skim { text: Vec::with_capacity(text.len() / 2), ..Skim::default() };
    let lines = read(text);
    skim.code_lines = lines.iter().map(|line| line.code_rows).sum();
    let (mut kept_from, mut rows_cut, mut row) = (0, 0, 0);
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        row += line.rows;
        index += 1;
        let Some(body) = Body::of(&lines, index - 1, heads) else { continue };
        let head_row = row;
        match short_head(text, line).filter(|_| body.is_name_only) {
            Some(head) => {
                skim.text.extend_from_slice(text.get(kept_from..head).unwrap_or_default());
                skim.text.extend_from_slice(b"():\n");
            }
            None => skim.text.extend_from_slice(text.get(kept_from..body.start).unwrap_or_default()),
        }
        skim.text.extend(std::iter::repeat_n(b' ', body.indent));
        skim.text.extend_from_slice(b"pass\n");
        rows_cut += body.rows - 1;
        row += body.doc_rows + body.rows;
        skim.push(row - rows_cut, body.rows - 1, body.measured);
        kept_from = body.stop;
        index = body.after;
        let between = if body.is_name_only { between(text, &lines, index, line.indent) } else { Vec::new() };
        if let Some(next) = between.last().map(|method| method.next) {
            let rows: usize = lines.get(index..next).unwrap_or_default().iter().map(|line| line.rows).sum();
            for method in between {
                let first = row + method.rows_before;
                skim.methods.push(Method::new(
                    method.name,
                    head_row,
                    first,
                    first + method.rows - 1,
                    method.measured,
                ));
            }
            // One line stands for them, so that nothing else ends where they do.
            skim.text.push(b'\n');
            rows_cut += rows - 1;
            row += rows;
            skim.push(row - rows_cut, rows - 1, Measured::default());
            index = next;
            kept_from = lines.get(next).map_or(text.len(), |line| line.start);
        }
    }
    skim.text.extend_from_slice(text.get(kept_from..).unwrap_or_default());
    skim
}

/// What is left out of a function.
struct Body {
    /// Where it starts in the text, and where it stops.
    start: usize,
    stop: usize,
    /// The line after it.
    after: usize,
    indent: usize,
    rows: usize,
    /// What is kept before it: documentation.
    doc_rows: usize,
    measured: Measured,
    is_name_only: bool,
}

impl Body {
    /// The body of the function at a line, if it is to be left out.
    fn of(lines: &[Line], at: usize, heads: Heads) -> Option<Self> {
        let line = lines.get(at).filter(|line| line.kind == LineKind::Function)?;
        let below = lines.get(at + 1..).unwrap_or_default();
        // Documentation stays, and with it what stands before it.
        let doc = below.iter().position(|line| line.kind != LineKind::Nothing);
        let doc = doc.filter(|at| below.get(*at).is_some_and(|line| line.kind == LineKind::String));
        let is_name_only = heads == Heads::Names && 0 < line.indent;
        let first = doc.filter(|_| !is_name_only).map_or(0, |at| at + 1);
        let (end, measured) = measure(below.get(first..).unwrap_or_default(), line.indent)?;
        let body = below.get(first..first + end).filter(|body| !body.is_empty())?;
        let (start, stop) = (body.first()?.start, body.last()?.end);
        let indent = body.iter().find(|line| line.kind != LineKind::Nothing).map_or(0, |line| line.indent);
        let least = if is_name_only { LEAST / 2 } else { LEAST };
        if stop - start < least || indent <= line.indent {
            return None;
        }
        let rows = body.iter().map(|line| line.rows).sum();
        let doc_rows = below.get(..first).unwrap_or_default().iter().map(|line| line.rows).sum();
        Some(Self {
            start,
            stop,
            after: at + 1 + first + end,
            indent,
            rows,
            doc_rows,
            measured,
            is_name_only,
        })
    }
}

/// A method that is not read by the grammar.
struct Between {
    name: String,
    /// Rows between the method that is like it and its head, and how many it has itself.
    rows_before: usize,
    rows: usize,
    measured: Measured,
    /// The line of the next one.
    next: usize,
}

/// The methods of a class that follow one that was cut, with nothing but blank lines between them, but for the last.
fn between(text: &[u8], lines: &[Line], from: usize, indent: usize) -> Vec<Between> {
    let mut found: Vec<Between> = Vec::new();
    if !is_in_class(text, lines, from, indent) {
        return found;
    }
    let head =
        |at: usize| lines.get(at).filter(|line| line.kind == LineKind::Function && line.indent == indent);
    let (mut at, mut rows) = (from, 0);
    loop {
        while let Some(blank) = lines.get(at).filter(|line| line.is_blank()) {
            rows += blank.rows;
            at += 1;
        }
        if let Some(last) = found.last_mut() {
            last.next = at;
        }
        let body = head(at).and_then(|line| Body::of(lines, at, Heads::Names).zip(name_of(text, line)));
        let Some((body, name)) = body else { break };
        let own = 1 + body.rows;
        found.push(Between { name, rows_before: rows + 1, rows: own, measured: body.measured, next: at });
        rows += own;
        at = body.after;
    }
    // Where the last one ends, its class may end: that is for the grammar to say.
    if head(at).is_none() {
        found.pop();
    }
    found
}

/// Whether what is indented so at a line lies directly in a class.
fn is_in_class(text: &[u8], lines: &[Line], at: usize, indent: usize) -> bool {
    let around = lines.get(..at).unwrap_or_default().iter().rev();
    let around = around.filter(|line| line.kind != LineKind::Nothing).find(|line| line.indent < indent);
    around.is_some_and(|line| {
        text.get(line.start + line.indent..line.end).is_some_and(|text| text.starts_with(b"class "))
    })
}

/// The name of a function whose head is one line, if it is as plain as names are.
fn name_of(text: &[u8], line: &Line) -> Option<String> {
    let head = text.get(line.start + line.indent..short_head(text, line)?)?;
    let name = head.strip_prefix(b"async ").unwrap_or(head).trim_ascii_start().strip_prefix(b"def ")?;
    let name = std::str::from_utf8(name.trim_ascii()).ok()?;
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then(|| name.to_owned())
}

/// Where the name of a function ends whose head is one line.
fn short_head(text: &[u8], line: &Line) -> Option<usize> {
    let head = text.get(line.start..line.end).filter(|_| line.rows == 1)?;
    Some(line.start + memchr::memchr(b'(', head)?)
}

/// How many lines belong to a body that is indented deeper than its function, and what was counted in them; `None` if it must stay.
fn measure(lines: &[Line], indent: usize) -> Option<(usize, Measured)> {
    let mut measured = Measured::default();
    let mut nests: Vec<usize> = Vec::new();
    let mut end = 0;
    for (index, line) in lines.iter().enumerate() {
        if line.kind == LineKind::Nothing {
            continue;
        }
        if line.indent <= indent {
            break;
        }
        if matches!(line.kind, LineKind::Function | LineKind::Kept) {
            return None;
        }
        let goes_on = usize::from(line.kind == LineKind::Continuation);
        while nests.last().is_some_and(|open| line.indent < *open + 1 - goes_on) {
            nests.pop();
        }
        if line.kind == LineKind::Nest {
            nests.push(line.indent);
            measured.nesting = measured.nesting.max(u32::try_from(nests.len()).unwrap_or(u32::MAX));
        }
        measured.branches += line.forks;
        end = index + 1;
    }
    Some((end, measured))
}

/// Cuts a text into lines.
fn read(text: &[u8]) -> Vec<Line> {
    let mut lines = Vec::with_capacity(text.len() / 40);
    let mut at = 0;
    while at < text.len() {
        let line = read_line(text, at);
        at = line.end.max(at + 1);
        lines.push(line);
    }
    lines
}

fn read_line(text: &[u8], start: usize) -> Line {
    let rest = text.get(start..).unwrap_or_default();
    let indent = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let mut at = start + indent;
    let mut line = Line {
        start,
        end: at,
        indent,
        rows: 0,
        code_rows: 0,
        forks: 0,
        is_empty: true,
        kind: LineKind::Nothing,
    };
    let (mut depth, mut last) = (0_u32, b'\n');
    let (mut has_code, mut is_first, mut only_strings) = (false, true, true);
    while let Some(byte) = text.get(at) {
        match byte {
            b'\n' => {
                at += 1;
                line.rows += 1;
                line.code_rows += u32::from(has_code);
                has_code = false;
                if depth == 0 && last != b'\\' {
                    break;
                }
                last = b' ';
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'#' => {
                line.is_empty = false;
                let rest = text.get(at..).unwrap_or_default();
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            b'"' | b'\'' => {
                let end = string_end(text, at, *byte);
                let passed = text.get(at..end).unwrap_or_default();
                let rows = memchr::memchr_iter(b'\n', passed).count();
                line.rows += rows;
                line.code_rows += u32::try_from(rows).unwrap_or(0);
                if is_first {
                    line.kind = LineKind::String;
                }
                at = end;
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | 0x80.. => {
                let rest = text.get(at..).unwrap_or_default();
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
                let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
                let word = rest.get(..length).unwrap_or_default();
                at += length;
                // The letters before a string belong to it.
                if length <= 2 && matches!(text.get(at), Some(b'"' | b'\'')) {
                    continue;
                }
                only_strings = false;
                line.forks += u32::from(FORKS.contains(&word) || is_first && word == b"case");
                if is_first {
                    line.kind = match word {
                        b"def" => LineKind::Function,
                        b"async"
                            if rest
                                .get(5..)
                                .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"def")) =>
                        {
                            LineKind::Function
                        }
                        b"async" => LineKind::Nest,
                        b"elif" | b"else" | b"except" | b"finally" => LineKind::Continuation,
                        word if KEEPS.contains(&word) => LineKind::Kept,
                        word if NESTS.contains(&word) => LineKind::Nest,
                        _ => LineKind::Other,
                    };
                }
            }
            byte => {
                match byte {
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    b'@' if is_first => line.kind = LineKind::Other,
                    _ => {}
                }
                only_strings = false;
                if is_first {
                    line.kind = LineKind::Other;
                }
                at += 1;
            }
        }
        has_code = true;
        is_first = false;
        last = text.get(at.saturating_sub(1)).copied().unwrap_or(b' ');
    }
    if text.get(at.saturating_sub(1)) != Some(&b'\n') {
        line.rows += 1;
        line.code_rows += u32::from(has_code);
    }
    // A function whose body stands in the same line has none below.
    if line.kind == LineKind::Function && last != b':' {
        line.kind = LineKind::Kept;
    }
    // `match` is a plain name, too.
    let is_open = last == b':' || text.get(start + indent..).is_some_and(|text| !text.starts_with(b"match"));
    if line.kind == LineKind::Nest && !is_open {
        line.kind = LineKind::Other;
    }
    if line.kind == LineKind::String && !only_strings {
        line.kind = LineKind::Other;
    }
    line.end = at;
    line
}

/// Where a string ends that begins here.
fn string_end(text: &[u8], at: usize, mark: u8) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let is_long = rest.get(..3) == Some(&[mark; 3]);
    let mut length = if is_long { 3 } else { 1 };
    loop {
        let tail = rest.get(length..).unwrap_or_default();
        let found = if is_long {
            memchr::memchr2(mark, b'\\', tail)
        } else {
            memchr::memchr3(mark, b'\\', b'\n', tail)
        };
        let Some(found) = found else { return text.len() };
        match tail.get(found) {
            Some(b'\\') => length += found + 2,
            // A string that does not end in its line was none.
            Some(b'\n') => return at + length + found,
            _ if is_long && tail.get(found..found + 3) != Some(&[mark; 3]) => length += found + 1,
            _ => return (at + length + found + if is_long { 3 } else { 1 }).min(text.len()),
        }
    }
}
