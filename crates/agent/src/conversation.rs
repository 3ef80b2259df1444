//! One conversation with a model: ask, do what it calls for, ask again, until it submits or cannot go on.
//!
//! This is the only loop there is: directories and all other passes use it, with different hands. It knows turns,
//! the context budget, nudges and the ways in which an answer can end; what a call does is the hands' business.
//!
//! **Always holds:** no more turns are asked for than there are; every call of a turn gets one result; given the same
//! answers the same questions are asked. Nothing a model says can make it fail.

use std::collections::BTreeMap;

use luminos_core::job::{Ask, Opening, Said};
use luminos_core::talk::{AssistantBlock, Message, StopReason, ToolCall, ToolResult, UserBlock};

use crate::prompt::Nudges;
use crate::repetition::{Repetition, Verdict};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

mod room;

use room::Room;

/// So many pauses of the provider in a row are patience; more are a fault.
const MOST_PAUSES: u32 = 3;
/// With so many turns left the model is told.
const FEW_TURNS: u32 = 2;

/// What a call leads to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Deed<S> {
    /// Something to read.
    Result {
        /// The words.
        text: String,
        /// Whether the call failed.
        failed: bool,
        /// How many turns the conversation gains by it.
        more_turns: u32,
    },
    /// What the conversation was held for.
    Submitted {
        /// It.
        submission: S,
        /// What had to be corrected before it could be read, in words; empty where that was nothing.
        corrections: String,
    },
}

/// Whoever carries out what a model calls for.
pub(crate) trait Hands {
    /// What the conversation is held for.
    type Submission;

    /// Tells that a new turn's calls follow.
    fn begin_turn(&mut self, turn: u32);

    /// Carries out a call.
    fn call(&mut self, call: &ToolCall) -> Deed<Self::Submission>;

    /// Takes note of a call that was carried out before this life began: nobody needs to hear of it again.
    fn remember(&mut self, call: &ToolCall);

    /// Takes note of the last words of a model that submitted nothing.
    fn last_words(&mut self, _: &str) {}

    /// Whether a tool hands in what the conversation is held for.
    fn is_submission(&self, tool: &str) -> bool {
        tool.starts_with("submit_") || tool == "revise_plan"
    }

    /// Whether a tool hands over something that is not to be lost.
    fn is_note(&self, tool: &str) -> bool {
        matches!(tool, "write_cache" | "flag" | "checkpoint") || self.is_submission(tool)
    }

    /// Whether a tool only notes something.
    fn is_thought(&self, tool: &str) -> bool {
        matches!(tool, "think" | "checkpoint")
    }
}

/// How a conversation ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End<S> {
    /// With a submission.
    Submitted(S),
    /// Without.
    Ended(EndReason),
}

/// How much a conversation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Turns in all.
    pub(crate) turns: u32,
    /// Those used already.
    pub(crate) used: u32,
    /// Tokens that a prompt may have; 0 for no limit.
    pub(crate) context_budget: u64,
}

/// A conversation.
pub(crate) struct Conversation<'a, A> {
    answers: &'a A,
    nudges: Nudges,
    opening: Option<Opening>,
    pending: Vec<UserBlock>,
    /// Whether `pending` was asked in an earlier life already: asked again, it must be the same.
    is_asked: bool,
    /// What the model said last in an earlier life, and nobody has acted on yet.
    unanswered: Option<Vec<AssistantBlock>>,
    turns: u32,
    used: u32,
    room: Room,
    repetition: Repetition,
    pauses: u32,
    has_overflowed: bool,
}

impl<'a, A: Answers> Conversation<'a, A> {
    /// A new conversation, opened with a first message.
    pub(crate) fn new(
        answers: &'a A,
        nudges: Nudges,
        opening: Opening,
        first: String,
        limits: Limits,
    ) -> Self {
        Self {
            answers,
            nudges,
            opening: Some(opening),
            pending: vec![UserBlock::Text(first)],
            is_asked: false,
            unanswered: None,
            turns: limits.turns,
            used: limits.used,
            room: Room::new(limits.context_budget),
            repetition: Repetition::default(),
            pauses: 0,
            has_overflowed: false,
        }
    }

    /// Takes up a conversation where another life left it. Without an answer in its history it begins anew: the
    /// first question is asked again, and paid once.
    pub(crate) fn take_up<H: Hands>(&mut self, history: &[Message], hands: &mut H) {
        let said = |message: &Message| matches!(message, Message::Assistant(_));
        let Some(last_said) = history.iter().rposition(said) else { return };
        self.opening = None;
        self.pending.clear();
        let mut turn = 0;
        for (place, message) in history.iter().enumerate() {
            match message {
                Message::User(blocks) if last_said < place => self.pending.extend(blocks.iter().cloned()),
                Message::User(blocks) => self.room.heard(turn, blocks),
                Message::Assistant(content) => {
                    turn += 1;
                    self.room.said(content);
                    let is_unanswered = place == last_said && place + 1 == history.len();
                    if is_unanswered {
                        self.unanswered = Some(content.clone());
                    } else {
                        let calls = calls_of(content);
                        let _ = self.repetition.turn(&calls, |tool| hands.is_thought(tool));
                        calls.into_iter().for_each(|call| hands.remember(call));
                    }
                }
            }
        }
        self.used = self.used.max(turn);
        self.is_asked = !self.pending.is_empty();
    }

    /// Says something to the model with the next turn.
    pub(crate) fn say(&mut self, text: String) {
        self.pending.push(UserBlock::Text(text));
    }

    /// Sets how many turns there are from here on.
    pub(crate) fn grant(&mut self, turns: u32) {
        self.turns = self.used.saturating_add(turns);
    }

    /// Goes on until something is submitted or the conversation cannot go on. After a submission it can be called
    /// again: the results of that turn are still to be sent.
    pub(crate) fn run<H: Hands>(&mut self, hands: &mut H) -> End<H::Submission> {
        if let Some(content) = self.unanswered.take() {
            let is_call = |block: &AssistantBlock| matches!(block, AssistantBlock::ToolCall(_));
            let stop = if content.iter().any(is_call) { StopReason::ToolUse } else { StopReason::EndTurn };
            if let Some(end) = self.act(&content, &stop, hands) {
                return end;
            }
        }
        loop {
            if self.answers.is_stopped() {
                return End::Ended(EndReason::Stopped);
            }
            if self.turns <= self.used {
                return End::Ended(EndReason::OutOfTurns);
            }
            let ask = self.next_ask();
            let said = match self.answers.turn(ask) {
                Ok(said) => said,
                Err(no_turn) => return End::Ended(no_turn.into()),
            };
            self.used += 1;
            let Said { content, stop, usage } = said;
            self.room.measured(usage.prompt().0, usage.output.0);
            if let Some(end) = self.act(&content, &stop, hands) {
                return end;
            }
        }
    }

    fn next_ask(&mut self) -> Ask {
        if !std::mem::take(&mut self.is_asked) {
            self.add_reminders();
        }
        self.room.heard(self.used, &self.pending);
        Ask {
            turn: self.used + 1,
            opening: self.opening.take(),
            new: std::mem::take(&mut self.pending),
            compact_before: self.room.compacted(),
        }
    }

    fn add_reminders(&mut self) {
        let left = self.turns - self.used;
        // After a pause the model is in the middle of its words: nothing may come between.
        if self.pauses == 0 && left <= FEW_TURNS {
            let text = if left == 1 { self.nudges.last_turn() } else { self.nudges.few_turns() };
            self.pending.push(UserBlock::Text(text));
        }
        if self.room.make(self.used, &self.pending) {
            self.repetition.forget_calls();
            self.pending.push(UserBlock::Text(self.nudges.shortened()));
        }
    }

    /// Does what an answer calls for. Something comes back when that was the end.
    fn act<H: Hands>(
        &mut self,
        content: &[AssistantBlock],
        stop: &StopReason,
        hands: &mut H,
    ) -> Option<End<H::Submission>> {
        let calls = calls_of(content);
        let submission = self.carry_out(&calls, hands);
        if let Some(submission) = submission {
            return Some(End::Submitted(submission));
        }
        if self.turns <= self.used && calls.is_empty() {
            hands.last_words(&text_of(content));
        }
        let was_paused = std::mem::take(&mut self.pauses);
        match stop {
            StopReason::Refusal { category } => {
                let category = category.clone().unwrap_or_else(|| "no reason given".to_owned());
                return Some(End::Ended(EndReason::Refused(category)));
            }
            StopReason::WindowFull if !self.has_overflowed && self.room.make_all(self.used) => {
                self.has_overflowed = true;
                self.repetition.forget_calls();
                self.say(self.nudges.shortened());
                return None;
            }
            StopReason::WindowFull => return Some(End::Ended(EndReason::WindowFull)),
            StopReason::Paused if calls.is_empty() && was_paused < MOST_PAUSES => {
                self.pauses = was_paused + 1;
                return None;
            }
            StopReason::MaxOutput => self.say(self.nudges.cut_off()),
            StopReason::EndTurn
            | StopReason::ToolUse
            | StopReason::StopSequence
            | StopReason::Paused
            | StopReason::Other(_) => {}
        }
        if let Some((input, budget)) = self.room.is_exceeded() {
            return Some(End::Ended(EndReason::ContextBudget { input, budget }));
        }
        match self.repetition.turn(&calls, |tool| hands.is_thought(tool)) {
            Verdict::Stop(why) => return Some(End::Ended(EndReason::Repeating(why))),
            Verdict::Nudge(why) => self.say(self.nudges.repeating(&why)),
            Verdict::Fine if calls.is_empty() => self.say(self.nudges.silent()),
            Verdict::Fine => {}
        }
        None
    }

    /// Carries out the calls of a turn: submissions last, wherever they stand, so that nothing beside one is lost. The
    /// first submission counts.
    fn carry_out<H: Hands>(&mut self, calls: &[&ToolCall], hands: &mut H) -> Option<H::Submission> {
        let mut submission = None;
        let mut results: BTreeMap<usize, ToolResult> = BTreeMap::new();
        hands.begin_turn(self.used);
        let mut order: Vec<(usize, &ToolCall)> = calls.iter().copied().enumerate().collect();
        order.sort_by_key(|(_, call)| hands.is_submission(&call.name));
        for (place, call) in order {
            // An answer that was paid for may hold notes. They are kept even when nothing else is done any more.
            if self.answers.is_stopped() && !hands.is_note(&call.name) {
                continue;
            }
            let deed = hands.call(call);
            let (text, failed) = match deed {
                Deed::Submitted { submission: submitted, corrections } => {
                    submission = submission.or(Some(submitted));
                    (format!("It was received.{corrections}"), false)
                }
                Deed::Result { text, failed, more_turns } => {
                    self.turns = self.turns.saturating_add(more_turns);
                    (text, failed)
                }
            };
            // Two results for one id would make the whole conversation invalid.
            if results.values().all(|result| result.call_id != call.id) {
                results.insert(place, ToolResult { call_id: call.id.clone(), text, failed });
            }
        }
        self.pending.extend(results.into_values().map(UserBlock::ToolResult));
        submission
    }
}

fn text_of(content: &[AssistantBlock]) -> String {
    let mut texts = Vec::new();
    for block in content {
        match block {
            AssistantBlock::Text(text) => texts.push(text.trim()),
            AssistantBlock::ToolCall(_) | AssistantBlock::Opaque(_) => {}
        }
    }
    texts.join("\n\n")
}

fn calls_of(content: &[AssistantBlock]) -> Vec<&ToolCall> {
    let mut calls = Vec::new();
    for block in content {
        match block {
            AssistantBlock::ToolCall(call) => calls.push(call),
            AssistantBlock::Text(_) | AssistantBlock::Opaque(_) => {}
        }
    }
    calls
}
