//! Pictures: when they were taken, by which cameras, where; which of them do not fit, and which cannot be opened.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::fact::{Count, Day, Detail, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use luminos_tools::structure::{self, Picture};

use super::{Look, days, kept, lacks, most, numbered, series, warns};
use crate::eyes::Peek;
use crate::words::{code, count, number, some_of};

/// So many bytes at the end of a picture are searched for its end.
const TAIL: usize = 4096;
/// So many pictures of one kind are named.
const NAMED: usize = 3;

/// Raw photos, by their endings.
pub(super) const RAW: &[&str] =
    &["arw", "cr2", "cr3", "nef", "dng", "raf", "orf", "rw2", "srw", "pef", "nrw", "3fr", "iiq"];
/// The other pictures.
const PICTURES: &[&str] =
    &["jpg", "jpeg", "png", "heic", "heif", "avif", "tif", "tiff", "webp", "gif", "bmp"];

/// Whether files of an ending are pictures.
pub(super) fn is_picture(ending: &str) -> bool {
    PICTURES.contains(&ending) || RAW.contains(&ending)
}

/// Words in the names of scanners.
const SCANNERS: &[&str] =
    &["expression ", "perfection", "scan", "lide ", "flextight", "opticfilm", "gt-x", "v600", "v850"];

/// A picture with a day, and where that stands.
struct Dated {
    day: i64,
    name: String,
    cited: Evidence,
}

#[derive(Default)]
struct Album {
    seen: u64,
    taken: Vec<Dated>,
    by_name: Vec<Dated>,
    undated: Vec<(String, Evidence)>,
    cameras: BTreeMap<String, (u64, Option<Evidence>)>,
    located: u64,
    shots: u64,
    broken: Vec<(String, Evidence)>,
    /// How many are stored as what.
    formats: BTreeMap<String, u64>,
    /// The names without their endings, and how many of each there are.
    stems: BTreeMap<String, u64>,
    names: BTreeSet<String>,
    widest: (u64, u32, u32),
    head: Option<Evidence>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut album = Album::default();
    for file in files {
        if let Some(head) = peek(file) {
            album.see(&head, head.bytes.len() as u64 == file.size);
        }
    }
    album.told(dir)
}

impl Album {
    fn see(&mut self, head: &Peek, is_whole: bool) {
        let far = head.far.as_ref().map(|(at, piece)| (*at, &piece[..]));
        let is_broken = is_whole && is_cut_off(&head.bytes);
        let picture =
            structure::picture(&head.bytes, far).or_else(|| unsized_picture(&head.name, &head.bytes));
        let Some(picture) = picture else {
            let is_known = head.bytes.starts_with(b"\xff\xd8") || head.bytes.starts_with(b"\x89PNG");
            if is_broken || is_known {
                self.broken.push((head.name.clone(), head.cite_head()));
            }
            return;
        };
        if is_broken {
            self.broken.push((head.name.clone(), head.cite_head()));
        }
        let (stem, ending) = head.name.rsplit_once('.').unwrap_or((&head.name, ""));
        let ending = match ending.to_ascii_uppercase().as_str() {
            "JPG" => "JPEG".to_owned(),
            "TIF" => "TIFF".to_owned(),
            ending => ending.to_owned(),
        };
        *self.formats.entry(ending).or_default() += 1;
        *self.stems.entry(stem.to_owned()).or_default() += 1;
        self.names.insert(head.name.clone());
        self.seen += 1;
        self.head.get_or_insert_with(|| head.cite_head());
        self.shots += u64::from(is_screenshot(&head.name));
        let pixels = u64::from(picture.width) * u64::from(picture.height);
        if self.widest.0 < pixels {
            self.widest = (pixels, picture.width, picture.height);
        }
        if let Some(camera) = picture.camera.filter(|camera| !camera.contains(['(', ',', '`', ':', ';'])) {
            let known = self.cameras.entry(camera.clone()).or_default();
            known.0 += 1;
            known.1 = known.1.take().or_else(|| head.cite(&camera));
        }
        self.located += u64::from(picture.is_located);
        let name = head.name.clone();
        let cite = |text: &str| head.cite(text).unwrap_or_else(|| head.cite_head());
        match picture.taken.as_deref().and_then(|text| Some((days::at_start(text)?, cite(text)))) {
            Some((day, cited)) => self.taken.push(Dated { day, name, cited }),
            None => match series::date_in(&head.name) {
                Some((_, day)) => self.by_name.push(Dated { day, name, cited: head.cite_head() }),
                None => self.undated.push((name, head.cite_head())),
            },
        }
    }

    fn told(mut self, dir: &str) -> Vec<Fact> {
        let mut told = Vec::new();
        if 0 < self.seen {
            told.push(self.keeps(dir));
        }
        // The day of a picture is that of another one with the same name.
        let dated: BTreeSet<&str> = self.taken.iter().map(|one| stem_of(&one.name)).collect();
        self.undated.retain(|(name, _)| !dated.contains(stem_of(name)));
        if !self.undated.is_empty() && !self.taken.is_empty() {
            let verb = if self.undated.len() == 1 { "carries" } else { "carry" };
            let all = count(self.undated.len() as u64, "picture");
            let words = format!("{all} {verb} no date: {}", names(&self.undated));
            told.push(lacks(dir, words, cited(&self.undated)));
        }
        if !self.broken.is_empty() {
            let verb = if self.broken.len() == 1 { "is" } else { "are" };
            let words = format!("{} {verb} damaged: the image data breaks off", names(&self.broken));
            told.push(lacks(dir, words, cited(&self.broken)));
        }
        told.extend(of_another_year(dir, &self.taken));
        let cited = || self.head.clone().into_iter().collect();
        told.extend(numbered::left_out(&self.names).into_iter().map(|words| warns(dir, words, cited())));
        told
    }

    fn keeps(&mut self, dir: &str) -> Fact {
        let by_day = |a: &Dated, b: &Dated| a.day.cmp(&b.day).then_with(|| a.name.cmp(&b.name));
        self.taken.sort_by(by_day);
        self.by_name.sort_by(by_day);
        let mut parts: Vec<Detail> = Vec::new();
        let is_scanner = |name: &String| {
            let name = name.to_lowercase();
            SCANNERS.iter().any(|word| name.contains(word))
        };
        let is_scanned = !self.cameras.is_empty() && self.cameras.keys().all(is_scanner);
        let is_raw = self.formats.keys().any(|format| RAW.contains(&format.to_ascii_lowercase().as_str()));
        if 1 < self.formats.len() || is_raw {
            parts.push(Detail::Text(most(&self.formats, 4)));
        } else if let Some((format, _)) =
            self.formats.first_key_value().filter(|(format, _)| !matches!(format.as_str(), "JPEG" | "PNG"))
        {
            parts.push(Detail::Text(format.clone()));
        }
        let twice = self.stems.values().filter(|files| 1 < **files).count() as u64;
        if 0 < twice {
            let forms = if self.formats.len() == 2 { "as both" } else { "in several forms" };
            parts.push(Detail::Text(match twice as usize == self.stems.len() {
                true => format!("each {forms}"),
                false => format!("{} {forms}", number(twice)),
            }));
        }
        let by_cameras: u64 = self.cameras.values().map(|(photos, _)| photos).sum();
        if !self.cameras.is_empty() {
            let counts = self.cameras.iter();
            let mut cameras: Vec<Count> =
                counts.map(|(name, (photos, _))| Count { number: *photos, of: name.clone() }).collect();
            cameras.sort_by(|a, b| b.number.cmp(&a.number).then_with(|| a.of.cmp(&b.of)));
            let took_all = cameras.len() == 1 && by_cameras == self.seen;
            parts.push(Detail::Cameras { are_scanners: is_scanned, took_all, cameras });
        }
        let is_by_name = self.taken.is_empty() && self.by_name.len() as u64 * 2 > self.seen;
        if is_by_name {
            parts.push(Detail::Text("days by their names".to_owned()));
        }
        if 0 < self.located {
            let all = if self.located == self.seen { "all".to_owned() } else { number(self.located) };
            parts.push(Detail::Text(format!("{all} with the place where they were taken")));
        }
        if 0 < self.widest.0 {
            let (wide, high) = (self.widest.1.max(self.widest.2), self.widest.1.min(self.widest.2));
            parts.push(Detail::Text(format!("up to {wide} × {high} pixels")));
        }
        let dated = if is_by_name { &self.by_name } else { &self.taken };
        let far = far_days(dated);
        let usual: Vec<&Dated> = dated.iter().filter(|one| !far.contains(&one.day)).collect();
        let mut evidence: Vec<Evidence> = usual.iter().take(1).map(|one| one.cited.clone()).collect();
        evidence.extend(usual.last().map(|one| one.cited.clone()));
        evidence.extend(self.cameras.values().filter_map(|(_, cited)| cited.clone()).take(3));
        if evidence.is_empty() {
            evidence.extend(self.head.clone());
        }
        let noun = match () {
            () if self.seen * 4 <= self.shots * 5 => "screenshot",
            () if is_scanned => "scan",
            () if self.taken.is_empty() && self.cameras.is_empty() && !is_raw => "picture",
            () => "photo",
        };
        let period = usual
            .first()
            .zip(usual.last())
            .map(|(first, last)| (Day::of_number(first.day), Day::of_number(last.day)));
        let keeps = Holding { count: self.seen, noun: noun.to_owned(), period, details: parts };
        kept(dir, keeps, evidence)
    }
}

fn names(of: &[(String, Evidence)]) -> String {
    some_of(&of.iter().map(|(name, _)| code(name)).collect::<Vec<_>>(), NAMED)
}

fn cited(of: &[(String, Evidence)]) -> Vec<Evidence> {
    of.iter().map(|(_, cited)| cited.clone()).take(NAMED).collect()
}

fn is_screenshot(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["screenshot", "screen shot", "bildschirmfoto", "capture d’écran", "scr_"]
        .iter()
        .any(|word| lower.starts_with(word))
}

/// Whether a picture that was read whole has no end.
fn is_cut_off(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    match bytes {
        [0xff, 0xd8, ..] => memchr::memmem::rfind(tail, b"\xff\xd9").is_none(),
        [0x89, b'P', b'N', b'G', ..] => memchr::memmem::rfind(tail, b"IEND").is_none(),
        _ => false,
    }
}

/// A picture of a form that is known, of which no size was found in what was read.
fn unsized_picture(name: &str, bytes: &[u8]) -> Option<Picture> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let is_boxes =
        bytes.get(4..8) == Some(b"ftyp") && matches!(ending.as_str(), "heic" | "heif" | "avif" | "cr3");
    let is_tiff = bytes.starts_with(b"II") || bytes.starts_with(b"MM") || bytes.starts_with(b"FUJIFILM");
    let is_raw = is_tiff && (RAW.contains(&ending.as_str()) || matches!(ending.as_str(), "tif" | "tiff"));
    (is_boxes || is_raw).then(|| Picture {
        format: ending.to_ascii_uppercase(),
        width: 0,
        height: 0,
        taken: None,
        camera: None,
        is_located: false,
    })
}

fn stem_of(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// One or two pictures of a year far from all others: a clock that was wrong, or a guest.
fn of_another_year(dir: &str, taken: &[Dated]) -> Option<Fact> {
    let days = far_days(taken);
    let far: Vec<&Dated> = taken.iter().filter(|one| days.contains(&one.day)).collect();
    if far.is_empty() {
        return None;
    }
    let names: Vec<String> =
        far.iter().map(|one| format!("{} says {}", code(&one.name), days::told(one.day))).collect();
    let words = format!("out of place by its date: {}, years from the rest", some_of(&names, 2));
    Some(warns(dir, words, far.iter().map(|one| one.cited.clone()).collect()))
}

/// The days that are years from nearly all others; none where there are more than two of them.
fn far_days(taken: &[Dated]) -> Vec<i64> {
    let Some(middle) = taken.get(taken.len() / 2).filter(|_| 5 <= taken.len()) else { return Vec::new() };
    let far: Vec<i64> =
        taken.iter().map(|one| one.day).filter(|day| 700 < (day - middle.day).abs()).take(3).collect();
    if far.len() <= 2 { far } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found() {
        assert!(is_cut_off(b"\xff\xd8\xff\xe0 and no end"));
        assert!(!is_cut_off(b"\xff\xd8\xff\xe0\xff\xd9\0\0"));
        assert!(!is_cut_off(b""));
    }
}
