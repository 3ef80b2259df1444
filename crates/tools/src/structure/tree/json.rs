//! JSON as people write it: comments and trailing commas are let pass.

use super::super::NotParsed;
use super::super::outline::Lines;
use super::{Builder, Node, Value};

/// Reads a document in one pass, without recursion; memory does not grow with its size.
pub(super) fn read(text: &str) -> Result<Option<Node>, NotParsed> {
    let mut reader = Reader { text, at: 0, line: 1 };
    let mut builder = Builder::default();
    // Whether each open bracket is a map.
    let mut open: Vec<bool> = Vec::new();
    let mut is_key = false;
    let mut values = 0_usize;
    while let Some(byte) = reader.next_token() {
        let line = reader.line;
        match byte {
            b'{' | b'[' => {
                let is_map = byte == b'{';
                if is_map {
                    builder.open_map(line)
                } else {
                    builder.open_list(line)
                }
                open.push(is_map);
                is_key = is_map;
                reader.at += 1;
                continue;
            }
            b'}' | b']' => {
                let is_map = open.pop().ok_or(reader.wrong("a bracket that was never opened"))?;
                if is_map != (byte == b'}') {
                    return Err(reader.wrong("brackets that do not match"));
                }
                builder.close(line);
                reader.at += 1;
                is_key = false;
            }
            b',' => {
                is_key = open.last().copied().unwrap_or(false);
                reader.at += 1;
                continue;
            }
            b':' => {
                is_key = false;
                reader.at += 1;
                continue;
            }
            b'"' => {
                let string = reader.string()?;
                if is_key {
                    builder.key(&string, line);
                    is_key = false;
                    continue;
                }
                builder.text(&string, Lines { first: line, last: reader.line });
            }
            _ => builder.scalar(reader.word()?, Lines::one(line)),
        }
        values += 1;
        if open.is_empty() && 0 < values && reader.next_token().is_some_and(|byte| byte != b',') {
            // One document a line is a form of its own: the first one stands for all.
            break;
        }
    }
    if !open.is_empty() {
        return Err(reader.wrong("an end that comes too early"));
    }
    Ok(builder.finish(reader.line))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> NotParsed {
        NotParsed::Malformed { what: format!("JSON with {what}"), line: self.line }
    }

    /// The first byte of the next token; blanks and comments are passed over.
    fn next_token(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at)? {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                b'/' if bytes.get(self.at + 1) == Some(&b'/') => {
                    let rest = bytes.get(self.at..).unwrap_or_default();
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let rest = bytes.get(self.at..).unwrap_or_default();
                    let length = memchr::memmem::find(rest, b"*/").map_or(rest.len(), |at| at + 2);
                    self.pass(length);
                }
                byte => return Some(*byte),
            }
        }
    }

    fn pass(&mut self, length: usize) {
        let passed = self.text.as_bytes().get(self.at..self.at + length).unwrap_or_default();
        self.line += u32::try_from(memchr::memchr_iter(b'\n', passed).count()).unwrap_or(0);
        self.at += length;
    }

    /// A string, its escapes undone as far as it is kept.
    fn string(&mut self) -> Result<String, NotParsed> {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let mut length = 0;
        loop {
            match memchr::memchr2(b'"', b'\\', rest.get(length..).unwrap_or_default()) {
                None => return Err(self.wrong("a string that does not end")),
                Some(found) if rest.get(length + found) == Some(&b'\\') => length += found + 2,
                Some(found) => {
                    length += found;
                    break;
                }
            }
        }
        let inside = self.text.get(self.at + 1..self.at + 1 + length).unwrap_or_default();
        let string = unescaped(super::cut(inside, super::MOST_TEXT));
        self.pass(length + 2);
        Ok(string)
    }

    /// A number, `true`, `false`, `null`, or a word as JSON5 has them.
    fn word(&mut self) -> Result<Value, NotParsed> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_word = |character: char| {
            character.is_ascii_alphanumeric() || matches!(character, '-' | '+' | '.' | '_' | '$')
        };
        let length = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let value = match word {
            "null" | "undefined" => Value::Null,
            "true" | "false" => Value::Bool,
            _ if word
                .starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.')) =>
            {
                Value::Number
            }
            _ => return Err(self.wrong("words that JSON does not have")),
        };
        self.at += length;
        Ok(value)
    }
}

fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b' | 'f') | None => out.push(' '),
            Some('u') => {
                let digits: String = characters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                out.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(other) => out.push(other),
        }
    }
    out
}
