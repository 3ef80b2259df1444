//! The types of settings that say how models are asked.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use super::NotUnderstood;
use super::value::{Form, Value, Written, Wrong, in_words, quoted};

/// How long something may take; never nothing, since that could not be waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeSpan(Duration);

/// Units, the smallest first, in milliseconds.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000)];

impl TimeSpan {
    /// No setting waits longer.
    const LONGEST: Duration = Duration::from_secs(24 * 3600);

    /// So many seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The time as the machine counts it.
    pub fn duration(self) -> Duration {
        self.0
    }

    fn new(duration: Duration) -> Option<Self> {
        (!duration.is_zero() && duration <= Self::LONGEST).then_some(Self(duration))
    }
}

impl FromStr for TimeSpan {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        let read = || {
            let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
            let (number, unit) = text.split_at(digits);
            let (_, milliseconds) = UNITS.iter().find(|(name, _)| *name == unit.trim())?;
            Self::new(Duration::from_millis(number.parse::<u64>().ok()?.checked_mul(*milliseconds)?))
        };
        read().ok_or(NotUnderstood(TIME))
    }
}

/// In the largest unit that needs no fraction.
impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX);
        let fitting = UNITS.iter().rev().find(|(_, unit)| milliseconds.is_multiple_of(*unit));
        let (name, unit) = fitting.unwrap_or(&UNITS[0]);
        write!(f, "{} {name}", milliseconds / unit)
    }
}

/// A word that goes into a header: no blanks, nothing that is not ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderWord(Box<str>);

impl HeaderWord {
    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for HeaderWord {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        let is_word = !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        if is_word { Ok(Self(text.into())) } else { Err(NotUnderstood(WORD)) }
    }
}

/// How long a provider keeps what it was told to remember of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CacheTime {
    /// Five minutes after it was last read.
    #[default]
    FiveMinutes,
    /// An hour. Writing costs more.
    Hour,
}

impl CacheTime {
    /// The word a user writes, which is also the provider's.
    pub fn word(self) -> &'static str {
        match self {
            Self::FiveMinutes => "5m",
            Self::Hour => "1h",
        }
    }
}

impl FromStr for CacheTime {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        [Self::FiveMinutes, Self::Hour]
            .into_iter()
            .find(|time| time.word() == text)
            .ok_or(NotUnderstood(CACHE))
    }
}

/// A program and its arguments, or further arguments: a list of words, which no shell reads. Empty if there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandLine(Vec<String>);

impl CommandLine {
    /// The words.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// A list of words, if they can be those of a command: no program has an empty name.
    fn new(words: Vec<String>) -> Option<Self> {
        let is_one = words.first().is_none_or(|program| !program.is_empty());
        (is_one && words.iter().all(|word| !word.contains('\0'))).then_some(Self(words))
    }
}

const TIME: &str = "a time like \"90 s\", \"15 min\" or \"2 h\", up to a day, or a number of seconds";
const WORD: &str = "a word of letters, digits, `-`, `_` and `.`";
const WORDS: &str = "a list of words like [\"context-management-2025-06-27\"]";
const COMMAND: &str = "a list of words like [\"my-agent\", \"--read-only\"]";
const CACHE: &str = "\"5m\" or \"1h\"";

impl Value for TimeSpan {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let time = match written.number() {
            Some(seconds) => Self::new(Duration::from_secs(seconds)),
            None => written.text().and_then(|text| text.parse().ok()),
        };
        time.ok_or_else(|| written.wrong(TIME))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.to_string())
    }
}

impl Value for HeaderWord {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.text().and_then(|text| text.parse().ok()).ok_or_else(|| written.wrong(WORD))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.as_str().to_owned())
    }
}

impl Value for Vec<HeaderWord> {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        match written.form {
            Form::Toml(value) => {
                let items = value.get_ref().as_array().ok_or_else(|| written.wrong(WORDS))?;
                items.iter().map(read_item).collect()
            }
            Form::Text(text) => {
                let text = text.to_str().ok_or_else(|| written.wrong(WORDS))?;
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                words.map(|word| word.parse().map_err(|_| wrong_item(quoted(word), None))).collect()
            }
        }
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(|word| word.as_str().into()).collect())
    }
}

fn read_item(item: &Spanned<DeValue<'_>>) -> Result<HeaderWord, Wrong> {
    let word = item.get_ref().as_str().and_then(|word| word.parse().ok());
    word.ok_or_else(|| wrong_item(in_words(item.get_ref()), Some(item.span().start)))
}

fn wrong_item(found: String, offset: Option<usize>) -> Wrong {
    Wrong { found: format!("a list with {found}"), expected: WORD, offset }
}

impl Value for CommandLine {
    /// In the environment blanks stand between the words.
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let words: Option<Vec<String>> = match written.form {
            Form::Toml(value) => value.get_ref().as_array().and_then(|items| {
                items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
            }),
            Form::Text(text) => {
                text.to_str().map(|text| text.split_whitespace().map(str::to_owned).collect())
            }
        };
        words.and_then(Self::new).ok_or_else(|| written.wrong(COMMAND))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Array(self.0.iter().map(|word| word.as_str().into()).collect())
    }
}

impl Value for CacheTime {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.text().and_then(|text| text.parse().ok()).ok_or_else(|| written.wrong(CACHE))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.word().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_shown_in_words() {
        for (written, shown) in
            [("250 ms", "250 ms"), ("90s", "90 s"), ("120 s", "2 min"), ("60 min", "1 h"), ("24 h", "24 h")]
        {
            assert_eq!(written.parse::<TimeSpan>().unwrap().to_string(), shown);
        }
        for nonsense in ["", "0 s", "5", "-1 s", "1.5 s", "1 day", "25 h", "s", "99999999999999999999 s"] {
            assert_eq!(nonsense.parse::<TimeSpan>(), Err(NotUnderstood(TIME)), "{nonsense}");
        }
    }

    #[test]
    fn header_words_cannot_break_a_header() {
        assert_eq!("compact-2026-01-12".parse::<HeaderWord>().unwrap().as_str(), "compact-2026-01-12");
        for nonsense in ["", "a b", "a,b", "a\r\nx-evil: 1", "größe"] {
            assert_eq!(nonsense.parse::<HeaderWord>(), Err(NotUnderstood(WORD)), "{nonsense}");
        }
    }
}
