//! The first bytes of a file, read without ever reaching past them.

/// The first bytes of a file and the size of all of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) size: u64,
}

/// Which end of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

impl<'a> Head<'a> {
    /// Whether these bytes stand at that place.
    pub(super) fn has(self, at: usize, bytes: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(bytes))
    }

    /// As many bytes from that place as there are, at most `len`.
    pub(super) fn slice(self, at: usize, len: usize) -> &'a [u8] {
        let rest = self.bytes.get(at..).unwrap_or_default();
        &rest[..rest.len().min(len)]
    }

    /// A printable word of at most `len` bytes: it ends at the first byte that is not printable ASCII.
    pub(super) fn word(self, at: usize, len: usize) -> &'a str {
        let bytes = self.slice(at, len);
        let end = bytes.iter().position(|byte| !matches!(byte, b' '..=b'~')).unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).unwrap_or_default()
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    pub(super) fn u16(self, at: usize, endian: Endian) -> Option<u16> {
        let bytes = self.array(at)?;
        Some(match endian {
            Endian::Little => u16::from_le_bytes(bytes),
            Endian::Big => u16::from_be_bytes(bytes),
        })
    }

    pub(super) fn u32(self, at: usize, endian: Endian) -> Option<u32> {
        let bytes = self.array(at)?;
        Some(match endian {
            Endian::Little => u32::from_le_bytes(bytes),
            Endian::Big => u32::from_be_bytes(bytes),
        })
    }

    pub(super) fn u64(self, at: usize, endian: Endian) -> Option<u64> {
        let bytes = self.array(at)?;
        Some(match endian {
            Endian::Little => u64::from_le_bytes(bytes),
            Endian::Big => u64::from_be_bytes(bytes),
        })
    }

    /// Whether the first bytes hold one that no text has.
    pub(super) fn starts_binary(self) -> bool {
        self.slice(0, 64).iter().any(|byte| matches!(byte, 0..=6 | 14..=26 | 28..=31 | 127..))
    }

    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..)?.first_chunk().copied()
    }
}
