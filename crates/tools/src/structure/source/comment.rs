//! Comments, and which of them document what.

use tree_sitter::Node;

use super::engine::line;
use super::grammar::{Grammar, Role};
use super::item::{Item, one_line};
use crate::structure::outline::Note;

/// Longest line of documentation that is repeated, in characters.
const MOST: usize = 200;

/// Where an item begins, its decorators and attributes included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) row: usize,
    pub(super) byte: usize,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    first_row: usize,
    last_row: usize,
    start: usize,
    end: usize,
    /// How many ancestors it has.
    depth: usize,
}

/// The comments and attributes met so far, in order.
pub(super) struct Comments<'t> {
    text: &'t [u8],
    comments: Vec<Piece>,
    attributes: Vec<Piece>,
}

impl<'t> Comments<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, comments: Vec::new(), attributes: Vec::new() }
    }

    pub(super) fn push(&mut self, node: Node<'_>, depth: usize) {
        self.comments.push(Self::piece(node, depth));
    }

    pub(super) fn push_attribute(&mut self, node: Node<'_>, depth: usize) {
        self.attributes.push(Self::piece(node, depth));
    }

    /// Some grammars count the newline as part of a line comment.
    fn piece(node: Node<'_>, depth: usize) -> Piece {
        let (first, last) = (node.start_position(), node.end_position());
        let ends_before = last.column == 0 && first.row < last.row;
        Piece {
            first_row: first.row,
            last_row: last.row - usize::from(ends_before),
            start: node.start_byte(),
            end: node.end_byte(),
            depth,
        }
    }

    /// Where an item with so many ancestors begins: at the first of the attributes right before it.
    pub(super) fn head(&self, outer: Node<'_>, depth: usize) -> Head {
        let mut head = Head { row: outer.start_position().row, byte: outer.start_byte() };
        let mut comments = self.comments.iter().rev().peekable();
        for attribute in self.attributes.iter().rev() {
            if head.byte < attribute.end {
                continue;
            }
            // A comment may stand between an attribute and what it belongs to.
            let mut row = head.row;
            while let Some(comment) = comments.next_if(|comment| attribute.end <= comment.start) {
                if comment.last_row + 1 == row && self.stands_alone(comment) {
                    row = comment.first_row;
                }
            }
            if attribute.last_row + 1 < row || attribute.depth != depth {
                break;
            }
            head = Head { row: attribute.first_row, byte: attribute.start };
        }
        head
    }

    /// The first line of the comment right before (or among the attributes of) an item.
    pub(super) fn doc(&self, head: Head, marks: &[&str]) -> Option<Note> {
        let last = self.comments.len().checked_sub(1)?;
        let newest = self.comments.get(last)?;
        // Some leave a line free below a comment that is plainly one for what follows.
        let is_marked = self.text.get(newest.start..).is_some_and(|text| text.starts_with(b"/**"));
        let between = self.text.get(newest.end..head.byte.max(newest.end)).unwrap_or_default();
        let may_be_apart = is_marked && between.trim_ascii().is_empty();
        let is_near = head.row <= newest.last_row + 1 + usize::from(may_be_apart);
        if !is_near || !self.stands_alone(newest) {
            return None;
        }
        let first = self.run_start(last);
        self.first_line(self.comments.get(first..=last)?, marks)
    }

    /// What the file says about itself: the first comment that stands before all code and is not a licence.
    pub(super) fn of_file(&self, root: Node<'_>, marks: &[&str], documented: &[u32]) -> Option<Note> {
        let mut next = 0;
        while next < self.comments.len() {
            let run_end = self.run_end(next);
            let run = self.comments.get(next..=run_end)?;
            let (first, last) = (run.first()?, run.last()?);
            if self.has_code_before(root, first.start) {
                return None;
            }
            let is_items_own = documented.contains(&line(last.last_row));
            let is_about_all = !is_items_own && !self.is_licence(run) && !self.is_about_next(run, root);
            if let Some(note) = self.first_line(run, marks).filter(|_| is_about_all) {
                return Some(note);
            }
            next = run_end + 1;
        }
        None
    }

    /// Whether a comment is plainly about what follows: it says that it is for nobody outside, or it is a word or two right
    /// above a line of code.
    fn is_about_next(&self, run: &[Piece], root: Node<'_>) -> bool {
        let Some((first, last)) = run.first().zip(run.last()) else { return false };
        let text = self.text.get(first.start..last.end).unwrap_or_default();
        if memchr::memmem::find(text, b"@private").is_some() {
            return true;
        }
        let words =
            text.split(u8::is_ascii_whitespace).filter(|word| word.iter().any(u8::is_ascii_alphanumeric));
        let is_short = first.first_row == last.last_row && words.count() <= 3;
        let mut cursor = root.walk();
        let mut children = root.named_children(&mut cursor);
        is_short && children.any(|child| child.start_position().row == last.last_row + 1)
    }

    /// Code other than a package clause or a prologue, before a place at the top of the file.
    fn has_code_before(&self, root: Node<'_>, byte: usize) -> bool {
        const PROLOGUE: &[&str] = &[
            "comment",
            "hash_bang",
            "shebang",
            "package",
            "namespace",
            "php_tag",
            "inner_attribute",
            "declare",
            "preproc",
            "marginalia",
            "doctype",
        ];
        let mut cursor = root.walk();
        for child in root.named_children(&mut cursor) {
            if byte <= child.start_byte() {
                break;
            }
            let is_directive = child.kind() == "expression_statement"
                && self.text.get(child.start_byte()).is_some_and(|byte| matches!(byte, b'"' | b'\''));
            // Inside a namespace all is code; the guard of a header is around everything.
            let is_around = byte < child.end_byte() && !child.kind().contains("preproc");
            let is_import = child.kind() == "preproc_include";
            if is_around
                || is_import
                || !is_directive && !PROLOGUE.iter().any(|part| child.kind().contains(part))
            {
                return true;
            }
        }
        false
    }

    fn is_licence(&self, run: &[Piece]) -> bool {
        let Some((first, last)) = run.first().zip(run.last()) else { return false };
        let text = self.text.get(first.start..last.end).unwrap_or_default();
        let text = text.get(..600).unwrap_or(text).to_ascii_lowercase();
        let signs: [&[u8]; 5] = [
            b"copyright",
            b"spdx-license",
            b"licensed under",
            b"all rights reserved",
            b"permission is hereby",
        ];
        signs.iter().any(|sign| memchr::memmem::find(&text, sign).is_some())
    }

    /// The first of the comments that stand line by line above this one.
    fn run_start(&self, last: usize) -> usize {
        let mut first = last;
        while let Some(before) = first.checked_sub(1)
            && self.follow(before, first)
        {
            first = before;
        }
        first
    }

    fn run_end(&self, first: usize) -> usize {
        let mut last = first;
        while last + 1 < self.comments.len() && self.follow(last, last + 1) {
            last += 1;
        }
        last
    }

    fn follow(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(other)) = (self.comments.get(one), self.comments.get(other)) else {
            return false;
        };
        let is_block =
            |piece: &Piece| self.text.get(piece.start..).is_some_and(|text| text.starts_with(b"/*"));
        one.last_row + 1 == other.first_row
            && self.stands_alone(one)
            && self.stands_alone(other)
            && !is_block(one)
            && !is_block(other)
    }

    /// Whether nothing but blanks stands before it in its line.
    fn stands_alone(&self, piece: &Piece) -> bool {
        let before = self.text.get(..piece.start).unwrap_or_default();
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        before.get(start..).unwrap_or_default().trim_ascii().is_empty()
    }

    fn first_line(&self, run: &[Piece], marks: &[&str]) -> Option<Note> {
        for piece in run {
            let text = String::from_utf8_lossy(self.text.get(piece.start..piece.end).unwrap_or_default());
            if !marks.is_empty() && !marks.iter().any(|mark| text.starts_with(mark)) {
                continue;
            }
            for (row, text) in text.lines().enumerate() {
                if let Some(text) = prose(text) {
                    return Some(Note { text: one_line(text, MOST), line: line(piece.first_row + row) });
                }
            }
        }
        None
    }
}

/// The words of a line of a comment; `None` where it has none, or none for people.
fn prose(text: &str) -> Option<&str> {
    let mut text = text.trim();
    if text.starts_with("#!") {
        return None;
    }
    for mark in ["/**", "/*!", "/*", "///", "//!", "//", "---", "--[[", "--", "<!--", "##", "#", "*", "%"] {
        if let Some(rest) = text.strip_prefix(mark) {
            text = rest;
            break;
        }
    }
    text = text.trim_start_matches('*').trim();
    for mark in ["*/", "-->", "]]"] {
        text = text.strip_suffix(mark).unwrap_or(text).trim_end();
    }
    for tag in [
        "<summary>",
        "</summary>",
        "@brief",
        "\\brief",
        "@fileoverview",
        "@file",
        "\\file",
        "@overview",
        "@description",
        "<p>",
    ] {
        text = text.trim_start_matches(tag).trim_start();
        text = text.strip_suffix(tag).unwrap_or(text).trim_end();
    }
    // A line drawn across the page is a headline for what follows, and says nothing about it.
    let is_ruled = ["----", "====", "~~~~", "####", "____", "****", "////"]
        .iter()
        .any(|ruler| text.starts_with(ruler) || text.ends_with(ruler));
    let is_for_people = !is_ruled && text.chars().any(char::is_alphanumeric);
    let is_for_tools = [
        "@",
        "\\",
        "eslint",
        "prettier-",
        "jshint",
        "jslint",
        "global ",
        "globals ",
        "go:",
        "+build",
        "nolint",
        "noqa",
        "type:",
        "-*-",
        "vim:",
        "pylint:",
        "rubocop:",
        "frozen_string_literal",
        "istanbul",
        "clang-format",
        "NOLINT",
        "shellcheck ",
        "<reference",
        "coding:",
        "encoding:",
        "SPDX-",
        "ts-",
        "biome-",
        "swiftlint:",
        "swift-tools-version",
    ];
    (is_for_people && !is_for_tools.iter().any(|mark| text.starts_with(mark))).then_some(text)
}

/// The first line of the string that a body begins with.
pub(super) fn docstring(grammar: &Grammar, item: &Item<'_, '_>, body: Option<Node<'_>>) -> Option<Note> {
    let body = body?;
    // Most bodies begin with something else than a comment: to ask for one child is cheaper than to walk.
    let mut first = body.named_child(0)?;
    while grammar.role(first) == Role::Comment {
        first = first.next_named_sibling()?;
    }
    let is_string = grammar.role(first) == Role::Text;
    let string = if is_string { first } else { first.named_child(0)? };
    if grammar.role(string) != Role::Text || !is_string && first.kind() != "expression_statement" {
        return None;
    }
    let text = item.text_of(string);
    for (row, text) in text.lines().enumerate() {
        let text =
            if row == 0 { text.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B', 'f', 'F']) } else { text };
        let text = text.trim().trim_matches(['"', '\'']).trim();
        if text.chars().any(char::is_alphanumeric) {
            return Some(Note { text: one_line(text, MOST), line: line(string.start_position().row + row) });
        }
    }
    None
}
