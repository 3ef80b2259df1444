//! Names of fields, and values that stand where an object or a list should.

use serde_json::{Map, Value};

use super::repair::repaired;
use super::words::plain;

/// What models call fields, besides what they are called. The first column is the field.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("summary", &["report", "overview", "description", "text", "dirsummary", "directorysummary"]),
    ("brief", &["summary", "overview", "short", "abstract", "tldr", "shortsummary"]),
    ("detailed", &["details", "detail", "description", "full", "long", "report", "body", "detailedreport"]),
    ("text", &["claim", "statement", "sentence", "description", "summary", "content"]),
    ("finding", &["message", "description", "text", "summary", "issue", "title", "reason"]),
    ("severity", &["level", "priority", "weight"]),
    ("path", &["file", "filename", "filepath", "dir", "directory", "name", "location"]),
    ("reason", &["why", "rationale", "because", "explanation", "justification", "description"]),
    ("suggested_turns", &["turns", "suggested", "budget", "turnbudget", "maxturns"]),
    ("priority_dirs", &["priority", "priorities", "prioritydirectories", "highpriority"]),
    ("shallow_dirs", &["shallow", "shallowdirectories", "lowpriority"]),
    ("skip_dirs", &["skip", "skipped", "ignore", "exclude", "skipdirectories"]),
    ("investigation_order", &["order", "sequence"]),
    ("moves", &["changes", "move", "revisions"]),
    ("tier", &["to", "newtier", "targettier"]),
    ("groups", &["subsystems", "clusters", "grouping", "group"]),
    ("directories", &["dirs", "paths", "members", "files"]),
    ("paths", &["path", "files", "directories", "dirs"]),
    ("name", &["title", "label", "component"]),
    ("description", &["summary", "purpose", "text", "role", "what"]),
    ("approach", &["strategy", "how", "plan"]),
    ("domain_notes", &["notes", "domain", "background"]),
    ("confidence", &["certainty", "confidencescore", "confidencelevel", "sure"]),
    ("completeness", &["complete", "completenessscore", "coverage"]),
    ("evidence", &["citations", "citation", "proof", "sources", "references"]),
    ("claims", &["statements", "facts", "keyclaims", "keyfindings", "findings"]),
    ("quote", &["quotes", "snippet", "excerpt", "code", "text"]),
    ("start_line", &["line", "start", "from", "first", "firstline", "linestart", "startingline"]),
    ("end_line", &["end", "to", "last", "lastline", "lineend"]),
    ("cache_type", &["type", "kind"]),
    ("data", &["entry", "value"]),
    ("entry_points", &["entrypoint", "entry", "entries"]),
    ("tech_stack", &["technologies", "technology", "stack", "tech"]),
    ("overall_purpose", &["purpose"]),
    ("concerns", &["risks", "issues", "warnings"]),
    ("notes", &["note", "comment", "comments"]),
];

/// Which field of the arguments is which property: exact names first, then those that must be meant.
pub(super) fn assign(properties: &Map<String, Value>, fields: &Map<String, Value>) -> Vec<(String, String)> {
    let mut free: Vec<&String> = fields.keys().filter(|key| !properties.contains_key(*key)).collect();
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    for name in properties.keys() {
        let exact = fields.contains_key(name).then(|| name.clone());
        found.push((name.clone(), exact));
    }
    let is_spelt: fn(&str, &str) -> bool = |key, name| plain(key) == plain(name);
    let is_called: fn(&str, &str) -> bool = |key, name| {
        let others = OTHER_NAMES.iter().find(|(field, _)| *field == name);
        others.is_some_and(|(_, others)| others.contains(&plain(key).as_str()))
    };
    let is_near: fn(&str, &str) -> bool = |key, name| {
        let (key, name) = (plain(key), plain(name));
        5 <= key.len() && strsim::damerau_levenshtein(&key, &name) <= if name.len() < 8 { 1 } else { 2 }
    };
    for is_it in [is_spelt, is_near, is_called] {
        for (name, key) in found.iter_mut().filter(|(_, key)| key.is_none()) {
            if let Some(place) = free.iter().position(|key| key.len() <= 64 && is_it(key, name)) {
                *key = Some(free.remove(place).clone());
            }
        }
    }
    found.into_iter().filter_map(|(name, key)| Some((name, key?))).collect()
}

/// Whether one of the fields is called what a property is called, however it is spelt.
pub(super) fn has_own_name(properties: &Map<String, Value>, fields: &Map<String, Value>) -> bool {
    fields.keys().any(|key| properties.keys().any(|name| plain(key) == plain(name)))
}

/// The object that a text stands for: JSON, or the one field that says what it is about.
pub(super) fn object_of_text(properties: &Map<String, Value>, text: &str) -> Option<Map<String, Value>> {
    if text.trim_start().starts_with(['{', '['])
        && let Some(Value::Object(fields)) = repaired(text)
    {
        return Some(fields);
    }
    let main = main_field(properties)?;
    let text = text.trim();
    let mut fields = Map::new();
    if properties.contains_key("start_line") {
        fields.insert("path".to_owned(), text.into());
        return Some(fields);
    }
    let second = ["description", "reason"].into_iter().find(|name| properties.contains_key(*name));
    let split = [": ", " – ", " — ", " - "].iter().find_map(|mark| text.split_once(mark));
    match (second, split) {
        (Some(second), Some((first, rest))) if main != "text" && first.len() <= 200 => {
            fields.insert(main.to_owned(), first.trim().into());
            fields.insert(second.to_owned(), rest.trim().into());
        }
        _ => {
            fields.insert(main.to_owned(), text.into());
        }
    }
    Some(fields)
}

/// The field that an object of this kind is about.
fn main_field(properties: &Map<String, Value>) -> Option<&'static str> {
    let mains = ["summary", "brief", "finding", "text", "path", "name", "description"];
    mains.into_iter().find(|main| properties.contains_key(*main))
}

/// The items that stand where a list of such should.
pub(super) fn list_of(items: &Map<String, Value>, value: Value) -> Vec<Value> {
    let properties = items.get("properties").and_then(Value::as_object);
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values,
        Value::String(text) => match repaired(&text).filter(|_| text.trim_start().starts_with(['[', '{'])) {
            Some(Value::Array(values)) => values,
            Some(object @ Value::Object(_)) => list_of(items, object),
            Some(_) | None => pieces(&text, properties.is_none()),
        },
        Value::Object(fields) => match properties {
            Some(properties) if !assign(properties, &fields).is_empty() => vec![Value::Object(fields)],
            Some(properties) => {
                fields.into_iter().map(|(key, value)| named(properties, key, value)).collect()
            }
            None => fields.into_iter().map(|(key, value)| named_text(key, value)).collect(),
        },
        single @ (Value::Bool(_) | Value::Number(_)) => vec![single],
    }
}

/// An object that stands under its own name.
fn named(properties: &Map<String, Value>, key: String, value: Value) -> Value {
    let Some(main) = main_field(properties) else { return value };
    let mut fields = match value {
        Value::Object(fields) => fields,
        Value::Array(items) if properties.contains_key("directories") || properties.contains_key("paths") => {
            let list = if properties.contains_key("paths") { "paths" } else { "directories" };
            [(list.to_owned(), Value::Array(items))].into_iter().collect()
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            let second = ["description", "reason"].into_iter().find(|name| properties.contains_key(*name));
            second.map(|second| [(second.to_owned(), other)].into_iter().collect()).unwrap_or_default()
        }
    };
    fields.entry(main).or_insert_with(|| key.into());
    Value::Object(fields)
}

fn named_text(key: String, value: Value) -> Value {
    match super::words::text_of(value) {
        Some(text) if !text.trim().is_empty() => format!("{key}: {}", text.replace('\n', ", ")).into(),
        Some(_) | None => key.into(),
    }
}

/// The lines of a text, or the short words between its commas.
fn pieces(text: &str, may_be_words: bool) -> Vec<Value> {
    let bare = |line: &str| line.trim().trim_start_matches(['-', '*', '•']).trim().to_owned();
    let lines: Vec<String> = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
    if let [line] = &lines[..] {
        let words: Vec<&str> =
            line.split([',', ';']).map(str::trim).filter(|word| !word.is_empty()).collect();
        let is_path_list = words.iter().all(|word| !word.contains(' '));
        let is_list =
            words.iter().all(|word| word.len() <= 40 && !word.ends_with('.') && word.split(' ').count() <= 3);
        if 1 < words.len() && (is_path_list || (may_be_words && is_list)) {
            return words.into_iter().map(Value::from).collect();
        }
    }
    lines.into_iter().map(Value::from).collect()
}

/// Whether a field holds a path, by its place.
pub(super) fn is_path(place: &str) -> bool {
    let name = place.rsplit('.').next().unwrap_or_default();
    let name = name.split('[').next().unwrap_or_default();
    matches!(name, "path" | "paths" | "directories" | "notable_files")
}

/// A path without what models put around it.
pub(super) fn plain_path(text: &str) -> String {
    let text = text.trim().trim_matches(['`', '"', '\'']).trim();
    let text = text.strip_prefix("./").filter(|rest| !rest.is_empty()).unwrap_or(text);
    if 1 < text.len() { text.trim_end_matches('/').to_owned() } else { text.to_owned() }
}

/// Evidence that gives its lines in one word, or behind its path.
pub(super) fn place_citation(properties: &Map<String, Value>, fields: &mut Map<String, Value>) {
    if !properties.contains_key("start_line") || !properties.contains_key("path") {
        return;
    }
    let range = ["lines", "line_range", "lineRange", "range", "line_numbers", "line", "start_line"];
    for name in range {
        let Some((first, last)) = fields.get(name).and_then(range_of) else { continue };
        fields.remove(name);
        fields.insert("start_line".to_owned(), first.into());
        if first < last {
            fields.entry("end_line").or_insert_with(|| last.into());
        }
        return;
    }
    let has_line = assign(properties, fields).iter().any(|(name, _)| name == "start_line");
    let key = assign(properties, fields).into_iter().find(|(name, _)| name == "path").map(|(_, key)| key);
    let path = key.as_deref().and_then(|key| fields.get(key)).and_then(Value::as_str).map(str::to_owned);
    if let (Some(key), Some((path, first, last))) = (key, path.as_deref().and_then(split_lines)) {
        fields.insert(key, path.into());
        if !has_line {
            fields.insert("start_line".to_owned(), first.into());
            fields.insert("end_line".to_owned(), last.into());
        }
    }
}

/// `10-12`, `[10, 12]`, `L10`: the first and the last line.
fn range_of(value: &Value) -> Option<(u64, u64)> {
    match value {
        Value::Array(items) => match &items[..] {
            [first, last] => Some((range_of(first)?.0, range_of(last)?.0)),
            [single] => range_of(single),
            _ => None,
        },
        Value::Number(number) => number.as_u64().map(|line| (line, line)),
        Value::String(text) => lines_of(text),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

fn lines_of(text: &str) -> Option<(u64, u64)> {
    let numbers: Vec<&str> =
        text.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect();
    let is_range = text.chars().all(|letter| letter.is_ascii_digit() || " -–—,.:LlineNtos#".contains(letter));
    match &numbers[..] {
        [single] if is_range => single.parse().ok().map(|line| (line, line)),
        [first, last] if is_range => Some((first.parse().ok()?, last.parse().ok()?)),
        _ => None,
    }
}

/// `src/main.rs:10-12` and `src/main.rs#L10`: the path and its lines.
fn split_lines(text: &str) -> Option<(String, u64, u64)> {
    let (path, lines) = text
        .rsplit_once("#L")
        .or_else(|| text.rsplit_once(" lines "))
        .or_else(|| text.rsplit_once(" line "))
        .or_else(|| text.rsplit_once(':'))?;
    let (first, last) = lines_of(lines).filter(|_| lines.contains(|letter: char| letter.is_ascii_digit()))?;
    (!path.trim().is_empty()).then(|| (path.trim().trim_end_matches(',').to_owned(), first, last))
}

/// An entry whose fields stand beside its path instead of in `data`.
pub(super) fn gather_entry(properties: &Map<String, Value>, fields: &mut Map<String, Value>) {
    let Some(inner) =
        properties.get("data").and_then(|data| data.get("properties")).and_then(Value::as_object)
    else {
        return;
    };
    if assign(properties, fields).iter().any(|(name, _)| name == "data") {
        return;
    }
    let is_outer = |key: &String| properties.contains_key(key);
    let (outer, data): (Map<_, _>, Map<_, _>) =
        std::mem::take(fields).into_iter().partition(|(key, _)| is_outer(key));
    *fields = outer;
    if !assign(inner, &data).is_empty() {
        fields.insert("data".to_owned(), Value::Object(data));
    }
}

/// The report on the whole stands, if only half of its prose does.
pub(super) fn complete(properties: &Map<String, Value>, taken: &mut Map<String, Value>) {
    if !properties.contains_key("brief") || !properties.contains_key("detailed") {
        return;
    }
    let prose = |taken: &Map<String, Value>, name: &str| {
        let text = taken.get(name).and_then(Value::as_str).unwrap_or_default().trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    match (prose(taken, "brief"), prose(taken, "detailed")) {
        (Some(brief), None) => drop(taken.insert("detailed".to_owned(), brief.into())),
        (None, Some(detailed)) => {
            let first = detailed.split("\n\n").next().unwrap_or_default();
            let brief = super::words::cut_at_sentence(first, 1_000).unwrap_or_else(|| first.to_owned());
            taken.insert("brief".to_owned(), brief.into());
        }
        (Some(_), Some(_)) | (None, None) => {}
    }
}
