use luminos_core::plan::{NamedDir, Plan, PriorityDir, apply_plan};
use luminos_core::scan::Builder;

use super::*;

fn named(path: &str, reason: &str) -> NamedDir {
    NamedDir { path: path.to_owned(), reason: reason.to_owned() }
}

fn view(most: Option<Turns>) -> PlanView {
    let mut builder = Builder::new("/home/ada/parcel", Vec::new());
    for dir in [&b"src"[..], b"src/routes", b"src/domain", b"src/db", b"docs", b"target/debug", b"web"] {
        builder.dir_at(dir);
    }
    let dirs = Dirs::of(&builder.finish());
    let plan = Plan {
        priority_dirs: vec![
            PriorityDir {
                path: "src/routes".to_owned(),
                reason: "handlers: everything that comes from outside passes here, and most of what can go wrong does".to_owned(),
                suggested_turns: Turns(20),
            },
            PriorityDir { path: "src/legacy".to_owned(), reason: String::new(), suggested_turns: Turns(9) },
        ],
        shallow_dirs: vec![named("docs", "text \x1b[31monly")],
        skip_dirs: vec![named("target", "build output"), named("docs", "")],
        investigation_order: Order::PriorityFirst,
        notes: "Mind the two ways of reading settings.".to_owned(),
    };
    PlanView::new(&plan, &apply_plan(&plan, &dirs, most), &dirs)
}

#[test]
fn a_plan_names_what_it_singles_out() {
    insta::assert_snapshot!(text(&view(None), &Layout::default()), @"
tier      turns  directory   reason
priority     20  src/routes  handlers: everything that comes from outside passe…
skip          0  docs
skip          0  target      build output

9 directories: 1 priority (20 turns), 5 default (50 turns), 3 skipped
70 turns in all; what matters most first

For the loops
  Mind the two ways of reading settings.

Notes
  plan      the plan names `docs` as shallow and as skip; skip counts
  plan      the plan names `src/legacy`, which is no directory of the target
");
}

#[test]
fn a_limit_leaves_directories_out() {
    insta::assert_snapshot!(text(&view(Some(Turns(6))), &Layout { width: 60, ..Layout::default() }), @"
tier      turns  directory   reason
priority      2  src/routes  handlers: everything that come…
skip          0  docs
skip          0  target      build output

9 directories: 1 priority (2 turns), 5 default (4 turns), 3
skipped
6 turns in all; what matters most first

For the loops
  Mind the two ways of reading settings.

Notes
  plan      the plan names `docs` as shallow and as skip;
            skip counts
  plan      the plan names `src/legacy`, which is no
            directory of the target
  left out  no turns are left for web, src/domain, src/db
");
}

#[test]
fn in_full_every_directory_has_its_row() {
    let text = text(&view(None), &Layout { detail: Detail::Full, ..Layout::default() });
    assert!(text.contains("default      10  src/db\n"), "{text}");
}

#[test]
fn no_plan_is_an_even_one() {
    let dirs = Dirs::of(&Builder::new("/t", Vec::new()).finish());
    let plan = Plan::default();
    let view = PlanView::new(&plan, &apply_plan(&plan, &dirs, None), &dirs);
    insta::assert_snapshot!(text(&view, &Layout::default()), @"
All directories get the same.

1 directory: 1 default (10 turns)
10 turns in all; leaves first
");
}
