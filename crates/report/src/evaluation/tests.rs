use luminos_core::RelPath;
use luminos_core::entry::{Share, Stamp};
use luminos_core::plan::{Order, Tier};

use super::*;

fn row(dir: &str, tier: Tier, turns: [u32; 4], cost: Option<u64>) -> DirEvaluation {
    let [allocated, used, borrowed, returned] = turns.map(Turns);
    DirEvaluation {
        dir: RelPath::from(dir),
        planned_tier: tier,
        turns_allocated: allocated,
        turns_used: used,
        turns_borrowed: borrowed,
        turns_returned: returned,
        utilization: Share::of(u64::from(used.0), u64::from(allocated.0 + borrowed.0)),
        completeness: Share::new(0.9),
        coverage: Share::of(3, 4),
        confidence: None,
        verified_claims: (7, 9),
        tokens: Tokens(41_230),
        cost: cost.map(Money::from_nanodollars),
        features: None,
        partial_reason: None,
    }
}

#[test]
fn turns_stand_against_what_came_of_them() {
    let mut rows = vec![
        row("src/routes", Tier::Priority, [15, 19, 4, 0], Some(123_456_789)),
        row("docs", Tier::Shallow, [5, 2, 0, 3], Some(4_200_000)),
        row(
            "a/rather/long/path/that/does/not/fit/beside/the/numbers",
            Tier::Default,
            [10, 10, 0, 0],
            Some(0),
        ),
    ];
    rows[0].partial_reason = Some("no more turns\x1b[31m".to_owned());
    let evaluation = Evaluation::new(Order::LeafFirst, rows, Stamp::default());
    insta::assert_snapshot!(text(&evaluation, &Layout { width: 100, ..Layout::default() }), @r"
directory                           tier      given  used  lent  back  seen  claims  tokens     cost
a/rather/long/pa…eside/the/numbers  default      10    10     –     –  75 %     7/9   41.2k    $0.00
docs                                shallow       5     2     –     3  75 %     7/9   41.2k  $0.0042
src/routes                          priority     15    19     4     –  75 %     7/9   41.2k  $0.1235
all                                              30    31     4     3  75 %   21/27  123.7k  $0.1277

The plan gave 30 turns to 3 directories; 31 were used.
given: by the plan · lent: borrowed on top · back: given back · claims: verified of all
src/routes is partial: no more turns\u{1b}[31m
");
}

#[test]
fn what_has_no_price_has_no_sum() {
    let rows =
        vec![row("", Tier::Default, [10, 3, 0, 7], None), row("src", Tier::Default, [10, 3, 0, 7], Some(1))];
    let evaluation = Evaluation::new(Order::LeafFirst, rows, Stamp::default());
    insta::assert_snapshot!(text(&evaluation, &Layout::default()), @"
directory  tier     given  used  lent  back  seen  claims  tokens           cost
.          default     10     3     –     7  75 %     7/9   41.2k              ?
src        default     10     3     –     7  75 %     7/9   41.2k  under $0.0001
all                    20     6     0    14  75 %   14/18   82.5k              ?

The plan gave 20 turns to 2 directories; 6 were used.
given: by the plan · lent: borrowed on top · back: given back
claims: verified of all
");
    let none = Evaluation::new(Order::LeafFirst, Vec::new(), Stamp::default());
    assert_eq!(text(&none, &Layout::default()), "No directory was investigated.\n");
}

#[test]
fn of_many_directories_those_that_took_most_are_shown() {
    let rows =
        (0..100).map(|number| row(&format!("d{number:02}"), Tier::Default, [10, number % 11, 0, 0], None));
    let evaluation = Evaluation::new(Order::LeafFirst, rows.collect(), Stamp::default());
    let shown = text(&evaluation, &Layout::default());
    assert!(shown.contains("\n  … and 60 more that took less\n"), "{shown}");
    assert!(shown.contains("\nd10 ") && !shown.contains("\nd00 "), "{shown}");
    let full = text(&evaluation, &Layout { detail: Detail::Full, ..Layout::default() });
    assert!(full.contains("\nd00 "));
}
