//! The outline of a program: what it imports, which types and functions it has, where it starts, what it tests.
//!
//! One engine walks the syntax tree once, without recursion; what the nodes of a language mean stands in the
//! tables of `dialect`. Nothing here repeats a string literal of the program: a default password in a
//! signature shows as `"…"`.

mod comment;
mod dialect;
mod engine;
mod finish;
mod grammar;
mod item;
mod language;
mod signature;
mod skim;

use serde::{Deserialize, Serialize};

pub use language::Language;

pub(super) use engine::outline;
pub(super) use item::one_line;

use super::outline::{Lines, Note};

/// The outline of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The language it was read as.
    pub language: Language,
    /// The package, module or namespace the file says it belongs to.
    pub package: Option<Note>,
    /// The first line of what the file says about itself.
    pub doc: Option<Note>,
    /// What it uses.
    pub imports: Vec<Import>,
    /// Its types, modules and namespaces, in order.
    pub types: Vec<Type>,
    /// Its functions and methods, in order.
    pub functions: Vec<Function>,
    /// Where a program starts.
    pub entry_points: Vec<EntryPoint>,
    /// Its tests.
    pub tests: Vec<Test>,
    /// Sizes of the whole file.
    pub metrics: FileMetrics,
    /// What the limits left out.
    pub left_out: LeftOut,
    /// Whether some of it could not be understood by the grammar, so that items may be missing.
    pub has_errors: bool,
}

impl Source {
    /// The first line of each type and each function.
    pub fn definition_lines(&self) -> Vec<u64> {
        let types = self.types.iter().map(|kind| kind.lines.first);
        let functions = self.functions.iter().map(|function| function.lines.first);
        types.chain(functions).map(u64::from).collect()
    }
}

/// Something the file uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The statement as it is written, in one line.
    pub written: String,
    /// The module it names: `os.path`, `./button`, `crate::walk`, `stdio.h`.
    pub module: String,
    /// Where it stands.
    pub line: u32,
}

/// What kind of type, or of house for types, something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words are the languages' own")]
pub enum TypeKind {
    Alias,
    Annotation,
    Class,
    Enum,
    Extension,
    Interface,
    Macro,
    Module,
    Namespace,
    Object,
    Protocol,
    Record,
    Struct,
    Table,
    Trait,
    Union,
    View,
}

impl TypeKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Alias => "type",
            Self::Annotation => "annotation",
            Self::Class => "class",
            Self::Enum => "enum",
            Self::Extension => "extension",
            Self::Interface => "interface",
            Self::Macro => "macro",
            Self::Module => "module",
            Self::Namespace => "namespace",
            Self::Object => "object",
            Self::Protocol => "protocol",
            Self::Record => "record",
            Self::Struct => "struct",
            Self::Table => "table",
            Self::Trait => "trait",
            Self::Union => "union",
            Self::View => "view",
        }
    }
}

/// A type, module or namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its name.
    pub name: String,
    /// The type or module around it.
    pub owner: Option<String>,
    /// Where it stands, with its decorators and attributes.
    pub lines: Lines,
    /// The first line of its doc comment.
    pub doc: Option<Note>,
    /// Whether others can see it.
    pub exported: bool,
    /// What stands between its name and its body, in one line: type parameters, what it is derived from.
    pub derived: String,
    /// The columns of a table; empty for other types.
    pub columns: Vec<String>,
}

/// A function or method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The type (or outer function) it belongs to.
    pub owner: Option<String>,
    /// The trait or interface it implements, where the language says so at the implementation.
    pub of_trait: Option<String>,
    /// All before its body, in one line, without string literals.
    pub signature: String,
    /// Where it stands, with its decorators and attributes.
    pub lines: Lines,
    /// The first line of its doc comment.
    pub doc: Option<Note>,
    /// Whether others can see it.
    pub exported: bool,
    /// Whether it is a test.
    pub is_test: bool,
    /// Whether it has a body here; a prototype or an abstract method has none.
    pub has_body: bool,
    /// How many parameters it takes, the receiver among them where it is written.
    pub parameters: u32,
    /// How large and how entangled it is.
    pub metrics: FunctionMetrics,
}

/// How large and how entangled a function is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionMetrics {
    /// Lines from the signature to the end.
    pub lines: u32,
    /// How deep its blocks are nested.
    pub nesting: u32,
    /// Points where the way divides: conditions, loops, cases, `&&`, `||`.
    pub branches: u32,
}

impl FunctionMetrics {
    /// McCabe's number: how many independent ways lead through.
    pub fn cyclomatic(self) -> u32 {
        self.branches.saturating_add(1)
    }
}

/// Where a program starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    /// How one recognises it: `fn main`, `if __name__ == "__main__"`, `#!/bin/sh`.
    pub what: String,
    /// Where it stands.
    pub lines: Lines,
}

/// A test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub lines: Lines,
}

/// Sizes of a whole file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMetrics {
    /// All lines.
    pub lines: u32,
    /// Lines with something besides comments and blanks.
    pub code_lines: u32,
    /// The length of the longest function.
    pub longest_function: u32,
    /// The deepest nesting in a function.
    pub deepest_nesting: u32,
}

/// How many items the limits left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Imports.
    pub imports: u32,
    /// Types.
    pub types: u32,
    /// Functions.
    pub functions: u32,
    /// Tests.
    pub tests: u32,
    /// Branches of the syntax tree that were deeper than the limit.
    pub deep: u32,
}
