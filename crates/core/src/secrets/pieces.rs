//! Pieces of secrets in the output of a program that has read files with secrets in them.
//!
//! A program may show any part of a line, in any order, with anything before it. So what it shows is compared with the
//! secrets themselves: every piece of eight bytes and more is taken out.

use std::collections::HashSet;
use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::{Secret, TextKind, find_secrets, is_random};

/// The shortest piece that is recognised.
const PIECE: usize = 8;
/// A shorter secret is recognised as a whole, if it is no shorter than this.
const SHORTEST: usize = 5;
/// More pieces are not kept.
const MOST: usize = 4 << 20;
/// What takes the place of a piece.
const MARK: &[u8] = b"[redacted secret]";

/// A word of so many characters that looks random counts as a secret where not all secrets are known.
const LONG: usize = 16;

/// The secrets of files, for recognising pieces of them.
#[derive(Debug, Default)]
pub struct SecretPieces {
    pieces: HashSet<[u8; PIECE]>,
    wholes: HashSet<Vec<u8>>,
    is_full: bool,
}

impl SecretPieces {
    /// Adds the secrets of a file.
    pub fn add(&mut self, text: &[u8], secrets: &[Secret]) {
        for secret in secrets {
            let Some(bytes) = text.get(secret.range()) else { continue };
            // A plain word would be taken out wherever it stands, so it counts only as a whole, and only if it is long.
            let is_plain = bytes.iter().all(u8::is_ascii_lowercase);
            let is_short = bytes.len() < PIECE;
            if is_plain || is_short {
                if if is_plain { PIECE <= bytes.len() } else { SHORTEST <= bytes.len() } {
                    self.wholes.insert(bytes.to_vec());
                }
                continue;
            }
            if MOST < self.pieces.len() {
                self.is_full = true;
                return;
            }
            let is_piece = |piece: &&[u8]| {
                !piece.iter().all(u8::is_ascii_lowercase) && piece.iter().collect::<HashSet<_>>().len() > 2
            };
            self.pieces.extend(
                bytes.windows(PIECE).filter(is_piece).filter_map(|piece| <[u8; PIECE]>::try_from(piece).ok()),
            );
        }
    }

    /// Tells that there are secrets that were not added: from then on whatever looks like one is taken out.
    pub fn set_incomplete(&mut self) {
        self.is_full = true;
    }

    /// The output without pieces of secrets, and without what is a secret by itself.
    pub fn redact(&self, output: &[u8]) -> Vec<u8> {
        let mut secret = vec![false; output.len()];
        let mut mark = |from: usize, to: usize| secret[from..to].iter_mut().for_each(|byte| *byte = true);
        if !self.pieces.is_empty() {
            for (at, piece) in output.windows(PIECE).enumerate() {
                if <&[u8; PIECE]>::try_from(piece).is_ok_and(|piece| self.pieces.contains(piece)) {
                    mark(at, at + PIECE);
                }
            }
        }
        if let Some(wholes) = (!self.wholes.is_empty()).then(|| AhoCorasick::new(&self.wholes).ok()).flatten()
        {
            wholes.find_overlapping_iter(output).for_each(|found| mark(found.start(), found.end()));
        }
        for found in find_secrets(output, TextKind::Other) {
            mark(found.start, found.end);
        }
        if self.is_full {
            random_words(output).for_each(|word| mark(word.start, word.end));
        }
        let mut out = Vec::with_capacity(output.len());
        let mut was_secret = false;
        for (byte, is_secret) in output.iter().zip(secret) {
            // Lines stay lines.
            if !is_secret || *byte == b'\n' {
                out.push(*byte);
                was_secret = false;
            } else if !was_secret {
                out.extend_from_slice(MARK);
                was_secret = true;
            }
        }
        out
    }
}

/// Words that look like keys.
fn random_words(output: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-');
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < output.len() {
            let start = at + output[at..].iter().take_while(|byte| !is_part(byte)).count();
            let end = start + output[start..].iter().take_while(|byte| is_part(byte)).count();
            at = end;
            let word = std::str::from_utf8(&output[start..end]).unwrap_or_default();
            if LONG <= word.len() && is_random(word) {
                return Some(start..end);
            }
        }
        None
    })
}
