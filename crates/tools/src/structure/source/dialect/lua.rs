//! Lua.

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role};
use super::super::item::{Item, one_line, unquoted};
use super::super::{Import, Language, Test};
use crate::structure::outline::Lines;

pub(in super::super) const LUA: Dialect = Dialect {
    language: Language::Lua,
    grammar: || tree_sitter_lua::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("string", Role::Text),
        ("variable_declaration", Role::Wrapper),
        ("assignment_statement", Role::Wrapper),
        ("expression_list", Role::Wrapper),
        ("function_declaration", Role::Function),
        ("function_definition", Role::Lambda),
        ("function_call", Role::Special),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("repeat_statement", Role::Branch),
        ("elseif_statement", Role::Fork),
    ],
    forks: &["and", "or"],
    export: Export::Without(&["local"]),
    mains: &[],
    always_has_body: true,
    name,
    special,
    ..BASE
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let node = match item.node.kind() {
        "function_declaration" => item.node.child_by_field_name("name")?,
        _ => {
            let assignment = item.path.iter().rev().nth(1).map(|step| step.node);
            let assignment = assignment.filter(|node| node.kind() == "assignment_statement")?;
            Item::child_of_kind(assignment, "variable_list")?.named_child(0)?
        }
    };
    let mut name = item.name_at(node);
    if let Some((owner, rest)) = name.text.rsplit_once(['.', ':']) {
        name.owner = Some(owner.to_owned());
        name.text = rest.to_owned();
    }
    Some(name)
}

/// `require "x"`, `it("does this", …)`.
fn special(item: &Item<'_, '_>, found: &mut Found) {
    let Some(called) = item.node.child_by_field_name("name") else { return };
    let is_test = matches!(item.bytes_of(called), b"it" | b"pending");
    if !is_test && item.bytes_of(called) != b"require" {
        return;
    }
    let arguments = item.node.child_by_field_name("arguments");
    let Some(text) = arguments.and_then(|list| list.named_child(0)).filter(|node| node.kind() == "string")
    else {
        return;
    };
    let text = item.text_of(text);
    let text = unquoted(text.trim_matches(['[', ']']));
    if is_test {
        let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
        found.tests.push(Test { name: one_line(text, 120), lines });
    } else {
        let written = one_line(&item.text_of(item.node), 200);
        found.imports.push(Import {
            written,
            module: text.to_owned(),
            line: line(item.node.start_position().row),
        });
    }
}
