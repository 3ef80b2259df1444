//! Tables that belong together: files of one directory with the same columns are one set, told as a whole.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::{Look, Told, lacks};
use crate::offline::words::{code, some_of};

mod column;
mod form;
mod links;
mod set;
mod slips;

pub(crate) use column::missing_in_words;

use column::Column;
use form::{Form, Letters, cells, text_of};
use set::Set;

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut sets: BTreeMap<Vec<String>, Set> = BTreeMap::new();
    let mut written: Vec<(String, Letters, Evidence)> = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let (text, letters) = text_of(&head.bytes);
        let form = Form::of(&text);
        let mut rows = Form::rows(&text).peekable();
        let Some((_, first)) = rows.peek() else { continue };
        let names: Vec<String> = names_of(first, form);
        if names.len() < 2 {
            continue;
        }
        let has_head = is_head(first, form);
        let key = if has_head { names.clone() } else { vec![head.name.clone(), names.len().to_string()] };
        let set = sets.entry(key).or_default();
        if set.columns.is_empty() {
            set.columns = names.iter().map(|name| Column::called(name)).collect();
        }
        set.has_head = has_head;
        set.is_partial |= (head.bytes.len() as u64) < file.size;
        set.files.push(head.name.clone());
        set.head.push(head.cite_head());
        for (at, row) in rows.skip(usize::from(has_head)) {
            set.see(&row, form, &head, at);
        }
        if letters != Letters::Utf8 {
            written.push((head.name.clone(), letters, head.cite_head()));
        }
    }
    let mut sets: Vec<(Vec<String>, Set)> = sets.into_iter().collect();
    sets.sort_by(|a, b| b.1.files.len().cmp(&a.1.files.len()).then_with(|| a.0.cmp(&b.0)));
    let (whole, mut told) = gather(dir, sets);
    told.extend(links::told(dir, &whole));
    told.extend(letters_of(dir, &written));
    let sets = whole.into_iter().flat_map(|set| set.told(dir));
    sets.chain(told).collect()
}

/// The names of the columns; one without a name has its number.
fn names_of(first: &str, form: Form) -> Vec<String> {
    let name = |(at, cell): (usize, std::borrow::Cow<'_, str>)| match cell.trim().replace('`', "'") {
        name if name.is_empty() => format!("column {}", at + 1),
        name => name,
    };
    cells(first.trim_start_matches('\u{feff}'), form.mark).into_iter().enumerate().map(name).collect()
}

/// Whether a row names columns: words, or years beside a word.
fn is_head(first: &str, form: Form) -> bool {
    let cells = cells(first, form.mark);
    let is_year =
        |cell: &str| cell.len() == 4 && cell.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year));
    let is_word = |cell: &str| !cell.is_empty() && form.number(cell).is_none() && form.day(cell).is_none();
    let words = cells.iter().filter(|cell| is_word(cell.trim())).count();
    let years = cells.iter().filter(|cell| is_year(cell.trim())).count();
    let blank = cells.iter().filter(|cell| cell.trim().is_empty()).count();
    0 < words && words + years + blank == cells.len() && blank <= words
}

/// Puts files with a slip in their heads to those they belong to, and tells of the slips.
fn gather(dir: &str, sets: Vec<(Vec<String>, Set)>) -> (Vec<Set>, Vec<Told>) {
    let main = sets.first().map(|(names, set)| (names.clone(), set.files.len()));
    let mut told = Vec::new();
    let mut whole: Vec<Set> = Vec::new();
    for (names, set) in sets {
        // One file with other columns beside many that agree is a fault of that file.
        let differs = main.as_ref().filter(|(main, files)| {
            *main != names && 3 <= *files && set.files.len() == 1 && is_near(main, &names)
        });
        if let (Some((main, files)), Some(file), Some(head)) = (differs, set.files.first(), set.head.first())
        {
            let other: Vec<String> =
                names.iter().filter(|name| !main.contains(name)).map(|name| code(name)).collect();
            let lost: Vec<String> =
                main.iter().filter(|name| !names.contains(name)).map(|name| code(name)).collect();
            let words = match (other.is_empty(), lost.is_empty()) {
                (true, _) => format!(
                    "{} lacks the column {} that {files} files beside it have",
                    code(file),
                    some_of(&lost, 3)
                ),
                (_, true) => format!(
                    "{} has the column {} that {files} files beside it lack",
                    code(file),
                    some_of(&other, 3)
                ),
                (false, false) => format!(
                    "{} has {} where {files} files beside it have {}",
                    code(file),
                    some_of(&other, 3),
                    some_of(&lost, 3)
                ),
            };
            told.push(lacks(dir, words, vec![head.clone()]));
            if let Some(main) = whole.first_mut() {
                main.absorb(set);
                continue;
            }
        }
        whole.push(set);
    }
    (whole, told)
}

/// Files whose letters are not those that programs expect today.
fn letters_of(dir: &str, written: &[(String, Letters, Evidence)]) -> Option<Told> {
    let (_, letters, _) = written.first()?;
    let names: Vec<String> = written.iter().map(|(name, _, _)| code(name)).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let words = match letters {
        Letters::Utf16 => {
            format!("{} {verb} written in UTF-16: many programs do not expect that", some_of(&names, 3))
        }
        Letters::Latin1 | Letters::Utf8 => format!(
            "{} {verb} not UTF-8, Latin-1 it seems: letters such as ü are read wrongly by whoever does not know",
            some_of(&names, 3)
        ),
    };
    Some(lacks(dir, words, written.iter().map(|(_, _, cited)| cited.clone()).take(3).collect()))
}

fn is_near(a: &[String], b: &[String]) -> bool {
    let same = a.iter().filter(|name| b.contains(name)).count();
    a.len().max(b.len()) <= same * 2
}

/// `monthly `, where every name carries a month.
fn by_names(files: &[String]) -> &'static str {
    let shape = |name: &String| -> String {
        name.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }).collect()
    };
    let shapes: BTreeSet<String> = files.iter().map(shape).collect();
    let all = |word: &str| shapes.iter().all(|shape| shape.contains(word));
    match () {
        () if files.len() < 3 => "",
        () if all("0000-00-00") || all("00000000") => "daily ",
        () if all("0000-00") || all("0000_00") || all("000000") => "monthly ",
        () if all("0000") => "yearly ",
        () => "",
    }
}
