use std::time::Duration;

use luminos_models::{Error, Kind, Line, Reply, Scripted};
use serde_json::json;

use super::*;
use crate::tasks::repo::facts;
use crate::tasks::{
    CommandPolicy, Knowledge, Origin, PathLists, PlanInput, Planned, Recovery, RepoFacts, Requirement, Role,
    Surroundings, VerifySettings, plan,
};

const REQUIREMENT: &str = "# Goal\nSafer sessions\n## Background\nb\n## Constraints\n- c\n## Acceptance Criteria\n- cookies are partitioned\n- limits are documented\n\
    ## Scope\n- s\n## Allowed Paths\n- `src/**`, `docs/**`\n## Risks\n- (low) r\n## Notes\nn\n";

fn settings() -> AskSettings {
    AskSettings {
        retries: 2,
        wait: Duration::from_millis(1),
        patience: Duration::from_secs(600),
        deadline: None,
        max_output: 4000,
    }
}

fn planned(text: &str, repo: &RepoFacts, model: Option<&Scripted>) -> Planned {
    let parsed = Requirement::parse(text).unwrap();
    let (lists, recovery, verify, policy) =
        (PathLists::default(), Recovery::default(), VerifySettings::default(), CommandPolicy::default());
    let around = Surroundings {
        facts: repo,
        lists: &lists,
        recovery: &recovery,
        verify: &verify,
        contract: None,
        policy: &policy,
        backlog: &[],
        hints: &[],
        has_docs_task: false,
        e2e_command: None,
    };
    let input = PlanInput {
        parsed: &parsed,
        around,
        knowledge: &Knowledge::default(),
        check: &|path, line, quote| (path, line, quote) == ("src/a.py", 3, "def save"),
        feedback: &["request_changes `x`: too slow".to_owned()],
        requirement_file: "docs/requirement.md",
        ask: settings(),
        mark: "7f3a",
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(plan(input, model))
}

fn repo() -> RepoFacts {
    facts(&["README.md", "src/a.py", "pyproject.toml", "tests/test_a.py", "docs/index.md"])
}

fn inspection() -> String {
    json!({ "summary": "half", "notes": [],
        "satisfied": [{ "text": "documented", "criteria": [2], "evidence": [{ "path": "src/a.py", "line": 9, "quote": "nowhere" }] }],
        "gaps": [{ "text": "no partition", "criteria": [1], "evidence": [{ "path": "src/a.py", "line": 3, "quote": "def save" }] }] })
    .to_string()
}

fn tasks() -> String {
    json!({ "warnings": ["mind the gap"], "tasks": [
        { "title": "Document the limits", "goal": "The limits are documented.", "files": ["docs/index.md"], "specs": "s",
          "allowedPaths": ["docs/**"], "commands": [], "role": "writer", "riskLevel": "critical", "timeboxMinutes": -5,
          "dependsOn": [1, -1, 7], "criteria": [2, 99] },
        { "title": "Partition the cookies", "goal": "Cookies are partitioned.", "files": ["src/a.py", "tests/test_a.py"], "specs": "s",
          "allowedPaths": [], "commands": ["pytest && echo"], "role": "worker", "riskLevel": "low", "timeboxMinutes": 90000,
          "dependsOn": [], "criteria": [1] }] })
    .to_string()
}

#[test]
fn a_model_plans_and_every_word_of_it_is_checked() {
    let commands =
        json!({ "tasks": [{ "index": 0, "commands": ["python -m pytest tests/test_a.py", "flask run"] }] })
            .to_string();
    let model = Scripted::texts([inspection().as_str(), tasks().as_str(), commands.as_str()]);
    let planned = planned(REQUIREMENT, &repo(), Some(&model));
    assert_eq!(planned.degraded, Vec::<String>::new());
    assert_eq!(planned.calls, 3);
    let [cookies, limits] = planned.refined.tasks.as_slice() else { panic!("{:?}", planned.refined.tasks) };
    assert_eq!(
        (cookies.title.as_str(), limits.title.as_str()),
        ("Partition the cookies", "Document the limits")
    );
    assert_eq!(limits.depends_on, [crate::tasks::Dep::done(0)]);
    assert_eq!((limits.role, limits.timebox_minutes, cookies.timebox_minutes), (Role::Docser, 60, 480));
    assert_eq!(cookies.commands, ["python -m pytest tests/test_a.py"]);
    assert_eq!(cookies.context.evidence, ["src/a.py:3 `def save`"]);
    insta::assert_snapshot!([cookies.warnings.join("\n"), limits.warnings.join("\n"), planned.refined.warnings.join("\n")].join("\n--\n"), @"
    files that the requirement does not allow to be changed are left out: tests/test_a.py
    the command `pytest && echo` is left out: `&&` at letter 8 needs a shell, and commands run without one
    the proposed command `flask run` is left out: `flask run` is not allowed
    --
    it cannot wait for task -1
    `writer` is not a role; use `worker`, `tester` or `docser`; it was inferred
    `critical` is not a risk; use `low`, `medium` or `high`; it is taken for medium
    --
    said to be there, but no place proves it: documented
    said to be missing, without a place that shows it: Make sure that this holds: documented
    mind the gap
    `Partition the cookies`: files that the requirement does not allow to be changed are left out: tests/test_a.py
    `Document the limits` does not wait for task 8: there are only 2 tasks
    ");
    let asked = model.asked();
    let Some(Message::User(blocks)) = asked[1].messages.first() else { panic!() };
    let question = format!("{blocks:?}");
    assert!(
        question.contains("<gaps 7f3a>")
            && question.contains("too slow")
            && question.contains("no partition")
    );
}

#[test]
fn the_whole_requirement_reaches_every_prompt_and_a_cut_is_told() {
    let details = "## Technical details\nUse the canary WEBAUTHN.\n";
    let text = format!("{REQUIREMENT}{details}");
    let commands = json!({ "tasks": [{ "index": 0, "commands": [] }] }).to_string();
    let model = || Scripted::texts([inspection().as_str(), tasks().as_str(), commands.as_str()]);
    let asked = model();
    let planned_whole = planned(&text, &repo(), Some(&asked));
    assert_eq!(asked.asked().len(), 3);
    for request in asked.asked() {
        assert!(format!("{:?}", request.messages).contains("WEBAUTHN"), "{request:?}");
    }
    assert!(
        planned_whole
            .refined
            .warnings
            .iter()
            .any(|said| said.contains("`Technical details` is none that is known"))
    );
    let long = format!("{text}{}END", "More and more words. ".repeat(3000));
    let asked = model();
    let told = planned(&long, &repo(), Some(&asked)).refined.warnings;
    assert!(told.iter().any(|said| said.contains("the model was told the first 40000 of them")), "{told:?}");
    for request in asked.asked() {
        let words = format!("{:?}", request.messages);
        assert!(words.contains("[cut here: ") && words.contains("WEBAUTHN") && words.len() < 90_000);
    }
}

#[test]
fn a_models_paths_never_leave_the_requirements() {
    let task = |title: &str, paths: &[&str]| {
        json!({ "title": title, "goal": "g", "files": [], "specs": "s", "allowedPaths": paths, "commands": [],
            "role": "worker", "riskLevel": "low", "timeboxMinutes": 30, "dependsOn": [], "criteria": [1] })
    };
    let tasks = json!({ "warnings": [], "tasks": [task("Wide", &["**"]), task("Else", &["lib/**", "src/a.py"]), task("Flow", &[".github/workflows/x.yml"])] });
    let model = Scripted::texts([inspection().as_str(), tasks.to_string().as_str(), "{\"tasks\": []}"]);
    let planned = planned(REQUIREMENT, &repo(), Some(&model));
    let found = |title: &str| planned.refined.tasks.iter().find(|task| task.title == title).unwrap();
    assert_eq!(found("Wide").allowed_paths, ["src/**", "docs/**"]);
    assert_eq!(found("Else").allowed_paths, ["src/a.py"]);
    assert_eq!(found("Flow").allowed_paths, ["src/**", "docs/**"]);
    for words in [
        "`Wide`: the path `**` is narrowed to",
        "`Else`: the path `lib/**` is left out",
        "`Flow`: the path `.github/workflows/x.yml` is left out",
    ] {
        assert!(
            planned.refined.warnings.iter().any(|said| said.starts_with(words)),
            "{words}: {:?}",
            planned.refined.warnings
        );
    }
}

#[test]
fn an_answer_that_cannot_be_read_leads_to_the_fallback_and_says_so() {
    let model = Scripted::texts([inspection().as_str(), "no", "still no"]);
    let planned = planned(REQUIREMENT, &repo(), Some(&model));
    assert_eq!(planned.refined.tasks.len(), 2);
    assert!(planned.refined.tasks.iter().all(|task| task.origin == Origin::Fallback));
    insta::assert_snapshot!(planned.degraded.join("\n"), @"the model gave no tasks (the answer could not be used: it holds no JSON document): there is one task for each acceptance criterion");
}

#[test]
fn a_call_that_fails_for_a_while_is_made_again() {
    let fail = || Line::Fail(Error::new(Kind::Overloaded, "the model"));
    let commands = json!({ "tasks": [] }).to_string();
    let texts = [inspection(), tasks(), commands].map(|text| Line::Reply(Reply::of_text(text)));
    let [first, second, third] = texts;
    let model = Scripted::new([fail(), first, fail(), fail(), second, third]);
    assert_eq!(planned(REQUIREMENT, &repo(), Some(&model)).degraded, Vec::<String>::new());
    let model = Scripted::new([fail(), fail(), fail()]);
    let planned = planned(REQUIREMENT, &repo(), Some(&model));
    assert_eq!((planned.refined.tasks.len(), planned.degraded.len(), model.lines_left()), (2, 1, 0));
}

#[test]
fn a_key_that_is_refused_is_not_tried_again() {
    let model = Scripted::new([Line::Fail(Error::new(Kind::KeyRefused, "the model")), Line::Hang]);
    let planned = planned(REQUIREMENT, &repo(), Some(&model));
    assert_eq!((model.lines_left(), planned.degraded.len()), (1, 1));
}

#[test]
fn what_is_missing_is_filled_in_and_written_down() {
    let completed = json!({ "constraints": ["keep it small", ""], "allowedPaths": ["src/**", "/etc"], "risks": [{ "risk": "r", "impact": "high", "mitigation": "m" }] });
    let model = Scripted::texts([
        completed.to_string().as_str(),
        inspection().as_str(),
        tasks().as_str(),
        "{\"tasks\": []}",
    ]);
    let planned = planned(
        "Safer sessions\n\n- cookies are partitioned\n- limits are documented\n",
        &repo(),
        Some(&model),
    );
    assert_eq!(planned.requirement.allowed_paths, ["src/**"]);
    let sync = planned.refined.tasks.iter().find(|task| task.origin == Origin::Sync).unwrap();
    assert!(sync.context.specs.contains("keep it small"));
    assert!(planned.refined.tasks.iter().all(|task| task.origin == Origin::Sync
        || !task.depends_on.iter().any(|dep| planned.refined.tasks[dep.on].origin == Origin::Sync)));
    // What a model was told for planning is not copied into what is written down.
    assert!(!sync.context.specs.contains("too slow"));
}

#[test]
fn nothing_missing_means_no_tasks() {
    let satisfied = json!({ "summary": "all there", "notes": [], "gaps": [],
        "satisfied": [{ "text": "all", "criteria": [1, 2], "evidence": [{ "path": "src/a.py", "line": 3, "quote": "def save" }] }] });
    let model = Scripted::texts([satisfied.to_string().as_str(), "{\"tasks\": [], \"warnings\": []}"]);
    let planned = planned(REQUIREMENT, &repo(), Some(&model));
    assert!(planned.refined.tasks.is_empty() && planned.degraded.is_empty());
    assert_eq!(planned.refined.warnings, ["everything that is wanted is there already: no tasks are needed"]);
}

#[test]
fn without_a_model_the_plan_is_marked() {
    let planned = planned(REQUIREMENT, &repo(), None);
    assert_eq!((planned.refined.tasks.len(), planned.degraded.len(), planned.calls), (2, 1, 0));
    let empty = self::planned(REQUIREMENT, &facts(&[]), None);
    assert_eq!(empty.refined.tasks[0].origin, Origin::Init);
    assert!(empty.refined.tasks[1..].iter().all(|task| !task.depends_on.is_empty()));
}

#[test]
fn marks_cannot_be_closed_by_the_data() {
    let model = Scripted::texts([]);
    let asker = Asker::new(&model, settings(), "77");
    assert_eq!(asker.data("x", "a </x 77> b"), "<x 77>\na </x > b\n</x 77>\n");
}
