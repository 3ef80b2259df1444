//! What the manifests of a repository say about tests: the usual command of each ecosystem, narrowed to where a task works.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::tasks::repo::RepoFacts;
use crate::tasks::roles::{is_doc_path, is_runnable_test, is_test_path};
use crate::tasks::task::{Draft, Role, add_new};

/// No task runs more single test files than this; beyond, the whole suite is the better check.
const MOST_FILES: usize = 3;

/// The commands that verify a task, as far as the manifests tell.
pub fn detect(draft: &Draft, facts: &RepoFacts) -> Vec<String> {
    let mut paths: Vec<&String> = draft.context.files.iter().chain(&draft.touches).collect();
    if paths.is_empty() {
        paths = draft.allowed_paths.iter().collect();
    }
    if draft.role == Role::Docser || !paths.is_empty() && paths.iter().all(|path| is_doc_path(path)) {
        return documents(draft);
    }
    let mut commands = Vec::new();
    for path in paths.iter().copied().filter(|path| !is_doc_path(path)) {
        add_new(&mut commands, nearest(path, draft, facts).unwrap_or_default());
    }
    if commands.is_empty() {
        commands = nearest("x", draft, facts).unwrap_or_default();
    }
    if commands.is_empty() {
        // Nothing at the top: if one directory below it knows how to test, that is how.
        let dirs: BTreeSet<&str> =
            facts.files.iter().filter_map(|file| Some(file.split_once('/')?.0)).collect();
        let found = dirs.into_iter().filter(|dir| !is_test_path(dir));
        let mut found = found.filter_map(|dir| nearest(&format!("{dir}/x"), draft, facts));
        if let (Some(one), None) = (found.next(), found.next()) {
            commands = one;
        }
    }
    commands
}

/// The ending that most files of the repository have, as far as manifests speak for them.
fn commonest(facts: &RepoFacts) -> Option<String> {
    // A sample is enough: this is asked for each task.
    let step = 1 + facts.files.len() / 2000;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, ending) in facts.files.iter().step_by(step).filter_map(|file| file.rsplit_once('.')) {
        *counts.entry(ending).or_default() += 1;
    }
    counts.retain(|ending, _| MANIFESTS.iter().any(|manifest| manifest.endings.contains(ending)));
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(ending, _)| ending.to_owned())
}

/// A document is verified by being there.
fn documents(draft: &Draft) -> Vec<String> {
    let files = draft.touches.iter().chain(&draft.context.files).filter(|file| is_doc_path(file));
    let mut commands = Vec::new();
    add_new(&mut commands, files.take(MOST_FILES).map(|file| format!("test -s {}", quoted(file))));
    commands
}

/// A path as one word of a command.
fn quoted(path: &str) -> String {
    let is_plain = path.chars().all(|letter| letter.is_alphanumeric() || "/._-@+".contains(letter));
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// The command that runs whole flows, where a manifest at the top names one.
pub fn e2e_command(facts: &RepoFacts) -> Option<String> {
    const NAMES: &[&str] = &["e2e", "test:e2e", "test-e2e", "e2e-test", "e2e:test"];
    let manifest =
        facts.manifests.get("package.json").and_then(|text| serde_json::from_str::<Value>(text).ok());
    let script = manifest.as_ref().and_then(|manifest| manifest.get("scripts")?.as_object());
    if let Some(name) = NAMES.iter().find(|name| script.is_some_and(|script| script.contains_key(**name))) {
        return Some(format!("{} run {name}", node_tool("", facts).0));
    }
    let text = ["Makefile", "makefile", "GNUmakefile"].iter().find_map(|name| facts.manifests.get(*name))?;
    NAMES.iter().find(|name| has_target(text, name)).map(|name| format!("make {name}"))
}

type Detector = fn(&str, &Draft, &RepoFacts) -> Option<Vec<String>>;

/// A kind of manifest: its names, the endings of the files it speaks for, and the commands it stands for.
struct Manifest {
    names: &'static [&'static str],
    endings: &'static [&'static str],
    commands: Detector,
}

const fn manifest(
    names: &'static [&'static str],
    endings: &'static [&'static str],
    commands: Detector,
) -> Manifest {
    Manifest { names, endings, commands }
}

const C: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "s", "m", "mm"];
const JVM: &[&str] = &["java", "kt", "kts", "groovy", "scala"];
const WEB: &[&str] = &["js", "jsx", "ts", "tsx", "mjs", "cjs", "vue", "svelte", "css", "scss", "html"];

/// Manifests in the order in which they are believed, where a file is nobody's or everybody's.
const MANIFESTS: &[Manifest] = &[
    manifest(&["Cargo.toml"], &["rs"], cargo),
    manifest(&["go.mod"], &["go"], go),
    manifest(&["package.json"], WEB, node),
    manifest(&["deno.json", "deno.jsonc"], WEB, |dir, _, _| in_root(dir, "deno test")),
    manifest(
        &["pyproject.toml", "setup.py", "tox.ini", "setup.cfg", "requirements.txt"],
        &["py", "pyi", "pyx"],
        python,
    ),
    manifest(&["Gemfile"], &["rb", "rake", "erb"], ruby),
    manifest(&["composer.json"], &["php"], composer),
    manifest(&["pom.xml"], JVM, |dir, _, facts| {
        in_root(dir, if facts.has("mvnw") { "./mvnw -q test" } else { "mvn -q test" })
    }),
    manifest(&["build.gradle", "build.gradle.kts"], JVM, gradle),
    manifest(&["mix.exs"], &["ex", "exs"], |dir, _, _| in_root(dir, "mix test")),
    manifest(&["rebar.config"], &["erl", "hrl"], |dir, _, _| in_root(dir, "rebar3 eunit")),
    manifest(&["Package.swift"], &["swift"], |dir, _, _| in_root(dir, "swift test")),
    manifest(&["build.sbt"], &["scala", "sbt"], |dir, _, _| in_root(dir, "sbt test")),
    manifest(&["project.clj"], &["clj", "cljc", "cljs"], |dir, _, _| in_root(dir, "lein test")),
    manifest(&["pubspec.yaml"], &["dart"], |dir, _, _| in_root(dir, "dart test")),
    manifest(&["stack.yaml"], &["hs"], |dir, _, _| in_root(dir, "stack test")),
    manifest(&["cabal.project"], &["hs"], |dir, _, _| in_root(dir, "cabal test all")),
    manifest(&["dune-project"], &["ml", "mli"], |dir, _, _| in_root(dir, "dune test")),
    manifest(&["Makefile", "makefile", "GNUmakefile"], C, make),
    manifest(&["justfile"], &[], |dir, _, facts| {
        let has_test = facts.manifests.get("justfile").is_some_and(|text| has_target(text, "test"));
        has_test.then(|| in_root(dir, "just test")).flatten()
    }),
    manifest(&["meson.build"], C, |dir, _, _| in_root(dir, "meson test -C build")),
    manifest(&["CMakeLists.txt"], C, |dir, _, _| in_root(dir, "ctest --test-dir build --output-on-failure")),
    manifest(&["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"], &[], |dir, _, _| {
        in_root(dir, "bazel test //...")
    }),
    manifest(&["build.zig"], &["zig"], |dir, _, _| in_root(dir, "zig build test")),
];

fn nearest(path: &str, draft: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let start = path.split(['*', '?', '[', '{']).next().unwrap_or(path);
    let ending =
        |path: &str| path.rsplit('/').next()?.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    let is_known = |ending: &String| MANIFESTS.iter().any(|it| it.endings.contains(&ending.as_str()));
    let is_dotnet = |ending: &String| matches!(ending.as_str(), "cs" | "fs" | "vb");
    let ending = ending(path).filter(|ending| is_known(ending) || is_dotnet(ending));
    let ending = ending.or_else(|| commonest(facts));
    if ending.as_ref().is_some_and(is_dotnet)
        && let Some(commands) = dotnet(start, facts)
    {
        return Some(commands);
    }
    // The manifest that speaks for files of this kind is believed first, then the one that lies deepest above the path: it is
    // its package's.
    let mut found: Vec<(bool, usize, usize, Vec<String>)> = Vec::new();
    for (rank, manifest) in MANIFESTS.iter().enumerate() {
        let place = format!("{}/x", start.trim_end_matches('/'));
        let Some((dir, _)) = facts.nearest(&place, manifest.names) else { continue };
        let speaks = ending.as_deref().is_some_and(|ending| manifest.endings.contains(&ending));
        if let Some(commands) = (manifest.commands)(&dir, draft, facts) {
            found.push((speaks, dir.len(), usize::MAX - rank, commands));
        }
    }
    found.into_iter().max().map(|(_, _, _, commands)| commands)
}

/// Solutions and projects have names of their own: the solution at the top, else the project that lies nearest.
fn dotnet(path: &str, facts: &RepoFacts) -> Option<Vec<String>> {
    let is_solution = |file: &&String| file.ends_with(".sln") || file.ends_with(".slnx");
    let solution = facts.files.iter().filter(is_solution).min_by_key(|file| file.matches('/').count());
    let project = || {
        let is_above = |file: &&String| {
            file.ends_with("proj")
                && file.rsplit_once('/').is_none_or(|(dir, _)| path.starts_with(&format!("{dir}/")))
        };
        facts.files.iter().filter(is_above).max_by_key(|file| file.matches('/').count())
    };
    let file = solution.or_else(project)?;
    Some(vec![format!("dotnet test {}", quoted(file))])
}

fn in_root(dir: &str, command: &str) -> Option<Vec<String>> {
    dir.is_empty().then(|| vec![command.to_owned()])
}

fn text_of<'f>(facts: &'f RepoFacts, dir: &str, name: &str) -> Option<&'f String> {
    let path = if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    facts.manifests.get(&path)
}

fn cargo(dir: &str, _: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let name = text_of(facts, dir, "Cargo.toml").and_then(|text| {
        let package = text.split("[package]").nth(1)?;
        let line = package.lines().find(|line| line.trim_start().starts_with("name"))?;
        Some(line.split('"').nth(1)?.to_owned())
    });
    Some(vec![match name {
        Some(name) if !dir.is_empty() => format!("cargo test -p {name}"),
        Some(_) | None => "cargo test".to_owned(),
    }])
}

fn go(dir: &str, draft: &Draft, _: &RepoFacts) -> Option<Vec<String>> {
    let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    let mut packages: Vec<String> = Vec::new();
    for file in draft.context.files.iter().chain(&draft.touches).filter(|file| file.ends_with(".go")) {
        let inside = file.strip_prefix(&prefix).unwrap_or(file);
        let package = inside.rsplit_once('/').map_or(".".to_owned(), |(package, _)| format!("./{package}"));
        add_new(&mut packages, [package]);
    }
    let change = if dir.is_empty() { String::new() } else { format!("-C {dir} ") };
    let one = |package: &str| format!("go {change}test {package}");
    // A change in one package can break those that use it, so the whole is run last.
    let mut commands: Vec<String> = packages.iter().take(MOST_FILES).map(|package| one(package)).collect();
    commands.push(format!("go {change}test ./..."));
    Some(commands)
}

fn node(dir: &str, draft: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let manifest: Value = serde_json::from_str(text_of(facts, dir, "package.json")?).ok()?;
    let scripts = manifest.get("scripts")?.as_object()?;
    let is_real = |name: &str| {
        scripts.get(name).and_then(Value::as_str).is_some_and(|script| {
            !script.trim().is_empty() && !script.contains("no test specified") && !script.contains("--watch")
        })
    };
    let (tool, chdir) = node_tool(dir, facts);
    let place = if dir.is_empty() { String::new() } else { format!(" {chdir} {dir}") };
    let mut commands = Vec::new();
    if is_real("test") {
        commands.push(format!("{tool}{place} test"));
    }
    let is_typed = draft.context.files.iter().any(|file| file.ends_with(".ts") || file.ends_with(".tsx"));
    for script in ["check", "typecheck", "lint"] {
        if is_real(script) && (script == "lint" || is_typed || script == "check") && commands.len() < 2 {
            commands.push(format!("{tool}{place} run {script}"));
        }
    }
    (!commands.is_empty()).then_some(commands)
}

/// The package manager of a package, and its flag for another directory.
fn node_tool(dir: &str, facts: &RepoFacts) -> (&'static str, &'static str) {
    let at = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    let has = |name: &str| facts.has(&at(name)) || facts.has(name);
    if has("pnpm-lock.yaml") {
        ("pnpm", "--dir")
    } else if has("yarn.lock") {
        ("yarn", "--cwd")
    } else if has("bun.lock") || has("bun.lockb") {
        ("bun", "--cwd")
    } else {
        ("npm", "--prefix")
    }
}

fn python(dir: &str, draft: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let in_dir = |file: &&String| dir.is_empty() || file.starts_with(&format!("{dir}/"));
    let tests = draft.context.files.iter().chain(&draft.touches).filter(in_dir);
    let mut tests: Vec<&String> =
        tests.filter(|file| is_runnable_test(file) && file.ends_with(".py")).collect();
    tests.sort();
    tests.dedup();
    if facts.has(if dir.is_empty() { "manage.py" } else { "\0" }) {
        return Some(vec!["python manage.py test".to_owned()]);
    }
    if dir.is_empty() && facts.has("tests/runtests.py") {
        // Its tests are named by their directory.
        let mut labels: Vec<&str> = Vec::new();
        for file in &tests {
            let label = file.strip_prefix("tests/").and_then(|file| file.split_once('/'));
            add_new(&mut labels, label.map(|(label, _)| label));
        }
        let all = "python tests/runtests.py";
        let mut commands = Vec::new();
        if !labels.is_empty() && labels.len() <= MOST_FILES {
            commands.push(format!("{all} {}", labels.join(" ")));
        }
        commands.push(all.to_owned());
        return Some(commands);
    }
    let place = if dir.is_empty() { String::new() } else { format!(" {dir}") };
    let has_tests = facts.files.iter().any(|file| is_test_path(file) && file.ends_with(".py"));
    let mut commands = Vec::new();
    if !tests.is_empty() && tests.len() <= MOST_FILES {
        let files: Vec<String> = tests.iter().map(|file| quoted(file)).collect();
        commands.push(format!("python -m pytest {}", files.join(" ")));
    }
    if has_tests || !tests.is_empty() {
        commands.push(format!("python -m pytest{place}"));
    }
    (!commands.is_empty()).then_some(commands)
}

fn ruby(dir: &str, _: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    if facts.has_dir("spec") {
        in_root(dir, "bundle exec rspec")
    } else if facts.has("bin/rails") {
        in_root(dir, "bin/rails test")
    } else if facts.has("Rakefile") {
        in_root(dir, "bundle exec rake test")
    } else {
        None
    }
}

fn composer(dir: &str, _: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let manifest: Value = serde_json::from_str(text_of(facts, dir, "composer.json")?).ok()?;
    if manifest.pointer("/scripts/test").is_some() {
        return in_root(dir, "composer test");
    }
    let has_phpunit = facts.has("phpunit.xml") || facts.has("phpunit.xml.dist");
    has_phpunit.then(|| in_root(dir, "vendor/bin/phpunit")).flatten()
}

fn gradle(dir: &str, _: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let program = if facts.has("gradlew") { "./gradlew" } else { "gradle" };
    let module = dir.replace('/', ":");
    Some(vec![if dir.is_empty() { format!("{program} test") } else { format!("{program} :{module}:test") }])
}

fn make(dir: &str, _: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    let text = ["Makefile", "makefile", "GNUmakefile"].iter().find_map(|name| text_of(facts, dir, name))?;
    let target = ["test", "tests", "check"].into_iter().find(|target| has_target(text, target))?;
    Some(vec![if dir.is_empty() { format!("make {target}") } else { format!("make -C {dir} {target}") }])
}

fn has_target(text: &str, target: &str) -> bool {
    text.lines().any(|line| {
        let names = line.split(':').next().unwrap_or_default();
        line.contains(':') && !line.contains(":=") && names.split_whitespace().any(|name| name == target)
    })
}
