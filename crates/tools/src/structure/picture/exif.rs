//! What a camera writes into a JPEG: when, and which camera.

/// Most entries of a directory that are looked at.
const MOST: usize = 200;

/// Where the date and the camera stand.
const MODEL: u16 = 0x0110;
const DETAILS: u16 = 0x8769;
const TAKEN: u16 = 0x9003;

/// The date and the camera of a photo.
pub(super) fn read(jpeg: &[u8]) -> (Option<String>, Option<String>) {
    let head = jpeg.get(..jpeg.len().min(128 << 10)).unwrap_or_default();
    let Some(at) = memchr::memmem::find(head, b"Exif\0\0") else { return (None, None) };
    let Some(tiff) = Tiff::new(head.get(at + 6..).unwrap_or_default()) else { return (None, None) };
    let Some(first) = tiff.number(4, 4) else { return (None, None) };
    let camera = tiff.find(first, MODEL).and_then(|entry| tiff.text(entry));
    let details = tiff.find(first, DETAILS).and_then(|entry| tiff.number(entry + 8, 4));
    let taken = details.and_then(|at| tiff.find(at, TAKEN)).and_then(|entry| tiff.text(entry));
    let is_date = |text: &String| {
        text.len() == 19 && text.bytes().all(|byte| byte.is_ascii_digit() || b": ".contains(&byte))
    };
    (taken.filter(is_date), camera)
}

struct Tiff<'b> {
    bytes: &'b [u8],
    is_big_endian: bool,
}

impl<'b> Tiff<'b> {
    fn new(bytes: &'b [u8]) -> Option<Self> {
        let is_big_endian = match bytes.get(..2)? {
            b"MM" => true,
            b"II" => false,
            _ => return None,
        };
        Some(Self { bytes, is_big_endian })
    }

    fn number(&self, at: usize, length: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..at.checked_add(length)?)?;
        let add = |number: usize, byte: &u8| number << 8 | usize::from(*byte);
        Some(if self.is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
    }

    /// Where an entry of a directory stands.
    fn find(&self, directory: usize, tag: u16) -> Option<usize> {
        let count = self.number(directory, 2)?.min(MOST);
        let mut entries = (0..count).filter_map(|index| directory.checked_add(2 + 12 * index));
        entries.find(|entry| self.number(*entry, 2) == Some(usize::from(tag)))
    }

    fn text(&self, entry: usize) -> Option<String> {
        let length = self.number(entry + 4, 4)?.min(64);
        let at = if length <= 4 { entry + 8 } else { self.number(entry + 8, 4)? };
        let bytes = self.bytes.get(at..at.checked_add(length)?)?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Some(String::from_utf8_lossy(text).trim().to_owned()).filter(|text| !text.is_empty())
    }
}
