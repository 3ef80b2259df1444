//! What files that are no programs hold: rows, pages, pictures, cells, entries; by their typed outlines.

use luminos_core::fact::{Column, Contents, Count, Fact, FactKind, Gravity, Reader};
use luminos_tools::structure::{self, ColumnKind, Outline, Table};

use super::eyes::FileText;
use super::words::{count, some_of};

/// So many columns are told with what is in them.
const COLUMNS: usize = 8;
/// A column misses values worth telling from this share on, in hundredths.
const MISSING: u64 = 1;

/// What a text file shows of the data in it.
pub(crate) fn findings(file: &FileText) -> Vec<Fact> {
    let ending = file.name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    match ending.as_str() {
        "csv" | "tsv" | "tab" => table(file),
        "ipynb" => notebook(file).into_iter().collect(),
        "log" => log(file),
        "mbox" => mailbox(file).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn table(file: &FileText) -> Vec<Fact> {
    let outline =
        structure::outline(file.name.as_bytes(), file.text.as_bytes(), &structure::Limits::default());
    let Ok(Outline::Table(table)) = outline else { return Vec::new() };
    let is_told = |name: &str| !name.is_empty() && !name.contains(['`', '\n']);
    if !table.has_header
        || table.columns.len() < 2
        || !table.columns.iter().all(|column| is_told(&column.name))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    let names = table.columns.iter().take(20).map(|column| column.name.clone()).collect();
    let head = vec![file.cite_lines(1, 1)];
    let statement = FactKind::Columns { names };
    found.push(file.fact(Reader::Data, statement, head.clone()));
    let last = file.line_count();
    let mut evidence = vec![file.cite_lines(1, 1), file.cite_lines(last, last)];
    // The ends of a range stand somewhere between.
    let ends = table.columns.iter().take(COLUMNS).flat_map(|column| [&column.smallest, &column.largest]);
    let ends = ends.flatten().filter_map(|end| Some((file.find(end)?, end)));
    evidence.extend(ends.map(|(line, end)| file.cite_words(line, end)));
    found.push(file.fact(Reader::Data, FactKind::Contents(columns(&table)), evidence));
    let dated =
        table.columns.iter().find(|column| matches!(column.kind, ColumnKind::Date | ColumnKind::Moment));
    if let Some((from, to)) = dated.and_then(|column| column.smallest.as_ref().zip(column.largest.as_ref())) {
        found.extend(span(file, from, to));
    }
    let all = table.rows.max(1);
    let missing = || table.columns.iter().filter(|column| all * MISSING <= column.missing * 100);
    let mut faults: Vec<String> = missing()
        .map(|column| super::collection::missing_in_words(column.missing, all, &column.name))
        .collect();
    // Of a set of tables, each column that misses values is told by itself.
    let is_told_again = 1 < missing().filter(|column| column.missing < all).count();
    let gravity = match () {
        () if is_told_again => Gravity::Repeated,
        () if missing().any(|column| column.missing == all) => Gravity::Low,
        () => Gravity::Usual,
    };
    if 0 < table.uneven_rows {
        faults.push(format!("{} of another length than the head", count(table.uneven_rows, "row")));
    }
    if !faults.is_empty() {
        let fault = FactKind::Fault { gravity, text: some_of(&faults, 5) };
        found.push(file.fact(Reader::Data, fault, head));
    }
    found
}

/// What is in the columns.
fn columns(table: &Table) -> Contents {
    let told = table.columns.iter().take(COLUMNS).map(|column| {
        let has_no_order = matches!(column.kind, ColumnKind::Text | ColumnKind::Boolean | ColumnKind::Empty);
        let ends = column.smallest.clone().zip(column.largest.clone());
        Column {
            kind: column.kind.word().to_owned(),
            name: column.name.clone(),
            range: ends.filter(|(least, most)| !has_no_order && least != most),
            different: column
                .different
                .map(u64::from)
                .filter(|different| has_no_order && (2..=20).contains(different)),
        }
    });
    let left_out = table.columns.len().saturating_sub(COLUMNS) as u64;
    Contents::Table {
        rows: table.rows,
        columns: told.collect(),
        more_columns: left_out + table.columns_left_out,
    }
}

/// The time something covers, where both ends stand in the file.
fn span(file: &FileText, from: &str, to: &str) -> Option<Fact> {
    let (first, last) = (file.find(from)?, file.find(to)?);
    let statement = FactKind::Period { from: from.to_owned(), to: to.to_owned() };
    Some(file.fact(Reader::Data, statement, vec![file.cite_words(first, from), file.cite_words(last, to)]))
}

fn notebook(file: &FileText) -> Option<Fact> {
    let outline =
        structure::outline(file.name.as_bytes(), file.text.as_bytes(), &structure::Limits::default());
    let Ok(Outline::Notebook(notebook)) = outline else { return None };
    let line = notebook.cells.first().map_or(1, |cell| cell.lines.first as usize);
    let contents = Contents::Notebook {
        code_cells: u64::from(notebook.code_cells),
        text_cells: u64::from(notebook.text_cells),
        language: notebook.language,
        with_output: u64::from(notebook.with_output),
    };
    Some(file.fact(Reader::Data, FactKind::Contents(contents), vec![file.cite_lines(line, line)]))
}

/// Lines by level, and from when to when, where lines begin with a date.
fn log(file: &FileText) -> Vec<Fact> {
    let levels = ["FATAL", "CRITICAL", "ERROR", "WARN", "INFO", "DEBUG"];
    let mut counts = [0_u64; 6];
    let mut dates: Option<(&str, &str)> = None;
    for (_, line) in file.lines() {
        let head = line.get(..line.floor_char_boundary(80)).unwrap_or_default();
        if let Some(place) = levels.iter().position(|level| head.contains(level)) {
            counts[place] += 1;
        }
        if let Some(date) = line.trim_start_matches('[').get(..10).filter(|date| is_date(date)) {
            dates = Some(match dates {
                Some((from, to)) => (from.min(date), to.max(date)),
                None => (date, date),
            });
        }
    }
    let told: Vec<Count> = levels
        .iter()
        .zip(counts)
        .filter(|(_, lines)| 0 < *lines)
        .map(|(level, lines)| Count { number: lines, of: (*level).to_owned() })
        .collect();
    let mut found = Vec::new();
    if !told.is_empty() {
        let contents = Contents::Log { lines: file.line_count() as u64, levels: told };
        found.push(file.fact(Reader::Data, FactKind::Contents(contents), vec![file.cite_lines(1, 1)]));
    }
    found.extend(dates.and_then(|(from, to)| span(file, from, to)));
    found
}

fn is_date(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => matches!(byte, b'-' | b'/'),
        _ => byte.is_ascii_digit(),
    })
}

fn mailbox(file: &FileText) -> Option<Fact> {
    let first = file.lines().find(|(_, line)| line.starts_with("From "))?.0;
    let mails = file.lines().filter(|(_, line)| line.starts_with("From ")).count() as u64;
    let contents = FactKind::Contents(Contents::Mailbox { messages: mails });
    Some(file.fact(Reader::Data, contents, vec![file.cite_lines(first, first)]))
}
