//! What a file is good for, from its name alone.
//!
//! Whole names go first (`Makefile`, `LICENSE`), then the extension, then the first word of the name
//! (`LICENSE-MIT`, `Dockerfile.dev`). Letter case does not matter, but for Bazel's `BUILD`. A name that
//! tells nothing is left to `describe`, which looks at the content.
//!
//! Not here: the language of a source file. That is tokei's to say.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use luminos_core::scan::Category;

mod extensions;
mod names;

/// The category that the name tells, if any.
pub(crate) fn by_name(name: &[u8]) -> Option<Category> {
    // In small letters these are as likely a script or a folder of build results.
    if matches!(name, b"BUILD" | b"WORKSPACE") {
        return Some(Category::Config);
    }
    let mut buffer = [0; LONGEST];
    // A longer name is no well-known one, but its end may still be an extension.
    let tail = &name[name.len().saturating_sub(LONGEST)..];
    let lower = &mut buffer[..tail.len()];
    lower.copy_from_slice(tail);
    lower.make_ascii_lowercase();
    by_lower_name(lower)
}

/// Names are looked at from their end, as far as this.
const LONGEST: usize = 64;

/// No well-known name is longer, so longer ones need not be looked up.
const LONGEST_NAME: usize = 22;

/// What was added to a name, beside which the name still tells: copies, templates, samples.
const WRAPPERS: [&[u8]; 16] = [
    b"in",
    b"tmpl",
    b"tpl",
    b"template",
    b"example",
    b"sample",
    b"dist",
    b"default",
    b"bak",
    b"orig",
    b"old",
    b"backup",
    b"save",
    b"j2",
    b"local",
    b"disabled",
];

fn by_lower_name(name: &[u8]) -> Option<Category> {
    let name = name.strip_suffix(b"~").unwrap_or(name);
    if name.len() <= LONGEST_NAME
        && let Some(category) = NAMES.get(name)
    {
        return Some(*category);
    }
    let Some((stem, extension)) = split_extension(name) else {
        return by_first_word(name);
    };
    if let Some(category) = EXTENSIONS.get(extension) {
        // `requirements-dev.txt` is no text for people, and `vite.config.js` no part of the program.
        let settings = match extension {
            b"txt" => by_first_word(stem) == Some(Category::Config),
            b"js" | b"ts" | b"mjs" | b"cjs" | b"mts" => stem.ends_with(b".config"),
            _ => false,
        };
        return Some(if settings { Category::Config } else { *category });
    }
    // `libfoo.so.1.2`, `app.log.3`: a version or a number, and the extension before it.
    let number = extension.iter().all(u8::is_ascii_digit);
    if (number || WRAPPERS.contains(&extension)) && split_extension(stem).is_some() {
        return by_lower_name(stem);
    }
    if WRAPPERS.contains(&extension) {
        return NAMES.get(stem).copied();
    }
    by_first_word(name)
}

/// The name without its extension, and the extension. A dot in front makes a hidden file, no extension.
fn split_extension(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = memchr::memrchr(b'.', name).filter(|dot| 0 < *dot && dot + 1 < name.len())?;
    Some((&name[..dot], &name[dot + 1..]))
}

/// `license-mit` is a licence, `dockerfile.dev` a Dockerfile, `.eslintrc` settings like all `.*rc`.
fn by_first_word(name: &[u8]) -> Option<Category> {
    let (first, rest) = name.split_first()?;
    if *first == b'.' && [&b"rc"[..], b"ignore", b"config", b"_profile"].iter().any(|end| rest.ends_with(end))
    {
        return Some(Category::Config);
    }
    let end = memchr::memchr3(b'.', b'-', b'_', rest).map_or(name.len(), |end| end + 1);
    FAMILIES.get(&name[..end]).copied()
}

type Table = HashMap<&'static [u8], Category, BuildHasherDefault<WordHasher>>;

static NAMES: LazyLock<Table> = LazyLock::new(|| words(names::NAMES).chain(words(names::FAMILIES)).collect());
static FAMILIES: LazyLock<Table> = LazyLock::new(|| words(names::FAMILIES).collect());
static EXTENSIONS: LazyLock<Table> = LazyLock::new(|| words(extensions::EXTENSIONS).collect());

fn words(lists: &'static [(Category, &'static str)]) -> impl Iterator<Item = (&'static [u8], Category)> {
    lists
        .iter()
        .flat_map(|(category, words)| words.split_ascii_whitespace().map(|word| (word.as_bytes(), *category)))
}

/// A hash for short words out of our own tables: nobody can choose them to collide, so speed is all.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        self.mix(rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }

    /// The length of a word adds nothing: none of ours holds a zero byte.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

impl WordHasher {
    /// The product's upper half depends on every bit: it is folded back, for tables use both ends.
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

#[cfg(test)]
mod tests;
