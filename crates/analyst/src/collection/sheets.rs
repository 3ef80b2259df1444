//! Workbooks: each sheet that is a table is told as one, with its rows, its columns and what is missing in them.
//!
//! Cells are read from the packed XML without asking it to be right; numbers that are formatted as days are days.

use luminos_core::fact::{Detail, Fact, FactKind, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::office::Package;
use super::{Look, faulty, joint, kept, tables, titles};
use crate::sentence;
use crate::words::{count, some_of};

mod cells;

use cells::Book;

/// So many sheets of one workbook are read.
const SHEETS: usize = 24;
/// So many are told with what is in them.
const TOLD: usize = 4;
/// So many columns of a small sheet are named.
const COLUMNS: usize = 6;
/// So many remarks are told of one workbook.
const REMARKS: usize = 6;

/// Workbooks as tables; and those files that are none, which are told as documents.
pub(super) fn look<'f>(files: &[&'f ListedFile], peek: Look<'_>) -> (Vec<Fact>, Vec<&'f ListedFile>) {
    let (mut told, mut others) = (Vec::new(), Vec::new());
    for file in files {
        let head = peek(file).filter(|head| head.bytes.len() as u64 == file.size);
        let book = head.as_ref().and_then(|head| Book::open(Package::open(&head.bytes)?));
        match head.as_ref().zip(book).map(|(head, book)| of_book(&head.word, &head.cite_head(), &book)) {
            Some(sentences) if !sentences.is_empty() => told.extend(sentences),
            _ => others.push(*file),
        }
    }
    (told, others)
}

fn of_book(path: &str, cited: &Evidence, book: &Book<'_>) -> Vec<Fact> {
    let names: Vec<&str> = book.sheets().take(SHEETS).collect();
    let (mut parts, mut remarks, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    let mut period = None;
    for (at, name) in names.iter().enumerate() {
        let rows = book.rows(at);
        let sentences = tables::of_rows(path, &rows, cited);
        let called = titles::quoted(name);
        match sentences.first().map(|first| &first.fact) {
            Some(FactKind::Holding(keeps)) => {
                period = joint(period, keeps.period);
                parts.push((called.clone(), keeps.clone()));
            }
            _ if rows.is_empty() => empty.push(called.clone()),
            _ => parts.push((called.clone(), plain(rows.len() as u64))),
        }
        for one in sentences.iter().skip(1) {
            let FactKind::Fault { gravity, text } = &one.fact else { continue };
            let words = if names.len() == 1 { text.clone() } else { format!("{text} ({called})") };
            remarks.push(faulty(path, *gravity, words, vec![cited.clone()]));
        }
    }
    if parts.is_empty() {
        return Vec::new();
    }
    let only = names.len() == 1;
    // First the sheets with their rows, then what the larger ones hold.
    let sized: Vec<String> = parts
        .iter()
        .map(|(called, keeps)| {
            format!("{called} ({})", sentence::details(&keeps.details[..keeps.details.len().min(1)]))
        })
        .collect();
    let mut details = vec![Detail::Text(some_of(&sized, COLUMNS))];
    for (called, keeps) in parts.iter().take(TOLD) {
        let told = keeps.details.iter().skip(1).enumerate().map(|(at, detail)| match detail {
            Detail::With(names) if !only && at == 0 => names.clone(),
            detail => sentence::details(std::slice::from_ref(detail)),
        });
        let told: Vec<String> = told.collect();
        if !told.is_empty() {
            let inside = told.join(", ");
            details.push(Detail::Text(if only { inside } else { format!("in {called} {inside}") }));
        }
    }
    if !empty.is_empty() && !only {
        let verb = if empty.len() == 1 { "is" } else { "are" };
        details.push(Detail::Text(format!("{} {verb} empty", some_of(&empty, COLUMNS))));
    }
    let keeps = Holding { count: book.sheets().count() as u64, noun: "sheet".to_owned(), period, details };
    remarks.truncate(REMARKS);
    [vec![kept(path, keeps, vec![cited.clone()])], remarks].concat()
}

/// A sheet that is no table: a form, a cover, a chart with a few words.
fn plain(rows: u64) -> Holding {
    let details = vec![Detail::Text(count(rows, "row"))];
    Holding { count: 1, noun: "sheet".to_owned(), period: None, details }
}
