//! Money in whole units: sums of many tiny amounts stay exact.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An amount of US dollars, in billionths. Displays as `$0.0125`: at least two decimals, no needless zeros. In
/// documents it is the number of billionths: exact, and a whole number for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money {
    nanodollars: u64,
}

const NANODOLLARS_PER_DOLLAR: u64 = 1_000_000_000;
const DECIMALS: usize = 9;

impl Money {
    /// The largest amount there is: some 18 billion dollars.
    pub const MAX: Self = Self { nanodollars: u64::MAX };

    /// So many billionths of a dollar.
    pub const fn from_nanodollars(nanodollars: u64) -> Self {
        Self { nanodollars }
    }

    /// So many whole dollars.
    pub const fn from_dollars(dollars: u64) -> Self {
        Self { nanodollars: dollars.saturating_mul(NANODOLLARS_PER_DOLLAR) }
    }

    /// The amount in billionths of a dollar.
    pub const fn nanodollars(self) -> u64 {
        self.nanodollars
    }

    /// The sum; the largest amount there is, if the sum would be larger.
    pub const fn plus(self, other: Self) -> Self {
        Self { nanodollars: self.nanodollars.saturating_add(other.nanodollars) }
    }

    /// What is left after taking an amount away; nothing, if it is larger.
    pub const fn minus(self, other: Self) -> Self {
        Self { nanodollars: self.nanodollars.saturating_sub(other.nanodollars) }
    }
}

/// A text that is no amount of money.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an amount of US dollars (hint: write it like `2` or `0.50`, with nine decimals at most)")]
pub struct NotMoney;

impl FromStr for Money {
    type Err = NotMoney;

    /// Reads `2`, `0.5`, `$1.25`.
    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let text = text.trim();
        let text = text.strip_prefix('$').unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || DECIMALS < fraction.len() {
            return Err(NotMoney);
        }
        let whole: u64 = whole.parse().map_err(|_| NotMoney)?;
        let fraction: u64 = format!("{fraction:0<DECIMALS$}").parse().map_err(|_| NotMoney)?;
        let nanodollars =
            whole.checked_mul(NANODOLLARS_PER_DOLLAR).and_then(|whole| whole.checked_add(fraction));
        nanodollars.map(Self::from_nanodollars).ok_or(NotMoney)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.nanodollars / NANODOLLARS_PER_DOLLAR;
        let fraction = format!("{:0DECIMALS$}", self.nanodollars % NANODOLLARS_PER_DOLLAR);
        let shown = fraction.trim_end_matches('0').len().max(2);
        f.pad(&format!("${whole}.{}", &fraction[..shown]))
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[track_caller]
    fn check(text: &str, nanodollars: Option<u64>) {
        assert_eq!(text.parse().ok(), nanodollars.map(Money::from_nanodollars), "{text:?}");
    }

    #[test]
    fn amounts_are_read_exactly() {
        check("2", Some(2_000_000_000));
        check(" $0.50 ", Some(500_000_000));
        check("0.000000001", Some(1));
        check("18446744073.709551615", Some(u64::MAX));
        for text in ["", "$", ".5", "1.", "-1", "1,5", "1e3", "1.0000000001", "18446744073.709551616", "+1"] {
            check(text, None);
        }
    }

    #[test]
    fn amounts_show_at_least_cents_and_all_they_have() {
        for (nanodollars, expected) in [
            (0, "$0.00"),
            (1, "$0.000000001"),
            (500_000_000, "$0.50"),
            (12_500_000, "$0.0125"),
            (2_000_000_000, "$2.00"),
        ] {
            assert_eq!(Money::from_nanodollars(nanodollars).to_string(), expected);
        }
    }
}
