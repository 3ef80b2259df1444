//! What the server knows about the models it serves: limits and rules that requests are held to.

/// A model and its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFacts {
    /// Its id.
    pub id: String,
    /// The most tokens of a prompt.
    pub window: u64,
    /// The most tokens of an answer.
    pub max_output: u64,
    /// Shorter prefixes are silently not cached.
    pub min_cached: u64,
    /// How it deals with thinking.
    pub thinking: ThinkingRule,
    /// Whether a client may say which tool must be called.
    pub forced_choice: Allowed,
    /// Whether sampling parameters other than the defaults may be sent.
    pub sampling: Allowed,
    /// Whether the last message may be the beginning of the answer.
    pub prefill: Allowed,
}

/// Whether something may be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// It may.
    Yes,
    /// A request with it is refused.
    No,
}

/// What may be said about thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingRule {
    /// Always on; neither `enabled` nor `disabled` is understood. Blocks are bound to what stands before them.
    Always,
    /// Adaptive; `between_tools` turns it off. Blocks are bound to what stands before them.
    BetweenTools,
    /// `adaptive` or `disabled`.
    Adaptive,
    /// `enabled` with a budget, or `disabled`.
    Budget,
}

impl ThinkingRule {
    /// Whether a thinking block is refused when the messages before it have changed.
    pub fn binds_blocks(self) -> bool {
        match self {
            ThinkingRule::Always | ThinkingRule::BetweenTools => true,
            ThinkingRule::Adaptive | ThinkingRule::Budget => false,
        }
    }
}

impl ModelFacts {
    /// A model without restrictions, for interfaces that have few.
    pub fn plain(id: &str, window: u64, max_output: u64) -> ModelFacts {
        ModelFacts {
            id: id.to_owned(),
            window,
            max_output,
            min_cached: 1024,
            thinking: ThinkingRule::Budget,
            forced_choice: Allowed::Yes,
            sampling: Allowed::Yes,
            prefill: Allowed::Yes,
        }
    }
}

/// The models of the messages interface that are known without being told.
pub(crate) fn anthropic_models() -> Vec<ModelFacts> {
    use Allowed::{No, Yes};
    use ThinkingRule::{Adaptive, Always, BetweenTools, Budget};
    let rows = [
        ("claude-fable-5-1", 1_000_000, 128_000, 512, Always, No, No, No),
        ("claude-opus-5-5", 1_000_000, 128_000, 512, Always, No, No, No),
        ("claude-sonnet-5-5", 1_000_000, 128_000, 512, BetweenTools, No, No, No),
        ("claude-haiku-5-5", 1_000_000, 128_000, 512, Adaptive, Yes, No, No),
        ("claude-opus-5", 1_000_000, 128_000, 512, Adaptive, Yes, No, No),
        ("claude-sonnet-5", 1_000_000, 128_000, 1024, Adaptive, Yes, No, No),
        ("claude-opus-4-8", 1_000_000, 128_000, 1024, Adaptive, Yes, No, Yes),
        ("claude-opus-4-7", 1_000_000, 128_000, 2048, Adaptive, Yes, No, Yes),
        ("claude-opus-4-6", 1_000_000, 128_000, 4096, Budget, Yes, Yes, Yes),
        ("claude-sonnet-4-6", 1_000_000, 128_000, 1024, Budget, Yes, Yes, Yes),
        ("claude-haiku-4-5", 200_000, 64_000, 4096, Budget, Yes, Yes, Yes),
    ];
    let models = rows.into_iter().map(
        |(id, window, max_output, min_cached, thinking, forced_choice, sampling, prefill)| ModelFacts {
            id: id.to_owned(),
            window,
            max_output,
            min_cached,
            thinking,
            forced_choice,
            sampling,
            prefill,
        },
    );
    models.collect()
}

/// The models of chat completions that are known without being told.
pub(crate) fn openai_models() -> Vec<ModelFacts> {
    vec![
        ModelFacts::plain("local-small", 32_768, 8_192),
        ModelFacts::plain("gpt-reasoning", 400_000, 128_000),
    ]
}
