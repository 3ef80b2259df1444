//! How the outline of a program reads.

use std::fmt::Write as _;

use super::{Page, count, place, said};
use crate::structure::outline::Lines;
use crate::structure::source::{Function, Import, Language, Source, Test, Type};

/// A program.
pub(super) fn write(page: &mut Page, source: &Source) {
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
                let (word, name, derived) = (item.kind.word(), &item.name, &item.derived);
                format!("{place} {exported}{word} {name}{derived}{columns}{owner}{doc}")
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
