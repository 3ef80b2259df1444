//! Versions that no manifest names: in a file of their own, or as a constant of the program.

use std::sync::LazyLock;

use regex::Regex;

use super::at;
use crate::offline::eyes::FileText;
use crate::offline::finding::Finding;
use crate::offline::statement::Statement;

/// A constant further down is about something else.
const LINES: usize = 60;

/// The version that a file keeps, by its name.
pub(super) fn of_file(file: &FileText) -> Option<Finding> {
    let stem = file.name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let (version, line) = match (stem.as_str(), file.name.as_str()) {
        (_, "VERSION" | "VERSION.txt" | "version.txt") => (whole(file.line(1))?, 1),
        ("version" | "_version" | "__version__" | "__about__", _) | (_, "__init__.py") => constant(file)?,
        _ => return None,
    };
    at(file, Statement::Versioned { path: file.word.clone(), version }, [u32::try_from(line).ok()?])
}

/// A line that is a version and nothing else.
fn whole(line: &str) -> Option<String> {
    static VERSION: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^v?\d+\.\d+(?:\.\d+)*(?:[.+-]?[0-9A-Za-z]+)*$").ok());
    let line = line.trim();
    (line.len() <= 40 && VERSION.as_ref()?.is_match(line)).then(|| line.to_owned())
}

fn constant(file: &FileText) -> Option<(String, usize)> {
    // `const Version = "v1.2.3"`, `__version__ = "1.2.3"`, `VERSION = '1.2.3'`.
    static TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"^\s*(?:pub |export |public |static |final |const |var |let )*(?:__version__|VERSION|Version|version)\s*(?::\s*\S+\s*)?=\s*["'](v?\d+\.\d+\.\d+[0-9A-Za-z.+-]*)["']"#).ok()
    });
    // `VERSION = (6, 2, 0, "alpha", 0)`.
    static TUPLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"^VERSION\s*=\s*\((\d+),\s*(\d+),\s*(\d+)(?:,\s*["']([a-z]+)["'])?"#).ok()
    });
    let (text, tuple) = (TEXT.as_ref()?, TUPLE.as_ref()?);
    file.lines().take(LINES).find_map(|(number, line)| {
        if let Some(found) = text.captures(line) {
            return Some((found.get(1)?.as_str().to_owned(), number));
        }
        let found = tuple.captures(line)?;
        let part = |at: usize| found.get(at).map(|part| part.as_str());
        let stage = part(4).filter(|stage| *stage != "final").map(|stage| format!(" {stage}"));
        let numbers = [part(1)?, part(2)?, part(3)?].join(".");
        Some((format!("{numbers}{}", stage.unwrap_or_default()), number))
    })
}
