//! Pages of a SQLite file, as its documentation of the file format describes them.

use std::collections::HashSet;

/// Most entries of the schema that are read.
const MOST_ENTRIES: usize = 20_000;

/// Most bytes of one entry of the schema.
const MOST_PAYLOAD: usize = 64 << 10;

/// An entry of the schema.
pub(super) struct Entry {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) root: u32,
    pub(super) sql: String,
}

/// The pages of a file.
pub(super) struct Pages<'b> {
    bytes: &'b [u8],
    size: usize,
    usable: usize,
    is_utf16: Option<bool>,
}

impl<'b> Pages<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let size = match u16::from_be_bytes(bytes.get(16..18)?.try_into().ok()?) {
            1 => 65_536,
            size => usize::from(size),
        };
        let reserved = usize::from(*bytes.get(20)?);
        // Only UTF-16 needs to be told apart, and which of its bytes comes first.
        let is_utf16 = match bytes.get(59)? {
            2 => Some(false),
            3 => Some(true),
            _ => None,
        };
        (size.is_power_of_two() && 512 <= size).then_some(Self {
            bytes,
            size,
            usable: size.saturating_sub(reserved),
            is_utf16,
        })
    }

    /// A page, and where its own header begins.
    fn page(&self, number: u32) -> Option<(&'b [u8], usize)> {
        let start = usize::try_from(number).ok()?.checked_sub(1)?.checked_mul(self.size)?;
        let page = self.bytes.get(start..start.checked_add(self.size)?)?;
        Some((page, if number == 1 { 100 } else { 0 }))
    }

    /// How many entries the tree with this root has: rows of a table, or of an index that stands for one.
    pub(super) fn count(&self, root: u32) -> Option<u64> {
        let mut total = 0_u64;
        self.walk(root, |page, header, kind| {
            let cells = u64::from(be16(page, header + 3)?);
            // The inner pages of an index hold entries of their own, those of a table only point.
            total += if kind == 0x05 { 0 } else { cells };
            Some(())
        })?;
        Some(total)
    }

    /// Visits all pages of a tree, each once.
    fn walk(&self, root: u32, mut visit: impl FnMut(&'b [u8], usize, u8) -> Option<()>) -> Option<()> {
        let mut seen = HashSet::new();
        let mut todo = vec![root];
        while let Some(number) = todo.pop() {
            if !seen.insert(number) {
                return None;
            }
            let (page, header) = self.page(number)?;
            let kind = *page.get(header)?;
            visit(page, header, kind)?;
            match kind {
                0x0d | 0x0a => {}
                0x05 | 0x02 => {
                    todo.push(be32(page, header + 8)?);
                    for cell in 0..usize::from(be16(page, header + 3)?) {
                        let at = usize::from(be16(page, header + 12 + 2 * cell)?);
                        todo.push(be32(page, at)?);
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The entries of the schema.
    pub(super) fn schema(&self) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        self.walk(1, |page, header, kind| {
            let cells = if kind == 0x0d { usize::from(be16(page, header + 3)?) } else { 0 };
            for cell in 0..cells {
                let at = usize::from(be16(page, header + 8 + 2 * cell)?);
                if entries.len() < MOST_ENTRIES {
                    entries.extend(self.entry(page, at));
                }
            }
            Some(())
        })?;
        // The order of pages is that of a stack: restore that of the schema.
        entries.sort_by_key(|(row, _)| *row);
        Some(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    fn entry(&self, page: &[u8], at: usize) -> Option<(u64, Entry)> {
        let (length, at) = varint(page, at)?;
        let (row, at) = varint(page, at)?;
        let payload = self.payload(page, at, usize::try_from(length).ok()?)?;
        let (header, mut next) = varint(&payload, 0)?;
        let mut body = usize::try_from(header).ok()?;
        let mut values: Vec<&[u8]> = Vec::new();
        let mut root = 0;
        while next < usize::try_from(header).ok()? && values.len() < 5 {
            let (kind, after) = varint(&payload, next)?;
            next = after;
            let size = match kind {
                0 | 8 | 9 => 0,
                1..=4 => usize::try_from(kind).ok()?,
                5 => 6,
                6 | 7 => 8,
                kind => usize::try_from((kind - 12) / 2).ok()?,
            };
            let value = payload.get(body..(body.checked_add(size)?).min(payload.len()))?;
            if values.len() == 3 {
                let number = value.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
                root = if kind == 9 { 1 } else { u32::try_from(number).unwrap_or(0) };
            }
            values.push(value);
            body = body.checked_add(size)?;
        }
        let text = |index: usize| values.get(index).map(|value| self.text(value)).unwrap_or_default();
        Some((row, Entry { kind: text(0), name: text(1), root, sql: text(4) }))
    }

    /// The bytes of a cell, those on further pages included, as far as they matter.
    fn payload(&self, page: &[u8], at: usize, length: usize) -> Option<Vec<u8>> {
        let wanted = length.min(MOST_PAYLOAD);
        let most = self.usable.checked_sub(35)?;
        if length <= most {
            return Some(page.get(at..at + length)?.to_vec());
        }
        let least = self.usable.checked_sub(12)? * 32 / 255 - 23;
        let local = least + (length - least) % self.usable.checked_sub(4)?;
        let local = if local <= most { local } else { least };
        let mut payload = page.get(at..at + local)?.to_vec();
        let mut next = be32(page, at + local)?;
        while payload.len() < wanted && next != 0 {
            let (page, _) = self.page(next)?;
            let room = (wanted - payload.len()).min(self.usable.checked_sub(4)?);
            payload.extend_from_slice(page.get(4..4 + room)?);
            next = be32(page, 0)?;
        }
        Some(payload)
    }

    fn text(&self, value: &[u8]) -> String {
        let Some(is_big_endian) = self.is_utf16 else { return String::from_utf8_lossy(value).into_owned() };
        let units = value.chunks_exact(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok());
        let units: Vec<u16> = units
            .map(|pair| if is_big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
            .collect();
        String::from_utf16_lossy(&units)
    }
}

fn be16(page: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(page.get(at..at + 2)?.try_into().ok()?))
}

fn be32(page: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(page.get(at..at + 4)?.try_into().ok()?))
}

/// A number of one to nine bytes, and where the next thing begins.
fn varint(page: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut number = 0_u64;
    for index in 0..9 {
        let byte = *page.get(at.checked_add(index)?)?;
        if index == 8 {
            return Some((number << 8 | u64::from(byte), at + 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, at + index + 1));
        }
    }
    None
}
