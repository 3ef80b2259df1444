//! What a repository's file names say about it: its tests and how to run them.

/// Files at the root, and what runs the tests of such projects. The first that is there counts.
const COMMANDS: &[(&str, &str)] = &[
    ("Cargo.toml", "cargo test"),
    ("go.mod", "go test ./..."),
    ("tests/runtests.py", "python tests/runtests.py"),
    ("tox.ini", "tox"),
    ("pyproject.toml", "python -m pytest"),
    ("setup.py", "python -m pytest"),
    ("package.json", "npm test"),
    ("pom.xml", "mvn test"),
    ("gradlew", "./gradlew test"),
    ("Rakefile", "bundle exec rake"),
    ("mix.exs", "mix test"),
    ("composer.json", "composer test"),
    ("Makefile", "make test"),
    ("CMakeLists.txt", "ctest"),
    ("build.zig", "zig build test"),
];

/// Endings of files that programs are written in.
const SOURCES: &[&str] = &[
    "c", "cc", "cpp", "cs", "cxx", "clj", "dart", "erl", "ex", "exs", "fs", "go", "h", "hpp", "hs", "html",
    "java", "jl", "js", "jsx", "kt", "lua", "m", "ml", "mm", "mjs", "nim", "php", "pl", "py", "pyx", "r",
    "rb", "rs", "scala", "scss", "sh", "sql", "swift", "tcl", "ts", "tsx", "vim", "vue", "zig",
];

/// Directories whose files somebody else wrote, or nobody runs.
const FOREIGN: &[&str] =
    &["vendor", "third_party", "node_modules", "deps", "docs", "doc", "examples", "locale", "dist"];

pub(super) fn test_command(files: &[String]) -> Option<&'static str> {
    let is_there = |name: &&(&str, &str)| files.iter().any(|file| file == name.0);
    COMMANDS.iter().find(is_there).map(|(_, command)| *command)
}

/// Whether a file is a test, by its name.
fn is_test(path: &str) -> bool {
    let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    dirs.split('/')
        .any(|dir| matches!(dir, "test" | "tests" | "spec" | "specs" | "__tests__" | "testdata" | "testing"))
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem.ends_with("tests")
        || name.contains(".test.")
        || name.contains(".spec.")
}

/// Whether a file is code of the project itself, and no test.
pub(crate) fn is_source(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_foreign = path.split('/').any(|part| FOREIGN.contains(&part) || part.starts_with('.'));
    SOURCES.contains(&ending)
        && !is_foreign
        && !is_test(path)
        && !path.contains(".gen.")
        && !path.contains(".min.")
}

/// The tests nearest to some files: those whose names hold theirs, most of the way first.
pub(super) fn tests_near<'a>(
    files: &[String],
    sources: impl Iterator<Item = &'a str>,
    most: usize,
) -> Vec<String> {
    // In Python the name of a file makes it a test; what else lies among tests serves them.
    let is_named = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        !name.ends_with(".py") || name.starts_with("test") || name.ends_with("_test.py")
    };
    let is_page = |file: &str| [".html", ".scss", ".sql"].iter().any(|ending| file.ends_with(ending));
    let is_wanted = |file: &&String| is_test(file) && has_code(file) && is_named(file) && !is_page(file);
    let tests: Vec<&String> = files.iter().filter(is_wanted).collect();
    let mut near: Vec<String> = Vec::new();
    for source in sources {
        let (dirs, name) = source.rsplit_once('/').unwrap_or(("", source));
        let stem = name.split('.').next().unwrap_or_default();
        let stem = if matches!(stem, "mod" | "lib" | "main" | "index" | "__init__") {
            dirs.rsplit('/').next().unwrap_or_default()
        } else {
            stem
        };
        if stem.len() < 3 {
            continue;
        }
        let shared = |test: &str| test.split('/').zip(dirs.split('/')).take_while(|(a, b)| a == b).count();
        let matching = tests.iter().filter(|test| {
            let name = test.rsplit('/').next().unwrap_or_default();
            let words = || name.split(|character: char| !character.is_ascii_alphanumeric());
            name.starts_with(stem)
                || words().any(|word| word == stem)
                || test.split('/').any(|part| part == stem)
        });
        let best = matching.max_by(|a, b| {
            shared(a).cmp(&shared(b)).then_with(|| b.len().cmp(&a.len())).then_with(|| b.cmp(a))
        });
        if let Some(best) = best
            && !near.contains(best)
            && near.len() < most
        {
            near.push((*best).clone());
        }
    }
    near
}

fn has_code(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| SOURCES.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_names() {
        for test in
            ["tests/a.rs", "src/a_test.go", "test_x.py", "web/a.spec.ts", "spec/models/a.rb", "src/tests.rs"]
        {
            assert!(is_test(test) && !is_source(test), "{test}");
        }
        for source in ["src/a.rs", "contest.py", "src/latest.go", "lib/attestation.rb"] {
            assert!(!is_test(source) && is_source(source), "{source}");
        }
        for other in
            ["src/options.gen.lua", "README.md", "vendor/a.c", "deps/lua/lua.c", "Cargo.lock", ".github/x.py"]
        {
            assert!(!is_source(other), "{other}");
        }
    }

    #[test]
    fn tests_are_found_by_the_names_of_what_they_test() {
        let files: Vec<String> = [
            "tests/unit/type/list.tcl",
            "tests/unit/dump.tcl",
            "tests/orm/test_query.py",
            "a/tests/query.py",
            "a/tests/test_query_sets.py",
        ]
        .map(str::to_owned)
        .to_vec();
        let near = |sources: &[&str]| tests_near(&files, sources.iter().copied(), 4);
        assert_eq!(near(&["src/dump.c"]), ["tests/unit/dump.tcl"]);
        assert_eq!(near(&["a/query.py"]), ["a/tests/test_query_sets.py"]);
        assert_eq!(near(&["src/x.c", "src/none.c"]), Vec::<String>::new());
    }

    #[test]
    fn the_command_follows_from_files_at_the_root() {
        let files = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(test_command(&files(&["Makefile", "Cargo.toml"])), Some("cargo test"));
        assert_eq!(test_command(&files(&["sub/Cargo.toml"])), None);
    }
}
