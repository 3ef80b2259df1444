//! A repository with a history: a parser on `main`, and a branch `fast` that went its own way.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use luminos_model_server::{ModelServer, Script};
use serde_json::{Value, json};

use crate::machine::{Machine, Run, finish};
use crate::server::serve;
use crate::site::PATIENCE;

/// Commits are always the same: who, when, and nobody's own configuration.
const BEGIN: &str = "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=Ada \
    GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org \
    GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'; set -e; ";

/// The commits of `main` and, from its first one on, so many of `fast`.
pub(crate) fn history(fast: usize) -> Machine {
    let machine = Machine::new()
        .with_file("project/Cargo.toml", "[package]\nname = \"lantern\"\n")
        .with_file("project/src/parse.rs", "pub fn parse() {}\n")
        .with_file("project/src/print.rs", "pub fn print() {}\n")
        .with_file("project/tests/parse.rs", "#[test]\nfn it_parses() {}\n");
    git(&machine, "git init -q -b main . && git add -A && git commit -q -m 'Parse and print words'");
    git(&machine, "git branch fast");
    machine.write("project/src/print.rs", "pub fn print() {}\npub fn print_all() {}\n");
    git(&machine, "git commit -q -am 'Print all words at once'");
    git(
        &machine,
        &format!(
            "git checkout -q fast; for at in $(seq {fast}); do echo \"// $at\" >> src/parse.rs; \
             git commit -q -am \"Skip blanks faster, part $at\"; done; git checkout -q main"
        ),
    );
    machine
}

/// Runs a line of shell in the repository.
#[track_caller]
pub(crate) fn git(machine: &Machine, script: &str) -> String {
    let output = machine.shell(&format!("{BEGIN}{script}")).output().unwrap();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A machine with a history, and a model behind a socket.
pub(crate) struct Evolving {
    pub(crate) machine: Machine,
    pub(crate) server: ModelServer,
}

impl Evolving {
    pub(crate) fn new(machine: Machine, script: Script) -> Self {
        Self { machine, server: serve(script) }
    }

    /// The program with these arguments, and the addresses of the model.
    pub(crate) fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.machine.command(arguments);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.machine.home().join("bin").display()));
        command.env("OPENAI_BASE_URL", format!("{}/v1", self.server.url()));
        command.env("ANTHROPIC_BASE_URL", self.server.url()).env("ANTHROPIC_API_KEY", "key-of-a-test");
        command
    }

    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.machine.ended(finish(&mut self.command(arguments), PATIENCE))
    }

    /// `evolve plan` with a goal, and more words.
    #[track_caller]
    pub(crate) fn plan(&self, more: &[&str]) -> Run {
        self.run(&[&["evolve", "plan", "--goal", "Parse faster"], more].concat())
    }

    /// What the model was asked, as bodies.
    pub(crate) fn asked(&self) -> Vec<String> {
        let bodies = self.server.requests();
        bodies.iter().map(|received| String::from_utf8_lossy(&received.request.body).into_owned()).collect()
    }

    /// Documents that the evolution planner keeps on a shelf.
    pub(crate) fn kept(&self, shelf: &str) -> Vec<Value> {
        let dir = self.machine.state().join("evolve").join(shelf);
        let entries = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> = entries.collect();
        paths.sort();
        paths.iter().map(|path| json_of(path)).collect()
    }
}

/// A program in the `PATH` of an [`Evolving`], which has the options of the real codex and claude, and a directory of its
/// own that it may write to: `$HOME/.NAME`.
pub(crate) fn program(machine: &Machine, name: &str, script: &str) {
    let options = "--ephemeral --cd -c --safe-mode --tools --no-session-persistence";
    let help = format!("#!/bin/sh\ncase \"$*\" in *--help*) echo '{options}'; exit;; esac\n");
    machine.write(format!("bin/{name}"), script.replace("#!/bin/sh\n", &help));
    machine.write(format!(".{name}/made-by-a-test"), "");
    let path = machine.home().join("bin").join(name);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[track_caller]
pub(crate) fn json_of(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A plan as a model writes it.
pub(crate) fn model_plan() -> Value {
    let step = |id: &str, files: &[&str], after: &[&str]| {
        json!({
            "id": id, "title": format!("Step {id}"), "intent": "So that it is faster.", "actions": ["Change it."],
            "files": files, "dependencies": after, "validation": ["cargo test"], "risks": [], "references": [],
        })
    };
    json!({
        "plan_summary": "Skip blanks in one go.", "rationale": "The branch shows that it pays.",
        "focus_metrics": ["speed"], "guardrails": ["Tests pass."], "risks": ["Tabs."], "validation": ["cargo test"],
        "steps": [step("measure", &[], &[]), step("skip", &["src/parse.rs"], &["measure"]),
            step("compare", &[], &["skip"])],
        "handoff_notes": [], "fallback_plan": null,
    })
}
