//! What a model reads of an outline: compact, line ranges in front, and inert.
//!
//! Every line passes `Untrusted::for_terminal`: a name with escape sequences or invisible characters shows as what it is. What
//! does not fit is counted, so that nobody takes a part for the whole.

use std::fmt::Write as _;

use luminos_core::Untrusted;

use super::outline::{Lines, Note, Outline};
use super::source::{Function, Import, Language, Source, Test, Type};

/// Most bytes of a whole text.
const MOST_BYTES: usize = 24_000;

/// Most items of one list.
const MOST_ITEMS: usize = 250;

impl Outline {
    /// What a model reads: one item a line, its lines of the file in front.
    pub fn for_model(&self) -> String {
        let mut page = Page::default();
        match self {
            Self::Source(source) => write_source(&mut page, source),
        }
        page.finish()
    }
}

/// Lines that are made harmless one by one, and counted when there is no more room.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    left_out: usize,
}

impl Page {
    /// A line of our own words, perhaps with words of the target.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = Untrusted::new(line.as_ref().as_bytes()).for_terminal();
        if MOST_BYTES < self.text.len() + line.len() {
            self.left_out += 1;
            return;
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// The items of a list, the first of them at least, each made into a line.
    pub(super) fn list<T>(&mut self, what: &str, items: &[T], left_out: u32, line: impl Fn(&T) -> String) {
        for item in items.iter().take(MOST_ITEMS) {
            self.line(line(item));
        }
        let more = items.len().saturating_sub(MOST_ITEMS) + left_out as usize;
        if 0 < more {
            self.line(format!("… and {more} more {what}"));
        }
    }

    /// A headline with a list below it, where there is something to list.
    pub(super) fn section<T>(
        &mut self,
        title: &str,
        items: &[T],
        left_out: u32,
        line: impl Fn(&T) -> String,
    ) {
        if !items.is_empty() {
            self.line(format!("{title}:"));
            self.list(&title.to_lowercase(), items, left_out, line);
        }
    }

    fn finish(mut self) -> String {
        if 0 < self.left_out {
            let _ = writeln!(self.text, "… and {} more lines that did not fit", self.left_out);
        }
        self.text
    }
}

/// `12-40`, or `12` for one line.
pub(super) fn place(lines: Lines) -> String {
    if lines.first == lines.last {
        lines.first.to_string()
    } else {
        format!("{}-{}", lines.first, lines.last)
    }
}

/// `3 functions`, `1 function`.
pub(super) fn count(number: usize, word: &str) -> String {
    match (number, word) {
        (1, _) => format!("1 {word}"),
        (_, "entry") => format!("{number} entries"),
        (_, "dependency") => format!("{number} dependencies"),
        (_, "class") => format!("{number} classes"),
        (_, _) => format!("{number} {word}s"),
    }
}

/// ` — what it says`, or nothing.
pub(super) fn said(note: Option<&Note>) -> String {
    note.map(|note| format!(" — {}", note.text)).unwrap_or_default()
}

fn write_source(page: &mut Page, source: &Source) {
    let metrics = source.metrics;
    let mut head = format!(
        "{}, {} ({} of code)",
        source.language.name(),
        count(metrics.lines as usize, "line"),
        metrics.code_lines
    );
    for (number, word) in [
        (source.imports.len() + source.left_out.imports as usize, "import"),
        (source.types.len() + source.left_out.types as usize, "type"),
        (source.functions.len() + source.left_out.functions as usize, "function"),
        (source.tests.len() + source.left_out.tests as usize, "test"),
    ] {
        if 0 < number {
            let _ = write!(head, ", {}", count(number, word));
        }
    }
    page.line(head);
    if source.has_errors {
        page.line("The grammar could not read all of it: items may be missing.");
    }
    if let Some(package) = &source.package {
        let word = if source.language == Language::Html { "title" } else { "package" };
        page.line(format!("{} {word} {}", package.line, package.text));
    }
    if let Some(doc) = &source.doc {
        page.line(format!("{} says: {}", doc.line, doc.text));
    }
    page.section("Entry points", &source.entry_points, 0, |entry| {
        format!("{} {}", place(entry.lines), entry.what)
    });
    let mut imports: Vec<&Import> = source.imports.iter().collect();
    imports.dedup_by(|one, other| one.line == other.line && one.written == other.written);
    page.section("Imports", &imports, source.left_out.imports, |import| {
        format!("{} {}", import.line, import.written)
    });
    write_items(page, source);
    let is_listed =
        |test: &&Test| source.functions.iter().any(|item| item.is_test && item.lines == test.lines);
    let tests: Vec<&Test> = source.tests.iter().filter(|test| !is_listed(test)).collect();
    page.section("Tests", &tests, source.left_out.tests, |test| {
        format!("{} {}", place(test.lines), test.name)
    });
    if 0 < source.left_out.deep {
        page.line(format!(
            "{} were nested too deep to be looked into",
            count(source.left_out.deep as usize, "part")
        ));
    }
}

/// Types and functions, in the order of the file.
fn write_items(page: &mut Page, source: &Source) {
    enum Either<'a> {
        Type(&'a Type),
        Function(&'a Function),
    }
    let types = source.types.iter().map(|item| (item.lines, Either::Type(item)));
    let functions = source.functions.iter().map(|item| (item.lines, Either::Function(item)));
    let mut items: Vec<(Lines, Either<'_>)> = types.chain(functions).collect();
    items.sort_by_key(|(lines, _)| (lines.first, std::cmp::Reverse(lines.last)));
    let left_out = source.left_out.types + source.left_out.functions;
    page.section("Types and functions", &items, left_out, |(lines, item)| {
        let place = place(*lines);
        match item {
            Either::Type(item) => {
                let exported = if item.exported { "" } else { "private " };
                let owner = item.owner.as_ref().map(|owner| format!(" (in {owner})")).unwrap_or_default();
                let columns = match item.columns.as_slice() {
                    [] => String::new(),
                    columns => format!(" ({})", columns.join(", ")),
                };
                let doc = said(item.doc.as_ref());
                format!("{place} {exported}{} {}{columns}{owner}{doc}", item.kind.word(), item.name)
            }
            Either::Function(item) => {
                let owner = match (&item.owner, &item.of_trait) {
                    (Some(owner), Some(of_trait)) => format!("{owner} as {of_trait}: "),
                    (Some(owner), None) => format!("{owner}: "),
                    (None, _) => String::new(),
                };
                let test = if item.is_test { " [test]" } else { "" };
                let entangled = if 10 < item.metrics.cyclomatic() {
                    format!(" [complexity {}, nesting {}]", item.metrics.cyclomatic(), item.metrics.nesting)
                } else {
                    String::new()
                };
                let doc = said(item.doc.as_ref());
                format!("{place} {owner}{}{test}{entangled}{doc}", item.signature)
            }
        }
    });
}
