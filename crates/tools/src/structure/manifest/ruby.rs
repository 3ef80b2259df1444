//! Gemfile and gemspec: Ruby, of which only the plain forms are read.

use super::{Manifest, numbered, words};

pub(super) fn read(manifest: &mut Manifest, text: &str) {
    let mut group: Option<String> = None;
    for (line, written) in numbered(text) {
        let written = without_comment(written).trim();
        if let Some(names) = written.strip_prefix("group ").and_then(|rest| rest.split(" do").next()) {
            group = Some(names.replace(':', "").trim().to_owned());
        } else if written == "end" {
            group = None;
        } else if let Some(rest) = written.strip_prefix("gem ").or_else(|| written.strip_prefix("gem(")) {
            depend(manifest, rest, group.as_deref(), line);
        } else if let Some(version) = written.strip_prefix("ruby ") {
            manifest.fact("ruby", words(version, line));
        } else if let Some(source) = written.strip_prefix("source ") {
            manifest.fact("source", words(source.trim_end_matches(" do"), line));
        } else if let Some((left, right)) = written.split_once('=').filter(|(left, _)| left.contains('.')) {
            let key = left.trim().rsplit('.').next().unwrap_or_default();
            let is_plain = right.trim().starts_with(['"', '\'']);
            let value = right.trim().trim_end_matches(".freeze");
            match key {
                "name" if is_plain => manifest.name = words(value, line),
                "version" if is_plain => manifest.version = words(value, line),
                "summary" | "description" if is_plain && manifest.description.is_none() => {
                    manifest.description = words(value, line);
                }
                "license" if is_plain => manifest.licence = words(value, line),
                "required_ruby_version" => manifest.fact("ruby", words(value, line)),
                _ => {}
            }
        } else if let Some((verb, rest)) = written.split_once("dependency") {
            let is_dev = verb.ends_with("add_development_");
            if is_dev || verb.ends_with("add_") || verb.ends_with("add_runtime_") {
                depend(manifest, rest.trim_start_matches('('), is_dev.then_some("dev"), line);
            }
        }
    }
}

/// A line up to its comment, which begins with a `#` outside of quotes that nothing stands right before.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '#') if before.is_whitespace() => return line.get(..at).unwrap_or(line),
            (Some(_) | None, _) => {}
        }
        before = character;
    }
    line
}

/// `"rails", "~> 7.0", require: false`
fn depend(manifest: &mut Manifest, rest: &str, group: Option<&str>, line: u32) {
    let mut parts = rest.split(',').map(str::trim);
    let unquoted = |text: &str| text.trim_matches(['"', '\'', ')', ' ']).to_owned();
    let name = unquoted(parts.next().unwrap_or_default());
    let versions: Vec<String> =
        parts.take_while(|part| part.starts_with(['"', '\''])).map(unquoted).collect();
    manifest.depend(&name, Some(&versions.join(", ")), group, line);
}
