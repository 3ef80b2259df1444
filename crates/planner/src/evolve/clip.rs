//! The one rule by which texts are shortened.
//!
//! **Guarantee**: what comes out has at most so many characters, the mark of the cut included, and neither begins nor ends
//! with a blank.

/// The text without blanks around it; if it is still too long, its beginning and `…`.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let Some(kept) = most.checked_sub(1) else { return String::new() };
    let end = text.char_indices().nth(kept).map_or(text.len(), |(end, _)| end);
    format!("{}…", text[..end].trim_end())
}

/// The text in one line: whatever blanks it holds become single spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number of things: `1 file`, `2 files`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// Both: one line, and not too long.
pub(crate) fn clip_line(text: &str, most: usize) -> String {
    clip(&one_line(text), most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, most: usize, expected: &str) {
        assert_eq!(clip(text, most), expected, "{text:?} cut to {most}");
    }

    #[test]
    fn a_text_is_cut_so_that_the_mark_fits() {
        check("abcdef", 3, "ab…");
        check("ab c d", 4, "ab…");
        check("  abc  ", 3, "abc");
        check("abc", 4, "abc");
        check("abc", 1, "…");
        check("a", 1, "a");
        check("abc", 0, "");
        check("", 0, "");
        check("größer", 4, "grö…");
    }

    proptest! {
        #[test]
        fn nothing_is_longer_than_asked_for(text in ".{0,40}", most in 0_usize..30) {
            let clipped = clip(&text, most);
            prop_assert!(clipped.chars().count() <= most);
            prop_assert_eq!(clipped.trim(), &clipped);
            prop_assert_eq!(clip(&clipped, most), clipped);
        }
    }
}
