//! Text that came from the target, and the safe ways out of it.
//!
//! A file name may hold escape sequences, bidirectional overrides or bytes that are no UTF-8; a file may hold
//! markup, and instructions to whoever reads it. Nothing of that may reach a terminal, a page or a model as it is.
//! The type has no `Display`: whoever prints must say for whom.
//!
//! In every way out what is treacherous shows as `\u{202e}` and the like, and bytes that are no UTF-8 as `\xff`.

use std::fmt::Write as _;

mod fence;

pub use fence::Fence;

/// Bytes nobody vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untrusted<'a>(&'a [u8]);

impl<'a> Untrusted<'a> {
    /// Wraps bytes of the target.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Text that is inert on a terminal and in a log: one line, whatever came in.
    pub fn for_terminal(self) -> String {
        self.shown(&PLAIN, |out, character| match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            character => push_seen(out, character),
        })
    }

    /// Text for a web page, between tags or inside a quoted attribute. Line feeds and tabs stay.
    pub fn for_html(self) -> String {
        self.shown(&PLAIN_IN_HTML, |out, character| match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            '\n' | '\t' => out.push(character),
            character => push_seen(out, character),
        })
    }

    /// Text inside a Markdown paragraph: no emphasis, no link, no image, no table cell, no HTML comes of it, and
    /// nothing that only looks like an address becomes a link. It stays one line.
    pub fn for_markdown(self) -> String {
        let line = self.for_terminal();
        let mut out = String::with_capacity(line.len() + line.len() / 8);
        // All of these are characters of one byte.
        let mut from = 0;
        for (at, byte) in line.bytes().enumerate() {
            let is_marked = match byte {
                b'\\' | b'`' | b'*' | b'_' | b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'#'
                | b'|' | b'~' | b'&' | b':' | b'@' | b'!' | b'$' | b'^' => true,
                // These begin a list or a heading's underline, but only where a line begins.
                b'-' | b'+' | b'=' => line[..at].trim().is_empty(),
                // A number with a full stop begins a list, `www.` an address.
                b'.' => {
                    let before = &line[..at];
                    before.trim_start().bytes().all(|byte| byte.is_ascii_digit())
                        || before
                            .len()
                            .checked_sub(3)
                            .and_then(|start| before.get(start..))
                            .is_some_and(|end| end.eq_ignore_ascii_case("www"))
                }
                _ => false,
            };
            if is_marked {
                out.push_str(&line[from..at]);
                out.push('\\');
                from = at;
            }
        }
        out.push_str(&line[from..]);
        // Four spaces at the start of a line would make it code.
        let spaces = out.len() - out.trim_start_matches(' ').len();
        if 0 < spaces { format!("&#32;{}", &out[1..]) } else { out }
    }

    /// A Markdown block of code: the fence is longer than any row of backticks inside, so that nothing inside can
    /// end it. The kind is what stands behind the fence, such as `rust`; only letters and digits of it are used.
    pub fn for_markdown_block(self, kind: &str) -> String {
        let text = self.for_lines();
        let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let kind: String = kind.chars().filter(char::is_ascii_alphanumeric).collect();
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        format!("{fence}{kind}\n{text}{end}{fence}\n")
    }

    /// A JSON string, with its quotes. Reading it gives back the very text, if it was UTF-8; other bytes become
    /// U+FFFD. It holds nothing that acts when it is printed, and may stand inside a script of a web page.
    pub fn for_json(self) -> String {
        let mut out = String::with_capacity(self.0.len() + 2);
        out.push('"');
        for character in String::from_utf8_lossy(self.0).chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                character if Self::is_treacherous(character) || matches!(character, '<' | '>' | '&') => {
                    let mut units = [0; 2];
                    for unit in character.encode_utf16(&mut units) {
                        let _ = write!(out, "\\u{unit:04x}");
                    }
                }
                character => out.push(character),
            }
        }
        out.push('"');
        out
    }

    /// Data for a model: between two marks that hold the fence's number, with a label. Whoever wrote the data does
    /// not know the number, and should it occur in the data nevertheless, it is broken up: so nothing inside can look
    /// like the closing mark. Line feeds and tabs stay; the carriage return of a line's end is left out.
    pub fn for_prompt(self, label: &str, fence: &Fence) -> String {
        let text = fence.broken_up(self.for_lines());
        let label = Untrusted::new(label.as_bytes()).for_terminal().replace(['<', '>'], "?");
        let label = fence.broken_up(label);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        format!("{}\n{text}{end}{}", fence.opening(&label), fence.closing())
    }

    /// Text that is inert in the same way but keeps its lines: line feeds and tabs stay, and the carriage return of a
    /// line's end is left out. Neither marked nor fenced: for whoever puts several pieces together.
    pub fn for_lines(self) -> String {
        // Nearly all text is plain: one quick look spares a closer one at each character.
        // Without stopping inside a piece, many bytes are looked at in one step.
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        let is_plain =
            self.0.chunks(128).all(|piece| piece.iter().fold(true, |so_far, byte| so_far & is_plain(byte)));
        if let (true, Ok(text)) = (is_plain, std::str::from_utf8(self.0)) {
            return text.to_owned();
        }
        let mut out = self.shown(&PLAIN, |out, character| match character {
            '\n' => {
                if out.ends_with('\r') {
                    out.pop();
                }
                out.push('\n');
            }
            '\t' => out.push('\t'),
            // Kept for one step, to see whether a line feed follows; what is left over is made visible below.
            '\r' => out.push('\r'),
            character => push_seen(out, character),
        });
        if out.contains('\r') {
            out = out.replace('\r', "\\r");
        }
        out
    }

    /// Text in which `push` shows every character that is not plain. Nearly all are, and go in one piece.
    fn shown(self, plain: &[bool; 256], mut push: impl FnMut(&mut String, char)) -> String {
        let mut out = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            let mut rest = chunk.valid();
            while !rest.is_empty() {
                let is_odd = |byte: &u8| !plain[usize::from(*byte)];
                let (piece, odd) =
                    rest.split_at(rest.as_bytes().iter().position(is_odd).unwrap_or(rest.len()));
                out.push_str(piece);
                let mut characters = odd.chars();
                characters.next().into_iter().for_each(|character| push(&mut out, character));
                rest = characters.as_str();
            }
            for byte in chunk.invalid() {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
        out
    }

    /// Whether a character can change how its surroundings look, or cannot be seen at all.
    pub fn is_treacherous(character: char) -> bool {
        character.is_control()
            || matches!(character,
                '\u{ad}' | '\u{61c}' | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}')
    }
}

/// Bytes that are characters of their own and mean nothing to anybody.
const PLAIN: [bool; 256] = plain(b"");
/// The same in a web page.
const PLAIN_IN_HTML: [bool; 256] = plain(b"&<>\"'`");

/// All that a typewriter has, but for some.
const fn plain(but: &[u8]) -> [bool; 256] {
    let mut plain = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        plain[byte as usize] = true;
        byte += 1;
    }
    let mut at = 0;
    while at < but.len() {
        plain[but[at] as usize] = false;
        at += 1;
    }
    plain
}

fn push_seen(out: &mut String, character: char) {
    if Untrusted::is_treacherous(character) {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
    } else {
        out.push(character);
    }
}

#[cfg(test)]
mod tests;
