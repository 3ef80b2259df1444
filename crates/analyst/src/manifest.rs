//! What manifests declare: packages, parts, dependencies, commands, services, licences.
//!
//! Most of them are read by `structure`, whose outlines say where each thing stands; the others by patterns of lines.

use luminos_core::fact::{Fact, FactKind, Reader};

use super::eyes::FileText;
use super::knowledge;
use super::words::{clipped, first_sentence};

mod commands;
mod infrastructure;
mod licence;
mod lines;
mod typed;
mod version;

pub(crate) use commands::{gathered, of_readme};
pub(crate) use licence::usual as usual_licence;

/// So many names of one kind are told.
const NAMES: usize = 12;
/// So many packages that something needs: which of them matter is seen later, by use.
const PACKAGES: usize = 60;

/// What a file declares, if it is a manifest of a known kind. `beside` are the names of the files it lies with.
pub(crate) fn findings(file: &FileText, beside: &[&str]) -> Vec<Fact> {
    if licence::is_licence(&file.name) {
        return licence::of_text(file).into_iter().collect();
    }
    let mut found = if typed::is_typed(&file.name) || is_pipeline(&file.word) {
        typed::findings(file, beside)
    } else {
        lines::findings(file)
    };
    found.extend(knowledge::findings(file, beside));
    found.extend(version::of_file(file));
    found.extend(infrastructure::of_file(file));
    found
}

/// Whether a file declares what the directory is.
pub(crate) fn is_manifest(name: &str) -> bool {
    typed::is_typed(name)
        || lines::is_known(name)
        || licence::is_licence(name)
        || knowledge::is_manifest(name)
}

/// Whether a file tells a build server what to do.
pub(crate) fn is_pipeline(path: &str) -> bool {
    path.contains(".github/workflows/")
        || matches!(path, ".gitlab-ci.yml" | ".travis.yml" | ".circleci/config.yml" | "azure-pipelines.yml")
        || matches!(path, ".cirrus.yml" | ".woodpecker.yml" | "appveyor.yml" | ".appveyor.yml")
}

/// A fact with some lines of a file.
pub(crate) fn at(file: &FileText, fact: FactKind, lines: impl IntoIterator<Item = u32>) -> Option<Fact> {
    let mut lines: Vec<usize> = lines.into_iter().map(|line| line as usize).collect();
    lines.dedup();
    let is_there = |line: &usize| 0 < *line && *line <= file.line_count();
    let evidence: Vec<_> =
        lines.into_iter().filter(is_there).map(|line| file.cite_lines(line, line)).take(PACKAGES).collect();
    (!evidence.is_empty()).then(|| file.fact(Reader::Manifest, fact, evidence))
}

/// What a manifest says of what it declares.
pub(crate) fn describes(file: &FileText, words: &str, line: u32) -> Option<Fact> {
    // Words that are put together by a program are not what it says.
    if words.contains("#{") || words.contains("${") || words.split_whitespace().count() < 2 {
        return None;
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    let text = clipped(first_sentence(&words.join(" ")), 300).replace('`', "");
    at(file, FactKind::Description { text }, [line])
}

/// A name as it can stand in a sentence that is read back.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.len() <= 120 && !name.contains(['`', '\n', '$', '{'])
}
