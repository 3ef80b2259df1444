//! Tools and schemas in plain words, for models behind interfaces that have neither.
//!
//! Tools are described in the system prompt, the model writes its calls between `<tool_call>` marks, and
//! results go back between `<tool_result>` marks. What a tool returned is written as JSON with every `<`
//! escaped, so that no file can pretend to be a mark.

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::reply::{Note, Reply};
use luminos_core::talk::Arguments;
use luminos_core::talk::StopReason;
use luminos_core::talk::{AssistantBlock, Message, OutputSchema, Request, ToolCall, ToolResult, UserBlock};

const CALL: (&str, &str) = ("<tool_call>", "</tool_call>");
const RESULT: (&str, &str) = ("<tool_result>", "</tool_result>");

/// The request with its schema described in the prompt; `None` if it asks for no shape.
pub(crate) fn schema_in_system(request: &Request) -> Option<Request> {
    let output = request.output.as_ref()?;
    let mut described = request.clone();
    described.system.push(schema_words(output));
    described.output = None;
    Some(described)
}

fn schema_words(output: &OutputSchema) -> String {
    format!(
        "Answer with one JSON document and nothing else: no explanation, no code fence. It must be valid \
         against this JSON schema:\n{}",
        output.schema
    )
}

/// The request with its tools described in the prompt, and its earlier calls and results as text; `None` if
/// there are neither.
pub(crate) fn tools_in_system(request: &Request) -> Option<Request> {
    if request.tools.is_empty() && calls_before(request) == 0 {
        return None;
    }
    let mut described = request.clone();
    described.tools.clear();
    if !request.tools.is_empty() {
        described.system.push(tool_words(request));
    }
    for message in &mut described.messages {
        match message {
            Message::User(blocks) => blocks.iter_mut().for_each(|block| {
                if let UserBlock::ToolResult(result) = block {
                    *block = UserBlock::Text(result_text(result));
                }
            }),
            Message::Assistant(blocks) => blocks.iter_mut().for_each(|block| {
                if let AssistantBlock::ToolCall(call) = block {
                    *block = AssistantBlock::Text(call_text(call));
                }
            }),
        }
    }
    Some(described)
}

/// How many tool calls a conversation holds: new ones are numbered on from there.
pub(crate) fn calls_before(request: &Request) -> usize {
    let calls = request.messages.iter().map(|message| match message {
        Message::User(_) => 0,
        Message::Assistant(blocks) => {
            blocks.iter().filter(|block| matches!(block, AssistantBlock::ToolCall(_))).count()
        }
    });
    calls.sum()
}

fn tool_words(request: &Request) -> String {
    let mut words = format!(
        "You can call tools. To call one, write a line of this form, with the arguments as a JSON object:\n\
         {}{{\"name\": \"…\", \"arguments\": {{…}}}}{}\n\
         You may write several such lines. Write nothing after them: the results come in the next message, \
         between {} and {}, in the order of the calls. These are the tools, each with the JSON schema of its \
         arguments:",
        CALL.0, CALL.1, RESULT.0, RESULT.1,
    );
    for tool in &request.tools {
        let schema = Value::Object(tool.schema.clone());
        words.push_str(&format!("\n\n{}: {}\n{schema}", tool.name, tool.description));
    }
    words
}

fn call_text(call: &ToolCall) -> String {
    let json = json!({ "name": call.name, "arguments": call.arguments.to_object() });
    format!("{}{}{}\n", CALL.0, escaped(&json), CALL.1)
}

fn result_text(result: &ToolResult) -> String {
    let json = if result.failed { json!({ "error": result.text }) } else { json!({ "result": result.text }) };
    format!("{}{}{}", RESULT.0, escaped(&json), RESULT.1)
}

fn escaped(json: &Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// Reads the calls that a model wrote into its text.
pub(crate) fn read_calls(reply: &mut Reply, calls_before: usize) {
    let mut content = Vec::new();
    let mut number = calls_before;
    for block in std::mem::take(&mut reply.content) {
        match block {
            AssistantBlock::Text(text) => split_calls(&text, &mut number, &mut content),
            block @ (AssistantBlock::ToolCall(_) | AssistantBlock::Opaque(_)) => content.push(block),
        }
    }
    if calls_before < number && reply.stop == StopReason::EndTurn {
        reply.stop = StopReason::ToolUse;
    }
    reply.content = content;
    reply.notes.push(Note::ToolsInPrompt);
}

fn split_calls(text: &str, number: &mut usize, content: &mut Vec<AssistantBlock>) {
    let push_text = |text: &str, content: &mut Vec<AssistantBlock>| {
        if !text.trim().is_empty() {
            content.push(AssistantBlock::Text(text.trim().to_owned()));
        }
    };
    let mut rest = text;
    while let Some((before, from_call)) = rest.split_once(CALL.0) {
        push_text(before, content);
        // A mark that is never closed was cut off, or forgotten at the very end: the JSON will tell.
        let (call, after) = from_call.split_once(CALL.1).unwrap_or((from_call, ""));
        let (name, arguments) = read_call(call);
        content.push(AssistantBlock::ToolCall(ToolCall { id: format!("call_{number}"), name, arguments }));
        *number += 1;
        rest = after;
    }
    push_text(rest, content);
}

fn read_call(text: &str) -> (String, Arguments) {
    let invalid = |reason: &str| Arguments::Invalid { raw: text.to_owned(), reason: reason.to_owned() };
    match Arguments::parse(text) {
        Arguments::Object(mut call) => {
            let name = call.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let arguments = match call.remove("arguments").or_else(|| call.remove("parameters")) {
                Some(Value::Object(arguments)) => Arguments::Object(arguments),
                Some(Value::String(json)) => Arguments::parse(&json),
                Some(_) => invalid("the arguments are not an object"),
                None => Arguments::parse(""),
            };
            (name, arguments)
        }
        wrong @ Arguments::Invalid { .. } => (String::new(), wrong),
    }
}
