//! How much room a conversation has left, and how it makes some.
//!
//! What counts is the latest prompt, not the sum over turns: a conversation is sent anew with every turn. When the
//! next prompt would come near the limit, results of earlier turns are replaced by stubs. That breaks what providers
//! have cached of the conversation, so it is done seldom and much at once.

use luminos_core::talk::{AssistantBlock, UserBlock};

/// Bytes of text that make a token, at least: a careful guess, for text that was not measured yet.
const BYTES_PER_TOKEN: u64 = 3;
/// Above this share of the budget, in percent, room is made.
const NEAR: u64 = 85;
/// Keeping the results of the last two turns must bring it below this share.
const COMFORTABLE: u64 = 65;

/// How much room there is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    budget: u64,
    /// Tokens of the latest prompt and its answer, as far as known.
    tokens: u64,
    /// Tokens of the latest prompt alone, as the provider counted them.
    input: u64,
    /// Bytes of tool results by the turn they were called in.
    results: Vec<(u32, u64)>,
    /// Results of this turn and of all before it are stubs.
    compacted: Option<u32>,
}

impl Room {
    pub(crate) fn new(budget: u64) -> Self {
        Self { budget, ..Self::default() }
    }

    /// The provider has counted.
    pub(crate) fn measured(&mut self, input: u64, output: u64) {
        self.input = input;
        self.tokens = input.saturating_add(output);
    }

    /// The model was told something, after a turn.
    pub(crate) fn heard(&mut self, turn: u32, blocks: &[UserBlock]) {
        let results: u64 = blocks.iter().filter_map(result_bytes).sum();
        if 0 < results {
            self.results.push((turn, results));
        }
        self.tokens = self.tokens.saturating_add(bytes(blocks) / BYTES_PER_TOKEN);
    }

    /// The model said something that nobody has counted.
    pub(crate) fn said(&mut self, content: &[AssistantBlock]) {
        let bytes: u64 = content.iter().map(said_bytes).sum();
        self.tokens = self.tokens.saturating_add(bytes / BYTES_PER_TOKEN);
    }

    /// Whether the latest prompt was beyond the budget.
    pub(crate) fn is_exceeded(&self) -> Option<(u64, u64)> {
        (0 < self.budget && self.budget <= self.input).then_some((self.input, self.budget))
    }

    /// Makes room before the next prompt, if it needs some. Returns whether results were taken away.
    pub(crate) fn make(&mut self, used: u32, pending: &[UserBlock]) -> bool {
        let next = self.tokens.saturating_add(bytes(pending) / BYTES_PER_TOKEN);
        let is_near = self.budget.saturating_mul(NEAR) < next.saturating_mul(100);
        if self.budget == 0 || !is_near {
            return false;
        }
        let keep_two = used.saturating_sub(2);
        let left = next.saturating_sub(self.held_through(keep_two) / BYTES_PER_TOKEN);
        let is_enough = left.saturating_mul(100) < self.budget.saturating_mul(COMFORTABLE);
        let through = if is_enough { keep_two } else { used.saturating_sub(1) };
        self.compact(through)
    }

    /// Makes as much room as there is, keeping only the latest results.
    pub(crate) fn make_all(&mut self, used: u32) -> bool {
        self.compact(used.saturating_sub(1))
    }

    /// The last turn whose results are stubs.
    pub(crate) fn compacted(&self) -> Option<u32> {
        self.compacted
    }

    fn compact(&mut self, through: u32) -> bool {
        let freed = self.held_through(through);
        if freed == 0 {
            return false;
        }
        self.results.retain(|(turn, _)| through < *turn);
        self.tokens = self.tokens.saturating_sub(freed / BYTES_PER_TOKEN);
        self.compacted = Some(through);
        true
    }

    fn held_through(&self, through: u32) -> u64 {
        self.results.iter().filter(|(turn, _)| *turn <= through).map(|(_, bytes)| bytes).sum()
    }
}

fn bytes(blocks: &[UserBlock]) -> u64 {
    let text = |block: &UserBlock| match block {
        UserBlock::Text(text) => text.len() as u64,
        UserBlock::ToolResult(result) => result.text.len() as u64,
    };
    blocks.iter().map(text).sum()
}

fn result_bytes(block: &UserBlock) -> Option<u64> {
    match block {
        UserBlock::ToolResult(result) => Some(result.text.len() as u64),
        UserBlock::Text(_) => None,
    }
}

fn said_bytes(block: &AssistantBlock) -> u64 {
    match block {
        AssistantBlock::Text(text) => text.len() as u64,
        AssistantBlock::ToolCall(call) => call.arguments.to_json().len() as u64,
        AssistantBlock::Opaque(block) => block.json.to_string().len() as u64,
    }
}
