//! A plan as a table, for `luminosctl plan`: who gets how many turns, and why.

use std::collections::BTreeSet;

use luminos_core::RelPath;
use luminos_core::plan::{Allocation, Dirs, Order, Plan, Schedule, Tier, Turns};
use serde::Serialize;

use crate::measure::{count, number};
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::table::{Side, Table};
use crate::{Detail, Layout, prose};

/// What a plan comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanView {
    /// Which directory is taken first.
    pub order: Order,
    /// Each directory of the target, parents first.
    pub rows: Vec<PlanRow>,
    /// All turns that there are.
    pub total: Turns,
    /// What was odd about the plan, a sentence each.
    pub warnings: Vec<String>,
    /// Directories for which a limit left no turns.
    pub left_out: Vec<RelPath>,
    /// What the planner wants the loops to know.
    pub notes: String,
}

/// What one directory gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanRow {
    /// The directory.
    pub dir: RelPath,
    /// How much it deserves.
    pub tier: Tier,
    /// How many turns it starts with.
    pub turns: Turns,
    /// Why, where the plan says.
    pub reason: String,
}

impl PlanView {
    /// What a plan comes to for the directories that there are.
    pub fn new(plan: &Plan, schedule: &Schedule, dirs: &Dirs) -> Self {
        let row = |(dir, allocation): (_, &Allocation)| PlanRow {
            dir: RelPath::clone(dirs.path(dir)),
            tier: allocation.tier,
            turns: allocation.turns,
            reason: allocation.reason.clone(),
        };
        Self {
            order: schedule.order,
            rows: dirs.ids().zip(&schedule.allocations).map(row).collect(),
            total: schedule.total,
            warnings: schedule.warnings.iter().map(ToString::to_string).collect(),
            left_out: schedule.left_out.iter().map(|left_out| left_out.path.clone()).collect(),
            notes: plan.notes.clone(),
        }
    }
}

/// How many rows are shown.
const SHOWN: usize = 40;

/// A plan for people. Directories that it does not single out are counted, not listed, unless all is to be told.
pub fn text(view: &PlanView, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    let mut rows: Vec<&PlanRow> = view.rows.iter().collect();
    if layout.detail != Detail::Full {
        let skipped: BTreeSet<&RelPath> =
            view.rows.iter().filter(|row| row.tier == Tier::Skip).map(|row| &row.dir).collect();
        rows.retain(|row| match row.tier {
            Tier::Priority | Tier::Shallow => true,
            Tier::Default => !row.reason.is_empty(),
            // What lies in a skipped directory is skipped with it.
            Tier::Skip => !row.dir.parent().is_some_and(|parent| skipped.contains(&parent)),
        });
    }
    rows.sort_by(|a, b| a.tier.cmp(&b.tier).then(b.turns.cmp(&a.turns)).then_with(|| a.dir.cmp(&b.dir)));
    let shown = if layout.detail == Detail::Full { rows.len() } else { SHOWN };
    let heads =
        [("tier", Side::Left), ("turns", Side::Right), ("directory", Side::Left), ("reason", Side::Words)];
    let mut table = Table::new(heads, 3);
    for row in rows.iter().take(shown) {
        let dir = row.dir.for_terminal();
        let dir = crate::measure::fit(&dir, sheet.width / 2).into_owned();
        table.row([row.tier.word().to_owned(), row.turns.0.to_string(), dir, prose::one_line(&row.reason)]);
    }
    if table.is_empty() {
        sheet.line("All directories get the same.");
    } else {
        table.write(&mut sheet);
    }
    if shown < rows.len() {
        sheet.more(&format!("{} more: luminosctl plan --full", number((rows.len() - shown) as u64)));
    }
    totals(&mut sheet, view);
    if !view.notes.trim().is_empty() {
        sheet.section("For the loops", "");
        sheet.prose(2, &view.notes);
    }
    remarks(&mut sheet, view);
    sheet.finish()
}

fn totals(sheet: &mut Sheet, view: &PlanView) {
    let tiers = [Tier::Priority, Tier::Default, Tier::Shallow, Tier::Skip].into_iter().filter_map(|tier| {
        let rows = || view.rows.iter().filter(|row| row.tier == tier);
        let turns: u64 = rows().map(|row| u64::from(row.turns.0)).sum();
        match (rows().count() as u64, tier) {
            (0, _) => None,
            (dirs, Tier::Skip) => Some(format!("{} skipped", number(dirs))),
            (dirs, tier) => Some(format!("{} {} ({})", number(dirs), tier.word(), turns_in_words(turns))),
        }
    });
    let tiers = tiers.collect::<Vec<_>>().join(", ");
    let order = match view.order {
        Order::LeafFirst => "leaves first",
        Order::PriorityFirst => "what matters most first",
    };
    let dirs = count(view.rows.len() as u64, "directory", "directories");
    sheet.line("");
    sheet.hanging("", &format!("{dirs}: {tiers}"));
    sheet.hanging("", &format!("{} in all; {order}", turns_in_words(u64::from(view.total.0))));
}

fn turns_in_words(turns: u64) -> String {
    count(turns, "turn", "turns")
}

fn remarks(sheet: &mut Sheet, view: &PlanView) {
    if view.warnings.is_empty() && view.left_out.is_empty() {
        return;
    }
    sheet.section("Notes", "");
    for warning in view.warnings.iter().take(SHOWN) {
        sheet.beside("plan", Ink::Warning, 8, &prose::one_line(warning));
    }
    if SHOWN < view.warnings.len() {
        sheet.more(&format!("{} more", number((view.warnings.len() - SHOWN) as u64)));
    }
    if !view.left_out.is_empty() {
        let named: Vec<String> = view.left_out.iter().take(SHOWN).map(RelPath::for_terminal).collect();
        let more = match view.left_out.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {} more", number(more as u64)),
        };
        let named = named.join(", ");
        sheet.beside("left out", Ink::Warning, 8, &format!("no turns are left for {named}{more}"));
    }
}

#[cfg(test)]
mod tests;
