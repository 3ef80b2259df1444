//! A function's head in one line.

use tree_sitter::Node;

use super::grammar::{Grammar, Role};
use super::item::{one_line, tightened};

/// Longest signature, in characters.
const MOST: usize = 240;

/// The body of a function, where it has one.
pub(super) fn body<'t>(grammar: &Grammar, node: Node<'t>) -> Option<Node<'t>> {
    grammar.body_field(node).or_else(|| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| grammar.role(*child) == Role::Body)
    })
}

/// The list of parameters, where most grammars have it.
pub(super) fn parameters<'t>(grammar: &Grammar, node: Node<'t>) -> Option<Node<'t>> {
    grammar.parameters_field(node).or_else(|| node.child_by_field_name("parameter")).or_else(|| {
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.find(|child| child.kind().ends_with("parameters") && !child.kind().starts_with("type"))
    })
}

/// How many parameters a list has: `a, b int` are two.
pub(super) fn count(grammar: &Grammar, text: &[u8], list: Node<'_>) -> u32 {
    if !list.kind().contains("parameters") && !list.kind().contains("params") {
        return 1;
    }
    let mut cursor = list.walk();
    let mut total = 0_u32;
    for child in list.named_children(&mut cursor) {
        let is_void = text.get(child.byte_range()) == Some(b"void");
        if matches!(grammar.role(child), Role::Comment | Role::Attribute) || is_void {
            continue;
        }
        let mut names = child.walk();
        let names = child.children_by_field_name("name", &mut names).count();
        total = total.saturating_add(u32::try_from(names.max(1)).unwrap_or(u32::MAX));
    }
    total
}

/// All between the beginning of an item and its body: without decorators, comments and what strings say.
pub(super) fn of(
    grammar: &Grammar,
    text: &[u8],
    outer: Node<'_>,
    node: Node<'_>,
    body: Option<Node<'_>>,
) -> String {
    let end = body.map_or_else(|| end_without_body(grammar, node), |body| body.start_byte());
    head(grammar, text, outer, end)
}

/// What stands between the name of a type and its body: type parameters, and what it is derived from.
pub(super) fn derived(
    grammar: &Grammar,
    text: &[u8],
    node: Node<'_>,
    body: Option<Node<'_>>,
    name: &str,
) -> String {
    // An empty class of Ruby has no body.
    let end = body
        .map(|body| body.start_byte())
        .or_else(|| node.child_by_field_name("superclass").map(|base| base.end_byte()));
    let Some(end) = end else { return String::new() };
    let head = head(grammar, text, node, end);
    let is_part = |character: Option<char>| character.is_some_and(|it| it.is_alphanumeric() || it == '_');
    // The name may stand in the words before it, as `s` does in `class`.
    let after = head.match_indices(name).find_map(|(at, _)| {
        let (before, after) = (head.get(..at)?, head.get(at + name.len()..)?);
        (!is_part(before.chars().next_back()) && !is_part(after.chars().next())).then_some(after)
    });
    after.map(str::trim_end).unwrap_or_default().to_owned()
}

/// All between the beginning of an item and a place in it.
fn head(grammar: &Grammar, text: &[u8], outer: Node<'_>, end: usize) -> String {
    // Nobody reads further, and an argument list of a megabyte must not be copied for each function.
    let end = end.min(outer.start_byte() + 4 * MOST);
    let mut out = Vec::new();
    let mut at = outer.start_byte();
    let mut cursor = outer.walk();
    let mut depth = 0_usize;
    'walk: loop {
        let here = cursor.node();
        if end <= here.start_byte() {
            break;
        }
        let role = grammar.role(here);
        let replacement: Option<&[u8]> = if matches!(role, Role::Text | Role::Template) {
            Some("\"…\"".as_bytes())
        } else if matches!(role, Role::Comment | Role::Attribute) {
            Some(b" ")
        } else {
            None
        };
        if let Some(replacement) = replacement {
            out.extend_from_slice(text.get(at..here.start_byte().max(at)).unwrap_or_default());
            out.extend_from_slice(replacement);
            at = here.end_byte().max(at);
        } else if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if depth == 0 || !cursor.goto_parent() {
                break 'walk;
            }
            depth -= 1;
        }
        if depth == 0 {
            break;
        }
    }
    out.extend_from_slice(text.get(at..end.max(at)).unwrap_or_default());
    let line = tightened(&one_line(&String::from_utf8_lossy(&out), MOST));
    let line = line.trim_end_matches(['{', ';', ' ', ',']);
    let line = line.strip_suffix("=>").or_else(|| line.strip_suffix('=')).unwrap_or(line);
    line.strip_suffix(':').unwrap_or(line).trim_end().to_owned()
}

/// Where the head of a function ends whose body is empty or elsewhere.
fn end_without_body(grammar: &Grammar, node: Node<'_>) -> usize {
    if !grammar.dialect.always_has_body {
        return node.end_byte();
    }
    let last = parameters(grammar, node).or_else(|| node.child_by_field_name("name"));
    last.map_or(node.end_byte(), |node| node.end_byte())
}
