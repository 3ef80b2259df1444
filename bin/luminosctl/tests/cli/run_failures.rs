//! Passes that fail: the run goes on as it can, and the report says what is missing.

use std::process::Stdio;
use std::time::{Duration, Instant};

use luminos_model_server::{Answer, Matcher, Policy, Refusal, RetryAfter, Script, Settings, ToolSupport};

use crate::machine::{Machine, Run, finish};
use crate::site::{Api, PATIENCE, Site, project, until};

/// A model that fails whenever this tool is on offer, and for good.
fn failing(tool: &str) -> Script {
    let refusal: Answer = Refusal::Forbidden.into();
    Script::new().when(Matcher::any().offering(tool), vec![refusal; 1000]).otherwise(Policy::default())
}

fn notes(site: &Site) -> String {
    site.report()["notes"].to_string()
}

#[test]
fn no_survey() {
    let site = Site::new(project(), failing("submit_survey"));
    site.done(".");
    assert!(notes(&site).contains("there is no survey"), "{}", notes(&site));
    assert!(!site.investigation().join("survey.json").exists());
    assert_eq!(site.entries("dirs").len(), 5);
}

#[test]
fn no_plan() {
    let site = Site::new(project(), failing("submit_plan"));
    site.done(".");
    let notes = notes(&site);
    assert!(notes.contains("there is no plan"), "{notes}");
    assert!(notes.contains("every directory got the same number of turns"), "{notes}");
    let row = site.evaluated("src");
    assert_eq!((&row["planned_tier"], &row["turns_allocated"]), (&"default".into(), &10.into()), "{row}");
}

#[test]
fn a_survey_and_a_plan_that_never_come() {
    let silent: Answer = Answer::text("I wonder.");
    let script = Script::new()
        .when(Matcher::any().offering("submit_survey"), vec![silent.clone(); 10])
        .when(Matcher::any().offering("submit_plan"), vec![silent; 10])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    site.done(".");
    let turns = |pass| site.asked().iter().filter(|asked| asked.pass == pass).count();
    assert_eq!((turns("survey"), turns("plan")), (3, 3));
    assert!(notes(&site).contains("there is no survey"));
    assert!(notes(&site).contains("there is no plan"));
}

#[test]
fn one_directory_fails_and_its_parents_go_on() {
    let refusal: Answer = Refusal::Forbidden.into();
    let parser = Matcher::any().offering("read_file").containing(r"directory: src/parser\n");
    let script = Script::new().when(parser, vec![refusal; 10]).otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.run(".");
    assert_eq!(run.code, Some(3), "{run}");
    let entry = site.entry("src/parser");
    assert_eq!(entry["partial"], true, "{entry}");
    assert!(entry["partial_reason"].as_str().unwrap().contains("the model failed"), "{entry}");
    assert_eq!(site.entries("dirs").len(), 5);
    assert!(notes(&site).contains("src/parser"), "{}", notes(&site));
    // What failed is tried again by the next run, and only that and what depends on it.
    let before = site.asked().len();
    site.server.play(Policy::default());
    site.done(".");
    let again: std::collections::BTreeSet<String> = site
        .asked()
        .into_iter()
        .skip(before)
        .filter(|asked| asked.pass == "dir")
        .map(|asked| asked.dir)
        .collect();
    assert!(again.contains("src/parser") && !again.contains("docs"), "{again:?}");
    assert_ne!(site.entry("src/parser")["partial"], true);
}

#[test]
fn every_directory_fails() {
    let site = Site::new(project(), failing("read_file"));
    let run = site.run(".");
    assert_eq!(run.code, Some(3), "{run}");
    let told = "5 directories were looked at by the analyst in place of the model";
    assert!(run.stderr.contains(told), "{run}");
    // What is the same for all of them is said once, whatever number the provider gave each call.
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("5 directories (`.`, `docs`, `src`, `src/parser`, `tests`) were looked at"),
        "{run}"
    );
}

#[test]
fn no_synthesis() {
    let refusal: Answer = Refusal::Forbidden.into();
    let script = Script::new()
        .when(Matcher::any().offering("list_cache"), vec![refusal; 10])
        .otherwise(Policy::default());
    let site = Site::new(project(), script);
    let run = site.run(".");
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stderr.contains("the report was put together without a model"), "{run}");
    assert!(notes(&site).contains("the report was put together without a model"), "{}", notes(&site));
    assert!(run.stdout.contains("src/parser"), "{run}");
    // The next run tries again, and only that.
    let before = site.dir_turns().len();
    site.server.play(Policy::default());
    let run = site.done(".");
    assert_eq!(site.dir_turns().len(), before, "{run}");
    assert!(!notes(&site).contains("without a model"), "{}", notes(&site));
}

#[test]
fn failures_that_pass_are_not_noticed() {
    let site = Site::new(project(), Script::new().times(2, Refusal::Internal).otherwise(Policy::default()));
    let run: Run = site.done(".");
    assert!(run.stdout.contains("5 entries were looked at"), "{run}");
}

#[test]
fn a_key_that_is_not_accepted_ends_the_run_and_the_report_that_there_was_stays() {
    let machine = Machine::new().with_file("project/a.md", "# A\n").with_file("project/b/c.md", "# C\n");
    let site = Site::new(machine, Script::new().always(Refusal::Unauthorized));
    let offline = site.machine.ended(finish(&mut site.command("run --offline ."), PATIENCE));
    assert_eq!(offline.code, Some(0), "{offline}");
    let before = site.report();
    let run = site.run(".");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("does not accept the key"), "{run}");
    assert!(run.stderr.contains("hint: check the key"), "{run}");
    assert_eq!(site.asked().len(), 1, "what cannot be answered is asked once");
    assert_eq!(site.report(), before);
}

/// Who shows no progress is told all the same what leaves the machine and where it goes, before it does.
#[test]
fn where_things_are_sent_is_said_to_those_who_want_no_progress_too() {
    let site = Site::new(project(), Policy::default());
    let place = format!(
        "anthropic/claude-haiku-5-5 at {}: file names, what the analyst noted",
        site.server.address()
    );
    for arguments in
        ["plan -q . --model claude-haiku-5-5", "run -q . --model claude-haiku-5-5", "resume -q ."]
    {
        let run = site.machine.ended(finish(&mut site.command(arguments), PATIENCE));
        assert_eq!(run.code, Some(0), "{run}");
        assert!(run.stderr.starts_with(&place), "{arguments}: {run}");
    }
    let secrets = site.run("-q . --include-secrets");
    assert!(secrets.stderr.contains("of files that keep secrets, too (--include-secrets),"), "{secrets}");
    let offline = site.machine.ended(finish(&mut site.command("run -q . --offline"), PATIENCE));
    assert_eq!((offline.code, offline.stderr.as_str()), (Some(0), ""), "{offline}");
}

#[test]
fn a_server_without_tools_does_and_the_report_says_so() {
    let settings = Settings { tools: ToolSupport::Refused, ..Settings::default() };
    let site = Site::served(settings, Api::Chat, project(), Policy::default());
    let run = site.done(".");
    let said = "local-small: the server has no tool support; tools were described in the prompt";
    assert!(notes(&site).contains(said), "{}", notes(&site));
    assert!(run.stdout.replace("\n", " ").contains("no tool support"), "{run}");
    assert_eq!(site.entries("dirs").len(), 5);
}

#[test]
fn how_models_are_asked_is_said_in_files_too() {
    let machine = project().with_file(
        ".config/luminos/config.toml",
        "[models]\nanthropic-version = \"2026-10-21\"\nanthropic-beta = [\"a-beta-of-a-test\"]\ncache-time = \"1h\"\n",
    );
    let site = Site::new(machine, Policy::default());
    site.done(".");
    let requests = site.server.requests();
    assert!(!requests.is_empty());
    for received in requests {
        let header = |name: &str| received.request.header(name).map(str::to_owned);
        if received.request.body.is_empty() {
            // Whether the server is there is asked without a question.
            continue;
        }
        assert_eq!(header("anthropic-version").as_deref(), Some("2026-10-21"));
        assert_eq!(header("anthropic-beta").as_deref(), Some("a-beta-of-a-test"));
        let body = String::from_utf8_lossy(&received.request.body);
        assert!(body.contains(r#""ttl":"1h""#), "{body}");
    }
}

#[test]
fn a_window_that_is_too_small_is_told_before_and_after() {
    let small = "['claude-haiku-5-5']\nwindow = 4096\nmax-output = 1024\n";
    let site = Site::new(project().with_file(".config/luminos/models.toml", small), Policy::default());
    let run = site.run(".");
    assert_eq!(run.code, Some(3), "{run}");
    let (warned, rest) = run.stderr.split_once("has a context window of 4096 tokens").unwrap();
    assert!(warned.contains("anthropic/claude-haiku-5-5"), "{run}");
    assert!(rest.contains("5 directories were looked at by the analyst in place of the model"), "{run}");
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("5 directories (`.`, `docs`, `src`, `src/parser`, `tests`) were looked at"),
        "{run}"
    );
    let told = words.matches("The model's context window is too small for this directory").count();
    assert_eq!(told, 1, "{run}");
    assert_eq!(site.entry("docs")["filled_in"]["claims"], 1, "{}", site.entry("docs"));
    // With a window that is large enough nobody is warned.
    let run = Site::new(project(), Policy::default()).done(".");
    assert!(!run.stderr.contains("context window"), "{run}");
}

/// A provider that says "later" is waited for, and everybody can see it: who runs it, quietly or not, and who asks.
#[test]
fn waiting_for_a_provider_is_seen_and_told_once() {
    for quiet in ["--quiet ", ""] {
        let put_off = Refusal::RateLimited(RetryAfter::Seconds(3));
        let script = Script::new().times(2, put_off).otherwise(Policy::default());
        let site = Site::new(project(), script);
        let mut command = site.run_command(&format!("{quiet}."));
        let client =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut waiting = serde_json::Value::Null;
        until(|| {
            let output = site.command("status . --json").output().unwrap();
            let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            waiting = told["run"]["waiting"].clone();
            !waiting.is_null()
        });
        assert!(waiting["reason"].as_str().unwrap().contains("accepts no more calls for now"), "{waiting}");
        assert!(
            waiting["gives_up_seconds"].as_u64().is_some_and(|left| 500 < left && left <= 600),
            "{waiting}"
        );
        let run = site.wait(client);
        assert_eq!(run.code, Some(0), "{run}");
        assert_eq!(run.stderr.matches("note: waiting for a provider: ").count(), 1, "{run}");
        assert_eq!(run.stderr.contains("(waiting: "), quiet.is_empty(), "{run}");
    }
}

/// Nobody waits longer than `models.provider-patience`, whatever the provider asks for.
#[test]
fn a_provider_that_asks_for_too_much_patience_is_given_up() {
    for wait in [RetryAfter::Seconds(86_400), RetryAfter::Unsaid] {
        let site = Site::new(project(), Script::new().times(1000, Refusal::RateLimited(wait.clone())));
        let patience = ("LUMINOS_MODELS_PROVIDER_PATIENCE", "2 s");
        let began = Instant::now();
        let run =
            site.machine.ended(finish(site.run_command("--quiet .").env(patience.0, patience.1), PATIENCE));
        assert!(began.elapsed() < Duration::from_secs(20), "{wait:?} {:?}: {run}", began.elapsed());
        assert_ne!(run.code, Some(0), "{wait:?}: {run}");
        assert!(run.stderr.contains("models.provider-patience"), "{wait:?}: {run}");
        let mut asking = site.command(&format!("ask --model {} Hello?", Api::Messages.model()));
        let asked = site.machine.ended(finish(asking.env(patience.0, patience.1), PATIENCE));
        assert!(asked.stderr.contains("models.provider-patience"), "{wait:?}: {asked}");
        assert!(began.elapsed() < Duration::from_secs(30), "{wait:?} {:?}: {asked}", began.elapsed());
    }
}
