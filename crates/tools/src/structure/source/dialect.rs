//! The languages, one table each.

mod ecmascript;
mod go;
mod python;
mod rust;

use super::grammar::Dialect;
use super::language::Language;

/// How many languages there are.
pub(super) const COUNT: usize = 20;

/// All dialects.
#[cfg(test)]
pub(super) const ALL: &[&Dialect] = &[
    &ecmascript::JAVASCRIPT,
    &ecmascript::TSX,
    &ecmascript::TYPESCRIPT,
    &go::GO,
    &python::PYTHON,
    &rust::RUST,
];

/// The dialect of a language.
pub(super) fn of(language: Language) -> &'static Dialect {
    match language {
        Language::Go => &go::GO,
        Language::JavaScript => &ecmascript::JAVASCRIPT,
        Language::Python => &python::PYTHON,
        Language::Rust => &rust::RUST,
        Language::Tsx => &ecmascript::TSX,
        Language::TypeScript => &ecmascript::TYPESCRIPT,
        _ => &rust::RUST,
    }
}
