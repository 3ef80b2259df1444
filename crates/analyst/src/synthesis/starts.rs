//! Where programs start and what others load.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::fact::{FactKind, OfferKind};
use luminos_core::report::Item;

use super::{Known, Told};
use crate::role::Role;
use crate::rules::is_for_tests;
use crate::words::{code, count, some_of};

/// So many are told.
const MOST: usize = 16;
/// More programs beside each other, or more libraries, are told together.
const BESIDE: usize = 4;
const LIBRARIES: usize = 5;

/// Something that one begins with.
pub(super) struct Start {
    /// A manifest's programs come before libraries, programs beside each other and single files.
    rank: u8,
    pub(super) what: What,
    pub(super) item: Item,
}

/// What one begins with.
pub(super) enum What {
    /// A program with a name.
    Program {
        /// The name, in backticks.
        name: String,
    },
    /// A file that starts something, of which no name is known.
    Code,
    /// The script that the target is named for.
    Script,
    /// A library.
    Library {
        /// The kind of package.
        kind: String,
        /// The kind and the name.
        whole: String,
    },
    /// Several programs or libraries.
    Several,
}

impl Start {
    fn new(rank: u8, what: What, item: Item) -> Self {
        Self { rank, what, item }
    }
}

impl Told<'_> {
    /// Where programs start and what others load.
    pub(super) fn entry_points(&self) -> Vec<Item> {
        self.starts().into_iter().map(|start| start.item).collect()
    }

    /// The same with what each is.
    pub(super) fn starts(&self) -> Vec<Start> {
        let mut items: Vec<Start> = Vec::new();
        let mut mains: Vec<(String, String, RelPath)> = Vec::new();
        for Known { entry, path, fact, .. } in &self.facts {
            let source = &entry.relative_path;
            if let FactKind::Offers { offer: OfferKind::Programs, names } = fact
                && !self.sides.has(&source.to_word())
                && self.only_main(path, names).is_none()
            {
                let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                // Programs beside a library are for it, as a rule.
                let rank = u8::from(self.has_library(&source.to_word()));
                items.push(match &names[..] {
                    [only] => {
                        let what = What::Program { name: only.clone() };
                        Start::new(rank, what, item(path, format!("program {only}"), source))
                    }
                    several => {
                        let text = format!("programs {}", some_of(several, 8));
                        Start::new(rank, What::Several, item(path, text, source))
                    }
                });
            }
            if let FactKind::EntryPoint { code: what } = fact
                && !is_of_others(path)
                && !is_test_in_passing(path, what)
                && (!path.ends_with(".hs") || self.has_haskell_program())
            {
                mains.push((path.clone(), what.clone(), source.clone()));
            }
        }
        items.extend(together(mains, &self.program_files()));
        items.extend(self.of_gems());
        items.extend(self.libraries());
        if items.is_empty() {
            items.extend(self.script());
        }
        items.sort_by_key(|start| start.rank);
        items.truncate(MOST);
        items
    }

    /// Whether a package of Haskell has programs; where none has, what starts there is a script.
    fn has_haskell_program(&self) -> bool {
        self.facts.iter().any(|Known { path, fact, .. }| {
            matches!(fact, FactKind::Offers { offer: OfferKind::Programs, .. }) && path.ends_with(".cabal")
        })
    }

    /// Programs of gems: they lie where gems keep them, and are called like those.
    fn of_gems(&self) -> Vec<Start> {
        let declared = self.facts.iter().filter_map(|Known { entry, fact, .. }| {
            let FactKind::Package { kind, name, .. } = fact else { return None };
            if kind != "Ruby gem" || self.sides.has(&entry.relative_path.to_word()) {
                return None;
            }
            let dir = if entry.relative_path.is_root() {
                String::new()
            } else {
                format!("{}/", entry.relative_path.to_word())
            };
            let path = ["exe", "bin"]
                .into_iter()
                .map(|home| format!("{dir}{home}/{name}"))
                .find(|path| self.files.contains_key(path))?;
            let what = What::Program { name: code(name) };
            Some(Start::new(0, what, item(&path, format!("program {}", code(name)), &entry.relative_path)))
        });
        declared.collect()
    }

    /// The script that the target is named for, which one runs or sources.
    fn script(&self) -> Option<Start> {
        let target = self.material.whole.name;
        let names = [format!("{target}.sh"), target.to_owned(), format!("bin/{target}")];
        let path = names.into_iter().find(|path| {
            self.files.get(path).is_some_and(|file| file.category == luminos_core::scan::Category::Source)
        })?;
        let item = item(&path, "the script that it is named for".to_owned(), &RelPath::default());
        Some(Start::new(2, What::Script, item))
    }

    /// Whether a crate is one that others use.
    fn has_library(&self, dir: &str) -> bool {
        let path = RelPath::from(format!("{dir}/src/lib.rs").as_str());
        self.material.files.iter().any(|file| file.relative_path == path)
    }

    /// Whether something starts in a directory.
    fn has_start(&self, dir: &str) -> bool {
        self.facts.iter().any(|Known { path, fact, .. }| {
            let FactKind::EntryPoint { .. } = fact else { return false };
            path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// Where packages start that are programs, by habit.
    fn program_files(&self) -> BTreeMap<String, String> {
        let declared = self.facts.iter().filter_map(|Known { entry, fact, .. }| {
            let FactKind::Package { kind, name, .. } = fact else { return None };
            let dir = entry.relative_path.to_word();
            let dir = if entry.relative_path.is_root() { String::new() } else { format!("{dir}/") };
            let first = match kind.as_str() {
                "Rust crate" => format!("{dir}src/main.rs"),
                "Go module" => format!("{dir}main.go"),
                _ => return None,
            };
            // What is built of a module of Go is called by the last step of its name.
            let name = if kind == "Go module" { name.rsplit('/').next().unwrap_or(name) } else { name };
            Some((first, name.to_owned()))
        });
        let offered = self.facts.iter().filter_map(|Known { path, fact, .. }| {
            let FactKind::Offers { offer: OfferKind::Programs, names } = fact else { return None };
            let main = self.only_main(path, names)?;
            Some((main, names.first()?.clone()))
        });
        declared.chain(offered).collect()
    }

    /// Where the single program of a crate starts, wherever its manifest puts it: the only `main.rs` that lies in no other.
    fn only_main(&self, manifest: &str, names: &[String]) -> Option<String> {
        let home = match manifest.strip_suffix("Cargo.toml")? {
            "" => "",
            dir => dir.trim_end_matches('/'),
        };
        let is_within = |path: &str, dir: &str| {
            dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
        };
        let is_of_another = |path: &str| {
            self.facts.iter().any(|Known { entry, fact, .. }| {
                let dir = entry.relative_path.to_word();
                matches!(fact, FactKind::Package { .. })
                    && !entry.relative_path.is_root()
                    && dir != home
                    && home.len() < dir.len()
                    && is_within(path, &dir)
            })
        };
        let mut mains = self.facts.iter().filter_map(|Known { path, fact, .. }| {
            let FactKind::EntryPoint { .. } = fact else { return None };
            let is_main = path.ends_with("/main.rs") && is_within(path, home) && !is_of_another(path);
            (is_main && !is_of_others(path)).then_some(path)
        });
        let first = mains.next().filter(|_| names.len() == 1)?;
        mains.next().is_none().then(|| first.clone())
    }

    /// What others load: where a manifest says so, or where the first file is by habit. Of many, the names.
    fn libraries(&self) -> Vec<Start> {
        let scan = self.material.whole.scan;
        let files: BTreeSet<String> = scan.file_ids().map(|file| scan.file_path(file).to_word()).collect();
        let loaded: BTreeMap<&str, &str> = self
            .facts
            .iter()
            .filter_map(|Known { path, fact, .. }| {
                let FactKind::EntryFile { file: what } = fact else { return None };
                Some((path.as_str(), what.as_str()))
            })
            .collect();
        let started: BTreeSet<&str> = self
            .facts
            .iter()
            .filter_map(|Known { path, fact, .. }| {
                let FactKind::EntryPoint { .. } = fact else { return None };
                Some(path.as_str())
            })
            .collect();
        let mut found: Vec<(String, String, String, Item)> = Vec::new();
        for Known { entry, path, fact, .. } in &self.facts {
            let FactKind::Package { kind, name, .. } = fact else { continue };
            let word = entry.relative_path.to_word();
            if self.sides.has(&word) || is_for_tests(path) || name.to_ascii_lowercase().contains("test") {
                continue;
            }
            let dir = if entry.relative_path.is_root() { String::new() } else { format!("{word}/") };
            let first = first_files(kind, name, &dir).into_iter().find(|path| files.contains(path));
            let own = format!("the {kind} {}", code(name));
            let whole = format!("the library of {own}");
            // What is built is seldom in the tree; what it is built from is.
            let is_built = match loaded.get(path.as_str()) {
                Some(what) => !files.contains(&format!("{dir}{what}")),
                None => dir.starts_with("packages/"),
            };
            let written = Some(format!("{dir}src/index.ts"));
            let written = written.filter(|path| kind == "npm package" && is_built && files.contains(path));
            let (place, text) = match (loaded.get(path.as_str()), first) {
                _ if let Some(written) = written => (written, whole),
                // A program that names a file which is not there is no library.
                (Some(_), _) if is_built && self.has_start(&word) => continue,
                (Some(what), _) if !files.contains(&format!("{dir}{what}")) => {
                    (path.clone(), format!("{whole}, built as {}", code(what)))
                }
                (Some(what), _) => (format!("{dir}{what}"), whole),
                (None, Some(first)) => (first, whole),
                // Here the manifest stands for all of it.
                (None, None) if kind == "PHP package" && dir.is_empty() => (path.clone(), whole),
                (None, None) if kind == "Haskell package" && !self.has_haskell_program() => {
                    (path.clone(), whole)
                }
                (None, None) if kind == ".NET project" && !self.has_start(&word) => (path.clone(), whole),
                (None, None) => continue,
            };
            // What starts by itself is a program; what helps to build is nobody's library.
            if started.contains(place.as_str()) || kind == "Go module" && is_aside(&place) {
                continue;
            }
            found.push((kind.clone(), name.clone(), own, item(&place, text, &entry.relative_path)));
        }
        if found.len() <= LIBRARIES {
            return found.into_iter().map(library).collect();
        }
        let target = self.material.whole.name.to_ascii_lowercase();
        let is_main =
            |name: &str| name.rsplit('/').next().is_some_and(|name| name.to_ascii_lowercase() == target);
        let named_for = self.main_package().map(|entry| &entry.relative_path);
        let (main, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, name, _, item)| {
            is_main(name) || item.sources.first().is_some_and(|source| named_for == Some(source))
        });
        let mut items: Vec<Start> = main.into_iter().map(library).collect();
        let names: Vec<String> = rest.iter().map(|(_, name, _, _)| code(name)).collect();
        if let Some((kind, _, _, first)) = rest.into_iter().next() {
            let more = if items.is_empty() { String::new() } else { "more ".to_owned() };
            let many = count(names.len() as u64, &format!("{more}{kind}"));
            let text = format!("those of {many}: {}", some_of(&names, 14));
            let item = Item { name: "libraries".to_owned(), path: None, text, ..first };
            items.push(Start::new(1, What::Several, item));
        }
        items
    }
}

/// Where a library of a kind begins by habit.
fn first_files(kind: &str, name: &str, dir: &str) -> Vec<String> {
    let module = name.to_ascii_lowercase().replace('-', "_");
    let last = name.rsplit('/').next().unwrap_or(name);
    match kind {
        "Rust crate" => vec![format!("{dir}src/lib.rs")],
        "Python package" => {
            vec![format!("{dir}src/{module}/__init__.py"), format!("{dir}{module}/__init__.py")]
        }
        "Ruby gem" => {
            vec![format!("{dir}lib/{name}.rb"), format!("{dir}lib/{}.rb", name.replace('-', "/"))]
        }
        "Go module" => vec![format!("{dir}{last}.go"), format!("{dir}doc.go")],
        "npm package" => vec![format!("{dir}index.js")],
        "Elixir application" => vec![format!("{dir}lib/{name}.ex")],
        "Swift package" => ["Sources", "Source"]
            .map(|home| [format!("{dir}{home}/{name}/{name}.swift"), format!("{dir}{home}/{name}.swift")])
            .concat(),
        _ => Vec::new(),
    }
}

fn item(path: &str, text: String, source: &RelPath) -> Item {
    Item { path: Some(RelPath::from(path)), text, sources: vec![source.clone()], ..Item::default() }
}

fn library((kind, _, whole, item): (String, String, String, Item)) -> Start {
    Start::new(1, What::Library { kind, whole }, item)
}

/// Programs that lie beside each other, each in a directory of its own, in one line; others by themselves, those that a
/// package is named for first.
fn together(mains: Vec<(String, String, RelPath)>, programs: &BTreeMap<String, String>) -> Vec<Start> {
    let house = |path: &str| {
        let dir = path.rsplit_once('/')?.0;
        Some(dir.rsplit_once('/')?.0.to_owned())
    };
    let mut houses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, _, _) in &mains {
        let name = path.rsplit('/').nth(1).unwrap_or_default().to_owned();
        if let Some(house) = house(path) {
            houses.entry(house).or_default().insert(name);
        }
    }
    houses.retain(|_, names| BESIDE < names.len());
    let mut items = Vec::new();
    for (path, what, source) in mains {
        if house(&path).is_none_or(|house| !houses.contains_key(&house)) {
            // Programs of Go lie where they are called for.
            let of_go =
                || path.strip_prefix("cmd/")?.strip_suffix("/main.go").filter(|name| !name.contains('/'));
            let name = programs.get(&path).map(String::as_str).or_else(of_go).or_else(|| of_rust(&path));
            let code_item = || item(&path, code(&what), &source);
            items.push(match name.filter(|_| !is_aside(&path)) {
                Some(name) => {
                    let text = format!("program {}: {}", code(name), code(&what));
                    Start::new(0, What::Program { name: code(name) }, item(&path, text, &source))
                }
                None if is_aside(&path) => Start::new(4, What::Code, code_item()),
                None => Start::new(if is_called_main(&path) { 2 } else { 3 }, What::Code, code_item()),
            });
        }
    }
    for (house, names) in houses {
        let names: Vec<String> = names.iter().map(|name| code(name)).collect();
        let text = format!("{}: {}", count(names.len() as u64, "program"), some_of(&names, 40));
        let rank = if is_aside(&format!("{house}/x")) { 4 } else { 2 };
        items.push(Start::new(rank, What::Several, item(&house, text, &RelPath::from(house.as_str()))));
    }
    items
}

/// The name of a program of Rust that lies where cargo looks for them: `src/bin/name.rs`, `src/bin/name/main.rs`.
fn of_rust(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/bin/").or_else(|| Some(path.split_once("/src/bin/")?.1))?;
    let name = rest.strip_suffix("/main.rs").or_else(|| rest.strip_suffix(".rs"))?;
    (!name.contains('/')).then_some(name)
}

/// Whether a file is called for what it is: `main.c`, `tool_main.c`, `server.js`.
pub(super) fn is_called_main(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    ["main", "server", "app", "index", "cli", "__main__"].contains(&stem) || stem.ends_with("_main")
}

/// Whether a program is only for those who work on the others.
pub(super) fn is_aside(path: &str) -> bool {
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    dir.split('/').any(|step| {
        matches!(
            step,
            "misc"
                | "scripts"
                | "script"
                | "tools"
                | "hack"
                | "utils"
                | "contrib"
                | "ci"
                | "internal"
                | "xtask"
        ) || step.starts_with('_')
    })
}

fn is_of_others(path: &str) -> bool {
    // What begins so is left out of every build of Go.
    let is_left_out = path.ends_with(".go") && path.split('/').any(|step| step.starts_with('_'));
    is_left_out
        || path.rsplit_once('/').is_some_and(|(dir, _)| {
            Role::of(dir).is_some_and(|role| !matches!(role, Role::Source | Role::Scripts))
        })
}

/// Files that can be run by themselves to try them out are no place where the program starts.
fn is_test_in_passing(path: &str, what: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_main = ["main", "cli", "server", "app", "manage", "run", "__main__"]
        .iter()
        .any(|word| name.to_ascii_lowercase().contains(word));
    what.contains("__main__\"") && !is_main || name == "build.rs" || is_for_tests(path)
}
