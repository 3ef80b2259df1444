//! Finds JSON documents in what a model said.
//!
//! A model may answer with the document alone, put it into a code fence, or talk before and after it.

use serde_json::Value;

use luminos_core::talk::parse_strictly;

/// How many places of a text are tried. Each may cost a walk to its end.
const MOST_TRIES: usize = 64;

/// The documents that a text may mean, most likely first: the whole text, then what is in code fences, then
/// objects and lists anywhere in it, the largest first.
pub fn documents(text: &str) -> Vec<Value> {
    let text = text.trim().trim_start_matches('\u{feff}');
    if let Ok(document) = parse_strictly(text) {
        return vec![document];
    }
    let mut found: Vec<Value> =
        fenced(text).filter_map(|inside| parse_strictly(inside.trim()).ok()).collect();
    let mut anywhere = anywhere(text);
    anywhere.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    for (_, document) in anywhere {
        if !found.contains(&document) {
            found.push(document);
        }
    }
    found
}

/// What stands between lines of three backticks.
fn fenced(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, from_fence) = rest.split_once("```")?;
        // The rest of the line names the language.
        let (_, inside) = from_fence.split_once('\n')?;
        let (inside, after) = inside.split_once("\n```").unwrap_or((inside, ""));
        rest = after;
        Some(inside)
    })
}

/// Objects and lists that begin anywhere, with their lengths; none lies inside of another.
fn anywhere(text: &str) -> Vec<(usize, Value)> {
    let mut found = Vec::new();
    let mut start = 0;
    for _ in 0..MOST_TRIES {
        let Some(offset) = text[start..].find(['{', '[']) else { break };
        start += offset;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let parsed = stream.next();
        let length = stream.byte_offset();
        // Parsed again, because only the strict reader refuses keys that appear twice.
        match parsed.and_then(Result::ok).and_then(|_| parse_strictly(&text[start..start + length]).ok()) {
            Some(document) => {
                found.push((length, document));
                start += length;
            }
            None => start += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::documents;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(text: &str, expected: &[Value]) {
        assert_eq!(documents(text), expected, "{text}");
    }

    #[test]
    fn a_document_alone_is_taken_whole() {
        check(" {\"a\":1}\n", &[json!({ "a": 1 })]);
        check("\u{feff}[1]", &[json!([1])]);
    }

    #[test]
    fn fences_are_opened() {
        check("Here:\n```json\n{\"a\":1}\n```\nDone.", &[json!({ "a": 1 })]);
        check("```\n{\"a\":1}", &[json!({ "a": 1 })]);
        check("```json\n{\"a\":\"```\"}\n```", &[json!({ "a": "```" })]);
    }

    #[test]
    fn prose_around_a_document_does_not_matter() {
        check("Sure! {\"a\": {\"b\": 2}} I hope [this] helps.", &[json!({ "a": { "b": 2 } })]);
        check(
            "I first thought {\"a\":1}, but {\"a\":2,\"b\":3} it is.",
            &[json!({"a":2,"b":3}), json!({"a":1})],
        );
        check("use {braces} like {\"a\":1}", &[json!({ "a": 1 })]);
    }

    #[test]
    fn what_is_broken_is_not_repaired() {
        check("{\"a\":1", &[]);
        check("{\"a\":1,\"a\":2}", &[]);
        check("", &[]);
        check("no document here", &[]);
    }

    #[test]
    fn endless_beginnings_take_no_time() {
        check(&"[\"".repeat(500_000), &[]);
        check(&"{".repeat(500_000), &[]);
    }
}
