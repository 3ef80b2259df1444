//! Rust.

use super::super::engine::{Found, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::{Item, one_line};
use super::super::{Import, Language, TypeKind};

pub(in super::super) const RUST: Dialect = Dialect {
    language: Language::Rust,
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    roles: &[
        ("parameters", Role::Aside),
        ("line_comment", Role::Comment),
        ("block_comment", Role::Comment),
        ("attribute_item", Role::Attribute),
        ("string_literal", Role::Text),
        ("raw_string_literal", Role::Text),
        ("char_literal", Role::Text),
        ("use_declaration", Role::Import),
        ("extern_crate_declaration", Role::Import),
        ("mod_item", Role::Type(TypeKind::Module)),
        ("struct_item", Role::Type(TypeKind::Struct)),
        ("enum_item", Role::Type(TypeKind::Enum)),
        ("union_item", Role::Type(TypeKind::Union)),
        ("trait_item", Role::Type(TypeKind::Trait)),
        ("type_item", Role::Type(TypeKind::Alias)),
        ("macro_definition", Role::Type(TypeKind::Macro)),
        ("impl_item", Role::Scope),
        ("function_item", Role::Function),
        ("function_signature_item", Role::Function),
        ("if_expression", Role::Branch),
        ("while_expression", Role::Branch),
        ("for_expression", Role::Branch),
        ("loop_expression", Role::Nest),
        ("match_expression", Role::Nest),
        ("match_arm", Role::Fork),
        ("else_clause", Role::Else),
    ],
    export: Export::With(&["pub"]),
    tests: Tests { prefixes: &[], marks: &["#[test]", "::test]", "::test(", "#[rstest", "#[test_case"] },
    doc_marks: &["///", "/**"],
    file_doc_marks: &["//!", "/*!"],
    name,
    import,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    match item.node.kind() {
        "impl_item" => {
            let bare = |text: &str| one_line(text.split('<').next().unwrap_or(text), 200);
            let name = item.node.child_by_field_name("type")?;
            let of_trait = item.field_text("trait").map(|text| bare(&text));
            Some(Name { text: bare(&item.text_of(name)), of_trait, at: name.start_byte(), ..Name::default() })
        }
        // The type that an implementation chooses for its trait is no type of its own.
        "type_item" if item.path.iter().rev().nth(1).is_some_and(|step| step.role == Role::Scope) => None,
        _ => Item::name_field(item),
    }
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let named = item.field_text("argument").or_else(|| item.field_text("name"));
    let named = one_line(&named.unwrap_or_default(), 200);
    let end = ["::{", "::*", " as ", "{"].iter().filter_map(|mark| named.find(mark)).min();
    let module = named.get(..end.unwrap_or(named.len())).unwrap_or_default().to_owned();
    found.imports.push(Import { written, module, line: line(item.node.start_position().row) });
}
