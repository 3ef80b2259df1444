//! Makefiles: targets, and what each needs first.

use super::{Manifest, numbered, words};
use crate::structure::outline::Lines;

pub(super) fn read(manifest: &mut Manifest, text: &str) {
    let mut open: Option<usize> = None;
    for (line, written) in numbered(text) {
        if written.starts_with('\t') {
            let command = written.trim().trim_start_matches(['@', '-']);
            if let Some(script) = open.and_then(|index| manifest.scripts.get_mut(index)) {
                script.lines.last = line;
                if script.command.is_none() && !command.is_empty() && !command.starts_with('#') {
                    script.command = words(command, line).map(|note| note.text);
                }
            }
            continue;
        }
        let written = written.split('#').next().unwrap_or(written).trim_end();
        if written.is_empty() {
            continue;
        }
        open = None;
        if let Some(file) = written.strip_prefix("include ") {
            manifest.fact("includes", words(file, line));
        }
        let Some((names, rest)) = written.split_once(':') else { continue };
        let is_assignment = rest.starts_with('=') || rest.starts_with(":=") || names.contains('=');
        let is_plain = !names.starts_with([' ', '.', '$', '%']) && !names.contains(['$', '%', '(']);
        if is_assignment || !is_plain {
            continue;
        }
        for name in names.split_whitespace() {
            open = Some(manifest.scripts.len());
            let needs = rest.trim_start_matches(':').split(';').nth(1);
            manifest.script(name, needs, Lines::one(line));
        }
    }
}
