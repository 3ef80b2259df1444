//! What is asked of the planner, and what it may know.

use serde::{Deserialize, Serialize};

use super::card::{Changes, CommitCard};
use super::rollup::TrajectoryMeta;

/// The most inspirations.
pub const MOST_INSPIRATIONS: usize = 10;
const GOAL: usize = 512;
const LIST: usize = 20;
const ITEM: usize = 200;
const HINT: usize = 256;

/// What somebody wants, in their own words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wish {
    /// What should be better afterwards.
    pub goal: String,
    /// What must hold.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// When it is done.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// Something about this iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration_hint: Option<String>,
    /// Whether nothing has been tried yet, so that far-away ideas are welcome.
    #[serde(default)]
    pub cold_start: bool,
}

/// Why a wish cannot be planned for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadWish {
    /// There is no goal.
    #[error("the goal is empty")]
    NoGoal,
    /// A text is too long.
    #[error("{what} has {length} characters; at most {most} are taken")]
    TooLong {
        /// Which one.
        what: &'static str,
        /// How long it is.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// There are too many.
    #[error("there are {count} {what}; at most {most} are taken")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// How many there may be.
        most: usize,
    },
}

impl Wish {
    /// The wish without blanks around its texts, if it is within its bounds.
    pub fn checked(&self) -> Result<Self, BadWish> {
        let text = |what: &'static str, text: &str, most: usize| {
            let text = text.trim();
            let length = text.chars().count();
            if length <= most { Ok(text.to_owned()) } else { Err(BadWish::TooLong { what, length, most }) }
        };
        let list = |what: &'static str, of: &'static str, items: &[String]| {
            let items: Vec<&String> = items.iter().filter(|item| !item.trim().is_empty()).collect();
            if LIST < items.len() {
                return Err(BadWish::TooMany { what, count: items.len(), most: LIST });
            }
            items.into_iter().map(|item| text(of, item, ITEM)).collect::<Result<Vec<_>, _>>()
        };
        let goal = text("the goal", &self.goal, GOAL)?;
        if goal.is_empty() {
            return Err(BadWish::NoGoal);
        }
        let hint = self.iteration_hint.as_deref().map(|hint| text("the hint", hint, HINT)).transpose()?;
        Ok(Self {
            goal,
            constraints: list("constraints", "a constraint", &self.constraints)?,
            acceptance_criteria: list(
                "acceptance criteria",
                "an acceptance criterion",
                &self.acceptance_criteria,
            )?,
            iteration_hint: hint.filter(|hint| !hint.is_empty()),
            cold_start: self.cold_start,
        })
    }
}

/// A commit, with all that is told about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommitContext {
    /// The revision as somebody named it.
    pub revision: String,
    /// What it is.
    pub card: CommitCard,
    /// How it came about, line by line. None for the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trajectory: Vec<String>,
    /// The same in numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory_meta: Option<TrajectoryMeta>,
    /// How its files differ from those of the base. None for the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Changes>,
}

/// All that a planner gets.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanningRequest {
    /// Where to start.
    pub base: CommitContext,
    /// Where to look for ideas.
    pub inspirations: Vec<CommitContext>,
    /// What is wanted.
    pub wish: Wish,
    /// What was tried near the base, and what came of it, newest first.
    pub lessons: Vec<String>,
}

impl PlanningRequest {
    /// The names of all metrics, the base's first.
    pub fn metric_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for metric in
            std::iter::once(&self.base).chain(&self.inspirations).flat_map(|context| &context.card.metrics)
        {
            if !names.contains(&metric.name) {
                names.push(metric.name.clone());
            }
        }
        names
    }

    /// What remains when nothing has been tried yet: the base without its results, and no inspirations.
    pub fn as_cold_start(mut self) -> Self {
        if self.wish.cold_start {
            self.base.card.highlights.clear();
            self.base.card.metrics.clear();
            self.base.card.evaluation_summary = None;
            self.inspirations.clear();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_has_a_goal_and_is_not_endless() {
        let wish = Wish {
            goal: " faster ".to_owned(),
            constraints: vec!["a ".to_owned(), " ".to_owned()],
            ..Wish::default()
        };
        let checked = wish.checked().unwrap();
        assert_eq!((checked.goal.as_str(), checked.constraints), ("faster", vec!["a".to_owned()]));
        assert_eq!(Wish::default().checked(), Err(BadWish::NoGoal));
        let words = |wish: &Wish| wish.checked().unwrap_err().to_string();
        assert_eq!(
            words(&Wish { goal: "x".repeat(513), ..wish.clone() }),
            "the goal has 513 characters; at most 512 are taken"
        );
        assert_eq!(
            words(&Wish { constraints: vec!["x".to_owned(); 21], ..wish.clone() }),
            "there are 21 constraints; at most 20 are taken"
        );
        assert_eq!(
            words(&Wish { acceptance_criteria: vec!["x".repeat(201)], ..wish }),
            "an acceptance criterion has 201 characters; at most 200 are taken"
        );
    }
}
