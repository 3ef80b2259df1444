//! PHP.

use super::super::engine::{Found, line};
use super::super::grammar::{BASE, Dialect, Export, Role, Tests};
use super::super::item::{Item, one_line, unquoted};
use super::super::{Import, Language, TypeKind};
use super::java::package;

pub(in super::super) const PHP: Dialect = Dialect {
    language: Language::Php,
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    roles: &[
        ("comment", Role::Comment),
        ("attribute_list", Role::Attribute),
        ("string", Role::Text),
        ("encapsed_string", Role::Text),
        ("heredoc", Role::Text),
        ("nowdoc", Role::Text),
        ("namespace_definition", Role::Special),
        ("namespace_use_declaration", Role::Import),
        ("include_expression", Role::Import),
        ("include_once_expression", Role::Import),
        ("require_expression", Role::Import),
        ("require_once_expression", Role::Import),
        ("class_declaration", Role::Type(TypeKind::Class)),
        ("interface_declaration", Role::Type(TypeKind::Interface)),
        ("trait_declaration", Role::Type(TypeKind::Trait)),
        ("enum_declaration", Role::Type(TypeKind::Enum)),
        ("function_definition", Role::Function),
        ("method_declaration", Role::Function),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("foreach_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_statement", Role::Branch),
        ("switch_statement", Role::Nest),
        ("match_expression", Role::Nest),
        ("case_statement", Role::Fork),
        ("match_conditional_expression", Role::Fork),
        ("else_if_clause", Role::Fork),
        ("try_statement", Role::Nest),
        ("catch_clause", Role::Fork),
        ("conditional_expression", Role::Fork),
        ("else_clause", Role::Else),
    ],
    forks: &["&&", "||", "??"],
    export: Export::Without(&["private", "protected"]),
    tests: Tests { prefixes: &["test"], marks: &["@test", "#[Test"] },
    mains: &[],
    import,
    special: package,
    ..BASE
};

/// `use A\B\{C, D};` names `A\B`, `require __DIR__ . '/x.php'` names `/x.php`.
fn import(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let line = line(item.node.start_position().row);
    if item.node.kind() != "namespace_use_declaration" {
        let at = written.find(['"', '\'']);
        let module = at.and_then(|at| written.get(at..)).map(unquoted).unwrap_or_default();
        let module = module.trim_matches([')', ';', '"', '\'']).to_owned();
        found.imports.push(Import { written, module, line });
        return;
    }
    let named = written.trim_start_matches("use ").trim_end_matches([';', ' ']);
    let named = named.trim_start_matches("function ").trim_start_matches("const ");
    let names = if named.contains('{') {
        vec![named.split('{').next().unwrap_or(named)]
    } else {
        named.split(',').collect()
    };
    for name in names {
        let module = name.trim().split(" as ").next().unwrap_or(name).trim().trim_matches('\\').to_owned();
        found.imports.push(Import { written: written.clone(), module, line });
    }
}
