//! Requirements become tasks: by rule, with a model, twice at once, and after a kill.

use std::fs;
use std::process::Stdio;

use insta::assert_snapshot;
use luminos_model_server::{Answer, Gate, Script};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::machine::{Machine, Run, finish};
use crate::site::{Api, PATIENCE, Site};

const REQUIREMENT: &str = "\
# Goal
Limit how often somebody may log in.
## Background
Passwords are guessed.
## Constraints
- No new dependency
## Acceptance Criteria
- [ ] A sixth log-in within a minute is refused
- [ ] The limit is explained in docs/login.md
## Scope
- the log-in page
## Allowed Paths
- `src/**`, `tests/**`, `docs/**`
## Risk Assessment
- (low) somebody is locked out — the limit is per address
## Notes
Ask Kim.
";

pub(crate) fn machine() -> Machine {
    Machine::new()
        .with_file("requirement.md", REQUIREMENT)
        .with_file("project/README.md", "# Shop\n\nA shop with a log-in page.\n")
        .with_file("project/pyproject.toml", "[project]\nname = 'shop'\n")
        .with_file("project/src/shop/login.py", "def login(user, password):\n    \"\"\"Log somebody in.\"\"\"\n    return check(user, password)\n")
        .with_file("project/src/shop/cart.py", "def add(item):\n    return item\n")
        .with_file("project/tests/test_login.py", "def test_login():\n    assert login('a', 'b')\n")
}

pub(crate) fn inspection() -> String {
    let gap = |text: &str, number: u32| {
        json!({ "text": text, "criteria": [number],
        "evidence": [{ "path": "src/shop/login.py", "line": 1, "quote": "def login" }] })
    };
    json!({ "summary": "no limit", "satisfied": [], "notes": [], "gaps": [gap("no limit", 1), gap("no page", 2)] }).to_string()
}

pub(crate) fn tasks() -> String {
    let task = |title: &str, files: &[&str], after: &[u32], criterion: u32| {
        json!({ "title": title, "goal": format!("{title}: done."),
        "files": files, "specs": "five a minute", "allowedPaths": [], "commands": [], "role": "worker", "riskLevel": "low",
        "timeboxMinutes": 45, "dependsOn": after, "criteria": [criterion] })
    };
    json!({ "warnings": [], "tasks": [task("Explain the limit", &["docs/login.md"], &[1], 2),
        task("Refuse the sixth log-in", &["src/shop/login.py", "tests/test_login.py"], &[], 1)] })
    .to_string()
}

pub(crate) fn script() -> Script {
    Script::new()
        .then(Answer::text(&inspection()))
        .then(Answer::text(&tasks()))
        .then(Answer::text("{\"tasks\": []}"))
}

/// Names of tasks differ each time.
pub(crate) fn blanked(text: &str) -> String {
    let is_name = |word: &str| {
        word.len() == 8 && word.chars().all(|letter| letter.is_ascii_hexdigit() && !letter.is_uppercase())
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some(at) = rest.find(|letter: char| letter.is_ascii_hexdigit()) {
            let (before, from) = rest.split_at(at);
            let end = from.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            out.push_str(before);
            out.push_str(if is_name(word) { "[TASK]" } else { word });
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

#[track_caller]
pub(crate) fn run(site: &Site, arguments: &str) -> Run {
    site.machine.ended(finish(&mut site.command(arguments), PATIENCE))
}

#[track_caller]
pub(crate) fn open_tasks(site: &Site) -> Vec<Value> {
    let run = run(site, "tasks export");
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

/// Every file of a directory with its content.
fn contents(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path))
        } else {
            all.push((path.clone(), fs::read(&path).unwrap()))
        }
    }
    all.sort();
    all
}

#[test]
fn without_a_model_a_plan_is_made_by_rule_and_says_so() {
    let site = Site::through(Api::Chat, machine(), Script::new());
    let before = contents(&site.machine.project());
    let planned = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_snapshot!(blanked(&planned.to_string()), @r#"
    exit code: 3
    ---- stdout
    [TASK]  A sixth log-in within a minute is refused
        worker, risk low, 60 min, priority 20, from: fallback
        goal      A sixth log-in within a minute is refused.
        start at  src/shop/login.py
                  tests/test_login.py
        found     src/shop/login.py:2 `"""Log somebody in."""`
                  src/shop/login.py:1 `def login(user, password):`
                  tests/test_login.py:1 `def test_login():`
                  tests/test_login.py:2 `assert login('a', 'b')`
        may       src/**, tests/**, docs/**
        also      pyproject.toml
        verify    python -m pytest tests/test_login.py
                  python -m pytest

    [TASK]  The limit is explained in docs/login.md
        docser, risk low, 30 min, priority 10, from: fallback
        goal      The limit is explained in docs/login.md.
        start at  docs/login.md
        may       docs/**
        verify    test -s docs/login.md
        after     [TASK]

    2 tasks, about 90 minutes, saved
    ---- stderr
    warning: degraded: no model was asked: there is one task for each acceptance criterion; read them before handing them out
    "#);
    assert_eq!(contents(&site.machine.project()), before);
    let again = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_eq!(again.code, Some(0), "{again}");
    assert!(again.stderr.contains("this was planned"), "{again}");
    site.machine.write("project/src/shop/more.py", "x = 1\n");
    let refused = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_snapshot!(blanked(&refused.to_string()), @"
    exit code: 1
    ---- stderr
    error: there is work to do before a new plan is made
      because: 2 tasks pending: [TASK] A sixth log-in within a minute is refused (queued), [TASK] The limit is explained in docs/login.md (queued)

    hint: finish or cancel it (`luminosctl tasks list`), or plan beside it with `--anyway`
    ");
    assert_eq!(open_tasks(&site).len(), 2);
}

#[test]
fn tasks_are_worked_through_in_order() {
    let site = Site::through(Api::Chat, machine(), script());
    let planned = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet");
    assert_eq!(planned.code, Some(0), "{planned}");
    assert_snapshot!(crate::server::blanked(&site.server, blanked(&planned.to_string())), @"
    exit code: 0
    ---- stdout
    [TASK]  Refuse the sixth log-in
        worker, risk low, 45 min, priority 10, from: model
        goal      Refuse the sixth log-in: done.
        start at  src/shop/login.py
                  tests/test_login.py
        found     src/shop/login.py:1 `def login`
        may       src/shop/login.py, tests/test_login.py
        also      pyproject.toml
        verify    python -m pytest tests/test_login.py
                  python -m pytest

    [TASK]  Explain the limit
        worker, risk low, 45 min, priority 20, from: model
        goal      Explain the limit: done.
        start at  docs/login.md
        found     src/shop/login.py:1 `def login`
        may       docs/login.md
        verify    test -s docs/login.md
        after     [TASK]

    2 tasks, about 90 minutes, saved
    ---- stderr
    asking openai/local-small at [SERVER]; file names and lines of files are sent there, recognised secrets taken out
    3 calls, 2422 tokens in, 202 out, price unknown
    ");
    assert_snapshot!(blanked(&run(&site, "tasks graph").to_string()), @"
    exit code: 0
    ---- stdout
    [TASK]  Refuse the sixth log-in (queued)
    [TASK]  Explain the limit (queued)
              needs [TASK] Refuse the sixth log-in
    ");
    let first = run(&site, "tasks next --agent ada --json");
    let first: Value = serde_json::from_str(&first.stdout).unwrap_or_else(|_| panic!("{first}"));
    assert_eq!(first["task"]["title"], "Refuse the sixth log-in");
    assert_snapshot!(blanked(&run(&site, "tasks next --agent bob").to_string()), @"
    exit code: 1
    ---- stderr
    nothing can be begun now:
      [TASK]  Refuse the sixth log-in: somebody works on it
      [TASK]  Explain the limit: it waits for `Refuse the sixth log-in` ([TASK]), which is running
    ");
    let id = first["task"]["id"].as_str().unwrap();
    assert_eq!(run(&site, &format!("tasks done {id} --agent ada")).code, Some(0));
    assert!(run(&site, "tasks next --agent bob").stdout.contains("Explain the limit"));
    assert_snapshot!(run(&site, "tasks done nothing").to_string(), @"
    exit code: 2
    ---- stderr
    error: there is no task `nothing`

    hint: `luminosctl tasks list --all` lists all tasks
    ");
}

#[test]
fn the_same_plan_twice_at_once_is_made_once() {
    let gate = Gate::shut();
    let script = Script::new()
        .then(Answer::text(&inspection()).behind(&gate))
        .then(Answer::text(&tasks()))
        .then(Answer::text("{\"tasks\": []}"));
    let site = Site::through(Api::Chat, machine(), script);
    let arguments = "tasks plan ../requirement.md --model openai/local-small --quiet";
    let mut command = site.command(arguments);
    let first = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    site.until(|counters| 1 <= counters.requests);
    let second = run(&site, arguments);
    assert_snapshot!(second.to_string(), @"
    exit code: 0
    ---- stderr
    the same plan is being made by another process; nothing to do
    ");
    gate.open();
    assert_eq!(site.wait(first).code, Some(0));
    assert_eq!(open_tasks(&site).len(), 2);
    // Nothing was asked for the second.
    assert_eq!(site.server.requests().len(), 3);
}

#[test]
fn a_planner_that_is_killed_leaves_nothing_half_saved() {
    let gate = Gate::shut();
    let site =
        Site::through(Api::Chat, machine(), Script::new().then(Answer::text(&inspection()).behind(&gate)));
    let arguments = "tasks plan ../requirement.md --model openai/local-small --quiet";
    let mut command = site.command(arguments);
    let first = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    site.until(|counters| 1 <= counters.requests);
    kill_process(Pid::from_child(&first), Signal::KILL).unwrap();
    assert_eq!(site.wait(first).code, None);
    assert_eq!(open_tasks(&site), Vec::<Value>::new());
    site.server.play(script());
    gate.open();
    let again = run(&site, arguments);
    assert_eq!(again.code, Some(0), "{again}");
    assert_eq!(open_tasks(&site).len(), 2);
    let events = run(&site, "tasks events --json");
    let events: Vec<Value> = serde_json::from_str(&events.stdout).unwrap();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds, ["planner.plan_failed", "planner.plan_created"]);
}

#[test]
fn faults_are_told_with_a_way_out() {
    let machine = machine().with_file("empty.md", "\n").with_file(
        "project/.luminos/verify.contract.json",
        "{\n  \"commands\": [\n    \"make a && make b\"\n  ]\n}\n",
    );
    assert_snapshot!(machine.run("tasks plan ../empty.md"), @"
    exit code: 2
    ---- stderr
    error: the requirement is empty

    hint: write what is wanted, in a sentence or in sections; `luminosctl tasks plan --help` lists them
    ");
    assert_snapshot!(machine.run("tasks plan ../none.md"), @"
    exit code: 2
    ---- stderr
    error: cannot read the requirement `../none.md`
      because: No such file or directory (os error 2)
    ");
    assert_snapshot!(machine.run("tasks plan ../requirement.md --no-model"), @"
    exit code: 2
    ---- stderr
    error: cannot use `[ROOT]/home/project/.luminos/verify.contract.json`
      because: line 3: the command `make a && make b` cannot be run: `&&` at letter 8 needs a shell, and commands run without one

    hint: correct it, or move it away: the repository has no say then
    ");
    assert_snapshot!(machine.run("tasks list"), @"
    exit code: 0
    ---- stderr
    no tasks (hint: `luminosctl tasks plan` makes some; --all lists those that are over)
    ");
}

#[test]
fn help_of_tasks() {
    assert_snapshot!(Machine::new().run("tasks --help"), @"
    exit code: 0
    ---- stdout
    Turn a requirement into tasks, and work through them

    A requirement is a Markdown file or a few sentences. Its tasks are kept in a backlog in the state
    directory, with their dependencies, the files they may change and the commands that verify them.
    Nothing is written into the repository.

    Usage: luminosctl tasks [OPTIONS] <COMMAND>

    Commands:
      plan      Plan the tasks that a requirement needs
      list      List the tasks of a repository
      show      Show everything about a task
      next      Get the next task that can be worked on, with a lease
      start     Begin a task by name
      done      Say that a task is done
      fail      Say that a task has failed
      block     Say that a task waits for something outside of the backlog
      cancel    Say that nobody wants a task any more, or put it back into the queue
      export    Print all tasks of a repository, as JSON or Markdown
      events    Print what happened, the latest last
      graph     Print which task waits for which
      judge     Judge finished work: its checks, the paths of its diff, its risk, and a model's review
      link      Make an issue for each open task that has none
      research  Answer a question about a repository with claims and their evidence
      help      Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl tasks plan requirement.md              plan for the current directory
      echo 'Add a --json flag' | luminosctl tasks plan - --dry-run
      luminosctl tasks next --agent ada                 get a task to work on
      luminosctl tasks done 1f3a --agent ada            it is finished
      luminosctl tasks graph                            what waits for what

    Exit codes:
        0  done
        1  failed, or there is nothing to do
        2  the command line, the configuration or the requirement makes no sense
        3  planned, but less well than possible: by rule, without a model, or with one that failed
      130  interrupted
    ");
    assert_snapshot!(Machine::new().run("tasks plan --help"), @"
    exit code: 0
    ---- stdout
    Plan the tasks that a requirement needs

    The repository is looked at, what is missing becomes tasks, and these are put in order, with the
    files they may change and the commands that verify them. Without a model there is one task for each
    acceptance criterion, and the plan says that it was made by rule. The same requirement for the same
    files within ten minutes is planned once.

    Usage: luminosctl tasks plan [OPTIONS] [REQUIREMENT]

    Arguments:
      [REQUIREMENT]
              The requirement, a Markdown or text file; `-` reads it from standard input

    Options:
          --repo <PATH>
              Somewhere in the repository that is to change; without git, the directory itself

              [default: .]

          --dry-run
              Print the plan and save nothing

          --model <NAME>
              Ask this model; without it, the settings `planner.model` and `models.default` decide

          --no-model
              Ask no model, whatever the configuration says

          --allow-unconfined-program
              Run a program used as a model (codex, claude, command) even where it cannot be confined

              Without Landlock and seccomp such a program is refused: it would act with all your rights
              on text that others may have written to steer it.

          --max-cost <DOLLARS>
              Spend no more than this, in US dollars

          --max-tokens <N>
              Use no more tokens than this, input and output together

          --anyway
              Plan beside the tasks that are pending, and let new tasks wait for those that change the
              same files

          --research-job <JOB>
              Plan the tasks of this question instead (`luminosctl tasks research --later`), whatever is
              pending

          --json
              Print a JSON object with tasks, warnings, degraded and what the model used

      -q, --quiet
              Show no progress

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    A requirement may have the sections Goal, Background, Constraints, Acceptance Criteria, Scope (In
    Scope, Out of Scope),
    Allowed Paths, Risk Assessment and Notes; a few sentences with a list do as well.

    Examples:
      luminosctl tasks plan docs/requirement.md --dry-run
      luminosctl tasks plan req.md --repo ~/src/shop --model ollama/llama3.2
      echo 'Add a --json flag to `list`' | luminosctl tasks plan -

    Exit codes:
        0  planned; or the same plan was there, or is being made
        1  failed; tasks that there are stay as they are
        2  the command line, the configuration or the requirement makes no sense
        3  planned, but less well than possible: by rule, without a model, or with one that failed
      130  interrupted
    ");
}
