//! The types of settings that say how tasks are planned.

use std::path::{Path, PathBuf};
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

/// Where tasks get issues.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TrackerChoice {
    /// Nowhere.
    #[default]
    None,
    /// In a repository of GitHub, as `owner/name`.
    GitHub(Box<str>),
    /// In Markdown files in a directory.
    Markdown(PathBuf),
}

const TRACKER: &str = "\"none\", \"github:OWNER/NAME\" or \"markdown:DIRECTORY\"";

impl Value for TrackerChoice {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        let wrong = || written.wrong(TRACKER);
        let text = written.text().ok_or_else(wrong)?.trim();
        match text.split_once(':') {
            None if text == "none" => Ok(Self::None),
            Some(("github", name)) if is_repository(name) => Ok(Self::GitHub(name.into())),
            Some(("markdown", dir)) if !dir.trim().is_empty() => {
                Ok(Self::Markdown(written.around.absolute(Path::new(dir.trim()), written.base)))
            }
            None | Some(_) => Err(wrong()),
        }
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(match self {
            Self::None => "none".to_owned(),
            Self::GitHub(name) => format!("github:{name}"),
            Self::Markdown(dir) => format!("markdown:{}", dir.to_string_lossy()),
        })
    }
}

fn is_repository(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !part.is_empty() && part.bytes().all(is_letter) && !part.bytes().all(|byte| byte == b'.')
    };
    name.split_once('/').is_some_and(|(owner, name)| is_part(owner) && is_part(name))
}

/// The address of a web service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebAddress(Box<str>);

const ADDRESS: &str = "an address such as \"https://api.example.com\"";

impl WebAddress {
    /// The address as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WebAddress {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, NotUnderstood> {
        let text = text.trim().trim_end_matches('/');
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_address = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic());
        if rest.is_some_and(is_address) { Ok(Self(text.into())) } else { Err(NotUnderstood(ADDRESS)) }
    }
}

impl Value for WebAddress {
    fn read(written: &Written<'_>) -> Result<Self, Wrong> {
        written.text().and_then(|text| text.parse().ok()).ok_or_else(|| written.wrong(ADDRESS))
    }

    fn shown(&self) -> toml::Value {
        toml::Value::String(self.0.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_an_owner_and_a_name() {
        for good in ["ada/lantern", "a-b/c.d_e"] {
            assert!(is_repository(good), "{good}");
        }
        for bad in ["ada", "ada/", "/lantern", "ada/lan/tern", "ada/..", "ada/la ntern", "a/b?c"] {
            assert!(!is_repository(bad), "{bad}");
        }
    }

    #[test]
    fn addresses_are_of_the_web() {
        assert_eq!(
            "https://git.example/api/v3/".parse::<WebAddress>().unwrap().as_str(),
            "https://git.example/api/v3"
        );
        for bad in ["", "git.example", "https://", "ftp://x", "http://a b"] {
            assert!(bad.parse::<WebAddress>().is_err(), "{bad}");
        }
    }
}
