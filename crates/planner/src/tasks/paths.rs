//! What tasks may change: their own ground in plain form, and what comes along with it.
//!
//! Lockfiles and the files of a task's commands are *implied*: allowed, but nobody's ground, so that two tasks do not
//! conflict because both may touch a lockfile.

mod bounds;

use super::command::Command;
use super::glob::{PathList, denied, is_pattern, plain_entry};
use super::recovery::Recovery;
use super::repo::RepoFacts;
use super::task::{Draft, Role, add_new};

/// A manifest and the lockfiles that its tools write beside it.
const LOCKFILES: &[(&str, &[&str])] = &[
    (
        "package.json",
        &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
    ),
    ("deno.json", &["deno.lock"]),
    ("Cargo.toml", &["Cargo.lock"]),
    ("go.mod", &["go.sum"]),
    ("pyproject.toml", &["uv.lock", "poetry.lock", "pdm.lock"]),
    ("Pipfile", &["Pipfile.lock"]),
    ("Gemfile", &["Gemfile.lock"]),
    ("composer.json", &["composer.lock"]),
    ("mix.exs", &["mix.lock"]),
    ("pubspec.yaml", &["pubspec.lock"]),
    ("Package.swift", &["Package.resolved"]),
    ("Podfile", &["Podfile.lock"]),
    ("build.gradle", &["gradle.lockfile"]),
    ("build.gradle.kts", &["gradle.lockfile"]),
    ("flake.nix", &["flake.lock"]),
    ("Directory.Build.props", &["packages.lock.json"]),
];

/// More implied lockfiles than this are not listed: a task names those it needs.
const MOST_LOCKFILES: usize = 20;

/// Lists that a repository or its settings may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathLists {
    /// What a task that sets up an empty repository may change.
    pub init_allowed: Vec<String>,
    /// Files whose creation is the set-up of a repository.
    pub init_root_files: Vec<String>,
    /// Lockfiles beyond those that are known.
    pub lockfiles: Vec<String>,
    /// What a task about documentation may change.
    pub docser_allowed: Vec<String>,
    /// Words after a package manager that mean that packages are added.
    pub install_words: Vec<String>,
}

impl Default for PathLists {
    fn default() -> Self {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let mut root =
            list(&["Makefile", "pnpm-workspace.yaml", ".gitignore", "tsconfig.json", "CMakeLists.txt"]);
        root.extend(LOCKFILES.iter().map(|(manifest, _)| (*manifest).to_owned()));
        root.extend(list(&[
            "requirements.txt",
            "setup.py",
            "pom.xml",
            "meson.build",
            "build.sbt",
            "build.zig",
        ]));
        Self {
            init_allowed: list(&[
                ".gitignore",
                "README.md",
                "Makefile",
                "docs/**",
                "scripts/**",
                "include/**",
                "lib/**",
                "src/**",
                "tests/**",
                "test/**",
                "cmd/**",
                "pkg/**",
                "internal/**",
                "app/**",
            ]),
            init_root_files: root,
            lockfiles: Vec::new(),
            docser_allowed: list(&[
                "docs/**",
                "doc/**",
                "ops/**",
                "README.md",
                "README.rst",
                "CHANGELOG.md",
                ".env.example",
            ]),
            install_words: list(&["install", "add", "i", "get", "update", "require"]),
        }
    }
}

/// The entries of an override list: one per line, `#` begins a remark.
pub fn read_list(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split(" #").next().unwrap_or(line).trim());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Puts the paths of a task in plain form, within those that are allowed. What leads out of the repository or of what is
/// allowed is dropped, and told.
pub fn tidy(draft: &mut Draft, allowed: &[String], facts: &RepoFacts) {
    let mut told = Vec::new();
    let mut tidied = |paths: &mut Vec<String>, what: &str| {
        for path in std::mem::take(paths) {
            match plain_entry(&path) {
                Ok(path) => add_new(paths, [path]),
                Err(why) => told.push(format!("the {what} `{}` is left out: {why}", path.escape_debug())),
            }
        }
    };
    tidied(&mut draft.allowed_paths, "path");
    tidied(&mut draft.touches, "path");
    tidied(&mut draft.context.files, "file");
    draft.context.files.retain(|file| !is_pattern(file) && denied(file).is_none());
    draft.touches.retain(|file| !is_pattern(file) && denied(file).is_none());
    draft.warnings.extend(told);
    bounds::bind(draft, allowed, facts);
}

/// Adds what comes along with a task's commands and ground.
pub fn complete(draft: &mut Draft, facts: &RepoFacts, lists: &PathLists, recovery: &Recovery) {
    if draft.role == Role::Docser {
        return;
    }
    let is_new = facts.is_uninitialised();
    let own = PathList::read(&draft.allowed_paths);
    let is_allowed = |path: &str| own.matches(path);
    let commands: Vec<Command> = draft.commands.iter().filter_map(|text| Command::parse(text).ok()).collect();
    let mut implied = std::mem::take(&mut draft.implied_paths);
    for command in &commands {
        // A rule names every file that could be meant; those that the repository does not have are not.
        let paths = recovery.paths_of(command).filter(|path| is_new || is_pattern(path) || facts.has(path));
        add_new(&mut implied, paths.filter(|path| !is_allowed(path)).cloned());
    }
    let adds_packages = commands
        .iter()
        .any(|command| command.arguments.first().is_some_and(|word| lists.install_words.contains(word)));
    add_new(
        &mut implied,
        lockfiles(draft, facts, lists, adds_packages).into_iter().filter(|path| !is_allowed(path)),
    );
    draft.implied_paths = implied;
}

/// The lockfiles that may change with a task: those of the packages it works in, and where packages are added or a manifest
/// is its ground, those that there could be.
fn lockfiles(draft: &Draft, facts: &RepoFacts, lists: &PathLists, adds_packages: bool) -> Vec<String> {
    let mut found = Vec::new();
    let join = |dir: &str, name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    let mut starts: Vec<String> = draft
        .context
        .files
        .iter()
        .chain(draft.ground())
        .filter(|path| denied(path).is_none())
        .map(|path| literal_start(path))
        .collect();
    starts.push("x".to_owned());
    for (manifest, locks) in LOCKFILES {
        for start in &starts {
            let Some((dir, _)) = facts.nearest(start, &[manifest]) else { continue };
            let present: Vec<String> =
                locks.iter().map(|lock| join(&dir, lock)).filter(|lock| facts.has(lock)).collect();
            let changes_manifest = draft.context.files.contains(&join(&dir, manifest));
            if !present.is_empty() {
                add_new(&mut found, present);
            } else if adds_packages || changes_manifest {
                add_new(&mut found, locks.iter().map(|lock| join(&dir, lock)));
            }
        }
        if facts.is_uninitialised() && draft.context.files.iter().any(|file| file == manifest) {
            add_new(&mut found, locks.iter().map(|lock| (*lock).to_owned()));
        }
    }
    add_new(&mut found, lists.lockfiles.iter().cloned());
    found.truncate(MOST_LOCKFILES);
    found
}

/// A path for looking upwards from: a glob is cut before its first wildcard.
fn literal_start(path: &str) -> String {
    let names: Vec<&str> = path.split('/').take_while(|name| !is_pattern(name)).collect();
    format!("{}/x", names.join("/")).trim_start_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::repo::facts;
    use crate::tasks::task::Origin;

    fn completed(files: &[&str], ground: &[&str], commands: &[&str]) -> Draft {
        let mut draft = Draft::new("t", "g", Origin::Model);
        draft.allowed_paths = ground.iter().map(|path| (*path).to_owned()).collect();
        draft.commands = commands.iter().map(|path| (*path).to_owned()).collect();
        tidy(&mut draft, &["**".to_owned()], &facts(files));
        complete(&mut draft, &facts(files), &PathLists::default(), &Recovery::default());
        draft
    }

    #[test]
    fn lockfiles_of_every_ecosystem_are_implied_and_never_ground() {
        for (manifest, lock) in [
            ("package.json", "pnpm-lock.yaml"),
            ("Cargo.toml", "Cargo.lock"),
            ("go.mod", "go.sum"),
            ("pyproject.toml", "uv.lock"),
            ("pyproject.toml", "poetry.lock"),
            ("Gemfile", "Gemfile.lock"),
            ("composer.json", "composer.lock"),
            ("mix.exs", "mix.lock"),
        ] {
            let draft = completed(&[manifest, lock, "src/a"], &["src/**"], &[]);
            assert_eq!(draft.implied_paths, [lock]);
            assert_eq!(draft.ground(), ["src/**"]);
        }
    }

    #[test]
    fn lockfiles_come_from_the_package_that_is_worked_in() {
        let files = &["package.json", "yarn.lock", "web/package.json", "web/yarn.lock", "web/src/a.ts"];
        assert_eq!(completed(files, &["web/src/**"], &[]).implied_paths, ["web/yarn.lock", "yarn.lock"]);
        let fresh = completed(&["Cargo.toml", "src/a.rs"], &["src/a.rs"], &["cargo add serde"]);
        assert_eq!(fresh.implied_paths, ["Cargo.toml", "Cargo.lock"]);
    }

    #[test]
    fn commands_imply_only_files_that_are_there() {
        let draft = completed(&["Makefile", "src/a.c"], &["src/**"], &["make test"]);
        assert_eq!(draft.implied_paths, ["Makefile"]);
        let own = completed(&["Makefile", "src/a.c"], &["Makefile"], &["make test"]);
        assert!(own.implied_paths.is_empty());
    }

    #[test]
    fn paths_are_tidied_and_strays_are_told() {
        let draft = completed(&["src/a"], &["./src//", "src/**", "/etc/x", "../y"], &[]);
        assert_eq!(draft.allowed_paths, ["src/**"]);
        assert_eq!(draft.warnings.len(), 2);
    }

    #[test]
    fn override_lists_have_remarks() {
        assert_eq!(read_list("# mine\n\n tools/** \nx.lock # why\n"), ["tools/**", "x.lock"]);
    }
}
