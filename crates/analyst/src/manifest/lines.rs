//! Manifests that are known by patterns of their lines.

use std::sync::LazyLock;

use regex::Regex;

use super::{NAMES, at, is_plain};
use crate::eyes::FileText;
use crate::finding::Finding;
use crate::purpose::Purpose;
use crate::statement::Statement;

pub(super) fn is_known(name: &str) -> bool {
    is_recipes(name) || matches!(name, "Rakefile" | "pnpm-workspace.yaml") || name.ends_with(".sln")
}

fn is_recipes(name: &str) -> bool {
    matches!(name, "justfile" | "Justfile" | ".justfile")
}

pub(super) fn findings(file: &FileText) -> Vec<Finding> {
    match file.name.as_str() {
        name if is_recipes(name) => {
            static RECIPE: LazyLock<Option<Regex>> =
                LazyLock::new(|| Regex::new(r"^([a-z][\w-]*)[^:=]*:($|[^=])").ok());
            tasks(file, matches(file, RECIPE.as_ref()), "recipes", "just")
        }
        "Rakefile" => {
            // A task of tests without a name is called so.
            static UNNAMED: LazyLock<Option<Regex>> =
                LazyLock::new(|| Regex::new(r"^\S*(Test)Task\.(?:new|create)\s*(?:#|do|$)").ok());
            static TASK: LazyLock<Option<Regex>> = LazyLock::new(|| {
                Regex::new(r#"^(?:task|\S*Task\.(?:new|create))[ (]\s*:?['"]?([\w:]+)"#).ok()
            });
            let unnamed =
                matches(file, UNNAMED.as_ref()).into_iter().map(|(_, line)| ("test".to_owned(), line));
            let names = unnamed.chain(matches(file, TASK.as_ref())).filter(|(name, _)| !name.ends_with(':'));
            tasks(file, names.collect(), "tasks", "rake")
        }
        "pnpm-workspace.yaml" => {
            static MEMBER: LazyLock<Option<Regex>> =
                LazyLock::new(|| Regex::new(r#"^\s*-\s*['"]?([^'"\s!][^'"]*)"#).ok());
            // Other lists of the file name other things.
            let keys = file
                .lines()
                .filter(|(_, line)| line.contains(':') && !line.starts_with([' ', '-', '#', '\t']));
            let keys: Vec<(usize, &str)> = keys.collect();
            let is_member = |line: u32| {
                let above = keys.iter().rev().find(|(number, _)| *number < line as usize);
                above.is_some_and(|(_, key)| key.trim_start().starts_with("packages:"))
            };
            let names =
                matches(file, MEMBER.as_ref()).into_iter().filter(|(_, line)| is_member(*line)).collect();
            named(file, names, |path, names| Statement::Members { path, names }).into_iter().collect()
        }
        name if name.ends_with(".sln") => {
            static PROJECT: LazyLock<Option<Regex>> = LazyLock::new(|| {
                Regex::new(r#"^Project\("[^"]*"\) = "[^"]*", "([^"]*[\\/][^"]*proj)""#).ok()
            });
            let names = matches(file, PROJECT.as_ref()).into_iter().map(|(path, line)| {
                let path = path.replace('\\', "/");
                (path.rsplit_once('/').map_or(path.clone(), |(dir, _)| dir.to_owned()), line)
            });
            named(file, names.collect(), |path, names| Statement::Members { path, names })
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What a pattern finds in each line, with the line.
fn matches(file: &FileText, pattern: Option<&Regex>) -> Vec<(String, u32)> {
    let Some(pattern) = pattern else { return Vec::new() };
    let found = file.lines().filter_map(|(line, text)| {
        let words = pattern.captures(text)?.get(1)?.as_str().trim().to_owned();
        Some((words, u32::try_from(line).ok()?))
    });
    found.filter(|(words, _)| is_plain(words)).take(400).collect()
}

fn named(
    file: &FileText,
    mut names: Vec<(String, u32)>,
    statement: impl FnOnce(String, Vec<String>) -> Statement,
) -> Option<Finding> {
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|(name, _)| seen.insert(name.clone()));
    names.truncate(NAMES * 2);
    let lines: Vec<u32> = names.iter().map(|(_, line)| *line).collect();
    at(file, statement(file.word.clone(), names.into_iter().map(|(name, _)| name).collect()), lines)
}

/// Tasks, and those of them that everybody needs as commands.
fn tasks(file: &FileText, names: Vec<(String, u32)>, noun: &str, program: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for purpose in Purpose::ALL {
        let fitting =
            names.iter().filter(|(name, _)| Purpose::of_name(name) == Some(purpose) && name != "all");
        let is_plain = |name: &str| name == "test" || name == "build";
        let fitting = fitting.min_by_key(|(name, line)| (!is_plain(name), name.len(), *line));
        if let Some((name, line)) = fitting {
            let commands = vec![format!("{program} {name}")];
            found.extend(at(file, Statement::Runs { path: file.word.clone(), purpose, commands }, [*line]));
        }
    }
    let noun = noun.to_owned();
    found.extend(named(file, names, |path, names| Statement::Offers { path, noun, names }));
    found
}
