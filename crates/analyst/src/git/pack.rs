//! Packs: many objects in one file, most of them written as changes of others.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::rc::Rc;

use flate2::{Decompress, FlushDecompress, Status};
use luminos_core::RelPath;
use luminos_tools::Root;

use super::object::{Id, Kind, LARGEST, Object};

/// Larger indexes are not read: they would take too much memory.
const LARGEST_INDEX: u64 = 64 << 20;
/// How much of a pack is read at once: neighbours in a pack are asked for one after another.
const WINDOW: usize = 256 << 10;
/// How much of what others are changes of is kept.
const KEPT: usize = 16 << 20;
/// So many changes upon changes are followed.
const DEEPEST: usize = 256;

/// A pack with its index.
#[derive(Debug, Default)]
pub(super) struct Pack {
    index: Vec<u8>,
    count: usize,
    file: Option<File>,
    window: Vec<u8>,
    window_start: u64,
    /// What unpacks, once something was.
    machine: Option<Decompress>,
    kept: HashMap<u64, Object>,
    kept_bytes: usize,
}

/// How an object is written.
enum Written {
    Whole(Kind),
    ChangeAt(u64),
    ChangeOf(Id),
}

impl Pack {
    pub(super) fn open(root: &Root, name: &str) -> Option<Self> {
        let path = |ending: &str| RelPath::from(format!(".git/objects/pack/{name}.{ending}").as_str());
        let mut index = Vec::new();
        let opened = root.file(&path("idx")).ok()?;
        opened.file.take(LARGEST_INDEX + 1).read_to_end(&mut index).ok()?;
        let is_known = index.starts_with(b"\xfftOc\0\0\0\x02") && index.len() as u64 <= LARGEST_INDEX;
        let count = be32(&index, 8 + 255 * 4)? as usize;
        let needs = 8 + 1024 + count.checked_mul(28)?;
        if !is_known || index.len() < needs {
            return None;
        }
        let file = root.file(&path("pack")).ok()?.file;
        Some(Self { index, count, file: Some(file), ..Self::default() })
    }

    /// Where an object stands.
    pub(super) fn find(&self, id: Id) -> Option<u64> {
        let first = usize::from(id.0[0]);
        let mut low = if first == 0 { 0 } else { be32(&self.index, 8 + (first - 1) * 4)? as usize };
        let mut high = (be32(&self.index, 8 + first * 4)? as usize).min(self.count);
        let ids = 8 + 1024;
        while low < high {
            let middle = low + (high - low) / 2;
            let here = self.index.get(ids + middle * 20..ids + middle * 20 + 20)?;
            match here.cmp(&id.0[..]) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.offset(middle),
            }
        }
        None
    }

    fn offset(&self, at: usize) -> Option<u64> {
        let small = ids_end(self.count) + self.count * 4;
        let offset = be32(&self.index, small + at * 4)?;
        if offset & 0x8000_0000 == 0 {
            return Some(u64::from(offset));
        }
        let large = small + self.count * 4 + (offset & 0x7fff_ffff) as usize * 8;
        Some(u64::from(be32(&self.index, large)?) << 32 | u64::from(be32(&self.index, large + 4)?))
    }

    /// The object at a place.
    pub(super) fn read(
        &mut self,
        offset: u64,
        other: &mut dyn FnMut(Id) -> Option<Object>,
    ) -> Option<Object> {
        let mut changes: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut at = offset;
        let mut object = loop {
            if let Some(kept) = self.kept.get(&at) {
                break kept.clone();
            }
            if DEEPEST < changes.len() {
                return None;
            }
            let (written, size, data) = self.head(at)?;
            let bytes = self.inflate(data, size)?;
            match written {
                Written::Whole(kind) => break Object { kind, bytes: Rc::from(bytes) },
                Written::ChangeAt(base) if base < at => {
                    changes.push((at, bytes));
                    at = base;
                }
                Written::ChangeAt(_) => return None,
                Written::ChangeOf(id) => {
                    changes.push((at, bytes));
                    match self.find(id) {
                        Some(base) => at = base,
                        None => break other(id)?,
                    }
                }
            }
        };
        self.keep(at, &object);
        for (place, change) in changes.into_iter().rev() {
            object = Object { kind: object.kind, bytes: Rc::from(changed(&object.bytes, &change)?) };
            self.keep(place, &object);
        }
        Some(object)
    }

    fn keep(&mut self, offset: u64, object: &Object) {
        // Commits are read once each, and hardly ever changes of others.
        if object.kind != Kind::Tree || self.kept.contains_key(&offset) {
            return;
        }
        if KEPT < self.kept_bytes + object.bytes.len() {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        self.kept_bytes += object.bytes.len();
        self.kept.insert(offset, object.clone());
    }

    /// Bytes of the pack from a place on: as many as the window has, and at least so many where the file has them.
    fn at(&mut self, offset: u64, least: usize) -> Option<&[u8]> {
        let end = self.window_start + self.window.len() as u64;
        if offset < self.window_start || end < offset + least as u64 {
            let file = self.file.as_ref()?;
            self.window.resize(WINDOW.max(least), 0);
            let mut filled = 0;
            while filled < self.window.len() {
                match file.read_at(&mut self.window[filled..], offset + filled as u64) {
                    Ok(0) => break,
                    Ok(read) => filled += read,
                    Err(_) => return None,
                }
            }
            self.window.truncate(filled);
            self.window_start = offset;
        }
        self.window.get(usize::try_from(offset - self.window_start).ok()?..)
    }

    fn head(&mut self, offset: u64) -> Option<(Written, usize, u64)> {
        let bytes = self.at(offset, 64)?;
        let mut place = 0;
        let mut next = || {
            place += 1;
            bytes.get(place - 1).copied()
        };
        let first = next()?;
        let mut size = usize::from(first & 15);
        let mut shift = 4;
        let mut byte = first;
        while byte & 0x80 != 0 {
            byte = next()?;
            if 40 < shift {
                return None;
            }
            size |= usize::from(byte & 0x7f) << shift;
            shift += 7;
        }
        let written = match first >> 4 & 7 {
            1 => Written::Whole(Kind::Commit),
            2 => Written::Whole(Kind::Tree),
            3 | 4 => Written::Whole(Kind::Other),
            6 => {
                let mut byte = next()?;
                let mut back = u64::from(byte & 0x7f);
                while byte & 0x80 != 0 {
                    byte = next()?;
                    back = back.checked_add(1)?.checked_mul(128)? | u64::from(byte & 0x7f);
                }
                Written::ChangeAt(offset.checked_sub(back).filter(|_| 0 < back)?)
            }
            7 => {
                let id = bytes.get(place..place + 20)?.try_into().ok()?;
                place += 20;
                Written::ChangeOf(Id(id))
            }
            _ => return None,
        };
        (size <= LARGEST).then_some((written, size, offset + place as u64))
    }

    fn inflate(&mut self, offset: u64, size: usize) -> Option<Vec<u8>> {
        // To make one takes longer than to unpack a commit.
        let mut machine = self.machine.take().unwrap_or_else(|| Decompress::new(true));
        machine.reset(true);
        let out = self.inflate_with(&mut machine, offset, size);
        self.machine = Some(machine);
        out
    }

    fn inflate_with(&mut self, machine: &mut Decompress, offset: u64, size: usize) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(size + 1);
        loop {
            let at = offset + machine.total_in();
            let input = self.at(at, 4 << 10)?;
            let before = (machine.total_in(), machine.total_out());
            let status = machine.decompress_vec(input, &mut out, FlushDecompress::None).ok()?;
            if status == Status::StreamEnd {
                break;
            }
            let stands_still = before == (machine.total_in(), machine.total_out());
            if size < out.len() || stands_still {
                return None;
            }
        }
        (out.len() == size).then_some(out)
    }
}

fn ids_end(count: usize) -> usize {
    8 + 1024 + count * 20
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// What a change makes of its base.
fn changed(base: &[u8], change: &[u8]) -> Option<Vec<u8>> {
    let mut rest = change;
    let base_size = varint(&mut rest)?;
    let size = varint(&mut rest)?;
    if base_size != base.len() || LARGEST < size {
        return None;
    }
    let mut out = Vec::with_capacity(size);
    while let Some((&order, after)) = rest.split_first() {
        rest = after;
        if order & 0x80 == 0 {
            let new = rest.get(..usize::from(order)).filter(|new| !new.is_empty())?;
            out.extend_from_slice(new);
            rest = &rest[new.len()..];
        } else {
            let mut number = |bits: std::ops::Range<u8>| {
                let mut value = 0_usize;
                for (place, bit) in bits.enumerate() {
                    if order & 1 << bit != 0 {
                        let (&byte, after) = rest.split_first()?;
                        rest = after;
                        value |= usize::from(byte) << (8 * place);
                    }
                }
                Some(value)
            };
            let from = number(0..4)?;
            let length = match number(4..7)? {
                0 => 0x10000,
                length => length,
            };
            out.extend_from_slice(base.get(from..from.checked_add(length)?)?);
        }
        if size < out.len() {
            return None;
        }
    }
    (out.len() == size).then_some(out)
}

fn varint(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    let mut shift = 0;
    loop {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        if 40 < shift {
            return None;
        }
        value |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn a_change_copies_and_adds() {
        // Copies "wheel" from 4, adds "!", in a base of 9 bytes.
        let change = [9, 6, 0x91, 4, 5, 1, b'!'];
        assert_eq!(changed(b"the wheel", &change).as_deref(), Some(&b"wheel!"[..]));
    }

    #[test]
    fn a_damaged_change_is_none() {
        for change in
            [&[][..], &[9], &[9, 6, 0x91, 4], &[9, 6, 0x91, 8, 5, 1, b'!'], &[8, 1, 1, b'x'], &[9, 1, 0]]
        {
            assert_eq!(changed(b"the wheel", change), None, "{change:?}");
        }
    }
}
