//! Tools that touch nothing: a model's notes to itself, and its wish for more turns.

use luminos_core::proof::ToolCallId;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::session::{Done, Effect, Reply, Session};
use crate::toolbox::{Scope, Tool};

/// A thought.
pub(crate) struct Think;

/// What is thought.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thought {
    /// What you have seen, and where.
    #[schemars(length(min = 1, max = 4000))]
    #[expect(dead_code, reason = "a thought counts by having been had: it stays in the conversation")]
    observation: String,
    /// What you make of it.
    #[schemars(length(min = 1, max = 4000))]
    #[expect(dead_code, reason = "as above")]
    hypothesis: String,
    /// What you will look at next to test that.
    #[schemars(length(min = 1, max = 4000))]
    #[expect(dead_code, reason = "as above")]
    next_action: String,
}

impl Tool for Think {
    type Arguments = Thought;
    const NAME: &'static str = "think";
    const ABOUT: &'static str = "Write down a thought before you go on: what you saw, what you make of it, what you \
        will look at next to find out whether you are right. It changes nothing and costs no extra turn when it is \
        called together with other tools. Use it when findings contradict each other or when there are several ways \
        to go on.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine, Scope::Grouping, Scope::Synthesis];

    fn run(_: &mut Session, _: Thought, _: &ToolCallId) -> Reply {
        Ok(Done::text("Noted."))
    }
}

/// An interim result.
pub(crate) struct Checkpoint;

/// What is known so far.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Learned {
    /// What you know so far, with the paths it rests on.
    #[schemars(length(min = 1, max = 4000))]
    learned: String,
    /// What you do not know yet.
    #[schemars(length(max = 4000))]
    still_unknown: String,
    /// What you will do with the turns that are left.
    #[schemars(length(max = 4000))]
    next_phase: String,
}

impl Tool for Checkpoint {
    type Arguments = Learned;
    const NAME: &'static str = "checkpoint";
    const ABOUT: &'static str = "Record an interim result: what you have learned, what is still unknown, what comes \
        next. Results of earlier tool calls may be shortened when the conversation gets long; what you record here \
        stays. Use it about halfway through your turns.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(_: &mut Session, arguments: Learned, _: &ToolCallId) -> Reply {
        let Learned { learned, still_unknown, next_phase } = arguments;
        Ok(Done::text("Recorded.").with(Effect::Checkpoint { learned, still_unknown, next_phase }))
    }
}

/// The wish for more turns.
pub(crate) struct RequestTurns;

/// How many, and what for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// How many turns you need beyond those you have.
    #[schemars(range(min = 1, max = 25))]
    turns: u32,
    /// What you would do with them: name the files you have not seen and why they matter.
    #[schemars(length(min = 1, max = 1000))]
    reason: String,
}

impl Tool for RequestTurns {
    type Arguments = Wish;
    const NAME: &'static str = "request_turns";
    const ABOUT: &'static str = "Ask for more turns for this directory. They come from what other directories gave \
        back, so ask only when important files are still unseen, ask before your last two turns, and for no more than \
        you need. You may get fewer, or none; submit what you have then.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(_: &mut Session, arguments: Wish, _: &ToolCallId) -> Reply {
        let Wish { turns, reason } = arguments;
        let text =
            format!("Asked for {turns} more turns. What is granted will be told with the next message.");
        Ok(Done::text(text).with(Effect::RequestTurns { turns, reason }))
    }
}
