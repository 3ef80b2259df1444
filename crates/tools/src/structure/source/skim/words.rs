//! What the words of a language with braces mean to the skim.

use super::scanner::{Backtick, Holes, Marks, Own, Quote, Scanner};
use crate::structure::source::Language;

/// Words of a language that mean something to the skim.
pub(super) struct Words {
    pub(super) marks: Marks,
    pub(super) body: Body,
    /// Types whose inside has nothing for an outline: fields, variants, signatures.
    pub(super) holds: &'static [&'static str],
    /// The way divides, and what follows is nested.
    pub(super) branches: &'static [&'static str],
    /// What follows is nested.
    pub(super) nests: &'static [&'static str],
    /// The way divides.
    pub(super) forks: &'static [&'static str],
    /// Whether `=>` divides the way.
    pub(super) arrows: bool,
    /// Whether `?` divides the way.
    pub(super) questions: bool,
    /// Whether values in braces are left out like bodies.
    pub(super) values: bool,
    /// Whether a statement may stand between `if` and its condition.
    pub(super) statement_before_condition: bool,
    /// Words that belong into an outline: a body with one of them stays.
    pub(super) keeps: &'static [(&'static str, Keep)],
}

/// How a function is recognised at its opening brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// One of these words stands somewhere before it.
    After(&'static [&'static str]),
    /// A list in round brackets stands before it.
    AfterList,
    /// The same; besides, there are accessors, and functions inside functions.
    CSharp,
    /// The word `function`, an arrow, or the list of a method.
    Script,
}

/// When a word belongs into an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Always,
    /// If a name comes after it: without one it is an expression, or a name itself.
    Named,
    /// If arguments come after it.
    Called,
}

use Keep::{Always, Called, Named};

const PLAIN: Marks = Marks {
    nested_comments: false,
    directives: false,
    quote: Quote::String,
    backtick: Backtick::Byte,
    rust_strings: false,
    cpp_strings: false,
    patterns: false,
    triple: false,
    long_strings: false,
    holes: Holes::None,
    own: Own::None,
};

const RUST: Words = Words {
    marks: Marks {
        nested_comments: true,
        quote: Quote::Lifetime,
        rust_strings: true,
        long_strings: true,
        ..PLAIN
    },
    body: Body::After(&["fn"]),
    holds: &["struct", "enum"],
    branches: &["if", "while", "for"],
    nests: &["match", "loop"],
    forks: &[],
    arrows: true,
    questions: false,
    values: false,
    statement_before_condition: false,
    keeps: &[
        ("fn", Named),
        ("struct", Named),
        ("enum", Named),
        ("union", Named),
        ("trait", Always),
        ("impl", Always),
        ("mod", Named),
        ("use", Always),
        ("macro_rules", Always),
        ("extern", Always),
        ("type", Named),
    ],
};

const GO: Words = Words {
    marks: Marks { backtick: Backtick::Raw, ..PLAIN },
    body: Body::After(&["func"]),
    holds: &["struct", "interface"],
    branches: &["if", "for"],
    nests: &["switch", "select"],
    forks: &["case"],
    arrows: false,
    questions: false,
    values: true,
    statement_before_condition: true,
    keeps: &[("type", Always)],
};

const C: Words = Words {
    marks: Marks { directives: true, ..PLAIN },
    body: Body::AfterList,
    holds: &[],
    branches: &["if", "for", "while"],
    nests: &["switch", "do"],
    forks: &["case", "default"],
    arrows: false,
    questions: true,
    values: true,
    statement_before_condition: false,
    keeps: &[("typedef", Always)],
};

const CPP: Words = Words {
    marks: Marks { cpp_strings: true, ..C.marks },
    nests: &["switch", "try", "do"],
    forks: &["case", "default", "catch"],
    keeps: &[("typedef", Always), ("class", Always)],
    ..C
};

const JAVA: Words = Words {
    values: false,
    marks: Marks { triple: true, ..PLAIN },
    nests: &["switch", "try", "do"],
    forks: &["case", "default", "catch"],
    keeps: &[("class", Named), ("interface", Named), ("enum", Named), ("record", Named)],
    ..C
};

const CSHARP: Words = Words {
    marks: Marks { directives: true, triple: true, own: Own::CSharp, ..PLAIN },
    body: Body::CSharp,
    holds: &["enum"],
    branches: &["if", "for", "foreach", "while"],
    nests: &["switch", "try", "do"],
    forks: &["case", "default", "catch"],
    values: false,
    keeps: &[
        ("class", Named),
        ("struct", Named),
        ("interface", Named),
        ("enum", Named),
        ("record", Named),
        ("delegate", Named),
    ],
    ..C
};

const PHP: Words = Words {
    marks: Marks { long_strings: true, own: Own::Php, ..PLAIN },
    body: Body::After(&["function"]),
    holds: &[],
    branches: &["if", "for", "foreach", "while"],
    nests: &["switch", "match", "try", "do"],
    forks: &["case", "elseif", "catch"],
    values: false,
    keeps: &[
        ("function", Named),
        ("class", Always),
        ("interface", Named),
        ("trait", Named),
        ("enum", Named),
        ("include", Always),
        ("include_once", Always),
        ("require", Always),
        ("require_once", Always),
    ],
    ..C
};

const KOTLIN: Words = Words {
    marks: Marks { nested_comments: true, triple: true, holes: Holes::Dollar, ..PLAIN },
    body: Body::After(&["fun"]),
    holds: &[],
    nests: &["when", "try", "do"],
    forks: &["catch"],
    questions: false,
    values: false,
    keeps: &[("fun", Always), ("class", Always), ("object", Always), ("interface", Always)],
    ..C
};

const SWIFT: Words = Words {
    marks: Marks { nested_comments: true, triple: true, holes: Holes::Backslash, own: Own::Swift, ..PLAIN },
    body: Body::After(&["func", "init"]),
    holds: &[],
    branches: &["if", "for", "while"],
    nests: &["switch", "do"],
    forks: &["case", "default", "catch", "guard"],
    values: false,
    keeps: &[
        ("func", Always),
        ("init", Always),
        ("class", Always),
        ("struct", Always),
        ("enum", Always),
        ("protocol", Always),
        ("extension", Always),
        ("typealias", Always),
        ("import", Always),
    ],
    ..C
};

const SCALA: Words = Words {
    marks: Marks {
        nested_comments: true,
        triple: true,
        quote: Quote::Lifetime,
        holes: Holes::Dollar,
        ..PLAIN
    },
    body: Body::After(&["def"]),
    holds: &[],
    nests: &["match", "try", "do"],
    forks: &["case"],
    questions: false,
    values: false,
    keeps: &[
        ("def", Always),
        ("class", Always),
        ("object", Always),
        ("trait", Always),
        ("enum", Always),
        ("type", Always),
        ("import", Always),
        ("package", Always),
        ("extends", Always),
    ],
    ..C
};

const JAVASCRIPT: Words = Words {
    marks: Marks { backtick: Backtick::Template, patterns: true, ..PLAIN },
    body: Body::Script,
    values: false,
    nests: &["switch", "try", "do"],
    forks: &["case", "catch"],
    keeps: &[
        ("function", Named),
        ("class", Always),
        ("require", Called),
        ("import", Called),
        ("it", Called),
        ("test", Called),
        ("Deno", Called),
    ],
    ..C
};

const TYPESCRIPT: Words = Words {
    holds: &["interface", "enum"],
    keeps: &[
        ("function", Named),
        ("class", Always),
        ("require", Called),
        ("import", Called),
        ("it", Called),
        ("test", Called),
        ("Deno", Called),
        ("interface", Named),
        ("enum", Named),
        ("type", Named),
        ("namespace", Named),
        ("module", Named),
    ],
    ..JAVASCRIPT
};

/// How Lua writes comments and strings.
pub(super) const LUA: Marks = Marks { own: Own::Lua, ..PLAIN };

impl Words {
    /// The words of a language; `None` where nothing is left out.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        match language {
            Language::Rust => Some(&RUST),
            Language::Go => Some(&GO),
            Language::C => Some(&C),
            Language::CSharp => Some(&CSHARP),
            Language::Cpp => Some(&CPP),
            Language::Java => Some(&JAVA),
            Language::JavaScript => Some(&JAVASCRIPT),
            Language::Kotlin => Some(&KOTLIN),
            Language::Php => Some(&PHP),
            Language::Scala => Some(&SCALA),
            Language::Swift => Some(&SWIFT),
            Language::Tsx | Language::TypeScript => Some(&TYPESCRIPT),
            Language::Bash
            | Language::Css
            | Language::Html
            | Language::Lua
            | Language::Python
            | Language::Ruby
            | Language::Sql => None,
        }
    }

    /// Whether the word that was just read belongs into an outline.
    pub(super) fn keep(&self, word: &[u8], scanner: &Scanner<'_>) -> bool {
        let Some((_, keep)) = self.keeps.iter().find(|(known, _)| known.as_bytes() == word) else {
            return false;
        };
        // `x.type` and `X::class` are names.
        let before = scanner.last[1];
        let is_member = before == b'.' || self.marks.own == Own::Php && matches!(before, b':' | b'>');
        !is_member
            && match keep {
                Always => true,
                Named => is_name(scanner.peek()),
                Called => matches!(scanner.peek(), b'(' | b'.'),
            }
    }
}

/// Whether a name can begin with this byte; the star of a generator and a line's end leave it open.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
        || matches!(byte, b'_' | b'$' | b'@' | b'&' | b'*' | b'#' | b'\n' | b'\r' | 0x80..)
}
