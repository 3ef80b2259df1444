//! Secrets in text: where they stand, what kind they are, and how a text looks without them.
//!
//! One table (`kinds`) and a few rules for what has no form of its own: values of settings with telling names
//! (`setting`), bodies of private keys (`pem`), columns of tables, data of Kubernetes, logins in addresses
//! (`structured`). The analyst flags by it, the tools mask by it what they show, and the gateway masks by it what is sent:
//! what is flagged as a secret is never sent.
//!
//! **Guarantees**: the time grows with the length of the text. Secrets are found in the bytes as they are stored, so that
//! whoever shows a part of a file can mask what begins before that part. Masking twice is masking once.
//!
//! Not found: what is encoded, encrypted, or split into pieces that stand apart.
//!
//! Not here: which files are secret as a whole (`secret_file`), what a finding is worth (rules of `luminos-analyst`).

use std::ops::Range;

mod find;
mod kinds;
mod known;
mod mask;
mod pem;
mod pieces;
mod setting;
mod structured;
#[cfg(test)]
mod tests;
mod value;

pub use find::{find_secrets, find_secrets_around};
pub use known::is_published;
pub use mask::{
    Redaction, blank_out, count_marks, find_redacted, has_mark, is_made_from, redact, redact_part,
};
pub use pieces::SecretPieces;
pub use value::{entropy, is_placeholder, is_random};

/// What a secret is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Whoever has it can act as its owner.
    PrivateKey,
    /// It opens a known service.
    Token,
    /// It names a project to a service, and is public by design where web pages use it.
    WebKey,
    /// The value of a setting whose name says that it is secret.
    Assigned,
    /// The password in an address.
    Login,
    /// It is masked, but proves no leak.
    Masked,
}

/// A kind of secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// What it is called where it was taken out.
    pub name: &'static str,
    /// What it is called in a sentence.
    pub words: &'static str,
    /// What it is good for.
    pub class: Class,
}

/// Bytes that are secret, in one line. A secret of several lines is several of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// What it is.
    pub kind: Kind,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Where the secret begins that this is a part of; for a private key, its `BEGIN`.
    pub whole: usize,
}

impl Secret {
    /// Its bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// How many secrets there are: those of several lines count once.
pub fn count_secrets(secrets: &[Secret]) -> usize {
    let mut wholes: Vec<usize> = secrets.iter().map(|secret| secret.whole).collect();
    wholes.sort_unstable();
    wholes.dedup();
    wholes.len()
}

/// What kind of text it is: it decides what a value without quotes may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A program: what stands without quotes is a name, as a rule.
    Program,
    /// Settings: what stands behind a name is its value.
    Settings,
    /// Rows of cells, the first of which name the columns.
    Table,
    /// Anything else, or nothing is known about it.
    Other,
}

impl TextKind {
    /// By the name of a file.
    pub fn from_name(path: &[u8]) -> Self {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_ascii_lowercase();
        let stem = name.split(|byte| *byte == b'.').next().unwrap_or_default();
        let ending = name.rsplit(|byte| *byte == b'.').next().filter(|ending| ending.len() < name.len());
        let is_one_of = |word: &[u8], words: &str| words.split(' ').any(|known| known.as_bytes() == word);
        if is_one_of(stem, "dockerfile containerfile credentials npmrc pgpass netrc my") {
            return Self::Settings;
        }
        match ending {
            Some(ending) if is_one_of(ending, SETTINGS) => Self::Settings,
            Some(ending) if is_one_of(ending, TABLES) => Self::Table,
            Some(ending) if is_one_of(ending, PROGRAMS) => Self::Program,
            Some(_) | None => Self::Other,
        }
    }
}

const SETTINGS: &str = "yaml yml properties ini cfg conf config cnf toml env envrc xml plist npmrc pypirc netrc pgpass \
    credentials tf tfvars hcl service desktop inf reg dockerfile editorconfig json";
const TABLES: &str = "csv tsv psv";
const PROGRAMS: &str = "rs py pyi js mjs cjs jsx ts tsx mts cts vue svelte go java kt kts scala groovy c h cc cpp cxx hpp hh \
    cs fs vb swift m mm rb php pl pm lua ex exs erl hrl hs ml mli clj cljs dart r jl zig nim d pas sol proto gradle cmake";
