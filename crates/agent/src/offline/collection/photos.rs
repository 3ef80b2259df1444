//! Pictures: when they were taken, by which cameras, where; which of them do not fit, and which cannot be opened.

use std::collections::BTreeMap;

use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use luminos_tools::structure::{self, Outline};

use super::{Keeps, Look, Told, days, lacks, most, series};
use crate::offline::eyes::Peek;
use crate::offline::words::{code, count, number, some_of};

/// So many bytes at the end of a picture are searched for its end.
const TAIL: usize = 4096;
/// So many pictures of one kind are named.
const NAMED: usize = 3;

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
    widest: (u64, u32, u32),
    head: Option<Evidence>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
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
        let outline = structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default());
        let is_broken = is_whole && is_cut_off(&head.bytes);
        let Ok(Outline::Picture(picture)) = outline else {
            let is_known = head.bytes.starts_with(b"\xff\xd8") || head.bytes.starts_with(b"\x89PNG");
            if is_broken || is_known {
                self.broken.push((head.name.clone(), head.cite_head()));
            }
            return;
        };
        if is_broken {
            self.broken.push((head.name.clone(), head.cite_head()));
        }
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
        self.located += u64::from(has_place(&head.bytes).unwrap_or(false));
        let name = head.name.clone();
        match picture.taken.as_deref().and_then(|text| Some((days::at_start(text)?, head.cite(text)?))) {
            Some((day, cited)) => self.taken.push(Dated { day, name, cited }),
            None => match series::date_in(&head.name) {
                Some((_, day)) => self.by_name.push(Dated { day, name, cited: head.cite_head() }),
                None => self.undated.push((name, head.cite_head())),
            },
        }
    }

    fn told(mut self, dir: &str) -> Vec<Told> {
        let mut told = Vec::new();
        if 0 < self.seen {
            told.push(self.keeps(dir));
        }
        if !self.undated.is_empty() && !self.taken.is_empty() {
            let verb = if self.undated.len() == 1 { "carries" } else { "carry" };
            let all = count(self.undated.len() as u64, "picture");
            let words = format!("{all} {verb} no date: {}", names(&self.undated));
            told.push(lacks(dir, words, cited(&self.undated)));
        }
        if !self.broken.is_empty() {
            let verb = if self.broken.len() == 1 { "is" } else { "are" };
            let words = format!(
                "{} {verb} cut off or damaged: the end of a picture is not there",
                names(&self.broken)
            );
            told.push(lacks(dir, words, cited(&self.broken)));
        }
        told.extend(of_another_year(dir, &self.taken));
        told
    }

    fn keeps(&mut self, dir: &str) -> Told {
        let by_day = |a: &Dated, b: &Dated| a.day.cmp(&b.day).then_with(|| a.name.cmp(&b.name));
        self.taken.sort_by(by_day);
        self.by_name.sort_by(by_day);
        let mut parts = Vec::new();
        let by_cameras: u64 = self.cameras.values().map(|(photos, _)| photos).sum();
        match self.cameras.first_key_value() {
            Some((only, _)) if self.cameras.len() == 1 && by_cameras == self.seen => {
                parts.push(format!("taken with {only}"));
            }
            Some(_) => {
                let counts = self.cameras.iter().map(|(name, (photos, _))| (name.clone(), *photos)).collect();
                parts.push(format!("taken with {}", most(&counts, 3)));
            }
            None => {}
        }
        let is_by_name = self.taken.is_empty() && self.by_name.len() as u64 * 2 > self.seen;
        if is_by_name {
            parts.push("days by their names".to_owned());
        }
        if 0 < self.located {
            let all = if self.located == self.seen { "all".to_owned() } else { number(self.located) };
            parts.push(format!("{all} with the place where they were taken"));
        }
        if 0 < self.widest.0 {
            let (wide, high) = (self.widest.1.max(self.widest.2), self.widest.1.min(self.widest.2));
            parts.push(format!("up to {wide} × {high} pixels"));
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
            () if self.taken.is_empty() && self.cameras.is_empty() => "picture",
            () => "photo",
        };
        let period = usual
            .first()
            .zip(usual.last())
            .map(|(first, last)| (days::told(first.day), days::told(last.day)));
        let keeps = Keeps {
            path: dir.to_owned(),
            count: self.seen,
            noun: noun.to_owned(),
            period,
            details: parts.join("; "),
        };
        Told { text: keeps.sentence(), evidence }
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

/// Whether a photo says where it was taken: a directory of its own, with a latitude.
fn has_place(bytes: &[u8]) -> Option<bool> {
    let head = bytes.get(..bytes.len().min(128 << 10))?;
    let tiff = head.get(memchr::memmem::find(head, b"Exif\0\0")? + 6..)?;
    let is_little = tiff.starts_with(b"II");
    let number = |at: usize, length: usize| -> Option<usize> {
        let bytes = tiff.get(at..at.checked_add(length)?)?;
        let add = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        Some(if is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    };
    let find = |directory: usize, tag: usize| -> Option<usize> {
        let entries = number(directory, 2)?.min(200);
        let mut entries = (0..entries).filter_map(|index| directory.checked_add(2 + 12 * index));
        entries.find(|entry| number(*entry, 2) == Some(tag))
    };
    let places = number(find(number(4, 4)?, 0x8825)? + 8, 4)?;
    Some(find(places, 2).is_some())
}

/// One or two pictures of a year far from all others: a clock that was wrong, or a guest.
fn of_another_year(dir: &str, taken: &[Dated]) -> Option<Told> {
    let days = far_days(taken);
    let far: Vec<&Dated> = taken.iter().filter(|one| days.contains(&one.day)).collect();
    if far.is_empty() {
        return None;
    }
    let names: Vec<String> =
        far.iter().map(|one| format!("{} says {}", code(&one.name), days::told(one.day))).collect();
    let words = format!("out of place by its date: {}, years from the rest", some_of(&names, 2));
    Some(lacks(dir, words, far.iter().map(|one| one.cited.clone()).collect()))
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
    fn ends_and_places_are_found_and_damage_is_none() {
        assert!(is_cut_off(b"\xff\xd8\xff\xe0 and no end"));
        assert!(!is_cut_off(b"\xff\xd8\xff\xe0\xff\xd9\0\0"));
        assert!(!is_cut_off(b""));
        let mut exif =
            b"\xff\xd8\xff\xe1\0\x40Exif\0\0II*\0\x08\0\0\0\x01\0\x25\x88\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0"
                .to_vec();
        exif.extend(b"\x01\0\x02\0\x05\0\x03\0\0\0\0\0\0\0");
        assert_eq!(has_place(&exif), Some(true));
        for end in 0..exif.len() {
            let _ = has_place(&exif[..end]);
        }
        assert_eq!(has_place(b"\xff\xd8"), None);
    }
}
