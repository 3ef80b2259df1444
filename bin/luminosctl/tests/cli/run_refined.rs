//! Second looks: by a judge that refutes, by loops that go on, by passes over what came out weak.

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script, Turn};
use serde_json::json;

use crate::machine::finish;
use crate::site::{PATIENCE, Site, project};

fn verdict(verdict: &str, reason: &str) -> Answer {
    Turn::call("submit_verdict", &json!({ "verdict": verdict, "reason": reason })).into()
}

fn dir(dir: &str) -> Matcher {
    Matcher::any().offering("read_file").containing(&format!(r"directory: {dir}\n"))
}

#[test]
fn a_second_judge_refutes_what_the_bytes_bear_out() {
    let judge = Matcher::any().offering("submit_verdict");
    // The first claim it is asked about is refuted each time it comes back; all others stand.
    let refuted = Matcher::any().offering("submit_verdict").containing("TODO");
    let script = Script::new()
        .when(refuted, vec![verdict("unsure", "a promise is no parser"); 50])
        .when(judge, vec![verdict("stands", "it says so"); 200])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.done("--judge model .");
    let report = site.report();
    let second = &report["counters"]["second_judge"];
    let (asked, refuted) = (second["asked"].as_u64().unwrap(), second["refuted"].as_u64().unwrap());
    assert!(0 < refuted && refuted < asked, "{second}");
    assert!(run.stdout.contains("that the bytes bear out"), "{run}");
    let entry = site.entry("src/parser");
    let doubtful = entry["claims"].as_array().unwrap().iter().find(|claim| claim["verified"] == false);
    let faults = doubtful.unwrap()["faults"].to_string();
    assert!(
        faults.contains("a second judge does not find it in the cited lines: a promise is no parser"),
        "{faults}"
    );
    // It sees one claim and its lines: no transcript, and no other tool.
    let questions: Vec<_> = site.server.requests().iter().map(|received| received.request.json()).collect();
    let judged = questions.iter().filter(|body| body["tools"].to_string().contains("submit_verdict"));
    for question in judged {
        assert_eq!(question["messages"].as_array().unwrap().len(), 1, "{question}");
        assert_eq!(question["tools"].as_array().unwrap().len(), 1, "{question}");
    }
    // Nothing has changed: nobody is asked again.
    let before = site.server.requests().len();
    site.done("--judge model .");
    assert_eq!(site.server.requests().len(), before);
}

#[test]
fn without_a_model_nobody_can_judge_a_second_time() {
    let site = Site::new(project(), Policy::default());
    let run = site.machine.ended(crate::machine::finish(
        &mut site.command("run --offline --judge model ."),
        crate::site::PATIENCE,
    ));
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("there is no model that could judge"), "{run}");
}

#[test]
fn what_is_unsure_is_looked_into_again_and_its_parents_hear_of_it() {
    let unsure = Turn::call(
        "submit_report",
        &json!({ "summary": "Some words.", "completeness": 0.5, "confidence": 0.2,
                 "confidence_reason": "only one file was read", "evidence": [] }),
    );
    let script = Script::new().when(dir("docs"), [unsure.into()]).otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.done("--refine 2 .");
    assert!(run.stderr.contains("deserve"), "{run}");
    let docs: Vec<_> = site.asked().into_iter().filter(|asked| asked.dir == "docs").collect();
    let again = docs.iter().find(|asked| asked.body.contains("only one file was read")).unwrap();
    assert_eq!(again.turn, 1, "a second look begins anew");
    assert_ne!(site.entry("docs")["summary"], "Some words.");
    // The root saw another child: it is looked at again; what lies elsewhere is not.
    let first_turns =
        |dir: &str| site.dir_turns().iter().filter(|(known, turn)| known == dir && *turn == 1).count();
    assert_eq!((first_turns("docs"), first_turns("."), first_turns("tests")), (2, 2, 1));
    // Whatever was used is in the ledger.
    let used = site.document("meta.json")["counters"]["turns"].as_u64().unwrap();
    assert_eq!(used, site.dir_turns().len() as u64);
}

#[test]
fn second_looks_end_when_they_read_nothing_new() {
    // Each time it is as unsure as before, and reads nothing.
    let unsure: Answer = Turn::call(
        "submit_report",
        &json!({ "summary": "Some words.", "completeness": 0.5, "confidence": 0.2, "evidence": [] }),
    )
    .into();
    let script = Script::new().when(dir("docs"), vec![unsure; 20]).otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.done("--refine 5 .");
    let looks = site.dir_turns().iter().filter(|(dir, turn)| dir == "docs" && *turn == 1).count();
    assert_eq!(looks, 2, "one second look was enough: {run}");
    assert!(run.stderr.contains("read nothing new"), "{run}");
}

#[test]
fn a_call_that_was_on_its_way_when_everything_died_stays_booked_as_lost_in_flight() {
    let gate = Gate::shut();
    let script = Script::new()
        .when(dir("src"), [Answer::policy(), Answer::policy(), Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let client = site.start("--parallel 1 --max-tokens 400000 .");
    site.until_asked(&[("src", 3)]);
    site.kill_daemon();
    let _ = site.wait(client);
    gate.open();
    // Nobody works on it: what was on its way is lost.
    let listed = site.machine.ended(finish(&mut site.command("list --json"), PATIENCE));
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let number = |name: &str| listed[0][name].as_u64().unwrap();
    assert!(0 < number("cost") && 0 < number("lost_in_flight"), "{listed}");
    assert_eq!(number("reserved"), 0, "{listed}");
    let list = site.machine.ended(finish(&mut site.command("list"), PATIENCE));
    assert!(list.stdout.contains("spent  reserved  lost in flight"), "{list}");
    let status = site.machine.ended(finish(&mut site.command("status ."), PATIENCE));
    assert!(status.stdout.contains("$0.00 reserved, $0."), "{status}");
    let run = site.done("--max-tokens 400000 .");
    assert!(run.stdout.contains("lost in flight (1 call"), "{run}");
    let report = site.report();
    let counters = &report["counters"];
    assert_eq!(
        (&counters["lost_in_flight"]["calls"], &counters["reserved"]["calls"]),
        (&1.into(), &0.into())
    );
    let parts = |usage: &serde_json::Value| -> u64 {
        usage.as_object().unwrap().values().map(|tokens| tokens.as_u64().unwrap()).sum()
    };
    let passes = report["passes"].as_array().unwrap();
    assert!(passes.iter().all(|pass| parts(&pass["tokens"]) == pass["tokens_booked"]), "{passes:?}");
    let booked: u64 = passes.iter().map(|pass| parts(&pass["tokens"])).sum();
    assert_eq!(parts(&counters["tokens"]), booked, "tokens are the sum of their parts: {report}");
    let lines = std::fs::read_to_string(site.investigation().join("spend.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let reserved = lines.iter().filter(|line| line["post"] == "reserve").count();
    let settled: u64 = lines.iter().filter_map(|line| line["charged"]["tokens"].as_u64()).sum();
    assert_eq!(reserved, lines.iter().filter(|line| line["post"] == "settle").count() + 1);
    // The one without an end is counted at the most it could have cost, and no limit is passed.
    let used = site.document("meta.json")["counters"].clone();
    let (told, lost) = (used["tokens"].as_u64().unwrap(), used["lost_tokens"].as_u64().unwrap());
    assert_eq!((told, told), (settled, booked));
    assert!(8_192 < lost && told + lost <= 400_000, "{told} and {lost}");
}
