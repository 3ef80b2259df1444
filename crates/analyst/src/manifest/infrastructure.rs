//! What machines are made of: Terraform, Kubernetes and Ansible, by the lines that name things.

use std::sync::LazyLock;

use regex::Regex;

use super::{at, is_plain};
use crate::eyes::FileText;
use crate::finding::Finding;
use crate::statement::Statement;
use crate::words::{clipped, code, count, list, some_of};

/// So many names are told.
const SHOWN: usize = 5;
/// So many lines are cited.
const CITED: usize = 12;

/// What a file of this kind sets up.
pub(super) fn of_file(file: &FileText) -> Option<Finding> {
    let ending = file.name.rsplit_once('.').map(|(_, ending)| ending)?;
    let (words, lines) = match ending {
        "tf" => terraform(file)?,
        "yml" | "yaml" => kubernetes(file).or_else(|| ansible(file))?,
        _ => return None,
    };
    at(file, Statement::Holds { path: file.word.clone(), words }, lines.into_iter().take(CITED))
}

fn captures(file: &FileText, pattern: &LazyLock<Option<Regex>>) -> Vec<(Vec<String>, u32)> {
    let Some(pattern) = pattern.as_ref() else { return Vec::new() };
    let found = file.lines().filter_map(|(number, line)| {
        let found = pattern.captures(line)?;
        let parts = found.iter().skip(1).flatten().map(|part| part.as_str().to_owned()).collect();
        Some((parts, u32::try_from(number).ok()?))
    });
    found.collect()
}

fn terraform(file: &FileText) -> Option<(String, Vec<u32>)> {
    static BLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"^(resource|data|module|provider|variable|output)\s+"([\w-]+)"(?:\s+"[\w-]+")?\s*\{"#)
            .ok()
    });
    let blocks = captures(file, &BLOCK);
    let of = |kind: &str| -> Vec<String> {
        let named = blocks.iter().filter(|(parts, _)| parts.first().is_some_and(|first| first == kind));
        named.filter_map(|(parts, _)| parts.get(1)).map(|name| code(name)).collect()
    };
    let mut told = Vec::new();
    let resources = of("resource");
    if !resources.is_empty() {
        let mut kinds = resources.clone();
        kinds.dedup();
        told.push(format!("{} ({})", count(resources.len() as u64, "resource"), some_of(&kinds, SHOWN)));
    }
    for (kind, noun) in [("module", "module"), ("provider", "provider")] {
        let names = of(kind);
        if !names.is_empty() {
            let noun = if names.len() == 1 { noun.to_owned() } else { format!("{noun}s") };
            told.push(format!("the {noun} {}", some_of(&names, SHOWN)));
        }
    }
    for (kind, noun) in [("variable", "variable"), ("output", "output")] {
        let names = of(kind);
        if !names.is_empty() {
            told.push(format!("{} ({})", count(names.len() as u64, noun), some_of(&names, SHOWN)));
        }
    }
    let lines = blocks.iter().map(|(_, line)| *line).collect();
    (!told.is_empty()).then(|| (format!("Terraform with {}", list(&told)), lines))
}

fn kubernetes(file: &FileText) -> Option<(String, Vec<u32>)> {
    static KIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^kind:\s*([A-Z]\w+)\s*$").ok());
    static NAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^  name:\s*["']?([\w.-]+)["']?\s*$"#).ok());
    file.lines().find(|(_, line)| line.starts_with("apiVersion:"))?;
    let names = captures(file, &NAME);
    let mut told = Vec::new();
    let mut lines = Vec::new();
    for (kind, line) in captures(file, &KIND) {
        let kind = kind.into_iter().next()?;
        // The name stands behind the kind, before the next document.
        let end = file.lines().find(|(number, text)| line < *number as u32 && text.starts_with("---"));
        let end = end.map_or(u32::MAX, |(number, _)| u32::try_from(number).unwrap_or(u32::MAX));
        let name = names.iter().find(|(_, at)| line < *at && *at < end).and_then(|(parts, _)| parts.first());
        told.push(match name.filter(|name| !name.contains('.')) {
            Some(name) => format!("{kind} {}", code(name)),
            None => kind,
        });
        lines.push(line);
    }
    let noun = if told.len() == 1 { "object" } else { "objects" };
    (!told.is_empty()).then(|| (format!("the Kubernetes {noun} {}", some_of(&told, SHOWN)), lines))
}

fn ansible(file: &FileText) -> Option<(String, Vec<u32>)> {
    static HOSTS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^(?:- |  )hosts:\s*["']?([\w,: -]+?)["']?\s*$"#).ok());
    static TASK: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^- name:\s*["']?([^"'{}]+?)["']?\s*$"#).ok());
    let tasks = captures(file, &TASK);
    let names: Vec<String> = tasks
        .iter()
        .filter_map(|(parts, _)| parts.first())
        .filter(|name| is_plain(name))
        .map(|name| format!("“{}”", clipped(name.replace(['“', '”'], "").trim_end_matches('.'), 60)))
        .collect();
    let hosts = captures(file, &HOSTS);
    if !hosts.is_empty() {
        let on: Vec<String> =
            hosts.iter().filter_map(|(parts, _)| parts.first()).map(|name| code(name)).collect();
        let called = if names.is_empty() { String::new() } else { format!(": {}", some_of(&names, SHOWN)) };
        let lines = hosts.iter().chain(&tasks).map(|(_, line)| *line).collect();
        return Some((format!("an Ansible playbook for {}{called}", some_of(&on, SHOWN)), lines));
    }
    let is_of_role = ["tasks", "handlers"].iter().any(|name| file.word.rsplit('/').nth(1) == Some(name));
    let lines = tasks.iter().map(|(_, line)| *line).collect();
    (is_of_role && !names.is_empty()).then(|| {
        let noun = if file.word.rsplit('/').nth(1) == Some("handlers") { "handler" } else { "task" };
        let all = count(tasks.len() as u64, &format!("Ansible {noun}"));
        // Inside of other words, these are no quotation of a whole.
        let names: Vec<String> = names.iter().map(|name| name.replace('“', "‘").replace('”', "’")).collect();
        (format!("{all}: {}", some_of(&names, SHOWN)), lines)
    })
}
