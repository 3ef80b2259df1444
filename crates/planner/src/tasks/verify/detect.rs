//! What the manifests of a repository say about tests: the usual command of each ecosystem, narrowed to where a task works.

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
    commands
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

type Detector = fn(&str, &Draft, &RepoFacts) -> Option<Vec<String>>;

/// Manifests in the order in which they are believed.
const DETECTORS: &[(&[&str], Detector)] = &[
    (&["Cargo.toml"], cargo),
    (&["go.mod"], go),
    (&["package.json"], node),
    (&["deno.json"], |dir, _, _| in_root(dir, "deno test")),
    (&["pyproject.toml", "setup.py", "tox.ini", "setup.cfg", "requirements.txt"], python),
    (&["Gemfile"], ruby),
    (&["composer.json"], composer),
    (&["pom.xml"], |dir, _, facts| {
        in_root(dir, if facts.has("mvnw") { "./mvnw -q test" } else { "mvn -q test" })
    }),
    (&["build.gradle", "build.gradle.kts"], gradle),
    (&["mix.exs"], |dir, _, _| in_root(dir, "mix test")),
    (&["Package.swift"], |dir, _, _| in_root(dir, "swift test")),
    (&["build.sbt"], |dir, _, _| in_root(dir, "sbt test")),
    (&["pubspec.yaml"], |dir, _, _| in_root(dir, "dart test")),
    (&["build.zig"], |dir, _, _| in_root(dir, "zig build test")),
    (&["Makefile", "makefile", "GNUmakefile"], make),
    (&["justfile"], |dir, _, facts| {
        let has_test = facts.manifests.get("justfile").is_some_and(|text| has_target(text, "test"));
        has_test.then(|| in_root(dir, "just test")).flatten()
    }),
    (&["CMakeLists.txt"], |dir, _, _| in_root(dir, "ctest --test-dir build --output-on-failure")),
];

fn nearest(path: &str, draft: &Draft, facts: &RepoFacts) -> Option<Vec<String>> {
    // The manifest that lies deepest above the path is the one whose package it is.
    let mut found: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (rank, (names, detector)) in DETECTORS.iter().enumerate() {
        let start = path.split(['*', '?', '[', '{']).next().unwrap_or(path);
        let Some((dir, _)) = facts.nearest(&format!("{}/x", start.trim_end_matches('/')), names) else {
            continue;
        };
        if let Some(commands) = detector(&dir, draft, facts) {
            found.push((dir.len(), usize::MAX - rank, commands));
        }
    }
    found.into_iter().max().map(|(_, _, commands)| commands)
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
    let at = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    let (tool, chdir) = if facts.has(&at("pnpm-lock.yaml")) || facts.has("pnpm-lock.yaml") {
        ("pnpm", "--dir")
    } else if facts.has(&at("yarn.lock")) || facts.has("yarn.lock") {
        ("yarn", "--cwd")
    } else {
        ("npm", "--prefix")
    };
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
        return Some(vec!["python tests/runtests.py".to_owned()]);
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
