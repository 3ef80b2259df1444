//! Who gets how many turns, and in which order.
//!
//! A `Plan` is what a planner said; [`apply_plan`] turns it into a `Schedule` for the directories that there are.
//! Whatever the plan says, the schedule is sound: turns lie in their bounds, the root is looked at, names that fit
//! no directory become warnings.
//!
//! Not here: when a directory may start (`ready`), and who has how many turns left (`turns`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::RelPath;

mod apply;
mod dirs;
mod scale;
#[cfg(test)]
mod tests;

pub use apply::{Allocation, PlanWarning, Schedule, apply_plan, apply_revision};
pub use dirs::Dirs;
pub use scale::LeftOut;

/// A number of model turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Turns(pub u32);

impl Turns {
    /// No directory gets more than this, whatever it asks for.
    pub const MOST: Self = Self(25);
    /// What a directory gets that no plan names.
    pub const DEFAULT: Self = Self(10);
    /// What a directory gets that deserves a glance.
    pub const SHALLOW: Self = Self(5);
    /// What a priority directory gets when the plan does not say.
    pub const PRIORITY: Self = Self(15);
    /// With fewer a loop cannot read something and report.
    pub const LEAST: Self = Self(2);

    /// What a planner suggests for a priority directory, within bounds; the usual where it suggests nothing.
    pub fn suggested(turns: Option<f64>) -> Self {
        match turns {
            Some(turns) if turns.is_finite() => {
                Self(turns.round().clamp(1.0, f64::from(Self::MOST.0)) as u32)
            }
            Some(_) | None => Self::PRIORITY,
        }
    }
}

/// How much a directory deserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Complex, central.
    Priority,
    /// Anything else.
    Default,
    /// Few files, fixtures, assets, documents only.
    Shallow,
    /// Build output, caches, vendored, generated.
    Skip,
}

impl Tier {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Priority => "priority",
            Self::Default => "default",
            Self::Shallow => "shallow",
            Self::Skip => "skip",
        }
    }
}

/// Which of the directories that may start is taken first. Children come before parents in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The one with the longest way still to go.
    #[default]
    LeafFirst,
    /// The one that matters most.
    PriorityFirst,
}

/// A directory that a plan names for more turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriorityDir {
    /// As the planner wrote it.
    pub path: String,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// How many turns, within bounds.
    pub suggested_turns: Turns,
}

/// A directory that a plan names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedDir {
    /// As the planner wrote it.
    pub path: String,
    /// Why.
    #[serde(default)]
    pub reason: String,
}

/// What a planner said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Plan {
    /// Complex, central directories.
    #[serde(default)]
    pub priority_dirs: Vec<PriorityDir>,
    /// Directories that deserve a glance.
    #[serde(default)]
    pub shallow_dirs: Vec<NamedDir>,
    /// Directories to leave out.
    #[serde(default)]
    pub skip_dirs: Vec<NamedDir>,
    /// Which directory is taken first.
    #[serde(default)]
    pub investigation_order: Order,
    /// Anything the loops should know.
    #[serde(default)]
    pub notes: String,
}

impl Plan {
    /// No plan names more directories than this; what comes after is ignored.
    pub const MOST_NAMES: usize = 10_000;

    /// Keeps the directories whose paths are wanted, in all tiers.
    pub fn retain_named(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.priority_dirs.retain(|dir| is_wanted(&dir.path));
        self.shallow_dirs.retain(|dir| is_wanted(&dir.path));
        self.skip_dirs.retain(|dir| is_wanted(&dir.path));
    }

    /// What a model submitted. Anything that makes no sense is left out: a plan is advice.
    pub fn from_arguments(arguments: &Map<String, Value>) -> Self {
        let named = |name: &str| -> Vec<(NamedDir, Option<f64>)> {
            let items = arguments.get(name).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(named_dir).take(Self::MOST_NAMES).collect()
        };
        let plain = |name: &str| named(name).into_iter().map(|(dir, _)| dir).collect();
        let priority = |(dir, turns): (NamedDir, Option<f64>)| PriorityDir {
            path: dir.path,
            reason: dir.reason,
            suggested_turns: Turns::suggested(turns),
        };
        let order = arguments.get("investigation_order").and_then(Value::as_str);
        Self {
            priority_dirs: named("priority_dirs").into_iter().map(priority).collect(),
            shallow_dirs: plain("shallow_dirs"),
            skip_dirs: plain("skip_dirs"),
            investigation_order: match order {
                Some("priority-first") => Order::PriorityFirst,
                Some(_) | None => Order::LeafFirst,
            },
            notes: arguments.get("notes").and_then(Value::as_str).unwrap_or_default().to_owned(),
        }
    }
}

/// A named directory, as an object or as a path alone, and the turns that go with it.
fn named_dir(item: &Value) -> Option<(NamedDir, Option<f64>)> {
    if let Some(path) = item.as_str() {
        return Some((NamedDir { path: path.to_owned(), reason: String::new() }, None));
    }
    let path = item.get("path")?.as_str()?.to_owned();
    let reason = item.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some((NamedDir { path, reason }, item.get("suggested_turns").and_then(Value::as_f64)))
}

/// A directory that has not started and goes to another tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// As the planner wrote it.
    pub path: String,
    /// Where it goes.
    pub tier: Tier,
    /// How many turns, for a priority directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Turns>,
    /// Why.
    #[serde(default)]
    pub reason: String,
}

/// A change of plan in the middle of an investigation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Revision {
    /// Who goes where.
    #[serde(default)]
    pub moves: Vec<Move>,
    /// Why at all.
    #[serde(default)]
    pub reason: String,
}

impl Revision {
    /// What a model submitted.
    pub fn from_arguments(arguments: &Map<String, Value>) -> Self {
        let items = arguments.get("moves").and_then(Value::as_array).into_iter().flatten();
        let moves = items.filter_map(|item| {
            let (NamedDir { path, reason }, _) = named_dir(item)?;
            let tier = match item.get("tier")?.as_str()? {
                "priority" => Tier::Priority,
                "default" => Tier::Default,
                "shallow" => Tier::Shallow,
                "skip" => Tier::Skip,
                _ => return None,
            };
            let turns = item.get("turns").or_else(|| item.get("suggested_turns")).and_then(Value::as_f64);
            let turns = (tier == Tier::Priority).then(|| Turns::suggested(turns));
            Some(Move { path, tier, turns, reason })
        });
        let reason = arguments.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { moves: moves.take(Plan::MOST_NAMES).collect(), reason }
    }
}

/// The path that a planner meant: `./x`, `x/` and `x` are the same, and the root is `.`, `/` or nothing.
fn meant(path: &str) -> Option<RelPath> {
    if path.starts_with("hex:") {
        return RelPath::from_word(path);
    }
    let parts = path.trim().split('/').filter(|part| !part.is_empty() && *part != ".");
    Some(RelPath::from(parts.collect::<Vec<_>>().join("/").as_str()))
}
