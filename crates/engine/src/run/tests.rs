//! Whole runs with everything real but the workers: a fabric of tasks that misbehave on script.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use luminos_core::entry::{Claim, Share};
use luminos_core::job::{Assignment, DirReport, DirResult, JobId, News, Reception};
use luminos_core::report::Report;
use luminos_store::{DaemonLock, Durability, Holder, NetworkState, Settings, State, Target};
use luminos_wire::control::Ended;
use luminos_wire::worker::{Answer, NOBODY_WAITS, Question};
use serde_json::json;
use tokio::sync::oneshot;

use super::*;

mod limits;

/// What the tasks of a fabric do with a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// Reports.
    Report,
    /// Dies before it has said anything, the first so many times.
    Die(u32),
    /// Never says anything.
    Hang,
    /// Reports, and then once more under the name of an older attempt.
    SpeakTwice,
    /// Says that what it hands in was judged, which it was not, and does not wait.
    HandIn,
    /// Says more than a store takes.
    Exceed(Excess),
}

/// What there is too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excess {
    Summary,
    FileSummary,
    Reason,
    Claim,
    Flag,
    NotableFile,
}

/// Workers that are tasks.
struct Tasks {
    shared: Arc<Shared>,
    behaviour: Behaviour,
}

struct Shared {
    listener: Listener,
    waiting: Mutex<HashMap<(JobId, u64), oneshot::Sender<Answer>>>,
    jobs: Mutex<Vec<JobId>>,
}

impl Shared {
    async fn ask(&self, job: &JobId, question: u64, ask: Question) -> Answer {
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert((job.clone(), question), sender);
        (self.listener)(FabricEvent::Question { job: job.clone(), question, ask });
        answer.await.unwrap()
    }
}

impl Fabric for Tasks {
    fn offer(&self, assignment: Box<Assignment>) {
        let (shared, behaviour) = (Arc::clone(&self.shared), self.behaviour);
        shared.jobs.lock().unwrap().push(assignment.job.clone());
        tokio::spawn(async move {
            let job = assignment.job.clone();
            if let Behaviour::Die(times) = behaviour
                && job.attempt <= times
            {
                let reason = "it was killed".to_owned();
                return (shared.listener)(FabricEvent::Lost { job, reason });
            }
            if behaviour == Behaviour::Hang {
                return;
            }
            let children = assignment.children.len();
            (shared.listener)(FabricEvent::News { job: job.clone(), number: 0, news: vec![News::Turn(1)] });
            let summary = format!("{} with {children} children", job.dir.for_terminal());
            if let Behaviour::Exceed(excess) = behaviour {
                let (news, report) = limits::too_much(excess, &job);
                (shared.listener)(FabricEvent::News { job: job.clone(), number: 1, news });
                // Whoever is asked to mend it says the same again.
                for question in 2.. {
                    let ask = Question::Done(Box::new(DirResult::Reported(report.clone())));
                    if shared.ask(&job, question, ask).await == Answer::Reception(Reception::Accepted) {
                        break;
                    }
                }
                return (shared.listener)(FabricEvent::Over { job, is_returned: false });
            }
            let report = DirReport { summary, completeness: Share::new(1.0), ..DirReport::default() };
            if behaviour == Behaviour::SpeakTwice {
                let late = JobId { attempt: job.attempt - 1, ..job.clone() };
                let lie = DirReport { summary: "a lie".to_owned(), ..report.clone() };
                let answer = shared.ask(&late, 1, Question::Done(Box::new(DirResult::Reported(lie)))).await;
                assert_eq!(answer, Answer::Reception(Reception::Stale));
            }
            if behaviour == Behaviour::HandIn {
                let cited = json!({"path": "docs/a.rs", "start_line": 77, "end_line": 77});
                let claim = json!({"text": "It flies.", "evidence": [cited], "verified": true});
                let claim: Claim = serde_json::from_value(claim).unwrap();
                let result = DirResult::Judged(DirReport { claims: vec![claim], ..report });
                let ask = Question::Done(Box::new(result));
                let question = NOBODY_WAITS;
                (shared.listener)(FabricEvent::Question { job: job.clone(), question, ask });
                return (shared.listener)(FabricEvent::Over { job, is_returned: false });
            }
            let answer = shared.ask(&job, 2, Question::Done(Box::new(DirResult::Reported(report)))).await;
            assert_eq!(answer, Answer::Reception(Reception::Accepted));
            (shared.listener)(FabricEvent::Over { job, is_returned: false });
        });
    }

    fn answer(&self, job: &JobId, question: u64, answer: Answer) {
        let waiting = self.shared.waiting.lock().unwrap().remove(&(job.clone(), question));
        waiting.unwrap().send(answer).unwrap();
    }

    fn revoke(&self, _: &JobId, _: bool) {}

    fn share(&self, _: usize) {}

    fn shut_down(&self) {}
}

/// A target and a state directory, and how to run on them.
struct Place {
    dir: tempfile::TempDir,
    store: Store,
    writer: Writer,
    planner: PlannerHandle,
}

impl Place {
    #[expect(clippy::disallowed_methods, reason = "a test makes its own target")]
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["src/parse", "docs", "tests"] {
            std::fs::create_dir_all(dir.path().join("target-dir").join(name)).unwrap();
            let file = dir.path().join("target-dir").join(name).join("a.rs");
            std::fs::write(file, "fn a() {}\n".repeat(3)).unwrap();
        }
        let store = Store::open(&dir.path().join("home")).unwrap();
        let holder = Holder::this_process(Stamp::default(), "test");
        let lock = DaemonLock::try_acquire(&store, &holder, NetworkState::Allowed).unwrap();
        let settings = Settings { durability: Durability::Kill, ..Settings::default() };
        let (writer, _) = Writer::start(&store, lock, settings).unwrap();
        let planner = PlannerHandle::start(store.clone(), holder).await.unwrap();
        Self { dir, store, writer, planner }
    }

    fn target(&self) -> PathBuf {
        std::fs::canonicalize(self.dir.path().join("target-dir")).unwrap()
    }

    fn meta(&self) -> Meta {
        let known = self.store.investigations();
        let target = Target::new(&self.target());
        let fresh = || Meta::fresh(target.clone(), json!({}), Stamp::default(), self.writer.epoch());
        known.current(&target).cloned().unwrap_or_else(fresh)
    }

    /// What a run on a target is set up with.
    fn setup(&self, meta: Meta, target: PathBuf, fabric: MakeFabric) -> RunSetup {
        RunSetup {
            store: self.store.clone(),
            writer: self.writer.clone(),
            investigation: self.store.investigation(meta.id),
            meta,
            is_resumed: false,
            broken: Vec::new(),
            is_settled: false,
            target,
            walk: luminos_scan::Options::default(),
            minds: Minds::offline(RunLimits::default()),
            called: None,
            limits: RunLimits::default(),
            loops: 2,
            refresh_plan: false,
            plan_only: false,
            second_judge: false,
            refinements: 0,
            show_secrets: false,
            current_before: None,
            state_before: None,
            planner: self.planner.clone(),
            fabric,
            clock: Stamp::default,
            nonce: "nonce".to_owned(),
            on_end: Box::new(|| {}),
        }
    }

    /// Starts what a change of the usual setup gives.
    async fn start(&self, behaviour: Behaviour, change: impl FnOnce(RunSetup) -> RunSetup) -> Started {
        let meta = self.meta();
        let investigation = self.store.investigation(meta.id);
        investigation.create(&self.writer, &meta).await.unwrap();
        let shared: Arc<Mutex<Option<Arc<Shared>>>> = Arc::default();
        let kept = Arc::clone(&shared);
        let fabric: MakeFabric = Box::new(move |listener, _| {
            let shared = Arc::new(Shared { listener, waiting: Mutex::default(), jobs: Mutex::default() });
            *kept.lock().unwrap() = Some(Arc::clone(&shared));
            Some(Arc::new(Tasks { shared, behaviour }))
        });
        let run = RunHandle::start(change(self.setup(meta, self.target(), fabric))).await.unwrap();
        let (_, events) = run.subscribe().await.unwrap();
        Started { run, events, shared }
    }

    /// Runs to the end; says how it ended, which jobs were handed out, and what was written.
    async fn run(&self, behaviour: Behaviour) -> (Ended, Vec<JobId>, Report) {
        let mut started = self.start(behaviour, |setup| setup).await;
        let ended = started.end().await;
        let report = self.store.investigation(self.meta().id).report();
        (ended, started.jobs(), report.unwrap().unwrap())
    }
}

/// A run under way.
struct Started {
    run: RunHandle,
    events: mpsc::Receiver<RunEvent>,
    shared: Arc<Mutex<Option<Arc<Shared>>>>,
}

impl Started {
    async fn end(&mut self) -> Ended {
        loop {
            if let RunEvent::Ended(ended) = self.events.recv().await.unwrap() {
                return ended;
            }
        }
    }

    fn jobs(&self) -> Vec<JobId> {
        let shared = self.shared.lock().unwrap();
        shared.as_ref().map(|shared| shared.jobs.lock().unwrap().clone()).unwrap_or_default()
    }
}

fn dirs(jobs: &[JobId]) -> Vec<String> {
    jobs.iter().map(|job| format!("{}#{}", job.dir.for_terminal(), job.attempt)).collect()
}

fn summary(report: &Report, dir: &str) -> String {
    let dir = luminos_core::RelPath::from(dir);
    report.directories.iter().find(|entry| entry.relative_path == dir).unwrap().summary.clone()
}

#[tokio::test]
async fn a_run_looks_at_children_first_and_ends_with_a_report() {
    let place = Place::new().await;
    let (ended, jobs, report) = place.run(Behaviour::Report).await;
    assert_eq!(ended, Ended::Done);
    let order = dirs(&jobs);
    let at = |name: &str| order.iter().position(|job| job == name).unwrap();
    assert_eq!(order.len(), 5);
    assert!(at("src/parse#1") < at("src#1") && at("src#1") < at(".#1") && at("docs#1") < at(".#1"));
    assert_eq!(summary(&report, ""), ". with 3 children");
    assert_eq!(place.meta().state, State::Done);
    assert_eq!(place.meta().counters.turns, 5);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test changes its own target")]
async fn what_has_not_changed_is_not_looked_at_again() {
    let place = Place::new().await;
    place.run(Behaviour::Report).await;
    let (ended, jobs, _) = place.run(Behaviour::Report).await;
    assert_eq!((ended, jobs.len()), (Ended::Done, 0));
    std::fs::write(place.target().join("src/parse/a.rs"), "fn b() {}\n").unwrap();
    let (_, jobs, _) = place.run(Behaviour::Report).await;
    // It comes out the same, so its parents are not disturbed.
    assert_eq!(dirs(&jobs), ["src/parse#1"]);
    std::fs::create_dir(place.target().join("src/parse/new")).unwrap();
    let (_, jobs, report) = place.run(Behaviour::Report).await;
    // Now it says something else about itself, but its parent still has one child.
    assert_eq!(dirs(&jobs), ["src/parse/new#1", "src/parse#1", "src#1"]);
    assert_eq!(summary(&report, "src/parse"), "src/parse with 1 children");
}

#[tokio::test]
async fn a_directory_that_dies_begins_again_and_is_given_up_in_the_end() {
    let place = Place::new().await;
    let (ended, jobs, report) = place.run(Behaviour::Die(2)).await;
    assert_eq!(ended, Ended::Done);
    assert_eq!(dirs(&jobs).iter().filter(|job| job.starts_with("docs#")).count(), 3);
    assert_eq!(report.counters.turns, 5);
    let place = Place::new().await;
    let (ended, _, report) = place.run(Behaviour::Die(9)).await;
    let Ended::Partial { reasons } = ended else { panic!("{ended:?}") };
    assert_eq!(reasons, ["5 directories could be looked at only in part"]);
    assert!(report.is_partial());
    assert_eq!(report.directories.len(), 5, "each says at least that nothing is known");
}

#[tokio::test]
async fn late_words_of_an_old_attempt_are_refused() {
    let place = Place::new().await;
    let (ended, _, report) = place.run(Behaviour::SpeakTwice).await;
    assert_eq!(ended, Ended::Done);
    assert!(report.directories.iter().all(|entry| entry.summary != "a lie"));
}

/// Whoever answers a question of nobody finds nobody, and the run dies of it.
#[tokio::test]
async fn only_the_analyst_is_believed_that_it_was_judged_and_nobody_answers_it() {
    let place = Place::new().await;
    let (ended, jobs, report) = place.run(Behaviour::HandIn).await;
    assert_eq!((ended, jobs.len()), (Ended::Done, 5));
    assert_eq!((report.claims_verified, report.claims), (5, 5));
    let place = Place::new().await;
    let asked = |setup| RunSetup { minds: Minds::of_dirs("a model"), ..setup };
    let mut started = place.start(Behaviour::HandIn, asked).await;
    started.end().await;
    let report: Report = place.store.investigation(place.meta().id).report().unwrap().unwrap();
    assert_eq!((report.claims_verified, report.claims), (0, 5), "the daemon has looked for itself");
}

#[tokio::test]
async fn what_cannot_be_scanned_fails_with_a_reason() {
    let place = Place::new().await;
    let nowhere = |setup| RunSetup { target: Path::new("/nowhere/at/all").to_owned(), ..setup };
    let ended = place.start(Behaviour::Report, nowhere).await.end().await;
    assert!(matches!(ended, Ended::Failed { .. }), "{ended:?}");
    assert_eq!(place.meta().state, State::Failed);
}

#[tokio::test]
async fn a_run_whose_part_dies_ends_at_once_and_the_next_one_goes_on() {
    let place = Place::new().await;
    let mut started = place.start(Behaviour::Hang, |setup| setup).await;
    while started.jobs().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    let parts = started.run.actor.get_children();
    assert_eq!(parts.len(), 1, "without a model and without processes only the budget hangs on the run");
    parts[0].kill();
    let Ended::Failed { reason } = started.end().await else { panic!("it cannot go on without a budget") };
    assert!(reason.starts_with("the budget died; "), "{reason}");
    assert_eq!(place.meta().state, State::Running, "as after a kill");
    let resumed = |setup| RunSetup { is_resumed: true, ..setup };
    assert_eq!(place.start(Behaviour::Report, resumed).await.end().await, Ended::Done);
}

#[tokio::test]
async fn a_task_that_panics_ends_its_run_and_nobody_elses() {
    let place = Place::new().await;
    // The time of a plan is asked for where it is made.
    let broken = |setup| RunSetup { clock: || panic!("the clock is broken"), ..setup };
    let Ended::Failed { reason } = place.start(Behaviour::Report, broken).await.end().await else {
        panic!("it cannot go on without a plan")
    };
    assert!(reason.starts_with("the plan died; "), "{reason}");
    let (ended, ..) = place.run(Behaviour::Report).await;
    assert_eq!(ended, Ended::Done, "the planner goes on");
}
