//! A conversation as one text.

use serde_json::json;

use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

/// The prompt for a program that takes only text: the instructions, then the question. A longer conversation
/// is written as JSON, so that nothing said in it can pretend to be another message.
pub(super) fn text(request: &Request) -> String {
    let mut parts: Vec<String> = request.system.clone();
    match request.messages.as_slice() {
        [Message::User(blocks)] => parts.push(user_text(blocks)),
        messages => {
            let mut lines = vec![
                "This is the conversation so far, one JSON object for each message. Answer the last one."
                    .to_owned(),
            ];
            lines.extend(messages.iter().map(|message| match message {
                Message::User(blocks) => json!({ "user": user_text(blocks) }).to_string(),
                Message::Assistant(blocks) => json!({ "you": assistant_text(blocks) }).to_string(),
            }));
            parts.push(lines.join("\n"));
        }
    }
    parts.retain(|part| !part.is_empty());
    let text = parts.join("\n\n");
    // Programs take what begins with a slash for a command of their own.
    if text.trim_start().starts_with('/') { format!("This is the question:\n\n{text}") } else { text }
}

fn user_text(blocks: &[UserBlock]) -> String {
    let texts: Vec<&str> = blocks
        .iter()
        .map(|block| match block {
            UserBlock::Text(text) => text.as_str(),
            UserBlock::ToolResult(result) => result.text.as_str(),
        })
        .collect();
    texts.join("\n\n")
}

fn assistant_text(blocks: &[AssistantBlock]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        AssistantBlock::Text(text) => Some(text.as_str()),
        AssistantBlock::ToolCall(_) | AssistantBlock::Opaque(_) => None,
    });
    texts.collect()
}
