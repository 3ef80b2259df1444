//! What the script of the page works with: one JSON document between two tags.
//!
//! Every text in it is inert before it becomes JSON, so that what the script shows is what the other forms show; and no
//! `<` stands in it, so that nothing in it can end the element it stands in. Names are short, because there may be
//! many thousand of each.
//!
//! What is said about a directory is not in it: that stands on the page once, as what is shown without a script, and the
//! script takes it from there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

use luminos_core::entry::DirEntry;
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::Evidence;
use luminos_core::report::Report;
use luminos_core::seen::{Extent, SeenFile};
use luminos_core::spend::Money;
use luminos_core::{RelPath, Untrusted};
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::investigation::{Comparison, flagged};
use crate::prose;

/// A quote is no longer than this on the page.
const LONGEST_QUOTE: usize = 2_000;

#[derive(Serialize)]
struct Data<D, F> {
    dirs: D,
    flags: F,
}

/// A directory.
#[derive(Serialize)]
struct Dir {
    /// Its path.
    p: String,
    /// The number of the nearest directory above it that is here too; -1 for the one that has none.
    u: i64,
    /// Files in it, files seen, bytes in them, bytes seen.
    c: [u64; 4],
    /// Types and functions in them, and those seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<[u64; 2]>,
    /// What was seen of each file in it: its name, a number for how much of it, its size, why not more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<(String, u8, u64, String)>,
    /// Its entries, and what most of them are.
    n: u64,
    k: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rated: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    /// Its claims that hold, and all.
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<[u64; 2]>,
    /// Turns: allocated, used, borrowed, returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<[u32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<String>,
}

/// A file, its lines from and to, and the words there.
#[derive(Serialize)]
struct Cited(String, u64, u64, #[serde(skip_serializing_if = "String::is_empty")] String);

#[derive(Serialize)]
struct Flagged {
    /// 2 for the worst.
    v: u8,
    p: String,
    t: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    r: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    e: Vec<Cited>,
    /// Whether nothing shows that it is so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    u: bool,
    /// The number of the directory it lies in, or of the nearest above it.
    d: i64,
    /// That it was not in an earlier report, or was less severe there.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<&'static str>,
}

/// Writes the document. There may be many thousand directories: each is put in words when it is its turn.
pub(super) fn write(
    out: &mut String,
    report: &Report,
    evaluation: Option<&Evaluation>,
    compared: Option<&Comparison>,
) {
    let numbers: BTreeMap<&RelPath, i64> =
        (0_i64..).zip(&report.directories).map(|(number, entry)| (&entry.relative_path, number)).collect();
    let evaluated: BTreeMap<&RelPath, &DirEvaluation> = evaluation
        .into_iter()
        .flat_map(|evaluation| &evaluation.per_directory)
        .map(|row| (&row.dir, row))
        .collect();
    let mut files: Vec<Vec<&SeenFile>> = vec![Vec::new(); report.directories.len()];
    for file in &report.files {
        let number = usize::try_from(nearest(&numbers, file.path.parent()));
        if let Some(files) = number.ok().and_then(|number| files.get_mut(number)) {
            files.push(file);
        }
    }
    let dirs = report.directories.iter().zip(&files).map(|(entry, files)| {
        let above = nearest(&numbers, entry.relative_path.parent());
        dir(entry, above, evaluated.get(&entry.relative_path).copied(), files)
    });
    let flags = report.flags.iter().enumerate().map(|(number, flag)| {
        let mark = compared.and_then(|compared| compared.mark(number));
        flagged(flag, nearest(&numbers, Some(flag.path.clone())), mark)
    });
    // Writing to a string cannot fail.
    let mut json = serde_json::Serializer::with_formatter(Page(out), Unmarked);
    let _ = Data { dirs: Each::of(dirs), flags: Each::of(flags) }.serialize(&mut json);
}

/// What is made one after the other, as a list.
struct Each<I>(RefCell<Option<I>>);

impl<I> Each<I> {
    fn of(items: I) -> Self {
        Self(RefCell::new(Some(items)))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// The page, to be written on. What comes is text, piece by piece.
struct Page<'a>(&'a mut String);

impl io::Write for Page<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push_str(std::str::from_utf8(bytes).map_err(io::Error::other)?);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// JSON in which nothing can be taken for a mark of the page.
struct Unmarked;

impl Formatter for Unmarked {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        for piece in text.split_inclusive(['<', '>', '&']) {
            let (words, mark) = match piece.as_bytes() {
                [words @ .., b'<'] => (words, "\\u003c"),
                [words @ .., b'>'] => (words, "\\u003e"),
                [words @ .., b'&'] => (words, "\\u0026"),
                words => (words, ""),
            };
            out.write_all(words)?;
            out.write_all(mark.as_bytes())?;
        }
        Ok(())
    }
}

/// The number of a directory, or of the nearest one above it that has one.
fn nearest(numbers: &BTreeMap<&RelPath, i64>, path: Option<RelPath>) -> i64 {
    let mut path = path;
    while let Some(here) = path {
        if let Some(number) = numbers.get(&here) {
            return *number;
        }
        path = here.parent();
    }
    -1
}

fn dir(entry: &DirEntry, above: i64, evaluation: Option<&DirEvaluation>, files: &[&SeenFile]) -> Dir {
    let path = entry.relative_path.for_terminal();
    let coverage = entry.coverage;
    let (verified, claims) = entry.verified_claims();
    Dir {
        u: above,
        c: [coverage.files, coverage.files_seen, coverage.bytes, coverage.bytes_seen],
        y: (0 < coverage.symbols).then_some([coverage.symbols, coverage.symbols_seen]),
        files: files.iter().map(|file| seen(file, &path)).collect(),
        p: path,
        n: entry.child_count,
        k: entry.dominant_category.name(),
        sure: entry.confidence.map(|share| share.rounded().get()),
        rated: entry.completeness.map(|share| share.rounded().get()),
        partial: entry.partial,
        claims: (0 < claims).then_some([verified, claims]),
        t: evaluation
            .map(|row| [row.turns_allocated.0, row.turns_used.0, row.turns_borrowed.0, row.turns_returned.0]),
        tier: evaluation.map(|row| row.planned_tier.word()),
        tokens: evaluation.map(|row| row.tokens.0).filter(|tokens| 0 < *tokens),
        cost: evaluation
            .and_then(|row| row.cost)
            .filter(|cost| Money::default() < *cost)
            .map(crate::measure::money),
    }
}

/// A file by its name in the directory.
fn seen(file: &SeenFile, dir: &str) -> (String, u8, u64, String) {
    let path = file.path.for_terminal();
    let name = path.strip_prefix(dir).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&path).to_owned();
    let extent = match file.extent {
        Extent::Whole => 0,
        Extent::Ranges => 1,
        Extent::Metadata => 2,
        Extent::Skipped => 3,
        Extent::Unreadable => 4,
    };
    (name, extent, file.size, file.reason.as_deref().map(prose::one_line).unwrap_or_default())
}

/// As much of a quote as is shown.
pub(super) fn shortened(quote: &str) -> &str {
    &quote[..quote.floor_char_boundary(LONGEST_QUOTE)]
}

fn cited(evidence: &Evidence) -> Cited {
    let quote = shortened(evidence.quote.as_deref().unwrap_or_default());
    Cited(
        evidence.path.for_terminal(),
        evidence.start_line,
        evidence.end_line,
        Untrusted::new(quote.as_bytes()).for_lines(),
    )
}

fn flagged(flag: &Flag, directory: i64, mark: Option<&'static str>) -> Flagged {
    Flagged {
        v: match flag.severity {
            Severity::Critical => 2,
            Severity::Concern => 1,
            Severity::Info => 0,
        },
        p: flag.path.for_terminal(),
        t: prose::one_line(&format!("{}{}", flag.finding, flagged::doubt(flag))),
        u: flag.is_unproved(),
        r: flag.rule.as_deref().map(prose::one_line).unwrap_or_default(),
        e: flag.evidence.iter().map(cited).collect(),
        d: directory,
        b: mark,
    }
}
