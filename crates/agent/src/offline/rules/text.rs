//! Text that is not what it seems, or not meant for people, or not finished.

use luminos_core::proof::Evidence;
use luminos_core::scan::Category;

use super::check::{Check, Hit, Place};
use super::table::{BIDI, CONFLICT, INVISIBLE, ORDERS, TODO};
use super::tongue::{Tongue, is_code};
use super::{Found, places};
use crate::offline::eyes::FileText;

/// So many marks of unfinished work in one file are worth a word, if there is one in so many lines.
const UNFINISHED: usize = 10;
const LINES_EACH: usize = 120;

pub(super) const CHECKS: &[Check] = &[
    Check {
        hints: &["previous", "prior", "above", "earlier", "preceding", "system prompt"],
        pattern: concat!(
            r"(?i)\b((?:ignore|disregard|forget|override) (?:all |any )?(?:of )?(?:the |your |these )?(?:previous|prior|above|earlier|preceding) ",
            r"(?:instructions?|prompts?|directions|guidelines|messages)|",
            r"(?:reveal|print|output|repeat) your (?:system prompt|hidden instructions))"
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &[
            "reading this",
            "analyzing this",
            "analysing this",
            "processing this",
            "reviewing this",
            "summarizing this",
            "summarising this",
        ],
        pattern: r"(?i)\b((?:ais?|llms?|language models?|(?:ai|coding) (?:assistants?|agents?)) (?:reading|analy[sz]ing|processing|reviewing|summari[sz]ing) this)",
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &["the user"],
        pattern: r"(?i)\b(do not (?:tell|inform|reveal (?:this|it) to|mention (?:this|it) to) the user\b)",
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &["you are now"],
        pattern: r"(?i)\b(you are now (?:in )?(?:a |an )?(?:developer|dan|jailbreak|god|unrestricted|different) (?:mode|ai|assistant|model))",
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &["<|im_start|>", "[/INST]", "<|system|>"],
        pattern: r"(<\|im_start\|>\s*system|<\|system\|>|\[INST\].*\[/INST\])",
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &[concat!("TO", "DO"), concat!("FIX", "ME"), "XXX", "HACK"],
        pattern: concat!(
            r#"(?:(?://|/\*|\*|#|--|;|")\s*|^\s*)\b((?:TO"#,
            "DO|FIX",
            r"ME|XXX|HACK)\b)(?:[:( ]|$)"
        ),
        ..Check::new(&TODO, Place::Anywhere, "")
    },
];

const ORDERS_WORDS: &str = "Text here addresses AI readers and tries to instruct them";

/// Marks of unfinished work, where there are many for the length of the file.
pub(super) fn unfinished(file: &FileText, hits: &[Hit]) -> Option<Found> {
    if hits.len() < UNFINISHED || hits.len() * LINES_EACH < file.line_count() {
        return None;
    }
    let shown = hits.iter().take(3).map(|hit| file.cite_lines(hit.line, hit.line));
    let finding = format!("{} lines carry a mark of unfinished work, such as TODO.", hits.len());
    Some(Found::new(&TODO, finding, shown.collect()))
}

/// What no pattern of a line can tell.
pub(super) fn look(file: &FileText, category: Category) -> Vec<Found> {
    let mut found: Vec<Found> = conflict(file).into_iter().collect();
    if !file.text.is_ascii() {
        found.extend(bidirectional(file, category));
        found.extend(invisible(file, category));
    }
    found
}

/// A conflict that was committed: all three marks, in their order.
fn conflict(file: &FileText) -> Option<Found> {
    let at = memchr::memmem::find(file.text.as_bytes(), b"<<<<<<< ")?;
    let first = file.line_at(at);
    let after = |start: usize, test: fn(&str) -> bool| {
        (start..=file.line_count()).find(|number| test(file.line(*number)))
    };
    let ours = after(first, |line| line.starts_with("<<<<<<< "))?;
    let middle = after(ours, |line| line == "=======")?;
    after(middle, |line| line.starts_with(">>>>>>> "))?;
    let finding = format!("An unresolved merge conflict begins at line {ours}.");
    Some(Found::new(&CONFLICT, finding, vec![file.cite_lines(ours, ours)]))
}

fn bidirectional(file: &FileText, category: Category) -> Option<Found> {
    let is_override =
        |character: char| matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_program = Tongue::of(&file.name, &file.text).is_some();
    if !(is_program || category == Category::Source) || !file.text.contains(is_override) {
        return None;
    }
    let lines = file.lines().filter(|(_, line)| line.contains(is_override));
    let mut evidence: Vec<Evidence> = lines.map(|(number, _)| file.cite_lines(number, number)).collect();
    let places = places(&mut evidence);
    let finding = format!(
        "Invisible characters change the direction of text{places}: this code may read differently from what it does."
    );
    Some(Found::new(&BIDI, finding, evidence))
}

/// A row of tag characters spells words that nobody sees; in the flags of emoji they are short. In code, outside of strings
/// and comments, every character without a width is out of place.
fn invisible(file: &FileText, category: Category) -> Option<Found> {
    let is_tag = |character: char| matches!(character, '\u{e0020}'..='\u{e007e}');
    let hidden = |line: &str| line.split(|character| !is_tag(character)).any(|row| 8 <= row.chars().count());
    if let Some((number, _)) = file.lines().find(|(_, line)| line.contains(is_tag) && hidden(line)) {
        let finding = format!("Line {number} holds a text in invisible characters.");
        let evidence = vec![file.cite_lines(number, number)];
        return Some(Found {
            severity: luminos_core::flag::Severity::Critical,
            ..Found::new(&INVISIBLE, finding, evidence)
        });
    }
    let is_thin = |character: char| matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{00ad}' | '\u{3164}' | '\u{115f}');
    let tongue = Tongue::of(&file.name, &file.text).filter(|_| category == Category::Source)?;
    // A mark at the very beginning says how the file is stored; joiners belong between letters of many scripts, and emoji.
    let mut before = '\0';
    let mut places = Vec::new();
    for (at, character) in file.text.char_indices() {
        let joins = matches!(character, '\u{200c}' | '\u{200d}' | '\u{00ad}') && !before.is_ascii();
        if 0 < at && is_thin(character) && !joins {
            places.push(at);
        }
        before = character;
    }
    if places.is_empty() {
        return None;
    }
    let prose = tongue.prose(&file.text);
    let at = places.into_iter().find(|at| is_code(&prose, *at))?;
    let line = file.line_at(at);
    let finding = format!("Line {line} holds a character without width in the middle of code.");
    Some(Found::new(&INVISIBLE, finding, vec![file.cite_lines(line, line)]))
}
