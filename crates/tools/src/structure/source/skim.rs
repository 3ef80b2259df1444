//! Function bodies are measured by their tokens and left out of what the grammar reads.
//!
//! A grammar reads a few megabytes a second, and most of a program is the inside of functions, of which an outline needs three
//! numbers. So a scanner of tokens goes first: it finds bodies, counts lines, branches and nesting, and hands on the text
//! without them. A body stays where it is when something in it belongs into the outline (a function, a type, an import), or
//! when its brackets do not add up.
//!
//! Where a body was, an empty one of two lines is left, so that each line of the short text is one line of the long one.

mod braces;
mod indents;
mod scanner;

use super::{Language, Source};

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
    code_lines: u32,
}

impl Skim {
    /// The short text of a program; `None` where the language is not one this is done for.
    pub(super) fn of(language: Language, text: &[u8]) -> Option<Self> {
        if language == Language::Python {
            return Some(indents::skim(text));
        }
        braces::Words::of(language).map(|words| braces::skim(words, text))
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
        source.metrics.code_lines = self.code_lines;
        source.metrics.lines = super::finish::count_lines(text);
        let functions = source.functions.iter().map(|item| item.metrics);
        source.metrics.longest_function = functions.clone().map(|metrics| metrics.lines).max().unwrap_or(0);
        source.metrics.deepest_nesting = functions.map(|metrics| metrics.nesting).max().unwrap_or(0);
    }

    fn push(&mut self, rows: usize, cut_lines: usize, measured: Measured) {
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.cuts.push(Cut { line: short(rows), lines: short(cut_lines), measured });
    }
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
mod tests {
    use super::super::engine::outline_whole;
    use super::super::grammar::Grammar;
    use super::{Language, Skim};
    use crate::structure::Limits;

    const FIXTURES: &[(Language, &[u8])] = &[
        (Language::C, include_bytes!("../../../tests/structure/fixtures/shop.c")),
        (Language::Cpp, include_bytes!("../../../tests/structure/fixtures/shop.cpp")),
        (Language::Go, include_bytes!("../../../tests/structure/fixtures/shop.go")),
        (Language::Java, include_bytes!("../../../tests/structure/fixtures/shop.java")),
        (Language::JavaScript, include_bytes!("../../../tests/structure/fixtures/shop.js")),
        (Language::Python, include_bytes!("../../../tests/structure/fixtures/shop.py")),
        (Language::Rust, include_bytes!("../../../tests/structure/fixtures/shop.rs")),
        (Language::Rust, include_bytes!("engine.rs")),
        (Language::Rust, include_bytes!("skim/scanner.rs")),
        (Language::Rust, include_bytes!("../table.rs")),
        (Language::TypeScript, include_bytes!("../../../tests/structure/fixtures/shop.ts")),
    ];

    /// The short text gives what the long one gives.
    #[test]
    fn nothing_is_lost_with_the_bodies() {
        for (language, text) in FIXTURES {
            let limits = Limits::default();
            let mut whole = outline_whole(Grammar::of(*language), text, &limits).unwrap();
            let skim = Skim::of(*language, text).unwrap();
            let mut short = outline_whole(Grammar::of(*language), &skim.text, &limits).unwrap();
            skim.restore(&mut short, text);
            // Ways are counted by tokens here and by nodes there: they may differ a little, and only they.
            for source in [&mut whole, &mut short] {
                source.metrics.deepest_nesting = 0;
                for function in &mut source.functions {
                    function.metrics.branches = 0;
                    function.metrics.nesting = 0;
                }
            }
            assert_eq!(short, whole, "{language:?}");
            let has_long_bodies = *language != Language::TypeScript;
            assert_eq!(!skim.cuts.is_empty(), has_long_bodies, "{language:?}");
        }
    }

    #[test]
    fn ways_are_counted_by_tokens_as_by_nodes() {
        for (language, body) in [
            (
                Language::Rust,
                "fn f() {\n if a && b { for c in d { while e {} } } else if g || h { match i { 1 => {}, _ => {} } }\n let k = || 1;\n}\n",
            ),
            (
                Language::Go,
                "package a\nfunc f() {\n if a := b; a && c {\n for {\n switch {\n case d:\n case e:\n }\n }\n } else if g {\n }\n}\n",
            ),
            (
                Language::C,
                "int f(void) {\n if (a && b) { for (;;) { switch (c) { case 1: case 2: break; } } } else if (d == 'x' || e) { while (g ? h : i) {} }\n}\n",
            ),
            (
                Language::Python,
                "def f():\n    if a and b:\n        for c in d:\n            try:\n                pass\n            except E:\n                if g: pass\n    elif h:\n        with i: pass\n",
            ),
        ] {
            let limits = Limits::default();
            let whole = outline_whole(Grammar::of(language), body.as_bytes(), &limits).unwrap();
            let skim = Skim::of(language, body.as_bytes()).unwrap();
            let mut short = outline_whole(Grammar::of(language), &skim.text, &limits).unwrap();
            skim.restore(&mut short, body.as_bytes());
            assert_eq!(short.functions[0].metrics, whole.functions[0].metrics, "{language:?}");
            assert_eq!(skim.cuts.len(), 1, "{language:?}");
        }
    }
}
