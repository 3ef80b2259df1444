//! A model that answers from recorded exchanges.
//!
//! A request is answered only by an exchange with the very same request; several of the same are played in
//! their order, the last one again and again. A request that was not recorded is an error that names the
//! first thing about it that differs from the most similar recording.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use luminos_core::{ContentHash, Untrusted};
use serde_json::Value;

use crate::error::{Error, Kind};
use crate::exchange::{Exchange, canonical, hash};
use crate::model::Model;
use crate::reply::{Listener, Reply};
use luminos_core::talk::Request;

#[cfg(test)]
mod tests;

/// How much of a differing value is shown, in characters.
const SHOWN_CHARS: usize = 60;

/// Answers from recorded exchanges.
#[derive(Debug)]
pub struct Replay {
    model: String,
    exchanges: BTreeMap<ContentHash, Vec<Exchange>>,
    played: Mutex<BTreeMap<ContentHash, usize>>,
}

impl Replay {
    /// A model that stands in for another one, with these exchanges.
    pub fn new(model: impl Into<String>, exchanges: impl IntoIterator<Item = Exchange>) -> Self {
        let mut by_key: BTreeMap<ContentHash, Vec<Exchange>> = BTreeMap::new();
        for exchange in exchanges {
            by_key.entry(exchange.key()).or_default().push(exchange);
        }
        Self { model: model.into(), exchanges: by_key, played: Mutex::default() }
    }

    fn find(&self, request: &Request) -> Result<&Exchange, Error> {
        let wanted = canonical(&self.model, request);
        let key = hash(&wanted);
        let Some(recorded) = self.exchanges.get(&key) else { return Err(self.miss(&wanted)) };
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let next = played.entry(key).or_default();
        let place = (*next).min(recorded.len() - 1);
        *next += 1;
        Ok(&recorded[place])
    }

    fn miss(&self, wanted: &Value) -> Error {
        let all =
            self.exchanges.values().flatten().map(|exchange| canonical(&exchange.model, &exchange.request));
        let message = first_difference(all, wanted, ["is recorded", "is asked"]);
        let message = message.unwrap_or_else(|| "there are no recordings at all".to_owned());
        Error::new(Kind::NotRecorded, format!("the recordings of {}", self.model)).message(message)
    }
}

impl Model for Replay {
    fn id(&self) -> &str {
        &self.model
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        let reply = self.find(request)?.replay()?;
        reply.tell(listener);
        Ok(reply)
    }
}

/// What is different about a value, compared with the most similar one of those that were recorded; `None` if there are
/// none, or if it is one of them. The words say what each of the two is.
pub fn first_difference(
    recorded: impl IntoIterator<Item = Value>,
    wanted: &Value,
    [was, is]: [&str; 2],
) -> Option<String> {
    // The most similar recording is the one whose first difference comes last.
    let differences = recorded.into_iter().filter_map(|recorded| difference("", &recorded, wanted, &mut 0));
    let last = differences.max_by_key(|difference| difference.after)?;
    let Difference { path, recorded, wanted, .. } = last;
    Some(format!("the first difference is {path}: {recorded} {was}, {wanted} {is}"))
}

/// Where two values begin to differ.
struct Difference {
    /// How many parts of them are the same before that, and how many characters of the first other one.
    after: (usize, usize),
    path: String,
    recorded: String,
    wanted: String,
}

fn difference(path: &str, recorded: &Value, wanted: &Value, same: &mut usize) -> Option<Difference> {
    match (recorded, wanted) {
        (Value::Object(recorded), Value::Object(wanted)) => {
            let keys = recorded.keys().chain(wanted.keys().filter(|key| !recorded.contains_key(*key)));
            let mut keys = keys.map(|key| {
                let at = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                difference(&format!("{path}/{key}"), &at(recorded), &at(wanted), same)
            });
            keys.find_map(|difference| difference)
        }
        (Value::Array(recorded), Value::Array(wanted)) => {
            for index in 0..recorded.len().max(wanted.len()) {
                let at = |list: &[Value]| list.get(index).cloned().unwrap_or(Value::Null);
                let path = format!("{path}/{index}");
                if let Some(found) = difference(&path, &at(recorded), &at(wanted), same) {
                    return Some(found);
                }
            }
            None
        }
        (recorded, wanted) if recorded == wanted => {
            *same += 1;
            None
        }
        (recorded, wanted) => {
            let (recorded, wanted) = (recorded.to_string(), wanted.to_string());
            let same_chars =
                recorded.chars().zip(wanted.chars()).take_while(|(one, other)| one == other).count();
            let [recorded, wanted] = [recorded, wanted].map(|text| shown_from(same_chars, &text));
            Some(Difference { after: (*same, same_chars), path: path.to_owned(), recorded, wanted })
        }
    }
}

/// A text from shortly before the character that matters.
fn shown_from(character: usize, text: &str) -> String {
    let skipped = character.saturating_sub(SHOWN_CHARS / 3);
    let shown: String = text.chars().skip(skipped).take(SHOWN_CHARS).collect();
    let before = if 0 < skipped { "…" } else { "" };
    let after = if skipped + SHOWN_CHARS < text.chars().count() { "…" } else { "" };
    format!("{before}{}{after}", Untrusted::new(shown.as_bytes()).for_terminal())
}
