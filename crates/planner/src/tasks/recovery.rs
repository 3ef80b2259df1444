//! Policy recovery: which paths come along with commands, and what earlier tasks turned out to need.
//!
//! `.luminos/policy-recovery.json` adds to the rules below, or replaces them. Hints are paths that the judge or a person
//! allowed to earlier tasks after the fact; a task that resembles such a task gets them from the start.

mod hints;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use super::command::Command;
use super::word::words;
pub use hints::{Hint, HintApplication, MatchedHint, apply_hints};

words! {
    /// How readily a path outside of a task's own is allowed.
    RecoveryMode, "a recovery mode" {
        /// Only files that the task names.
        Conservative = "conservative",
        /// The usual build files of its commands as well.
        Balanced = "balanced",
        /// Every file that belongs to one of its commands as well.
        Aggressive = "aggressive",
    }
}

/// Commands that match bring these paths along.
#[derive(Debug, Clone)]
pub struct CommandRule {
    matcher: Matcher,
    /// The paths.
    pub paths: Vec<String>,
}

#[derive(Debug, Clone)]
enum Matcher {
    /// The program has one of these names.
    Programs(&'static [&'static str]),
    /// The command as text matches.
    Pattern(regex::Regex),
}

impl CommandRule {
    fn matches(&self, command: &Command) -> bool {
        match &self.matcher {
            Matcher::Programs(names) => {
                let inner = ["npx", "bundle", "uv", "poetry", "pdm", "env", "time"].contains(&command.name());
                names.contains(&command.name())
                    || inner && command.arguments.iter().any(|word| names.contains(&word.as_str()))
            }
            Matcher::Pattern(pattern) => pattern.is_match(&command.plain()),
        }
    }
}

/// Programs and the files that belong to them.
const RULES: &[(&[&str], &[&str])] = &[
    (&["make", "gmake"], &["Makefile", "makefile", "GNUmakefile"]),
    (&["just"], &["justfile"]),
    (&["cmake", "ctest"], &["CMakeLists.txt"]),
    (&["ninja"], &["build.ninja"]),
    (&["meson"], &["meson.build"]),
    (&["cargo"], &["Cargo.toml", "Cargo.lock"]),
    (&["go"], &["go.mod", "go.sum"]),
    (
        &["gradle", "gradlew"],
        &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties"],
    ),
    (&["mvn", "mvnw", "maven"], &["pom.xml"]),
    (&["bazel", "bazelisk"], &["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "BUILD.bazel"]),
    (&["npm", "npx", "pnpm", "yarn", "bun"], &["package.json"]),
    (&["deno"], &["deno.json", "deno.lock"]),
    (
        &["python", "python3", "pytest", "pip", "uv", "poetry", "tox", "nox", "hatch"],
        &["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt"],
    ),
    (&["bundle", "rake", "rspec", "rails"], &["Gemfile", "Gemfile.lock", "Rakefile"]),
    (&["composer", "phpunit", "php"], &["composer.json", "composer.lock", "phpunit.xml", "phpunit.xml.dist"]),
    (&["mix"], &["mix.exs", "mix.lock"]),
    (&["swift"], &["Package.swift", "Package.resolved"]),
    (&["sbt"], &["build.sbt"]),
    (&["dart", "flutter"], &["pubspec.yaml", "pubspec.lock"]),
    (&["dotnet"], &["Directory.Build.props", "global.json", "packages.lock.json"]),
    (&["zig"], &["build.zig", "build.zig.zon"]),
];

const SIGNAL_TOKENS: &[&str] = &[
    "make",
    "cmake",
    "ninja",
    "cargo",
    "gradle",
    "mvn",
    "meson",
    "gcc",
    "clang",
    "ld",
    "objdump",
    "readelf",
    "build",
    "compile",
    "link",
    "toolchain",
    "bootstrap",
    "setup",
    "npm",
    "pnpm",
    "yarn",
    "pytest",
    "tox",
    "bundle",
    "composer",
    "dotnet",
    "mix",
];
const SAFE_BASENAMES: &[&str] = &[
    "makefile",
    "cmakelists.txt",
    "build.ninja",
    "cargo.toml",
    "cargo.lock",
    "go.mod",
    "go.sum",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "gradle.properties",
    "pom.xml",
    "workspace",
    "workspace.bazel",
    "module.bazel",
    "build.bazel",
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "gemfile",
    "gemfile.lock",
    "composer.json",
    "composer.lock",
    "mix.exs",
    "mix.lock",
    "package.swift",
];
const SAFE_EXTENSIONS: &[&str] = &[".ld", ".lds"];
const SAFE_HIDDEN: &[&str] = &[".gitignore", ".env.example", ".dockerignore", ".editorconfig"];

/// What comes along with what.
#[derive(Debug, Clone)]
pub struct Recovery {
    /// How readily.
    pub mode: RecoveryMode,
    /// Paths that commands bring along.
    pub rules: Vec<CommandRule>,
    /// Words that tell of building.
    pub signal_tokens: Vec<String>,
    safe_basenames: Vec<String>,
    safe_extensions: Vec<String>,
    safe_hidden: Vec<String>,
}

impl Default for Recovery {
    fn default() -> Self {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let rules = RULES
            .iter()
            .map(|(names, paths)| CommandRule { matcher: Matcher::Programs(names), paths: list(paths) })
            .collect();
        Self {
            mode: RecoveryMode::Balanced,
            rules,
            signal_tokens: list(SIGNAL_TOKENS),
            safe_basenames: list(SAFE_BASENAMES),
            safe_extensions: list(SAFE_EXTENSIONS),
            safe_hidden: list(SAFE_HIDDEN),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct RawRecovery {
    mode: Option<RecoveryMode>,
    replace_default_command_driven_allowed_path_rules: bool,
    command_driven_allowed_path_rules: Vec<RawRule>,
    infra_signal_tokens: Vec<String>,
    safe_infra_file_basenames: Vec<String>,
    safe_infra_file_extensions: Vec<String>,
    safe_hidden_root_files: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    pattern: String,
    paths: Vec<String>,
}

/// Why a policy-recovery file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRecovery(String);

impl Recovery {
    /// Lays a file over these rules.
    pub fn over(mut self, json: &str) -> Result<Self, BadRecovery> {
        let raw: RawRecovery = serde_json::from_str(json).map_err(|error| BadRecovery(error.to_string()))?;
        self.mode = raw.mode.unwrap_or(self.mode);
        if raw.replace_default_command_driven_allowed_path_rules {
            self.rules.clear();
        }
        for rule in raw.command_driven_allowed_path_rules {
            let line = line_of(json, &rule.pattern);
            let bad = |why: String| BadRecovery(format!("line {line}: {why}"));
            let pattern = regex::RegexBuilder::new(&rule.pattern).case_insensitive(true).build();
            let pattern =
                pattern.map_err(|error| bad(format!("`{}` is no pattern: {error}", rule.pattern)))?;
            if rule.paths.is_empty() {
                return Err(bad(format!("the rule for `{}` names no paths", rule.pattern)));
            }
            let mut paths = Vec::new();
            for path in rule.paths {
                paths
                    .push(super::glob::plain(&path).map_err(|why| bad(format!("the path `{path}`: {why}")))?);
            }
            self.rules.push(CommandRule { matcher: Matcher::Pattern(pattern), paths });
        }
        let lower = |words: Vec<String>| words.into_iter().map(|word| word.trim().to_lowercase());
        super::task::add_new(&mut self.signal_tokens, lower(raw.infra_signal_tokens));
        super::task::add_new(&mut self.safe_basenames, lower(raw.safe_infra_file_basenames));
        let extensions = lower(raw.safe_infra_file_extensions)
            .map(|word| if word.starts_with('.') { word } else { format!(".{word}") });
        super::task::add_new(&mut self.safe_extensions, extensions);
        super::task::add_new(&mut self.safe_hidden, raw.safe_hidden_root_files);
        Ok(self)
    }

    /// The paths that a command brings along.
    pub fn paths_of(&self, command: &Command) -> impl Iterator<Item = &String> {
        let matching: Vec<&CommandRule> = self.rules.iter().filter(|rule| rule.matches(command)).collect();
        matching.into_iter().flat_map(|rule| &rule.paths)
    }

    /// Whether a path that a task changed without being allowed to may pass after all, and why.
    ///
    /// Only the files that the task names and the programs of its commands count: words of a title say nothing about files.
    pub fn allows(&self, task: &super::task::Task, path: &str) -> Option<&'static str> {
        if task.role == super::task::Role::Docser || super::glob::plain(path).as_deref() != Ok(path) {
            return None;
        }
        if task.context.files.iter().any(|file| file == path) {
            return Some("the task names this file");
        }
        let commands: Vec<Command> =
            task.commands.iter().filter_map(|text| Command::parse(text).ok()).collect();
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let belongs = |path: &str| {
            let mut paths = commands.iter().flat_map(|command| self.paths_of(command));
            paths.any(|own| own.eq_ignore_ascii_case(path))
        };
        let builds = || {
            let text = commands.iter().map(Command::plain).collect::<Vec<_>>().join("\n").to_lowercase();
            self.signal_tokens.iter().any(|token| super::roles::has_phrase(&text, token))
        };
        let small = name.to_lowercase();
        let is_linked = || self.safe_extensions.iter().any(|ending| small.ends_with(ending.as_str()));
        match self.mode {
            RecoveryMode::Conservative => None,
            RecoveryMode::Aggressive if belongs(path) => Some("it belongs to one of the task's commands"),
            RecoveryMode::Balanced | RecoveryMode::Aggressive => {
                let is_build_file = belongs(name) && self.safe_basenames.contains(&small);
                let is_allowed = (is_build_file || is_linked() && builds()) && lies_above(dir, task)
                    || dir.is_empty() && self.safe_hidden.contains(&small) && belongs(name);
                is_allowed.then_some("it is part of the build that one of the task's commands runs")
            }
        }
    }
}

/// Whether a directory holds, at any depth, something that the task may change; the top holds everything.
fn lies_above(dir: &str, task: &super::task::Task) -> bool {
    let start = |path: &String| -> String {
        let names: Vec<&str> = path.split('/').take_while(|name| !super::glob::is_pattern(name)).collect();
        format!("{}/", names.join("/"))
    };
    let mut starts = task.allowed_paths.iter().filter(|path| super::glob::denied(path).is_none()).map(start);
    dir.is_empty() || starts.any(|start| start.starts_with(&format!("{dir}/")))
}

/// The line on which a string stands in a JSON text, counted from 1.
pub(crate) fn line_of(json: &str, text: &str) -> usize {
    let quoted = serde_json::Value::String(text.to_owned()).to_string();
    json.find(&quoted).map_or(1, |at| json[..at].matches('\n').count() + 1)
}
