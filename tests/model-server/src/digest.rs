//! Names made of what they name: the same request always gets the same ids.

use sha2::{Digest as _, Sha256};

/// A short name for a text that is different for every text.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}
