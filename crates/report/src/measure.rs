//! Numbers and lengths: digits in groups, shares, bars, text that fits.

use std::borrow::Cow;

use luminos_core::spend::{Money, Tokens};
use unicode_width::UnicodeWidthChar;

/// A number with its digits in groups of three: `1,234,567`.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number and what it counts: `1 file`, `2 files`.
pub(crate) fn count(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(value), if value == 1 { one } else { many })
}

/// A part of a whole, with one decimal: `66.7%`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let thousandths =
        (u128::from(part) * 1000 + u128::from(whole) / 2).checked_div(u128::from(whole)).unwrap_or(0);
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

/// A number of tokens, as exact as anybody cares while it grows: `812`, `12.3k`, `1.2M`.
pub(crate) fn short(tokens: Tokens) -> String {
    let Tokens(tokens) = tokens;
    let scaled = |unit: u64, letter: char| {
        let tenths = (u128::from(tokens) * 10 + u128::from(unit) / 2) / u128::from(unit);
        format!("{}.{}{letter}", tenths / 10, tenths % 10)
    };
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..999_950 => scaled(1_000, 'k'),
        _ => scaled(1_000_000, 'M'),
    }
}

/// An amount as a person reads it: cents from a dollar on, hundredths of a cent below, nothing finer.
pub(crate) fn money(amount: Money) -> String {
    const CENT: u64 = 10_000_000;
    let nanodollars = amount.nanodollars();
    let unit = if nanodollars < 100 * CENT { CENT / 100 } else { CENT };
    if 0 < nanodollars && nanodollars < unit {
        return format!("under {}", Money::from_nanodollars(unit));
    }
    let units = nanodollars / unit + u64::from(unit / 2 <= nanodollars % unit);
    Money::from_nanodollars(units.saturating_mul(unit)).to_string()
}

/// A bar that is `width` columns long for the whole. Anything but nothing is at least a sliver.
pub(crate) fn bar(part: u64, whole: u64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let full = width as u128 * 8;
    let length = (u128::from(part) * full).checked_div(u128::from(whole)).unwrap_or(0).min(full);
    let length = if part > 0 { length.max(1) } else { 0 } as usize;
    format!("{}{}", "█".repeat(length / 8), EIGHTHS[length % 8])
}

/// How many columns a text takes on a terminal: some characters take two, marks on others none.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// How many columns a character takes.
pub(crate) fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// A text that takes `limit` columns at most: its middle goes, because names differ at both ends.
pub(crate) fn fit(text: &str, limit: usize) -> Cow<'_, str> {
    if width(text) <= limit {
        return Cow::Borrowed(text);
    }
    let kept = limit.saturating_sub(1);
    let head = beginning(text.chars(), kept / 2);
    let tail: String = beginning(text.chars().rev(), kept - kept / 2).chars().rev().collect();
    Cow::Owned(format!("{head}…{tail}"))
}

/// A text that takes `limit` columns at most: its end goes, because sentences say most at their beginning.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    format!("{}…", beginning(text.chars(), limit.saturating_sub(1)))
}

/// As many characters as fit.
fn beginning(characters: impl Iterator<Item = char>, limit: usize) -> String {
    let mut taken = 0;
    let fits = |character: &char| {
        taken += columns(*character);
        taken <= limit
    };
    characters.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        let numbers = [0, 12, 999, 1_000, 12_345, 1_234_567].map(number);
        assert_eq!(numbers, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(count(1, "file", "files"), "1 file");
        assert_eq!(count(1_000, "file", "files"), "1,000 files");
    }

    #[test]
    fn shares_are_rounded_and_nothing_of_nothing_is_nothing() {
        assert_eq!(percent(2, 3), "66.7%");
        assert_eq!(percent(1, 1), "100.0%");
        assert_eq!(percent(0, 0), "0.0%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0%");
    }

    #[test]
    fn tokens_are_short_and_money_is_rounded() {
        let shown = [0, 999, 1_000, 12_345, 999_949, 999_950, 1_234_567].map(|tokens| short(Tokens(tokens)));
        assert_eq!(shown, ["0", "999", "1.0k", "12.3k", "999.9k", "1.0M", "1.2M"]);
        let shown = [0, 1, 100_000, 12_345_678, 999_960_000, 1_234_567_891, u64::MAX]
            .map(|nanodollars| money(Money::from_nanodollars(nanodollars)));
        let expected =
            ["$0.00", "under $0.0001", "$0.0001", "$0.0123", "$1.00", "$1.23", "$18446744073.709551615"];
        assert_eq!(shown, expected);
    }

    #[track_caller]
    fn check_bar(part: u64, whole: u64, expected: &str) {
        assert_eq!(bar(part, whole, 4), expected, "{part} of {whole}");
    }

    #[test]
    fn bars_are_as_long_as_their_share() {
        check_bar(0, 8, "");
        check_bar(1, 1_000_000, "▏");
        check_bar(1, 2, "██");
        check_bar(5, 16, "█▎");
        check_bar(8, 8, "████");
        check_bar(9, 8, "████");
        check_bar(1, 0, "▏");
    }

    #[test]
    fn columns_are_counted_not_characters() {
        let widths = ["abc", "目录", "e\u{301}", "…–│█✓", ""].map(width);
        assert_eq!(widths, [3, 4, 1, 5, 0]);
        assert_eq!([cut("目录结构", 8), cut("目录结构", 6), cut("目录", 1)], ["目录结构", "目录…", "…"]);
    }

    #[track_caller]
    fn check_fit(text: &str, limit: usize, expected: &str) {
        assert_eq!(fit(text, limit), expected);
    }

    #[test]
    fn long_text_loses_its_middle() {
        check_fit("main.rs", 7, "main.rs");
        check_fit("main.rs", 6, "ma….rs");
        check_fit("Größe.txt", 5, "Gr…xt");
        check_fit("abc", 1, "…");
        check_fit("abc", 0, "…");
        check_fit("", 0, "");
        check_fit("目录结构.txt", 8, "目….txt");
        assert_eq!([cut("main.rs", 7), cut("main.rs", 6), cut("Größe", 4)], ["main.rs", "main.…", "Grö…"]);
    }
}
