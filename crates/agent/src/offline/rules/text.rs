//! Text that is not what it seems, or not meant for people.

use std::sync::LazyLock;

use luminos_core::flag::Severity;
use luminos_core::scan::Category;
use regex::Regex;

use super::{Found, pattern, places};
use crate::offline::eyes::FileText;

/// So many marks of unfinished work in one file are worth a word.
const UNFINISHED: usize = 10;

/// Words that no document for people addresses to its readers.
static ORDERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:ignore|disregard|forget) (?:all |any )?(?:the |your )?(?:previous|prior|above|earlier) ",
        r"(?:instructions?|prompts?|rules|directions)",
        r"|\b(?:ai|llm|language model|assistant|agent)s? (?:reading|analy[sz]ing|processing|reviewing) this",
        r"|\bdo not (?:tell|inform|mention (?:this|it) to|reveal (?:this|it) to) the user\b",
        r"|\byou are now (?:in )?(?:developer|dan|jailbreak|god) mode",
        r"|<\|im_start\|>\s*system",
    ))
});

static UNDONE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(concat!(r"\b(?:TODO|FIX", r"ME|XXX|HACK)\b")));

pub(super) fn look(file: &FileText, category: Category) -> Vec<Found> {
    let mut found = Vec::new();
    found.extend(orders(file));
    found.extend(conflict(file));
    if !file.text.is_ascii() {
        found.extend(bidirectional(file, category));
        found.extend(invisible(file));
    }
    if category == Category::Source {
        found.extend(undone(file));
    }
    found
}

fn orders(file: &FileText) -> Option<Found> {
    let pattern = ORDERS.as_ref()?;
    let mut evidence: Vec<_> = file
        .lines()
        .filter_map(|(number, line)| Some(file.cite_words(number, pattern.find(line)?.as_str())))
        .collect();
    if evidence.is_empty() {
        return None;
    }
    let places = places(&mut evidence);
    Some(Found {
        rule: "injection.suspected",
        severity: Severity::Concern,
        finding: format!(
            "Text here addresses AI readers and tries to instruct them{places}. It was treated as data; tools that feed this file to a model may not do that."
        ),
        evidence,
    })
}

/// A conflict that was committed: all three marks, in their order.
fn conflict(file: &FileText) -> Option<Found> {
    if !file.text.contains("<<<<<<< ") {
        return None;
    }
    let after = |start: usize, test: fn(&str) -> bool| {
        (start..=file.line_count()).find(|number| test(file.line(*number)))
    };
    let ours = after(1, |line| line.starts_with("<<<<<<< "))?;
    let middle = after(ours, |line| line == "=======")?;
    after(middle, |line| line.starts_with(">>>>>>> "))?;
    Some(Found {
        rule: "text.merge-conflict",
        severity: Severity::Concern,
        finding: format!("An unresolved merge conflict begins at line {ours}."),
        evidence: vec![file.cite_lines(ours, ours)],
    })
}

fn bidirectional(file: &FileText, category: Category) -> Option<Found> {
    let is_override =
        |character: char| matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !matches!(category, Category::Source | Category::Config) || !file.text.contains(is_override) {
        return None;
    }
    let lines = file.lines().filter(|(_, line)| line.contains(is_override));
    let mut evidence: Vec<_> = lines.map(|(number, _)| file.cite_lines(number, number)).collect();
    let places = places(&mut evidence);
    Some(Found {
        rule: "text.bidirectional",
        severity: Severity::Critical,
        finding: format!(
            "Invisible characters change the direction of text{places}: this code may read differently from what it does."
        ),
        evidence,
    })
}

/// A row of tag characters spells words that nobody sees. In the flags of emoji they are short.
fn invisible(file: &FileText) -> Option<Found> {
    let is_tag = |character: char| matches!(character, '\u{e0020}'..='\u{e007e}');
    let hidden = |line: &str| line.split(|character| !is_tag(character)).any(|row| 8 <= row.chars().count());
    let (number, _) = file.lines().find(|(_, line)| line.contains(is_tag) && hidden(line))?;
    Some(Found {
        rule: "text.invisible",
        severity: Severity::Critical,
        finding: format!("Line {number} holds a text in invisible characters."),
        evidence: vec![file.cite_lines(number, number)],
    })
}

fn undone(file: &FileText) -> Option<Found> {
    let pattern = UNDONE.as_ref()?;
    let lines: Vec<usize> =
        file.lines().filter(|(_, line)| pattern.is_match(line)).map(|(number, _)| number).collect();
    if lines.len() < UNFINISHED {
        return None;
    }
    let shown = lines.iter().take(3).map(|number| file.cite_lines(*number, *number));
    Some(Found {
        rule: "todo.cluster",
        severity: Severity::Info,
        finding: format!("{} lines carry a mark of unfinished work, such as TODO.", lines.len()),
        evidence: shown.collect(),
    })
}
