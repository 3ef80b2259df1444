//! Java.

use super::super::engine::{Found, line};
use super::super::grammar::{BASE, Dialect, Export, Role, Tests};
use super::super::item::{Item, one_line};
use super::super::{Import, Language, TypeKind};
use crate::structure::outline::Note;

pub(in super::super) const JAVA: Dialect = Dialect {
    language: Language::Java,
    grammar: || tree_sitter_java::LANGUAGE.into(),
    roles: &[
        ("formal_parameters", Role::Aside),
        ("line_comment", Role::Comment),
        ("block_comment", Role::Comment),
        ("annotation", Role::Attribute),
        ("marker_annotation", Role::Attribute),
        ("string_literal", Role::Text),
        ("character_literal", Role::Text),
        ("package_declaration", Role::Special),
        ("import_declaration", Role::Import),
        ("class_declaration", Role::Type(TypeKind::Class)),
        ("interface_declaration", Role::Type(TypeKind::Interface)),
        ("enum_declaration", Role::Type(TypeKind::Enum)),
        ("record_declaration", Role::Type(TypeKind::Record)),
        ("annotation_type_declaration", Role::Type(TypeKind::Annotation)),
        ("method_declaration", Role::Function),
        ("constructor_declaration", Role::Function),
        ("compact_constructor_declaration", Role::Function),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("enhanced_for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_statement", Role::Branch),
        ("switch_expression", Role::Nest),
        ("switch_label", Role::Fork),
        ("try_statement", Role::Nest),
        ("try_with_resources_statement", Role::Nest),
        ("catch_clause", Role::Fork),
        ("ternary_expression", Role::Fork),
    ],
    export: Export::With(&["public"]),
    tests: Tests { prefixes: &[], marks: &["@Test", "@ParameterizedTest", "@RepeatedTest"] },
    import,
    special: package,
    ..BASE
};

/// `import static a.b.C.*;` names `a.b.C`.
pub(super) fn import(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let named =
        written.trim_start_matches("import ").trim_start_matches("static ").trim_end_matches([';', ' ']);
    let module = named.split(" as ").next().unwrap_or(named).trim_end_matches(".*").to_owned();
    found.imports.push(Import { written, module, line: line(item.node.start_position().row) });
}

/// `package a.b;`
pub(super) fn package(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let text = written
        .trim_start_matches("package ")
        .trim_start_matches("namespace ")
        .trim_end_matches([';', ' ', '{'])
        .to_owned();
    found.package.get_or_insert(Note { text, line: line(item.node.start_position().row) });
}
