//! Old tool results as one-line stubs.
//!
//! Whoever keeps the conversation applies this when a question says so (`Ask::compact_before`). The same question
//! asked again gives the same conversation, and what a model said itself stays as it was.

use luminos_core::Untrusted;
use luminos_core::talk::{AssistantBlock, Message, ToolCall, ToolResult, UserBlock};

/// Shorter results stay: a stub would hardly be shorter.
const WORTH_IT: usize = 240;
/// How much of a call's arguments a stub shows.
const SHOWN: usize = 120;
/// How a stub begins. A result that begins so is one already.
const MARK: &str = "[shortened: ";

/// Replaces the results of all calls made in a turn, or before it, by stubs. Turns are counted from 1: the first
/// answer of the model is turn 1.
pub fn compact(messages: &mut [Message], through: u32) {
    let mut turn = 0;
    let mut calls: Vec<ToolCall> = Vec::new();
    for message in messages {
        match message {
            Message::Assistant(content) => {
                turn += 1;
                if through < turn {
                    return;
                }
                calls = content.iter().filter_map(call).cloned().collect();
            }
            Message::User(blocks) => {
                let results = blocks.iter_mut().filter_map(|block| match block {
                    UserBlock::ToolResult(result) => Some(result),
                    UserBlock::Text(_) => None,
                });
                results.for_each(|result| shorten(result, &calls));
            }
        }
    }
}

fn call(block: &AssistantBlock) -> Option<&ToolCall> {
    match block {
        AssistantBlock::ToolCall(call) => Some(call),
        AssistantBlock::Text(_) | AssistantBlock::Opaque(_) => None,
    }
}

fn shorten(result: &mut ToolResult, calls: &[ToolCall]) {
    if result.text.len() < WORTH_IT || result.text.starts_with(MARK) {
        return;
    }
    let what = match calls.iter().find(|call| call.id == result.call_id) {
        Some(call) => {
            let json = call.arguments.to_json();
            let end = json.floor_char_boundary(SHOWN);
            let cut = if end < json.len() { "…" } else { "" };
            format!("{} {}{cut}", call.name, Untrusted::new(&json.as_bytes()[..end]).for_terminal())
        }
        None => "a call".to_owned(),
    };
    result.text =
        format!("{MARK}{what} gave {} bytes; call again if you need them once more]", result.text.len());
}

#[cfg(test)]
mod tests {
    use luminos_core::talk::Arguments;

    use super::*;

    fn asked(id: &str, path: &str) -> Message {
        let arguments = Arguments::parse(&format!(r#"{{"path":"{path}"}}"#));
        let call = ToolCall { id: id.to_owned(), name: "read_file".to_owned(), arguments };
        Message::Assistant(vec![AssistantBlock::ToolCall(call)])
    }

    fn told(id: &str, text: &str) -> Message {
        let result = ToolResult { call_id: id.to_owned(), text: text.to_owned(), failed: false };
        Message::User(vec![UserBlock::ToolResult(result), UserBlock::Text("2 turns left".to_owned())])
    }

    fn texts(messages: &[Message]) -> Vec<&str> {
        let blocks = messages.iter().filter_map(|message| match message {
            Message::User(blocks) => blocks.first(),
            Message::Assistant(_) => None,
        });
        fn text(block: &UserBlock) -> &str {
            match block {
                UserBlock::Text(text) => text,
                UserBlock::ToolResult(result) => &result.text,
            }
        }
        blocks.map(text).collect()
    }

    #[test]
    fn results_up_to_a_turn_become_stubs_and_stay_so() {
        let long = "x".repeat(5000);
        let mut messages = vec![
            Message::user("Begin."),
            asked("1", "a"),
            told("1", &long),
            asked("2", "b"),
            told("2", "short"),
            asked("3", "c"),
            told("3", &long),
        ];
        compact(&mut messages, 2);
        let stub =
            r#"[shortened: read_file {"path":"a"} gave 5000 bytes; call again if you need them once more]"#;
        assert_eq!(texts(&messages), ["Begin.", stub, "short", &long]);
        let once = messages.clone();
        compact(&mut messages, 2);
        assert_eq!(messages, once);
    }

    #[test]
    fn a_stub_does_not_repeat_what_acts() {
        let mut messages =
            vec![asked("1", &format!("\u{202e}{}", "y".repeat(300))), told("1", &"x".repeat(300))];
        compact(&mut messages, 1);
        let [stub] = texts(&messages)[..] else { panic!("one result") };
        assert!(stub.contains("\\u{202e}yyy") && stub.contains("…"), "{stub}");
    }
}
