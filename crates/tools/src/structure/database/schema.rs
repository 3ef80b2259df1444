//! The columns in the text of a `CREATE TABLE`.

use super::super::source::one_line;

/// Words that a line of a table begins with that is no column.
const CONSTRAINTS: &[&str] = &["primary", "foreign", "unique", "check", "constraint"];

/// Words that end the type of a column.
const ENDS: &[&str] = &[
    "primary",
    "not",
    "null",
    "unique",
    "check",
    "default",
    "references",
    "collate",
    "generated",
    "constraint",
    "as",
];

/// Name and type of each column; defaults and checks are not repeated.
pub(super) fn columns(sql: &str) -> Vec<String> {
    let Some((_, body)) = sql.split_once('(') else { return Vec::new() };
    parts(body).iter().filter_map(|part| column(part)).collect()
}

/// What stands between the commas, brackets and quotes left whole.
fn parts(body: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_u32;
    let mut quote = None;
    let mut start = 0;
    for (at, character) in body.char_indices() {
        match (quote, character) {
            (Some(mark), character) if mark == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '[') => quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => {
                parts.push(body.get(start..at).unwrap_or_default());
                return parts;
            }
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(body.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    parts
}

fn column(part: &str) -> Option<String> {
    let part = part.trim();
    let (name, rest) = match part.chars().next()? {
        mark @ ('"' | '`') => part.get(1..)?.split_once(mark)?,
        '[' => part.get(1..)?.split_once(']')?,
        _ => part.split_once(char::is_whitespace).unwrap_or((part, "")),
    };
    if CONSTRAINTS.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let is_type =
        |word: &&str| !ENDS.contains(&word.to_ascii_lowercase().as_str()) && !word.starts_with("--");
    let kind: Vec<&str> = rest.split_whitespace().take_while(is_type).take(4).collect();
    Some(one_line(&format!("{name} {}", kind.join(" ")), 80)).filter(|column| !column.is_empty())
}
