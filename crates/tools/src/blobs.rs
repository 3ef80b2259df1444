//! What is known of files as a whole: their hash, their encoding, where their lines are.
//!
//! A file is read through once for that, in pieces and never mapped, and the result is kept for as long as the file
//! looks the same. Files above a limit are not read whole: they have no hash and no known lines.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use luminos_core::ContentHash;
use luminos_core::secrets::Secret;
use rustix::fs::fstat;
use sha2::{Digest as _, Sha256};

use crate::root::{Opened, Stamp};

mod encoding;
mod lines;
mod secrets;

pub(crate) use encoding::Encoding;
use encoding::Guess;
pub(crate) use lines::Lines;
pub(crate) use secrets::{add_pieces, blank_secrets, decode_redacted, secrets_of};

/// How much is read at once. Lines are counted by such blocks, too.
pub(crate) const BLOCK: usize = 32 << 10;
/// How many files are remembered.
const REMEMBERED: usize = 4_096;

/// What is known of a file as a whole.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The hash of its bytes; `None` for one that is too large, or that changed while it was read.
    pub(crate) blob: Option<ContentHash>,
    pub(crate) encoding: Encoding,
    /// Its lines; `None` for one that is too large.
    pub(crate) lines: Option<Lines>,
}

impl Facts {
    /// The bytes of a range of lines, in a file that was read whole.
    pub(crate) fn bytes_of_lines(&self, bytes: &[u8], first: u64, last: u64) -> Option<(u64, u64)> {
        let lines = self.lines.as_ref()?;
        if first == 0 || last < first || lines.total < last {
            return None;
        }
        let start = lines.start_in(bytes, first)?;
        let end = if last == lines.total { bytes.len() as u64 } else { lines.start_in(bytes, last + 1)? };
        Some((start, end))
    }
}

/// What looks like the same state of the same file.
type Key = (u64, u64, u64, (i64, i64), (i64, i64));

/// The memory of a session.
#[derive(Debug)]
pub(crate) struct Blobs {
    most: u64,
    known: HashMap<Key, Arc<Facts>>,
    /// The secrets of files that were gone through as a whole.
    secrets: HashMap<Key, Arc<Vec<Secret>>>,
}

impl Blobs {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, known: HashMap::new(), secrets: HashMap::new() }
    }

    /// What is known of a file, by its descriptor and what it looked like when it was opened.
    pub(crate) fn facts(&mut self, file: &File, stamp: &Stamp) -> io::Result<Arc<Facts>> {
        let key = (stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed);
        if let Some(facts) = self.known.get(&key) {
            return Ok(Arc::clone(facts));
        }
        let facts = if self.most < stamp.size { Self::of_head(file)? } else { Self::of_whole(file, stamp)? };
        let facts = Arc::new(facts);
        if facts.blob.is_some() {
            if REMEMBERED <= self.known.len() {
                self.known.clear();
            }
            self.known.insert(key, Arc::clone(&facts));
        }
        Ok(facts)
    }

    /// The secrets of a file that touch a range of its bytes, and perhaps more of them.
    pub(crate) fn secrets(
        &mut self,
        opened: &Opened,
        encoding: Encoding,
        range: Range<u64>,
    ) -> io::Result<Arc<Vec<Secret>>> {
        let Opened { file, stamp, name } = opened;
        let key = (stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed);
        if let Some(secrets) = self.secrets.get(&key) {
            return Ok(Arc::clone(secrets));
        }
        let secrets = Arc::new(secrets::secrets_in(file, stamp.size, encoding, name, range)?);
        if stamp.size <= secrets::WHOLE {
            if REMEMBERED <= self.secrets.len() {
                self.secrets.clear();
            }
            self.secrets.insert(key, Arc::clone(&secrets));
        }
        Ok(secrets)
    }

    fn of_head(file: &File) -> io::Result<Facts> {
        let mut head = vec![0; BLOCK];
        let length = file.read_at(&mut head, 0)?;
        let mut guess = Guess::default();
        guess.see(&head[..length]);
        Ok(Facts { blob: None, encoding: guess.encoding_of_part(), lines: None })
    }

    fn of_whole(file: &File, stamp: &Stamp) -> io::Result<Facts> {
        let mut hasher = Sha256::new();
        let mut guess = Guess::default();
        let mut lines = lines::Counter::default();
        let mut block = vec![0; BLOCK.min(usize::try_from(stamp.size).unwrap_or(BLOCK)).max(1)];
        let mut at = 0;
        // One that grows while it is read is read no further than it went when it was opened.
        while at < stamp.size {
            let most = usize::try_from(stamp.size - at).unwrap_or(BLOCK).min(block.len());
            let length = read_full(file, &mut block[..most], at)?;
            let piece = &block[..length];
            hasher.update(piece);
            guess.see(piece);
            lines.see(piece, &guess);
            at += length as u64;
            if length < most {
                break;
            }
        }
        let is_same = Stamp::of(&fstat(file)?) == *stamp && at == stamp.size;
        let blob = is_same.then(|| ContentHash(hasher.finalize().into()));
        Ok(Facts { blob, encoding: guess.encoding(), lines: Some(lines.finish(at, &guess)) })
    }
}

/// Reads until the buffer is full or the file ends.
pub(crate) fn read_full(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(length) => filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
