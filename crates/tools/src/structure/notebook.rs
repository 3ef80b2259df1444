//! Jupyter notebooks.

use serde::{Deserialize, Serialize};

use super::document::{self, Heading};
use super::outline::{Lines, Note};
use super::source::one_line;
use super::tree::{Node, Value};

/// A notebook.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notebook {
    /// The language of its code.
    pub language: Option<String>,
    /// How many cells hold code.
    pub code_cells: u32,
    /// How many hold text.
    pub text_cells: u32,
    /// How many code cells kept what they printed.
    pub with_output: u32,
    /// Headings of the text cells.
    pub headings: Vec<Heading>,
    /// The first paragraph of text.
    pub first_paragraph: Option<Note>,
    /// Code cells: their first line, and where they stand in the file.
    pub cells: Vec<Cell>,
}

/// A code cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Its first line that is not blank.
    pub first_line: String,
    /// How many lines it has.
    pub length: u32,
    /// Where it stands in the file.
    pub lines: Lines,
}

/// Reads a notebook.
pub(super) fn outline(root: &Node) -> Option<Notebook> {
    let cells = root.get("cells")?;
    let metadata = root.get("metadata");
    let language = metadata.and_then(|node| {
        node.at(&["language_info", "name"]).or_else(|| node.at(&["kernelspec", "language"]))
    });
    let mut notebook = Notebook { language: language.and_then(Node::line_of_text), ..Notebook::default() };
    for cell in cells.items() {
        let source = cell.get("source");
        let text: String =
            source.map(Node::items).unwrap_or_default().iter().filter_map(Node::text).collect();
        match cell.get("cell_type").and_then(Node::text) {
            Some("code") => {
                notebook.code_cells += 1;
                let outputs = cell.get("outputs").map(|node| &node.value);
                notebook.with_output +=
                    u32::from(matches!(outputs, Some(Value::List(_, length)) if 0 < *length));
                let mut lines = text.lines().filter(|line| !line.trim().is_empty());
                let Some(first) = lines.next() else { continue };
                let length = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
                notebook.cells.push(Cell { first_line: one_line(first, 160), length, lines: cell.lines });
            }
            Some("markdown") => {
                notebook.text_cells += 1;
                let line = source.map_or(cell.lines.first, |node| node.lines.first);
                let document = document::markdown(&text);
                notebook
                    .headings
                    .extend(document.headings.into_iter().map(|heading| Heading { line, ..heading }));
                let paragraph = document.first_paragraph.map(|paragraph| Note { text: paragraph.text, line });
                notebook.first_paragraph = notebook.first_paragraph.take().or(paragraph);
            }
            _ => {}
        }
    }
    Some(notebook)
}
