//! The daemon, as a command sees it: somebody to call, and to start when nobody answers.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use luminos_core::{Exit, Failure};
use luminos_engine::{Client, NoDaemon};

use crate::session::for_terminal;

/// What this program is called among processes.
pub(crate) fn program() -> String {
    format!("luminosctl {}", env!("CARGO_PKG_VERSION"))
}

/// How long a daemon that was started by a command stays when there is nothing to do.
const IDLE_SECONDS: &str = "300";
/// How long a daemon may take until it can be called, and how often it is tried.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);

/// A line to the daemon, which is started if none answers.
pub(crate) fn connect_or_start(home: &Path) -> Result<Client, Failure> {
    match Client::connect(home, &program()) {
        Ok(client) => return Ok(client),
        Err(NoDaemon::Silent(_)) => {}
        Err(error) => return Err(failure(&error)),
    }
    start(home)?;
    // A daemon that somebody else has just started takes a moment to open its door.
    let patience = Instant::now() + PATIENCE;
    loop {
        match Client::connect(home, &program()) {
            Ok(client) => return Ok(client),
            Err(NoDaemon::Silent(_)) if Instant::now() < patience => thread::sleep(PAUSE),
            Err(error) => return Err(failure(&error)),
        }
    }
}

/// A line to the daemon, if one is there.
pub(crate) fn connect(home: &Path) -> Result<Option<Client>, Failure> {
    match Client::connect(home, &program()) {
        Ok(client) => Ok(Some(client)),
        Err(NoDaemon::Silent(_)) => Ok(None),
        Err(error) => Err(failure(&error)),
    }
}

/// Why the daemon cannot be spoken to, with a way out.
pub(crate) fn failure(error: &NoDaemon) -> Failure {
    let hint = match error {
        NoDaemon::OtherVersion { .. } => "stop it with its own `luminosctl daemon stop`, then try again",
        NoDaemon::Foreign => "choose a state directory of your own with LUMINOS_HOME",
        NoDaemon::Silent(_) | NoDaemon::Gone(_) => {
            "what was done is kept; run the command again, or look into `run/daemon.log` in the state directory"
        }
    };
    Failure::new(error, Some(hint))
}

/// Starts a daemon that outlives this command, and waits until it can be called.
pub(crate) fn start(home: &Path) -> Result<(), Failure> {
    let (program, arguments) = executable().map_err(|error| Failure::new(&error, None))?;
    let log = home.join("run").join("daemon.log");
    let cannot = |error: &io::Error| {
        let program = for_terminal(&program);
        Failure::caused_by(format!("cannot start the daemon `{program}`"), error)
    };
    let errors = open_log(&log).map_err(|error| {
        Failure::caused_by(format!("cannot write the daemon's log `{}`", for_terminal(&log)), &error)
    })?;
    let mut child = spawn(&program, &arguments, home, errors).map_err(|error| cannot(&error))?;
    let mut word = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut word).map_err(|error| cannot(&error))?;
    }
    if word.trim() == "ready" {
        return Ok(());
    }
    let status = child.wait().map_err(|error| cannot(&error))?;
    // Another command was faster: its daemon is as good.
    if word.trim() == "busy" || status.code() == Some(75) {
        return Ok(());
    }
    Err(Failure {
        message: "the daemon ended before it was ready".to_owned(),
        causes: last_words(&log),
        hint: Some(format!("its log is `{}`", for_terminal(&log))),
        exit: Exit::Failed,
    })
}

/// `luminosd` beside this program, or this program itself in the daemon's role.
fn executable() -> io::Result<(PathBuf, Vec<OsString>)> {
    let own = env::current_exe()?;
    let beside = own.with_file_name("luminosd");
    if beside.is_file() { Ok((beside, Vec::new())) } else { Ok((own, vec!["daemon".into(), "serve".into()])) }
}

fn open_log(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
    if let Some(dir) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

#[expect(clippy::disallowed_methods, reason = "this is the place where a command starts the daemon")]
fn spawn(
    program: &Path,
    arguments: &[OsString],
    home: &Path,
    errors: fs::File,
) -> io::Result<std::process::Child> {
    Command::new(program)
        .args(arguments)
        .arg("--home")
        .arg(home)
        .args(["--idle", IDLE_SECONDS, "--detach"])
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::from(errors))
        .spawn()
}

/// What the daemon said last.
fn last_words(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<String> = text.lines().rev().take(3).map(str::to_owned).collect();
    lines.into_iter().rev().collect()
}
