//! The toolbox of a model that must be assumed hostile.
//!
//! Nothing here trusts an argument: paths are resolved by the kernel beneath one descriptor, what parses runs
//! under limits, what is started runs in a sandbox.

mod structure;

pub use structure::{
    Archive, ArchiveEntry, ArchiveFormat, BuildServer, Cell, Column, ColumnKind, Data, Database,
    DatabaseTable, Dependency, Document, EntryPoint, Environment, Fact, FileMetrics, Format, Function,
    FunctionMetrics, Heading, Image, Import, Job, Key, Language, LeftOut, Limits, Lines, Link, Manifest,
    NotParsed, Note, Notebook, Outline, Paragraph, Pdf, Picture, Script, Service, Services, Source, Stage,
    Step, Table, Test, Tool, Type, TypeKind, ValueKind, Workflow, outline,
};
