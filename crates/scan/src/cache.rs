//! What an earlier scan found in files that have not changed since.
//!
//! A file is taken for unchanged when device, inode, size, both times to the nanosecond and its name are the
//! same. A file that was modified within two seconds of being read is not remembered: it could change again
//! within the same tick of the clock, and nobody would see it.
//!
//! The cache is only ever a shortcut. One that is damaged, or of another version, is as good as none.

use std::borrow::Cow;
use std::collections::HashMap;

use luminos_core::ContentHash;
use luminos_core::scan::{Category, LanguageId, LineCounts, Reading};
use sha2::{Digest, Sha256};

use crate::content::Content;
use crate::language;

const MAGIC: &[u8; 8] = b"LUMSCAN\n";
/// Raised whenever entries change their form, or what is found out about a file changes.
const FORMAT: u32 = 1;
const HEADER: usize = MAGIC.len() + 32;
const TRAILER: usize = 32;
const NO_LANGUAGE: u16 = u16::MAX;
/// A file modified this shortly before it was read is not remembered.
pub(crate) const RACY_NANOS: i64 = 2_000_000_000;

/// Which directory a block of entries is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DirKey {
    pub(crate) dev: u64,
    pub(crate) ino: u64,
}

/// What must be the same for a file to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileKey {
    pub(crate) ino: u64,
    pub(crate) size: u64,
    pub(crate) modified: i64,
    pub(crate) changed: i64,
}

/// The results of an earlier scan.
#[derive(Debug, Default)]
pub struct Cache {
    bytes: Vec<u8>,
    /// Start and end of each block of entries.
    blocks: HashMap<DirKey, Vec<(u32, u32)>>,
    files: u64,
}

impl Cache {
    /// Reads a cache that [`Scanned::cache`](crate::Scanned::cache) gave; anything else gives an empty one.
    pub fn decode(bytes: Vec<u8>) -> Self {
        Self::try_decode(bytes).unwrap_or_default()
    }

    fn try_decode(bytes: Vec<u8>) -> Option<Self> {
        let body_end = bytes.len().checked_sub(TRAILER).filter(|&end| HEADER <= end)?;
        let is_ours = bytes.starts_with(MAGIC) && bytes[MAGIC.len()..HEADER] == fingerprint();
        if !is_ours
            || Sha256::digest(&bytes[..body_end])[..] != bytes[body_end..]
            || u32::try_from(bytes.len()).is_err()
        {
            return None;
        }
        let mut blocks: HashMap<DirKey, Vec<(u32, u32)>> = HashMap::new();
        let mut files = 0;
        let mut at = HEADER;
        while at < body_end {
            let mut input = Input { bytes: &bytes[..body_end], at };
            let key = DirKey { dev: input.u64()?, ino: input.u64()? };
            files += u64::from(input.u32()?);
            let len = input.u32()? as usize;
            let (start, end) = (input.at, input.at.checked_add(len).filter(|&end| end <= body_end)?);
            blocks.entry(key).or_default().push((start as u32, end as u32));
            at = end;
        }
        Some(Self { bytes, blocks, files })
    }

    /// How many files it knows.
    pub fn files(&self) -> u64 {
        self.files
    }

    /// Finds the entries of a directory.
    pub(crate) fn dir(&self, key: DirKey) -> Option<CachedDir<'_>> {
        let mut places = Vec::new();
        for &(start, end) in self.blocks.get(&key)? {
            let mut at = start;
            while at < end {
                let mut input = Input { bytes: &self.bytes[..end as usize], at: at as usize };
                let next =
                    at.checked_add(u32::from(input.u16()?)).filter(|&next| at < next && next <= end)?;
                let name = input.name()?;
                places.push(Place { name, rest: self.bytes.get(input.at..next as usize)? });
                at = next;
            }
        }
        // A block is in the order of names already; a large directory has several.
        places.sort_unstable_by_key(|place| place.name);
        Some(CachedDir { places })
    }
}

/// The entries of one directory, by name.
#[derive(Debug)]
pub(crate) struct CachedDir<'a> {
    places: Vec<Place<'a>>,
}

/// An entry, still in bytes.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    name: &'a [u8],
    rest: &'a [u8],
}

impl CachedDir<'_> {
    /// How many files are known in it.
    pub(crate) fn files(&self) -> usize {
        self.places.len()
    }

    /// What is known of a file, if it has not changed.
    pub(crate) fn find(&self, name: &[u8], key: &FileKey) -> Option<Content> {
        let place = self.places.binary_search_by_key(&name, |place| place.name).ok()?;
        let (found, content) = Input { bytes: self.places[place].rest, at: 0 }.entry()?;
        (found == *key).then_some(content)
    }
}

/// A cache in the making; one per thread, put together at the end.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    files: u64,
    block: Option<Block>,
    /// Directories in which nothing has changed: their blocks can be taken over from the old cache.
    unchanged: Vec<DirKey>,
}

/// The block that is being written.
#[derive(Debug, Clone, Copy)]
struct Block {
    key: DirKey,
    start: usize,
    files: u32,
}

const BLOCK_HEADER: usize = 24;

impl Writer {
    pub(crate) fn start_dir(&mut self, key: DirKey) {
        self.block = Some(Block { key, start: self.bytes.len(), files: 0 });
        self.bytes.extend_from_slice(&[0; BLOCK_HEADER]);
    }

    /// Ends a block. `unchanged` says that the old cache has exactly these entries, and no others, for this
    /// directory.
    pub(crate) fn end_dir(&mut self, unchanged: bool) {
        let Some(Block { key, start, files }) = self.block.take() else { return };
        if unchanged {
            self.bytes.truncate(start);
            self.unchanged.push(key);
            return;
        }
        let len = (self.bytes.len() - start - BLOCK_HEADER) as u32;
        let header = &mut self.bytes[start..start + BLOCK_HEADER];
        header[..8].copy_from_slice(&key.dev.to_le_bytes());
        header[8..16].copy_from_slice(&key.ino.to_le_bytes());
        header[16..20].copy_from_slice(&files.to_le_bytes());
        header[20..].copy_from_slice(&len.to_le_bytes());
    }

    pub(crate) fn add(&mut self, name: &[u8], key: &FileKey, content: &Content) {
        let start = self.bytes.len();
        let out = &mut self.bytes;
        out.extend_from_slice(&[0; 2]);
        out.extend_from_slice(&(name.len() as u16).to_le_bytes());
        out.extend_from_slice(name);
        for number in [key.ino, key.size, key.modified as u64, key.changed as u64] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.push(content.category as u8);
        let language = content.language.map_or(NO_LANGUAGE, |language| language.0);
        out.extend_from_slice(&language.to_le_bytes());
        out.extend_from_slice(&content.lines.to_le_bytes());
        put_counts(out, content.counts);
        out.extend_from_slice(&content.hash.0);
        out.push(content.embedded.len().min(255) as u8);
        for (language, counts) in content.embedded.iter().take(255) {
            out.extend_from_slice(&language.0.to_le_bytes());
            put_counts(out, *counts);
        }
        if let Some(description) = &content.description {
            out.extend_from_slice(description.as_bytes());
        }
        let len = out.len() - start;
        // An entry that does not fit its own length field is left out: the file will be read again.
        match u16::try_from(len) {
            Ok(len) if content.embedded.len() <= 255 => {
                out[start..start + 2].copy_from_slice(&len.to_le_bytes());
                self.files += 1;
                if let Some(block) = &mut self.block {
                    block.files += 1;
                }
            }
            _ => out.truncate(start),
        }
    }

    pub(crate) fn files(&self) -> u64 {
        self.files
    }
}

/// Puts the parts of all threads together.
pub(crate) fn encode(parts: Vec<Writer>, old: &Cache) -> Vec<u8> {
    let blocks = |part: &Writer| {
        let blocks = part.unchanged.iter().filter_map(|key| old.blocks.get(key)).flatten();
        blocks.map(|&(start, end)| start as usize - BLOCK_HEADER..end as usize).collect::<Vec<_>>()
    };
    let kept: Vec<_> = parts.iter().flat_map(blocks).collect();
    let new: usize = parts.iter().map(|part| part.bytes.len()).sum();
    let old_len: usize = kept.iter().map(ExactSizeIterator::len).sum();
    let mut bytes = Vec::with_capacity(HEADER + new + old_len + TRAILER);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&fingerprint());
    for block in kept {
        bytes.extend_from_slice(&old.bytes[block]);
    }
    for part in parts {
        bytes.extend_from_slice(&part.bytes);
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// Changes with everything that could make a stored result differ from a new one.
fn fingerprint() -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(FORMAT.to_le_bytes());
    hasher.update(env!("CARGO_PKG_VERSION"));
    for name in language::names() {
        hasher.update(name);
        hasher.update([0]);
    }
    hasher.finalize().into()
}

fn put_counts(out: &mut Vec<u8>, counts: LineCounts) {
    for number in [counts.code, counts.comments, counts.blanks] {
        out.extend_from_slice(&(number as u32).to_le_bytes());
    }
}

/// Reads numbers from bytes, and nothing beyond their end.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn name(&mut self) -> Option<&'a [u8]> {
        let len = usize::from(self.u16()?);
        let name = self.bytes.get(self.at..self.at + len)?;
        self.at += len;
        Some(name)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn counts(&mut self) -> Option<LineCounts> {
        Some(LineCounts {
            code: u64::from(self.u32()?),
            comments: u64::from(self.u32()?),
            blanks: u64::from(self.u32()?),
        })
    }

    fn language(&mut self) -> Option<Option<LanguageId>> {
        let number = self.u16()?;
        if number == NO_LANGUAGE {
            return Some(None);
        }
        (usize::from(number) < language::all().len()).then_some(Some(LanguageId(number)))
    }

    /// Reads an entry, from behind its name to its end.
    fn entry(mut self) -> Option<(FileKey, Content)> {
        let key = FileKey {
            ino: self.u64()?,
            size: self.u64()?,
            modified: self.u64()? as i64,
            changed: self.u64()? as i64,
        };
        let category = *Category::ALL.get(usize::from(self.u8()?))?;
        let language = self.language()?;
        let lines = self.u32()?;
        let counts = self.counts()?;
        let hash = ContentHash(self.take()?);
        let mut embedded = Vec::new();
        for _ in 0..self.u8()? {
            embedded.push((self.language()??, self.counts()?));
        }
        let description = self.bytes.get(self.at..)?;
        let description = match str::from_utf8(description).ok()? {
            "" => None,
            text => Some(Cow::Owned(text.to_owned())),
        };
        let reading = Reading::Whole;
        Some((key, Content { reading, category, language, description, lines, counts, embedded, hash }))
    }
}
