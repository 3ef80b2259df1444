//! What a source file shows of itself: its own words, its main types and functions, where it starts.

use std::collections::BTreeMap;

use luminos_core::fact::{Fact, FactKind, Reader, Symbol};
use luminos_tools::structure::{self, Import, Language, Note, Outline, Source, TypeKind};

use super::bounds;
use super::eyes::FileText;
use super::mentions::Names;
use super::rules::{Found, functions};
use super::words::clipped;

mod comment;
mod crates;
mod light;

use comment::{is_about_the_file, is_boilerplate, sentence_at, without_roles};

/// So many names of a file are told.
const NAMES: usize = 3;
/// So many imports.
const IMPORTS: usize = 100;
/// So many names that one line imports may be modules.
const FROM: usize = 4;
/// In a file with more lines, what is less than one in so many of them does not speak for it.
const LARGE_FILE: usize = 800;
const LEAST_SHARE: usize = 40;

/// What a source file shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceFacts {
    /// What it says of itself.
    pub(crate) says: Option<Fact>,
    /// What it defines.
    pub(crate) defines: Option<Fact>,
    /// What is said about the main thing it defines.
    pub(crate) explains: Option<Fact>,
    /// Which variables of the environment it takes.
    pub(crate) takes: Option<Fact>,
    /// Its types that others can use, largest first.
    pub(crate) main_types: Vec<String>,
    /// Where it starts.
    pub(crate) starts: Option<Fact>,
    /// What it imports, with the lines: each module once.
    pub(crate) imports: Vec<(String, usize)>,
    /// How many types it has.
    pub(crate) types: usize,
    /// How many functions.
    pub(crate) functions: usize,
    /// How many tests.
    pub(crate) tests: usize,
    /// The first line of each type and function.
    pub(crate) symbols: Vec<u64>,
    /// Functions that nobody can hold in mind.
    pub(crate) giant: Option<Found>,
    /// What it defines and names.
    pub(crate) names: Names,
}

impl SourceFacts {
    /// The same with all texts cut to lengths that fit a sentence.
    pub(crate) fn bounded(mut self) -> Self {
        let modules = self.imports.iter_mut().map(|(module, _)| module);
        modules.chain(&mut self.main_types).for_each(bounds::cut_name);
        self
    }
}

/// Looks at a source file; `None` where nothing is known about its language.
pub(crate) fn look(file: &FileText) -> Option<SourceFacts> {
    let limits = structure::Limits { heads: structure::Heads::Names, ..structure::Limits::default() };
    let outline = structure::outline(file.name.as_bytes(), file.text.as_bytes(), &limits);
    let Ok(Outline::Source(source)) = outline else { return light::look(file) };
    let tests = if is_called_test_only(file, &source) { 0 } else { source.tests.len() };
    Some(SourceFacts {
        says: says(file, &source),
        defines: defines(file, &source),
        explains: explains(file, &source),
        takes: super::variables::taken(file),
        main_types: main_types(&source),
        starts: starts(file, &source),
        imports: imports(file, &source),
        types: source.types.len(),
        functions: source.functions.len(),
        tests: tests + light::beside(file, source.language),
        symbols: source.definition_lines(),
        giant: functions::look(file, &source),
        names: Names::of(file, &source),
    })
}

/// Whether functions are tests by their names alone, in a file that is none: `test_client` of a framework.
fn is_called_test_only(file: &FileText, source: &Source) -> bool {
    let by_name = matches!(
        source.language,
        Language::Python
            | Language::JavaScript
            | Language::TypeScript
            | Language::Ruby
            | Language::Php
            | Language::Lua
    );
    let name = file.name.to_ascii_lowercase();
    by_name && !super::rules::is_for_tests(&file.word) && !name.contains("test") && !name.contains("spec")
}

fn says(file: &FileText, source: &Source) -> Option<Fact> {
    let doc = source.doc.as_ref()?;
    // A comment behind something is about that thing.
    if ["#define", "#if", "#include", "# define"]
        .iter()
        .any(|word| file.line(doc.line as usize).trim_start().starts_with(word))
    {
        return None;
    }
    let (words, first, last) = sentence_at(file, doc.line as usize)?;
    // Without backticks: what a comment calls a path need not be one of the target.
    let words = without_roles(&if words.is_empty() { doc.text.clone() } else { words });
    if is_boilerplate(&words) || !is_about_the_file(file, source, first, last) {
        return None;
    }
    let words = FactKind::OwnWords { text: clipped(&words, 300) };
    Some(file.fact(Reader::Source, words, vec![file.cite_lines(first, last)]))
}

fn defines(file: &FileText, source: &Source) -> Option<Fact> {
    let mut names: Vec<(u32, u32, String, String)> = Vec::new();
    for kind in source.types.iter().filter(|kind| is_main(source, kind)) {
        let weight =
            kind.lines.count() + if kind.exported { 1_000 } else { 0 } + u32::from(kind.doc.is_some()) * 200;
        names.push((weight, kind.lines.first, kind.kind.word().to_owned(), kind.name.clone()));
    }
    if names.is_empty() {
        let own = source.functions.iter().filter(|function| function.owner.is_none() && function.has_body);
        for function in own.filter(|function| !source.tests.iter().any(|test| test.name == function.name)) {
            let weight = function.lines.count()
                + if function.exported { 1_000 } else { 0 }
                + u32::from(function.doc.is_some()) * 200;
            names.push((weight, function.lines.first, "function".to_owned(), function.name.clone()));
        }
    }
    names.extend(object(source));
    names.retain(|(_, _, _, name)| {
        !name.contains(['`', '\n', '[']) && name.len() <= 60 && name != "namespace"
    });
    names.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|(_, _, _, name)| seen.insert(name.clone()));
    names.truncate(NAMES);
    names.sort_by_key(|(_, line, _, _)| *line);
    let mut told = Vec::new();
    let mut evidence = Vec::new();
    for (_, first, kind, name) in names {
        let first = first as usize;
        let Some(line) = (first..first + 12).find(|line| file.line(*line).contains(&name)) else { continue };
        evidence.push(file.cite_lines(line, line));
        told.push(Symbol { kind, name });
    }
    let definitions = FactKind::Definitions { symbols: told };
    (!evidence.is_empty()).then(|| file.fact(Reader::Source, definitions, evidence))
}

/// The object that a script hangs its functions on, where it has no types: `res.send = function …`.
fn object(source: &Source) -> Option<(u32, u32, String, String)> {
    let is_script = matches!(source.language, Language::JavaScript | Language::TypeScript | Language::Lua);
    if !is_script || source.types.iter().any(|kind| is_noun(kind.kind)) {
        return None;
    }
    let is_own = |name: &str| !source.functions.iter().any(|function| function.name == name);
    let mut objects: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for function in &source.functions {
        if let Some(owner) = function.owner.as_deref().filter(|owner| is_own(owner) && *owner != "exports") {
            let object = objects.entry(owner).or_insert((0, function.lines.first));
            object.0 += 1;
        }
    }
    let (name, (methods, first)) =
        objects.into_iter().max_by_key(|(name, (methods, _))| (*methods, *name))?;
    (2 < methods).then(|| (10_000, first, "object".to_owned(), name.to_owned()))
}

/// The largest type that others can use and that is explained; of files without types, the largest such function.
fn explains(file: &FileText, source: &Source) -> Option<Fact> {
    // In some languages methods stand outside of their types: they belong to them all the same.
    let mut methods: BTreeMap<&str, u32> = BTreeMap::new();
    for function in &source.functions {
        if let Some(owner) = &function.owner {
            *methods.entry(owner).or_default() += function.lines.count();
        }
    }
    let size = |kind: &structure::Type| {
        kind.lines.count().max(methods.get(kind.name.as_str()).copied().unwrap_or(0))
    };
    let mains = || source.types.iter().filter(|kind| is_main(source, kind));
    let types = mains().filter_map(|kind| {
        Some((kind.exported, size(kind), kind.kind.word(), &kind.name, kind.doc.as_ref()?))
    });
    let functions = source
        .functions
        .iter()
        .filter(|function| function.owner.is_none() && function.has_body && !function.is_test)
        .filter(|function| !function.name.to_ascii_lowercase().contains("test"))
        .filter_map(|function| {
            Some((
                function.exported,
                function.lines.count(),
                "function",
                &function.name,
                function.doc.as_ref()?,
            ))
        });
    let main_lines = mains().map(size).max().unwrap_or(0);
    // The first of equals: both keep the order of the file.
    let best_type = types.rev().max_by_key(|(exported, lines, ..)| (*exported, *lines));
    let best_function = functions.rev().max_by_key(|(exported, lines, ..)| (*exported, *lines));
    let is_exported = |found: &(bool, u32, &str, &String, &Note)| found.0;
    let best = best_type.filter(is_exported).or(best_function.filter(is_exported)).or(best_type);
    let (_, lines, kind, name, doc) = best?;
    // A small helper that is explained beside a large type that is not would be told as what the file is about; so would
    // one of a hundred things in a large file.
    let is_helper = kind != "function" && lines * 3 < main_lines;
    let is_one_of_many = LARGE_FILE < file.line_count() && (lines as usize) * LEAST_SHARE < file.line_count();
    if is_helper || is_one_of_many || name.contains('`') || 60 < name.len() {
        return None;
    }
    let (words, first, last) = sentence_at(file, doc.line as usize)?;
    let words = without_roles(&if words.is_empty() { doc.text.clone() } else { words });
    let words = words.trim_end_matches("::").trim_end_matches(':').trim().to_owned();
    if is_boilerplate(&words) || words.contains(['{', '}', '@']) || words.contains("<?") {
        return None;
    }
    let symbol = Symbol { kind: kind.to_owned(), name: name.clone() };
    let explained = FactKind::Documentation { symbol, text: clipped(&words, 240) };
    Some(file.fact(Reader::Source, explained, vec![file.cite_lines(first, last)]))
}

/// Whether a type is one of those that a file is about: what modules and namespaces hold belongs to the file, what types
/// hold to those. Modules of Rust hold tests, more often than not; a module of Ruby without types is one itself.
pub(crate) fn is_main(source: &Source, kind: &structure::Type) -> bool {
    let is_house = |name: &str| {
        source
            .types
            .iter()
            .any(|other| other.name == name && matches!(other.kind, TypeKind::Module | TypeKind::Namespace))
    };
    let is_outer = match &kind.owner {
        None => true,
        Some(owner) => source.language != Language::Rust && is_house(owner),
    };
    let is_leaf = || {
        source.language == Language::Ruby
            && kind.kind == TypeKind::Module
            && kind.owner.is_some()
            && !source.types.iter().any(|other| other.owner.as_deref() == Some(kind.name.as_str()))
    };
    // A condition of the preprocessor in the head of a class is read as its name.
    let is_condition = source.language == Language::CSharp
        && kind.name.contains('_')
        && !kind.name.contains(char::is_lowercase);
    is_outer && !is_condition && (is_noun(kind.kind) || is_leaf())
}

fn is_noun(kind: TypeKind) -> bool {
    !matches!(kind, TypeKind::Module | TypeKind::Namespace | TypeKind::Macro | TypeKind::Alias)
}

fn main_types(source: &Source) -> Vec<String> {
    let mut types: Vec<_> =
        source.types.iter().filter(|kind| is_main(source, kind) && kind.exported).collect();
    types.sort_by(|a, b| b.lines.count().cmp(&a.lines.count()).then_with(|| a.name.cmp(&b.name)));
    let plain = |name: &&String| !name.contains(['`', '\n', '<']) && name.len() <= 60;
    types.iter().map(|kind| &kind.name).filter(plain).take(NAMES).cloned().collect()
}

fn imports(file: &FileText, source: &Source) -> Vec<(String, usize)> {
    let mut seen = std::collections::BTreeSet::new();
    let is_name = |module: &str| {
        !module.is_empty()
            && module.len() <= 120
            && !module.contains(['`', '\n'])
            && !module.contains("#{")
            && !module.contains("${")
    };
    // A header in angle brackets without a directory is the system's, whatever else is called so.
    let is_system = |import: &Import| import.written.contains('<') && !import.module.contains('/');
    let is_c = matches!(source.language, Language::C | Language::Cpp);
    let written = source.imports.iter().filter(|import| !(is_c && is_system(import)));
    let mut all: Vec<(String, usize)> = Vec::new();
    for import in written {
        let line = import.line as usize;
        let of_group = crates::of_use(&import.written).filter(|_| source.language == Language::Rust);
        match of_group {
            Some(modules) => all.extend(modules.into_iter().map(|module| (module, line))),
            None if source.language == Language::Python => {
                all.extend(of_from(import).into_iter().map(|module| (module, line)));
            }
            None => all.push((import.module.clone(), line)),
        }
    }
    if source.language == Language::Rust {
        all.extend(crates::named_in_passing(file, source));
    }
    all.retain(|(module, _)| is_name(module) && seen.insert(module.clone()));
    all.truncate(IMPORTS);
    all
}

/// What a `from … import …` of Python means: what is imported may be a module of a package, and is one as a rule where
/// its name is small.
fn of_from(import: &Import) -> Vec<String> {
    let whole = || vec![import.module.clone()];
    let Some((_, names)) = import.written.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
    else {
        return whole();
    };
    let names = names.trim_matches(['(', ')', ' ', ',']);
    let names: Vec<&str> = names.split(',').filter_map(|name| name.split_whitespace().next()).collect();
    let is_module = |name: &&str| {
        name.chars().all(|letter| letter.is_ascii_lowercase() || matches!(letter, '_' | '0'..='9'))
    };
    if names.is_empty() || FROM < names.len() || !names.iter().all(is_module) {
        return whole();
    }
    let dot = if import.module.ends_with('.') { "" } else { "." };
    names.iter().map(|name| format!("{}{dot}{name}", import.module)).collect()
}

fn starts(file: &FileText, source: &Source) -> Option<Fact> {
    if file.name == "__main__.py" {
        return of_package(file);
    }
    let Some(entry) = source.entry_points.first() else {
        return listens(file, source).or_else(|| main_of_c(file, source));
    };
    // A script is started by its name; that it can be is no news.
    if entry.what.starts_with("#!") || entry.what.contains('`') {
        return None;
    }
    // A function that takes something is called by others, whatever its name.
    if source.language == Language::Rust && !entry.what.contains("main()") {
        return None;
    }
    let first = entry.lines.first as usize;
    if matches!(source.language, Language::C | Language::Cpp) && is_tried_only(file, first) {
        return None;
    }
    // A file that no build takes is run by hand, to make others.
    let is_left_out =
        |number: usize| matches!(file.line(number).trim(), "//go:build ignore" | "// +build ignore");
    if source.language == Language::Go && (1..first.min(60)).any(is_left_out) {
        return None;
    }
    let evidence = vec![file.cite_lines(first, first)];
    let what = entry.what.split(" #").next().unwrap_or_default().to_owned();
    Some(file.fact(Reader::Source, FactKind::EntryPoint { code: what }, evidence))
}

/// The beginning of a program of C between conditions of the preprocessor, which leave no whole function.
fn main_of_c(file: &FileText, source: &Source) -> Option<Fact> {
    if !matches!(source.language, Language::C | Language::Cpp) || super::rules::is_for_tests(&file.word) {
        return None;
    }
    let (number, line) = file.lines().find(|(_, line)| line.starts_with("int main("))?;
    let what = line.trim_end_matches([' ', '{']).to_owned();
    if what.contains(['`', ';']) || is_tried_only(file, number) {
        return None;
    }
    let start = FactKind::EntryPoint { code: what };
    Some(file.fact(Reader::Source, start, vec![file.cite_lines(number, number)]))
}

/// A program of JavaScript that waits for others: its main file calls `listen`.
fn listens(file: &FileText, source: &Source) -> Option<Fact> {
    let is_script = matches!(source.language, Language::JavaScript | Language::TypeScript);
    let stem = file.name.split('.').next().unwrap_or_default();
    let is_main = matches!(stem, "server" | "app" | "index" | "main" | "www");
    if !is_script || !is_main {
        return None;
    }
    let is_call = |line: &str| line.contains(".listen(") && !line.trim_start().starts_with("//");
    let (number, line) = file.lines().find(|(_, line)| is_call(line))?;
    let what = line.trim().split(".listen(").next()?.rsplit([' ', '(', '=']).next()?.to_owned();
    let is_name = |name: &str| !name.is_empty() && name.len() < 40 && !name.contains('`');
    let start = FactKind::EntryPoint { code: format!("{what}.listen") };
    is_name(&what).then(|| file.fact(Reader::Source, start, vec![file.cite_lines(number, number)]))
}

/// A package of Python that can be started by its name.
fn of_package(file: &FileText) -> Option<Fact> {
    let dir = file.word.rsplit_once('/')?.0;
    let package = ["src/", "lib/", "python/"].iter().find_map(|home| dir.strip_prefix(home)).unwrap_or(dir);
    let is_code = |line: &str| !line.is_empty() && !line.starts_with(['#', '"', '\'']);
    let line = file.lines().find(|(_, line)| is_code(line.trim()))?.0;
    let what = format!("python -m {}", package.replace('/', "."));
    let start = FactKind::EntryPoint { code: what };
    Some(file.fact(Reader::Source, start, vec![file.cite_lines(line, line)]))
}

/// Whether a line is compiled only to try the file: between `#ifdef …TEST` and its end.
fn is_tried_only(file: &FileText, line: usize) -> bool {
    let mut depth = 0;
    for number in (1..line).rev() {
        let text = file.line(number).trim_start();
        let Some(word) = text.strip_prefix('#').map(str::trim_start) else { continue };
        if word.starts_with("endif") {
            depth += 1;
        } else if word.starts_with("if") && 0 < depth {
            depth -= 1;
        } else if word.starts_with("if") {
            // What is left out when it is tried is the program.
            if word.starts_with("ifndef") || word.starts_with("if !") {
                continue;
            }
            let upper = word.to_ascii_uppercase();
            if ["TEST", "MAIN", "STANDALONE", "BENCH"].iter().any(|mark| upper.contains(mark)) {
                return true;
            }
        }
    }
    false
}
