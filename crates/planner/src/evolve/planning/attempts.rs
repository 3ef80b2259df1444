//! What was asked and answered, for whoever looks for a mistake.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use luminos_models::{Error as ModelError, Listener, Message, Model, Reply, Request, UserBlock, redact};
use luminos_store::{Evolution, Shelf};
use serde::Serialize;

use super::{Asking, Effort, Gathered, PlanningPlan, mode_word};
use crate::evolve::prompt::PROMPT_VERSION;

/// A model whose calls are remembered. Clones remember together.
#[derive(Debug, Clone)]
pub(super) struct Recorder<M> {
    model: M,
    heard: Arc<Mutex<Vec<Heard>>>,
}

/// One call.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    request: Request,
    output: Result<String, String>,
    input_tokens: u64,
    output_tokens: u64,
    seconds: f64,
}

impl<M> Recorder<M> {
    pub(super) fn new(model: M) -> Self {
        Self { model, heard: Arc::default() }
    }

    pub(super) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<M: Model> Model for Recorder<M> {
    fn id(&self) -> &str {
        self.model.id()
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, ModelError> {
        let started = Instant::now();
        let result = self.model.stream(request, listener).await;
        let usage = result.as_ref().ok().and_then(|reply| reply.usage).unwrap_or_default();
        let heard = Heard {
            request: request.clone(),
            output: result.as_ref().map(Reply::text).map_err(ToString::to_string),
            input_tokens: usage.prompt().0,
            output_tokens: usage.output.0,
            seconds: super::rounded(started),
        };
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(heard);
        result
    }
}

/// What all calls took together.
pub(super) fn effort(heard: &[Heard]) -> Effort {
    Effort {
        calls: u32::try_from(heard.len()).unwrap_or(u32::MAX),
        input_tokens: heard.iter().map(|call| call.input_tokens).sum(),
        output_tokens: heard.iter().map(|call| call.output_tokens).sum(),
        ..Effort::default()
    }
}

#[derive(Serialize)]
struct Attempt<'a> {
    at: i64,
    call: usize,
    calls: usize,
    status: &'static str,
    error: Option<String>,
    model: &'a str,
    command: Option<&'a str>,
    mode: &'static str,
    prompt_version: u32,
    repository: String,
    base: &'a str,
    goal: &'a str,
    prompt: String,
    output: Option<String>,
    /// The plan that came of all calls, with the last one.
    plan: Option<&'a PlanningPlan>,
    seconds: f64,
    input_tokens: u64,
    output_tokens: u64,
    /// What all calls cost, with the last one.
    cost: Option<String>,
}

/// Keeps every call. What cannot be kept is only missed by whoever looks for a mistake.
pub(super) fn keep(
    heard: &[Heard],
    plan: Option<&PlanningPlan>,
    asking: &Asking,
    gathered: &Gathered,
    store: &Evolution,
    now: i64,
    cost: Option<String>,
) {
    let base = &gathered.request.base.card.commit_hash;
    for (at, call) in heard.iter().enumerate() {
        let is_last = at + 1 == heard.len();
        let attempt = Attempt {
            at: now,
            call: at + 1,
            calls: heard.len(),
            status: if call.output.is_ok() { "ok" } else { "error" },
            error: call.output.as_ref().err().map(|error| redact(error).text.into_owned()),
            model: &asking.model_name,
            command: asking.command.as_deref(),
            mode: mode_word(asking.mode),
            prompt_version: PROMPT_VERSION,
            repository: crate::evolve::git::shown_place(&gathered.repo),
            base: base.as_str(),
            goal: &gathered.request.wish.goal,
            prompt: redact(&prompt_text(&call.request)).text.into_owned(),
            output: call.output.as_ref().ok().map(|text| redact(text).text.into_owned()),
            plan: plan.filter(|_| is_last),
            seconds: call.seconds,
            input_tokens: call.input_tokens,
            output_tokens: call.output_tokens,
            cost: cost.clone().filter(|_| is_last),
        };
        let name = format!("{now}-{:016x}-{}-{at}", asking.chance, base.short());
        let _ = store.put(Shelf::Attempts, &name, &attempt);
    }
}

fn prompt_text(request: &Request) -> String {
    let mut parts = request.system.clone();
    for message in &request.messages {
        match message {
            Message::User(blocks) => parts.extend(blocks.iter().filter_map(|block| match block {
                UserBlock::Text(text) => Some(text.clone()),
                UserBlock::ToolResult(_) => None,
            })),
            Message::Assistant(_) => parts.push("(the answer before)".to_owned()),
        }
    }
    parts.join("\n\n")
}
