//! What an answer is booked at, whatever the provider says it used.
//!
//! A provider may say nothing, or something that cannot be. What is plainly too low, or missing, is replaced
//! by our own guess from above, which never passes what was reserved; what is reported counts, however high it is.

use luminos_core::spend::{Charge, Tokens, Usage};

use crate::aftermath::Sent;
use crate::estimate::estimate_text;
use crate::prices::Models;
use crate::reply::Reply;
use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

/// No tokenizer puts more bytes than this into one token, over a whole text.
const BYTES_PER_TOKEN_AT_MOST: u64 = 32;

/// What an answer is booked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Booked {
    /// The usage that counts.
    pub usage: Usage,
    /// What it costs.
    pub charge: Charge,
    /// What was wrong with what the provider said.
    pub doubt: Option<UsageDoubt>,
}

/// What is wrong with what a provider says about usage. A report shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageDoubt {
    /// It said nothing.
    Missing,
    /// It said less than the text can have.
    TooLow,
}

impl Models {
    /// What an answer is booked at.
    pub fn book(&self, id: &str, request: &Request, sent: Sent, reply: &Reply) -> Booked {
        let guess = || Usage {
            input: sent.input,
            output: estimate_output(reply).min(sent.max_output),
            ..Usage::default()
        };
        let (usage, doubt) = match reply.usage {
            None => (guess(), Some(UsageDoubt::Missing)),
            Some(usage) if is_too_low(&usage, request, reply) => (guess(), Some(UsageDoubt::TooLow)),
            Some(usage) => (usage, None),
        };
        Booked { usage, charge: self.charge(id, &usage), doubt }
    }
}

fn is_too_low(usage: &Usage, request: &Request, reply: &Reply) -> bool {
    let least = |bytes: u64| Tokens(bytes.div_ceil(BYTES_PER_TOKEN_AT_MOST));
    usage.prompt() < least(input_bytes(request)) || usage.output < least(output_bytes(reply))
}

fn estimate_output(reply: &Reply) -> Tokens {
    let tokens = reply.content.iter().map(|block| match block {
        AssistantBlock::Text(text) => estimate_text(text),
        AssistantBlock::ToolCall(call) => {
            estimate_text(&call.name) + estimate_text(&call.arguments.to_json()) + Tokens(16)
        }
        AssistantBlock::Opaque(block) => estimate_text(&block.json.to_string()),
    });
    tokens.sum()
}

fn output_bytes(reply: &Reply) -> u64 {
    let texts = reply.content.iter().map(|block| match block {
        AssistantBlock::Text(text) => text.len(),
        AssistantBlock::ToolCall(_) | AssistantBlock::Opaque(_) => 0,
    });
    texts.sum::<usize>() as u64
}

fn input_bytes(request: &Request) -> u64 {
    let told = request.messages.iter().flat_map(|message| match message {
        Message::User(blocks) => blocks.as_slice(),
        // What the model said before may have been left out by the provider, as thinking is.
        Message::Assistant(_) => &[],
    });
    let messages = told.map(|block| match block {
        UserBlock::Text(text) => text.len(),
        UserBlock::ToolResult(result) => result.text.len(),
    });
    let bytes: usize = request.system.iter().map(String::len).chain(messages).sum();
    bytes as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::estimate_input;
    use luminos_core::talk::Pass;

    fn booked(usage: Option<Usage>) -> Booked {
        let request = Request::question(Pass::Ask, "word ".repeat(1000), 500);
        let reply = Reply { usage, ..Reply::of_text("answer ".repeat(100)) };
        let sent =
            Sent { input: estimate_input(&request), max_output: Tokens(500), received: Tokens::default() };
        Models::read(None).unwrap().book("claude-sonnet-5-5", &request, sent, &reply)
    }

    fn usage(input: u64, output: u64) -> Option<Usage> {
        Some(Usage { input: Tokens(input), output: Tokens(output), ..Usage::default() })
    }

    #[test]
    fn what_a_provider_says_counts_if_it_can_be() {
        let booked = booked(usage(1001, 101));
        assert_eq!((Some(booked.usage), booked.doubt), (usage(1001, 101), None));
        assert_eq!(booked.charge.tokens, Tokens(1102));
    }

    #[test]
    fn nothing_or_too_little_is_replaced_by_a_guess_from_above() {
        for (said, doubt) in [
            (None, UsageDoubt::Missing),
            (usage(0, 0), UsageDoubt::TooLow),
            (usage(1001, 1), UsageDoubt::TooLow),
            (usage(7, 101), UsageDoubt::TooLow),
        ] {
            let booked = booked(said);
            assert_eq!(booked.doubt, Some(doubt), "{said:?}");
            assert!(1000 <= booked.usage.input.0 && 100 <= booked.usage.output.0, "{booked:?}");
            assert!(booked.charge.money.is_some());
        }
    }

    #[test]
    fn a_prompt_read_from_the_cache_is_no_reason_for_doubt() {
        let cached =
            Usage { cache_read: Tokens(1000), input: Tokens(1), output: Tokens(101), ..Usage::default() };
        assert_eq!(booked(Some(cached)).doubt, None);
    }
}
