//! What people do with a project, and which of that a command does.

/// What a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Purpose {
    /// Get what it needs.
    Install,
    /// Make it.
    Build,
    /// Try whether it works.
    Test,
    /// Look at its form: linters, formatters, types.
    Check,
    /// Start it.
    Run,
    /// Make its documentation.
    Document,
}

impl Purpose {
    /// All of them, in the order in which they are told.
    pub(crate) const ALL: [Self; 6] =
        [Self::Install, Self::Build, Self::Test, Self::Check, Self::Run, Self::Document];

    /// What a file does that tells the command.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Install => "installs",
            Self::Build => "builds",
            Self::Test => "tests",
            Self::Check => "checks",
            Self::Run => "runs",
            Self::Document => "documents",
        }
    }

    /// The word before the commands in a report.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Install => "Install",
            Self::Build => "Build",
            Self::Test => "Test",
            Self::Check => "Check",
            Self::Run => "Run",
            Self::Document => "Document",
        }
    }

    /// What a target or script of a name is for, by habit.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let first = lower.split([':', '-', '_', '.']).next().unwrap_or_default();
        // Some words mean this only when they stand alone.
        let is_alone = first.len() == lower.len() || lower[first.len()..].starts_with(':');
        if !is_alone
            && matches!(first, "check" | "serve" | "run" | "up" | "all" | "dist" | "types" | "install")
        {
            return None;
        }
        Some(match first {
            "install" | "setup" | "bootstrap" | "deps" => Self::Install,
            "build" | "compile" | "all" | "dist" | "bundle" => Self::Build,
            "test" | "tests" | "spec" | "e2e" | "check" | "coverage" | "integration" | "unit" => Self::Test,
            "lint" | "fmt" | "format" | "style" | "typecheck" | "typing" | "types" | "vet" | "clippy"
            | "analyze" | "analyse" => Self::Check,
            "start" | "serve" | "dev" | "run" | "server" | "up" => Self::Run,
            "doc" | "docs" => Self::Document,
            _ => return None,
        })
    }

    /// What a script of npm is for: there, `check` looks at types, and tests nothing.
    pub(crate) fn of_script(name: &str) -> Option<Self> {
        if name == "check" { Some(Self::Check) } else { Self::of_name(name) }
    }

    /// What a command of a shell is for; `None` for what only prepares something.
    pub(crate) fn of_command(command: &str) -> Option<Self> {
        let words: Vec<&str> = words_of(command);
        let program = words.first()?.rsplit('/').next()?;
        let second = words.get(1).copied().unwrap_or_default();
        let has = |word: &str| words.contains(&word);
        // Who asks a tool for its version does nothing with it.
        if has("--version") || has("--help") || has("-V") {
            return None;
        }
        Some(match program {
            "pytest" | "tox" | "nox" | "rspec" | "jest" | "vitest" | "mocha" | "ctest" | "phpunit"
            | "pest" | "busted" | "bats" | "runtest" | "runtests.py" | "ava" | "karma" | "playwright"
            | "cypress" => {
                if second == "install" || second == "install-deps" {
                    return None;
                } else if has("typing") || has("style") || has("lint") {
                    Self::Check
                } else if has("docs") {
                    Self::Document
                } else {
                    Self::Test
                }
            }
            "eslint" | "prettier" | "ruff" | "flake8" | "mypy" | "pyright" | "black" | "isort" | "pylint"
            | "rubocop" | "golangci-lint" | "pre-commit" | "stylelint" | "phpstan" | "clang-tidy"
            | "shellcheck" | "typos" | "biome" => Self::Check,
            "sphinx-build" | "mkdocs" | "rustdoc" | "typedoc" | "yard" => Self::Document,
            "meson" | "ninja" | "bazel" | "scons" | "webpack" | "rollup" | "tsc" | "vue-tsc" => {
                match second {
                    "test" => Self::Test,
                    _ => Self::Build,
                }
            }
            "cargo" => match second {
                "build" => Self::Build,
                "test" | "nextest" => Self::Test,
                "clippy" | "fmt" | "check" | "deny" => Self::Check,
                "run" => Self::Run,
                "install" => Self::Install,
                "doc" => Self::Document,
                _ => return None,
            },
            "go" => match second {
                "build" => Self::Build,
                "test" => Self::Test,
                "vet" => Self::Check,
                "run" => Self::Run,
                "install" | "get" => Self::Install,
                _ => return None,
            },
            "npm" | "yarn" | "pnpm" | "bun" | "deno" => {
                let script = match (second, words.get(2)) {
                    ("run" | "run-script" | "task" | "exec", Some(script)) => *script,
                    _ => second,
                };
                match script {
                    "ci" | "i" | "add" => Self::Install,
                    script => Self::of_script(script)?,
                }
            }
            "make" | "gmake" | "just" | "rake" | "task" | "invoke" | "composer" | "mix" | "swift"
            | "dart" | "flutter" | "zig" | "dotnet" | "gradle" | "gradlew" | "sbt" | "lein" | "stack"
            | "cabal" | "rails" | "bundle" | "artisan" | "poe" | "hatch" | "pdm" | "poetry" => {
                let plain = words.iter().skip(1).find(|word| !word.starts_with('-') && !word.contains('='));
                match plain {
                    Some(name) => Self::of_name(name)?,
                    None if matches!(program, "make" | "gmake") => Self::Build,
                    None => return None,
                }
            }
            "mvn" | "mvnw" => {
                let goal = words.iter().skip(1).rfind(|word| !word.starts_with('-'))?;
                match *goal {
                    "test" | "verify" => Self::Test,
                    "package" | "install" | "compile" => Self::Build,
                    goal if goal.ends_with(":run") => Self::Run,
                    _ => return None,
                }
            }
            "cmake" if has("--build") => Self::Build,
            "pip" | "pip3" | "gem" | "brew" if second == "install" => Self::Install,
            "uv" => match second {
                "sync" => Self::Install,
                "build" => Self::Build,
                _ => return None,
            },
            "python" | "python3" | "py" if second.starts_with("-W") || second == "-u" => {
                let script = words.iter().skip(1).find(|word| !word.starts_with('-'))?;
                if !script.contains("test") {
                    return None;
                }
                Self::Test
            }
            "python" | "python3" | "py" => match (second, words.get(2).copied().unwrap_or_default()) {
                ("-m", "build") => Self::Build,
                ("-m", "unittest") => Self::Test,
                ("-m", "pip") => Self::Install,
                (script, _) if script.contains("test") => Self::Test,
                ("setup.py", "install") => Self::Install,
                _ => return None,
            },
            "docker" | "docker-compose" | "podman" => {
                if has("up") || second == "run" {
                    Self::Run
                } else if second == "build" {
                    Self::Build
                } else {
                    return None;
                }
            }
            program
                if program.contains("runtest") || program.starts_with("test") && command.contains('/') =>
            {
                Self::Test
            }
            _ => return None,
        })
    }
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
    use super::Purpose;

    #[test]
    fn commands_are_told_apart() {
        use Purpose::{Build, Check, Document, Install, Run, Test};
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
            assert_eq!(Purpose::of_command(command), expected, "{command}");
        }
    }
}
