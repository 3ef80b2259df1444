//! Commands to build, test, check and run: of scripts, pipelines and documents, and by habit of the tools.

use luminos_core::fact::{Fact, FactKind, OfferKind, Purpose};
use luminos_tools::structure::{Manifest, Tool, Workflow};

use super::{NAMES, at, is_plain};
use crate::eyes::FileText;
use crate::purpose;

/// So many commands of one purpose are told of a file.
const COMMANDS: usize = 4;
/// Longer commands are no help.
const LONGEST: usize = 100;

/// Scripts of npm and composer, targets of make.
pub(super) fn of_scripts(file: &FileText, manifest: &Manifest, beside: &[&str]) -> Vec<Fact> {
    let (offer, program) = match manifest.tool {
        Tool::Npm => (OfferKind::Scripts, manager(manifest, beside)),
        Tool::Composer => (OfferKind::Scripts, "composer"),
        Tool::Make => (OfferKind::Targets, "make"),
        Tool::Bundler
        | Tool::Cargo
        | Tool::CMake
        | Tool::DotNet
        | Tool::Go
        | Tool::Gradle
        | Tool::Maven
        | Tool::Pip
        | Tool::Python => return Vec::new(),
    };
    // What people call most comes first: a long list is cut.
    let is_npm = manifest.tool == Tool::Npm;
    let purpose_of = |name: &str| if is_npm { purpose::of_script(name) } else { purpose::of_name(name) };
    let rank = |name: &str| purpose_of(name).map_or(usize::MAX, |purpose| purpose as usize);
    let is_told = |name: &str| {
        let of_make = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        is_plain(name) && (manifest.tool != Tool::Make || name.bytes().all(of_make))
    };
    let mut scripts: Vec<_> = manifest.scripts.iter().filter(|script| is_told(&script.name)).collect();
    let mut seen = std::collections::BTreeSet::new();
    scripts.retain(|script| seen.insert(script.name.clone()));
    scripts.sort_by_key(|script| rank(&script.name));
    let mut found = Vec::new();
    if !scripts.is_empty() {
        let lines: Vec<u32> = scripts.iter().take(NAMES).map(|script| script.lines.first).collect();
        let names = scripts.iter().take(NAMES).map(|script| script.name.clone()).collect();
        let statement = FactKind::Offers { offer, names };
        found.extend(at(file, statement, lines));
    }
    for purpose in Purpose::ALL {
        let fitting = scripts.iter().filter(|script| purpose_of(&script.name) == Some(purpose));
        // `test` before `test-ci`, `build` before `all`.
        // What looks comes before what changes files.
        let changes = |name: &str| name.starts_with("fmt") || name.starts_with("format");
        let Some(script) =
            fitting.min_by_key(|script| (changes(&script.name), script.name.len(), script.lines.first))
        else {
            continue;
        };
        let command = match (program, script.name.as_str()) {
            ("npm", "test" | "start") | ("yarn" | "pnpm" | "composer" | "make" | "bun", _) => {
                format!("{program} {}", script.name)
            }
            ("npm", name) => format!("npm run {name}"),
            (program, name) => format!("{program} {name}"),
        };
        let command = if command == "make all" { "make".to_owned() } else { command };
        let statement = FactKind::Commands { purpose, commands: vec![command] };
        found.extend(at(file, statement, [script.lines.first]));
    }
    found
}

/// Who manages the packages of a package.json.
fn manager(manifest: &Manifest, beside: &[&str]) -> &'static str {
    let said = manifest.facts.iter().find(|fact| fact.key == "packageManager");
    let said = said.map(|fact| fact.value.text.as_str()).unwrap_or_default();
    let has = |name: &str| beside.contains(&name);
    if said.starts_with("pnpm") || has("pnpm-lock.yaml") || has("pnpm-workspace.yaml") {
        "pnpm"
    } else if said.starts_with("yarn") || has("yarn.lock") {
        "yarn"
    } else if said.starts_with("bun") || has("bun.lock") || has("bun.lockb") {
        "bun"
    } else {
        "npm"
    }
}

/// What a build server runs.
pub(super) fn of_pipeline(file: &FileText, workflow: &Workflow) -> Vec<Fact> {
    let mut by_purpose: Vec<(Purpose, String, u32)> = Vec::new();
    for step in workflow.jobs.iter().flat_map(|job| &job.steps) {
        let lines = step.lines.first as usize..=(step.lines.last as usize).min(file.line_count());
        for number in lines {
            let line = file.line(number).trim().trim_start_matches("- ");
            let line = line.strip_prefix("run:").unwrap_or(line).trim();
            let command = unquoted(line.split(" #").next().unwrap_or_default().trim());
            // What a build server starts, it starts for itself.
            if let Some(purpose) = told(command).filter(|purpose| *purpose != Purpose::Run)
                && let Ok(number) = u32::try_from(number)
            {
                by_purpose.push((purpose, command.to_owned(), number));
            }
        }
    }
    gathered(file, by_purpose)
}

/// A command without the quotes around it.
fn unquoted(command: &str) -> &str {
    let inside = |quote: char| command.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(command)
}

/// The purpose of a command that can be told: short, and without what only its place fills in.
fn told(command: &str) -> Option<Purpose> {
    let is_whole = command.len() <= LONGEST
        && !command.contains(['`', '$', '\\', '|', '{', '<', '>'])
        && command.matches('"').count().is_multiple_of(2);
    purpose::of_command(command).filter(|_| is_whole)
}

fn gathered(file: &FileText, commands: Vec<(Purpose, String, u32)>) -> Vec<Fact> {
    let mut found = Vec::new();
    for purpose in Purpose::ALL {
        let mut own: Vec<(String, u32)> = Vec::new();
        for (of, command, line) in &commands {
            if *of == purpose && !own.iter().any(|(known, _)| known == command) {
                own.push((command.clone(), *line));
            }
        }
        own.truncate(COMMANDS);
        if own.is_empty() {
            continue;
        }
        let lines: Vec<u32> = own.iter().map(|(_, line)| *line).collect();
        let commands = own.into_iter().map(|(command, _)| command).collect();
        found.extend(at(file, FactKind::Commands { purpose, commands }, lines));
    }
    found
}

/// Commands in the examples of a README, by what they do.
pub(crate) fn of_readme(file: &FileText) -> Vec<Fact> {
    let mut commands = Vec::new();
    let mut is_code = false;
    for (number, line) in file.lines().take(1_500) {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        let is_shown = is_code || line.starts_with("    ") || line.starts_with('\t');
        if !is_shown {
            continue;
        }
        let prompt = ["$ ", "% ", "> "].iter().find_map(|mark| trimmed.strip_prefix(mark));
        let command = prompt.unwrap_or(trimmed).split(" #").next().unwrap_or_default();
        let command = command.split(" // ").next().unwrap_or_default().trim();
        if let (Some(purpose), Ok(number)) = (told(command), u32::try_from(number)) {
            commands.push((purpose, command.to_owned(), number));
        }
    }
    gathered(file, commands)
}

/// What the tools of a manifest are always called with.
pub(super) fn by_habit(file: &FileText, beside: &[&str]) -> Vec<Fact> {
    let has = |name: &str| beside.contains(&name);
    let wrapped =
        |wrapper: &str, plain: &str| if has(wrapper) { format!("./{wrapper}") } else { plain.to_owned() };
    let holds = |words: &str| file.find(words);
    let mut habits: Vec<(Purpose, String, Option<usize>)> = Vec::new();
    let mut add = |purpose: Purpose, command: &str, line: Option<usize>| {
        habits.push((purpose, command.to_owned(), line));
    };
    match file.name.as_str() {
        "Cargo.toml" => {
            let line = holds("[package]").or_else(|| holds("[workspace]"));
            add(Purpose::Build, "cargo build", line);
            add(Purpose::Test, "cargo test", line);
        }
        "package.json" => {
            let manager = match () {
                () if has("pnpm-lock.yaml") || has("pnpm-workspace.yaml") => "pnpm",
                () if has("yarn.lock") => "yarn",
                () if has("bun.lock") || has("bun.lockb") => "bun",
                () => "npm",
            };
            let line = holds("\"dependencies\":").or_else(|| holds("\"devDependencies\":"));
            add(Purpose::Install, &format!("{manager} install"), line);
        }
        "composer.json" => add(Purpose::Install, "composer install", holds("\"require\":")),
        "go.mod" => {
            add(Purpose::Build, "go build ./...", holds("module "));
            add(Purpose::Test, "go test ./...", holds("module "));
        }
        "pom.xml" => {
            let program = wrapped("mvnw", "mvn");
            add(Purpose::Build, &format!("{program} package"), holds("<project"));
            add(Purpose::Test, &format!("{program} test"), holds("<project"));
            let boot = holds("spring-boot-maven-plugin");
            if boot.is_some() {
                add(Purpose::Run, &format!("{program} spring-boot:run"), boot);
            }
        }
        "build.gradle" | "build.gradle.kts" => {
            let program = wrapped("gradlew", "gradle");
            add(Purpose::Build, &format!("{program} build"), Some(1));
            add(Purpose::Test, &format!("{program} test"), Some(1));
        }
        "CMakeLists.txt" => {
            let line = holds("project(").or_else(|| holds("project ("));
            if line.is_some() {
                add(Purpose::Build, "cmake -B build", line);
                add(Purpose::Build, "cmake --build build", line);
            }
            let tests =
                holds("enable_testing(").or_else(|| holds("include(CTest)")).or_else(|| holds("add_test("));
            if tests.is_some() {
                add(Purpose::Test, "ctest --test-dir build", tests);
            }
        }
        "tox.ini" => add(Purpose::Test, "tox", holds("[tox]").or(holds("[testenv"))),
        "noxfile.py" => add(Purpose::Test, "nox", holds("nox.session")),
        "pyproject.toml" => {
            if !has("tox.ini") {
                add(Purpose::Test, "tox", holds("[tool.tox"));
            }
            add(Purpose::Test, "pytest", holds("[tool.pytest"));
            add(Purpose::Build, "python -m build", holds("[build-system]"));
        }
        "setup.cfg" | "pytest.ini" => {
            add(Purpose::Test, "pytest", holds("[tool:pytest]").or_else(|| holds("[pytest]")))
        }
        "manage.py" => {
            add(Purpose::Run, "python manage.py runserver", holds("execute_from_command_line"));
            add(Purpose::Test, "python manage.py test", holds("execute_from_command_line"));
        }
        "Gemfile" => add(Purpose::Install, "bundle install", holds("gem ").or_else(|| holds("gemspec"))),
        "mix.exs" => {
            add(Purpose::Install, "mix deps.get", holds("use Mix.Project"));
            add(Purpose::Test, "mix test", holds("use Mix.Project"));
        }
        "Package.swift" => {
            add(Purpose::Build, "swift build", holds("Package("));
            add(Purpose::Test, "swift test", holds(".testTarget("));
        }
        name if name.ends_with(".cabal") => {
            add(Purpose::Build, "cabal build", holds("cabal-version:").or_else(|| holds("Cabal-Version:")));
            add(Purpose::Test, "cabal test", holds("test-suite ").or_else(|| holds("Test-Suite ")));
        }
        "pubspec.yaml" => add(Purpose::Install, "dart pub get", holds("name:")),
        "meson.build" => add(Purpose::Build, "meson setup build && ninja -C build", holds("project(")),
        "artisan" => add(Purpose::Run, "php artisan serve", Some(1)),
        "phpunit.xml" | "phpunit.xml.dist" => add(Purpose::Test, "vendor/bin/phpunit", holds("<phpunit")),
        name if name.ends_with(".slnx") => {
            add(Purpose::Build, "dotnet build", holds("<Project"));
            add(Purpose::Test, "dotnet test", holds("Test"));
        }
        name if name.ends_with(".sln") => {
            add(Purpose::Build, "dotnet build", holds("Project("));
            add(Purpose::Test, "dotnet test", holds("Test"));
        }
        _ => {}
    }
    let known = habits
        .into_iter()
        .filter_map(|(purpose, command, line)| Some((purpose, command, u32::try_from(line?).ok()?)));
    gathered(file, known.collect())
}
