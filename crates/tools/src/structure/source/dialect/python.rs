//! Python.

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Role, Tests};
use super::super::item::{Item, one_line, unquoted};
use super::super::{EntryPoint, Import, Language, TypeKind};
use crate::structure::outline::Lines;

pub(in super::super) const PYTHON: Dialect = Dialect {
    language: Language::Python,
    grammar: || tree_sitter_python::LANGUAGE.into(),
    roles: &[
        ("parameters", Role::Aside),
        ("comment", Role::Comment),
        ("decorator", Role::Attribute),
        ("decorated_definition", Role::Wrapper),
        ("string", Role::Text),
        ("import_statement", Role::Import),
        ("import_from_statement", Role::Import),
        ("future_import_statement", Role::Import),
        ("class_definition", Role::Type(TypeKind::Class)),
        ("function_definition", Role::Function),
        ("assignment", Role::Special),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("try_statement", Role::Nest),
        ("with_statement", Role::Nest),
        ("match_statement", Role::Nest),
        ("elif_clause", Role::Fork),
        ("except_clause", Role::Fork),
        ("case_clause", Role::Fork),
        ("conditional_expression", Role::Fork),
        ("for_in_clause", Role::Fork),
        ("if_clause", Role::Fork),
    ],
    forks: &["and", "or"],
    export: Export::NoUnderscore,
    tests: Tests { prefixes: &["test_"], marks: &[] },
    mains: &[],
    has_docstrings: true,
    import,
    special,
    ..BASE
};

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let node = item.node;
    let written = one_line(&item.text_of(node), 200);
    let line = line(node.start_position().row);
    if let Some(module) = item.field_text("module_name") {
        found.imports.push(Import { written, module: one_line(&module, 200), line });
        return;
    }
    if node.kind() == "future_import_statement" {
        found.imports.push(Import { written, module: "__future__".to_owned(), line });
        return;
    }
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor) {
        let name = name.child_by_field_name("name").unwrap_or(name);
        let module = one_line(&item.text_of(name), 200);
        found.imports.push(Import { written: written.clone(), module, line });
    }
}

fn special(item: &Item<'_, '_>, found: &mut Found) {
    match item.node.kind() {
        "if_statement" if item.path.len() == 1 => {
            let condition = item.field_text("condition").unwrap_or_default();
            if condition.contains("__name__") && condition.contains("__main__") {
                let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
                found.entry_points.push(EntryPoint { what: "if __name__ == \"__main__\"".to_owned(), lines });
            }
        }
        "assignment" if item.path.len() == 2 && item.field_text("left").as_deref() == Some("__all__") => {
            let Some(list) = item.node.child_by_field_name("right") else { return };
            for name in Item::children_of_kind(list, "string").into_iter().take(1_000) {
                found.exported.push(unquoted(&item.text_of(name)).to_owned());
            }
        }
        _ => {}
    }
}
