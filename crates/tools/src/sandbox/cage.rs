//! Where programs run that read the target.
//!
//! A cage is built once for its roots and programs: the rules and the filter, ready to be put on. The thread that
//! starts a program waits for its end, which matters: a child is told to die with the *thread* that started it. What
//! is to live longer than a call is started by a thread that does, too (`starter`).

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
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
        Ok(Self { ruleset, filter, environment })
    }

    /// Runs a program to its end, or to the end of its limits.
    pub fn run(&self, start: &Start<'_>) -> Result<Outcome, CannotStart> {
        let io = |step| move |error: rustix::io::Errno| CannotStart::Step { step, source: error.into() };
        let nothing = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
            .map_err(io("open /dev/null"))?;
        let (stdout, stdout_end) = output_pipe().map_err(io("make a pipe"))?;
        let (stderr, stderr_end) = output_pipe().map_err(io("make a pipe"))?;
        let began = Instant::now();
        let child = self.start(start, [nothing, stdout_end, stderr_end])?;
        watch(child, &stdout, &stderr, &start.limits, began)
            .map_err(|source| CannotStart::Step { step: "wait for the program", source })
    }

    /// Starts a program with these as its standard three. It dies with the thread that calls this.
    pub(super) fn start(&self, start: &Start<'_>, standard: [OwnedFd; 3]) -> Result<Watched, CannotStart> {
        let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(|_| CannotStart::ZeroByte);
        // Above the standard three, which the child overwrites.
        let copy = |fd: OwnedFd| {
            rustix::io::fcntl_dupfd_cloexec(fd, 3)
                .map_err(|error| CannotStart::Step { step: "copy a descriptor", source: error.into() })
        };
        let [input, output, errors] = standard;
        let standard = [copy(input)?, copy(output)?, copy(errors)?];
        let launch = Launch {
            program: text(start.program.as_os_str())?,
            arguments: start.arguments.iter().map(|argument| text(argument)).collect::<Result<_, _>>()?,
            environment: &self.environment,
            working_directory: start.working_directory,
            standard: standard.each_ref().map(AsFd::as_fd),
            ruleset: self.ruleset.as_ref().map(AsFd::as_fd),
            filter: self.filter.as_ref(),
            limits: start.limits.for_kernel(),
        };
        // The ends that the child has are closed here with the launch, so that the pipes end when it does.
        start::start(&launch)
            .map(|child| Watched::new(child.process))
            .map_err(|(step, source)| CannotStart::Step { step, source })
    }
}

/// A pipe whose reading end does not block.
fn output_pipe() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
    Ok((read, write))
}
