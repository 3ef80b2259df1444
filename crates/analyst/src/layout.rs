//! What documents say of single files and directories: a list of them with a sentence each, or a section under the name
//! of one. Nobody says better what a part is for than those who wrote the map of it.

use luminos_core::fact::{Fact, FactKind, Reader};

use super::eyes::FileText;
use super::readme::{is_readme, plain};
use super::words::{clipped, first_sentence};

/// So many are told of one document.
const TOLD: usize = 24;
/// So much of the words.
const WORDS: usize = 200;
/// Fewer words say nothing.
const FEWEST_WORDS: usize = 3;
/// How far one looks.
const LINES: usize = 1_500;

/// Whether a document may hold a map of what it lies beside.
fn is_map(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_text = name.ends_with(".md") || name.ends_with(".rst") || name.ends_with(".txt");
    is_readme(name)
        || is_text
            && matches!(
                stem.as_str(),
                "architecture" | "contributing" | "hacking" | "internals" | "structure"
            )
}

/// What a document says of files and directories, each with its line.
pub(crate) fn findings(file: &FileText) -> Vec<Fact> {
    if !is_map(&file.name) {
        return Vec::new();
    }
    let mut found: Vec<Fact> = Vec::new();
    let mut is_code = false;
    for (number, line) in file.lines().take(LINES) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code || TOLD <= found.len() {
            continue;
        }
        let Some((names, words, last)) = of_item(line, number).or_else(|| of_heading(file, number)) else {
            continue;
        };
        for of in names {
            let is_known =
                |known: &Fact| matches!(&known.fact, FactKind::Mention { of: known, .. } if *known == of);
            if !found.iter().any(is_known) {
                let words = words.trim_end_matches(':');
                let mention = FactKind::Mention { of, text: clipped(words, WORDS) };
                found.push(file.fact(Reader::Document, mention, vec![file.cite_lines(number, last)]));
            }
        }
    }
    // One alone is no map, and may be about anything.
    if found.len() < 3 { Vec::new() } else { found }
}

/// An item of a list: ``- `src/walk`: Walks directories.``
fn of_item(line: &str, number: usize) -> Option<(Vec<String>, String, usize)> {
    let item = ["- ", "* ", "+ "].iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
    let end = item.find(": ").into_iter().chain(item.find(" - ")).chain(item.find(" – ")).min();
    let (head, words) = match end {
        Some(end) => (&item[..end], item[end..].trim_start_matches([':', ' ', '-', '–'])),
        // "`a.c`, `b.c` contain …".
        None => item.split_at(item.rfind('`')? + 1),
    };
    let words = plain(words);
    let names = names_in(head)?;
    let words = first_sentence(words.trim()).to_owned();
    (FEWEST_WORDS <= words.split_whitespace().count()).then_some((names, words, number))
}

/// The names in the head of an item, where it holds nothing else.
fn names_in(head: &str) -> Option<Vec<String>> {
    let mut rest = String::new();
    let mut names = Vec::new();
    for (at, piece) in head.split('`').enumerate() {
        match at % 2 {
            1 => names.push(piece.trim_start_matches("./").trim_end_matches('/').to_owned()),
            _ => rest.push_str(piece),
        }
    }
    let is_link = rest.trim().starts_with('[');
    let between = rest.replace(" and ", "").replace(" & ", "");
    let is_bare = between.chars().all(|character| matches!(character, ',' | ' ' | '*' | '_' | '[' | ']'));
    let is_one = !names.is_empty() && names.iter().all(|name| is_path(name));
    (is_one && (is_bare || is_link)).then_some(names)
}

/// Something that can be a path, and no command or option.
fn is_path(name: &str) -> bool {
    let is_plain =
        |character: char| character.is_alphanumeric() || matches!(character, '/' | '.' | '_' | '-' | '+');
    (2..80).contains(&name.len()) && name.chars().all(is_plain) && name.starts_with(char::is_alphanumeric)
}

/// A section under the name of a file, whose first sentence is about that file.
fn of_heading(file: &FileText, number: usize) -> Option<(Vec<String>, String, usize)> {
    let line = file.line(number).trim();
    let below = file.line(number + 1).trim();
    let is_ruled = 2 < below.len() && below.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'~'));
    let name = match line.strip_prefix('#') {
        Some(rest) => rest.trim_start_matches('#').trim().trim_matches('`'),
        None if is_ruled => line.trim_matches('`'),
        None => return None,
    };
    let (stem, ending) = name.rsplit_once('.')?;
    let is_file = is_path(name) && !stem.is_empty() && (1..5).contains(&ending.len());
    let first = (number + 1..number + 4).find(|at| {
        let line = file.line(*at).trim();
        !line.is_empty() && line.chars().any(char::is_alphabetic)
    });
    let first = first.filter(|_| is_file)?;
    let mut last = first;
    while last < first + 5 && !file.line(last + 1).trim().is_empty() {
        last += 1;
    }
    let text: Vec<&str> = (first..=last).map(|at| file.line(at).trim()).collect();
    let words = plain(&text.join(" "));
    let sentence = first_sentence(&words);
    let is_about_it = sentence.starts_with("This ") || sentence.contains(name);
    (is_about_it && sentence.len() < WORDS).then(|| (vec![name.to_owned()], sentence.to_owned(), last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence::sentence;
    use luminos_core::{ContentHash, RelPath};

    fn told(name: &str, text: &str) -> Vec<String> {
        let file = FileText::of(
            &RelPath::from(name),
            text.as_bytes().to_vec(),
            ContentHash::default(),
            luminos_core::proof::ToolCallId("t".to_owned()),
        );
        findings(&file.unwrap()).iter().map(sentence).collect()
    }

    #[test]
    fn lists_and_sections_tell_of_files() {
        let text = "# Kiln\n\n- `src/walk`: Walks all directories. And more.\n* `lib/a.c`, `lib/b.c` and `lib/c.c` hold the types.\n- `--flag`: Turns it on for good.\n- **Note**: nothing at all here.\n\nfire.c\n---\n\nThis is where the fire\nis lit. It burns.\n\nash.c\n---\n\nPeople often ask why.\n";
        assert_eq!(
            told("README.md", text),
            [
                "`README.md` says of `src/walk`: “Walks all directories.”",
                "`README.md` says of `lib/a.c`: “hold the types.”",
                "`README.md` says of `lib/b.c`: “hold the types.”",
                "`README.md` says of `lib/c.c`: “hold the types.”",
                "`README.md` says of `fire.c`: “This is where the fire is lit.”",
            ]
        );
        assert_eq!(told("README.md", "- `one.c`: Is all there is.\n"), Vec::<String>::new());
        assert_eq!(told("NEWS.md", text), Vec::<String>::new());
    }
}
