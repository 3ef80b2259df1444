//! Pieces of secrets in the output of a program that has read files with secrets in them.
//!
//! A program may show any part of a line, in any order, with anything before it. So what it shows is compared with the
//! secrets themselves: every piece of eight bytes and more is taken out.

use std::collections::HashSet;

use super::{Secret, TextKind, find_secrets};

/// The shortest piece that is recognised.
const PIECE: usize = 8;
/// A shorter secret is recognised as a whole, if it is no shorter than this.
const SHORTEST: usize = 5;
/// More pieces are not kept.
const MOST: usize = 4 << 20;
/// What takes the place of a piece.
const MARK: &[u8] = b"[redacted secret]";

/// The secrets of files, for recognising pieces of them.
#[derive(Debug, Default)]
pub struct SecretPieces {
    pieces: HashSet<[u8; PIECE]>,
    short: HashSet<Vec<u8>>,
    is_full: bool,
}

impl SecretPieces {
    /// Adds the secrets of a file.
    pub fn add(&mut self, text: &[u8], secrets: &[Secret]) {
        for secret in secrets {
            let Some(bytes) = text.get(secret.range()) else { continue };
            if bytes.len() < PIECE {
                // A plain word would be taken out wherever it stands.
                if SHORTEST <= bytes.len() && bytes.iter().any(u8::is_ascii_digit) {
                    self.short.insert(bytes.to_vec());
                }
                continue;
            }
            if MOST < self.pieces.len() {
                self.is_full = true;
                return;
            }
            let is_piece = |piece: &&[u8]| piece.iter().collect::<HashSet<_>>().len() > 2;
            self.pieces.extend(bytes.windows(PIECE).filter(is_piece).filter_map(|piece| <[u8; PIECE]>::try_from(piece).ok()));
        }
    }

    /// Whether there were more secrets than are kept.
    pub fn is_full(&self) -> bool {
        self.is_full
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
        for short in &self.short {
            for (at, _) in output.windows(short.len()).enumerate().filter(|(_, part)| part == short) {
                mark(at, at + short.len());
            }
        }
        for found in find_secrets(output, TextKind::Other) {
            mark(found.start, found.end);
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
