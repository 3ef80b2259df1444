//! What a whole investigation keeps to itself: the key that models are asked with, and files that keep secrets.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use luminos_model_server::{Answer, Block, Gate, Matcher, Policy, Refusal, Script, Turn};
use serde_json::json;

use crate::canaries::spellings;
use crate::machine::finish;
use crate::site::{Api, PATIENCE, Site, project, read_unless_replaced, until};

/// A key of no known form, with letters that pages, documents and addresses write in ways of their own.
const KEY: &str = "canary/Qx7Vb2+lantern&8841=meadow";

/// A server that repeats the key in its refusals, some of which pass and some of which do not; one directory waits.
fn tells_the_key(gate: &Gate) -> Script {
    let page = |status| Refusal::Page(status, format!(r#"{{"error":{{"message":"no, {KEY} is no good"}}}}"#));
    let parser = Matcher::any().offering("read_file").containing(r"directory: src/parser\n");
    let docs = Matcher::any().offering("read_file").containing(r"directory: docs\n");
    let tests = Matcher::any().offering("read_file").containing(r"directory: tests\n");
    Script::new()
        .when(Matcher::any().offering("submit_survey"), vec![page(403).into(); 100])
        .when(docs, [page(500).into()])
        .when(tests, vec![page(403).into(); 100])
        .when(parser, [Answer::policy().behind(gate)])
        .otherwise(Policy::default())
}

/// All names and contents below a directory.
fn everything_below(dir: &Path, seen: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            everything_below(&path, seen);
        } else if path.is_file() {
            seen.extend(read_unless_replaced(&path).map(|bytes| (name.clone(), bytes)));
        }
        seen.push((format!("the name {name}"), name.into_bytes()));
    }
}

fn the_key_stays(api: Api) {
    let gate = Gate::shut();
    let site = Site::through(api, project(), tells_the_key(&gate));
    let mut command = site.run_command("--json .");
    command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY);
    let output = std::thread::scope(|scope| {
        let run = scope.spawn(|| finish(&mut command, PATIENCE));
        site.until_asked(&[("src/parser", 1)]);
        until(|| !site.processes("worker").is_empty());
        // Whoever takes part has neither the key in its environment nor in its arguments.
        for process in ["run", "serve", "worker"].map(|word| site.processes(word)).concat() {
            for file in ["environ", "cmdline"] {
                let text = fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
                assert!(!String::from_utf8_lossy(&text).contains(KEY), "{file} of {process}");
            }
        }
        gate.open();
        run.join().unwrap()
    });
    assert_eq!(output.status.code(), Some(3), "{}", site.log());
    let header = |name| {
        site.server.requests().iter().any(|it| it.request.header(name).is_some_and(|it| it.contains(KEY)))
    };
    assert!(header("x-api-key") || header("authorization"), "the key was never used");

    let mut seen =
        vec![("the result".to_owned(), output.stdout), ("what was said".to_owned(), output.stderr)];
    let forms = ["text", "md", "json", "html", "sarif"].map(|form| format!("show . --full --format {form}"));
    let others = ["bundle . --with-transcripts -o ../bug.tar", "replay . --turns", "list", "coverage ."];
    for words in forms.iter().map(String::as_str).chain(others) {
        let told = finish(&mut site.command(words), PATIENCE);
        assert!(told.status.success(), "{words}: {}", String::from_utf8_lossy(&told.stderr));
        seen.push((words.to_owned(), [told.stdout, told.stderr].concat()));
    }
    for request in site.server.requests() {
        seen.push((format!("a request to {}", request.request.path), request.request.body.clone()));
    }
    everything_below(&site.machine.home(), &mut seen);
    let kept =
        |end: &str| seen.iter().any(|(place, _)| place.ends_with(end) && !place.starts_with("the name"));
    for place in ["daemon.log", "investigation.log", "spend.jsonl", "report.json", "bug.tar"] {
        assert!(kept(place), "there is no {place}");
    }
    let whole: Vec<u8> = seen.iter().flat_map(|(_, bytes)| bytes).copied().collect();
    assert!(String::from_utf8_lossy(&whole).contains("is no good"), "the refusals were told nowhere");
    for (place, bytes) in &seen {
        let text = String::from_utf8_lossy(bytes);
        for spelling in spellings(KEY) {
            assert!(!text.contains(&spelling), "{spelling} stands in {place}");
        }
    }
}

#[test]
fn after_a_run_through_messages_the_key_is_nowhere() {
    the_key_stays(Api::Messages);
}

#[test]
fn after_a_run_through_chat_completions_the_key_is_nowhere() {
    the_key_stays(Api::Chat);
}

#[test]
fn files_that_keep_secrets_are_named_in_the_report_and_shown_to_nobody() {
    const CONTENT: &str = "lantern-of-the-meadow";
    let machine = || {
        project()
            .with_file("project/.env", format!("NOTE={CONTENT}\n"))
            .with_file("project/docs/id_ed25519", format!("{CONTENT}\n"))
            // A directory of that name is an installation of Python, as a rule, and keeps none.
            .with_file("project/tests/.env/bin/python", "#!/bin/sh\n")
    };
    let curious = || {
        let reads = |path: &str| Turn::of(vec![Block::call("read_file", &json!({ "path": path }))]).into();
        let about =
            |dir: &str| Matcher::any().offering("read_file").containing(&format!(r"directory: {dir}\n"));
        Script::new()
            .when(about("docs"), [reads("docs/id_ed25519")])
            .when(about("."), [reads(".env")])
            .otherwise(Policy::default())
    };
    // In how many directories a model was shown one.
    let shown = |site: &Site| {
        let dirs: BTreeSet<String> = site
            .asked()
            .into_iter()
            .filter(|asked| asked.pass == "dir" && asked.body.contains(CONTENT))
            .map(|asked| asked.dir)
            .collect();
        dirs.len()
    };

    let site = Site::new(machine(), curious());
    let run = site.done(".");
    let notes = site.report()["notes"].to_string();
    let note = "models were not shown what is in 2 files that, by their names, keep secrets: `.env`, `docs/id_ed25519` \
                (--include-secrets shows them)";
    assert!(notes.contains(note), "{notes}");
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("by their names, keep secrets: `.env`, `docs/id_ed25519`"), "{run}");
    assert!(!site.asked().iter().any(|asked| asked.body.contains(CONTENT)), "what is in them was sent");

    let site = Site::new(machine(), curious());
    site.done("--include-secrets .");
    let notes = site.report()["notes"].to_string();
    assert!(!notes.contains("keep secrets"), "{notes}");
    assert_eq!(shown(&site), 2, "whoever wants it can have them shown");
}
