//! How a path is shown so that a model can name it again.
//!
//! What is shown of a name is safe to look at, and so not always what the name is. Where the two differ the path in
//! digits stands beside it, which every tool takes.

use luminos_core::RelPath;

/// The word to use for a path that is not what is shown of it.
pub(crate) fn address(path: &RelPath) -> Option<String> {
    let word = path.to_word();
    if path.for_terminal() == word {
        return None;
    }
    let digits = path.as_bytes().iter().map(|byte| format!("{byte:02x}"));
    Some(std::iter::once("hex:".to_owned()).chain(digits).collect())
}

/// A path as it is shown, with the word to use if that is another one.
pub(crate) fn addressed(path: &RelPath) -> String {
    let shown = path.for_terminal();
    match address(path) {
        Some(address) => format!("{shown}  [path: {address}]"),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::{RelPath, addressed};

    #[track_caller]
    fn check(path: &[u8], expected: &str) {
        let path = RelPath::new(path);
        assert_eq!(addressed(&path), expected);
        let word = expected.split_once("[path: ").map_or(expected, |(_, word)| word.trim_end_matches(']'));
        assert_eq!(RelPath::from_word(word), Some(path), "what is shown leads back");
    }

    #[test]
    fn what_is_shown_can_be_used() {
        check(b"src/main.rs", "src/main.rs");
        check(b"", ".");
        check(b"a\nb", "a\\nb  [path: hex:610a62]");
        check(b"a\\nb", "a\\nb");
        check(b"\xff", "\\xff  [path: hex:ff]");
        check(b"hex:61", "hex:61  [path: hex:6865783a3631]");
    }
}
