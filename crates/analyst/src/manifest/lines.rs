//! Manifests that are known by patterns of their lines.

use std::sync::LazyLock;

use regex::Regex;

use luminos_core::fact::{Fact, FactKind, OfferKind, Purpose};

use super::{NAMES, at, describes, is_plain, licence};
use crate::eyes::FileText;
use crate::purpose;

/// A kind of manifest: which files, what it declares, and how its lines say what.
struct Form {
    is: fn(&str) -> bool,
    kind: &'static str,
    name: &'static str,
    version: &'static str,
    description: &'static str,
    licence: &'static str,
}

const FORMS: &[Form] = &[
    Form {
        is: |name| name == "setup.py",
        kind: "Python package",
        name: r#"^\s*name\s*=\s*["']([^"']+)"#,
        version: r#"^\s*version\s*=\s*["']([^"']+)"#,
        description: r#"^\s*description\s*=\s*["']([^"']+)"#,
        licence: r#"^\s*license\s*=\s*["']([^"']+)"#,
    },
    Form {
        is: |name| name == "mix.exs",
        kind: "Elixir application",
        name: r"^\s*app:\s*:(\w+)",
        version: r#"^\s*(?:@version|version:)\s*"([^"]+)"#,
        description: r#"^\s*description:\s*"([^"]+)"#,
        licence: r#"^\s*licenses:\s*\["([^"]+)"#,
    },
    Form {
        is: |name| name == "Package.swift",
        kind: "Swift package",
        name: r#"(?:^\s*|Package\(\s*)name:\s*"([^"]+)"#,
        version: "",
        description: "",
        licence: "",
    },
    Form {
        is: |name| name == "pubspec.yaml",
        kind: "Dart package",
        name: r"^name:\s*(\S+)",
        version: r"^version:\s*(\S+)",
        description: r#"^description:\s*['"]?([^'">|]+)"#,
        licence: "",
    },
    Form {
        is: |name| matches!(name, "deno.json" | "deno.jsonc"),
        kind: "Deno package",
        name: r#"^\s*"name":\s*"([^"]+)"#,
        version: r#"^\s*"version":\s*"([^"]+)"#,
        description: "",
        licence: r#"^\s*"license":\s*"([^"]+)"#,
    },
    Form {
        is: |name| name == "meson.build",
        kind: "Meson project",
        name: r"^project\(\s*'([^']+)",
        version: r"^\s*version\s*:\s*'([^']+)",
        description: "",
        licence: r"^\s*license\s*:\s*\[?\s*'([^']+)",
    },
    Form {
        is: |name| name == "build.sbt",
        kind: "sbt project",
        name: r#"^\s*(?:ThisBuild / )?name\s*:=\s*"([^"]+)"#,
        version: r#"^\s*(?:ThisBuild / )?version\s*:=\s*"([^"]+)"#,
        description: r#"^\s*description\s*:=\s*"([^"]+)"#,
        licence: "",
    },
    Form {
        is: |name| name.ends_with(".cabal"),
        kind: "Haskell package",
        name: r"(?i)^name:\s*(\S+)",
        version: r"(?i)^version:\s*(\S+)",
        description: r"(?i)^synopsis:\s*(.+)",
        licence: r"(?i)^license:\s*(\S+)",
    },
    Form {
        is: |name| name == "DESCRIPTION",
        kind: "R package",
        name: r"^Package:\s*(\S+)",
        version: r"^Version:\s*(\S+)",
        description: r"^Title:\s*(.+)",
        licence: r"^License:\s*(.+)",
    },
    Form {
        is: |name| name == "configure.ac",
        kind: "Autotools project",
        name: r"^AC_INIT\(\[?([^\],)]+)",
        version: r"^AC_INIT\([^,]+,\s*\[?([0-9][^\],)]*)",
        description: "",
        licence: "",
    },
    Form {
        is: |name| name == "shard.yml",
        kind: "Crystal shard",
        name: r"^name:\s*(\S+)",
        version: r"^version:\s*(\S+)",
        description: r"^description:\s*(\S.+)",
        licence: r"^license:\s*(\S+)",
    },
];

pub(super) fn is_known(name: &str) -> bool {
    FORMS.iter().any(|form| (form.is)(name))
        || is_recipes(name)
        || matches!(
            name,
            "Rakefile"
                | "phpunit.xml"
                | "phpunit.xml.dist"
                | "tox.ini"
                | "noxfile.py"
                | "pnpm-workspace.yaml"
                | "artisan"
                | "manage.py"
        )
        || name.ends_with(".sln")
        || name.ends_with(".slnx")
}

fn is_recipes(name: &str) -> bool {
    matches!(name, "justfile" | "Justfile" | ".justfile")
}

pub(super) fn findings(file: &FileText) -> Vec<Fact> {
    if let Some(form) = FORMS.iter().find(|form| (form.is)(&file.name)) {
        return of_form(file, form);
    }
    match file.name.as_str() {
        name if is_recipes(name) => {
            static RECIPE: LazyLock<Option<Regex>> =
                LazyLock::new(|| Regex::new(r"^([a-z][\w-]*)[^:=]*:($|[^=])").ok());
            tasks(file, matches(file, RECIPE.as_ref()), OfferKind::Recipes, "just")
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
            tasks(file, names.collect(), OfferKind::Tasks, "rake")
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
            named(file, names, |names| FactKind::Members { names }).into_iter().collect()
        }
        name if name.ends_with(".sln") => {
            static PROJECT: LazyLock<Option<Regex>> = LazyLock::new(|| {
                Regex::new(r#"^Project\("[^"]*"\) = "[^"]*", "([^"]*[\\/][^"]*proj)""#).ok()
            });
            let names = matches(file, PROJECT.as_ref()).into_iter().map(|(path, line)| {
                let path = path.replace('\\', "/");
                (path.rsplit_once('/').map_or(path.clone(), |(dir, _)| dir.to_owned()), line)
            });
            named(file, names.collect(), |names| FactKind::Members { names }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn of_form(file: &FileText, form: &Form) -> Vec<Fact> {
    let first = |pattern: &str| {
        let pattern = (!pattern.is_empty()).then(|| Regex::new(pattern).ok())?;
        matches(file, pattern.as_ref()).into_iter().next()
    };
    let mut found = Vec::new();
    if let Some((name, line)) = first(form.name) {
        let version = first(form.version);
        let lines = std::iter::once(line).chain(version.as_ref().map(|(_, line)| *line));
        let version = version.as_ref().map(|(version, _)| version.clone());
        let statement = FactKind::Package { kind: form.kind.to_owned(), name, version };
        found.extend(at(file, statement, lines));
    }
    found.extend(first(form.description).and_then(|(words, line)| describes(file, &words, line)));
    if let Some((name, line)) = first(form.licence) {
        let name = licence::usual(&name);
        found.extend(at(file, FactKind::Licence { name }, [line]));
    }
    if form.kind == "Haskell package" {
        static PROGRAM: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"(?i)^executable\s+([\w.-]+)").ok());
        found.extend(named(file, matches(file, PROGRAM.as_ref()), |names| FactKind::Offers {
            offer: OfferKind::Programs,
            names,
        }));
    }
    found
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
    fact: impl FnOnce(Vec<String>) -> FactKind,
) -> Option<Fact> {
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|(name, _)| seen.insert(name.clone()));
    names.truncate(NAMES * 2);
    let lines: Vec<u32> = names.iter().map(|(_, line)| *line).collect();
    at(file, fact(names.into_iter().map(|(name, _)| name).collect()), lines)
}

/// Tasks, and those of them that everybody needs as commands.
fn tasks(file: &FileText, names: Vec<(String, u32)>, offer: OfferKind, program: &str) -> Vec<Fact> {
    let mut found = Vec::new();
    for purpose in Purpose::ALL {
        let fitting =
            names.iter().filter(|(name, _)| purpose::of_name(name) == Some(purpose) && name != "all");
        let is_plain = |name: &str| name == "test" || name == "build";
        let fitting = fitting.min_by_key(|(name, line)| (!is_plain(name), name.len(), *line));
        if let Some((name, line)) = fitting {
            let commands = vec![format!("{program} {name}")];
            found.extend(at(file, FactKind::Commands { purpose, commands }, [*line]));
        }
    }
    found.extend(named(file, names, |names| FactKind::Offers { offer, names }));
    found
}
