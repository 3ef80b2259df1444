//! What a file holds: everything is found out from the bytes of one reading.

use std::borrow::Cow;
use std::os::fd::BorrowedFd;

use luminos_core::ContentHash;
use luminos_core::scan::{Category, LanguageId, LineCounts, Reading, Trouble};
use memchr::memchr_iter;
use rustix::fs::Stat;
use rustix::io::{Errno, pread, read};
use sha2::{Digest, Sha256};

use crate::language::{self, ByName};
use crate::lines::{self, Counted};
use crate::{category, describe};

/// What the bytes of a file say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Content {
    pub(crate) reading: Reading,
    pub(crate) category: Category,
    pub(crate) language: Option<LanguageId>,
    /// What it is, where the name does not tell.
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) lines: u32,
    pub(crate) counts: LineCounts,
    pub(crate) embedded: Vec<(LanguageId, LineCounts)>,
    pub(crate) hash: ContentHash,
}

/// Files of a language are read whole for counting up to this size; larger ones are hashed piece by piece.
const COUNT_LIMIT: u64 = 256 << 20;
/// Other files are read whole up to this size.
const WHOLE_LIMIT: u64 = 1 << 20;
/// How much is read at once of the rest.
const PIECE: usize = 256 << 10;
/// A buffer larger than this is given back after use.
const KEEP_LIMIT: usize = 16 << 20;
/// Below this size a file may be as hollow as it likes.
const SPARSE_LIMIT: u64 = 64 << 20;
/// A sparse file takes less than this part of its size on the disk.
const SPARSE_PART: u64 = 16;
/// What a file is shows in its first bytes; the last of the marks known stands just beyond 64 KiB.
const DESCRIBE_LIMIT: usize = 66 << 10;
/// What is read of a sampled file: its start, its end, and pieces between.
const SAMPLE_EDGE: usize = 66 << 10;
const SAMPLE_PIECE: usize = 4 << 10;
const SAMPLE_PIECES: u64 = 62;

/// Reads files, one after another, into one buffer.
#[derive(Debug)]
pub(crate) struct Reader {
    buffer: Vec<u8>,
    hash_limit: u64,
}

impl Reader {
    pub(crate) fn new(hash_limit: u64) -> Self {
        Self { buffer: vec![0; PIECE], hash_limit }
    }

    /// Reads an open regular file.
    pub(crate) fn read(
        &mut self,
        fd: BorrowedFd<'_>,
        stat: &Stat,
        name: &[u8],
    ) -> Result<(Content, Option<Trouble>), Errno> {
        let size = stat.st_size as u64;
        let by_name = language::by_name(name);
        if let Some(trouble) = too_much(stat, self.hash_limit) {
            return Ok((self.sample(fd, size, name)?, Some(trouble)));
        }
        let limit = match by_name {
            ByName::Language(_) => COUNT_LIMIT,
            ByName::AskFirstLine | ByName::None => WHOLE_LIMIT,
        };
        if size > limit {
            return self.read_in_pieces(fd, size, name).map(|content| (content, None));
        }
        let bytes = match self.fill(fd, size)? {
            Some(len) => &aligned(&mut self.buffer)[..len],
            None => return self.read_in_pieces(fd, size, name).map(|content| (content, None)),
        };
        let content = look_at(bytes, name, by_name);
        if self.buffer.len() > KEEP_LIMIT {
            self.buffer = vec![0; PIECE];
        }
        Ok((content, None))
    }

    /// Fills the buffer with a file of a known size; `None` when it has grown far beyond it.
    fn fill(&mut self, fd: BorrowedFd<'_>, size: u64) -> Result<Option<usize>, Errno> {
        let want = size as usize + 1;
        if self.buffer.len() < want + ALIGN {
            self.buffer.resize((want + ALIGN).next_power_of_two(), 0);
        }
        let buffer = aligned(&mut self.buffer);
        let mut len = 0;
        loop {
            let room = buffer.len().min(want) - len;
            if room == 0 {
                return Ok(None);
            }
            let got = retry(|| read(fd, &mut buffer[len..len + room]))?;
            len += got;
            // A short read of a regular file is its end.
            if got < room {
                return Ok(Some(len));
            }
        }
    }

    /// Hashes a file of any size.
    fn read_in_pieces(&mut self, fd: BorrowedFd<'_>, size: u64, name: &[u8]) -> Result<Content, Errno> {
        let buffer = aligned(&mut self.buffer);
        let piece = buffer.len().min(PIECE);
        let buffer = &mut buffer[..piece];
        let mut hasher = Sha256::new();
        let mut offset = 0;
        let mut newlines = 0;
        let mut last = b'\n';
        let mut content = Content::default();
        loop {
            let got = retry(|| pread(fd, &mut *buffer, offset))?;
            let bytes = &buffer[..got];
            if offset == 0 {
                classify(&mut content, bytes, size, name);
            }
            if got == 0 {
                break;
            }
            hasher.update(bytes);
            newlines += memchr_iter(b'\n', bytes).count();
            last = bytes[got - 1];
            offset += got as u64;
        }
        content.lines = clamp(newlines as u64 + u64::from(last != b'\n'));
        content.hash = ContentHash(hasher.finalize().into());
        Ok(content)
    }

    /// Hashes the size of a file and samples of it: the same file gives the same hash on every machine.
    fn sample(&mut self, fd: BorrowedFd<'_>, size: u64, name: &[u8]) -> Result<Content, Errno> {
        let buffer = &mut self.buffer[..SAMPLE_EDGE];
        let mut content = Content { reading: Reading::Sampled, ..Content::default() };
        let mut hasher = Sha256::new();
        hasher.update(b"luminos sampled file\0");
        hasher.update(size.to_le_bytes());
        let got = retry(|| pread(fd, &mut *buffer, 0))?;
        classify(&mut content, &buffer[..got], size, name);
        hasher.update(&buffer[..got]);
        let stride = size / (SAMPLE_PIECES + 1);
        for piece in 1..=SAMPLE_PIECES {
            let got = retry(|| pread(fd, &mut buffer[..SAMPLE_PIECE], piece * stride))?;
            hasher.update(&buffer[..got]);
        }
        let got = retry(|| pread(fd, &mut *buffer, size.saturating_sub(SAMPLE_EDGE as u64)))?;
        hasher.update(&buffer[..got]);
        content.hash = ContentHash(hasher.finalize().into());
        Ok(content)
    }
}

const ALIGN: usize = 64;

/// The part of a buffer that starts on a cache line. Large allocations start 16 bytes off one, and hashing and
/// copying then take a third longer.
fn aligned(buffer: &mut [u8]) -> &mut [u8] {
    let offset = buffer.as_ptr().align_offset(ALIGN).min(ALIGN);
    &mut buffer[offset..]
}

/// Whether a file is too large, or too hollow, to be read whole.
fn too_much(stat: &Stat, limit: u64) -> Option<Trouble> {
    let size = stat.st_size as u64;
    let allocated = (stat.st_blocks as u64).saturating_mul(512);
    if size >= SPARSE_LIMIT && allocated < size / SPARSE_PART {
        return Some(Trouble::Sparse { size, allocated });
    }
    (size > limit).then_some(Trouble::TooLarge { size, limit })
}

/// Finds out everything from the whole content.
fn look_at(bytes: &[u8], name: &[u8], by_name: ByName) -> Content {
    let mut content = Content::default();
    classify(&mut content, bytes, bytes.len() as u64, name);
    content.hash = ContentHash(Sha256::digest(bytes).into());
    let newlines = memchr_iter(b'\n', bytes).count() as u64;
    let has_open_end = bytes.last().is_some_and(|&last| last != b'\n');
    content.lines = clamp(newlines + u64::from(has_open_end));
    let language = match by_name {
        ByName::Language(language) => Some(language),
        ByName::AskFirstLine => language::by_first_line(bytes),
        ByName::None => None,
    };
    if let Some(language) = language {
        let Counted { own, embedded } = lines::count_file(language, bytes);
        content.language = Some(language::id_of(language));
        content.counts = own;
        content.embedded = embedded;
    }
    content
}

/// Category by name, else by content; only then it needs describing.
fn classify(content: &mut Content, head: &[u8], size: u64, name: &[u8]) {
    content.category = match category::by_name(name) {
        Some(category) => category,
        None => {
            let description = describe::describe(&head[..head.len().min(DESCRIBE_LIMIT)], size);
            content.description = Some(description.text);
            description.category
        }
    };
}

fn clamp(lines: u64) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX)
}

fn retry<T>(mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            other => return other,
        }
    }
}
