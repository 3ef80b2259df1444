//! Makes a plan: tells history, asks a model or none, checks, and writes down what happened.
//!
//! **Guarantees**: all that can be wrong with the question was found before (`gather`). A plan that is not the model's own is
//! marked. Every call of a model leaves a debug document, freed of secrets. If files changed meanwhile, there is no plan.

mod attempts;
mod summaries;
#[cfg(test)]
mod tests;

use std::time::Instant;

use luminos_core::Fence;
use luminos_models::{Answer, Failed, Mode, Model, ask_for_document};
use luminos_store::Evolution;

use super::code::{Code, KnownFiles, Missing, told};
use super::document::{Effort, FORMAT, Inspired, KIND, PlanDocument, Source};
use super::error::{Error, shown};
use super::gather::Gathered;
use super::guard::Fingerprint;
use super::offline;
use super::plan::{Known, PlanSpec, PlanningPlan, problems};
use super::prompt::write_prompt;
use super::rollup::Rollup;
use super::synthesis::synthesise;
use attempts::Recorder;

/// A model that knows what it has cost so far.
pub trait Priced: Model + Clone + 'static {
    /// What all calls so far cost, in US dollars; `None` if a price is not known.
    fn spent(&self) -> Option<String>;
}

/// How a model is asked.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The model's name, as the user wrote it.
    pub model_name: String,
    /// How strictly a document is asked for.
    pub mode: Mode,
    /// How many tokens a prompt may have.
    pub prompt_tokens: u64,
    /// How many tokens an answer may have.
    pub max_output: u32,
    /// A number that nobody can guess.
    pub chance: u64,
    /// How the program is called, if the model is one; what stands in braces differs from call to call.
    pub command: Option<String>,
}

/// Makes a plan with a model.
pub async fn plan_with<M: Priced>(
    mut gathered: Gathered,
    model: &M,
    asking: &Asking,
    store: &Evolution,
    now: i64,
) -> Result<PlanDocument, Error> {
    let started = Instant::now();
    let before = Fingerprint::take(&gathered.repo);
    let recorder = Recorder::new(model.clone());
    tell_history(&mut gathered, &recorder, asking, store).await;
    let facts = gathered.facts();
    let code = facts.as_ref().ok().map(|facts| Code::of(&gathered.repo, &gathered.request, facts));
    let files = KnownFiles::new(facts.as_ref().map(|facts| facts.files.as_slice()).unwrap_or_default());
    let fence = Fence::new(asking.chance);
    let mut prompt =
        write_prompt(&gathered.request, code.as_ref(), asking.mode, asking.prompt_tokens, &fence)?;
    prompt.request.max_output = asking.max_output;
    let spec = PlanSpec::new().map_err(|error| Error::Model(error.to_string()))?;
    let known = Known { metrics: gathered.request.metric_names() };
    let request = &gathered.request;
    let read = |document| {
        let plan = PlanningPlan::read(&document);
        let mut problems = problems(&plan, &known);
        if asking.mode == Mode::Strict {
            problems.extend(files.settle(&mut plan.steps.clone()).iter().map(Missing::problem));
        }
        if problems.is_empty() { Ok(plan) } else { Err(problems) }
    };
    let make_up = |text: &str| synthesise(text, request, asking.mode);
    let answer = ask_for_document(&recorder, &prompt.request, spec.json(), asking.mode, read, make_up).await;
    let heard = recorder.heard();
    let plan = answer.as_ref().ok().map(|answer| &answer.value);
    attempts::keep(&heard, plan, asking, &gathered, store, now, model.spent());
    unchanged(&before, &gathered)?;
    let Answer { mut value, degraded, .. } = answer.map_err(explain)?;
    let mut notes = gathered.notes.clone();
    if let Err(error) = &facts {
        notes.push(format!("The model was told nothing of the code, which could not be read: {error}."));
    }
    let missing = files.settle(&mut value.steps);
    KnownFiles::repair(&mut value.steps, &missing);
    notes.extend(told(&missing));
    if !prompt.account.dropped.is_empty() {
        notes.push(format!(
            "Left out of the prompt, which may have {} tokens: {}.",
            prompt.account.budget,
            prompt.account.dropped.join(", ")
        ));
    }
    let effort = Effort {
        model: asking.model_name.clone(),
        mode: mode_word(asking.mode).to_owned(),
        seconds: rounded(started),
        cost: model.spent(),
        prompt: Some(prompt.account),
        ..attempts::effort(&heard)
    };
    let source = if degraded.is_some() { Source::Synthesised } else { Source::Model };
    let degraded = degraded.map(|degraded| degraded.words());
    Ok(document(&gathered, value, source, degraded, effort, notes, now))
}

/// Makes a plan without a model.
pub fn plan_offline(gathered: &Gathered, now: i64) -> Result<PlanDocument, Error> {
    let started = Instant::now();
    let before = Fingerprint::take(&gathered.repo);
    let plan = offline::plan(&gathered.request, &gathered.facts()?);
    unchanged(&before, gathered)?;
    let effort = Effort {
        model: "offline".to_owned(),
        mode: "none".to_owned(),
        seconds: rounded(started),
        ..Effort::default()
    };
    Ok(document(gathered, plan, Source::Offline, None, effort, gathered.notes.clone(), now))
}

/// The word for a mode.
pub fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Strict => "strict",
        Mode::Lenient => "lenient",
        Mode::None => "none",
    }
}

fn rounded(started: Instant) -> f64 {
    (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
}

fn unchanged(before: &Fingerprint, gathered: &Gathered) -> Result<(), Error> {
    let changed = Fingerprint::take(&gathered.repo).changed_since(before);
    if changed.is_empty() { Ok(()) } else { Err(Error::WorktreeChanged(changed)) }
}

fn explain(failed: Failed) -> Error {
    Error::Model(match failed {
        Failed::Call(error) => match error.hint() {
            Some(hint) => format!("{error} ({hint})"),
            None => error.to_string(),
        },
        Failed::Declined { .. } | Failed::Invalid { .. } => failed.to_string(),
    })
}

/// Writes the trajectories of all inspirations.
async fn tell_history<M: Priced>(
    gathered: &mut Gathered,
    model: &Recorder<M>,
    asking: &Asking,
    store: &Evolution,
) {
    let texts = summaries::all(gathered, model, &asking.model_name, store).await;
    for (at, rollup) in gathered.rollups.iter().enumerate() {
        let Rollup::Path(path) = rollup else { continue };
        let words = |place| gathered.step_words_at(place);
        let summary = |chunk: usize, _: &_| {
            texts.get(at).and_then(|texts| texts.get(chunk)).cloned().unwrap_or_default()
        };
        let lines = path.lines(&gathered.chain, words, summary);
        if let Some(inspiration) = gathered.request.inspirations.get_mut(at) {
            inspiration.trajectory = lines;
        }
    }
}

fn document(
    gathered: &Gathered,
    plan: PlanningPlan,
    source: Source,
    degraded: Option<String>,
    effort: Effort,
    notes: Vec<String>,
    now: i64,
) -> PlanDocument {
    let request = &gathered.request;
    let inspired = request.inspirations.iter().map(|context| Inspired {
        revision: context.revision.clone(),
        commit: context.card.commit_hash.clone(),
        trajectory: context.trajectory_meta.clone(),
    });
    PlanDocument {
        kind: KIND.to_owned(),
        format: FORMAT,
        made_at: now,
        repository: shown(&gathered.repo.place()),
        base: request.base.card.commit_hash.clone(),
        base_metrics: request.base.card.metrics.clone(),
        inspirations: inspired.collect(),
        wish: request.wish.clone(),
        lessons: request.lessons.clone(),
        source,
        degraded,
        plan,
        effort,
        notes,
    }
}
