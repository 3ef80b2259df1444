//! How to work with it: commands, where it starts, what it needs around it, and how alive it is.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::report::Item;

use super::Told;
use super::parts::is_side;
use crate::offline::manifest::is_pipeline;
use crate::offline::purpose::Purpose;
use crate::offline::readme::is_readme;
use crate::offline::role::Role;
use crate::offline::rules::is_for_tests;
use crate::offline::statement::Statement;
use crate::offline::words::{code, count, list, number, some_of};

/// So many commands for one purpose.
const COMMANDS: usize = 3;
/// So many variables.
const VARIABLES: usize = 12;

/// Files that tell a command, each with how much its word counts: less is more.
type Sources<'s> = Vec<(u8, &'s str)>;

/// Services by the packages that speak to them.
const SERVICES: &[(&str, &str)] = &[
    ("pg", "PostgreSQL"),
    ("psycopg2", "PostgreSQL"),
    ("psycopg", "PostgreSQL"),
    ("postgres", "PostgreSQL"),
    ("tokio-postgres", "PostgreSQL"),
    ("postgresql", "PostgreSQL"),
    ("npgsql", "PostgreSQL"),
    ("github.com/jackc/pgx/v5", "PostgreSQL"),
    ("github.com/lib/pq", "PostgreSQL"),
    ("mysql2", "MySQL"),
    ("mysql-connector-j", "MySQL"),
    ("pymysql", "MySQL"),
    ("mysqlclient", "MySQL"),
    ("github.com/go-sql-driver/mysql", "MySQL"),
    ("sqlite3", "SQLite"),
    ("rusqlite", "SQLite"),
    ("better-sqlite3", "SQLite"),
    ("h2", "H2"),
    ("redis", "Redis"),
    ("ioredis", "Redis"),
    ("predis/predis", "Redis"),
    ("github.com/redis/go-redis/v9", "Redis"),
    ("mongoose", "MongoDB"),
    ("mongodb", "MongoDB"),
    ("pymongo", "MongoDB"),
    ("elasticsearch", "Elasticsearch"),
    ("meilisearch/meilisearch-php", "Meilisearch"),
    ("sidekiq", "Redis (Sidekiq)"),
    ("celery", "a message broker (Celery)"),
    ("amqplib", "RabbitMQ"),
    ("kafkajs", "Kafka"),
    ("kafka-python", "Kafka"),
    ("memcached", "Memcached"),
    ("dalli", "Memcached"),
];

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
                told.push(format!("Of the last {commits} commits most changed {}.", list(&files)));
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
                let rank = if is_pipeline(path) { 2 } else { u8::from(is_readme(path)) };
                for command in commands {
                    match told.iter_mut().find(|(_, known, _)| known == command) {
                        Some((known_rank, _, paths)) => {
                            *known_rank = rank.min(*known_rank);
                            paths.push((rank, path));
                        }
                        None => told.push((rank, command.clone(), vec![(rank, path)])),
                    }
                }
            }
            told.sort_by_key(|(rank, _, _)| *rank);
            // Where a manifest says it, another way to say the same is no news, but for how it is tested.
            let has_own = told.first().is_some_and(|(rank, _, _)| *rank == 0);
            let limit = if purpose == Purpose::Check { 1 } else { 0 };
            if has_own && matches!(purpose, Purpose::Install | Purpose::Build | Purpose::Document) {
                told.retain(|(rank, _, _)| *rank <= limit);
            }
            // What a build server installs is for itself.
            if purpose == Purpose::Install {
                told.retain(|(rank, _, _)| *rank < 2);
            }
            told.truncate(if purpose == Purpose::Install { 2 } else { COMMANDS });
            if told.is_empty() {
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

    /// Where programs start and what others load.
    pub(super) fn entry_points(&self) -> Vec<Item> {
        let is_of_others = |path: &str| {
            path.rsplit_once('/').is_some_and(|(dir, _)| {
                Role::of(dir).is_some_and(|role| !matches!(role, Role::Source | Role::Scripts))
            })
        };
        let item = |path: &str, text: String, source: &RelPath| Item {
            name: String::new(),
            path: Some(RelPath::from(path)),
            text,
            sources: vec![source.clone()],
        };
        let mut items: Vec<(u8, Item)> = Vec::new();
        for (entry, statement, _) in &self.statements {
            let source = &entry.relative_path;
            let dir = source.to_word();
            if let Statement::Offers { path, noun, names } = statement
                && noun == "programs"
                && !is_side(&dir)
            {
                let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                let noun = if names.len() == 1 { "program" } else { "programs" };
                items.push((0, item(path, format!("{noun} {}", some_of(&names, 8)), source)));
            }
            if let Statement::Loads { path, what } = statement
                && !is_side(&dir)
            {
                items.push((1, item(path, format!("others load {}", code(what)), source)));
            }
            if let Statement::Starts { path, what } = statement
                && !is_of_others(path)
                && !is_test_in_passing(path, what)
            {
                items.push((2, item(path, code(what), source)));
            }
        }
        items.extend(self.libraries().map(|(path, text, source)| (1, item(&path, text, &source))));
        items.sort_by_key(|(rank, _)| *rank);
        items.into_iter().map(|(_, item)| item).take(16).collect()
    }

    /// Libraries that manifests declare, where their first file is by habit.
    fn libraries(&self) -> impl Iterator<Item = (String, String, RelPath)> {
        let scan = self.material.whole.scan;
        let files: std::collections::BTreeSet<String> =
            scan.file_ids().map(|file| scan.file_path(file).to_word()).collect();
        let found = self.statements.iter().filter_map(move |(entry, statement, _)| {
            let Statement::Declares { kind, name, .. } = statement else { return None };
            let word = entry.relative_path.to_word();
            let dir = if entry.relative_path.is_root() { String::new() } else { format!("{word}/") };
            let module = name.to_ascii_lowercase().replace('-', "_");
            let candidates = match kind.as_str() {
                "Rust crate" => vec![format!("{dir}src/lib.rs")],
                "Python package" => {
                    vec![format!("{dir}src/{module}/__init__.py"), format!("{dir}{module}/__init__.py")]
                }
                "Ruby gem" => {
                    vec![format!("{dir}lib/{name}.rb"), format!("{dir}lib/{}.rb", name.replace('-', "/"))]
                }
                _ => Vec::new(),
            };
            let path = candidates.into_iter().find(|path| files.contains(path))?;
            (!is_side(&word)).then(|| {
                (path, format!("the library of the {kind} {}", code(name)), entry.relative_path.clone())
            })
        });
        found.collect::<Vec<_>>().into_iter()
    }

    /// Services, ports and variables that it takes from around it.
    pub(super) fn surroundings(&self) -> Option<String> {
        let mut told = Vec::new();
        for (entry, statement, _) in &self.statements {
            let is_near = entry.relative_path.as_bytes().iter().filter(|byte| **byte == b'/').count() < 2;
            let Statement::Starting { path, names } = statement else { continue };
            if is_near && !is_for_tests(path) && told.len() < 3 {
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
        if !ports.is_empty() {
            told.push(format!("Ports: {}.", ports.join("; ")));
        }
        told.extend(self.variables());
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Databases and queues, by the packages that speak to them.
    fn services(&self) -> Option<String> {
        let mut found: BTreeMap<&str, (String, String)> = BTreeMap::new();
        for (_, statement, _) in self.of_root() {
            let Statement::Needs { path, names } = statement else { continue };
            for (package, service) in SERVICES {
                if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(package)) {
                    found.entry(service).or_insert((name.clone(), path.clone()));
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
            if is_side(dir) && !path.contains(".env") {
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

/// Files that can be run by themselves to try them out are no place where the program starts.
fn is_test_in_passing(path: &str, what: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_main = ["main", "cli", "server", "app", "manage", "run", "__main__"]
        .iter()
        .any(|word| name.to_ascii_lowercase().contains(word));
    what.contains("__main__") && !is_main || name == "build.rs" || is_for_tests(path)
}
