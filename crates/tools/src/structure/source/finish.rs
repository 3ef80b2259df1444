//! What can be said only when the whole tree has been seen.

use tree_sitter::Node;

use super::comment::docstring;
use super::engine::{Walk, last_line};
use super::grammar::Dialect;
use super::item::{Item, one_line, tightened};
use super::{EntryPoint, FileMetrics, Function, Language, Source};
use crate::structure::outline::Lines;

/// The result of a walk.
pub(super) fn source(walk: Walk<'_, '_>, root: Node<'_>) -> Source {
    let dialect = walk.grammar.dialect;
    let (text, comments, mut found) = (walk.text, walk.comments, walk.found);
    for name in std::mem::take(&mut found.exported) {
        let types = found.types.iter_mut().filter(|item| item.name == name && item.owner.is_none());
        types.for_each(|item| item.exported = true);
        let functions = found.functions.iter_mut().filter(|item| item.name == name && item.owner.is_none());
        functions.for_each(|item| item.exported = true);
    }
    for hidden in &found.hidden {
        let inside = |function: &&mut Function| {
            hidden.first < function.lines.first && function.lines.last <= hidden.last
        };
        found.functions.iter_mut().filter(inside).for_each(|function| function.exported = false);
    }
    for import in &mut found.imports {
        import.written = tightened(&import.written);
    }
    drop_prototypes(dialect.language, &mut found.functions);
    for function in &found.functions {
        if is_main(dialect, function, found.package.as_ref().map(|note| note.text.as_str())) {
            let what = one_line(&function.signature, 80);
            found.entry_points.push(EntryPoint { what, lines: function.lines });
        }
    }
    // What Rust says of a whole file begins in the same way.
    let script = text.strip_prefix(b"#!").filter(|text| !text.trim_ascii_start().starts_with(b"["));
    if let Some(line) = script.and_then(|text| text.split(|byte| *byte == b'\n').next()) {
        let what = format!("#!{}", one_line(&String::from_utf8_lossy(line), 80));
        found.entry_points.push(EntryPoint { what, lines: Lines::one(1) });
    }
    found.entry_points.sort_by_key(|entry| entry.lines);
    let documented: Vec<u32> = {
        let types = found.types.iter().filter(|item| item.doc.is_some()).map(|item| item.lines.first);
        let functions = found.functions.iter().filter(|item| item.doc.is_some()).map(|item| item.lines.first);
        types.chain(functions).filter_map(|line| line.checked_sub(1)).collect()
    };
    let item = Item { node: root, text, path: &[], is_inside_function: false };
    let own = if dialect.has_docstrings { docstring(walk.grammar, &item, Some(root)) } else { None };
    let lines = if text.is_empty() { 0 } else { last_line(root).max(count_lines(text)) };
    Source {
        language: dialect.language,
        doc: own.or_else(|| comments.of_file(root, dialect.file_doc_marks, &documented)),
        metrics: FileMetrics {
            lines,
            code_lines: found.code_lines,
            longest_function: found.functions.iter().map(|item| item.metrics.lines).max().unwrap_or(0),
            deepest_nesting: found.functions.iter().map(|item| item.metrics.nesting).max().unwrap_or(0),
        },
        package: found.package,
        imports: found.imports,
        types: found.types,
        functions: found.functions,
        entry_points: found.entry_points,
        tests: found.tests,
        left_out: found.left_out,
        has_errors: root.has_error(),
    }
}

pub(super) fn count_lines(text: &[u8]) -> u32 {
    let newlines = memchr::memchr_iter(b'\n', text).count();
    let is_open = text.last().is_some_and(|byte| *byte != b'\n');
    u32::try_from(newlines + usize::from(is_open)).unwrap_or(u32::MAX)
}

/// A prototype tells nothing once the definition is in the same file.
fn drop_prototypes(language: Language, functions: &mut Vec<Function>) {
    if !matches!(language, Language::C | Language::Cpp) {
        return;
    }
    let defined: std::collections::HashSet<String> =
        functions.iter().filter(|item| item.has_body).map(|item| item.name.clone()).collect();
    functions.retain(|item| item.has_body || item.owner.is_some() || !defined.contains(&item.name));
}

fn is_main(dialect: &Dialect, function: &Function, package: Option<&str>) -> bool {
    let has_name = dialect.mains.contains(&function.name.as_str()) && function.has_body;
    let is_free = function.owner.is_none();
    let language = dialect.language;
    if !has_name {
        false
    } else if language == Language::Go {
        package == Some("main") && is_free
    } else if matches!(language, Language::Java | Language::CSharp) {
        function.signature.contains("static")
    } else {
        is_free || matches!(language, Language::Kotlin | Language::Scala)
    }
}

/// Whether the signature of a function tells what it is, besides what it is called.
pub(super) fn needs_signature(dialect: &Dialect, name: &str) -> bool {
    dialect.language == Language::Go || dialect.mains.contains(&name)
}

/// Whether a function is a test, by its name or by what stands before it.
pub(super) fn is_test(dialect: &Dialect, function: &Function, header: &[u8]) -> bool {
    if dialect.language == Language::Go
        && !function.signature.contains("*testing.")
        && !function.name.starts_with("Example")
    {
        return false;
    }
    let by_name = dialect.tests.prefixes.iter().any(|prefix| {
        function.name.strip_prefix(prefix).is_some_and(|rest| {
            // `TestMain` and `testament` are words of their own in some languages; a capital or `_` is not.
            prefix.ends_with('_') || rest.chars().next().is_none_or(|next| !next.is_lowercase())
        })
    });
    let header = header.trim_ascii();
    by_name || dialect.tests.marks.iter().any(|mark| memchr::memmem::find(header, mark.as_bytes()).is_some())
}
