//! Where programs run that read the target.
//!
//! A cage is built once for its roots and programs: rules, filter and the one thread that starts children, because a
//! child is told to die with the *thread* that started it. Dropping the cage ends that thread, and with it whatever
//! still runs.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

use landlock::RulesetError;
use rustix::fs::{Mode, OFlags};
use rustix::pipe::PipeFlags;
use seccompiler::BpfProgram;

use super::files::{self, Rules};
use super::start::{self, Launch};
use super::support::Support;
use super::syscalls::{self, Role};
use super::watch::{Limits, Outcome, Watched, watch};

/// All variables that a confined process has: times in UTC and text in UTF-8 on every machine, no home.
pub(super) const ENVIRONMENT: [(&str, &str); 4] =
    [("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC0")];

/// What programs in a cage may read and be.
#[derive(Debug, Clone, Copy)]
pub struct CageRules<'a> {
    /// Directories they may read.
    pub readable: &'a [BorrowedFd<'a>],
    /// Programs that may be started.
    pub executable: &'a [&'a Path],
}

/// Why a cage could not be built, or a program not be started in it.
#[derive(Debug, thiserror::Error)]
pub enum CannotStart {
    /// The machine has no sandbox.
    #[error("programs cannot be confined here: {}", .0.words().join("; "))]
    NoSandbox(Support),
    /// Landlock refuses.
    #[error("cannot prepare the file rules")]
    Landlock(#[from] RulesetError),
    /// The filter of system calls could not be made.
    #[error("cannot build the filter of system calls")]
    Filter(#[from] seccompiler::BackendError),
    /// A step failed.
    #[error("cannot {step}")]
    Step {
        /// What was about to be done.
        step: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// An argument that no program can be given.
    #[error("an argument contains a zero byte")]
    ZeroByte,
}

/// A program to be started.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The program's file.
    pub program: &'a Path,
    /// Its arguments; the first is its name.
    pub arguments: &'a [&'a OsStr],
    /// Where it runs.
    pub working_directory: BorrowedFd<'a>,
    /// How much it may use.
    pub limits: Limits,
}

/// Where programs run that read the target.
#[derive(Debug)]
pub struct Cage {
    jobs: Sender<Job>,
}

struct Job {
    program: CString,
    arguments: Vec<CString>,
    limits: Limits,
    working_directory: OwnedFd,
    standard: [OwnedFd; 3],
    started: SyncSender<Result<OwnedFd, CannotStart>>,
}

/// What every child gets alike.
struct Bars {
    ruleset: Option<OwnedFd>,
    filter: Option<BpfProgram>,
    environment: Vec<CString>,
}

impl Cage {
    /// Builds a cage. `support` is what [`super::confine_worker`] said, or [`super::probe`] in a process that is not
    /// confined.
    pub fn new(support: &Support, rules: &CageRules<'_>) -> Result<Self, CannotStart> {
        if !support.offers_commands() {
            return Err(CannotStart::NoSandbox(support.clone()));
        }
        Self::with_what_there_is(support, rules)
    }

    /// Builds a cage, perhaps without bars: for programs that are no other than this one and are sent bytes only.
    pub(super) fn with_what_there_is(support: &Support, rules: &CageRules<'_>) -> Result<Self, CannotStart> {
        let rules = Rules { readable: rules.readable, executable: rules.executable };
        let ruleset = if 3 <= support.landlock_abi { files::descriptor(support, &rules)? } else { None };
        let environment = ENVIRONMENT
            .iter()
            .map(|(name, value)| CString::new(format!("{name}={value}")))
            .collect::<Result<_, _>>()
            .map_err(|_| CannotStart::ZeroByte)?;
        let filter =
            support.seccomp.then(|| syscalls::filter(Role::Command, std::process::id())).transpose()?;
        let bars = Arc::new(Bars { ruleset, filter, environment });
        let (jobs, queue) = channel();
        thread::Builder::new()
            .name("starter".to_owned())
            .spawn(move || start_all(&queue, &bars))
            .map_err(|source| CannotStart::Step { step: "start a thread", source })?;
        Ok(Self { jobs })
    }

    /// Runs a program to its end, or to the end of its limits.
    pub fn run(&self, start: &Start<'_>) -> Result<Outcome, CannotStart> {
        let io = |step| move |error: rustix::io::Errno| CannotStart::Step { step, source: error.into() };
        let nothing = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
            .map_err(io("open /dev/null"))?;
        let (stdout, stdout_end) = output_pipe().map_err(io("make a pipe"))?;
        let (stderr, stderr_end) = output_pipe().map_err(io("make a pipe"))?;
        let began = Instant::now();
        let process = self.start(start, [nothing, stdout_end, stderr_end])?;
        watch(Watched::new(process), &stdout, &stderr, &start.limits, began)
            .map_err(|source| CannotStart::Step { step: "wait for the program", source })
    }

    /// Starts a program with these as its standard three, and returns its process.
    pub(super) fn start(&self, start: &Start<'_>, standard: [OwnedFd; 3]) -> Result<OwnedFd, CannotStart> {
        let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(|_| CannotStart::ZeroByte);
        let ended = || CannotStart::Step {
            step: "start a program",
            source: io::Error::other("the starting thread has ended"),
        };
        let copy = |fd: BorrowedFd<'_>| {
            // Above the standard three, which the child overwrites.
            rustix::io::fcntl_dupfd_cloexec(fd, 3)
                .map_err(|error| CannotStart::Step { step: "copy a descriptor", source: error.into() })
        };
        let (started, answer) = sync_channel(1);
        let [input, output, errors] = standard;
        let job = Job {
            program: text(start.program.as_os_str())?,
            arguments: start.arguments.iter().map(|argument| text(argument)).collect::<Result<_, _>>()?,
            limits: start.limits,
            working_directory: copy(start.working_directory)?,
            standard: [copy(input.as_fd())?, copy(output.as_fd())?, copy(errors.as_fd())?],
            started,
        };
        drop([input, output, errors]);
        self.jobs.send(job).map_err(|_| ended())?;
        answer.recv().map_err(|_| ended())?
    }
}

/// The life of the starting thread.
fn start_all(queue: &Receiver<Job>, bars: &Bars) {
    for job in queue {
        let Job { program, arguments, limits, working_directory, standard, started } = job;
        let [input, output, errors] = &standard;
        let launch = Launch {
            program,
            arguments,
            environment: bars.environment.clone(),
            working_directory: &working_directory,
            standard: [input, output, errors],
            ruleset: bars.ruleset.as_ref(),
            filter: bars.filter.as_ref(),
            limits: limits.for_kernel(),
        };
        let answer = start::start(&launch)
            .map(|child| child.process)
            .map_err(|(step, source)| CannotStart::Step { step, source });
        // Ours end here, so that the pipes end with the child.
        drop(launch);
        drop(standard);
        // Whoever asked may be gone; dropping the answer then would leave a child behind.
        if let Err(unheard) = started.send(answer)
            && let Ok(process) = unheard.0
        {
            drop(Watched::new(process));
        }
    }
}

/// A pipe whose reading end does not block.
fn output_pipe() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
    Ok((read, write))
}
