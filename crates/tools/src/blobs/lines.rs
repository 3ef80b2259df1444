//! Where the lines of a file are, in little memory: how many there are before each block.

use std::fs::File;
use std::io;

use super::encoding::{Encoding, Guess};
use super::{BLOCK, read_full};

/// Where the lines of a file are.
#[derive(Debug)]
pub(crate) struct Lines {
    /// How many lines there are: a last one without an end counts.
    pub(crate) total: u64,
    /// How many ends of lines there are before each block.
    before: Vec<u64>,
    wide: Option<Encoding>,
}

/// Counts lines while a file is read.
#[derive(Debug, Default)]
pub(super) struct Counter {
    before: Vec<u64>,
    ends: u64,
    ends_with_one: bool,
}

impl Counter {
    /// Looks at the next block. All but the last must be whole.
    pub(super) fn see(&mut self, block: &[u8], guess: &Guess) {
        self.before.push(self.ends);
        self.ends += each_end(block, guess.wide()).count() as u64;
        self.ends_with_one = each_end(block, guess.wide()).next_back().is_some_and(|end| end == block.len());
    }

    pub(super) fn finish(self, size: u64, guess: &Guess) -> Lines {
        let has_tail = 0 < size && !self.ends_with_one;
        Lines { total: self.ends + u64::from(has_tail), before: self.before, wide: guess.wide() }
    }
}

impl Lines {
    /// Where a line starts.
    pub(crate) fn start(&self, file: &File, line: u64) -> io::Result<Option<u64>> {
        let ends = line.saturating_sub(1);
        if ends == 0 {
            return Ok(Some(0));
        }
        let block = self.before.partition_point(|&before| before < ends).saturating_sub(1);
        let mut bytes = vec![0; BLOCK];
        let at = block as u64 * BLOCK as u64;
        let length = read_full(file, &mut bytes, at)?;
        Ok(self.nth_end(&bytes[..length], block, ends).map(|end| at + end))
    }

    /// Where a line starts in bytes that are the whole file.
    pub(crate) fn start_in(&self, bytes: &[u8], line: u64) -> Option<u64> {
        let ends = line.saturating_sub(1);
        if ends == 0 {
            return Some(0);
        }
        let block = self.before.partition_point(|&before| before < ends).saturating_sub(1);
        let at = block * BLOCK;
        Some(at as u64 + self.nth_end(bytes.get(at..)?, block, ends)?)
    }

    /// The number of the line that a byte is in.
    pub(crate) fn at(&self, file: &File, place: u64) -> io::Result<u64> {
        if place == 0 {
            return Ok(1);
        }
        let block = usize::try_from(place / BLOCK as u64).unwrap_or(usize::MAX);
        let Some(before) = self.before.get(block) else { return Ok(self.total) };
        let start = block as u64 * BLOCK as u64;
        let mut bytes = vec![0; usize::try_from(place - start).unwrap_or(0)];
        let length = read_full(file, &mut bytes, start)?;
        Ok(before + each_end(&bytes[..length], self.wide).count() as u64 + 1)
    }

    /// How many lines end within bytes that start at an even place.
    pub(crate) fn ends_in(&self, bytes: &[u8]) -> u64 {
        each_end(bytes, self.wide).count() as u64
    }

    /// Where lines end within bytes, behind their ends.
    pub(crate) fn each_end<'a>(&self, bytes: &'a [u8]) -> impl DoubleEndedIterator<Item = usize> + 'a {
        each_end(bytes, self.wide)
    }

    fn nth_end(&self, bytes: &[u8], block: usize, ends: u64) -> Option<u64> {
        let wanted = usize::try_from(ends - self.before.get(block)?).ok()?;
        each_end(bytes, self.wide).nth(wanted.checked_sub(1)?).map(|end| end as u64)
    }
}

/// The places behind each end of a line.
fn each_end(bytes: &[u8], wide: Option<Encoding>) -> Box<dyn DoubleEndedIterator<Item = usize> + '_> {
    let pairs = |feed: [u8; 2]| {
        let found = bytes.chunks_exact(2).enumerate().filter(move |(_, pair)| **pair == feed);
        Box::new(found.map(|(index, _)| 2 * index + 2))
    };
    match wide {
        Some(Encoding::Utf16Le) => pairs([b'\n', 0]),
        Some(Encoding::Utf16Be) => pairs([0, b'\n']),
        Some(_) | None => Box::new(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1)),
    }
}
