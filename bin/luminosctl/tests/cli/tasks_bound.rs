//! What binds tasks: the paths of a requirement, all of its text, the judge, and the repository that they belong to.

use luminos_model_server::{Answer, Gate, Refusal, RetryAfter, Script};
use serde_json::{Value, json};

use crate::history::{Evolving, git, history};
use crate::machine::{Machine, Run};
use crate::site::{Api, Site};
use crate::tasks::{inspection, machine, open_tasks, run};

const PLAN: &str = "tasks plan ../requirement.md --model openai/local-small --quiet";

/// A plan of tasks with these titles, paths and commands.
fn planned(all: &[(&str, &[&str], &str)]) -> Answer {
    let task = |(title, paths, command): &(&str, &[&str], &str)| {
        json!({ "title": title, "goal": format!("{title}: done."), "files": [], "specs": "", "allowedPaths": paths,
            "commands": [command], "role": "worker", "riskLevel": "low", "timeboxMinutes": 30, "dependsOn": [], "criteria": [1] })
    };
    Answer::text(&json!({ "warnings": [], "tasks": all.iter().map(task).collect::<Vec<_>>() }).to_string())
}

fn site(machine: Machine, tasks: Answer) -> Site {
    Site::through(Api::Chat, machine, Script::new().then(Answer::text(&inspection())).then(tasks))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The task of a title.
fn task(site: &Site, title: &str) -> Value {
    let tasks = open_tasks(site);
    tasks.iter().find(|task| task["title"] == title).unwrap_or_else(|| panic!("{tasks:?}")).clone()
}

/// What the judge says of work on a task that changed one file; it is begun and handed in before.
fn judged(site: &Site, id: &str, path: &str) -> Run {
    let diff = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-old\n+new\n");
    site.machine.write("change.diff", diff);
    site.machine.write("passed.json", "[{\"name\": \"test\", \"status\": \"success\"}]");
    run(site, &format!("tasks judge {id} --dry-run --diff ../change.diff --ci ../passed.json"))
}

fn hand_in(site: &Site, id: &str) {
    for words in [format!("tasks start {id}"), format!("tasks done {id} --review")] {
        let done = run(site, &words);
        assert_eq!(done.code, Some(0), "{words}: {done}");
    }
}

#[test]
fn a_models_tasks_stay_within_the_paths_of_the_requirement() {
    let wide: &[(&str, &[&str], &str)] = &[
        ("Take everything", &["**"], "pytest"),
        ("Take a library", &["lib/**"], "pytest"),
        ("Take the pipeline", &[".github/workflows/x.yml", "src/shop/login.py"], "pytest"),
    ];
    let site = site(machine(), planned(wide));
    let made = run(&site, PLAN.trim_end_matches(" --quiet"));
    assert_eq!(made.code, Some(0), "{made}");
    assert!(
        made.stdout.contains("the path `**` is narrowed")
            || made.stderr.contains("the path `**` is narrowed"),
        "{made}"
    );
    let bounds = ["src/**", "tests/**", "docs/**"];
    for (title, _, _) in wide {
        let task = task(&site, title);
        let paths = strings(&task["allowedPaths"]);
        let is_inside = |path: &&str| bounds.contains(path) || path.starts_with("src/");
        assert!(!paths.is_empty() && paths.iter().all(is_inside), "{title}: {paths:?}");
    }
    let pipeline = task(&site, "Take the pipeline")["id"].as_str().unwrap().to_owned();
    // It waits for the two that may change the same files, and so does the judge.
    for title in ["Take everything", "Take a library"] {
        let id = task(&site, title)["id"].as_str().unwrap().to_owned();
        assert_eq!(run(&site, &format!("tasks cancel {id}")).code, Some(0));
    }
    hand_in(&site, &pipeline);
    let approved = judged(&site, &pipeline, "src/shop/login.py");
    assert_eq!(approved.code, Some(0), "{approved}");
    for path in [".github/workflows/x.yml", "lib/a.py"] {
        let refused = judged(&site, &pipeline, path);
        assert_eq!(refused.code, Some(1), "{refused}");
        assert!(refused.stdout.contains("lies outside of what the task may change"), "{refused}");
    }
}

#[test]
fn two_stars_alone_are_a_path() {
    for (paths, expected) in
        [("- `**`\n", vec!["**"]), ("- `**/*.md`\n- src/**\n", vec!["**/*.md", "src/**"])]
    {
        let wish =
            format!("# Goal\nLimits\n## Acceptance Criteria\n- `a**b` is a power\n## Allowed Paths\n{paths}");
        let site = Site::through(Api::Chat, machine().with_file("stars.md", wish), Script::new());
        let made = run(&site, "tasks plan ../stars.md --no-model --quiet");
        assert_eq!(made.code, Some(3), "{made}");
        let tasks = open_tasks(&site);
        assert_eq!(strings(&tasks[0]["allowedPaths"]), expected);
        assert!(tasks[0]["goal"].as_str().unwrap().contains("a**b"), "{tasks:?}");
    }
}

/// What stands below headings that nobody knows reaches the model in each question, and the plan by rule.
#[test]
fn no_part_of_a_requirement_is_lost() {
    let wish = "# Passkeys\nFor everybody.\n## User Stories\n- As a guest I log in\n## Technical details\nUse the zebra protocol.\n\
        ## ✅ Acceptance Criteria (must have)\n- Log-ins are quick\n- Log-outs are quick\n## Randnotizen\n| giraffe | 1 |\n|---|---|\n| x | 2 |\n";
    let words = ["zebra protocol", "giraffe", "As a guest I log in", "For everybody."];
    let script = Script::new().then(Answer::text("{}")).then(Answer::text(&inspection())).then(planned(&[(
        "Be quick",
        &["src/**"],
        "pytest",
    )]));
    let site = Site::through(Api::Chat, machine().with_file("wish.md", wish), script);
    let made = run(&site, "tasks plan ../wish.md --model openai/local-small --quiet");
    assert_eq!(made.code, Some(0), "{made}");
    let asked = site.server.requests();
    assert!(3 <= asked.len(), "{}", asked.len());
    for (number, received) in asked.iter().take(3).enumerate() {
        let body = String::from_utf8_lossy(&received.request.body);
        for word in words {
            assert!(body.contains(word), "question {number} says nothing of `{word}`");
        }
    }
    let site = Site::through(Api::Chat, machine().with_file("wish.md", wish), Script::new());
    let made = run(&site, "tasks plan ../wish.md --no-model");
    assert!(made.stderr.contains("Technical details") && made.stderr.contains("Randnotizen"), "{made}");
    let tasks = open_tasks(&site);
    assert_eq!(tasks.len(), 2, "{tasks:?}");
    for word in words {
        assert!(tasks[0]["context"]["specs"].as_str().unwrap().contains(word), "{word}: {tasks:?}");
    }
}

#[test]
fn no_file_at_the_top_passes_for_a_word_or_a_program() {
    let tree = ["LICENSE", "run.sh", "setup.py", "conftest.py", "notes.txt"];
    let mut machine = machine();
    for name in tree {
        machine = machine.with_file(format!("project/{name}"), "old\n");
    }
    let tasks: &[(&str, &[&str], &str)] = &[
        ("Make login faster", &["src/shop/login.py"], "pytest -q"),
        ("Build, link and set up the cart", &["src/shop/cart.py"], "python -m unittest"),
    ];
    let site = site(machine, planned(tasks));
    let made = run(&site, PLAN);
    assert_eq!(made.code, Some(0), "{made}");
    for (title, paths, _) in tasks {
        let id = task(&site, title)["id"].as_str().unwrap().to_owned();
        hand_in(&site, &id);
        assert_eq!(judged(&site, &id, paths[0]).code, Some(0), "{title}");
        for name in tree {
            let refused = judged(&site, &id, name);
            assert_eq!(refused.code, Some(1), "{title}: {name}: {refused}");
        }
    }
}

#[test]
fn nobody_finishes_what_nobody_began() {
    let site = Site::through(Api::Chat, machine(), crate::tasks::script());
    assert_eq!(run(&site, PLAN).code, Some(0));
    let (first, second) = (task(&site, "Refuse the sixth log-in"), task(&site, "Explain the limit"));
    for task in [&first, &second] {
        let id = task["id"].as_str().unwrap();
        for words in [format!("tasks done {id}"), format!("tasks done {id} --review")] {
            let refused = run(&site, &words);
            assert!(refused.code != Some(0) && refused.stderr.contains("queued"), "{words}: {refused}");
        }
        let refused = judged(&site, id, "src/shop/login.py");
        assert!(refused.code != Some(0) && refused.stdout.is_empty(), "{refused}");
    }
    // The second waits for the first.
    let refused = run(&site, &format!("tasks start {}", second["id"].as_str().unwrap()));
    assert!(refused.code != Some(0), "{refused}");
    let all = open_tasks(&site);
    assert!(all.iter().all(|task| task["status"] == "queued"), "{all:?}");
}

#[test]
fn one_backlog_serves_all_of_a_repository() {
    let site = Site::through(Api::Chat, machine(), Script::new());
    git(&site.machine, "rm -rf .git && git init -q -b main . && git add -A && git commit -q -m Begin");
    git(&site.machine, "git worktree add -q ../wt");
    assert_eq!(run(&site, "tasks plan ../requirement.md --no-model --quiet").code, Some(3));
    let at_top = run(&site, "tasks list").stdout;
    assert_eq!(at_top.lines().filter(|line| line.contains("queued")).count(), 2, "{at_top}");
    for place in ["src", "src/shop", "docs/..", "../wt", "../wt/src/shop"] {
        std::fs::create_dir_all(site.machine.project().join("docs")).unwrap();
        let there = run(&site, &format!("tasks list --repo {place}"));
        assert_eq!(there.stdout, at_top, "{place}: {there}");
    }
    // Somebody who stands there gets the tasks, and there is one plan for all.
    let mut command = site.command("tasks next --json");
    command.current_dir(site.machine.home().join("wt/src"));
    let next = site.machine.ended(command.output().unwrap());
    assert!(next.code == Some(0) && next.stdout.contains("\"task\""), "{next}");
    let mut command = site.command("tasks plan ../requirement.md --no-model --quiet");
    command.current_dir(site.machine.home().join("wt"));
    let again = site.machine.ended(command.output().unwrap());
    assert_eq!(open_tasks(&site).len(), 2, "{again}");
    // A neighbour that only says so gets none of them.
    site.machine.write("other/.git", format!("gitdir: {}/.git\n", site.machine.project().display()));
    let other = run(&site, "tasks list --repo ../other");
    assert!(!other.stdout.contains("queued"), "{other}");
}

/// The limit holds while a model is being asked, and nobody waits for its answer.
#[test]
fn a_time_limit_ends_a_plan_in_the_middle_of_a_call() {
    let never = Gate::shut();
    let script = Script::new().always(Answer::text("{}").behind(&never));
    let place = Evolving::new(history(1), script);
    let ended = place.plan(&["--model", "openai/tiny", "--max-time", "2"]);
    assert_eq!(ended.code, Some(3), "{ended}");
    assert!(ended.stderr.contains("the time limit of 2 s was reached"), "{ended}");
    assert_eq!(place.server.counters().requests, 1);
}

/// So often as the settings say, and no more by anybody else.
#[test]
fn retries_are_as_many_as_the_settings_say() {
    for (retries, refusal) in [
        (0, Refusal::RateLimited(RetryAfter::Unsaid)),
        (0, Refusal::Internal),
        (1, Refusal::RateLimited(RetryAfter::Millis(20))),
    ] {
        let site = Site::through(Api::Chat, machine(), Script::new().always(refusal.clone()));
        site.machine.write(".config/luminos/config.toml", format!("[planner]\nretries = {retries}\n"));
        let made = run(&site, PLAN);
        assert_eq!(made.code, Some(3), "{made}");
        assert_eq!(site.server.counters().requests, retries + 1, "{refusal:?}: {made}");
    }
}
