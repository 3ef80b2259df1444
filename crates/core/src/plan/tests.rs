use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::scan::DirId;

fn dirs() -> Dirs {
    Dirs::from_paths(
        "target",
        &["", "docs", "src", "src/parse", "src/target", "vendor", "vendor/a", "vendor/a/b"],
    )
}

fn plan(arguments: serde_json::Value) -> Plan {
    Plan::from_arguments(arguments.as_object().unwrap())
}

/// Tier and turns of each directory, as `path tier turns`.
fn shown(schedule: &Schedule, dirs: &Dirs) -> Vec<String> {
    let line = |dir: DirId| {
        let Allocation { tier, turns, .. } = schedule.of(dir);
        format!("{} {} {}", dirs.path(dir).for_terminal(), tier.word(), turns.0)
    };
    dirs.ids().map(line).collect()
}

fn warnings(schedule: &Schedule) -> Vec<String> {
    schedule.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn without_a_plan_everything_gets_the_same() {
    let dirs = dirs();
    let schedule = apply_plan(&Plan::default(), &dirs, None);
    assert!(schedule.allocations.iter().all(|allocation| *allocation
        == Allocation { tier: Tier::Default, turns: Turns(10), reason: String::new() }));
    assert_eq!(schedule.total, Turns(80));
    assert_eq!(schedule.order, Order::LeafFirst);
}

#[test]
fn names_find_their_directories_however_they_are_written() {
    let dirs = dirs();
    for (name, found) in [
        ("src", Some("src")),
        ("./src/", Some("src")),
        ("src//parse", Some("src/parse")),
        (".", Some("")),
        ("", Some("")),
        ("/", Some("")),
        ("target", Some("")),
        ("src/target", Some("src/target")),
        ("hex:737263", Some("src")),
        ("lib", None),
        ("../src", None),
    ] {
        let at = found.map(RelPath::from).and_then(|path| dirs.at(&path));
        assert_eq!(dirs.find(name), at, "{name}");
    }
    let with_namesake = Dirs::from_paths("src", &["", "src"]);
    assert_eq!(with_namesake.find("src"), Some(DirId(1)), "what is in the target goes before its own name");
}

#[test]
fn tiers_turns_and_inheritance() {
    let dirs = dirs();
    let plan = plan(json!({
        "priority_dirs": [{"path": "src/parse", "reason": "the core", "suggested_turns": 20}, {"path": "vendor/a/b"}],
        "shallow_dirs": [{"path": "docs/"}],
        "skip_dirs": [{"path": "vendor", "reason": "not ours"}],
        "investigation_order": "priority-first",
    }));
    let schedule = apply_plan(&plan, &dirs, None);
    assert_eq!(
        shown(&schedule, &dirs),
        [
            ". default 10",
            "docs shallow 5",
            "src default 10",
            "src/parse priority 20",
            "src/target default 10",
            "vendor skip 0",
            "vendor/a skip 0",
            "vendor/a/b priority 15",
        ]
    );
    assert_eq!(schedule.of(DirId(6)).reason, "not ours");
    assert_eq!(schedule.order, Order::PriorityFirst);
    assert_eq!(schedule.total, Turns(70));
    assert!(schedule.warnings.is_empty());
}

#[test]
fn what_makes_no_sense_becomes_a_warning() {
    let dirs = dirs();
    let plan = plan(json!({
        "priority_dirs": [{"path": "src"}, {"path": "src/"}, {"path": "nowhere\u{1b}"}, {"reason": "no path"}, 7],
        "shallow_dirs": ["src"],
        "skip_dirs": [{"path": "src"}, {"path": "."}],
    }));
    let schedule = apply_plan(&plan, &dirs, None);
    insta::assert_snapshot!(warnings(&schedule).join("\n"), @"
    the plan skips the target itself; it is looked at all the same
    the plan names `src` as shallow and as skip; skip counts
    the plan names `src` as priority and as skip; skip counts
    the plan names `src` as priority and as skip; skip counts
    the plan names `nowhere\\u{1b}`, which is no directory of the target
    ");
    assert_eq!(schedule.of(DirId(0)).tier, Tier::Default);
}

#[test]
fn turns_stay_within_their_bounds() {
    for (suggested, turns) in [
        (json!(20), 20),
        (json!(0), 1),
        (json!(-5), 1),
        (json!(1e9), 25),
        (json!(7.6), 8),
        (json!("20"), 15),
        (json!(null), 15),
    ] {
        let plan = plan(json!({"priority_dirs": [{"path": "src", "suggested_turns": suggested}]}));
        assert_eq!(plan.priority_dirs[0].suggested_turns, Turns(turns));
    }
}

#[test]
fn fewer_turns_than_planned_are_shared_in_proportion() {
    let dirs = Dirs::from_paths("t", &["", "a", "b", "c"]);
    let plan = plan(json!({"priority_dirs": [{"path": "a", "suggested_turns": 20}], "shallow_dirs": ["c"]}));
    let schedule = apply_plan(&plan, &dirs, Some(Turns(30)));
    assert_eq!(shown(&schedule, &dirs), [". default 6", "a priority 13", "b default 6", "c shallow 3"]);
    assert_eq!(schedule.total, Turns(30));
    let schedule = apply_plan(&plan, &dirs, Some(Turns(10)));
    assert_eq!(shown(&schedule, &dirs), [". default 2", "a priority 4", "b default 2", "c shallow 2"]);
}

#[test]
fn where_not_even_the_least_fits_the_least_important_go_first() {
    let dirs = Dirs::from_paths("t", &["", "a", "b", "c"]);
    let plan = plan(json!({"priority_dirs": [{"path": "a", "suggested_turns": 20}], "shallow_dirs": ["c"]}));
    let schedule = apply_plan(&plan, &dirs, Some(Turns(5)));
    assert_eq!(shown(&schedule, &dirs), [". default 2", "a priority 3", "b default 0", "c shallow 0"]);
    let left_out: Vec<String> = schedule.left_out.iter().map(|left| left.path.to_word()).collect();
    assert_eq!(left_out, ["c", "b"]);
    let schedule = apply_plan(&plan, &dirs, Some(Turns(1)));
    assert_eq!(schedule.of(DirId(0)).turns, Turns(2), "the target itself is always looked at");
}

#[test]
fn a_revision_moves_only_what_has_not_started() {
    let dirs = dirs();
    let schedule = apply_plan(&Plan::default(), &dirs, None);
    let revision = json!({"moves": [
        {"path": "src/parse", "tier": "priority", "turns": 99},
        {"path": "docs", "tier": "shallow"},
        {"path": "vendor", "tier": "default"},
        {"path": "src", "tier": "nonsense"},
        {"path": "nowhere", "tier": "skip"},
        {"path": ".", "tier": "skip"},
    ]});
    let revision = Revision::from_arguments(revision.as_object().unwrap());
    let docs = dirs.find("docs");
    let (changes, warnings) = apply_revision(&revision, &dirs, &schedule, |dir| Some(dir) == docs);
    let changes: Vec<(DirId, Turns)> = changes.iter().map(|(dir, change)| (*dir, change.turns)).collect();
    assert_eq!(changes, [(DirId(3), Turns(25))]);
    assert_eq!(warnings.len(), 3);
}

fn any_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", ".", "a", "a/b", "a/c", "./d", "d/e/", "nowhere", "t"])
        .prop_map(str::to_owned)
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let names = || prop::collection::vec(any_name(), 0..6);
    let turns = prop::collection::vec((any_name(), 0_u32..60), 0..6);
    (turns, names(), names()).prop_map(|(priority, shallow, skip)| {
        let named = |path: String| NamedDir { path, reason: String::new() };
        Plan {
            priority_dirs: priority
                .into_iter()
                .map(|(path, turns)| PriorityDir {
                    path,
                    reason: String::new(),
                    suggested_turns: Turns(turns),
                })
                .collect(),
            shallow_dirs: shallow.into_iter().map(named).collect(),
            skip_dirs: skip.into_iter().map(named).collect(),
            ..Plan::default()
        }
    })
}

proptest! {
    /// Whatever a plan says, turns lie in their bounds, a limit holds as soon as the target itself fits in it, and
    /// nothing is left out without being named.
    #[test]
    fn every_schedule_is_sound(plan in any_plan(), most in prop::option::of(2_u32..80)) {
        let dirs = Dirs::from_paths("t", &["", "a", "a/b", "a/c", "d", "d/e"]);
        let schedule = apply_plan(&plan, &dirs, most.map(Turns));
        let unlimited = apply_plan(&plan, &dirs, None);
        let given: u32 = schedule.allocations.iter().map(|allocation| allocation.turns.0).sum();
        prop_assert!(given <= schedule.total.0);
        prop_assert!(schedule.of(DirId(0)).is_investigated());
        for dir in dirs.ids() {
            let (limited, planned) = (schedule.of(dir), unlimited.of(dir));
            prop_assert!(limited.turns <= planned.turns && planned.turns <= Turns::MOST);
            let was_left_out = schedule.left_out.iter().any(|left| left.path == *dirs.path(dir));
            prop_assert_eq!(was_left_out, planned.is_investigated() && !limited.is_investigated());
            if limited.is_investigated() {
                prop_assert!(Turns::LEAST.min(planned.turns) <= limited.turns);
            }
        }
    }
}
