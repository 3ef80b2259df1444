//! CMakeLists.txt: the commands that say what is built from what.

use super::{Manifest, Note, numbered, words};
use crate::structure::outline::Lines;

/// Longest list of arguments that is looked at, in bytes.
const MOST: usize = 2_000;

pub(super) fn read(manifest: &mut Manifest, text: &str) {
    let mut open: Option<(String, String, u32)> = None;
    for (line, written) in numbered(text) {
        let written = written.split('#').next().unwrap_or(written).trim();
        let (command, mut arguments, first) = match open.take() {
            Some(open) => open,
            None => match written.split_once('(') {
                Some((command, _)) => (command.trim().to_ascii_lowercase(), String::new(), line),
                None => continue,
            },
        };
        let rest = if arguments.is_empty() {
            written.split_once('(').map_or(written, |(_, rest)| rest)
        } else {
            written
        };
        if arguments.len() < MOST {
            arguments.push_str(rest);
            arguments.push(' ');
        }
        if written.ends_with(')') {
            let arguments = arguments.trim_end().trim_end_matches(')').to_owned();
            apply(manifest, &command, &arguments, Lines { first, last: line });
        } else {
            open = Some((command, arguments, first));
        }
    }
}

fn apply(manifest: &mut Manifest, command: &str, arguments: &str, lines: Lines) {
    let mut parts = arguments.split_whitespace();
    let Some(first) = parts.next() else { return };
    match command {
        "project" => {
            manifest.name = words(first, lines.first);
            let after = |key: &str| {
                let rest = arguments.split_once(key)?.1.trim();
                if let Some(quoted) = rest.strip_prefix('"') {
                    return quoted.split('"').next().map(str::to_owned);
                }
                rest.split_whitespace().next().map(str::to_owned)
            };
            manifest.version = after("VERSION ").and_then(|text| words(&text, lines.first));
            manifest.description = after("DESCRIPTION ").and_then(|text| words(&text, lines.first));
        }
        "cmake_minimum_required" => manifest.fact("cmake", words(arguments, lines.first)),
        "add_executable" | "add_library" => {
            let kind = if command == "add_library" { "library" } else { "executable" };
            manifest.entry_points.push(Note { text: format!("{kind} {first}"), line: lines.first });
        }
        "add_custom_target" | "add_test" => {
            let name = if first == "NAME" { parts.next().unwrap_or(first) } else { first };
            manifest.script(name, None, lines);
        }
        "find_package" => manifest.depend(
            first,
            parts.next().filter(|text| text.starts_with(char::is_numeric)),
            None,
            lines.first,
        ),
        "fetchcontent_declare" => manifest.depend(first, None, Some("fetched"), lines.first),
        "add_subdirectory" => manifest.members.extend(words(first, lines.first)),
        _ => {}
    }
}
