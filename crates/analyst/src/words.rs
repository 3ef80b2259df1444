//! English, as far as templates need it.

use super::bounds;

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// At most so many of a list, and how many more there are.
pub(crate) fn some_of(items: &[String], most: usize) -> String {
    if items.len() <= most {
        return list(items);
    }
    format!("{} and {} more", items[..most].join(", "), number((items.len() - most) as u64))
}

/// `1 file`, `1,234 files`.
pub(crate) fn count(number_of: u64, thing: &str) -> String {
    if number_of == 1 {
        return format!("1 {thing}");
    }
    let plural = match thing.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        Some(_) | None => format!("{thing}s"),
    };
    format!("{} {plural}", number(number_of))
}

/// `1,234`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if 0 < place && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A name in backticks, cut where it is very long. One that holds a backtick itself would not come out again.
pub(crate) fn code(name: &str) -> String {
    format!("`{}`", bounds::name(name).replace('`', "'"))
}

/// Words of others as a sentence of their own: with an end, inside of the quotation or behind it.
pub(crate) fn quoted(words: &str) -> String {
    let words = bounds::words(words);
    let words = words.trim_end().trim_end_matches(':').trim_end_matches(" -").trim_end();
    let is_ended = words.ends_with(['.', '!', '?', '…', '。']);
    format!("“{words}”{}", if is_ended { "" } else { "." })
}

/// The first sentence of a text, as far as it can be told: abbreviations and numbers do not end one.
pub(crate) fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let bytes = text.as_bytes();
    for (at, character) in text.char_indices() {
        if !matches!(character, '.' | '!' | '?' | '。') {
            continue;
        }
        let after = at + character.len_utf8();
        let ends = bytes.get(after).is_none_or(u8::is_ascii_whitespace);
        let word = text[..at].rsplit([' ', '(', '\n']).next().unwrap_or_default();
        let is_short =
            matches!(word, "e.g" | "i.e" | "etc" | "vs" | "cf" | "Dr" | "Mr" | "Inc" | "approx" | "al");
        let goes_on = text[after..].trim_start().starts_with(|next: char| next.is_lowercase());
        if ends && !is_short && !(goes_on && character == '.') {
            return &text[..after];
        }
    }
    text
}

/// At most so many characters, cut at a word.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let cut = text[..end].rfind(' ').filter(|&at| end / 2 < at).unwrap_or(end);
    format!("{}…", text[..cut].trim_end_matches([' ', ',', ';', ':', '.', '-', '—']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_numbers_read_well() {
        let items: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(list(&items), "a, b and c");
        assert_eq!(list(&items[..1]), "a");
        assert_eq!(some_of(&items, 2), "a, b and 1 more");
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(1_234_567, "directory"), "1,234,567 directories");
        assert_eq!(count(2, "key"), "2 keys");
    }

    #[test]
    fn a_sentence_ends_where_people_end_it() {
        assert_eq!(first_sentence("Reads a file, e.g. a log. Then more."), "Reads a file, e.g. a log.");
        assert_eq!(first_sentence("Version 1.2 is out. Yes"), "Version 1.2 is out.");
        assert_eq!(first_sentence("No end"), "No end");
        assert_eq!(first_sentence("Uses foo.rs to go"), "Uses foo.rs to go");
    }

    #[test]
    fn cutting_happens_between_words() {
        assert_eq!(clipped("one two three", 9), "one two…");
        assert_eq!(clipped("short", 9), "short");
    }
}
