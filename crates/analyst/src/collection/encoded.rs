//! Words in headers of mails that are not ASCII: `=?utf-8?q?Gr=C3=BC=C3=9Fe?=`.

/// The header as people read it.
pub(super) fn words(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("=?") {
        let Some((word, behind)) = decoded(after) else {
            out.push_str(before);
            out.push_str("=?");
            rest = after;
            continue;
        };
        // Spaces between two encoded words are not part of them.
        if !before.trim().is_empty() || out.is_empty() {
            out.push_str(before);
        }
        out.push_str(&word);
        rest = behind;
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// A word after its `=?`, and what follows it.
fn decoded(text: &str) -> Option<(String, &str)> {
    let (charset, rest) = text.split_once('?')?;
    let (form, rest) = rest.split_once('?')?;
    let (body, behind) = rest.split_once("?=")?;
    let bytes = match form {
        "q" | "Q" => quoted_printable(body),
        "b" | "B" => base64(body)?,
        _ => return None,
    };
    let is_utf8 = charset.to_ascii_lowercase().starts_with("utf-8");
    let word = match String::from_utf8(bytes) {
        Ok(word) => word,
        Err(fault) if is_utf8 => String::from_utf8_lossy(fault.as_bytes()).into_owned(),
        Err(fault) => fault.as_bytes().iter().map(|byte| char::from(*byte)).collect(),
    };
    Some((word, behind))
}

fn quoted_printable(body: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = body.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'_' => out.push(b' '),
            b'=' => {
                let digits = [bytes.next().unwrap_or(b'3'), bytes.next().unwrap_or(b'f')];
                let number =
                    std::str::from_utf8(&digits).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok());
                out.push(number.unwrap_or(b'?'));
            }
            byte => out.push(byte),
        }
    }
    out
}

fn base64(body: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for byte in body.bytes().filter(|byte| *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xff_ffff;
        held += 6;
        if 8 <= held {
            held -= 8;
            out.push((bits >> held & 0xff) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn encoded_words_are_read_and_others_stay() {
        assert_eq!(words("=?utf-8?q?Gr=C3=BC=C3=9Fe_aus?= =?utf-8?b?S8O2bG4=?="), "Grüße ausKöln");
        assert_eq!(words("Re: =?iso-8859-1?Q?Caf=E9?= at noon"), "Re: Café at noon");
        assert_eq!(words("=?utf-8?b?6KaL56mN44KC44KK?="), "見積もり");
        assert_eq!(words("what =? is this"), "what =? is this");
        assert_eq!(words("=?utf-8?x?y?="), "=?utf-8?x?y?=");
        assert_eq!(words("=?a?q?=?="), "?");
    }
}
