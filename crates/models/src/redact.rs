//! Secrets of others: taken out of what is sent to a provider.
//!
//! Damage control, no boundary: a key that is encoded or split over lines passes. The worker has masked what it showed of
//! files, by where secrets stand in them; everything that is sent comes by here and is looked at once more, by the same
//! table (`luminos_core::secrets`), as text of which nothing else is known.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use luminos_core::secrets::{self, TextKind};
use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

/// A text without the secrets that were found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text. The same text gives the same result, so that caches still recognise it.
    pub text: Cow<'a, str>,
    /// How many secrets were taken out.
    pub count: usize,
}

/// Takes secrets out of a text.
pub fn redact(text: &str) -> Redacted<'_> {
    match secrets::redact(text.as_bytes(), TextKind::Other) {
        None => Redacted { text: Cow::Borrowed(text), count: 0 },
        Some(redaction) => Redacted {
            // A shape may end in the middle of a character; what is left of it is no secret.
            text: Cow::Owned(String::from_utf8_lossy(&redaction.bytes).into_owned()),
            count: redaction.count,
        },
    }
}

/// Takes secrets out of everything in a request that a provider would read; returns how many there were, those counted
/// that tools have taken out of what they showed.
///
/// A provider's own blocks stay as they are, because they must go back unmodified.
pub fn redact_request(request: &mut Request) -> usize {
    let (mut count, mut marked) = (0, 0);
    let mut clean = |text: &mut String| {
        let redacted = redact(text);
        count += redacted.count;
        if let Cow::Owned(clean) = redacted.text {
            *text = clean;
        }
    };
    request.system.iter_mut().for_each(&mut clean);
    for message in &mut request.messages {
        match message {
            Message::User(blocks) => {
                for block in blocks {
                    match block {
                        UserBlock::Text(text) => clean(text),
                        UserBlock::ToolResult(result) => {
                            marked += secrets::count_marks(&result.text);
                            clean(&mut result.text);
                        }
                    }
                }
            }
            Message::Assistant(blocks) => {
                for block in blocks {
                    match block {
                        AssistantBlock::Text(text) => clean(text),
                        AssistantBlock::ToolCall(call) => call.arguments.each_text(&mut clean),
                        AssistantBlock::Opaque(_) => {}
                    }
                }
            }
        }
    }
    count + marked
}
