//! Summaries of the chunks of a trajectory: remembered, made by a model, or put together here.
//!
//! A summary is kept under its chunk, its model and the version of the words it was asked with, so that none of them can be
//! taken for another's. One that a model did not make is not kept: it costs nothing.

use luminos_core::{Fence, Untrusted};
use luminos_models::{Model, Pass, Request};
use luminos_store::{Evolution, Shelf};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::task::JoinSet;

use super::{Gathered, Priced, Recorder};
use crate::evolve::clip::{clip, clip_line};
use crate::evolve::prompt::PROMPT_VERSION;
use crate::evolve::rollup::{Chunk, Rollup};

/// How long a summary may be, in characters and in tokens.
const CHARS: usize = 800;
const TOKENS: u32 = 256;
/// How much of how many steps a summary without a model holds.
const STEPS: usize = 8;
const STEP: usize = 160;
/// How much of one step a model gets to read.
const ASKED_STEP: usize = 400;

/// The summaries of all chunks of all inspirations.
pub(super) async fn all<M: Priced>(
    gathered: &Gathered,
    model: &Recorder<M>,
    model_name: &str,
    store: &Evolution,
) -> Vec<Vec<String>> {
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut asked = JoinSet::new();
    for (inspiration, rollup) in gathered.rollups.iter().enumerate() {
        let Rollup::Path(path) = rollup else {
            texts.push(Vec::new());
            continue;
        };
        let mut of_this = Vec::new();
        for (at, chunk) in path.chunks(&gathered.chain).iter().enumerate() {
            let steps: Vec<String> = chunk.steps.iter().map(|&place| gathered.step_words_at(place)).collect();
            let key = key(chunk, model_name);
            let kept = store.get(Shelf::Summaries, &key);
            match kept.as_ref().and_then(|kept| kept["text"].as_str()) {
                Some(text) => of_this.push(text.to_owned()),
                None => {
                    of_this.push(without_model(&steps));
                    let (model, request) = (model.clone(), request(&steps));
                    asked.spawn(async move { (inspiration, at, key, model.complete(&request).await) });
                }
            }
        }
        texts.push(of_this);
    }
    // A call that fails, or says nothing, leaves what was put together here.
    while let Some(answered) = asked.join_next().await {
        let Ok((inspiration, at, key, Ok(reply))) = answered else { continue };
        let text = clip_line(&Untrusted::new(reply.text().as_bytes()).for_lines(), CHARS);
        if text.is_empty() {
            continue;
        }
        let _ = store.put(
            Shelf::Summaries,
            &key,
            &json!({"model": model_name, "prompt_version": PROMPT_VERSION, "text": text}),
        );
        if let Some(place) = texts.get_mut(inspiration).and_then(|texts| texts.get_mut(at)) {
            *place = text;
        }
    }
    texts
}

/// The name of a summary.
fn key(chunk: &Chunk, model: &str) -> String {
    let mut hash = Sha256::new();
    let parts = [
        chunk.start.as_str(),
        chunk.end.as_str(),
        &chunk.steps.len().to_string(),
        model,
        &PROMPT_VERSION.to_string(),
    ];
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What can be said without a model.
fn without_model(steps: &[String]) -> String {
    let lines: Vec<String> = steps.iter().take(STEPS).map(|step| clip_line(step, STEP)).collect();
    clip(&lines.join(" | "), CHARS)
}

fn request(steps: &[String]) -> Request {
    let lines: Vec<String> = steps.iter().map(|step| format!("- {}", clip_line(step, ASKED_STEP))).collect();
    // A commit cannot know the number, as it is made of all of them.
    let digest = Sha256::digest(lines.join("\n"));
    let number = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let fence = Fence::new(number);
    let data = Untrusted::new(lines.join("\n").as_bytes()).for_prompt("commits, oldest first", &fence);
    let question = format!(
        "{data}\n\nSay in at most three plain sentences what these commits change together and why. Name files and numbers where \
         they matter. No list, no heading."
    );
    let mut request = Request::question(Pass::Evolution, question, TOKENS);
    request.system = vec![format!(
        "You summarise a piece of a repository's history for a planner.\n\n{}",
        fence.explanation()
    )];
    request
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::chain::CommitId;

    #[test]
    fn a_summary_belongs_to_its_chunk_model_and_words() {
        let chunk =
            |end: &str| Chunk { start: CommitId::new("a"), end: CommitId::new(end), steps: vec![1, 2] };
        assert_eq!(key(&chunk("b"), "m"), key(&chunk("b"), "m"));
        assert_ne!(key(&chunk("b"), "m"), key(&chunk("b"), "n"));
        assert_ne!(key(&chunk("b"), "m"), key(&chunk("c"), "m"));
        assert_eq!(key(&chunk("b"), "m").len(), 64);
    }

    #[test]
    fn without_a_model_the_first_steps_are_told() {
        let steps: Vec<String> = (0..10).map(|at| format!("step {at} {}", "x".repeat(300))).collect();
        let text = without_model(&steps);
        assert!(text.chars().count() <= CHARS && text.starts_with("step 0 xxx"));
        assert_eq!(without_model(&["a".to_owned(), "b".to_owned()]), "a | b");
    }
}
