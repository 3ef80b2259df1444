//! Magic numbers: one lookup over the tables of all modules.

use std::sync::LazyLock;

use luminos_core::scan::Category;

use super::head::Head;
use super::{Description, disks, documents, fonts, images, packed, programs, records, sound};

/// Bytes at a fixed place, and what they mean.
#[derive(Debug)]
pub(super) struct Signature {
    offset: usize,
    magic: &'static [u8],
    says: Says,
}

#[derive(Debug)]
enum Says {
    /// The magic number tells all.
    Words(Category, &'static str),
    /// More must be read. `None`: these bytes mean something else.
    Read(fn(Head<'_>) -> Option<Description>),
}

/// A format that its magic number names wholly.
pub(super) const fn words(magic: &'static [u8], category: Category, text: &'static str) -> Signature {
    Signature { offset: 0, magic, says: Says::Words(category, text) }
}

/// A format with more to tell, or whose magic number is too short to be sure.
pub(super) const fn read(magic: &'static [u8], reader: fn(Head<'_>) -> Option<Description>) -> Signature {
    Signature { offset: 0, magic, says: Says::Read(reader) }
}

impl Signature {
    /// The same, but further into the file.
    pub(super) const fn at(self, offset: usize) -> Self {
        Signature { offset, ..self }
    }

    fn describe(&self, head: Head<'_>) -> Option<Description> {
        if !head.has(self.offset, self.magic) {
            return None;
        }
        match self.says {
            // A text may well begin with the word "PACK" or "ORC". Nothing but text follows then.
            Says::Words(..) if self.is_a_word() && !head.starts_binary() => None,
            Says::Words(category, text) => Some(Description::new(category, text)),
            Says::Read(reader) => reader(head),
        }
    }

    /// The shortest file with this signature.
    #[cfg(test)]
    pub(super) fn sample(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.offset];
        bytes.extend(self.magic);
        bytes
    }

    fn is_a_word(&self) -> bool {
        self.magic.len() < 8 && self.magic.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~'))
    }
}

/// Signatures by the first byte of the file, and those that stand further in.
struct Index {
    at_start: [Vec<&'static Signature>; 256],
    further_in: Vec<&'static Signature>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { at_start: std::array::from_fn(|_| Vec::new()), further_in: Vec::new() };
    for signature in all() {
        match signature.magic {
            [first, ..] if signature.offset == 0 => index.at_start[usize::from(*first)].push(signature),
            _ => index.further_in.push(signature),
        }
    }
    index
});

/// Every signature. Where two begin alike, the longer must come first.
pub(super) fn all() -> impl Iterator<Item = &'static Signature> {
    let tables = [
        packed::SIGNATURES,
        programs::SIGNATURES,
        images::SIGNATURES,
        sound::SIGNATURES,
        fonts::SIGNATURES,
        documents::SIGNATURES,
        records::SIGNATURES,
        disks::SIGNATURES,
    ];
    tables.into_iter().flatten()
}

/// Describes a file with a magic number we know.
pub(super) fn describe(head: Head<'_>) -> Option<Description> {
    let first = head.u8(0)?;
    let index = &*INDEX;
    index.at_start[usize::from(first)]
        .iter()
        .chain(&index.further_in)
        .find_map(|signature| signature.describe(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_at_the_start_of_a_text_is_no_magic_number() {
        let text = b"ORC is a columnar format.\n";
        assert_eq!(describe(Head { bytes: text, size: 26 }), None);
        let orc = b"ORC\x0a\x03\x00\x00\x00";
        assert_eq!(describe(Head { bytes: orc, size: 8 }).unwrap().text, "Apache ORC");
    }

    #[test]
    fn no_signature_hides_another() {
        let all: Vec<_> = all().collect();
        for (number, later) in all.iter().enumerate() {
            for earlier in &all[..number] {
                let hidden = earlier.offset == later.offset
                    && later.magic.starts_with(earlier.magic)
                    && matches!(earlier.says, Says::Words(..));
                assert!(!hidden, "{earlier:?} hides {later:?}");
            }
        }
    }
}
