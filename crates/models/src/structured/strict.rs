//! Schemas for strict modes.
//!
//! A strict mode wants every key required, no further ones, and knows few keywords. So an optional key
//! becomes one that may be null, and what the mode does not know is left to the check of the whole schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// What strict modes understand. The values of the first group are schemas.
const SUBSCHEMAS: [&str; 1] = ["items"];
const LISTS_OF_SUBSCHEMAS: [&str; 1] = ["anyOf"];
const MAPS_OF_SUBSCHEMAS: [&str; 3] = ["properties", "$defs", "definitions"];
const KEPT: [&str; 5] = ["type", "description", "enum", "const", "$ref"];

/// The schema in a form that strict modes accept.
pub fn make_strict(schema: &Value) -> Value {
    let Value::Object(schema) = schema else { return json!({}) };
    let mut strict = Map::new();
    for (key, value) in schema {
        match (key.as_str(), value) {
            (key, value) if KEPT.contains(&key) => {
                strict.insert(key.to_owned(), value.clone());
            }
            (key, value) if SUBSCHEMAS.contains(&key) => {
                strict.insert(key.to_owned(), make_strict(value));
            }
            (key, Value::Array(list)) if LISTS_OF_SUBSCHEMAS.contains(&key) || key == "oneOf" => {
                strict.insert("anyOf".to_owned(), list.iter().map(make_strict).collect());
            }
            (key, Value::Object(map)) if MAPS_OF_SUBSCHEMAS.contains(&key) => {
                let map = map.iter().map(|(name, value)| (name.clone(), make_strict(value)));
                strict.insert(key.to_owned(), Value::Object(map.collect()));
            }
            // Bounds, patterns, formats and the like.
            _ => {}
        }
    }
    if is_object(schema) {
        let required = names(schema.get("required"));
        let properties = strict.entry("properties").or_insert_with(|| json!({}));
        let mut keys = Vec::new();
        if let Value::Object(properties) = properties {
            for (name, property) in properties {
                if !required.contains(name.as_str()) {
                    *property = nullable(std::mem::take(property));
                }
                keys.push(json!(name));
            }
        }
        strict.insert("required".to_owned(), Value::Array(keys));
        strict.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(strict)
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.contains_key("properties")
        || match schema.get("type") {
            Some(Value::String(kind)) => kind == "object",
            Some(Value::Array(kinds)) => kinds.contains(&json!("object")),
            Some(_) | None => false,
        }
}

fn names(list: Option<&Value>) -> BTreeSet<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The schema, or null.
fn nullable(schema: Value) -> Value {
    let Value::Object(mut schema) = schema else { return schema };
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        let null = json!({ "type": "null" });
        if !choices.contains(&null) {
            choices.push(null);
        }
        return Value::Object(schema);
    }
    let kinds = match schema.get("type") {
        Some(Value::String(kind)) if kind != "null" => json!([kind, "null"]),
        Some(Value::Array(kinds)) if !kinds.contains(&json!("null")) => {
            kinds.iter().cloned().chain([json!("null")]).collect()
        }
        Some(Value::String(_) | Value::Array(_)) => return Value::Object(schema),
        Some(_) | None => return json!({ "anyOf": [schema, { "type": "null" }] }),
    };
    schema.insert("type".to_owned(), kinds);
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    Value::Object(schema)
}

/// A document without the keys that are null only because a strict mode wants every key.
pub fn drop_absent(mut document: Value, schema: &Value) -> Value {
    drop_in(&mut document, schema, schema, 0);
    document
}

fn drop_in(value: &mut Value, schema: &Value, root: &Value, depth: usize) {
    // Documents are read with a bounded depth, but a schema may refer to itself without end.
    if 256 < depth {
        return;
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|target| local(target, root)) {
        drop_in(value, target, root, depth + 1);
    }
    for choices in ["anyOf", "oneOf", "allOf"] {
        for choice in schema.get(choices).and_then(Value::as_array).into_iter().flatten() {
            drop_in(value, choice, root, depth + 1);
        }
    }
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| drop_in(item, schema, root, depth + 1));
            }
        }
        Value::Object(object) => {
            let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
            let required = names(schema.get("required"));
            for (name, property) in properties {
                let is_absent =
                    object.get(name).is_some_and(Value::is_null) && !required.contains(name.as_str());
                if is_absent && !allows_null(property, root, 0) {
                    object.shift_remove(name);
                } else if let Some(value) = object.get_mut(name) {
                    drop_in(value, property, root, depth + 1);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn allows_null(schema: &Value, root: &Value, depth: usize) -> bool {
    if 64 < depth {
        return false;
    }
    let by_type = match schema.get("type") {
        Some(Value::String(kind)) => kind == "null",
        Some(Value::Array(kinds)) => kinds.contains(&json!("null")),
        Some(_) | None => false,
    };
    let by_value =
        schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.contains(&Value::Null));
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| local(target, root));
    let choices = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    by_type || by_value || choices.chain(target).any(|choice| allows_null(choice, root, depth + 1))
}

fn local<'a>(target: &str, root: &'a Value) -> Option<&'a Value> {
    root.pointer(target.strip_prefix('#')?)
}

/// Whether a schema means the same in its strict form, bounds aside. It does not if it refers to itself, or if
/// it has objects whose keys are not all named.
pub(super) fn fits_strictly(schema: &Value) -> bool {
    !is_recursive(schema) && !has_open_objects(schema)
}

fn has_open_objects(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(has_open_objects),
        Value::Object(map) => {
            let takes_any_key =
                map.get("additionalProperties").is_some_and(|further| *further != json!(false));
            let is_open = is_object(map) && (takes_any_key || !map.contains_key("properties"));
            let combines =
                ["patternProperties", "allOf", "not", "if"].iter().any(|key| map.contains_key(*key));
            is_open || combines || map.values().any(has_open_objects)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether a schema refers to itself, directly or through others.
fn is_recursive(schema: &Value) -> bool {
    fn visit<'a>(schema: &'a Value, root: &'a Value, path: &mut Vec<&'a str>) -> bool {
        match schema {
            Value::Array(items) => items.iter().any(|item| visit(item, root, path)),
            Value::Object(map) => {
                if let Some(target) = map.get("$ref").and_then(Value::as_str) {
                    if path.contains(&target) {
                        return true;
                    }
                    path.push(target);
                    let found = local(target, root).is_some_and(|schema| visit(schema, root, path));
                    path.pop();
                    return found;
                }
                let definitions = ["$defs", "definitions"];
                map.iter()
                    .any(|(key, value)| !definitions.contains(&key.as_str()) && visit(value, root, path))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }
    visit(schema, schema, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "summary": { "type": "string", "minLength": 1, "description": "In one line." },
                "risk": { "type": "string", "enum": ["low", "high"] },
                "steps": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/step" } },
                "note": { "type": ["string", "null"] },
                "next": { "$ref": "#/$defs/step" },
                "count": { "oneOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }] },
            },
            "required": ["summary", "steps"],
            "$defs": { "step": {
                "type": "object",
                "properties": { "id": { "type": "string" }, "files": { "type": "array", "items": { "type": "string" } } },
                "required": ["id"],
            } },
        })
    }

    #[test]
    fn every_key_is_required_and_optional_ones_may_be_null() {
        insta::assert_snapshot!(serde_json::to_string_pretty(&make_strict(&schema())).unwrap());
    }

    #[test]
    fn a_strict_schema_stays_as_it_is() {
        let strict = make_strict(&schema());
        assert_eq!(make_strict(&strict), strict);
    }

    #[test]
    fn nulls_that_only_strictness_wanted_are_dropped() {
        let document = json!({
            "summary": "s", "risk": null, "steps": [{ "id": "1", "files": null }],
            "note": null, "next": null, "count": null,
        });
        let expected = json!({ "summary": "s", "steps": [{ "id": "1" }], "note": null });
        assert_eq!(drop_absent(document, &schema()), expected);
    }

    #[test]
    fn a_null_that_breaks_the_schema_is_left_for_the_check_to_find() {
        let document = json!({ "summary": null });
        assert_eq!(drop_absent(document.clone(), &schema()), document);
    }

    #[test]
    fn schemas_that_refer_to_themselves_are_recognised() {
        assert!(!is_recursive(&schema()));
        let tree = json!({
            "$ref": "#/$defs/node",
            "$defs": { "node": { "properties": { "children": { "items": { "$ref": "#/$defs/node" } } } } },
        });
        assert!(is_recursive(&tree));
        let nested = json!({ "children": [] });
        assert_eq!(drop_absent(nested.clone(), &tree), nested);
        let whole = json!({ "properties": { "inner": { "$ref": "#" } } });
        assert!(is_recursive(&whole));
    }

    #[test]
    fn objects_with_any_keys_have_no_strict_form() {
        assert!(fits_strictly(&schema()));
        for open in [
            json!({ "type": "object" }),
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "properties": { "a": { "type": "object", "properties": {}, "additionalProperties": true } } }),
            json!({ "allOf": [{ "type": "object", "properties": {} }] }),
        ] {
            assert!(!fits_strictly(&open), "{open}");
        }
    }
}
