//! go.mod.

use super::{Manifest, numbered, words};

pub(super) fn read(manifest: &mut Manifest, text: &str) {
    let mut block: Option<String> = None;
    for (line, written) in numbered(text) {
        let is_indirect = written.contains("// indirect");
        let written = written.split("//").next().unwrap_or(written).trim();
        if written == ")" {
            block = None;
            continue;
        }
        let (verb, rest) = match &block {
            Some(verb) => (verb.clone(), written),
            None => {
                let (verb, rest) = written.split_once(char::is_whitespace).unwrap_or((written, ""));
                let verb = verb.trim_end_matches('(').to_owned();
                if rest.trim() == "(" || written.ends_with('(') {
                    block = Some(verb);
                    continue;
                }
                (verb, rest.trim())
            }
        };
        match verb.as_str() {
            "module" => manifest.name = words(rest, line),
            "go" | "toolchain" => manifest.fact(&verb, words(rest, line)),
            "require" => {
                let (name, version) = rest.split_once(' ').unwrap_or((rest, ""));
                manifest.depend(name, Some(version), is_indirect.then_some("indirect"), line);
            }
            "tool" | "replace" => manifest.fact(&verb, words(rest, line)),
            _ => {}
        }
    }
}
