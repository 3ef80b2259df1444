//! Lines by language.

use std::io;

use luminos_core::scan::{LineCounts, Summary};

use super::page::Page;
use crate::measure::{number, width};

const TITLE: &str = "Languages";

/// A line of the table: a language, or one inside another.
struct Row {
    name: String,
    cells: [String; 4],
}

impl Row {
    fn new(name: String, files: u64, counts: LineCounts) -> Self {
        Self { name, cells: [files, counts.code, counts.comments, counts.blanks].map(number) }
    }
}

pub(super) fn write(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    if summary.languages.is_empty() {
        return Ok(());
    }
    let heads = ["files", "code", "comment", "blank"].map(str::to_owned);
    let rows = rows(summary);
    let name_width = rows.iter().map(|row| width(&row.name)).max().unwrap_or(0).max(TITLE.len());
    let mut widths = heads.each_ref().map(|head| width(head).max(7));
    for row in &rows {
        for (column, cell) in widths.iter_mut().zip(&row.cells) {
            *column = (*column).max(width(cell));
        }
    }
    let line = |cells: &[String; 4]| -> String {
        cells.iter().zip(widths).map(|(cell, width)| format!("  {cell:>width$}")).collect()
    };

    // The heads of the columns stand beside the title.
    let padding = " ".repeat(name_width - TITLE.len());
    page.section(TITLE, &format!("{padding}{}", line(&heads)))?;
    for row in &rows {
        page.line(format_args!("  {:name_width$}{}", row.name, line(&row.cells)))?;
    }
    Ok(())
}

/// Each language with those inside it, and a last line for all where there are several.
fn rows(summary: &Summary<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut all_files = 0;
    let mut all = LineCounts::default();
    for total in &summary.languages {
        rows.push(Row::new(total.language.to_owned(), total.files, total.counts));
        all_files += total.files;
        all += total.counts;
        for (index, inside) in (1..).zip(&total.embedded) {
            let branch = if index == total.embedded.len() { '└' } else { '├' };
            rows.push(Row::new(format!("{branch} {}", inside.language), inside.files, inside.counts));
            all += inside.counts;
        }
    }
    if rows.len() > 1 {
        rows.push(Row::new("all".to_owned(), all_files, all));
    }
    rows
}
