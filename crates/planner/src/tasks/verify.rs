//! Verification commands: how whoever does a task knows that it is done.
//!
//! From the strongest: what the task came with, the repository's contract (`.luminos/verify.contract.json`), a model, and
//! what the manifests say about tests. The mode decides which of these are asked. Every command passes the same parser and
//! policy, and a contract that cannot be used is an error with its line, never silence.
//!
//! Not here: asking the model, and running anything.

mod contract;
mod detect;
#[cfg(test)]
mod tests;

use super::command::CommandPolicy;
use super::repo::RepoFacts;
use super::task::{Draft, add_new};
use super::word::words;
pub use contract::{BadContract, Contract};
pub use detect::{detect, e2e_command};

words! {
    /// Where verification commands come from.
    VerifyMode, "a verification mode" {
        /// Tasks keep what they came with.
        Off = "off",
        /// The contract, then the manifests; no model.
        Fallback = "fallback",
        /// The contract alone.
        Contract = "contract",
        /// A model alone.
        Llm = "llm",
        /// The contract, then a model, then the manifests.
        Hybrid = "hybrid",
    }
}

impl VerifyMode {
    /// Whether the contract is read.
    pub fn reads_contract(self) -> bool {
        matches!(self, Self::Fallback | Self::Contract | Self::Hybrid)
    }

    /// Whether a model is asked.
    pub fn asks_model(self) -> bool {
        matches!(self, Self::Llm | Self::Hybrid)
    }

    /// Whether the manifests are looked at.
    pub fn reads_manifests(self) -> bool {
        matches!(self, Self::Fallback | Self::Hybrid)
    }
}

/// How verification commands are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifySettings {
    /// Where they come from.
    pub mode: VerifyMode,
    /// No task gets more than this.
    pub most: usize,
    /// Whether tasks that have commands get more.
    pub augment_nonempty: bool,
    /// Whether tasks of an empty repository get any.
    pub on_uninitialised: bool,
}

impl Default for VerifySettings {
    fn default() -> Self {
        Self { mode: VerifyMode::Hybrid, most: 4, augment_nonempty: false, on_uninitialised: false }
    }
}

/// Where the verification commands of a task can come from.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The repository's contract.
    pub contract: Option<&'a Contract>,
    /// What a model proposes, by the index of the task.
    pub proposed: &'a [Vec<String>],
    /// The repository.
    pub facts: &'a RepoFacts,
    /// What commands may be.
    pub policy: &'a CommandPolicy,
}

/// Which tasks a model should be asked about.
pub fn to_ask(drafts: &[Draft], settings: &VerifySettings, sources: Sources<'_>) -> Vec<usize> {
    if !settings.mode.asks_model() || sources.facts.is_uninitialised() && !settings.on_uninitialised {
        return Vec::new();
    }
    let has_contract = |draft: &Draft| {
        settings.mode.reads_contract()
            && sources.contract.is_some_and(|contract| !contract.commands_for(draft).is_empty())
    };
    let lacks = |draft: &Draft| {
        let (good, _) = sources.policy.sort(&draft.commands);
        good.is_empty() || settings.augment_nonempty
    };
    let wanted = drafts.iter().enumerate().filter(|(_, draft)| lacks(draft) && !has_contract(draft));
    wanted.map(|(index, _)| index).collect()
}

/// Gives each task its verification commands.
pub fn augment(
    drafts: &mut [Draft],
    settings: &VerifySettings,
    sources: Sources<'_>,
    warnings: &mut Vec<String>,
) {
    let is_new = sources.facts.is_uninitialised() && !settings.on_uninitialised;
    if is_new && settings.mode != VerifyMode::Off && !drafts.is_empty() {
        warnings
            .push("the repository is empty: tasks keep the verification commands they came with".to_owned());
    }
    for (index, draft) in drafts.iter_mut().enumerate() {
        let (mut commands, refused) = sources.policy.sort(&draft.commands);
        for (text, why) in refused {
            draft.warnings.push(format!("the command `{text}` is left out: {why}"));
        }
        commands.truncate(settings.most);
        let wants_more =
            (commands.is_empty() || settings.augment_nonempty) && settings.mode != VerifyMode::Off && !is_new;
        let add = |commands: &mut Vec<String>, more: &[String]| {
            let (good, _) = sources.policy.sort(more);
            add_new(commands, good);
            commands.truncate(settings.most);
        };
        if wants_more
            && settings.mode.reads_contract()
            && let Some(contract) = sources.contract
        {
            add(&mut commands, &contract.commands_for(draft));
        }
        if wants_more && commands.is_empty() && settings.mode.asks_model() {
            let proposed = sources.proposed.get(index).map(Vec::as_slice).unwrap_or_default();
            for (text, why) in sources.policy.sort(proposed).1 {
                draft.warnings.push(format!("the proposed command `{text}` is left out: {why}"));
            }
            add(&mut commands, proposed);
        }
        if wants_more && commands.is_empty() && settings.mode.reads_manifests() {
            add(&mut commands, &detect(draft, sources.facts));
        }
        if commands.is_empty() && settings.mode != VerifyMode::Off && !is_new {
            draft
                .warnings
                .push("it has no verification command; say how to check it before it is done".to_owned());
        }
        draft.commands = commands;
    }
}
