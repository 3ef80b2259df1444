//! What a document says in its first real paragraph.

use super::eyes::FileText;
use super::finding::Finding;
use super::statement::Statement;
use super::words::{clipped, first_sentence};

/// So many characters are quoted.
const QUOTED: usize = 320;
/// So many of a list.
const LIST: usize = 240;
/// A paragraph with fewer words says nothing.
const FEWEST_WORDS: usize = 5;
/// How far into a document one looks for it.
const LOOKED_AT: usize = 200;
/// So many paragraphs are weighed.
const CONSIDERED: usize = 10;
/// What scores less says something else.
const LEAST: i32 = -2;

/// Whether a file is what people read first.
pub(crate) fn is_readme(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let is_text = matches!(
        name.rsplit_once('.').map(|(_, ending)| ending),
        None | Some("md" | "rst" | "txt" | "markdown" | "adoc")
    );
    stem == "readme" && is_text
}

/// The first real paragraph, as a description of what the document lies beside.
pub(crate) fn describes(file: &FileText) -> Option<Finding> {
    let (words, first, last) = first_paragraph(file)?;
    let statement = Statement::Describes { path: file.word.clone(), words };
    Some(Finding { statement, evidence: vec![file.cite_lines(first, last)] })
}

/// The title of a document.
pub(crate) fn title(file: &FileText) -> Option<(String, usize)> {
    let (named, start) = front_matter(file);
    if named.is_some() {
        return named;
    }
    for (number, line) in file.lines().skip(start).take(40) {
        if let Some(title) = line.strip_prefix("# ") {
            return Some((plain(title), number)).filter(|(title, _)| !title.is_empty());
        }
        let below = file.line(number + 1);
        let is_underlined =
            2 < below.len() && below.bytes().all(|byte| matches!(byte, b'=' | b'-' | b'~' | b'*'));
        if is_underlined && line.chars().any(char::is_alphabetic) {
            return Some((plain(line.trim().trim_matches('=')), number));
        }
    }
    None
}

/// The title that the settings at the head of a document give, and how many lines those take.
fn front_matter(file: &FileText) -> (Option<(String, usize)>, usize) {
    if file.line(1).trim_end() != "---" {
        return (None, 0);
    }
    let Some(end) = (2..60).find(|number| file.line(*number).trim_end() == "---") else { return (None, 0) };
    let title = (2..end).find_map(|number| {
        let words = file.line(number).strip_prefix("title:")?.trim().trim_matches(['"', '\'']);
        (!words.is_empty()).then(|| (plain(words), number))
    });
    (title, end)
}

/// A paragraph of a document, and where it stands.
struct Paragraph {
    words: String,
    first: usize,
    last: usize,
    score: i32,
}

/// The first paragraph that says what the thing is; news, links and notes for readers come first in many documents.
fn first_paragraph(file: &FileText) -> Option<(String, usize, usize)> {
    let title = title(file).map(|(title, _)| title.to_lowercase()).unwrap_or_default();
    let mut found: Vec<Paragraph> = Vec::new();
    let mut number = 1 + front_matter(file).1;
    let last_line = file.line_count().min(LOOKED_AT);
    let mut is_code = false;
    let mut heading = String::new();
    let mut headings = 0;
    while number <= last_line && found.len() < CONSIDERED {
        let line = file.line(number).trim();
        // Right below the title, a quotation is what the document says first.
        let is_motto = found.is_empty() && headings < 2 && !file.word.contains('/') && is_motto(line);
        if is_motto {
            let words = two_sentences(&plain(line.trim_start_matches('>')));
            if FEWEST_WORDS <= words.split(' ').count() {
                found.push(Paragraph { words, first: number, last: number, score: 1 });
            }
            number += 1;
            continue;
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        }
        if let Some(text) = line.strip_prefix('#').filter(|_| !is_code) {
            heading = text.trim_start_matches('#').trim().to_lowercase();
            headings += 1;
        }
        if is_code || !begins_prose(line) || is_indented(file.line(number)) {
            number += 1;
            continue;
        }
        if is_rule(file.line(number + 1).trim()) {
            heading = line.to_lowercase();
            headings += 1;
            number += 2;
            continue;
        }
        let first = number;
        while number <= file.line_count() && continues_prose(file.line(number).trim()) {
            number += 1;
        }
        let raw: Vec<&str> = (first..number).map(|number| file.line(number).trim()).collect();
        let words = plain(&raw.join(" "));
        let is_said =
            FEWEST_WORDS <= words.split(' ').filter(|word| word.chars().any(char::is_alphabetic)).count();
        // What somebody did on a day is a diary.
        let is_dated = words.split([' ', ',']).next().is_some_and(|first| {
            first.starts_with(|letter: char| letter.is_ascii_digit()) && first.contains(['-', '/'])
        });
        if is_said && !is_dated && !is_navigation(&raw.join(" "), &words) {
            // What stands in a later section is about something of it.
            let is_later = 1 < headings && !is_of_it(&heading) && !title.is_empty();
            let is_first = found.is_empty() && headings < 2;
            let mut score = score(&words, &title, &heading, is_first) - found.len() as i32;
            score -= if is_later { 3 } else { 0 };
            let leads_on = [":", "such as", "following"].iter().any(|end| words.ends_with(end));
            let paragraph = if leads_on && let Some((items, last)) = items_after(file, number) {
                Paragraph { words: clipped(&format!("{words} {items}"), QUOTED), first, last, score }
            } else {
                // What leads to an example is about the example.
                score -= if words.ends_with(':') { 4 } else { 0 };
                let words = two_sentences(words.trim_end_matches("::"));
                Paragraph { words, first, last: number - 1, score }
            };
            found.push(paragraph);
        }
        number = number.max(first + 1);
    }
    // The first of equals.
    let best = found.into_iter().rev().max_by_key(|paragraph| paragraph.score)?;
    (LEAST <= best.score).then_some((best.words, best.first, best.last))
}

/// How likely a paragraph says what the thing is.
fn score(words: &str, title: &str, heading: &str, is_first: bool) -> i32 {
    let lower = words.to_lowercase();
    let mut score = 0;
    let name = title.split([' ', ':', '-', '(']).next().unwrap_or_default();
    let first = first_sentence(&lower);
    let is_word = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()) == name;
    let names_it = 1 < name.len() && first.split_whitespace().any(is_word);
    if names_it && lower.split_whitespace().next().is_some_and(is_word) {
        score += 4;
    } else if names_it && is_first {
        // "Point Rover at a server": who begins so says what one does with it.
        score += 3;
    }
    let defines =
        [" is a ", " is an ", " is the ", " are a ", " provides ", " lets you ", " helps you ", " is our "];
    if defines.iter().any(|mark| first.contains(mark)) {
        score += 3;
    }
    let this = ["directory", "folder", "package", "project", "repository", "module", "crate", "library"];
    if lower.strip_prefix("this ").is_some_and(|rest| this.iter().any(|word| rest.starts_with(word))) {
        score += 3;
    }
    if ["a ", "an ", "the "].iter().any(|mark| lower.starts_with(mark)) {
        score += 1;
    }
    let beside = [
        "see ",
        "this readme",
        "this document",
        "this page",
        "note",
        "we're",
        "we are",
        "click",
        "please",
        "for ",
        "if ",
        "to ",
        "welcome",
        "dual-licensed",
        "licensed",
        "released under",
        "read ",
        "check",
        "looking",
        "want",
        "you can",
        "documentation",
        "the documentation",
        "copyright",
        "here",
        "warning",
        "important",
        "announc",
        "build status",
        "join",
        "follow",
        "support",
        "sponsor",
        "readme",
        "in order",
        "there are",
        "it also",
        "it ",
        "when ",
        "these ",
        "thanks",
        "be sure",
        "make sure",
        "before ",
        "after ",
        "first",
        "open ",
        "run ",
        "use ",
        "however",
        "also",
        "other ",
        "download",
        "install",
        "get ",
        "visit",
        "english",
        "translations",
        "stop ",
        "start ",
        "connect ",
        "deploy ",
        "you will ",
        "clone ",
        "in the rare case",
    ];
    let orders =
        ["use ", "run ", "get ", "open ", "check", "follow", "for ", "to ", "when ", "want", "you can"];
    let is_told_by_order = names_it && is_first && orders.iter().any(|mark| lower.starts_with(mark));
    if beside.iter().any(|mark| lower.starts_with(mark)) && !is_told_by_order {
        score -= 5;
    }
    if is_of_it(heading) {
        score += 2;
    }
    if ["this template", "bootstrapped with", "this project was generated", "this is a starter"]
        .iter()
        .any(|mark| lower.contains(mark))
    {
        score -= 8;
    }
    let asks = ["backers", "sponsor", "donat", "patreon", "opencollective"];
    if asks.iter().any(|word| lower.contains(word)) {
        score -= 6;
    }
    let of_others = [
        "licen",
        "install",
        "contribut",
        "sponsor",
        "build",
        "support",
        "usage",
        "test",
        "credit",
        "thanks",
        "requirement",
        "getting",
        "quick",
        "docs",
        "documentation",
        "security",
        "backers",
        "changelog",
        "copyright",
        "community",
    ];
    if of_others.iter().any(|mark| heading.starts_with(mark)) {
        score -= 3;
    }
    if lower.contains("release") && lower.contains("new ") || lower.contains("http-equiv") {
        score -= 3;
    }
    score
}

/// Whether a section is about the thing as a whole.
fn is_of_it(heading: &str) -> bool {
    let of_it = ["what is", "about", "overview", "introduction", "description", "summary", "purpose"];
    of_it.iter().any(|mark| heading.starts_with(mark))
}

/// Whether a line belongs to an example: code is indented where it is not fenced.
fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with('\t') || line.starts_with("  $ ")
}

/// The first items of a list that follows, in one line, and where they end.
fn items_after(file: &FileText, number: usize) -> Option<(String, usize)> {
    let first = if file.line(number).trim().is_empty() { number + 1 } else { number };
    let mark_of =
        |line: &str| ["- ", "* ", "+ "].into_iter().find(|mark| line.trim_start().starts_with(mark));
    let mut items: Vec<String> = Vec::new();
    let mut last = first;
    let mut number = first;
    while items.len() < 4
        && let Some(mark) = mark_of(file.line(number))
    {
        let mut words = file.line(number).trim_start().trim_start_matches(mark).to_owned();
        number += 1;
        // An item may go on, indented, in the next lines.
        while file.line(number).starts_with(' ') && mark_of(file.line(number)).is_none() {
            words = format!("{words} {}", file.line(number).trim());
            number += 1;
        }
        let words = plain(&words).trim_end_matches(['.', ';', ',']).to_owned();
        // Whole items only.
        let length: usize = items.iter().map(|item| item.chars().count() + 2).sum();
        if !items.is_empty() && LIST < length + words.chars().count() {
            break;
        }
        items.push(words);
        last = number - 1;
    }
    (!items.is_empty()).then(|| (items.join("; "), last))
}

/// A line that is a quotation by itself, and no note or warning.
fn is_motto(line: &str) -> bool {
    let words = line.strip_prefix("> ").map(str::trim).unwrap_or_default();
    let is_note = ["[!", "**", "note", "warning", "important", "tip", "!["]
        .iter()
        .any(|mark| words.to_ascii_lowercase().starts_with(mark));
    let is_news = [" branch", "deprecat", "maintained", "moved", "http", " see "]
        .iter()
        .any(|mark| words.to_ascii_lowercase().contains(mark));
    !is_news
        && words.starts_with(|letter: char| letter.is_ascii_uppercase())
        && words.ends_with('.')
        && !is_note
}

fn begins_prose(line: &str) -> bool {
    let marks = [
        "#", "<", "[!", "![", "..", "|", ">", "---", "===", "***", "- ", "* ", "+ ", ":", "//", "```", "~~~",
        "{",
    ];
    !line.is_empty() && !marks.iter().any(|mark| line.starts_with(mark)) && !is_rule(line)
}

fn continues_prose(line: &str) -> bool {
    let marks = ["#", "<", "[!", "```", "~~~", "|"];
    !line.is_empty() && !marks.iter().any(|mark| line.starts_with(mark))
}

fn is_rule(line: &str) -> bool {
    2 < line.len()
        && line.bytes().all(|byte| matches!(byte, b'=' | b'-' | b'~' | b'*' | b'_' | b'#' | b'^' | b'"'))
}

/// Whether a paragraph is a row of links or badges.
fn is_navigation(raw: &str, plain: &str) -> bool {
    let links = raw.matches("](").count();
    let words = plain.split_whitespace().count();
    1 < links && words < links * 5
}

fn two_sentences(words: &str) -> String {
    let first = first_sentence(words);
    let rest = words[first.len()..].trim_start();
    let second = first_sentence(rest);
    let both = format!("{first} {second}");
    let both = both.trim();
    if first.chars().count() < 120 && both.chars().count() <= QUOTED {
        return both.to_owned();
    }
    clipped(first, QUOTED)
}

/// Text without the marks of Markdown and reStructuredText.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let before = rest[..open].trim_end_matches('!');
        let Some(close) = rest[open..].find(']').map(|at| open + at) else { break };
        let inside = &rest[open + 1..close];
        let after = &rest[close + 1..];
        let (link, after) = match after.chars().next() {
            Some('(') => (true, after.find(')').map_or("", |end| &after[end + 1..])),
            Some('[') => (true, after.find(']').map_or("", |end| &after[end + 1..])),
            // A link whose address stands elsewhere.
            Some(_) | None => (inside.chars().any(char::is_alphabetic), after),
        };
        out.push_str(before);
        if link {
            out.push_str(inside)
        } else {
            out.push_str(&format!("[{inside}]"))
        }
        rest = after;
    }
    out.push_str(rest);
    for mark in ["**", "__", "``", "`", "*"] {
        out = out.replace(mark, "");
    }
    // What is between angle brackets is a tag, or the address of a reStructuredText link.
    let mut clean = String::with_capacity(out.len());
    let mut depth = 0;
    for character in out.chars() {
        match character {
            '<' => depth += 1,
            '>' if 0 < depth => depth -= 1,
            character if depth == 0 => clean.push(character),
            _ => {}
        }
    }
    let clean = clean.trim_start_matches(['*', '_']).replace(" _ ", " ");
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}
