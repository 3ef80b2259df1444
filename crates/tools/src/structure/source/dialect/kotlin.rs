//! Kotlin.

use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::Item;
use super::super::{Language, TypeKind};
use super::java::{import, package};

pub(in super::super) const KOTLIN: Dialect = Dialect {
    language: Language::Kotlin,
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    roles: &[
        ("line_comment", Role::Comment),
        ("block_comment", Role::Comment),
        ("annotation", Role::Attribute),
        ("string_literal", Role::Template),
        ("multiline_string_literal", Role::Template),
        ("package_header", Role::Special),
        ("import", Role::Import),
        ("class_declaration", Role::Type(TypeKind::Class)),
        ("object_declaration", Role::Type(TypeKind::Object)),
        ("companion_object", Role::Scope),
        ("function_declaration", Role::Function),
        ("function_body", Role::Body),
        ("if_expression", Role::Branch),
        ("for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_while_statement", Role::Branch),
        ("when_expression", Role::Nest),
        ("when_entry", Role::Fork),
        ("try_expression", Role::Nest),
        ("catch_block", Role::Fork),
    ],
    forks: &["&&", "||", "?:"],
    export: Export::Without(&["private", "internal", "protected"]),
    tests: Tests { prefixes: &[], marks: &["@Test", "@ParameterizedTest"] },
    name,
    import,
    special: package,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    if item.node.kind() == "companion_object" {
        let around = item.path.iter().rev().find(|step| matches!(step.role, Role::Type(_)))?;
        return Some(item.name_at(around.node.child_by_field_name("name")?));
    }
    let mut name = Item::name_field(item)?;
    let before = item.text.get(item.node.start_byte()..name.at).unwrap_or_default();
    let mut words = before.split(u8::is_ascii_whitespace);
    name.kind = words.find_map(|word| match word {
        b"interface" => Some(TypeKind::Interface),
        b"enum" => Some(TypeKind::Enum),
        b"annotation" => Some(TypeKind::Annotation),
        _ => None,
    });
    Some(name)
}
