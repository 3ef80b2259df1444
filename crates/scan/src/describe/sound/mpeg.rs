//! MPEG audio: a stream of frames, each with its own header, perhaps after a tag.

use luminos_core::scan::Category::Media;

use crate::describe::Description;
use crate::describe::head::Head;

/// Kilobits per second of layer III, by the number in the frame header.
const RATES_1: [u32; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_2: [u32; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/// Kilobits per second of layer II, version 1.
const RATES_LAYER_2: [u32; 15] = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];

/// A file that begins with an ID3 tag. The tag may be longer than the head: then it tells all we know.
pub(super) fn tagged(head: Head<'_>) -> Option<Description> {
    let (major, minor) = (head.u8(3)?, head.u8(4)?);
    if !(2..=4).contains(&major) {
        return None;
    }
    let length =
        (6..10).try_fold(0_usize, |length, at| Some(length << 7 | usize::from(head.u8(at)? & 127)))?;
    let tag = format!("Audio file with ID3 version 2.{major}.{minor}");
    let text = match frame(head, 10 + length) {
        Some(frame) => format!("{tag}, contains: {frame}"),
        None => tag,
    };
    Some(Description::new(Media, text))
}

/// A file of frames alone. Eleven set bits prove little, so every field of the frame must make sense.
pub(super) fn bare(head: Head<'_>) -> Option<Description> {
    frame(head, 0).map(|text| Description::new(Media, text))
}

fn frame(head: Head<'_>, at: usize) -> Option<String> {
    if head.u8(at)? != 0xff {
        return None;
    }
    match head.u8(at + 1)? {
        0xfa | 0xfb => layer_3(head, at, "v1", &RATES_1, ["44.1", "48", "32"]),
        0xf2 | 0xf3 => layer_3(head, at, "v2", &RATES_2, ["22.05", "24", "16"]),
        0xe2 | 0xe3 => layer_3(head, at, "v2.5", &RATES_2, ["11.025", "12", "8"]),
        0xfc | 0xfd => layer(head, at, "layer II, v1", &RATES_LAYER_2, ["44.1", "48", "32"]),
        0xf0 | 0xf1 => aac(head, at, "v4"),
        0xf8 | 0xf9 => aac(head, at, "v2"),
        _ => None,
    }
}

fn layer_3(head: Head<'_>, at: usize, version: &str, rates: &[u32; 15], hertz: [&str; 3]) -> Option<String> {
    layer(head, at, &format!("layer III, {version}"), rates, hertz)
}

fn layer(head: Head<'_>, at: usize, layer: &str, rates: &[u32; 15], hertz: [&str; 3]) -> Option<String> {
    let (second, third) = (head.u8(at + 2)?, head.u8(at + 3)?);
    let rate = rates.get(usize::from(second >> 4)).filter(|rate| 0 < **rate)?;
    let hertz = hertz.get(usize::from(second >> 2 & 3))?;
    let channels = ["Stereo", "JntStereo", "2x Monaural", "Monaural"][usize::from(third >> 6)];
    Some(format!("MPEG ADTS, {layer}, {rate:3} kbps, {hertz} kHz, {channels}"))
}

fn aac(head: Head<'_>, at: usize, version: &str) -> Option<String> {
    let (second, third) = (head.u8(at + 2)?, head.u8(at + 3)?);
    let profile = ["Main", "LC", "SSR", "LTP"][usize::from(second >> 6)];
    let hertz = ["96", "88.2", "64", "48", "44.1", "32", "24", "22.05", "16", "12", "11.025", "8"]
        .get(usize::from(second >> 2 & 15))?;
    let channels = match (second & 1) << 2 | third >> 6 {
        1 => "monaural",
        2 => "stereo",
        6 => "surround 5.1",
        3..=7 => "surround",
        _ => return None,
    };
    Some(format!("MPEG ADTS, AAC, {version} {profile}, {hertz} kHz, {channels}"))
}
