//! What a file is made of, for whoever has not read it: `outline`.
//!
//! Pure and deterministic: a name and bytes come in, a typed `Outline` comes out, the same for the same bytes. Nothing is
//! read, nothing is executed, and time and memory stay within `Limits` whatever the bytes are: sizes and depths are capped,
//! walks do not recurse, aliases are not expanded, archives are not unpacked.
//!
//! Text of the file inside an outline is data of the target. `Outline::for_model` is the safe way out.

mod archive;
mod container;
mod data;
mod database;
mod document;
mod environment;
mod for_model;
mod kind;
mod manifest;
mod notebook;
mod outline;
mod pdf;
mod picture;
mod source;
mod table;
mod tree;
mod workflow;

use std::borrow::Cow;

pub use archive::{Archive, ArchiveEntry, ArchiveFormat};
pub use container::{Image, Service, Services, Stage};
pub use data::{Data, Format, Key, ValueKind};
pub use database::{Database, DatabaseTable};
pub use document::{Document, Heading, Link, Paragraph};
pub use environment::Environment;
pub use manifest::{Dependency, Fact, Manifest, Script, Tool};
pub use notebook::{Cell, Notebook};
pub use outline::{Lines, Note, Outline};
pub use pdf::Pdf;
pub use picture::{Picture, far, picture};
pub use source::{
    EntryPoint, FileMetrics, Function, FunctionMetrics, Import, Language, LeftOut, Source, Test, Type,
    TypeKind,
};
pub use table::{Column, ColumnKind, Table};
pub use workflow::{BuildServer, Job, Step, Workflow};

use kind::Kind;
use tree::{Node, Syntax};

/// How much of a file is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest program that is parsed, in bytes.
    pub source_bytes: usize,
    /// Largest file of another form.
    pub data_bytes: usize,
    /// Longest line of a program: what is longer was made by a machine.
    pub line_bytes: usize,
    /// Most items of one kind in an outline.
    pub items: usize,
    /// Deepest nesting of syntax that is followed.
    pub depth: usize,
    /// What becomes of function bodies.
    pub bodies: Bodies,
    /// What is told of the heads of functions and types.
    pub heads: Heads,
}

/// What is told of the heads of functions and types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// Signatures, how many parameters there are, what types are derived from, and what is said about all of them.
    Whole,
    /// Names alone, but for signatures that tell tests and beginnings from others; and nothing that methods say in their bodies. Faster.
    Names,
}

/// What becomes of function bodies; the outline is the same, but for how branches are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bodies {
    /// Measured by their tokens, where that is enough. Several times as fast.
    Skimmed,
    /// Read by the grammar.
    Read,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            source_bytes: 2 << 20,
            data_bytes: 32 << 20,
            line_bytes: 40_000,
            items: 2_000,
            depth: 400,
            bodies: Bodies::Skimmed,
            heads: Heads::Whole,
        }
    }
}

/// Why there is no outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotParsed {
    /// Nothing here knows this form.
    #[error("not parsed, because nothing is known about files of this kind; read_file and search still work")]
    Unknown,
    /// A text was expected, and there are bytes no text has.
    #[error("not parsed, because it is not text, though its name says so")]
    Binary,
    /// The file has no content.
    #[error("not parsed, because the file is empty")]
    Empty,
    /// Over the limit.
    #[error(
        "not parsed, because it has {size} bytes and only {most} are parsed; read_file and search still work"
    )]
    TooLarge {
        /// The size of the file.
        size: usize,
        /// The limit.
        most: usize,
    },
    /// Made by a machine for a machine.
    #[error("not parsed, because it looks minified or generated: line {line} has {length} bytes")]
    Minified {
        /// The line.
        line: u32,
        /// Its length.
        length: usize,
    },
    /// The parser used up its steps.
    #[error("not parsed, because it does not look like its language: the parser used up its budget")]
    TooEntangled,
    /// The bytes are not what they should be.
    #[error("not parsed, because it looks like {what}{}", at(*.line))]
    Malformed {
        /// What it looks like.
        what: String,
        /// Where; 0 if it has no lines.
        line: u32,
    },
    /// The grammar could not be loaded.
    #[error("not parsed, because the grammar of its language does not work here")]
    Grammar,
}

fn at(line: u32) -> String {
    if line == 0 { String::new() } else { format!(" (line {line}); read_file shows it") }
}

/// The outline of a file, by its name and its bytes.
pub fn outline(name: &[u8], bytes: &[u8], limits: &Limits) -> Result<Outline, NotParsed> {
    let name = name.rsplit(|byte| *byte == b'/').next().unwrap_or(name);
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    if bytes.is_empty() {
        return Err(NotParsed::Empty);
    }
    if limits.data_bytes < bytes.len() {
        return Err(NotParsed::TooLarge { size: bytes.len(), most: limits.data_bytes });
    }
    if let Some(picture) = picture::outline(bytes) {
        return picture.map(Outline::Picture);
    }
    match kind::of_bytes(bytes) {
        Some(Kind::Archive) => return archive::outline(bytes).map(Outline::Archive),
        Some(Kind::Database) => return database::outline(bytes).map(Outline::Database),
        Some(Kind::Pdf) => return Ok(Outline::Pdf(pdf::outline(bytes))),
        _ => {}
    }
    let text = text_of(bytes);
    let kind = kind::of_name(&name, &text).ok_or(NotParsed::Unknown)?;
    if memchr::memchr(0, text.get(..8_192).unwrap_or(&text)).is_some() {
        return Err(NotParsed::Binary);
    }
    of_text(kind, &name, &text, limits)
}

/// The bytes as UTF-8: without the mark at the beginning, and from UTF-16 where the mark says so.
fn text_of(bytes: &[u8]) -> Cow<'_, [u8]> {
    let units = |bytes: &[u8], to: fn([u8; 2]) -> u16| -> Vec<u8> {
        let units: Vec<u16> =
            bytes.chunks_exact(2).filter_map(|pair| Some(to(pair.try_into().ok()?))).collect();
        String::from_utf16_lossy(&units).into_bytes()
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(rest),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(units(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(units(rest, u16::from_be_bytes)),
        bytes => Cow::Borrowed(bytes),
    }
}

fn of_text(kind: Kind, name: &str, bytes: &[u8], limits: &Limits) -> Result<Outline, NotParsed> {
    if let Kind::Source(language) = kind {
        return of_source(language, bytes, limits);
    }
    if let Kind::Table(delimiter) = kind {
        return table::outline(bytes, delimiter).map(Outline::Table);
    }
    let text = String::from_utf8_lossy(bytes);
    let tree = |syntax| tree::read(syntax, &text, limits);
    match kind {
        Kind::Compose => tree(Syntax::Yaml).map(|root| Outline::Services(container::compose(&root))),
        Kind::Data(syntax) => tree(syntax).map(|root| of_data(syntax, &root)),
        Kind::Dockerfile => container::dockerfile(&text).map(Outline::Image),
        Kind::Environment => Ok(Outline::Environment(environment::outline(&text))),
        Kind::GitLab => tree(Syntax::Yaml).map(|root| Outline::Workflow(workflow::gitlab(&root))),
        Kind::Manifest(tool) => manifest::outline(tool, name, &text, limits).map(Outline::Manifest),
        Kind::Markdown => Ok(Outline::Document(document::markdown(&text))),
        Kind::Notebook => {
            let root = tree(Syntax::Json)?;
            let notebook = notebook::outline(&root).map(Outline::Notebook);
            Ok(notebook.unwrap_or_else(|| of_data(Syntax::Json, &root)))
        }
        Kind::Restructured => Ok(Outline::Document(document::restructured(&text))),
        Kind::Vector => vector(&tree(Syntax::Xml)?),
        Kind::Archive | Kind::Database | Kind::Pdf | Kind::Source(_) | Kind::Table(_) => {
            Err(NotParsed::Unknown)
        }
    }
}

fn of_source(language: Language, bytes: &[u8], limits: &Limits) -> Result<Outline, NotParsed> {
    if limits.source_bytes < bytes.len() {
        return Err(NotParsed::TooLarge { size: bytes.len(), most: limits.source_bytes });
    }
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate();
    if let Some((row, line)) = lines.find(|(_, line)| limits.line_bytes < line.len()) {
        let row = u32::try_from(row + 1).unwrap_or(u32::MAX);
        return Err(NotParsed::Minified { line: row, length: line.len() });
    }
    source::outline(language, bytes, limits).map(Outline::Source)
}

/// Keys and values, unless they are those of a workflow: GitHub knows them by their folder, we by their keys.
fn of_data(syntax: Syntax, root: &Node) -> Outline {
    let is_workflow = syntax == Syntax::Yaml
        && root.get("on").is_some()
        && root.get("jobs").is_some_and(|jobs| jobs.entries().next().is_some());
    if is_workflow {
        Outline::Workflow(workflow::github(root))
    } else {
        Outline::Data(data::outline(syntax, root))
    }
}

/// The size of an SVG picture, by its attributes or its view box.
fn vector(root: &Node) -> Result<Outline, NotParsed> {
    let svg = root
        .get("svg")
        .ok_or(NotParsed::Malformed { what: "an SVG picture without its root".to_owned(), line: 1 })?;
    let number = |text: &str| text.trim_end_matches("px").trim().parse::<f64>().ok();
    let side = |key: &str, index: usize| {
        let written = svg.get(key).and_then(Node::text).and_then(number);
        let view = svg.get("@viewBox").and_then(Node::text);
        let view = view.and_then(|view| {
            view.split([' ', ',']).filter(|part| !part.is_empty()).nth(index).and_then(number)
        });
        written.or(view).unwrap_or(0.0)
    };
    // Sizes of pictures are whole and small; what is not becomes the nearest that is.
    let (width, height) = (side("@width", 2).round() as u32, side("@height", 3).round() as u32);
    Ok(Outline::Picture(Picture {
        format: "SVG".to_owned(),
        width,
        height,
        taken: None,
        camera: None,
        is_located: false,
    }))
}
