//! Bodies between words: Lua.

use super::scanner::{Scanner, Token};
use super::words::{LUA, is_name};
use super::{LEAST, Measured, Skim};

/// How often the text may be scanned in vain before nothing more is left out.
const MOST_VAIN: usize = 3;

/// Something that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Ends with `end` or `until`.
    Block,
    /// A bracket of any kind.
    Bracket,
}

/// Whether the function around has a name, so that functions without one are its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Named,
    Unnamed,
}

/// The text without bodies, and without tables that hold no functions.
pub(super) fn skim(text: &[u8]) -> Skim {
    let mut skim = Skim { text: Vec::with_capacity(text.len() / 2), ..Skim::default() };
    let mut scanner = Scanner::new(text, LUA);
    let mut open: Vec<Open> = Vec::new();
    let (mut kept_from, mut rows_cut, mut vain) = (0, 0, 0_usize);
    while let Some(token) = scanner.next() {
        let before = scanner.last[1];
        let body = match token {
            Token::Word(b"function") => {
                let is_bound = before == b'=' && open.last() != Some(&Open::Bracket);
                let around =
                    if is_bound || is_name(scanner.peek()) { Around::Named } else { Around::Unnamed };
                pass_parameters(&mut scanner).then_some((around, 3))
            }
            Token::Byte(b'{') => Some((Around::Unnamed, 1)),
            Token::Word(b"do" | b"if" | b"repeat") => {
                open.push(Open::Block);
                None
            }
            Token::Word(b"end" | b"until") => {
                // A bracket that is still open was none of ours.
                while open.pop().is_some_and(|last| last == Open::Bracket) {}
                None
            }
            Token::Byte(b'(' | b'[') => {
                open.push(Open::Bracket);
                None
            }
            Token::Byte(b')' | b']' | b'}') => {
                open.pop_if(|last| *last == Open::Bracket);
                None
            }
            Token::Word(_) | Token::Byte(_) => None,
        };
        let Some((around, end)) = body else { continue };
        if vain <= MOST_VAIN * text.len() {
            let (start, first_row) = (scanner.at, scanner.row);
            let mut body = scanner.clone();
            let measured = if end == 1 { measure_table(&mut body) } else { measure(around, &mut body) };
            let close = body.at.saturating_sub(end);
            match measured {
                Some(measured) if LEAST < close - start => {
                    let rows = body.row - first_row;
                    skim.text.extend_from_slice(text.get(kept_from..start).unwrap_or_default());
                    skim.text.push(if 0 < rows { b'\n' } else { b' ' });
                    rows_cut += rows.saturating_sub(1);
                    skim.push(body.row - rows_cut + 1, rows.saturating_sub(1), measured);
                    kept_from = close;
                    scanner = body;
                    continue;
                }
                _ => vain += body.at - start,
            }
        }
        open.push(if end == 1 { Open::Bracket } else { Open::Block });
    }
    skim.code_lines = scanner.code_rows;
    skim.text.extend_from_slice(text.get(kept_from..).unwrap_or_default());
    skim
}

/// Goes behind the parameters of a function.
fn pass_parameters(scanner: &mut Scanner<'_>) -> bool {
    while let Some(token) = scanner.next() {
        match token {
            Token::Byte(b')') => return true,
            Token::Word(_) | Token::Byte(b'(' | b',' | b'.' | b':') => {}
            Token::Byte(_) => return false,
        }
    }
    false
}

/// Whether a word belongs into an outline: `require "x"`, `it("does this", …)`.
fn is_kept(word: &[u8], scanner: &Scanner<'_>) -> bool {
    matches!(word, b"require" | b"it" | b"pending")
        && !matches!(scanner.last[1], b'.' | b':')
        && matches!(scanner.peek(), b'(' | b'"' | b'\'' | b'[')
}

/// Goes to the end of a body and counts; `None` if it must stay.
fn measure(around: Around, scanner: &mut Scanner<'_>) -> Option<Measured> {
    let mut measured = Measured::default();
    // For each open block, whether it is a condition or loop.
    let mut open = vec![false];
    let mut depth = 0_u32;
    let mut is_loop = false;
    while let Some(token) = scanner.next() {
        let Token::Word(word) = token else { continue };
        match word {
            b"function" => {
                if is_name(scanner.peek()) || around == Around::Unnamed && scanner.last[1] == b'=' {
                    return None;
                }
                open.push(false);
            }
            b"if" | b"repeat" => {
                measured.branches += 1;
                depth += 1;
                open.push(true);
            }
            b"for" | b"while" => {
                measured.branches += 1;
                is_loop = true;
            }
            b"do" => {
                depth += u32::from(is_loop);
                open.push(is_loop);
                is_loop = false;
            }
            b"elseif" | b"and" | b"or" => measured.branches += 1,
            b"end" | b"until" => {
                depth -= u32::from(open.pop()?);
                if open.is_empty() {
                    return (word == b"end").then_some(measured);
                }
            }
            word if is_kept(word, scanner) => return None,
            _ => {}
        }
        measured.nesting = measured.nesting.max(depth);
    }
    None
}

/// Goes to the end of a table; `None` if it must stay because there are functions in it.
fn measure_table(scanner: &mut Scanner<'_>) -> Option<Measured> {
    let mut measured = Measured::default();
    let mut open = 1_u32;
    while let Some(token) = scanner.next() {
        match token {
            Token::Byte(b'{') => open += 1,
            Token::Byte(b'}') => {
                open -= 1;
                if open == 0 {
                    return Some(measured);
                }
            }
            Token::Word(b"function") => return None,
            Token::Word(b"and" | b"or") => measured.branches += 1,
            Token::Word(word) if is_kept(word, scanner) => return None,
            Token::Word(_) | Token::Byte(_) => {}
        }
    }
    None
}
