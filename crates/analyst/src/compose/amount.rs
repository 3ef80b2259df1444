//! How much a directory holds, and of what.

use std::collections::BTreeMap;

use luminos_core::ByteSize;
use luminos_core::job::Assignment;
use luminos_core::scan::Category;

use crate::words::{count, list};

/// What kinds of files there are: `14 C files and 2 documents`.
pub(super) fn contents(assignment: &Assignment) -> String {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for file in &assignment.files {
        let kind = match (&file.kind, &file.language, file.category) {
            (Some(kind), _, _) => kind.clone(),
            // `Rakefile` says so itself.
            (None, Some(language), Category::Source) if language.ends_with("file") => language.clone(),
            (None, Some(language), Category::Source) => format!("{language} file"),
            (None, _, Category::Source) => "source file".to_owned(),
            (None, _, Category::Config) => "configuration file".to_owned(),
            (None, _, Category::Data) => with_ending(file, "data file"),
            (None, _, Category::Document) => "document".to_owned(),
            (None, _, Category::Media) => with_ending(file, "media file"),
            (None, _, Category::Archive) => with_ending(file, "archive"),
            (None, _, Category::Unknown) => "other file".to_owned(),
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let mut kinds: Vec<(u64, String)> = kinds.into_iter().map(|(kind, files)| (files, kind)).collect();
    kinds.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    // One file among many of another kind is no news.
    let most = kinds.first().map_or(0, |(files, _)| *files);
    kinds.retain(|(files, _)| most <= files * 12);
    let kinds: Vec<String> = kinds.into_iter().take(4).map(|(files, kind)| count(files, &kind)).collect();
    list(&kinds)
}

/// `jpg file`, or another word where the name has no ending.
fn with_ending(file: &luminos_core::job::ListedFile, otherwise: &str) -> String {
    let ending = file
        .name
        .to_utf8()
        .and_then(|name| name.rsplit_once('.'))
        .map(|(_, ending)| ending.to_ascii_lowercase());
    match ending {
        Some(ending)
            if (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            format!("{ending} file")
        }
        Some(_) | None => otherwise.to_owned(),
    }
}

/// How much there is directly in it.
pub(super) fn size(assignment: &Assignment) -> Option<String> {
    let files = assignment.file_count.max(assignment.files.len() as u64);
    if files == 0 {
        return None;
    }
    let below = if assignment.children.is_empty() { "" } else { " directly in it" };
    let files = count(files, "file");
    Some(match main_language(assignment) {
        Some((lines, language)) => format!("{files}{below}; {} of {language}.", count(lines, "line")),
        None => format!("{files}{below}, {}.", bytes(assignment)),
    })
}

/// How much that is, in a word: lines of programs, bytes of the rest.
pub(super) fn extent(assignment: &Assignment) -> Option<String> {
    if assignment.files.is_empty() {
        return None;
    }
    match main_language(assignment) {
        Some((lines, _)) => (0 < lines).then(|| count(lines, "line")),
        None => Some(bytes(assignment)).filter(|bytes| 0 < bytes.0).map(|bytes| bytes.to_string()),
    }
}

fn bytes(assignment: &Assignment) -> ByteSize {
    ByteSize(assignment.files.iter().map(|file| file.size).sum())
}

/// The language of most lines, where at least half of the files are programs.
fn main_language(assignment: &Assignment) -> Option<(u64, &str)> {
    let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
    let is_source = |file: &&luminos_core::job::ListedFile| file.category == Category::Source;
    for file in assignment.files.iter().filter(is_source) {
        // Of a notebook, cells are told.
        if let Some(language) = file.language.as_deref().filter(|language| *language != "Jupyter Notebooks") {
            *lines.entry(language).or_default() += u64::from(file.lines);
        }
    }
    let mut lines: Vec<(u64, &str)> = lines.into_iter().map(|(language, lines)| (lines, language)).collect();
    lines.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let sources = assignment.files.iter().filter(is_source).count();
    lines.first().copied().filter(|_| assignment.files.len() <= sources * 2)
}
