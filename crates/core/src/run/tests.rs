use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::plan::{Move, NamedDir, Tier};

const TREE: [&str; 6] = ["", "docs", "src", "src/parse", "tests", "vendor"];

fn dirs() -> Dirs {
    Dirs::from_paths("t", &TREE)
}

fn scanned() -> Event {
    Event::Scanned { dirs: dirs(), is_small: false }
}

fn done(dir: u32, attempt: u32) -> Event {
    Event::Finished { dir: DirId(dir), attempt, end: DirEnd::Done }
}

/// A run whose directories may begin, with room for so many loops.
fn looping(loops: u32) -> (Run, Vec<Effect>) {
    let mut run = Run::new(RunOptions::default());
    run.on(Event::Begin);
    run.on(Event::Capacity { loops });
    run.on(scanned());
    run.on(Event::Surveyed { survey: Some(Survey::default()) });
    let effects = run.on(Event::Planned { plan: Some(Plan::default()) });
    (run, effects)
}

fn begun(effects: &[Effect]) -> Vec<(u32, u32)> {
    let mut begun = Vec::new();
    for effect in effects {
        if let Effect::Begin { dir, attempt } = effect {
            begun.push((dir.0, *attempt));
        }
    }
    begun
}

#[test]
fn a_whole_run_from_the_first_word_to_the_last() {
    let mut run = Run::new(RunOptions::default());
    let mut story = Vec::new();
    let mut tell = |run: &mut Run, event: Event| {
        let words = |effect: &Effect| {
            if let Effect::OpenLedger { total, promises } = effect {
                format!("OpenLedger {} for {}", total.0, promises.len())
            } else if let Effect::Begin { dir, attempt } = effect {
                format!("Begin {} #{attempt}", TREE[dir.0 as usize])
            } else {
                format!("{effect:?}")
            }
        };
        let effects = run.on(event);
        story.push(effects.iter().map(words).collect::<Vec<_>>().join(", "));
    };
    tell(&mut run, Event::Begin);
    tell(&mut run, Event::Capacity { loops: 2 });
    tell(&mut run, scanned());
    tell(&mut run, Event::Surveyed { survey: None });
    let skip = Plan {
        skip_dirs: vec![NamedDir { path: "vendor".into(), reason: String::new() }],
        ..Plan::default()
    };
    tell(&mut run, Event::Planned { plan: Some(skip) });
    tell(&mut run, done(3, 1));
    tell(&mut run, Event::Reused { dir: DirId(1) });
    tell(&mut run, done(2, 1));
    tell(
        &mut run,
        Event::Finished { dir: DirId(4), attempt: 1, end: DirEnd::Partial { reason: "tired".into() } },
    );
    tell(&mut run, done(0, 1));
    tell(&mut run, Event::Evaluated);
    tell(&mut run, Event::Synthesised { failure: None });
    tell(&mut run, Event::Reported);
    insta::assert_snapshot!(story.join("\n"), @r#"
    Scan

    Survey
    Plan
    OpenLedger 50 for 5, Begin src/parse #1, Begin docs #1
    Begin src #1
    Begin tests #1

    Begin  #1
    Evaluate
    Synthesise
    Report
    End(Partial { reasons: ["1 directory could be looked at only in part"] })
    "#);
    assert_eq!(run.notes().len(), 2);
}

#[test]
fn a_small_target_needs_neither_survey_nor_plan() {
    let mut run = Run::new(RunOptions::default());
    run.on(Event::Begin);
    run.on(Event::Capacity { loops: 1 });
    let effects = run.on(Event::Scanned { dirs: Dirs::from_paths("t", &[""]), is_small: true });
    assert_eq!(begun(&effects), [(0, 1)]);
    assert_eq!(effects.len(), 2);
}

#[test]
fn a_lost_directory_begins_again_until_it_is_given_up() {
    let (mut run, effects) = looping(9);
    assert_eq!(begun(&effects), [(3, 1), (1, 1), (4, 1), (5, 1)]);
    let lost = |attempt| Event::Lost { dir: DirId(3), attempt, reason: "killed".into() };
    assert_eq!(begun(&run.on(lost(1))), [(3, 2)]);
    assert_eq!(run.on(lost(1)), [], "a word of an old attempt");
    assert_eq!(run.on(done(3, 1)), [], "a late report of an old attempt");
    assert_eq!(begun(&run.on(lost(2))), [(3, 3)]);
    let effects = run.on(lost(3));
    assert!(matches!(&effects[0], Effect::GiveUp { dir: DirId(3), .. }));
    assert_eq!(begun(&effects), [(2, 1)], "its parent goes on without it");
}

#[test]
fn a_loop_that_waits_gives_its_place_to_another() {
    let (mut run, effects) = looping(1);
    assert_eq!(begun(&effects), [(3, 1)]);
    assert_eq!(begun(&run.on(Event::Parked { dir: DirId(3) })), [(1, 1)]);
    assert_eq!(begun(&run.on(Event::Unparked { dir: DirId(3) })), []);
    assert_eq!(begun(&run.on(done(1, 1))), [], "the one that came back counts again");
    assert_eq!(begun(&run.on(done(3, 1))), [(2, 1)]);
}

#[test]
fn when_all_wait_one_is_refused() {
    let (mut run, _) = looping(9);
    let parked: Vec<Vec<Effect>> =
        [3, 1, 4, 5].into_iter().map(|dir| run.on(Event::Parked { dir: DirId(dir) })).collect();
    assert_eq!(parked, [vec![], vec![], vec![], vec![Effect::RefuseOne]]);
    assert_eq!(run.on(Event::Capacity { loops: 5 }), [], "once is enough");
    assert_eq!(run.on(Event::Unparked { dir: DirId(4) }), []);
    assert_eq!(run.on(Event::Parked { dir: DirId(4) }), [Effect::RefuseOne]);
}

#[test]
fn a_limit_stops_the_loops_and_still_gives_a_report() {
    let (mut run, _) = looping(2);
    let effects = run.on(Event::Limit { reason: "the money is used up".into(), rest: Rest::LeftOut });
    let stop = |dir| Effect::Stop { dir: DirId(dir), how: Stop::Flush };
    assert_eq!(effects, [stop(1), stop(3)]);
    let partial = |dir| Event::Finished {
        dir: DirId(dir),
        attempt: 1,
        end: DirEnd::Partial { reason: "money".into() },
    };
    assert_eq!(run.on(partial(1)), []);
    assert_eq!(run.on(partial(3)), [Effect::Evaluate]);
    run.on(Event::Evaluated);
    run.on(Event::Synthesised { failure: None });
    let effects = run.on(Event::Reported);
    let Effect::End(RunEnd::Partial { reasons }) = &effects[0] else { panic!("{effects:?}") };
    assert_eq!(reasons, &["the money is used up", "2 directories could be looked at only in part"]);
    let missed = run.notes().iter().filter(|note| matches!(note, RunNote::NotReached { .. })).count();
    assert_eq!(missed, 4);
}

#[test]
fn what_a_limit_leaves_out_goes_to_the_analyst_in_the_usual_order() {
    let (mut run, _) = looping(2);
    let limit = |rest| Event::Limit { reason: "the money is used up".into(), rest };
    let stop = |dir| Effect::Stop { dir: DirId(dir), how: Stop::Flush };
    assert_eq!(run.on(limit(Rest::Analyst)), [stop(1), stop(3)]);
    assert_eq!(run.on(limit(Rest::Analyst)), [], "once is enough");
    let filled_in = |dir| Event::Finished {
        dir: DirId(dir),
        attempt: 1,
        end: DirEnd::FilledIn { reason: "money".into(), end: crate::end::EndKind::Limit },
    };
    let mut effects = run.on(filled_in(1));
    effects.extend(run.on(filled_in(3)));
    assert_eq!(begun(&effects), [(4, 1), (2, 1)], "what had not begun begins");
    assert_eq!(begun(&run.on(filled_in(4))), [(5, 1)]);
    assert_eq!(begun(&run.on(filled_in(2))), []);
    assert_eq!(begun(&run.on(filled_in(5))), [(0, 1)]);
    assert_eq!(run.on(filled_in(0)), [Effect::Evaluate]);
    run.on(Event::Evaluated);
    run.on(Event::Synthesised { failure: None });
    let effects = run.on(Event::Reported);
    let Effect::End(RunEnd::Partial { reasons }) = &effects[0] else { panic!("{effects:?}") };
    let expected =
        ["the money is used up", "6 directories were looked at by the analyst in place of the model"];
    assert_eq!(reasons, &expected);
}

#[test]
fn a_second_limit_ends_what_the_analyst_still_does_and_the_first_one_is_told() {
    let (mut run, _) = looping(1);
    run.on(Event::Limit { reason: "money".into(), rest: Rest::Analyst });
    let time = Event::Limit { reason: "time".into(), rest: Rest::LeftOut };
    assert_eq!(run.on(time), [Effect::Stop { dir: DirId(3), how: Stop::Flush }]);
    assert_eq!(run.on(done(3, 1)), [Effect::Evaluate]);
    run.on(Event::Evaluated);
    run.on(Event::Synthesised { failure: None });
    let effects = run.on(Event::Reported);
    assert_eq!(effects, [Effect::End(RunEnd::Partial { reasons: vec!["money".to_owned()] })]);
}

#[test]
fn a_run_whose_models_never_answer_fails_and_reports_nothing() {
    let (mut run, _) = looping(2);
    let effects = run.on(Event::NoModel { reason: "nobody answers".into() });
    let stop = |dir| Effect::Stop { dir: DirId(dir), how: Stop::Keep };
    let failed = Effect::End(RunEnd::Failed { reason: "nobody answers".into() });
    assert_eq!(effects, [stop(1), stop(3), failed]);
    assert_eq!(run.on(done(1, 1)), [], "a late word changes nothing");
    assert_eq!(run.on(Event::NoModel { reason: "again".into() }), []);
}

#[test]
fn a_pause_keeps_everything_and_a_cancelled_run_ends_when_its_loops_have() {
    let (mut run, _) = looping(2);
    let stop = |dir| Effect::Stop { dir: DirId(dir), how: Stop::Keep };
    assert_eq!(run.on(Event::Pause { reason: "disk full".into() }), [stop(1), stop(3)]);
    assert_eq!(run.on(Event::Returned { dir: DirId(1), attempt: 1 }), []);
    assert_eq!(run.on(Event::Returned { dir: DirId(3), attempt: 1 }), []);
    assert_eq!(begun(&run.on(Event::Resume)), [(3, 2), (1, 2)]);
    run.on(Event::Cancel);
    assert_eq!(run.on(Event::Returned { dir: DirId(1), attempt: 2 }), []);
    assert_eq!(run.on(Event::Returned { dir: DirId(3), attempt: 2 }), [Effect::End(RunEnd::Cancelled)]);
}

#[test]
fn the_planner_is_asked_again_at_a_quarter_and_at_a_half() {
    let paths: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let mut all = vec![""];
    all.extend(paths.iter().map(String::as_str));
    let mut run = Run::new(RunOptions::default());
    run.on(Event::Begin);
    run.on(Event::Capacity { loops: 1 });
    run.on(Event::Scanned { dirs: Dirs::from_paths("t", &all), is_small: false });
    run.on(Event::Surveyed { survey: None });
    run.on(Event::Planned { plan: None });
    let mut asked = Vec::new();
    for dir in 1..=12 {
        if run.on(done(dir, 1)).contains(&Effect::Revise) {
            asked.push(dir);
            let moves =
                vec![Move { path: "11".into(), tier: Tier::Skip, turns: None, reason: String::new() }];
            let effects =
                run.on(Event::Revised { revision: Some(Revision { moves, reason: String::new() }) });
            let drops = effects.contains(&Effect::Repromise { dir: DirId(12), turns: Turns(0) });
            assert_eq!(drops, asked.len() == 1);
        }
    }
    assert_eq!(asked, [4, 6]);
}

#[test]
fn what_was_moved_in_the_run_that_is_repeated_is_moved_before_anything_begins() {
    let paths: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let mut all = vec![""];
    all.extend(paths.iter().map(String::as_str));
    let to = |path: &str, tier| Move { path: path.into(), tier, turns: None, reason: "r".to_owned() };
    let moves = vec![to("11", Tier::Skip), to("3", Tier::Shallow), to("5", Tier::Priority)];
    let foreseen = Foreseen {
        revisions: vec![Revision { moves, reason: String::new() }],
        moved: ["11", "5"].map(RelPath::from).into(),
    };
    let mut run = Run::new(RunOptions { foreseen: Some(foreseen), ..RunOptions::default() });
    run.on(Event::Begin);
    run.on(Event::Capacity { loops: 20 });
    run.on(Event::Scanned { dirs: Dirs::from_paths("t", &all), is_small: false });
    run.on(Event::Surveyed { survey: None });
    let mut effects = run.on(Event::Planned { plan: None });
    let begun = begun(&effects);
    assert!(begun.len() == 11 && !begun.contains(&(12, 1)), "{begun:?}");
    let (schedule, _) = run.schedule().unwrap();
    assert_eq!((schedule.of(DirId(6)).tier, schedule.of(DirId(4)).tier), (Tier::Priority, Tier::Default));
    let started = RunNote::Plan(PlanWarning::Started { path: RelPath::from("3") });
    assert!(run.notes().contains(&started), "{:?}", run.notes());
    for (dir, attempt) in begun {
        effects.extend(run.on(done(dir, attempt)));
    }
    assert!(!effects.contains(&Effect::Revise), "nobody is asked again");
}

#[test]
fn what_is_weak_is_looked_into_again_with_everything_above_it() {
    let mut run = Run::new(RunOptions { refinements: 3, ..RunOptions::default() });
    run.on(Event::Begin);
    run.on(Event::Capacity { loops: 9 });
    run.on(scanned());
    run.on(Event::Surveyed { survey: None });
    run.on(Event::Planned { plan: None });
    let mut last = Vec::new();
    for dir in [3, 4, 2, 5, 1, 0] {
        last = run.on(done(dir, 1));
    }
    assert_eq!(last, [Effect::Refine { round: 1 }]);
    assert_eq!(
        run.on(Event::Limit { reason: "money".into(), rest: Rest::Analyst }).last(),
        Some(&Effect::Evaluate)
    );
    let mut run = Run::new(RunOptions { refinements: 3, ..RunOptions::default() });
    run.on(Event::Begin);
    run.on(Event::Capacity { loops: 9 });
    run.on(scanned());
    run.on(Event::Surveyed { survey: None });
    run.on(Event::Planned { plan: None });
    for dir in [3, 4, 2, 5, 1, 0] {
        run.on(done(dir, 1));
    }
    assert_eq!(run.on(Event::Refine { dirs: vec![DirId(3)] }), [Effect::Begin { dir: DirId(3), attempt: 2 }]);
    assert_eq!(run.on(done(3, 2)), [Effect::Begin { dir: DirId(2), attempt: 2 }]);
    assert_eq!(run.on(Event::Reused { dir: DirId(2) }), [Effect::Begin { dir: DirId(0), attempt: 2 }]);
    assert_eq!(run.on(done(0, 2)), [Effect::Refine { round: 2 }]);
    assert_eq!(run.on(Event::Refine { dirs: Vec::new() }), [Effect::Evaluate], "nothing is weak any more");
}

#[test]
fn what_is_as_it_was_needs_nothing() {
    let mut run = Run::new(RunOptions::default());
    assert_eq!(run.on(Event::Unchanged), [], "nothing was scanned yet");
    run.on(Event::Begin);
    assert_eq!(run.on(Event::Unchanged), [Effect::End(RunEnd::Done)]);
}

#[test]
fn what_cannot_be_scanned_fails() {
    let mut run = Run::new(RunOptions::default());
    run.on(Event::Begin);
    let effects = run.on(Event::ScanFailed { reason: "gone".into() });
    assert_eq!(effects, [Effect::End(RunEnd::Failed { reason: "gone".into() })]);
    assert_eq!(run.on(scanned()), [], "nothing follows the end");
}

/// Somebody who carries out effects, as badly as the dice say.
struct Clumsy {
    run: Run,
    running: BTreeMap<DirId, (u32, bool)>,
    finished: BTreeSet<DirId>,
    /// Answers that are due.
    due: Vec<Event>,
    has_ended: bool,
    has_reported: bool,
    capacity: u32,
    history: Vec<Event>,
}

impl Clumsy {
    fn feed(&mut self, event: Event) -> Result<(), TestCaseError> {
        self.history.push(event.clone());
        let mut stuck = false;
        for effect in self.run.on(event) {
            prop_assert!(!self.has_ended, "{effect:?} after the end");
            match effect {
                Effect::Scan => self.due.push(scanned()),
                Effect::Survey => self.due.push(Event::Surveyed { survey: None }),
                Effect::Plan => self.due.push(Event::Planned { plan: None }),
                Effect::OpenLedger { .. } | Effect::Repromise { .. } => {}
                Effect::Begin { dir, attempt } => {
                    for below in dirs().ids().filter(|other| dirs().path(*other).is_below(dirs().path(dir))) {
                        prop_assert!(self.finished.contains(&below), "{dir:?} began before {below:?}");
                    }
                    prop_assert!(self.running.insert(dir, (attempt, false)).is_none());
                    let active = self.running.values().filter(|(_, is_parked)| !is_parked).count();
                    prop_assert!(active <= self.capacity as usize);
                }
                Effect::GiveUp { dir, .. } => {
                    self.running.remove(&dir);
                    self.finished.insert(dir);
                }
                Effect::Stop { dir, how } => {
                    let (attempt, _) = self.running[&dir];
                    self.due.push(match how {
                        Stop::Keep => Event::Returned { dir, attempt },
                        Stop::Flush => Event::Finished { dir, attempt, end: DirEnd::Done },
                    });
                }
                Effect::RefuseOne => stuck = true,
                Effect::Revise => self.due.push(Event::Revised { revision: None }),
                Effect::Refine { round } => {
                    prop_assert!(self.running.is_empty() && round <= 2);
                    // A leaf the first time, nothing the second.
                    let leaf = DirId(3);
                    let dirs = if round == 1 { vec![leaf] } else { Vec::new() };
                    if round == 1 {
                        let path = self::dirs().path(leaf).clone();
                        self.finished.retain(|dir| *dir != leaf && !path.is_below(self::dirs().path(*dir)));
                    }
                    self.due.push(Event::Refine { dirs });
                }
                Effect::Evaluate => self.due.push(Event::Evaluated),
                Effect::Synthesise => self.due.push(Event::Synthesised { failure: None }),
                Effect::Report => {
                    self.has_reported = true;
                    self.due.push(Event::Reported);
                }
                Effect::End(end) => {
                    self.has_ended = true;
                    prop_assert!(self.has_reported || end == RunEnd::Cancelled);
                    prop_assert!(self.running.is_empty(), "{:?} still run", self.running);
                }
            }
        }
        if stuck {
            let parked = self.running.iter().find(|(_, (_, is_parked))| *is_parked).map(|(dir, _)| *dir);
            prop_assert!(parked.is_some());
            self.due.extend(parked.map(|dir| Event::Unparked { dir }));
        }
        Ok(())
    }

    /// Lets a loop do something, or answers what is due.
    fn act(&mut self, pick: usize, what: u8) -> Result<(), TestCaseError> {
        if what < 4 && !self.due.is_empty() {
            let event = self.due.remove(pick % self.due.len());
            return self.report(event);
        }
        let Some((&dir, &(attempt, is_parked))) = self.running.iter().nth(pick % self.running.len().max(1))
        else {
            return Ok(());
        };
        self.report(match what {
            4 | 5 => Event::Finished { dir, attempt, end: DirEnd::Done },
            6 => Event::Lost { dir, attempt, reason: "killed".into() },
            7 if is_parked => Event::Unparked { dir },
            7 => Event::Parked { dir },
            8 => Event::Reused { dir },
            _ => Event::Finished { dir, attempt: attempt.saturating_sub(1), end: DirEnd::Done },
        })
    }

    fn report(&mut self, event: Event) -> Result<(), TestCaseError> {
        if let Event::Finished { dir, attempt, .. }
        | Event::Lost { dir, attempt, .. }
        | Event::Returned { dir, attempt } = &event
            && self.running.get(dir).is_some_and(|(now, _)| now == attempt)
        {
            self.running.remove(dir);
            if matches!(event, Event::Finished { .. }) {
                self.finished.insert(*dir);
            }
        } else if let Event::Reused { dir } = &event {
            self.running.remove(dir);
            self.finished.insert(*dir);
        } else if let Event::Parked { dir } | Event::Unparked { dir } = &event
            && let Some((_, is_parked)) = self.running.get_mut(dir)
        {
            *is_parked = matches!(event, Event::Parked { .. });
        }
        self.feed(event)
    }
}

proptest! {
    /// Whatever happens in whatever order, children come before parents, room is respected, and in the end there is a
    /// report; and the same events lead to the same state.
    #[test]
    fn no_order_of_events_breaks_a_run(
        capacity in 1_u32..4,
        steps in prop::collection::vec((any::<u8>(), 0_u8..10), 0..120),
        interruption in prop::option::of((0_usize..120, 0_u8..4)),
        refinements in 0_u32..3,
    ) {
        let options = RunOptions { refinements, ..RunOptions::default() };
        let mut clumsy = Clumsy {
            run: Run::new(options.clone()),
            running: BTreeMap::new(),
            finished: BTreeSet::new(),
            due: Vec::new(),
            has_ended: false,
            has_reported: false,
            capacity,
            history: Vec::new(),
        };
        clumsy.feed(Event::Begin)?;
        clumsy.feed(Event::Capacity { loops: capacity })?;
        for (number, (pick, what)) in steps.into_iter().enumerate() {
            if let Some((at, kind)) = interruption && at == number && !clumsy.has_ended {
                clumsy.feed(match kind {
                    0 => Event::Limit { reason: "money".into(), rest: Rest::LeftOut },
                    3 => Event::Limit { reason: "money".into(), rest: Rest::Analyst },
                    1 => Event::Pause { reason: "disk".into() },
                    _ => Event::Cancel,
                })?;
            }
            clumsy.act(usize::from(pick), what)?;
        }
        clumsy.feed(Event::Resume)?;
        for _ in 0..1000 {
            if clumsy.has_ended {
                break;
            }
            if let Some(event) = clumsy.due.pop() {
                clumsy.report(event)?;
            } else if let Some((&dir, &(attempt, _))) = clumsy.running.iter().next() {
                clumsy.report(Event::Finished { dir, attempt, end: DirEnd::Done })?;
            }
        }
        prop_assert!(clumsy.has_ended, "{:?}", clumsy.run.progress());
        let mut again = Run::new(options);
        for event in clumsy.history {
            again.on(event);
        }
        prop_assert_eq!(again, clumsy.run);
    }
}
