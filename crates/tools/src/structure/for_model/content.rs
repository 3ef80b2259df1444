//! How data, documents, pictures and archives read.

use luminos_core::ByteSize;

use super::{Page, count, place};
use crate::structure::archive::Archive;
use crate::structure::data::{Data, ValueKind};
use crate::structure::database::Database;
use crate::structure::document::{Document, Heading};
use crate::structure::notebook::Notebook;
use crate::structure::pdf::Pdf;
use crate::structure::picture::Picture;
use crate::structure::table::Table;

fn value(kind: &ValueKind) -> String {
    match kind {
        ValueKind::Null => "nothing".to_owned(),
        ValueKind::Boolean => "boolean".to_owned(),
        ValueKind::Number => "number".to_owned(),
        ValueKind::Text => "text".to_owned(),
        ValueKind::Moment => "moment".to_owned(),
        ValueKind::List { length } => format!("list of {length}"),
        ValueKind::Map { length } => format!("map of {length}"),
    }
}

fn heading(heading: &Heading) -> String {
    format!("{} {} {}", heading.line, "#".repeat(usize::from(heading.level)), heading.text)
}

pub(super) fn data(page: &mut Page, data: &Data) {
    page.line(format!("{}: {}", data.format.name(), value(&data.root)));
    let left_out = u32::try_from(data.left_out).unwrap_or(u32::MAX);
    page.list("keys", &data.keys, left_out, |key| {
        format!("{} {}: {}", place(key.lines), key.path, value(&key.kind))
    });
}

pub(super) fn document(page: &mut Page, document: &Document) {
    page.line(format!(
        "Document, {}, {}, {}",
        count(document.words as usize, "word"),
        count(document.headings.len(), "heading"),
        count(document.links.len(), "link")
    ));
    if 0 < document.bytes_left_out {
        let bytes = ByteSize(document.bytes_left_out);
        page.line(format!("It has very many marks: the last {bytes} were not read."));
    }
    if let Some(paragraph) = &document.first_paragraph {
        page.line(format!("{} says: {}", place(paragraph.lines), paragraph.text));
    }
    page.section("Headings", &document.headings, document.headings_left_out, heading);
    if !document.code.is_empty() {
        let word =
            |language: &str| if language.is_empty() { "plain".to_owned() } else { language.to_owned() };
        let code: Vec<String> =
            document.code.iter().map(|(language, times)| format!("{} ×{times}", word(language))).collect();
        page.line(format!("Code: {}", code.join(", ")));
    }
    page.section("Links", &document.links, document.links_left_out, |link| {
        let image = if link.is_image { "image " } else { "" };
        format!("{} {image}{} → {}", link.line, link.text, link.target)
    });
}

pub(super) fn table(page: &mut Page, table: &Table) {
    let header = if table.has_header { "with header" } else { "without header" };
    let columns = table.columns.len() + usize::try_from(table.columns_left_out).unwrap_or(usize::MAX);
    page.line(format!(
        "Table, {}, {}, {header}",
        count(usize::try_from(table.rows).unwrap_or(usize::MAX), "row"),
        count(columns, "column")
    ));
    if 0 < table.uneven_rows {
        page.line(format!(
            "{} with more or fewer cells than the first",
            count(usize::try_from(table.uneven_rows).unwrap_or(usize::MAX), "row")
        ));
    }
    let left_out = u32::try_from(table.columns_left_out).unwrap_or(u32::MAX);
    page.list("columns", &table.columns, left_out, |column| {
        let mut words = format!("{}: {}", column.name, column.kind.word());
        if let (Some(smallest), Some(largest)) = (&column.smallest, &column.largest) {
            words.push_str(&format!(" from {smallest} to {largest}"));
        }
        if let Some(different) = column.different {
            words.push_str(&format!(", {different} different"));
        }
        if 0 < column.missing {
            words.push_str(&format!(", {} missing", column.missing));
        }
        words
    });
}

pub(super) fn database(page: &mut Page, database: &Database) {
    page.line(format!(
        "SQLite database, {}, {}, {}",
        count(database.tables.len() + database.left_out as usize, "table"),
        count(database.indices as usize, "index"),
        count(database.triggers as usize, "trigger")
    ));
    page.list("tables", &database.tables, database.left_out, |table| {
        let kind = if table.is_view { "view " } else { "" };
        let rows = table.rows.map(|rows| format!(", {rows} rows")).unwrap_or_default();
        let columns =
            if table.columns.is_empty() { String::new() } else { format!(" ({})", table.columns.join(", ")) };
        format!("{kind}{}{columns}{rows}", table.name)
    });
}

pub(super) fn notebook(page: &mut Page, notebook: &Notebook) {
    let language = notebook.language.as_deref().unwrap_or("unknown language");
    page.line(format!(
        "Notebook in {language}, {} ({} with output), {}",
        count(notebook.code_cells as usize, "code cell"),
        notebook.with_output,
        count(notebook.text_cells as usize, "text cell")
    ));
    if let Some(paragraph) = &notebook.first_paragraph {
        page.line(format!("{} says: {}", paragraph.line, paragraph.text));
    }
    page.section("Headings", &notebook.headings, 0, heading);
    page.section("Code cells", &notebook.cells, 0, |cell| {
        format!("{} {} ({})", place(cell.lines), cell.first_line, count(cell.length as usize, "line"))
    });
}

pub(super) fn archive(page: &mut Page, archive: &Archive) {
    let entries = count(usize::try_from(archive.count).unwrap_or(usize::MAX), "entry");
    page.line(format!("Archive ({}), {entries}, {} bytes unpacked", archive.format.name(), archive.size));
    if archive.is_partial {
        page.line("The list is not complete: the archive is cut off or too large.");
    }
    let more = usize::try_from(archive.count).unwrap_or(usize::MAX).saturating_sub(archive.entries.len());
    page.list("entries", &archive.entries, u32::try_from(more).unwrap_or(u32::MAX), |entry| {
        if entry.is_directory { entry.name.clone() } else { format!("{} ({} bytes)", entry.name, entry.size) }
    });
}

pub(super) fn picture(page: &mut Page, picture: &Picture) {
    let taken = picture.taken.as_ref().map(|taken| format!(", taken {taken}")).unwrap_or_default();
    let camera = picture.camera.as_ref().map(|camera| format!(", {camera}")).unwrap_or_default();
    page.line(format!("{} picture, {}×{}{taken}{camera}", picture.format, picture.width, picture.height));
}

pub(super) fn pdf(page: &mut Page, pdf: &Pdf) {
    let pages = pdf.pages.map_or_else(|| "pages unknown".to_owned(), |pages| count(pages as usize, "page"));
    let encrypted = if pdf.is_encrypted { ", encrypted" } else { "" };
    page.line(format!("PDF, {pages}{encrypted}"));
    for (key, words) in [("title", &pdf.title), ("author", &pdf.author)] {
        if let Some(words) = words {
            page.line(format!("{key}: {words}"));
        }
    }
}
