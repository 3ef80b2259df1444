//! C#.

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::{Item, one_line};
use super::super::{EntryPoint, Import, Language, TypeKind};
use crate::structure::outline::{Lines, Note};

pub(in super::super) const CSHARP: Dialect = Dialect {
    language: Language::CSharp,
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("attribute_list", Role::Attribute),
        ("string_literal", Role::Text),
        ("verbatim_string_literal", Role::Text),
        ("raw_string_literal", Role::Text),
        ("character_literal", Role::Text),
        ("interpolated_string_expression", Role::Template),
        ("using_directive", Role::Import),
        ("namespace_declaration", Role::Type(TypeKind::Namespace)),
        ("file_scoped_namespace_declaration", Role::Special),
        ("global_statement", Role::Special),
        ("class_declaration", Role::Type(TypeKind::Class)),
        ("struct_declaration", Role::Type(TypeKind::Struct)),
        ("record_declaration", Role::Type(TypeKind::Record)),
        ("interface_declaration", Role::Type(TypeKind::Interface)),
        ("enum_declaration", Role::Type(TypeKind::Enum)),
        ("delegate_declaration", Role::Type(TypeKind::Alias)),
        ("method_declaration", Role::Function),
        ("constructor_declaration", Role::Function),
        ("destructor_declaration", Role::Function),
        ("operator_declaration", Role::Function),
        ("local_function_statement", Role::Function),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("foreach_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_statement", Role::Branch),
        ("switch_statement", Role::Nest),
        ("switch_section", Role::Fork),
        ("switch_expression_arm", Role::Fork),
        ("try_statement", Role::Nest),
        ("catch_clause", Role::Fork),
        ("conditional_expression", Role::Fork),
    ],
    forks: &["&&", "||", "??"],
    export: Export::With(&["public"]),
    tests: Tests { prefixes: &[], marks: &["[Test]", "[Fact", "[Theory", "[TestMethod", "[TestCase"] },
    mains: &["Main"],
    name,
    import,
    special,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    if item.node.kind() == "operator_declaration" {
        let operator = item.node.child_by_field_name("operator")?;
        return Some(Name { text: format!("operator {}", item.text_of(operator)), ..item.name_at(operator) });
    }
    Item::name_field(item)
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let named =
        written.trim_start_matches("global ").trim_start_matches("using ").trim_start_matches("static ");
    let named = named.rsplit('=').next().unwrap_or(named);
    let module = named.trim_end_matches(';').trim().to_owned();
    found.imports.push(Import { written, module, line: line(item.node.start_position().row) });
}

fn special(item: &Item<'_, '_>, found: &mut Found) {
    let at = line(item.node.start_position().row);
    if item.node.kind() == "file_scoped_namespace_declaration" {
        let text = one_line(&item.field_text("name").unwrap_or_default(), 200);
        found.package.get_or_insert(Note { text, line: at });
    } else if item.node.kind() == "global_statement" {
        let is_function =
            item.node.named_child(0).is_some_and(|node| node.kind() == "local_function_statement");
        let what = "top-level statements";
        match found.entry_points.iter_mut().find(|entry| entry.what == what) {
            Some(entry) => entry.lines.last = last_line(item.node),
            None if !is_function => {
                let lines = Lines { first: at, last: last_line(item.node) };
                found.entry_points.push(EntryPoint { what: what.to_owned(), lines });
            }
            None => {}
        }
    }
}
