//! What models are told.
//!
//! The words stand in files under `prompts/`, with `{{name}}` where something goes in; [`prompts_version`] changes with
//! every one of them, so that results made with other words are known for what they are. Everything that comes from the
//! target, or was written by a model that has read the target, goes in between the marks of a [`Fence`].

use std::sync::OnceLock;

use luminos_core::{ContentHash, Fence, Untrusted};
use sha2::{Digest as _, Sha256};

pub(crate) mod dir;
pub(crate) mod overview;
pub(crate) mod results;
#[cfg(test)]
mod tests;

/// One file of words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Template(&'static str);

pub(crate) const DIR: Template = Template(include_str!("../prompts/dir.md"));
pub(crate) const DIR_TASK: Template = Template(include_str!("../prompts/dir-task.md"));
pub(crate) const SURVEY: Template = Template(include_str!("../prompts/survey.md"));
pub(crate) const SURVEY_TASK: Template = Template(include_str!("../prompts/survey-task.md"));
pub(crate) const PLAN: Template = Template(include_str!("../prompts/plan.md"));
pub(crate) const PLAN_TASK: Template = Template(include_str!("../prompts/plan-task.md"));
pub(crate) const REVISE: Template = Template(include_str!("../prompts/revise.md"));
pub(crate) const REVISE_TASK: Template = Template(include_str!("../prompts/revise-task.md"));
pub(crate) const GROUP: Template = Template(include_str!("../prompts/group.md"));
pub(crate) const GROUP_TASK: Template = Template(include_str!("../prompts/group-task.md"));
pub(crate) const SYNTHESIS: Template = Template(include_str!("../prompts/synthesis.md"));
pub(crate) const SYNTHESIS_TASK: Template = Template(include_str!("../prompts/synthesis-task.md"));
pub(crate) const REFINE: Template = Template(include_str!("../prompts/refine.md"));
pub(crate) const JUDGE: Template = Template(include_str!("../prompts/judge.md"));
pub(crate) const JUDGE_TASK: Template = Template(include_str!("../prompts/judge-task.md"));
const NUDGES: &str = include_str!("../prompts/nudges.md");

/// All words, in a fixed order.
const ALL: [&str; 16] = [
    DIR.0,
    DIR_TASK.0,
    SURVEY.0,
    SURVEY_TASK.0,
    PLAN.0,
    PLAN_TASK.0,
    REVISE.0,
    REVISE_TASK.0,
    GROUP.0,
    GROUP_TASK.0,
    SYNTHESIS.0,
    SYNTHESIS_TASK.0,
    REFINE.0,
    JUDGE.0,
    JUDGE_TASK.0,
    NUDGES,
];

/// Stands for all prompts together: entries made with other words do not count as made with these.
pub fn prompts_version() -> ContentHash {
    static VERSION: OnceLock<ContentHash> = OnceLock::new();
    *VERSION.get_or_init(|| {
        let mut hash = Sha256::new();
        for words in ALL {
            hash.update((words.len() as u64).to_le_bytes());
            hash.update(words);
        }
        ContentHash(hash.finalize().into())
    })
}

/// The fence of a run, by the word that its assignments carry.
pub fn fence(nonce: &str) -> Fence {
    let number = u64::from_str_radix(nonce, 16).unwrap_or_else(|_| {
        let hash: [u8; 32] = Sha256::digest(nonce).into();
        hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    });
    Fence::new(number)
}

impl Template {
    /// The words alone.
    pub(crate) fn text(self) -> String {
        self.0.trim_end().to_owned()
    }

    /// The words with something in each gap. What is put in is not searched for gaps.
    pub(crate) fn fill(self, values: &[(&str, &str)]) -> String {
        fill(self.0.trim_end(), values)
    }
}

fn fill(words: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(words.len() * 2);
    let mut rest = words;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            out.push_str("{{");
            rest = after;
            continue;
        };
        out.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Data for a model, between the marks that say so.
pub(crate) fn fenced(text: &str, label: &str, fence: &Fence) -> String {
    Untrusted::new(text.as_bytes()).for_prompt(label, fence)
}

/// A text of at most so many bytes, with a sign where it was cut.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", text[..text.floor_char_boundary(most)].trim_end())
}

/// The words said in the middle of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nudges {
    /// The tool that ends it.
    pub(crate) submit: &'static str,
}

impl Nudges {
    pub(crate) fn silent(self) -> String {
        self.section("silent", &[])
    }

    pub(crate) fn cut_off(self) -> String {
        self.section("cut-off", &[])
    }

    pub(crate) fn few_turns(self) -> String {
        self.section("few-turns", &[])
    }

    pub(crate) fn last_turn(self) -> String {
        self.section("last-turn", &[])
    }

    pub(crate) fn repeating(self, why: &str) -> String {
        self.section("repeating", &[("why", why)])
    }

    pub(crate) fn shortened(self) -> String {
        self.section("shortened", &[])
    }

    pub(crate) fn revise(self, faults: &[String], turns: u32) -> String {
        let faults: Vec<String> = faults.iter().map(|fault| format!("- {}", cut(fault, 600))).collect();
        self.section("revise", &[("faults", &faults.join("\n")), ("turns", &turns.to_string())])
    }

    pub(crate) fn more_turns(self, granted: u32) -> String {
        self.section("more-turns", &[("granted", &granted.to_string())])
    }

    pub(crate) fn no_more_turns(self, why: &str) -> String {
        self.section("no-more-turns", &[("why", why)])
    }

    fn section(self, name: &str, values: &[(&str, &str)]) -> String {
        let sections = NUDGES.split("\n## ").skip(1);
        let named = sections.filter_map(|section| section.split_once('\n'));
        let words = named.filter(|(heading, _)| *heading == name).map(|(_, words)| words.trim()).next();
        let mut values = values.to_vec();
        values.push(("submit", self.submit));
        fill(words.unwrap_or_default(), &values)
    }
}
