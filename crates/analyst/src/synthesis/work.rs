//! How to work with it: commands, where it starts, what it needs around it, and how alive it is.

use std::collections::BTreeMap;

use luminos_core::RelPath;

use super::Told;
use crate::knowledge::services;
use crate::manifest::is_pipeline;
use crate::purpose::Purpose;
use crate::readme::is_readme;
use crate::rules::is_for_tests;
use crate::statement::Statement;
use crate::tree::languages;
use crate::words::{code, count, list, number, some_of};

/// So many commands for one purpose.
const COMMANDS: usize = 3;
/// Where so many more directories have a command of their own, none is told.
const BELOW: usize = 4;
/// So many files that set something up.
const SETTINGS: usize = 8;
/// So many files that start services are told together.
const MANY_SERVICES: u64 = 6;
/// So many variables.
const VARIABLES: usize = 12;

/// Files that tell a command, each with how much its word counts: less is more.
type Sources<'s> = Vec<(u8, &'s str)>;

impl Told<'_> {
    /// The day of the newest commit.
    pub(super) fn last_day(&self) -> Option<String> {
        let words = self.of_root().find_map(|(_, statement, _)| {
            let Statement::History { words, .. } = statement else { return None };
            Some(words)
        })?;
        let span = words.split(';').next()?;
        span.rsplit(' ').next().map(str::to_owned)
    }

    /// How alive it is.
    pub(super) fn history(&self) -> Option<String> {
        let mut told = Vec::new();
        for (_, statement, _) in self.of_root() {
            if let Statement::History { words, .. } = statement {
                told.push(format!("History: {words}."));
            }
            if let Statement::Churn { commits, files, .. } = statement {
                let files: Vec<String> =
                    files.iter().map(|(file, changes)| format!("{} ({changes})", code(file))).collect();
                told.push(format!("The last {commits} commits changed most: {}.", list(&files)));
            }
        }
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// How to install, build, test, check and run it, each with the files that say so.
    pub(super) fn commands(&self) -> Option<String> {
        let mut lines = Vec::new();
        for purpose in Purpose::ALL {
            let mut told: Vec<(u8, String, Sources<'_>)> = Vec::new();
            let of_purpose = |statement: &&(_, Statement, _)| matches!(&statement.1, Statement::Runs { purpose: of, .. } if *of == purpose);
            for (_, statement, _) in self.of_root().filter(of_purpose) {
                let Statement::Runs { path, commands, .. } = statement else { continue };
                // What a manifest says is what one types; a pipeline has its own surroundings.
                let rank = if is_pipeline(path) { 4 } else { 2 * u8::from(is_readme(path)) };
                let is_foreign = self.is_of_another_language(path);
                // To call the program itself is to run it, whatever it does.
                let is_use = |command: &str| {
                    let first = command.split_whitespace().next().unwrap_or_default();
                    let first = first.rsplit('/').next().unwrap_or_default();
                    purpose != Purpose::Run
                        && rank == 2
                        && first.eq_ignore_ascii_case(self.material.whole.name)
                };
                let typed = |command: &&String| self.can_be_typed(command, rank) && !is_use(command);
                for command in commands.iter().filter(typed) {
                    match told.iter_mut().find(|(_, known, _)| known == command) {
                        Some((known_rank, _, paths)) => {
                            *known_rank = (rank + u8::from(is_foreign)).min(*known_rank);
                            paths.push((rank, path));
                        }
                        None => told.push((rank + u8::from(is_foreign), command.clone(), vec![(rank, path)])),
                    }
                }
            }
            // Of what build servers run, the plainest; what makes ready comes before what builds.
            told.sort_by_key(|(rank, command, _)| {
                let is_second = command.starts_with("cmake --build");
                (*rank, if *rank < 4 { usize::from(is_second) } else { command.len() })
            });
            // Where a manifest says it, another way to say the same is no news, but for how it is tested.
            let has_own = told.first().is_some_and(|(rank, _, _)| *rank < 2);
            let limit = 1;
            if has_own && matches!(purpose, Purpose::Install | Purpose::Build | Purpose::Document) {
                told.retain(|(rank, _, _)| *rank <= limit);
            }
            // What a build server installs is for itself.
            // Nor is what pages are tried with all that a program in another language needs.
            if purpose == Purpose::Install {
                told.retain(|(rank, _, paths)| {
                    let mut own = paths.iter().filter(|(_, path)| !is_pipeline(path));
                    let is_foreign = own.all(|(_, path)| self.is_of_another_language(path));
                    *rank < 4 && !is_foreign
                });
            }
            told.truncate(if purpose == Purpose::Install { 2 } else { COMMANDS });
            if told.is_empty() {
                let below = self.commands_below(purpose);
                lines.extend(below.map(|words| format!("- {}: {words}", purpose.title())));
                continue;
            }
            let words: Vec<String> = told
                .into_iter()
                .map(|(_, command, mut paths)| {
                    paths.sort_by_key(|(rank, _)| *rank);
                    let paths: Vec<String> = paths.into_iter().map(|(_, path)| code(path)).collect();
                    format!("{} ({})", code(&command), some_of(&paths, 2))
                })
                .collect();
            lines.push(format!("- {}: {}", purpose.title(), words.join(", ")));
        }
        (!lines.is_empty()).then(|| format!("How to work with it:\n{}", lines.join("\n")))
    }

    /// How something is done in a directory directly below the top, where the top itself does not say.
    fn commands_below(&self, purpose: Purpose) -> Option<String> {
        if !matches!(purpose, Purpose::Build | Purpose::Test) {
            return None;
        }
        let mut found = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Runs { path, purpose: of, commands } = statement else { return None };
            let dir = entry.relative_path.to_word();
            let is_near = !entry.relative_path.is_root() && !dir.contains('/') && !self.sides.has(&dir);
            let command = commands.first().filter(|_| *of == purpose && is_near && !is_readme(path))?;
            Some(format!("{} in {} ({})", code(command), code(&dir), code(path)))
        });
        // One of many says nothing of the others.
        let first = found.next();
        first.filter(|_| found.count() < BELOW)
    }

    /// Whether a manifest is one of a language that the program is not written in: pages of a program in Python are
    /// often tried with npm.
    pub(super) fn is_of_another_language(&self, path: &str) -> bool {
        let languages = languages(self.material.whole.scan);
        let main = languages.first().map_or("", |(name, _)| *name);
        // Gems beside a program of another language help to release it.
        path.ends_with("package.json")
            && !matches!(main, "JavaScript" | "TypeScript" | "TSX" | "JSX" | "Vue" | "Svelte")
            || path.ends_with("Gemfile") && main == "Swift"
    }

    /// Whether a command of a document or pipeline can be typed at the top of the target: what it names is there.
    pub(super) fn can_be_typed(&self, command: &str, rank: u8) -> bool {
        if rank == 0 {
            return true;
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        let scan = self.material.whole.scan;
        let is_there = |path: &str| {
            let path = RelPath::from(path.trim_start_matches("./"));
            scan.file_ids().any(|file| scan.file_path(file) == path)
        };
        let endings = [".go", ".py", ".js", ".ts", ".rb", ".php", ".sh", ".pl", ".lua"];
        let is_file = |word: &&&str| {
            let is_plain = !word.starts_with('-') && !word.contains(['*', '=', ':']);
            is_plain
                && (endings.iter().any(|ending| word.ends_with(ending))
                    || word.starts_with("./") && word.len() > 5)
        };
        if !words.iter().filter(is_file).all(|word| is_there(word) || word.ends_with("/...")) {
            return false;
        }
        let offered = |noun: &str| {
            self.of_root().find_map(|(_, statement, _)| {
                let Statement::Offers { noun: of, names, .. } = statement else { return None };
                (of == noun).then_some(names)
            })
        };
        match words[..] {
            ["npm" | "yarn" | "pnpm" | "bun", "install" | "i" | "add" | "ci", ref rest @ ..]
            | ["pip" | "pip3" | "gem" | "brew" | "cargo", "install", ref rest @ ..]
            | ["go", "get" | "install", ref rest @ ..] => {
                // Packages of others are for those who use them.
                let mut packages = rest.iter().filter(|word| !word.starts_with(['-', '.']));
                let is_own = |word: &&&str| {
                    self.declared_names()
                        .any(|name| word.trim_end_matches("@latest").eq_ignore_ascii_case(name))
                };
                packages.clone().next().is_none()
                    || packages.any(|word| is_own(&word))
                    || command.contains(" -r ")
                    || command.contains(" -e ")
            }
            ["npm" | "yarn" | "pnpm" | "bun", "run" | "run-script", script, ..]
            | ["npm" | "yarn" | "pnpm" | "bun", script, ..] => {
                offered("scripts").is_some_and(|names| names.iter().any(|name| name == script))
            }
            ["make" | "gmake", ..] => {
                ["Makefile", "GNUmakefile", "makefile"].iter().any(|name| is_there(name))
            }
            _ => true,
        }
    }

    /// What machines are set up, and with what.
    pub(super) fn infrastructure(&self) -> Option<String> {
        let lines: Vec<String> = self
            .statements
            .iter()
            .filter_map(|(_, statement, _)| {
                let Statement::Holds { path, words } = statement else { return None };
                let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
                let is_aside = is_for_tests(path) || self.sides.has(dir);
                (super::sets_up_machines(words) && !is_aside).then(|| format!("- {}: {words}", code(path)))
            })
            .collect();
        if lines.is_empty() {
            return None;
        }
        let more = match lines.len().saturating_sub(SETTINGS) {
            0 => String::new(),
            more => format!("\nand {}.", count(more as u64, "more file")),
        };
        let shown = lines.iter().take(SETTINGS).cloned().collect::<Vec<_>>().join("\n");
        Some(format!("Infrastructure:\n{shown}{more}"))
    }

    /// Services, ports and variables that it takes from around it.
    pub(super) fn surroundings(&self) -> Option<String> {
        let mut told: Vec<String> = self.many_services().into_iter().collect();
        let is_many = !told.is_empty();
        for (entry, statement, _) in &self.statements {
            let is_near = entry.relative_path.as_bytes().iter().filter(|byte| **byte == b'/').count() < 2;
            let Statement::Starting { path, names } = statement else { continue };
            if is_near && !is_for_tests(path) && !is_many && told.len() < 3 {
                let names: Vec<String> = names
                    .iter()
                    .map(|name| match name.split_once(": ") {
                        Some((name, image)) => format!("{} ({image})", code(name)),
                        None => code(name),
                    })
                    .collect();
                told.push(format!("{} starts {}.", code(path), some_of(&names, 8)));
            }
        }
        told.extend(self.services());
        let mut ports: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (_, statement, _) in &self.statements {
            if let Statement::Listens { path, ports: of } = statement
                && !is_for_tests(path)
            {
                ports.entry(path).or_default().extend(of.iter().map(String::as_str));
            }
        }
        let ports: Vec<String> = ports
            .into_iter()
            .take(3)
            .map(|(path, ports)| {
                let ports: Vec<String> = ports.into_iter().map(code).collect();
                format!("{} ({})", some_of(&ports, 6), code(path))
            })
            .collect();
        if !ports.is_empty() && !is_many {
            told.push(format!("Ports: {}.", ports.join("; ")));
        }
        // In a collection, they are those of something that lies in it.
        told.extend(self.variables().filter(|_| self.is_software()));
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Where many files start services, each in a directory of its own: how many, and what they start most.
    fn many_services(&self) -> Option<String> {
        let mut files = 0;
        let mut images: BTreeMap<&str, u64> = BTreeMap::new();
        for (entry, statement, _) in &self.statements {
            let Statement::Starting { path, names } = statement else { continue };
            if entry.relative_path.is_root() || is_for_tests(path) {
                continue;
            }
            files += 1;
            let of_file = names.iter().filter_map(|name| name.split_once(": ")).map(|(_, image)| {
                let image = image.rsplit('/').next().unwrap_or(image);
                image.split([':', '@']).next().unwrap_or(image)
            });
            for image in of_file.collect::<std::collections::BTreeSet<_>>() {
                *images.entry(image).or_default() += 1;
            }
        }
        if files < MANY_SERVICES {
            return None;
        }
        let mut images: Vec<(&str, u64)> = images.into_iter().filter(|(_, files)| 1 < *files).collect();
        images.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let images: Vec<String> = images
            .iter()
            .map(|(image, files)| format!("{} ({})", code(image), count(*files, "file")))
            .collect();
        let most = match images.is_empty() {
            true => String::new(),
            false => format!("; the images they use most are {}", some_of(&images, 6)),
        };
        Some(format!("{} start services with Docker Compose{most}.", count(files, "file")))
    }

    /// Databases and queues, by the packages that speak to them.
    fn services(&self) -> Option<String> {
        let mut found: BTreeMap<&str, (String, String)> = BTreeMap::new();
        for (_, statement, _) in self.of_root() {
            let Statement::Needs { path, names } = statement else { continue };
            for service in services() {
                let is_client = |name: &&String| {
                    service.packages.iter().any(|package| name.eq_ignore_ascii_case(package))
                };
                if let Some(name) = names.iter().find(is_client) {
                    found.entry(&service.name).or_insert((name.clone(), path.clone()));
                }
            }
        }
        let told: Vec<String> = found
            .into_iter()
            .map(|(service, (name, path))| format!("{service} ({} in {})", code(&name), code(&path)))
            .collect();
        (!told.is_empty()).then(|| format!("It has clients for {}.", list(&told)))
    }

    /// Variables of the environment: those shown to be set first, then those that programs take.
    fn variables(&self) -> Option<String> {
        let mut places: BTreeMap<&str, (bool, &str, u64)> = BTreeMap::new();
        for (_, statement, _) in &self.statements {
            let Statement::Takes { path, names } = statement else { continue };
            let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            let is_for_work =
                dir.split('/').any(|step| matches!(step, "scripts" | "script" | "tools" | "hack" | "ci"))
                    || path.starts_with("appveyor");
            if (self.sides.has(dir) || is_for_work) && !path.contains(".env") {
                continue;
            }
            for name in names {
                let place = places.entry(name).or_insert((path.contains(".env"), path, 0));
                place.2 += 1;
            }
        }
        if places.is_empty() {
            return None;
        }
        let all = places.len() as u64;
        let mut sorted: Vec<(&str, (bool, &str, u64))> = places.into_iter().collect();
        sorted.sort_by(|a, b| (b.1.0, b.1.2).cmp(&(a.1.0, a.1.2)).then(a.0.cmp(b.0)));
        // By file: one reads it there.
        let mut by_path: Vec<(&str, Vec<String>)> = Vec::new();
        for (name, (_, path, _)) in sorted.iter().take(VARIABLES) {
            match by_path.iter_mut().find(|(known, _)| known == path) {
                Some((_, names)) => names.push(code(name)),
                None => by_path.push((path, vec![code(name)])),
            }
        }
        let told: Vec<String> =
            by_path.into_iter().map(|(path, names)| format!("{} ({})", list(&names), code(path))).collect();
        let head = if VARIABLES < sorted.len() {
            format!("It takes {} environment variables, among them", number(all))
        } else {
            format!("It takes {}:", count(all, "environment variable"))
        };
        Some(format!("{head} {}.", told.join("; ")))
    }
}
