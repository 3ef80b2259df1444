//! Arguments read by what they mean: what a model submits is not lost for its form.
//!
//! The schema of a tool says what is wanted, and each value is brought into that shape: unknown fields are left out,
//! misspelt ones are recognised, numbers may be texts, lists may be texts or single objects, what is too long is cut at a
//! sentence, and one bad item does not take the others along. Everything that was changed is told. What is still wrong
//! afterwards (a summary that is not there at all) is for the strict check to refuse.
//!
//! **Always holds:** what fits the schema comes out as it went in; the schema bounds the work, however deep or long the
//! arguments are; a key that appears twice counts once, the first time.

mod names;
mod repair;
#[cfg(test)]
mod tests;
mod words;

use serde_json::{Map, Value};

pub use repair::repaired;

/// So many corrections are told.
const MOST_TOLD: usize = 12;
/// So many objects around one another are unwrapped.
const MOST_WRAPPED: usize = 5;
/// No list is looked at further.
const MOST_ITEMS: usize = 20_000;

/// What was changed to make arguments fit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Corrections {
    /// Everything, for the model: half a sentence each.
    pub told: Vec<String>,
    /// What was lost on the way, for readers of the report: half a sentence each.
    pub lost: Vec<String>,
}

impl Corrections {
    /// What the model is told; nothing where nothing was changed.
    pub fn words(&self) -> String {
        let all: Vec<&str> = self.told.iter().chain(&self.lost).map(String::as_str).take(MOST_TOLD).collect();
        if all.is_empty() { String::new() } else { format!(" Corrected: {}.", all.join("; ")) }
    }
}

/// Brings arguments into the shape of a schema, as far as they can be read.
pub(crate) fn fitted(schema: &Map<String, Value>, arguments: Value) -> (Value, Corrections) {
    let mut reader = Reader::default();
    let arguments = unwrapped(schema, arguments);
    let value = match reader.object(schema, arguments, "", Gaps::Left) {
        Some(value) => value,
        None => Value::Object(Map::new()),
    };
    (value, reader.corrections)
}

/// Whether arguments hold everything without which they mean nothing.
pub(crate) fn is_complete(schema: &Map<String, Value>, arguments: &Value) -> bool {
    required(schema).all(|name| {
        let property = schema.get("properties").and_then(|properties| properties.get(name));
        let is_vital = property.and_then(Value::as_object).is_some_and(is_vital);
        !is_vital || arguments.get(name).is_some_and(|value| !is_blank(value) && !is_empty_list(value))
    })
}

/// Whether an object that lacks what it must have is still one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    /// It is: somebody else will say what is missing.
    Left,
    /// It is not.
    Refused,
}

#[derive(Default)]
struct Reader {
    corrections: Corrections,
}

impl Reader {
    fn told(&mut self, words: String) {
        if self.corrections.told.len() < MOST_TOLD {
            self.corrections.told.push(words);
        }
    }

    fn lost(&mut self, words: String) {
        if self.corrections.lost.len() < MOST_TOLD {
            self.corrections.lost.push(words);
        }
    }

    fn fit(&mut self, schema: &Map<String, Value>, value: Value, place: &str) -> Option<Value> {
        match schema.get("type").and_then(Value::as_str).unwrap_or_default() {
            "object" => self.object(schema, value, place, Gaps::Refused),
            "array" => Some(self.list(schema, value, place)),
            "string" => self.text(schema, value, place),
            "number" => self.number(schema, &value, place),
            "integer" => self.number(schema, &value, place).map(|number| whole(&number)),
            "boolean" => words::boolean(&value).map(Value::Bool),
            _ => Some(value),
        }
    }

    fn object(
        &mut self,
        schema: &Map<String, Value>,
        value: Value,
        place: &str,
        gaps: Gaps,
    ) -> Option<Value> {
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let mut fields = match value {
            Value::Object(fields) => fields,
            Value::String(text) => names::object_of_text(properties, &text)?,
            Value::Array(mut items) if items.len() == 1 => {
                return self.object(schema, items.remove(0), place, gaps);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
        };
        fields.retain(|_, value| !value.is_null());
        names::place_citation(properties, &mut fields);
        names::gather_entry(properties, &mut fields);
        let mut taken = Map::new();
        for (name, key) in names::assign(properties, &fields) {
            let (Some(property), Some(value)) = (properties.get(&name), fields.remove(&key)) else {
                continue;
            };
            let at = at(place, &name);
            if key != name {
                self.told(format!("`{}` was read as `{at}`", words::shown(&key)));
            }
            let Some(property) = property.as_object() else { continue };
            match self.fit(property, value, &at) {
                Some(value) => drop(taken.insert(name, value)),
                // Without a number nothing is lost that was said.
                None if matches!(
                    property.get("type").and_then(Value::as_str),
                    Some("number" | "boolean")
                ) =>
                {
                    self.told(format!("`{at}` could not be read"));
                }
                None => self.lost(format!("`{at}` could not be read")),
            }
        }
        for name in fields.keys().take(MOST_TOLD) {
            self.told(format!("there is no `{}`: it was left out", words::shown(&at(place, name))));
        }
        names::complete(properties, &mut taken);
        for name in required(schema) {
            let property = properties.get(name).and_then(Value::as_object);
            if taken.get(name).is_some_and(|value| !is_blank(value) && !is_empty_list(value)) {
                continue;
            }
            match property.and_then(fallback) {
                Some(value) => {
                    self.told(format!("`{}` was taken to be {value}", at(place, name)));
                    taken.insert(name.to_owned(), value);
                }
                None if gaps == Gaps::Refused && property.is_some_and(is_vital) => return None,
                // A missing number stays missing: unknown is not zero.
                None => {
                    if let Some(value) = property.filter(|property| !is_vital(property)).and_then(blank) {
                        taken.insert(name.to_owned(), value);
                    }
                }
            }
        }
        Some(Value::Object(taken))
    }

    fn list(&mut self, schema: &Map<String, Value>, value: Value, place: &str) -> Value {
        let empty = Map::new();
        let items = schema.get("items").and_then(Value::as_object).unwrap_or(&empty);
        let values = names::list_of(items, value);
        let most = limit(schema, "maxItems").unwrap_or(MOST_ITEMS).min(MOST_ITEMS);
        let mut fit = Vec::new();
        for (index, value) in values.into_iter().enumerate().filter(|(_, value)| !is_blank(value)) {
            let at = format!("{place}[{index}]");
            match self.fit(items, value, &at) {
                Some(value) if is_blank(&value) => {}
                Some(value) if fit.len() < most => fit.push(value),
                Some(_) => {
                    self.lost(format!("of `{place}` the first {most} were taken"));
                    break;
                }
                None => self.lost(format!("`{at}` could not be read")),
            }
        }
        Value::Array(fit)
    }

    fn text(&mut self, schema: &Map<String, Value>, value: Value, place: &str) -> Option<Value> {
        if let Some(options) = schema.get("enum").and_then(Value::as_array) {
            let options: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
            let word = words::option(&options, value.as_str()?)?;
            return Some(Value::String(word.to_owned()));
        }
        let mut text = words::text_of(value)?;
        if names::is_path(place) {
            text = names::plain_path(&text);
        }
        if let Some(most) = limit(schema, "maxLength")
            && let Some(cut) = words::cut_at_sentence(&text, most)
        {
            self.lost(format!(
                "`{place}` was cut to {} of {} characters",
                cut.chars().count(),
                text.chars().count()
            ));
            text = cut;
        }
        let is_empty = limit(schema, "minLength").is_some_and(|least| 0 < least) && text.trim().is_empty();
        (!is_empty).then_some(Value::String(text))
    }

    fn number(&mut self, schema: &Map<String, Value>, value: &Value, place: &str) -> Option<Value> {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        let (least, most) = (bound("minimum"), bound("maximum"));
        let is_share = least == Some(0.0) && most == Some(1.0);
        let number = words::number(value, is_share)?;
        let fit = least.map_or(number, |least| number.max(least));
        let fit = most.map_or(fit, |most| fit.min(most));
        if value.as_f64() == Some(fit) {
            return Some(value.clone());
        }
        self.told(format!("`{place}` was read as {fit}"));
        serde_json::Number::from_f64(fit).map(Value::Number)
    }
}

/// Models like to put everything into one more object, under a name of their own, into a list or into a text.
fn unwrapped(schema: &Map<String, Value>, arguments: Value) -> Value {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return arguments };
    let fits =
        |value: &Value| value.as_object().is_some_and(|fields| names::has_own_name(properties, fields));
    let inside = |value: &Value| match value {
        Value::Array(items) if items.len() == 1 => items.first().cloned(),
        Value::String(text) => repaired(text),
        Value::Object(fields) if fields.len() == 1 => {
            fields.iter().find(|(name, _)| !properties.contains_key(*name)).map(|(_, inner)| inner.clone())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let chain = std::iter::successors(Some(arguments.clone()), inside).take(MOST_WRAPPED);
    chain.into_iter().find(fits).unwrap_or(arguments)
}

fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn limit(schema: &Map<String, Value>, name: &str) -> Option<usize> {
    schema.get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
}

/// What a field is where nothing readable stands in it: never a guess that somebody could take for the model's word.
fn fallback(property: &Map<String, Value>) -> Option<Value> {
    let options = property.get("enum").and_then(Value::as_array)?;
    let has = |word: &str| options.iter().any(|option| option == word);
    ["concern", "file"].into_iter().find(|word| has(word)).map(Value::from)
}

/// What stands where nothing was said and nothing needs to be.
fn blank(property: &Map<String, Value>) -> Option<Value> {
    match property.get("type").and_then(Value::as_str) {
        Some("string") => Some("".into()),
        Some("array") => Some(Value::Array(Vec::new())),
        Some(_) | None => None,
    }
}

/// Whether an object means nothing without a field.
fn is_vital(property: &Map<String, Value>) -> bool {
    match property.get("type").and_then(Value::as_str) {
        Some("string") => property.contains_key("enum") || limit(property, "minLength").is_some(),
        Some("integer" | "object") => true,
        Some("array") => limit(property, "minItems").is_some(),
        Some(_) | None => false,
    }
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

fn is_empty_list(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

fn whole(number: &Value) -> Value {
    match number.as_f64() {
        Some(float) if !number.is_u64() && !number.is_i64() => Value::from(float.round() as i64),
        Some(_) | None => number.clone(),
    }
}

fn at(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}
