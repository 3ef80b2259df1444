//! Calls as lines of a log: short, whatever a model sent.

use luminos_core::talk::Arguments;
use serde_json::{Map, Value};

/// Bytes of one text.
const TEXT: usize = 200;
/// Fields or items of one value.
const FIELDS: usize = 20;

/// The name of a tool, in a length that can be logged.
pub(super) fn name(name: &str) -> String {
    cut(name)
}

/// What a tool was given, cut where it is long.
pub(super) fn arguments(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Object(object) => Value::Object(fields(object)),
        Arguments::Invalid { raw, .. } => serde_json::json!({ "invalid_json": cut(raw) }),
    }
}

fn fields(object: &Map<String, Value>) -> Map<String, Value> {
    object.iter().take(FIELDS).map(|(key, value)| (cut(key), flat(value))).collect()
}

/// A value of at most two levels: what lies deeper is counted, not shown.
fn flat(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut(text)),
        Value::Array(items) => {
            let simple = items.iter().take(FIELDS).filter(|item| !item.is_array() && !item.is_object());
            let simple: Vec<Value> = simple.map(flat).collect();
            if simple.len() == items.len() {
                Value::Array(simple)
            } else {
                format!("{} items", items.len()).into()
            }
        }
        Value::Object(object) => format!("{} fields", object.len()).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn cut(text: &str) -> String {
    crate::prompt::cut(text, TEXT)
}
