//! Days of the calendar.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day, or a whole year where nothing more is known. Written as `2024-05-17`, or `2024`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: i32,
    /// 0 for a whole year.
    month: u8,
    day: u8,
}

/// The days from the first of March of the year 0 to 1970.
const BEFORE_1970: i64 = 719_468;
/// Years that can be told apart from damaged numbers.
const YEARS: std::ops::RangeInclusive<i64> = -9_999..=9_999;

impl Day {
    /// A whole year.
    pub fn of_year(year: i32) -> Self {
        Self { year, month: 0, day: 0 }
    }

    /// The day that comes so many days after the first of January 1970.
    pub fn of_number(number: i64) -> Self {
        // Howard Hinnant's civil_from_days. Years of five digits are no days that anybody wrote down.
        let z = number.clamp(-4_000_000, 3_000_000) + BEFORE_1970;
        let era = z.div_euclid(146_097);
        let doe = z.rem_euclid(146_097);
        let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        // Months are counted from March: leap days come last.
        let mp = (5 * doy + 2) / 153;
        let day = doy - (153 * mp + 2) / 5 + 1;
        let month = if mp < 10 { mp + 3 } else { mp - 9 };
        let year = yoe + era * 400 + i64::from(month <= 2);
        Self {
            year: i32::try_from(year).unwrap_or_default(),
            month: u8::try_from(month).unwrap_or_default(),
            day: u8::try_from(day).unwrap_or_default(),
        }
    }

    /// The day, in UTC, of a moment in seconds since 1970; `None` outside of the years 1970 to 9999.
    pub fn of_moment(seconds: i64) -> Option<Self> {
        (1..253_402_300_800).contains(&seconds).then(|| Self::of_number(seconds / 86_400))
    }

    /// Reads what [`Day`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let mut parts = digits.splitn(3, '-');
        let mut part = |length: usize| -> Option<i64> {
            let part = parts.next()?;
            let is_number = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse().ok())?
        };
        let year = sign * part(4)?;
        if !YEARS.contains(&year) {
            return None;
        }
        let year = i32::try_from(year).ok()?;
        match (digits.len(), part(2), part(2)) {
            (4, None, None) => Some(Self::of_year(year)),
            (10, Some(month @ 1..=12), Some(day @ 1..=31)) => {
                Some(Self { year, month: u8::try_from(month).ok()?, day: u8::try_from(day).ok()? })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if self.month == 0 { Ok(()) } else { write!(f, "-{:02}-{:02}", self.month, self.day) }
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("it is no day such as `2024-05-17`"))
    }
}
