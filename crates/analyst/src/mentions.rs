//! Types that other files of the same directory name, in languages whose files of one package see each other without an
//! import: what most of a package turns on is found by its name.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::fact::{Fact, FactKind, Reader, Subject, Symbol};
use luminos_core::proof::Evidence;
use luminos_tools::structure::{Language, Source, TypeKind};

use super::eyes::FileText;
use super::look::Looked;
use super::rules::is_for_tests;
use super::source::is_main;

/// So many types of one file may be what others name.
const TYPES: usize = 12;
/// So many of a directory are told.
const TOLD: usize = 3;
/// At least so many others name one, and one in so many of the files.
const FEWEST: u64 = 3;
const SHARE: u64 = 4;

/// What a file defines and which names stand in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// Types by their names, each with its kind and the line that defines it.
    defined: Vec<(String, &'static str, Evidence)>,
    /// Words that may be names of types, as they stand in the file.
    mentioned: BTreeSet<String>,
}

impl Names {
    /// The names in a file; nothing where files say what they use of each other.
    pub(crate) fn of(file: &FileText, source: &Source) -> Self {
        let is_package_wide = matches!(
            source.language,
            Language::Go | Language::Java | Language::CSharp | Language::Kotlin | Language::Swift
        );
        if !is_package_wide || is_for_tests(&file.word) || is_test_by_name(&file.name) {
            return Self::default();
        }
        // What extends a type of others is none.
        let is_own = |kind: &&luminos_tools::structure::Type| kind.kind != TypeKind::Extension;
        let types = source.types.iter().filter(is_own);
        let types = types.filter(|kind| is_main(source, kind) && is_name(&kind.name));
        let defined = types.take(TYPES).filter_map(|kind| {
            let first = kind.lines.first as usize;
            let line = (first..first + 12).find(|line| file.line(*line).contains(&kind.name))?;
            Some((kind.name.clone(), kind.kind.word(), file.cite_lines(line, line)))
        });
        let is_go = source.language == Language::Go;
        Self { defined: defined.collect(), mentioned: mentioned(&file.text, is_go) }
    }
}

/// Whether nothing but space and the mark of a comment stands before a byte in its line.
fn is_first_of_line(bytes: &[u8], at: usize) -> bool {
    let line = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    bytes[line..at].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'/'))
}

/// Words that stand where types do. Fields of Go are called like types, so only pointers, slices and literals count there.
fn mentioned(text: &str, is_go: bool) -> BTreeSet<String> {
    let bytes = text.as_bytes();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < bytes.len() {
        // What comments name is not used.
        if bytes[at] == b'/' && bytes.get(at + 1) == Some(&b'/')
            || bytes[at] == b'*' && is_first_of_line(bytes, at)
        {
            while at < bytes.len() && bytes[at] != b'\n' {
                at += 1;
            }
            continue;
        }
        if !is_letter(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_letter(bytes[at]) {
            at += 1;
        }
        let before = if start == 0 { b' ' } else { bytes[start - 1] };
        let after = bytes.get(at).copied().unwrap_or(b' ');
        let is_type = match is_go {
            true => matches!(before, b'*' | b'&' | b']') || after == b'{' && before != b'.',
            false => before != b'.',
        };
        if is_type && bytes[start].is_ascii_uppercase() && is_name(&text[start..at]) {
            found.insert(text[start..at].to_owned());
        }
    }
    found
}

/// Long enough to be no chance, and written as types are.
fn is_name(word: &str) -> bool {
    (4..60).contains(&word.len())
        && word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.contains(|letter: char| letter.is_ascii_lowercase())
}

fn is_test_by_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.ends_with("_test") || stem.ends_with("Test") || stem.ends_with("Tests")
}

/// The types of a directory that most of its other files name.
pub(crate) fn findings(looked: &[Looked<'_>]) -> Vec<Fact> {
    let names: Vec<(&Looked<'_>, &Names)> =
        looked.iter().filter_map(|file| Some((file, &file.source.as_ref()?.names))).collect();
    let own = names.iter().filter(|(_, names)| !names.mentioned.is_empty()).count() as u64;
    let mut users: BTreeMap<&str, u64> = BTreeMap::new();
    let mut homes: BTreeMap<&str, Vec<(usize, &str, &Evidence)>> = BTreeMap::new();
    for (at, (_, names)) in names.iter().enumerate() {
        for (name, kind, evidence) in &names.defined {
            homes.entry(name).or_default().push((at, *kind, evidence));
        }
    }
    // A name with two homes is two things.
    homes.retain(|_, homes| homes.len() == 1);
    for (at, (_, names)) in names.iter().enumerate() {
        for name in &names.mentioned {
            if let Some(homes) = homes.get(name.as_str())
                && homes.iter().all(|(home, _, _)| *home != at)
            {
                *users.entry(name).or_default() += 1;
            }
        }
    }
    let mut found: Vec<(&str, u64)> =
        users.into_iter().filter(|(_, users)| FEWEST <= *users && own <= users * SHARE).collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    found.truncate(TOLD);
    let told = found.into_iter().filter_map(|(name, users)| {
        let (at, kind, evidence) = homes.get(name)?.first()?;
        let subject = Subject::File(names.get(*at)?.0.path.clone());
        let symbol = Symbol { kind: (*kind).to_owned(), name: name.to_owned() };
        let fact = FactKind::NamedBeside { symbol, files: users };
        Some(Fact::new(subject, fact, vec![(*evidence).clone()], Reader::Directory))
    });
    told.collect()
}
