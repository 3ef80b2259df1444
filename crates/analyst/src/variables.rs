//! Which variables of the environment a program takes, by how its language asks for them.

use std::sync::LazyLock;

use regex::Regex;

use luminos_core::fact::{Fact, FactKind, Reader};

use super::eyes::FileText;
use super::rules::{Spoken, is_for_tests};

/// So many are told of one file.
const NAMES: usize = 12;

/// The variables that a source file takes, each with the first line that does.
pub(crate) fn taken(file: &FileText) -> Option<Fact> {
    static ASKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r#"(?x)
            (?: \bos\.environ\.get\( | \bos\.environ\[ | \b\w*getenv\w*\( | \bGetenv\( | \bLookupEnv\(
              | \benv::var(?:_os)?\( | \bENV\[ | \bENV\.fetch\( | \bSystem\.getenv\(
              | \bGetEnvironmentVariable\( | \bDeno\.env\.get\( | \bSystem\.get_env\( | (?:^|[\s=(])env\( )
            \s*["']([A-Z][A-Z0-9_]{1,60})["']
            | \bprocess\.env\.([A-Z][A-Z0-9_]{1,60})\b | \bimport\.meta\.env\.([A-Z][A-Z0-9_]{1,60})\b"#,
        )
        .ok()
    });
    // Most files take none, and all forms have one of these.
    let text = file.text.as_bytes();
    let may_take =
        ["env", "ENV", "Env"].iter().any(|word| memchr::memmem::find(text, word.as_bytes()).is_some());
    let is_wrapper = matches!(file.name.as_str(), "mvnw" | "gradlew");
    let is_shell = file.name.ends_with(".sh") || file.name.ends_with(".bash");
    if is_shell && !is_wrapper && !is_for_tests(&file.word) {
        return of_shell(file);
    }
    if !may_take || is_wrapper || is_for_tests(&file.word) {
        return None;
    }
    let asked = ASKED.as_ref()?;
    let mut found: Vec<(String, usize)> = Vec::new();
    let spoken = Spoken::of(file);
    for (number, line) in file.lines() {
        let comment = ["//", "#", "*", "--"].iter().any(|mark| line.trim_start().starts_with(mark));
        if comment || !(line.contains("env") || line.contains("ENV") || line.contains("Env")) {
            continue;
        }
        let plain = asked.captures_iter(line).filter_map(|taken| {
            let name = taken.iter().skip(1).flatten().next()?;
            let start = taken.get(0)?.start();
            // What a program only writes down, it does not take; what is put into a string, it does.
            let is_put_in = line[..start].ends_with('{');
            let is_asked = is_put_in || spoken.is_code(file.start_of(number) + start);
            is_asked.then(|| (name.as_str().to_owned(), number))
        });
        let by_constant = constants(file, line);
        for (name, line) in plain.chain(by_constant) {
            let is_new =
                !is_given(&name) && !name.ends_with('_') && !found.iter().any(|(known, _)| *known == name);
            if is_new && found.len() < NAMES {
                found.push((name, line));
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    let evidence = found.iter().map(|(name, line)| file.cite_words(*line, name)).collect();
    let names = found.into_iter().map(|(name, _)| name).collect();
    Some(file.fact(Reader::Source, FactKind::Variables { names }, evidence))
}

/// What a script of a shell takes: variables that it has a default for and never sets itself.
fn of_shell(file: &FileText) -> Option<Fact> {
    static ASKED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\$\{([A-Z][A-Z0-9_]{2,60}):?[-?=+]").ok());
    static SET: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?:^|[\s;(])(?:local |declare |typeset )*([A-Z][A-Z0-9_]{2,60})=").ok()
    });
    let (asked, set) = (ASKED.as_ref()?, SET.as_ref()?);
    let mut own: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    let mut found: Vec<(&str, usize)> = Vec::new();
    for (number, line) in file.lines() {
        if line.trim_start().starts_with('#') {
            continue;
        }
        if line.contains('=') {
            own.extend(set.captures_iter(line).filter_map(|found| Some(found.get(1)?.as_str())));
        }
        if line.contains("${") {
            let names = asked.captures_iter(line).filter_map(|found| Some(found.get(1)?.as_str()));
            found.extend(names.map(|name| (name, number)));
        }
    }
    // Those of the shell itself are given.
    let is_given = |name: &str| {
        is_given(name)
            || ["BASH", "ZSH", "KSH", "COMP_"].iter().any(|shell| name.starts_with(shell))
            || name == "IFS"
    };
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|(name, _)| !own.contains(name) && !is_given(name) && seen.insert(*name));
    found.truncate(NAMES);
    let evidence = found.iter().map(|(name, line)| file.cite_words(*line, name)).collect();
    let names: Vec<String> = found.iter().map(|(name, _)| (*name).to_owned()).collect();
    (!names.is_empty()).then(|| file.fact(Reader::Source, FactKind::Variables { names }, evidence))
}

/// Variables whose names stand in constants of the same file, each with the line that defines the constant.
fn constants(file: &FileText, line: &str) -> Vec<(String, usize)> {
    static ASKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"\b(?:os\.environ\.get|getenv|Getenv|LookupEnv|env::var(?:_os)?)\(\s*([A-Za-z_]\w{2,60})\s*[,)]|\bos\.environ\[([A-Za-z_]\w{2,60})\]",
        )
        .ok()
    });
    static VALUE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"["']([A-Z][A-Z0-9_]{1,60})["']"#).ok());
    let (Some(asked), Some(value)) = (ASKED.as_ref(), VALUE.as_ref()) else { return Vec::new() };
    let found = asked.captures_iter(line).filter_map(|asked| {
        let constant = asked.iter().skip(1).flatten().next()?.as_str();
        file.lines().find_map(|(number, line)| {
            let after = line.split_once(constant)?.1;
            // `#define NAME "X"`, `const NAME = "X"`, `NAME: &str = "X"`.
            let is_defined =
                after.starts_with([' ', '\t', ':', '=']) && !line.contains("nv(") && !line.contains("==");
            let name = value.captures(after).filter(|_| is_defined)?.get(1)?.as_str().to_owned();
            Some((name, number))
        })
    });
    found.collect()
}

/// What every process is given by its system.
fn is_given(name: &str) -> bool {
    // Examples in comments.
    ["YOUR", "MY_", "CARGO_", "GITHUB_"].iter().any(|word| name.starts_with(word))
        || matches!(
            name,
            "PATH"
                | "HOME"
                | "USER"
                | "LANG"
                | "TERM"
                | "SHELL"
                | "PWD"
                | "TMPDIR"
                | "TEMP"
                | "TMP"
                | "LC_ALL"
                | "EDITOR"
                | "VISUAL"
                | "PAGER"
                | "DISPLAY"
                | "COLUMNS"
                | "LINES"
                | "USERPROFILE"
                | "APPDATA"
                | "LOCALAPPDATA"
                | "XDG_CONFIG_HOME"
                | "XDG_CACHE_HOME"
                | "XDG_DATA_HOME"
                | "XDG_RUNTIME_DIR"
                | "XDG_STATE_HOME"
                | "CI"
                | "SHLVL"
                | "TERM_PROGRAM"
        )
}
