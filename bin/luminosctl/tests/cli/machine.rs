//! A machine of its own for each test: a temporary home directory with a project in it, and an environment
//! in which nothing is set but what the test sets.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

pub(crate) struct Machine {
    _dir: TempDir,
    root: PathBuf,
}

impl Machine {
    /// `~/project` is the current directory and the root of a git repository.
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().unwrap();
        // Temporary directories can lie behind a symbolic link; the program prints real paths.
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("home/project/.git")).unwrap();
        Self { _dir: dir, root }
    }

    /// The program, in a place of its own: where it was built, a `luminosd` of another day may lie beside it and would be
    /// started. Here nothing does, and the program is its own daemon. By this name all its processes are known, too.
    pub(crate) fn program(&self) -> PathBuf {
        let program = self.root.join("luminosctl");
        if !program.exists() {
            let built = Path::new(env!("CARGO_BIN_EXE_luminosctl"));
            if fs::hard_link(built, &program).is_err() {
                fs::copy(built, &program).unwrap();
            }
        }
        program
    }

    /// Where the program keeps what it learns, unless a test says otherwise.
    pub(crate) fn state(&self) -> PathBuf {
        self.home().join(".local/state/luminos")
    }

    /// Writes a file; the path starts at the home directory.
    pub(crate) fn with_file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.write(path, content);
        self
    }

    /// The same, on a machine that is in use.
    #[expect(clippy::disallowed_methods, reason = "a test sets its scene; nobody's data is at stake")]
    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The current directory of the program.
    pub(crate) fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// The program, ready to run.
    #[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program());
        command.args(arguments).env_clear().env("HOME", self.home()).current_dir(self.project());
        command
    }

    /// A line of shell, in which `$CTL` is the program.
    #[expect(clippy::disallowed_methods, reason = "a test needs a shell to set limits and mounts")]
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).env_clear().current_dir(self.project());
        command.env("HOME", self.home()).env("CTL", self.program());
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command
    }

    /// The program, run by somebody who may not read everything: as it is for anybody but root, who has
    /// to become another user and to give that user the machine.
    #[expect(clippy::disallowed_methods, reason = "a test sets its scene; nobody's data is at stake")]
    pub(crate) fn unprivileged(&self, arguments: &str) -> Command {
        if !rustix::process::geteuid().is_root() {
            return self.command(&arguments.split_whitespace().collect::<Vec<_>>());
        }
        // Where the program was built, that user may not be able to go; and what was built belongs to somebody else.
        let copy = self.root.join("copy");
        fs::copy(self.program(), &copy).unwrap();
        fs::rename(copy, self.program()).unwrap();
        assert!(self.shell("chown -R 65534:65534 ../..").status().unwrap().success());
        let become_another = "setpriv --reuid=65534 --regid=65534 --clear-groups";
        self.shell(&format!("exec {become_another} ../../luminosctl {arguments}"))
    }

    /// Runs the program with these words as arguments.
    pub(crate) fn run(&self, arguments: &str) -> Run {
        self.run_with(&[], arguments)
    }

    /// Runs the program with these environment variables, and these words as arguments.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], arguments: &str) -> Run {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let mut command = self.command(&arguments);
        self.ended(command.envs(variables.iter().copied()).output().unwrap())
    }

    /// What came out, with the machine's place in the real file system blanked.
    pub(crate) fn ended(&self, output: Output) -> Run {
        let text =
            |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(path_text(&self.root), "[ROOT]");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A daemon that a test has started does not outlive it, however the test ends.
impl Drop for Machine {
    fn drop(&mut self) {
        if self.state().join("run").exists() {
            let _ = self.command(&["daemon", "stop"]).output();
        }
    }
}

/// Runs a command to its end, without waiting for it longer than anybody would.
#[track_caller]
pub(crate) fn finish(command: &mut Command, deadline: Duration) -> Output {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(deadline).map(Result::unwrap).unwrap_or_else(|_| {
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_raw(id.parse().unwrap()).unwrap(),
            rustix::process::Signal::KILL,
        );
        panic!("{command:?} is still running after {deadline:?}")
    })
}

fn path_text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What a run of the program left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// For snapshots. Spaces at the ends of lines, which the help has, are dropped.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "exit code: {}", self.code.map_or("none".to_owned(), |code| code.to_string()))?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "---- {name}")?;
                text.lines().try_for_each(|line| writeln!(f, "{}", line.trim_end()))?;
            }
        }
        Ok(())
    }
}
