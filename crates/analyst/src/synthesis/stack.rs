//! What it is built with: languages, build tools, what it requires, and the packages it uses most.

use std::collections::{BTreeMap, HashSet};

use luminos_core::RelPath;
use luminos_core::fact::FactKind;
use luminos_core::report::Item;

use super::graph::imports_of;
use super::{Known, Told, lines_of_code};
use crate::rules::is_for_tests;
use crate::survey::builds_of;
use crate::tree::{languages, own_languages};
use crate::words::{code, list};

/// So many packages are told.
const PACKAGES: usize = 14;

/// Frameworks by the packages that bring them.
const FRAMEWORKS: &[(&str, &str)] = &[
    ("django", "Django"),
    ("flask", "Flask"),
    ("fastapi", "FastAPI"),
    ("rails", "Ruby on Rails"),
    ("sinatra", "Sinatra"),
    ("laravel/framework", "Laravel"),
    ("symfony/framework-bundle", "Symfony"),
    ("react", "React"),
    ("vue", "Vue"),
    ("svelte", "Svelte"),
    ("@angular/core", "Angular"),
    ("next", "Next.js"),
    ("express", "Express"),
    ("@nestjs/core", "NestJS"),
    ("electron", "Electron"),
    ("tokio", "Tokio"),
    ("axum", "axum"),
    ("actix-web", "Actix Web"),
    ("github.com/gin-gonic/gin", "Gin"),
    ("phoenix", "Phoenix"),
    ("flutter", "Flutter"),
];

impl Told<'_> {
    pub(super) fn tech_stack(&self) -> Vec<Item> {
        let scan = self.material.whole.scan;
        let used = self.languages_used();
        let all: u64 = used.iter().map(|(_, lines)| lines).sum();
        let mut items: Vec<Item> = used
            .iter()
            .filter(|(_, lines)| all < lines * 50)
            .take(6)
            .map(|(name, lines)| Item {
                name: (*name).to_owned(),
                text: lines_of_code(*lines),
                ..Item::default()
            })
            .collect();
        let tools = builds_of(scan);
        if !tools.is_empty() && self.is_software() {
            items.push(Item { name: "Build".to_owned(), text: list(&tools), ..Item::default() });
        }
        for Known { entry, path, fact, .. } in self.of_root() {
            if let FactKind::Requirement { tool, version } = fact {
                items.push(Item {
                    name: "Requires".to_owned(),
                    path: Some(RelPath::from(path.as_str())),
                    text: format!("{tool} {version}"),
                    sources: vec![entry.relative_path.clone()],
                    ..Item::default()
                });
            }
        }
        items.extend(self.frameworks());
        items.extend(self.dependencies());
        items
    }

    /// The languages of the program and of its tests. What the tests work on may be in any others.
    fn languages_used(&self) -> Vec<(&'static str, u64)> {
        let scan = self.material.whole.scan;
        let own = own_languages(scan);
        let tests: HashSet<&RelPath> =
            self.with_tests().into_iter().map(|(file, _)| &file.relative_path).collect();
        let of_tests: HashSet<&str> = scan
            .file_ids()
            .filter(|file| tests.contains(&scan.file_path(*file)))
            .filter_map(|file| scan.file(file).language.map(|language| scan.language_name(language)))
            .collect();
        let is_used = |name: &str| own.iter().any(|(known, _)| *known == name) || of_tests.contains(name);
        languages(scan).into_iter().filter(|(name, _)| is_used(name)).collect()
    }

    /// Frameworks that a manifest of the program itself needs. What a framework is called, it does not use.
    fn frameworks(&self) -> Option<Item> {
        let own: Vec<&str> = self.declared_names().collect();
        let mut told: Vec<(&str, String)> = Vec::new();
        let mut sources = Vec::new();
        for Known { entry, path, fact, .. } in &self.facts {
            let FactKind::Dependencies { names } = fact else { continue };
            if is_for_tests(path) {
                continue;
            }
            for (package, framework) in FRAMEWORKS {
                let is_needed = names.iter().any(|name| name.eq_ignore_ascii_case(package));
                let is_itself = own.iter().any(|own| own.eq_ignore_ascii_case(package));
                let words = format!("{framework} ({})", code(path));
                let is_told = told.iter().any(|(known, _)| known == framework);
                if is_needed && !is_itself && !is_told {
                    told.push((framework, words));
                    sources.push(entry.relative_path.clone());
                }
            }
        }
        sources.dedup();
        told.truncate(6);
        let told: Vec<String> = told.into_iter().map(|(_, words)| words).collect();
        (!told.is_empty()).then(|| Item {
            kind: None,
            name: "Frameworks".to_owned(),
            path: None,
            text: list(&told),
            sources,
        })
    }

    pub(super) fn declared_names(&self) -> impl Iterator<Item = &str> {
        self.facts.iter().filter_map(|Known { fact, .. }| {
            let FactKind::Package { name, .. } = fact else { return None };
            Some(name.as_str())
        })
    }

    /// The packages that manifests at the top need, those first that most files import.
    fn dependencies(&self) -> Vec<Item> {
        let mut users: BTreeMap<String, u64> = BTreeMap::new();
        for file in self.material.files.iter().filter(|file| !is_for_tests(&file.relative_path.to_word())) {
            let mut of_file: Vec<String> =
                imports_of(file).iter().flat_map(|module| roots_of(module)).collect();
            of_file.sort();
            of_file.dedup();
            for module in of_file {
                *users.entry(module).or_default() += 1;
            }
        }
        let mut items = Vec::new();
        for Known { entry, path, fact, .. } in self.of_root() {
            let FactKind::Dependencies { names } = fact else { continue };
            let used = |name: &str| {
                let names = [name.to_ascii_lowercase(), name.to_ascii_lowercase().replace('-', "_")];
                names.iter().filter_map(|name| users.get(name)).max().copied().unwrap_or(0)
            };
            let mut counted: Vec<(u64, &String)> = names.iter().map(|name| (used(name), name)).collect();
            // The order of the manifest, where use does not tell.
            counted.sort_by_key(|(files, _)| std::cmp::Reverse(*files));
            let told: Vec<String> = counted
                .iter()
                .take(PACKAGES)
                .map(|(files, name)| match files {
                    // That one file uses it is no news: why else would it be there.
                    0 | 1 => code(name),
                    files => format!("{} ({files} files)", code(name)),
                })
                .collect();
            let text = match names.len().saturating_sub(PACKAGES) {
                0 => list(&told),
                more => format!("{} and {more} more", told.join(", ")),
            };
            items.push(Item {
                name: if path.to_ascii_lowercase().contains("dockerfile") { "Image" } else { "Dependencies" }
                    .to_owned(),
                path: Some(RelPath::from(path.as_str())),
                text,
                sources: vec![entry.relative_path.clone()],
                ..Item::default()
            });
        }
        items
    }
}

/// The packages that an import may mean: `a` and `a/b` of `a/b/c`, `x` of `x.y` and of `x::y`.
fn roots_of(module: &str) -> Vec<String> {
    if module.starts_with('.') || module.starts_with("crate::") {
        return Vec::new();
    }
    let mut roots = Vec::new();
    let lower = module.to_ascii_lowercase();
    let first = lower.split([':', '.', '\\']).next().unwrap_or_default();
    if !first.contains('/') {
        roots.push(first.to_owned());
    }
    let mut path = lower.as_str();
    loop {
        roots.push(path.to_owned());
        match path.rsplit_once('/') {
            Some((above, _)) => path = above,
            None => break,
        }
    }
    roots.sort();
    roots.dedup();
    roots
}
