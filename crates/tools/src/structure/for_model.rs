//! What a model reads of an outline: compact, line ranges in front, and inert.
//!
//! Every line passes `Untrusted::for_terminal`: a name with escape sequences or invisible characters shows as what it is. What
//! does not fit is counted, so that nobody takes a part for the whole.

mod content;
mod project;
mod shown;
mod source;

use std::fmt::Write as _;

use luminos_core::Untrusted;

use super::outline::{Lines, Note, Outline};

/// Most bytes of a whole text.
const MOST_BYTES: usize = 24_000;

/// Most items of one list.
const MOST_ITEMS: usize = 250;

impl Outline {
    /// What a model reads: one item a line, its lines of the file in front.
    pub fn for_model(&self) -> String {
        let mut page = Page::default();
        match self {
            Self::Source(source) => source::write(&mut page, source),
            Self::Manifest(manifest) => project::manifest(&mut page, manifest),
            Self::Workflow(workflow) => project::workflow(&mut page, workflow),
            Self::Image(image) => project::image(&mut page, image),
            Self::Services(services) => project::services(&mut page, services),
            Self::Data(data) => content::data(&mut page, data),
            Self::Document(document) => content::document(&mut page, document),
            Self::Table(table) => content::table(&mut page, table),
            Self::Database(database) => content::database(&mut page, database),
            Self::Notebook(notebook) => content::notebook(&mut page, notebook),
            Self::Environment(environment) => project::environment(&mut page, environment),
            Self::Archive(archive) => content::archive(&mut page, archive),
            Self::Picture(picture) => content::picture(&mut page, picture),
            Self::Pdf(pdf) => content::pdf(&mut page, pdf),
        }
        page.finish()
    }
}

/// Lines that are made harmless one by one, and counted when there is no more room.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    left_out: usize,
}

impl Page {
    /// A line of our own words, perhaps with words of the target.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = Untrusted::new(line.as_ref().as_bytes()).for_terminal();
        if MOST_BYTES < self.text.len() + line.len() {
            self.left_out += 1;
            return;
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// The items of a list, the first of them at least, each made into a line.
    pub(super) fn list<T>(&mut self, what: &str, items: &[T], left_out: u32, line: impl Fn(&T) -> String) {
        for item in items.iter().take(MOST_ITEMS) {
            self.line(line(item));
        }
        let more = items.len().saturating_sub(MOST_ITEMS) + left_out as usize;
        if 0 < more {
            self.line(format!("… and {more} more {what}"));
        }
    }

    /// A headline with a list below it, where there is something to list.
    pub(super) fn section<T>(
        &mut self,
        title: &str,
        items: &[T],
        left_out: u32,
        line: impl Fn(&T) -> String,
    ) {
        if !items.is_empty() {
            self.line(format!("{title}:"));
            self.list(&title.to_lowercase(), items, left_out, line);
        }
    }

    fn finish(mut self) -> String {
        if 0 < self.left_out {
            let _ = writeln!(self.text, "… and {} more lines that did not fit", self.left_out);
        }
        self.text
    }
}

/// `12-40`, or `12` for one line.
pub(super) fn place(lines: Lines) -> String {
    if lines.first == lines.last {
        lines.first.to_string()
    } else {
        format!("{}-{}", lines.first, lines.last)
    }
}

/// `3 functions`, `1 function`.
pub(super) fn count(number: usize, word: &str) -> String {
    match (number, word) {
        (1, _) => format!("1 {word}"),
        (_, "entry") => format!("{number} entries"),
        (_, "dependency") => format!("{number} dependencies"),
        (_, "index") => format!("{number} indices"),
        (_, _) => format!("{number} {word}s"),
    }
}

/// ` — what it says`, or nothing.
pub(super) fn said(note: Option<&Note>) -> String {
    note.map(|note| format!(" — {}", note.text)).unwrap_or_default()
}
