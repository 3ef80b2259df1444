//! Starting this program again with a role to play.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// Which role a process plays, and where.
const ROLE: &str = "LUMINOS_TEST_ROLE";
const HOME: &str = "LUMINOS_TEST_HOME";

/// What the lines of a role begin with: the test runner prints to the same pipe.
const MARK: &str = "role: ";

/// Says something to whoever started this process.
pub(crate) fn say(words: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    // One write, so that a kill cannot leave half a line that looks like a whole one.
    out.write_all(format!("\n{MARK}{words}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// The program that plays a role, and its arguments.
#[expect(clippy::disallowed_methods, reason = "these tests are about processes")]
pub(crate) fn command(role: &str, home: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    prepare(&mut command, role, home);
    command.args(arguments());
    command
}

pub(crate) fn arguments() -> [&'static str; 4] {
    ["--exact", "role::plays_its_role", "--nocapture", "--test-threads=1"]
}

pub(crate) fn prepare(command: &mut Command, role: &str, home: &Path) {
    command
        .env(ROLE, role)
        .env(HOME, home)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
}

/// A process that plays a role. It is killed when it is dropped.
pub(crate) struct Player {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Player {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next thing it says; `None` when it has ended.
    pub(crate) fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.stdout.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(words) = line.strip_prefix(MARK).and_then(|line| line.strip_suffix('\n')) {
                return Some(words.to_owned());
            }
        }
    }

    pub(crate) fn tell(&mut self, words: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{words}").unwrap();
    }

    /// Kills it as no process can prevent, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Lets it play to the end.
    pub(crate) fn finish(mut self) -> (ExitStatus, Vec<String>) {
        drop(self.stdin.take());
        let said = std::iter::from_fn(|| self.hear()).collect();
        (self.child.wait().unwrap(), said)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hears what its starter tells; `None` when there is nothing more.
pub(crate) fn told() -> Option<String> {
    let mut line = String::new();
    (std::io::stdin().read_line(&mut line).unwrap() != 0).then(|| line.trim().to_owned())
}

/// Where processes that the other tests start begin. Nobody has given it a role otherwise, and then a wrong word must
/// not be taken for one.
#[test]
#[expect(clippy::disallowed_methods, reason = "the environment is how a process learns its role")]
fn plays_its_role() {
    let home = std::env::var_os(HOME).unwrap_or_default();
    let home = Path::new(&home);
    let role = std::env::var(ROLE).unwrap_or_default();
    match role.as_str() {
        "write" => crate::kill::write(home),
        "hold" => crate::locks::hold(home),
        "compete" => crate::locks::compete(home),
        "plan" => crate::locks::plan(home),
        "step" => crate::steps::step(home),
        "fill" => crate::full::fill(home),
        "wait" => crate::full::wait_for_space(home),
        "many" => crate::full::run_out_of_inodes(home),
        "read-only" => crate::full::find_it_read_only(home),
        "small-files" => crate::full::write_only_small_files(home),
        other => assert!(other.is_empty(), "there is no role `{other}`"),
    }
}
