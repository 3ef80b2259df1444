//! Requirements: what somebody wants, as Markdown or as free text.
//!
//! Sections are found by their headings, at any level and in any case; lists may be bullets, numbers or tables. What a
//! section says in another form than expected is taken as far as it makes sense, and what cannot be used is told with its
//! line. [`Requirement::missing`] names what nobody wrote, so that it can be asked for.
//!
//! **Guarantee**: text in, requirement out, or one sentence saying why not. No text is lost: `raw` is all of it.

mod markdown;
mod render;
mod risks;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::glob::plain;
use super::task::{Risk, add_new};
use super::word::words;
use markdown::{Document, Item};

/// A risk that somebody sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RiskItem {
    /// What may happen.
    pub risk: String,
    /// How bad that is.
    pub impact: Risk,
    /// What is done about it.
    pub mitigation: String,
}

/// What somebody wants.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Requirement {
    /// What is wanted.
    pub goal: String,
    /// Why.
    pub background: String,
    /// What must hold on the way.
    pub constraints: Vec<String>,
    /// What is true when it is done.
    pub acceptance_criteria: Vec<String>,
    /// What belongs to it.
    pub in_scope: Vec<String>,
    /// What does not.
    pub out_of_scope: Vec<String>,
    /// What may be changed, as globs.
    pub allowed_paths: Vec<String>,
    /// What may go wrong.
    pub risks: Vec<RiskItem>,
    /// What else was written.
    pub notes: String,
    /// All of the text.
    #[serde(skip)]
    pub raw: String,
}

words! {
    /// A part of a requirement that can be missing.
    Part, "a part of a requirement" {
        /// What is wanted.
        Goal = "goal",
        /// Why.
        Background = "background",
        /// What must hold on the way.
        Constraints = "constraints",
        /// What is true when it is done.
        AcceptanceCriteria = "acceptanceCriteria",
        /// What belongs to it and what does not.
        Scope = "scope",
        /// What may be changed.
        AllowedPaths = "allowedPaths",
        /// What may go wrong.
        RiskAssessment = "riskAssessment",
        /// What else.
        Notes = "notes",
    }
}

/// A requirement that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// What it says, with defaults where it says nothing.
    pub requirement: Requirement,
    /// What it does not say, in the order of the sections.
    pub missing: Vec<Part>,
    /// What could not be used, with its line.
    pub warnings: Vec<String>,
}

/// Why a requirement cannot be planned from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotARequirement {
    /// It says nothing.
    #[error("the requirement is empty")]
    Empty,
    /// It has headings and nothing below them.
    #[error("the requirement says nothing about what is wanted: it has neither a goal nor any text")]
    NoGoal,
    /// It does not say when it is done.
    #[error("the requirement has no acceptance criterion")]
    NoCriterion,
    /// Nothing may be changed.
    #[error("the requirement allows no path to be changed")]
    NoPath,
}

/// Headings that mean a section. The first is the usual one.
const GOAL: &[&str] = &["goal", "goals", "objective", "summary"];
const BACKGROUND: &[&str] = &["background", "context", "motivation", "problem"];
const CONSTRAINTS: &[&str] = &["constraints", "constraint", "non-functional requirements"];
const CRITERIA: &[&str] = &["acceptance criteria", "acceptance criterion", "definition of done", "done when"];
const SCOPE: &[&str] = &["scope"];
const IN_SCOPE: &[&str] = &["in scope", "included"];
const OUT_OF_SCOPE: &[&str] = &["out of scope", "excluded", "non-goals"];
const PATHS: &[&str] = &["allowed paths", "allowed path", "paths"];
const RISKS: &[&str] = &["risk assessment", "risks", "risk"];
const NOTES: &[&str] = &["notes", "note", "remarks"];

impl Requirement {
    /// Reads a requirement.
    pub fn parse(text: &str) -> Result<Parsed, NotARequirement> {
        if text.trim().is_empty() {
            return Err(NotARequirement::Empty);
        }
        let document = Document::read(text);
        let (mut missing, mut warnings) = (Vec::new(), Vec::new());
        let prose =
            |names: &[&str]| document.section(names).map(|section| section.prose()).unwrap_or_default();
        let list = |names: &[&str]| -> Vec<String> {
            let items = document.section(names).map(|section| section.items()).unwrap_or_default();
            items.into_iter().map(|item| item.text).collect()
        };

        let mut goal = prose(GOAL);
        if goal.is_empty() {
            goal = document.first_paragraph().unwrap_or_default();
            if goal.is_empty() {
                // A title alone says what is wanted, if nothing else does.
                goal = document.title().unwrap_or_default();
            }
            if goal.is_empty() {
                return Err(NotARequirement::NoGoal);
            }
        }
        let background = prose(BACKGROUND);
        let constraints = list(CONSTRAINTS);
        let mut criteria = list(CRITERIA);
        if criteria.is_empty() {
            criteria = Some(prose(CRITERIA)).filter(|line| !line.is_empty()).into_iter().collect();
        }
        if criteria.is_empty() && !document.has_sections() {
            // Free text with a list: the list is what is wanted.
            criteria = document.all_items().into_iter().map(|item| item.text).collect();
        }
        let is_synthetic = criteria.is_empty();
        let (in_scope, out_of_scope) = (list(IN_SCOPE), list(OUT_OF_SCOPE));
        let in_scope = if in_scope.is_empty() && out_of_scope.is_empty() { list(SCOPE) } else { in_scope };
        let allowed_paths = allowed_paths(&document, &mut warnings);
        let risks = risks::read(document.section(RISKS).as_ref(), &mut warnings);
        let notes = prose(NOTES);

        let mut note = |part: Part, is_missing: bool| {
            if is_missing {
                missing.push(part);
            }
        };
        note(Part::Background, background.is_empty());
        note(Part::Constraints, constraints.is_empty());
        note(Part::AcceptanceCriteria, is_synthetic);
        note(Part::Scope, in_scope.is_empty() && out_of_scope.is_empty());
        note(Part::AllowedPaths, allowed_paths.is_empty());
        note(Part::RiskAssessment, risks.is_empty() && document.section(RISKS).is_none());
        note(Part::Notes, notes.is_empty());

        if is_synthetic {
            criteria.push(goal.clone());
        }
        let requirement = Self {
            goal,
            background,
            constraints,
            acceptance_criteria: criteria,
            in_scope,
            out_of_scope,
            allowed_paths: if allowed_paths.is_empty() { vec!["**".to_owned()] } else { allowed_paths },
            risks,
            notes,
            raw: text.to_owned(),
        };
        requirement.check()?;
        Ok(Parsed { requirement, missing, warnings })
    }

    /// Whether it can be planned from.
    pub fn check(&self) -> Result<(), NotARequirement> {
        let all_blank = |list: &[String]| list.iter().all(|item| item.trim().is_empty());
        if self.goal.trim().is_empty() {
            return Err(NotARequirement::NoGoal);
        }
        if all_blank(&self.acceptance_criteria) {
            return Err(NotARequirement::NoCriterion);
        }
        if all_blank(&self.allowed_paths) {
            return Err(NotARequirement::NoPath);
        }
        Ok(())
    }

    /// Whether somebody wrote down as such when it is done.
    pub(crate) fn has_criteria_section(&self) -> bool {
        Document::read(&self.raw).section(CRITERIA).is_some()
    }

    /// The worst risk that somebody sees.
    pub fn worst_risk(&self) -> Risk {
        self.risks.iter().map(|item| item.impact).max().unwrap_or(Risk::Low)
    }
}

/// The paths that may be changed: everything in backticks, else what looks like a path in a list.
fn allowed_paths(document: &Document<'_>, warnings: &mut Vec<String>) -> Vec<String> {
    let Some(section) = document.section(PATHS) else { return Vec::new() };
    let mut paths = Vec::new();
    for item in section.lines_with_items() {
        let Item { text, line, is_listed } = item;
        let quoted = markdown::code_spans(&text);
        let words: Vec<String> = if !quoted.is_empty() {
            quoted
        } else if is_listed {
            // A remark behind a dash or in brackets is no path.
            let text = text.split(" — ").next().unwrap_or(&text).split(" (").next().unwrap_or(&text);
            let text = text.split(": ").next().unwrap_or(text);
            let words = text.split([',', ' ', '\t']).map(|word| word.trim_matches(['"', '\'', '.', ';']));
            let words: Vec<&str> = words.filter(|word| !word.is_empty() && *word != "and").collect();
            let is_path = |word: &str| word.contains(['/', '*', '.']);
            match words.as_slice() {
                [word] => vec![(*word).to_owned()],
                words if words.iter().all(|word| is_path(word)) => {
                    words.iter().map(|word| (*word).to_owned()).collect()
                }
                words => words.iter().filter(|word| is_path(word)).map(|word| (*word).to_owned()).collect(),
            }
        } else {
            continue;
        };
        for word in words {
            let word = word.replace("\\*", "*").replace("\\?", "?").replace("\\_", "_");
            match plain(&word) {
                Ok(path) => add_new(&mut paths, [path]),
                Err(why) => {
                    warnings
                        .push(format!("line {line}: the path `{}` is left out: {why}", word.escape_debug()));
                }
            }
        }
    }
    paths
}
