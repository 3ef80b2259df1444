//! Watching a child until it ends: what it says, for how long, and how much of it.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Resource, Signal, WaitId, WaitIdOptions, WaitIdStatus, getrlimit, pidfd_send_signal, waitid,
};

/// How much a program may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time on the clock.
    pub time: Duration,
    /// Time on a processor, in whole seconds.
    pub cpu_seconds: u64,
    /// Memory it may map, in bytes.
    pub address_space: u64,
    /// Files it may have open.
    pub open_files: u64,
    /// What it may say, output and errors together, in bytes.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(15),
            cpu_seconds: 10,
            address_space: 1 << 30,
            open_files: 128,
            output: 64 << 10,
        }
    }
}

impl Limits {
    /// As the kernel takes them, and no higher than they are: a limit cannot be raised. Files it may write have no
    /// size: there are none.
    pub(super) fn for_kernel(&self) -> Vec<(u32, u64)> {
        let wanted = [
            (libc::RLIMIT_CPU, Resource::Cpu, self.cpu_seconds),
            (libc::RLIMIT_AS, Resource::As, self.address_space),
            (libc::RLIMIT_NOFILE, Resource::Nofile, self.open_files),
            (libc::RLIMIT_FSIZE, Resource::Fsize, 0),
            (libc::RLIMIT_CORE, Resource::Core, 0),
        ];
        let possible = |resource, most: u64| getrlimit(resource).maximum.map_or(most, |hard| hard.min(most));
        wanted.into_iter().map(|(number, resource, most)| (number, possible(resource, most))).collect()
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal, which was not ours.
    Signalled(i32),
    /// It was ended because its time was up.
    TimedOut,
    /// It was ended because it had said enough.
    Flooded,
}

/// What a program said and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Its output, at most as much as was allowed.
    pub stdout: Vec<u8>,
    /// Its errors, likewise.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub end: End,
    /// How long it ran.
    pub took: Duration,
}

impl Outcome {
    /// Whether it said more than was kept.
    pub fn truncated(&self) -> bool {
        self.end == End::Flooded
    }
}

/// A child that is ended and buried whatever happens to whoever watches it.
#[derive(Debug)]
pub(super) struct Watched {
    process: OwnedFd,
    ended: bool,
}

impl Watched {
    pub(super) fn new(process: OwnedFd) -> Self {
        Self { process, ended: false }
    }

    pub(super) fn process(&self) -> &OwnedFd {
        &self.process
    }

    /// Waits until it has ended and says how it did; whoever is late is ended.
    pub(super) fn wait(&mut self, deadline: Instant) -> End {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut news = [PollFd::new(&self.process, PollFlags::IN)];
            match poll(&mut news, Timespec::try_from(left).ok().as_ref()) {
                Err(Errno::INTR) => {}
                Ok(0) | Err(_) => {
                    self.end();
                    return End::TimedOut;
                }
                Ok(_) => {
                    self.ended = true;
                    return reap(&self.process);
                }
            }
        }
    }

    /// Ends it, if it has not ended, and says how it did.
    ///
    /// One process is the whole group: it cannot fork.
    pub(super) fn end(&mut self) -> End {
        let _ = pidfd_send_signal(&self.process, Signal::KILL);
        self.ended = true;
        reap(&self.process)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.ended {
            self.end();
        }
    }
}

/// Waits for the end of a child that has ended or is about to.
pub(super) fn reap(process: &OwnedFd) -> End {
    loop {
        match waitid(WaitId::PidFd(process.as_fd()), WaitIdOptions::EXITED) {
            Ok(Some(status)) => return end_of(&status),
            Err(Errno::INTR) => {}
            // Nobody else waits for our children, so it cannot be gone; and if it is, it has ended.
            Ok(None) | Err(_) => return End::Exited(-1),
        }
    }
}

fn end_of(status: &WaitIdStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Signalled(signal),
        (None, None) => End::Exited(-1),
    }
}

/// Reads what it says until it ends, is late or has said too much.
pub(super) fn watch(
    mut child: Watched,
    stdout: &OwnedFd,
    stderr: &OwnedFd,
    limits: &Limits,
    started: Instant,
) -> io::Result<Outcome> {
    let mut said = [Vec::new(), Vec::new()];
    let mut open = [true, true];
    let deadline = started + limits.time;
    let forced = loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break Some(End::TimedOut);
        }
        let ended = wait_for_news(&child, [(stdout, open[0]), (stderr, open[1])], left)?;
        for (index, pipe) in [stdout, stderr].into_iter().enumerate() {
            open[index] = open[index] && read_available(pipe, &mut said, index, limits.output)?;
        }
        // One byte more than allowed was read, which shows that there is more.
        if limits.output < said[0].len() + said[1].len() {
            break Some(End::Flooded);
        }
        if ended {
            break None;
        }
    };
    let end = child.end();
    let [mut stdout, mut stderr] = said;
    if stderr.len() <= limits.output {
        stdout.truncate(limits.output - stderr.len());
    } else {
        stderr.truncate(limits.output - stdout.len().min(limits.output));
    }
    Ok(Outcome { stdout, stderr, end: forced.unwrap_or(end), took: started.elapsed() })
}

/// Waits until it says something or ends; says whether it has ended.
fn wait_for_news(child: &Watched, pipes: [(&OwnedFd, bool); 2], left: Duration) -> io::Result<bool> {
    let mut fds = vec![PollFd::new(child.process(), PollFlags::IN)];
    fds.extend(pipes.into_iter().filter(|(_, open)| *open).map(|(pipe, _)| PollFd::new(pipe, PollFlags::IN)));
    let timeout = Timespec::try_from(left).ok();
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(!fds[0].revents().is_empty()),
        Err(error) => Err(error.into()),
    }
}

/// Takes what is there; says whether more may come.
fn read_available(pipe: &OwnedFd, said: &mut [Vec<u8>; 2], index: usize, most: usize) -> io::Result<bool> {
    let mut buffer = [0; 16 << 10];
    while said[0].len() + said[1].len() <= most {
        match rustix::io::read(pipe, &mut buffer) {
            Ok(0) => return Ok(false),
            Ok(count) => said[index].extend_from_slice(&buffer[..count]),
            Err(Errno::AGAIN) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}
