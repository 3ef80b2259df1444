//! Swift.

use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::Item;
use super::super::{Language, TypeKind};
use super::java::import;

pub(in super::super) const SWIFT: Dialect = Dialect {
    language: Language::Swift,
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("multiline_comment", Role::Comment),
        ("attribute", Role::Attribute),
        ("line_string_literal", Role::Template),
        ("multi_line_string_literal", Role::Template),
        ("raw_string_literal", Role::Template),
        ("import_declaration", Role::Import),
        ("class_declaration", Role::Type(TypeKind::Class)),
        ("protocol_declaration", Role::Type(TypeKind::Protocol)),
        ("typealias_declaration", Role::Type(TypeKind::Alias)),
        ("function_declaration", Role::Function),
        ("protocol_function_declaration", Role::Function),
        ("init_declaration", Role::Function),
        ("if_statement", Role::Branch),
        ("guard_statement", Role::Fork),
        ("for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("repeat_while_statement", Role::Branch),
        ("switch_statement", Role::Nest),
        ("switch_entry", Role::Fork),
        ("do_statement", Role::Nest),
        ("catch_block", Role::Fork),
        ("ternary_expression", Role::Fork),
    ],
    forks: &["&&", "||", "??"],
    export: Export::Without(&["private", "fileprivate", "internal"]),
    tests: Tests { prefixes: &["test"], marks: &["@Test"] },
    name,
    import,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let mut name = Item::name_field(item).or_else(|| {
        let is_init = item.node.kind() == "init_declaration";
        is_init.then(|| Name { text: "init".to_owned(), at: item.node.start_byte(), ..Name::default() })
    })?;
    name.kind = match item.field_text("declaration_kind").as_deref() {
        Some("struct") => Some(TypeKind::Struct),
        Some("enum") => Some(TypeKind::Enum),
        Some("extension") => Some(TypeKind::Extension),
        _ => None,
    };
    Some(name)
}
