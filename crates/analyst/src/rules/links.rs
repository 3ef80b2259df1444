//! Links of Markdown documents to files beside them.

use std::sync::LazyLock;

use luminos_core::RelPath;
use luminos_core::proof::Evidence;
use luminos_tools::Root;
use regex::Regex;

use super::table::BROKEN_LINK;
use super::{Found, places};
use crate::eyes::FileText;
use crate::role::Role;
use crate::words::{code, some_of};

/// A document links to so many files at most, as far as anybody checks.
const MOST: usize = 200;

static LINK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\]\(\s*<?([^)\s<>]+)>?(?:\s+"[^"]*")?\s*\)"#).ok());

/// A link to a file, as a document writes it.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    target: String,
    evidence: Evidence,
}

/// The links of a document to files of the target, by their looks.
pub(crate) fn of(file: &FileText) -> Vec<Link> {
    let name = file.name.to_ascii_lowercase();
    if !(name.ends_with(".md") || name.ends_with(".markdown")) || !file.text.contains("](") {
        return Vec::new();
    }
    let Some(pattern) = LINK.as_ref() else { return Vec::new() };
    let mut links = Vec::new();
    let mut fence: Option<&str> = None;
    for (number, line) in file.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        if let Some(mark) = mark {
            fence = match fence {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
            continue;
        }
        if fence.is_some() || !line.contains("](") || line.starts_with("    ") {
            continue;
        }
        let prose = without_code(line);
        for captures in pattern.captures_iter(&prose) {
            let Some(target) = captures.get(1).map(|target| target.as_str()).filter(|target| is_file(target))
            else {
                continue;
            };
            if links.len() < MOST {
                links.push(Link { target: target.to_owned(), evidence: file.cite_words(number, target) });
            }
        }
    }
    links
}

/// The line with code spans blanked, so that nothing in them is taken for a link.
fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    // An odd mark opens nothing.
    let spans = if parts.len().is_multiple_of(2) { parts.len() - 1 } else { parts.len() };
    let kept = parts.iter().enumerate().map(|(at, part)| if at % 2 == 1 && at < spans { "" } else { part });
    kept.collect()
}

/// A path relative to the document, with a name and an ending: anything else may be an address of the site it becomes.
fn is_file(target: &str) -> bool {
    let path = path_of(target);
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_odd = target.starts_with(['/', '#', '?', '~', '%', '@'])
        || target.contains(['{', '}', '$', '*', '\\', '|', ':', '…']);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    // `example.com/x` and `x.org` are addresses somebody forgot the beginning of.
    let is_host = match path.split_once('/') {
        Some((first, _)) => first.contains('.') && !first.starts_with('.'),
        None => [".com", ".org", ".net", ".io", ".dev"].iter().any(|end| name.ends_with(end)),
    };
    has_ending && !is_odd && !is_host
}

fn path_of(target: &str) -> &str {
    target.split(['#', '?']).next().unwrap_or_default()
}

/// What is wrong with the links of a document in this directory.
pub(crate) fn broken(links: &[Link], dir: &RelPath, root: &Root) -> Option<Found> {
    // What makes a site of documents brings pictures and pages of its own.
    let is_site = Role::of(&dir.to_word()) == Some(Role::Docs);
    let counts = |link: &&Link| !is_site || path_of(&link.target).ends_with(".md");
    let lost: Vec<&Link> =
        links.iter().filter(counts).filter(|link| !is_there(&link.target, dir, root)).collect();
    if lost.is_empty() {
        return None;
    }
    let mut names: Vec<String> = lost.iter().map(|link| code(&link.target)).collect();
    names.dedup();
    let mut evidence: Vec<Evidence> = lost.iter().map(|link| link.evidence.clone()).collect();
    let _ = places(&mut evidence);
    let (verb, thing) = if names.len() == 1 { ("is", "a file") } else { ("are", "files") };
    let finding = format!("Links to {thing} that {verb} not there: {}.", some_of(&names, 4));
    Some(Found::new(&BROKEN_LINK, finding, evidence))
}

fn is_there(target: &str, dir: &RelPath, root: &Root) -> bool {
    let Some(path) = joined(dir, &decoded(path_of(target))) else {
        // Above the target nobody can look.
        return true;
    };
    let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
    // Sites turn `x.md` into `x.html`.
    let names = [path.clone(), format!("{stem}.md"), format!("{stem}.mdx"), format!("{stem}.rst")];
    names.iter().any(|name| root.look(&RelPath::from(name.as_str())).is_ok())
}

/// `%20` and its like as what they stand for.
fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let digits = (byte == b'%').then(|| {
            let mut ahead = bytes.clone();
            let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
            digit(ahead.next()).zip(digit(ahead.next()))
        });
        match digits.flatten() {
            Some((high, low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                bytes.next();
                bytes.next();
            }
            None => out.push(byte),
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// A path from a directory; `None` if it leads out of the target.
fn joined(dir: &RelPath, path: &str) -> Option<String> {
    let dir = dir.to_utf8()?;
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
