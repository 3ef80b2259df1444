//! The investigations that there are, for `luminosctl list`.

use luminos_core::spend::Money;
use serde::Serialize;

use crate::Layout;
use crate::measure::money;
use crate::sheet::Sheet;
use crate::table::{Side, Table};
use crate::{prose, time};

/// An investigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListRow {
    /// Its id.
    pub id: String,
    /// What it is doing or how it ended, in a word.
    pub state: String,
    /// The target.
    pub target: String,
    /// Seconds since it last changed; `None` where that is not known.
    pub age_seconds: Option<u64>,
    /// What was spent on it; `None` where a price is not known.
    pub cost: Option<Money>,
    /// What calls on their way can cost at most.
    pub reserved: Money,
    /// What was reserved for calls whose process died: nobody knows whether they cost it.
    pub lost_in_flight: Money,
}

/// No id is shown with fewer characters.
const SHORTEST: usize = 8;

/// Investigations for people, in the order in which they come.
pub fn text(rows: &[ListRow], layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    if rows.is_empty() {
        sheet.line("No investigations yet: luminosctl run <path> makes one.");
        return sheet.finish();
    }
    let heads = [
        ("id", Side::Left),
        ("state", Side::Left),
        ("target", Side::Left),
        ("age", Side::Right),
        ("spent", Side::Right),
        ("reserved", Side::Right),
        ("lost in flight", Side::Right),
    ];
    let mut table = Table::new(heads, 2);
    let length = short_length(rows);
    for row in rows {
        let id: String = prose::one_line(&row.id).chars().take(length).collect();
        let age = row.age_seconds.map_or_else(|| "?".to_owned(), time::duration);
        let cost = row.cost.map_or_else(|| "?".to_owned(), money);
        let (reserved, lost) = (money(row.reserved), money(row.lost_in_flight));
        table.row([id, prose::one_line(&row.state), prose::one_line(&row.target), age, cost, reserved, lost]);
    }
    table.write(&mut sheet);
    sheet.finish()
}

/// How many characters tell all ids apart. Ids begin with the time, so those of one minute are much alike.
fn short_length(rows: &[ListRow]) -> usize {
    let mut ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let alike = |pair: &[&str]| pair[0].chars().zip(pair[1].chars()).take_while(|(a, b)| a == b).count();
    ids.windows(2).map(|pair| alike(pair) + 1).max().unwrap_or(0).max(SHORTEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, state: &str, target: &str, age_seconds: u64) -> ListRow {
        let cost = Some(Money::from_nanodollars(1_234_567_890));
        ListRow {
            id: id.to_owned(),
            state: state.to_owned(),
            target: target.to_owned(),
            age_seconds: Some(age_seconds),
            cost,
            reserved: Money::default(),
            lost_in_flight: Money::from_nanodollars(23_000_000),
        }
    }

    #[test]
    fn ids_are_as_long_as_they_must_be() {
        let rows = [
            row("019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee", "done", "/home/ada/parcel", 4_000),
            row(
                "019a8f3e-77ab-7c11-9d2e-5b1f00c0ffee",
                "partial",
                "/home/ada/with a rather long name/and more of it",
                90,
            ),
            ListRow { cost: None, age_seconds: None, ..row("019b0000-0000", "running", "/tmp/\x1b[31m", 0) },
        ];
        insta::assert_snapshot!(text(&rows, &Layout { width: 60, ..Layout::default() }), @"
id             state    targe…pent  reserved  lost in flight
019a8f3e-77aa  done     /home…parcel   1 h 6 min  $1.23     $0.00          $0.023
019a8f3e-77ab  partial  /home… of it  1 min 30 s  $1.23     $0.00          $0.023
019b0000-0000  running  /tmp/…b}[31m           ?      ?     $0.00          $0.023
");
        insta::assert_snapshot!(text(&rows[..1], &Layout::default()), @"
id        state  target                  age  spent  reserved  lost in flight
019a8f3e  done   /home/ada/parcel  1 h 6 min  $1.23     $0.00          $0.023
");
        assert!(text(&[], &Layout::default()).contains("luminosctl run"));
    }
}
