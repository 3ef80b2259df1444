//! The toolbox of a model that must be assumed hostile.
//!
//! Nothing here trusts an argument: paths are resolved by the kernel beneath one descriptor, what parses runs
//! under limits, what is started runs in a sandbox.

mod structure;

pub use structure::{
    EntryPoint, FileMetrics, Function, FunctionMetrics, Import, Language, LeftOut, Limits, Lines, NotParsed,
    Note, Outline, Source, Test, Type, TypeKind, outline,
};
