//! What lies below a directory: a line for each child, one for those that are alike.

use luminos_core::job::Child;

use super::last_name;
use crate::look::Looked;
use crate::sentence::{gist_of, quotation_of};
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
    let lines = alike(shown.iter().map(|child| line_of(child, looked)).collect());
    let more = match children.len() - shown.len() {
        0 => String::new(),
        more => format!("\nand {} more.", number(more as u64)),
    };
    Some(format!("Below it:\n{}{more}", lines.join("\n")))
}

/// What is said of a child directory.
#[derive(PartialEq, Eq)]
struct Line {
    words: String,
    /// Whether that is what somebody wrote about it.
    is_quotation: bool,
}

/// Lines that say the same of several directories as one: `a/`, `b/` and 3 more.
fn alike(lines: Vec<(String, Line)>) -> Vec<String> {
    let mut groups: Vec<(Vec<String>, Line)> = Vec::new();
    for (name, line) in lines {
        match groups.iter_mut().find(|(_, known)| known.words == line.words) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], line)),
        }
    }
    let told = groups.into_iter().map(|(names, Line { words, is_quotation })| match &names[..] {
        [only] => format!("- {only}: {words}"),
        several => {
            let each = if is_quotation { "" } else { "each " };
            format!("- {}: {each}{words}", some_of(several, 5))
        }
    });
    told.collect()
}

fn line_of(child: &Child, looked: &[Looked<'_>]) -> (String, Line) {
    let word = child.path().to_word();
    let plain = |words: String| Line { words, is_quotation: false };
    let line = match child {
        Child::Done(entry) => {
            // A file of the same name often says what the directory beside it is for.
            let is_sure = entry.confidence.is_some_and(|confidence| 0.9 <= confidence.get());
            let twin = looked
                .iter()
                .find(|file| file.name.split_once('.').is_some_and(|(stem, _)| stem == last_name(&word)));
            match twin.and_then(Looked::own_words).filter(|_| !is_sure) {
                Some(words) => {
                    let file = twin.map_or_else(String::new, |file| code(&file.name));
                    let words = format!("“{}” ({file})", clipped(first_sentence(words), 180));
                    Line { words, is_quotation: true }
                }
                None => {
                    let is_quotation = quotation_of(entry).is_some();
                    Line { words: gist_of(entry), is_quotation }
                }
            }
        }
        Child::Skipped { reason, .. } => {
            let reason =
                if reason.is_empty() { String::new() } else { format!(" ({})", clipped(reason, 120)) };
            plain(format!("skipped by the plan{reason}"))
        }
        Child::Missing { .. } => plain("not investigated".to_owned()),
    };
    (code(&format!("{}/", last_name(&word))), line)
}
