//! The suite of reports: small trees of many ecosystems and kinds of collections, each with what a report must tell of
//! it field by field, and what it must not.
//!
//! A case is a directory of `tests/reports`; `tests/reports/README.md` says what lies in it. What no report tells yet,
//! and what is told wrongly, stands in `tests/reports/open.toml`: a case fails when it does worse than that, and when
//! it does better, so that the list only ever shrinks and is always true.
//!
//! `LUMINOS_OPEN=DIRECTORY cargo nextest run -E 'test(/^reports::/)'` writes a file for each case: what is open, and what was told
//! instead.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::history::git;
use crate::machine::Machine;

/// What a case says about its tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What is special about it.
    about: String,
    /// Commits, oldest first.
    #[serde(default)]
    history: Vec<Commit>,
    #[serde(default)]
    tags: Vec<Tag>,
    /// Files that cannot stand in the tree: bytes in hexadecimal digits, or a text where it is no such digits.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Commit {
    day: String,
    author: String,
    message: String,
    touch: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tag {
    name: String,
    /// After which commit, counted from 0.
    at: usize,
}

/// One thing that must or must not be told: any of these texts.
#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum Wanted {
    One(String),
    AnyOf(Vec<String>),
}

impl Wanted {
    fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::AnyOf(texts) => texts,
        }
    }
}

type Fields = BTreeMap<String, Vec<Wanted>>;

/// What is not as it should be yet, by case.
#[derive(Deserialize, Default, Debug, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Open {
    #[serde(default)]
    missing: Vec<String>,
    #[serde(default)]
    wrong: Vec<String>,
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reports")
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A machine whose project is the tree of a case, with its history.
fn machine(name: &str, case: &Case) -> Machine {
    let machine = Machine::new();
    let script = |machine: &Machine, script: &str| git(machine, script);
    let tree = home().join(name).join("tree");
    let dir = format!("../{name}");
    script(&machine, &format!("mkdir -p {dir} && cp -R '{}/.' {dir}/", tree.display()));
    for (path, hex) in &case.files {
        let bytes: Option<Vec<u8>> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
        machine.write(format!("{name}/{path}"), bytes.unwrap_or_else(|| hex.clone().into_bytes()));
    }
    if !case.history.is_empty() {
        script(&machine, &format!("cd {dir} && git init -q -b main ."));
    }
    for (number, commit) in case.history.iter().enumerate() {
        let Commit { day, author, message, touch } = commit;
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        // A file comes into the history with the first commit that touches it; what no commit touches, with the first.
        let add = if number == 0 { "git add -A -- .".to_owned() } else { "true".to_owned() };
        let mail = format!("{}@example.org", author.split_whitespace().next().unwrap_or("a").to_lowercase());
        let mark = touch.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(" ");
        let line = format!(
            "cd {dir} && {add} && export GIT_AUTHOR_NAME={author} GIT_COMMITTER_NAME={author} GIT_AUTHOR_EMAIL={mail} \
             GIT_COMMITTER_EMAIL={mail} GIT_AUTHOR_DATE='{day}T12:00:00Z' GIT_COMMITTER_DATE='{day}T12:00:00Z' && \
             for f in {mark}; do if [ {number} -gt 0 ] && [ -f \"$f\" ]; then mode=$(git ls-files -s -- \"$f\" | cut -c1-6); \
             hash=$({{ cat \"$f\"; echo '# {number}'; }} | git hash-object -w --stdin); \
             git update-index --add --cacheinfo \"${{mode:-100644}},$hash,$f\"; fi; done; \
             git commit -q --allow-empty -m {message}",
            author = quoted(author),
            message = quoted(message),
        );
        script(&machine, &line);
        for tag in case.tags.iter().filter(|tag| tag.at == number) {
            script(&machine, &format!("cd {dir} && git tag {}", quoted(&tag.name)));
        }
    }
    if !case.history.is_empty() {
        // The newest state is that of the tree.
        script(&machine, &format!("cd {dir} && git reset -q"));
    }
    machine
}

/// What the report tells, by field.
fn told(name: &str, case: &Case) -> BTreeMap<String, String> {
    let machine = machine(name, case);
    let run = machine.run(&format!("run ../{name} --format json -q"));
    assert_eq!(run.code, Some(0), "{run}");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let field = |field: &Value| {
        let told = field["told"].as_array().unwrap().iter();
        let texts = told.map(|told| {
            let word = |key: &str| told[key].as_str().unwrap_or_default();
            format!("{} {} ({})", word("text"), word("about"), word("path"))
        });
        (field["field"].as_str().unwrap().to_owned(), texts.collect::<Vec<_>>().join(" | "))
    };
    report["fields"].as_array().unwrap().iter().map(field).collect()
}

/// Whether a text is told, wherever lines break; `*` stands for a few words.
fn says(told: &str, wanted: &str) -> bool {
    const FEW_WORDS: usize = 80;
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let (told, wanted) = (folded(told), folded(wanted));
    let mut pieces = wanted.split('*');
    let first = pieces.next().unwrap_or_default();
    let rest: Vec<&str> = pieces.collect();
    told.match_indices(first).any(|(at, _)| {
        let mut from = at + first.len();
        rest.iter().all(|piece| {
            let until = told.floor_char_boundary((from + FEW_WORDS + piece.len()).min(told.len()));
            let found = told[from..until].find(piece);
            from = found.map_or(from, |found| from + found + piece.len());
            found.is_some()
        })
    })
}

/// What is open in a case, and how many things must be told of each field.
fn look(name: &str) -> (Open, BTreeMap<String, (usize, usize)>) {
    let case: Case = read(&home().join(name).join("case.toml"));
    assert!(!case.about.is_empty());
    let must: Fields = read(&home().join(name).join("must.toml"));
    let wrong: Fields = read(&home().join(name).join("wrong.toml"));
    let told = told(name, &case);
    let of = |field: &str| told.get(field).map(String::as_str).unwrap_or_default();
    let mut open = Open::default();
    let mut counts = BTreeMap::new();
    for (field, wanted) in &must {
        for wanted in wanted {
            let is_told = wanted.texts().iter().any(|text| says(of(field), text));
            let count: &mut (usize, usize) = counts.entry(field.clone()).or_default();
            count.0 += usize::from(is_told);
            count.1 += 1;
            if !is_told {
                open.missing.push(format!("{field}: {}", wanted.texts()[0]));
            }
        }
    }
    for (field, unwanted) in &wrong {
        for text in unwanted.iter().flat_map(Wanted::texts).filter(|text| says(of(field), text)) {
            open.wrong.push(format!("{field}: {text}"));
        }
    }
    #[expect(clippy::disallowed_methods, reason = "whoever runs the suite by hand says where to write")]
    let path = std::env::var_os("LUMINOS_OPEN");
    if let Some(path) = path {
        let mut lines = format!("[{name}]\nmissing = {:?}\nwrong = {:?}\n", open.missing, open.wrong);
        let fields = must.keys().chain(wrong.keys());
        let noted = |field: &&String| {
            let begin = format!("{field}: ");
            open.missing.iter().chain(&open.wrong).any(|item| item.starts_with(&begin))
        };
        for field in fields.filter(noted).collect::<std::collections::BTreeSet<_>>() {
            lines.push_str(&format!("# {field} is told as: {}\n", of(field)));
        }
        fs::create_dir_all(&path).unwrap();
        #[expect(clippy::disallowed_methods, reason = "whoever sets the variable wants the file")]
        fs::write(Path::new(&path).join(name), lines).unwrap();
    }
    (open, counts)
}

#[track_caller]
fn check(name: &str) {
    let mut all: BTreeMap<String, Open> = read(&home().join("open.toml"));
    let (open, counts) = look(name);
    println!("{counts:?}");
    assert_eq!(
        open,
        all.remove(name).unwrap_or_default(),
        "told (left) against what is known to be open (right)"
    );
}

macro_rules! cases {
    ($($test:ident = $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            check($name);
        })*

        #[test]
        fn every_tree_is_a_case() {
            let mut known = vec![$($name),*];
            known.sort_unstable();
            let mut there: Vec<String> = fs::read_dir(home())
                .unwrap()
                .map(|entry| entry.unwrap())
                .filter(|entry| entry.file_type().unwrap().is_dir())
                .map(|entry| entry.file_name().into_string().unwrap())
                .collect();
            there.sort();
            assert_eq!(there, known);
            let open: BTreeMap<String, Open> = read(&home().join("open.toml"));
            let unknown: Vec<&String> = open.keys().filter(|name| !known.contains(&name.as_str())).collect();
            assert_eq!(unknown, Vec::<&String>::new());
        }
    };
}

cases! {
    actions_only = "actions-only",
    agent_traps = "agent-traps",
    ansible_site = "ansible-site",
    bazel_monorepo = "bazel-monorepo",
    browser_extension = "browser-extension",
    bun_app = "bun-app",
    c_autotools = "c-autotools",
    c_makefile = "c-makefile",
    clojure_service = "clojure-service",
    compose_stack = "compose-stack",
    conda_notebooks = "conda-notebooks",
    cpp_cmake_vcpkg = "cpp-cmake-vcpkg",
    cpp_conan = "cpp-conan",
    cpp_meson = "cpp-meson",
    dbt_project = "dbt-project",
    deno_module = "deno-module",
    dotfiles = "dotfiles",
    dotnet_solution = "dotnet-solution",
    erlang_library = "erlang-library",
    etc_copy = "etc-copy",
    flutter_app = "flutter-app",
    fsharp_library = "fsharp-library",
    go_library = "go-library",
    go_service = "go-service",
    godot_game = "godot-game",
    haskell_cabal = "haskell-cabal",
    helm_kubernetes = "helm-kubernetes",
    homebrew_tap = "homebrew-tap",
    household_papers = "household-papers",
    hugo_site = "hugo-site",
    java_gradle_library = "java-gradle-library",
    java_maven_spring = "java-maven-spring",
    jq_toolbox = "jq-toolbox",
    julia_package = "julia-package",
    jupyter_study = "jupyter-study",
    keys_and_samples = "keys-and-samples",
    kotlin_android = "kotlin-android",
    laravel_app = "laravel-app",
    latex_thesis = "latex-thesis",
    mail_folder = "mail-folder",
    neovim_plugin = "neovim-plugin",
    nim_tool = "nim-tool",
    nix_flake = "nix-flake",
    npm_package = "npm-package",
    ocaml_dune = "ocaml-dune",
    perl_distribution = "perl-distribution",
    phoenix_app = "phoenix-app",
    php_composer_library = "php-composer-library",
    platformio_firmware = "platformio-firmware",
    pnpm_monorepo = "pnpm-monorepo",
    python_poetry_library = "python-poetry-library",
    python_setup_cfg_scripts = "python-setup-cfg-scripts",
    python_setup_py_indirect = "python-setup-py-indirect",
    python_uv_service = "python-uv-service",
    r_package = "r-package",
    rails_app = "rails-app",
    ruby_gem = "ruby-gem",
    rust_cli = "rust-cli",
    rust_workspace = "rust-workspace",
    scala_sbt = "scala-sbt",
    server_logs = "server-logs",
    survey_tables = "survey-tables",
    swift_package = "swift-package",
    terraform_platform = "terraform-platform",
    vite_frontend = "vite-frontend",
    wordpress_plugin = "wordpress-plugin",
    yarn_workspaces = "yarn-workspaces",
    zig_program = "zig-program",
}

#[test]
fn texts_are_found_wherever_lines_break() {
    assert!(says("A  berth\nfor boats", "berth for"));
    assert!(says("Run `cargo test` in the workspace", "cargo*workspace"));
    assert!(!says("cargo", "cargo*test"));
    assert!(!says(&format!("cargo {} test", "x".repeat(200)), "cargo*test"));
}
