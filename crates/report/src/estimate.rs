//! What an investigation would take, for `luminosctl estimate`: a range, and what it assumes.

use std::ops::RangeInclusive;

use luminos_core::spend::{Money, Tokens};
use serde::Serialize;

use crate::Layout;
use crate::measure::{count, money, number, short};
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::{prose, time};

/// What an investigation would take, from the least to the most that is likely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// The target.
    pub target: String,
    /// The model that would be asked.
    pub model: String,
    /// Directories that would be looked at.
    pub dirs: u64,
    /// Directories whose results are still good.
    pub dirs_unchanged: u64,
    /// Turns on directories.
    pub turns: RangeInclusive<u64>,
    /// Tokens of all passes, input and output together.
    pub tokens: RangeInclusive<Tokens>,
    /// Money; `None` where a price is not known.
    pub cost: Option<RangeInclusive<Money>>,
    /// Time; `None` where nobody can tell.
    pub seconds: Option<RangeInclusive<u64>>,
    /// What the numbers assume, a sentence each.
    pub assumptions: Vec<String>,
}

/// An estimate for people.
pub fn text(estimate: &Estimate, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    let target = prose::one_line(&estimate.target);
    sheet.painted("", Ink::Title, &target);
    let unchanged = match estimate.dirs_unchanged {
        0 => String::new(),
        unchanged => format!(", {} more unchanged since an earlier run", number(unchanged)),
    };
    let dirs = count(estimate.dirs, "directory", "directories");
    let mut facts = vec![
        ("to look at", format!("{dirs}{unchanged}")),
        ("model", prose::one_line(&estimate.model)),
        ("turns", range(&estimate.turns, |turns| number(*turns))),
        ("tokens", range(&estimate.tokens, |tokens| short(*tokens))),
    ];
    let cost = estimate.cost.as_ref();
    let unknown = || "not known: the model has no price (luminosctl models)".to_owned();
    facts.push(("cost", cost.map_or_else(unknown, |cost| range(cost, |amount| money(*amount)))));
    if let Some(seconds) = &estimate.seconds {
        facts.push(("time", range(seconds, |seconds| time::duration(*seconds))));
    }
    for (word, fact) in facts {
        sheet.beside(word, Ink::Faint, 10, &fact);
    }
    if !estimate.assumptions.is_empty() {
        sheet.section("Assuming", "");
        for assumption in &estimate.assumptions {
            sheet.hanging("  - ", &prose::one_line(assumption));
        }
    }
    sheet.finish()
}

/// A range in words; a single value where both ends look the same.
fn range<T>(range: &RangeInclusive<T>, show: impl Fn(&T) -> String) -> String {
    let (least, most) = (show(range.start()), show(range.end()));
    if least == most { least } else { format!("{least} – {most}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_a_range_with_its_assumptions() {
        let estimate = Estimate {
            target: "/home/ada/parcel".to_owned(),
            model: "anthropic/claude-haiku-4-5".to_owned(),
            dirs: 38,
            dirs_unchanged: 4,
            turns: 190..=380,
            tokens: Tokens(1_200_000)..=Tokens(3_900_000),
            cost: Some(Money::from_nanodollars(840_000_000)..=Money::from_nanodollars(3_100_000_000)),
            seconds: Some(240..=900),
            assumptions: vec![
                "each directory takes 5 to 10 turns, as none of this kind was investigated before".to_owned(),
                "between half and nine tenths of the input come from the cache \x1b[31m".to_owned(),
            ],
        };
        insta::assert_snapshot!(text(&estimate, &Layout { width: 60, ..Layout::default() }), @r"
/home/ada/parcel
  to look at  38 directories, 4 more unchanged since an
              earlier run
  model       anthropic/claude-haiku-4-5
  turns       190 – 380
  tokens      1.2M – 3.9M
  cost        $0.84 – $3.10
  time        4 min – 15 min

Assuming
  - each directory takes 5 to 10 turns, as none of this kind
    was investigated before
  - between half and nine tenths of the input come from the
    cache \u{1b}[31m
");
        let local = Estimate {
            cost: None,
            seconds: None,
            turns: 1..=1,
            dirs: 1,
            dirs_unchanged: 0,
            assumptions: Vec::new(),
            ..estimate
        };
        insta::assert_snapshot!(text(&local, &Layout::default()), @"
/home/ada/parcel
  to look at  1 directory
  model       anthropic/claude-haiku-4-5
  turns       1
  tokens      1.2M – 3.9M
  cost        not known: the model has no price (luminosctl models)
");
    }
}
