//! A process that parses what may have been made to hurt: bytes in, bytes out, and nothing else.
//!
//! It is the program itself, started again in another role behind the bars of a command, that then gives up even
//! files ([`serve_parser`]). A bomb costs it its life: the call becomes an error, and the next call starts another.
//!
//! A frame to it is two little-endian `u32` (length, seconds of processor time) and a request; a frame from it is a
//! `u32` (length), a byte that says how it went, and a reply.

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::iter;
use std::os::fd::{AsFd as _, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use rustix::process::{Resource, Rlimit};

use super::cage::{Cage, CageRules, CannotStart, Start};
use super::starter::Starter;
use super::support::{self, Support};
use super::syscalls::{self, Role};
use super::watch::{End, Limits, Watched};

/// How this program becomes a parser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParserRole {
    /// Its own file.
    pub program: PathBuf,
    /// Arguments that lead to [`serve_parser`].
    pub arguments: Vec<OsString>,
}

/// How much one call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParserLimits {
    /// Time on the clock.
    pub time: Duration,
    /// Time on a processor, in whole seconds.
    pub cpu_seconds: u32,
    /// Memory the process may map, in bytes; counts for all its calls together.
    pub address_space: u64,
    /// Longest request and longest reply, in bytes.
    pub frame: usize,
}

impl Default for ParserLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(15), cpu_seconds: 10, address_space: 1 << 30, frame: 64 << 20 }
    }
}

/// Why a call has no reply.
#[derive(Debug, thiserror::Error)]
pub enum ParserDied {
    /// It took too long.
    #[error("parsing was given up after {0:?}")]
    TimedOut(Duration),
    /// It was ended by the kernel: out of memory, out of stack, out of processor time.
    #[error("the parser was ended by signal {0}: {words}", words = signal_words(*.0))]
    Signalled(i32),
    /// It ended by itself.
    #[error("the parser ended with status {0}")]
    Exited(i32),
    /// It ran into a mistake of ours.
    #[error("the parser failed: {0}")]
    Panicked(String),
    /// More than may be asked or answered.
    #[error("{bytes} bytes are too many for the parser, which takes {most}")]
    TooLong {
        /// How many there are.
        bytes: usize,
        /// How many there may be.
        most: usize,
    },
    /// It could not be started.
    #[error("the parser could not be started")]
    CannotStart(#[from] CannotStart),
}

fn signal_words(signal: i32) -> &'static str {
    match signal {
        libc::SIGXCPU | libc::SIGKILL => "it used too much",
        libc::SIGSEGV | libc::SIGABRT | libc::SIGBUS => "it ran out of memory or stack, or crashed",
        libc::SIGSYS => "it tried what it must not",
        _ => "it crashed",
    }
}

/// A parser, started when it is first needed and again when it has died.
#[derive(Debug)]
pub struct ParserProcess {
    starter: Starter,
    bars: Arc<(Cage, ParserRole)>,
    limits: ParserLimits,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Watched,
    to: OwnedFd,
    from: OwnedFd,
}

const ANSWERED: u8 = 0;
const ANSWERED_AND_GONE: u8 = 1;
const PANICKED: u8 = 2;

impl ParserProcess {
    /// Prepares one; nothing is started yet. It is confined as well as this machine can, and limited on any.
    pub fn new(support: &Support, role: ParserRole, limits: ParserLimits) -> Result<Self, CannotStart> {
        let cage =
            Cage::with_what_there_is(support, &CageRules { readable: &[], executable: &[&role.program] })?;
        let bars = Arc::new((cage, role));
        Ok(Self { starter: Starter::new()?, bars, limits, running: Mutex::new(None) })
    }

    /// Asks for one reply. Calls wait for one another. A parser that somebody else has killed is no reason to go without
    /// an answer: another one is asked, once.
    pub fn call(&self, request: &[u8]) -> Result<Vec<u8>, ParserDied> {
        match self.call_once(request) {
            Err(ParserDied::Signalled(libc::SIGKILL)) => self.call_once(request),
            answered => answered,
        }
    }

    fn call_once(&self, request: &[u8]) -> Result<Vec<u8>, ParserDied> {
        if self.limits.frame < request.len() {
            return Err(ParserDied::TooLong { bytes: request.len(), most: self.limits.frame });
        }
        // A caller that panicked left no half call behind: what runs is taken out while it is used.
        let mut place = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = match place.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let deadline = Instant::now() + self.limits.time;
        match running.exchange(request, &self.limits, deadline) {
            Ok((ANSWERED, reply)) => {
                *place = Some(running);
                Ok(reply)
            }
            Ok((ANSWERED_AND_GONE, reply)) => Ok(reply),
            Ok((_, message)) => Err(ParserDied::Panicked(String::from_utf8_lossy(&message).into_owned())),
            Err(Broken::TooLong(bytes)) => Err(ParserDied::TooLong { bytes, most: self.limits.frame }),
            Err(Broken::Late) => Err(ParserDied::TimedOut(self.limits.time)),
            Err(Broken::Gone) => Err(match running.child.wait(deadline) {
                End::Signalled(signal) => ParserDied::Signalled(signal),
                End::Exited(status) => ParserDied::Exited(status),
                End::TimedOut | End::Flooded => ParserDied::TimedOut(self.limits.time),
            }),
        }
    }

    fn start(&self) -> Result<Running, CannotStart> {
        let io = |step| move |error: Errno| CannotStart::Step { step, source: error.into() };
        let (input, to) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(io("make a pipe"))?;
        let (from, output) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(io("make a pipe"))?;
        for ours in [&to, &from] {
            rustix::fs::fcntl_setfl(ours, OFlags::NONBLOCK).map_err(io("set up a pipe"))?;
        }
        // Nobody reads what a parser complains about: it may be the target's own words.
        let nowhere = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
            .map_err(io("open /dev/null"))?;
        let directory = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
            .map_err(io("open the root directory"))?;
        let limits = Limits {
            // Each call has its own, which the parser sets itself; the clock does not depend on it.
            cpu_seconds: libc::RLIM_INFINITY,
            address_space: self.limits.address_space,
            ..Limits::default()
        };
        let bars = Arc::clone(&self.bars);
        let child = self.starter.run(move || {
            let (cage, ParserRole { program, arguments }) = &*bars;
            let arguments: Vec<&OsStr> =
                iter::once(program.as_os_str()).chain(arguments.iter().map(OsString::as_os_str)).collect();
            let start =
                Start { program, arguments: &arguments, working_directory: directory.as_fd(), limits };
            cage.start(&start, [input, output, nowhere])
        })?;
        Ok(Running { child, to, from })
    }
}

/// Why an exchange did not come to its end.
enum Broken {
    Late,
    Gone,
    TooLong(usize),
}

impl Running {
    fn exchange(
        &mut self,
        request: &[u8],
        limits: &ParserLimits,
        deadline: Instant,
    ) -> Result<(u8, Vec<u8>), Broken> {
        let length = u32::try_from(request.len()).map_err(|_| Broken::TooLong(request.len()))?;
        self.send(&length.to_le_bytes(), deadline)?;
        self.send(&limits.cpu_seconds.to_le_bytes(), deadline)?;
        self.send(request, deadline)?;
        let mut head = [0; 5];
        self.receive(&mut head, deadline)?;
        let [a, b, c, d, how] = head;
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        if limits.frame < length {
            return Err(Broken::TooLong(length));
        }
        let mut reply = vec![0; length];
        self.receive(&mut reply, deadline)?;
        Ok((how, reply))
    }

    fn send(&self, mut bytes: &[u8], deadline: Instant) -> Result<(), Broken> {
        while !bytes.is_empty() {
            match rustix::io::write(&self.to, bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(Errno::AGAIN) => wait(&self.to, PollFlags::OUT, deadline)?,
                Err(Errno::INTR) => {}
                Err(_) => return Err(Broken::Gone),
            }
        }
        Ok(())
    }

    fn receive(&self, mut buffer: &mut [u8], deadline: Instant) -> Result<(), Broken> {
        while !buffer.is_empty() {
            match rustix::io::read(&self.from, &mut *buffer) {
                Ok(0) => return Err(Broken::Gone),
                Ok(count) => buffer = buffer.get_mut(count..).unwrap_or_default(),
                Err(Errno::AGAIN) => wait(&self.from, PollFlags::IN, deadline)?,
                Err(Errno::INTR) => {}
                Err(_) => return Err(Broken::Gone),
            }
        }
        Ok(())
    }
}

fn wait(pipe: &OwnedFd, event: PollFlags, deadline: Instant) -> Result<(), Broken> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Broken::Late);
    }
    match poll(&mut [PollFd::new(pipe, event)], Timespec::try_from(left).ok().as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(_) => Err(Broken::Gone),
    }
}

/// The life of a parser: gives up everything but computing, then answers requests until there are no more.
///
/// Must be called first thing in `main`, before there is another thread.
pub fn serve_parser(mut answer: impl FnMut(&[u8]) -> Vec<u8>) -> io::Result<()> {
    if support::has_seccomp() {
        let filter = syscalls::filter(Role::Parser, std::process::id()).map_err(io::Error::other)?;
        seccompiler::apply_filter(&filter).map_err(io::Error::other)?;
    }
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut head = [0; 8];
    while read_head(&mut input, &mut head)? {
        let [a, b, c, d, e, f, g, h] = head;
        let mut request = Vec::new();
        // As much as really comes, whatever is announced.
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        if input.by_ref().take(length).read_to_end(&mut request)? as u64 != length {
            return Ok(());
        }
        allow_cpu(u32::from_le_bytes([e, f, g, h]))?;
        let (how, reply) = match catch_unwind(AssertUnwindSafe(|| answer(&request))) {
            Ok(reply) if has_grown() => (ANSWERED_AND_GONE, reply),
            Ok(reply) => (ANSWERED, reply),
            Err(panic) => (PANICKED, panic_message(panic.as_ref()).into_bytes()),
        };
        let length = u32::try_from(reply.len()).map_err(io::Error::other)?;
        output.write_all(&length.to_le_bytes())?;
        output.write_all(&[how])?;
        output.write_all(&reply)?;
        output.flush()?;
        if how != ANSWERED {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads the beginning of a frame; `false` where there is none.
fn read_head(input: &mut impl io::Read, head: &mut [u8; 8]) -> io::Result<bool> {
    match input.read_exact(head) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Gives this call its own processor time, on top of what those before it used.
fn allow_cpu(seconds: u32) -> io::Result<()> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).tv_sec;
    let most = u64::try_from(used).unwrap_or(0) + 1 + u64::from(seconds);
    let maximum = rustix::process::getrlimit(Resource::Cpu).maximum;
    let most = maximum.map_or(most, |hard| hard.min(most));
    Ok(rustix::process::setrlimit(Resource::Cpu, Rlimit { current: Some(most), maximum })?)
}

/// Whether so much memory was mapped that the next call might not find enough: another process has it all again.
fn has_grown() -> bool {
    let limit = rustix::process::getrlimit(Resource::As).current.unwrap_or(u64::MAX);
    limit / 4 < most_memory_used()
}

#[expect(unsafe_code, reason = "no safe wrapper tells how much memory was used")]
fn most_memory_used() -> u64 {
    // SAFETY: all zeroes is such a structure, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    u64::try_from(usage.ru_maxrss).unwrap_or(0) << 10
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = || panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(owned).unwrap_or("it gave no reason").to_owned()
}
