//! JSON schemas: whether one can be held strictly, and the smallest value that one allows.

use serde_json::{Map, Value, json};

/// How strict a schema must be for strict output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Every object says that it has no other keys.
    Closed,
    /// And all its keys are required.
    ClosedAndComplete,
}

/// Why a schema cannot be held strictly.
pub(crate) fn strict_problem(schema: &Value, strictness: Strictness) -> Option<String> {
    const REFUSED: [&str; 4] = ["minimum", "maximum", "minLength", "maxLength"];
    let Value::Object(object) = schema else {
        return None;
    };
    if object.get("type").and_then(Value::as_str) == Some("object") {
        if object.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Some("'additionalProperties' is required to be supplied and to be false".to_owned());
        }
        if strictness == Strictness::ClosedAndComplete {
            let required: Vec<&str> = strings(object.get("required"));
            let keys = object.get("properties").and_then(Value::as_object);
            let missing = keys.into_iter().flat_map(Map::keys).find(|key| !required.contains(&key.as_str()));
            if let Some(key) = missing {
                return Some(format!("'required' must include every key in properties. Missing '{key}'."));
            }
        }
    }
    if let Some(word) =
        REFUSED.iter().find(|word| object.contains_key(**word) && strictness == Strictness::Closed)
    {
        return Some(format!("'{word}' is not supported"));
    }
    // Below `properties` the keys are names, not words of the schema.
    let inner = object.iter().flat_map(|(key, value)| match (key.as_str(), value) {
        ("properties" | "$defs" | "definitions", Value::Object(named)) => named.values().collect::<Vec<_>>(),
        ("items" | "additionalProperties", value) => vec![value],
        ("anyOf" | "allOf" | "oneOf", Value::Array(values)) => values.iter().collect(),
        _ => Vec::new(),
    });
    inner.into_iter().find_map(|value| strict_problem(value, strictness))
}

fn strings(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The smallest value that a schema allows, as far as types and required keys go.
pub(crate) fn smallest(schema: &Value) -> Value {
    smallest_within(schema, schema, 0)
}

fn smallest_within(schema: &Value, root: &Value, depth: usize) -> Value {
    let schema = resolve(schema, root);
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
        return first.clone();
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema.get(word).and_then(|values| values.get(0)) {
            return smallest_within(first, root, depth + 1);
        }
    }
    match first_type(schema) {
        "object" if depth < 8 => {
            let required = strings(schema.get("required"));
            let properties = schema.get("properties");
            let value_of = |key: &str| {
                properties
                    .and_then(|all| all.get(key))
                    .map_or(Value::Null, |inner| smallest_within(inner, root, depth + 1))
            };
            Value::Object(required.into_iter().map(|key| (key.to_owned(), value_of(key))).collect())
        }
        "array" => {
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or_default();
            let item = schema.get("items").cloned().unwrap_or_default();
            (0..count).map(|_| smallest_within(&item, root, depth + 1)).collect()
        }
        "string" => json!("-"),
        "integer" => schema.get("minimum").cloned().unwrap_or(json!(0)),
        "number" => schema.get("minimum").cloned().unwrap_or(json!(0.5)),
        "boolean" => json!(false),
        _ => Value::Null,
    }
}

fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    pointer.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn first_type(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or_default(),
        _ if schema.get("properties").is_some() => "object",
        _ => "",
    }
}

/// Arguments as a schema wants them: unknown keys are left out where none may be, required ones are filled in.
pub(crate) fn fit(arguments: Value, schema: &Value) -> Value {
    let Value::Object(mut arguments) = arguments else {
        return arguments;
    };
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Value::Object(arguments);
    };
    arguments.retain(|key, _| properties.contains_key(key));
    for (key, value) in &mut arguments {
        let inner = resolve(&properties[key], schema);
        *value = of_type(value.take(), first_type(inner));
        if let (Value::Array(items), Some(item)) = (&mut *value, inner.get("items")) {
            let item = resolve(item, schema);
            items.iter_mut().for_each(|value| *value = fit(value.take(), item));
        } else {
            *value = fit(value.take(), inner);
        }
    }
    if let Value::Object(needed) = smallest(schema) {
        for (key, value) in needed {
            arguments.entry(key).or_insert(value);
        }
    }
    Value::Object(arguments)
}

/// The value as text or as a list where the schema wants that.
fn of_type(value: Value, kind: &str) -> Value {
    match (kind, value) {
        ("string", value @ (Value::Array(_) | Value::Object(_) | Value::Number(_))) => {
            json!(value.to_string())
        }
        ("array", value @ (Value::Object(_) | Value::String(_))) => json!([value]),
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_schemas_are_closed_everywhere() {
        let open = json!({ "type": "object", "properties": { "minimum": { "type": "string" } } });
        let closed = json!({ "type": "object", "additionalProperties": false, "properties": {
            "minimum": { "type": "string" } } });
        let outer = |inner: &Value| {
            json!({ "type": "object", "additionalProperties": false, "required": ["list"],
            "properties": { "list": { "type": "array", "items": inner } } })
        };
        let check = |schema: &Value, strictness| strict_problem(schema, strictness).is_some();
        assert!(check(&open, Strictness::Closed));
        assert!(!check(&closed, Strictness::Closed));
        assert!(check(&closed, Strictness::ClosedAndComplete));
        assert!(check(&outer(&open), Strictness::Closed));
        assert!(!check(&outer(&closed), Strictness::Closed));
        assert!(check(&outer(&json!({ "type": "integer", "minimum": 1 })), Strictness::Closed));
    }

    #[test]
    fn arguments_are_made_to_fit() {
        let schema = json!({ "type": "object", "additionalProperties": false, "required": ["path", "kind", "note"],
            "properties": {
                "path": { "type": "string" }, "kind": { "enum": ["file", "dir"] }, "note": { "type": ["null", "string"] },
                "items": { "type": "array", "items": { "$ref": "#/$defs/item" } } },
            "$defs": { "item": { "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] } } });
        let fitted = fit(json!({ "path": "x", "more": 1, "items": { "b": 1 } }), &schema);
        assert_eq!(fitted, json!({ "path": "x", "kind": "file", "note": null, "items": [{ "a": 0 }] }));
        assert_eq!(fit(json!({ "any": 1 }), &json!({ "type": "object" })), json!({ "any": 1 }));
    }
}
