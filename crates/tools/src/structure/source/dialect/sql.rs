//! SQL: what is created.

use tree_sitter::Node;

use super::super::grammar::{BASE, Dialect, Name, Role};
use super::super::item::{Item, one_line};
use super::super::{Language, TypeKind};

pub(in super::super) const SQL: Dialect = Dialect {
    language: Language::Sql,
    grammar: || tree_sitter_sequel::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("marginalia", Role::Comment),
        ("literal", Role::Text),
        ("create_table", Role::Type(TypeKind::Table)),
        ("create_view", Role::Type(TypeKind::View)),
        ("create_materialized_view", Role::Type(TypeKind::View)),
        ("create_type", Role::Type(TypeKind::Alias)),
        ("create_function", Role::Function),
        ("create_trigger", Role::Function),
        ("function_body", Role::Body),
        ("statement", Role::Wrapper),
    ],
    forks: &[],
    mains: &[],
    name,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let reference = Item::child_of_kind(item.node, "object_reference")?;
    let mut name = item.name_at(reference);
    name.text = name.text.replace(['"', '`', '[', ']'], "");
    if let Some(columns) = Item::child_of_kind(item.node, "column_definitions") {
        let columns = Item::children_of_kind(columns, "column_definition").into_iter().take(200);
        name.columns = columns.map(|column| described(item, column)).collect();
    }
    Some(name)
}

/// Name and type of a column: what it defaults to is nobody's business.
fn described(item: &Item<'_, '_>, column: Node<'_>) -> String {
    let text = |field: &str| column.child_by_field_name(field).map(|node| one_line(&item.text_of(node), 60));
    let words = [text("name"), text("type").or_else(|| text("custom_type"))];
    words.into_iter().flatten().collect::<Vec<String>>().join(" ")
}
