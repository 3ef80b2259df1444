//! Lines of code, comment and nothing: the same numbers as tokei, several times faster.
//!
//! Tokei's rules decide what a line is; they are followed to the letter, oddities included, because the
//! promise is equality. What differs is the way: tokei tries every token at every byte, this counter jumps
//! from one telling byte to the next. Languages whose rules need more than that go through tokei itself.
//!
//! **Guarantee**: the time is bounded for any bytes. The counter is linear; a text on which tokei would take
//! for ever does not go through tokei, and then only its blank lines are told apart.

mod embedded;
mod machine;
mod syntax;

use luminos_core::scan::{LanguageId, LineCounts};
use tokei::{CodeStats, Config, LanguageType};

use crate::language;
use machine::Machine;
use syntax::{Method, Syntax};

/// The lines of one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Counted {
    /// Lines in its own language.
    pub(crate) own: LineCounts,
    /// Lines in other languages inside it, by language; those inside of these included.
    pub(crate) embedded: Vec<(LanguageId, LineCounts)>,
}

impl Counted {
    fn add_embedded(&mut self, language: LanguageType, counts: LineCounts) {
        let id = language::id_of(language);
        match self.embedded.binary_search_by_key(&id, |&(language, _)| language) {
            Ok(place) => self.embedded[place].1 += counts,
            Err(place) => self.embedded.insert(place, (id, counts)),
        }
    }
}

/// Counts the lines of a file, after removing what a byte order mark asks for.
pub(crate) fn count_file(language: LanguageType, bytes: &[u8]) -> Counted {
    use std::io::Read;

    let has_mark = bytes.starts_with(b"\xef\xbb\xbf")
        || bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff");
    if !has_mark {
        return count(language, bytes);
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut reader = encoding_rs_io::DecodeReaderBytesBuilder::new().build(bytes);
    match reader.read_to_end(&mut text) {
        Ok(_) => count(language, &text),
        Err(_) => Counted::default(), // Reading from memory does not fail.
    }
}

/// Counts the lines of a text in a language.
fn count(language: LanguageType, text: &[u8]) -> Counted {
    let mut counted = Counted::default();
    counted.own = count_into(language, text, &mut counted);
    counted
}

/// Counts a text, adding what is embedded in it to `counted`.
fn count_into(language: LanguageType, text: &[u8], counted: &mut Counted) -> LineCounts {
    let syntax = Syntax::of(language);
    match syntax.method {
        Method::AllCode => {
            let (filled, blanks) = count_filled(text);
            LineCounts { code: filled, comments: 0, blanks }
        }
        Method::AllComment => {
            let (filled, blanks) = count_filled(text);
            LineCounts { code: 0, comments: filled, blanks }
        }
        Method::Marks => Machine::new(syntax, text, counted).run(),
        Method::Tokei => count_by_tokei(language, text, counted),
    }
}

/// Lets tokei count, if it can do so in reasonable time.
fn count_by_tokei(language: LanguageType, text: &[u8], counted: &mut Counted) -> LineCounts {
    /// Steps of tokei's that take about a second.
    const MOST_STEPS: usize = 1 << 30;

    // At every byte tokei looks over the white space that follows, and behind every tag for its end.
    let tags =
        memchr::memmem::find_iter(text, b"<s").count() + memchr::memmem::find_iter(text, b"<t").count();
    let steps = text.len().saturating_mul(longest_space(text) + tags + 1);
    if steps > MOST_STEPS {
        let (code, blanks) = count_filled(text);
        return LineCounts { code, comments: 0, blanks };
    }
    let stats = language.parse_from_slice(text, &Config::default());
    flatten(&stats, counted);
    own_counts(&stats)
}

fn longest_space(text: &[u8]) -> usize {
    text.split(|&byte| !is_space(byte)).map(<[u8]>::len).max().unwrap_or(0)
}

/// Lines with something on them, and blank lines.
fn count_filled(text: &[u8]) -> (u64, u64) {
    let (mut filled, mut blanks) = (0, 0);
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |len| start + len);
        if text[start..end].iter().all(|&byte| is_space(byte)) {
            blanks += 1;
        } else {
            filled += 1;
        }
        start = end + 1;
    }
    (filled, blanks)
}

fn flatten(stats: &CodeStats, counted: &mut Counted) {
    for (&language, inner) in &stats.blobs {
        counted.add_embedded(language, own_counts(inner));
        flatten(inner, counted);
    }
}

fn own_counts(stats: &CodeStats) -> LineCounts {
    LineCounts { code: stats.code as u64, comments: stats.comments as u64, blanks: stats.blanks as u64 }
}

/// What tokei takes for white space.
#[inline]
fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    &text[start..]
}

fn trim(text: &[u8]) -> &[u8] {
    let text = trim_start(text);
    let end = text.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

#[cfg(test)]
mod tests;
