//! The passes around the directories: survey, plan, revision, grouping, synthesis.
//!
//! Each is a short conversation with nothing but its own tools. None of them reads a file of the target. They may fail:
//! whoever runs them goes on without.

use luminos_core::Fence;
use luminos_core::flag::Flag;
use luminos_core::job::Opening;
use luminos_core::talk::ToolCall;
use luminos_core::whole::Whole;
use luminos_tools::{Effect, Outcome, Session, Submission};

use crate::conversation::{Conversation, Deed, End, Hands, Limits};
use crate::prompt::{Nudges, Template, fence};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

mod group;
mod judge;
mod plan;
mod revise;
mod survey;
mod synthesis;
#[cfg(test)]
mod tests;

pub use group::group;
pub use judge::{Cited, Opinion, cited, doubt, opinion};
pub use plan::plan;
pub use revise::revise;
pub use survey::survey;
pub use synthesis::{mechanical, synthesise};

/// How long an answer may be, in tokens.
const MAX_OUTPUT: u32 = 8_192;

/// The marks around what comes from the target.
fn fence_of(whole: &Whole<'_>) -> Fence {
    fence(whole.nonce)
}

/// A pass, ready to be held.
struct Pass {
    words: Template,
    task: String,
    submit: &'static str,
    turns: u32,
    context_budget: u64,
}

/// What a pass gave, and the flags that were raised on the way.
struct Given {
    submission: Result<Submission, EndReason>,
    flags: Vec<Flag>,
}

/// Holds a pass.
fn hold(pass: Pass, session: &mut Session, fence: &Fence, answers: &impl Answers) -> Given {
    let opening = Opening {
        system: vec![pass.words.text(), fence.explanation()],
        tools: session.specs(),
        max_output: MAX_OUTPUT,
    };
    let limits = Limits { turns: pass.turns, used: 0, context_budget: pass.context_budget };
    let nudges = Nudges { submit: pass.submit };
    let mut conversation = Conversation::new(answers, nudges, opening, pass.task, limits);
    let mut hands = PassHands { session, flags: Vec::new(), lost: Vec::new() };
    let submission = match conversation.run(&mut hands) {
        End::Submitted(submission) => Ok(submission),
        End::Ended(reason) => Err(reason),
    };
    if !hands.lost.is_empty() {
        answers.tell_lost(&hands.lost);
    }
    Given { submission, flags: hands.flags }
}

/// What a pass does with calls.
struct PassHands<'a> {
    session: &'a mut Session,
    flags: Vec<Flag>,
    lost: Vec<String>,
}

impl Hands for PassHands<'_> {
    type Submission = Submission;

    fn begin_turn(&mut self, _: u32) {
        self.session.begin_turn();
    }

    fn call(&mut self, call: &ToolCall) -> Deed<Submission> {
        match self.session.call(call) {
            Outcome::Submit { submission, corrections } => {
                let words = corrections.words();
                self.lost = corrections.lost;
                Deed::Submitted { submission, corrections: words }
            }
            Outcome::Result { text, failed, effects, .. } => {
                for effect in effects {
                    match effect {
                        Effect::Flag(flag) => self.flags.push(flag),
                        Effect::Entry(_)
                        | Effect::Leftover(_)
                        | Effect::RequestTurns { .. }
                        | Effect::Checkpoint { .. } => {}
                    }
                }
                Deed::Result { text, failed, more_turns: 0 }
            }
        }
    }

    fn remember(&mut self, _: &ToolCall) {}
}
