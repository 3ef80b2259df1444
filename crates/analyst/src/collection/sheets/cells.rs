//! The cells of a workbook, row by row: of Excel, and of OpenDocument.

use super::super::days;
use super::super::office::{Package, attribute, clean};

/// No part is unpacked further.
const LARGEST: u64 = 24 << 20;
/// So many rows of a sheet are read, with so many columns each.
const ROWS: usize = 100_000;
const COLUMNS: usize = 256;
/// So many cells that are repeated are written out; more are the empty rest of a sheet.
const REPEATED: usize = 100;
/// The day zero of workbooks, and of those that were begun on a Macintosh.
const ZERO: (i64, i64, i64) = (1899, 12, 30);
const ZERO_OF_1904: (i64, i64, i64) = (1904, 1, 1);

/// A workbook.
pub(super) struct Book<'b> {
    package: Package<'b>,
    /// The sheets: what they are called, and the part that they stand in.
    sheets: Vec<(String, String)>,
    shared: Vec<String>,
    /// Which styles of cells are those of days.
    days: Vec<bool>,
    zero: i64,
}

impl<'b> Book<'b> {
    /// `None` for what is no workbook.
    pub(super) fn open(package: Package<'b>) -> Option<Self> {
        if let Some(text) = package.part("content.xml", LARGEST) {
            let tables = text.split("<table:table ").skip(1).enumerate();
            let sheets: Vec<(String, String)> = tables
                .map(|(at, table)| (clean(attribute(table, "table:name=\"")), at.to_string()))
                .collect();
            let book = Self { package, sheets, shared: vec![text], days: Vec::new(), zero: 0 };
            return (!book.sheets.is_empty()).then_some(book);
        }
        let book = package.part("xl/workbook.xml", LARGEST)?;
        let links = package.part("xl/_rels/workbook.xml.rels", LARGEST).unwrap_or_default();
        let target = |id: &str| {
            let link = links.split("<Relationship ").find(|link| attribute(link, "Id=\"") == id)?;
            let target = attribute(link, "Target=\"");
            Some(target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned))
        };
        let sheets = book.split("<sheet ").skip(1).filter_map(|sheet| {
            let name = clean(attribute(sheet, "name=\""));
            Some((name, target(attribute(sheet, "r:id=\""))?))
        });
        let sheets: Vec<(String, String)> = sheets.filter(|(name, _)| !name.is_empty()).collect();
        let (year, month, day) = if book.contains("date1904=\"1\"") { ZERO_OF_1904 } else { ZERO };
        let styles = package.part("xl/styles.xml", LARGEST).unwrap_or_default();
        let shared = package.part("xl/sharedStrings.xml", LARGEST).unwrap_or_default();
        let shared =
            shared.split("<si>").skip(1).map(|text| words(text.split("</si>").next().unwrap_or(text)));
        let shared = shared.collect();
        let zero = days::number(year, month, day)?;
        (!sheets.is_empty()).then(|| Self { package, sheets, shared, days: days_of(&styles), zero })
    }

    /// What the sheets are called.
    pub(super) fn sheets(&self) -> impl Iterator<Item = &str> {
        self.sheets.iter().map(|(name, _)| name.as_str())
    }

    /// The rows of a sheet, without those that are empty.
    pub(super) fn rows(&self, at: usize) -> Vec<Vec<String>> {
        let Some((_, part)) = self.sheets.get(at) else { return Vec::new() };
        let mut rows: Vec<Vec<String>> = match self.zero {
            0 => {
                let text = self.shared.first().map_or("", String::as_str);
                let table = text.split("<table:table ").nth(at + 1).unwrap_or_default();
                table.split("<table:table-row").skip(1).take(ROWS).map(open_row).collect()
            }
            _ => {
                let text = self.package.part(part, LARGEST).unwrap_or_default();
                let rows = text.split("<row").skip(1).filter(|row| row.starts_with([' ', '>']));
                rows.take(ROWS).map(|row| self.row(row)).collect()
            }
        };
        rows.retain(|row| row.iter().any(|cell| !cell.trim().is_empty()));
        rows
    }

    fn row(&self, row: &str) -> Vec<String> {
        let mut cells: Vec<String> = Vec::new();
        for cell in row.split("<c ").skip(1) {
            let place = column(attribute(cell, "r=\"")).unwrap_or(cells.len());
            if COLUMNS <= place {
                break;
            }
            let place = place.max(cells.len());
            cells.resize(place, String::new());
            cells.push(self.cell(cell));
        }
        cells
    }

    fn cell(&self, cell: &str) -> String {
        let (head, body) = cell.split_once('>').unwrap_or((cell, ""));
        let value =
            body.split_once("<v>").and_then(|(_, rest)| rest.split("</v>").next()).unwrap_or_default();
        match attribute(head, "t=\"") {
            "s" => value.parse().ok().and_then(|at: usize| self.shared.get(at).cloned()).unwrap_or_default(),
            "inlineStr" => words(body),
            "b" => (if value == "1" { "yes" } else { "no" }).to_owned(),
            "e" => String::new(),
            // What is reckoned, and was never opened by a program that does it, has no value.
            _ if value.is_empty() => {
                match body.split_once("<f>").and_then(|(_, rest)| rest.split("</f>").next()) {
                    Some(formula) => format!("={}", clean(formula)),
                    None => String::new(),
                }
            }
            "str" => clean(value),
            _ => {
                let style: Option<usize> = attribute(head, "s=\"").parse().ok();
                let is_day = style.and_then(|style| self.days.get(style)).copied().unwrap_or(false);
                let serial: Option<f64> = value.parse().ok().filter(|_| is_day);
                match serial.filter(|serial| (1.0..200_000.0).contains(serial)) {
                    Some(serial) => days::told(self.zero + serial.floor() as i64),
                    None => value.to_owned(),
                }
            }
        }
    }
}

/// A row of OpenDocument: cells may stand for several.
fn open_row(row: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    let row = row.split("</table:table-row>").next().unwrap_or(row);
    for cell in row.split("<table:table-cell").skip(1) {
        let (head, body) = cell.split_once('>').unwrap_or((cell, ""));
        let repeated: usize =
            attribute(head, "table:number-columns-repeated=\"").parse().unwrap_or(1).clamp(1, REPEATED);
        let day = attribute(head, "office:date-value=\"");
        let number = attribute(head, "office:value=\"");
        let text = match (day, number) {
            ("", "") => clean(body.split("</table:table-cell>").next().unwrap_or_default()),
            ("", number) => number.to_owned(),
            (day, _) => day.get(..10).unwrap_or(day).to_owned(),
        };
        for _ in 0..repeated {
            if COLUMNS <= cells.len() {
                return cells;
            }
            cells.push(text.clone());
        }
    }
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells
}

/// The words of a text that may be in several pieces.
fn words(text: &str) -> String {
    let pieces = text.split("<t").skip(1).filter(|piece| piece.starts_with(['>', ' ']));
    let pieces: Vec<&str> =
        pieces.filter_map(|piece| piece.split_once('>')?.1.split("</t>").next()).collect();
    clean(&pieces.concat())
}

/// The number of the column of `C7`: 2.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_uppercase).take(3);
    let number = letters.fold(0_usize, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1);
    number.checked_sub(1)
}

/// Which styles of cells are those of days: by the numbers that are known, and by how others are written.
fn days_of(styles: &str) -> Vec<bool> {
    let own = styles.split("<numFmt ").skip(1).filter_map(|format| {
        let code = attribute(format, "formatCode=\"").to_ascii_lowercase();
        let is_day = code.contains("yy") || code.contains('d') && code.contains('m');
        is_day.then(|| attribute(format, "numFmtId=\""))
    });
    let own: Vec<&str> = own.collect();
    let cells =
        styles.split_once("<cellXfs").map_or("", |(_, rest)| rest.split("</cellXfs>").next().unwrap_or(rest));
    cells
        .split("<xf ")
        .skip(1)
        .map(|style| {
            let id = attribute(style, "numFmtId=\"");
            matches!(id, "14" | "15" | "16" | "17" | "22") || own.contains(&id)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::office::tests::zip;
    use super::*;

    fn book() -> Vec<u8> {
        zip(&[
            (
                "xl/workbook.xml",
                "<sheets><sheet name=\"Costs &amp; more\" sheetId=\"1\" r:id=\"rId1\"/></sheets>",
            ),
            ("xl/_rels/workbook.xml.rels", "<Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/>"),
            (
                "xl/sharedStrings.xml",
                "<sst><si><t>Day</t></si><si><r><t>Pri</t></r><r><t>ce</t></r></si></sst>",
            ),
            (
                "xl/styles.xml",
                "<numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy-mm-dd\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs>",
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"C1\" t=\"s\"><v>1</v></c></row><row r=\"2\"/><row r=\"3\"><c r=\"A3\" s=\"1\"><v>45292</v></c><c r=\"C3\"><v>7.5</v></c><c r=\"D3\"><f>C3*2</f><v/></c></row></sheetData>",
            ),
        ])
    }

    #[test]
    fn cells_are_read_with_their_days() {
        let bytes = book();
        let book = Book::open(Package::open(&bytes).unwrap()).unwrap();
        assert_eq!(book.sheets().collect::<Vec<_>>(), ["Costs & more"]);
        assert_eq!(book.rows(0), [vec!["Day", "", "Price"], vec!["2024-01-01", "", "7.5", "=C3*2"]]);
        assert!(book.rows(7).is_empty());
        let open = zip(&[(
            "content.xml",
            "<table:table table:name=\"Beds\"><table:table-row><table:table-cell><text:p>bed</text:p></table:table-cell><table:table-cell table:number-columns-repeated=\"2\" office:value=\"3\"/><table:table-cell table:number-columns-repeated=\"900\"/></table:table-row></table:table>",
        )]);
        let book = Book::open(Package::open(&open).unwrap()).unwrap();
        assert_eq!(book.rows(0), [["bed", "3", "3"]]);
        assert_eq!(column("AA12"), Some(26));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_fail(at in 0_usize..1_400, with in proptest::collection::vec(any::<u8>(), 1..8)) {
            let mut bytes = book();
            for (place, byte) in bytes.iter_mut().skip(at).zip(with) {
                *place = byte;
            }
            if let Some(book) = Package::open(&bytes).and_then(Book::open) {
                let _ = book.rows(0);
            }
        }
    }
}
