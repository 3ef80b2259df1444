//! Lines of a file out of the result of a read, with their numbers.

use serde_json::{Value, json};

/// A line that can be quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
}

impl Line {
    /// The line as evidence.
    pub(super) fn cite(&self, path: &str) -> Value {
        json!({ "path": path, "start_line": self.number, "end_line": self.number, "quote": self.text })
    }
}

/// Lines with something in them.
///
/// Where lines carry numbers that count up, those are taken, and lines without are the tool's own words. Else
/// lines count from 1; bracketed ones and fences before the content are the tool's own words, too.
pub(super) fn lines(result: &str) -> Vec<Line> {
    let numbered: Vec<Line> = result.lines().filter_map(numbered).collect();
    let counts_up = numbered.windows(2).all(|pair| pair[0].number + 1 == pair[1].number);
    let lines = if !numbered.is_empty() && counts_up {
        numbered
    } else {
        let is_tool_word =
            |line: &&str| line.starts_with('[') || line.starts_with("```") || line.starts_with("<");
        let content = result.lines().skip_while(is_tool_word);
        content.enumerate().map(|(at, text)| Line { number: at + 1, text: text.to_owned() }).collect()
    };
    lines.into_iter().filter(|line| !line.text.trim().is_empty()).collect()
}

/// `12: text`, `12| text`, `12→text` or `12<tab>text`.
fn numbered(line: &str) -> Option<Line> {
    let line = line.trim_start();
    let end = line.find(|letter: char| !letter.is_ascii_digit())?;
    let number = line[..end].parse().ok()?;
    let rest = line[end..].trim_start_matches(' ');
    let mut letters = rest.chars();
    let text = match letters.next() {
        Some('\t' | '→') => letters.as_str(),
        Some(':' | '|' | '│') => letters.as_str().strip_prefix(' ').unwrap_or(letters.as_str()),
        _ => return None,
    };
    Some(Line { number, text: text.to_owned() })
}
