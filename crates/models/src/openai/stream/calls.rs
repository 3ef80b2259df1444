//! Tool calls, put together from parts that servers number and name in many ways.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::reply::{Event, Listener};
use luminos_core::talk::Arguments;
use luminos_core::talk::ToolCall;

/// A part of a call.
#[derive(Deserialize)]
pub(super) struct CallPart<'a> {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    id: Option<String>,
    #[serde(borrow, default)]
    function: Option<FunctionPart<'a>>,
}

#[derive(Deserialize)]
struct FunctionPart<'a> {
    #[serde(default)]
    name: Option<String>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Slot>);

impl Calls {
    pub(super) fn add(&mut self, part: CallPart<'_>, listener: &mut Listener<'_>) {
        let id = part.id.filter(|id| !id.is_empty());
        let function = part.function.unwrap_or(FunctionPart { name: None, arguments: None });
        let name = function.name.filter(|name| !name.is_empty());
        let text = function.arguments.and_then(string_of);
        // Some servers send the arguments as an object, whole and at once.
        let object = function.arguments.filter(|raw| raw.get().starts_with('{'));
        let begins = name.as_deref().is_some_and(|name| object.is_some() || self.last_is_over(name));
        let slot = self.slot(part.index, id.as_deref(), begins);
        if let Some(id) = id {
            slot.id = id;
        }
        if let Some(name) = name
            && slot.name.is_empty()
        {
            listener(Event::ToolCall { name: &name });
            slot.name = name;
        }
        if let Some(text) = text {
            listener(Event::Arguments(&text));
            slot.arguments.push_str(&text);
        } else if let Some(object) = object {
            listener(Event::Arguments(object.get()));
            slot.arguments = object.get().to_owned();
        }
    }

    /// Whether a part with this name, but without a number and an id, cannot belong to the last call: that one
    /// has another name, or all of its arguments.
    fn last_is_over(&self, name: &str) -> bool {
        self.0.last().is_some_and(|last| {
            let is_another = !last.name.is_empty() && last.name != name;
            let is_complete = || serde_json::from_str::<IgnoredAny>(&last.arguments).is_ok();
            is_another || last.arguments.ends_with('}') && is_complete()
        })
    }

    /// The slot that a part belongs to. `begins` says whether it begins a call if nothing else tells.
    fn slot(&mut self, index: Option<u64>, id: Option<&str>, begins: bool) -> &mut Slot {
        let found = match (index, id) {
            // The last one with this number, unless the id says that it is another call.
            (Some(index), id) => self.0.iter().rposition(|slot| slot.index == Some(index)).filter(|&found| {
                let known = &self.0[found].id;
                known.is_empty() || id.is_none_or(|id| id == known)
            }),
            (None, Some(id)) => self.0.iter().rposition(|slot| slot.id == id),
            (None, None) if begins => None,
            (None, None) => self.0.len().checked_sub(1),
        };
        let place = found.unwrap_or_else(|| {
            self.0.push(Slot { index, ..Slot::default() });
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    pub(super) fn finish(self, calls_before: usize) -> Vec<ToolCall> {
        let named = self.0.into_iter().filter(|slot| !slot.name.is_empty() || !slot.arguments.is_empty());
        let calls = named.enumerate().map(|(number, slot)| ToolCall {
            id: if slot.id.is_empty() { format!("call_{}", calls_before + number) } else { slot.id },
            name: slot.name,
            arguments: Arguments::parse(&slot.arguments),
        });
        calls.collect()
    }
}

/// The text of a JSON string; `None` for anything else.
pub(super) fn string_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let quoted = raw.get();
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}
