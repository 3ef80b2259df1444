//! How a text can be made to look like another one, undone: look-alike letters, invisible characters, encodings.

/// The text in the plain letters that it looks like, without what cannot be seen.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter_map(plain).collect()
}

fn plain(letter: char) -> Option<char> {
    let code = u32::from(letter);
    let ascii = |code: u32| char::from_u32(code);
    Some(match letter {
        _ if letter.is_ascii() => letter,
        // Without a width, or only marks on the letter before.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => {
            return None;
        }
        '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{300}'..='\u{36f}' => {
            return None;
        }
        '\u{e0100}'..='\u{e01ef}' | '\u{e0001}' | '\u{e007f}' | '\u{115f}' | '\u{3164}' => return None,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        // Copies of the whole alphabet.
        '\u{e0020}'..='\u{e007e}' => return ascii(code - 0xe0000),
        '\u{ff01}'..='\u{ff5e}' => return ascii(code - 0xff01 + 0x21),
        '\u{24b6}'..='\u{24e9}' => return ascii(u32::from(b'a') + (code - 0x24b6) % 26),
        '\u{1d400}'..='\u{1d6a3}' => return ascii(u32::from(b'a') + (code - 0x1d400) % 52 % 26),
        // Letters of other alphabets.
        'а' | 'А' | 'α' | 'Α' | 'ɑ' => 'a',
        'в' | 'В' | 'Β' | 'Ь' => 'b',
        'с' | 'С' | 'ϲ' | 'Ϲ' => 'c',
        'ԁ' | 'ɗ' => 'd',
        'е' | 'Е' | 'ε' | 'Ε' | 'є' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'Н' | 'Η' | 'հ' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ı' | 'ɩ' => 'i',
        'ј' | 'Ј' | 'ϳ' => 'j',
        'к' | 'К' | 'κ' | 'Κ' => 'k',
        'ӏ' | 'Ӏ' | 'ⅼ' => 'l',
        'м' | 'М' | 'Μ' => 'm',
        'ո' | 'Ν' | 'п' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' | 'σ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ԛ' => 'q',
        'г' | 'ꭇ' => 'r',
        'ѕ' | 'Ѕ' | 'ꜱ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'υ' | 'ս' | 'ц' => 'u',
        'ν' | 'ѵ' => 'v',
        'ѡ' | 'ԝ' | 'ω' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' => 'y',
        'ᴢ' | 'Ζ' => 'z',
        other => other,
    })
}

/// Each letter thirteen further, which is its own undoing.
pub(super) fn rotated(text: &str) -> String {
    let turn = |letter: char| match letter {
        'a'..='m' | 'A'..='M' => char::from(letter as u8 + 13),
        'n'..='z' | 'N'..='Z' => char::from(letter as u8 - 13),
        other => other,
    };
    text.chars().map(turn).collect()
}

/// Back to front.
pub(super) fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// What a row means as base64, in either alphabet.
pub(super) fn from_base64(row: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(row.len() * 3 / 4);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in row.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if 8 <= bits {
            bits -= 8;
            out.push((held >> bits) as u8);
        }
    }
    Some(out)
}

/// What a row means as hexadecimal digits.
pub(super) fn from_hex(row: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        row.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Whether an escape of programs, pages or addresses may begin here.
pub(super) fn is_mark(text: &[u8]) -> bool {
    matches!(text, [b'\\', b'x' | b'u', ..] | [b'&', b'#', ..] | [b'%', ..])
}

/// The text with escapes of programs, pages and addresses as what they stand for; `None` if it has hardly any.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut count = 0;
    while let Some(letter) = rest.chars().next() {
        let meant = if matches!(letter, '\\' | '&' | '%') { escape(rest) } else { None };
        let (meant, length) = meant.unwrap_or((letter, letter.len_utf8()));
        count += usize::from(length != letter.len_utf8());
        out.extend_from_slice(meant.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[length..];
    }
    (4 <= count).then(|| String::from_utf8_lossy(&out).into_owned())
}

/// The character that an escape at the beginning stands for, and its length.
fn escape(text: &str) -> Option<(char, usize)> {
    let number = |digits: &str, radix: u32, length: usize| {
        Some((u32::from_str_radix(digits, radix).ok().and_then(char::from_u32)?, length))
    };
    if let Some(after) = text.strip_prefix("\\x") {
        return number(after.get(..2)?, 16, 4);
    }
    if let Some(after) = text.strip_prefix("\\u") {
        return number(after.get(..4)?, 16, 6);
    }
    if let Some(after) = text.strip_prefix('%') {
        return number(after.get(..2)?, 16, 3);
    }
    let after = text.strip_prefix("&#")?;
    let (digits, _) = after.split_at_checked(after.find(';').filter(|end| *end <= 8)?)?;
    let length = 2 + digits.len() + 1;
    match digits.strip_prefix(['x', 'X']) {
        Some(digits) => number(digits, 16, length),
        None => number(digits, 10, length),
    }
}
