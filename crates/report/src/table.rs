//! Tables: columns as wide as what is in them, but for one that takes what is left.

use std::borrow::Cow;

use crate::measure::{cut, fit, width};
use crate::sheet::Sheet;
use crate::style::Ink;

/// Where the content of a column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Names: what does not fit loses its middle.
    Left,
    /// Sentences: what does not fit loses its end.
    Words,
    /// Numbers.
    Right,
}

/// A table being filled. Cells are inert.
pub(crate) struct Table<const N: usize> {
    heads: [&'static str; N],
    sides: [Side; N],
    /// The column whose cells are cut where the page is too narrow.
    flexible: usize,
    rows: Vec<[String; N]>,
}

/// The flexible column is not cut below this, whatever stands beside it.
const NARROWEST: usize = 12;
const GAP: usize = 2;

impl<const N: usize> Table<N> {
    pub(crate) fn new(heads: [(&'static str, Side); N], flexible: usize) -> Self {
        let (heads, sides) = (heads.map(|(head, _)| head), heads.map(|(_, side)| side));
        Self { heads, sides, flexible, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn write(&self, sheet: &mut Sheet) {
        let mut widths = self.heads.map(width);
        for row in &self.rows {
            for (column, cell) in widths.iter_mut().zip(row) {
                *column = (*column).max(width(cell));
            }
        }
        let others: usize = widths.iter().sum::<usize>() - widths[self.flexible] + GAP * (N - 1);
        let room = sheet.width.saturating_sub(others).max(NARROWEST);
        widths[self.flexible] = widths[self.flexible].min(room);
        let heads = self.line(widths, &self.heads.map(Cow::Borrowed));
        sheet.painted("", Ink::Faint, heads.trim_end());
        for row in &self.rows {
            sheet.line(self.line(widths, &row.each_ref().map(|cell| Cow::Borrowed(cell.as_str()))));
        }
    }

    fn line(&self, widths: [usize; N], cells: &[Cow<'_, str>; N]) -> String {
        let cells = cells.iter().zip(widths).zip(self.sides).map(|((cell, column), side)| {
            let cell = match side {
                Side::Words => Cow::Owned(cut(cell, column)),
                Side::Left | Side::Right => fit(cell, column),
            };
            let gap = " ".repeat(column - width(&cell).min(column));
            match side {
                Side::Left | Side::Words => format!("{cell}{gap}"),
                Side::Right => format!("{gap}{cell}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ")
    }
}
