//! Locks within one process; those between processes are in `tests/processes.rs`.

use luminos_core::entry::Stamp;
use luminos_core::plan::Plan;

use super::*;
use crate::{InvestigationId, Meta, Settings, StoredPlan, Target, Urgency, Writer};

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("home")).unwrap();
    (dir, store)
}

fn me() -> Holder {
    Holder::this_process(Stamp("10:02:11".to_owned()), "/run/luminos.sock")
}

fn daemon(store: &Store) -> Result<DaemonLock, Error> {
    DaemonLock::try_acquire(store, &me(), NetworkState::Refused)
}

#[test]
fn a_second_one_in_the_same_process_is_told_who_has_it() {
    let (_dir, store) = store();
    let held = daemon(&store).unwrap();
    let Err(Error::Busy { lock, holder }) = daemon(&store) else { panic!("two daemons") };
    assert_eq!(lock, "the daemon's lock");
    let host = me().host;
    assert_eq!(
        holder,
        format!("process {} on {host} since 10:02:11 (/run/luminos.sock)", std::process::id())
    );
    drop(held);
    daemon(&store).unwrap();
}

#[test]
fn every_life_and_every_planner_has_a_greater_number() {
    let (_dir, store) = store();
    for number in 1..4 {
        assert_eq!(daemon(&store).unwrap().epoch(), number);
        assert_eq!(PlannerLock::try_acquire(&store, &me()).unwrap().fence(), Fence(number));
    }
    assert_eq!(PlannerLock::acquire(&store, &me(), |_| panic!("nobody has it")).unwrap().fence(), Fence(4));
}

#[test]
fn what_stands_in_the_file_decides_nothing() {
    let (_dir, store) = store();
    let path = store.home().join("daemon.lock");
    for text in [r#"{"pid":1,"started":1,"boot":"","host":"","since":""}"#, "", "1\n", "\u{0}\u{1b}[2J"] {
        crate::atomic::replace_disposable(&path, text.as_bytes()).unwrap();
        daemon(&store).unwrap();
    }
    let held = daemon(&store).unwrap();
    let gone = Holder { pid: u32::MAX, ..me() };
    sign(&held._file, &gone);
    let Err(Error::Busy { holder, .. }) = daemon(&store) else { panic!("two daemons") };
    assert!(holder.ends_with("which is gone: something that it had started may still have it"), "{holder}");
    held._file.set_len(0).unwrap();
    let Err(Error::Busy { holder, .. }) = daemon(&store) else { panic!("two daemons") };
    assert_eq!(holder, "a process that has not said who it is");
}

#[test]
fn a_file_that_was_removed_is_not_the_lock() {
    let (_dir, store) = store();
    let path = store.home().join("daemon.lock");
    let file = open(&path).unwrap();
    assert!(is_at(&file, &path));
    rustix::fs::unlink(&path).unwrap();
    assert!(!is_at(&file, &path));
    let other = open(&path).unwrap();
    assert!(!is_at(&file, &path) && is_at(&other, &path));
}

#[test]
fn a_lock_that_is_a_link_is_refused() {
    let (dir, store) = store();
    std::os::unix::fs::symlink(dir.path().join("elsewhere"), store.home().join("daemon.lock")).unwrap();
    assert!(matches!(daemon(&store), Err(Error::Write { .. })));
    assert!(!dir.path().join("elsewhere").exists());
}

#[test]
fn network_file_systems_are_known() {
    for magic in [0x6969, 0xff53_4d42, 0x6573_5546, 0x0102_1997] {
        assert!(network_kind(magic).is_some());
    }
    for local in [0xef53, 0x0102_1994, 0x5846_5342, 0x9123_683e, 0x794c_7630] {
        assert_eq!(network_kind(local), None);
    }
}

#[test]
fn a_lost_number_does_not_start_over() {
    let (_dir, store) = store();
    for _ in 0..4 {
        daemon(&store).unwrap();
        PlannerLock::try_acquire(&store, &me()).unwrap();
    }
    let lock = daemon(&store).unwrap();
    let fence = PlannerLock::try_acquire(&store, &me()).unwrap().fence();
    let meta =
        Meta::fresh(Target::new(Path::new("/x")), serde_json::json!({}), Stamp::default(), lock.epoch());
    let investigation = store.investigation(meta.id);
    let (writer, _) = Writer::start(&store, lock, Settings::default()).unwrap();
    investigation.put_meta(&writer, &meta, Urgency::Usual).wait().unwrap();
    let plan = StoredPlan { fence, plan: Plan::default(), revisions: Vec::new(), made: Stamp::default() };
    investigation.put_plan(&writer, &plan).wait().unwrap();
    writer.close().wait().unwrap();
    for name in ["epoch.json", "planner-fence.json"] {
        crate::atomic::replace_disposable(&store.home().join(name), b"{}").unwrap();
    }
    assert_eq!(daemon(&store).unwrap().epoch(), 6);
    assert_eq!(PlannerLock::try_acquire(&store, &me()).unwrap().fence(), Fence(6));
}

#[test]
fn a_store_of_a_newer_program_is_left_alone() {
    let (_dir, store) = store();
    let newer = crate::document::Kind::new("epoch", 2, 4096);
    let bytes = crate::document::seal(newer, &serde_json::json!({"number": 1})).unwrap();
    let path = store.home().join("epoch.json");
    crate::atomic::replace_disposable(&path, &bytes).unwrap();
    assert!(matches!(daemon(&store), Err(Error::Newer(_))));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_plan_of_a_planner_that_was_succeeded_is_refused() {
    let (_dir, store) = store();
    let (writer, _) = Writer::start(&store, daemon(&store).unwrap(), Settings::default()).unwrap();
    let investigation = store.investigation(InvestigationId::fresh());
    let plan = |fence, notes: &str| StoredPlan {
        fence,
        plan: Plan { notes: notes.to_owned(), ..Plan::default() },
        revisions: Vec::new(),
        made: Stamp::default(),
    };
    let slow = PlannerLock::try_acquire(&store, &me()).unwrap().fence();
    investigation.put_plan(&writer, &plan(slow, "first")).wait().unwrap();
    let quick = PlannerLock::try_acquire(&store, &me()).unwrap().fence();
    let answer = investigation.put_plan(&writer, &plan(slow, "late")).wait();
    assert!(matches!(answer, Err(Error::StalePlan { carried: 1, current: 2 })), "{answer:?}");
    assert_eq!(investigation.plan().unwrap(), Some(plan(slow, "first")));
    investigation.put_plan(&writer, &plan(quick, "second")).wait().unwrap();
    assert_eq!(investigation.plan().unwrap(), Some(plan(quick, "second")));
}
