//! What comments say: their first sentence, without marks and tags, and whether it is about the file.

use std::sync::LazyLock;

use luminos_tools::structure::{Language, Source};
use regex::Regex;

use crate::eyes::FileText;
use crate::words::first_sentence;

/// A comment's first sentence is looked for in so many lines.
const SENTENCE_LINES: usize = 5;

/// Words without backticks and without the roles of reStructuredText: `:class:` before a name.
pub(super) fn without_roles(words: &str) -> String {
    static ROLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r":[a-z:]+:`~?([^`<]+?)(?: <[^`]*>)?`").ok());
    let plain = match ROLE.as_ref() {
        Some(role) => role.replace_all(words, "$1"),
        None => words.into(),
    };
    without_links(&without_tags(&plain.replace('`', "")))
}

/// Words without the marks of links: `[Hub]`, `[hubs][Hub]`, `[hubs](url)`.
fn without_links(words: &str) -> String {
    static LINK: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(^|[\s(])\[([A-Za-z][^\[\]]*)\](?:\[[^\[\]]*\]|\([^()\s]*\))?").ok());
    if !words.contains('[') {
        return words.to_owned();
    }
    LINK.as_ref().map_or_else(|| words.to_owned(), |link| link.replace_all(words, "$1$2").into_owned())
}

/// Words without the tags that comments of Java and C# are written with; what they name stays.
fn without_tags(words: &str) -> String {
    static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"<(?:see|seealso|paramref|typeparamref)\s+(?:cref|name|langword)="(?:[A-Z]:)?([^"]*)"\s*/>|\{@(?:link|linkplain|code)\s+#?([^}]*)\}"#).ok()
    });
    static TAGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)</?(?:code|p|b|i|em|strong|tt|c|para|summary|remarks|pre|br|ul|li|a)(?:\s[^<>]*)?/?>",
        )
        .ok()
    });
    if !words.contains(['<', '{']) {
        return words.to_owned();
    }
    let named = NAMES.as_ref().map_or_else(|| words.into(), |names| names.replace_all(words, "$1$2"));
    // What follows about parameters of types is another sentence.
    let named = named.split("<typeparam").next().unwrap_or_default().to_owned();
    let named = std::borrow::Cow::from(named);
    let plain = TAGS.as_ref().map_or_else(|| named.clone(), |tags| tags.replace_all(&named, ""));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first sentence of the comment at a line, and the lines it takes.
pub(super) fn sentence_at(file: &FileText, first: usize) -> Option<(String, usize, usize)> {
    let mark = mark_of(file.line(first).trim_start());
    let mut words = String::new();
    let mut last = first;
    for number in first..first + SENTENCE_LINES {
        let line = file.line(number).trim();
        let goes_on = number == first || (!line.is_empty() && (mark.is_empty() || line.starts_with(mark)));
        if !goes_on || (1 < number && file.line_count() < number) {
            break;
        }
        let text = bare(line);
        if text.is_empty() && number != first {
            break;
        }
        words = format!("{words} {text}").trim().to_owned();
        last = number;
        let is_whole = first_sentence(&words).len() < words.len() || words.ends_with(['.', '!', '?']);
        let closes = ["*/", "-->", "]]"].iter().any(|end| line.ends_with(end));
        let closes = closes || (line.len() > 3 && (line.ends_with("\"\"\"") || line.ends_with("'''")));
        if is_whole || closes {
            break;
        }
    }
    let sentence = first_sentence(&words).to_owned();
    Some((sentence, first, last))
}

/// Whether a comment at the head of a file is about the file: where the language has no form for that, a comment that
/// stands right before something is about that thing.
pub(super) fn is_about_the_file(file: &FileText, source: &Source, first: usize, last: usize) -> bool {
    let line = file.line(first).trim_start();
    if source.language == Language::Go {
        // Only the comment right before the package is about it.
        let mut next = last + 1;
        if line.starts_with("/*") {
            next =
                (first..=file.line_count()).find(|number| file.line(*number).contains("*/")).unwrap_or(last)
                    + 1;
        }
        while file.line(next).trim_start().starts_with("//") || file.line(next).trim_start().starts_with('*')
        {
            next += 1;
        }
        return file.line(next).starts_with("package ");
    }
    let is_python = source.language == Language::Python && line.starts_with(['"', '\'', 'r', 'u']);
    let is_rust = source.language == Language::Rust && (line.starts_with("//!") || line.starts_with("/*!"));
    if is_python || is_rust {
        return true;
    }
    let is_comment = |line: &str| {
        ["//", "#", "--", ";", "*", "/*", "\"", "%", "<!--"].iter().any(|mark| line.starts_with(mark))
            && !["#include", "#define", "#if", "#pragma"].iter().any(|word| line.starts_with(word))
    };
    // What stands further down is about something there.
    let is_head = |line: &str| line.is_empty() || is_comment(line) || line.starts_with("<?");
    if !(1..first).all(|number| is_head(file.line(number).trim())) {
        return false;
    }
    let closed = ["*/", "-->", "]]"];
    let mut next = last + 1;
    if !closed.iter().any(|end| file.line(last).trim_end().ends_with(end)) {
        while next <= file.line_count() && is_comment(file.line(next).trim()) {
            next += 1;
        }
    }
    let line = file.line(next).trim();
    let opens = [
        "#include", "import", "package", "use ", "using ", "require", "from ", "const ", "local ", "module",
        "#pragma",
    ];
    // A note right before an import of Python or a shell is about that import.
    let is_scripted = matches!(source.language, Language::Python | Language::Bash | Language::Ruby);
    line.is_empty() || !is_scripted && opens.iter().any(|word| line.starts_with(word))
}

fn mark_of(line: &str) -> &'static str {
    ["//!", "///", "//", "#", "--", ";;;", ";;", ";", "%", "\" "]
        .into_iter()
        .find(|mark| line.starts_with(mark))
        .unwrap_or_default()
}

/// A line of a comment without its marks.
fn bare(line: &str) -> &str {
    let line = line.trim_end_matches("*/").trim_end_matches("-->").trim_end();
    let line = line.trim_end_matches("\"\"\"").trim_end_matches("'''");
    let mut line = line.trim();
    for mark in [
        "//!", "///", "//", "/**", "/*!", "/*", "<!--", "r\"\"\"", "\"\"\"", "'''", "--[[", "---", "--",
        ";;;", ";;", ";", "#", "*", "%", "\" ",
    ] {
        if let Some(rest) = line.strip_prefix(mark) {
            line = rest.trim_start_matches(['*', '/', '#', '-', '!', ';']).trim();
            break;
        }
    }
    // A line that is drawn around words is none of them.
    let line = line.trim_end_matches(" ###").trim_end_matches(" ===").trim_start_matches("### ").trim();
    // The first item of a list reads as well without its mark.
    line.strip_prefix("- ").unwrap_or(line)
}

/// Words that stand at the head of many files and say nothing about the one.
pub(super) fn is_boilerplate(words: &str) -> bool {
    let lower = words.to_lowercase();
    let marks = [
        "copyright",
        "some of this code was",
        "spdx",
        "licensed under",
        "license",
        "this file is part of",
        "all rights reserved",
        "free software",
        "permission is hereby",
        "-*-",
        "vim:",
        "eslint",
        "pylint",
        "flake8",
        "noqa",
        "prettier",
        "generated",
        "do not edit",
        "coding:",
        "@ts-",
        "use strict",
        "go:build",
        "+build",
        "clang-format",
        "http://",
        "https://",
        "@flow",
        "type: ignore",
        "redistribution",
        " @",
        "@field",
        "@param",
        "@class",
        "@file",
        "author:",
        "see http",
        "mypy:",
        "shellcheck",
    ];
    // Notes from those who write it to each other.
    let begins = [
        "todo",
        "fixme",
        "xxx",
        "hack",
        "note:",
        "avoid ",
        "ignore ",
        "disable",
        "workaround",
        "import ",
        "imports ",
        "don't ",
        "do not ",
        "we ",
        "make sure",
        "keep ",
        "needed ",
        "required ",
        "this is needed",
        "see ",
        "#region",
        "region ",
        "constants",
        "globals",
        "jshint",
        "jslint",
        "istanbul",
        "rubocop",
        "frozen_string_literal",
        "nolint",
        "cspell",
        "standard ",
        "third-party",
        "third party",
    ];
    begins.iter().any(|word| lower.starts_with(word))
        || marks.iter().any(|mark| lower.contains(mark))
        || words.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() < 3
}
