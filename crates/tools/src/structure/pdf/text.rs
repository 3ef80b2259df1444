//! What a page of a PDF file says in its largest letters: what a document without a title is called.
//!
//! Only text that is written plainly: in one byte a letter, as it is or packed. Fonts with numbers of their own say nothing
//! here.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::{hexadecimal, literal};

/// So many streams are looked into, and so much of each is unpacked.
const STREAMS: usize = 40;
const UNPACKED: u64 = 1 << 20;
/// A longer or shorter text is no title.
const LONGEST: usize = 120;
const SHORTEST: usize = 4;
/// More pieces of text on one page are not gathered.
const PIECES: usize = 4_000;
/// A step of so many thousandths of a letter is a space.
const SPACE: f64 = -180.0;

/// The words in the largest letters of the first page with text.
pub(super) fn heading(bytes: &[u8]) -> Option<String> {
    for at in memchr::memmem::find_iter(bytes, b"stream").take(STREAMS * 2) {
        if at.checked_sub(3).and_then(|before| bytes.get(before..at)) == Some(b"end") {
            continue;
        }
        let start = at.saturating_sub(600);
        let around = bytes.get(start..at)?;
        let head = around.get(memchr::memmem::rfind(around, b"obj").unwrap_or(0)..)?;
        let has = |word: &[u8]| memchr::memmem::find(head, word).is_some();
        if [&b"/Image"[..], b"/ObjStm", b"/XRef", b"/Length1", b"/FontFile", b"/Metadata", b"/CMapName"]
            .iter()
            .any(|word| has(word))
        {
            continue;
        }
        let data = bytes.get(at + b"stream".len()..)?;
        let data = data.strip_prefix(b"\r\n").or_else(|| data.strip_prefix(b"\n")).unwrap_or(data);
        let page = match (has(b"ASCII85Decode"), has(b"FlateDecode")) {
            (true, true) => inflated(&ascii85(data)),
            (false, true) => inflated(data),
            (true, false) => ascii85(data),
            (false, false) if has(b"/Filter") => continue,
            (false, false) => {
                let end = memchr::memmem::find(data.get(..data.len().min(1 << 20))?, b"endstream");
                data.get(..end.unwrap_or(0)).unwrap_or_default().to_vec()
            }
        };
        if memchr::memmem::find(&page, b"BT").is_some() && memchr::memmem::find(&page, b"Tf").is_some() {
            return largest(&page);
        }
    }
    None
}

fn inflated(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // What could be unpacked before a mistake still counts.
    let _ = ZlibDecoder::new(data).take(UNPACKED).read_to_end(&mut out);
    out
}

/// Five letters for four bytes, up to `~>`.
fn ascii85(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut sum, mut count) = (0_u32, 0_usize);
    for byte in data.iter().take(2 << 20) {
        match byte {
            b'~' => break,
            b'z' if count == 0 => out.extend([0; 4]),
            b'!'..=b'u' => {
                sum = sum.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                count += 1;
                if count == 5 {
                    out.extend(sum.to_be_bytes());
                    (sum, count) = (0, 0);
                }
            }
            _ => {}
        }
    }
    if 1 < count {
        for _ in count..5 {
            sum = sum.wrapping_mul(85).wrapping_add(84);
        }
        out.extend(sum.to_be_bytes().into_iter().take(count - 1));
    }
    out
}

/// The first words of a page that are written in its largest letters.
fn largest(page: &[u8]) -> Option<String> {
    let mut pieces: Vec<(f64, String)> = Vec::new();
    let (mut size, mut scale) = (0.0, 1.0);
    let mut numbers: Vec<f64> = Vec::new();
    let mut words = String::new();
    let mut at = 0;
    while let Some(byte) = page.get(at).filter(|_| pieces.len() < PIECES) {
        let rest = page.get(at..)?;
        match byte {
            b'(' => {
                let raw = literal(rest.get(..rest.len().min(4096))?);
                words.extend(raw.iter().map(|byte| char::from(*byte)));
                at += length_of(rest);
            }
            b'<' if rest.get(1) != Some(&b'<') => {
                let raw = hexadecimal(rest.get(..rest.len().min(4096))?);
                words.extend(raw.iter().map(|byte| char::from(*byte)));
                at += memchr::memchr(b'>', rest).map_or(rest.len(), |end| end + 1);
            }
            b'0'..=b'9' | b'-' | b'.' | b'+' => {
                let length =
                    rest.iter().take_while(|byte| byte.is_ascii_digit() || b"+-.".contains(byte)).count();
                let number = std::str::from_utf8(rest.get(..length)?).ok()?.parse().unwrap_or(0.0);
                if number <= SPACE && !words.is_empty() && !words.ends_with(' ') {
                    words.push(' ');
                }
                if numbers.len() < 8 {
                    numbers.push(number);
                }
                at += length;
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'\'' | b'"' | b'*' => {
                let length = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || b"'\"*".contains(byte))
                    .count();
                match rest.get(..length)? {
                    b"Tf" => size = numbers.last().copied().unwrap_or(0.0),
                    b"Tm" => scale = numbers.get(3).copied().unwrap_or(1.0).abs(),
                    b"BT" => scale = 1.0,
                    b"Tj" | b"TJ" | b"'" | b"\"" if !words.is_empty() => {
                        pieces.push((size * scale, std::mem::take(&mut words)));
                    }
                    _ => {}
                }
                words.clear();
                numbers.clear();
                at += length;
            }
            b'/' => {
                at += 1 + rest.get(1..)?.iter().take_while(|byte| !b" /<>[]()\r\n\t".contains(byte)).count()
            }
            _ => at += 1,
        }
    }
    let most = pieces.iter().map(|(size, _)| *size).fold(0.0, f64::max);
    let is_largest = |size: f64| (most - size).abs() < 0.01;
    let is_one_size = pieces.iter().all(|(size, _)| is_largest(*size));
    let first = pieces.iter().position(|(size, words)| is_largest(*size) && !words.trim().is_empty())?;
    let run = pieces.get(first..)?.iter().take_while(|(size, _)| is_largest(*size));
    let run: Vec<&str> = run.map(|(_, words)| words.trim()).collect();
    // Where all letters are of one size, the first line is all there is to go by.
    let text = if is_one_size { run.first()?.to_string() } else { run.join(" ") };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_plain = text.chars().all(|letter| !letter.is_control() && u32::from(letter) < 0x250);
    let fits = (SHORTEST..=LONGEST).contains(&text.chars().count());
    (fits && is_plain && text.chars().count() <= letters * 2).then_some(text)
}

/// How many bytes a text in brackets takes.
fn length_of(bytes: &[u8]) -> usize {
    let mut depth = 0_u32;
    let mut rest = bytes.iter().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'\\' => drop(rest.next()),
            b'(' => depth += 1,
            b')' if depth <= 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_letters_are_the_heading() {
        let page = b"BT /F1 11 Tf 72 760 Td (Department of walks) Tj ET BT 1 0 0 1 72 700 Tm /F2 20 Tf [(Informed)-250(con)10(sent)] TJ T* (form) Tj ET BT /F1 11 Tf (I agree.) Tj ET";
        assert_eq!(largest(page).as_deref(), Some("Informed consent form"));
        assert_eq!(largest(b"BT /F1 9 Tf (Receipt) Tj (12.50) Tj ET").as_deref(), Some("Receipt"));
        // Fonts with numbers of their own.
        assert_eq!(largest(b"BT /F1 9 Tf <0003000400050006> Tj ET"), None);
        assert_eq!(ascii85(b"87cURD]i,\"Ebo80~>"), b"Hello World!");
        let file =
            [b"4 0 obj << /Length 9 >> stream\n".to_vec(), page.to_vec(), b"\nendstream".to_vec()].concat();
        assert_eq!(heading(&file).as_deref(), Some("Informed consent form"));
        for end in 0..file.len() {
            let _ = heading(&file[..end]);
            let _ = largest(&file[end..]);
        }
    }
}
