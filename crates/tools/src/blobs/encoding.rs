//! How the bytes of a file are text, if they are.

/// How the bytes of a file are text, if they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-8, with or without a mark at its beginning.
    Utf8 { has_mark: bool },
    /// Two bytes for most characters, the lower one first.
    Utf16Le,
    /// Two bytes for most characters, the higher one first.
    Utf16Be,
    /// One byte for each character.
    Latin1,
    /// No text.
    Binary,
}

impl Encoding {
    /// The words for it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Utf8 { has_mark: false } => "UTF-8",
            Self::Utf8 { has_mark: true } => "UTF-8 with a byte order mark",
            Self::Utf16Le => "UTF-16, little-endian",
            Self::Utf16Be => "UTF-16, big-endian",
            Self::Latin1 => "Latin-1",
            Self::Binary => "binary",
        }
    }

    /// How many bytes a unit of it has.
    pub(crate) fn unit(self) -> usize {
        match self {
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf8 { .. } | Self::Latin1 | Self::Binary => 1,
        }
    }

    /// The text as UTF-8; bytes that are no text stay as they are.
    pub(crate) fn decode(self, bytes: &[u8]) -> Vec<u8> {
        let units = |read: fn([u8; 2]) -> u16| {
            let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
            let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect();
            text.into_bytes()
        };
        match self {
            Self::Utf8 { .. } | Self::Binary => bytes.to_vec(),
            Self::Latin1 => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes(),
            Self::Utf16Le => units(u16::from_le_bytes),
            Self::Utf16Be => units(u16::from_be_bytes),
        }
    }
}

/// What the bytes seen so far let one think.
#[derive(Debug, Default)]
pub(crate) struct Guess {
    seen: u64,
    wide: Option<Encoding>,
    has_mark: bool,
    nuls: u64,
    /// Control characters that texts do not have.
    odd: u64,
    is_not_utf8: bool,
    /// The first bytes of a character that was cut off.
    cut: Vec<u8>,
}

impl Guess {
    /// Looks at the next bytes.
    pub(super) fn see(&mut self, bytes: &[u8]) {
        if self.seen == 0 {
            self.wide = wide(bytes);
            self.has_mark = bytes.starts_with(b"\xef\xbb\xbf");
        }
        self.seen += bytes.len() as u64;
        if self.wide.is_some() {
            return;
        }
        for &byte in bytes {
            self.nuls += u64::from(byte == 0);
            self.odd += u64::from(matches!(byte, 1..=7 | 11 | 14..=26 | 28..=31 | 127));
        }
        self.see_utf8(bytes);
    }

    fn see_utf8(&mut self, bytes: &[u8]) {
        if self.is_not_utf8 {
            return;
        }
        let mut bytes = bytes;
        // A character that was cut off at the end of the last piece is put together first.
        while !self.cut.is_empty() {
            let Some((&next, rest)) = bytes.split_first() else { return };
            self.cut.push(next);
            bytes = rest;
            match std::str::from_utf8(&self.cut) {
                Ok(_) => self.cut.clear(),
                Err(error) if error.error_len().is_none() => {}
                Err(_) => {
                    self.is_not_utf8 = true;
                    return;
                }
            }
        }
        if let Err(error) = std::str::from_utf8(bytes) {
            match error.error_len() {
                None => self.cut = bytes[error.valid_up_to()..].to_vec(),
                Some(_) => self.is_not_utf8 = true,
            }
        }
    }

    /// The encoding with units of two bytes, if it is one: known from the very first bytes.
    pub(super) fn wide(&self) -> Option<Encoding> {
        self.wide
    }

    /// What it is, when all was seen.
    pub(super) fn encoding(&self) -> Encoding {
        self.judge(self.is_not_utf8 || !self.cut.is_empty())
    }

    /// What it probably is, when only its beginning was seen.
    pub(super) fn encoding_of_part(&self) -> Encoding {
        self.judge(self.is_not_utf8)
    }

    fn judge(&self, is_not_utf8: bool) -> Encoding {
        if let Some(wide) = self.wide {
            return wide;
        }
        if 0 < self.nuls || self.seen < self.odd.saturating_mul(20) {
            return Encoding::Binary;
        }
        if is_not_utf8 { Encoding::Latin1 } else { Encoding::Utf8 { has_mark: self.has_mark } }
    }
}

/// UTF-16 by its mark, or by every other byte of plain text being zero.
fn wide(head: &[u8]) -> Option<Encoding> {
    if head.starts_with(b"\xff\xfe") {
        return Some(Encoding::Utf16Le);
    }
    if head.starts_with(b"\xfe\xff") {
        return Some(Encoding::Utf16Be);
    }
    let head = &head[..head.len().min(1024) & !1];
    let count = |parity: usize, is_zero: bool| {
        head.iter().skip(parity).step_by(2).filter(|&&byte| (byte == 0) == is_zero).count()
    };
    let pairs = head.len() / 2;
    let is_text = |parity: usize| {
        let plain = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        head.iter().skip(parity).step_by(2).filter(|&&byte| plain(byte)).count() * 10 > pairs * 9
    };
    match pairs {
        0..4 => None,
        _ if count(1, true) * 10 > pairs * 9 && is_text(0) => Some(Encoding::Utf16Le),
        _ if count(0, true) * 10 > pairs * 9 && is_text(1) => Some(Encoding::Utf16Be),
        _ => None,
    }
}
