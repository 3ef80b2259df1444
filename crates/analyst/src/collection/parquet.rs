//! Parquet files: rows and columns, by the list that stands at the end of the file.
//!
//! That list is a struct of Thrift's compact protocol. Only what is needed is kept; whatever a file claims, no more is
//! read than there are bytes, and nothing is nested deeper than a few levels.

use luminos_core::fact::{Count, Day, Detail, Fact, Holding};
use luminos_core::job::ListedFile;

use super::tables::{missing, shown};
use super::{Look, kept, trifle, warns};
use crate::words::{code, number};

/// So many columns are told.
const COLUMNS: usize = 12;
/// So many ranges, and so many columns with missing values.
const RANGES: usize = 5;
const MISSING: usize = 3;
/// Structs and lists inside each other.
const DEEPEST: u32 = 16;
/// A list claims at most so many elements.
const LONGEST_LIST: u64 = 1 << 20;

/// Tables in this form, each by itself.
pub(super) fn look(files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let is_whole = head.bytes.len() as u64 == file.size;
        let Some(footer) = footer(&head.bytes).filter(|_| is_whole) else {
            if is_whole {
                let words = "its end is not that of a Parquet file: cut off or damaged".to_owned();
                told.push(warns(&head.word, words, vec![head.cite_head()]));
            }
            continue;
        };
        let names: Vec<String> = footer
            .columns
            .iter()
            .filter(|column| !column.name.contains(['`', ':', ';', '\n']))
            .map(|column| format!("{} {}", column.kind, code(&column.name)))
            .collect();
        let mut details = vec![Detail::Counts(vec![Count {
            number: footer.rows,
            of: if footer.rows == 1 { "row" } else { "rows" }.to_owned(),
        }])];
        if !names.is_empty() {
            details.push(listed(names, COLUMNS));
        }
        let ranges: Vec<String> = footer.columns.iter().filter_map(Column::range).collect();
        if !ranges.is_empty() {
            details.push(listed(ranges, RANGES));
        }
        let period = footer.columns.iter().find_map(Column::period);
        let mut evidence: Vec<_> =
            footer.columns.iter().filter_map(|column| head.cite(&column.name)).take(4).collect();
        if evidence.is_empty() {
            evidence.push(head.cite_head());
        }
        let keeps = Holding { count: 1, noun: "Parquet table".to_owned(), period, details };
        told.push(kept(&head.word, keeps, evidence.clone()));
        for column in footer.columns.iter().filter(|column| 0 < column.missing).take(MISSING) {
            told.push(missing(&head.word, column.missing, footer.rows, &column.name, evidence.clone()));
        }
        if footer.rows == 0 {
            told.push(trifle(&head.word, "it has no rows".to_owned(), evidence));
        }
    }
    told
}

#[derive(Debug, PartialEq, Eq)]
struct Column {
    name: String,
    kind: &'static str,
    /// How it is stored, and what that means.
    form: Stored,
    missing: u64,
    /// The least and the greatest value, as they are stored.
    ends: Option<(Vec<u8>, Vec<u8>)>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Footer {
    rows: u64,
    columns: Vec<Column>,
}

/// What the end of a file says; `None` where it does not end like one.
fn footer(bytes: &[u8]) -> Option<Footer> {
    let body = bytes.strip_suffix(b"PAR1").filter(|_| bytes.starts_with(b"PAR1"))?;
    let (rest, length) = body.split_last_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let start = rest.len().checked_sub(length)?;
    let mut reader = Reader { bytes: &rest[start..] };
    let mut footer = Footer::default();
    reader.each_field(0, |reader, field, kind| {
        match (field, kind) {
            (2, LIST) => reader.each_element(|reader, kind| {
                if kind != STRUCT {
                    return reader.skip(kind, 1);
                }
                footer.columns.extend(element(reader)?);
                Some(())
            })?,
            (3, INTEGER) => footer.rows = u64::try_from(reader.integer()?).ok()?,
            (4, LIST) => reader.each_element(|reader, kind| match kind {
                STRUCT => group(reader, &mut footer.columns),
                kind => reader.skip(kind, 1),
            })?,
            (_, kind) => reader.skip(kind, 0)?,
        }
        Some(())
    })?;
    Some(footer)
}

/// How a column is stored, as far as its ends can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Whole,
    Single,
    Double,
    Day,
    /// So many of them are a second.
    Moment(i64),
    Other,
}

/// A group of rows: a piece of each column, with its least and its greatest value.
fn group(reader: &mut Reader<'_>, columns: &mut [Column]) -> Option<()> {
    let mut at = 0;
    reader.each_field(2, |reader, field, kind| match (field, kind) {
        (1, LIST) => reader.each_element(|reader, kind| {
            if kind != STRUCT {
                return reader.skip(kind, 2);
            }
            let column = columns.get_mut(at);
            at += 1;
            piece(reader, column)
        }),
        (_, kind) => reader.skip(kind, 2),
    })
}

fn piece(reader: &mut Reader<'_>, mut column: Option<&mut Column>) -> Option<()> {
    reader.each_field(3, |reader, field, kind| match (field, kind) {
        (3, STRUCT) => reader.each_field(4, |reader, field, kind| match (field, kind) {
            (12, STRUCT) => {
                let (mut least, mut most, mut missing) = (None, None, 0);
                reader.each_field(5, |reader, field, kind| {
                    match (field, kind) {
                        (3, INTEGER) => missing = u64::try_from(reader.integer()?).unwrap_or(0),
                        (5, BINARY) => most = Some(reader.binary()?.to_vec()),
                        (6, BINARY) => least = Some(reader.binary()?.to_vec()),
                        (_, kind) => reader.skip(kind, 5)?,
                    }
                    Some(())
                })?;
                if let Some(column) = column.as_deref_mut() {
                    column.missing += missing;
                    if let Some((least, most)) = least.zip(most) {
                        column.widen(least, most);
                    }
                }
                Some(())
            }
            (_, kind) => reader.skip(kind, 4),
        }),
        (_, kind) => reader.skip(kind, 3),
    })
}

impl Column {
    fn widen(&mut self, least: Vec<u8>, most: Vec<u8>) {
        let Some((known_least, known_most)) = &mut self.ends else {
            self.ends = Some((least, most));
            return;
        };
        let is_less = |one: &[u8], other: &[u8]| match (self.form.number(one), self.form.number(other)) {
            (Some(one), Some(other)) => one < other,
            _ => false,
        };
        if is_less(&least, known_least) {
            *known_least = least;
        }
        if is_less(known_most, &most) {
            *known_most = most;
        }
    }

    /// ``` `steps` 0 to 119 ```.
    fn range(&self) -> Option<String> {
        let (least, most) = self.ends.as_ref()?;
        let is_number = matches!(self.form, Stored::Whole | Stored::Single | Stored::Double);
        let (least, most) = (self.form.number(least)?, self.form.number(most)?);
        let is_told = is_number && least < most && !self.name.contains(['`', ':', ';', '\n']);
        is_told.then(|| format!("{} {} to {}", code(&self.name), shown(least), shown(most)))
    }

    /// The first and the last day.
    fn period(&self) -> Option<(Day, Day)> {
        let (least, most) = self.ends.as_ref()?;
        let day = |bytes: &[u8]| {
            let day = match self.form {
                Stored::Day => self.form.number(bytes)?,
                Stored::Moment(second) => (self.form.number(bytes)? / second as f64 / 86_400.0).floor(),
                Stored::Whole | Stored::Single | Stored::Double | Stored::Other => return None,
            };
            // From the year 1600 to the year 2200.
            (-135_140.0..84_006.0).contains(&day).then(|| Day::of_number(day as i64))
        };
        Some((day(least)?, day(most)?))
    }
}

impl Stored {
    fn number(self, bytes: &[u8]) -> Option<f64> {
        let number = match (self, bytes.len()) {
            (Self::Whole | Self::Day | Self::Moment(_), 4) => {
                f64::from(i32::from_le_bytes(bytes.try_into().ok()?))
            }
            (Self::Whole | Self::Day | Self::Moment(_), 8) => {
                i64::from_le_bytes(bytes.try_into().ok()?) as f64
            }
            (Self::Single, 4) => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
            (Self::Double, 8) => f64::from_le_bytes(bytes.try_into().ok()?),
            _ => return None,
        };
        number.is_finite().then_some(number)
    }
}

/// An element of the schema; `None` inside for groups, which hold columns and are none.
fn element(reader: &mut Reader<'_>) -> Option<Option<Column>> {
    let (mut physical, mut converted, mut name, mut children) = (None, None, String::new(), 0);
    let mut is_moment = false;
    reader.each_field(1, |reader, field, kind| {
        match (field, kind) {
            (1, INT32) => physical = Some(reader.integer()?),
            (4, BINARY) => name = String::from_utf8_lossy(reader.binary()?).into_owned(),
            (5, INT32) => children = reader.integer()?,
            (6, INT32) => converted = Some(reader.integer()?),
            // The eighth of the newer kinds is a moment; only one in nanoseconds has no older name.
            (10, STRUCT) => reader.each_field(2, |reader, field, kind| {
                is_moment |= field == 8;
                reader.skip(kind, 2)
            })?,
            (_, kind) => reader.skip(kind, 1)?,
        }
        Some(())
    })?;
    let Some(physical) = physical.filter(|_| children == 0) else { return Some(None) };
    let kind = match (converted, physical) {
        (Some(0 | 4), _) => "text",
        (Some(5), _) => "decimal",
        (Some(6), _) => "day",
        (Some(7 | 8), _) => "time",
        (Some(9 | 10), _) | (None, 3) => "moment",
        (_, 0) => "yes-or-no",
        (_, 1 | 2) => "integer",
        (_, 4 | 5) => "decimal",
        _ => "bytes",
    };
    let form = match (converted, physical) {
        (Some(6), _) => Stored::Day,
        (Some(9), _) => Stored::Moment(1_000),
        (Some(10), _) => Stored::Moment(1_000_000),
        (None | Some(15..=18), 1 | 2) if !is_moment => Stored::Whole,
        (None, 1 | 2) => Stored::Moment(1_000_000_000),
        (None, 4) => Stored::Single,
        (None, 5) => Stored::Double,
        _ => Stored::Other,
    };
    let kind = if matches!(form, Stored::Moment(_)) { "moment" } else { kind };
    Some(Some(Column { name, kind, form, missing: 0, ends: None }))
}

const INT32: u8 = 5;
const INTEGER: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for place in 0..10 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(place * 7)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some(((number >> 1) as i64) ^ -((number & 1) as i64))
    }

    fn binary(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(bytes)
    }

    /// Calls for each field of a struct with its number and its kind.
    fn each_field(
        &mut self,
        depth: u32,
        mut with: impl FnMut(&mut Self, i64, u8) -> Option<()>,
    ) -> Option<()> {
        if DEEPEST < depth {
            return None;
        }
        let mut field = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            field = match i64::from(head >> 4) {
                0 => self.integer()?,
                step => field.checked_add(step)?,
            };
            with(self, field, head & 0x0f)?;
        }
    }

    fn each_element(&mut self, mut with: impl FnMut(&mut Self, u8) -> Option<()>) -> Option<()> {
        let head = self.byte()?;
        let length = match u64::from(head >> 4) {
            15 => self.number()?,
            length => length,
        };
        if LONGEST_LIST < length {
            return None;
        }
        (0..length).try_for_each(|_| with(self, head & 0x0f))
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Option<()> {
        if DEEPEST < depth {
            return None;
        }
        match kind {
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.number()?),
            7 => drop((0..8).try_for_each(|_| self.byte().map(drop))?),
            BINARY => drop(self.binary()?),
            LIST | SET => self.each_element(|reader, kind| match kind {
                // Truths in lists take a byte each.
                1 | 2 => reader.byte().map(drop),
                kind => reader.skip(kind, depth + 1),
            })?,
            MAP => {
                let length = self.number()?;
                if LONGEST_LIST < length {
                    return None;
                }
                let kinds = if length == 0 { 0 } else { self.byte()? };
                for _ in 0..length {
                    self.skip(kinds >> 4, depth + 1)?;
                    self.skip(kinds & 0x0f, depth + 1)?;
                }
            }
            STRUCT => self.each_field(depth + 1, |reader, _, kind| reader.skip(kind, depth + 1))?,
            _ => return None,
        }
        Some(())
    }
}

/// The first of some names, and how many more there are.
fn listed(mut names: Vec<String>, most: usize) -> Detail {
    let more = names.len().saturating_sub(most);
    names.truncate(most);
    if 0 < more {
        names.push(format!("{} more", number(more as u64)));
    }
    Detail::List(names)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The smallest file with these columns: no data, only what stands at its end.
    pub(crate) fn file(rows: u8, columns: &[(&str, u8, Option<u8>)]) -> Vec<u8> {
        let mut meta = vec![0x15, 0x02, 0x19, ((columns.len() as u8 + 1) << 4) | STRUCT];
        meta.extend([0x48, 6]);
        meta.extend(b"schema");
        meta.extend([0x15, (columns.len() as u8) << 1, 0]);
        for (name, physical, converted) in columns {
            meta.extend([0x15, physical << 1, 0x38, name.len() as u8]);
            meta.extend(name.as_bytes());
            if let Some(converted) = converted {
                meta.extend([0x25, converted << 1]);
            }
            meta.push(0);
        }
        meta.extend([0x16, rows << 1, 0x19, 0x0c, 0x28, 4]);
        meta.extend(b"mine\0");
        let mut bytes = b"PAR1".to_vec();
        let length = meta.len() as u32;
        bytes.extend(meta);
        bytes.extend(length.to_le_bytes());
        bytes.extend(b"PAR1");
        bytes
    }

    #[test]
    fn rows_and_columns_come_from_the_end() {
        let bytes = file(42, &[("day", 1, Some(6)), ("city", 6, Some(0)), ("degrees", 5, None)]);
        let column = |name: &str, kind: &'static str, form: Stored| Column {
            name: name.to_owned(),
            kind,
            form,
            missing: 0,
            ends: None,
        };
        let expected = Footer {
            rows: 42,
            columns: vec![
                column("day", "day", Stored::Day),
                column("city", "text", Stored::Other),
                column("degrees", "decimal", Stored::Double),
            ],
        };
        assert_eq!(footer(&bytes), Some(expected));
        assert_eq!(footer(&bytes[..bytes.len() - 1]), None);
        let mut day = column("day", "day", Stored::Day);
        day.widen(19_723_i32.to_le_bytes().to_vec(), 19_724_i32.to_le_bytes().to_vec());
        day.widen(19_700_i32.to_le_bytes().to_vec(), 19_701_i32.to_le_bytes().to_vec());
        assert_eq!(day.period(), Day::parse("2023-12-09").zip(Day::parse("2024-01-02")));
        let mut degrees = column("degrees", "decimal", Stored::Double);
        degrees.widen((-3.5_f64).to_le_bytes().to_vec(), 31_f64.to_le_bytes().to_vec());
        assert_eq!(degrees.range().as_deref(), Some("`degrees` -3.5 to 31"));
        assert_eq!(footer(b"PAR1"), None);
        assert_eq!(footer(b"PAR1\xff\xff\xff\xffPAR1"), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_fail(meta in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut bytes = b"PAR1".to_vec();
            bytes.extend(&meta);
            bytes.extend((meta.len() as u32).to_le_bytes());
            bytes.extend(b"PAR1");
            let _ = footer(&bytes);
        }
    }
}
