//! What an investigation is: its target, what shapes it, how far it got.

use std::collections::BTreeMap;

use luminos_core::ContentHash;
use luminos_core::entry::Stamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{InvestigationId, Target};

/// How far an investigation got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It runs, or did when its daemon died.
    Running,
    /// It waits for something that somebody must do.
    Paused {
        /// What for.
        reason: String,
    },
    /// Everything was done.
    Done,
    /// There is a report, but something was left out.
    Partial,
    /// There is none.
    Failed,
    /// Somebody has stopped it.
    Cancelled,
}

/// What an investigation has used, all its runs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Calls of a model.
    #[serde(default)]
    pub calls: u64,
    /// Tokens, input and output together.
    #[serde(default)]
    pub tokens: u64,
    /// Money, in billionths of a US dollar.
    #[serde(default)]
    pub nanodollars: u64,
    /// Tokens that were reserved for calls whose process died: nobody knows whether they were used.
    #[serde(default)]
    pub lost_tokens: u64,
    /// The same in money.
    #[serde(default)]
    pub lost_nanodollars: u64,
    /// Turns of loops.
    #[serde(default)]
    pub turns: u64,
}

/// How much of what a report rests on there was when a run ended. Ledgers and conversations only grow, so less than this
/// means that something was lost.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RestsOn {
    /// The documents of the passes that there were.
    #[serde(default)]
    pub documents: Vec<String>,
    /// Directories with an entry.
    #[serde(default)]
    pub entries: u64,
    /// Lines in the journal of turns.
    #[serde(default)]
    pub budget: u64,
    /// Lines in the journal of what calls cost.
    #[serde(default)]
    pub spend: u64,
    /// Lines in all transcripts together.
    #[serde(default)]
    pub turns: u64,
    /// Lines in the copy of the report's flags; `None` where an older program did not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<u64>,
}

/// What an investigation is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Its name.
    pub id: InvestigationId,
    /// What is investigated.
    pub target: Target,
    /// The same, for people.
    #[serde(default)]
    pub display: String,
    /// What shapes the results: settings, versions of prompts and tools.
    #[serde(default)]
    pub parameters: Value,
    /// Their hash.
    pub parameters_hash: ContentHash,
    /// The model of each pass.
    #[serde(default)]
    pub models: BTreeMap<String, String>,
    /// When it began.
    pub started: Stamp,
    /// When its last run ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Stamp>,
    /// How far it got.
    pub state: State,
    /// Why its last run failed, or came to an end only in part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What it has used.
    #[serde(default)]
    pub counters: Counters,
    /// What its report was made from, if that was all there is: the content of the target and the parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<(ContentHash, ContentHash)>,
    /// What its report rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<RestsOn>,
    /// What it had used before its last run began.
    #[serde(default)]
    pub before: Counters,
    /// The daemon's life that wrote this.
    #[serde(default)]
    pub epoch: u64,
    /// The word that fences what prompts quote from the target. A run that goes on must go on with the same one.
    #[serde(default)]
    pub nonce: String,
}

impl Meta {
    /// A new investigation, with a name that nothing else has.
    pub fn fresh(target: Target, parameters: Value, started: Stamp, epoch: u64) -> Self {
        Self {
            id: InvestigationId::fresh(),
            display: target.for_terminal(),
            target,
            parameters_hash: parameters_hash(&parameters),
            parameters,
            models: BTreeMap::new(),
            started,
            ended: None,
            state: State::Running,
            reasons: Vec::new(),
            counters: Counters::default(),
            complete: None,
            rests_on: None,
            before: Counters::default(),
            epoch,
            nonce: String::new(),
        }
    }
}

/// The hash of parameters. The order of names in them does not matter.
pub fn parameters_hash(parameters: &Value) -> ContentHash {
    let mut sorted = parameters.clone();
    sorted.sort_all_objects();
    ContentHash(Sha256::digest(sorted.to_string().as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_order_of_parameters_does_not_matter_but_their_values_do() {
        let hash = parameters_hash(&json!({"a": 1, "b": {"x": 1, "y": [1, 2]}}));
        assert_eq!(hash, parameters_hash(&json!({"b": {"y": [1, 2], "x": 1}, "a": 1})));
        assert_ne!(hash, parameters_hash(&json!({"b": {"y": [2, 1], "x": 1}, "a": 1})));
    }
}
