//! Archives by their own lists of contents; and what lies in a directory that does not fit.

use std::collections::BTreeMap;
use std::io::Read as _;

use luminos_core::fact::{Detail, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use luminos_core::{ByteSize, RelPath};
use luminos_tools::structure::{self, Outline};

use super::documents::kinds_of;
use super::{Kind, Look, kept, most, series, titles, warns};
use crate::eyes::Peek;
use crate::words::{code, number, some_of};

/// So many files of an archive are named.
const MOST_NAMED: usize = 5;
/// Larger archives are not unpacked to see whether they can be.
const MOST_UNPACKED: usize = 8 << 20;

pub(super) fn archives(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    let mut whole: Vec<series::Member> = Vec::new();
    let mut single = Vec::new();
    let mut unlisted = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let Ok(Outline::Archive(archive)) =
            structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default())
        else {
            match not_an_archive(&head.name, &head.bytes) {
                Some(words) => told.push(warns(&head.word, words, vec![head.cite_head()])),
                None => unlisted.push((head.name.clone(), file.size, head.cite_head())),
            }
            continue;
        };
        let members: Vec<_> = archive.entries.iter().filter(|entry| !entry.is_directory).collect();
        let mut names: Vec<String> = Vec::new();
        for member in &members {
            let name = member.name.trim_start_matches("./");
            // A packed single file has no name of its own: it is called like the archive.
            let inner = head.name.rsplit_once('.').map_or(head.name.as_str(), |(stem, _)| stem);
            let name = if name == "(no name)" || name.is_empty() { inner } else { name };
            names.push(name.to_owned());
        }
        let tops = tops_of(&names);
        let cited = members.iter().filter_map(|member| head.cite(&member.name)).take(3);
        let mut evidence: Vec<_> = cited.collect();
        if evidence.is_empty() {
            evidence.push(head.cite_head());
        }
        if let Some(words) = cut_off(&head) {
            told.push(warns(&head.word, words, vec![head.cite_head()]));
            continue;
        }
        let has_dir = tops.keys().any(|top| top.ends_with("/`"));
        let inside = match by_kinds(&tops) {
            Some(kinds) => Detail::Text(kinds),
            None => {
                let told = most(&tops, 4).replace(" (1)", "");
                if has_dir { Detail::Names(told) } else { Detail::Text(told) }
            }
        };
        let details = vec![Detail::Text(format!("{} unpacked", ByteSize(archive.size))), inside];
        let keeps =
            Holding { count: members.len() as u64, noun: "packed file".to_owned(), period: None, details };
        told.extend(secrets(&head, &names, evidence.first()));
        let is_single =
            members.len() == 1 && head.name.ends_with(".gz") && series::date_in(&head.name).is_none();
        if is_single {
            single.push((head.name.clone(), archive.size, head.cite_head(), (head.word.clone(), keeps)));
            continue;
        }
        let top = tops_of(&names).into_keys().take(2).find(|top| top.ends_with("/`"));
        whole.push(series::Member { name: head.name.clone(), path: head.word.clone(), keeps, evidence, top });
        if archive.is_partial {
            told.push(warns(
                &head.word,
                "its list ends before the file does: it is cut off or damaged".to_owned(),
                vec![head.cite_head()],
            ));
        }
    }
    let packed = packed_alone(dir, single).into_iter().chain(not_listed(dir, unlisted));
    series::told(dir, whole).into_iter().chain(packed).chain(told).collect()
}

/// Archives of a form whose list is not read.
fn not_listed(dir: &str, files: Vec<(String, u64, Evidence)>) -> Option<Fact> {
    let names: Vec<String> = files.iter().map(|(name, _, _)| code(name)).collect();
    let bytes = files.iter().map(|(_, size, _)| size).sum();
    let keeps = Holding {
        count: files.len() as u64,
        noun: "unlisted archive".to_owned(),
        period: None,
        details: vec![Detail::Names(format!("{}, {}", some_of(&names, 4), ByteSize(bytes)))],
    };
    let evidence: Vec<Evidence> = files.into_iter().map(|(_, _, cited)| cited).take(3).collect();
    (!evidence.is_empty()).then(|| kept(dir, keeps, evidence))
}

/// Files that are packed one by one: a directory of them is one sentence.
fn packed_alone(dir: &str, single: Vec<(String, u64, Evidence, (String, Holding))>) -> Option<Fact> {
    if let [(_, _, cited, (path, keeps))] = &single[..] {
        return Some(kept(path, keeps.clone(), vec![cited.clone()]));
    }
    let names: Vec<String> = single.iter().map(|(name, _, _, _)| code(name)).collect();
    let bytes = single.iter().map(|(_, size, _, _)| size).sum();
    let keeps = Holding {
        count: single.len() as u64,
        noun: "packed file".to_owned(),
        period: None,
        details: vec![
            Detail::Names(some_of(&names, 4)),
            Detail::Text(format!("{} unpacked", ByteSize(bytes))),
        ],
    };
    let evidence: Vec<Evidence> = single.into_iter().map(|(_, _, cited, _)| cited).take(3).collect();
    (!evidence.is_empty()).then(|| kept(dir, keeps, evidence))
}

/// What lies at the top of an archive; where that is a single directory, what lies in it.
fn tops_of(names: &[String]) -> BTreeMap<String, u64> {
    let mut above = String::new();
    loop {
        let mut tops: BTreeMap<String, u64> = BTreeMap::new();
        for name in names {
            let rest = name.strip_prefix(above.as_str()).unwrap_or(name);
            let top = match rest.split_once('/') {
                Some((top, _)) => code(&format!("{above}{top}/")),
                None => titles::quoted(&format!("{above}{rest}")),
            };
            *tops.entry(top).or_default() += 1;
        }
        let only = tops
            .first_key_value()
            .filter(|_| tops.len() == 1)
            .map(|(only, _)| only.trim_matches('`').to_owned());
        match only.filter(|only| only.ends_with('/') && above.len() < only.len() && only.len() < 60) {
            Some(only) if 1 < names.len() => above = only,
            _ => return tops,
        }
    }
}

/// Many files side by side are told by where they lie and by their endings; `None` for few, and for directories.
fn by_kinds(tops: &BTreeMap<String, u64>) -> Option<String> {
    let names: Vec<&str> = tops.keys().map(|top| top.trim_matches(['‘', '’'])).collect();
    if names.len() <= MOST_NAMED || tops.keys().any(|top| top.ends_with("/`")) {
        return None;
    }
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for name in &names {
        let last = name.rsplit('/').next().unwrap_or(name);
        let ending = last.rsplit_once('.').map_or("no ending", |(_, ending)| ending);
        *kinds.entry(ending.to_ascii_uppercase()).or_default() += 1;
    }
    let above =
        names.first().and_then(|name| name.rsplit_once('/')).map(|(above, _)| code(&format!("{above}/")));
    let kinds = kinds_of(&kinds);
    Some(above.map_or(kinds.clone(), |above| format!("{kinds}, all in {above}")))
}

/// Files in an archive that keep keys or passwords, by their names.
fn secrets(head: &Peek, names: &[String], evidence: Option<&Evidence>) -> Option<Fact> {
    let is_secret = |name: &&String| {
        let last = name.rsplit('/').next().unwrap_or(name);
        titles::is_named_private(last) || luminos_core::is_secret_file(&RelPath::from(name.as_str()))
    };
    let found: Vec<String> = names.iter().filter(is_secret).map(|name| titles::quoted(name)).collect();
    let words = format!("it packs {}: by the name, keys or passwords", some_of(&found, 3));
    (!found.is_empty()).then(|| warns(&head.word, words, evidence.cloned().into_iter().collect()))
}

/// What is wrong with a packed file that does not unpack to its end.
fn cut_off(head: &Peek) -> Option<String> {
    if !head.bytes.starts_with(b"\x1f\x8b") || MOST_UNPACKED < head.bytes.len() {
        return None;
    }
    let mut unpacked = flate2::read::MultiGzDecoder::new(&head.bytes[..]).take(MOST_UNPACKED as u64 * 8);
    std::io::copy(&mut unpacked, &mut std::io::sink()).err()?;
    Some("it does not unpack to its end: cut off or damaged".to_owned())
}

/// What is called an archive and has not the first bytes of one.
fn not_an_archive(name: &str, bytes: &[u8]) -> Option<String> {
    let marks: [(&str, &[u8]); 4] =
        [("zip", b"PK"), ("gz", b"\x1f\x8b"), ("xz", b"\xfd7zXZ"), ("7z", b"7z\xbc\xaf")];
    let (ending, _) = marks
        .iter()
        .find(|(ending, mark)| name.ends_with(&format!(".{ending}")) && !bytes.starts_with(mark))?;
    Some(format!("it is called .{ending} and does not begin like one: cut off, renamed or damaged"))
}

/// Programs among what is mostly something else.
pub(super) fn out_of_place(dir: &str, files: &[ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut kinds: BTreeMap<Kind, u64> = BTreeMap::new();
    files.iter().filter_map(Kind::of).for_each(|kind| *kinds.entry(kind).or_default() += 1);
    let all: u64 = kinds.values().sum();
    let Some((main, most)) = kinds.iter().max_by_key(|(_, count)| **count) else { return Vec::new() };
    if *most < 4 || *most * 10 < all * 6 || matches!(main, Kind::Program | Kind::Other) {
        return Vec::new();
    }
    let strangers = files.iter().filter(|file| Kind::of(file) == Some(Kind::Program));
    let mut told = Vec::new();
    for file in strangers.take(3) {
        let Some(head) = peek(file) else { continue };
        let words = format!(
            "out of place: {} is a program among {} {}",
            code(&head.name),
            number(*most),
            main.plural()
        );
        told.push(warns(dir, words, vec![head.cite_head()]));
    }
    told
}

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Self::Table | Self::Sheets | Self::Parquet | Self::Records | Self::Json => "tables",
            Self::Map => "maps",
            Self::Book => "books",
            Self::People => "contacts and calendars",
            Self::Other => "other files",
            Self::Picture => "pictures",
            Self::Film => "films and sounds",
            Self::Mail => "mails",
            Self::Log => "logs",
            Self::Database => "databases",
            Self::Dump => "dumps",
            Self::Archive => "archives",
            Self::Document => "documents",
            Self::Program => "programs",
        }
    }
}
