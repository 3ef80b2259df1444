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
    pub(super) title: Option<String>,
}

impl Tags {
    fn take(&mut self, field: &str, value: &str) {
        let value = value.trim_matches(['\0', ' ']);
        let is_name =
            !value.is_empty() && value.len() <= LONGEST && !value.contains(['`', ';', '\n', '(', ')']);
        let name = || is_name.then(|| value.to_owned());
        match field {
            "TIT2" | "TT2" | "TITLE" => self.title = self.title.take().or_else(name),
            "TPE1" | "TP1" | "ARTIST" => self.artist = self.artist.take().or_else(name),
            "TALB" | "TAL" | "ALBUM" => self.album = self.album.take().or_else(name),
            "TDRC" | "TYER" | "TYE" | "DATE" => {
                let year = value.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
                self.year = self.year.take().or_else(|| year.map(str::to_owned));
            }
            "TRCK" | "TRK" | "TRACKNUMBER" => {
                self.track = self.track.or_else(|| value.split('/').next()?.trim().parse().ok());
            }
            _ => {}
        }
    }
}

/// The tags of a file: of MP3 (ID3, second version), FLAC, Ogg, or of what is made of boxes.
pub(super) fn tags(bytes: &[u8], far: &[u8]) -> Tags {
    let mut tags = Tags::default();
    // What was read before a mistake still counts.
    let _ = match bytes {
        [b'f', b'L', b'a', b'C', ..] => flac(bytes, &mut tags),
        [b'O', b'g', b'g', b'S', ..] => ogg(bytes, &mut tags),
        [b'I', b'D', b'3', ..] => id3(bytes, &mut tags),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => boxes(bytes, &mut tags).or_else(|| boxes(far, &mut tags)),
        _ => None,
    };
    tags
}

fn id3(bytes: &[u8], tags: &mut Tags) -> Option<()> {
    let version = *bytes.strip_prefix(b"ID3")?.first()?;
    let end = 10 + synchsafe(bytes.get(6..10)?)?;
    // Names and lengths have three bytes each in the second version, four later on.
    let (name, head) = match version {
        2 => (3, 6),
        3 | 4 => (4, 10),
        _ => return None,
    };
    let mut at = 10;
    while at + head <= end {
        let frame = bytes.get(at..at + head)?;
        let length = match version {
            4 => synchsafe(frame.get(4..8)?)?,
            _ => frame.get(name..name * 2)?.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte)),
        };
        let body = bytes.get(at + head..(at + head).checked_add(length)?)?;
        if !frame[0].is_ascii_uppercase() {
            return None;
        }
        if let (Ok(field), Some(value)) = (std::str::from_utf8(&frame[..name]), words(body)) {
            tags.take(field, &value);
        }
        at += head + length;
    }
    None
}

/// The comments of a FLAC file.
fn flac(bytes: &[u8], tags: &mut Tags) -> Option<()> {
    let mut at = 4;
    loop {
        let head = bytes.get(at..at + 4)?;
        let length = usize::from(head[1]) << 16 | usize::from(head[2]) << 8 | usize::from(head[3]);
        let body = bytes.get(at + 4..at + 4 + length)?;
        if head[0] & 0x7f == 4 {
            return comments(body, tags);
        }
        if head[0] & 0x80 != 0 {
            return None;
        }
        at += 4 + length;
    }
}

/// The comments of an Ogg file stand in its second packet, behind the name of its kind.
fn ogg(bytes: &[u8], tags: &mut Tags) -> Option<()> {
    let head = bytes.get(..bytes.len().min(16 << 10))?;
    let of = |mark: &[u8]| memchr::memmem::find(head, mark).map(|at| at + mark.len());
    let at = of(b"\x03vorbis").or_else(|| of(b"OpusTags"))?;
    comments(bytes.get(at..)?, tags)
}

/// `ARTIST=…`, each with its length before it.
fn comments(body: &[u8], tags: &mut Tags) -> Option<()> {
    let number = |at: usize| {
        usize::try_from(u32::from_le_bytes(body.get(at..at.checked_add(4)?)?.try_into().ok()?)).ok()
    };
    let mut next = 4_usize.checked_add(number(0)?)?;
    let count = number(next)?.min(200);
    next += 4;
    for _ in 0..count {
        let length = number(next)?;
        let text = body.get(next + 4..(next + 4).checked_add(length)?)?;
        if let Some((field, value)) = String::from_utf8_lossy(text).split_once('=') {
            tags.take(&field.to_ascii_uppercase(), value);
        }
        next += 4 + length;
    }
    Some(())
}

/// The tags of M4A, in a box that is a list of boxes.
fn boxes(bytes: &[u8], tags: &mut Tags) -> Option<()> {
    let mut at = memchr::memmem::find(bytes, b"ilst")? + 4;
    for _ in 0..64 {
        let number = |at: usize| {
            usize::try_from(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?)).ok()
        };
        let length = number(at)?;
        let value = bytes.get(at..at.checked_add(length)?)?;
        let (name, value) = (value.get(4..8)?, value.get(24..)?);
        let text = || String::from_utf8_lossy(value).into_owned();
        match name {
            b"\xa9ART" => tags.take("ARTIST", &text()),
            b"\xa9alb" => tags.take("ALBUM", &text()),
            b"\xa9day" => tags.take("DATE", &text()),
            b"\xa9nam" => tags.take("TITLE", &text()),
            b"trkn" => {
                tags.track = value.get(2..4).map(|track| u32::from(track[0]) << 8 | u32::from(track[1]))
            }
            _ => {}
        }
        at += length;
    }
    Some(())
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
    use super::tags as tags_of;

    fn tags(bytes: &[u8]) -> super::Tags {
        tags_of(bytes, &[])
    }

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
    fn comments_of_flac_and_ogg_are_read() {
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
        let ogg = [b"OggS\0\x02 \x01vorbis OggS \x03vorbis".to_vec(), file[8..].to_vec()].concat();
        assert_eq!(tags(&ogg).artist.as_deref(), Some("Sigur Rós"));
        for end in 0..ogg.len() {
            let _ = tags(&ogg[..end]);
        }
    }

    #[test]
    fn lists_of_boxes_are_read() {
        let field = |name: &[u8], value: &[u8]| {
            let length = (24 + value.len() as u32).to_be_bytes();
            [&length[..], name, &[0, 0, 0, 0], b"data", &[0; 8], value].concat()
        };
        let list = [field(b"\xa9ART", b"Lina Holm"), field(b"trkn", &[0, 0, 0, 7, 0, 9])].concat();
        let file = [b"\0\0\0\x14ftypM4A \0\0\0\0 ilst".to_vec(), list].concat();
        let found = tags(&file);
        assert_eq!((found.artist.as_deref(), found.track), (Some("Lina Holm"), Some(7)));
        for end in 0..file.len() {
            let _ = tags(&file[..end]);
        }
    }
}
