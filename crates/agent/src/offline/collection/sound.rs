//! Who made a piece of music, by the tags at the head of its file (ID3, second version).

/// Longer names are no names.
const LONGEST: usize = 80;

/// The artist that a file names.
pub(super) fn artist(bytes: &[u8]) -> Option<String> {
    let version = *bytes.strip_prefix(b"ID3")?.first()?;
    if !(3..=4).contains(&version) {
        return None;
    }
    let end = 10 + synchsafe(bytes.get(6..10)?)?;
    let mut at = 10;
    while at + 10 <= end {
        let frame = bytes.get(at..at + 10)?;
        let length = match version {
            4 => synchsafe(frame.get(4..8)?)?,
            _ => usize::try_from(u32::from_be_bytes(frame.get(4..8)?.try_into().ok()?)).ok()?,
        };
        let body = bytes.get(at + 10..(at + 10).checked_add(length)?)?;
        if frame.starts_with(b"TPE1") {
            return words(body).filter(|name| {
                !name.is_empty()
                    && name.len() <= LONGEST
                    && !name.contains(['`', ';', ':', '\n', '(', ')', ','])
            });
        }
        if !frame[0].is_ascii_uppercase() {
            return None;
        }
        at += 10 + length;
    }
    None
}

/// A number of which every byte has seven bits.
fn synchsafe(bytes: &[u8]) -> Option<usize> {
    bytes.iter().try_fold(0_usize, |sum, byte| (*byte < 0x80).then(|| sum << 7 | usize::from(*byte)))
}

/// Text in one of the four forms that tags have.
fn words(body: &[u8]) -> Option<String> {
    let (form, text) = body.split_first()?;
    let pairs = |text: &[u8], of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            text.chunks_exact(2).filter_map(|pair| Some(of(pair.try_into().ok()?))).collect();
        String::from_utf16(&units).ok()
    };
    let words = match form {
        0 => text.iter().map(|byte| char::from(*byte)).collect(),
        1 if text.starts_with(&[0xfe, 0xff]) => pairs(&text[2..], u16::from_be_bytes)?,
        1 if text.starts_with(&[0xff, 0xfe]) => pairs(&text[2..], u16::from_le_bytes)?,
        2 => pairs(text, u16::from_be_bytes)?,
        3 => String::from_utf8(text.to_vec()).ok()?,
        _ => return None,
    };
    Some(words.trim_matches(['\0', ' ']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::artist;

    fn tagged(version: u8, body: &[u8]) -> Vec<u8> {
        let frame = [b"TPE1", &(body.len() as u32).to_be_bytes()[..], &[0, 0], body].concat();
        [b"ID3", &[version, 0, 0, 0, 0, 0, frame.len() as u8][..], &frame].concat()
    }

    #[test]
    fn an_artist_is_read_in_every_form_and_damage_is_none() {
        assert_eq!(artist(&tagged(3, b"\0The Band")).as_deref(), Some("The Band"));
        assert_eq!(artist(&tagged(4, b"\x03J\xc3\xb3nsi")).as_deref(), Some("Jónsi"));
        assert_eq!(artist(&tagged(3, b"\x01\xff\xfeA\0b\0")).as_deref(), Some("Ab"));
        assert_eq!(artist(&tagged(3, b"\0a`b")), None);
        assert_eq!(artist(&tagged(3, b"\0The Band")[..15]), None);
        assert_eq!(artist(b"RIFF"), None);
    }
}
