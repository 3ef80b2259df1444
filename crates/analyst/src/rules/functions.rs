//! Functions that are too long or too deep to be held in mind.

use luminos_tools::structure::Source;

use super::Found;
use super::table::GIANT;
use crate::eyes::FileText;
use crate::words::{code, number};

/// Longer ones are worth a word, and deeper ones that are not short.
const LONG: u32 = 400;
const DEEP: u32 = 9;
const NOT_SHORT: u32 = 80;

/// The longest and deepest functions of a file, in one finding.
pub(crate) fn look(file: &FileText, source: &Source) -> Option<Found> {
    let is_test = |name: &str| source.tests.iter().any(|test| test.name == name);
    let mut giants: Vec<_> = source
        .functions
        .iter()
        .filter(|function| function.has_body && is_name(&function.name) && !is_test(&function.name))
        .map(|function| (function, function.lines.count(), function.metrics.nesting))
        // A long function without branches is a table.
        .filter(|(function, lines, nesting)| {
            LONG <= *lines && *lines <= function.metrics.branches.saturating_mul(40)
                || DEEP <= *nesting && NOT_SHORT <= *lines
        })
        .collect();
    giants.sort_by_key(|(function, lines, _)| (std::cmp::Reverse(*lines), function.lines.first));
    let (first, lines, nesting) = giants.first()?;
    let deep = if DEEP <= *nesting { format!(", nested {nesting} deep") } else { String::new() };
    let more = match giants.len() - 1 {
        0 => String::new(),
        more => format!("; {more} more of the kind"),
    };
    let finding = format!("{} has {} lines{deep}{more}.", code(&first.name), number(u64::from(*lines)));
    let evidence = giants.iter().take(3).map(|(function, _, _)| {
        let line = function.lines.first as usize;
        let line = (line..line + 12).find(|line| file.line(*line).contains(&function.name)).unwrap_or(line);
        file.cite_lines(line, line)
    });
    Some(Found::new(&GIANT, finding, evidence.collect()))
}

/// Macros that look like functions to a grammar, and tests that no framework knows, are none.
fn is_name(name: &str) -> bool {
    let is_macro =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let is_test = name.ends_with("Test") || name.ends_with("_test") || name.starts_with("test");
    !is_macro && !is_test && !matches!(name, "namespace" | "class" | "struct" | "enum" | "extern")
}
