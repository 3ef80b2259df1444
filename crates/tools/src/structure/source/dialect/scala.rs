//! Scala.

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::{Item, one_line};
use super::super::{EntryPoint, Import, Language, TypeKind};
use super::java::package;
use crate::structure::outline::Lines;

pub(in super::super) const SCALA: Dialect = Dialect {
    language: Language::Scala,
    grammar: || tree_sitter_scala::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("block_comment", Role::Comment),
        ("annotation", Role::Attribute),
        ("string", Role::Text),
        ("interpolated_string_expression", Role::Template),
        ("package_clause", Role::Special),
        ("extends_clause", Role::Special),
        ("import_declaration", Role::Import),
        ("class_definition", Role::Type(TypeKind::Class)),
        ("object_definition", Role::Type(TypeKind::Object)),
        ("package_object", Role::Type(TypeKind::Object)),
        ("trait_definition", Role::Type(TypeKind::Trait)),
        ("enum_definition", Role::Type(TypeKind::Enum)),
        ("type_definition", Role::Type(TypeKind::Alias)),
        ("function_definition", Role::Function),
        ("function_declaration", Role::Function),
        ("if_expression", Role::Branch),
        ("for_expression", Role::Branch),
        ("while_expression", Role::Branch),
        ("do_while_expression", Role::Branch),
        ("match_expression", Role::Nest),
        ("case_clause", Role::Fork),
        ("try_expression", Role::Nest),
    ],
    forks: &[],
    export: Export::Without(&["private", "protected"]),
    tests: Tests { prefixes: &[], marks: &["@Test"] },
    name,
    import,
    special,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    // What an instance chooses for an abstract type is a detail.
    if item.node.kind() == "type_definition" && item.is_inside_function {
        return None;
    }
    Item::name_field(item)
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let named = written.trim_start_matches("import ");
    let end =
        [".{", "._", ".*", " as "].iter().filter_map(|mark| named.find(mark)).min().unwrap_or(named.len());
    let module = named.get(..end).unwrap_or(named).to_owned();
    found.imports.push(Import { written, module, line: line(item.node.start_position().row) });
}

fn special(item: &Item<'_, '_>, found: &mut Found) {
    if item.node.kind() == "package_clause" {
        if item.node.child_by_field_name("body").is_none() {
            package(item, found);
        }
        return;
    }
    let extends_app = item
        .field_text("type")
        .is_some_and(|name| matches!(name.as_ref(), "App" | "IOApp" | "IOApp.Simple" | "ZIOAppDefault"));
    if let Some(object) = item.parent().filter(|parent| extends_app && parent.kind() == "object_definition") {
        let lines = Lines { first: line(object.start_position().row), last: last_line(object) };
        let name = object.child_by_field_name("name").map(|name| item.text_of(name)).unwrap_or_default();
        let what = one_line(&format!("object {name} {}", item.text_of(item.node)), 80);
        found.entry_points.push(EntryPoint { what, lines });
    }
}
