//! A network and a provider that fail in every way, and the whole program on this side: what is asked again, what is told,
//! and that the books are right. The server knows what it has sold; no more may be booked than the limit, and no less than
//! was sold.

use std::time::Duration;

use luminos_model_server::{
    Answer, Block, ByteFault, Cut, EventFault, Fault, Gate, Lasts, Matcher, Policy, Refusal, RetryAfter,
    Script, Turn, TurnFault, Usage, WireFault,
};
use serde_json::json;

use crate::machine::{Machine, Run, finish};
use crate::site::{Api, PATIENCE, Site, project};

/// Tokens that may be used in these runs: enough for all of them.
const LIMIT: u64 = 2_000_000;

/// Investigates with short time limits.
fn run(site: &Site, arguments: &str) -> Run {
    let mut command = site.run_command(&format!("{arguments} ."));
    command.env("LUMINOS_MODELS_IDLE_TIMEOUT", "700 ms").env("LUMINOS_MODELS_CONNECT_TIMEOUT", "2 s");
    site.machine.ended(finish(&mut command, PATIENCE))
}

/// What the server has sold, in tokens, and what was booked.
fn books(site: &Site) -> (u64, u64) {
    let counters = site.server.counters();
    let booked = site.document("meta.json")["counters"]["tokens"].as_u64().unwrap();
    (counters.prompt_tokens + counters.turn_tokens, booked)
}

/// A run in which the first answers fail ends as if nothing had been; and what was sold is booked.
#[track_caller]
fn is_survived(api: Api, times: usize, fault: impl Into<Fault>) {
    let fault = fault.into();
    let script =
        Script::new().times(times, Answer::policy().with(fault.clone())).otherwise(Policy::default());
    let site = Site::through(api, project(), script);
    let ended = run(&site, &format!("--max-tokens {LIMIT}"));
    assert_eq!(ended.code, Some(0), "{fault:?}: {ended}\n{}", site.log());
    assert!(ended.stdout.contains("5 entries were looked at"), "{fault:?}: {ended}");
    let (sold, booked) = books(&site);
    assert!(0 < sold && sold <= booked && booked <= LIMIT, "{fault:?}: sold {sold}, booked {booked}");
    let looked_over = site.machine.ended(finish(&mut site.command("fsck"), PATIENCE));
    assert_eq!(looked_over.code, Some(0), "{fault:?}: {looked_over}");
}

#[test]
fn what_is_sold_without_faults_is_booked_to_the_token() {
    for api in [Api::Messages, Api::Chat] {
        let site = Site::through(api, project(), Policy::default());
        assert_eq!(run(&site, "").code, Some(0));
        let (sold, booked) = books(&site);
        assert_eq!(sold, booked, "{api:?}");
    }
}

#[test]
fn connections_that_are_reset_or_closed_are_made_again() {
    is_survived(Api::Messages, 2, WireFault::Reset(Cut::BeforeHead));
    is_survived(Api::Chat, 2, WireFault::Close(Cut::AfterHead));
    is_survived(Api::Messages, 2, WireFault::Reset(Cut::AfterEvents(3)));
}

#[test]
fn silence_before_and_within_an_answer_ends() {
    is_survived(Api::Messages, 2, WireFault::Hang(Cut::BeforeHead, Lasts::Forever));
    is_survived(Api::Chat, 2, WireFault::Hang(Cut::AfterEvents(2), Lasts::Forever));
}

#[test]
fn broken_and_split_events_are_borne() {
    is_survived(Api::Messages, 2, EventFault::Malformed(2));
    is_survived(Api::Messages, 2, EventFault::WithoutEnd);
    is_survived(Api::Chat, 2, EventFault::Error(1, Refusal::Overloaded));
    is_survived(Api::Chat, 40, ByteFault::SplitEvery(7, Duration::ZERO));
}

/// An answer that was sent whole and never arrived was sold: it is booked, and so is the one that is bought instead.
#[test]
fn an_answer_that_got_lost_after_it_was_sent_is_booked_twice_because_it_was_sold_twice() {
    let lost = Answer::policy().with(WireFault::Reset(Cut::AfterEvents(6)));
    let script = Script::new().then(lost).otherwise(Policy::default());
    let site = Site::new(project(), script);
    let ended = run(&site, "");
    assert_eq!(ended.code, Some(0), "{ended}");
    let (sold, booked) = books(&site);
    let calm = Site::new(project(), Policy::default());
    assert_eq!(run(&calm, "").code, Some(0));
    let (once, _) = books(&calm);
    assert!(once < sold && sold <= booked, "once {once}, sold {sold}, booked {booked}");
}

/// What a provider says about its own cost is not always true; less than was certainly used is never booked.
#[test]
fn a_provider_that_lies_about_usage_changes_no_limit() {
    for usage in [Usage::Missing, Usage::Zero] {
        is_survived(Api::Messages, 3, TurnFault::Usage(usage));
    }
}

#[test]
fn a_storm_of_refusals_passes() {
    let soon = RetryAfter::Millis(20);
    let script = Script::new().times(25, Refusal::RateLimited(soon)).otherwise(Policy::default());
    let site = Site::new(project(), script);
    let ended = run(&site, "");
    assert_eq!(ended.code, Some(0), "{ended}");
    let (sold, booked) = books(&site);
    assert_eq!(sold, booked, "what is refused costs nothing");
    let script = Script::new().times(2, Refusal::Overloaded).otherwise(Policy::default());
    let site = Site::through(Api::Chat, project(), script);
    assert_eq!(run(&site, "").code, Some(0));
    let (sold, booked) = books(&site);
    assert_eq!(sold, booked, "what is refused costs nothing");
    // A server that fails before the first byte of an answer has sold nothing.
    let script = Script::new().times(2, Refusal::Internal).otherwise(Policy::default());
    let site = Site::through(Api::Chat, project(), script);
    assert_eq!(run(&site, "").code, Some(0));
    let (sold, booked) = books(&site);
    assert_eq!(sold, booked, "a server that failed is owed nothing");
}

/// A stream that never ends is cut, and the run says what it lacks.
#[test]
fn an_endless_stream_ends() {
    let endless = vec![Answer::policy().with(EventFault::Endless(2)); 50];
    let script = Script::new()
        .when(Matcher::any().offering("read_file").containing("directory: docs"), endless)
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let ended = run(&site, &format!("--max-tokens {LIMIT}"));
    assert_eq!(ended.code, Some(3), "{ended}");
    let entry = site.entry("docs");
    assert_eq!(entry["partial"], true, "{entry}");
    assert!(entry["partial_reason"].as_str().unwrap().contains("the model failed"), "{entry}");
    let (_, booked) = books(&site);
    assert!(booked <= LIMIT, "{booked}");
}

/// The server goes away in the middle: the run waits, and goes on when it is back.
#[test]
fn a_server_that_is_away_is_waited_for() {
    let gate = Gate::shut();
    let docs = Matcher::any().offering("read_file").containing(r"directory: docs\n");
    let script = Script::new()
        .when(docs, [Answer::policy(), Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let started = site.start(".");
    site.until_asked(&[("docs", 2)]);
    runtime.block_on(site.server.refuse_connections());
    gate.open();
    runtime.block_on(site.server.accept_connections());
    let ended = site.wait(started);
    assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
    let (sold, booked) = books(&site);
    assert!(0 < sold && sold <= booked, "{sold} {booked}");
}

/// Many loops at once meet the limit in the same moment: together they stay below it, and everything is told.
#[test]
fn parallel_loops_never_pass_the_limit_together() {
    let machine = (0..12).fold(Machine::new(), |machine, number| {
        machine.with_file(
            format!("project/part-{number}/a.md"),
            format!("# Part {number}\n\nIt is one of many.\n"),
        )
    });
    // Answers of very different length: what is reserved is far from what is used.
    let answers = (0..200).map(|number| {
        let words = Block::Text("word ".repeat(number * 37 % 900));
        Turn::of(vec![words, Block::call("list_directory", &json!({ "path": "." }))]).into()
    });
    let script =
        Script::new().when(Matcher::any().offering("read_file"), answers).otherwise(Policy::default());
    let site = Site::new(machine, script);
    let limit = 160_000;
    let ended = run(&site, &format!("--max-tokens {limit}"));
    assert_eq!(ended.code, Some(3), "{ended}");
    let (sold, booked) = books(&site);
    assert!(20_000 < sold && sold <= booked && booked <= limit, "sold {sold}, booked {booked} of {limit}");
    assert!(1 < site.server.counters().most_in_flight, "{:?}", site.server.counters());
}
