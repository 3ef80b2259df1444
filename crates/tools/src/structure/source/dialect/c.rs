//! C and C++.

use tree_sitter::Node;

use super::super::engine::{Found, last_line, line};
use super::super::grammar::{BASE, Dialect, Export, Name, Role, Tests};
use super::super::item::{Item, one_line, unquoted};
use super::super::{Import, Language, Test, TypeKind};
use crate::structure::outline::Lines;

pub(in super::super) const C: Dialect = Dialect {
    language: Language::C,
    grammar: || tree_sitter_c::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("string_literal", Role::Text),
        ("char_literal", Role::Text),
        ("attribute_declaration", Role::Attribute),
        ("preproc_include", Role::Import),
        ("struct_specifier", Role::Type(TypeKind::Struct)),
        ("union_specifier", Role::Type(TypeKind::Union)),
        ("enum_specifier", Role::Type(TypeKind::Enum)),
        ("type_definition", Role::Type(TypeKind::Alias)),
        ("preproc_function_def", Role::Type(TypeKind::Macro)),
        ("function_definition", Role::Function),
        ("declaration", Role::Function),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_statement", Role::Branch),
        ("switch_statement", Role::Nest),
        ("case_statement", Role::Fork),
        ("conditional_expression", Role::Fork),
        ("else_clause", Role::Else),
    ],
    export: Export::Without(&["static"]),
    types_need_body: true,
    name,
    import,
    ..BASE
};

pub(in super::super) const CPP: Dialect = Dialect {
    language: Language::Cpp,
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    roles: &[
        ("comment", Role::Comment),
        ("string_literal", Role::Text),
        ("raw_string_literal", Role::Text),
        ("char_literal", Role::Text),
        ("attribute_declaration", Role::Attribute),
        ("template_declaration", Role::Wrapper),
        ("preproc_include", Role::Import),
        ("namespace_definition", Role::Type(TypeKind::Namespace)),
        ("class_specifier", Role::Type(TypeKind::Class)),
        ("struct_specifier", Role::Type(TypeKind::Struct)),
        ("union_specifier", Role::Type(TypeKind::Union)),
        ("enum_specifier", Role::Type(TypeKind::Enum)),
        ("type_definition", Role::Type(TypeKind::Alias)),
        ("alias_declaration", Role::Type(TypeKind::Alias)),
        ("concept_definition", Role::Type(TypeKind::Alias)),
        ("preproc_function_def", Role::Type(TypeKind::Macro)),
        ("function_definition", Role::Function),
        ("declaration", Role::Function),
        ("field_declaration", Role::Function),
        ("expression_statement", Role::Special),
        ("if_statement", Role::Branch),
        ("for_statement", Role::Branch),
        ("for_range_loop", Role::Branch),
        ("while_statement", Role::Branch),
        ("do_statement", Role::Branch),
        ("switch_statement", Role::Nest),
        ("case_statement", Role::Fork),
        ("try_statement", Role::Nest),
        ("catch_clause", Role::Fork),
        ("conditional_expression", Role::Fork),
        ("else_clause", Role::Else),
    ],
    tests: Tests { prefixes: &[], marks: &["TEST", "SCENARIO"] },
    special,
    ..C
};

/// Macros of test frameworks that look like functions.
const TESTS: &[&str] =
    &["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TEST_CASE", "SCENARIO", "BOOST_AUTO_TEST_CASE"];

fn name<'t>(item: &Item<'_, 't>) -> Option<Name<'t>> {
    let node = item.node;
    match node.kind() {
        "function_definition" => declared(item, node.child_by_field_name("declarator")?),
        "declaration" | "field_declaration" => {
            // A prototype; what is declared inside a function is a variable.
            let declarator = node.child_by_field_name("declarator")?;
            let is_function = !item.is_inside_function && has_parameters(declarator);
            is_function.then(|| declared(item, declarator)).flatten()
        }
        "type_definition" => {
            // Of a structure with a body, the name is taken where the structure is met.
            let of = node.child_by_field_name("type")?;
            if of.child_by_field_name("body").is_some() || item.is_inside_function {
                return None;
            }
            declared(item, node.child_by_field_name("declarator")?)
        }
        "alias_declaration" | "concept_definition" if item.is_inside_function => None,
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            let definition = item.parent().filter(|parent| parent.kind() == "type_definition");
            let alias = definition.and_then(|parent| parent.child_by_field_name("declarator"));
            match (node.child_by_field_name("name"), alias) {
                (Some(name), _) => Some(item.name_at(name)),
                (None, Some(alias)) => declared(item, alias),
                (None, None) => None,
            }
        }
        "namespace_definition" => Item::name_field(item).or_else(|| {
            Some(Name { text: "(anonymous)".to_owned(), at: node.start_byte(), ..Name::default() })
        }),
        _ => Item::name_field(item),
    }
}

/// Whether a declarator is that of a function, not of a variable or of a pointer to a function.
fn has_parameters(declarator: Node<'_>) -> bool {
    let mut node = declarator;
    for _ in 0..16 {
        match node.kind() {
            "function_declarator" => {
                let inner = node.child_by_field_name("declarator");
                return inner.is_some_and(|inner| inner.kind() != "parenthesized_declarator");
            }
            "pointer_declarator" | "reference_declarator" | "attributed_declarator" => {
                let inner = node.child_by_field_name("declarator").or_else(|| node.named_child(0));
                match inner {
                    Some(inner) => node = inner,
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

/// The name inside `*const (*name[3])(…)`, and the parameters beside it.
fn declared<'t>(item: &Item<'_, 't>, declarator: Node<'t>) -> Option<Name<'t>> {
    let mut node = declarator;
    let mut parameters = None;
    // A declarator is nested as deep as somebody likes.
    for _ in 0..32 {
        if node.kind() == "function_declarator" {
            parameters = parameters.or_else(|| node.child_by_field_name("parameters"));
        }
        let is_name = matches!(
            node.kind(),
            "identifier"
                | "field_identifier"
                | "type_identifier"
                | "primitive_type"
                | "destructor_name"
                | "operator_name"
                | "operator_cast"
                | "qualified_identifier"
                | "template_function"
        );
        if is_name {
            break;
        }
        let last = u32::try_from(node.named_child_count()).unwrap_or(0).checked_sub(1);
        node = node.child_by_field_name("declarator").or_else(|| node.named_child(last?))?;
    }
    let mut name = item.name_at(node);
    name.parameters = parameters;
    if let Some((owner, rest)) = name.text.rsplit_once("::") {
        name.owner =
            Some(owner.split('<').next().unwrap_or(owner).to_owned()).filter(|owner| !owner.is_empty());
        name.text = rest.to_owned();
    }
    let is_test = TESTS.contains(&name.text.as_str());
    if let Some(parameters) = parameters.filter(|_| is_test) {
        name.text = one_line(&item.text_of(parameters), 120).trim_matches(['(', ')']).replace(", ", ".");
        name.at = parameters.start_byte();
    }
    let is_word = name.text.chars().any(|character| character.is_alphanumeric() || character == '_');
    is_word.then_some(name)
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let path = item.field_text("path").unwrap_or_default();
    found.imports.push(Import {
        written: one_line(&item.text_of(item.node), 200),
        module: unquoted(&path).to_owned(),
        line: line(item.node.start_position().row),
    });
}

/// `TEST_CASE("…") { … }` is a call with a block after it.
fn special(item: &Item<'_, '_>, found: &mut Found) {
    if item.is_inside_function {
        return;
    }
    let Some(call) = item.node.named_child(0).filter(|call| call.kind() == "call_expression") else { return };
    let called = call.child_by_field_name("function").map(|node| item.text_of(node)).unwrap_or_default();
    if TESTS.contains(&called.as_ref()) {
        let arguments =
            call.child_by_field_name("arguments").map(|node| item.text_of(node)).unwrap_or_default();
        let name = one_line(unquoted(arguments.trim_matches(['(', ')'])), 120);
        let lines = Lines { first: line(item.node.start_position().row), last: last_line(item.node) };
        found.tests.push(Test { name, lines });
    }
}
