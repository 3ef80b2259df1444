use std::sync::{Arc, Mutex};

use luminos_core::job::Mind;
use luminos_core::plan::{Tier, Turns};
use luminos_core::{RelPath, TargetKind};
use luminos_wire::worker::Confinement;

use super::*;

/// A pool of a program that is no worker, and what it tells.
fn pool(program: &str, arguments: &[&str]) -> (PoolHandle, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let setup = PoolSetup {
        target: PathBuf::from("/"),
        own_state: PathBuf::new(),
        workers: 1,
        loops: 1,
        program: Program {
            path: PathBuf::from(program),
            arguments: arguments.iter().map(Into::into).collect(),
        },
        spawner: Spawner::new().unwrap(),
        patience: Duration::from_secs(300),
        listener: Box::new(move |event| heard.lock().unwrap().push(words(&event))),
    };
    (PoolHandle::start(setup).unwrap(), told)
}

fn words(event: &FabricEvent) -> String {
    match event {
        FabricEvent::Ready(_) => "ready".to_owned(),
        FabricEvent::Question { .. } => "question".to_owned(),
        FabricEvent::News { .. } => "news".to_owned(),
        FabricEvent::Over { is_returned, .. } => format!("over, returned: {is_returned}"),
        FabricEvent::Lost { reason, .. } => format!("lost: {reason}"),
        FabricEvent::Broken { reason } => format!("broken: {reason}"),
    }
}

fn assignment() -> Box<Assignment> {
    Box::new(Assignment {
        job: JobId { investigation: "i".to_owned(), dir: RelPath::root(), attempt: 1, epoch: 1 },
        mind: Mind::Offline,
        target_name: String::new(),
        target_kind: TargetKind::PROGRAM,
        tier: Tier::Default,
        turns: Turns(1),
        used: Turns(0),
        files: Vec::new(),
        file_count: 0,
        endings: Vec::new(),
        unreadable: None,
        folded: 0,
        children: Vec::new(),
        survey: None,
        plan_notes: String::new(),
        doubts: Vec::new(),
        tier_reason: String::new(),
        context_budget: 0,
        commands: false,
        show_secrets: false,
        nonce: String::new(),
        history: Vec::new(),
    })
}

async fn until(told: &Mutex<Vec<String>>, count: usize) -> Vec<String> {
    loop {
        {
            let told = told.lock().unwrap();
            if count <= told.len() {
                return told.clone();
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_program_that_never_becomes_a_worker_is_given_up_and_its_jobs_are_lost() {
    let (pool, told) = pool("/bin/false", &[]);
    pool.offer(assignment());
    let told = until(&told, 2).await;
    assert_eq!(told[0], "broken: the worker process ended: exit status: 1");
    assert_eq!(told[1], "lost: no worker can be started");
}

#[tokio::test]
async fn what_comes_after_the_end_is_lost_at_once() {
    let (pool, told) = pool("/nowhere/at/all", &[]);
    pool.offer(assignment());
    until(&told, 2).await;
    pool.offer(assignment());
    let told = until(&told, 3).await;
    assert!(told[0].starts_with("broken: "), "{told:?}");
    assert_eq!(told[2], "lost: no worker can be started");
}

#[tokio::test]
async fn a_program_that_speaks_nonsense_is_not_listened_to() {
    // It sends its own greeting back, which is no word of a worker.
    let (pool, told) = pool("/bin/sh", &["-c", "cat <&0 >&0"]);
    pool.offer(assignment());
    let told = until(&told, 1).await;
    assert!(told[0].starts_with("broken: the worker speaks nonsense"), "{told:?}");
}

#[tokio::test]
async fn a_job_that_nobody_has_begun_can_be_taken_back() {
    // It says nothing, and ends when its input does.
    let (pool, told) = pool("/bin/sh", &["-c", "cat <&0 >/dev/null"]);
    let assignment = assignment();
    let job = assignment.job.clone();
    pool.offer(assignment);
    pool.revoke(&job, true);
    assert_eq!(until(&told, 1).await, ["over, returned: true"]);
    pool.shut_down();
}

/// The pool hears what a process says before it hears that the process has started, if that is fast enough.
#[tokio::test]
async fn a_process_that_is_ready_before_it_has_started_gets_its_job_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let heard = dir.path().join("heard");
    let (pool, _) = pool("/bin/sh", &["-c", "cat <&0 >\"$0\"", heard.to_str().unwrap()]);
    pool.offer(Box::new(Assignment { plan_notes: "for whoever is ready".to_owned(), ..*assignment() }));
    // It is the next in the mailbox, whatever the process does.
    let confinement = Confinement { level: "L3".to_owned(), commands: false, lacks: Vec::new() };
    let message = Box::new(FromWorker::Ready { version: luminos_wire::VERSION, confinement });
    pool.tell(Msg::Heard { worker: WorkerId(0), message });
    let has_job = || std::fs::read(&heard).is_ok_and(|bytes| contains(&bytes, b"for whoever is ready"));
    while !has_job() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    pool.shut_down();
}

fn contains(bytes: &[u8], words: &[u8]) -> bool {
    bytes.windows(words.len()).any(|window| window == words)
}
