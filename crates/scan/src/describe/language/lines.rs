//! Programming languages, by lines that could hardly be anything else.

use luminos_core::scan::Category::{Config, Data, Document, Source};
use memchr::memchr;

use super::Guess;
use super::Place::{Before, BeforeExecutable};

/// What says nothing for so long will say nothing later.
const ENOUGH: usize = 4 * 1024;

/// Looks at one line after the other for the first that gives its language away.
pub(super) fn guess(text: &[u8]) -> Option<Guess> {
    let mut rest = &text[..text.len().min(ENOUGH)];
    let mut hints = Hints::default();
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest[..end].trim_ascii_end();
        rest = rest.get(end + 1..).unwrap_or_default();
        if let Some(guess) = by_line(line, rest, &mut hints) {
            return Some(guess);
        }
    }
    hints.conclude()
}

/// Lines that prove nothing alone, but do together.
#[derive(Debug, Default)]
struct Hints {
    /// `import x` without a semicolon: Python, but also Haskell, Swift, Kotlin.
    import: bool,
    /// A line of nothing but three quotes.
    quotes: bool,
}

impl Hints {
    fn conclude(self) -> Option<Guess> {
        (self.import && self.quotes).then(|| Guess::new(Source, "Python script", BeforeExecutable))
    }
}

fn by_line(line: &[u8], rest: &[u8], hints: &mut Hints) -> Option<Guess> {
    let solid = line.trim_ascii_start();
    let indented = solid.len() < line.len();
    match solid.first()? {
        b'#' => preprocessor(solid),
        b'f' | b'i' | b'd' | b'c' if !indented => {
            python(line, hints).or_else(|| javascript(line)).or_else(|| c_family(line))
        }
        b'd' => python_method(solid),
        b'"' | b'\'' => {
            hints.quotes |= solid.starts_with(b"\"\"\"") || solid.starts_with(b"'''");
            javascript(line).or_else(|| python_docstring(line))
        }
        b'p' | b'u' | b'n' | b't' | b's' | b'v' | b'e' | b'l' if !indented => {
            perl_or_java(line).or_else(|| javascript(line)).or_else(|| c_family(line))
        }
        b'm' if line.starts_with(b"msgid ") => {
            Some(Guess::new(Data, "GNU gettext message catalogue", Before))
        }
        b'm' => javascript(line),
        b'-' if line.starts_with(b"--- ") && rest.starts_with(b"+++ ") => {
            Some(Guess::new(Data, "unified diff output", Before))
        }
        b'.' => assembler_or_troff(solid, indented),
        b'\\' if line.starts_with(b"\\documentclass") => {
            Some(Guess::new(Document, "LaTeX 2e document", Before))
        }
        b'(' if line.starts_with(b"(defun ") || line.starts_with(b"(defvar ") => {
            Some(Guess::new(Source, "Lisp/Scheme program", Before))
        }
        b'C' | b'L' | b'a' | b'V' if !indented => makefile(line),
        _ => None,
    }
}

fn preprocessor(line: &[u8]) -> Option<Guess> {
    let directive = line[1..].trim_ascii_start();
    let c = match directive.strip_prefix(b"include") {
        Some(header) => matches!(header.trim_ascii_start().first(), Some(b'<' | b'"')),
        None => {
            [&b"ifndef "[..], b"ifdef ", b"define ", b"pragma "]
                .iter()
                .any(|word| directive.starts_with(word))
                && line[1] != b' '
        }
    };
    c.then(|| Guess::new(Source, "C source", Before))
}

/// Whether nothing but a dotted name stands here.
fn is_dotted_name(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
}

fn python(line: &[u8], hints: &mut Hints) -> Option<Guess> {
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
    let sure = match words.next()? {
        b"from" => words.next().is_some_and(is_dotted_name) && words.next() == Some(b"import"),
        b"import" => {
            let plain = words.all(|word| is_dotted_name(word.strip_suffix(b",").unwrap_or(word)));
            hints.import |= plain && !line.ends_with(b";") && 7 < line.len();
            false
        }
        b"def" | b"class" => line.ends_with(b":") && memchr(b'{', line).is_none(),
        b"if" => line.starts_with(b"if __name__ == "),
        _ => false,
    };
    sure.then(|| Guess::new(Source, "Python script", BeforeExecutable))
}

fn python_method(line: &[u8]) -> Option<Guess> {
    let method = line.starts_with(b"def ") && line.ends_with(b":") && memchr(b'(', line).is_some();
    method.then(|| Guess::new(Source, "Python script", BeforeExecutable))
}

/// A module may be nothing but the text that describes it.
fn python_docstring(line: &[u8]) -> Option<Guess> {
    let alone = line.starts_with(b"\"\"\"") && (line.len() == 3 || line.ends_with(b"\"\"\""));
    alone.then(|| Guess::new(Source, "Python script", BeforeExecutable))
}

fn javascript(line: &[u8]) -> Option<Guess> {
    let begins = |word: &[u8]| line.starts_with(word);
    let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    let sure = begins(b"'use strict'")
        || begins(b"\"use strict\"")
        || begins(b"module.exports")
        || begins(b"export default ")
        || begins(b"export * from ")
        || begins(b"export const ")
        || begins(b"export function ")
        || begins(b"import ") && (has(b" from '") || has(b" from \""))
        || (begins(b"const ") || begins(b"var ") || begins(b"let ")) && has(b" = require(");
    sure.then(|| Guess::new(Source, "JavaScript source", Before))
}

fn perl_or_java(line: &[u8]) -> Option<Guess> {
    if let Some(name) = line.strip_prefix(b"package ") {
        let name = name.strip_suffix(b";")?.trim_ascii();
        let perl = memchr::memmem::find(name, b"::").is_some() || name.first()?.is_ascii_uppercase();
        return match name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'))
        {
            true if perl => Some(Guess::new(Source, "Perl5 module source", Before)),
            true => Some(Guess::new(Source, "Java source", Before)),
            false => None,
        };
    }
    if line.starts_with(b"use strict;") || line.starts_with(b"use warnings;") {
        return Some(Guess::new(Source, "Perl script", Before));
    }
    None
}

fn c_family(line: &[u8]) -> Option<Guess> {
    let begins = |word: &[u8]| line.starts_with(word);
    if begins(b"template <") || begins(b"template<") || begins(b"using namespace ") {
        return Some(Guess::new(Source, "C++ source", Before));
    }
    if begins(b"namespace ") && line.ends_with(b"{") {
        return Some(Guess::new(Source, "C++ source", Before));
    }
    let c = begins(b"typedef ") || begins(b"struct ") && line.ends_with(b"{") || begins(b"extern \"C\"");
    c.then(|| Guess::new(Source, "C source", Before))
}

fn assembler_or_troff(line: &[u8], indented: bool) -> Option<Guess> {
    let begins = |word: &[u8]| line.starts_with(word);
    let directive = [&b".globl"[..], b".text", b".section", b".asciz", b".ascii", b".file\t", b".byte"];
    if directive.iter().any(|word| begins(word)) {
        return Some(Guess::new(Source, "assembler source", Before));
    }
    if begins(b".PHONY") {
        return Some(Guess::new(Config, "makefile script", Before));
    }
    let page = begins(b".TH ") || begins(b".Dd ") || begins(b".SH ") || begins(b".so ") || begins(b".\\\"");
    (page && !indented).then(|| Guess::new(Document, "troff or preprocessor input", Before))
}

fn makefile(line: &[u8]) -> Option<Guess> {
    let variable = [&b"CFLAGS"[..], b"LDFLAGS", b"VPATH"].iter().any(|word| line.starts_with(word));
    let sure = variable && memchr(b'=', line).is_some() || line.starts_with(b"all:");
    sure.then(|| Guess::new(Config, "makefile script", Before))
}
