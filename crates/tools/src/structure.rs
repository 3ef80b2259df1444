//! What a file is made of, for whoever has not read it: `outline`.
//!
//! Pure and deterministic: a name and bytes come in, a typed `Outline` comes out, the same for the same bytes. Nothing is read, nothing
//! is executed, and time and memory stay within `Limits` whatever the bytes are: sizes and depths are capped, walks do not
//! recurse, aliases are not expanded, archives are not unpacked.
//!
//! Text of the file inside an outline is data of the target. `Outline::for_model` is the safe way out.

mod for_model;
mod outline;
mod source;

pub use outline::{Lines, Note, Outline};
pub use source::{
    EntryPoint, FileMetrics, Function, FunctionMetrics, Import, Language, LeftOut, Source, Test, Type,
    TypeKind,
};

/// How much of a file is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest program that is parsed, in bytes.
    pub source_bytes: usize,
    /// Largest file of another form.
    pub data_bytes: usize,
    /// Most items of one kind in an outline.
    pub items: usize,
    /// Deepest nesting that is followed.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { source_bytes: 2 << 20, data_bytes: 32 << 20, items: 2_000, depth: 400 }
    }
}

/// Why there is no outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotParsed {
    /// Nothing here knows this form.
    #[error("not parsed, because nothing is known about files of this kind; read_file and search still work")]
    Unknown,
    /// The file has no bytes.
    #[error("not parsed, because the file is empty")]
    Empty,
    /// Over the limit.
    #[error(
        "not parsed, because it has {size} bytes and only files up to {most} are parsed; read_file and search still work"
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
    /// The grammar could not be loaded.
    #[error("not parsed, because the grammar of its language does not work here")]
    Grammar,
}

/// The outline of a file, by its name and its bytes.
pub fn outline(name: &[u8], bytes: &[u8], limits: &Limits) -> Result<Outline, NotParsed> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
    let language = Language::of_ending(ending, bytes)
        .or_else(|| Language::of_shebang(bytes))
        .ok_or(NotParsed::Unknown)?;
    source::outline(language, bytes, limits).map(Outline::Source)
}
