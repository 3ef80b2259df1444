//! What the nodes of a grammar mean to the engine.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use tree_sitter::Node;

use super::TypeKind;
use super::dialect;
use super::engine::Found;
use super::item::Item;
use super::language::Language;

/// What the engine does when it meets a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing; its children are looked at.
    Plain,
    /// A string: never repeated, not looked into.
    Text,
    /// A string that has code inside.
    Template,
    /// Holds nothing that belongs into an outline, and is not looked into: a list of parameters.
    Aside,
    /// A comment.
    Comment,
    /// A decorator, annotation or attribute: belongs to the item after it.
    Attribute,
    /// Wraps one item, and counts as part of it: `export …`, `template <…> …`.
    Wrapper,
    /// Uses another module.
    Import,
    /// A type, module or namespace.
    Type(TypeKind),
    /// Owns functions without being a type of its own: `impl`.
    Scope,
    /// A function or method.
    Function,
    /// A function that has its name from what it is bound to.
    Lambda,
    /// The body of a function, in grammars that have no field for it.
    Body,
    /// A condition or loop: the way divides, and what is inside is nested.
    Branch,
    /// Nested, but the way does not divide.
    Nest,
    /// The way divides, nothing is nested: a case, `else if`, `&&`.
    Fork,
    /// Around the condition that follows an `else`.
    Else,
    /// The dialect's own rule looks at it.
    Special,
}

/// Who can see an item.
#[derive(Debug, Clone, Copy)]
pub(super) enum Export {
    /// Everybody.
    Always,
    /// Everybody, if one of these words stands before its name.
    With(&'static [&'static str]),
    /// Everybody, unless one of these words stands before its name.
    Without(&'static [&'static str]),
    /// Everybody, if its name begins with a capital.
    Capital,
    /// Everybody, unless its name begins with `_`.
    NoUnderscore,
}

/// How tests are recognised among functions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tests {
    /// What their names begin with.
    pub(super) prefixes: &'static [&'static str],
    /// What is written before their names.
    pub(super) marks: &'static [&'static str],
}

/// What an item is called, and what its name tells about it.
#[derive(Debug, Default)]
pub(super) struct Name<'t> {
    /// The name itself.
    pub(super) text: String,
    /// Where the name begins.
    pub(super) at: usize,
    /// The owner, where the name (or the receiver) says it.
    pub(super) owner: Option<String>,
    /// The trait, at the head of its implementation.
    pub(super) of_trait: Option<String>,
    /// The parameters, where they are not in the field `parameters`.
    pub(super) parameters: Option<Node<'t>>,
    /// A better word for a type than its node's.
    pub(super) kind: Option<TypeKind>,
    /// The columns of a table.
    pub(super) columns: Vec<String>,
    /// Whether the form of the name makes it visible to others.
    pub(super) exported: bool,
}

/// A language, as tables and a few rules.
pub(super) struct Dialect {
    pub(super) language: Language,
    pub(super) grammar: fn() -> tree_sitter::Language,
    /// Named nodes and what they mean.
    pub(super) roles: &'static [(&'static str, Role)],
    /// Tokens at which the way divides.
    pub(super) forks: &'static [&'static str],
    pub(super) export: Export,
    pub(super) tests: Tests,
    /// Functions a program starts with.
    pub(super) mains: &'static [&'static str],
    /// What doc comments begin with; anything, if empty.
    pub(super) doc_marks: &'static [&'static str],
    /// What comments about the file itself begin with; anything, if empty.
    pub(super) file_doc_marks: &'static [&'static str],
    /// Whether the first string of a body documents it.
    pub(super) has_docstrings: bool,
    /// Whether a type without a body is only mentioned, not declared.
    pub(super) types_need_body: bool,
    /// Whether every function has a body, even where the tree shows none.
    pub(super) always_has_body: bool,
    /// Whether the grammar would take forever: its time must not grow faster than the text.
    pub(super) is_abyss: fn(&[u8]) -> bool,
    /// What an item is called; `None`: it is not an item after all.
    pub(super) name: for<'t> fn(&Item<'_, 't>) -> Option<Name<'t>>,
    /// What an import names.
    pub(super) import: fn(&Item<'_, '_>, &mut Found),
    /// What a special node means.
    pub(super) special: fn(&Item<'_, '_>, &mut Found),
}

/// What most languages have in common. Its grammar is never asked for.
pub(super) const BASE: Dialect = Dialect {
    language: Language::C,
    grammar: || tree_sitter_c::LANGUAGE.into(),
    roles: &[],
    forks: &["&&", "||"],
    export: Export::Always,
    tests: Tests { prefixes: &[], marks: &[] },
    mains: &["main"],
    doc_marks: &[],
    file_doc_marks: &[],
    has_docstrings: false,
    types_need_body: false,
    always_has_body: false,
    is_abyss: |_| false,
    name: |item| Item::name_field(item),
    import: |_, _| {},
    special: |_, _| {},
};

/// A dialect, ready for use: roles by the grammar's own numbers.
pub(super) struct Grammar {
    pub(super) dialect: &'static Dialect,
    pub(super) language: tree_sitter::Language,
    roles: Vec<Role>,
    fields: Fields,
}

/// The grammar's own numbers of fields that are asked for at every item.
#[derive(Debug, Clone, Copy)]
struct Fields {
    body: Option<NonZeroU16>,
    parameters: Option<NonZeroU16>,
}

impl Grammar {
    /// The grammar of a language; made once.
    pub(super) fn of(language: Language) -> &'static Self {
        static GRAMMARS: [OnceLock<Grammar>; dialect::COUNT] = [const { OnceLock::new() }; dialect::COUNT];
        let dialect = dialect::of(language);
        GRAMMARS[language as usize].get_or_init(|| Self::compile(dialect))
    }

    fn compile(dialect: &'static Dialect) -> Self {
        let language = (dialect.grammar)();
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let role = |id: u16| {
            let kind = language.node_kind_for_id(id).unwrap_or_default();
            if language.node_kind_is_named(id) {
                let found = dialect.roles.iter().find(|(known, _)| *known == kind);
                found.map_or(Role::Plain, |(_, role)| *role)
            } else if dialect.forks.contains(&kind) {
                Role::Fork
            } else {
                Role::Plain
            }
        };
        let field = |name: &str| language.field_id_for_name(name);
        let fields = Fields { body: field("body"), parameters: field("parameters") };
        Self { dialect, roles: (0..count).map(role).collect(), language, fields }
    }

    /// The child that the grammar calls the body.
    pub(super) fn body_field<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.fields.body?.get())
    }

    /// The child that the grammar calls the parameters.
    pub(super) fn parameters_field<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.fields.parameters?.get())
    }

    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.roles.get(usize::from(node.kind_id())).copied().unwrap_or(Role::Plain)
    }
}

/// Whether a name does not say that it is for its own house alone. Names with two underscores are the language's.
pub(super) fn is_plain(name: &str) -> bool {
    !name.starts_with('_') || name.starts_with("__")
}

#[cfg(test)]
mod tests {
    use super::{Grammar, dialect};

    /// A table that names a node its grammar does not have would silently find nothing.
    #[test]
    fn tables_name_only_nodes_that_exist() {
        for dialect in dialect::ALL {
            let grammar = Grammar::of(dialect.language);
            for (kind, _) in dialect.roles {
                let id = grammar.language.id_for_node_kind(kind, true);
                assert_ne!(id, 0, "{:?} has no node {kind}", dialect.language);
            }
            for token in dialect.forks {
                let id = grammar.language.id_for_node_kind(token, false);
                assert_ne!(id, 0, "{:?} has no token {token}", dialect.language);
            }
        }
    }
}
