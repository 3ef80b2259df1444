//! What lies below a directory: a line for each child, one for those that are alike.

use luminos_core::job::Child;

use super::last_name;
use crate::gist::gist_of;
use crate::look::Looked;
use crate::words::{clipped, code, first_sentence, number, some_of};

/// So many child directories.
const CHILDREN: usize = 14;

/// What lies below it.
pub(super) fn children(children: &[Child], looked: &[Looked<'_>]) -> Option<String> {
    if children.is_empty() {
        return None;
    }
    // Of many, those that have most in them.
    let mut shown: Vec<&Child> = children.iter().collect();
    let weight = |child: &Child| match child {
        Child::Done(entry) => entry.child_count + 1,
        Child::Skipped { .. } | Child::Missing { .. } => 0,
    };
    if CHILDREN < shown.len() {
        shown.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| a.path().cmp(b.path())));
        shown.truncate(CHILDREN);
        shown.sort_by(|a, b| a.path().cmp(b.path()));
    }
    let lines = alike(shown.iter().map(|child| child_line(child, looked)).collect());
    let more = match children.len() - shown.len() {
        0 => String::new(),
        more => format!("\nand {} more.", number(more as u64)),
    };
    Some(format!("Below it:\n{}{more}", lines.join("\n")))
}

/// Lines that say the same of several directories as one: `a/`, `b/` and 3 more.
fn alike(lines: Vec<String>) -> Vec<String> {
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for line in lines {
        let (name, words) = line.trim_start_matches("- ").split_once("`: ").unwrap_or((&line, ""));
        let name = format!("{name}`");
        match groups.iter_mut().find(|(_, known)| known == words) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], words.to_owned())),
        }
    }
    let told = groups.into_iter().map(|(names, words)| match &names[..] {
        [only] => format!("- {only}: {words}"),
        several => {
            let each = if words.starts_with('“') { "" } else { "each " };
            format!("- {}: {each}{words}", some_of(several, 5))
        }
    });
    told.collect()
}

fn child_line(child: &Child, looked: &[Looked<'_>]) -> String {
    let word = child.path().to_word();
    let name = code(&format!("{}/", last_name(&word)));
    match child {
        Child::Done(entry) => {
            // A file of the same name often says what the directory beside it is for.
            let is_sure = entry.confidence.is_some_and(|confidence| 0.9 <= confidence.get());
            let twin = looked
                .iter()
                .find(|file| file.name.split_once('.').is_some_and(|(stem, _)| stem == last_name(&word)));
            match twin.and_then(Looked::own_words).filter(|_| !is_sure) {
                Some(words) => format!(
                    "- {name}: “{}” ({})",
                    clipped(first_sentence(words), 180),
                    twin.map_or_else(String::new, |file| code(&file.name))
                ),
                None => format!("- {name}: {}", gist_of(entry)),
            }
        }
        Child::Skipped { reason, .. } => {
            let reason =
                if reason.is_empty() { String::new() } else { format!(" ({})", clipped(reason, 120)) };
            format!("- {name}: skipped by the plan{reason}")
        }
        Child::Missing { .. } => format!("- {name}: not investigated"),
    }
}
