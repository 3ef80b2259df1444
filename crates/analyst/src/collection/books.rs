//! Books: who wrote them, and in which language, by what they say of themselves.

use std::collections::BTreeMap;

use luminos_core::fact::{Fact, Holding};
use luminos_core::job::ListedFile;

use super::documents::kinds_of;
use super::titles::quoted;
use super::{Look, kept, most, office, warns, words};
use crate::words::some_of;

/// So many books are told by their titles.
const TITLES: usize = 12;

/// What a book says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
struct Book {
    title: Option<String>,
    author: Option<String>,
    language: Option<String>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut authors: BTreeMap<String, u64> = BTreeMap::new();
    let mut languages: BTreeMap<String, u64> = BTreeMap::new();
    let mut books: Vec<Book> = Vec::new();
    let (mut evidence, mut told) = (Vec::new(), Vec::new());
    for file in files {
        let Some(head) = peek(file) else { continue };
        let ending = head.name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_uppercase();
        let book = match ending.as_str() {
            "EPUB" => epub(&head.bytes),
            _ => Some(mobi(&head.bytes).unwrap_or_default()),
        };
        let Some(book) = book else {
            let words =
                "it is called a book and cannot be opened as one: cut off, renamed or damaged".to_owned();
            told.push(warns(&head.word, words, vec![head.cite_head()]));
            continue;
        };
        *kinds.entry(ending).or_default() += 1;
        if let Some(author) = &book.author {
            *authors.entry(author.clone()).or_default() += 1;
        }
        if let Some(language) = &book.language {
            *languages.entry(language.clone()).or_default() += 1;
        }
        if evidence.len() < TITLES {
            evidence.push(head.cite_head());
        }
        books.push(book);
    }
    let seen: u64 = kinds.values().sum();
    if seen == 0 {
        return told;
    }
    let mut details = vec![kinds_of(&kinds)];
    let is_by_one = authors.len() == 1 && authors.values().sum::<u64>() == seen;
    let titles: Vec<String> = books
        .iter()
        .filter_map(|book| {
            let title = quoted(book.title.as_deref()?);
            Some(match book.author.as_ref().filter(|_| !is_by_one) {
                Some(author) => format!("{title} by {author}"),
                None => title,
            })
        })
        .collect();
    if is_by_one {
        details.extend(authors.keys().map(|author| format!("by {author}")));
    }
    if !languages.is_empty() {
        details.push(format!("in {}", kinds_of(&languages)));
    }
    if !titles.is_empty() {
        details.push(some_of(&titles, TITLES));
    }
    if TITLES < books.len() && !is_by_one {
        details.push(format!("most by {}", most(&authors, 3)));
    }
    let keeps = Holding { count: seen, noun: "book".to_owned(), period: None, details: words(details) };
    told.insert(0, kept(dir, keeps, evidence));
    told
}

/// A packed book; `None` for what is none.
fn epub(bytes: &[u8]) -> Option<Book> {
    let container = office::part_of(bytes, "META-INF/container.xml")?;
    let path = container.split_once("full-path=\"")?.1.split('"').next()?;
    let about = office::part_of(bytes, path)?;
    let field = |name: &str| {
        let text = office::between(&about, &format!("<dc:{name}"), &format!("</dc:{name}>"))?;
        Some(text.replace([';', '(', ')', '`'], " ").trim().to_owned())
            .filter(|text| !text.is_empty() && text.len() <= 200)
    };
    let language = field("language").map(|code| named(&code));
    Some(Book { title: field("title"), author: field("creator"), language })
}

/// The language of a code: `de-CH` is German.
fn named(code: &str) -> String {
    let names = [
        ("de", "German"),
        ("en", "English"),
        ("fr", "French"),
        ("it", "Italian"),
        ("es", "Spanish"),
        ("nl", "Dutch"),
        ("pt", "Portuguese"),
        ("ru", "Russian"),
        ("ja", "Japanese"),
        ("zh", "Chinese"),
        ("sv", "Swedish"),
        ("pl", "Polish"),
    ];
    let lower = code.to_lowercase();
    let known = names.iter().find(|(short, _)| lower.split(['-', '_']).next() == Some(short));
    known.map_or_else(|| code.to_owned(), |(_, name)| (*name).to_owned())
}

/// A Kindle book by the name at its head.
fn mobi(bytes: &[u8]) -> Option<Book> {
    if bytes.get(60..68)? != b"BOOKMOBI" {
        return None;
    }
    let name = bytes.get(..32)?.split(|byte| *byte == 0).next()?;
    let title = String::from_utf8_lossy(name).replace('_', " ");
    Some(Book { title: Some(title).filter(|title| !title.trim().is_empty()), ..Book::default() })
}

#[cfg(test)]
mod tests {
    use super::super::office::tests::zip;
    use super::*;

    #[test]
    fn a_book_tells_who_wrote_it() {
        let container = "<rootfile full-path=\"OEBPS/content.opf\" media-type=\"x\"/>";
        let about = "<dc:title>Der Prozess</dc:title><dc:creator id=\"a\">Franz Kafka</dc:creator><dc:language>de-AT</dc:language>";
        let book = epub(&zip(&[("META-INF/container.xml", container), ("OEBPS/content.opf", about)]));
        let expected = Book {
            title: Some("Der Prozess".to_owned()),
            author: Some("Franz Kafka".to_owned()),
            language: Some("German".to_owned()),
        };
        assert_eq!(book, Some(expected));
        assert_eq!(epub(b"no book"), None);
        assert_eq!(mobi(b"short"), None);
    }
}
