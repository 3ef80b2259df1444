//! A client's line to the daemon. Blocking: a client does one thing at a time.

use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use luminos_wire::control::{Hello, Reply, Request, RunEvent};
use luminos_wire::{Frames, MOST_BYTES, VERSION, decode, encode};

use crate::daemon::{is_nobody_elses, socket_path};

/// Why the daemon cannot be spoken to.
#[derive(Debug, thiserror::Error)]
pub enum NoDaemon {
    /// Nobody answers.
    #[error("no daemon answers")]
    Silent(#[source] io::Error),
    /// It is another version.
    #[error("the daemon is {theirs} and speaks another language than this program")]
    OtherVersion {
        /// Its name and version.
        theirs: String,
    },
    /// It hung up, or what it says makes no sense.
    #[error("the daemon has gone")]
    Gone(#[source] io::Error),
    /// The socket is somebody else's.
    #[error("the daemon's socket belongs to another user, or lies where others can put one")]
    Foreign,
}

/// A line to the daemon.
#[derive(Debug)]
pub struct Client {
    stream: UnixStream,
    frames: Frames,
}

impl Client {
    /// Calls the daemon of a state directory.
    pub fn connect(home: &Path, program: &str) -> Result<Self, NoDaemon> {
        let path = socket_path(home);
        let found = std::fs::symlink_metadata(&path).map_err(NoDaemon::Silent)?;
        // Where nobody else can put anything, nobody else has.
        let is_own = path.parent().is_some_and(is_nobody_elses);
        if found.uid() != rustix::process::geteuid().as_raw() || !is_own {
            return Err(NoDaemon::Foreign);
        }
        let stream = UnixStream::connect(&path).map_err(NoDaemon::Silent)?;
        let mut client = Self { stream, frames: Frames::new(MOST_BYTES) };
        // A daemon that is there answers at once; one that is stopped does not answer at all.
        client.wait_at_most(Some(Duration::from_secs(10))).map_err(NoDaemon::Silent)?;
        client.say(&Hello { version: VERSION, program: program.to_owned() }).map_err(NoDaemon::Silent)?;
        let hello: Hello = client.hear().map_err(NoDaemon::Silent)?;
        if hello.version != VERSION {
            return Err(NoDaemon::OtherVersion { theirs: hello.program });
        }
        client.wait_at_most(None).map_err(NoDaemon::Gone)?;
        Ok(client)
    }

    fn wait_at_most(&self, time: Option<Duration>) -> io::Result<()> {
        self.stream.set_read_timeout(time)
    }

    /// Asks for something.
    pub fn ask(&mut self, request: &Request) -> Result<Reply, NoDaemon> {
        self.say(request).map_err(NoDaemon::Gone)?;
        self.hear().map_err(NoDaemon::Gone)
    }

    /// The next event of a run, after a subscription.
    pub fn next_event(&mut self) -> Result<RunEvent, NoDaemon> {
        self.hear().map_err(NoDaemon::Gone)
    }

    fn say<T: serde::Serialize>(&mut self, message: &T) -> io::Result<()> {
        let frame = encode(message).map_err(io::Error::other)?;
        self.stream.write_all(&frame)
    }

    fn hear<T: serde::de::DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut buffer = [0; 16 << 10];
        loop {
            if let Some(body) = self.frames.take().map_err(io::Error::other)? {
                return decode(body).map_err(io::Error::other);
            }
            match self.stream.read(&mut buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.frames.feed(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
