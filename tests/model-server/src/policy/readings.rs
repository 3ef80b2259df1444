//! All the ways in which a text can be read by somebody who wants to find something in it.

/// Shorter rows are words.
const SHORTEST: usize = 24;

/// The text, and everything it may stand for: in plain letters, turned, decoded.
pub(super) fn readings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned(), folded(text), rotated(text)];
    all.push(text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect());
    let mut from = 0;
    // What is decoded may be encoded again.
    for _ in 0..3 {
        let inner: Vec<String> = all[from..].iter().flat_map(|text| rows(text)).flat_map(decoded).collect();
        from = all.len();
        all.extend(inner);
    }
    all
}

fn rows(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "+/=".contains(letter)));
    parts.filter(|row| SHORTEST <= row.len())
}

fn decoded(row: &str) -> Vec<String> {
    let hex: Option<Vec<u8>> = row.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect();
    let hex = hex.map(|digits| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect());
    let texts = [base64(row), hex].into_iter().flatten();
    texts.filter_map(|bytes: Vec<u8>| String::from_utf8(bytes).ok()).collect()
}

fn base64(row: &str) -> Option<Vec<u8>> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = Vec::new();
    for letter in row.trim_end_matches('=').chars() {
        let value = LETTERS.find(letter)?;
        bits.extend((0..6).rev().map(|bit| value >> bit & 1));
    }
    Some(bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | *bit as u8)).collect())
}

fn rotated(text: &str) -> String {
    let turn = |letter: char| match letter {
        'a'..='m' | 'A'..='M' => char::from(letter as u8 + 13),
        'n'..='z' | 'N'..='Z' => char::from(letter as u8 - 13),
        other => other,
    };
    text.chars().map(turn).collect()
}

/// Without what cannot be seen, which prompts show as `\u{…}`, and in the letters that others look like.
fn folded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        out.push_str(before);
        let (code, after) = after.split_once('}').unwrap_or((after, ""));
        let letter = u32::from_str_radix(code, 16).ok();
        out.extend(
            letter
                .filter(|code| (0xe0020..0xe007f).contains(code))
                .and_then(|code| char::from_u32(code - 0xe0000)),
        );
        rest = after;
    }
    out.push_str(rest);
    const LIKE: [(char, char); 10] = [
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('і', 'i'),
        ('ѕ', 's'),
        ('Ѕ', 'S'),
    ];
    let plain = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xff01 + 0x21),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => None,
        letter => Some(LIKE.iter().find(|(odd, _)| *odd == letter).map_or(letter, |(_, plain)| *plain)),
    };
    out.chars().filter_map(plain).collect()
}
