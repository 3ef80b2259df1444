//! Where the secrets of a file stand, in its bytes as they are stored: whoever shows a part of it masks by these, wherever
//! the part begins.

use std::fs::File;
use std::io;
use std::ops::Range;

use luminos_core::RelPath;
use luminos_core::secrets::{Secret, SecretPieces, TextKind, blank_out, find_secrets};

use super::{Encoding, Guess, read_full};
use crate::root::Opened;

/// Files up to this size are gone through as a whole; of others what stands around a range.
pub(super) const WHOLE: u64 = 8 << 20;
/// So much is looked at on both sides of a range of a larger file.
const AROUND: u64 = 64 << 10;
/// So much is looked at to know how a file is written.
const LOOKED_AT: usize = 4_096;
/// The names of columns stand in the first line of a table.
const HEAD: usize = 16 << 10;

/// The secrets in the bytes of a file.
pub(crate) fn secrets_of(bytes: &[u8], encoding: Encoding, name: &RelPath) -> Vec<Secret> {
    let kind = TextKind::from_name(name.as_bytes());
    if encoding.unit() == 1 {
        return find_secrets(bytes, kind);
    }
    let read = if encoding == Encoding::Utf16Le { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    // The text, and for each of its bytes the place of the unit that it comes from.
    let (mut text, mut places, mut at) = (String::new(), Vec::new(), 0);
    for unit in char::decode_utf16(units) {
        let letter = unit.unwrap_or('\u{fffd}');
        text.push(letter);
        places.resize(text.len(), at);
        at += 2 * letter.len_utf16();
    }
    places.push(at);
    let place = |byte: usize| places.get(byte).copied().unwrap_or(at);
    let mut secrets = find_secrets(text.as_bytes(), kind);
    for secret in &mut secrets {
        (secret.start, secret.end, secret.whole) =
            (place(secret.start), place(secret.end), place(secret.whole));
    }
    secrets
}

/// The secrets of a file, by its descriptor: those that touch a range.
pub(super) fn secrets_in(
    file: &File,
    size: u64,
    encoding: Encoding,
    name: &RelPath,
    range: Range<u64>,
) -> io::Result<Vec<Secret>> {
    let from = if size <= WHOLE { 0 } else { range.start.saturating_sub(AROUND) & !1 };
    let to = if size <= WHOLE { size } else { range.end.saturating_add(AROUND).min(size) };
    let mut bytes = Vec::new();
    if 0 < from && TextKind::from_name(name.as_bytes()) == TextKind::Table {
        bytes = vec![0; HEAD];
        let length = read_full(file, &mut bytes, 0)?;
        bytes.truncate(memchr::memchr(b'\n', &bytes[..length]).map_or(0, |end| end + 1));
    }
    let head = bytes.len();
    bytes.resize(head + usize::try_from(to.saturating_sub(from)).unwrap_or(0), 0);
    let length = read_full(file, &mut bytes[head..], from)?;
    bytes.truncate(head + length);
    let mut secrets = secrets_of(&bytes, encoding, name);
    secrets.retain(|secret| head <= secret.start);
    let shift = |place: usize| place.saturating_sub(head) + usize::try_from(from).unwrap_or(usize::MAX);
    for secret in &mut secrets {
        (secret.start, secret.end, secret.whole) =
            (shift(secret.start), shift(secret.end), shift(secret.whole));
    }
    Ok(secrets)
}

/// Adds the secrets of a whole file to those that are recognised in the output of programs.
pub(crate) fn add_pieces(opened: &Opened, pieces: &mut SecretPieces) -> io::Result<()> {
    let mut start = 0;
    while start < opened.stamp.size {
        let length = WHOLE.min(opened.stamp.size - start);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        let read = read_full(&opened.file, &mut bytes, start)?;
        bytes.truncate(read);
        let mut guess = Guess::default();
        guess.see(&bytes[..bytes.len().min(LOOKED_AT)]);
        pieces.add(&bytes, &secrets_of(&bytes, guess.encoding_of_part(), &opened.name));
        if start + length == opened.stamp.size || read == 0 {
            break;
        }
        // What stands where two pieces of a file meet is seen whole in one of them.
        start += length - AROUND;
    }
    Ok(())
}

/// A part of a file as UTF-8, with a mark in the place of each secret. The part begins at `start` in the file.
pub(crate) fn decode_redacted(bytes: &[u8], start: u64, encoding: Encoding, secrets: &[Secret]) -> Vec<u8> {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let end = start.saturating_add(bytes.len());
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), start);
    for secret in secrets.iter().filter(|secret| start < secret.end && secret.start < end) {
        let (from, to) = (secret.start.max(at), secret.end.min(end));
        out.extend(encoding.decode(&bytes[at - start..from - start]));
        out.extend_from_slice(format!("[redacted {}]", secret.kind.name).as_bytes());
        at = to.max(at);
    }
    out.extend(encoding.decode(&bytes[at - start..]));
    out
}

/// Writes over the secrets of a file's bytes; every other byte stays where it is.
pub(crate) fn blank_secrets(bytes: &mut [u8], encoding: Encoding, secrets: &[Secret]) {
    if encoding.unit() == 1 {
        blank_out(bytes, secrets);
        return;
    }
    let low = usize::from(encoding == Encoding::Utf16Be);
    for secret in secrets {
        for pair in bytes.get_mut(secret.range()).unwrap_or_default().chunks_exact_mut(2) {
            (pair[low], pair[1 - low]) = (b'x', 0);
        }
    }
}
