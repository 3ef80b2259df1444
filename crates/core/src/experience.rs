//! What earlier investigations have shown about directories of the same name: how many turns they really took, and how
//! much of them was seen for that.
//!
//! Names carry far between projects (`tests`, `docs`, `vendor`, `migrations`), whole paths do not.

use std::collections::BTreeMap;

use crate::evaluation::{DirEvaluation, Evaluation};
use crate::plan::Turns;

/// A name that was seen less often tells nothing.
const ENOUGH: u64 = 2;

/// Experience by the names of directories.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Experience {
    by_name: BTreeMap<String, Seen>,
}

/// Directories of one name.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Seen {
    dirs: u64,
    turns: u64,
    most: u32,
    coverage: f64,
}

impl Experience {
    /// Adds what an investigation has shown.
    pub fn learn(&mut self, evaluation: &Evaluation) {
        evaluation
            .per_directory
            .iter()
            .filter(|row| row.turns_used != Turns(0))
            .for_each(|row| self.add(row));
    }

    fn add(&mut self, row: &DirEvaluation) {
        let path = row.dir.for_terminal();
        let name = path.rsplit('/').next().unwrap_or_default();
        if row.dir.is_root() || name.is_empty() {
            return;
        }
        let seen = self.by_name.entry(name.to_lowercase()).or_default();
        seen.dirs += 1;
        seen.turns += u64::from(row.turns_used.0);
        seen.most = seen.most.max(row.turns_used.0);
        seen.coverage += row.coverage.get();
    }

    /// What is known, a line for each name that was seen often enough, the most frequent first.
    pub fn lines(&self) -> Vec<String> {
        let mut known: Vec<_> = self.by_name.iter().filter(|(_, seen)| ENOUGH <= seen.dirs).collect();
        known.sort_by(|a, b| b.1.dirs.cmp(&a.1.dirs).then_with(|| a.0.cmp(b.0)));
        let line = |(name, seen): (&String, &Seen)| {
            let mean = seen.turns as f64 / seen.dirs as f64;
            let coverage = seen.coverage / seen.dirs as f64 * 100.0;
            format!(
                "{} directories called {name}: {mean:.1} turns each, {} at most; {coverage:.0} % of them was seen",
                seen.dirs, seen.most
            )
        };
        known.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RelPath;
    use crate::entry::{Share, Stamp};
    use crate::plan::{Order, Tier};
    use crate::spend::Tokens;

    #[test]
    fn names_that_come_again_tell_something() {
        let row = |dir: &str, used| DirEvaluation {
            dir: RelPath::from(dir),
            planned_tier: Tier::Default,
            turns_allocated: Turns(10),
            turns_used: Turns(used),
            turns_borrowed: Turns(0),
            turns_returned: Turns(0),
            utilization: Share::NONE,
            completeness: None,
            coverage: Share::new(0.5).unwrap(),
            confidence: None,
            verified_claims: (0, 0),
            tokens: Tokens(0),
            cost: None,
            partial_reason: None,
        };
        let mut experience = Experience::default();
        let rows = vec![row("", 9), row("a/Tests", 4), row("b/tests", 7), row("src", 3), row("docs", 0)];
        experience.learn(&Evaluation::new(Order::LeafFirst, rows, Stamp::default()));
        let rows = vec![row("src", 8), row("tests", 1), row("once", 2)];
        experience.learn(&Evaluation::new(Order::LeafFirst, rows, Stamp::default()));
        insta::assert_snapshot!(experience.lines().join("\n"), @"
        3 directories called tests: 4.0 turns each, 7 at most; 50 % of them was seen
        2 directories called src: 5.5 turns each, 8 at most; 50 % of them was seen
        ");
    }
}
