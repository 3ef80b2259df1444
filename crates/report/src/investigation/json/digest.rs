//! The digest of a report for programs: whether it is, word for word, what was written.
//!
//! It is a sha256 over the document itself, without the digest, in one form: names in order, nothing between them. So it
//! does not matter how the file is set, and every other change shows: a sentence, a number, a flag that is gone.
//!
//! What it proves: that nothing was changed by accident or in passing. What it does not: whoever changes a report on
//! purpose can make the digest anew. Against that help the bytes that claims cite, and the state directory, if the
//! investigation is there.

use std::collections::BTreeMap;

use luminos_core::ContentHash;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// The name of the digest in the document.
pub(crate) const KEY: &str = "digest";

/// The digest of a document, whether it has one or not. It may be large: a piece of it is looked at at a time.
pub(crate) fn of_bytes(bytes: &[u8]) -> Result<ContentHash, serde_json::Error> {
    let mut fields: BTreeMap<String, &RawValue> = serde_json::from_slice(bytes)?;
    fields.remove(KEY);
    let mut hash = Sha256::new();
    hash.update("{");
    for (number, (name, value)) in fields.iter().enumerate() {
        hash.update(if number == 0 { "" } else { "," });
        hash.update(Value::String(name.clone()).to_string());
        hash.update(":");
        add(&mut hash, value)?;
    }
    hash.update("}");
    Ok(ContentHash(hash.finalize().into()))
}

/// Lists are long; what is in them is not.
fn add(hash: &mut Sha256, value: &RawValue) -> Result<(), serde_json::Error> {
    let in_order = |value: &RawValue| {
        let mut value: Value = serde_json::from_str(value.get())?;
        value.sort_all_objects();
        Ok::<_, serde_json::Error>(value.to_string())
    };
    if !value.get().starts_with('[') {
        hash.update(in_order(value)?);
        return Ok(());
    }
    let items: Vec<&RawValue> = serde_json::from_str(value.get())?;
    hash.update("[");
    for (number, item) in items.into_iter().enumerate() {
        hash.update(if number == 0 { "" } else { "," });
        hash.update(in_order(item)?);
    }
    hash.update("]");
    Ok(())
}

/// A document that somebody has changed on purpose, with a digest that fits, on one line.
pub fn sealed(mut document: Value) -> String {
    if let Some(fields) = document.as_object_mut() {
        fields.shift_remove(KEY);
    }
    let mut bytes = document.to_string().into_bytes();
    seal(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Puts the digest at the end of a document that has none, and ends the line.
pub(super) fn seal(bytes: &mut Vec<u8>) {
    let end = bytes.iter().rposition(|byte| *byte == b'}').unwrap_or(bytes.len());
    // Something that is no document has no digest either.
    let digest = of_bytes(bytes).map(|digest| digest.to_string()).unwrap_or_default();
    bytes.truncate(end);
    let comma = if bytes.ends_with(b"{") { "" } else { "," };
    bytes.extend_from_slice(format!("{comma}\"{KEY}\":\"{digest}\"}}\n").as_bytes());
}

/// What is wrong with a document, as far as its digest tells. Something that is no document has no words.
pub(crate) fn fault(bytes: &[u8]) -> Option<String> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(bytes).ok()?;
    let given = fields.get(KEY).and_then(|given| serde_json::from_str::<String>(given.get()).ok());
    match given {
        None => Some(
            "the report has no digest: nobody can say whether its words are those that were written"
                .to_owned(),
        ),
        Some(given) if of_bytes(bytes).is_ok_and(|digest| digest.to_string() == given) => None,
        Some(_) => {
            Some("the report is not word for word what was written: its digest does not fit".to_owned())
        }
    }
}
