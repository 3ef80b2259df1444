//! Crates that a file of Rust uses: in a group without a name before it, and by their names in the middle of code.

use std::collections::BTreeSet;

use luminos_tools::structure::Source;

use crate::eyes::FileText;

/// What every file has: the language's own crates and types.
const KNOWN: &str = "std core alloc crate self super proc_macro test u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str slice";

/// The modules that a `use` with a group names: `use {a, b::c};` and `use crate::{a, b::c};`. `None` for one without.
pub(super) fn of_use(written: &str) -> Option<Vec<String>> {
    let rest = written.split_once("use ")?.1;
    let (prefix, group) = rest.split_once('{')?;
    let prefix = prefix.trim();
    if prefix.is_empty() {
        return Some(of_group(group));
    }
    let is_own = ["crate::", "super::", "self::"].iter().any(|own| prefix.starts_with(own));
    is_own.then(|| of_group(group).into_iter().map(|module| format!("{prefix}{module}")).collect())
}

/// The modules of a group: `std::io, grep::{cli, printer}};` has two.
pub(super) fn of_group(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut modules = vec![String::new()];
    for character in group.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => modules.push(String::new()),
            character if depth == 0 => {
                if let Some(last) = modules.last_mut() {
                    last.push(character);
                }
            }
            _ => {}
        }
    }
    let module = |text: &String| {
        text.split(" as ").next().unwrap_or_default().trim().trim_end_matches("::").to_owned()
    };
    modules.iter().map(module).filter(|module| !module.is_empty()).collect()
}

/// Names before `::` that nothing in the file brings into it: crates, each with the first line that names it.
pub(super) fn named_in_passing(file: &FileText, source: &Source) -> Vec<(String, usize)> {
    let mut known: BTreeSet<&str> = KNOWN.split(' ').collect();
    for import in &source.imports {
        known.extend(import.written.split(|character: char| !is_of_name(character)));
    }
    known.extend(source.types.iter().map(|kind| kind.name.as_str()));
    let text = file.text.as_str();
    let mut found = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), b"::") {
        let before = &text[..at];
        let start = before
            .rfind(|character: char| !is_of_name(character))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let name = &before[start..];
        let is_crate = name.starts_with(|first: char| first.is_ascii_lowercase());
        let is_first = !before[..start].ends_with([':', '.', '$', '\'', '"']);
        if is_crate && is_first && known.insert(name) {
            let line = file.line_at(at);
            let is_said = file.line(line).trim_start().starts_with("//");
            if is_said {
                known.remove(name);
            } else {
                found.push((name.to_owned(), line));
            }
        }
    }
    found
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::{of_group, of_use};

    #[test]
    fn a_group_has_what_stands_before_it() {
        assert_eq!(
            of_use("pub use crate::{flags::{A, B}, search};").unwrap(),
            ["crate::flags", "crate::search"]
        );
        assert_eq!(of_use("use {std::io, bstr::B};").unwrap(), ["std::io", "bstr::B"]);
        assert_eq!(of_use("use std::{io, fs};"), None);
        assert_eq!(of_use("use std::io;"), None);
    }

    #[test]
    fn a_group_names_each_of_its_modules() {
        assert_eq!(
            of_group("bstr::BString, grep::{cli, printer::{Stats}}, x as y};"),
            ["bstr::BString", "grep", "x"]
        );
    }
}
