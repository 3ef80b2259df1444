//! What came of a plan, as a table: turns against results.

use luminos_core::entry::Share;
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::plan::Turns;
use luminos_core::spend::{Money, Tokens};

use crate::measure::{count, money, number, short};
use crate::sheet::Sheet;
use crate::table::{Side, Table};
use crate::{Detail, Layout};

/// How many directories are shown: those that took most.
const SHOWN: usize = 40;

/// An evaluation for people.
pub fn text(evaluation: &Evaluation, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    let mut rows: Vec<&DirEvaluation> = evaluation.per_directory.iter().collect();
    let all = rows.len();
    if layout.detail != Detail::Full && SHOWN < all {
        rows.sort_by_key(|row| std::cmp::Reverse(row.turns_used));
        rows.truncate(SHOWN);
        rows.sort_by(|a, b| a.dir.cmp(&b.dir));
    }
    let mut table = Table::new(
        [
            ("directory", Side::Left),
            ("tier", Side::Left),
            ("given", Side::Right),
            ("used", Side::Right),
            ("lent", Side::Right),
            ("back", Side::Right),
            ("seen", Side::Right),
            ("claims", Side::Right),
            ("tokens", Side::Right),
            ("cost", Side::Right),
        ],
        0,
    );
    rows.iter().for_each(|row| table.row(cells(row)));
    if 1 < all {
        table.row(total(evaluation));
    }
    if all == 0 {
        sheet.line("No directory was investigated.");
        return sheet.finish();
    }
    table.write(&mut sheet);
    if rows.len() < all {
        sheet.more(&format!("{} more that took less", number((all - rows.len()) as u64)));
    }
    let dirs = count(evaluation.total_dirs_investigated, "directory", "directories");
    let given = count(u64::from(evaluation.total_turns_allocated.0), "turn", "turns");
    let used = number(u64::from(evaluation.total_turns_used.0));
    sheet.line("");
    sheet.hanging("", &format!("The plan gave {given} to {dirs}; {used} were used."));
    let heads =
        ["given: by the plan", "lent: borrowed on top", "back: given back", "claims: verified of all"];
    sheet.facts("", &heads.map(str::to_owned));
    for row in rows.iter().filter(|row| row.partial_reason.is_some()) {
        let reason = row.partial_reason.as_deref().map(crate::prose::one_line).unwrap_or_default();
        sheet.hanging("", &format!("{} is partial: {reason}", row.dir.for_terminal()));
    }
    sheet.finish()
}

fn cells(row: &DirEvaluation) -> [String; 10] {
    let (verified, claims) = row.verified_claims;
    [
        row.dir.for_terminal(),
        row.planned_tier.word().to_owned(),
        row.turns_allocated.0.to_string(),
        row.turns_used.0.to_string(),
        or_dash(row.turns_borrowed),
        or_dash(row.turns_returned),
        row.coverage.to_string(),
        format!("{verified}/{claims}"),
        short(row.tokens),
        row.cost.map_or_else(|| "?".to_owned(), money),
    ]
}

fn total(evaluation: &Evaluation) -> [String; 10] {
    let rows = &evaluation.per_directory;
    let sum =
        |turns: fn(&DirEvaluation) -> Turns| -> u64 { rows.iter().map(|row| u64::from(turns(row).0)).sum() };
    let (mut verified, mut claims, mut seen) = (0, 0, 0.0);
    for row in rows {
        verified += row.verified_claims.0;
        claims += row.verified_claims.1;
        seen += row.coverage.get() / rows.len() as f64;
    }
    let cost = rows.iter().try_fold(Money::default(), |sum, row| Some(sum.plus(row.cost?)));
    [
        "all".to_owned(),
        String::new(),
        sum(|row| row.turns_allocated).to_string(),
        sum(|row| row.turns_used).to_string(),
        sum(|row| row.turns_borrowed).to_string(),
        sum(|row| row.turns_returned).to_string(),
        Share::new(seen.min(1.0)).unwrap_or_default().to_string(),
        format!("{verified}/{claims}"),
        short(rows.iter().map(|row| row.tokens).sum::<Tokens>()),
        cost.map_or_else(|| "?".to_owned(), money),
    ]
}

fn or_dash(turns: Turns) -> String {
    if turns == Turns(0) { "–".to_owned() } else { turns.0.to_string() }
}

#[cfg(test)]
mod tests;
