//! The JSON schema of a tool's arguments, as plain as it can be.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Marks a field that is taken in any shape, because the pass has a rule for wrong ones.
pub(crate) const LENIENT: &str = "x-lenient";

/// What models see, and what arguments are held against.
pub(crate) struct Schemas {
    pub(crate) shown: Map<String, Value>,
    pub(crate) held: Value,
}

/// The schemas of a type: without references, without words that some servers do not know.
pub(super) fn of<T: JsonSchema>() -> Schemas {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    if let Value::Object(schema) = &mut schema {
        schema.remove("description");
    }
    let mut shown = schema.clone();
    each_schema(&mut shown, &mut |schema| {
        schema.remove(LENIENT);
    });
    each_schema(&mut schema, &mut |schema| {
        if schema.contains_key(LENIENT) {
            schema.clear();
        }
    });
    let Value::Object(shown) = shown else {
        return Schemas { shown: Map::new(), held: schema };
    };
    Schemas { shown, held: schema }
}

fn tidy(schema: &mut Value) {
    each_schema(schema, &mut |schema| {
        for word in ["title", "format", "default"] {
            schema.remove(word);
        }
        // What is optional may be left out; that it may also be null goes without saying.
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [single] = &types[..] {
                let single = single.clone();
                schema.insert("type".to_owned(), single);
            }
        }
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        // Words with a comment each become one list of words.
        if let Some(Value::Array(options)) = schema.get("oneOf") {
            let words: Option<Vec<Value>> =
                options.iter().map(|option| option.get("const").cloned()).collect();
            if let Some(words) = words {
                let told: Vec<String> = options.iter().filter_map(told).collect();
                schema.remove("oneOf");
                schema.insert("type".to_owned(), "string".into());
                schema.insert("enum".to_owned(), words.into());
                let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
                let about = format!("{about} {}", told.join(" ")).trim().to_owned();
                schema.insert("description".to_owned(), about.into());
            }
        }
    });
}

/// A word and its comment, in one.
fn told(option: &Value) -> Option<String> {
    let word = option.get("const")?.as_str()?;
    let about = option.get("description")?.as_str()?;
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("`{word}`: {about}"))
}

/// Visits a schema and those inside it.
fn each_schema(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    visit(object);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(|property| each_schema(property, visit));
    }
    if let Some(items) = object.get_mut("items") {
        each_schema(items, visit);
    }
}
