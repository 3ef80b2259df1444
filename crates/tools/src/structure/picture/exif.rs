//! What a camera writes into a picture: when, which camera, whether it says where, and how large the picture is.
//!
//! The form is that of TIFF, alone or inside of something else. What points out of the bytes that were read is not there.

use super::View;

/// Most entries of a directory that are looked at.
const MOST: usize = 200;
/// Most directories beside the first one.
const MOST_DIRECTORIES: usize = 8;

/// Where everything stands.
const WIDTH: u16 = 0x0100;
const HEIGHT: u16 = 0x0101;
const MODEL: u16 = 0x0110;
const CHANGED: u16 = 0x0132;
const BELOW: u16 = 0x014a;
const DETAILS: u16 = 0x8769;
const PLACE: u16 = 0x8825;
const TAKEN: u16 = 0x9003;
const LATITUDE: u16 = 0x0002;

/// What a camera says of a picture.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Details {
    pub(super) taken: Option<String>,
    pub(super) camera: Option<String>,
    pub(super) is_located: bool,
    pub(super) size: Option<(u32, u32)>,
}

/// The details that stand in a JPEG or a HEIC file, behind the word for them.
pub(super) fn inside(view: &View<'_>) -> Details {
    let find = |bytes: &[u8]| {
        memchr::memmem::find_iter(bytes, b"Exif\0\0").map(|at| at + 6).find(|at| is_tiff(bytes.get(*at..)))
    };
    let head = view.head.get(..view.head.len().min(256 << 10)).unwrap_or_default();
    let start = find(head).or_else(|| Some(view.far_at? + find(view.far)?));
    start.map(|start| of_tiff(view, start)).unwrap_or_default()
}

/// Whether bytes begin as TIFF does, or as raw photos do that are nearly one.
pub(super) fn is_tiff(bytes: Option<&[u8]>) -> bool {
    matches!(
        bytes,
        Some(
            [b'I', b'I', b'*' | b'U', 0, ..]
                | [b'M', b'M', 0, b'*', ..]
                | [b'I', b'I', b'R', b'O' | b'S', ..]
        )
    )
}

/// The details of what is a TIFF, from a place on.
pub(super) fn of_tiff(view: &View<'_>, start: usize) -> Details {
    let Some(tiff) = Tiff::new(view, start) else { return Details::default() };
    let Some(first) = tiff.number(4, 4) else { return Details::default() };
    let below = |tag: u16| tiff.find(first, tag).and_then(|entry| tiff.number(entry + 8, 4));
    let taken = below(DETAILS).and_then(|at| tiff.find(at, TAKEN)).and_then(|entry| tiff.text(entry));
    // A scanner writes the day of the file only.
    let taken = taken.or_else(|| tiff.find(first, TAKEN).and_then(|entry| tiff.text(entry)));
    let taken = taken.or_else(|| tiff.find(first, CHANGED).and_then(|entry| tiff.text(entry)));
    let is_date = |text: &String| {
        text.len() == 19 && text.bytes().all(|byte| byte.is_ascii_digit() || b": ".contains(&byte))
    };
    Details {
        taken: taken.filter(is_date),
        camera: tiff.find(first, MODEL).and_then(|entry| tiff.text(entry)),
        is_located: below(PLACE).is_some_and(|at| tiff.find(at, LATITUDE).is_some()),
        size: tiff.size(first),
    }
}

struct Tiff<'v, 'b> {
    view: &'v View<'b>,
    start: usize,
    is_big_endian: bool,
}

impl<'v, 'b> Tiff<'v, 'b> {
    fn new(view: &'v View<'b>, start: usize) -> Option<Self> {
        let is_big_endian = match view.get(start, 2)? {
            b"MM" => true,
            b"II" => false,
            _ => return None,
        };
        Some(Self { view, start, is_big_endian })
    }

    fn number(&self, at: usize, length: usize) -> Option<usize> {
        let bytes = self.view.get(self.start.checked_add(at)?, length)?;
        let add = |number: usize, byte: &u8| number << 8 | usize::from(*byte);
        Some(if self.is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
    }

    /// Where an entry of a directory stands.
    fn find(&self, directory: usize, tag: u16) -> Option<usize> {
        let count = self.number(directory, 2)?.min(MOST);
        let mut entries = (0..count).filter_map(|index| directory.checked_add(2 + 12 * index));
        entries.find(|entry| self.number(*entry, 2) == Some(usize::from(tag)))
    }

    /// A number that stands in an entry itself: of two bytes, or of four.
    fn value(&self, directory: usize, tag: u16) -> Option<u32> {
        let entry = self.find(directory, tag)?;
        let length = if self.number(entry + 2, 2)? == 3 { 2 } else { 4 };
        u32::try_from(self.number(entry + 8, length)?).ok()
    }

    /// The size of the largest picture: raw photos begin with a small one.
    fn size(&self, first: usize) -> Option<(u32, u32)> {
        let mut directories = vec![first];
        if let Some(entry) = self.find(first, BELOW) {
            let count = self.number(entry + 4, 4)?.min(MOST_DIRECTORIES);
            let at = |index: usize| match count {
                1 => self.number(entry + 8, 4),
                _ => self.number(self.number(entry + 8, 4)?.checked_add(4 * index)?, 4),
            };
            directories.extend((0..count).filter_map(at));
        }
        let sizes =
            directories.into_iter().filter_map(|at| self.value(at, WIDTH).zip(self.value(at, HEIGHT)));
        sizes.max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
    }

    fn text(&self, entry: usize) -> Option<String> {
        let length = self.number(entry + 4, 4)?.min(64);
        let at = if length <= 4 { entry + 8 } else { self.number(entry + 8, 4)? };
        let bytes = self.view.get(self.start.checked_add(at)?, length)?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Some(String::from_utf8_lossy(text).trim().to_owned()).filter(|text| !text.is_empty())
    }
}
