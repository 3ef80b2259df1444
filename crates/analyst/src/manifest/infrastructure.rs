//! What machines are made of: Terraform, Kubernetes and Ansible, by the lines that name things.

use std::sync::LazyLock;

use regex::Regex;

use luminos_core::fact::{Contents, Fact, FactKind, KubernetesObject};

use super::{at, is_plain};
use crate::eyes::FileText;
use crate::words::clipped;

/// So many lines are cited.
const CITED: usize = 12;

/// What a file of this kind sets up.
pub(super) fn of_file(file: &FileText) -> Option<Fact> {
    let ending = file.name.rsplit_once('.').map(|(_, ending)| ending)?;
    let (contents, lines) = match ending {
        "tf" => terraform(file)?,
        "yml" | "yaml" => kubernetes(file).or_else(|| ansible(file))?,
        _ => return None,
    };
    at(file, FactKind::Contents(contents), lines.into_iter().take(CITED))
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

fn terraform(file: &FileText) -> Option<(Contents, Vec<u32>)> {
    static BLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"^(resource|data|module|provider|variable|output)\s+"([\w-]+)"(?:\s+"[\w-]+")?\s*\{"#)
            .ok()
    });
    let blocks = captures(file, &BLOCK);
    let of = |kind: &str| -> Vec<String> {
        let named = blocks.iter().filter(|(parts, _)| parts.first().is_some_and(|first| first == kind));
        named.filter_map(|(parts, _)| parts.get(1)).cloned().collect()
    };
    let (resources, modules, providers) = (of("resource"), of("module"), of("provider"));
    let (variables, outputs) = (of("variable"), of("output"));
    let is_empty =
        [&resources, &modules, &providers, &variables, &outputs].iter().all(|names| names.is_empty());
    let lines = blocks.iter().map(|(_, line)| *line).collect();
    let contents = Contents::Terraform { resources, modules, providers, variables, outputs };
    (!is_empty).then_some((contents, lines))
}

fn kubernetes(file: &FileText) -> Option<(Contents, Vec<u32>)> {
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
        let name = name.filter(|name| !name.contains('.')).cloned();
        told.push(KubernetesObject { kind, name });
        lines.push(line);
    }
    (!told.is_empty()).then_some((Contents::Kubernetes { objects: told }, lines))
}

fn ansible(file: &FileText) -> Option<(Contents, Vec<u32>)> {
    static HOSTS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^(?:- |  )hosts:\s*["']?([\w,: -]+?)["']?\s*$"#).ok());
    static TASK: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^- name:\s*["']?([^"'{}]+?)["']?\s*$"#).ok());
    let tasks = captures(file, &TASK);
    let names: Vec<String> = tasks
        .iter()
        .filter_map(|(parts, _)| parts.first())
        .filter(|name| is_plain(name))
        .map(|name| clipped(name.replace(['“', '”'], "").trim_end_matches('.'), 60))
        .collect();
    let hosts = captures(file, &HOSTS);
    if !hosts.is_empty() {
        let on: Vec<String> = hosts.iter().filter_map(|(parts, _)| parts.first()).cloned().collect();
        let lines = hosts.iter().chain(&tasks).map(|(_, line)| *line).collect();
        return Some((Contents::Playbook { hosts: on, tasks: names }, lines));
    }
    let is_of_role = ["tasks", "handlers"].iter().any(|name| file.word.rsplit('/').nth(1) == Some(name));
    let lines = tasks.iter().map(|(_, line)| *line).collect();
    let are_handlers = file.word.rsplit('/').nth(1) == Some("handlers");
    let contents = Contents::AnsibleTasks { are_handlers, count: tasks.len() as u64, names };
    let has_names = matches!(&contents, Contents::AnsibleTasks { names, .. } if !names.is_empty());
    (is_of_role && has_names).then_some((contents, lines))
}
