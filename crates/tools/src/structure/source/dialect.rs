//! The languages, one table each.

mod bash;
mod c;
mod csharp;
mod ecmascript;
mod go;
mod java;
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod sql;
mod swift;
mod web;

use super::grammar::Dialect;
use super::language::Language;

/// How many languages there are.
pub(super) const COUNT: usize = 20;

/// All dialects, in the order of `Language`.
pub(super) static ALL: [&Dialect; COUNT] = [
    &bash::BASH,
    &c::C,
    &csharp::CSHARP,
    &c::CPP,
    &web::CSS,
    &go::GO,
    &web::HTML,
    &java::JAVA,
    &ecmascript::JAVASCRIPT,
    &kotlin::KOTLIN,
    &lua::LUA,
    &php::PHP,
    &python::PYTHON,
    &ruby::RUBY,
    &rust::RUST,
    &scala::SCALA,
    &sql::SQL,
    &swift::SWIFT,
    &ecmascript::TSX,
    &ecmascript::TYPESCRIPT,
];

/// The dialect of a language.
pub(super) fn of(language: Language) -> &'static Dialect {
    ALL[language as usize]
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn dialects_stand_in_the_order_of_languages() {
        for (index, dialect) in ALL.iter().enumerate() {
            assert_eq!(dialect.language as usize, index, "{:?}", dialect.language);
        }
    }
}
