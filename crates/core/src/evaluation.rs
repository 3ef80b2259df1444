//! What came of a plan: turns against results, directory by directory.
//!
//! Read by people, by the planner in the middle of a run, and by later runs as experience.

use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::entry::{DirEntry, Share, Stamp};
use crate::experience::Features;
use crate::plan::{Order, Tier, Turns};
use crate::spend::{Money, Tokens};
use crate::turns::Account;

/// What came of one directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DirEvaluation {
    /// The directory.
    pub dir: RelPath,
    /// What the plan thought of it.
    pub planned_tier: Tier,
    /// What the plan gave it.
    pub turns_allocated: Turns,
    /// What it used.
    pub turns_used: Turns,
    /// What it borrowed on top.
    pub turns_borrowed: Turns,
    /// What it gave back.
    pub turns_returned: Turns,
    /// Used of what it had, borrowed turns included.
    pub utilization: Share,
    /// How complete the model says its look was.
    pub completeness: Option<Share>,
    /// How complete it really was.
    pub coverage: Share,
    /// How sure the model is.
    pub confidence: Option<Share>,
    /// How many of its claims hold, of how many.
    pub verified_claims: (u64, u64),
    /// Tokens that its calls used.
    pub tokens: Tokens,
    /// What they cost; `None` if a price is not known.
    pub cost: Option<Money>,
    /// Why it tells only a part, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_reason: Option<String>,
    /// What was known of it before: what makes it like others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<Features>,
}

impl DirEvaluation {
    /// What came of a directory.
    pub fn new(
        tier: Tier,
        account: Account,
        entry: &DirEntry,
        features: Features,
        (tokens, cost): (Tokens, Option<Money>),
    ) -> Self {
        let had = account.allocated.0 + account.borrowed.0;
        Self {
            dir: entry.relative_path.clone(),
            planned_tier: tier,
            turns_allocated: account.allocated,
            turns_used: account.used,
            turns_borrowed: account.borrowed,
            turns_returned: account.returned,
            utilization: utilization(account.used.0.into(), had.into()),
            completeness: entry.completeness,
            coverage: entry.coverage.share(),
            confidence: entry.confidence,
            verified_claims: entry.verified_claims(),
            tokens,
            cost,
            partial_reason: entry.partial_reason.clone(),
            features: Some(features),
        }
    }
}

/// With two decimals; 0 when nothing was allocated.
fn utilization(used: u64, had: u64) -> Share {
    if had == 0 { Share::NONE } else { Share::of(used, had).rounded() }
}

/// What came of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The order that was planned.
    pub plan_order: Order,
    /// How many directories were looked at.
    pub total_dirs_investigated: u64,
    /// What the plan gave them together.
    pub total_turns_allocated: Turns,
    /// What they used together.
    pub total_turns_used: Turns,
    /// Used of what was allocated.
    pub overall_utilization: Share,
    /// Each directory, by path.
    pub per_directory: Vec<DirEvaluation>,
    /// When this was written.
    pub evaluated_at: Stamp,
}

impl Evaluation {
    /// Sums up what came of the directories.
    pub fn new(order: Order, mut per_directory: Vec<DirEvaluation>, at: Stamp) -> Self {
        per_directory.sort_by(|a, b| a.dir.cmp(&b.dir));
        let sum =
            |turns: fn(&DirEvaluation) -> Turns| Turns(per_directory.iter().map(|dir| turns(dir).0).sum());
        let (allocated, used) = (sum(|dir| dir.turns_allocated), sum(|dir| dir.turns_used));
        Self {
            plan_order: order,
            total_dirs_investigated: per_directory.len() as u64,
            total_turns_allocated: allocated,
            total_turns_used: used,
            overall_utilization: utilization(used.0.into(), allocated.0.into()),
            per_directory,
            evaluated_at: at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Coverage, ENTRY_FORMAT};
    use crate::scan::Category;

    fn entry(path: &str) -> DirEntry {
        DirEntry {
            partial_end: None,
            opening: None,
            facts: Vec::new(),
            format: ENTRY_FORMAT,
            path: format!("/t/{path}"),
            relative_path: RelPath::from(path),
            child_count: 1,
            summary: String::new(),
            dominant_category: Category::Source,
            cached_at: Stamp::default(),
            notable_files: Vec::new(),
            confidence: None,
            confidence_reason: None,
            completeness: Share::new(0.9),
            coverage: Coverage { files: 2, files_seen: 1, bytes: 10, bytes_seen: 5, ..Coverage::default() },
            claims: Vec::new(),
            flags: Vec::new(),
            reads: Vec::new(),
            partial: false,
            partial_reason: None,
            filled_in: None,
            corrections: Vec::new(),
            content_hash: None,
            key: None,
            digest: None,
            epoch: 0,
            run: String::new(),
        }
    }

    fn account(allocated: u32, borrowed: u32, used: u32) -> Account {
        let returned = Turns(allocated + borrowed - used);
        Account { allocated: Turns(allocated), borrowed: Turns(borrowed), used: Turns(used), returned }
    }

    #[test]
    fn turns_are_summed_and_shares_have_two_decimals() {
        let rows = vec![
            DirEvaluation::new(
                Tier::Default,
                account(10, 0, 3),
                &entry("b"),
                Features::default(),
                (Tokens(5), None),
            ),
            DirEvaluation::new(
                Tier::Priority,
                account(15, 6, 20),
                &entry("a"),
                Features::default(),
                (Tokens(7), None),
            ),
        ];
        let evaluation = Evaluation::new(Order::LeafFirst, rows, Stamp::default());
        assert_eq!(evaluation.total_turns_allocated, Turns(25));
        assert_eq!(evaluation.total_turns_used, Turns(23));
        assert_eq!(evaluation.overall_utilization.get(), 0.92);
        let row = &evaluation.per_directory[0];
        assert_eq!((row.dir.to_word().as_str(), row.utilization.get()), ("a", 0.95));
        assert_eq!(row.coverage.get(), 0.5);
    }

    #[test]
    fn nothing_allocated_is_nothing_used() {
        let evaluation = Evaluation::new(Order::LeafFirst, Vec::new(), Stamp::default());
        assert_eq!(evaluation.overall_utilization, Share::NONE);
    }
}
