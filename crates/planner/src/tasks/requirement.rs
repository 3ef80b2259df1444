//! Requirements: what somebody wants, as Markdown or as free text.
//!
//! Sections are found by their headings, at any level and in any case; lists may be bullets, numbers or tables. What a
//! section says in another form than expected is taken as far as it makes sense, and what cannot be used is told with its
//! line. [`Requirement::missing`] names what nobody wrote, so that it can be asked for.
//!
//! **Guarantee**: text in, requirement out, or one sentence saying why not. No text is lost: `raw` is all of it.

mod headings;
mod inline;
mod markdown;
mod paths;
mod render;
mod risks;
mod section;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::task::Risk;
use super::word::words;
use headings::SectionKind;
use markdown::Document;
use section::{Item, Listing};

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
    /// What a model filled in.
    #[serde(skip)]
    pub filled: Vec<Part>,
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

impl Requirement {
    /// Reads a requirement.
    pub fn parse(text: &str) -> Result<Parsed, NotARequirement> {
        if text.trim().is_empty() {
            return Err(NotARequirement::Empty);
        }
        let document = Document::read(text);
        let mut reading = Reading { document, notes: Vec::new(), warnings: Vec::new() };
        let (goal, opening) = reading.goal().ok_or(NotARequirement::NoGoal)?;
        let background = reading.prose(SectionKind::Background);
        let constraints = reading.list(SectionKind::Constraints, "Constraints");
        let criteria = reading.criteria(&opening);
        let is_synthetic = criteria.is_empty();
        let mut in_scope = reading.list(SectionKind::Scope, "Scope");
        in_scope.extend(reading.list(SectionKind::InScope, "In scope"));
        let out_of_scope = reading.list(SectionKind::OutOfScope, "Out of scope");
        let allowed_paths = paths::read(&reading.document, &mut reading.warnings, &mut reading.notes);
        let has_risks_section = reading.document.section(SectionKind::Risks).is_some();
        let risks = reading.risks();
        let notes = reading.notes(&opening);

        let mut missing = Vec::new();
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
        note(Part::RiskAssessment, risks.is_empty() && !has_risks_section);
        note(Part::Notes, notes.is_empty());

        let requirement = Self {
            acceptance_criteria: if is_synthetic { vec![goal.clone()] } else { criteria },
            goal,
            background,
            constraints,
            in_scope,
            out_of_scope,
            allowed_paths: if allowed_paths.is_empty() { vec!["**".to_owned()] } else { allowed_paths },
            risks,
            notes,
            raw: text.to_owned(),
            filled: Vec::new(),
        };
        requirement.check()?;
        Ok(Parsed { requirement, missing, warnings: reading.warnings })
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
        let document = Document::read(&self.raw);
        [SectionKind::Criteria, SectionKind::Wishes].into_iter().any(|kind| document.section(kind).is_some())
    }

    /// The worst risk that somebody sees.
    pub fn worst_risk(&self) -> Risk {
        self.risks.iter().map(|item| item.impact).max().unwrap_or(Risk::Low)
    }
}

/// A document on its way to a requirement: what no part of it takes goes to the notes.
struct Reading<'t> {
    document: Document<'t>,
    notes: Vec<String>,
    warnings: Vec<String>,
}

/// What stands before all sections, beyond the goal.
struct Opening {
    items: Vec<Item>,
    text: String,
}

impl Reading<'_> {
    fn prose(&self, kind: SectionKind) -> String {
        self.document.section(kind).map(|section| section.prose()).unwrap_or_default()
    }

    /// The items of a section. What is no item is kept as a note.
    fn list(&mut self, kind: SectionKind, name: &str) -> Vec<String> {
        let Some(section) = self.document.section(kind) else { return Vec::new() };
        let Listing { items, rest } = section.listing();
        if !rest.is_empty() {
            self.notes.push(format!("{name}: {rest}"));
        }
        items.into_iter().map(|item| item.text).collect()
    }

    /// What is wanted: the section of that name, else the first paragraph or the title; and what stands there besides.
    fn goal(&self) -> Option<(String, Opening)> {
        let mut opening = self.document.opening();
        let mut goal = self.prose(SectionKind::Goal);
        if goal.is_empty()
            && let Some((text, lines)) = opening.first_paragraph()
        {
            goal = text;
            opening = opening.without(lines);
        }
        // A title says what is wanted if nothing else does.
        let goal = Some(goal).filter(|goal| !goal.is_empty());
        let goal = goal.or_else(|| self.document.title()).or_else(|| self.document.first_paragraph())?;
        Some((goal, Opening { items: opening.listed(), text: opening.prose() }))
    }

    /// What is true when it is done: criteria, else what is required or asked for, else what is listed elsewhere.
    fn criteria(&mut self, opening: &Opening) -> Vec<String> {
        let texts = |items: Vec<Item>| items.into_iter().map(|item| item.text).collect::<Vec<_>>();
        let criteria = self.list(SectionKind::Criteria, "Acceptance criteria");
        if !criteria.is_empty() {
            if let Some(section) = self.document.section(SectionKind::Wishes)
                && let Some(line) = section.lines.first()
                && let prose = section.prose()
                && !prose.is_empty()
            {
                self.warnings.push(format!(
                    "line {}: `{}` is read as context, since the acceptance criteria are listed elsewhere",
                    line.number,
                    inline::plain_text(line.text.trim_matches(['#', ' ']))
                ));
                self.notes.push(format!("### Also asked for\n\n{prose}"));
            }
            return criteria;
        }
        let wishes = self.list(SectionKind::Wishes, "Requirements");
        if !wishes.is_empty() {
            return wishes;
        }
        if self.document.is_free_text() {
            // Free text with a list: the list is what is wanted.
            return texts(self.document.all_items());
        }
        for (unknown, section) in self.document.unknown() {
            let items = section.listed();
            if !items.is_empty() {
                self.warnings.push(format!(
                    "line {}: there is no section of acceptance criteria; the list below `{}` is taken for it",
                    unknown.line, unknown.heading
                ));
                return texts(items);
            }
        }
        texts(opening.items.clone())
    }

    fn risks(&mut self) -> Vec<RiskItem> {
        let section = self.document.section(SectionKind::Risks);
        let risks::Read { risks, rest } = risks::read(section.as_ref(), &mut self.warnings);
        if !rest.is_empty() {
            self.notes.push(format!("Risks: {rest}"));
        }
        risks
    }

    /// The notes, and all that has no other place: text before the sections, and below headings that mean none.
    fn notes(&mut self, opening: &Opening) -> String {
        let mut parts = vec![self.prose(SectionKind::Notes)];
        if !self.document.is_free_text() || opening.items.is_empty() {
            parts.push(opening.text.clone());
        }
        parts.append(&mut self.notes);
        for (unknown, section) in self.document.unknown() {
            let text = section.prose();
            if text.is_empty() {
                continue;
            }
            self.warnings.push(format!(
                "line {}: the heading `{}` is none that is known; what stands below it is read as context",
                unknown.line, unknown.heading
            ));
            parts.push(format!("### {}\n\n{text}", unknown.heading));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n")
    }
}
