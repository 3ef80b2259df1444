//! What runs by itself on installation, and what an installation leaves open: manifests beside their lock files.

use std::sync::LazyLock;

use luminos_core::flag::Severity;
use luminos_core::job::ListedFile;
use regex::Regex;

use super::Found;
use super::table::{INSTALL_HOOK, NO_LOCK};
use crate::eyes::FileText;

static HOOK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^\s*"(preinstall|install|postinstall)"\s*:\s*"([^"]*)"#).ok());
/// Words of a command that fetches or hides something.
static REACHES_OUT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\bcurl\b|\bwget\b|https?://|node\s+-e|base64|\b(?:ba)?sh\s+-c|powershell|\beval\b|\bnc\b",
    )
    .ok()
});
static FETCHES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"\burlopen\(|\burlretrieve\(|\brequests\.(?:get|post)\(|\breqwest::|\bureq::|\bcurl::|TcpStream::connect|Command::new\("(?:curl|wget)"\)|subprocess\.\w+\(\s*\[?\s*["'](?:curl|wget)"#,
    )
    .ok()
});

pub(super) fn look(file: &FileText, beside: &[ListedFile]) -> Vec<Found> {
    match file.name.as_str() {
        "package.json" => hooks(file).into_iter().chain(unlocked(file, beside)).collect(),
        "setup.py" => fetches(file, "Installing this package runs `setup.py`, which downloads something.")
            .into_iter()
            .collect(),
        "build.rs" => fetches(file, "Building this crate downloads something.").into_iter().collect(),
        "Cargo.toml" | "Gemfile" | "composer.json" | "go.mod" => unlocked(file, beside).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn hooks(file: &FileText) -> Option<Found> {
    if !file.text.contains("install\"") {
        return None;
    }
    let pattern = HOOK.as_ref()?;
    let (line, name, command) = file.lines().find_map(|(number, line)| {
        let captures = pattern.captures(line)?;
        Some((number, captures.get(1)?.as_str(), captures.get(2)?.as_str()))
    })?;
    let reaches_out = REACHES_OUT.as_ref().is_some_and(|words| words.is_match(command));
    let is_private = file.text.contains("\"private\": true");
    let (severity, finding) = match (reaches_out, is_private) {
        (true, _) => (
            Severity::Concern,
            format!("The `{name}` script runs by itself on installation, and fetches or hides what it runs."),
        ),
        (false, true) => return None,
        (false, false) => {
            (Severity::Info, format!("The `{name}` script runs by itself when this package is installed."))
        }
    };
    Some(Found { severity, ..Found::new(&INSTALL_HOOK, finding, vec![file.cite_lines(line, line)]) })
}

fn fetches(file: &FileText, finding: &str) -> Option<Found> {
    let pattern = FETCHES.as_ref()?;
    let (line, _) = file.lines().find(|(_, line)| {
        let start = line.trim_start();
        !start.starts_with('#') && !start.starts_with("//") && pattern.is_match(line)
    })?;
    Some(Found::new(&INSTALL_HOOK, finding.to_owned(), vec![file.cite_lines(line, line)]))
}

/// An application that needs packages and does not say which versions. Libraries leave that to whoever uses them.
fn unlocked(file: &FileText, beside: &[ListedFile]) -> Option<Found> {
    if file.word.contains('/') {
        // Parts of a workspace are locked at its top.
        return None;
    }
    let has = |names: &[&str]| {
        beside.iter().any(|other| other.name.to_utf8().is_some_and(|name| names.contains(&name)))
    };
    let holds = |word: &str| file.text.contains(word);
    let (needs_lock, locks, quote): (bool, &[&str], &str) = match file.name.as_str() {
        "package.json" => (
            holds("\"private\": true") && holds("\"dependencies\": {") && !holds("\"dependencies\": {}"),
            &[
                "package-lock.json",
                "npm-shrinkwrap.json",
                "yarn.lock",
                "pnpm-lock.yaml",
                "bun.lockb",
                "bun.lock",
            ],
            "\"dependencies\": {",
        ),
        "Cargo.toml" => (holds("[[bin]]") && holds("[dependencies]"), &["Cargo.lock"], "[dependencies]"),
        "Gemfile" => {
            let is_library = beside
                .iter()
                .any(|other| other.name.to_utf8().is_some_and(|name| name.ends_with(".gemspec")));
            (holds("gem ") && !is_library && !holds("gemspec"), &["Gemfile.lock", "gems.locked"], "gem ")
        }
        "composer.json" => (holds("\"type\": \"project\""), &["composer.lock"], "\"type\": \"project\""),
        "go.mod" => (holds("require"), &["go.sum"], "require"),
        _ => return None,
    };
    if !needs_lock || has(locks) {
        return None;
    }
    let line = file.find(quote)?;
    let finding = format!(
        "`{}` names packages, and there is no lock file beside it: two installations can differ.",
        file.name
    );
    Some(Found::new(&NO_LOCK, finding, vec![file.cite_lines(line, line)]))
}
