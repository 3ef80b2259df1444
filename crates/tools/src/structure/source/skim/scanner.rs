//! Tokens of languages with braces: words and single bytes; comments and strings are passed over.

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    /// Block comments contain one another.
    pub(super) nested_comments: bool,
    /// A directive reaches to the end of its line.
    pub(super) directives: bool,
    /// What `'` means.
    pub(super) quote: Quote,
    /// What a backtick means.
    pub(super) backtick: Backtick,
    /// `r#"…"#`
    pub(super) rust_strings: bool,
    /// `R"x(…)x"`
    pub(super) cpp_strings: bool,
    /// `/…/` after anything but a value.
    pub(super) patterns: bool,
    /// `"""…"""`
    pub(super) triple: bool,
    /// Plain strings go over lines.
    pub(super) long_strings: bool,
    /// Code inside strings.
    pub(super) holes: Holes,
    /// The one language whose comments, strings and names follow rules of their own.
    pub(super) own: Own,
}

/// How code stands inside strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holes {
    None,
    /// `${…}`
    Dollar,
    /// `\(…)`
    Backslash,
}

/// Rules that one language has for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    None,
    /// `@"…"`, `$"…{…}…"`
    CSharp,
    /// `--`, `[[…]]`
    Lua,
    /// `#`, `<<<END`
    Php,
    /// `#"…"#`
    Swift,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    /// A string or a character.
    String,
    /// A character, or the beginning of a lifetime.
    Lifetime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backtick {
    /// Nothing.
    Byte,
    /// A string without escapes.
    Raw,
    /// A string with code in `${…}`.
    Template,
}

/// A word, or a byte that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t [u8]),
    Byte(u8),
}

/// Goes through a text, token by token.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t [u8],
    pub(super) marks: Marks,
    /// Where the next token is looked for.
    pub(super) at: usize,
    /// The line it is in, from 0.
    pub(super) row: usize,
    /// Where that line begins.
    pub(super) line_start: usize,
    /// The last line that had code in it.
    last_code_row: Option<usize>,
    /// How many lines had code in them.
    pub(super) code_rows: u32,
    /// The last bytes that were code, one of each token, the newest at the end.
    pub(super) last: [u8; 3],
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8], marks: Marks) -> Self {
        Self { text, marks, at: 0, row: 0, line_start: 0, last_code_row: None, code_rows: 0, last: [b';'; 3] }
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Token<'t>> {
        loop {
            let byte = *self.text.get(self.at)?;
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.row += 1;
                    self.line_start = self.at;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'-' if self.marks.own == Own::Lua && self.byte(self.at + 1) == b'-' => self.lua_comment(),
                b'[' if self.marks.own == Own::Lua && self.long_bracket(self.at).is_some() => {
                    let (start, end) = self.long_bracket(self.at).unwrap_or_default();
                    self.raw(&end, start);
                }
                b'/' if self.marks.own == Own::Lua => return Some(self.plain(byte)),
                b'/' if self.byte(self.at + 1) == b'/' => self.pass_line(),
                b'/' if self.byte(self.at + 1) == b'*' => self.block_comment(),
                b'#' if self.marks.own == Own::Php && self.byte(self.at + 1) != b'[' => self.pass_line(),
                b'#' if self.marks.own == Own::Swift && self.byte(self.at + 1) == b'"' => self.raw(b"\"#", 2),
                b'<' if self.marks.own == Own::Php && self.heredoc() => {}
                b'@' | b'$' if self.marks.own == Own::CSharp && self.csharp_string() => {}
                b'/' if self.marks.patterns && self.expects_value() => self.pattern(),
                b'#' if self.marks.directives && self.is_first() => self.directive(),
                b'"' => self.string(b'"'),
                b'\'' if self.marks.quote == Quote::String => self.string(b'\''),
                b'\'' => self.lifetime(),
                b'`' if self.marks.backtick == Backtick::Raw => self.raw(b"`", 1),
                b'`' if self.marks.backtick == Backtick::Template => self.template(),
                b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'0'..=b'9' | b'$' | 0x80.. => {
                    if let Some(word) = self.word() {
                        return Some(Token::Word(word));
                    }
                }
                byte => return Some(self.plain(byte)),
            }
        }
    }

    fn plain(&mut self, byte: u8) -> Token<'t> {
        self.code(byte);
        self.at += 1;
        Token::Byte(byte)
    }

    /// The next byte of the line that is no blank; 0 if there is none.
    pub(super) fn peek(&self) -> u8 {
        let rest = self.text.get(self.at..).unwrap_or_default();
        rest.iter().copied().find(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(0)
    }

    /// The byte right after the last token.
    pub(super) fn next_byte(&self) -> u8 {
        self.byte(self.at)
    }

    /// Takes note that there is code here.
    fn code(&mut self, byte: u8) {
        self.last = [self.last[1], self.last[2], byte];
        if self.last_code_row != Some(self.row) {
            self.last_code_row = Some(self.row);
            self.code_rows += 1;
        }
    }

    fn is_first(&self) -> bool {
        self.text.get(self.line_start..self.at).unwrap_or_default().trim_ascii().is_empty()
    }

    pub(super) fn pass_line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// A directive goes on when its line ends with a backslash.
    fn directive(&mut self) {
        self.code(b';');
        loop {
            self.pass_line();
            let line = self.text.get(self.line_start..self.at).unwrap_or_default();
            if !line.trim_ascii_end().ends_with(b"\\") || self.text.len() <= self.at {
                return;
            }
            self.pass(1);
            self.code(b';');
        }
    }

    /// Goes on by so many bytes of one token.
    pub(super) fn pass(&mut self, length: usize) {
        let end = (self.at + length).min(self.text.len());
        let passed = self.text.get(self.at..end).unwrap_or_default();
        for newline in memchr::memchr_iter(b'\n', passed) {
            self.row += 1;
            self.line_start = self.at + newline + 1;
        }
        self.at = end;
    }

    /// Goes on by so many bytes that are code, on whichever line.
    pub(super) fn pass_code(&mut self, length: usize) {
        self.code(b'"');
        let first = self.row;
        self.pass(length);
        self.code_rows += u32::try_from(self.row - first).unwrap_or(0);
        self.last_code_row = Some(self.row);
    }

    fn block_comment(&mut self) {
        let rest = self.text.get(self.at + 2..).unwrap_or_default();
        let mut depth = 1_u32;
        let mut length = 0;
        while 0 < depth {
            let tail = rest.get(length..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'*', b'/', tail) else {
                length = rest.len();
                break;
            };
            let pair = tail.get(found..found + 2).unwrap_or_default();
            if pair == b"*/" {
                depth -= 1;
                length += found + 2;
            } else if pair == b"/*" && self.marks.nested_comments {
                depth += 1;
                length += found + 2;
            } else {
                length += found + 1;
            }
        }
        self.pass(length + 2);
    }

    fn string(&mut self, mark: u8) {
        let is_triple = self.marks.triple && self.text.get(self.at..self.at + 3) == Some(b"\"\"\"");
        if mark == b'"' && self.marks.holes != Holes::None {
            return self.string_with_holes(if is_triple { b"\"\"\"" } else { b"\"" });
        }
        if is_triple {
            return self.raw(b"\"\"\"", 3);
        }
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let mut length = 0;
        loop {
            let tail = rest.get(length..).unwrap_or_default();
            match memchr::memchr3(mark, b'\\', b'\n', tail) {
                None => {
                    length = rest.len();
                    break;
                }
                Some(found) => match tail.get(found) {
                    Some(b'\\') => length += found + 2,
                    // In few languages does a plain string go over lines; elsewhere it was no string.
                    Some(b'\n') if !self.marks.long_strings => {
                        length += found;
                        break;
                    }
                    Some(b'\n') => length += found + 1,
                    _ => {
                        length += found + 1;
                        break;
                    }
                },
            }
        }
        self.pass_code(length + 1);
    }

    /// A string without escapes, up to its end.
    pub(super) fn raw(&mut self, end: &[u8], start: usize) {
        let rest = self.text.get(self.at + start..).unwrap_or_default();
        let length = memchr::memmem::find(rest, end).map_or(rest.len(), |at| at + end.len());
        self.pass_code(start + length);
    }

    /// A template; code inside it is passed over with it.
    fn template(&mut self) {
        let mut at = self.at + 1;
        // For each hole that is open, how many braces are open in it.
        let mut holes: Vec<u32> = Vec::new();
        // For each template that is open, how many holes were open around it.
        let mut templates = vec![0_usize];
        while let Some(byte) = self.text.get(at) {
            at += 1;
            let in_text = templates.last() == Some(&holes.len());
            match byte {
                b'\\' => at += 1,
                b'`' if in_text => {
                    templates.pop();
                    if templates.is_empty() {
                        break;
                    }
                }
                b'`' => templates.push(holes.len()),
                b'$' if in_text && self.byte(at) == b'{' => {
                    holes.push(0);
                    at += 1;
                }
                b'{' if !in_text => holes.iter_mut().last().into_iter().for_each(|open| *open += 1),
                b'}' if !in_text => match holes.last_mut() {
                    Some(open) if 0 < *open => *open -= 1,
                    _ => drop(holes.pop()),
                },
                _ => {}
            }
        }
        self.pass_code(at - self.at);
    }

    /// A character such as `'x'` or `'\n'`, or a lifetime such as `'a`.
    fn lifetime(&mut self) {
        let length = if self.byte(self.at + 1) == b'\\' {
            let rest = self.text.get(self.at + 2..).unwrap_or_default();
            let tail = rest.get(1..12).unwrap_or_default();
            memchr::memchr(b'\'', tail).map_or(1, |at| at + 4)
        } else {
            // A character is up to four bytes long.
            let rest = self.text.get(self.at + 1..).unwrap_or_default();
            let character = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
            let width = character.map_or(1, char::len_utf8);
            if rest.get(width) == Some(&b'\'') { width + 2 } else { 1 }
        };
        self.pass_code(length);
    }

    /// Whether a value may stand here, so that `/` begins a pattern.
    fn expects_value(&self) -> bool {
        let [.., last] = self.last;
        !(last.is_ascii_alphanumeric() || matches!(last, b')' | b']' | b'}' | b'_' | b'$' | b'"' | b'\''))
    }

    fn pattern(&mut self) {
        let line = self.text.get(self.at + 1..).unwrap_or_default();
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let mut in_class = false;
        let mut at = 0;
        while let Some(byte) = line.get(at) {
            at += 1;
            match byte {
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => {}
            }
        }
        self.pass_code(at + 1);
    }

    /// A word; `None` if it began a string, which is passed over.
    fn word(&mut self) -> Option<&'t [u8]> {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let next = rest.get(length).copied().unwrap_or(0);
        if self.marks.rust_strings && matches!(word, b"r" | b"br" | b"cr") && matches!(next, b'"' | b'#') {
            let hashes = rest.iter().skip(length).take_while(|byte| **byte == b'#').count();
            if rest.get(length + hashes) == Some(&b'"') {
                let mut end = vec![b'"'];
                end.resize(hashes + 1, b'#');
                self.raw(&end, length + hashes + 1);
                return None;
            }
        }
        if self.marks.cpp_strings && next == b'"' && matches!(word, b"R" | b"LR" | b"u8R" | b"uR" | b"UR") {
            let mark = rest.get(length + 1..).unwrap_or_default();
            let mark = mark.iter().take(17).position(|byte| *byte == b'(').and_then(|end| mark.get(..end));
            if let Some(mark) = mark {
                let end = [b")", mark, b"\""].concat();
                self.raw(&end, length + 2 + mark.len());
                return None;
            }
        }
        self.code(*word.last().unwrap_or(&b'a'));
        self.at += length;
        Some(word)
    }
}
