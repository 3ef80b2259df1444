//! The arguments of a tool call: an object, or something that was meant to be one.
//!
//! What a model sends is data. Arguments that are cut off, of the wrong shape or ambiguous are kept as they
//! came, with the reason, so that the model can be told; nothing is ever guessed.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Longer arguments are not looked at.
const LONGEST: usize = 1 << 20;

/// What a tool is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    /// A JSON object. Whether it fits the tool is the tool's business.
    Object(Map<String, Value>),
    /// Something else.
    Invalid {
        /// What came, as far as it was kept.
        raw: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Arguments {
    /// Reads what a model sent as arguments. Nothing at all means no arguments.
    pub fn parse(text: &str) -> Self {
        if LONGEST < text.len() {
            let kept = text.floor_char_boundary(1000);
            let reason = format!("the arguments have {} bytes, more than the {LONGEST} allowed", text.len());
            return Self::Invalid { raw: text[..kept].to_owned(), reason };
        }
        if text.trim().is_empty() {
            return Self::Object(Map::new());
        }
        let invalid = |reason: String| Self::Invalid { raw: text.to_owned(), reason };
        match parse_strictly(text) {
            Ok(Value::Object(object)) => Self::Object(object),
            Ok(Value::Null) => invalid("the arguments are null, not an object".to_owned()),
            Ok(Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                invalid("the arguments are a single value, not an object".to_owned())
            }
            Ok(Value::Array(_)) => invalid("the arguments are a list, not an object".to_owned()),
            Err(error) => invalid(format!("the arguments are no valid JSON: {error}")),
        }
    }

    /// The arguments as JSON text, for interfaces that want them so.
    pub fn to_json(&self) -> String {
        self.to_object().to_string()
    }

    /// Hands out every text in the arguments, to be changed.
    pub fn each_text(&mut self, change: &mut impl FnMut(&mut String)) {
        match self {
            Self::Object(object) => object.values_mut().for_each(|value| each_text(value, change)),
            Self::Invalid { raw, .. } => change(raw),
        }
    }

    /// The arguments as an object, for interfaces that accept nothing else in a conversation's history.
    pub fn to_object(&self) -> Value {
        match self {
            Self::Object(object) => Value::Object(object.clone()),
            Self::Invalid { raw, .. } => serde_json::json!({ "invalid_json": raw }),
        }
    }
}

fn each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(object) => object.values_mut().for_each(|value| each_text(value, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Reads JSON, but refuses an object that has a key twice: which of them counts would be anybody's guess.
pub fn parse_strictly(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Unambiguous.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

struct Unambiguous;

impl<'de> DeserializeSeed<'de> for Unambiguous {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unambiguous {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(serde::de::Error::custom(format_args!("the key {key:?} appears twice")));
            }
            let value = entries.next_value_seed(Self)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, reason: &str) {
        match Arguments::parse(text) {
            Arguments::Invalid { reason: found, .. } => assert!(found.contains(reason), "{found}"),
            Arguments::Object(object) => panic!("accepted {object:?}"),
        }
    }

    #[test]
    fn objects_are_taken_as_they_are() {
        let parsed = Arguments::parse(r#" {"path":"src","deep":{"b":1,"a":[null,-2,1.5,true]}} "#);
        let expected = serde_json::json!({"path":"src","deep":{"b":1,"a":[null,-2,1.5,true]}});
        assert_eq!(parsed.to_object(), expected);
        assert_eq!(Arguments::parse(""), Arguments::Object(Map::new()));
    }

    #[test]
    fn everything_else_is_kept_with_a_reason() {
        refused(r#"{"path":"src/ma"#, "EOF");
        refused("[]", "a list");
        refused("\"src\"", "a single value");
        refused("7", "a single value");
        refused("null", "null");
        refused(r#"{"a":1,"a":2}"#, "\"a\" appears twice");
        refused(r#"{"x":{"a":1,"a":2}}"#, "\"a\" appears twice");
        refused(r#"{"a":1e400}"#, "number out of range");
        refused(r#"{"a":"\ud800"}"#, "no valid JSON");
        refused(r#"{"a":1} {"b":2}"#, "trailing characters");
        refused(&format!("{}{}", "[".repeat(1000), "]".repeat(1000)), "recursion limit");
        refused(&format!("{{\"a\":\"{}\"}}", "x".repeat(10 << 20)), "more than the 1048576 allowed");
    }

    #[test]
    fn what_was_no_object_can_still_be_sent_back() {
        assert_eq!(Arguments::parse(r#"{"a"#).to_json(), r#"{"invalid_json":"{\"a"}"#);
    }
}
