//! Single values: texts, numbers, words of a list.

use luminos_core::Untrusted;
use serde_json::Value;

/// How much of a name is told.
const SHOWN: usize = 60;
/// A value that is no text is told in so many bytes at most.
const LONGEST: usize = 4 << 10;

/// A name as a model wrote it, in a length that can be told.
pub(super) fn shown(name: &str) -> String {
    let name: String = name.chars().take(SHOWN).collect();
    Untrusted::new(name.as_bytes()).for_terminal()
}

/// A name or word without what people spell in different ways.
pub(super) fn plain(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Something as a text.
pub(super) fn text_of(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Bool(word) => Some(word.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => {
            let texts: Vec<String> = items.into_iter().filter_map(text_of).collect();
            let is_prose = texts.iter().any(|text| 120 < text.len());
            (!texts.is_empty()).then(|| texts.join(if is_prose { "\n\n" } else { "\n" }))
        }
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
            if let [(_, Value::String(text))] = &mut fields[..] {
                return Some(std::mem::take(text));
            }
            let lines: Vec<String> =
                fields.into_iter().map(|(name, value)| format!("{name}: {}", flat(&value))).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        }
    }
}

/// A value inside another, in one line.
fn flat(value: &Value) -> String {
    let mut text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.truncate(text.floor_char_boundary(LONGEST));
    text
}

/// A number, however it was written; of a share also per cent.
pub(super) fn number(value: &Value, is_share: bool) -> Option<f64> {
    let (number, is_percent) = match value {
        Value::Number(number) => (number.as_f64()?, false),
        Value::String(text) => parse(text)?,
        Value::Array(items) => match &items[..] {
            [single] => return number(single, is_share),
            _ => return None,
        },
        Value::Null | Value::Bool(_) | Value::Object(_) => return None,
    };
    let is_percent = is_share && (is_percent || (10.0..=100.0).contains(&number));
    let number = if is_percent { number / 100.0 } else { number };
    number.is_finite().then_some(number)
}

/// The number that a text is, and whether it is per cent.
fn parse(text: &str) -> Option<(f64, bool)> {
    let text = text.trim().trim_start_matches(['~', '≈', '<', '>', '=', 'L', 'l', '#']).trim();
    let without = text.strip_suffix('%').or_else(|| text.strip_suffix("percent")).unwrap_or(text).trim();
    let is_percent = without.len() < text.len();
    if let Some((part, whole)) = without.split_once('/') {
        let (part, whole) = (part.trim().parse::<f64>().ok()?, whole.trim().parse::<f64>().ok()?);
        return (0.0 < whole).then_some((part / whole, false));
    }
    let first = without.split_whitespace().next()?;
    first.replace(',', ".").parse::<f64>().ok().map(|number| (number, is_percent))
}

/// True or false, however it was written.
pub(super) fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(word) => Some(*word),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => match plain(text).as_str() {
            "true" | "yes" | "y" | "1" => Some(true),
            "false" | "no" | "n" | "0" | "none" => Some(false),
            _ => None,
        },
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The word of a list that was meant.
pub(super) fn option<'a>(options: &[&'a str], word: &str) -> Option<&'a str> {
    let wanted = plain(word);
    if let Some(found) = options.iter().find(|option| plain(option) == wanted) {
        return Some(found);
    }
    let meant = match wanted.as_str() {
        "high" | "severe" | "blocker" | "fatal" | "error" | "urgent" => "critical",
        "medium" | "moderate" | "major" | "warning" | "warn" | "important" => "concern",
        "low" | "minor" | "note" | "notice" | "hint" | "information" | "informational" => "info",
        "directory" | "folder" | "directories" => "dir",
        "files" => "file",
        "normal" | "usual" | "standard" | "medium tier" => "default",
        "skipped" | "ignore" | "none" => "skip",
        "leaf" | "leaves" | "bottomup" | "depthfirst" | "deepestfirst" => "leaf-first",
        "priority" | "topdown" | "priorities" => "priority-first",
        _ => "",
    };
    if let Some(found) = options.iter().find(|option| **option == meant) {
        return Some(found);
    }
    let near = |option: &&&str| strsim::damerau_levenshtein(&plain(option), &wanted) <= 2;
    options.iter().filter(|_| 5 <= wanted.len()).find(near).copied()
}

/// A text that is too long, up to the end of a sentence; `None` for one that is not.
pub(super) fn cut_at_sentence(text: &str, most: usize) -> Option<String> {
    // Whoever keeps it counts bytes: twice as many as characters are enough for any language that we know.
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end).min(most * 2);
    if text.len() <= end {
        return None;
    }
    let end = text.floor_char_boundary(end.saturating_sub('…'.len_utf8()));
    let head = &text[..end];
    let ends = [". ", ".\n", "! ", "? ", "。", "\n\n"];
    let sentence = ends.iter().filter_map(|mark| head.rfind(mark)).max();
    Some(match sentence.filter(|at| end / 2 <= *at) {
        Some(at) => {
            let last = head[at..].chars().next().map_or(1, char::len_utf8);
            head[..at + last].trim_end().to_owned()
        }
        None => format!("{}…", head.trim_end()),
    })
}
