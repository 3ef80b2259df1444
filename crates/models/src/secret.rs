//! Keys: kept out of logs, files and errors, and wiped when they are no longer needed.

use std::fmt;

use zeroize::Zeroizing;

/// A key. It cannot be printed, written or compared, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a key over.
    pub fn new(key: String) -> Self {
        Self(Zeroizing::new(key))
    }

    /// The key itself, for the one place that sends it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key, should it hold it: some servers repeat what they were sent.
    pub(crate) fn scrub(&self, text: &str) -> String {
        if self.0.len() < 4 { text.to_owned() } else { text.replace(self.0.as_str(), "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
