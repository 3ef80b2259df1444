//! Tables that belong together: files of one directory with the same columns are one set, told as a whole.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::fact::Fact;
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::titles::form_of;
use super::{Look, lacks, numbered, warns};
use crate::bounds;
use crate::words::{code, some_of};

mod column;
mod form;
mod links;
mod set;
mod slips;
mod source;

pub(crate) use column::{missing, missing_in_words};
pub(super) use slips::shown;

use column::Column;
use form::{Form, Letters, MOST_COLUMNS, cells};
use set::{Room, Set};
use source::Source;

/// Columns of all tables of a directory that are looked at.
const COLUMNS_IN_ALL: usize = 6_000;
/// So many columns may be alike by chance.
const FEW: usize = 3;

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut sets: BTreeMap<Vec<String>, Set> = BTreeMap::new();
    let mut written: Vec<(String, Letters, Evidence)> = Vec::new();
    let (mut room, mut columns) = (Room::default(), 0);
    for file in files {
        let Some(head) = peek(file) else { continue };
        let (source, mut text, letters) = Source::of(&head);
        let is_partial = (head.bytes.len() as u64) < file.size;
        if is_partial {
            // The last row was cut in two.
            text.truncate(text.rfind('\n').unwrap_or(0));
        }
        let form = Form::of(&text);
        let mut rows = Form::rows(&text).peekable();
        let Some((_, first)) = rows.peek() else { continue };
        let has_head = is_head(first, form);
        let second = Form::rows(&text).nth(1).map_or_else(String::new, |(_, row)| row.into_owned());
        // A first line that is neither a head nor like the rows is about the table.
        let is_about = !has_head && !second.is_empty() && !is_like(first, &second, form);
        let names: Vec<String> = match (has_head, is_about) {
            (true, _) => names_of(first, form),
            (false, true) => numbered(&second, form),
            (false, false) => numbered(first, form),
        };
        if names.len() < 2 {
            continue;
        }
        let width = cells(if is_about { &second } else { first }, form.mark).all;
        // Few columns are alike by chance: then names must be of one form, too.
        let key = match has_head {
            true if MOST_COLUMNS < width => [names.clone(), vec![width.to_string()]].concat(),
            true if FEW < names.len() => names.clone(),
            true => [names.clone(), vec![form_of(&head.name)]].concat(),
            false => vec![head.name.clone(), names.len().to_string()],
        };
        let set = sets.entry(key).or_default();
        if set.columns.is_empty() {
            let room = COLUMNS_IN_ALL.saturating_sub(columns).min(names.len());
            columns += room;
            set.columns = names.iter().take(room).map(|name| Column::called(name)).collect();
            set.width = width;
        }
        set.has_head = has_head;
        set.lines += u64::from(file.lines).saturating_sub(u64::from(has_head));
        set.is_partial |= is_partial;
        set.files.push(head.name.clone());
        set.head.push(head.cite_head());
        for (at, row) in rows.skip(usize::from(has_head || is_about)) {
            set.see(&row, form, &source, at, &mut room);
        }
        if letters != Letters::Utf8 {
            written.push((head.name.clone(), letters, head.cite_head()));
        }
    }
    let mut sets: Vec<(Vec<String>, Set)> = sets.into_iter().collect();
    sets.sort_by(|a, b| b.1.files.len().cmp(&a.1.files.len()).then_with(|| a.0.cmp(&b.0)));
    let (whole, mut told) = gather(dir, sets);
    for set in whole.iter().filter(|set| 1 < set.files.len()) {
        told.extend(numbered::months_left_out(dir, set.files.iter().map(String::as_str), &set.head));
    }
    told.extend(links::told(dir, &whole));
    told.extend(letters_of(dir, &written));
    let sets = whole.into_iter().flat_map(|set| set.told(dir));
    sets.chain(told).collect()
}

/// A table by its rows, from a file of which no line can be cited. What stands above its head is left out.
pub(super) fn of_rows(path: &str, rows: &[Vec<String>], cited: &Evidence) -> Vec<Fact> {
    let form = Form { mark: ',', day_first: None };
    let filled = |row: &&Vec<String>| row.iter().filter(|cell| !cell.trim().is_empty()).count();
    // Sheets often begin with a title.
    let widest = rows.iter().take(20).map(|row| filled(&row)).max().unwrap_or(0);
    let Some(start) = rows.iter().position(|row| 2 <= filled(&row) && widest <= filled(&row) * 2) else {
        return Vec::new();
    };
    let line = |row: &Vec<String>| -> String {
        let cells = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "'").replace('\n', " ")));
        cells.collect::<Vec<_>>().join(",")
    };
    let head = rows.get(start).map(line).unwrap_or_default();
    if !is_head(&head, form) {
        return Vec::new();
    }
    let names = names_of(&head, form);
    let source = Source::Packed(cited.clone());
    let mut set = Set::default();
    set.columns = names.iter().map(|name| Column::called(name)).collect();
    set.width = cells(&head, form.mark).all;
    set.has_head = true;
    let mut room = Room::default();
    set.files.push(path.to_owned());
    set.head.push(cited.clone());
    for (at, row) in rows.iter().enumerate().skip(start + 1) {
        // A row that ends early has empty cells at its end.
        let mut row = row.clone();
        row.resize(set.width.max(row.len()), String::new());
        set.see(&line(&row), form, &source, at + 1, &mut room);
    }
    set.told(".")
}

/// The names of the columns; one without a name has its number.
fn names_of(first: &str, form: Form) -> Vec<String> {
    let name = |(at, cell): (usize, std::borrow::Cow<'_, str>)| match cell
        .trim()
        .trim_matches('\'')
        .replace('`', "'")
    {
        name if name.is_empty() => format!("column {}", at + 1),
        mut name => {
            bounds::cut_name(&mut name);
            name
        }
    };
    cells(first.trim_start_matches('\u{feff}'), form.mark).first.into_iter().enumerate().map(name).collect()
}

/// Names for columns that have none.
fn numbered(row: &str, form: Form) -> Vec<String> {
    (1..=cells(row, form.mark).first.len()).map(|at| format!("column {at}")).collect()
}

/// Whether two rows have as many cells, with numbers in the same places.
fn is_like(one: &str, other: &str, form: Form) -> bool {
    let shape = |row: &str| -> Vec<bool> {
        cells(row, form.mark).first.iter().map(|cell| form.number(cell.trim()).is_some()).collect()
    };
    shape(one) == shape(other)
}

/// Whether a row names columns: words, or years beside a word.
fn is_head(first: &str, form: Form) -> bool {
    let cells = cells(first, form.mark).first;
    let is_year =
        |cell: &str| cell.len() == 4 && cell.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year));
    let is_word = |cell: &str| !cell.is_empty() && form.number(cell).is_none() && form.day(cell).is_none();
    let words = cells.iter().filter(|cell| is_word(cell.trim())).count();
    let years = cells.iter().filter(|cell| is_year(cell.trim())).count();
    let blank = cells.iter().filter(|cell| cell.trim().is_empty()).count();
    0 < words && words + years + blank == cells.len() && blank <= words
}

/// Puts files with a slip in their heads to those they belong to, and tells of the slips.
fn gather(dir: &str, sets: Vec<(Vec<String>, Set)>) -> (Vec<Set>, Vec<Fact>) {
    let names_of = |set: &Set| set.columns.iter().map(|column| column.name.clone()).collect::<Vec<String>>();
    let main = sets.first().map(|(_, set)| (names_of(set), set.files.len()));
    let forms: BTreeSet<String> =
        sets.first().iter().flat_map(|(_, set)| &set.files).map(|file| form_of(file)).collect();
    let mut told = Vec::new();
    let mut whole: Vec<Set> = Vec::new();
    for (_, set) in sets {
        let names = names_of(&set);
        // One file with other columns beside many that agree is a fault of that file.
        let differs = main.as_ref().filter(|(main, files)| {
            let is_called_alike = set.files.iter().all(|file| forms.contains(&form_of(file)));
            *main != names && 3 <= *files && set.files.len() == 1 && is_called_alike && is_near(main, &names)
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
            told.push(match other.is_empty() || !lost.is_empty() {
                true => warns(dir, words, vec![head.clone()]),
                false => lacks(dir, words, vec![head.clone()]),
            });
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
fn letters_of(dir: &str, written: &[(String, Letters, Evidence)]) -> Option<Fact> {
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
