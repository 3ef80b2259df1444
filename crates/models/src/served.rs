//! The models that a server says it offers.

use luminos_core::Untrusted;
use luminos_core::spend::Tokens;
use serde_json::Value;

/// A model that a server offers. What the server says about its limits counts more than any table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedModel {
    /// Its id.
    pub id: String,
    /// How many tokens its input may have.
    pub max_input: Option<Tokens>,
    /// How many tokens an answer may have.
    pub max_output: Option<Tokens>,
}

/// Reads the list of models that both interfaces give in nearly the same shape.
pub(crate) fn served_models(json: &Value) -> Vec<ServedModel> {
    let models = json.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let models = models.iter().filter_map(|model| {
        // A limit of nothing would be no model.
        let limit = |value: &Value| value.as_u64().filter(|&limit| 0 < limit).map(Tokens);
        let count = |pointer: &str| model.pointer(pointer).and_then(limit);
        Some(ServedModel {
            id: Untrusted::new(model.get("id")?.as_str()?.as_bytes()).for_terminal(),
            max_input: count("/max_input_tokens").or(count("/max_model_len")).or(count("/meta/n_ctx")),
            max_output: count("/max_tokens"),
        })
    });
    models.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_tells_limits_in_its_own_words() {
        let json = serde_json::json!({ "data": [
            { "id": "a", "max_input_tokens": 1000, "max_tokens": 100 },
            { "id": "b", "max_model_len": 4096 },
            { "id": "c", "meta": { "n_ctx": 2048 } },
            { "id": "d\u{1b}" },
            { "name": "without an id" },
        ]});
        let model = |id: &str, max_input: Option<u64>, max_output: Option<u64>| ServedModel {
            id: id.to_owned(),
            max_input: max_input.map(Tokens),
            max_output: max_output.map(Tokens),
        };
        let expected = [
            model("a", Some(1000), Some(100)),
            model("b", Some(4096), None),
            model("c", Some(2048), None),
            model("d\\u{1b}", None, None),
        ];
        assert_eq!(served_models(&json), expected);
        assert_eq!(served_models(&Value::Null), []);
    }
}
