//! Text that is not what it seems, or not meant for people, or not finished.

use luminos_core::proof::Evidence;
use luminos_core::scan::Category;

use super::check::{Check, Hit, Place};
use super::table::{BIDI, CONFLICT, INVISIBLE, ORDERS, TODO};
use super::tongue::{Tongue, is_code};
use super::{Found, places};
use crate::eyes::FileText;

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
    // Marks that this very program puts around what models read: nothing else has a reason to write them.
    Check {
        hints: &["<data-", "</data-"],
        pattern: r"(</?data-[0-9a-f]{8,})",
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    // Marks of others.
    Check {
        hints: &[
            "tool_result>",
            "tool_call>",
            "tool_use>",
            "function_results>",
            "function_calls>",
            "system-reminder>",
        ],
        pattern: r"(</?(?:tool_result|tool_call|tool_use|function_results|function_calls|system-reminder)>)",
        is_for_programs: true,
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    // The tools of this very program, called by somebody who is not asked.
    Check {
        hints: &[
            "submit_report",
            "submit_survey",
            "submit_plan",
            "write_cache",
            "request_turns",
            "run_command",
        ],
        pattern: concat!(
            r#"(?i)(\b(?:call|invoke|use|run|execute|ask for) (?:the )?(?:tool |function )?["'`]?"#,
            r"(?:submit_report|submit_survey|submit_plan|write_cache|request_turns|run_command)(?:[^:\w]|:[^:]|$)|",
            r#"["'](?:name|tool|function)["']\s*:\s*["'](?:submit_report|submit_plan|write_cache|request_turns|run_command)["'])"#
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &["flag nothing", "not flag", "don't flag", "never flag"],
        pattern: concat!(
            r"(?i)\b(flag nothing\b|(?:do not|don't|never|must not) flag (?:anything\b|",
            r"(?:this|the|any) (?:file|directory|folder|repository|text|instructions?)\b))"
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &[
            "system:",
            "system]:",
            "system message:",
            "system override:",
            "system note:",
            "system notice:",
            "system instruction:",
        ],
        pattern: concat!(
            r##"(?i)(?:^|[\s"#/*>\[-])(system(?: (?:message|override|note|notice|instruction))?\]?:\s*"##,
            r"(?:you (?:are|must|will|should)|ignore|disregard|read|open|run|call|skip|include|print|do not|new instructions?)\b)"
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &[
            "to ai",
            "for ai",
            "to any ai",
            "to all ai",
            "llm",
            "language model",
            "to the ai",
            "for the ai",
            "automated ",
        ],
        pattern: concat!(
            r"(?i)\b((?:note|message|attention|notice|memo|important)\b[^.\n]{0,30}\b(?:to|for) (?:all |any |the )?",
            r"(?:ai|llm|language model|automated|coding)s?(?: (?:assistants?|agents?|models?|reviewers?|readers?|summari[sz]ers?|tools?))?\s*[:,])"
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &[
            "instructions:",
            "instruction:",
            "must now",
            "from now on",
            "your new",
            "your real",
            "your true",
        ],
        pattern: concat!(
            r"(?i)\b(new (?:system )?instructions?:|you must now (?:read|call|run|ignore|report|submit)|",
            r"from now on,? you (?:are|must|will)\b|your (?:new|real|true) (?:task|instructions?|goal) (?:is|are)\b)"
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &["summary", "your answer", "your response", "your reply"],
        pattern: concat!(
            r"(?i)\b((?:put|include|copy|paste|repeat|quote|embed) (?:it|its contents?|them|the (?:contents?|output|result|key|file))\b",
            r"[^.\n]{0,40}\b(?:in|into) (?:(?:the|your) summary|your (?:answer|response|reply))\b|",
            r"(?:write|set|replace|change|overwrite) the (?:summary|entry) (?:of|for) )"
        ),
        ..Check::new(&ORDERS, Place::Anywhere, ORDERS_WORDS)
    },
    Check {
        hints: &[
            "turns to every",
            "turns for every",
            "turns to each",
            "turns for each",
            "turns to all",
            "turns for all",
        ],
        pattern: r"(?i)\b((?:allocate|give|assign) \d+ turns (?:to|for) (?:every|each|all)\b)",
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
