//! What a file is made of: the typed result, of which `for_model` is one view.

use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::container::{Image, Services};
use super::data::Data;
use super::database::Database;
use super::document::Document;
use super::environment::Environment;
use super::manifest::Manifest;
use super::notebook::Notebook;
use super::pdf::Pdf;
use super::picture::Picture;
use super::source::Source;
use super::table::Table;
use super::workflow::Workflow;

/// The outline of one file, by the form of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Outline {
    /// A program, or a part of one.
    Source(Source),
    /// A manifest of a build tool or package manager.
    Manifest(Manifest),
    /// A pipeline of a build server.
    Workflow(Workflow),
    /// A Dockerfile.
    Image(Image),
    /// A compose file.
    Services(Services),
    /// Keys and values.
    Data(Data),
    /// A document.
    Document(Document),
    /// A table of text.
    Table(Table),
    /// A database.
    Database(Database),
    /// A notebook.
    Notebook(Notebook),
    /// Environment variables.
    Environment(Environment),
    /// An archive.
    Archive(Archive),
    /// A picture.
    Picture(Picture),
    /// A PDF file.
    Pdf(Pdf),
}

/// Lines of a file, counted from 1; both ends belong to the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lines {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl Lines {
    /// One line.
    pub fn one(line: u32) -> Self {
        Self { first: line, last: line }
    }

    /// How many lines these are.
    pub fn count(self) -> u32 {
        self.last.saturating_sub(self.first).saturating_add(1)
    }
}

/// Words found in the file, in one line, and where they stand: what a claim about the file can cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The words, without the marks around them.
    pub text: String,
    /// The line they stand in.
    pub line: u32,
}
