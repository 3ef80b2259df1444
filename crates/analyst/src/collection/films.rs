//! Films and sounds: of which kind, from whom, which albums and what they lack, and when they were made where they say so.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::fact::{Day, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::documents::kinds_of;
use super::sound::{self, Tags};
use super::titles::quoted;
use super::{Look, days, kept, length, most, warns, words};
use crate::words::{list, number, some_of};

/// So many albums are told.
const ALBUMS: usize = 4;

/// So many pieces are told by their titles.
const TITLES: usize = 4;

/// The pieces of one album.
#[derive(Default)]
struct Album {
    pieces: u64,
    artists: BTreeSet<String>,
    years: BTreeSet<String>,
    tracks: BTreeSet<u32>,
    cited: Option<Evidence>,
}

impl Album {
    fn see(&mut self, tags: &Tags, cite: &dyn Fn() -> Evidence) {
        self.pieces += 1;
        self.artists.extend(tags.artist.clone());
        self.years.extend(tags.year.clone());
        self.tracks.extend(tags.track);
        self.cited.get_or_insert_with(cite);
    }

    /// `‘Homogenic’ by Björk, 1997`.
    fn line(&self, title: &str) -> String {
        let by = match self.artists.first() {
            Some(artist) if self.artists.len() == 1 && artist != title => format!(" by {artist}"),
            Some(_) if 1 < self.artists.len() => " by several artists".to_owned(),
            _ => String::new(),
        };
        let year = match (self.years.first(), self.years.last()) {
            (Some(first), Some(last)) if first == last => format!(", {first}"),
            (Some(first), Some(last)) => format!(", {first} to {last}"),
            _ => String::new(),
        };
        format!("{}{by}{year}", quoted(title))
    }

    /// Numbers between the first and the last track that are not there.
    fn lost(&self) -> Vec<String> {
        let (Some(last), true) = (self.tracks.last(), self.tracks.contains(&1)) else { return Vec::new() };
        let lost = (1..*last).filter(|track| !self.tracks.contains(track));
        let lost: Vec<String> = lost.take(100).map(|track| track.to_string()).collect();
        if lost.len() * 2 < self.tracks.len() { lost } else { Vec::new() }
    }
}

const SOUNDS: &[&str] =
    &["mp3", "flac", "wav", "m4a", "m4b", "ogg", "oga", "opus", "aac", "wma", "aif", "aiff", "amr"];
const FILMS: &[&str] =
    &["mp4", "mov", "avi", "mkv", "m4v", "webm", "3gp", "mts", "m2ts", "wmv", "flv", "mpg", "mpeg"];

/// Whether files of an ending are films or sounds.
pub(super) fn is_film(ending: &str) -> bool {
    SOUNDS.contains(&ending) || FILMS.contains(&ending)
}

/// Whether files of an ending are films.
pub(super) fn is_video(ending: &str) -> bool {
    FILMS.contains(&ending)
}

fn ending_of(file: &ListedFile) -> String {
    let name = file.name.to_utf8().unwrap_or_default();
    name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase()
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let (films, sounds): (Vec<&ListedFile>, Vec<&ListedFile>) =
        files.iter().partition(|file| FILMS.contains(&ending_of(file).as_str()));
    [of_kind(dir, "recording", &sounds, peek), of_kind(dir, "video", &films, peek)].concat()
}

fn of_kind(dir: &str, noun: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut made: Vec<i64> = Vec::new();
    let mut artists: BTreeMap<String, u64> = BTreeMap::new();
    let mut albums: BTreeMap<String, Album> = BTreeMap::new();
    let mut titles: BTreeSet<(Option<u32>, String)> = BTreeSet::new();
    let (mut seconds, mut timed, mut evidence) = (0, 0, Vec::new());
    let mut largest = (0, 0);
    for file in files {
        // Films are often too large to be read; there they are all the same.
        *kinds.entry(ending_of(file).to_ascii_uppercase()).or_default() += 1;
        let Some(head) = peek(file) else { continue };
        let far = head.far.as_ref().map_or(&[][..], |(_, piece)| &piece[..]);
        made.extend(made_on(&head.bytes).or_else(|| made_on(far)));
        let tags = sound::tags(&head.bytes, far);
        if let Some(length) = length::seconds(&head.bytes, far, file.size) {
            seconds += length;
            timed += 1;
        }
        largest = largest.max(length::frame(&head.bytes).or_else(|| length::frame(far)).unwrap_or_default());
        titles.extend(tags.title.clone().map(|title| (tags.track, title)));
        match (&tags.album, &tags.artist) {
            (Some(album), _) => albums.entry(album.clone()).or_default().see(&tags, &|| head.cite_head()),
            (None, Some(artist)) => *artists.entry(artist.clone()).or_default() += 1,
            (None, None) => {}
        }
        if evidence.len() < 3 {
            evidence.push(head.cite_head());
        }
    }
    let seen: u64 = kinds.values().sum();
    if seen == 0 || evidence.is_empty() {
        return Vec::new();
    }
    let mut details = vec![kinds_of(&kinds)];
    let mut by_size: Vec<(&String, &Album)> = albums.iter().collect();
    by_size.sort_by(|a, b| b.1.pieces.cmp(&a.1.pieces).then_with(|| a.0.cmp(b.0)));
    let lines: Vec<String> = by_size.iter().map(|(title, album)| album.line(title)).collect();
    if !lines.is_empty() {
        details.push(some_of(&lines, ALBUMS));
    }
    if !artists.is_empty() {
        details.push(format!("by {}", most(&artists, 3)));
    }
    // Of one album the pieces are told, too.
    let mut titles: Vec<String> = titles.iter().map(|(_, title)| quoted(title)).collect();
    titles.dedup();
    if albums.len() <= 1 && (1 < titles.len() || seen == 1 && !titles.is_empty()) {
        details.push(some_of(&titles, TITLES));
    }
    if let Some(length) = length::told(seconds) {
        let all = if timed == seen { String::new() } else { format!(" in {} of them", number(timed)) };
        details.push(format!("{length}{all}"));
    }
    if 0 < largest.0 {
        details.push(format!("up to {} × {} pixels", largest.0, largest.1));
    }
    let period = made.iter().min().zip(made.iter().max());
    let period = period.map(|(first, last)| (Day::of_number(*first), Day::of_number(*last)));
    let details = words(details);
    let keeps = Holding { count: seen, noun: noun.to_owned(), period, details };
    let mut told = vec![kept(dir, keeps, evidence)];
    for (title, album) in by_size.into_iter().take(ALBUMS) {
        let lost = album.lost();
        if let Some(cited) = album.cited.clone().filter(|_| !lost.is_empty()) {
            let (noun, verb) = if lost.len() == 1 { ("track", "is") } else { ("tracks", "are") };
            let shown = list(&lost.iter().take(12).cloned().collect::<Vec<_>>());
            told.push(warns(
                dir,
                format!("{noun} {shown} of {} {verb} not there", quoted(title)),
                vec![cited],
            ));
        }
    }
    told
}

/// The day that the head of an MP4 or QuickTime film names: seconds since 1904.
fn made_on(bytes: &[u8]) -> Option<i64> {
    let at = memchr::memmem::find(bytes, b"mvhd")? + 4;
    let field = bytes.get(at + 4..at + 12)?;
    let seconds = match bytes.get(at)? {
        0 => u64::from(u32::from_be_bytes(field[..4].try_into().ok()?)),
        1 => u64::from_be_bytes(field.try_into().ok()?),
        _ => return None,
    };
    let day = i64::try_from(seconds / 86_400).ok()? - days::SINCE_1904;
    // Cameras whose clock was never set say 1904 or 1970.
    (days::number(1995, 1, 1)? <= day && day <= days::number(2100, 1, 1)?).then_some(day)
}
