//! Versions that no manifest names: in a file of their own, or as a constant of the program.

use std::sync::LazyLock;

use regex::Regex;

use luminos_core::fact::{Fact, FactKind};

use super::at;
use crate::eyes::FileText;

/// A constant further down is about something else.
const LINES: usize = 60;

/// The version that a file keeps, by its name.
pub(super) fn of_file(file: &FileText) -> Option<Fact> {
    let stem = file.name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let (version, line) = match (stem.as_str(), file.name.as_str()) {
        (_, "CMakeLists.txt") => of_cmake(file)?,
        (_, "version.json") => of_json(file)?,
        (_, name) if name.ends_with(".podspec") => of_pod(file)?,
        (_, name) if name.ends_with(".h") || name.ends_with(".hpp") => of_header(file)
            .or_else(|| of_define(file).filter(|_| stem.ends_with("ver") || stem == "version"))?,
        (_, "VERSION" | "VERSION.txt" | "version.txt") => (whole(file.line(1))?, 1),
        ("version" | "_version" | "__version__" | "__about__", _) | (_, "__init__.py") => constant(file)?,
        _ => return None,
    };
    // A number that no release has stands for what is not released.
    if version.split('.').all(|part| part == "255" || part == "999") {
        return None;
    }
    at(file, FactKind::Version { version }, [u32::try_from(line).ok()?])
}

/// `set(KILN_VERSION_MAJOR 1)`, `…MINOR`, `…PATCH` and what comes after them.
fn of_cmake(file: &FileText) -> Option<(String, usize)> {
    let first = file.find("_VERSION_MAJOR ")?;
    let value = |word: &str| {
        let lines = first..first + 6;
        lines.into_iter().find_map(|number| {
            let rest = file.line(number).trim().strip_prefix("set(")?.split_once(word)?.1;
            Some(rest.split(')').next()?.trim().trim_matches('"').to_owned())
        })
    };
    let parts = [value("_VERSION_MAJOR ")?, value("_VERSION_MINOR ")?, value("_VERSION_PATCH ")?];
    let is_number = |part: &String| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let stage = value("_VERSION_PRERELEASE ").filter(|stage| stage.starts_with('-')).unwrap_or_default();
    parts.iter().all(is_number).then(|| (format!("{}{stage}", parts.join(".")), first))
}

/// `"version": "2.1"`, in a file that keeps nothing else.
fn of_json(file: &FileText) -> Option<(String, usize)> {
    let line = file.find("\"version\":")?;
    let version = file.line(line).split('"').nth(3)?;
    whole(version).map(|version| (version, line))
}

/// `#define KILN_VERSION 10203`, where a comment says how it is put together.
fn of_header(file: &FileText) -> Option<(String, usize)> {
    let said = file.find("major * 10000 + minor * 100 + patch")?;
    let line = (said + 1..said + 3).find(|number| file.line(*number).contains("_VERSION "))?;
    let number: u64 = file.line(line).split_whitespace().last()?.parse().ok()?;
    Some((format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100), line))
}

/// `#define KILN_VERSION "1.2.3"`, in a header for that.
fn of_define(file: &FileText) -> Option<(String, usize)> {
    static DEFINED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^\s*#\s*define\s+\w*VERSION\s+"v?(\d+\.\d+[0-9A-Za-z.+-]*)""#).ok());
    first_of(file, DEFINED.as_ref()?)
}

/// `s.version = '1.2.3'` of a pod.
fn of_pod(file: &FileText) -> Option<(String, usize)> {
    static POD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^\s*\w+\.version\s*=\s*["'](\d+\.\d+[0-9A-Za-z.+-]*)["']"#).ok());
    first_of(file, POD.as_ref()?)
}

fn first_of(file: &FileText, pattern: &Regex) -> Option<(String, usize)> {
    file.lines()
        .find_map(|(number, line)| Some((pattern.captures(line)?.get(1)?.as_str().to_owned(), number)))
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
