//! Manifests, pipelines, images and services that `structure` reads.

use luminos_core::fact::{Fact, FactKind, OfferKind, Purpose, Service};
use luminos_tools::structure::{self, Image, Manifest, Note, Outline, Services, Tool};

use super::commands;
use super::{NAMES, PACKAGES, at, describes, is_plain, licence};
use crate::eyes::FileText;

/// Whether `structure` reads a file of this name as more than data.
pub(super) fn is_typed(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let whole = [
        "cargo.toml",
        "pyproject.toml",
        "package.json",
        "composer.json",
        "go.mod",
        "cmakelists.txt",
        "pom.xml",
        "makefile",
        "gnumakefile",
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
        "setup.cfg",
        "requirements.txt",
        "gemfile",
        "dockerfile",
        "containerfile",
    ];
    let endings = [".gemspec", ".csproj", ".fsproj", ".vbproj", ".dockerfile"];
    whole.contains(&lower.as_str())
        || endings.iter().any(|ending| lower.ends_with(ending))
        || is_compose(&lower)
        || is_example_of_variables(&lower)
}

fn is_compose(lower: &str) -> bool {
    let is_yaml = lower.ends_with(".yml") || lower.ends_with(".yaml");
    is_yaml && (lower.starts_with("docker-compose") || lower.starts_with("compose."))
}

/// A file that shows which variables there are, and is meant to be seen; a real `.env` is not.
fn is_example_of_variables(lower: &str) -> bool {
    matches!(lower, ".env.example" | ".env.sample" | ".env.template" | ".env.dist" | "env.example")
}

pub(super) fn findings(file: &FileText, beside: &[&str]) -> Vec<Fact> {
    let limits = structure::Limits::default();
    // The outline of a file knows it by its ending.
    let name = if file.name == "env.example" { ".env.example" } else { &file.name };
    match structure::outline(name.as_bytes(), file.text.as_bytes(), &limits) {
        Ok(Outline::Manifest(manifest)) => package(file, &manifest, beside),
        Ok(Outline::Workflow(workflow)) => commands::of_pipeline(file, &workflow),
        Ok(Outline::Image(image)) => image_of(file, &image),
        Ok(Outline::Services(services)) => services_of(file, &services),
        Ok(Outline::Environment(environment)) => variables(file, &environment.names).into_iter().collect(),
        Ok(_) | Err(_) => Vec::new(),
    }
}

fn kind_of(tool: Tool) -> Option<&'static str> {
    Some(match tool {
        Tool::Bundler => "Ruby gem",
        Tool::Cargo => "Rust crate",
        Tool::CMake => "CMake project",
        Tool::Composer => "PHP package",
        Tool::DotNet => ".NET project",
        Tool::Go => "Go module",
        Tool::Gradle => "Gradle project",
        Tool::Maven => "Maven project",
        Tool::Npm => "npm package",
        Tool::Python => "Python package",
        Tool::Make | Tool::Pip => return None,
    })
}

fn package(file: &FileText, manifest: &Manifest, beside: &[&str]) -> Vec<Fact> {
    let mut found = Vec::new();
    // A project that only builds others is none itself.
    let is_list = |fact: &structure::Fact| fact.key == "sdk" && fact.value.text.contains("Traversal");
    if manifest.facts.iter().any(is_list) {
        return found;
    }
    if let (Some(kind), Some(name)) = (kind_of(manifest.tool), name_of(file, manifest))
        && is_plain(&name.text)
    {
        let version = manifest.version.as_ref().filter(|version| is_version(&version.text));
        let lines = std::iter::once(name.line).chain(version.map(|version| version.line));
        let version = version.map(|version| version.text.clone());
        let statement = FactKind::Package { kind: kind.to_owned(), name: name.text, version };
        found.extend(at(file, statement, lines));
    }
    if let (Tool::Cargo | Tool::Npm, None, Some(version)) = (manifest.tool, &manifest.name, &manifest.version)
        && is_version(&version.text)
    {
        let statement = FactKind::Version { version: version.text.clone() };
        found.extend(at(file, statement, [version.line]));
    }
    found.extend(manifest.description.as_ref().and_then(|note| describes(file, &note.text, note.line)));
    if let Some(note) = &manifest.licence
        && is_plain(&note.text)
        && !beside.contains(&note.text.as_str())
    {
        let name = licence::usual(&note.text);
        found.extend(at(file, FactKind::Licence { name }, [note.line]));
    }
    for fact in &manifest.facts {
        if let Some(tool) = required(&fact.key)
            && is_plain(&fact.value.text)
        {
            let version = fact.value.text.trim_start_matches("VERSION ").trim_end_matches(" FATAL_ERROR");
            let required = FactKind::Requirement { tool: tool.to_owned(), version: version.to_owned() };
            found.extend(at(file, required, [fact.value.line]));
        }
    }
    if let Some(php) =
        manifest.dependencies.iter().find(|needed| needed.name == "php" && needed.group.is_none())
        && let Some(version) = php.requirement.as_ref().filter(|version| is_plain(version))
    {
        let required = FactKind::Requirement { tool: "PHP".to_owned(), version: version.clone() };
        found.extend(at(file, required, [php.line]));
    }
    let programs: Vec<&Note> = manifest.entry_points.iter().filter(|note| is_program(&note.text)).collect();
    found.extend(listed(file, &programs, program_name, |names| FactKind::Offers {
        offer: OfferKind::Programs,
        names,
    }));
    for note in &manifest.entry_points {
        if let Some(what) = note.text.strip_prefix("main ").or_else(|| note.text.strip_prefix("module "))
            && is_plain(what)
        {
            let statement = FactKind::EntryFile { file: what.trim_start_matches("./").to_owned() };
            found.extend(at(file, statement, [note.line]));
            break;
        }
    }
    // What CMake adds is a directory, not a member.
    let members: Vec<&Note> = manifest.members.iter().filter(|_| manifest.tool != Tool::CMake).collect();
    found.extend(listed(file, &members, str::to_owned, |names| FactKind::Members { names }));
    found.extend(needs(file, manifest));
    found.extend(refers(file, manifest));
    found.extend(commands::of_scripts(file, manifest, beside));
    found
}

/// The name of a project: that of the file for those of .NET, and without its group for those of Maven.
fn name_of(file: &FileText, manifest: &Manifest) -> Option<Note> {
    let note = match (manifest.tool, &manifest.name) {
        (Tool::DotNet, None) => {
            let line = file.find("<Project")?;
            Note { text: file.name.rsplit_once('.')?.0.to_owned(), line: u32::try_from(line).ok()? }
        }
        (Tool::Bundler, None) => {
            let line = file.find("Specification.new")?;
            let text = file.line(line).split_once("Specification.new")?.1.split(['"', '\'']).nth(1)?;
            Note { text: text.to_owned(), line: u32::try_from(line).ok()? }
        }
        (Tool::Maven, Some(note)) => Note { text: note.text.rsplit(':').next()?.to_owned(), line: note.line },
        (_, name) => name.clone()?,
    };
    Some(note)
}

fn is_version(text: &str) -> bool {
    is_plain(text) && text.starts_with(|first: char| first.is_ascii_digit() || first == 'v')
}

/// What a fact says must be there.
fn required(key: &str) -> Option<&'static str> {
    Some(match key {
        "requires-python" => "Python",
        "rust-version" => "Rust",
        "go" => "Go",
        "node" => "Node.js",
        "ruby" => "Ruby",
        "java.version" | "maven.compiler.release" => "Java",
        "TargetFramework" => ".NET",
        "cmake" => "CMake",
        _ => return None,
    })
}

fn is_program(text: &str) -> bool {
    text.starts_with("bin ") || (text.contains(" = ") && !text.starts_with("lib "))
}

fn program_name(text: &str) -> String {
    let text = text.strip_prefix("bin ").unwrap_or(text);
    let name = text.split(" = ").next().unwrap_or(text);
    name.rsplit('/').next().unwrap_or(name).trim_end_matches(".js").to_owned()
}

fn listed(
    file: &FileText,
    notes: &[&Note],
    name: impl Fn(&str) -> String,
    fact: impl FnOnce(Vec<String>) -> FactKind,
) -> Option<Fact> {
    let mut told: Vec<(String, u32)> =
        notes.iter().map(|note| (name(&note.text), note.line)).filter(|(name, _)| is_plain(name)).collect();
    told.truncate(NAMES * 2);
    let lines: Vec<u32> = told.iter().map(|(_, line)| *line).collect();
    at(file, fact(told.into_iter().map(|(name, _)| name).collect()), lines)
}

/// What it needs to run, and what those need who work on it.
fn needs(file: &FileText, manifest: &Manifest) -> Vec<Fact> {
    let mut found = Vec::new();
    let is_for_work = |group: &str| {
        let group = group.to_ascii_lowercase();
        ["dev", "test", "lint", "doc", "typing", "build", "tests", "ci", "check"]
            .iter()
            .any(|word| group.contains(word))
    };
    let is_name = |character: char| {
        character.is_alphanumeric() || matches!(character, '@' | '/' | '.' | '_' | ':' | '+' | '-')
    };
    let package = |name: &str| {
        is_plain(name)
            && name.chars().all(is_name)
            && !matches!(name, "php" | "python" | "composer-runtime-api" | "composer-plugin-api")
            && !name.starts_with("ext-")
    };
    for for_work in [false, true] {
        // What is not there when it is compiled is still there when it runs.
        let runs_with = |group: &str| {
            let lower = group.to_ascii_lowercase();
            ["runtime", "runtimeonly", "compile", "provided", "implementation", "api"]
                .contains(&lower.as_str())
        };
        let is_wanted = |group: Option<&str>| match group {
            None => !for_work,
            Some(group) if runs_with(group) => !for_work,
            Some(group) => for_work && is_for_work(group),
        };
        let all: Vec<_> = manifest
            .dependencies
            .iter()
            .filter(|needed| is_wanted(needed.group.as_deref()) && package(&needed.name))
            .take(PACKAGES)
            .collect();
        let mut names: Vec<String> = Vec::new();
        let mut lines: Vec<u32> = Vec::new();
        for needed in &all {
            // Of Maven, the group says less than the name.
            let name = needed.name.rsplit(':').next().unwrap_or_default().to_owned();
            if !names.contains(&name) {
                // What is needed may take several lines: the one with its name is shown.
                let named =
                    (needed.line..needed.line + 6).find(|line| file.line(*line as usize).contains(&name));
                lines.push(named.unwrap_or(needed.line));
                names.push(name);
            }
        }
        if names.is_empty() {
            continue;
        }
        let is_lasting = manifest.tool != Tool::Pip || !is_for_work(&file.name);
        let statement = if for_work || !is_lasting {
            FactKind::DevelopmentDependencies { names }
        } else {
            FactKind::Dependencies { names }
        };
        found.extend(at(file, statement, lines));
    }
    found
}

/// Which projects of the target one refers to, by their directories.
fn refers(file: &FileText, manifest: &Manifest) -> Option<Fact> {
    let home: Vec<&str> = file.word.split('/').collect();
    let place = |path: &str| {
        let mut steps: Vec<&str> = home[..home.len().saturating_sub(1)].to_vec();
        for step in path.split(['/', '\\']) {
            match step {
                "" | "." => {}
                ".." => {
                    steps.pop()?;
                }
                step => steps.push(step),
            }
        }
        steps.pop()?;
        let place = steps.join("/");
        (is_plain(&place) && !place.contains('*')).then_some(place)
    };
    let referred = manifest.dependencies.iter().filter(|needed| needed.group.as_deref() == Some("project"));
    let (dirs, lines): (Vec<String>, Vec<u32>) =
        referred.filter_map(|needed| Some((place(&needed.name)?, needed.line))).unzip();
    at(file, FactKind::References { dirs }, lines)
}

fn image_of(file: &FileText, image: &Image) -> Vec<Fact> {
    let mut found = Vec::new();
    let own: Vec<&str> = image.stages.iter().filter_map(|stage| stage.name.as_deref()).collect();
    let bases: Vec<_> = image
        .stages
        .iter()
        .filter(|stage| !own.contains(&stage.from.as_str()) && is_plain(&stage.from))
        .collect();
    if !bases.is_empty() {
        // Which bytes exactly is of use to machines.
        let name = |from: &str| from.split("@sha256:").next().unwrap_or_default().to_owned();
        let mut names: Vec<String> = bases.iter().map(|stage| name(&stage.from)).collect();
        names.dedup();
        let statement = FactKind::Dependencies { names };
        found.extend(at(file, statement, bases.iter().map(|stage| stage.lines.first)));
    }
    let ports: Vec<&Note> = image.ports.iter().filter(|note| is_plain(&note.text)).collect();
    found.extend(listed(file, &ports, str::to_owned, |ports| FactKind::Ports { ports }));
    found
}

fn services_of(file: &FileText, services: &Services) -> Vec<Fact> {
    let mut found = Vec::new();
    let told: Vec<(Service, u32)> = services
        .services
        .iter()
        .filter(|service| is_plain(&service.name))
        .map(|service| {
            let image = service.image.as_ref().filter(|image| is_plain(&image.text));
            let image = image.map(|image| image.text.clone());
            (Service { name: service.name.clone(), image }, service.lines.first)
        })
        .take(NAMES)
        .collect();
    if !told.is_empty() {
        let lines: Vec<u32> = told.iter().map(|(_, line)| *line).collect();
        let services = told.into_iter().map(|(service, _)| service).collect();
        found.extend(at(file, FactKind::Services { services }, lines));
    }
    let ports: Vec<&Note> = services
        .services
        .iter()
        .flat_map(|service| &service.ports)
        .filter(|note| is_plain(&note.text))
        .collect();
    found.extend(listed(file, &ports, str::to_owned, |ports| FactKind::Ports { ports }));
    if let Some(first) = services.services.first() {
        let statement =
            FactKind::Commands { purpose: Purpose::Run, commands: vec!["docker compose up".to_owned()] };
        found.extend(at(file, statement, [first.lines.first]));
    }
    found
}

fn variables(file: &FileText, names: &[Note]) -> Option<Fact> {
    let names: Vec<&Note> = names.iter().filter(|note| is_plain(&note.text)).collect();
    listed(file, &names, str::to_owned, |names| FactKind::Variables { names })
}
