//! What manifests declare: packages, parts, dependencies, commands, licences.

use serde_json::Value;

use super::eyes::FileText;
use super::finding::Finding;
use super::statement::Statement;
use super::words::{clipped, first_sentence};

/// So many names of one kind are told.
const NAMES: usize = 12;

/// What a file declares, if it is a manifest of a known kind.
pub(crate) fn findings(file: &FileText) -> Vec<Finding> {
    match file.name.as_str() {
        "Cargo.toml" => toml_findings(file, "Rust crate", &["package"]),
        "pyproject.toml" => toml_findings(file, "Python package", &["project", "tool.poetry"]),
        "package.json" => json_findings(file, "npm package"),
        "composer.json" => json_findings(file, "PHP package"),
        "go.mod" => go_mod(file),
        "CMakeLists.txt" => call_of(file, "project(", "CMake project"),
        "setup.py" => setup_py(file),
        "pom.xml" => pom(file),
        "Makefile" | "makefile" | "GNUmakefile" => targets(file),
        "justfile" | "Justfile" => targets(file).into_iter().map(|found| renamed(found, "recipes")).collect(),
        "requirements.txt" => requirements(file),
        "Gemfile" => gems(file),
        "Dockerfile" | "Containerfile" => images(file),
        name if is_licence(name) => licence(file).into_iter().collect(),
        name if name.ends_with(".gemspec") => gemspec(file),
        _ => Vec::new(),
    }
}

/// Whether a file declares what the directory is.
pub(crate) fn is_manifest(name: &str) -> bool {
    let known = [
        "Cargo.toml",
        "pyproject.toml",
        "package.json",
        "composer.json",
        "go.mod",
        "CMakeLists.txt",
        "setup.py",
        "pom.xml",
        "Makefile",
        "makefile",
        "GNUmakefile",
        "justfile",
        "Justfile",
        "requirements.txt",
        "Gemfile",
        "Dockerfile",
        "Containerfile",
    ];
    known.contains(&name) || is_licence(name) || name.ends_with(".gemspec")
}

fn is_licence(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["LICENSE", "LICENCE", "COPYING"].iter().any(|word| name.starts_with(word))
}

/// A statement with the first line that shows each of its words.
fn shown(file: &FileText, statement: Statement, words: &[&str]) -> Option<Finding> {
    let mut evidence = Vec::new();
    for word in words {
        let line = file.find(word)?;
        evidence.push(file.cite_lines(line, line));
    }
    evidence.dedup();
    Some(Finding { statement, evidence })
}

fn declares(file: &FileText, kind: &str, name: &str, version: Option<&str>) -> Option<Finding> {
    let statement = Statement::Declares {
        path: file.word.clone(),
        kind: kind.to_owned(),
        name: name.to_owned(),
        version: version.map(str::to_owned),
    };
    let words: Vec<&str> = std::iter::once(name).chain(version).collect();
    shown(file, statement, &words)
}

fn describes(file: &FileText, words: &str) -> Option<Finding> {
    let line = file.find(words.lines().next().unwrap_or_default())?;
    let words = clipped(first_sentence(words), 300).replace('`', "");
    let statement = Statement::Describes { path: file.word.clone(), words };
    Some(Finding { statement, evidence: vec![file.cite_lines(line, line)] })
}

fn licence_of(file: &FileText, name: &str) -> Option<Finding> {
    shown(file, Statement::Licence { path: file.word.clone(), name: name.to_owned() }, &[name])
}

fn needs(file: &FileText, names: Vec<String>) -> Option<Finding> {
    named(file, names, |path, names| Statement::Needs { path, names })
}

fn offers(file: &FileText, noun: &str, names: Vec<String>) -> Option<Finding> {
    let noun = noun.to_owned();
    named(file, names, |path, names| Statement::Offers { path, noun, names })
}

/// A statement about names, each with the line it stands in.
fn named(
    file: &FileText,
    mut names: Vec<String>,
    statement: impl FnOnce(String, Vec<String>) -> Statement,
) -> Option<Finding> {
    names.retain(|name| !name.contains('`'));
    names.truncate(NAMES);
    if names.is_empty() {
        return None;
    }
    let words = names.clone();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    shown(file, statement(file.word.clone(), names), &words)
}

fn toml_findings(file: &FileText, kind: &str, places: &[&str]) -> Vec<Finding> {
    let Ok(table) = file.text.parse::<toml::Table>() else { return Vec::new() };
    let at = |place: &str| {
        let mut at = &table;
        for step in place.split('.') {
            at = at.get(step)?.as_table()?;
        }
        Some(at)
    };
    let mut found = Vec::new();
    for package in places.iter().filter_map(|place| at(place)) {
        let text = |key: &str| package.get(key).and_then(toml::Value::as_str);
        if let Some(name) = text("name") {
            found.extend(declares(file, kind, name, text("version")));
        }
        found.extend(text("description").and_then(|words| describes(file, words)));
        found.extend(text("license").and_then(|name| licence_of(file, name)));
        let scripts = package.get("scripts").and_then(toml::Value::as_table);
        found.extend(scripts.and_then(|scripts| offers(file, "programs", scripts.keys().cloned().collect())));
        if let Some(listed) = package.get("dependencies").and_then(toml::Value::as_array) {
            let names = listed.iter().filter_map(toml::Value::as_str).map(requirement).collect();
            found.extend(needs(file, names));
        }
    }
    let members =
        at("workspace").and_then(|workspace| workspace.get("members")).and_then(toml::Value::as_array);
    if let Some(members) = members {
        let names = members.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect();
        found.extend(named(file, names, |path, names| Statement::Members { path, names }));
    }
    for place in ["dependencies", "tool.poetry.dependencies", "workspace.dependencies"] {
        let names = at(place).map(|table| table.keys().filter(|key| *key != "python").cloned().collect());
        found.extend(names.and_then(|names| needs(file, names)));
    }
    let bins = table.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
    let bins = bins.filter_map(|bin| bin.get("name")?.as_str()).map(str::to_owned).collect();
    found.extend(offers(file, "programs", bins));
    found
}

fn json_findings(file: &FileText, kind: &str) -> Vec<Finding> {
    let Ok(Value::Object(table)) = serde_json::from_str::<Value>(&file.text) else { return Vec::new() };
    let text = |key: &str| table.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let keys = |key: &str| -> Vec<String> {
        table
            .get(key)
            .and_then(Value::as_object)
            .map(|object| object.keys().cloned().collect())
            .unwrap_or_default()
    };
    let mut found = Vec::new();
    if let Some(name) = text("name") {
        found.extend(declares(file, kind, name, text("version")));
    }
    found.extend(text("description").and_then(|words| describes(file, words)));
    found.extend(text("license").and_then(|name| licence_of(file, name)));
    found.extend(offers(file, "scripts", keys("scripts")));
    found.extend(offers(file, "programs", keys("bin")));
    let mut dependencies = keys("dependencies");
    dependencies.extend(keys("require"));
    found.extend(needs(file, dependencies));
    let workspaces = table.get("workspaces").and_then(Value::as_array).into_iter().flatten();
    let workspaces = workspaces.filter_map(Value::as_str).map(str::to_owned).collect();
    found.extend(named(file, workspaces, |path, names| Statement::Members { path, names }));
    found
}

fn go_mod(file: &FileText) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut names = Vec::new();
    let mut is_required = false;
    for (_, line) in file.lines() {
        let line = line.trim();
        if let Some(module) = line.strip_prefix("module ") {
            found.extend(declares(file, "Go module", module.trim_matches('"').trim(), None));
        }
        match line {
            "require (" => is_required = true,
            ")" => is_required = false,
            line if is_required && !line.ends_with("// indirect") => {
                names.extend(line.split_whitespace().next().map(str::to_owned));
            }
            _ => {}
        }
    }
    found.extend(needs(file, names));
    found
}

/// The first argument of a call, as in `project(name …)`.
fn call_of(file: &FileText, call: &str, kind: &str) -> Vec<Finding> {
    let line = file.lines().find(|(_, line)| line.trim_start().to_ascii_lowercase().starts_with(call));
    let Some((_, line)) = line else { return Vec::new() };
    let inside = line.trim_start().get(call.len()..).unwrap_or_default();
    let name = inside.split([' ', ')', '\t']).find(|word| !word.is_empty()).unwrap_or_default();
    if name.is_empty() || name.starts_with('$') {
        return Vec::new();
    }
    declares(file, kind, name, None).into_iter().collect()
}

fn setup_py(file: &FileText) -> Vec<Finding> {
    let argument = |name: &str| {
        file.lines().find_map(|(_, line)| {
            let value = line.trim().strip_prefix(name)?.trim_start().strip_prefix('=')?.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            value[1..].split(quote).next().filter(|value| !value.is_empty())
        })
    };
    let mut found = Vec::new();
    if let Some(name) = argument("name") {
        found.extend(declares(file, "Python package", name, argument("version")));
    }
    found.extend(argument("description").and_then(|words| describes(file, words)));
    found
}

fn pom(file: &FileText) -> Vec<Finding> {
    let own = match (file.text.find("<parent>"), file.text.find("</parent>")) {
        (Some(_), Some(end)) => &file.text[end..],
        _ => file.text.as_str(),
    };
    let element =
        |name: &str| own.split_once(&format!("<{name}>"))?.1.split_once("</").map(|(text, _)| text.trim());
    let mut found = Vec::new();
    if let Some(name) = element("artifactId") {
        found.extend(declares(file, "Maven project", name, None));
    }
    found.extend(
        element("description").filter(|words| !words.contains('<')).and_then(|words| describes(file, words)),
    );
    found
}

/// What can be made. Names of files and patterns are no commands.
fn targets(file: &FileText) -> Vec<Finding> {
    let mut names: Vec<String> = Vec::new();
    for (_, line) in file.lines() {
        let Some((before, after)) = line.split_once(':') else { continue };
        let is_rule = !after.starts_with('=') && !line.starts_with(['\t', ' ', '#', '.']);
        let is_name = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        if is_rule {
            let new = before.split_whitespace().filter(|name| is_name(name)).map(str::to_owned);
            names.extend(new);
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    // What people call most comes first: a long list is cut.
    let rank = |name: &String| {
        let usual =
            ["all", "build", "test", "check", "run", "install", "lint", "format", "docs", "doc", "clean"];
        usual.iter().position(|usual| name == usual).unwrap_or(usual.len())
    };
    names.sort_by_key(rank);
    offers(file, "targets", names).into_iter().collect()
}

fn renamed(mut found: Finding, new: &str) -> Finding {
    if let Statement::Offers { noun, .. } = &mut found.statement {
        *noun = new.to_owned();
    }
    found
}

fn requirement(line: &str) -> String {
    line.split(['=', '<', '>', '~', '!', ' ', ';', '[', '@']).next().unwrap_or_default().to_owned()
}

fn requirements(file: &FileText) -> Vec<Finding> {
    let lines = file.lines().map(|(_, line)| line.trim()).filter(|line| !line.starts_with(['#', '-']));
    needs(file, lines.map(requirement).filter(|name| !name.is_empty()).collect()).into_iter().collect()
}

fn gems(file: &FileText) -> Vec<Finding> {
    let gem = |line: &str| Some(line.trim().strip_prefix("gem ")?.split(['"', '\'']).nth(1)?.to_owned());
    needs(file, file.lines().filter_map(|(_, line)| gem(line)).collect()).into_iter().collect()
}

fn gemspec(file: &FileText) -> Vec<Finding> {
    let field = |name: &str| {
        file.lines().find_map(|(_, line)| {
            let (before, value) = line.split_once('=')?;
            before.trim().ends_with(name).then(|| value.split(['"', '\'']).nth(1))?
        })
    };
    let mut found = Vec::new();
    found.extend(field(".name").and_then(|name| declares(file, "Ruby gem", name, None)));
    found.extend(field(".summary").and_then(|words| describes(file, words)));
    found
}

fn images(file: &FileText) -> Vec<Finding> {
    let image = |line: &str| {
        let rest = line.trim().strip_prefix("FROM ")?;
        rest.split_whitespace().find(|word| !word.starts_with("--")).map(str::to_owned)
    };
    let mut names: Vec<String> = file.lines().filter_map(|(_, line)| image(line)).collect();
    names.dedup();
    needs(file, names).into_iter().collect()
}

/// Licences by words that stand in their texts.
const LICENCES: &[(&str, &str)] = &[
    ("Apache License", "Apache License"),
    ("GNU AFFERO GENERAL PUBLIC LICENSE", "GNU AFFERO GENERAL PUBLIC LICENSE"),
    ("GNU LESSER GENERAL PUBLIC LICENSE", "GNU LESSER GENERAL PUBLIC LICENSE"),
    ("GNU GENERAL PUBLIC LICENSE", "GNU GENERAL PUBLIC LICENSE"),
    ("Mozilla Public License", "Mozilla Public License"),
    ("MIT License", "MIT License"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD"),
    ("This is free and unencumbered software released into the public domain", "Unlicense"),
    ("ISC License", "ISC License"),
];

fn licence(file: &FileText) -> Option<Finding> {
    let found = LICENCES.iter().filter_map(|(words, name)| Some((file.find(words)?, *words, *name)));
    let (line, words, name) = found.min_by_key(|(line, _, _)| *line)?;
    let statement = Statement::Licence { path: file.word.clone(), name: name.to_owned() };
    Some(Finding { statement, evidence: vec![file.cite_words(line, words)] })
}
