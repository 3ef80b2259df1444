//! Which variables of the environment a program takes, by how its language asks for them.

use std::sync::LazyLock;

use regex::Regex;

use super::eyes::FileText;
use super::finding::Finding;
use super::rules::is_for_tests;
use super::statement::Statement;

/// So many are told of one file.
const NAMES: usize = 12;

/// The variables that a source file takes, each with the first line that does.
pub(crate) fn taken(file: &FileText) -> Option<Finding> {
    static ASKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r#"(?x)
            (?: \bos\.environ\.get\( | \bos\.environ\[ | \bgetenv\( | \bGetenv\( | \bLookupEnv\(
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
    if !may_take || is_wrapper || is_for_tests(&file.word) {
        return None;
    }
    let asked = ASKED.as_ref()?;
    let mut found: Vec<(String, usize)> = Vec::new();
    for (number, line) in file.lines() {
        let comment = ["//", "#", "*", "--"].iter().any(|mark| line.trim_start().starts_with(mark));
        if comment || !(line.contains("env") || line.contains("ENV") || line.contains("Env")) {
            continue;
        }
        for taken in asked.captures_iter(line) {
            let name = taken.iter().skip(1).flatten().next().map(|name| name.as_str().to_owned());
            let Some(name) = name.filter(|name| !is_given(name)) else { continue };
            if !found.iter().any(|(known, _)| *known == name) && found.len() < NAMES {
                found.push((name, number));
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    let evidence = found.iter().map(|(name, line)| file.cite_words(*line, name)).collect();
    let names = found.into_iter().map(|(name, _)| name).collect();
    Some(Finding { statement: Statement::Takes { path: file.word.clone(), names }, evidence })
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
                | "CI"
                | "NODE_ENV"
        )
}
