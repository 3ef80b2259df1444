//! The types a setting can have, and how each is read and shown.

use std::ffi::OsStr;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use toml::Spanned;
use toml::de::DeValue;

use super::Surroundings;
use crate::{ByteSize, Untrusted};

/// A type that a setting can have.
pub(super) trait Value: Sized {
    /// Reads what somebody wrote.
    fn read(written: &Written<'_>) -> Result<Self, Wrong>;

    /// The value as it would be written in a configuration file.
    fn shown(&self) -> toml::Value;
}

/// What somebody wrote for a setting, and where relative paths in it start.
pub(super) struct Written<'a> {
    pub(super) form: Form<'a>,
    pub(super) base: &'a Path,
    pub(super) around: &'a Surroundings,
}

/// The two forms a value comes in.
pub(super) enum Form<'a> {
    /// A value of a configuration file.
    Toml(&'a Spanned<DeValue<'a>>),
    /// The text of an environment variable.
    Text(&'a OsStr),
}

/// A value that its setting cannot have.
pub(super) struct Wrong {
    /// The value in words, fit for a terminal.
    pub(super) found: String,
    pub(super) expected: &'static str,
    /// Where in the file it starts, when that is not where the setting's value starts.
    pub(super) offset: Option<usize>,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorChoice {
    /// On terminals only.
    #[default]
    Auto,
    /// Always, even into a pipe.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// All choices, in the order they are explained.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Always, Self::Never];

    /// The word a user writes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

impl FromStr for ColorChoice {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        Self::ALL.into_iter().find(|choice| choice.name() == text).ok_or(NotUnderstood(COLOR))
    }
}

/// How many threads share the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threads(u16);

impl Threads {
    /// More would only wait for one another.
    const MAX: u16 = 1024;

    /// The number of threads, on a machine with this many cores.
    pub fn count(self, cores: NonZeroUsize) -> NonZeroUsize {
        NonZeroUsize::new(usize::from(self.0)).unwrap_or(cores)
    }

    fn new(number: u64) -> Option<Self> {
        u16::try_from(number).ok().filter(|&number| number <= Self::MAX).map(Self)
    }
}

impl FromStr for Threads {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        text.parse().ok().and_then(Self::new).ok_or(NotUnderstood(THREADS))
    }
}

/// The name of a file or directory: one component, not a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BareName(Box<str>);

impl BareName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BareName {
    type Err = NotUnderstood;

    /// A trailing slash, as shells complete it, is dropped. Anything else with a slash could match no name
    /// and would be ignored in silence, so it is refused.
    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        let name = text.strip_suffix('/').unwrap_or(text);
        if matches!(name, "" | "." | "..") || name.contains('/') {
            return Err(NotUnderstood(NAME));
        }
        Ok(Self(name.into()))
    }
}

/// The name of a model, such as `anthropic/claude-sonnet-5-5`; or none. Which names there are, the models
/// know.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelChoice(Option<Box<str>>);

impl ModelChoice {
    /// The name, if one was chosen.
    pub fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl FromStr for ModelChoice {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(NotUnderstood(MODEL));
        }
        Ok(Self(Some(text).filter(|text| !text.is_empty()).map(Into::into)))
    }
}

/// A text that is not what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUnderstood(pub(super) &'static str);

impl fmt::Display for NotUnderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for NotUnderstood {}

const BOOL: &str = "true or false";
const NUMBER: &str = "a whole number, 0 or more";
const THREADS: &str = "a whole number from 0 to 1024";
const SIZE: &str = "a size like \"512 MB\", or a number of bytes";
const COLOR: &str = "\"auto\", \"always\" or \"never\"";
const PATH: &str = "a path";
const PATHS: &str = "a list of paths like [\"~/.aws/config\"]";
const MODEL: &str = "a model like \"ollama/llama3.2\", or \"\" for none";
const NAME: &str = "a name without `/`";
const NAMES: &str = "a list of names like [\"vendor\", \"fixtures\"]";

impl Value for bool {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let value = match written.form {
            Form::Toml(value) => value.get_ref().as_bool(),
            Form::Text(text) => match text.to_str() {
                Some("true" | "1") => Some(true),
                Some("false" | "0") => Some(false),
                Some(_) | None => None,
            },
        };
        value.ok_or_else(|| written.wrong(BOOL))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Boolean(*self)
    }
}

impl Value for u32 {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let number = written.number().and_then(|number| Self::try_from(number).ok());
        number.ok_or_else(|| written.wrong(NUMBER))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Integer(i64::from(*self))
    }
}

impl Value for Threads {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.number().and_then(Self::new).ok_or_else(|| written.wrong(THREADS))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Integer(i64::from(self.0))
    }
}

impl Value for ByteSize {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let size = match written.number() {
            Some(bytes) => Some(Self(bytes)),
            None => written.text().and_then(|text| text.parse().ok()),
        };
        size.ok_or_else(|| written.wrong(SIZE))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.exact())
    }
}

impl Value for ColorChoice {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.text().and_then(|text| text.parse().ok()).ok_or_else(|| written.wrong(COLOR))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.name().to_owned())
    }
}

impl Value for ModelChoice {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.text().and_then(|text| text.parse().ok()).ok_or_else(|| written.wrong(MODEL))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.name().unwrap_or_default().to_owned())
    }
}

impl Value for PathBuf {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let path = match written.form {
            Form::Toml(value) => value.get_ref().as_str().map(Path::new),
            Form::Text(text) => Some(Path::new(text)),
        };
        let path = path.filter(|path| !path.as_os_str().is_empty()).ok_or_else(|| written.wrong(PATH))?;
        Ok(written.around.absolute(path, written.base))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.to_string_lossy().into_owned())
    }
}

impl Value for Vec<PathBuf> {
    /// In the environment colons stand between the paths, as they do in `PATH`.
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let absolute = |path: &Path| written.around.absolute(path, written.base);
        match written.form {
            Form::Toml(value) => {
                let items = value.get_ref().as_array().ok_or_else(|| written.wrong(PATHS))?;
                let paths = items.iter().map(|item| item.get_ref().as_str().filter(|path| !path.is_empty()));
                let paths: Option<Vec<&str>> = paths.collect();
                let paths = paths.ok_or_else(|| written.wrong(PATHS))?;
                Ok(paths.into_iter().map(|path| absolute(Path::new(path))).collect())
            }
            Form::Text(text) => {
                let paths = std::env::split_paths(text).filter(|path| !path.as_os_str().is_empty());
                Ok(paths.map(|path| absolute(&path)).collect())
            }
        }
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(|path| path.to_string_lossy().into_owned().into()).collect())
    }
}

impl Value for Vec<BareName> {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        match written.form {
            Form::Toml(value) => {
                let items = value.get_ref().as_array().ok_or_else(|| written.wrong(NAMES))?;
                items.iter().map(read_item).collect()
            }
            Form::Text(text) => {
                let text = text.to_str().ok_or_else(|| written.wrong(NAMES))?;
                let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
                names.map(|name| name.parse().map_err(|_| wrong_item(quoted(name), None))).collect()
            }
        }
    }

    fn shown(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(|name| name.as_str().into()).collect())
    }
}

fn read_item(item: &Spanned<DeValue<'_>>) -> Result<BareName, Wrong> {
    let name = item.get_ref().as_str().and_then(|name| name.parse().ok());
    name.ok_or_else(|| wrong_item(in_words(item.get_ref()), Some(item.span().start)))
}

fn wrong_item(found: String, offset: Option<usize>) -> Wrong {
    Wrong { found: format!("a list with {found}"), expected: NAME, offset }
}

impl Written<'_> {
    pub(super) fn number(&self) -> Option<u64> {
        match self.form {
            Form::Toml(value) => {
                let number = value.get_ref().as_integer()?;
                u64::from_str_radix(number.as_str(), number.radix()).ok()
            }
            Form::Text(text) => text.to_str()?.parse().ok(),
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self.form {
            Form::Toml(value) => value.get_ref().as_str(),
            Form::Text(text) => text.to_str(),
        }
    }

    pub(super) fn wrong(&self, expected: &'static str) -> Wrong {
        let found = match self.form {
            Form::Toml(value) => in_words(value.get_ref()),
            Form::Text(text) => quoted(&text.to_string_lossy()),
        };
        Wrong { found, expected, offset: None }
    }
}

/// A value of a file in words, fit for a terminal.
pub(super) fn in_words(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// A text in quotes, cut where it would drown the message around it.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN_CHARS: usize = 40;
    let cut: String = text.chars().take(SHOWN_CHARS).collect();
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("\"{}{dots}\"", Untrusted::new(cut.as_bytes()).for_terminal())
}
