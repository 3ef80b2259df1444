use luminos_core::flag::Severity;
use luminos_core::plan::{Order, Turns};
use luminos_core::{RelPath, Untrusted};

use super::{Ending, Happening, Money, ProgressView, Tokens, WaitView, block, event, line, sample, told};
use crate::measure::width as columns;
use crate::{Layout, investigation};

fn wide(width: usize) -> Layout {
    Layout { width, ..Layout::default() }
}

#[test]
fn a_line_leaves_off_what_matters_less() {
    let lines: Vec<String> = [120, 80, 40, 20, 8].map(|width| line(&sample(), &wide(width))).into();
    insta::assert_snapshot!(lines.join("\n"), @"
looking at directories · 17/38 dirs · $0.4123 spent · $0.051 reserved · 2 min 10 s left · 812.3k tokens · 141/400 turns
looking at directories · 17/38 dirs · $0.4123 spent · $0.051 reserved
looking at directories · 17/38 dirs
looking a…17/38 dirs
loo…dirs
");
    let early = ProgressView { phase: "scanning".to_owned(), seconds: 1, ..ProgressView::default() };
    assert_eq!(line(&early, &wide(80)), "scanning the files · 1 s");
    let waiting = WaitView {
        reason: "api.anthropic.com accepts no more calls for now".to_owned(),
        seconds: 42,
        gives_up_seconds: 540,
    };
    let waiting = ProgressView { phase: "looping".to_owned(), waiting: Some(waiting), ..early.clone() };
    assert_eq!(
        line(&waiting, &Layout { width: 200, ..Layout::default() }),
        "looking into directories (waiting: api.anthropic.com accepts no more calls for now; asked again in 42 s, given up in 9 min) · 1 s"
    );
    let paused = ProgressView { paused: Some("by you".to_owned()), ..early };
    assert_eq!(line(&paused, &wide(80)), "paused (by you) · 1 s");
}

#[test]
fn a_block_shows_each_loop() {
    insta::assert_snapshot!(block(&sample(), &wide(60)), @"
looking at directories  /home/ada/parcel
  ████████▉             17 of 38 directories
  $0.4123 spent · $0.051 reserved · 2 min 10 s left
  812.3k tokens · 141/400 turns · 1 critical · 3 info
  4 unchanged · 1 waiting for turns · 1 min 35 s
     4/15  src/routes
    12/17  src/domain  waits for…ider, 12 s
     1/5   a/rather/long/path/that/…eside/anything/else/here
");
}

#[test]
fn who_watches_sees_lines_that_fit() {
    let flag = investigation::sample::flag(
        Severity::Concern,
        "Builds a command line for a shell: input that reaches it can run other commands.",
        vec![investigation::sample::evidence("src/a.c", (264, 264), None)],
    );
    let layout = Layout { width: 40, ..Layout::default() };
    let happenings = [
        Happening::Planned { order: Order::LeafFirst, tiers: [26, 49, 113, 3], turns: Turns(1_880) },
        Happening::Flag(&flag),
    ];
    let told = happenings.map(|happening| told(&happening, &layout)).join("\n");
    insta::assert_snapshot!(told, @"
      plan: 26 priority, 49 default, 113
      shallow, 3 skipped; 1,880 turns;
      leaves first
      concern   src/a.c:264: Builds a
                command line for a shell:
                input that reaches it can
                run other commands.
    ");
}

#[test]
fn happenings_are_lines() {
    let flag = investigation::sample::flag(
        Severity::Critical,
        "A password\nin the open.",
        vec![investigation::sample::evidence("a.env", (3, 3), None)],
    );
    let reasons = ["the limit of $2.50 was reached".to_owned(), "2 directories failed\x07".to_owned()];
    let happenings = [
        Happening::Phase("surveying"),
        Happening::Planned { order: Order::PriorityFirst, tiers: [3, 30, 0, 1], turns: Turns(1_340) },
        Happening::Note("the model is overloaded;\ncalls wait"),
        Happening::Flag(&flag),
        Happening::Ended(Ending::Done),
        Happening::Ended(Ending::Partial(&reasons)),
        Happening::Ended(Ending::Partial(&[])),
        Happening::Ended(Ending::Failed("the target is gone")),
        Happening::Ended(Ending::Cancelled),
    ];
    insta::assert_snapshot!(happenings.iter().map(event).collect::<Vec<_>>().join("\n"), @r"
surveying
plan: 3 priority, 30 default, 1 skipped; 1,340 turns; what matters most first
note: the model is overloaded; calls wait
flag: critical: a.env:3: A password in the open.
done
done, in part: the limit of $2.50 was reached; 2 directories failed\u{7}
done, in part
failed: the target is gone
cancelled; what was found out is kept
");
}

#[test]
fn whatever_stands_in_a_view_the_lines_fit_and_are_inert() {
    for text in investigation::sample::HOSTILE {
        let mut view = sample();
        view.target = text.repeat(3);
        view.phase = (*text).to_owned();
        view.paused = Some(text.repeat(2));
        view.active[0].dir = RelPath::from(*text);
        view.active[0].state = Some(text.repeat(5));
        view.cost = Some(Money::MAX);
        view.tokens = Tokens(u64::MAX);
        for width in [1, 40, 60, 120] {
            let line = line(&view, &wide(width));
            assert!(columns(&line) <= width && !line.contains(Untrusted::is_treacherous), "{line:?}");
            for line in block(&view, &wide(width)).lines() {
                assert!(columns(line) <= width.max(40), "{line:?}");
                assert!(!line.contains(Untrusted::is_treacherous), "{line:?}");
            }
        }
    }
}

#[test]
fn a_block_tells_which_passes_are_behind() {
    let view =
        ProgressView { phase: "planning".to_owned(), target: "/srv/x".to_owned(), ..Default::default() };
    insta::assert_snapshot!(block(&view, &wide(80)), @"
planning where to look closely  /srv/x
  ✓ scan  ✓ survey  ▸ plan  · directories  · report
  0 s
");
    let mut many = sample();
    many.phase = "looping".to_owned();
    many.active = vec![many.active[0].clone(); 11];
    insta::assert_snapshot!(block(&many, &wide(80)), @"
looking into directories  /home/ada/parcel
  ✓ scan  ✓ survey  ✓ plan  ▸ directories  · report
  ███████████▋                17 of 38 directories
  $0.4123 spent · $0.051 reserved · 2 min 10 s left · 812.3k tokens
  141/400 turns · 1 critical · 3 info · 4 unchanged · 1 waiting for turns
  1 min 35 s
     4/15  src/routes
     4/15  src/routes
     4/15  src/routes
     4/15  src/routes
     4/15  src/routes
     4/15  src/routes
     4/15  src/routes
     4/15  src/routes
           and 3 more
");
}
