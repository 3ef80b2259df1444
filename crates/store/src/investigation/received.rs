//! Answers of models that have arrived and are not in a transcript yet.
//!
//! What goes through the writer waits for what was handed over before it, and for the disk. An answer is worth more than
//! that: it is put into a file of its own as soon as it is there, without waiting for anything. That survives the death of
//! the process (a loss of power it may not survive). When the transcript has the answer, the file goes.
//!
//! Only the process that holds the daemon's lock does this; nobody else looks at these files but `fsck`.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use super::Investigation;
use crate::document::{self, hex, seal};
use crate::layout::RECEIVED;

impl Investigation {
    /// Keeps an answer that has just arrived to the call of this name. Without waiting: the file may be lost with the power.
    pub fn keep_received(&self, call: &str, answer: &impl Serialize) -> io::Result<()> {
        let bytes = seal(RECEIVED, answer).map_err(io::Error::other)?;
        let path = self.received_path(call);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR);
        let file = match open() {
            Err(rustix::io::Errno::NOENT) => {
                match rustix::fs::mkdir(self.received_dir(), Mode::RWXU) {
                    Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                open()?
            }
            file => file?,
        };
        File::from(file).write_all(&bytes)
    }

    /// The answer to the call of this name that has arrived and is not in a transcript; `None` if there is none, or the
    /// process died while it was being written.
    pub fn received<T: DeserializeOwned>(&self, call: &str) -> Option<T> {
        document::read_as(&self.received_path(call), RECEIVED).ok().flatten()
    }

    /// The answer is in a transcript.
    pub fn forget_received(&self, call: &str) {
        // One that stays costs space until the next run that does not resume this one, and nothing else.
        let _ = rustix::fs::unlink(self.received_path(call));
    }

    /// Forgets all answers: they are another run's.
    pub fn forget_all_received(&self) {
        let _ = std::fs::remove_dir_all(self.received_dir());
    }

    fn received_dir(&self) -> PathBuf {
        self.dir.join("received")
    }

    fn received_path(&self, call: &str) -> PathBuf {
        self.received_dir().join(format!("{}.json", hex(&Sha256::digest(call.as_bytes()))))
    }
}
