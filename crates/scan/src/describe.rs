//! What a file is, from its first bytes: the words `file --brief` (5.44) would use.
//!
//! Formats are found by their magic numbers; what has none is text in some encoding, or `data`. Each
//! answer carries the category it implies, for files whose name does not tell.
//!
//! The words agree with `file` as far as they name a *kind* of file. What names one file alone (build
//! ids, original names, time stamps, exact sizes inside containers) is left out: descriptions are counted
//! and compared, and a thousand archives should be one line. Where `file` guesses a language from a
//! single common word, and is often wrong, plain text is said to be plain text.
//!
//! **Invariants:** no bytes make this panic, and the work is bounded by the head: what a number inside
//! the file points at is looked up, never searched for.
//!
//! Not here: what the name says (`category`).

mod disks;
mod documents;
mod fonts;
mod head;
mod images;
mod json;
mod language;
mod packed;
mod programs;
mod records;
mod script;
mod signature;
mod sound;
mod text;
mod zip;

use std::borrow::Cow;

use luminos_core::scan::Category;

use head::Head;

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Description {
    /// In words.
    pub(crate) text: Cow<'static, str>,
    /// What such a file is good for.
    pub(crate) category: Category,
}

impl Description {
    fn new(category: Category, text: impl Into<Cow<'static, str>>) -> Self {
        Description { text: text.into(), category }
    }
}

/// Describes a file of `size` bytes by its first ones: all of them, or at least 64 KiB.
pub(crate) fn describe(head: &[u8], size: u64) -> Description {
    match head {
        [] => return Description::new(Category::Unknown, "empty"),
        [_] => return Description::new(Category::Unknown, "very short file (no magic)"),
        _ => {}
    }
    let head = Head { bytes: head, size };
    signature::describe(head)
        .or_else(|| text::describe(head))
        .unwrap_or_else(|| Description::new(Category::Unknown, "data"))
}

#[cfg(test)]
mod tests;
