//! The daemon, as a command sees it: somebody to call, and to start when nobody answers.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use luminos_core::config::Config;
use luminos_core::{Exit, Failure};
use luminos_engine::{Client, NoDaemon};
use luminos_wire::control::{DaemonStatus, Refused, Reply, Request};

use crate::session::for_terminal;

/// What this program is called among processes.
pub(crate) fn program() -> String {
    format!("luminosctl {}", env!("CARGO_PKG_VERSION"))
}

/// How long a daemon may take until it can be called, and how often it is tried.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);

/// What a daemon says that cannot begin; the reason follows. Its log may be where nothing can be written.
pub(crate) const FAILED: &str = "failed: ";

/// A line to the daemon, which is started if none answers.
pub(crate) fn connect_or_start(config: &Config) -> Result<Client, Failure> {
    if let Some(client) = connect(&config.home)? {
        return Ok(client);
    }
    start(config)?;
    // A daemon that somebody else has just started takes a moment to open its door.
    let patience = Instant::now() + PATIENCE;
    loop {
        match Client::connect(&config.home, &program()) {
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

/// Asks the daemon for something; what it refuses is a failure.
pub(crate) fn ask(client: &mut Client, request: &Request) -> Result<Reply, Failure> {
    match client.ask(request).map_err(|error| failure(&error))? {
        Reply::Refused(refused) => Err(refusal(refused)),
        reply @ (Reply::Started { .. } | Reply::Subscribed(_) | Reply::Status(_) | Reply::Done) => Ok(reply),
    }
}

/// What the daemon is doing, if one is there.
pub(crate) fn status(home: &Path) -> Result<Option<DaemonStatus>, Failure> {
    let Some(mut client) = connect(home)? else { return Ok(None) };
    match ask(&mut client, &Request::Status)? {
        Reply::Status(status) => Ok(Some(status)),
        Reply::Started { .. } | Reply::Subscribed(_) | Reply::Done | Reply::Refused(_) => Err(nonsense()),
    }
}

/// Where the daemon writes what it has to say.
pub(crate) fn log(home: &Path) -> PathBuf {
    home.join("run").join("daemon.log")
}

/// Why the daemon refused, as it says itself.
pub(crate) fn refusal(refused: Refused) -> Failure {
    let Refused { message, causes, hint, is_usage } = refused;
    Failure { message, causes, hint, exit: if is_usage { Exit::Usage } else { Exit::Failed } }
}

/// The daemon said something that cannot be.
pub(crate) fn nonsense() -> Failure {
    Failure {
        message: "the daemon answered something else than was asked".to_owned(),
        causes: Vec::new(),
        hint: Some("stop it with `luminosctl daemon stop`, then try again".to_owned()),
        exit: Exit::Failed,
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
fn start(config: &Config) -> Result<(), Failure> {
    let (program, arguments) = executable().map_err(|error| Failure::new(&error, None))?;
    let log = log(&config.home);
    let cannot = |error: &io::Error| {
        let program = for_terminal(&program);
        Failure::caused_by(format!("cannot start the daemon `{program}`"), error)
    };
    let errors = open_log(&log).map_err(|error| {
        Failure::caused_by(format!("cannot write the daemon's log `{}`", for_terminal(&log)), &error)
    })?;
    let mut child = spawn(&program, &arguments, config, errors).map_err(|error| cannot(&error))?;
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
    // It says why itself; should it have died, its log may know.
    let causes = match word.trim().strip_prefix(FAILED) {
        Some(why) => vec![why.trim().to_owned()],
        None => last_words(&log),
    };
    Err(Failure {
        message: "the daemon ended before it was ready".to_owned(),
        causes,
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

/// A daemon is large for a second and idle for hours: its allocator gives back within a few milliseconds what is free.
const FRUGAL: (&str, &str) = ("MIMALLOC_PURGE_DELAY", "5");

#[expect(clippy::disallowed_methods, reason = "this is the place where a command starts the daemon")]
fn spawn(
    program: &Path,
    arguments: &[OsString],
    config: &Config,
    errors: fs::File,
) -> io::Result<std::process::Child> {
    Command::new(program)
        .args(arguments)
        .arg("--home")
        .arg(&config.home)
        .args(["--idle", &config.daemon.idle.to_string()])
        .args(["--patience", &config.daemon.patience.duration().as_secs().to_string(), "--detach"])
        .env(FRUGAL.0, FRUGAL.1)
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
