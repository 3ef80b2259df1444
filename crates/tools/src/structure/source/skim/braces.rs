//! Bodies between braces.

use super::scanner::{Backtick, Marks, Quote, Scanner, Token};
use super::{LEAST, Measured, Skim};
use crate::structure::source::Language;

/// How often the text may be scanned in vain before nothing more is left out: functions inside functions must not make
/// the time grow faster than the text.
const MOST_VAIN: usize = 3;

/// Words of a language that mean something to the skim.
pub(super) struct Words {
    marks: Marks,
    body: Body,
    /// The way divides, and what follows is nested.
    branches: &'static [&'static str],
    /// What follows is nested.
    nests: &'static [&'static str],
    /// The way divides.
    forks: &'static [&'static str],
    /// Whether `=>` divides the way.
    arrows: bool,
    /// Whether `?` divides the way.
    questions: bool,
    /// Whether values in braces are left out like bodies.
    values: bool,
    /// Words that belong into an outline: a body with one of them stays.
    keeps: &'static [&'static str],
}

/// How a function is recognised at its opening brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// A word stands somewhere before it.
    After(&'static str),
    /// A list in round brackets stands before it.
    AfterList,
    /// The word `function`, an arrow, or the list of a method.
    Script,
}

const PLAIN: Marks = Marks {
    nested_comments: false,
    directives: false,
    quote: Quote::String,
    backtick: Backtick::Byte,
    rust_strings: false,
    cpp_strings: false,
    patterns: false,
    triple: false,
};

const RUST: Words = Words {
    marks: Marks { nested_comments: true, quote: Quote::Lifetime, rust_strings: true, ..PLAIN },
    body: Body::After("fn"),
    branches: &["if", "while", "for"],
    nests: &["match", "loop"],
    forks: &[],
    arrows: true,
    questions: false,
    values: false,
    keeps: &["fn", "struct", "enum", "union", "trait", "impl", "mod", "use", "macro_rules", "extern", "type"],
};

const GO: Words = Words {
    marks: Marks { backtick: Backtick::Raw, ..PLAIN },
    body: Body::After("func"),
    branches: &["if", "for"],
    nests: &["switch", "select"],
    forks: &["case"],
    arrows: false,
    questions: false,
    values: true,
    keeps: &["type"],
};

const C: Words = Words {
    marks: Marks { directives: true, ..PLAIN },
    body: Body::AfterList,
    branches: &["if", "for", "while"],
    nests: &["switch", "do"],
    forks: &["case", "default"],
    arrows: false,
    questions: true,
    values: true,
    keeps: &["typedef"],
};

const CPP: Words = Words {
    marks: Marks { cpp_strings: true, ..C.marks },
    nests: &["switch", "try", "do"],
    forks: &["case", "default", "catch"],
    keeps: &["typedef", "class"],
    ..C
};

const JAVA: Words = Words {
    values: false,
    marks: Marks { triple: true, ..PLAIN },
    nests: &["switch", "try", "do"],
    forks: &["case", "default", "catch"],
    keeps: &["class", "interface", "enum", "record"],
    ..C
};

const SCRIPT: Words = Words {
    marks: Marks { backtick: Backtick::Template, patterns: true, ..PLAIN },
    body: Body::Script,
    values: false,
    nests: &["switch", "try", "do"],
    forks: &["case", "catch"],
    keeps: &[
        "function",
        "class",
        "require",
        "import",
        "export",
        "exports",
        "it",
        "test",
        "interface",
        "enum",
        "type",
        "namespace",
    ],
    ..C
};

impl Words {
    /// The words of a language; `None` where nothing is left out.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        match language {
            Language::Rust => Some(&RUST),
            Language::Go => Some(&GO),
            Language::C => Some(&C),
            Language::Cpp => Some(&CPP),
            Language::Java => Some(&JAVA),
            Language::JavaScript | Language::Tsx | Language::TypeScript => Some(&SCRIPT),
            Language::Bash
            | Language::CSharp
            | Language::Css
            | Language::Html
            | Language::Kotlin
            | Language::Lua
            | Language::Php
            | Language::Python
            | Language::Ruby
            | Language::Scala
            | Language::Sql
            | Language::Swift => None,
        }
    }
}

/// What stands before a brace, since the last `;`, `{` or `}`.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    has_word: bool,
    has_list: bool,
    has_type: bool,
    has_control: bool,
    has_equals: bool,
    has_new: bool,
}

impl Head {
    fn see(&mut self, words: &Words, token: Token<'_>) {
        match token {
            Token::Word(word) => match word {
                b"if" | b"for" | b"while" | b"switch" | b"do" | b"else" | b"match" | b"loop" | b"select"
                | b"try" | b"catch" | b"finally" | b"synchronized" | b"with" | b"unsafe" => {
                    self.has_control |= word != b"unsafe";
                }
                b"struct" | b"class" | b"enum" | b"union" | b"namespace" | b"interface" | b"record"
                | b"extern" => {
                    self.has_type = true;
                }
                b"new" => self.has_new = true,
                b"function" => self.has_word |= words.body == Body::Script,
                word => {
                    if let Body::After(known) = words.body {
                        self.has_word |= word == known.as_bytes();
                    }
                }
            },
            Token::Byte(b')') => self.has_list = true,
            Token::Byte(b'=') => self.has_equals = true,
            Token::Byte(_) => {}
        }
    }

    /// Whether the brace that comes is the body of a function. `before` is what stands right before it.
    fn opens_body(self, words: &Words, before: [u8; 2], parens: u32) -> bool {
        let after_list = before[1] == b')';
        match words.body {
            Body::After(_) => parens == 0 && (self.has_word || words.values && self.has_equals),
            Body::AfterList => {
                let is_plain =
                    self.has_list && !self.has_equals && !self.has_control && !self.has_new && parens == 0;
                is_plain && (after_list || !self.has_type) || words.values && before[1] == b'=' && parens == 0
            }
            Body::Script => {
                let is_arrow = before == [b'=', b'>'];
                is_arrow || self.has_word && after_list || after_list && !self.has_control && !self.has_equals
            }
        }
    }
}

/// The text without bodies.
pub(super) fn skim(words: &Words, text: &[u8]) -> Skim {
    let mut skim = Skim { text: Vec::with_capacity(text.len() / 2), ..Skim::default() };
    let mut scanner = Scanner::new(text, words.marks);
    let mut head = Head::default();
    let mut parens = 0_u32;
    let mut outer: Vec<u32> = Vec::new();
    let (mut kept_from, mut rows_cut, mut vain) = (0, 0, 0_usize);
    while let Some(token) = scanner.next() {
        match token {
            Token::Byte(b'{') => {
                if head.opens_body(words, [scanner.last[0], scanner.last[1]], parens)
                    && vain <= MOST_VAIN * text.len()
                {
                    let open = scanner.at;
                    let first_row = scanner.row;
                    let mut body = scanner.clone();
                    let measured = measure(words, &mut body);
                    let close = body.at.saturating_sub(1);
                    match measured {
                        Some(measured) if LEAST < close - open => {
                            let rows = body.row - first_row;
                            skim.text.extend_from_slice(text.get(kept_from..open).unwrap_or_default());
                            if 0 < rows {
                                skim.text.push(b'\n');
                                rows_cut += rows - 1;
                            }
                            skim.push(body.row - rows_cut + 1, rows.saturating_sub(1), measured);
                            kept_from = close;
                            scanner = body;
                            head = Head::default();
                            continue;
                        }
                        _ => vain += body.at - open,
                    }
                }
                outer.push(parens);
                parens = 0;
                head = Head::default();
            }
            Token::Byte(b'}') => {
                parens = outer.pop().unwrap_or(0);
                head = Head::default();
            }
            Token::Byte(b';') if parens == 0 => head = Head::default(),
            Token::Byte(b'(' | b'[') => parens += 1,
            Token::Byte(byte @ (b')' | b']')) => {
                parens = parens.saturating_sub(1);
                if parens == 0 && byte == b')' {
                    head.see(words, token);
                }
            }
            Token::Word(_) | Token::Byte(_) => {
                if parens == 0 || matches!(token, Token::Word(b"function" | b"new")) {
                    head.see(words, token);
                }
            }
        }
    }
    skim.code_lines = scanner.code_rows;
    skim.text.extend_from_slice(text.get(kept_from..).unwrap_or_default());
    skim
}

/// Goes to the end of a body and counts; `None` if it must stay.
fn measure(words: &Words, scanner: &mut Scanner<'_>) -> Option<Measured> {
    let mut measured = Measured::default();
    // For each open brace, whether it belongs to a condition or loop.
    let mut open: Vec<bool> = vec![false];
    let mut depth = 0_u32;
    let mut is_control = false;
    let mut head = Head::default();
    let mut parens = 0_u32;
    while let Some(token) = scanner.next() {
        match token {
            Token::Word(word) => {
                let is = |list: &[&str]| list.iter().any(|known| known.as_bytes() == word);
                // Anything of interest is short and in lower case.
                if word.len() <= 11 && word.first().is_some_and(u8::is_ascii_lowercase) {
                    if is(words.keeps) {
                        return None;
                    }
                    let is_branch = is(words.branches);
                    if is_branch || is(words.nests) {
                        measured.branches += u32::from(is_branch);
                        measured.nesting = measured.nesting.max(depth + 1);
                        is_control = true;
                    } else if is(words.forks) {
                        measured.branches += 1;
                    } else if word == b"else" {
                        is_control = true;
                    }
                    head.see(words, token);
                }
            }
            Token::Byte(b'{') => {
                if head.has_type || head.has_new && scanner.last[1] == b')' {
                    return None;
                }
                open.push(is_control);
                depth += u32::from(is_control);
                is_control = false;
                head = Head::default();
            }
            Token::Byte(b'}') => {
                let is_flush = scanner.at == scanner.line_start + 1;
                if is_flush && 1 < open.len() {
                    return None;
                }
                depth -= u32::from(open.pop()?);
                if open.is_empty() {
                    return Some(measured);
                }
                is_control = false;
                head = Head::default();
            }
            Token::Byte(b';') if parens == 0 => {
                // In Go a statement may stand between `if` and its condition; there, a brace always follows.
                is_control &= words.body == Body::After("func");
                head = Head::default();
            }
            Token::Byte(b'(' | b'[') => parens += 1,
            Token::Byte(b')' | b']') => parens = parens.saturating_sub(1),
            Token::Byte(byte @ (b'&' | b'|')) if scanner.last[1] == byte => {
                // Without a value before it, `||` begins a closure and `&&` a reference.
                measured.branches += u32::from(is_value(scanner.last[0]));
                scanner.last = [b' '; 3];
            }
            Token::Byte(b'>') if words.arrows && scanner.last[1] == b'=' => measured.branches += 1,
            // `a ?? b` is one fork.
            Token::Byte(b'?') if words.questions => measured.branches += u32::from(scanner.last[1] != b'?'),
            Token::Byte(_) => {}
        }
    }
    None
}

/// Whether a byte can be the last one of a value.
fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b')' | b']' | b'}' | b'_' | b'"' | b'?' | 0x80..)
}
