//! What the summary of a directory opens with.

use serde::{Deserialize, Serialize};

/// What a directory is, by the best source there is: its first sentence, and what those who list it say of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// It is a package.
    Package {
        /// What kind, such as `Rust crate`.
        kind: String,
        /// The package's name.
        name: String,
        /// Its version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// What its manifest or README says of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Its README says what it is.
    Readme {
        /// The file.
        file: String,
        /// What its name says that it holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<String>,
        /// The words.
        text: String,
    },
    /// Its main file says what it is.
    MainFile {
        /// The file.
        file: String,
        /// The words.
        text: String,
    },
    /// Its only file says what it is.
    OnlyFile {
        /// The file.
        file: String,
        /// How many lines that has.
        lines: u64,
        /// The words.
        text: String,
    },
    /// What is in it tells, or its name.
    Inside(Inside),
}

/// What a directory is by its name and by what is in it: `holds 3 Rust files`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Inside {
    /// In words, as they follow the name of the directory.
    pub text: String,
    /// Whether `is` comes before these words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_noun: bool,
    /// How much that is: `120 lines`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// The main types of its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// The largest directories in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<String>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_below: u64,
    /// Whether there are tests in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_tests: bool,
    /// Whether it is said that there are documents in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_documents: bool,
    /// Whether there is nothing in it but settings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_settings: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
