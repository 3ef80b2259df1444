//! JavaScript and TypeScript.

use tree_sitter::Node;

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role};
use super::super::item::{Item, one_line, unquoted};
use super::super::{EntryPoint, Import, Language, Test, TypeKind};
use crate::structure::outline::Lines;

pub(in super::super) const JAVASCRIPT: Dialect = Dialect {
    language: Language::JavaScript,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("html_comment", Role::Comment),
        ("decorator", Role::Attribute),
        ("string", Role::Text),
        ("regex", Role::Text),
        ("template_string", Role::Template),
        ("import_statement", Role::Import),
        ("export_statement", Role::Wrapper),
        ("lexical_declaration", Role::Wrapper),
        ("variable_declaration", Role::Wrapper),
        ("variable_declarator", Role::Wrapper),
        ("expression_statement", Role::Wrapper),
        ("assignment_expression", Role::Wrapper),
        ("pair", Role::Wrapper),
        ("field_definition", Role::Wrapper),
        ("class_declaration", Role::Type(TypeKind::Class)),
        ("class", Role::Type(TypeKind::Class)),
        ("function_declaration", Role::Function),
        ("generator_function_declaration", Role::Function),
        ("method_definition", Role::Function),
        ("arrow_function", Role::Lambda),
        ("function_expression", Role::Lambda),
        ("generator_function", Role::Lambda),
        ("call_expression", Role::Special),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("for_in_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_statement", Role::Branch),
        ("switch_statement", Role::Nest),
        ("switch_case", Role::Fork),
        ("try_statement", Role::Nest),
        ("catch_clause", Role::Fork),
        ("ternary_expression", Role::Fork),
        ("else_clause", Role::Else),
    ],
    forks: &["&&", "||", "??"],
    export: Export::With(&["export"]),
    mains: &[],
    name,
    import,
    special,
    ..BASE
};

const TYPESCRIPT_ROLES: &[(&str, Role)] = &[
    ("comment", Role::Comment),
    ("html_comment", Role::Comment),
    ("decorator", Role::Attribute),
    ("string", Role::Text),
    ("regex", Role::Text),
    ("template_string", Role::Template),
    ("import_statement", Role::Import),
    ("export_statement", Role::Wrapper),
    ("ambient_declaration", Role::Wrapper),
    ("lexical_declaration", Role::Wrapper),
    ("variable_declaration", Role::Wrapper),
    ("variable_declarator", Role::Wrapper),
    ("expression_statement", Role::Wrapper),
    ("assignment_expression", Role::Wrapper),
    ("pair", Role::Wrapper),
    ("public_field_definition", Role::Wrapper),
    ("class_declaration", Role::Type(TypeKind::Class)),
    ("abstract_class_declaration", Role::Type(TypeKind::Class)),
    ("class", Role::Type(TypeKind::Class)),
    ("interface_declaration", Role::Type(TypeKind::Interface)),
    ("type_alias_declaration", Role::Type(TypeKind::Alias)),
    ("enum_declaration", Role::Type(TypeKind::Enum)),
    ("internal_module", Role::Type(TypeKind::Namespace)),
    ("module", Role::Type(TypeKind::Module)),
    ("function_declaration", Role::Function),
    ("generator_function_declaration", Role::Function),
    ("function_signature", Role::Function),
    ("abstract_method_signature", Role::Function),
    ("method_definition", Role::Function),
    ("arrow_function", Role::Lambda),
    ("function_expression", Role::Lambda),
    ("generator_function", Role::Lambda),
    ("call_expression", Role::Special),
    ("if_statement", Role::Branch),
    ("for_statement", Role::Branch),
    ("for_in_statement", Role::Branch),
    ("while_statement", Role::Branch),
    ("do_statement", Role::Branch),
    ("switch_statement", Role::Nest),
    ("switch_case", Role::Fork),
    ("try_statement", Role::Nest),
    ("catch_clause", Role::Fork),
    ("ternary_expression", Role::Fork),
    ("else_clause", Role::Else),
];

pub(in super::super) const TYPESCRIPT: Dialect = Dialect {
    language: Language::TypeScript,
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    roles: TYPESCRIPT_ROLES,
    ..JAVASCRIPT
};

pub(in super::super) const TSX: Dialect = Dialect {
    language: Language::Tsx,
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    roles: TYPESCRIPT_ROLES,
    ..JAVASCRIPT
};

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let node = item.node;
    if node.kind() == "method_definition" {
        let mut name = Item::name_field(item)?;
        name.exported = !name.text.starts_with('#') && !name.text.starts_with('_');
        // A method of an object inside a function is a detail of that function.
        let is_in_class = item.parent().is_some_and(|parent| parent.kind() == "class_body");
        return (is_in_class || !item.is_inside_function).then_some(name);
    }
    let is_bound =
        matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function" | "class");
    let bound = if is_bound { bound_name(item) } else { None };
    let mut name = bound.or_else(|| Item::name_field(item)).or_else(|| default_export(item))?;
    name.text = unquoted(&name.text).to_owned();
    Some(name)
}

/// The name of what a function or class is assigned to.
fn bound_name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let parent = item.parent()?;
    match parent.kind() {
        "variable_declarator" => Some(item.name_at(parent.child_by_field_name("name")?)),
        "pair" => Some(item.name_at(parent.child_by_field_name("key")?)),
        "field_definition" => Some(item.name_at(parent.child_by_field_name("property")?)),
        "public_field_definition" => Some(item.name_at(parent.child_by_field_name("name")?)),
        "assignment_expression" => {
            let mut name = item.name_at(parent.child_by_field_name("left")?);
            if let Some(rest) =
                name.text.strip_prefix("module.exports.").or_else(|| name.text.strip_prefix("exports."))
            {
                name.exported = true;
                name.text = rest.to_owned();
            } else if name.text == "module.exports" {
                name.exported = true;
            } else if let Some((owner, rest)) = name.text.split_once(".prototype.") {
                name.owner = Some(owner.to_owned());
                name.text = rest.to_owned();
            } else if let Some((owner, rest)) = name.text.rsplit_once('.') {
                name.owner = Some(owner.to_owned());
                name.text = rest.to_owned();
            }
            Some(name)
        }
        _ => None,
    }
}

/// `export default function () {}` has no other name.
fn default_export<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let parent = item.parent().filter(|parent| parent.kind() == "export_statement")?;
    Some(Name {
        text: "default".to_owned(),
        at: item.node.start_byte().max(parent.start_byte()),
        ..Name::default()
    })
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let source = item.node.child_by_field_name("source").or_else(|| {
        let clause = Item::child_of_kind(item.node, "import_require_clause")?;
        clause.child_by_field_name("source")
    });
    if let Some(source) = source {
        push_import(item, item.node, source, found);
    }
}

fn push_import(item: &Item<'_, '_>, statement: Node<'_>, source: Node<'_>, found: &mut Found) {
    found.imports.push(Import {
        written: one_line(&item.text_of(statement), 200),
        module: unquoted(&item.text_of(source)).to_owned(),
        line: line(statement.start_position().row),
    });
}

fn special(item: &Item<'_, '_>, found: &mut Found) {
    match item.node.kind() {
        "call_expression" => call(item, found),
        "export_statement" => export(item, found),
        "assignment_expression" => assignment(item, found),
        "if_statement" if item.path.len() == 1 => {
            let condition = item.field_text("condition").unwrap_or_default();
            if condition.contains("require.main") || condition.contains("import.meta.main") {
                let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
                found
                    .entry_points
                    .push(EntryPoint { what: format!("if {}", one_line(&condition, 60)), lines });
            }
        }
        _ => {}
    }
}

/// `export { a, b as c }`, and `export … from "module"`.
fn export(item: &Item<'_, '_>, found: &mut Found) {
    if let Some(source) = item.node.child_by_field_name("source") {
        push_import(item, item.node, source, found);
        return;
    }
    if let Some(clause) = Item::child_of_kind(item.node, "export_clause") {
        for specifier in Item::children_of_kind(clause, "export_specifier").into_iter().take(1_000) {
            if let Some(name) = specifier.child_by_field_name("name") {
                found.exported.push(item.text_of(name).into_owned());
            }
        }
    }
    if let Some(value) = item.node.child_by_field_name("value").filter(|value| value.kind() == "identifier") {
        found.exported.push(item.text_of(value).into_owned());
    }
}

/// `module.exports = { a, b }`, `exports.a = a`.
fn assignment(item: &Item<'_, '_>, found: &mut Found) {
    let Some(left) = item.node.child_by_field_name("left") else { return };
    if !item.bytes_of(left).starts_with(b"module.exports") && !item.bytes_of(left).starts_with(b"exports.") {
        return;
    }
    let Some(right) = item.node.child_by_field_name("right") else { return };
    match right.kind() {
        "identifier" => found.exported.push(item.text_of(right).into_owned()),
        "object" => {
            let mut cursor = right.walk();
            for entry in right.named_children(&mut cursor).take(1_000) {
                let name = entry.child_by_field_name("value").unwrap_or(entry);
                if matches!(name.kind(), "identifier" | "shorthand_property_identifier") {
                    found.exported.push(item.text_of(name).into_owned());
                }
            }
        }
        _ => {}
    }
}

/// `require("x")`, `import("x")`, `it("does this", …)`.
fn call(item: &Item<'_, '_>, found: &mut Found) {
    let Some(function) = item.node.child(0) else { return };
    if 12 < function.end_byte() - function.start_byte() {
        return;
    }
    let called = item.bytes_of(function);
    let is_test = matches!(
        called,
        b"it" | b"test" | b"it.only" | b"it.skip" | b"test.only" | b"test.skip" | b"Deno.test"
    );
    if !is_test && !matches!(called, b"require" | b"import") {
        return;
    }
    let argument = item.node.child_by_field_name("arguments").and_then(|list| list.named_child(0));
    let Some(argument) = argument.filter(|node| matches!(node.kind(), "string" | "template_string")) else {
        return;
    };
    if is_test {
        let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
        found.tests.push(Test { name: one_line(unquoted(&item.text_of(argument)), 120), lines });
    } else {
        push_import(item, item.outer().0, argument, found);
        // `var send = require('send')(options)` is told from the name to the end of the call.
        if let (Some(import), Some(declaration)) = (found.imports.last_mut(), declaration(item)) {
            let written = item.text.get(declaration.start_byte()..item.node.end_byte()).unwrap_or_default();
            import.written = one_line(&String::from_utf8_lossy(written), 200);
        }
    }
}

/// The declaration that a call is the beginning of, if it begins in the same line.
fn declaration<'t>(item: &Item<'_, 't>) -> Option<Node<'t>> {
    let around = item.path.iter().rev().take(6).map(|step| step.node);
    let mut declarations =
        around.filter(|node| matches!(node.kind(), "lexical_declaration" | "variable_declaration"));
    declarations.next().filter(|node| node.start_position().row == item.node.start_position().row)
}
