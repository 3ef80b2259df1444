use std::sync::Arc;

use luminos_core::job::NoTurn;
use luminos_core::talk::{Message, StopReason, UserBlock};
use luminos_tools::Root;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::fixture::{Script, assignment, call, measured, say, stopped, target};
use crate::session::{Parser, open_session};

fn run(assignment: &Assignment, script: &Script) -> DirResult {
    let target = target();
    let root = Arc::new(Root::open(target.path()).unwrap());
    let mut session = open_session(assignment, root, None, Arc::new(Parser));
    run_dir(assignment, &mut session, script)
}

fn read(path: &str) -> (&'static str, Value) {
    ("read_file", json!({ "path": path }))
}

fn submit(summary: &str) -> (&'static str, Value) {
    let evidence = json!([{ "path": "src/main.rs", "start_line": 1, "quote": "Turns the wheel." }]);
    let claims = json!([{ "text": "`main.rs` turns the wheel.", "evidence": evidence }]);
    ("submit_report", json!({ "summary": summary, "completeness": 0.5, "confidence": 0.8, "claims": claims }))
}

fn note(path: &str, summary: &str) -> (&'static str, Value) {
    ("write_cache", json!({ "cache_type": "file", "path": path, "data": { "summary": summary } }))
}

#[track_caller]
fn reported(result: &DirResult) -> &DirReport {
    match result {
        DirResult::Reported(report) | DirResult::Judged(report) => report,
        DirResult::Partial(unfinished) => panic!("no report: {}", unfinished.reason),
    }
}

#[track_caller]
fn unfinished(result: &DirResult) -> &Unfinished {
    match result {
        DirResult::Partial(unfinished) => unfinished,
        DirResult::Reported(report) | DirResult::Judged(report) => panic!("a report: {}", report.summary),
    }
}

#[track_caller]
fn partial(result: &DirResult) -> (&str, &str) {
    let unfinished = unfinished(result);
    (&unfinished.reason, &unfinished.noted.summary)
}

#[test]
fn several_calls_of_one_turn_all_run_and_the_report_ends_it() {
    let script = Script::new([
        call(&[read("src/main.rs"), read("src/wheel.rs"), note("src/main.rs", "Starts it.")]),
        call(&[submit("It turns a wheel.")]),
    ]);
    let result = run(&assignment(10), &script);
    let report = reported(&result);
    assert_eq!((report.summary.as_str(), script.turns()), ("It turns a wheel.", 2));
    assert_eq!(report.claims[0].evidence[0].quote.as_deref(), Some("Turns the wheel."));
    let told = script.told(2);
    assert!(told.contains("fn main()") && told.contains("A wheel that can be turned."), "{told}");
    assert_eq!(script.files()[0].summary, "Starts it.");
    assert_eq!(script.files()[0].size_bytes, crate::fixture::MAIN.len() as u64);
    let tools: Vec<(u32, String)> = script.tools().into_iter().map(|line| (line.turn, line.tool)).collect();
    let expected = [(1, "read_file"), (1, "read_file"), (1, "write_cache"), (2, "submit_report")];
    assert_eq!(tools, expected.map(|(turn, tool)| (turn, tool.to_owned())));
    assert_eq!(script.results.borrow().as_slice(), [result]);
}

#[test]
fn the_opening_goes_with_the_first_turn_only() {
    let script = Script::new([call(&[read("src/main.rs")]), call(&[submit("Done.")])]);
    run(&assignment(10), &script);
    let asked = script.asked.borrow();
    assert!(asked[0].opening.is_some() && asked[1].opening.is_none());
    assert_eq!([asked[0].turn, asked[1].turn], [1, 2]);
}

#[test]
fn silence_unknown_tools_and_bad_arguments_are_answered() {
    let script = Script::new([
        say("I think it is a wheel."),
        call(&[("reed_file", json!({})), ("read_file", json!({ "path": 7 })), ("submit_report", json!({}))]),
        call(&[submit("A wheel.")]),
    ]);
    let result = run(&assignment(10), &script);
    assert_eq!(reported(&result).summary, "A wheel.");
    assert!(script.told(2).contains("You called no tool"), "{}", script.told(2));
    let told = script.told(3);
    assert!(told.contains("[a failed]") && told.contains("read_file"), "{told}");
    assert!(told.contains("[b failed]") && told.contains("[c failed]"), "{told}");
}

#[test]
fn the_last_turns_are_announced() {
    let reads: Vec<_> = (0..5)
        .map(|offset| call(&[("read_file", json!({ "path": "src/main.rs", "offset": offset }))]))
        .collect();
    let script = Script::new(reads);
    let result = run(&assignment(4), &script);
    let (reason, summary) = partial(&result);
    assert_eq!(reason, "it ran out of turns before it reported");
    assert_eq!(summary, "");
    assert!(!script.told(2).contains("left"), "{}", script.told(2));
    assert!(script.told(3).contains("2 turns left"));
    assert!(script.told(4).contains("1 turn left"));
    assert_eq!(script.turns(), 4);
}

#[test]
fn where_the_model_noted_nothing_the_analyst_tells_of_the_directory() {
    let script = Script::new([]).then_no(NoTurn::Limit("the money limit of $2.00 was reached".to_owned()));
    let result = run(&assignment(6), &script);
    let unfinished = unfinished(&result);
    assert_eq!(unfinished.reason, "the money limit of $2.00 was reached");
    assert_eq!(unfinished.noted, DirReport::default());
    let alone = {
        let target = target();
        let root = Root::open(target.path()).unwrap();
        let offline = Assignment { mind: luminos_core::job::Mind::Offline, ..assignment(6) };
        luminos_analyst::run_dir(&offline, &root, &Script::new([]))
    };
    assert_eq!(unfinished.analyst.as_ref(), Some(reported(&alone)), "the same as in a run without a model");
    assert!(!unfinished.analyst.as_ref().unwrap().claims.is_empty());
    assert!(script.borrowed.borrow().is_empty(), "it takes no turns");
    assert!(script.flags().is_empty(), "the rules have raised theirs before");
    let files: Vec<String> = script.files().iter().map(|file| file.relative_path.to_word()).collect();
    assert_eq!(files, ["src/main.rs", "src/wheel.rs"]);
    assert!(script.news.borrow().iter().all(|news| !matches!(news, News::Turn(_))));
}

#[test]
fn what_the_model_said_of_a_file_the_analyst_does_not_replace() {
    let script = Script::new([call(&[note("src/wheel.rs", "It is round.")])]).then_no(NoTurn::OutOfTurns);
    run(&assignment(6), &script);
    let files = script.files();
    let of_wheel: Vec<&str> = files
        .iter()
        .filter(|file| file.relative_path == RelPath::from("src/wheel.rs"))
        .map(|file| file.summary.as_str())
        .collect();
    assert_eq!(of_wheel, ["It is round."]);
}

#[test]
fn claims_without_a_summary_and_last_words_are_kept() {
    let evidence = json!([{ "path": "./src/main.rs", "start_line": "1" }]);
    let claims = json!([{ "claim": "It turns the wheel.", "evidence": evidence }]);
    let script = Script::new([
        call(&[read("src/main.rs")]),
        call(&[("submit_report", json!({ "claims": claims }))]),
        say("This directory turns a wheel."),
    ]);
    let result = run(&assignment(3), &script);
    let noted = &unfinished(&result).noted;
    assert_eq!(noted.summary, "This directory turns a wheel.");
    assert_eq!(noted.claims[0].text, "It turns the wheel.");
    assert_eq!(noted.claims[0].evidence[0].path, RelPath::from("src/main.rs"));
    assert!(script.told(3).contains("`summary` is missing"), "{}", script.told(3));
}

#[test]
fn a_slip_in_the_last_turn_loses_nothing() {
    let slip = json!({ "summary": "A wheel.", "completeness": "90%", "mood": "good", "claims": "It turns." });
    let script = Script::new([call(&[read("src/main.rs")]), call(&[("submit_report", slip)])]);
    let result = run(&assignment(2), &script);
    let report = reported(&result);
    assert_eq!((report.summary.as_str(), report.completeness), ("A wheel.", Share::new(0.9)));
    assert_eq!(report.claims[0].text, "It turns.");
}

#[test]
fn everything_beside_a_submission_counts_wherever_it_stands() {
    let flag = ("flag", json!({ "path": "src/main.rs", "finding": "Odd.", "severity": "info" }));
    let script = Script::new([call(&[
        submit("A wheel."),
        flag,
        note("src/main.rs", "Starts it."),
        read("src/main.rs"),
    ])])
    .receiving(Reception::Revise { faults: vec!["a fault".to_owned()], turns: Turns(2) });
    let result = run(&assignment(5), &script);
    assert_eq!(reported(&result).summary, "A wheel.");
    assert_eq!(script.flags().len(), 1);
    assert_eq!(script.files()[0].summary, "Starts it.");
    let told = script.told(2);
    let places = ["[a] It was received.", "[b] Flagged", "[c] Kept", "[d] "].map(|words| told.find(words));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{told}");
}

#[test]
fn nothing_learned_is_lost() {
    let learned = |script: Script| {
        let result = run(&assignment(6), &script);
        let (reason, summary) = partial(&result);
        assert!(summary.contains("src/wheel.rs: It is round."), "{summary}");
        assert!(summary.contains("1 of 2 files were summarised."), "{summary}");
        assert_eq!(script.results.borrow().len(), 1);
        reason.to_owned()
    };
    let first = || call(&[note("src/wheel.rs", "It is round.")]);
    assert_eq!(
        learned(Script::new([first()]).then_no(NoTurn::ModelFailed("overloaded".to_owned()))),
        "the model failed: overloaded"
    );
    assert_eq!(
        learned(Script::new([first()]).then_no(NoTurn::Limit("$2.00 are spent".to_owned()))),
        "$2.00 are spent"
    );
    assert_eq!(learned(Script::new([first()]).then_no(NoTurn::Stopped)), "the investigation was stopped");
    assert_eq!(learned(Script::new([first()]).stopping_after(1)), "the investigation was stopped");
    let refusal = stopped(say("No."), StopReason::Refusal { category: Some("policy".to_owned()) });
    assert_eq!(learned(Script::new([first(), refusal])), "the model declined to go on (policy)");
    let full = || stopped(say(""), StopReason::WindowFull);
    assert_eq!(learned(Script::new([first(), full(), full()])), "the model's context window was full");
    assert_eq!(
        learned(Script::new([first(), measured(say("…"), 100_000)])),
        "its prompt had 100000 tokens, more than the 100000 of its context budget"
    );
}

#[test]
fn a_checkpoint_is_kept_when_no_report_comes() {
    let checkpoint = json!({ "learned": "The wheel is square.", "still_unknown": "", "next_phase": "" });
    let script = Script::new([call(&[("checkpoint", checkpoint)])]).then_no(NoTurn::OutOfTurns);
    let result = run(&assignment(5), &script);
    assert_eq!(partial(&result).1, "The wheel is square.");
}

#[test]
fn a_report_in_the_turn_that_trips_the_budget_counts() {
    let script = Script::new([measured(call(&[submit("Just in time.")]), 200_000)]);
    assert_eq!(reported(&run(&assignment(5), &script)).summary, "Just in time.");
}

#[test]
fn going_round_in_circles_is_told_and_then_ended() {
    let script = Script::new((0..10).map(|_| call(&[read("src/main.rs")])));
    let result = run(&assignment(20), &script);
    assert_eq!(partial(&result).0, "it went round in circles: the same call of read_file 5 times");
    assert_eq!(script.turns(), 5);
    assert!(!script.told(3).contains("Stop and think"));
    assert!(
        script.told(4).contains("you have made the same call of read_file 3 times"),
        "{}",
        script.told(4)
    );
    let script = Script::new((0..10).map(|_| say("Hm.")));
    assert_eq!(
        partial(&run(&assignment(20), &script)).0,
        "it went round in circles: 5 turns without a tool call"
    );
}

#[test]
fn an_answer_that_was_cut_off_is_told_so() {
    let script = Script::new([stopped(say("Very long"), StopReason::MaxOutput), call(&[submit("Short.")])]);
    assert_eq!(reported(&run(&assignment(5), &script)).summary, "Short.");
    assert!(script.told(2).contains("was cut"), "{}", script.told(2));
}

#[test]
fn a_pause_is_answered_with_nothing_and_not_forever() {
    let pause = || stopped(say("Let me"), StopReason::Paused);
    let script = Script::new([pause(), call(&[submit("Rested.")])]);
    assert_eq!(reported(&run(&assignment(3), &script)).summary, "Rested.");
    assert!(script.asked.borrow()[1].new.is_empty());
    let script = Script::new((0..9).map(|_| pause()));
    run(&assignment(20), &script);
    assert!(script.told(5).contains("You called no tool"), "{}", script.told(5));
}

#[test]
fn the_first_report_of_a_turn_counts() {
    let script = Script::new([call(&[submit("First."), submit("Second."), note("src/main.rs", "Late.")])]);
    assert_eq!(reported(&run(&assignment(5), &script)).summary, "First.");
    assert_eq!(script.results.borrow().len(), 1);
}

#[test]
fn borrowed_turns_extend_the_loop() {
    let ask = || ("request_turns", json!({ "turns": 3, "reason": "wheel.rs is unseen" }));
    let script = Script::new([
        call(&[read("src/main.rs"), ask()]),
        call(&[read("src/wheel.rs")]),
        call(&[("search", json!({ "pattern": "turn" }))]),
        call(&[submit("All seen.")]),
    ])
    .lending(Loan::Granted(Turns(2)));
    let result = run(&assignment(2), &script);
    assert_eq!(reported(&result).summary, "All seen.");
    assert_eq!(script.borrowed.borrow().as_slice(), [(Turns(3), "wheel.rs is unseen".to_owned())]);
    assert!(script.told(2).contains("You got 2 more turns."), "{}", script.told(2));
    let script = Script::new([call(&[ask()]), call(&[submit("What I saw.")])]);
    assert_eq!(reported(&run(&assignment(2), &script)).summary, "What I saw.");
    assert!(script.told(2).contains("No more turns: none are free."), "{}", script.told(2));
}

#[test]
fn faults_go_back_and_the_loop_mends_them() {
    let faults = vec!["the quote of claim 1 is not in lines 1 to 1".to_owned()];
    let script =
        Script::new([call(&[submit("Wrong.")]), call(&[read("src/main.rs")]), call(&[submit("Right.")])])
            .receiving(Reception::Revise { faults, turns: Turns(2) });
    let result = run(&assignment(1), &script);
    assert_eq!(reported(&result).summary, "Right.");
    assert!(script.told(2).contains("- the quote of claim 1 is not in lines 1 to 1"), "{}", script.told(2));
    assert!(script.told(2).contains("You have 2 turns for that."));
    let summaries: Vec<String> =
        script.results.borrow().iter().map(|result| reported(result).summary.clone()).collect();
    assert_eq!(summaries, ["Wrong.", "Right."]);
}

#[test]
fn a_report_that_is_not_mended_is_handed_in_as_it_was() {
    let revise = || Reception::Revise { faults: vec!["no".to_owned()], turns: Turns(1) };
    let script = Script::new([call(&[submit("Once.")]), say("Hm.")]).receiving(revise());
    assert_eq!(reported(&run(&assignment(3), &script)).summary, "Once.");
    assert_eq!(script.results.borrow().len(), 2);
    let script = Script::new((0..9).map(|_| call(&[submit("Again.")])));
    let script = (0..9).fold(script, |script, _| script.receiving(revise()));
    run(&assignment(3), &script);
    assert_eq!(script.results.borrow().len(), 4);
}

#[test]
fn old_results_are_shortened_before_the_budget_trips() {
    let mut assignment = assignment(12);
    assignment.context_budget = 2_000;
    let reads = (0..4u64).map(|turn| {
        measured(call(&[("read_file", json!({ "path": "src/main.rs", "offset": turn }))]), 600 + turn * 400)
    });
    let script = Script::new(reads.chain([call(&[submit("Fits.")])]));
    assert_eq!(reported(&run(&assignment, &script)).summary, "Fits.");
    let through: Vec<Option<u32>> = script.asked.borrow().iter().map(|ask| ask.compact_before).collect();
    assert_eq!(through[..3], [None, None, None]);
    assert!(through[4].is_some(), "{through:?}");
    let growing: Vec<u32> = through.iter().flatten().copied().collect();
    assert!(growing.is_sorted(), "{through:?}");
}

/// The history that a gateway would hand to the next life after so many answers.
fn history(script: &Script, answers: usize) -> Vec<Message> {
    let mut history = Vec::new();
    let mut seen = 0;
    for message in script.transcript.borrow().iter() {
        history.push(message.clone());
        seen += usize::from(matches!(message, Message::Assistant(_)));
        if seen == answers {
            break;
        }
    }
    history
}

#[test]
fn a_loop_goes_on_where_another_one_died() {
    let turns = || {
        [
            call(&[read("src/main.rs"), note("src/main.rs", "Starts it.")]),
            call(&[read("src/wheel.rs")]),
            call(&[submit("The same.")]),
        ]
    };
    let whole = Script::new(turns());
    let expected = run(&assignment(6), &whole);
    for answers in 1..=3 {
        let mut resumed = assignment(6);
        resumed.history = history(&whole, answers);
        resumed.used = Turns(answers as u32);
        let script = Script::new(turns().into_iter().skip(answers));
        assert_eq!(run(&resumed, &script), expected);
        let asked = script.asked.borrow();
        assert_eq!(asked.as_slice(), &whole.asked.borrow()[answers..], "after {answers}");
    }
    let mut asked_again = assignment(6);
    asked_again.history = history(&whole, 2);
    asked_again.history.pop();
    asked_again.used = Turns(1);
    let script = Script::new(turns().into_iter().skip(1));
    assert_eq!(run(&asked_again, &script), expected);
    assert_eq!(script.asked.borrow()[0], whole.asked.borrow()[1]);
}

#[test]
fn what_an_earlier_life_noted_is_in_the_partial_entry() {
    let whole = Script::new([call(&[note("src/main.rs", "Starts it.")]), call(&[read("src/wheel.rs")])]);
    run(&assignment(3), &whole);
    let mut resumed = assignment(3);
    resumed.history = history(&whole, 2);
    resumed.used = Turns(2);
    let script = Script::new([]).then_no(NoTurn::OutOfTurns);
    let result = run(&resumed, &script);
    assert!(partial(&result).1.contains("src/main.rs: Starts it."));
    let of_main = script.files().iter().filter(|file| file.summary == "Starts it.").count();
    assert_eq!(of_main, 0, "it was told before");
}

#[test]
fn flags_are_told_as_they_are_raised_and_kept_within_the_target() {
    let flag = |path: &str| ("flag", json!({ "path": path, "finding": "Odd.", "severity": "concern" }));
    let script =
        Script::new([call(&[flag("src/main.rs"), flag("../../etc/passwd")]), call(&[submit("Odd.")])]);
    run(&assignment(5), &script);
    let flags = script.flags();
    assert_eq!(flags.len(), 1);
    assert_eq!(
        (flags[0].path.clone(), flags[0].directory.clone()),
        (RelPath::from("src/main.rs"), RelPath::from("src"))
    );
    assert!(script.told(2).contains("[b failed]"), "{}", script.told(2));
}

fn any_arguments() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        Just(json!({ "path": "src/main.rs" })),
        Just(json!({ "path": "../../etc/passwd" })),
        Just(json!([1, 2])),
        Just(json!({ "turns": 1e9, "reason": "" })),
        Just(json!({ "turns": 5, "reason": "more" })),
        Just(submit("Done.").1),
        Just(note("src/main.rs", "x").1),
        Just(note("other/file", "x").1),
        ".*".prop_map(|text| json!({ "path": text, "pattern": text, "finding": text })),
    ]
}

fn any_said() -> impl Strategy<Value = luminos_core::job::Said> {
    let tool = prop_oneof![
        Just("read_file"),
        Just("list_directory"),
        Just("search"),
        Just("write_cache"),
        Just("flag"),
        Just("think"),
        Just("request_turns"),
        Just("submit_report"),
        Just("no_such_tool"),
        Just(""),
    ];
    let stop = prop_oneof![
        Just(StopReason::EndTurn),
        Just(StopReason::ToolUse),
        Just(StopReason::MaxOutput),
        Just(StopReason::Paused),
        Just(StopReason::WindowFull),
        Just(StopReason::Other("new".to_owned())),
    ];
    let calls = proptest::collection::vec((tool, any_arguments()), 0..5);
    (calls, stop, 0u64..150_000).prop_map(|(calls, stop, input)| measured(stopped(call(&calls), stop), input))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_a_model_says_the_loop_ends_in_its_turns_with_a_result(
        said in proptest::collection::vec(any_said(), 0..30),
        turns in 1u32..12,
        loans in proptest::collection::vec(0u32..4, 0..4),
    ) {
        let most = turns + loans.iter().sum::<u32>();
        let script = Script::new(said);
        let script = loans.iter().fold(script, |script, turns| script.lending(Loan::Granted(Turns(*turns))));
        let result = run(&assignment(turns), &script);
        prop_assert!(script.turns() as u32 <= most);
        let results = script.results.borrow();
        prop_assert_eq!(results.last(), Some(&result));
        for ask in script.asked.borrow().iter() {
            let mut ids: Vec<&str> = ask.new.iter().filter_map(|block| match block {
                UserBlock::ToolResult(result) => Some(result.call_id.as_str()),
                UserBlock::Text(_) => None,
            }).collect();
            let all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            prop_assert_eq!(all, ids.len());
        }
    }
}
