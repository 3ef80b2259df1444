//! Sound and video, and the containers that hold them.

use luminos_core::scan::Category::{Archive, Media};

use super::Description;
use super::head::Endian::{Big, Little};
use super::head::Head;
use super::signature::{Signature, read, words};

mod mpeg;

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"RIFF", riff),
    words(b"RIFX", Media, "RIFF (big-endian) data, WAVE audio"),
    read(b"RF64", rf64),
    read(b"ftyp", iso_media).at(4),
    read(b"moov", quicktime).at(4),
    read(b"mdat", quicktime).at(4),
    read(b"ID3", mpeg::tagged),
    read(b"\xff", mpeg::bare),
    words(b"\0\0\x01\xba\x21", Media, "MPEG sequence, v1, system multiplex"),
    words(b"\0\0\x01\xba", Media, "MPEG sequence, v2, program multiplex"),
    words(b"\0\0\x01\xb3", Media, "MPEG sequence"),
    read(b"\x47", transport_stream),
    read(b"fLaC", flac),
    read(b"OggS\0", ogg),
    read(b"\x1a\x45\xdf\xa3", ebml),
    words(b"FLV\x01", Media, "Macromedia Flash Video"),
    words(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", Media, "Microsoft ASF"),
    words(b".RMF\0\0\0", Media, "RealMedia file"),
    words(b".ra\xfd", Media, "RealAudio sound file"),
    read(b"FWS", flash),
    read(b"CWS", flash),
    read(b"ZWS", flash),
    read(b"MThd", midi),
    read(b"FORM", iff),
    read(b".snd", sun_audio),
    words(b"#!AMR", Media, "Adaptive Multi-Rate Codec (GSM telephony)"),
    words(b"MAC ", Media, "Monkey's Audio compressed format"),
    words(b"wvpk", Media, "WavPack Lossless Audio"),
    words(b"MPCK", Media, "Musepack audio (MPCK)"),
    words(b"MP+", Media, "Musepack audio (MP+)"),
    words(b"TTA1", Media, "True Audio Lossless Audio"),
    words(b"DSD \x1c\0\0\0", Media, "DSF audio bitstream data"),
    words(b"caff\0\x01\0\0", Media, "CoreAudio Format audio file version 1"),
    words(b"M.K.", Media, "4-channel Protracker module sound data").at(1080),
    words(b"Extended Module: ", Media, "Fasttracker II module sound data"),
    words(b"IMPM", Media, "Impulse Tracker module sound data"),
    words(b"SCRM", Media, "ScreamTracker III Module sound data").at(44),
    words(b"Creative Voice File\x1a", Media, "Creative Labs voice data"),
    words(b"YUV4MPEG2 ", Media, "YUV4MPEG2 video"),
    words(b"NSVf", Media, "Nullsoft Video"),
    words(b"DKIF\0\0", Media, "IVF video"),
    words(b"BIKi", Media, "Bink Video rev.i"),
    words(b"BIKf", Media, "Bink Video rev.f"),
];

fn riff(head: Head<'_>) -> Option<Description> {
    let text = match head.slice(8, 4) {
        b"WAVE" => wave(head)?,
        b"AVI " => "RIFF (little-endian) data, AVI".into(),
        b"WEBP" => webp(head),
        b"ACON" => "RIFF (little-endian) data, animated cursor".into(),
        b"sfbk" => "RIFF (little-endian) data, SoundFont/Bank".into(),
        b"RMID" => "RIFF (little-endian) data, MIDI".into(),
        b"CDR9" | b"CDRA" | b"CDRB" => "Corel Draw Picture".into(),
        _ if head.starts_binary() => "RIFF (little-endian) data".into(),
        _ => return None,
    };
    Some(Description::new(Media, text))
}

fn wave(head: Head<'_>) -> Option<String> {
    let mut text = String::from("RIFF (little-endian) data, WAVE audio");
    if !head.has(12, b"fmt ") {
        return Some(text);
    }
    let coding = head.u16(20, Little)?;
    text.push_str(match coding {
        1 => ", Microsoft PCM",
        2 => ", Microsoft ADPCM",
        3 => ", IEEE Float",
        6 => ", ITU G.711 A-law",
        7 => ", ITU G.711 mu-law",
        17 => ", IMA ADPCM",
        0x50 => ", MPEG",
        0x55 => ", MPEG Layer 3",
        _ => "",
    });
    if matches!(coding, 1 | 2) {
        text.push_str(&format!(", {} bit", head.u16(34, Little)?));
    }
    match head.u16(22, Little)? {
        1 => text.push_str(", mono"),
        2 => text.push_str(", stereo"),
        channels => text.push_str(&format!(", {channels} channels")),
    }
    text.push_str(&format!(" {} Hz", head.u32(24, Little)?));
    Some(text)
}

fn webp(head: Head<'_>) -> String {
    let dimensions = match head.slice(12, 4) {
        b"VP8 " => head.u16(26, Little).zip(head.u16(28, Little)),
        _ => None,
    };
    match dimensions {
        Some((width, height)) => {
            let (width, height) = (width & 0x3fff, height & 0x3fff);
            format!("RIFF (little-endian) data, Web/P image, VP8 encoding, {width}x{height}")
        }
        None => "RIFF (little-endian) data, Web/P image".into(),
    }
}

fn rf64(head: Head<'_>) -> Option<Description> {
    head.has(8, b"WAVE").then(|| Description::new(Media, "RF64 (little-endian) data, WAVE audio"))
}

/// Movies, sound and pictures of the MPEG-4 family: the "brand" tells which.
fn iso_media(head: Head<'_>) -> Option<Description> {
    let text = match head.slice(8, 4) {
        b"isom" => "ISO Media, MP4 Base Media v1 [ISO 14496-12:2003]",
        b"iso2" => "ISO Media, MP4 Base Media v2 [ISO 14496-12:2005]",
        b"iso4" => "ISO Media, MP4 Base Media v4",
        b"iso5" => "ISO Media, MP4 Base Media v5",
        b"iso6" => "ISO Media, MP4 Base Media v6",
        b"mp41" => "ISO Media, MP4 v1 [ISO 14496-1:ch13]",
        b"mp42" => "ISO Media, MP4 v2 [ISO 14496-14]",
        b"qt  " => "ISO Media, Apple QuickTime movie, Apple QuickTime (.MOV/QT)",
        b"M4A " => "ISO Media, Apple iTunes ALAC/AAC-LC (.M4A) Audio",
        b"M4B " => "ISO Media, Apple iTunes ALAC/AAC-LC (.M4B) Audio Book",
        b"M4V " => "ISO Media, Apple iTunes Video (.M4V) Video",
        b"avc1" => "ISO Media, MPEG v4 system, 3GPP JVT AVC [ISO 14496-12:2005]",
        b"dash" => "ISO Media, MPEG v4 system, Dynamic Adaptive Streaming over HTTP",
        b"heic" | b"heix" => "ISO Media, HEIF Image HEVC Main or Main Still Picture Profile",
        b"mif1" => "ISO Media, HEIF Image",
        b"msf1" => "ISO Media, HEIF Image Sequence",
        b"avif" => "ISO Media, AVIF Image",
        b"avis" => "ISO Media, AVIF Image Sequence",
        [b'3', b'g', b'p', _] => "ISO Media, MPEG v4 system, 3GPP",
        [b'3', b'g', b'2', _] => "ISO Media, MPEG v4 system, 3GPP2",
        _ => "ISO Media",
    };
    Some(Description::new(Media, text))
}

fn quicktime(head: Head<'_>) -> Option<Description> {
    let text = if head.has(4, b"moov") {
        "Apple QuickTime movie (fast start)"
    } else {
        "Apple QuickTime movie (unoptimized)"
    };
    head.starts_binary().then(|| Description::new(Media, text))
}

/// Packets of 188 bytes, each with the same first byte.
fn transport_stream(head: Head<'_>) -> Option<Description> {
    let packets = [188, 376, 564].iter().all(|at| head.u8(*at) == Some(0x47));
    (packets && head.starts_binary()).then(|| Description::new(Media, "MPEG transport stream data"))
}

fn flac(head: Head<'_>) -> Option<Description> {
    let packed = head.u64(18, Big)?;
    let (rate, channels, depth) = (packed >> 44, (packed >> 41 & 7) + 1, (packed >> 36 & 31) + 1);
    let channels = match channels {
        1 => "mono".into(),
        2 => "stereo".into(),
        channels => format!("{channels} channels"),
    };
    let text = format!("FLAC audio bitstream data, {depth} bit, {channels}, {} kHz", kilohertz(rate));
    Some(Description::new(Media, text))
}

/// 44100 is 44.1 kHz, 48000 is 48 kHz.
fn kilohertz(rate: u64) -> String {
    let (whole, part) = (rate / 1000, rate % 1000);
    if part == 0 { whole.to_string() } else { format!("{whole}.{part:03}").trim_end_matches('0').to_owned() }
}

fn ogg(head: Head<'_>) -> Option<Description> {
    let text = match head.slice(28, 7) {
        b"\x01vorbis" => "Ogg data, Vorbis audio",
        b"OpusHea" => "Ogg data, Opus audio",
        b"\x7fFLAC\x01\0" => "Ogg data, FLAC audio",
        b"\x80theora" => "Ogg data, Theora video",
        b"Speex  " => "Ogg data, Speex audio",
        b"fishead" => "Ogg data, Skeleton",
        _ => "Ogg data",
    };
    Some(Description::new(Media, text))
}

fn ebml(head: Head<'_>) -> Option<Description> {
    let header = head.slice(0, 64);
    let holds = |word: &[u8]| memchr::memmem::find(header, word).is_some();
    let text = match () {
        () if holds(b"webm") => "WebM",
        () if holds(b"matroska") => "Matroska data",
        () => "EBML file",
    };
    Some(Description::new(Media, text))
}

fn flash(head: Head<'_>) -> Option<Description> {
    let packed = if head.u8(0)? == b'F' { "" } else { " (compressed)" };
    let version = head.u8(3)?;
    (0 < version && version < 60 && head.starts_binary())
        .then(|| Description::new(Archive, format!("Macromedia Flash data{packed}, version {version}")))
}

fn midi(head: Head<'_>) -> Option<Description> {
    let (form, tracks, division) = (head.u16(8, Big)?, head.u16(10, Big)?, head.u16(12, Big)?);
    let plural = if tracks == 1 { "" } else { "s" };
    let text = format!("Standard MIDI data (format {form}) using {tracks} track{plural} at 1/{division}");
    Some(Description::new(Media, text))
}

fn iff(head: Head<'_>) -> Option<Description> {
    let text = match head.slice(8, 4) {
        b"AIFF" => "IFF data, AIFF audio",
        b"AIFC" => "IFF data, AIFF-C compressed audio",
        b"8SVX" => "IFF data, 8SVX 8-bit sampled sound",
        b"ILBM" => "IFF data, ILBM interleaved image",
        _ if head.starts_binary() => "IFF data",
        _ => return None,
    };
    Some(Description::new(Media, text))
}

fn sun_audio(head: Head<'_>) -> Option<Description> {
    let coding = match head.u32(12, Big)? {
        1 => "8-bit ISDN mu-law",
        2 => "8-bit linear PCM [REF-PCM]",
        3 => "16-bit linear PCM",
        4 => "24-bit linear PCM",
        5 => "32-bit linear PCM",
        6 => "32-bit IEEE floating point",
        27 => "8-bit ISDN A-law",
        _ => return Some(Description::new(Media, "Sun/NeXT audio data")),
    };
    let channels = match head.u32(20, Big)? {
        1 => "mono".into(),
        2 => "stereo".into(),
        channels => format!("{channels} channels"),
    };
    let rate = head.u32(16, Big)?;
    Some(Description::new(Media, format!("Sun/NeXT audio data: {coding}, {channels}, {rate} Hz")))
}
