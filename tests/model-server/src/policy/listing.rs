//! Reading listings: what a tool, or a prompt, says is in a directory.

use serde_json::Value;

/// Something in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    File(String),
    Directory(String),
}

/// The directory a prompt is about: what stands behind the first `directory:`, or in backticks on the first line
/// with that word; `.` if there is neither.
pub(super) fn directory_of(prompt: &str) -> String {
    let lines = || prompt.lines().filter(|line| line.to_lowercase().contains("directory"));
    let after_colon = lines().filter_map(|line| {
        let (before, after) = line.split_once(':')?;
        before.to_lowercase().trim_end_matches('*').ends_with("directory").then(|| clean(after))
    });
    let in_ticks = lines().filter_map(|line| line.split('`').nth(1).map(clean));
    let mut found = after_colon.chain(in_ticks).filter(|path| !path.is_empty() && !path.contains(' '));
    found.next().unwrap_or_else(|| ".".to_owned())
}

fn clean(text: &str) -> String {
    let text = text.trim().trim_matches(['`', '"', '\'', '*']).trim_start_matches("./");
    let cut = text.split_whitespace().next().unwrap_or_default().trim_matches(['`', '"', '\'', ',']);
    let cut = cut.trim_end_matches(['/', '.']);
    if cut.is_empty() && !text.is_empty() { ".".to_owned() } else { cut.to_owned() }
}

/// A path below a directory. A name that already has the directory in front stays as it is.
pub(super) fn join(dir: &str, name: &str) -> String {
    let name = name.trim_start_matches("./");
    if dir == "." || name.starts_with(&format!("{dir}/")) { name.to_owned() } else { format!("{dir}/{name}") }
}

/// What a listing names: from JSON, or from lines of a name, a size and a type in any order.
pub(super) fn entries(listing: &str) -> Vec<Entry> {
    if let Ok(json) = serde_json::from_str::<Value>(listing) {
        let mut found = Vec::new();
        from_json(&json, &mut found);
        return found;
    }
    listing.lines().filter_map(from_line).collect()
}

fn from_json(json: &Value, found: &mut Vec<Entry>) {
    match json {
        Value::Array(values) => values.iter().for_each(|value| from_json(value, found)),
        Value::Object(object) => {
            let text = |keys: [&str; 2]| keys.iter().find_map(|key| object.get(*key)?.as_str());
            if let (Some(name), Some(kind)) = (text(["name", "path"]), text(["type", "kind"])) {
                found.push(entry(name, kind.starts_with("dir")));
            } else {
                object.values().for_each(|value| from_json(value, found));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn entry(name: &str, is_directory: bool) -> Entry {
    match name.strip_suffix('/') {
        Some(name) => Entry::Directory(name.to_owned()),
        None if is_directory => Entry::Directory(name.to_owned()),
        None => Entry::File(name.to_owned()),
    }
}

fn from_line(line: &str) -> Option<Entry> {
    let line = line.trim_matches(['├', '└', '│', '─', ' ', '-', '*', '\t']);
    if line.ends_with(':') {
        return None;
    }
    let words = line.split_whitespace().map(|word| word.trim_matches(['`', ',', '|', '"']));
    let words: Vec<&str> = words.filter(|word| *word != "-").collect();
    let is_directory = words.iter().any(|word| matches!(*word, "dir" | "directory"));
    let looks_like_a_name = |word: &&&str| {
        let is_number = word.parse::<f64>().is_ok();
        let has_dot = word.trim_matches('.').contains('.');
        (has_dot && !is_number && !word.contains("://")) || word.ends_with('/')
    };
    let name = words.iter().find(looks_like_a_name).copied();
    // A name without a dot is known by its neighbours only: the line must be a name and a kind.
    let is_kind =
        |word: &str| matches!(word, "file" | "dir" | "directory" | "source" | "config" | "document");
    let plain = || {
        let has_kind = words.iter().any(|word| is_kind(word));
        let first = words.iter().find(|word| !is_kind(word) && word.parse::<f64>().is_err())?;
        let is_unit = matches!(*first, "B" | "KB" | "MB" | "GB");
        (has_kind && words.len() <= 4 && !is_unit).then_some(*first)
    };
    name.or_else(plain).map(|name| entry(name, is_directory))
}

/// The lines of text that is fenced as data of this kind: `<data-… kind>`, lines, `</data-…>`.
pub(super) fn fenced<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let opens = |line: &str| line.starts_with("<data-") && line.ends_with(&format!(" {kind}>"));
    let inside = text.lines().skip_while(|line| !opens(line)).skip(1);
    inside.take_while(|line| !line.starts_with("</data-")).collect()
}

/// The directories of a drawn tree, by their paths from its root.
pub(super) fn tree_directories(text: &str) -> Vec<String> {
    const BRANCH: &str = "── ";
    let mut above: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((before, name)) = line.split_once(BRANCH) else { continue };
        let depth = before.chars().count() / 4;
        let name = name.split("  ").next().unwrap_or_default();
        let Some(name) = name.strip_suffix('/') else { continue };
        above.truncate(depth);
        above.push(name);
        found.push(above.join("/"));
    }
    found
}
