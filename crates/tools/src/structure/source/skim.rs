//! Function bodies are measured by their tokens and left out of what the grammar reads.
//!
//! A grammar reads a few megabytes a second, and most of a program is the inside of functions, of which an outline needs three
//! numbers. So a scanner of tokens goes first: it finds bodies, counts lines, branches and nesting, and hands on the text
//! without them. A body stays where it is when something in it belongs into the outline (a function, a type, an import), or
//! when its brackets do not add up.
//!
//! Where a body was, an empty one of two lines is left, so that each line of the short text is one line of the long one.
//! Where only names are asked for, whole methods of Python are left out, and put back afterwards.

mod blocks;
mod braces;
mod indents;
mod own;
mod scanner;
mod words;

use super::grammar::{Grammar, is_plain};
use super::{Function, FunctionMetrics, Language, Source, Test};
use crate::structure::Heads;
use crate::structure::outline::Lines;

/// Shortest body that is worth leaving out, in bytes.
const LEAST: usize = 48;

/// A body that was left out.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// The line of the short text in which the body ends.
    line: u32,
    /// How many lines were left out.
    lines: u32,
    measured: Measured,
}

/// What was counted in a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Measured {
    branches: u32,
    nesting: u32,
}

/// A text without the bodies of its functions.
#[derive(Debug, Default)]
pub(super) struct Skim {
    pub(super) text: Vec<u8>,
    cuts: Vec<Cut>,
    /// Whole methods that were left out, in order.
    methods: Vec<Method>,
    code_lines: u32,
}

/// A method that was left out as a whole.
#[derive(Debug)]
struct Method {
    name: String,
    /// The line of the head of the method that it is like, in the long text.
    like: u32,
    lines: Lines,
    measured: Measured,
}

impl Method {
    fn new(name: String, like: usize, first: usize, last: usize, measured: Measured) -> Self {
        let lines = Lines { first: short(first), last: short(last) };
        Self { name, like: short(like), lines, measured }
    }
}

impl Skim {
    /// The short text of a program; `None` where the language is not one this is done for.
    pub(super) fn of(language: Language, text: &[u8], heads: Heads) -> Option<Self> {
        if language == Language::Python {
            return Some(indents::skim(text, heads));
        }
        if language == Language::Lua {
            return Some(blocks::skim(text));
        }
        // Pages with a little code in them are no programs.
        let is_page = || memchr::memmem::find(text, b"?>").is_some() || !text.starts_with(b"<?php");
        if language == Language::Php && is_page() {
            return None;
        }
        words::Words::of(language).map(|words| braces::skim(words, text))
    }

    /// Whether anything was left out.
    pub(super) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// How many methods were left out as a whole.
    pub(super) fn methods(&self) -> usize {
        self.methods.len()
    }

    /// Lines and numbers as they are in the long text.
    pub(super) fn restore(&self, source: &mut Source, text: &[u8]) {
        for cut in &self.cuts {
            // All functions around it are that much longer; the ways through it are those of the innermost.
            let after = source.functions.partition_point(|function| function.lines.first <= cut.line);
            let near = source.functions.iter_mut().take(after).rev().take(256);
            let mut is_innermost = true;
            for function in near.filter(|function| cut.line <= function.lines.last) {
                function.metrics.lines += cut.lines;
                if is_innermost {
                    function.metrics.branches += cut.measured.branches;
                    function.metrics.nesting = function.metrics.nesting.max(cut.measured.nesting);
                    is_innermost = false;
                }
            }
        }
        let lines = Restored::new(&self.cuts);
        let notes = [source.package.as_mut(), source.doc.as_mut()].into_iter().flatten();
        let docs = source.types.iter_mut().filter_map(|item| item.doc.as_mut());
        let own_docs = source.functions.iter_mut().filter_map(|item| item.doc.as_mut());
        notes.chain(docs).chain(own_docs).for_each(|note| note.line = lines.of(note.line));
        source.imports.iter_mut().for_each(|import| import.line = lines.of(import.line));
        let types = source.types.iter_mut().map(|item| &mut item.lines);
        let functions = source.functions.iter_mut().map(|item| &mut item.lines);
        let entries = source.entry_points.iter_mut().map(|item| &mut item.lines);
        let tests = source.tests.iter_mut().map(|item| &mut item.lines);
        for range in types.chain(functions).chain(entries).chain(tests) {
            range.first = lines.of(range.first);
            range.last = lines.of(range.last);
        }
        self.put_back(source);
        source.metrics.code_lines = self.code_lines;
        source.metrics.lines = super::finish::count_lines(text);
        let functions = source.functions.iter().map(|item| item.metrics);
        source.metrics.longest_function = functions.clone().map(|metrics| metrics.lines).max().unwrap_or(0);
        source.metrics.deepest_nesting = functions.map(|metrics| metrics.nesting).max().unwrap_or(0);
    }

    /// Puts methods back that were left out as a whole.
    fn put_back(&self, source: &mut Source) {
        if self.methods.is_empty() {
            return;
        }
        let dialect = Grammar::of(source.language).dialect;
        let known = source.functions.len();
        for method in &self.methods {
            let read = source.functions.get(..known).unwrap_or_default();
            // The one that it is like has nothing in it: no other begins later, and before this.
            let before = read.partition_point(|function| function.lines.first <= method.like);
            let Some(like) = before.checked_sub(1).and_then(|index| read.get(index)) else { continue };
            let Measured { branches, nesting } = method.measured;
            let lines = method.lines.last - method.lines.first + 1;
            let mut function = Function {
                name: method.name.clone(),
                owner: like.owner.clone(),
                of_trait: None,
                signature: String::new(),
                lines: method.lines,
                doc: None,
                exported: is_plain(&method.name),
                is_test: false,
                has_body: true,
                parameters: 0,
                metrics: FunctionMetrics { lines, nesting, branches },
            };
            function.is_test = super::finish::is_test(dialect, &function, b"");
            if function.is_test {
                source.tests.push(Test { name: function.name.clone(), lines: function.lines });
            }
            source.functions.push(function);
        }
        source.functions.sort_by_key(|function| function.lines.first);
        source.tests.sort_by_key(|test| test.lines.first);
    }

    fn push(&mut self, rows: usize, cut_lines: usize, measured: Measured) {
        self.cuts.push(Cut { line: short(rows), lines: short(cut_lines), measured });
    }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// How many lines were left out before each line of the short text.
struct Restored(Vec<(u32, u32)>);

impl Restored {
    fn new(cuts: &[Cut]) -> Self {
        let mut total = 0;
        Self(
            cuts.iter()
                .map(|cut| {
                    total += cut.lines;
                    (cut.line, total)
                })
                .collect(),
        )
    }

    fn of(&self, line: u32) -> u32 {
        let before = self.0.partition_point(|(cut, _)| *cut <= line);
        let added = before.checked_sub(1).and_then(|index| self.0.get(index)).map_or(0, |(_, total)| *total);
        line.saturating_add(added)
    }
}

#[cfg(test)]
mod tests;
