//! A node on its way through the tree, with what is around it.

use std::borrow::Cow;

use tree_sitter::Node;

use super::grammar::{Name, Role};

/// An ancestor of the node that is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'t> {
    pub(super) node: Node<'t>,
    pub(super) role: Role,
}

/// A node, its ancestors, and the text of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'w, 't> {
    pub(super) node: Node<'t>,
    pub(super) text: &'t [u8],
    /// The ancestors, the root first.
    pub(super) path: &'w [Step<'t>],
    /// Whether a function is around it.
    pub(super) is_inside_function: bool,
}

impl<'t> Item<'_, 't> {
    /// The text of a node; what is no UTF-8 is replaced.
    pub(super) fn text_of(&self, node: Node<'_>) -> Cow<'t, str> {
        String::from_utf8_lossy(self.bytes_of(node))
    }

    /// The bytes of a node.
    pub(super) fn bytes_of(&self, node: Node<'_>) -> &'t [u8] {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a child by its field.
    pub(super) fn field_text(&self, field: &str) -> Option<Cow<'t, str>> {
        self.node.child_by_field_name(field).map(|node| self.text_of(node))
    }

    /// The nearest ancestor.
    pub(super) fn parent(&self) -> Option<Node<'t>> {
        self.path.last().map(|step| step.node)
    }

    /// The item with all that wraps it and it alone: `export`, decorators, `template <…>`; and how many ancestors that has.
    pub(super) fn outer(&self) -> (Node<'t>, usize) {
        let mut outer = self.node;
        let mut depth = self.path.len();
        for step in self.path.iter().rev() {
            if step.role != Role::Wrapper || outer.end_byte() + 1 < step.node.end_byte() {
                break;
            }
            outer = step.node;
            depth -= 1;
        }
        (outer, depth)
    }

    /// The name that most grammars give: the field `name`.
    pub(super) fn name_field(item: &Item<'_, 't>) -> Option<Name<'t>> {
        let node = item.node.child_by_field_name("name")?;
        Some(item.name_at(node))
    }

    /// A name that is the text of a node.
    pub(super) fn name_at(&self, node: Node<'t>) -> Name<'t> {
        let text = one_line(&self.text_of(node), 200);
        Name { text, at: node.start_byte(), ..Name::default() }
    }

    /// The named children of a node that are of a kind.
    pub(super) fn children_of_kind(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| child.kind() == kind).collect()
    }

    /// The first named child of a kind.
    pub(super) fn child_of_kind(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| child.kind() == kind)
    }
}

/// Text in one line: blanks run together, cut at a number of characters.
pub(in crate::structure) fn one_line(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most * 2));
    let mut characters = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
            characters += 1;
        }
        for character in word.chars() {
            if most <= characters {
                out.push('…');
                return out;
            }
            out.push(character);
            characters += 1;
        }
    }
    out
}

/// A list in brackets that was broken over lines, as if it had not been: no blanks inside of brackets, no comma at the end.
pub(super) fn tightened(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for character in line.chars() {
        if matches!(character, ')' | ']' | ',') && out.ends_with(' ') {
            out.pop();
        }
        if character == ')' && out.ends_with(',') {
            out.pop();
        }
        if !(character == ' ' && out.ends_with(['(', '['])) {
            out.push(character);
        }
    }
    out
}

/// The inside of a quoted string.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.trim_matches(|character| matches!(character, '"' | '\'' | '`' | '<' | '>'))
}
