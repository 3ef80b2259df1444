//! Values of settings whose names say that they are secret: `password: …`, `API_KEY=…`, `<token>…</token>`.
//!
//! A value in quotes is taken as it is. What stands without quotes is one only where that is how values are written: in
//! files of settings, in lines such as `NAME=value`, and inside of other texts where it cannot be a name.

use std::ops::Range;

use super::find::{line_after, line_before};
use super::value::{is_method, is_mixed, is_name, is_random, is_reference, is_word};
use super::{Class, Kind, Secret, TextKind};

mod names;

pub(super) use names::WORDS;
use names::{Promise, name_around, promise};

const SETTING: Kind = Kind { name: "assigned-secret", words: "a password or key", class: Class::Assigned };

/// No value is longer.
const LONGEST_VALUE: usize = 512;
/// A value of the lines below is looked for so far.
const BELOW: usize = 400;

/// The value that belongs to a word in a name.
pub(super) fn find(text: &[u8], word: Range<usize>, kind: TextKind) -> Option<Secret> {
    let name = name_around(text, &word);
    let mut setting = Setting { text, name: name.clone(), promise: Promise::Perhaps, kind };
    // Most of such words stand in sentences and calls, so what follows is looked at before the name is.
    if !setting.may_have_value() {
        return None;
    }
    setting.promise = promise(text, &name, &word)?;
    let value = setting.value()?;
    Some(Secret { kind: SETTING, start: value.start, end: value.end, whole: value.start })
}

struct Setting<'a> {
    text: &'a [u8],
    name: Range<usize>,
    promise: Promise,
    kind: TextKind,
}

impl Setting<'_> {
    fn at(&self, place: usize) -> u8 {
        self.text.get(place).copied().unwrap_or(b'\n')
    }

    fn skip(&self, from: usize, most: usize, is_skipped: impl Fn(u8) -> bool) -> usize {
        from + self.text[from.min(self.text.len())..]
            .iter()
            .take(most)
            .take_while(|byte| is_skipped(**byte))
            .count()
    }

    fn blanks(&self, from: usize) -> usize {
        self.skip(from, 24, |byte| matches!(byte, b' ' | b'\t' | 0x0b))
    }

    /// Whether what follows the name can lead to a value.
    fn may_have_value(&self) -> bool {
        let closed = self.closed();
        let at = self.blanks(closed);
        match self.at(at) {
            b'=' | b':' | b'>' | b',' | b'{' | b'?' | b'|' | b'+' => true,
            // The end of a line, or of a text in brackets, with `value` behind it.
            b'\n' | b'\r' => {
                let next = self.skip(at, 80, is_between);
                matches!(self.at(next), b'v' | b'V')
            }
            _ => self.name.end < at,
        }
    }

    /// Behind the quotes and brackets that close the name.
    fn closed(&self) -> usize {
        self.skip(self.name.end, 3, |byte| matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b']'))
    }

    /// The value, wherever it stands.
    fn value(&self) -> Option<Range<usize>> {
        let closed = self.closed();
        let at = self.blanks(closed);
        let is_quoted = self.name.end < closed;
        // `<password>…</password>`, `<add key="password" value="…"/>`.
        if self.at(at) == b'>'
            && self.name.start.checked_sub(1).is_some_and(|before| matches!(self.text[before], b'<' | b':'))
        {
            return self.until(at + 1, b'<');
        }
        if let Some(found) = self.value_beside(closed) {
            return Some(found);
        }
        match self.at(at) {
            b'=' | b':' => self.assigned(at),
            b'?' | b'|' | b'+'
                if matches!(self.at(self.skip(at, 2, |byte| matches!(byte, b'?' | b'|' | b'+'))), b'=') =>
            {
                self.assigned(self.skip(at, 2, |byte| matches!(byte, b'?' | b'|' | b'+')))
            }
            b',' if is_quoted => self.argument(at + 1),
            b'{' if is_quoted => self.default_of_variable(at),
            _ => self.behind_blanks(at),
        }
    }

    /// What follows a sign.
    fn assigned(&self, sign: usize) -> Option<Range<usize>> {
        let after = self.skip(sign, 3, |byte| matches!(byte, b'=' | b':' | b'>'));
        let is_tight = sign == self.name.end && self.at(sign) == b'=';
        let at = self.blanks(after);
        if let Some(quoted) = self.quoted(at) {
            return quoted;
        }
        // `password: str = "…"`: a type stands between.
        if self.at(sign) == b':' {
            let is_type = |byte: u8| {
                byte.is_ascii_alphanumeric()
                    || matches!(
                        byte,
                        b'_' | b'&' | b'\'' | b'<' | b'>' | b'[' | b']' | b'|' | b'.' | b' ' | b'?'
                    )
            };
            let end = self.skip(at, 48, is_type);
            if self.at(end) == b'='
                && let Some(quoted) = self.quoted(self.blanks(end + 1))
            {
                return quoted;
            }
        }
        let bare = self.bare(at)?;
        self.is_bare_value(&bare, is_tight, at - after).then_some(bare)
    }

    /// A value in quotes; `Some(None)` if there are quotes, and no value in them.
    #[expect(clippy::option_option, reason = "quotes without a value end the search")]
    fn quoted(&self, from: usize) -> Option<Option<Range<usize>>> {
        let mut at =
            self.skip(from, 2, |byte| matches!(byte, b'b' | b'r' | b'f' | b'u' | b'@' | b'L' | b'B'));
        let is_escaped = self.at(at) == b'\\';
        at += usize::from(is_escaped);
        let quote = self.at(at);
        if !matches!(quote, b'"' | b'\'' | b'`') {
            return None;
        }
        let quotes = self.skip(at, 3, |byte| byte == quote);
        let start = if quotes - at == 3 { quotes } else { at + 1 };
        let is_end = |byte: u8| byte == quote || byte == b'\n' || (is_escaped && byte == b'\\');
        let end = self.skip(start, LONGEST_VALUE, |byte| !is_end(byte));
        let value = start..end;
        Some(self.is_quoted_value(&value).then_some(value))
    }

    fn is_quoted_value(&self, value: &Range<usize>) -> bool {
        let bytes = &self.text[value.clone()];
        let is_long = match self.promise {
            Promise::Password => 8 <= bytes.len() || 4 <= bytes.len() && is_mixed(bytes),
            Promise::Secret => 8 <= bytes.len(),
            Promise::Perhaps => 16 <= bytes.len(),
        };
        // Words with blanks between are read by people; `${…}` names another place.
        is_long
            && !bytes.iter().any(u8::is_ascii_whitespace)
            && !is_reference(bytes)
            && (self.promise != Promise::Perhaps || std::str::from_utf8(bytes).is_ok_and(is_random))
    }

    /// A value without quotes.
    fn bare(&self, from: usize) -> Option<Range<usize>> {
        let is_part = |byte: u8| {
            !byte.is_ascii_whitespace()
                && !matches!(
                    byte,
                    b',' | b';' | b'"' | b'\'' | b'<' | b'>' | b')' | b'}' | b'|' | b'`' | b'\\' | 0
                )
        };
        let mut end = self.skip(from, LONGEST_VALUE, is_part);
        // What separates parameters of an address ends a value there, and may be part of one elsewhere.
        let before = line_before(self.text, self.name.start);
        if before.last().is_some_and(|last| matches!(last, b'?' | b'&')) {
            end = self.skip(from, end - from, |byte| byte != b'&');
        }
        (from < end).then_some(from..end)
    }

    fn is_bare_value(&self, value: &Range<usize>, is_tight: bool, blanks: usize) -> bool {
        let bytes = &self.text[value.clone()];
        let is_shell = is_tight && self.text[self.name.clone()].iter().all(|byte| !byte.is_ascii_lowercase());
        let least = match (self.promise, self.kind) {
            (Promise::Password, TextKind::Settings) => 3,
            (Promise::Password, _) => 6,
            (Promise::Secret, TextKind::Settings) => 6,
            (Promise::Secret, _) => 8,
            (Promise::Perhaps, _) => 16,
        };
        if bytes.len() < least
            || is_reference(bytes)
            || is_word(bytes)
            || bytes.iter().any(|byte| matches!(byte, b'(' | b'{' | b'['))
            || matches!(bytes[0], b'*' | b'&' | b'!' | b'|' | b'>' | b'-' | b'.' | b':')
            || bytes.starts_with(b"//")
            || bytes.iter().all(|byte| byte.is_ascii_punctuation())
        {
            return false;
        }
        let text = String::from_utf8_lossy(bytes);
        let is_path = bytes[0] == b'/' || bytes.starts_with(b"~/") || bytes.starts_with(b"http");
        if self.promise == Promise::Perhaps || is_path {
            return is_random(&text) && !is_path;
        }
        if is_shell {
            return true;
        }
        let ends = self.at(value.end);
        let rest = line_after(self.text, value.end).trim_ascii();
        match self.kind {
            TextKind::Settings => {
                rest.is_empty()
                    || rest.starts_with(b"#")
                    || matches!(rest[0], b';' | b'"' | b'\'' | b',' | b'<' | b'&' | b'}')
            }
            // Inside of a string: a connection string, a command line, the parameters of an address.
            TextKind::Program => {
                is_tight
                    && matches!(ends, b';' | b'"' | b'\'' | b'&' | b'`')
                    && is_mixed(bytes)
                    && !is_name_of_secret(&text)
            }
            TextKind::Table | TextKind::Other => {
                let is_own = is_mixed(bytes) && !is_method(bytes) && !is_name_of_secret(&text);
                let is_member = text.contains('.') && is_name(bytes);
                is_own
                    && !is_member
                    && blanks <= 1
                    && (!is_name(bytes) || self.is_line_of_settings() || is_tight)
            }
        }
    }

    /// Whether nothing but decoration stands before the name on its line: a number, a path, a bullet, `export`.
    fn is_line_of_settings(&self) -> bool {
        let before = line_before(self.text, self.name.start).trim_ascii();
        before.is_empty()
            || matches!(before, b"export" | b"ENV" | b"ARG" | b"-" | b"+" | b"set" | b"#" | b"*")
            || matches!(before.last(), Some(b':' | b'-' | b'0'..=b'9'))
    }

    /// Up to the mark of the end: `…</password>`.
    fn until(&self, from: usize, mark: u8) -> Option<Range<usize>> {
        let end = self.skip(from, LONGEST_VALUE, |byte| byte != mark && byte != b'\n');
        let bytes = &self.text[from..end];
        let is_value = self.at(end) == mark
            && 4 <= bytes.len()
            && !bytes.iter().any(u8::is_ascii_whitespace)
            && !is_reference(bytes)
            && !is_word(bytes)
            && (self.promise != Promise::Perhaps || is_random(&String::from_utf8_lossy(bytes)));
        is_value.then_some(from..end)
    }

    /// A value that stands beside the name under a name of its own: `key="Password" value="…"`, `- name: TOKEN` and `value: …`
    /// below it.
    fn value_beside(&self, from: usize) -> Option<Range<usize>> {
        let at = self.skip(from, 80, |byte| is_between(byte) || matches!(byte, b',' | b'\''));
        let word = self.text.get(at..at + 5)?;
        if at == from || !word.eq_ignore_ascii_case(b"value") {
            return None;
        }
        let closed = self.skip(at + 5, 2, |byte| matches!(byte, b'"' | b'\'' | b' '));
        if !matches!(self.at(closed), b'=' | b':') {
            return None;
        }
        let at = self.blanks(closed + 1);
        match self.quoted(at) {
            Some(quoted) => quoted,
            None => self.bare(at).filter(|bare| self.is_bare_value(bare, false, 1)),
        }
    }

    /// The second of two texts in brackets: `define('AUTH_KEY', '…')`, `set("password", "…")`.
    fn argument(&self, from: usize) -> Option<Range<usize>> {
        let at = self.blanks(from);
        let quote = self.at(at);
        let before = line_before(self.text, self.name.start).trim_ascii_end();
        let before = before.trim_ascii_end().strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'"))?;
        if !matches!(quote, b'"' | b'\'') || !before.trim_ascii_end().ends_with(b"(") {
            return None;
        }
        let end = self.skip(at + 1, LONGEST_VALUE, |byte| byte != quote && byte != b'\n');
        let bytes = &self.text[at + 1..end];
        // WordPress draws its salts from all characters.
        let is_salt = before.trim_ascii_end().ends_with(b"define(") && 32 <= bytes.len() && is_mixed(bytes);
        let is_plain = 6 <= bytes.len() && is_mixed(bytes) && !bytes.iter().any(u8::is_ascii_whitespace);
        let is_sure = self.promise != Promise::Perhaps || is_random(&String::from_utf8_lossy(bytes));
        (is_salt || is_plain && is_sure && !is_reference(bytes)).then_some(at + 1..end)
    }

    /// `variable "db_password" { default = "…" }` of Terraform.
    fn default_of_variable(&self, from: usize) -> Option<Range<usize>> {
        let block = &self.text[from..self.text.len().min(from + BELOW)];
        let end = block.windows(2).position(|pair| pair == b"\n}").unwrap_or(block.len());
        let word = block[..end].windows(7).position(|part| part == b"default")?;
        let at = self.blanks(from + word + 7);
        if self.at(at) != b'=' {
            return None;
        }
        self.quoted(self.blanks(at + 1)).flatten()
    }

    /// Values behind a blank: of Dockerfiles, of `.netrc`, of command lines, in SQL, in notes.
    fn behind_blanks(&self, at: usize) -> Option<Range<usize>> {
        if at == self.name.end {
            return None;
        }
        let before = line_before(self.text, self.name.start);
        let has = |word: &[u8]| before.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
        let name = &self.text[self.name.clone()];
        let is_option = before.ends_with(b"--") || before.ends_with(b" -");
        let is_instruction = has(b"ENV ")
            || has(b"login ")
            || has(b"machine ")
            || name == b"requirepass"
            || name == b"masterauth";
        if is_option || is_instruction {
            let bare = match self.quoted(at) {
                Some(quoted) => return quoted,
                None => self.bare(at)?,
            };
            let bytes = &self.text[bare.clone()];
            let is_value = 4 <= bytes.len()
                && (is_mixed(bytes) || is_instruction && !is_word(bytes))
                && !is_reference(bytes)
                && !matches!(bytes[0], b'-' | b'[' | b'(' | b'/' | b'.' | b'=');
            return (is_value && self.promise != Promise::Perhaps).then_some(bare);
        }
        if self.promise != Promise::Password {
            return None;
        }
        // `CREATE USER x WITH PASSWORD '…'`.
        if matches!(self.at(at), b'\'')
            && name.eq_ignore_ascii_case(b"password")
            && (has(b"user") || has(b"role") || has(b"with") || has(b"set"))
        {
            return self.quoted(at).flatten();
        }
        self.noted(at)
    }

    /// What people write down: `Password for the bank: …`, `the password is …`.
    fn noted(&self, at: usize) -> Option<Range<usize>> {
        if self.kind == TextKind::Program {
            return None;
        }
        let rest = line_after(self.text, at);
        let sign = rest.iter().take(48).position(|byte| *byte == b':');
        let start = match sign {
            Some(sign)
                if rest[..sign].iter().all(|byte| {
                    byte.is_ascii_alphanumeric()
                        || matches!(byte, b' ' | b'-' | b'(' | b')' | b'.')
                        || !byte.is_ascii()
                }) =>
            {
                sign + 1
            }
            Some(_) | None => {
                let is = [b"is ".as_slice(), b"was ", b"ist ", b"lautet "]
                    .into_iter()
                    .find(|word| rest.starts_with(word));
                is?.len() - 1
            }
        };
        let blanks = rest[start..].iter().take_while(|byte| **byte == b' ').count();
        if blanks == 0 {
            return None;
        }
        let bare = self.bare(at + start + blanks)?;
        let bytes = self.text[bare.clone()].strip_suffix(b".").unwrap_or(&self.text[bare.clone()]);
        let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
        let is_value = 5 <= bytes.len()
            && is_mixed(bytes)
            && digits < bytes.len()
            && !is_reference(bytes)
            && !is_method(bytes)
            && !bytes.windows(3).any(|part| part == b"://")
            && !bytes.iter().any(|byte| matches!(byte, b'(' | b'[' | b'{'));
        is_value.then_some(bare.start..bare.start + bytes.len())
    }
}

/// What stands between the line of a name and that of its value; in a diff their signs, too.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'+' | b'-')
}

/// `newPassword1`, `TOKEN_2`: a name of another setting.
fn is_name_of_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    is_name(value.as_bytes())
        && ["password", "passwd", "secret", "token", "key", "pwd"].iter().any(|word| lower.contains(word))
}
