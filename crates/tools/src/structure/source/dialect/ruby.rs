//! Ruby.

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::{Item, one_line, unquoted};
use super::super::{EntryPoint, Import, Language, Test, TypeKind};
use crate::structure::outline::Lines;

pub(in super::super) const RUBY: Dialect = Dialect {
    language: Language::Ruby,
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("string", Role::Text),
        ("heredoc_body", Role::Text),
        ("regex", Role::Text),
        ("class", Role::Type(TypeKind::Class)),
        ("module", Role::Type(TypeKind::Module)),
        ("singleton_class", Role::Scope),
        ("method", Role::Function),
        ("singleton_method", Role::Function),
        ("call", Role::Special),
        ("identifier", Role::Special),
        ("if", Role::Branch),
        ("unless", Role::Branch),
        ("while", Role::Branch),
        ("until", Role::Branch),
        ("for", Role::Branch),
        ("case", Role::Nest),
        ("case_match", Role::Nest),
        ("elsif", Role::Fork),
        ("when", Role::Fork),
        ("in_clause", Role::Fork),
        ("rescue", Role::Fork),
        ("if_modifier", Role::Fork),
        ("unless_modifier", Role::Fork),
        ("conditional", Role::Fork),
    ],
    forks: &["&&", "||", "and", "or"],
    export: Export::Without(&["private", "protected", "private_class_method"]),
    tests: Tests { prefixes: &["test_"], marks: &[] },
    mains: &[],
    always_has_body: true,
    name,
    special,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    if item.node.kind() == "singleton_class" {
        let around = item.path.iter().rev().find(|step| matches!(step.role, Role::Type(_)))?;
        return Some(item.name_at(around.node.child_by_field_name("name")?));
    }
    let mut name = Item::name_field(item)?;
    if item.node.kind() == "singleton_method" {
        name.text.insert_str(0, "self.");
    }
    Some(name)
}

/// A bare `private` hides all methods after it, up to a bare `public` or the end of the body.
fn visibility(item: &Item<'_, '_>, found: &mut Found) {
    let Some(body) = item.parent().filter(|parent| parent.kind() == "body_statement") else { return };
    let at = line(item.node.start_position().row);
    match item.bytes_of(item.node) {
        b"private" | b"protected" => found.hidden.push(Lines { first: at, last: last_line(body) }),
        b"public" => {
            if let Some(hidden) = found.hidden.last_mut().filter(|hidden| hidden.last == last_line(body)) {
                hidden.last = at;
            }
        }
        _ => {}
    }
}

fn special(item: &Item<'_, '_>, found: &mut Found) {
    if item.node.kind() == "identifier" {
        return visibility(item, found);
    }
    if item.node.kind() == "if" {
        let condition = item.field_text("condition").unwrap_or_default();
        if condition.contains("__FILE__") {
            let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
            found.entry_points.push(EntryPoint { what: format!("if {}", one_line(&condition, 60)), lines });
        }
        return;
    }
    if item.is_inside_function || item.node.child_by_field_name("receiver").is_some() {
        return;
    }
    let Some(method) = item.node.child_by_field_name("method") else { return };
    let called = item.text_of(method);
    let is_test = matches!(called.as_ref(), "it" | "specify" | "test" | "scenario");
    if !is_test && !matches!(called.as_ref(), "require" | "require_relative" | "load" | "autoload") {
        return;
    }
    let arguments = item.node.child_by_field_name("arguments");
    let Some(argument) = arguments.and_then(|list| Item::child_of_kind(list, "string")) else { return };
    let text = item.text_of(argument);
    if is_test {
        let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
        found.tests.push(Test { name: one_line(unquoted(&text), 120), lines });
    } else {
        found.imports.push(Import {
            written: one_line(&item.text_of(item.node), 200),
            module: unquoted(&text).to_owned(),
            line: line(item.node.start_position().row),
        });
    }
}
