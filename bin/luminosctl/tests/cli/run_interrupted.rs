//! Somebody dies, or has enough: nothing that was paid is lost, and nothing is paid twice.

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::site::{Site, project, until};

/// The third question about `src` waits at the gate. With one loop at a time, no other is on its way.
fn held(gate: &Gate) -> Script {
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    let answers = [Answer::policy(), Answer::policy(), Answer::policy().behind(gate)];
    Script::new().when(src, answers).otherwise(Policy::default())
}

/// What a run came to, without what differs from run to run: times, names of investigations, and what those calls
/// cost that got no answer.
pub(crate) fn outcome(site: &Site) -> (Value, Value, Value) {
    fn blank(value: &mut Value) {
        match value {
            Value::Object(object) => {
                let differing = [
                    "investigation",
                    "path",
                    "made_at",
                    "digest",
                    "passes",
                    "counters",
                    "call",
                    "files_digest",
                    "tokens",
                    "cost",
                ];
                differing.iter().for_each(|name| drop(object.remove(*name)));
                object.values_mut().for_each(blank);
            }
            Value::Array(values) => values.iter_mut().for_each(blank),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut report = site.report();
    let mut evaluation = site.document("plan_evaluation.json")["per_directory"].clone();
    let mut plan = site.document("plan.json")["plan"].clone();
    blank(&mut report);
    blank(&mut evaluation);
    blank(&mut plan);
    (report, evaluation, plan)
}

fn undisturbed() -> (Value, Value, Value) {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    outcome(&site)
}

/// Every turn of every directory, and how often it was asked for.
#[track_caller]
fn is_bought_once(site: &Site, except: &[(&str, usize)]) {
    let mut turns = site.dir_turns();
    for (dir, turn) in except {
        let place = turns.iter().position(|(known, at)| known == dir && at == turn).unwrap();
        turns.remove(place);
    }
    let mut once = turns.clone();
    once.dedup();
    assert_eq!(turns, once);
    assert_eq!(turns.len(), 20, "{turns:?}");
    let others = site.asked().into_iter().filter(|asked| asked.pass != "dir").count();
    // One survey, one plan, and what the synthesis needs.
    let synthesis = site.asked().into_iter().filter(|asked| asked.pass == "synthesis").count();
    assert_eq!(others, 2 + synthesis);
}

#[test]
fn the_client_is_killed_and_the_run_goes_on() {
    let gate = Gate::shut();
    let site = Site::new(project(), held(&gate));
    let mut client = site.start(".");
    site.until_asked(&[("src", 3)]);
    client.kill().unwrap();
    client.wait().unwrap();
    gate.open();
    until(|| site.document("meta.json")["state"] == "done");
    let asked = site.asked().len();
    let run = site.done(".");
    assert_eq!(site.asked().len(), asked, "{run}");
    is_bought_once(&site, &[]);
    assert_eq!(outcome(&site), undisturbed());
}

#[test]
fn the_daemon_is_killed_and_the_next_run_goes_on() {
    let gate = Gate::shut();
    let site = Site::new(project(), held(&gate));
    let client = site.start("--parallel 1 .");
    site.until_asked(&[("src", 3)]);
    site.kill_daemon();
    let run = site.wait(client);
    assert_eq!(run.code, Some(1), "{run}");
    gate.open();
    let run = site.done(".");
    assert_eq!(site.investigations().len(), 1);
    // The question that was on its way had no answer: it is asked again.
    is_bought_once(&site, &[("src", 3)]);
    assert_eq!(outcome(&site), undisturbed(), "{run}");
}

#[test]
fn the_daemon_is_killed_again_and_again() {
    let gates: Vec<Gate> = (0..4).map(|_| Gate::shut()).collect();
    let hold = |gate: &Gate| Answer::policy().behind(gate);
    let loops = |dir: &str| Matcher::any().offering("read_file").containing(&format!(r"directory: {dir}\n"));
    let script = Script::new()
        .when(Matcher::any().offering("submit_plan"), [hold(&gates[0])])
        .when(loops("src/parser"), [Answer::policy(), hold(&gates[1])])
        .when(loops("."), [hold(&gates[2])])
        .when(Matcher::any().offering("list_cache"), [Answer::policy(), hold(&gates[3])])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let seen = |pass: &str, dir: &str| {
        site.asked().iter().filter(|asked| asked.pass == pass && asked.dir == dir).count()
    };
    let moments: [(&str, &str, usize); 4] =
        [("plan", "", 1), ("dir", "src/parser", 2), ("dir", ".", 1), ("synthesis", "", 2)];
    for (gate, (pass, dir, count)) in gates.iter().zip(moments) {
        let client = site.start("--parallel 1 .");
        site.until(|_| count <= seen(pass, dir));
        site.kill_daemon();
        let _ = site.wait(client);
        gate.open();
    }
    let run = site.done(".");
    assert_eq!(outcome(&site), undisturbed(), "{run}");
    let mut turns = site.dir_turns();
    turns.dedup();
    assert_eq!(turns.len(), 20, "{turns:?}");
    // Four questions were on their way when somebody died, and no other was asked twice.
    let counts = ["survey", "plan", "dir", "synthesis"]
        .map(|pass| site.asked().iter().filter(|asked| asked.pass == pass).count());
    assert_eq!(counts, [1, 2, 22, 4]);
}

#[test]
fn a_worker_is_killed_and_another_takes_over() {
    let gate = Gate::shut();
    let site = Site::new(project(), held(&gate));
    let client = site.start("--workers 1 .");
    site.until_asked(&[("src", 3)]);
    let workers = site.processes("worker");
    assert!(!workers.is_empty());
    site.kill(&workers);
    // Somebody else is there before the answer is.
    until(|| site.processes("worker").iter().any(|worker| !workers.contains(worker)));
    gate.open();
    let run = site.wait(client);
    assert_eq!(run.code, Some(0), "{run}\n{}", site.log());
    // The daemon asks, not the worker: what was on its way arrives all the same.
    is_bought_once(&site, &[]);
    assert_eq!(outcome(&site), undisturbed());
}

#[test]
fn somebody_has_enough_and_the_work_is_kept() {
    let gate = Gate::shut();
    let site = Site::new(project(), held(&gate));
    let client = site.start("--parallel 1 .");
    site.until_asked(&[("src", 3)]);
    kill_process(Pid::from_child(&client), Signal::INT).unwrap();
    // The model hangs: nobody waits for it.
    let run = site.wait(client);
    assert_eq!(run.code, Some(130), "{run}\n{}", site.log());
    assert!(run.stderr.contains("the work is kept"), "{run}");
    assert_eq!(site.document("meta.json")["state"], "cancelled");
    gate.open();
    site.done(".");
    is_bought_once(&site, &[("src", 3)]);
    assert_eq!(outcome(&site), undisturbed());
}
