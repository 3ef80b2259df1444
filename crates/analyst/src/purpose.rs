//! What people do with a project, and which of that a command does.

use luminos_core::fact::Purpose;

/// What a target or script of a name is for, by habit.
pub(crate) fn of_name(name: &str) -> Option<Purpose> {
    let lower = name.to_ascii_lowercase();
    let first = lower.split([':', '-', '_', '.']).next().unwrap_or_default();
    // Some words mean this only when they stand alone.
    let is_alone = first.len() == lower.len() || lower[first.len()..].starts_with(':');
    if !is_alone && matches!(first, "check" | "serve" | "run" | "up" | "all" | "dist" | "types" | "install") {
        return None;
    }
    Some(match first {
        "install" | "setup" | "bootstrap" | "deps" => Purpose::Install,
        "build" | "compile" | "all" | "dist" | "bundle" => Purpose::Build,
        "test" | "tests" | "spec" | "e2e" | "check" | "coverage" | "integration" | "unit" => Purpose::Test,
        "lint" | "fmt" | "format" | "style" | "typecheck" | "typing" | "types" | "vet" | "clippy"
        | "analyze" | "analyse" => Purpose::Check,
        "start" | "serve" | "dev" | "run" | "server" | "up" => Purpose::Run,
        "doc" | "docs" => Purpose::Document,
        _ => return None,
    })
}

/// What a script of npm is for: there, `check` looks at types, and tests nothing.
pub(crate) fn of_script(name: &str) -> Option<Purpose> {
    if name == "check" { Some(Purpose::Check) } else { of_name(name) }
}

/// What a command of a shell is for; `None` for what only prepares something.
pub(crate) fn of_command(command: &str) -> Option<Purpose> {
    let words: Vec<&str> = words_of(command);
    let program = words.first()?.rsplit('/').next()?;
    let second = words.get(1).copied().unwrap_or_default();
    let has = |word: &str| words.contains(&word);
    // Who asks a tool for its version does nothing with it.
    if has("--version") || has("--help") || has("-V") {
        return None;
    }
    Some(match program {
        "pytest" | "tox" | "nox" | "rspec" | "jest" | "vitest" | "mocha" | "ctest" | "phpunit" | "pest"
        | "busted" | "bats" | "runtest" | "runtests.py" | "ava" | "karma" | "playwright" | "cypress" => {
            if second == "install" || second == "install-deps" {
                return None;
            } else if has("typing") || has("style") || has("lint") {
                Purpose::Check
            } else if has("docs") {
                Purpose::Document
            } else {
                Purpose::Test
            }
        }
        "eslint" | "prettier" | "ruff" | "flake8" | "mypy" | "pyright" | "black" | "isort" | "pylint"
        | "rubocop" | "golangci-lint" | "pre-commit" | "stylelint" | "phpstan" | "clang-tidy"
        | "shellcheck" | "typos" | "biome" => Purpose::Check,
        "sphinx-build" | "mkdocs" | "rustdoc" | "typedoc" | "yard" => Purpose::Document,
        "meson" | "ninja" | "bazel" | "scons" | "webpack" | "rollup" | "tsc" | "vue-tsc" => match second {
            "test" => Purpose::Test,
            _ => Purpose::Build,
        },
        "cargo" => match second {
            "build" => Purpose::Build,
            "test" | "nextest" => Purpose::Test,
            "clippy" | "fmt" | "check" | "deny" => Purpose::Check,
            "run" => Purpose::Run,
            "install" => Purpose::Install,
            "doc" => Purpose::Document,
            _ => return None,
        },
        "go" => match second {
            "build" => Purpose::Build,
            "test" => Purpose::Test,
            "vet" => Purpose::Check,
            "run" => Purpose::Run,
            "install" | "get" => Purpose::Install,
            _ => return None,
        },
        "npm" | "yarn" | "pnpm" | "bun" | "deno" => {
            let script = match (second, words.get(2)) {
                ("run" | "run-script" | "task" | "exec", Some(script)) => *script,
                _ => second,
            };
            match script {
                "ci" | "i" | "add" => Purpose::Install,
                script => of_script(script)?,
            }
        }
        "make" | "gmake" | "just" | "rake" | "task" | "invoke" | "composer" | "mix" | "swift" | "dart"
        | "flutter" | "zig" | "dotnet" | "gradle" | "gradlew" | "sbt" | "lein" | "stack" | "cabal"
        | "rails" | "bundle" | "artisan" | "poe" | "hatch" | "pdm" | "poetry" => {
            let plain = words.iter().skip(1).find(|word| !word.starts_with('-') && !word.contains('='));
            match plain {
                Some(name) => of_name(name)?,
                None if matches!(program, "make" | "gmake") => Purpose::Build,
                None => return None,
            }
        }
        "mvn" | "mvnw" => {
            let goal = words.iter().skip(1).rfind(|word| !word.starts_with('-'))?;
            match *goal {
                "test" | "verify" => Purpose::Test,
                "package" | "install" | "compile" => Purpose::Build,
                goal if goal.ends_with(":run") => Purpose::Run,
                _ => return None,
            }
        }
        "cmake" if has("--build") => Purpose::Build,
        "pip" | "pip3" | "gem" | "brew" if second == "install" => Purpose::Install,
        "uv" => match second {
            "sync" => Purpose::Install,
            "build" => Purpose::Build,
            _ => return None,
        },
        "python" | "python3" | "py" if second.starts_with("-W") || second == "-u" => {
            let script = words.iter().skip(1).find(|word| !word.starts_with('-'))?;
            if !script.contains("test") {
                return None;
            }
            Purpose::Test
        }
        "python" | "python3" | "py" => match (second, words.get(2).copied().unwrap_or_default()) {
            ("-m", "build") => Purpose::Build,
            ("-m", "unittest") => Purpose::Test,
            ("-m", "pip") => Purpose::Install,
            (script, _) if script.contains("test") => Purpose::Test,
            ("setup.py", "install") => Purpose::Install,
            _ => return None,
        },
        "docker" | "docker-compose" | "podman" => {
            if has("up") || second == "run" {
                Purpose::Run
            } else if second == "build" {
                Purpose::Build
            } else {
                return None;
            }
        }
        program if program.contains("runtest") || program.starts_with("test") && command.contains('/') => {
            Purpose::Test
        }
        _ => return None,
    })
}

/// The words of a command, without what stands before the program: variables, wrappers, and runners of environments.
fn words_of(command: &str) -> Vec<&str> {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    loop {
        let first = words.first().copied().unwrap_or_default();
        let name = first.rsplit('/').next().unwrap_or_default();
        let is_variable = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        let drop = match (name, words.get(1).copied().unwrap_or_default()) {
            _ if is_variable => 1,
            ("sudo" | "time" | "env" | "npx" | "xvfb-run" | "nice" | "exec" | "command" | "retry", _) => 1,
            ("uv" | "poetry" | "pdm" | "hatch" | "pipenv" | "rye", "run") => 2,
            ("uvx", _) => 1,
            ("bundle", "exec") | ("pnpm", "exec") | ("yarn", "exec") => 2,
            ("python" | "python3", "-m")
                if words.get(2).is_some_and(|module| {
                    !matches!(*module, "build" | "unittest" | "pip") && !module.starts_with('-')
                }) =>
            {
                2
            }
            ("php", script) if script.ends_with("artisan") => 1,
            _ => return words,
        };
        words.drain(..drop);
        // Options of a runner.
        while words.first().is_some_and(|word| word.starts_with("--")) {
            words.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of_command;

    #[test]
    fn commands_are_told_apart() {
        use luminos_core::fact::Purpose::{Build, Check, Document, Install, Run, Test};
        for (command, expected) in [
            ("cargo nextest run --workspace", Some(Test)),
            ("RUSTFLAGS=-Dwarnings cargo clippy", Some(Check)),
            ("uv run --locked tox run", Some(Test)),
            ("tox -e typing", Some(Check)),
            ("go test -race ./...", Some(Test)),
            ("npm ci", Some(Install)),
            ("npm run build", Some(Build)),
            ("npm run test:unit -- --coverage", Some(Test)),
            ("yarn lint", Some(Check)),
            ("pnpm run check", Some(Check)),
            ("make -j4", Some(Build)),
            ("make check", Some(Test)),
            ("bundle exec rake test", Some(Test)),
            ("bundle install", Some(Install)),
            ("./mvnw -B verify", Some(Test)),
            ("./gradlew build", Some(Build)),
            ("python -m pytest tests", Some(Test)),
            ("python3 setup.py install", Some(Install)),
            ("pip install -U Flask", Some(Install)),
            ("php artisan test", Some(Test)),
            ("docker compose up -d", Some(Run)),
            ("cmake --build build", Some(Build)),
            ("dotnet test", Some(Test)),
            ("mkdocs build", Some(Document)),
            ("./runtest --verbose", Some(Test)),
            ("python -m playwright install --with-deps chromium", None),
            ("pnpm exec playwright install chromium", None),
            ("python -Wall tests/runtests.py -v2", Some(Test)),
            ("echo test", None),
            ("shellcheck --version", None),
            ("sudo apt-get install tcl", None),
            ("cd build", None),
            ("", None),
        ] {
            assert_eq!(of_command(command), expected, "{command}");
        }
    }
}
