//! SQL: what is created.

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
        name.columns = columns.map(|column| one_line(&item.text_of(column), 80)).collect();
    }
    Some(name)
}
