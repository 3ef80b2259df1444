//! What a document must look like.

use serde_json::Value;

use super::extract::documents;
use super::strict::{drop_absent, fits_strictly, make_strict};
use luminos_core::talk::OutputSchema;

/// How many problems of a document are told.
const SHOWN_PROBLEMS: usize = 10;
/// How long each of them may be, in characters.
const SHOWN_CHARS: usize = 200;

/// A schema that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the schema `{name}` is no JSON schema: {why}")]
pub struct BadSchema {
    name: String,
    why: String,
}

/// What a document must look like: the whole schema for checking, and a form of it that strict modes accept.
#[derive(Debug)]
pub struct JsonSpec {
    schema: Value,
    validator: jsonschema::Validator,
    output: OutputSchema,
    is_native: bool,
}

impl JsonSpec {
    /// A document by its schema. The name is made of letters, digits, `_` and `-`.
    pub fn new(name: &str, schema: Value) -> Result<Self, BadSchema> {
        let bad = |why: String| BadSchema { name: name.to_owned(), why };
        let validator = jsonschema::validator_for(&schema).map_err(|error| bad(error.to_string()))?;
        let is_native = fits_strictly(&schema);
        let given = if is_native { make_strict(&schema) } else { schema.clone() };
        let output = OutputSchema { name: name.to_owned(), schema: given };
        Ok(Self { schema, validator, output, is_native })
    }

    /// The form that goes to a provider.
    pub fn output(&self) -> &OutputSchema {
        &self.output
    }

    /// Whether a strict mode can take the schema. If not, it can only be described.
    pub fn is_native(&self) -> bool {
        self.is_native
    }

    /// Finds the document in a text and reads it; the problems of the most likely one if none passes.
    pub(super) fn read<T>(
        &self,
        text: &str,
        read: impl Fn(Value) -> Result<T, Vec<String>>,
    ) -> Result<T, Vec<String>> {
        let mut problems = None;
        for document in documents(text) {
            let document = drop_absent(document, &self.schema);
            match self.check(&document).and_then(|()| read(document).map_err(shortened)) {
                Ok(value) => return Ok(value),
                Err(found) => problems = problems.or(Some(found)),
            }
        }
        Err(problems.unwrap_or_else(|| vec!["it holds no JSON document".to_owned()]))
    }

    /// Checks a document against the whole schema.
    pub fn check(&self, document: &Value) -> Result<(), Vec<String>> {
        let problems: Vec<String> = self
            .validator
            .iter_errors(document)
            .take(SHOWN_PROBLEMS)
            .map(|error| match error.instance_path().as_str() {
                "" => error.to_string(),
                path => format!("at {path}: {error}"),
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(shortened(problems)) }
    }
}

fn shortened(mut problems: Vec<String>) -> Vec<String> {
    problems.truncate(SHOWN_PROBLEMS);
    for problem in &mut problems {
        if let Some((end, _)) = problem.char_indices().nth(SHOWN_CHARS) {
            problem.truncate(end);
            problem.push('…');
        }
    }
    if problems.is_empty() {
        problems.push("it was not accepted".to_owned());
    }
    problems
}
