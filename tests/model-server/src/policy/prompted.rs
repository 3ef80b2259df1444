//! Tools in plain words: for clients that describe tools in the prompt because the server has no place for them.
//!
//! The prompt tells the form: calls as JSON between `<tool_call>` marks, results between `<tool_result>` marks,
//! each tool as a line `name: description` with its schema on the line below.

use serde_json::{Value, json};

use crate::conversation::{Conversation, Message, Said, Tool};
use crate::turn::{Block, Turn, arguments_value};

const CALL: (&str, &str) = ("<tool_call>", "</tool_call>");
const RESULT: (&str, &str) = ("<tool_result>", "</tool_result>");

/// Stands before a conversation that is written as one text, for programs that take only text.
const SO_FAR: &str =
    "This is the conversation so far, one JSON object for each message. Answer the last one.\n";

/// The conversation that is meant; `None` where tools are not described in words.
pub(super) fn read(asked: &Conversation) -> Option<Conversation> {
    match in_one_text(asked) {
        Some(meant) => read_described(&meant),
        None => read_described(asked),
    }
}

/// The conversation inside of the last thing that the user said, which is how agent programs pass it on. Their own
/// instructions and tools stand around it.
fn in_one_text(asked: &Conversation) -> Option<Conversation> {
    let Message::User(said) = asked.messages.last()? else { return None };
    let text = said.iter().find_map(|said| match said {
        Said::Text(text) if text.contains("You can call tools.") && text.contains(CALL.0) => Some(text),
        Said::Text(_) | Said::Call { .. } | Said::Result { .. } => None,
    })?;
    let said = |message: &Value| match (message["user"].as_str(), message["you"].as_str()) {
        (Some(text), _) => Some(Message::User(vec![Said::Text(text.to_owned())])),
        (None, Some(text)) => Some(Message::Assistant(vec![Said::Text(text.to_owned())])),
        (None, None) => None,
    };
    let (system, messages) = match text.split_once(SO_FAR) {
        Some((system, lines)) => {
            let values = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            (system.to_owned(), values.filter_map(|value| said(&value)).collect())
        }
        None => {
            // The question begins after the schema of the last tool.
            let lines: Vec<&str> = text.lines().collect();
            let last = lines.windows(2).rposition(|pair| described(pair).is_some())? + 2;
            (lines[..last].join("\n"), vec![Message::User(vec![Said::Text(lines[last..].join("\n"))])])
        }
    };
    Some(Conversation { system, messages, tools: Vec::new(), ..asked.clone() })
}

/// A tool as two lines describe it.
fn described(pair: &[&str]) -> Option<Tool> {
    let schema: Value = serde_json::from_str(pair[1].trim()).ok()?;
    let (name, _) = pair[0].split_once(':')?;
    let is_tool = schema.is_object() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_tool.then(|| Tool { name: name.to_owned(), schema })
}

fn read_described(asked: &Conversation) -> Option<Conversation> {
    if !asked.tools.is_empty() || !asked.system.contains(CALL.0) {
        return None;
    }
    let lines: Vec<&str> = asked.system.lines().collect();
    let tools = lines.windows(2).filter_map(described);
    let tools: Vec<Tool> = tools.collect();
    let (mut calls, mut results) = (0, 0);
    let messages = asked.messages.iter().map(|message| match message {
        Message::User(said) => Message::User(said.iter().flat_map(|said| user(said, &mut results)).collect()),
        Message::Assistant(said) => {
            Message::Assistant(said.iter().flat_map(|said| assistant(said, &mut calls)).collect())
        }
    });
    let messages = messages.collect();
    (!tools.is_empty()).then(|| Conversation { tools, messages, ..asked.clone() })
}

fn user(said: &Said, number: &mut usize) -> Vec<Said> {
    let Said::Text(text) = said else {
        return vec![said.clone()];
    };
    let (inside, outside) = between(text, RESULT);
    let results = inside.into_iter().map(|json| {
        *number += 1;
        let json = arguments_value(json);
        let text = json.get("result").or(json.get("error")).and_then(Value::as_str).unwrap_or_default();
        Said::Result { id: number.to_string(), text: text.to_owned() }
    });
    let mut said: Vec<Said> = results.collect();
    said.extend((!outside.trim().is_empty()).then_some(Said::Text(outside)));
    said
}

fn assistant(said: &Said, number: &mut usize) -> Vec<Said> {
    let Said::Text(text) = said else {
        return vec![said.clone()];
    };
    let (inside, outside) = between(text, CALL);
    let mut said: Vec<Said> = Vec::new();
    said.extend((!outside.trim().is_empty()).then_some(Said::Text(outside)));
    for json in inside {
        *number += 1;
        let json = arguments_value(json);
        said.push(Said::Call {
            id: number.to_string(),
            name: json.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            arguments: json.get("arguments").cloned().unwrap_or_default(),
        });
    }
    said
}

/// What stands between marks, and all the rest.
fn between<'a>(text: &'a str, marks: (&str, &str)) -> (Vec<&'a str>, String) {
    let (mut inside, mut outside) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(marks.0) {
        outside.push_str(before);
        let (inner, after) = after.split_once(marks.1).unwrap_or((after, ""));
        inside.push(inner);
        rest = after;
    }
    outside.push_str(rest);
    (inside, outside)
}

/// The turn with its calls as text.
pub(super) fn write(turn: Turn) -> Turn {
    let text = |block: Block| match block {
        Block::Call { name, arguments, .. } => {
            let call = json!({ "name": name, "arguments": arguments_value(&arguments) });
            Block::Text(format!("{}{call}{}\n", CALL.0, CALL.1))
        }
        block @ (Block::Text(_) | Block::Thinking(_)) => block,
    };
    Turn { blocks: turn.blocks.into_iter().map(text).collect(), ..turn }
}
