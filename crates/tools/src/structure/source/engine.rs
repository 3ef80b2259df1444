//! The walk: once through the syntax tree, without recursion.
//!
//! **Budget**: the parser is stopped after a number of steps that grows with the size of the file, and branches deeper than
//! the limit are not entered; both are counted, not timed, so the same bytes always give the same outline.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree, TreeCursor};

use super::comment::{Comments, docstring};
use super::grammar::{Export, Grammar, Name, Role, is_plain};
use super::item::{Item, Step};
use super::language::Language;
use super::skim::Skim;
use super::{Function, FunctionMetrics, Import, LeftOut, Source, Test, Type, TypeKind, finish, signature};
use crate::structure::outline::{Lines, Note};
use crate::structure::{Bodies, Heads, Limits, NotParsed};

/// How often the parser may report progress for each kilobyte. Real code stays below 25; what is above is error
/// recovery running wild.
const REPORTS_PER_KILOBYTE: usize = 120;

thread_local! {
    /// One parser a thread: its buffers are reused.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) package: Option<Note>,
    pub(super) imports: Vec<Import>,
    pub(super) types: Vec<Type>,
    pub(super) functions: Vec<Function>,
    pub(super) entry_points: Vec<super::EntryPoint>,
    pub(super) tests: Vec<Test>,
    /// Names that a list of exports gives.
    pub(super) exported: Vec<String>,
    pub(super) left_out: LeftOut,
    pub(super) code_lines: u32,
    /// Lines whose functions are for the file alone.
    pub(super) hidden: Vec<Lines>,
}

/// The outline of a program.
pub(in crate::structure) fn outline(
    language: Language,
    text: &[u8],
    limits: &Limits,
) -> Result<Source, NotParsed> {
    let grammar = Grammar::of(language);
    if (grammar.dialect.is_abyss)(text) {
        return Err(NotParsed::TooEntangled);
    }
    if limits.bodies == Bodies::Read {
        return outline_whole(grammar, text, limits);
    }
    let Some(skim) = Skim::of(language, text, limits.heads) else {
        return outline_whole(grammar, text, limits);
    };
    let mut source = walked(grammar, &skim.text, limits, CodeLines::AreKnown)?;
    // Either the text has errors, or the skim has made one: the whole text tells. What C's preprocessor makes of its text is
    // beyond its grammar, so there errors say nothing.
    let is_clear = !matches!(language, Language::C | Language::Cpp);
    let is_too_much = limits.items < source.functions.len() + skim.methods();
    if source.has_errors && is_clear && !skim.is_empty() || is_too_much {
        return outline_whole(grammar, text, limits);
    }
    skim.restore(&mut source, text);
    Ok(source)
}

/// The outline of a text as it is.
pub(super) fn outline_whole(
    grammar: &'static Grammar,
    text: &[u8],
    limits: &Limits,
) -> Result<Source, NotParsed> {
    walked(grammar, text, limits, CodeLines::AreCounted)
}

/// Whether the walk counts lines of code, or somebody else has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeLines {
    AreCounted,
    AreKnown,
}

fn walked(
    grammar: &'static Grammar,
    text: &[u8],
    limits: &Limits,
    code_lines: CodeLines,
) -> Result<Source, NotParsed> {
    let tree = parse(grammar, text)?;
    let mut walk = Walk::new(grammar, text, limits, code_lines);
    walk.run(tree.walk());
    Ok(finish::source(walk, tree.root_node()))
}

fn parse(grammar: &Grammar, text: &[u8]) -> Result<Tree, NotParsed> {
    PARSER.with_borrow_mut(|parser| {
        parser.reset();
        parser.set_language(&grammar.language).map_err(|_| NotParsed::Grammar)?;
        let most = (text.len() / 1024 + 4).saturating_mul(REPORTS_PER_KILOBYTE);
        let mut reports = 0_usize;
        let mut progress = |_: &ParseState| {
            reports += 1;
            if most < reports { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
        parser.parse_with_options(&mut read, None, Some(options)).ok_or(NotParsed::TooEntangled)
    })
}

/// A function whose end has not been reached.
struct OpenFunction {
    index: Option<usize>,
    depth: usize,
    nesting: u32,
    metrics: FunctionMetrics,
}

/// A type, or an outer function, that what follows belongs to.
struct Owner {
    name: String,
    of_trait: Option<String>,
    depth: usize,
}

/// The state of the walk.
pub(super) struct Walk<'t, 'l> {
    pub(super) grammar: &'static Grammar,
    pub(super) text: &'t [u8],
    limits: &'l Limits,
    path: Vec<Step<'t>>,
    owners: Vec<Owner>,
    open: Vec<OpenFunction>,
    pub(super) comments: Comments<'t>,
    pub(super) found: Found,
    last_code_row: Option<usize>,
    code_lines: CodeLines,
}

impl<'t, 'l> Walk<'t, 'l> {
    fn new(grammar: &'static Grammar, text: &'t [u8], limits: &'l Limits, code_lines: CodeLines) -> Self {
        Self {
            grammar,
            text,
            limits,
            path: Vec::with_capacity(64),
            owners: Vec::new(),
            open: Vec::new(),
            comments: Comments::new(text),
            found: Found::default(),
            last_code_row: None,
            code_lines,
        }
    }

    fn run(&mut self, mut cursor: TreeCursor<'t>) {
        loop {
            let node = cursor.node();
            let role = self.grammar.role(node);
            let is_entered = self.enter(node, role) && self.fits(node);
            if is_entered && cursor.goto_first_child() {
                self.path.push(Step { node, role });
                continue;
            }
            if self.code_lines == CodeLines::AreCounted && role != Role::Comment {
                self.count_rows(node);
            }
            self.leave(node, role);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                if let Some(step) = self.path.pop() {
                    self.leave(step.node, step.role);
                }
            }
        }
    }

    fn fits(&mut self, node: Node<'_>) -> bool {
        let fits = self.path.len() < self.limits.depth;
        if !fits && 0 < node.child_count() {
            self.found.left_out.deep += 1;
        }
        fits
    }

    fn count_rows(&mut self, leaf: Node<'_>) {
        let (first, mut last) = (leaf.start_position().row, leaf.end_position());
        if last.column == 0 && first < last.row {
            last.row -= 1;
        }
        if leaf.start_byte() == leaf.end_byte() {
            return;
        }
        let first = self.last_code_row.map_or(first, |row| first.max(row + 1));
        if first <= last.row {
            self.found.code_lines += u32::try_from(last.row - first + 1).unwrap_or(u32::MAX);
            self.last_code_row = Some(last.row);
        }
    }

    fn item<'w>(&'w self, node: Node<'t>) -> Item<'w, 't> {
        Item { node, text: self.text, path: &self.path, is_inside_function: !self.open.is_empty() }
    }

    /// Takes note of a node; says whether its children matter.
    fn enter(&mut self, node: Node<'t>, role: Role) -> bool {
        match role {
            Role::Plain | Role::Body | Role::Else | Role::Template => {}
            Role::Text => return false,
            // Lines are counted leaf by leaf.
            Role::Aside => return self.code_lines == CodeLines::AreCounted,
            Role::Comment => {
                self.comments.push(node, self.path.len());
                return false;
            }
            Role::Attribute => {
                self.comments.push_attribute(node, self.path.len());
                return false;
            }
            Role::Import => {
                self.import(node);
                return false;
            }
            Role::Special => self.special(node),
            // Near the root, exports and conditions such as `if __name__ == …` may say something about the file.
            Role::Wrapper if self.path.len() <= 2 => self.special(node),
            Role::Wrapper => {}
            // A module without a body is in another file.
            Role::Type(TypeKind::Module) if self.is_elsewhere(node) => {
                self.import(node);
                return false;
            }
            Role::Type(kind) => self.enter_type(node, kind),
            Role::Scope => self.enter_scope(node),
            Role::Function | Role::Lambda => self.enter_function(node, role),
            Role::Branch => {
                self.branch(node);
                if self.path.len() <= 1 {
                    self.special(node);
                }
            }
            Role::Nest => self.nest(),
            Role::Fork => self.fork(),
        }
        true
    }

    fn import(&mut self, node: Node<'t>) {
        let mut found = std::mem::take(&mut self.found);
        (self.grammar.dialect.import)(&self.item(node), &mut found);
        self.found = found;
        self.trim();
    }

    fn special(&mut self, node: Node<'t>) {
        let mut found = std::mem::take(&mut self.found);
        (self.grammar.dialect.special)(&self.item(node), &mut found);
        self.found = found;
        self.trim();
    }

    fn is_elsewhere(&self, node: Node<'_>) -> bool {
        self.grammar.dialect.language == Language::Rust && self.grammar.body_field(node).is_none()
    }

    /// Undoes what `enter` opened.
    fn leave(&mut self, node: Node<'_>, role: Role) {
        match role {
            Role::Branch if self.is_else_if(node) => {}
            Role::Branch | Role::Nest => {
                if let Some(open) = self.open.last_mut() {
                    open.nesting = open.nesting.saturating_sub(1);
                }
            }
            Role::Function | Role::Lambda => {
                let depth = self.path.len();
                self.close_owner(depth);
                if let Some(open) = self.open.pop_if(|open| open.depth == depth)
                    && let Some(function) = open.index.and_then(|index| self.found.functions.get_mut(index))
                {
                    function.metrics.nesting = open.metrics.nesting;
                    function.metrics.branches = open.metrics.branches;
                }
            }
            Role::Type(_) | Role::Scope => self.close_owner(self.path.len()),
            Role::Plain
            | Role::Text
            | Role::Aside
            | Role::Template
            | Role::Comment
            | Role::Attribute
            | Role::Wrapper
            | Role::Import
            | Role::Body
            | Role::Fork
            | Role::Else
            | Role::Special => {}
        }
    }

    fn close_owner(&mut self, depth: usize) {
        self.owners.pop_if(|owner| owner.depth == depth);
    }

    fn nest(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.nesting += 1;
            open.metrics.nesting = open.metrics.nesting.max(open.nesting);
        }
    }

    fn fork(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.metrics.branches += 1;
        }
    }

    fn branch(&mut self, node: Node<'_>) {
        self.fork();
        if !self.is_else_if(node) {
            self.nest();
        }
    }

    /// `else if` is one more way, not one more level.
    fn is_else_if(&self, node: Node<'_>) -> bool {
        self.path.last().is_some_and(|step| {
            step.role == Role::Else || step.role == Role::Branch && step.node.kind_id() == node.kind_id()
        })
    }

    fn enter_scope(&mut self, node: Node<'t>) {
        if let Some(name) = (self.grammar.dialect.name)(&self.item(node)) {
            self.owners.push(Owner { name: name.text, of_trait: name.of_trait, depth: self.path.len() });
        }
    }

    fn enter_type(&mut self, node: Node<'t>, kind: TypeKind) {
        let dialect = self.grammar.dialect;
        let body = self.grammar.body_field(node);
        if dialect.types_need_body && body.is_none() && !matches!(kind, TypeKind::Alias | TypeKind::Macro) {
            return;
        }
        let item = self.item(node);
        let Some(name) = (dialect.name)(&item) else { return };
        let (outer, depth) = item.outer();
        let head = self.comments.head(outer, depth);
        let doc = if dialect.has_docstrings { docstring(self.grammar, &item, body) } else { None };
        let found = Type {
            kind: name.kind.unwrap_or(kind),
            owner: name.owner.clone().or_else(|| self.owner()),
            lines: Lines { first: line(head.row), last: last_line(outer) },
            doc: doc.or_else(|| self.comments.doc(head, dialect.doc_marks)),
            exported: kind == TypeKind::Namespace || self.is_exported(&name, outer),
            derived: match self.limits.heads {
                Heads::Whole => {
                    let body = signature::body(self.grammar, node);
                    signature::derived(self.grammar, self.text, node, body, &name.text)
                }
                Heads::Names => String::new(),
            },
            columns: name.columns,
            name: name.text.clone(),
        };
        self.owners.push(Owner { name: name.text, of_trait: None, depth: self.path.len() });
        if self.found.types.len() < self.limits.items {
            self.found.types.push(found);
        } else {
            self.found.left_out.types += 1;
        }
    }

    fn enter_function(&mut self, node: Node<'t>, role: Role) {
        let dialect = self.grammar.dialect;
        let item = self.item(node);
        let Some(name) = (dialect.name)(&item) else { return };
        if role == Role::Lambda && item.is_inside_function {
            return;
        }
        let (outer, depth) = item.outer();
        let head = self.comments.head(outer, depth);
        let body = signature::body(self.grammar, node);
        let is_told = self.limits.heads == Heads::Whole;
        let owner = name.owner.clone().or_else(|| self.owner());
        // What methods say in their bodies belongs to their heads.
        let says = dialect.has_docstrings && (is_told || owner.is_none());
        let doc = if says { docstring(self.grammar, &item, body) } else { None };
        let lines = Lines { first: line(head.row), last: last_line(outer) };
        let mut function = Function {
            owner,
            of_trait: self.owners.last().and_then(|owner| owner.of_trait.clone()),
            signature: if is_told || finish::needs_signature(dialect, &name.text) {
                signature::of(self.grammar, self.text, outer, node, body)
            } else {
                String::new()
            },
            lines,
            doc: doc.or_else(|| self.comments.doc(head, dialect.doc_marks)),
            exported: self.is_exported(&name, outer),
            has_body: body.is_some() || dialect.always_has_body,
            parameters: if is_told {
                let list = name.parameters.or_else(|| signature::parameters(self.grammar, node));
                list.map_or(0, |list| signature::count(self.grammar, self.text, list))
            } else {
                0
            },
            metrics: FunctionMetrics {
                lines: last_line(outer).saturating_sub(line(node.start_position().row)) + 1,
                ..FunctionMetrics::default()
            },
            is_test: false,
            name: name.text.clone(),
        };
        let header = self.text.get(head.byte..name.at.max(head.byte)).unwrap_or_default();
        function.is_test = finish::is_test(dialect, &function, header);
        if function.is_test {
            if self.found.tests.len() < self.limits.items {
                self.found.tests.push(Test { name: function.name.clone(), lines });
            } else {
                self.found.left_out.tests += 1;
            }
        }
        let depth = self.path.len();
        let index = self.found.functions.len();
        let is_kept = index < self.limits.items;
        if is_kept {
            self.found.functions.push(function);
        } else {
            self.found.left_out.functions += 1;
        }
        self.owners.push(Owner { name: name.text, of_trait: None, depth });
        let index = is_kept.then_some(index);
        self.open.push(OpenFunction { index, depth, nesting: 0, metrics: FunctionMetrics::default() });
    }

    fn owner(&self) -> Option<String> {
        self.owners.last().map(|owner| owner.name.clone())
    }

    fn is_exported(&self, name: &Name<'_>, outer: Node<'_>) -> bool {
        let before = self.text.get(outer.start_byte()..name.at.max(outer.start_byte())).unwrap_or_default();
        let has = |words: &[&str]| {
            let mut written = before.split(|byte| byte.is_ascii_whitespace() || *byte == b':');
            written.any(|word| words.iter().any(|known| known.as_bytes() == word))
        };
        name.exported
            || match self.grammar.dialect.export {
                Export::Always => true,
                Export::With(words) => has(words),
                Export::Without(words) => !has(words),
                Export::Capital => name.text.chars().next().is_some_and(char::is_uppercase),
                Export::NoUnderscore => is_plain(&name.text),
            }
    }

    /// Holds lists that dialects append to within the limit.
    fn trim(&mut self) {
        let most = self.limits.items;
        let found = &mut self.found;
        let over = |length: usize| u32::try_from(length.saturating_sub(most)).unwrap_or(u32::MAX);
        found.left_out.imports += over(found.imports.len());
        found.left_out.tests += over(found.tests.len());
        found.imports.truncate(most);
        found.tests.truncate(most);
        found.exported.truncate(most);
        found.hidden.truncate(most);
        found.entry_points.truncate(most);
    }
}

/// The number of a line, from 1.
pub(super) fn line(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX).saturating_add(1)
}

/// The last line of a node; a node that ends with a newline does not reach into the line after it.
pub(super) fn last_line(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let ends_before = end.column == 0 && node.start_position().row < end.row;
    line(end.row - usize::from(ends_before))
}
