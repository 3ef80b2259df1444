//! What a target seems to be, from names and numbers.

use std::collections::BTreeMap;

use luminos_core::entry::Share;
use luminos_core::scan::{Category, Kind, Scan, Signals};
use luminos_core::survey::Survey;
use luminos_core::{ByteSize, Matter, TargetKind};

use super::collection::is_called_letter;
use super::readme::is_readme;
use super::role::Role;
use super::tree::{self, categories, languages, languages_in_words, root_names};
use super::words::{code, count, list, some_of};
use luminos_core::whole::Whole;

/// Manifests, and what they tell.
const BUILDS: &[(&str, &str)] = &[
    ("Cargo.toml", "Cargo"),
    ("package.json", "npm"),
    ("pyproject.toml", "Python packaging"),
    ("setup.py", "setuptools"),
    ("go.mod", "Go modules"),
    ("pom.xml", "Maven"),
    ("build.gradle", "Gradle"),
    ("build.gradle.kts", "Gradle"),
    ("Gemfile", "Bundler"),
    ("composer.json", "Composer"),
    ("CMakeLists.txt", "CMake"),
    ("meson.build", "Meson"),
    ("configure.ac", "Autotools"),
    ("Makefile", "make"),
    ("build.zig", "Zig"),
    ("mix.exs", "Mix"),
    ("Package.swift", "Swift Package Manager"),
    ("stack.yaml", "Stack"),
    ("dune-project", "Dune"),
];

/// So many pages without a program are a site that somebody exported or saved.
const PAGES: usize = 12;

fn pages(scan: &Scan) -> usize {
    let is_page = |file: &luminos_core::scan::FileId| {
        let name = scan.name(scan.file(*file).name);
        name.ends_with(b".html") || name.ends_with(b".htm")
    };
    scan.file_ids().filter(is_page).count()
}

/// What builds a target, by the names of files at its top.
pub(crate) fn builds(names: &[String]) -> Vec<String> {
    let has = |file: &str| names.iter().any(|name| name == file);
    let mut found: Vec<String> = Vec::new();
    for (file, tool) in BUILDS {
        let tool = match *tool {
            "npm" if has("pnpm-lock.yaml") || has("pnpm-workspace.yaml") => "pnpm",
            "npm" if has("yarn.lock") => "Yarn",
            "npm" if has("bun.lock") || has("bun.lockb") => "Bun",
            tool => tool,
        };
        if has(file) && !found.iter().any(|known| known == tool) {
            found.push(tool.to_owned());
        }
    }
    if names.iter().any(|name| is_solution(name) || name.ends_with(".csproj")) {
        found.push(".NET".to_owned());
    }
    if names.iter().any(|name| name.ends_with(".cabal")) {
        found.push("Cabal".to_owned());
    }
    // Beside a program of another language, gems are for those who release it.
    if has("Package.swift") {
        found.retain(|tool| tool != "Bundler");
    }
    // Beside another tool, that of scripts for pages is seldom the main one.
    let is_for_pages = |tool: &String| matches!(tool.as_str(), "npm" | "pnpm" | "Yarn" | "Bun");
    if 1 < found.len() && !has("Cargo.toml") {
        found.sort_by_key(is_for_pages);
    }
    found
}

fn is_solution(name: &str) -> bool {
    name.ends_with(".sln") || name.ends_with(".slnx")
}

/// What builds a target; a solution of .NET often lies one step below the top.
pub(crate) fn builds_of(scan: &Scan) -> Vec<String> {
    let found = builds(&root_names(scan));
    if !found.is_empty() || scan.dirs.is_empty() {
        return found;
    }
    let below = scan.children_of(luminos_core::scan::DirId(0)).flat_map(|dir| scan.files_of(dir));
    let mut names = below.filter_map(|file| std::str::from_utf8(scan.name(scan.file(file).name)).ok());
    if names.any(is_solution) { vec![".NET".to_owned()] } else { found }
}

/// Decides what a target is: a program, or part of one, or a collection of something else.
pub fn target_kind(scan: &Scan) -> TargetKind {
    let is_program = is_program(scan);
    let mut counts: BTreeMap<Matter, u64> = BTreeMap::new();
    let (mut dir, mut in_mailbox) = (None, false);
    for file in scan.file_ids().filter(|file| scan.file(*file).kind == Kind::File) {
        let record = scan.file(file);
        if dir != Some(record.dir) {
            dir = Some(record.dir);
            let path = scan.dir_path(record.dir).to_word();
            in_mailbox = matches!(path.rsplit('/').next(), Some("cur" | "new"));
        }
        let matter = match matter_of(scan.name(record.name), record.category, in_mailbox) {
            // What sets up a program belongs to it.
            Matter::Infrastructure if is_program && record.category == Category::Config => Matter::Software,
            matter => matter,
        };
        *counts.entry(matter).or_default() += 1;
    }
    let all = counts.values().sum();
    TargetKind::new(is_program, |matter| counts.get(&matter).copied().unwrap_or_default(), all)
}

/// What a file is about, by its name and category.
fn matter_of(name: &[u8], category: Category, in_mailbox: bool) -> Matter {
    let lower = name.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending.as_bytes()));
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word.as_bytes()));
    match category {
        _ if ends(&[".eml", ".mbox"]) || in_mailbox && is_called_letter(name) => Matter::Mail,
        _ if ends(&[".log"]) || begins(&["syslog"]) => Matter::Logs,
        _ if ends(&[".tf", ".tfvars", ".service", ".timer", "dockerfile", "containerfile"])
            || begins(&["dockerfile.", "docker-compose", "compose.", "playbook", "vagrantfile"]) =>
        {
            Matter::Infrastructure
        }
        Category::Source => Matter::Software,
        Category::Config => Matter::Infrastructure,
        Category::Document => Matter::Documents,
        Category::Media => Matter::Media,
        Category::Archive => Matter::Archives,
        Category::Data | Category::Unknown => Matter::Data,
    }
}

fn is_program(scan: &Scan) -> bool {
    let counts = categories(scan);
    // Notebooks, queries and pages are what collections are made of, too: alone they make no program.
    let mut programs = languages(scan)
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| tree::is_programming(name) && !matches!(*name, "Jupyter Notebooks"));
    let has_program = programs.next().is_some() || !builds(&root_names(scan)).is_empty();
    // Pages without a program that makes them are a site, and that is one where somebody says what it is; others are what
    // somebody saved.
    let has_pages = languages(scan).iter().any(|(name, _)| matches!(*name, "HTML" | "CSS"))
        && root_names(scan).iter().any(|name| is_readme(name));
    // Many of them without any program are what somebody saved.
    let is_export = || PAGES <= pages(scan) && !has_program;
    let is_mostly_source = |sources: u64, files: u64| files.max(1) <= sources * 5;
    let is_so_in_all = || is_mostly_source(counts[0], counts.iter().sum());
    (has_program || has_pages && !is_export()) && (is_so_in_all() || is_package_with_much_beside(scan))
}

/// Whether a package is declared at the top, and most of what is not beside it is source: a program may have many more
/// pages, translations and samples than files of its own.
fn is_package_with_much_beside(scan: &Scan) -> bool {
    let tools = builds(&root_names(scan));
    let own = tree::own_languages(scan);
    // A site is mostly pages, whatever makes them.
    let is_in_a_language = own.first().is_some_and(|(name, _)| tree::is_programming(name));
    if !is_in_a_language || !tools.iter().any(|tool| tool != "make") {
        return false;
    }
    let (mut sources, mut files) = (0_u64, 0_u64);
    for dir in scan.dir_ids() {
        let role = Role::of(&scan.dir_path(dir).to_word());
        let is_beside = |role| {
            use Role::{Assets, Docs, Fixtures, Generated, Translations, Vendored};
            matches!(role, Assets | Docs | Fixtures | Generated | Translations | Vendored)
        };
        if role.is_some_and(is_beside) {
            continue;
        }
        for file in scan.files_of(dir).map(|file| scan.file(file)).filter(|file| file.kind == Kind::File) {
            files += 1;
            sources += u64::from(file.category == Category::Source);
        }
    }
    0 < sources && files <= sources * 5
}

/// Surveys a target by rule.
pub fn survey(whole: &Whole<'_>) -> Survey {
    let scan = whole.scan;
    let names = root_names(scan);
    let counts = categories(scan);
    let files: u64 = counts.iter().sum();
    let is_software = whole.kind.is_program();
    let (what, confidence) = if is_software {
        software(whole, &names)
    } else {
        let collection = collection(whole, &counts);
        (collection.sentence(), collection.confidence())
    };
    let bytes = scan.dirs.first().map_or(0, |root| root.bytes);
    let extent = format!(
        "{} in {}, {}",
        count(files, "file"),
        count(scan.dirs.len() as u64, "directory"),
        ByteSize(bytes)
    );
    Survey {
        description: format!("{what} {extent}."),
        approach: approach(&names, is_software),
        relevant_tools: Vec::new(),
        skip_tools: Vec::new(),
        domain_notes: places(whole),
        confidence,
    }
}

fn software(whole: &Whole<'_>, names: &[String]) -> (String, Share) {
    let builds = builds(names);
    let languages = languages(whole.scan);
    let all: u64 = languages.iter().map(|(_, lines)| lines).sum();
    let main: Vec<String> =
        languages.iter().filter(|(_, lines)| all <= lines * 5).map(|(name, _)| (*name).to_owned()).collect();
    let main = if main.is_empty() { "many languages".to_owned() } else { list(&main) };
    let built = if builds.is_empty() { String::new() } else { format!(", built with {}", list(&builds)) };
    let shares = languages_in_words(whole.scan, 4);
    let confidence = if builds.is_empty() { 0.6 } else { 0.8 };
    (
        format!("A software project in {main}{built}. Code by language: {shares}."),
        Share::new(confidence).unwrap_or_default(),
    )
}

/// What a target without a program is, by counts.
pub(crate) enum Collection {
    /// There is nothing in it that could be counted, or a single file: what follows `It`.
    Hardly(String),
    /// Files of several kinds.
    Files {
        /// The most frequent kinds.
        kinds: String,
        /// The most frequent endings.
        endings: String,
    },
}

impl Collection {
    /// As a sentence.
    fn sentence(&self) -> String {
        match self {
            Self::Hardly(words) => format!("It {words}."),
            Self::Files { kinds, endings } => {
                format!("A collection of {kinds}; most frequent endings: {endings}.")
            }
        }
    }

    /// As a sentence about something with a name.
    pub(crate) fn about(&self, name: &str) -> String {
        match self {
            Self::Hardly(words) => format!("{name} {words}."),
            Self::Files { kinds, endings } => {
                format!("{name}: a collection of {kinds}; most frequent endings: {endings}.")
            }
        }
    }

    fn confidence(&self) -> Share {
        match self {
            Self::Hardly(_) => Share::ALL,
            Self::Files { .. } => Share::new(0.6).unwrap_or_default(),
        }
    }
}

pub(crate) fn collection(whole: &Whole<'_>, counts: &[u64; 7]) -> Collection {
    let mut kinds: Vec<(u64, Category)> = counts.iter().copied().zip(Category::ALL).collect();
    kinds.sort_by_key(|(files, _)| std::cmp::Reverse(*files));
    let noun = |category: Category| match category {
        Category::Source => "source file",
        Category::Config => "configuration file",
        Category::Data => "data file",
        Category::Document => "document",
        Category::Media => "media file",
        Category::Archive => "archive",
        Category::Unknown => "file of another kind",
    };
    let told: Vec<String> = kinds
        .iter()
        .filter(|(files, _)| 0 < *files)
        .take(3)
        .map(|(files, kind)| count(*files, noun(*kind)))
        .collect();
    if told.is_empty() {
        let links =
            whole.scan.file_ids().filter(|file| whole.scan.file(*file).kind == Kind::Symlink).count() as u64;
        let dirs = whole.scan.dirs.len().saturating_sub(1) as u64;
        let words = match (links, dirs) {
            (0, 0) => "is empty: there is nothing in it".to_owned(),
            (0, dirs) => format!("holds no files, only {} without any", count(dirs, "directory")),
            (links, _) => format!("holds no files, only {}", count(links, "symbolic link")),
        };
        return Collection::Hardly(words);
    }
    if let [only] = whole.scan.file_ids().collect::<Vec<_>>()[..] {
        let (name, size) = (whole.scan.file_path(only).to_word(), whole.scan.file(only).size);
        return Collection::Hardly(format!("holds a single file, {} ({})", code(&name), ByteSize(size)));
    }
    let endings = Signals::of(whole.scan).extension_histogram;
    let endings: Vec<String> =
        endings.iter().take(4).map(|tally| format!("{} ({})", tally.name, tally.files)).collect();
    Collection::Files { kinds: list(&told), endings: list(&endings) }
}

fn approach(names: &[String], is_software: bool) -> String {
    let first: Vec<String> = names
        .iter()
        .filter(|name| is_readme(name) || BUILDS.iter().any(|(file, _)| file == name))
        .map(|name| code(name))
        .collect();
    let begin = if first.is_empty() { String::new() } else { format!("Begin with {}. ", some_of(&first, 5)) };
    let rest = if is_software {
        "Look at the directories with most code; tests, documentation and assets need less."
    } else {
        "Look at the largest groups of files: what describes them, and what does not fit."
    };
    format!("{begin}{rest}")
}

/// Where such projects keep what, as far as names tell.
fn places(whole: &Whole<'_>) -> String {
    let dirs = tree::dirs(whole.scan);
    let mut told = Vec::new();
    for (role, words) in [
        (Role::Tests, "Tests lie in"),
        (Role::Docs, "Documentation lies in"),
        (Role::Examples, "Examples lie in"),
        (Role::Vendored, "Code of other projects lies in"),
    ] {
        let top: Vec<String> =
            dirs.iter().filter(|dir| role.begins_at(&dir.path)).map(|dir| code(&dir.path)).collect();
        if !top.is_empty() {
            told.push(format!("{words} {}.", some_of(&top, 4)));
        }
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use luminos_scan::{Cache, Options, Progress};

    use super::target_kind;
    use crate::fixture::put;

    fn is_program(paths: &[&str]) -> bool {
        let target = tempfile::tempdir().unwrap();
        paths.iter().for_each(|path| put(&target, path, "a = 1\n"));
        for number in 0..40 {
            put(&target, &format!("docs/_locale/tutorial_{number}.po"), "msgid \"\"\n");
        }
        let scan =
            luminos_scan::scan(target.path(), &Options::default(), &Cache::default(), &Progress::default());
        target_kind(&scan.unwrap().scan).is_program()
    }

    #[test]
    fn a_package_with_many_translations_is_a_program_and_papers_with_a_script_are_none() {
        assert!(is_program(&["pyproject.toml", "small.py", "test/test_small.py"]));
        let one_file =
            ["pyproject.toml", "AUTHORS", "LICENSE", "NEWS.md", "README.md", "whole.py", "test/test_it.py"];
        assert!(is_program(&one_file));
        assert!(!is_program(&["backup.py"]));
        assert!(!is_program(&["Makefile", "backup.py"]));
    }
}
