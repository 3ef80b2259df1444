//! Comments and strings that one language has for itself.

use super::scanner::{Holes, Scanner};

/// Longest mark of a heredoc that is looked at.
const LONGEST_MARK: usize = 120;

impl Scanner<'_> {
    /// A string with code inside, up to `end`.
    pub(super) fn string_with_holes(&mut self, end: &[u8]) {
        let holes = self.marks.holes;
        let mut at = self.at + end.len();
        while let Some(byte) = self.text.get(at) {
            match byte {
                _ if self.text.get(at..).is_some_and(|rest| rest.starts_with(end)) => {
                    at += end.len();
                    break;
                }
                // It was no string.
                b'\n' if end.len() == 1 => break,
                b'\\' if holes == Holes::Backslash && self.byte(at + 1) == b'(' => at = self.hole_end(at + 1),
                b'$' if holes == Holes::Dollar && self.byte(at + 1) == b'{' => at = self.hole_end(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        self.pass_code(at.min(self.text.len()) - self.at);
    }

    /// Where a hole ends whose bracket is at `at`; strings inside it may hold brackets.
    fn hole_end(&self, at: usize) -> usize {
        let (open, close) = if self.byte(at) == b'(' { (b'(', b')') } else { (b'{', b'}') };
        let (mut at, mut depth, mut in_string) = (at, 0_u32, false);
        while let Some(byte) = self.text.get(at) {
            at += 1;
            match byte {
                b'\\' => at += 1,
                b'"' => in_string = !in_string,
                byte if *byte == open && !in_string => depth += 1,
                byte if *byte == close && !in_string => {
                    depth -= 1;
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.text.len()
    }

    /// `@"…"`, `$"…"`, `$@"…"`, `$"""…"""`; says whether there was one.
    pub(super) fn csharp_string(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let prefix = rest.iter().take_while(|byte| matches!(byte, b'@' | b'$')).count();
        if rest.get(prefix) != Some(&b'"') {
            return false;
        }
        let has = |mark: u8| rest.iter().take(prefix).any(|byte| *byte == mark);
        // After `@` two quotes are one.
        if !has(b'@') && rest.get(prefix..prefix + 3) == Some(b"\"\"\"") {
            self.raw(b"\"\"\"", prefix + 3);
            return true;
        }
        let (is_verbatim, has_holes) = (has(b'@'), has(b'$'));
        let mut at = self.at + prefix + 1;
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'"' if is_verbatim && self.byte(at + 1) == b'"' => at += 2,
                b'"' => {
                    at += 1;
                    break;
                }
                b'{' if has_holes && self.byte(at + 1) == b'{' => at += 2,
                b'{' if has_holes => at = self.hole_end(at),
                b'\n' if !is_verbatim => break,
                b'\\' if !is_verbatim => at += 2,
                _ => at += 1,
            }
        }
        self.pass_code(at.min(self.text.len()) - self.at);
        true
    }

    /// `<<<END … END`; says whether there was one.
    pub(super) fn heredoc(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(head) = rest.strip_prefix(b"<<<") else { return false };
        let line = head.get(..LONGEST_MARK.min(head.len())).unwrap_or_default();
        let Some(line) = line.split(|byte| *byte == b'\n').next() else { return false };
        let mark = line.trim_ascii();
        let mark: &[u8] = mark.strip_prefix(b"\"").and_then(|mark| mark.strip_suffix(b"\"")).unwrap_or(mark);
        let mark: &[u8] = mark.strip_prefix(b"'").and_then(|mark| mark.strip_suffix(b"'")).unwrap_or(mark);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if mark.is_empty() || !mark.iter().all(is_name) {
            return false;
        }
        let mut length = 3 + line.len();
        for text in rest.get(length + 1..).unwrap_or_default().split(|byte| *byte == b'\n') {
            length += 1;
            let indent = text.len() - text.trim_ascii_start().len();
            let ends = text.trim_ascii_start().strip_prefix(mark);
            if ends.is_some_and(|after| !after.first().is_some_and(is_name)) {
                length += indent + mark.len();
                break;
            }
            length += text.len();
        }
        self.pass_code(length.min(rest.len()));
        true
    }

    /// `--…`, `--[[ … ]]`
    pub(super) fn lua_comment(&mut self) {
        let Some((start, end)) = self.long_bracket(self.at + 2) else { return self.pass_line() };
        let rest = self.text.get(self.at + 2 + start..).unwrap_or_default();
        let length = memchr::memmem::find(rest, &end).map_or(rest.len(), |at| at + end.len());
        self.pass(2 + start + length);
    }

    /// How long a bracket such as `[==[` is that begins here, and what closes it.
    pub(super) fn long_bracket(&self, at: usize) -> Option<(usize, Vec<u8>)> {
        let rest = self.text.get(at..)?.strip_prefix(b"[")?;
        let level = rest.iter().take_while(|byte| **byte == b'=').count();
        if rest.get(level) != Some(&b'[') {
            return None;
        }
        let end = [b"]", vec![b'='; level].as_slice(), b"]"].concat();
        Some((level + 2, end))
    }
}
