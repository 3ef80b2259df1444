//! The paths that a requirement allows to be changed, and those that it takes out again.

use super::headings::SectionKind;
use super::inline::{code_spans, plain_text};
use super::markdown::{Document, Line, LineKind};
use super::section::{Item, Section, list_item};
use crate::tasks::glob::{denied, plain_entry};
use crate::tasks::task::add_new;

/// Words that turn the paths behind them into exceptions.
const EXCEPT: &[&str] =
    &["except", "excluding", "but not", "other than", "apart from", "without", "never", "not "];

/// Reads the sections about paths: everything in backticks, else what looks like a path in a list. Entries that take paths
/// out begin with `!`. What could not be used is told; lines without a path are kept as notes.
pub(super) fn read(
    document: &Document<'_>,
    warnings: &mut Vec<String>,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let mut paths = Vec::new();
    let mut besides = Vec::new();
    for kind in [SectionKind::Paths, SectionKind::DeniedPaths] {
        let labelled = document.labelled(kind);
        let mut items: Vec<Item> =
            labelled.iter().filter_map(|(line, text)| on_one_line(*line, text)).collect();
        let taken: Vec<usize> = items.iter().map(|item| item.line).collect();
        items.extend(document.section(kind).map(|section| items_of(&section)).unwrap_or_default());
        for item in items {
            let words = paths_of(&item, kind == SectionKind::DeniedPaths);
            if words.is_empty() && !taken.contains(&item.line) {
                besides.push(item.text.clone());
            }
            for word in words {
                let word = word.replace("\\*", "*").replace("\\?", "?").replace("\\_", "_");
                match plain_entry(&word) {
                    Ok(path) => add_new(&mut paths, [path]),
                    Err(why) => warnings.push(format!(
                        "line {}: the path `{}` is left out: {why}",
                        item.line,
                        word.escape_debug()
                    )),
                }
            }
        }
    }
    let says_something = |text: &String| !super::section::is_empty_word(text);
    besides.retain(says_something);
    if !besides.is_empty() {
        notes.push(format!("Allowed paths: {}", besides.join("\n")));
    }
    // A list of exceptions is one to everything.
    if !paths.is_empty() && paths.iter().all(|path| denied(path).is_some()) {
        paths.insert(0, "**".to_owned());
    }
    paths
}

/// The lines of a section with what a block of code or a table lists, which are paths as well.
fn items_of(section: &Section<'_>) -> Vec<Item> {
    let code = section.lines.iter().filter(|line| line.kind == LineKind::Code);
    let is_listed = true;
    let listed = |line: &Line<'_>| {
        let text = list_item(line.text).map_or(line.text.trim(), |item| item.text);
        let is_path = !text.is_empty() && !text.starts_with(['`', '~', '#']);
        is_path.then(|| Item { text: text.to_owned(), line: line.number, is_listed })
    };
    let mut items: Vec<Item> = code.clone().filter_map(listed).collect();
    let rows = section.rows();
    // Of a row the first cell that can be a path counts.
    items.extend(rows.iter().filter_map(|(line, cells)| {
        let text = cells.iter().find(|cell| cell.contains(['/', '*', '.', '`']) && !cell.contains(' '))?;
        Some(Item { text: text.clone(), line: *line, is_listed })
    }));
    let is_other = |item: &Item| {
        !item.text.starts_with('|')
            && code.clone().all(|line| line.number != item.line)
            && rows.iter().all(|(line, _)| *line != item.line)
    };
    items.extend(section.lines_with_items().into_iter().filter(is_other));
    items.sort_by_key(|item| item.line);
    items
}

/// What stands behind a name on the same line, if that names paths: in backticks, or nothing but paths.
fn on_one_line(line: usize, text: &str) -> Option<Item> {
    let text = plain_text(text);
    let mut words = text.split([',', ' ', '\t']).filter(|word| !word.is_empty() && *word != "and");
    let names_paths = !code_spans(&text).is_empty() || words.all(|word| word.contains(['/', '*']));
    names_paths.then_some(Item { text, line, is_listed: true })
}

/// The paths that a line names.
fn paths_of(item: &Item, is_denied: bool) -> Vec<String> {
    let Item { text, is_listed, .. } = item;
    let quoted = code_spans(text);
    let small = text.to_lowercase();
    let exception = EXCEPT.iter().filter_map(|word| small.find(word)).min().unwrap_or(usize::MAX);
    let entry = |at: usize, path: &str| {
        let is_out = (is_denied || exception < at) && denied(path).is_none();
        if is_out { format!("!{path}") } else { path.to_owned() }
    };
    if !quoted.is_empty() {
        return quoted.iter().map(|(at, path)| entry(*at, path)).collect();
    }
    if !is_listed {
        return Vec::new();
    }
    // A remark behind a dash or in brackets is no path.
    let text = text.split(" — ").next().unwrap_or(text).split(" (").next().unwrap_or(text);
    let text = text.split(": ").next().unwrap_or(text);
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for word in text.split([',', ' ', '\t']) {
        let trimmed = word.trim_matches(['"', '\'', ';']).trim_end_matches('.').trim_start_matches("./");
        if !trimmed.is_empty() && trimmed != "and" {
            words.push((at, trimmed));
        }
        at += word.len() + 1;
    }
    let is_path = |word: &str| word.contains(['/', '*', '.']);
    match words.as_slice() {
        [(at, word)] => vec![entry(*at, word)],
        words => words.iter().filter(|(_, word)| is_path(word)).map(|(at, word)| entry(*at, word)).collect(),
    }
}
