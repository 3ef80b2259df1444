//! Closed sets of words that people, models, files and the database share.

/// Makes an enum of words: each variant has one spelling, and no other text is taken for it.
macro_rules! words {
    ($(#[$about:meta])* $name:ident, $what:literal { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::tasks::word::NotAWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let text = text.trim().to_lowercase();
                Self::ALL.iter().copied().find(|value| value.word() == text).ok_or_else(|| {
                    let known = Self::ALL.iter().map(|value| value.word()).collect();
                    crate::tasks::word::NotAWord { what: $what, found: text, known }
                })
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

pub(crate) use words;

/// A word that is none of a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not {what}; use {}", found.escape_debug(), in_words(known))]
pub struct NotAWord {
    pub(crate) what: &'static str,
    pub(crate) found: String,
    pub(crate) known: Vec<&'static str>,
}

fn in_words(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
