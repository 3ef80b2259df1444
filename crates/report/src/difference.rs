//! What changed between two investigations, for `luminosctl diff`.

use std::io::{self, Write};

use luminos_core::difference::{Change, Difference, DirDifference};
use luminos_core::entry::Share;
use luminos_core::report::Report;
use luminos_core::spend::{Money, Tokens};
use serde::Serialize;

use crate::investigation::{FlagEntry, flagged};
use crate::measure::{money, number, short};
use crate::sheet::Sheet;
use crate::{Detail, Layout, prose, write_json_line};

/// How many of each kind are told, if not all are.
const SHOWN: usize = 25;

/// The difference for people.
pub fn text(before: &Report, after: &Report, difference: &Difference<'_>, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    for (word, report) in [("before", before), ("after", after)] {
        let id: String = prose::one_line(&report.investigation).chars().take(13).collect();
        let path = prose::one_line(&report.path);
        sheet.hanging("", &format!("{word:<6}  {id}  {}  {path}", prose::one_line(&report.made_at.0)));
    }
    if difference.is_nothing() {
        sheet.line("");
        sheet.line("Both say the same.");
    }
    let most = if layout.detail == Detail::Full { usize::MAX } else { SHOWN };
    for (title, flags) in
        [("New flags", &difference.flags_new), ("Flags that are gone", &difference.flags_gone)]
    {
        if flags.is_empty() {
            continue;
        }
        sheet.section(title, &flagged::counts_of(flags.iter().copied()));
        flags.iter().take(most).for_each(|flag| flagged::write(&mut sheet, flag));
        more(&mut sheet, flags.len(), most);
    }
    for (title, dirs) in
        [("New directories", &difference.dirs_new), ("Directories that are gone", &difference.dirs_gone)]
    {
        if dirs.is_empty() {
            continue;
        }
        sheet.section(title, &number(dirs.len() as u64));
        for entry in dirs.iter().take(most) {
            sheet.hanging("  ", &entry.relative_path.for_terminal());
        }
        more(&mut sheet, dirs.len(), most);
    }
    if !difference.dirs_changed.is_empty() {
        sheet.section(
            "Directories of which something else is said",
            &number(difference.dirs_changed.len() as u64),
        );
        difference.dirs_changed.iter().take(most).for_each(|dir| one(&mut sheet, dir, layout.detail));
        more(&mut sheet, difference.dirs_changed.len(), most);
    }
    sheet.section("In numbers", "before → after");
    let share = |change: Change<Share>| format!("{} → {}", change.before, change.after);
    let count = |change: Change<u64>| format!("{} → {}", number(change.before), number(change.after));
    let usd = |amount: Option<u64>| {
        amount.map_or_else(|| "?".to_owned(), |amount| money(Money::from_nanodollars(amount)))
    };
    let Change { before: spent, after: spends } = difference.tokens;
    let rows = [
        (
            "flags",
            format!(
                "{} the same, {} new, {} gone",
                number(difference.flags_same),
                difference.flags_new.len(),
                difference.flags_gone.len()
            ),
        ),
        ("seen", share(difference.coverage)),
        ("claims", count(difference.claims)),
        ("verified", share(difference.verified)),
        ("turns", count(difference.turns)),
        ("tokens", format!("{} → {}", short(Tokens(spent)), short(Tokens(spends)))),
        ("cost", format!("{} → {}", usd(difference.nanodollars.before), usd(difference.nanodollars.after))),
    ];
    for (word, text) in rows {
        sheet.line(format_args!("  {word:<8}  {text}"));
    }
    sheet.finish()
}

fn more(sheet: &mut Sheet, all: usize, most: usize) {
    if most < all {
        sheet.more(&format!("{} more (--full shows all)", number((all - most) as u64)));
    }
}

fn one(sheet: &mut Sheet, dir: &DirDifference, detail: Detail) {
    let mut facts = Vec::new();
    if dir.content {
        facts.push("its content changed".to_owned());
    }
    if dir.summary {
        facts.push("another summary".to_owned());
    }
    for (word, claims) in [("new", &dir.claims_new), ("gone", &dir.claims_gone)] {
        if !claims.is_empty() {
            facts.push(format!("{} claims {word}", number(claims.len() as u64)));
        }
    }
    if dir.coverage.0 != dir.coverage.1 {
        facts.push(format!("seen {} → {}", dir.coverage.0, dir.coverage.1));
    }
    sheet.hanging("  ", &format!("{}: {}", dir.path.for_terminal(), facts.join(", ")));
    if detail == Detail::Full {
        dir.claims_gone.iter().for_each(|claim| sheet.hanging("    - ", &prose::one_line(claim)));
        dir.claims_new.iter().for_each(|claim| sheet.hanging("    + ", &prose::one_line(claim)));
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    before: &'a str,
    after: &'a str,
    is_same: bool,
    flags_new: Vec<FlagEntry<'a>>,
    flags_gone: Vec<FlagEntry<'a>>,
    flags_same: u64,
    directories_new: Vec<String>,
    directories_gone: Vec<String>,
    directories_changed: &'a [DirDifference],
    coverage: Change<Share>,
    verified_share: Change<Share>,
    claims: Change<u64>,
    turns: Change<u64>,
    tokens: Change<u64>,
    cost_nanodollars: Change<Option<u64>>,
}

/// Writes the difference for programs, on one line.
pub fn write_json(
    out: &mut dyn Write,
    before: &Report,
    after: &Report,
    difference: &Difference<'_>,
) -> io::Result<()> {
    let paths = |dirs: &[&luminos_core::entry::DirEntry]| {
        dirs.iter().map(|entry| entry.relative_path.to_word()).collect()
    };
    let document = Document {
        schema: "luminos.diff/1",
        before: &before.investigation,
        after: &after.investigation,
        is_same: difference.is_nothing(),
        flags_new: difference.flags_new.iter().map(|flag| FlagEntry::from(*flag)).collect(),
        flags_gone: difference.flags_gone.iter().map(|flag| FlagEntry::from(*flag)).collect(),
        flags_same: difference.flags_same,
        directories_new: paths(&difference.dirs_new),
        directories_gone: paths(&difference.dirs_gone),
        directories_changed: &difference.dirs_changed,
        coverage: difference.coverage,
        verified_share: difference.verified,
        claims: difference.claims,
        turns: difference.turns,
        tokens: difference.tokens,
        cost_nanodollars: difference.nanodollars,
    };
    write_json_line(out, &document)
}
