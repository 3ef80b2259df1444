//! How long a recording or a film lasts, and how large its picture is, by its head.

/// Samples in a frame of an MP3 file: of the first version, and of the later ones.
const SAMPLES: [u64; 2] = [1152, 576];
/// Kilobits a second, by the number in the head of a frame: of the first version, and of the later ones.
const RATES: [[u64; 15]; 2] = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// How many seconds a file lasts; of what is only in part there, as far as its head says so.
pub(super) fn seconds(bytes: &[u8], far: &[u8], size: u64) -> Option<u64> {
    match bytes {
        [b'R', b'I', b'F', b'F', ..] => wave(bytes, size),
        [b'f', b'L', b'a', b'C', ..] => flac(bytes),
        [b'O', b'g', b'g', b'S', ..] => ogg(bytes, size),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => film(bytes).or_else(|| film(far)),
        [b'I', b'D', b'3', ..] | [0xff, 0xe0..=0xff, ..] => mp3(bytes, size),
        _ => None,
    }
}

fn wave(bytes: &[u8], size: u64) -> Option<u64> {
    let is_wave = bytes.get(8..12)? == b"WAVE";
    let at = memchr::memmem::find(bytes.get(..bytes.len().min(4096))?, b"fmt ").filter(|_| is_wave)?;
    size.checked_div(u64::from(u32::from_le_bytes(bytes.get(at + 16..at + 20)?.try_into().ok()?)))
}

/// The first block of a FLAC file counts its samples.
fn flac(bytes: &[u8]) -> Option<u64> {
    let about = u64::from_be_bytes(bytes.get(18..26)?.try_into().ok()?);
    (about & 0xf_ffff_ffff).checked_div(about >> 44)
}

/// The last page of an Ogg file says at which sample it ends; so the file must be there to its end.
fn ogg(bytes: &[u8], size: u64) -> Option<u64> {
    let last = memchr::memmem::rfind(bytes, b"OggS").filter(|_| bytes.len() as u64 == size)?;
    let samples = u64::from_le_bytes(bytes.get(last + 6..last + 14)?.try_into().ok()?);
    let head = bytes.get(..bytes.len().min(4096))?;
    let rate = match memchr::memmem::find(head, b"\x01vorbis") {
        Some(at) => u64::from(u32::from_le_bytes(bytes.get(at + 12..at + 16)?.try_into().ok()?)),
        None => memchr::memmem::find(head, b"OpusHead").map(|_| 48_000)?,
    };
    samples.checked_div(rate)
}

fn film(bytes: &[u8]) -> Option<u64> {
    let at = memchr::memmem::find(bytes, b"mvhd")? + 4;
    let number = |at: usize, width: usize| -> Option<u64> {
        Some(bytes.get(at..at.checked_add(width)?)?.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let (scale, length) = match bytes.get(at)? {
        0 => (number(at + 12, 4)?, number(at + 16, 4)?),
        1 => (number(at + 20, 4)?, number(at + 24, 8)?),
        _ => return None,
    };
    length.checked_div(scale).filter(|seconds| *seconds < 1_000_000)
}

/// By the number of frames, where the first one tells it; otherwise by its rate.
fn mp3(bytes: &[u8], size: u64) -> Option<u64> {
    let tags = match bytes.strip_prefix(b"ID3") {
        Some(rest) => {
            10 + rest.get(3..7)?.iter().fold(0_usize, |sum, byte| sum << 7 | usize::from(byte & 0x7f))
        }
        None => 0,
    };
    let frame = bytes.get(tags..)?;
    let start = frame.windows(2).take(8 << 10).position(|pair| pair[0] == 0xff && pair[1] & 0xe6 == 0xe2)?;
    let frame = frame.get(start..)?;
    let [_, version, about, ..] = *frame else { return None };
    let is_later = version & 0x18 != 0x18;
    let rate = *[44_100_u64, 48_000, 32_000].get(usize::from(about >> 2 & 3))?;
    let rate = match version & 0x18 {
        0x18 => rate,
        0x10 => rate / 2,
        _ => rate / 4,
    };
    let near = frame.get(..frame.len().min(200))?;
    let mark = memchr::memmem::find(near, b"Xing").or_else(|| memchr::memmem::find(near, b"Info"));
    if let Some(at) = mark.filter(|at| near.get(at + 7).is_some_and(|has| has & 1 == 1)) {
        let frames = u64::from(u32::from_be_bytes(near.get(at + 8..at + 12)?.try_into().ok()?));
        return (frames * SAMPLES[usize::from(is_later)]).checked_div(rate);
    }
    let bits = RATES[usize::from(is_later)].get(usize::from(about >> 4))? * 1000;
    (size.saturating_sub((tags + start) as u64) * 8).checked_div(bits)
}

/// The size of the picture of a film.
pub(super) fn frame(bytes: &[u8]) -> Option<(u32, u32)> {
    let sizes = memchr::memmem::find_iter(bytes, b"tkhd").take(16).filter_map(|at| {
        let end = at + 4 + if *bytes.get(at + 4)? == 1 { 96 } else { 84 };
        let number = |at: usize| Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
        number(end - 8).zip(number(end - 4))
    });
    sizes.filter(|(width, height)| 0 < *width && 0 < *height).max()
}

/// `47 minutes`, `3 hours 5 minutes`; nothing for less than a minute.
pub(super) fn told(seconds: u64) -> Option<String> {
    use crate::words::count;
    let (hours, minutes) = (seconds / 3600, (seconds + 30) / 60);
    match (hours, minutes) {
        (0, 0) => None,
        (..=1, minutes) => Some(count(minutes, "minute")),
        (hours, _) => Some(match seconds % 3600 / 60 {
            0 => count(hours, "hour"),
            minutes => format!("{} {}", count(hours, "hour"), count(minutes, "minute")),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_and_damage_is_none() {
        let mut wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0".to_vec();
        wave.extend(176_400_u32.to_le_bytes());
        assert_eq!(seconds(&wave, &[], 1_764_000), Some(10));
        assert_eq!(seconds(b"RIFF", &[], 10), None);
        // 128 kilobits a second, and no number of frames.
        let mp3 = [b"ID3\x04\0\0\0\0\0\x02xx".to_vec(), vec![0xff, 0xfb, 0x90, 0], vec![0; 300]].concat();
        assert_eq!(seconds(&mp3, &[], 12 + 160_000), Some(10));
        let mut film = b"\0\0\0\x14ftypM4A \0\0\0\0 mvhd\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
        film.extend([1000_u32.to_be_bytes(), 65_000_u32.to_be_bytes()].concat());
        assert_eq!(seconds(&film, &[], 0), Some(65));
        for file in [wave, mp3, film] {
            for end in 0..file.len() {
                let _ = seconds(&file[..end], &[], end as u64);
                let _ = frame(&file[..end]);
            }
        }
        assert_eq!(told(29), None);
        assert_eq!(told(3_000).as_deref(), Some("50 minutes"));
        assert_eq!(told(11_100).as_deref(), Some("3 hours 5 minutes"));
    }
}
