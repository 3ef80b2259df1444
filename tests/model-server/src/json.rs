//! JSON objects whose keys stay in the order in which they were written.
//!
//! The services write their events in a fixed order, and bytes are what is compared here. `serde_json`'s own
//! maps sort their keys.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// A JSON value with ordered keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    /// Anything whose order does not matter.
    Plain(Value),
    /// Values in a row.
    List(Vec<Json>),
    /// Keys and values as written.
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// The value without spaces, as the services send it.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Adds a key at the end; on anything but an object it does nothing.
    pub(crate) fn push(&mut self, key: &'static str, value: impl Into<Json>) {
        if let Json::Object(entries) = self {
            entries.push((key, value.into()));
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Plain(value) => value.serialize(serializer),
            Json::List(values) => values.serialize(serializer),
            Json::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<T: Into<Value>> From<T> for Json {
    fn from(value: T) -> Json {
        Json::Plain(value.into())
    }
}

/// Writes an object in order: `object! { "type": "ping" }`.
macro_rules! object {
    ($($key:literal : $value:expr),* $(,)?) => {
        $crate::json::Json::Object(vec![$(($key, $crate::json::Json::from($value))),*])
    };
}

pub(crate) use object;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_in_which_they_were_written() {
        let inner = object! { "z": 1, "a": Value::Null };
        let mut outer = object! { "type": "x", "inner": inner.clone(), "list": Json::List(vec![inner]) };
        outer.push("last", "é\n");
        let expected = r#"{"type":"x","inner":{"z":1,"a":null},"list":[{"z":1,"a":null}],"last":"é\n"}"#;
        assert_eq!(outer.text(), expected);
    }
}
