//! The types of settings that say how tasks are planned.

use std::str::FromStr;

use super::NotUnderstood;
use super::value::{Value, Written, Wrong};

/// Where verification commands of tasks come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommandSource {
    /// Tasks keep what they came with.
    Off,
    /// The contract, then the manifests.
    Fallback,
    /// The contract alone.
    Contract,
    /// A model alone.
    Llm,
    /// The contract, then a model, then the manifests.
    #[default]
    Hybrid,
}

const SOURCES: [CommandSource; 5] = [
    CommandSource::Off,
    CommandSource::Fallback,
    CommandSource::Contract,
    CommandSource::Llm,
    CommandSource::Hybrid,
];
const SOURCE: &str = "\"off\", \"fallback\", \"contract\", \"llm\" or \"hybrid\"";

impl CommandSource {
    /// The word a user writes.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Fallback => "fallback",
            Self::Contract => "contract",
            Self::Llm => "llm",
            Self::Hybrid => "hybrid",
        }
    }
}

impl FromStr for CommandSource {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        let word = text.trim().to_ascii_lowercase();
        SOURCES.into_iter().find(|source| source.word() == word).ok_or(NotUnderstood(SOURCE))
    }
}

impl Value for CommandSource {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.text().and_then(|text| text.parse().ok()).ok_or_else(|| written.wrong(SOURCE))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.word().to_owned())
    }
}
