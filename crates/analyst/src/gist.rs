//! What entries say, in a line: for whoever tells of many of them.

use luminos_core::entry::{DirEntry, FileEntry};

use super::words::{clipped, code, first_sentence};

/// So many characters of an entry are told elsewhere: a quotation fits.
const GIST: usize = 400;

/// What the entry of a file says it is for, in a line; `None` where it says nothing but its size.
pub(crate) fn file_gist(entry: &FileEntry) -> Option<String> {
    let said = |mark: &str| {
        let at = entry.summary.find(mark)? + mark.len();
        let end = entry.summary[at..].find('”')? + at;
        Some((at, end))
    };
    if let Some((at, end)) = said("It says of itself: “").or_else(|| said("It describes it: “")) {
        let word = entry.relative_path.to_word();
        let name = word.rsplit('/').next().unwrap_or_default();
        let words = super::look::without_name(&entry.summary[at..end], name);
        return Some(format!("“{}”", clipped(first_sentence(words), GIST)));
    }
    let explains = entry.summary.find("It explains ").map(|at| &entry.summary[at + "It explains ".len()..]);
    if let Some((name, rest)) = explains.and_then(|rest| rest.split_once(": “"))
        && let Some((words, _)) = rest.split_once('”')
    {
        return Some(format!("{name}, “{}”", clipped(words, GIST)));
    }
    let at = entry.summary.find("It defines ")? + "It ".len();
    entry.summary[at..].split(". ").next().map(|defines| defines.trim_end_matches('.').to_owned())
}

/// What an entry says, in a line, without the name of its directory.
pub(crate) fn gist_of(entry: &DirEntry) -> String {
    let called = code(&entry.relative_path.to_word());
    let first = entry.summary.split("\n\n").next().unwrap_or_default();
    let first = opening_of(first);
    let gist = first.strip_prefix(&called).unwrap_or(first).trim_start_matches([',', ':', ' ']);
    let gist = match gist.strip_prefix("in the words of its ") {
        Some(rest) => rest.split_once(": ").map_or(rest, |(_, words)| words),
        None => gist,
    };
    let gist = gist.strip_prefix("is ").unwrap_or(gist);
    let gist = gist.trim_end_matches('.');
    if gist.chars().count() <= GIST {
        return gist.to_owned();
    }
    // Whole parts, where it has some: half of one says nothing.
    let end = gist.char_indices().nth(GIST).map_or(gist.len(), |(at, _)| at);
    let mut cut = match gist[..end].rfind("; ").filter(|at| GIST / 4 < *at) {
        Some(at) => format!("{} …", &gist[..at]),
        None => clipped(gist, GIST),
    };
    // What was opened before the cut is closed behind it.
    let open = cut.matches('(').count().saturating_sub(cut.matches(')').count());
    cut.push_str(&")".repeat(open));
    cut
}

/// The first sentence of a summary; a quotation in it is not taken apart.
pub(crate) fn opening_of(text: &str) -> &str {
    let mut depth = 0;
    let (mut is_name, mut is_title) = (false, false);
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = at + character.len_utf8();
        let is_followed_by_space = characters.peek().is_none_or(|(_, next)| next.is_whitespace());
        match character {
            '`' => is_name = !is_name,
            _ if is_name => {}
            // Titles have ends of sentences in them, too.
            '‘' if depth == 0 => is_title = true,
            '’' => is_title = false,
            _ if is_title => {}
            '“' => depth += 1,
            '”' if depth == 1 => {
                depth = 0;
                if is_followed_by_space {
                    return &text[..after];
                }
            }
            '”' => depth -= i32::from(0 < depth),
            '.' | '!' | '?' if depth == 0 && is_followed_by_space && before != '.' => return &text[..after],
            _ => {}
        }
        before = character;
    }
    text
}
