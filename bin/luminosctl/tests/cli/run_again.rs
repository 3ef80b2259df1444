//! A second run on the same target: only what changed is asked about again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use luminos_model_server::{Answer, Matcher, Policy, Refusal, Script, Turn};
use serde_json::json;

use crate::machine::{Machine, finish};
use crate::site::{PATIENCE, Site, is_replaced, project};

#[test]
fn nothing_changed_and_nobody_is_asked() {
    let site = Site::new(project(), Policy::default());
    let first = site.done(".");
    let asked = site.server.counters().requests;
    let second = site.done(".");
    assert_eq!(site.server.counters().requests, asked, "{second}");
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(site.investigations().len(), 1);
    // Neither does a daemon that knows nothing but what is stored.
    site.kill_daemon();
    let third = site.done(".");
    assert_eq!(site.server.counters().requests, asked, "{third}");
    assert_eq!(first.stdout, third.stdout);
}

/// A model that cannot be asked is told within seconds, and what is known of the target stays as it was.
#[test]
fn a_model_that_is_out_of_reach_leaves_a_good_report_as_it_was() {
    let refused: Answer = Refusal::Unauthorized.into();
    let site = Site::new(project(), Script::new().times(1000, refused));
    let offline = site.machine.ended(finish(&mut site.command("run --offline --quiet ."), PATIENCE));
    assert_eq!(offline.code, Some(0), "{offline}");
    let shown = || site.machine.ended(finish(&mut site.command("show"), PATIENCE)).stdout;
    let (report, good) = (fs::read(site.investigation().join("report.json")).unwrap(), shown());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for is_there in [true, false] {
        if !is_there {
            runtime.block_on(site.server.refuse_connections());
        }
        let began = Instant::now();
        let run = site.run("--quiet .");
        assert_eq!(run.code, Some(1), "a server that is there: {is_there}: {run}");
        assert!(began.elapsed() < Duration::from_secs(15), "{:?}: {run}", began.elapsed());
        assert_eq!(shown(), good, "{run}");
        assert_eq!(fs::read(site.investigation().join("report.json")).unwrap(), report, "{run}");
    }
}

/// The directories that were asked about since, and the other passes.
fn since(site: &Site, requests: usize) -> BTreeSet<String> {
    let asked = site.asked().into_iter().skip(requests);
    asked.map(|asked| if asked.pass == "dir" { asked.dir } else { asked.pass.to_owned() }).collect()
}

#[test]
fn one_changed_file_concerns_its_directory_and_those_above_that_see_the_difference() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = site.asked().len();
    // Another file: the summary counts files, so it changes, and so does what stands above.
    site.machine.write("project/src/parser/numbers.rs", "pub struct Number(u64);\n");
    site.done(".");
    assert_eq!(since(&site, before), ["src/parser", "src", "synthesis"].map(str::to_owned).into());
    assert_eq!(site.investigations().len(), 1);
    assert!(site.entry("src/parser")["summary"].as_str().unwrap().contains("3 files"));
}

#[test]
fn a_directory_that_comes_out_the_same_disturbs_nobody_above() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = site.asked().len();
    // The first line, which is what the model quotes, and the number of files stay the same.
    site.machine.write("project/tests/all.rs", "#[test]\nfn it_runs_well() {}\n");
    site.done(".");
    assert_eq!(since(&site, before), ["tests", "synthesis"].map(str::to_owned).into());
}

#[test]
fn a_fresh_run_asks_about_everything_again() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let first = site.asked().len();
    site.done("--fresh .");
    assert_eq!(site.asked().len(), 2 * first);
    assert_eq!(site.investigations().len(), 2);
}

#[test]
fn a_plan_can_be_made_anew() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = site.asked().len();
    site.done("--refresh-plan .");
    assert_eq!(since(&site, before), ["survey", "plan"].map(str::to_owned).into());
}

/// Everything that is kept about the investigation, and when it was written.
fn kept(site: &Site) -> BTreeMap<PathBuf, SystemTime> {
    let mut kept = BTreeMap::new();
    let mut dirs = vec![site.investigation()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            if is_replaced(&entry.path()) {
                continue;
            }
            let found = entry.metadata().unwrap();
            if found.is_dir() {
                dirs.push(entry.path());
            } else if !entry.file_name().as_encoded_bytes().starts_with(b".tmp-") {
                // Documents that were replaced go when the writer has nothing else to do.
                kept.insert(entry.path(), found.modified().unwrap());
            }
        }
    }
    kept
}

#[test]
fn a_run_that_finds_nothing_new_writes_nothing() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = kept(&site);
    assert!(before.keys().any(|path| path.ends_with("report.html")), "{before:?}");
    site.done(".");
    assert_eq!(kept(&site), before);
    assert_eq!(site.document("meta.json")["state"], "done");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "what a test takes away is its own")]
fn what_is_printed_again_is_what_the_whole_report_says() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let shown = |arguments: &str| {
        let shown = site.machine.ended(finish(&mut site.command(arguments), PATIENCE));
        assert_eq!(shown.code, Some(0), "{shown}");
        shown.stdout
    };
    let fast =
        [shown("show"), shown("show --color always"), site.done(".").stdout, site.done("--depth 9 .").stdout];
    fs::remove_file(site.investigation().join("report.head.json")).unwrap();
    let whole = [shown("show"), shown("show --color always"), shown("show"), shown("show --depth 9")];
    assert_eq!(fast, whole);
    // It is made again by the next run, without asking anybody.
    let asked = site.asked().len();
    assert_eq!(site.done(".").stdout, whole[0]);
    assert!(site.investigation().join("report.head.json").is_file());
    assert_eq!(site.asked().len(), asked);
}

#[test]
fn a_report_that_was_cut_is_made_again() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    for name in ["report.json", "report.head.json"] {
        let path = site.investigation().join(name);
        let bytes = fs::read(&path).unwrap();
        site.machine.write(&path, &bytes[..bytes.len() / 2]);
        assert!(site.done(".").stdout.contains("entries were looked at"), "{name}");
        assert_eq!(site.report()["counters"]["directories"], 5, "{}", site.report()["counters"]);
        assert!(bytes.len() / 2 < fs::read(&path).unwrap().len(), "{name}");
    }
}

#[test]
fn a_directory_that_ran_out_of_turns_goes_on_where_it_was() {
    let machine = Machine::new().with_file("project/README.md", "# Notes\n\nOf many days.\n");
    let machine = (1..=6).fold(machine, |machine, day| {
        machine.with_file(format!("project/days/{day}.md"), format!("# Day {day}\n"))
    });
    // It reads one day after the other, and has no eye for how many turns are left.
    let read = |day: usize| Answer::from(Turn::call("read_file", &json!({"path": format!("days/{day}.md")})));
    let script = Script::new()
        .when(Matcher::any().offering("read_file").containing("directory: days"), (1..=3).map(read))
        .otherwise(Policy::default());
    let site = Site::new(machine, script);
    let run = site.run("--max-turns 6 .");
    assert_eq!(run.code, Some(3), "{run}\n{}", site.log());
    let turns = |site: &Site| {
        let days = site.dir_turns().into_iter().filter(|(dir, _)| dir == "days");
        days.map(|(_, turn)| turn).collect::<Vec<_>>()
    };
    assert_eq!(turns(&site), [1, 2, 3], "its half of what there was\n{run}");
    let entry = site.entry("days");
    assert_eq!(
        (&entry["partial"], &entry["partial_reason"]),
        (&json!(true), &json!("it ran out of turns before it reported"))
    );

    site.done(".");
    let all = turns(&site);
    assert_eq!(all[..4], [1, 2, 3, 4], "what was paid is not asked for again: {all:?}");
    assert!(all.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{all:?}");
    let entry = site.entry("days");
    assert_eq!(entry["partial"], false, "{entry}");
    // What it had read before the break counts: the record has it, and so has the conversation.
    for day in 1..=3 {
        assert!(entry["reads"].to_string().contains(&format!("days/{day}.md")), "{entry}");
    }
    let went_on = site.asked().into_iter().find(|asked| asked.dir == "days" && asked.turn == 4).unwrap();
    assert!(went_on.body.contains("Day 1") && went_on.body.contains("Day 3"), "{}", went_on.body);
    let evaluated = site.evaluated("days");
    assert_eq!(evaluated["turns_used"], all.len() as u64 - 3, "{evaluated}");
}
