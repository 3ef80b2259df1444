//! Who made a piece of music and what it belongs to, by the tags at the head of its file.

/// Longer names are no names.
const LONGEST: usize = 80;

/// What a recording says of itself.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Tags {
    pub(super) artist: Option<String>,
    pub(super) album: Option<String>,
    pub(super) year: Option<String>,
    pub(super) track: Option<u32>,
}

impl Tags {
    fn take(&mut self, field: &str, value: &str) {
        let value = value.trim_matches(['\0', ' ']);
        let is_name =
            !value.is_empty() && value.len() <= LONGEST && !value.contains(['`', ';', '\n', '(', ')']);
        let name = || is_name.then(|| value.to_owned());
        match field {
            "TPE1" | "ARTIST" => self.artist = self.artist.take().or_else(name),
            "TALB" | "ALBUM" => self.album = self.album.take().or_else(name),
            "TDRC" | "TYER" | "DATE" => {
                let year = value.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
                self.year = self.year.take().or_else(|| year.map(str::to_owned));
            }
            "TRCK" | "TRACKNUMBER" => {
                self.track = self.track.or_else(|| value.split('/').next()?.trim().parse().ok());
            }
            _ => {}
        }
    }
}

/// The tags of a file: of MP3 (ID3, second version), or of FLAC.
pub(super) fn tags(bytes: &[u8]) -> Tags {
    let mut tags = Tags::default();
    // What was read before a mistake still counts.
    let _ = if bytes.starts_with(b"fLaC") { flac(bytes, &mut tags) } else { id3(bytes, &mut tags) };
    tags
}

fn id3(bytes: &[u8], tags: &mut Tags) -> Option<()> {
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
        if !frame[0].is_ascii_uppercase() {
            return None;
        }
        if let (Ok(field), Some(value)) = (std::str::from_utf8(&frame[..4]), words(body)) {
            tags.take(field, &value);
        }
        at += 10 + length;
    }
    None
}

/// The comments of a FLAC file: `ARTIST=…`, each with its length before it.
fn flac(bytes: &[u8], tags: &mut Tags) -> Option<()> {
    let mut at = 4;
    loop {
        let head = bytes.get(at..at + 4)?;
        let length = usize::from(head[1]) << 16 | usize::from(head[2]) << 8 | usize::from(head[3]);
        let body = bytes.get(at + 4..at + 4 + length)?;
        if head[0] & 0x7f == 4 {
            let number = |at: usize| {
                usize::try_from(u32::from_le_bytes(body.get(at..at.checked_add(4)?)?.try_into().ok()?)).ok()
            };
            let mut next = 4_usize.checked_add(number(0)?)?;
            let comments = number(next)?.min(200);
            next += 4;
            for _ in 0..comments {
                let length = number(next)?;
                let text = body.get(next + 4..(next + 4).checked_add(length)?)?;
                if let Some((field, value)) = String::from_utf8_lossy(text).split_once('=') {
                    tags.take(&field.to_ascii_uppercase(), value);
                }
                next += 4 + length;
            }
            return Some(());
        }
        if head[0] & 0x80 != 0 {
            return None;
        }
        at += 4 + length;
    }
}

/// How many seconds a WAV file lasts, by its head.
pub(super) fn seconds(bytes: &[u8], size: u64) -> Option<u64> {
    let is_wave = bytes.starts_with(b"RIFF") && bytes.get(8..12)? == b"WAVE";
    let at = memchr::memmem::find(bytes.get(..bytes.len().min(4096))?, b"fmt ").filter(|_| is_wave)?;
    let rate = u64::from(u32::from_le_bytes(bytes.get(at + 16..at + 20)?.try_into().ok()?));
    size.checked_div(rate)
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
    use super::{seconds, tags};

    fn tagged(version: u8, body: &[u8]) -> Vec<u8> {
        let frame = [b"TPE1", &(body.len() as u32).to_be_bytes()[..], &[0, 0], body].concat();
        [b"ID3", &[version, 0, 0, 0, 0, 0, frame.len() as u8][..], &frame].concat()
    }

    fn artist(bytes: &[u8]) -> Option<String> {
        tags(bytes).artist
    }

    #[test]
    fn an_artist_is_read_in_every_form_and_damage_is_none() {
        assert_eq!(artist(&tagged(3, b"\0The Band")).as_deref(), Some("The Band"));
        assert_eq!(artist(&tagged(4, b"\x03J\xc3\xb3nsi, Alex")).as_deref(), Some("Jónsi, Alex"));
        assert_eq!(artist(&tagged(3, b"\x01\xff\xfeA\0b\0")).as_deref(), Some("Ab"));
        assert_eq!(artist(&tagged(3, b"\0a`b")), None);
        assert_eq!(artist(&tagged(3, b"\0The Band")[..15]), None);
        assert_eq!(artist(b"RIFF"), None);
    }

    #[test]
    fn comments_of_flac_and_the_length_of_a_wave_are_read() {
        let comment = |text: &str| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
        let body = [
            comment("maker"),
            2_u32.to_le_bytes().to_vec(),
            comment("artist=Sigur Rós"),
            comment("TRACKNUMBER=3/10"),
        ]
        .concat();
        let file = [b"fLaC".to_vec(), vec![0x84, 0, 0, body.len() as u8], body].concat();
        let found = tags(&file);
        assert_eq!((found.artist.as_deref(), found.track), (Some("Sigur Rós"), Some(3)));
        for end in 0..file.len() {
            let _ = tags(&file[..end]);
        }
        let mut wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0".to_vec();
        wave.extend(176_400_u32.to_le_bytes());
        assert_eq!(seconds(&wave, 1_764_000), Some(10));
        assert_eq!(seconds(b"RIFF", 10), None);
    }
}
