//! A model that plays a script and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use luminos_core::spend::{Tokens, Usage};

use crate::error::{Error, Kind};
use crate::model::Model;
use crate::reply::{Event, Listener, Reply};
use luminos_core::talk::Arguments;
use luminos_core::talk::StopReason;
use luminos_core::talk::{AssistantBlock, Request, ToolCall};

/// Plays a fixed script, one line for each call.
#[derive(Debug, Default)]
pub struct Scripted {
    lines: Mutex<VecDeque<Line>>,
    asked: Mutex<Vec<Request>>,
}

/// What happens at one call.
#[derive(Debug)]
pub enum Line {
    /// This answer comes.
    Reply(Reply),
    /// It fails.
    Fail(Error),
    /// Nothing comes, ever.
    Hang,
}

impl Scripted {
    /// A model that answers with these texts.
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(texts.into_iter().map(|text| Line::Reply(Reply::of_text(text))))
    }

    /// A model that does this.
    pub fn new(lines: impl IntoIterator<Item = Line>) -> Self {
        Self { lines: Mutex::new(lines.into_iter().collect()), asked: Mutex::default() }
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Request> {
        locked(&self.asked).clone()
    }

    /// How many lines of the script are left.
    pub fn lines_left(&self) -> usize {
        locked(&self.lines).len()
    }
}

/// Nothing here can be left half done, so a lock that somebody died with is as good as any.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reply {
    /// An answer of text alone, with a usage that is made up from its length.
    pub fn of_text(text: impl Into<String>) -> Self {
        let text = text.into();
        let usage =
            Usage { input: Tokens(10), output: Tokens(text.len() as u64 / 4 + 1), ..Usage::default() };
        Self {
            content: vec![AssistantBlock::Text(text)],
            stop: StopReason::EndTurn,
            usage: Some(usage),
            notes: Vec::new(),
            request_id: None,
            signals: Default::default(),
        }
    }

    /// An answer that wants one tool called, with arguments as a model would write them.
    pub fn of_tool_call(id: &str, name: &str, arguments: &str) -> Self {
        let arguments = Arguments::parse(arguments);
        let call = ToolCall { id: id.to_owned(), name: name.to_owned(), arguments };
        Self { content: vec![AssistantBlock::ToolCall(call)], stop: StopReason::ToolUse, ..Self::of_text("") }
    }

    /// Tells a listener what it would have heard while the answer came.
    pub(crate) fn tell(&self, listener: &mut Listener<'_>) {
        listener(Event::Started);
        self.tell_content(listener);
    }

    /// The same to one who heard the start.
    pub(crate) fn tell_content(&self, listener: &mut Listener<'_>) {
        for block in &self.content {
            match block {
                AssistantBlock::Text(text) => listener(Event::Text(text)),
                AssistantBlock::ToolCall(call) => listener(Event::ToolCall { name: &call.name }),
                AssistantBlock::Opaque(_) => {}
            }
        }
    }
}

impl Model for Scripted {
    fn id(&self) -> &str {
        "scripted"
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        let number = {
            let mut asked = locked(&self.asked);
            asked.push(request.clone());
            asked.len()
        };
        let line = locked(&self.lines).pop_front();
        match line {
            Some(Line::Reply(reply)) => {
                reply.tell(listener);
                Ok(reply)
            }
            Some(Line::Fail(error)) => Err(error),
            Some(Line::Hang) => std::future::pending().await,
            None => {
                Err(Error::new(Kind::ScriptEnded, "the script").message(format!("this is call {number}")))
            }
        }
    }
}
