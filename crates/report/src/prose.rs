//! Prose that a model or the target wrote, as lines that fit on a page.
//!
//! Line breaks in it are kept, since they divide paragraphs and items; everything else that is not plain text is
//! escaped, line by line.

use luminos_core::Untrusted;

use crate::measure::{columns, width};

/// A line is not indented more than this by whoever wrote it.
const DEEPEST: usize = 8;

/// A text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The lines of a text, each of them inert. Paragraphs have one empty line between them, whatever they had before.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.replace('\t', " ");
        let line = Untrusted::new(line.trim_end().as_bytes()).for_terminal();
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A text as one inert line: its lines and all other white space become single spaces.
pub(crate) fn one_line(text: &str) -> String {
    if is_tidy(text) {
        return Untrusted::new(text.as_bytes()).for_terminal();
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Untrusted::new(line.as_bytes()).for_terminal()
}

/// Whether a text has no white space but single spaces between words. Nearly all have none.
fn is_tidy(text: &str) -> bool {
    let mut before = ' ';
    for character in text.chars() {
        if character.is_whitespace() && (character != ' ' || before == ' ') {
            return false;
        }
        before = character;
    }
    before != ' '
}

/// What a line begins with that the lines below it are indented by: spaces, and the mark of a list's item.
pub(crate) fn lead(line: &str) -> &str {
    let text = line.trim_start_matches(' ');
    let spaces = (line.len() - text.len()).min(DEEPEST);
    let line = &line[line.len() - text.len() - spaces..];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match text.as_bytes() {
        [b'-' | b'*' | b'+', b' ', ..] => 2,
        _ if (1..=3).contains(&digits) && text[digits..].starts_with(". ") => digits + 2,
        _ => 0,
    };
    &line[..spaces + mark]
}

/// Breaks an inert line at its spaces into pieces that are no wider than the page; a word that is wider by itself is
/// broken too. There is at least one piece.
pub(crate) fn wrap(line: &str, most: usize) -> Vec<String> {
    let most = most.max(1);
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut taken = 0;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let length = width(word);
        if !piece.is_empty() && taken + 1 + length <= most {
            piece.push(' ');
            piece.push_str(word);
            taken += 1 + length;
            continue;
        }
        if !piece.is_empty() {
            pieces.push(std::mem::take(&mut piece));
            taken = 0;
        }
        for character in word.chars() {
            if 0 < taken && most < taken + columns(character) {
                pieces.push(std::mem::take(&mut piece));
                taken = 0;
            }
            piece.push(character);
            taken += columns(character);
        }
    }
    if !piece.is_empty() || pieces.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// The beginning of a text, as so many lines at most; the last one tells by its end when there is more.
pub(crate) fn beginning(text: &str, most_columns: usize, most_lines: usize) -> Vec<String> {
    let mut pieces = wrap(&one_line(text), most_columns);
    if most_lines < pieces.len() {
        pieces.truncate(most_lines);
        if let Some(last) = pieces.last_mut() {
            while most_columns < width(last) + 2 {
                match last.rfind(' ') {
                    Some(space) => last.truncate(space),
                    None if last.pop().is_some() => {}
                    None => break,
                }
            }
            last.push_str(" …");
        }
        close(&mut pieces);
    }
    pieces
}

/// A text without the name that it begins with, where that stands beside it already: what `` `docs` holds … `` and
/// `` `docs`: … `` say beyond the name.
pub(crate) fn beyond_name<'a>(text: &'a str, name: &str) -> &'a str {
    let rest = text
        .strip_prefix('`')
        .and_then(|rest| rest.strip_prefix(name))
        .and_then(|rest| rest.strip_prefix('`'));
    let quoted = |rest: &'a str| Some(rest.strip_prefix(", in the words of its ")?.split_once(": ")?.1);
    let rest = rest
        .and_then(|rest| rest.strip_prefix(": ").or_else(|| rest.strip_prefix(' ')).or_else(|| quoted(rest)));
    rest.filter(|rest| !rest.trim().is_empty()).unwrap_or(text)
}

/// Whether a name is a path without its beginning: `…/owner` for `src/main/owner`.
pub(crate) fn is_short_for(name: &str, path: &str) -> bool {
    name.strip_prefix('…').is_some_and(|end| end.starts_with('/') && 1 < end.len() && path.ends_with(end))
}

/// The gist of a text on so many lines: what stands before its first list, as many whole sentences as there is room
/// for; or the beginning, where those would leave much of it empty.
pub(crate) fn gist(text: &str, most_columns: usize, most_lines: usize) -> Vec<String> {
    let is_item = |line: &&str| lead(line).trim_start_matches(' ').is_empty();
    let mut before: Vec<&str> = text.lines().take_while(is_item).collect();
    while before.len() < text.lines().count()
        && before.last().is_some_and(|line| line.trim().is_empty() || line.trim_end().ends_with(':'))
    {
        before.pop();
    }
    let mut whole = if before.is_empty() { one_line(text) } else { one_line(&before.join(" ")) };
    if let [.., end, _] = sentence_ends(&whole)[..]
        && whole.ends_with(':')
    {
        whole.truncate(end);
    }
    let mut shown = Vec::new();
    for end in sentence_ends(&whole) {
        let pieces = wrap(&whole[..end], most_columns);
        if most_lines < pieces.len() {
            break;
        }
        shown = pieces;
    }
    close(&mut shown);
    // Few words that leave most of the room empty say less than a sentence without its end.
    let is_whole = whole.len() <= shown.join(" ").len() || shown.len() == most_lines;
    if is_whole { shown } else { beginning(&whole, most_columns, most_lines) }
}

/// Closes the quotation that words were cut in, so that what follows is not taken for a part of it.
fn close(pieces: &mut [String]) {
    let count = |mark: char| pieces.iter().map(|piece| piece.matches(mark).count()).sum::<usize>();
    if count('”') < count('“')
        && let Some(last) = pieces.last_mut()
    {
        last.push('”');
    }
}

/// Where the sentences of a line end.
fn sentence_ends(line: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let characters: Vec<(usize, char)> = line.char_indices().collect();
    for (index, (at, character)) in characters.iter().enumerate() {
        if *character != ' ' {
            continue;
        }
        let before = line[..*at].trim_end_matches(['”', '"', ')', '`']);
        let begins = characters.get(index + 1).is_some_and(|(_, next)| {
            next.is_uppercase() || next.is_ascii_digit() || matches!(next, '`' | '“')
        });
        if before.ends_with(['.', '!', '?']) && begins {
            ends.push(*at);
        }
    }
    ends.push(line.len());
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_inert_and_paragraphs_stay_apart() {
        let text = "\n\nOne\r\nline\tof\x1b[31m\n\n\n  \nTwo \u{202e}x\n\n";
        assert_eq!(lines(text), ["One", "line of\\u{1b}[31m", "", "Two \\u{202e}x"]);
        assert_eq!(lines("\n \n"), Vec::<String>::new());
        assert_eq!(one_line(" a\n b\tc\x07 "), "a b c\\u{7}");
    }

    #[test]
    fn items_of_lists_hang() {
        let leads =
            ["plain", "- item", "  * item", "12. item", "1234. year", "-dash", "            deep"].map(lead);
        assert_eq!(leads, ["", "- ", "  * ", "12. ", "", "", "        "]);
    }

    #[track_caller]
    fn check(line: &str, most: usize, expected: &[&str]) {
        assert_eq!(wrap(line, most), expected);
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        check("", 5, &[""]);
        check("a bc def", 4, &["a bc", "def"]);
        check("a  b", 9, &["a b"]);
        check("abcdefghij k", 4, &["abcd", "efgh", "ij k"]);
        check("a größer", 6, &["a", "größer"]);
        check("ab", 0, &["a", "b"]);
        check("这是目录 结构", 5, &["这是", "目录", "结构"]);
    }

    #[test]
    fn a_name_is_not_said_twice() {
        assert_eq!(beyond_name("`docs` holds words.", "docs"), "holds words.");
        assert_eq!(beyond_name("`a/b.c`: `main`", "a/b.c"), "`main`");
        assert_eq!(beyond_name("`docsy` holds words.", "docs"), "`docsy` holds words.");
        assert_eq!(beyond_name("`docs` ", "docs"), "`docs` ");
    }

    #[test]
    fn a_gist_is_whole_sentences_and_no_half_lists() {
        let text = "holds 3 files, e.g. `x`. 31 files, 2.4 KB. Main files:\n- `a`: one\n- `b`: two";
        assert_eq!(gist(text, 30, 2), ["holds 3 files, e.g. `x`. 31", "files, 2.4 KB."]);
        let text = "holds 3 files. 31 files.\n\nMain files:\n- `a`: one";
        assert_eq!(gist(text, 40, 2), ["holds 3 files. 31 files."]);
        assert_eq!(gist(text, 16, 1), ["holds 3 files."]);
        assert_eq!(gist("is “A thing.” And more words here", 14, 1), ["is “A thing.”"]);
        assert_eq!(gist("one very long sentence", 10, 1), ["one very …"]);
        assert_eq!(gist("says: “A thing. Another one.”", 16, 1), ["says: “A thing.”"]);
        assert_eq!(gist("says: “A very long thing”", 14, 1), ["says: “A …”"]);
        assert_eq!(gist("Short. A longer sentence follows it", 12, 2), ["Short. A", "longer …"]);
        assert_eq!(gist("- only\n- a list", 20, 1), ["- only - a list"]);
        assert_eq!(gist("", 20, 1), [""]);
    }

    #[test]
    fn a_beginning_tells_that_there_is_more() {
        assert_eq!(beginning("one two three four", 9, 2), ["one two", "three …"]);
        assert_eq!(beginning("one two\nthree", 9, 2), ["one two", "three"]);
        assert_eq!(beginning("abcdefghijkl", 4, 1), ["ab …"]);
        assert_eq!(beginning("abc", 1, 1), [" …"]);
    }
}
