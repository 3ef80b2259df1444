//! The headers of a tar file, perhaps inside gzip.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{Archive, ArchiveFormat};

/// Most bytes that are unpacked on the way from header to header.
const MOST_UNPACKED: u64 = 64 << 20;

/// Longest name that is kept.
const MOST_NAME: u64 = 4_096;

/// The headers of a tar file.
pub(super) fn list(bytes: &[u8], format: ArchiveFormat) -> Option<Archive> {
    let mut archive = Archive::new(format);
    read(&mut archive, bytes)?;
    Some(archive)
}

/// A gzip file: a tar inside, or one file.
pub(super) fn list_compressed(bytes: &[u8]) -> Archive {
    let mut archive = Archive::new(ArchiveFormat::TarGzip);
    let reader = MultiGzDecoder::new(bytes).take(MOST_UNPACKED);
    if read(&mut archive, reader).is_some() {
        return archive;
    }
    let mut archive = Archive::new(ArchiveFormat::Gzip);
    let decoder = flate2::read::GzDecoder::new(bytes);
    let name = decoder.header().and_then(|header| header.filename()).unwrap_or(b"(no name)").to_vec();
    let tail = bytes.get(bytes.len().saturating_sub(4)..).unwrap_or_default();
    let size = tail.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    archive.push(&name, size, false);
    archive
}

/// Goes from header to header; `None` if the first block is none.
fn read(archive: &mut Archive, mut reader: impl Read) -> Option<()> {
    let mut block = [0_u8; 512];
    let mut long_name: Option<Vec<u8>> = None;
    let mut is_first = true;
    loop {
        if reader.read_exact(&mut block).is_err() {
            archive.is_partial = true;
            return (!is_first).then_some(());
        }
        if block.iter().all(|byte| *byte == 0) {
            return (!is_first).then_some(());
        }
        if !has_checksum(&block) {
            archive.is_partial = true;
            return (!is_first).then_some(());
        }
        is_first = false;
        let size = number(block.get(124..136).unwrap_or_default());
        let padded = size.div_ceil(512).saturating_mul(512);
        match block.get(156) {
            // Names too long for the header stand in a file of their own before it.
            Some(kind @ (b'L' | b'x')) => {
                let mut data = Vec::new();
                let kept = size.min(MOST_NAME);
                let _ = reader.by_ref().take(kept).read_to_end(&mut data);
                pass(&mut reader, padded - kept);
                long_name = if *kind == b'L' {
                    Some(until_zero(&data).to_vec())
                } else {
                    pax_path(&data).or(long_name)
                };
            }
            Some(b'g' | b'K') => pass(&mut reader, padded),
            kind => {
                let name = long_name.take().unwrap_or_else(|| short_name(&block));
                archive.push(&name, size, kind == Some(&b'5'));
                pass(&mut reader, padded);
            }
        }
    }
}

fn pass(reader: &mut impl Read, length: u64) {
    let _ = std::io::copy(&mut reader.by_ref().take(length), &mut std::io::sink());
}

fn short_name(block: &[u8; 512]) -> Vec<u8> {
    let name = until_zero(block.get(..100).unwrap_or_default());
    let prefix = until_zero(block.get(345..500).unwrap_or_default());
    let is_ustar = block.get(257..262) == Some(b"ustar");
    if is_ustar && !prefix.is_empty() { [prefix, b"/", name].concat() } else { name.to_vec() }
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The path in a header of `length key=value` lines.
fn pax_path(data: &[u8]) -> Option<Vec<u8>> {
    let at = memchr::memmem::find(data, b" path=")? + b" path=".len();
    data.get(at..)?.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec)
}

/// A number in octal digits, or in binary where the first bit is set.
fn number(field: &[u8]) -> u64 {
    if field.first().is_some_and(|byte| byte & 0x80 != 0) {
        return field.iter().skip(4).fold(0, |number, byte| number << 8 | u64::from(*byte));
    }
    let digits = field.iter().filter(|byte| (b'0'..=b'7').contains(*byte));
    digits.fold(0_u64, |number, byte| number.saturating_mul(8).saturating_add(u64::from(byte - b'0')))
}

/// Whether the sum in a header is that of its bytes.
fn has_checksum(block: &[u8; 512]) -> bool {
    let written = number(block.get(148..156).unwrap_or_default());
    let bytes = block.iter().enumerate();
    let sum: u64 =
        bytes.map(|(at, byte)| u64::from(if (148..156).contains(&at) { b' ' } else { *byte })).sum();
    sum == written
}
