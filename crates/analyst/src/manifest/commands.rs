//! Commands to build, test, check and run: of scripts, pipelines and documents, and by habit of the tools.

use luminos_core::fact::{Fact, FactKind, OfferKind, Purpose};
use luminos_tools::structure::{Manifest, Script, Tool, Workflow};

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
        let fitting = scripts
            .iter()
            .filter(|script| purpose_of(&script.name) == Some(purpose) && !does_nothing(script));
        // `test` before `test-ci`, `build` before `all`.
        // What looks comes before what changes files.
        let changes = |name: &str| name.starts_with("fmt") || name.starts_with("format");
        let Some(script) =
            fitting.min_by_key(|script| (changes(&script.name), script.name.len(), script.lines.first))
        else {
            continue;
        };
        let command = match (program, script.name.as_str()) {
            (program, name) if is_built_in(program, name) => format!("{program} run {name}"),
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

/// Whether a script or target only says something, or fails: the place for one that nobody wrote.
fn does_nothing(script: &Script) -> bool {
    let Some(command) = script.command.as_deref().map(str::trim) else { return false };
    command.contains("no test specified")
        || command.starts_with("echo ") && (command.ends_with("exit 1") || command.ends_with("exit 0"))
        || command.starts_with("echo ") && !command.contains(['&', ';', '|'])
        || command == "help"
}

/// Whether a manager of packages does something of its own at this word, whatever script is called so.
fn is_built_in(program: &str, name: &str) -> bool {
    let built_in: &[&str] = match program {
        "pnpm" => &[
            "add", "audit", "bin", "config", "create", "deploy", "dlx", "env", "exec", "fetch", "import",
            "init", "link", "list", "outdated", "pack", "patch", "prune", "publish", "rebuild", "remove",
            "root", "server", "setup", "store", "unlink", "up", "update", "why",
        ],
        "yarn" => &[
            "add", "audit", "config", "create", "exec", "info", "init", "link", "pack", "publish", "remove",
            "up", "upgrade", "why",
        ],
        "bun" => &[
            "add", "build", "create", "init", "link", "outdated", "pm", "publish", "remove", "test",
            "update", "upgrade", "x",
        ],
        _ => &[],
    };
    built_in.contains(&name)
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

/// Commands of a file, those of one purpose together.
pub(crate) fn gathered(file: &FileText, commands: Vec<(Purpose, String, u32)>) -> Vec<Fact> {
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
