//! The repository's own word on how changes are verified.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::tasks::command::CommandPolicy;
use crate::tasks::glob::{Glob, plain};
use crate::tasks::recovery::line_of;
use crate::tasks::task::{Draft, Role, add_new};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct RawContract {
    commands: Vec<String>,
    by_role: BTreeMap<String, Vec<String>>,
    rules: Vec<RawRule>,
    #[serde(rename = "visualProbes")]
    _visual_probes: Option<IgnoredAny>,
    #[serde(rename = "$schema")]
    _schema: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct RawRule {
    when_changed_any: Vec<String>,
    when_changed_all: Vec<String>,
    commands: Vec<String>,
}

/// What a repository wants to have run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contract {
    commands: Vec<String>,
    by_role: Vec<(Role, Vec<String>)>,
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    any: Vec<Glob>,
    all: Vec<Glob>,
    commands: Vec<String>,
}

/// Why a contract cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadContract {
    /// It is not the JSON it should be.
    #[error("it is not a contract: {0}")]
    Json(String),
    /// Something in it makes no sense.
    #[error("line {line}: {why}")]
    Content {
        /// Where, counted from 1.
        line: usize,
        /// What.
        why: String,
    },
}

impl Contract {
    /// Reads a contract. Every fault has its line.
    pub fn read(json: &str, policy: &CommandPolicy) -> Result<Self, BadContract> {
        let raw: RawContract =
            serde_json::from_str(json).map_err(|error| BadContract::Json(error.to_string()))?;
        let bad = |text: &str, why: String| BadContract::Content { line: line_of(json, text), why };
        let checked = |commands: Vec<String>| -> Result<Vec<String>, BadContract> {
            for text in &commands {
                policy
                    .check(text)
                    .map_err(|why| bad(text, format!("the command `{text}` cannot be run: {why}")))?;
            }
            Ok(commands.iter().map(|text| text.trim().to_owned()).collect())
        };
        let globs = |texts: Vec<String>| -> Result<Vec<Glob>, BadContract> {
            let read =
                |text: &String| Glob::new(text).map_err(|why| bad(text, format!("the path `{text}`: {why}")));
            texts.iter().map(read).collect()
        };
        let mut contract = Self { commands: checked(raw.commands)?, ..Self::default() };
        for (word, commands) in raw.by_role {
            let role = word.parse().map_err(|why: crate::tasks::NotAWord| bad(&word, why.to_string()))?;
            contract.by_role.push((role, checked(commands)?));
        }
        for rule in raw.rules {
            contract.rules.push(Rule {
                any: globs(rule.when_changed_any)?,
                all: globs(rule.when_changed_all)?,
                commands: checked(rule.commands)?,
            });
        }
        Ok(contract)
    }

    /// The commands for a task: those for all, those of its role, then those of the rules that fit, in order.
    pub fn commands_for(&self, draft: &Draft) -> Vec<String> {
        let mut commands = self.commands.clone();
        let of_role = self.by_role.iter().filter(|(role, _)| *role == draft.role);
        add_new(&mut commands, of_role.flat_map(|(_, commands)| commands.iter().cloned()));
        let paths = draft.context.files.iter().chain(&draft.touches).chain(&draft.allowed_paths);
        let paths: Vec<Glob> =
            paths.filter_map(|path| plain(path).ok()).filter_map(|path| Glob::new(&path).ok()).collect();
        let touches = |glob: &Glob| paths.iter().any(|path| path.overlaps(glob));
        let fits = |rule: &&Rule| {
            (rule.any.is_empty() || rule.any.iter().any(touches)) && rule.all.iter().all(touches)
        };
        add_new(&mut commands, self.rules.iter().filter(fits).flat_map(|rule| rule.commands.iter().cloned()));
        commands
    }
}
