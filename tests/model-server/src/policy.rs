//! A small mind that can play a whole investigation: from a conversation to the next turn, and nothing else.
//!
//! It looks at the tools on offer to know which pass it is in, and at the calls made so far to know how far
//! it has come. It remembers nothing: the same conversation always gives the same turn, through both interfaces.
//! What it quotes as evidence stands in results that it was really given.

mod directory;
mod evidence;
mod listing;
mod orders;
mod passes;
mod prompted;
mod readings;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::Value;

use crate::conversation::Conversation;
use crate::schema;
use crate::turn::{Block, Turn};

/// How the mind behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Turns for a directory, the one that submits included.
    pub turns: usize,
    /// Files read in one turn.
    pub reads_per_turn: usize,
    /// How long it takes for a turn.
    pub latency: Duration,
    /// What it does about orders that stand in what it reads.
    pub obedience: Obedience,
    /// Whether it ever comes to an end.
    pub submits: Submits,
    /// Whether its evidence is true.
    pub honesty: Honesty,
    /// What it says beside its calls.
    pub manner: Manner,
    /// How many turns more it asks for in each directory; 0 for none.
    pub asks_for_turns: u64,
}

/// What it does about orders that stand in what it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obedience {
    /// It flags them.
    Flags,
    /// It carries them out, as far as its tools go, and tells the result in its report.
    Obeys,
}

/// Whether it ever comes to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submits {
    /// When its turns are used up, or when it is told to.
    InTime,
    /// Only when it is told to.
    WhenTold,
    /// Never: it goes on calling tools, or talking where there is nothing else to call.
    Never,
}

/// Whether its evidence is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Honesty {
    /// It quotes what it read.
    Quotes,
    /// It makes quotes up.
    Invents,
}

/// What it says beside its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Nothing.
    Terse,
    /// A sentence first.
    Talks,
    /// A thought first.
    Thinks,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            turns: 4,
            reads_per_turn: 3,
            latency: Duration::ZERO,
            obedience: Obedience::Flags,
            submits: Submits::InTime,
            honesty: Honesty::Quotes,
            manner: Manner::Terse,
            asks_for_turns: 0,
        }
    }
}

/// A call before it is fitted to the tool's schema.
pub(crate) type Call = (&'static str, Value);

impl Policy {
    /// What it says next.
    pub fn next(&self, asked: &Conversation) -> Turn {
        if let Some(read) = prompted::read(asked) {
            return prompted::write(self.next(&read));
        }
        if asked.tools.is_empty() {
            return self.without_tools(asked);
        }
        let calls = if asked.offers("submit_survey") {
            self.one_submit(asked, "submit_survey", passes::survey(asked))
        } else if asked.offers("submit_plan") {
            self.one_submit(asked, "submit_plan", passes::plan(self, asked))
        } else if asked.offers("revise_plan") {
            self.one_submit(asked, "revise_plan", passes::plan(self, asked))
        } else if asked.offers("submit_grouping") {
            self.one_submit(asked, "submit_grouping", passes::grouping(asked))
        } else if asked.offers("submit_report") && asked.offers("read_file") {
            directory::next(self, asked)
        } else if asked.offers("submit_report") {
            passes::synthesis(self, asked)
        } else {
            return self.stranger(asked);
        };
        self.turn(asked, calls)
    }

    fn one_submit(&self, asked: &Conversation, tool: &'static str, arguments: Value) -> Vec<Call> {
        let waits = match self.submits {
            Submits::InTime => false,
            Submits::WhenTold => !is_told_to_submit(asked),
            Submits::Never => true,
        };
        if waits { Vec::new() } else { vec![(tool, arguments)] }
    }

    /// Tools that it knows nothing about: it calls the first, with the smallest arguments.
    fn stranger(&self, asked: &Conversation) -> Turn {
        let submit = asked.tools.iter().find(|tool| tool.name.starts_with("submit"));
        match submit.or(asked.tools.first()) {
            Some(tool) if asked.turns() == 0 || submit.is_some() => {
                Turn::call(&tool.name, &schema::smallest(&tool.schema))
            }
            _ => Turn::text("I have seen enough."),
        }
    }

    fn without_tools(&self, asked: &Conversation) -> Turn {
        if let Some(schema) = &asked.output {
            return Turn::text(schema::smallest(schema).to_string());
        }
        let words = asked.last_words();
        let first: String = words.lines().next().unwrap_or_default().chars().take(80).collect();
        Turn::text(format!("You wrote {} bytes, beginning with: {first}", words.len()))
    }

    fn turn(&self, asked: &Conversation, calls: Vec<Call>) -> Turn {
        let calls: Vec<Block> = calls
            .into_iter()
            .filter_map(|(name, arguments)| {
                Some(Block::call(name, &schema::fit(arguments, asked.schema(name)?)))
            })
            .collect();
        if calls.is_empty() {
            return Turn::text("I am still thinking about it.");
        }
        let first = match self.manner {
            Manner::Terse => None,
            Manner::Talks => Some(Block::Text("Let me see.".to_owned())),
            Manner::Thinks => Some(Block::Thinking(format!("This is turn {}.", asked.turns() + 1))),
        };
        Turn::of(first.into_iter().chain(calls).collect())
    }
}

/// Whether the last message asks for an end: it names a tool that submits, or says that two turns are left or
/// fewer.
fn is_told_to_submit(asked: &Conversation) -> bool {
    let words = asked.last_words().to_lowercase();
    let names_tool = 0 < asked.turns() && words.contains("submit_");
    let few_left = words.match_indices("left").any(|(at, _)| {
        let before: Vec<&str> = words[..at].split_whitespace().rev().take(2).collect();
        matches!(before.as_slice(), ["turn" | "turns", "1" | "2" | "one" | "two"])
    });
    names_tool || few_left
}
