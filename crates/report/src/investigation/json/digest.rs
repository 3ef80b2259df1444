//! The digest of a report for programs: whether it is, word for word, what was written.
//!
//! It is a sha256 over the document itself, without the digest, in one form: names in order, nothing between them. So it
//! does not matter how the file is set, and every other change shows: a sentence, a number, a flag that is gone.
//!
//! What it proves: that nothing was changed by accident or in passing. What it does not: whoever changes a report on
//! purpose can make the digest anew. Against that help the bytes that claims cite, and the state directory, if the
//! investigation is there.

use luminos_core::ContentHash;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The name of the digest in the document.
pub(crate) const KEY: &str = "digest";

/// The digest of a document that has none yet.
pub(super) fn of_bytes(bytes: &[u8]) -> Result<ContentHash, serde_json::Error> {
    serde_json::from_slice(bytes).map(of)
}

/// The digest of a document, whether it has one or not.
pub(crate) fn of(mut document: Value) -> ContentHash {
    if let Some(fields) = document.as_object_mut() {
        fields.remove(KEY);
    }
    document.sort_all_objects();
    ContentHash(Sha256::digest(document.to_string()).into())
}

/// A document that somebody has changed on purpose, with a digest that fits, on one line.
pub fn sealed(mut document: Value) -> String {
    let digest = of(document.clone());
    if let Some(fields) = document.as_object_mut() {
        fields.remove(KEY);
        fields.insert(KEY.to_owned(), Value::String(digest.to_string()));
    }
    format!("{document}\n")
}

/// What is wrong with a document, as far as its digest tells.
pub(crate) fn fault(document: Value) -> Option<String> {
    let given = document.get(KEY).and_then(Value::as_str).map(str::to_owned);
    match given {
        None => Some(
            "the report has no digest: nobody can say whether its words are those that were written"
                .to_owned(),
        ),
        Some(given) if given != of(document).to_string() => {
            Some("the report is not word for word what was written: its digest does not fit".to_owned())
        }
        Some(_) => None,
    }
}
