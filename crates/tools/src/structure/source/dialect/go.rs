//! Go.

use super::super::engine::{Found, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::{Item, one_line, unquoted};
use super::super::{Import, Language, TypeKind};
use crate::structure::outline::Note;

pub(in super::super) const GO: Dialect = Dialect {
    language: Language::Go,
    grammar: || tree_sitter_go::LANGUAGE.into(),
    roles: &[
        ("parameter_list", Role::Aside),
        ("comment", Role::Comment),
        ("interpreted_string_literal", Role::Text),
        ("raw_string_literal", Role::Text),
        ("rune_literal", Role::Text),
        ("package_clause", Role::Special),
        ("import_spec", Role::Import),
        ("type_declaration", Role::Wrapper),
        ("type_spec", Role::Type(TypeKind::Alias)),
        ("type_alias", Role::Type(TypeKind::Alias)),
        ("function_declaration", Role::Function),
        ("method_declaration", Role::Function),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("expression_switch_statement", Role::Nest),
        ("type_switch_statement", Role::Nest),
        ("select_statement", Role::Nest),
        ("expression_case", Role::Fork),
        ("type_case", Role::Fork),
        ("communication_case", Role::Fork),
    ],
    export: Export::Capital,
    tests: Tests { prefixes: &["Test", "Benchmark", "Fuzz", "Example"], marks: &[] },
    name,
    import,
    special,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let mut name = Item::name_field(item)?;
    match item.node.kind() {
        "type_spec" => {
            name.kind = match item.node.child_by_field_name("type")?.kind() {
                "struct_type" => Some(TypeKind::Struct),
                "interface_type" => Some(TypeKind::Interface),
                _ => None,
            };
        }
        "method_declaration" => {
            let receiver = item.field_text("receiver").unwrap_or_default();
            let receiver = receiver.trim_matches(['(', ')']);
            let owner = receiver.split('[').next().unwrap_or_default();
            let owner = owner.rsplit([' ', '*']).next().unwrap_or_default();
            name.owner = Some(one_line(owner, 200));
        }
        _ => {}
    }
    Some(name)
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let path = item.field_text("path").unwrap_or_default();
    found.imports.push(Import {
        written: one_line(&item.text_of(item.node), 200),
        module: unquoted(&path).to_owned(),
        line: line(item.node.start_position().row),
    });
}

fn special(item: &Item<'_, '_>, found: &mut Found) {
    if let Some(name) = Item::child_of_kind(item.node, "package_identifier") {
        let line = line(item.node.start_position().row);
        found.package = Some(Note { text: one_line(&item.text_of(name), 200), line });
    }
}
