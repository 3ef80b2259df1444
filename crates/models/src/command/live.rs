//! Tells what a program says while it says it, where it prints events.

use serde_json::Value;

use super::Prints;
use super::output::text;
use crate::reply::{Event, Listener, Reply};

/// Listens in on what a program prints. What it tells is the beginning of the answer, as far as it can know.
pub(super) struct Live<'a, 'l> {
    prints: Prints,
    listener: &'a mut Listener<'l>,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    told: String,
    has_started: bool,
    /// The message that comes was told already, in pieces.
    in_pieces: bool,
}

impl<'a, 'l> Live<'a, 'l> {
    pub(super) fn new(prints: Prints, listener: &'a mut Listener<'l>) -> Self {
        let (line, told) = (Vec::new(), String::new());
        Self { prints, listener, line, told, has_started: false, in_pieces: false }
    }

    /// Takes more of what is printed.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        if !self.has_started {
            self.has_started = true;
            (self.listener)(Event::Started);
        }
        if self.prints == Prints::Text {
            return;
        }
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            if let Ok(event) = serde_json::from_slice(&line) {
                self.event(&event);
            }
        }
        self.line.extend_from_slice(bytes);
    }

    fn event(&mut self, event: &Value) {
        match (self.prints, text(event, "/type")) {
            (Prints::CodexEvents, "item.completed") if text(event, "/item/type") == "agent_message" => {
                self.message(text(event, "/item/text"));
            }
            (Prints::ClaudeEvents, "stream_event") => match text(event, "/event/type") {
                "content_block_start" if text(event, "/event/content_block/type") == "text" => {
                    self.separate();
                    self.in_pieces = true;
                }
                "content_block_delta" => self.tell(text(event, "/event/delta/text")),
                _ => {}
            },
            (Prints::ClaudeEvents, "assistant") if std::mem::take(&mut self.in_pieces) => {}
            (Prints::ClaudeEvents, "assistant") => {
                let blocks = event.pointer("/message/content").and_then(Value::as_array);
                let texts = blocks.into_iter().flatten().filter(|block| text(block, "/type") == "text");
                texts.for_each(|block| self.message(text(block, "/text")));
            }
            _ => {}
        }
    }

    fn message(&mut self, message: &str) {
        self.separate();
        self.tell(message);
    }

    /// Messages stand apart, as they do in the answer.
    fn separate(&mut self) {
        if !self.told.is_empty() {
            self.tell("\n\n");
        }
    }

    fn tell(&mut self, text: &str) {
        if !text.is_empty() {
            self.told.push_str(text);
            (self.listener)(Event::Text(text));
        }
    }

    /// Tells what is left of the answer.
    pub(super) fn finish(self, reply: &Reply) {
        if self.told.is_empty() {
            // A program that answers has printed something, so the start was told.
            reply.tell_content(self.listener);
            return;
        }
        let answer = reply.text();
        if let Some(rest) = answer.strip_prefix(&self.told)
            && !rest.is_empty()
        {
            (self.listener)(Event::Text(rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn tells(prints: Prints, printed: &str, expected: &[&str]) {
        for piece in [1, 7, printed.len()] {
            let mut heard = Vec::new();
            let mut listener = |event: Event<'_>| {
                if let Event::Text(text) = event {
                    heard.push(text.to_owned());
                }
            };
            let mut live = Live::new(prints, &mut listener);
            printed.as_bytes().chunks(piece).for_each(|bytes| live.feed(bytes));
            assert_eq!(heard, expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn messages_are_told_when_they_are_there() {
        let printed = r#"{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"type":"agent_message","text":"Größer."}}
not json
{"type":"item.completed","item":{"type":"agent_message","text":"Second."}}
"#;
        tells(Prints::CodexEvents, printed, &["Größer.", "\n\n", "Second."]);
        let printed = r#"{"type":"system","subtype":"init"}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi."}]}}
"#;
        tells(Prints::ClaudeEvents, printed, &["Hi."]);
        tells(Prints::Text, "Hello.\n", &[]);
    }

    #[test]
    fn pieces_are_not_told_twice() {
        let printed = r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}
{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}}
{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo."}}}
{"type":"assistant","message":{"content":[{"type":"text","text":"Hello."}]}}
{"type":"stream_event","event":{"type":"content_block_stop","index":0}}
{"type":"assistant","message":{"content":[{"type":"text","text":"More."}]}}
"#;
        tells(Prints::ClaudeEvents, printed, &["Hel", "lo.", "\n\n", "More."]);
    }
}
