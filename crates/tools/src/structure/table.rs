//! Tables of text: CSV, TSV and their like.

use serde::{Deserialize, Serialize};

use super::NotParsed;
use super::source::one_line;

/// Most columns that are described.
const MOST_COLUMNS: usize = 500;

/// Most different values of a column that are counted.
const MOST_DIFFERENT: usize = 64;

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What stands between the cells.
    pub delimiter: char,
    /// Whether the first row names the columns.
    pub has_header: bool,
    /// The columns.
    pub columns: Vec<Column>,
    /// How many rows, the header apart.
    pub rows: u64,
    /// How many rows have more or fewer cells than the first.
    pub uneven_rows: u64,
    /// How many columns were left out.
    pub columns_left_out: u64,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name; of a table without header, its number.
    pub name: String,
    /// What its cells hold.
    pub kind: ColumnKind,
    /// How many cells are empty or say so (`NA`, `null`, …).
    pub missing: u64,
    /// The smallest value, of numbers and moments.
    pub smallest: Option<String>,
    /// The largest value, of numbers and moments.
    pub largest: Option<String>,
    /// How many different values there are, if there are few.
    pub different: Option<u32>,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum ColumnKind {
    Empty,
    Boolean,
    Integer,
    Decimal,
    Date,
    Moment,
    Text,
}

impl ColumnKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Decimal => "decimal",
            Self::Date => "date",
            Self::Moment => "moment",
            Self::Text => "text",
        }
    }
}

/// Reads a table.
pub(super) fn outline(text: &[u8], delimiter: Option<char>) -> Result<Table, NotParsed> {
    let delimiter = delimiter.unwrap_or_else(|| guess_delimiter(text));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(u8::try_from(delimiter).unwrap_or(b','))
        .has_headers(false)
        .flexible(true)
        .from_reader(text);
    let mut record = csv::ByteRecord::new();
    let malformed = |line: u64| NotParsed::Malformed {
        what: "a table that cannot be read".to_owned(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
    };
    let mut first: Vec<String> = Vec::new();
    let mut states: Vec<State> = Vec::new();
    let (mut rows, mut uneven) = (0_u64, 0_u64);
    let mut width = 0;
    loop {
        let line = reader.position().line();
        if !reader.read_byte_record(&mut record).map_err(|_| malformed(line))? {
            break;
        }
        if width == 0 {
            width = record.len();
            let cells = record.iter().take(MOST_COLUMNS);
            first = cells.map(|cell| one_line(&String::from_utf8_lossy(cell), 80)).collect();
            states.resize_with(first.len(), State::default);
            continue;
        }
        rows += 1;
        uneven += u64::from(record.len() != width);
        for (index, state) in states.iter_mut().enumerate() {
            state.see(record.get(index).unwrap_or_default().trim_ascii());
        }
    }
    if width == 0 {
        return Err(NotParsed::Empty);
    }
    let has_header = is_header(&first, &states);
    if !has_header {
        rows += 1;
        for (state, cell) in states.iter_mut().zip(&first) {
            state.see(cell.trim().as_bytes());
        }
    }
    let columns = states.iter().zip(&first).enumerate();
    let columns = columns.map(|(index, (state, name))| {
        state.column(if has_header { name.clone() } else { (index + 1).to_string() })
    });
    Ok(Table {
        delimiter,
        has_header,
        columns: columns.collect(),
        rows,
        uneven_rows: uneven,
        columns_left_out: width.saturating_sub(MOST_COLUMNS) as u64,
    })
}

/// The mark that stands equally often in the first lines.
fn guess_delimiter(text: &[u8]) -> char {
    let lines: Vec<&[u8]> =
        text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).take(10).collect();
    let score = |mark: u8| {
        let counts: Vec<usize> = lines.iter().map(|line| memchr::memchr_iter(mark, line).count()).collect();
        let first = counts.first().copied().unwrap_or(0);
        let alike = counts.iter().filter(|count| **count == first).count();
        if first == 0 { 0 } else { alike * 1_000 + first.min(999) }
    };
    [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|mark| (score(*mark), u8::from(*mark == b',')))
        .map_or(',', char::from)
}

/// A header has words where the column below has something else, or words that differ from one another.
fn is_header(first: &[String], states: &[State]) -> bool {
    let is_word = |cell: &String| kind_of(cell.trim().as_bytes()) == ColumnKind::Text;
    if first.is_empty()
        || !first.iter().enumerate().all(|(index, cell)| is_word(cell) && !cell.is_empty() || index == 0)
    {
        return false;
    }
    let stands_out = states.iter().any(|state| !matches!(state.kind, ColumnKind::Text | ColumnKind::Empty));
    let mut names: Vec<&String> = first.iter().collect();
    names.sort();
    names.dedup();
    stands_out || names.len() == first.len() && first.iter().all(|cell| cell.len() <= 40)
}

/// What is known of a column so far.
struct State {
    kind: ColumnKind,
    missing: u64,
    numbers: Option<(f64, f64)>,
    moments: Option<(String, String)>,
    different: Vec<Vec<u8>>,
    has_many: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            kind: ColumnKind::Empty,
            missing: 0,
            numbers: None,
            moments: None,
            different: Vec::new(),
            has_many: false,
        }
    }
}

impl State {
    fn see(&mut self, cell: &[u8]) {
        if matches!(
            cell,
            b"" | b"NA" | b"N/A" | b"n/a" | b"NaN" | b"nan" | b"null" | b"NULL" | b"None" | b"-" | b"?"
        ) {
            self.missing += 1;
            return;
        }
        let kind = kind_of(cell);
        self.kind = match (self.kind, kind) {
            (ColumnKind::Empty, kind) => kind,
            (old, kind) if old == kind => kind,
            (ColumnKind::Integer, ColumnKind::Decimal) | (ColumnKind::Decimal, ColumnKind::Integer) => {
                ColumnKind::Decimal
            }
            (ColumnKind::Date, ColumnKind::Moment) | (ColumnKind::Moment, ColumnKind::Date) => {
                ColumnKind::Moment
            }
            _ => ColumnKind::Text,
        };
        match kind {
            ColumnKind::Integer | ColumnKind::Decimal => {
                let number = std::str::from_utf8(cell).ok().and_then(|text| text.parse::<f64>().ok());
                if let Some(number) = number.filter(|number| number.is_finite()) {
                    let (low, high) = self.numbers.unwrap_or((number, number));
                    self.numbers = Some((low.min(number), high.max(number)));
                }
            }
            ColumnKind::Date | ColumnKind::Moment => {
                let text = String::from_utf8_lossy(cell).into_owned();
                let (low, high) = self.moments.take().unwrap_or_else(|| (text.clone(), text.clone()));
                self.moments = Some((low.min(text.clone()), high.max(text)));
            }
            ColumnKind::Empty | ColumnKind::Boolean | ColumnKind::Text => {}
        }
        if !self.has_many && !self.different.iter().any(|known| known == cell) {
            self.has_many = MOST_DIFFERENT <= self.different.len() || 200 < cell.len();
            self.different.push(cell.to_vec());
        }
    }

    fn column(&self, name: String) -> Column {
        let range = match self.kind {
            ColumnKind::Integer | ColumnKind::Decimal => {
                self.numbers.map(|(low, high)| (low.to_string(), high.to_string()))
            }
            ColumnKind::Date | ColumnKind::Moment => self.moments.clone(),
            ColumnKind::Empty | ColumnKind::Boolean | ColumnKind::Text => None,
        };
        let (smallest, largest) = range.unzip();
        let different = (!self.has_many).then(|| u32::try_from(self.different.len()).unwrap_or(u32::MAX));
        Column { name, kind: self.kind, missing: self.missing, smallest, largest, different }
    }
}

fn kind_of(cell: &[u8]) -> ColumnKind {
    let digits = cell.strip_prefix(b"-").or_else(|| cell.strip_prefix(b"+")).unwrap_or(cell);
    if !digits.is_empty() && digits.len() <= 18 && digits.iter().all(u8::is_ascii_digit) {
        return ColumnKind::Integer;
    }
    if matches!(cell, b"true" | b"false" | b"True" | b"False" | b"TRUE" | b"FALSE" | b"yes" | b"no") {
        return ColumnKind::Boolean;
    }
    if is_date(cell) {
        return if cell.len() == 10 { ColumnKind::Date } else { ColumnKind::Moment };
    }
    let is_numeric =
        cell.len() <= 40 && cell.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let is_decimal = is_numeric && std::str::from_utf8(cell).is_ok_and(|text| text.parse::<f64>().is_ok());
    if is_decimal { ColumnKind::Decimal } else { ColumnKind::Text }
}

/// `2024-05-17`, perhaps with a time after it.
fn is_date(cell: &[u8]) -> bool {
    let shape = |byte: &u8| if byte.is_ascii_digit() { b'0' } else { *byte };
    let Some(date) = cell.get(..10) else { return false };
    let date: Vec<u8> = date.iter().map(shape).collect();
    let is_date = date == b"0000-00-00" || date == b"0000/00/00";
    is_date && cell.len() <= 40 && cell.get(10).is_none_or(|byte| matches!(byte, b'T' | b' '))
}
