//! Shell scripts.

use super::super::engine::{Found, line};
use super::super::grammar::{BASE, Dialect, Role};
use super::super::item::{Item, one_line, unquoted};
use super::super::{Import, Language};

pub(in super::super) const BASH: Dialect = Dialect {
    language: Language::Bash,
    grammar: || tree_sitter_bash::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("string", Role::Template),
        ("raw_string", Role::Text),
        ("ansi_c_string", Role::Text),
        ("heredoc_body", Role::Text),
        ("command", Role::Special),
        ("function_definition", Role::Function),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("c_style_for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("case_statement", Role::Nest),
        ("case_item", Role::Fork),
        ("elif_clause", Role::Fork),
    ],
    mains: &[],
    special,
    ..BASE
};

/// `source lib.sh`, `. ./env`.
fn special(item: &Item<'_, '_>, found: &mut Found) {
    let Some(called) = item.node.child_by_field_name("name") else { return };
    if !matches!(item.bytes_of(called), b"source" | b".") {
        return;
    }
    let Some(argument) = item.node.child_by_field_name("argument") else { return };
    found.imports.push(Import {
        written: one_line(&item.text_of(item.node), 200),
        module: one_line(unquoted(&item.text_of(argument)), 200),
        line: line(item.node.start_position().row),
    });
}
