//! The line counter for languages that are told apart by marks.

use luminos_core::scan::LineCounts;
use memchr::{memchr, memchr2, memchr3};

use super::embedded::{self, Found, LineMatches, OpeningTags, Unclosed};
use super::syntax::{Embedding, Syntax, Token};
use super::{Counted, is_space, trim};

/// Reads a text once, from line to line.
pub(super) struct Machine<'a> {
    syntax: &'static Syntax,
    text: &'a [u8],
    counted: &'a mut Counted,
    counts: LineCounts,
    /// What ends the string we are in.
    quote: Option<&'static [u8]>,
    /// Whether the string we are in, or were in last, is one in which backslashes mean nothing. Tokei keeps
    /// this after the string has ended.
    is_verbatim: bool,
    /// What ends the comments we are in, outermost first.
    comments: Vec<&'static [u8]>,
    /// Where the line starts that is being read.
    line_start: usize,
    /// Whether tokei looks at this line byte by byte, where that is known.
    is_looked_at: Option<bool>,
    matches: LineMatches,
    openings: OpeningTags,
    unclosed: Unclosed,
}

/// Where reading stands.
enum Step {
    /// Further on in the same line.
    On(usize),
    /// At the line's newline, or at the end of the text.
    LineEnd(usize),
    /// Lines of another language began in this line; it is not counted, and reading goes on there.
    Embedded(usize),
}

impl<'a> Machine<'a> {
    pub(super) fn new(syntax: &'static Syntax, text: &'a [u8], counted: &'a mut Counted) -> Self {
        let openings = match syntax.embedding {
            Embedding::Html => OpeningTags::find(text),
            Embedding::None | Embedding::Markdown | Embedding::RustDoc => OpeningTags::default(),
        };
        Self {
            syntax,
            text,
            counted,
            counts: LineCounts::default(),
            quote: None,
            is_verbatim: false,
            comments: Vec::new(),
            line_start: 0,
            is_looked_at: None,
            matches: LineMatches::default(),
            openings,
            unclosed: Unclosed::default(),
        }
    }

    /// Counts to the end.
    pub(super) fn run(mut self) -> LineCounts {
        while self.line_start < self.text.len() {
            self.line_start = if self.quote.is_none() && self.comments.is_empty() {
                self.line_from_code()
            } else {
                self.line_from_inside()
            };
        }
        self.counts
    }

    /// A line that starts outside strings and comments; returns where the next one starts.
    #[inline]
    fn line_from_code(&mut self) -> usize {
        let mut first = self.line_start;
        loop {
            match self.text.get(first) {
                None | Some(b'\n') => {
                    self.counts.blanks += 1;
                    return first + 1;
                }
                Some(&byte) if is_space(byte) => first += 1,
                Some(_) => break,
            }
        }
        if let Some(next) = self.comment_line(first) {
            return next;
        }
        self.is_looked_at = None;
        match self.read_line(first) {
            Ok(end) => {
                let is_comment =
                    self.syntax.is_literate || (self.quote.is_none() && self.looks_like_comment(first, end));
                self.add_line(is_comment);
                end + 1
            }
            Err(next) => next,
        }
    }

    /// The frequent case of a line that is nothing but a line comment.
    #[inline]
    fn comment_line(&mut self, first: usize) -> Option<usize> {
        let rest = &self.text[first..];
        let mark = self.syntax.mark_at(rest)?;
        let is_plain = mark.token == Token::LineComment
            && rest[0] != b'\\'
            && !mark.ends_with_space
            && !(self.syntax.embedding == Embedding::RustDoc && embedded::is_rust_doc(rest));
        if !is_plain {
            return None;
        }
        self.counts.comments += 1;
        Some(memchr(b'\n', rest).map_or(self.text.len(), |len| first + len) + 1)
    }

    /// A line that starts inside a string or a comment.
    fn line_from_inside(&mut self) -> usize {
        let in_comment = self.quote.is_none();
        self.is_looked_at = Some(true);
        match self.read_line(self.line_start) {
            Ok(end) => {
                let line = &self.text[self.line_start..end];
                let is_comment = self.quote.is_none()
                    && (in_comment || {
                        let indent = line.iter().take_while(|&&byte| is_space(byte)).count();
                        self.looks_like_comment(self.line_start + indent, end)
                    });
                self.add_line(is_comment);
                end + 1
            }
            Err(next) => next,
        }
    }

    #[inline]
    fn add_line(&mut self, is_comment: bool) {
        if is_comment {
            self.counts.comments += 1;
        } else {
            self.counts.code += 1;
        }
    }

    /// Whether a line that did not start in a comment, and has left no string open, counts as one.
    #[inline]
    fn looks_like_comment(&self, first: usize, end: usize) -> bool {
        // Nothing but a mark at its head can make it one.
        let head = self.text.get(first);
        if !head.is_some_and(|&byte| self.syntax.tells_in_code[usize::from(byte)]) {
            return false;
        }
        let line = trim(&self.text[first..end]);
        self.syntax.line_comments.iter().any(|mark| line.starts_with(mark.as_bytes()))
            || self.syntax.comments.iter().any(|(start, end)| {
                line.starts_with(start) && (line.ends_with(end) || self.comments.last() == Some(end))
            })
    }

    /// Reads a line to its end; `Err` tells where to go on after lines of another language.
    #[inline]
    fn read_line(&mut self, mut at: usize) -> Result<usize, usize> {
        loop {
            let step = match self.quote {
                Some(end) => self.read_string(end, at),
                None if self.comments.is_empty() => self.read_code(at),
                None => self.read_comment(at),
            };
            match step {
                Step::On(next) => at = next,
                Step::LineEnd(end) => return Ok(end),
                Step::Embedded(next) => return Err(next),
            }
        }
    }

    /// Reads until a string or comment opens, or the line ends.
    #[inline]
    fn read_code(&mut self, mut at: usize) -> Step {
        let tells = &self.syntax.tells_in_code;
        let in_tag = match self.syntax.embedding {
            Embedding::Html if self.openings.any_on_line(self.text, self.line_start) => {
                self.matches.attribute_from(self.text, self.line_start, at)
            }
            Embedding::Html | Embedding::None | Embedding::Markdown | Embedding::RustDoc => None,
        };
        loop {
            match self.text[at..].iter().position(|&byte| tells[usize::from(byte)]) {
                None => return Step::LineEnd(self.text.len()),
                // An attribute that names a language tells, too, whatever it starts with.
                Some(len) => at = in_tag.filter(|&tag| at <= tag).map_or(at + len, |tag| tag.min(at + len)),
            }
            let byte = self.text[at];
            if byte == b'\n' {
                return self.end_of_code(at);
            }
            let is_false_alarm =
                self.text.get(at + 1).is_some_and(|&next| !self.syntax.can_follow(byte, next));
            if is_false_alarm && in_tag != Some(at) {
                at += 1;
                continue;
            }
            if let Some(skip) = self.escape_at(at) {
                at += skip;
                continue;
            }
            if let Some(next) = self.embedded_at(at) {
                return Step::Embedded(next);
            }
            let Some(mark) = self.syntax.mark_at(&self.text[at..]) else {
                at += 1;
                continue;
            };
            at += mark.start.len();
            // At the end of a line the space of a mark is trimmed, and tokei does not see it.
            if mark.ends_with_space && !self.is_looked_at() {
                continue;
            }
            match mark.token {
                Token::Quote | Token::VerbatimQuote => {
                    self.quote = Some(mark.end);
                    self.is_verbatim = mark.token == Token::VerbatimQuote;
                    return Step::On(at);
                }
                Token::Comment { .. } => {
                    self.comments.push(mark.end);
                    return Step::On(at);
                }
                Token::LineComment => {
                    let rest = &self.text[at..];
                    return Step::LineEnd(memchr(b'\n', rest).map_or(self.text.len(), |len| at + len));
                }
            }
        }
    }

    /// Reads until the string closes, or the line ends.
    #[inline]
    fn read_string(&mut self, end: &'static [u8], mut at: usize) -> Step {
        loop {
            let rest = &self.text[at..];
            let found = if self.is_verbatim {
                memchr2(end[0], b'\n', rest)
            } else {
                memchr3(end[0], b'\\', b'\n', rest)
            };
            match found {
                None => return Step::LineEnd(self.text.len()),
                Some(len) => at += len,
            }
            let rest = &self.text[at..];
            if rest.starts_with(end) {
                self.quote = None;
                return Step::On(at + end.len());
            }
            if rest[0] == b'\n' {
                return Step::LineEnd(at);
            }
            at += self.escape_at(at).unwrap_or(1);
        }
    }

    /// Reads until the outermost comment closes, or the line ends.
    #[inline]
    fn read_comment(&mut self, mut at: usize) -> Step {
        let tells = &self.syntax.tells_in_comment;
        loop {
            match self.text[at..].iter().position(|&byte| tells[usize::from(byte)]) {
                None => return Step::LineEnd(self.text.len()),
                Some(len) => at += len,
            }
            let rest = &self.text[at..];
            if rest[0] == b'\n' {
                return Step::LineEnd(at);
            }
            if let Some(skip) = self.escape_at(at) {
                at += skip;
                continue;
            }
            if let Some(end) = self.comments.last().filter(|end| rest.starts_with(end)) {
                at += end.len();
                self.comments.pop();
                if self.comments.is_empty() {
                    return Step::On(at);
                }
                continue;
            }
            match self.syntax.comment_at(rest) {
                Some(mark) => {
                    if mark.token == (Token::Comment { nests: true }) {
                        self.comments.push(mark.end);
                    }
                    at += mark.start.len();
                }
                None => at += 1,
            }
        }
    }

    /// How many bytes a backslash takes with it. Tokei lets it escape outside strings, too.
    #[inline]
    fn escape_at(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        if self.is_verbatim || rest[0] != b'\\' {
            return None;
        }
        let escapes = rest.get(1) == Some(&b'\\') || self.syntax.quote_at(&rest[1..]);
        escapes.then_some(2)
    }

    /// Counts lines of another language that begin here, and tells where they end.
    #[inline]
    fn embedded_at(&mut self, at: usize) -> Option<usize> {
        let Found { lines_here, next } = match self.syntax.embedding {
            Embedding::None => return None,
            Embedding::RustDoc => {
                if !embedded::is_rust_doc(&self.text[at..]) {
                    return None;
                }
                embedded::rust_doc(self.text, at, self.counted)
            }
            Embedding::Markdown => {
                let block = self.matches.fence_at(self.text, self.line_start, at)?;
                embedded::fenced_block(self.text, block, self.counted)?
            }
            Embedding::Html => {
                let tag = self.matches.tag_at(self.text, self.line_start, at)?;
                if !self.is_looked_at() {
                    return None;
                }
                embedded::tagged_block(self.text, tag, &mut self.unclosed, self.counted)?
            }
        };
        self.counts += lines_here;
        Some(next)
    }

    /// The end of a line in code. Documentation on the next lines of Rust swallows a line that tokei looks at
    /// byte by byte: it takes the white space before a documentation comment for part of it.
    #[inline]
    fn end_of_code(&mut self, at: usize) -> Step {
        if self.syntax.embedding == Embedding::RustDoc
            && let Some(doc) = embedded::rust_doc_after(self.text, at)
            && self.is_looked_at()
        {
            let Found { next, .. } = embedded::rust_doc(self.text, doc, self.counted);
            return Step::Embedded(next);
        }
        Step::LineEnd(at)
    }

    /// Whether tokei looks at the current line byte by byte, instead of judging it by its head.
    fn is_looked_at(&mut self) -> bool {
        *self.is_looked_at.get_or_insert_with(|| {
            let rest = &self.text[self.line_start..];
            let len = memchr(b'\n', rest).unwrap_or(rest.len());
            self.syntax.is_important(trim(&rest[..len]))
        })
    }
}
