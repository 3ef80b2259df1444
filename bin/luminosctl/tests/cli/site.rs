//! An investigation with everything that takes part in it: a machine, the programs on it, and a model behind a
//! socket. Nothing that was started here outlives it, whether the test comes to its end or not.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use luminos_model_server::{Counters, ModelServer, Received, Script, Settings};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::machine::{Machine, Run, finish};

/// Longer than anything here takes, on a machine that has much else to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How often somebody looks whether what nobody tells has come about.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// Through which interface the model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    Messages,
    Chat,
}

impl Api {
    pub(crate) fn model(self) -> &'static str {
        match self {
            Api::Messages => "anthropic/claude-haiku-5-5",
            Api::Chat => "openai/local-small",
        }
    }
}

pub(crate) struct Site {
    pub(crate) machine: Machine,
    pub(crate) server: ModelServer,
    program: PathBuf,
    api: Api,
    state: Option<PathBuf>,
    /// The words that make a process somebody else's.
    before: Vec<String>,
}

impl Site {
    /// A machine with a model that follows a script.
    pub(crate) fn new(machine: Machine, script: impl Into<Script>) -> Self {
        Self::through(Api::Messages, machine, script)
    }

    /// The same, through this interface.
    pub(crate) fn through(api: Api, machine: Machine, script: impl Into<Script>) -> Self {
        Self::served(Settings::default(), api, machine, script)
    }

    /// The same, from a server of this kind.
    pub(crate) fn served(settings: Settings, api: Api, machine: Machine, script: impl Into<Script>) -> Self {
        let server = ModelServer::start_on_thread(script, settings).unwrap();
        let program = machine.program();
        Self { machine, server, program, api, state: None, before: Vec::new() }
    }

    /// The same, with its state elsewhere.
    pub(crate) fn keeping_state_at(mut self, state: PathBuf) -> Self {
        self.see_state_at(state);
        self
    }

    /// From here on everything is done by another user, whom everything here belongs to. Only root can be somebody else.
    #[expect(clippy::disallowed_methods, reason = "a test sets its scene; nobody's data is at stake")]
    pub(crate) fn become_user(&mut self, user: u32) {
        // What was built belongs to somebody else, and stays so.
        let copy = self.program.with_extension("copy");
        fs::copy(&self.program, &copy).unwrap();
        fs::rename(copy, &self.program).unwrap();
        let give = self.machine.shell(&format!("chown -R {user}:{user} ../..")).status().unwrap();
        assert!(give.success());
        self.before = ["setpriv", &format!("--reuid={user}"), &format!("--regid={user}"), "--clear-groups"]
            .map(str::to_owned)
            .to_vec();
    }

    pub(crate) fn see_state_at(&mut self, state: PathBuf) {
        self.state = Some(state);
    }

    /// The file that all processes of this site are started from.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// The program, ready to run.
    #[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = match self.before.split_first() {
            None => Command::new(&self.program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(&self.program);
                command
            }
        };
        command.args(arguments.split_whitespace()).env_clear().env("HOME", self.machine.home());
        if !self.before.is_empty() {
            command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        }
        command.current_dir(self.machine.project());
        command.envs(self.state.iter().map(|state| ("LUMINOS_HOME", state)));
        match self.api {
            Api::Messages => {
                command.env("ANTHROPIC_BASE_URL", self.server.url()).env("ANTHROPIC_API_KEY", "key-of-a-test")
            }
            Api::Chat => command.env("OPENAI_BASE_URL", format!("{}/v1", self.server.url())),
        };
        command
    }

    /// `luminosctl run` with the model and these words, ready to run.
    pub(crate) fn run_command(&self, arguments: &str) -> Command {
        self.command(&format!("run --model {} {arguments}", self.api.model()))
    }

    /// Investigates the project.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &str) -> Run {
        self.machine.ended(finish(&mut self.run_command(arguments), PATIENCE))
    }

    /// Investigates the project, and takes it for granted that it works.
    #[track_caller]
    pub(crate) fn done(&self, arguments: &str) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "{run}\n{}", self.log());
        run
    }

    /// The same in the background.
    pub(crate) fn start(&self, arguments: &str) -> Child {
        let mut command = self.run_command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits for a run in the background.
    #[track_caller]
    pub(crate) fn wait(&self, child: Child) -> Run {
        let id = Pid::from_child(&child);
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::spawn(move || sender.send(child.wait_with_output()));
        match receiver.recv_timeout(PATIENCE) {
            Ok(output) => self.machine.ended(output.unwrap()),
            Err(_) => {
                let _ = kill_process(id, Signal::KILL);
                panic!("a run is still under way after {PATIENCE:?}\n{}", self.log());
            }
        }
    }

    /// What the daemon said.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.store().join("run/daemon.log")).unwrap_or_default()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.state.clone().unwrap_or_else(|| self.machine.state())
    }

    /// Where the only investigation is kept, or the newest.
    pub(crate) fn investigation(&self) -> PathBuf {
        self.investigations().pop().unwrap()
    }

    /// Where investigations are kept, oldest first: their names begin with the time.
    pub(crate) fn investigations(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.store()).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut found: Vec<_> = entries.filter(|path| path.join("meta.json").is_file()).collect();
        found.sort();
        found
    }

    /// A document of the investigation.
    #[track_caller]
    pub(crate) fn document(&self, name: &str) -> Value {
        read_json(&self.investigation().join(name))
    }

    /// The report for programs.
    #[track_caller]
    pub(crate) fn report(&self) -> Value {
        let shown = self.machine.ended(finish(&mut self.command("show --json"), PATIENCE));
        serde_json::from_str(&shown.stdout).unwrap_or_else(|_| panic!("{shown}"))
    }

    /// The row of a directory in the evaluation.
    #[track_caller]
    pub(crate) fn evaluated(&self, dir: &str) -> Value {
        let evaluation = self.document("plan_evaluation.json");
        let rows = evaluation["per_directory"].as_array().unwrap();
        rows.iter()
            .find(|row| row["dir"] == dir)
            .unwrap_or_else(|| panic!("no {dir} in {evaluation}"))
            .clone()
    }

    /// The entry of a directory.
    #[track_caller]
    pub(crate) fn entry(&self, dir: &str) -> Value {
        let entries = self.entries("dirs");
        entries.into_iter().find(|entry| entry["relative_path"] == dir).unwrap()
    }

    /// All entries of a kind.
    pub(crate) fn entries(&self, kind: &str) -> Vec<Value> {
        let entries = fs::read_dir(self.investigation().join(kind)).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| !is_replaced(path));
        paths.map(|path| read_json(&path)).collect()
    }

    /// What the model was asked, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.server.requests().iter().filter_map(Asked::of).collect()
    }

    /// The directories that the model was asked about, each turn once, sorted.
    pub(crate) fn dir_turns(&self) -> Vec<(String, usize)> {
        let dirs = self.asked().into_iter().filter(|asked| asked.pass == "dir");
        let mut turns: Vec<_> = dirs.map(|asked| (asked.dir, asked.turn)).collect();
        turns.sort();
        turns
    }

    /// Waits until the server has seen what is wanted.
    #[track_caller]
    pub(crate) fn until(&self, wanted: impl FnMut(&Counters) -> bool) -> Counters {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let seen =
            runtime.block_on(async { tokio::time::timeout(PATIENCE, self.server.until(wanted)).await });
        seen.unwrap_or_else(|_| panic!("{:?}\n{}", self.server.counters(), self.log()))
    }

    /// Waits until the model was asked about these directories, in this turn.
    #[track_caller]
    pub(crate) fn until_asked(&self, wanted: &[(&str, usize)]) {
        self.until(|_| {
            let seen = self.dir_turns();
            wanted.iter().all(|(dir, turn)| seen.iter().any(|(known, at)| known == dir && at == turn))
        });
    }

    /// The processes of this site whose command line has this word in it.
    pub(crate) fn processes(&self, word: &str) -> Vec<Pid> {
        let entries = fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
        let own = entries.filter(|path| {
            // A file that was replaced while it runs has a word added to its name.
            fs::read_link(path.join("exe")).is_ok_and(|program| program == self.program)
        });
        let said = own.filter(|path| {
            let line = fs::read(path.join("cmdline")).unwrap_or_default();
            line.split(|byte| *byte == 0).any(|part| part == word.as_bytes())
        });
        said.filter_map(|path| Pid::from_raw(path.file_name()?.to_str()?.parse().ok()?)).collect()
    }

    /// Kills these processes at once, and waits until they are gone.
    pub(crate) fn kill(&self, processes: &[Pid]) {
        for process in processes {
            let _ = kill_process(*process, Signal::KILL);
        }
        // Workers end by themselves when their daemon is gone.
        let is_alive = |process: &Pid| {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
        };
        until(|| !processes.iter().any(is_alive));
    }

    /// Kills the daemon, and waits until nothing of it is left.
    pub(crate) fn kill_daemon(&self) {
        self.kill(&self.processes("serve"));
        until(|| self.processes("worker").is_empty());
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for word in ["run", "replay", "watch", "serve", "worker"] {
            self.kill(&self.processes(word));
        }
    }
}

/// Whether a file is what another one was before: the daemon removes such files when it has time, at any moment.
pub(crate) fn is_replaced(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tmp-"))
}

/// What is in a file; nothing if it was one of those and is gone by now.
#[track_caller]
pub(crate) fn read_unless_replaced(path: &Path) -> Option<Vec<u8>> {
    match fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound && is_replaced(path) => None,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// Looks until it is so: for what nobody tells.
#[track_caller]
pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "it is not so after {PATIENCE:?}");
        thread::park_timeout(LOOK_AGAIN);
    }
}

/// A question to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) pass: &'static str,
    /// What a loop is about; empty for other passes.
    pub(crate) dir: String,
    pub(crate) turn: usize,
    /// Tools and system prompt.
    pub(crate) prefix: String,
    pub(crate) body: String,
}

impl Asked {
    fn of(received: &Received) -> Option<Self> {
        let body = received.request.json();
        let messages = body.get("messages")?.as_array()?;
        let is_system = |message: &&Value| message["role"] == "system";
        let system = match body.get("system") {
            Some(system) => system.to_string(),
            None => messages.iter().filter(is_system).map(ToString::to_string).collect(),
        };
        let tools = body["tools"].to_string();
        let offers = |name: &str| tools.contains(&format!("\"name\":\"{name}\""));
        let passes = [
            ("submit_survey", "survey"),
            ("submit_plan", "plan"),
            ("revise_plan", "revision"),
            ("submit_grouping", "grouping"),
            ("submit_verdict", "judge"),
            ("read_file", "dir"),
            ("submit_report", "synthesis"),
        ];
        let pass = passes.iter().find(|(tool, _)| offers(tool)).map_or("other", |(_, pass)| pass);
        let first = messages.iter().find(|message| message["role"] == "user")?["content"].to_string();
        let dir = match pass {
            "dir" => {
                first.split("directory: ").nth(1)?.split("\\n").next()?.trim_end_matches('\\').to_owned()
            }
            _ => String::new(),
        };
        let turn = messages.iter().filter(|message| message["role"] == "assistant").count() + 1;
        Some(Self { pass, dir, turn, prefix: format!("{tools}\n{system}"), body: body.to_string() })
    }
}

#[track_caller]
fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// A small project: five directories, a few files each.
pub(crate) fn project() -> Machine {
    Machine::new()
        .with_file("project/README.md", "# Lantern\n\nIt reads words and says what they are.\n")
        .with_file("project/Cargo.toml", "[package]\nname = \"lantern\"\n")
        .with_file("project/src/main.rs", "mod parser;\n\nfn main() {\n    parser::run();\n}\n")
        .with_file("project/src/parser/mod.rs", "// TODO: numbers\npub fn run() {}\n")
        .with_file("project/src/parser/words.rs", "pub struct Word(String);\n")
        .with_file("project/docs/guide.md", "# Guide\n\nBegin with the parser.\n")
        .with_file("project/tests/all.rs", "#[test]\nfn it_runs() {}\n")
}
