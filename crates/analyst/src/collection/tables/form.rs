//! The form a table is written in: its letters, the mark between its cells, how it writes days and decimals.

use super::super::days;

/// So many lines are looked at to know the form.
const LOOKED_AT: usize = 2_000;
/// A cell in quotes goes over at most so many lines; more is a quote that was never closed.
const TALLEST: usize = 200;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) mark: char,
    /// Whether `3/4/2024` is the third of April.
    pub(super) day_first: Option<bool>,
}

impl Form {
    /// By the first lines.
    pub(super) fn of(text: &str) -> Self {
        let first = text.lines().find(|line| is_content(line)).unwrap_or_default();
        let mark = [',', ';', '\t', '|']
            .into_iter()
            .max_by_key(|mark| (outside_quotes(first, *mark), *mark == ','))
            .unwrap_or(',');
        let mark = if outside_quotes(first, mark) == 0 && is_by_spaces(text) { ' ' } else { mark };
        let mut day_first = None;
        for cell in text.lines().take(LOOKED_AT).flat_map(|line| line.split([mark, ' ', '"'])) {
            match days::slashed(cell) {
                Some((one, _, _)) if 12 < one => day_first = Some(true),
                Some((_, two, _)) if 12 < two => day_first = day_first.or(Some(false)),
                _ => {}
            }
        }
        Self { mark, day_first }
    }

    /// The day that a cell begins with, and how it is written.
    pub(super) fn day(self, cell: &str) -> Option<(i64, DayForm)> {
        if !cell.starts_with(|first: char| first.is_ascii_digit()) {
            return Some((days::month_first(cell)?, DayForm::Named));
        }
        if let Some(day) = days::at_start(cell) {
            return Some((day, DayForm::YearFirst));
        }
        if let Some(day) = days::dotted(cell) {
            return Some((day, DayForm::Dotted));
        }
        let (one, two, year) = days::slashed(cell)?;
        let (day, month) = if self.day_first? { (one, two) } else { (two, one) };
        Some((days::number(year, month, day)?, DayForm::Slashed))
    }

    /// The number in a cell: `1234.5`, `1'234.50`, `12 %`, and `1.234,5` where no comma parts the cells.
    pub(super) fn number(self, cell: &str) -> Option<f64> {
        let finite = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        if !cell.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if let Some(number) = finite(cell) {
            return Some(number);
        }
        let bare = cell.trim_matches(['$', '€', '£', '%', ' ', '\u{a0}']);
        let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.,'".contains(&byte);
        if !bare.bytes().all(is_number) {
            return None;
        }
        let bare = bare.replace('\'', "");
        match (bare.rfind(','), bare.rfind('.')) {
            (Some(comma), Some(dot)) if comma < dot => finite(&bare.replace(',', "")),
            (Some(_), Some(_)) => finite(&bare.replace('.', "").replace(',', ".")),
            (Some(_), None) if bare.matches(',').count() == 1 => finite(&bare.replace(',', ".")),
            (Some(_), None) => finite(&bare.replace(',', "")),
            (None, _) => finite(&bare),
        }
    }

    /// The rows, each with the line it begins in: a cell in quotes may hold ends of lines.
    pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, str>)> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| is_content(line));
        std::iter::from_fn(move || {
            let (at, line) = lines.next()?;
            if quotes(line).is_multiple_of(2) {
                return Some((at + 1, line.into()));
            }
            let mut row = line.to_owned();
            let mut open = true;
            for (_, more) in lines.by_ref().take(TALLEST) {
                row.push(' ');
                row.push_str(more);
                open ^= !quotes(more).is_multiple_of(2);
                if !open {
                    break;
                }
            }
            Some((at + 1, row.into()))
        })
    }
}

/// Whether spaces part the cells: all of the first lines have as many, and behind the first there are numbers only.
fn is_by_spaces(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| is_content(line)).take(20);
    let Some(spaces) = lines.next().map(|first| first.matches(' ').count()).filter(|spaces| 0 < *spaces)
    else {
        return false;
    };
    let mut others = lines.peekable();
    others.peek().is_some()
        && others.all(|line| {
            line.matches(' ').count() == spaces && line.split(' ').all(|cell| cell.parse::<f64>().is_ok())
        })
}

fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

fn quotes(line: &str) -> usize {
    memchr::memchr_iter(b'"', line.as_bytes()).count()
}

fn outside_quotes(line: &str, mark: char) -> usize {
    line.split('"').step_by(2).map(|part| part.matches(mark).count()).sum()
}

/// How days are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DayForm {
    YearFirst,
    Dotted,
    Slashed,
    Named,
    Joined,
}

impl DayForm {
    /// A pattern that people know.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::YearFirst => "2024-12-31",
            Self::Dotted => "31.12.2024",
            Self::Slashed => "31/12/2024",
            Self::Named => "Dec 31 2024",
            Self::Joined => "20241231",
        }
    }
}

/// The letters that a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    Utf8,
    Utf16,
    Latin1,
}

/// Bytes as text: nothing is lost, whatever they are.
pub(super) fn text_of(bytes: &[u8]) -> (String, Letters) {
    let units = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| Some(of(pair.try_into().ok()?)));
        char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect::<String>()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => (units(rest, u16::from_le_bytes), Letters::Utf16),
        [0xfe, 0xff, rest @ ..] => (units(rest, u16::from_be_bytes), Letters::Utf16),
        [0xef, 0xbb, 0xbf, rest @ ..] => (String::from_utf8_lossy(rest).into_owned(), Letters::Utf8),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), Letters::Utf8),
            // A character that was cut in two by the limit of what is read is no fault.
            Err(fault) if fault.error_len().is_none() => {
                (String::from_utf8_lossy(&bytes[..fault.valid_up_to()]).into_owned(), Letters::Utf8)
            }
            Err(_) => (bytes.iter().map(|byte| char::from(*byte)).collect(), Letters::Latin1),
        },
    }
}

/// Columns of a table that are looked at; of more, only their number is known.
pub(super) const MOST_COLUMNS: usize = 400;

/// The first cells of a row, and how many there are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cells<'r> {
    pub(super) first: Vec<std::borrow::Cow<'r, str>>,
    pub(super) all: usize,
}

/// The cells of a row; quotes are taken off.
pub(super) fn cells(line: &str, mark: char) -> Cells<'_> {
    let line = line.trim_end_matches('\r');
    if !line.contains('"') {
        let mut cells = line.split(mark);
        let first: Vec<_> = cells.by_ref().take(MOST_COLUMNS).map(std::borrow::Cow::from).collect();
        return Cells { all: first.len() + cells.count(), first };
    }
    let (mut out, mut all) = (vec![String::new()], 1);
    let mut is_quoted = false;
    for character in line.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            character if character == mark && !is_quoted => {
                all += 1;
                if all <= MOST_COLUMNS {
                    out.push(String::new());
                }
            }
            character if all <= MOST_COLUMNS => {
                if let Some(cell) = out.last_mut() {
                    cell.push(character);
                }
            }
            _ => {}
        }
    }
    Cells { first: out.into_iter().map(std::borrow::Cow::from).collect(), all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_days_and_decimals_are_read_as_they_are_written() {
        let form = Form::of("Datum;Wert\n01.05.2019;1,5\n");
        assert_eq!(form.mark, ';');
        assert_eq!(form.day("01.05.2019").map(|(day, _)| days::told(day)).as_deref(), Some("2019-05-01"));
        for (cell, number) in [
            ("1,5", 1.5),
            ("1.234,50", 1234.5),
            ("1'234.50", 1234.5),
            ("12 %", 12.0),
            ("-3", -3.0),
            ("$1,200.00", 1200.0),
        ] {
            assert_eq!(form.number(cell), Some(number), "{cell}");
        }
        for cell in ["<10", "a1", "", "1-2", "12:30"] {
            assert_eq!(form.number(cell), None, "{cell}");
        }
        assert_eq!(form.day("Jan 1 2000").map(|(day, _)| days::told(day)).as_deref(), Some("2000-01-01"));
        assert_eq!(form.day("Mayor of London"), None);
        assert_eq!(Form::of("a,b\n3/14/2024,x\n").day_first, Some(false));
        assert_eq!(Form::of("a,b\n14/3/2024,x\n").day_first, Some(true));
        assert_eq!(Form::of("a,b\n1/2/2024,x\n").day("1/2/2024"), None);
    }

    #[test]
    fn a_row_may_go_over_several_lines() {
        let text = "a,b\n1,\"two\nlines\"\n# a remark\n2,x\n";
        let rows: Vec<(usize, String)> = Form::rows(text).map(|(at, row)| (at, row.into_owned())).collect();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[1], (2, "1,\"two lines\"".to_owned()));
        assert_eq!(cells(&rows[1].1, ',').first, ["1", "two lines"]);
        assert_eq!(rows[2].0, 5);
    }

    #[test]
    fn of_very_many_cells_the_first_are_kept_and_all_are_counted() {
        for cell in ["1", "\"1\""] {
            let row = vec![cell; 100_000].join(",");
            let Cells { first, all } = cells(&row, ',');
            assert_eq!((first.len(), all), (MOST_COLUMNS, 100_000));
            assert!(first.iter().all(|cell| cell == "1"));
        }
        assert_eq!(cells("", ',').all, 1);
        assert_eq!(cells("a,,", ',').all, 3);
    }

    #[test]
    fn letters_of_every_kind_are_read() {
        assert_eq!(text_of(b"\xef\xbb\xbfa"), ("a".to_owned(), Letters::Utf8));
        assert_eq!(text_of(b"\xff\xfea\0\xe9\0"), ("aé".to_owned(), Letters::Utf16));
        assert_eq!(text_of(b"Z\xfcrich"), ("Zürich".to_owned(), Letters::Latin1));
        assert_eq!(text_of(b"a\xc3"), ("a".to_owned(), Letters::Utf8));
    }
}
