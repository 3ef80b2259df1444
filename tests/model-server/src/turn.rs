//! What a model says in one turn, in no interface's words.

use serde_json::{Value, json};

/// One turn of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// What it says and calls, in order.
    pub blocks: Vec<Block>,
    /// Why it ends.
    pub stop: Stop,
    /// What it claims to have cost.
    pub usage: Usage,
}

/// A part of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Words for everybody.
    Text(String),
    /// Words to itself. The messages interface signs them; chat completions send them as reasoning.
    Thinking(String),
    /// A tool call. The arguments are text, so that they can be broken.
    Call {
        /// Made up by the server when there is none.
        id: Option<String>,
        /// The tool.
        name: String,
        /// Its arguments as JSON text.
        arguments: String,
    },
}

/// Why a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The model is done, or waits for the results of its calls.
    Natural,
    /// The limit of output was reached.
    MaxTokens,
    /// A sequence that the client named came up.
    StopSequence,
    /// The model refuses.
    Refusal,
    /// A long turn is interrupted, to be continued with the same content.
    Pause,
    /// The window is full.
    ContextExceeded,
}

/// What is reported as cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Usage {
    /// What was counted.
    #[default]
    True,
    /// Nothing at all.
    Missing,
    /// Zero everywhere.
    Zero,
    /// Numbers below zero.
    Negative,
    /// Numbers at the end of what 64 bits can hold.
    Huge,
    /// A tenth of the truth.
    TooLow,
    /// So many times the truth.
    Times(u64),
    /// Zero at the start of a stream and the truth at its end.
    OnlyAtEnd,
}

impl Usage {
    /// Counts as they are reported; `None` where nothing is said.
    pub(crate) fn report<const N: usize>(self, counts: [u64; N]) -> Option<[Value; N]> {
        match self {
            Usage::True | Usage::OnlyAtEnd => Some(counts.map(Value::from)),
            Usage::Missing => None,
            Usage::Zero => Some(counts.map(|_| Value::from(0))),
            Usage::Negative => Some(counts.map(|_| Value::from(-7))),
            Usage::Huge => Some(counts.map(|_| Value::from(u64::MAX))),
            Usage::TooLow => Some(counts.map(|count| Value::from(count / 10))),
            Usage::Times(times) => Some(counts.map(|count| Value::from(count.saturating_mul(times)))),
        }
    }
}

impl Turn {
    /// Only words.
    pub fn text(text: impl Into<String>) -> Turn {
        Turn::of(vec![Block::Text(text.into())])
    }

    /// One tool call.
    pub fn call(name: &str, arguments: &Value) -> Turn {
        Turn::of(vec![Block::call(name, arguments)])
    }

    /// These blocks, ended naturally.
    pub fn of(blocks: Vec<Block>) -> Turn {
        Turn { blocks, stop: Stop::Natural, usage: Usage::True }
    }

    /// The same with another end.
    #[must_use]
    pub fn stopped(self, stop: Stop) -> Turn {
        Turn { stop, ..self }
    }

    /// Whether it calls a tool.
    pub fn has_calls(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Call { .. }))
    }

    /// Tokens of the whole turn.
    pub fn tokens(&self) -> u64 {
        self.blocks.iter().map(Block::tokens).sum()
    }

    /// The turn as it comes out under a limit: cut in the middle of whatever passes it.
    #[must_use]
    pub fn within(mut self, max_tokens: u64) -> Turn {
        if self.tokens() <= max_tokens {
            return self;
        }
        let mut left = max_tokens;
        let mut blocks = Vec::new();
        for mut block in self.blocks {
            if left == 0 {
                break;
            }
            let room = left;
            left = left.saturating_sub(block.tokens());
            block.truncate(room);
            blocks.push(block);
        }
        self.blocks = blocks;
        self.stop = Stop::MaxTokens;
        self
    }
}

impl Block {
    /// A call whose id the server makes up.
    pub fn call(name: &str, arguments: &Value) -> Block {
        Block::Call { id: None, name: name.to_owned(), arguments: arguments.to_string() }
    }

    /// Tokens of this block.
    pub fn tokens(&self) -> u64 {
        match self {
            Block::Text(text) | Block::Thinking(text) => tokens(text.len()),
            Block::Call { name, arguments, .. } => tokens(name.len()) + tokens(arguments.len()),
        }
    }

    fn truncate(&mut self, room: u64) {
        let (text, room) = match self {
            Block::Text(text) | Block::Thinking(text) => (text, room),
            Block::Call { name, arguments, .. } => (arguments, room.saturating_sub(tokens(name.len()))),
        };
        let mut end = text.len().min((room as usize).saturating_mul(BYTES_PER_TOKEN));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

const BYTES_PER_TOKEN: usize = 4;

/// The measure of everything here: four bytes are a token. Exact, so that tests can compute it themselves.
pub fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

/// Arguments as a value, `{}` when there are none, the text itself when it is not JSON.
pub(crate) fn arguments_value(arguments: &str) -> Value {
    if arguments.is_empty() {
        return json!({});
    }
    serde_json::from_str(arguments).unwrap_or_else(|_| Value::from(arguments))
}

/// Cuts text into pieces of one to five characters, as a model's tokens come.
pub(crate) fn fragments(text: &str) -> Vec<&str> {
    let sizes = [1, 4, 2, 5, 3];
    let mut pieces = Vec::new();
    let mut rest = text;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let end = rest.char_indices().nth(*size).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_cut_where_the_limit_is_passed() {
        let turn = Turn::of(vec![
            Block::Text("12345678".to_owned()),
            Block::call("read", &json!({ "path": "a" })),
            Block::Text("never".to_owned()),
        ]);
        assert_eq!(turn.tokens(), 2 + 1 + 3 + 2);
        assert_eq!(turn.clone().within(8), turn);
        let cut = Block::Call {
            id: None,
            name: "read".to_owned(),
            arguments: r#"{"path""#.chars().take(4).collect(),
        };
        let expected = Turn::of(vec![Block::Text("12345678".to_owned()), cut]).stopped(Stop::MaxTokens);
        assert_eq!(turn.clone().within(4), expected);
        assert_eq!(turn.within(0), Turn::of(vec![]).stopped(Stop::MaxTokens));
    }

    #[test]
    fn fragments_are_the_whole_text_in_small_pieces() {
        let text = r#"{"path":"src/größe.rs","lines":[1,2]}"#;
        assert_eq!(fragments(text).concat(), text);
        assert_eq!(fragments("abcdefgh"), ["a", "bcde", "fg", "h"]);
        assert_eq!(fragments(""), Vec::<&str>::new());
    }
}
