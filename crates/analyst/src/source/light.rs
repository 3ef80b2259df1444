//! What files show in languages that `structure` does not read, line by line: their tests, what they define, where they
//! start. Also tests that are written in words of a framework, which no grammar knows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use luminos_core::fact::{Fact, FactKind, Reader, Symbol};
use luminos_tools::structure::Language;
use regex::Regex;

use super::SourceFacts;
use super::comment::{is_boilerplate, sentence_at, without_roles};
use crate::eyes::FileText;
use crate::role::Role;
use crate::words::clipped;

/// Lines before this one are the head of a file.
const HEAD: usize = 60;

/// A language, by patterns of its lines.
struct Form {
    endings: &'static [&'static str],
    /// A line that is a test. A group is its name: each counts once.
    test: &'static str,
    /// Where a module begins, with its name.
    module: &'static str,
    /// What a file says of itself stands behind this.
    says: &'static str,
    /// Where a program starts.
    start: &'static str,
}

const FORMS: &[Form] = &[
    Form {
        endings: &[".ex", ".exs"],
        test: r#"^\s*(?:test|property)\s+["']"#,
        module: r"^defmodule\s+([\w.]+)",
        says: "@moduledoc \"\"\"",
        start: "",
    },
    Form {
        endings: &[".hs", ".lhs"],
        // Properties by the habit of QuickCheck, and what is described in words.
        test: r#"^(prop_\w+)\b[^:]*=|^\s*[\[,]?\s*(?:it|prop|testCase|testProperty)\s+""#,
        module: r"^module\s+([\w.]+)",
        says: "-- | ",
        start: r"^main\s*(?:::|=)",
    },
    Form {
        endings: &[".tcl", ".test"],
        test: r#"^\s*test\s+(?:\{|"|[\w:.]+-\d)"#,
        module: "",
        says: "",
        start: "",
    },
    Form {
        endings: &[".feature"],
        test: r"^\s*(?:Scenario|Scenario Outline|Scenario Template|Example):",
        module: "",
        says: "",
        start: "",
    },
    Form { endings: &[".bats"], test: r"^\s*@test\s", module: "", says: "", start: "" },
];

/// Looks at a file of such a language.
pub(super) fn look(file: &FileText) -> Option<SourceFacts> {
    let of_shell = || SourceFacts { tests: of_shell(file), ..SourceFacts::default() };
    let Some(form) = FORMS.iter().find(|form| form.endings.iter().any(|end| file.name.ends_with(end))) else {
        let facts = of_shell();
        return (0 < facts.tests).then_some(facts);
    };
    let (modules, lines): (Vec<String>, Vec<usize>) = found(file, form.module).into_iter().unzip();
    let defines = lines.first().map(|line| {
        let module = |name: &String| Symbol { kind: "module".to_owned(), name: name.clone() };
        let definitions = FactKind::Definitions { symbols: modules.iter().take(1).map(module).collect() };
        file.fact(Reader::Source, definitions, vec![file.cite_lines(*line, *line)])
    });
    // What builds a package is no program of it.
    let is_build = file.name == "Setup.hs";
    let starts = found(file, form.start)
        .first()
        .filter(|_| !is_build && !super::super::rules::is_for_tests(&file.word))
        .map(|(_, line)| {
            let start = FactKind::EntryPoint { code: "main".to_owned() };
            file.fact(Reader::Source, start, vec![file.cite_lines(*line, *line)])
        });
    Some(SourceFacts {
        says: says(file, form),
        defines,
        starts,
        types: modules.len(),
        tests: count(file, form.test),
        ..SourceFacts::default()
    })
}

/// Tests of a file that its grammar does not see: those of frameworks with words of their own.
pub(super) fn beside(file: &FileText, language: Language) -> usize {
    // `should "be round" do`, of shoulda.
    if language == Language::Ruby {
        return count(file, r#"^\s*should\s+["']"#);
    }
    if language == Language::Bash { of_shell(file) } else { 0 }
}

/// A script in a directory of tests that is called for what it tries is one: that is how urchin has it. Other frameworks
/// have words.
fn of_shell(file: &FileText) -> usize {
    let words = count(file, r#"^\s*(?:@test\s|test_expect_success\s|it\s+["'])"#);
    let dir = file.word.rsplit_once('/').map_or("", |(dir, _)| dir);
    if 0 < words || Role::of(dir) != Some(Role::Tests) {
        return words;
    }
    let first = file.line(1);
    let shell = first.rsplit(['/', ' ']).next().unwrap_or_default().trim();
    let is_script = first.starts_with("#!") && matches!(shell, "sh" | "bash" | "dash" | "ksh" | "zsh");
    let is_helper =
        ["run", "setup", "teardown", "common", "helper", "build", "install", "util"].iter().any(|word| {
            let rest = file.name.strip_prefix(word);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
        });
    // One word may be the name of anything, and what has an ending is for others to call.
    let is_deep = !Role::Tests.begins_at(dir);
    let is_named = file.name.contains(' ') || is_deep && file.name.contains('_');
    let is_named = is_named && !file.name.contains('.');
    usize::from(is_script && !is_helper && is_named)
}

/// What a pattern finds, with the lines; the first group if it has one.
fn found(file: &FileText, pattern: &str) -> Vec<(String, usize)> {
    if pattern.is_empty() {
        return Vec::new();
    }
    let Some(pattern) = compiled(pattern) else { return Vec::new() };
    let lines = file.lines().filter_map(|(number, line)| {
        let all = pattern.captures(line)?;
        let name = all.get(1).map(|name| name.as_str().to_owned()).unwrap_or_default();
        Some((name, number))
    });
    lines.collect()
}

/// How many lines are tests; those with names by their names.
fn count(file: &FileText, pattern: &str) -> usize {
    let all = found(file, pattern);
    let unnamed = all.iter().filter(|(name, _)| name.is_empty()).count();
    let named: BTreeSet<&str> =
        all.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect();
    unnamed + named.len()
}

/// Patterns are compiled once.
fn compiled(pattern: &str) -> Option<Regex> {
    type Known = std::collections::BTreeMap<String, Regex>;
    static KNOWN: LazyLock<std::sync::Mutex<Known>> = LazyLock::new(Default::default);
    let mut known = KNOWN.lock().ok()?;
    if let Some(known) = known.get(pattern) {
        return Some(known.clone());
    }
    let regex = Regex::new(pattern).ok()?;
    known.insert(pattern.to_owned(), regex.clone());
    Some(regex)
}

/// The first words of a comment about a Haskell module that has a head of names: `Module : …`, `Copyright : …`.
fn behind_head(file: &FileText) -> Option<usize> {
    let opens = |line: &str| line.starts_with("{- |") || line.starts_with("{-|");
    let open = file.lines().take(HEAD).find(|(_, line)| opens(line))?.0;
    let is_head = |line: &str| {
        let name = line.split(':').next().unwrap_or_default().trim_end();
        line.is_empty()
            || line.contains(':') && name.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let words = (open + 1..open + HEAD).find(|number| !is_head(file.line(*number).trim()))?;
    (!file.line(words).contains("-}")).then_some(words)
}

fn says(file: &FileText, form: &Form) -> Option<Fact> {
    let of_head = if form.endings.contains(&".hs") { behind_head(file) } else { None };
    let mark = || file.find(form.says).filter(|line| !form.says.is_empty() && *line <= HEAD);
    // The words begin behind the mark, or in the next line.
    let begins = |mark: usize| {
        if file.line(mark).trim_end().ends_with(form.says.trim_end()) { mark + 1 } else { mark }
    };
    let first = of_head.or_else(|| mark().map(begins))?;
    // What stands behind the head of a module is about something in it.
    let head = found(file, form.module).first().map_or(HEAD, |(_, line)| *line);
    let is_inside = form.says.starts_with('@');
    if !is_inside && head < first {
        return None;
    }
    let (words, first, last) = sentence_at(file, first)?;
    let words = without_roles(words.trim_start_matches("| "));
    if is_boilerplate(&words) {
        return None;
    }
    let words = FactKind::OwnWords { text: clipped(&words, 300) };
    Some(file.fact(Reader::Source, words, vec![file.cite_lines(first, last)]))
}
