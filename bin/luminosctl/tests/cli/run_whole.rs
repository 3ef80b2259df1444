//! Whole investigations with a model behind a socket.

use std::fs;

use luminos_model_server::Policy;
use serde_json::json;

use crate::site::{Api, Site, project};

const DIRS: [&str; 5] = [".", "docs", "src", "src/parser", "tests"];

#[test]
fn a_whole_run_leaves_everything_where_it_belongs_through_messages() {
    whole_run(Api::Messages);
}

#[test]
fn a_whole_run_leaves_everything_where_it_belongs_through_chat_completions() {
    whole_run(Api::Chat);
}

fn whole_run(api: Api) {
    let site = Site::through(api, project(), Policy::default());
    let run = site.done(".");
    assert!(run.stdout.contains("5 entries were looked at"), "{run}");
    assert!(run.stderr.contains("are sent there"), "{run}");

    let counters = site.server.counters();
    assert_eq!((counters.invalid, counters.unexpected), (0, 0), "{run}");
    let passes: Vec<&str> = site.asked().iter().map(|asked| asked.pass).collect();
    assert_eq!(passes.iter().filter(|pass| **pass == "survey").count(), 1, "{passes:?}");
    assert_eq!(passes.iter().filter(|pass| **pass == "plan").count(), 1, "{passes:?}");
    assert!(passes.ends_with(&["synthesis"]), "{passes:?}");

    let mut entries: Vec<String> = site
        .entries("dirs")
        .iter()
        .map(|entry| entry["relative_path"].as_str().unwrap().to_owned())
        .collect();
    entries.sort();
    assert_eq!(entries, DIRS);
    let shelves = site.entries("files");
    assert_eq!(shelves.iter().map(|shelf| shelf["entries"].as_array().unwrap().len()).sum::<usize>(), 7);
    for entry in site.entries("dirs") {
        assert!(!entry["partial"].as_bool().unwrap_or_default(), "{entry}");
        for claim in entry["claims"].as_array().into_iter().flatten() {
            assert_eq!(claim["verified"], true, "{claim}");
        }
    }
    let survey = site.document("survey.json");
    assert_eq!(survey["approach"], "Read the sources first, then what surrounds them.", "{survey}");
    let plan = site.document("plan.json").to_string();
    assert!(plan.contains("the code is here"), "{plan}");
    let evaluation = site.document("plan_evaluation.json");
    assert_eq!(evaluation["total_dirs_investigated"], 5, "{evaluation}");
    // Four turns for each directory; what was not needed went back.
    assert_eq!(evaluation["total_turns_used"], 20, "{evaluation}");
    let row = site.evaluated("src");
    assert_eq!(row["planned_tier"], "priority", "{row}");
    assert_eq!(
        [&row["turns_allocated"], &row["turns_used"], &row["turns_returned"]],
        [&json!(12), &json!(4), &json!(8)],
        "{row}"
    );
    assert!(0 < row["tokens"].as_u64().unwrap(), "{row}");

    let kept = site.investigation();
    let flags = fs::read_to_string(kept.join("flags.jsonl")).unwrap();
    assert!(flags.contains("a word in this file wants a look"), "{flags}");
    // One for each directory, and one for each pass.
    assert_eq!(fs::read_dir(kept.join("transcripts")).unwrap().count(), 5 + 3);
    let log = fs::read_to_string(kept.join("investigation.log")).unwrap();
    assert!(log.lines().any(|line| line.contains("read_file") && line.contains("src/parser")), "{log}");
    assert!(fs::read_to_string(kept.join("report.md")).unwrap().contains("5 entries were looked at"));
    let report = site.report();
    assert_eq!(report["flags"].as_array().unwrap().len(), 1, "{report}");
    let meta = site.document("meta.json");
    assert_eq!(meta["state"], "done", "{meta}");
    // What the program counted is what the server did.
    assert_eq!(meta["counters"]["tokens"], counters.prompt_tokens + counters.turn_tokens, "{meta}");
}

#[test]
fn loops_share_their_prefix_and_the_cache_pays_for_it() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let dirs: Vec<_> = site.asked().into_iter().filter(|asked| asked.pass == "dir").collect();
    assert_eq!(dirs.len(), 20);
    assert!(dirs.iter().all(|asked| asked.prefix == dirs[0].prefix));
    // What stands in front differs only after the task: the model is told the same of every tool.
    let counters = site.server.counters();
    assert!(counters.prompt_tokens < 2 * counters.cached_tokens, "{counters:?}");
    let meta = site.document("meta.json");
    let cached = site.report()["counters"]["tokens"]["cache_read"].as_u64().unwrap();
    assert_eq!(cached, counters.cached_tokens, "{meta}");
}
