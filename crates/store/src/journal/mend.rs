//! Lines as they were before a bit of them turned.
//!
//! A turned bit is the commonest damage there is, and a line carries a check that tells when it has been undone. So what
//! somebody paid for, and what stands in a ledger, need not be lost for it.

use sha2::{Digest as _, Sha256};

use super::line::{self, DIGITS, TAIL};

/// Longer stretches are not tried: the time grows with the square of the length, and this takes a second or two.
pub(super) const LONGEST: usize = 64 << 10;

/// A stretch of lines as it was, if one turned bit is all that is wrong with it.
pub(super) fn undo_one_bit(damaged: &[u8]) -> Option<Vec<u8>> {
    if LONGEST < damaged.len() {
        return None;
    }
    let mut bytes = damaged.to_vec();
    let near_line_ends = (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, 1_u8 << bit)));
    let near_line_ends: Vec<(usize, u8)> =
        near_line_ends.filter(|(at, bit)| bytes[*at] == b'\n' || bytes[*at] ^ bit == b'\n').collect();
    // A line end that was lost, or one too many.
    for (at, bit) in near_line_ends {
        bytes[at] ^= bit;
        if is_whole(&bytes) {
            return Some(bytes);
        }
        bytes[at] ^= bit;
    }
    let text = damaged.strip_suffix(b"\n")?;
    if text.contains(&b'\n') {
        return None;
    }
    let (at, bit) = turned_in_body(text).or_else(|| turned_in_tail(text))?;
    bytes[at] ^= bit;
    Some(bytes)
}

/// Whether these are lines, each whole and with its end.
fn is_whole(bytes: &[u8]) -> bool {
    bytes
        .strip_suffix(b"\n")
        .is_some_and(|lines| lines.split(|byte| *byte == b'\n').all(|line| line::parse(line).is_ok()))
}

/// The bit that makes a line fit its check.
fn turned_in_body(line: &[u8]) -> Option<(usize, u8)> {
    let (body, wanted) = line::split(line)?;
    let mut before = Sha256::new();
    for (at, byte) in body.iter().enumerate() {
        for bit in (0..8).map(|bit| 1_u8 << bit) {
            let mut hash = before.clone();
            hash.update([byte ^ bit]);
            hash.update(&body[at + 1..]);
            if line::digits(&hash.finalize()).as_bytes() == wanted {
                return Some((at, bit));
            }
        }
        before.update([*byte]);
    }
    None
}

/// The bit of the check itself, or of what stands around it.
fn turned_in_tail(line: &[u8]) -> Option<(usize, u8)> {
    let start = line.len().checked_sub(TAIL)?;
    let digits = line::digits(&Sha256::digest(&line[..start]));
    debug_assert_eq!(digits.len(), DIGITS);
    let right = line::tail(&digits);
    let mut turned = line[start..].iter().zip(&right).enumerate().filter(|(_, (is, was))| is != was);
    let (at, (is, was)) = turned.next()?;
    let bits = is ^ was;
    (turned.next().is_none() && bits.is_power_of_two()).then_some((start + at, bits))
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, header, render, words};
    use super::*;

    #[test]
    fn every_turned_bit_is_undone_wherever_it_is() {
        let mut lines = header(Kind::Transcript, "src");
        for seq in 1..3 {
            let body = words(&serde_json::json!({"said": "some words\nand more ü"})).unwrap();
            render(&mut lines, seq, None, &body);
        }
        // What lies between two good lines: the line itself, or two where its end is concerned.
        let ends: Vec<usize> = (0..lines.len()).filter(|at| lines[*at] == b'\n').collect();
        let second = ends[0] + 1..ends[1] + 1;
        let both = ends[0] + 1..ends[2] + 1;
        for at in second.clone() {
            for bit in (0..8).map(|bit| 1_u8 << bit) {
                let is_end = lines[at] == b'\n';
                let whole = if is_end { &lines[both.clone()] } else { &lines[second.clone()] };
                let mut damaged = whole.to_vec();
                damaged[at - second.start] ^= bit;
                assert_eq!(undo_one_bit(&damaged).as_deref(), Some(whole), "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn more_than_one_bit_is_not_guessed() {
        let mut line = header(Kind::Budget, "x");
        line[10] ^= 3;
        assert_eq!(undo_one_bit(&line), None);
        line[30] ^= 8;
        assert_eq!(undo_one_bit(&line), None);
        assert_eq!(undo_one_bit(b"\n"), None);
        assert_eq!(undo_one_bit(&vec![b'x'; LONGEST + 1]), None);
    }
}
