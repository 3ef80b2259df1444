use luminos_core::talk::Arguments;
use proptest::prelude::*;
use serde_json::json;

use super::super::{Checked, READY, Ready, Scope, checked};
use super::*;

fn tool(name: &str, scope: Scope) -> &'static Ready {
    let is_it = |tool: &&Ready| tool.spec.name == name && tool.declared.scopes.contains(&scope);
    READY.iter().find(is_it).unwrap()
}

/// What a tool gets of arguments, and what was lost.
#[track_caller]
fn read(name: &str, scope: Scope, arguments: &Value) -> (Value, Corrections) {
    read_text(name, scope, &arguments.to_string())
}

#[track_caller]
fn read_text(name: &str, scope: Scope, text: &str) -> (Value, Corrections) {
    match checked(tool(name, scope), &Arguments::parse(text)) {
        Ok(Checked { value, corrections }) => (value, corrections),
        Err(unfit) => panic!("{text}: {}", unfit.why),
    }
}

/// Arguments of the report on a directory, and where something is to be found in what was read.
#[track_caller]
fn report(arguments: &Value, pointer: &str, expected: &Value) {
    let (value, _) = read("submit_report", Scope::Dir, arguments);
    assert_eq!(value.pointer(pointer), Some(expected), "{arguments}\nbecame {value}");
}

#[track_caller]
fn same(name: &str, scope: Scope, arguments: &Value, expected: &Value) {
    let (value, _) = read(name, scope, arguments);
    assert_eq!(value, *expected, "{arguments}");
}

#[test]
fn what_fits_comes_out_as_it_went_in() {
    let evidence = json!([{"path": "a.rs", "start_line": 3, "end_line": 4, "quote": "fn a()"}]);
    let whole = json!({
        "summary": "It parses.", "completeness": 0.5, "confidence": 1, "confidence_reason": "Read.",
        "claims": [{"text": "`a` parses.", "evidence": evidence}], "evidence": evidence,
    });
    let (value, corrections) = read("submit_report", Scope::Dir, &whole);
    assert_eq!((value, corrections), (whole, Corrections::default()));
    let plan = json!({
        "priority_dirs": [{"path": "src", "reason": "core", "suggested_turns": 20}],
        "shallow_dirs": [], "skip_dirs": [{"path": "out", "reason": ""}],
        "investigation_order": "leaf-first", "notes": "",
    });
    same("submit_plan", Scope::Plan, &plan, &plan);
}

#[test]
fn no_slip_loses_a_report() {
    let text = json!("It parses.");
    // Fields that nobody asked for, or that are called otherwise.
    report(&json!({"summary": "It parses.", "completeness": 1.0, "mood": "good"}), "/summary", &text);
    report(&json!({"Summary": "It parses."}), "/summary", &text);
    report(&json!({"sumary": "It parses."}), "/summary", &text);
    report(&json!({"report": "It parses."}), "/summary", &text);
    report(&json!({"report": {"summary": "It parses."}}), "/summary", &text);
    report(&json!({"arguments": "{\"summary\": \"It parses.\"}"}), "/summary", &text);
    report(&json!({"summary": ["It parses."]}), "/summary", &text);
    report(&json!({"summary": {"text": "It parses."}}), "/summary", &text);
    // Numbers.
    let completeness = [
        (json!("0.9"), json!(0.9)),
        (json!("90%"), json!(0.9)),
        (json!("90 %"), json!(0.9)),
        (json!("about 90"), Value::Null),
        (json!(90), json!(0.9)),
        (json!(1.2), json!(1.0)),
        (json!(-3), json!(0.0)),
        (json!("0,9"), json!(0.9)),
        (json!("9/10"), json!(0.9)),
        (json!([0.9]), json!(0.9)),
        (json!("high"), Value::Null),
        (json!({"value": 1}), Value::Null),
        (json!(true), Value::Null),
    ];
    for (given, expected) in completeness {
        let (value, _) =
            read("submit_report", Scope::Dir, &json!({"summary": "It parses.", "completeness": given}));
        assert_eq!(value.get("completeness").unwrap_or(&Value::Null), &expected, "{given}");
    }
    // Claims and what they rest on.
    let claims = |claims: Value| json!({"summary": "It parses.", "claims": claims});
    report(&claims(json!("It has no tests.")), "/claims/0/text", &json!("It has no tests."));
    report(&claims(json!({"text": "One."})), "/claims/0/text", &json!("One."));
    report(&claims(json!([{"claim": "One."}, "Two.", 3, null])), "/claims/1/text", &json!("Two."));
    report(&claims(json!({"First": "One.", "Second": "Two."})), "/claims/1/text", &json!("Second"));
    report(&claims(json!("[{\"text\": \"One.\"}]")), "/claims/0/text", &json!("One."));
    let cited = |evidence: Value| claims(json!([{"text": "One.", "evidence": evidence}]));
    let line = |evidence: Value, expected: [Value; 3]| {
        let [path, first, last] = expected;
        report(&cited(evidence.clone()), "/claims/0/evidence/0/path", &path);
        report(&cited(evidence.clone()), "/claims/0/evidence/0/start_line", &first);
        let (value, _) = read("submit_report", Scope::Dir, &cited(evidence));
        let end = value.pointer("/claims/0/evidence/0/end_line").unwrap_or(&Value::Null);
        assert_eq!(*end, last);
    };
    let three = |last: Value| [json!("a.rs"), json!(3), last];
    line(json!({"path": "./a.rs", "start_line": 3}), three(Value::Null));
    line(json!([{"file": "`a.rs`", "line": "3"}]), three(Value::Null));
    line(json!([{"path": "a.rs", "lines": "3-5"}]), three(json!(5)));
    line(json!([{"path": "a.rs", "lines": [3, 5]}]), three(json!(5)));
    line(json!([{"path": "a.rs", "startLine": "3", "endLine": 5.0}]), three(json!(5)));
    line(json!("a.rs:3-5"), three(json!(5)));
    line(json!(["a.rs#L3"]), three(json!(3)));
    line(json!([{"path": "a.rs", "start_line": 3.4, "end_line": "five"}]), three(Value::Null));
    // One bad item does not take the others along.
    let (value, corrections) = read(
        "submit_report",
        Scope::Dir,
        &claims(json!([{"evidence": []}, 7.5, {"text": "Two.", "evidence": [{"path": "a.rs"}, "b.rs:2"]}])),
    );
    assert_eq!(value["claims"].as_array().unwrap().len(), 1, "{value}");
    assert_eq!(value.pointer("/claims/0/evidence/0/path"), Some(&json!("b.rs")));
    let lost =
        ["claims[0]", "claims[1]", "claims[2].evidence[0]"].map(|at| format!("`{at}` could not be read"));
    assert_eq!(corrections.lost, lost);
}

#[test]
fn what_is_too_long_is_cut_at_a_sentence() {
    let long = "It parses what it is given. ".repeat(300);
    let (value, corrections) =
        read("submit_report", Scope::Dir, &json!({"summary": long, "completeness": 1}));
    let summary = value["summary"].as_str().unwrap();
    assert!(summary.len() <= 8_000 && summary.ends_with("is given."), "{}", summary.len());
    assert_eq!(corrections.lost, ["`summary` was cut to 7979 of 8400 characters"]);
    let without_ends = "漢".repeat(9_000);
    let (value, _) = read("submit_report", Scope::Dir, &json!({"summary": without_ends}));
    let summary = value["summary"].as_str().unwrap();
    assert!(summary.len() <= 16_000 && summary.ends_with('…'), "{}", summary.len());
    let many: Vec<Value> = (0..60).map(|number| json!({"text": format!("Claim {number}.")})).collect();
    let (value, corrections) = read("submit_report", Scope::Dir, &json!({"summary": "S.", "claims": many}));
    assert_eq!(value["claims"].as_array().unwrap().len(), 40);
    assert_eq!(corrections.lost, ["of `claims` the first 40 were taken"]);
}

#[test]
fn json_that_is_not_quite_json_is_read() {
    let summary = |text: &str, expected: &str| {
        let (value, corrections) = read_text("submit_report", Scope::Dir, text);
        assert_eq!(value["summary"], expected, "{text}");
        assert!(!corrections.lost.is_empty(), "{text}");
        value
    };
    summary(r#"{"summary": "It parses."#, "It parses.");
    summary(r#"{"summary": "It parses.", "claims": [{"text": "One.", "ev"#, "It parses.");
    summary("{\"summary\": \"It\nparses.\",}", "It\nparses.");
    summary("```json\n{\"summary\": \"It parses.\"}\n```", "It parses.");
    summary("{'summary': 'It parses.'}", "It parses.");
    summary("{summary: \"It parses.\", completeness: 1}", "It parses.");
    summary(r#"[{"summary": "It parses."}]"#, "It parses.");
    summary(r#"{"summary": "It parses. \ud83d\ude00 \ud800"}"#, "It parses. 😀 \u{fffd}");
    summary(r#"{"summary": "It parses."} {"summary": "No."}"#, "It parses.");
    // Of what is said twice the first counts, at every depth.
    let twice =
        r#"{"summary": "It parses.", "summary": "Nothing.", "claims": [{"text": "One.", "text": "Two."}]}"#;
    assert_eq!(summary(twice, "It parses.")["claims"][0]["text"], "One.");
    let deep = format!("{{\"summary\": \"It parses.\", \"x\": {}", "[".repeat(100_000));
    summary(&deep, "It parses.");
}

#[test]
fn no_slip_loses_a_survey_or_a_plan() {
    let survey = json!({
        "description": "A parser.", "target_type": "code", "relevant_tools": "read_file, search",
        "confidence": "85%",
    });
    let (value, _) = read("submit_survey", Scope::Survey, &survey);
    let expected = json!({"description": "A parser.", "approach": "", "relevant_tools": ["read_file", "search"], "confidence": 0.85});
    assert_eq!(value, expected);
    let src = json!({"priority_dirs": [{"path": "src"}]});
    for slip in [
        json!({"priority_dirs": ["src"]}),
        json!({"priority_dirs": "src"}),
        json!({"priority_dirs": {"path": "src", "mood": 1}}),
        json!({"priority_dirs": [{"path": "src", "suggested_turns": "many"}]}),
        json!({"priority": ["./src/"]}),
        json!({"plan": {"priorityDirs": [{"dir": "src"}]}}),
        json!({"priority_dirs": [{}, {"path": ""}, 3.5, {"directory": "`src`"}], "colour": "blue"}),
    ] {
        let (value, _) = read("submit_plan", Scope::Plan, &slip);
        let dirs = value["priority_dirs"].as_array().unwrap();
        assert_eq!(dirs.last(), src["priority_dirs"].as_array().unwrap().last(), "{slip} became {value}");
    }
    let because = json!({"skip_dirs": {"out": "It is built.", "dist": {"reason": "So is this."}}});
    let (value, _) = read("submit_plan", Scope::Plan, &because);
    let expected =
        json!([{"path": "out", "reason": "It is built."}, {"path": "dist", "reason": "So is this."}]);
    let mut skipped = value["skip_dirs"].as_array().unwrap().clone();
    skipped.sort_by_key(|dir| dir["path"] != "out");
    assert_eq!(json!(skipped), expected);
    for (order, expected) in
        [("leaf_first", "leaf-first"), ("Leaf First", "leaf-first"), ("priority", "priority-first")]
    {
        same("submit_plan", Scope::Plan, &json!({"order": order}), &json!({"investigation_order": expected}));
    }
    let (value, _) =
        read("submit_plan", Scope::Plan, &json!({"investigation_order": "any", "notes": ["a", "b"]}));
    assert_eq!(value, json!({"notes": "a\nb"}));
    let turns = json!({"priority_dirs": [{"path": "src", "turns": "20 turns"}, {"path": "a", "suggested_turns": 40}]});
    let (value, _) = read("submit_plan", Scope::Plan, &turns);
    assert_eq!(value.pointer("/priority_dirs/0/suggested_turns"), Some(&json!(20)));
    assert_eq!(value.pointer("/priority_dirs/1/suggested_turns"), Some(&json!(25)));
    let (value, _) = read(
        "revise_plan",
        Scope::Revise,
        &json!({"changes": [{"path": "src", "to": "Priority"}, {"path": "a", "tier": "purple"}, {"tier": "skip"}]}),
    );
    assert_eq!(value, json!({"moves": [{"path": "src", "tier": "priority", "reason": ""}]}));
    same("revise_plan", Scope::Revise, &json!({}), &json!({"moves": []}));
}

#[test]
fn no_slip_loses_a_report_on_the_whole_or_a_grouping() {
    let prose = json!({"brief": "A parser.", "detailed": "It parses."});
    let whole = |arguments: &Value| {
        let (value, _) = read("submit_report", Scope::Synthesis, arguments);
        assert_eq!(
            (&value["brief"], &value["detailed"]),
            (&prose["brief"], &prose["detailed"]),
            "{arguments}"
        );
        value
    };
    whole(&json!({"brief": "A parser.", "detailed": "It parses.", "confidence": 0.9}));
    whole(&json!({"summary": "A parser.", "details": "It parses."}));
    let value = whole(&json!({
        "brief": "A parser.", "detailed": ["It parses."], "components": ["lexer: cuts text", {"name": "parser"}],
        "tech_stack": {"language": "Rust"}, "concerns": "- No tests\n- No docs", "architecture": ["Two", "layers"],
        "entry_points": [{"name": "main", "path": "src/main.rs"}],
    }));
    assert_eq!(value["components"][0], json!({"name": "lexer", "description": "cuts text"}));
    assert_eq!(value["components"][1]["name"], "parser");
    assert_eq!(value["tech_stack"], json!(["language: Rust"]));
    assert_eq!(value["concerns"], json!(["No tests", "No docs"]));
    assert_eq!(value["architecture"], "Two\nlayers");
    assert_eq!(value["entry_points"][0].as_str().unwrap().matches("main").count(), 2);
    let (value, _) =
        read("submit_report", Scope::Synthesis, &json!({"detailed": "It parses. Well.\n\nMore."}));
    assert_eq!(value["brief"], "It parses. Well.");
    let groups = json!({"subsystems": {"core": ["src", "./lib/"], "docs": {"directories": "docs, site"}}});
    let (value, _) = read("submit_grouping", Scope::Grouping, &groups);
    let all = value["groups"].as_array().unwrap();
    let of = |name: &str| all.iter().find(|group| group["name"] == name).unwrap()["directories"].clone();
    assert_eq!((of("core"), of("docs")), (json!(["src", "lib"]), json!(["docs", "site"])));
}

#[test]
fn no_slip_loses_a_note_or_a_flag() {
    let entry = json!({"cache_type": "file", "path": "a.rs", "data": {"summary": "It parses."}});
    for slip in [
        json!({"path": "./a.rs", "summary": "It parses."}),
        json!({"cache_type": "files", "path": "a.rs", "data": "It parses."}),
        json!({"type": "File", "file": "a.rs", "data": {"summary": "It parses.", "size_bytes": 3, "path": "a.rs"}}),
        json!({"cache_type": "file", "path": "a.rs", "data": "{\"summary\": \"It parses.\"}"}),
    ] {
        same("write_cache", Scope::Dir, &slip, &entry);
    }
    let flagged = json!({"path": "a.rs", "finding": "It runs a shell.", "severity": "critical"});
    for slip in [
        json!({"path": "a.rs", "finding": "It runs a shell.", "severity": "CRITICAL", "line": 3}),
        json!({"file": "a.rs", "message": "It runs a shell.", "severity": "high"}),
        json!({"flag": flagged}),
    ] {
        same("flag", Scope::Dir, &slip, &flagged);
    }
    let (value, corrections) =
        read("flag", Scope::Dir, &json!({"path": "a", "finding": "Odd.", "severity": 3}));
    assert_eq!(value["severity"], "concern");
    assert!(
        corrections.words().contains("`severity` was taken to be \"concern\""),
        "{}",
        corrections.words()
    );
}

#[test]
fn only_what_says_nothing_is_refused() {
    for (name, scope, arguments) in [
        ("submit_report", Scope::Dir, json!({})),
        ("submit_report", Scope::Dir, json!({"completeness": 1.0, "claims": [{"text": "One."}]})),
        ("submit_report", Scope::Dir, json!({"summary": "  "})),
        ("submit_report", Scope::Synthesis, json!({"tech_stack": ["Rust"]})),
        ("submit_survey", Scope::Survey, json!({"confidence": 1})),
        ("submit_grouping", Scope::Grouping, json!({"groups": []})),
        ("write_cache", Scope::Dir, json!({"path": "a.rs", "data": {}})),
        ("flag", Scope::Dir, json!({"path": "a.rs", "severity": "info"})),
    ] {
        let answer = checked(tool(name, scope), &Arguments::parse(&arguments.to_string()));
        let why = answer.err().map(|unfit| unfit.why).unwrap_or_default();
        assert!(why.contains("is missing") || why.contains("at least"), "{name} {arguments}: {why}");
    }
}

/// A slip of the tongue: what a model does to a submission that was right.
fn slip(report: &mut Value, kind: u8, pick: usize) {
    let fields = report.as_object_mut().unwrap();
    let claims = fields.get_mut("claims").and_then(Value::as_array_mut);
    match (kind, claims) {
        (0, _) => drop(fields.insert(format!("extra_{pick}"), json!({"a": [pick]}))),
        (1, _) => {
            for name in ["completeness", "confidence"] {
                if let Some(number) = fields.get_mut(name) {
                    *number = number.to_string().trim_matches('"').into();
                }
            }
        }
        (2, _) => drop(fields.insert("completeness".to_owned(), json!(pick as f64 - 5.0))),
        (3, _) => {
            let text = fields.remove("summary").unwrap();
            fields.insert(["Summary", "summry", "SUMMARY", "overview"][pick % 4].to_owned(), text);
        }
        (4, Some(claims)) => claims.insert(
            pick % (claims.len() + 1),
            [json!(null), json!({}), json!({"evidence": 3})][pick % 3].clone(),
        ),
        (5, Some(claims)) => {
            for claim in claims.iter_mut().filter_map(Value::as_object_mut) {
                if let Some(text) = claim.remove("text") {
                    claim.insert(["claim", "statement", "Text"][pick % 3].to_owned(), text);
                }
                claim.insert("note".to_owned(), "odd".into());
            }
        }
        (6, Some(claims)) => {
            for evidence in claims.iter_mut().filter_map(|claim| claim.get_mut("evidence")) {
                if let Some(single) =
                    evidence.as_array().filter(|all| all.len() == 1).map(|all| all[0].clone())
                {
                    *evidence = single;
                }
            }
        }
        (7, Some(claims)) => {
            let all = std::mem::take(claims);
            fields.insert("claims".to_owned(), Value::String(Value::Array(all).to_string()));
        }
        (8, _) => {
            let whole = std::mem::take(fields);
            fields.insert("report".to_owned(), Value::Object(whole));
        }
        _ => drop(fields.insert("confidence_reason".to_owned(), json!(["a", "b"]))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn two_thousand_random_slips_lose_nothing_that_is_readable(
        slips in prop::collection::vec((0_u8..10, 0_usize..12), 1..4),
        claims in 1_usize..5,
    ) {
        let claim = |number: usize| json!({
            "text": format!("Claim {number} holds."),
            "evidence": [{"path": "a.rs", "start_line": number + 1}],
        });
        let all: Vec<Value> = (0..claims).map(claim).collect();
        let mut report = json!({"summary": "It parses.", "completeness": 0.5, "claims": all});
        let mut wrapped = false;
        for (kind, pick) in slips {
            // What is inside another object, or one text, is not changed any more.
            wrapped |= report.get("report").is_some();
            if !wrapped && report.get("summary").is_some() && report.get("claims").is_none_or(Value::is_array) {
                slip(&mut report, kind, pick);
            }
        }
        let arguments = Arguments::parse(&report.to_string());
        let read = checked(tool("submit_report", Scope::Dir), &arguments);
        let read = read.map_err(|unfit| TestCaseError::fail(format!("{report}: {}", unfit.why)))?.value;
        prop_assert_eq!(&read["summary"], "It parses.");
        let texts: Vec<&str> = read["claims"].as_array().unwrap().iter().map(|claim| claim["text"].as_str().unwrap()).collect();
        for number in 0..claims {
            let text = format!("Claim {number} holds.");
            prop_assert!(texts.contains(&text.as_str()), "{} became {}", report, read);
        }
        let lines: usize = read["claims"].as_array().unwrap().iter().filter(|claim| claim["evidence"][0]["path"] == "a.rs").count();
        prop_assert_eq!(lines, claims);
    }

    #[test]
    fn no_text_however_odd_breaks_the_reader(text in "\\PC{0,200}", cut in 0_usize..400) {
        let whole = json!({"summary": text, "claims": [{"text": text, "evidence": [text]}], text.clone(): 1}).to_string();
        let broken = &whole[..whole.floor_char_boundary(cut)];
        let _ = repaired(broken);
        let _ = checked(tool("submit_report", Scope::Dir), &Arguments::parse(broken));
        let _ = checked(tool("flag", Scope::Dir), &Arguments::parse(&whole));
    }
}
