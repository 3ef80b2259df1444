//! Arguments held against a schema, and what is wrong with them in words that help.

use jsonschema::Validator;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::{Map, Value};

use super::schema::Schemas;

/// How many problems are told at once.
const SHOWN_PROBLEMS: usize = 8;
/// How much of a wrong value is told, in characters.
const SHOWN_CHARS: usize = 60;

/// What a tool takes.
pub(crate) struct Takes {
    schema: Map<String, Value>,
    validator: Option<Validator>,
}

impl Takes {
    pub(super) fn new(schemas: &Schemas) -> Self {
        // A schema that is none would be caught by a test; what is read from the arguments is checked anyway.
        Self { schema: schemas.shown.clone(), validator: jsonschema::validator_for(&schemas.held).ok() }
    }

    /// Whether the schema can be held against anything.
    #[cfg(test)]
    pub(super) fn can_check(&self) -> bool {
        self.validator.is_some()
    }

    /// What it takes, as models see it.
    pub(super) fn schema(&self) -> &Map<String, Value> {
        &self.schema
    }

    /// The arguments, without what is null; or all that is wrong with them.
    pub(super) fn check(&self, mut arguments: Value) -> Result<Value, String> {
        drop_nulls(&mut arguments);
        let problems: Vec<String> = match &self.validator {
            Some(validator) if !validator.is_valid(&arguments) => {
                let errors = validator.iter_errors(&arguments).take(SHOWN_PROBLEMS);
                errors.map(|error| self.in_words(&error)).collect()
            }
            Some(_) | None => return Ok(arguments),
        };
        Err(format!("{} {}", problems.join(" "), self.usage()))
    }

    /// What would be right, in one sentence.
    pub(crate) fn usage(&self) -> String {
        let required: Vec<&str> = match self.schema.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let Some(Value::Object(properties)) = self.schema.get("properties") else {
            return "It takes no arguments: {}.".to_owned();
        };
        let fields = properties.iter().map(|(name, schema)| {
            let need = if required.contains(&name.as_str()) { "required" } else { "optional" };
            format!("`{name}` ({}, {need})", shape(schema))
        });
        format!("It takes a JSON object with {}.", fields.collect::<Vec<_>>().join(", "))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "our schemas use no other words")]
    fn in_words(&self, error: &jsonschema::ValidationError<'_>) -> String {
        let place = place(error.instance_path().as_str());
        let found = shortened(error.instance());
        let subject = if place.is_empty() { "The whole".to_owned() } else { format!("`{place}`") };
        let inside = if place.is_empty() { String::new() } else { format!(" in `{place}`") };
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                format!("`{}` is missing{inside}.", property.as_str().unwrap_or_default())
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let known = self.known_at(error.instance_path().as_str());
                let named = unexpected.iter().map(|name| unknown(name, &inside, &known));
                named.collect::<Vec<_>>().join(" ")
            }
            ValidationErrorKind::Type { kind } => {
                let wanted = match kind {
                    TypeKind::Single(kind) => type_word(&kind.to_string()),
                    TypeKind::Multiple(_) => "something else",
                };
                format!("{subject} must be {wanted}, not {found}.")
            }
            ValidationErrorKind::Enum { options } => {
                let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
                let options: Vec<String> = options.iter().map(ToString::to_string).collect();
                format!("{subject} must be one of {}, not {found}.", options.join(", "))
            }
            ValidationErrorKind::Minimum { limit } => {
                format!("{subject} must be at least {limit}, not {found}.")
            }
            ValidationErrorKind::Maximum { limit } => {
                format!("{subject} must be at most {limit}, not {found}.")
            }
            ValidationErrorKind::MinLength { .. } => format!("{subject} must not be empty."),
            ValidationErrorKind::MaxLength { limit } => {
                let length = error.instance().as_str().map_or(0, |text| text.chars().count());
                format!("{subject} has {length} characters; at most {limit} are taken.")
            }
            ValidationErrorKind::MinItems { limit } => format!("{subject} needs at least {limit} items."),
            ValidationErrorKind::MaxItems { limit } => {
                let length = error.instance().as_array().map_or(0, Vec::len);
                format!("{subject} has {length} items; at most {limit} are taken.")
            }
            _ => format!("{subject}: {error}."),
        }
    }

    /// The names of fields that are known at a place in the arguments.
    fn known_at(&self, pointer: &str) -> Vec<&str> {
        let mut schema = &self.schema;
        for step in pointer.split('/').skip(1) {
            let next = match step.parse::<usize>() {
                Ok(_) => schema.get("items"),
                Err(_) => schema.get("properties").and_then(|properties| properties.get(step)),
            };
            match next {
                Some(Value::Object(next)) => schema = next,
                _ => return Vec::new(),
            }
        }
        match schema.get("properties") {
            Some(Value::Object(properties)) => properties.keys().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

/// Models often send null for what they do not want to say.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|_, value| !value.is_null());
            object.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn unknown(name: &str, inside: &str, known: &[&str]) -> String {
    let name: String = name.chars().take(SHOWN_CHARS).collect();
    match nearest(&name, known.iter().copied()) {
        Some(near) => format!("There is no `{name}`{inside}: did you mean `{near}`?"),
        None => format!("There is no `{name}`{inside}."),
    }
}

/// The word that was probably meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| word.to_ascii_lowercase().replace(['-', '_', ' '], "");
    let word = plain(word);
    let scored = known.map(|name| (strsim::jaro_winkler(&word, &plain(name)), name));
    scored.filter(|(score, _)| 0.85 < *score).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// A pointer as models write places: `evidence[0].path`.
fn place(pointer: &str) -> String {
    let mut place = String::new();
    for step in pointer.split('/').skip(1) {
        match step.parse::<usize>() {
            Ok(index) => place.push_str(&format!("[{index}]")),
            Err(_) if place.is_empty() => place.push_str(step),
            Err(_) => place.push_str(&format!(".{step}")),
        }
    }
    place
}

fn shortened(value: &Value) -> String {
    let (kind, text) = match value {
        Value::String(text) => ("the text ", format!("{text:?}")),
        Value::Array(_) => return "a list".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => ("", value.to_string()),
    };
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{kind}{}…", &text[..end]),
        None => format!("{kind}{text}"),
    }
}

fn type_word(kind: &str) -> &'static str {
    match kind {
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        _ => "something else",
    }
}

fn shape(schema: &Value) -> String {
    let get = |word: &str| schema.get(word);
    if let Some(Value::Array(options)) = get("enum") {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        return options.join(" or ");
    }
    let kind = get("type").and_then(Value::as_str).unwrap_or_default();
    let range = match (get("minimum"), get("maximum")) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" from {least} up"),
        (None, Some(most)) => format!(" up to {most}"),
        (None, None) => String::new(),
    };
    let items = match (kind, get("items"), get("properties")) {
        ("array", Some(items), _) => format!(" of {}", plural(items)),
        ("object", _, Some(Value::Object(fields))) => format!(" with {}", names(fields)),
        _ => String::new(),
    };
    format!("{}{range}{items}", type_word(kind))
}

fn plural(items: &Value) -> String {
    match items.get("properties") {
        Some(Value::Object(fields)) => format!("objects with {}", names(fields)),
        _ => match items.get("type").and_then(Value::as_str) {
            Some("string") => "texts".to_owned(),
            Some("integer" | "number") => "numbers".to_owned(),
            _ => "items".to_owned(),
        },
    }
}

fn names(fields: &Map<String, Value>) -> String {
    fields.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}
