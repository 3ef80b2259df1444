//! The box around a program that is used as a model.
//!
//! Such a program has tools of its own, and what it is asked comes from the target: whoever wrote the target may come to
//! steer it. So it is taken for the attacker's own. It reads itself, the system's programs, libraries and certificates;
//! it reads and writes its own configuration and a private directory; it reaches the network, which is what it is there
//! for; and it reaches no socket of this machine, no process outside, no other file.
//!
//! Three processes: whoever asks starts a **keeper** (this program in another role), which starts the program, confined.
//! Where the system has process namespaces to spare there is a first process of the namespace between them, with whose
//! end the kernel ends everything in it. Elsewhere the keeper adopts whatever the program leaves behind, and ends that.
//! The keeper's standard input is a lifeline: it carries the prompt, and when it closes, everything ends.
//!
//! **Known limits**: names can be asked about, as everywhere in this sandbox. Without process namespaces, and only
//! there, a keeper that is killed cannot end what the program moved into other sessions.
#![expect(unsafe_code, reason = "fork, in a process with one thread")]

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;

use landlock::RulesetError;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, pidfd_open,
    wait, waitid,
};
use rustix::thread::CapabilitySet;

use super::files::{self, ProgramRules};
use super::support::{self, Support};
use super::syscalls::{self, Role};
use super::{namespaces, worker};

/// Longest prompt there may be.
const MOST_PROMPT_BYTES: u64 = 256 << 20;
/// Status of a process that could not become the program.
const CANNOT_START: i32 = 126;

/// A program to be run in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxedProgram {
    /// Its file, and its name.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub working_directory: PathBuf,
    /// Files and directories that it may read and execute, besides the system's.
    pub readable: Vec<PathBuf>,
    /// Files and directories that it may read and write.
    pub writable: Vec<PathBuf>,
    /// Whether it is confined. If not, its processes are ended with it all the same.
    pub walls: Walls,
}

/// Whether a program has walls around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// It is confined, or does not run.
    Standing,
    /// The user wants none.
    None,
}

/// Why a program could not be run.
#[derive(Debug, thiserror::Error)]
pub enum CannotBox {
    /// The machine has no sandbox.
    #[error("programs cannot be confined here")]
    NoSandbox,
    /// The prompt did not come whole.
    #[error("the prompt did not arrive")]
    Prompt(#[source] io::Error),
    /// Landlock refuses.
    #[error("cannot restrict file access, though this kernel has Landlock")]
    Landlock(#[from] RulesetError),
    /// The filter of system calls could not be made.
    #[error("cannot build the filter of system calls")]
    Filter(#[from] seccompiler::BackendError),
    /// The filter of system calls was refused.
    #[error("cannot filter system calls, though this kernel can")]
    Seccomp(#[from] seccompiler::Error),
    /// A step failed.
    #[error("cannot {step}")]
    Step {
        /// What was about to be done.
        step: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

fn step<E: Into<io::Error>>(step: &'static str) -> impl Fn(E) -> CannotBox {
    move |source| CannotBox::Step { step, source: source.into() }
}

/// What this machine has for boxes: namespaces are not asked for, since a box is whole without them.
pub fn box_support() -> Support {
    Support::judge(support::landlock_abi(), support::has_seccomp(), Ok(()))
}

/// Runs a program in a box to its end, or until standard input closes, and returns its exit status. This process must
/// have one thread. Its standard input holds the length of the prompt (eight bytes, little-endian) and the prompt.
pub fn run_boxed(boxed: &BoxedProgram) -> Result<i32, CannotBox> {
    if boxed.walls == Walls::Standing && !box_support().offers_commands() {
        return Err(CannotBox::NoSandbox);
    }
    worker::close_others(Vec::new()).map_err(step("close inherited files"))?;
    let prompt = read_prompt().map_err(CannotBox::Prompt)?;
    let (prompt_end, write_end) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(step("make a pipe"))?;
    rustix::fs::fcntl_setfl(&write_end, rustix::fs::OFlags::NONBLOCK).map_err(step("make a pipe"))?;
    match namespaces::enter_for_children() {
        Ok(()) => {
            let Some(first) = fork()? else {
                drop(write_end);
                exit(be_first(boxed, prompt_end))
            };
            drop(prompt_end);
            let status = keep(&first, write_end, &prompt)?;
            // With it everything in its namespace ends, whichever of them ended it.
            first.kill();
            Ok(status.unwrap_or_else(|| first.wait()))
        }
        Err(_) => {
            rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
                .map_err(step("adopt what the program leaves behind"))?;
            let Some(program) = fork()? else {
                drop(write_end);
                exit(become_program(boxed, prompt_end).map(|never| match never {}))
            };
            drop(prompt_end);
            let status = keep(&program, write_end, &prompt)?;
            end_children(&program);
            Ok(status.unwrap_or(128 + Signal::KILL.as_raw()))
        }
    }
}

fn read_prompt() -> io::Result<Vec<u8>> {
    let mut input = io::stdin().lock();
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if MOST_PROMPT_BYTES < length {
        return Err(io::Error::other("it is too long"));
    }
    let mut prompt = Vec::new();
    input.take(length).read_to_end(&mut prompt)?;
    if (prompt.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(prompt)
}

/// A child of this process.
struct Child {
    pid: Pid,
    process: OwnedFd,
}

impl Child {
    fn kill(&self) {
        // It may have ended, which is as good.
        let _ = rustix::process::pidfd_send_signal(&self.process, Signal::KILL);
    }

    /// Waits for its end.
    fn wait(&self) -> i32 {
        loop {
            match waitid(WaitId::PidFd(self.process.as_fd()), WaitIdOptions::EXITED) {
                Ok(Some(status)) => return status_of(&status),
                Err(Errno::INTR) => {}
                Ok(None) | Err(_) => return CANNOT_START,
            }
        }
    }
}

/// As a shell would say it.
fn status_of(status: &WaitIdStatus) -> i32 {
    status
        .exit_status()
        .or_else(|| status.terminating_signal().map(|signal| 128 + signal))
        .unwrap_or(CANNOT_START)
}

/// The child, or `None` in the child.
fn fork() -> Result<Option<Child>, CannotBox> {
    // SAFETY: this process has one thread (the role is played before anything starts another), so that the child finds
    // every lock open and all memory in order.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(step("start a process")(io::Error::last_os_error()));
    }
    let Some(pid) = Pid::from_raw(pid) else { return Ok(None) };
    let process = pidfd_open(pid, PidfdFlags::empty()).map_err(step("watch a process"))?;
    Ok(Some(Child { pid, process }))
}

/// Ends this process, which is a child of `fork`, and says on its errors why it could not be what it should.
fn exit(result: Result<i32, CannotBox>) -> ! {
    let status = match result {
        Ok(status) => status,
        Err(error) => {
            let _ = io::stderr().write_all(explain(&error).as_bytes());
            CANNOT_START
        }
    };
    // SAFETY: ends the process; nothing that was registered for an exit belongs to this child.
    unsafe { libc::_exit(status) }
}

fn explain(error: &CannotBox) -> String {
    let mut words = format!("luminos: {error}");
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        words.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    words.push('\n');
    words
}

/// Hands the prompt on and waits for a child's end. `None` if the lifeline broke before: then it has not ended.
fn keep(child: &Child, prompt_pipe: OwnedFd, prompt: &[u8]) -> Result<Option<i32>, CannotBox> {
    let lifeline = io::stdin();
    let lifeline = lifeline.as_fd();
    let (mut pipe, mut rest) = (Some(prompt_pipe), prompt);
    loop {
        if rest.is_empty() {
            pipe = None;
        }
        let mut fds = vec![PollFd::new(&child.process, PollFlags::IN), PollFd::new(&lifeline, PollFlags::IN)];
        fds.extend(pipe.iter().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        match poll(&mut fds, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(step("wait for the program")(error)),
        }
        let news: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        if news[0] {
            return Ok(Some(child.wait()));
        }
        // Nobody writes anything more to it, so any news is its end.
        if news[1] {
            return Ok(None);
        }
        if news.get(2) == Some(&true)
            && let Some(open) = &pipe
        {
            match rustix::io::write(open, rest) {
                Ok(count) => rest = &rest[count..],
                Err(Errno::AGAIN | Errno::INTR) => {}
                // It need not read all it is asked.
                Err(_) => pipe = None,
            }
        }
    }
}

/// The first process of a namespace: starts the program, buries whoever ends, and ends with the program.
fn be_first(boxed: &BoxedProgram, prompt_end: OwnedFd) -> Result<i32, CannotBox> {
    die_with_parent()?;
    let Some(program) = fork()? else { become_program(boxed, prompt_end).map(|never| match never {})? };
    drop(prompt_end);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program.pid => {
                return Ok(status
                    .exit_status()
                    .or_else(|| status.terminating_signal().map(|signal| 128 + signal))
                    .unwrap_or(CANNOT_START));
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(step("wait for the program")(error)),
        }
    }
}

fn die_with_parent() -> Result<(), CannotBox> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(step("ask to end with the parent process"))?;
    // The lifeline of a parent that died before that is broken.
    let stdin = io::stdin();
    let stdin = stdin.as_fd();
    let mut lifeline = [PollFd::new(&stdin, PollFlags::IN)];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    match poll(&mut lifeline, Some(&now)) {
        Ok(0) => Ok(()),
        Ok(_) | Err(_) => Err(step("start")(io::Error::other("whoever asked has gone"))),
    }
}

/// Ends everything that descends from this process: children, and whoever is adopted when those end.
fn end_children(program: &Child) {
    program.kill();
    loop {
        for child in own_children() {
            let _ = rustix::process::kill_process(child, Signal::KILL);
        }
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

fn own_children() -> Vec<Pid> {
    let own = rustix::process::getpid().as_raw_nonzero().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_own = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // After the name, which may hold anything: the state, then the parent.
        stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)) == Some(own.as_str())
    };
    pids.filter(is_own).filter_map(Pid::from_raw).collect()
}

/// Puts the walls up around this process and makes it the program.
fn become_program(boxed: &BoxedProgram, prompt_end: OwnedFd) -> Result<Infallible, CannotBox> {
    die_with_parent()?;
    rustix::process::setsid().map_err(step("begin a session"))?;
    // SAFETY: standard input is nobody's here; what was there before, the lifeline, is the keeper's alone.
    if unsafe { libc::dup2(prompt_end.as_raw_fd(), 0) } < 0 {
        return Err(step("connect its input")(io::Error::last_os_error()));
    }
    drop(prompt_end);
    std::env::set_current_dir(&boxed.working_directory).map_err(step("enter its directory"))?;
    no_core_dumps().map_err(step("rule out core dumps"))?;
    rustix::thread::set_no_new_privs(true).map_err(step("rule out new privileges"))?;
    if boxed.walls == Walls::Standing {
        drop_capabilities().map_err(step("drop capabilities"))?;
        let rules = ProgramRules { readable: &boxed.readable, writable: &boxed.writable };
        files::program_ruleset(box_support().landlock_abi, &rules)?.restrict_self()?;
        seccompiler::apply_filter(&syscalls::filter(Role::Program, std::process::id())?)?;
    }
    let error = program_command(boxed).exec();
    Err(step("execute the program")(error))
}

#[expect(clippy::disallowed_methods, reason = "this process becomes the program, behind its walls")]
fn program_command(boxed: &BoxedProgram) -> std::process::Command {
    let mut command = std::process::Command::new(&boxed.program);
    command.args(&boxed.arguments);
    command
}

fn drop_capabilities() -> rustix::io::Result<()> {
    let _ = rustix::thread::clear_ambient_capability_set();
    let mut sets = rustix::thread::capabilities(None)?;
    sets.permitted = CapabilitySet::empty();
    sets.effective = CapabilitySet::empty();
    sets.inheritable = CapabilitySet::empty();
    rustix::thread::set_capabilities(None, sets)
}

fn no_core_dumps() -> rustix::io::Result<()> {
    rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })
}
