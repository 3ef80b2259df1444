//! What the scan tells about directories, for passes that read no files.

use luminos_core::scan::{Category, DirId, Kind, Scan};

use super::look::worth;
use super::role::Role;

/// Files looked at in one turn: what [`super::dir`] does, and what plans count with.
pub(crate) const PER_TURN: usize = 12;

/// A program that is less than one in so many of its lines is told with all that surrounds it.
const LEAST_OWN: u64 = 25;

/// What is known of one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DirFacts {
    pub(crate) path: String,
    pub(crate) role: Option<Role>,
    /// Regular files directly in it.
    pub(crate) files: usize,
    /// Those worth reading.
    pub(crate) readable: usize,
    /// Source files among them, and their lines of code.
    pub(crate) sources: usize,
    pub(crate) code: u64,
}

impl DirFacts {
    /// The turns that a look at it takes.
    pub(crate) fn turns(&self) -> u32 {
        u32::try_from(self.readable.div_ceil(PER_TURN)).unwrap_or(u32::MAX).max(1)
    }
}

/// All directories, in the order of the scan.
pub(crate) fn dirs(scan: &Scan) -> Vec<DirFacts> {
    scan.dir_ids().map(|dir| facts(scan, dir)).collect()
}

fn facts(scan: &Scan, dir: DirId) -> DirFacts {
    let path = scan.dir_path(dir).to_word();
    let mut facts = DirFacts {
        role: if dir.0 == 0 { None } else { Role::of(&path) },
        path,
        files: 0,
        readable: 0,
        sources: 0,
        code: 0,
    };
    for file in scan.files_of(dir) {
        let record = scan.file(file);
        if record.kind != Kind::File {
            continue;
        }
        facts.files += 1;
        let listed = listed(scan, file);
        facts.readable += usize::from(worth(&listed).is_some());
        if record.category == Category::Source {
            facts.sources += 1;
            facts.code += u64::from(record.code);
        }
    }
    facts
}

/// A file as an assignment lists it.
fn listed(scan: &Scan, file: luminos_core::scan::FileId) -> luminos_core::job::ListedFile {
    let record = scan.file(file);
    luminos_core::job::ListedFile {
        name: luminos_core::RelPath::new(scan.name(record.name)),
        size: record.size,
        category: record.category,
        language: None,
        description: scan.description(record).map(str::to_owned),
        lines: record.lines,
        hash: None,
        kind: None,
        executable: record.executable,
    }
}

/// Languages with their lines of code, most first.
pub(crate) fn languages(scan: &Scan) -> Vec<(&'static str, u64)> {
    // Pages of a manual, and the scripts on them, are no code of the program beside them.
    let program = languages_of(scan, |path| Role::of(path) != Some(Role::Docs));
    if program.iter().any(|(name, _)| is_programming(name) && !matches!(*name, "Jupyter Notebooks")) {
        return program;
    }
    languages_of(scan, |_| true)
}

/// The languages of the program itself: what its tests, documents and copies of others are written in is no news, unless
/// there is hardly anything else.
pub(crate) fn own_languages(scan: &Scan) -> Vec<(&'static str, u64)> {
    let is_own = |path: &str| {
        Role::of(path)
            .is_none_or(|role| matches!(role, Role::Source | Role::Scripts | Role::Migrations | Role::Assets))
    };
    let (own, all) = (languages_of(scan, is_own), languages(scan));
    let sum = |languages: &[(&str, u64)]| -> u64 { languages.iter().map(|(_, lines)| lines).sum() };
    if sum(&own) * LEAST_OWN < sum(&all) { all } else { own }
}

fn languages_of(scan: &Scan, is_wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, u64)> {
    let mut code: Vec<(&'static str, u64)> = scan.languages.iter().map(|name| (*name, 0)).collect();
    let is_wrapper =
        |file: &luminos_core::scan::FileRecord| matches!(scan.name(file.name), b"mvnw" | b"gradlew");
    for dir in scan.dir_ids().filter(|dir| dir.0 == 0 || is_wanted(&scan.dir_path(*dir).to_word())) {
        let path = scan.dir_path(dir);
        let is_mailbox = matches!(path.as_bytes().rsplit(|byte| *byte == b'/').next(), Some(b"cur" | b"new"));
        for file in scan.files_of(dir).map(|file| scan.file(file)) {
            if file.category == Category::Source
                && !is_wrapper(file)
                && !(is_mailbox && super::collection::is_called_letter(scan.name(file.name)))
                && let Some(language) = file.language
                && let Some((_, lines)) = code.get_mut(usize::from(language.0))
            {
                *lines += u64::from(file.code);
            }
        }
    }
    code.retain(|(_, lines)| 0 < *lines);
    // A header is no language of its own.
    let lines_of = |name: &str| code.iter().find(|(known, _)| *known == name).map_or(0, |(_, lines)| *lines);
    let (c, cpp, shell) = (lines_of("C"), lines_of("C++"), lines_of("Shell"));
    let home = |name: &str| match name {
        "C Header" if 0 < c.max(cpp) => Some(if c < cpp { "C++" } else { "C" }),
        "C++ Header" => Some("C++"),
        // Dialects of one language.
        "BASH" | "Zsh" if 0 < shell => Some("Shell"),
        _ => None,
    };
    let headers: Vec<(&str, u64)> =
        code.iter().filter_map(|(name, lines)| Some((home(name)?, *lines))).collect();
    code.retain(|(name, _)| home(name).is_none());
    for (name, lines) in headers {
        match code.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known += lines,
            None => code.push(("C++", lines)),
        }
    }
    code.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    code
}

/// Whether programs are written in a language, rather than pages, styles or data.
pub(crate) fn is_programming(language: &str) -> bool {
    !matches!(
        language,
        "HTML"
            | "CSS"
            | "Sass"
            | "LESS"
            | "Stylus"
            | "Module-Definition"
            | "SVG"
            | "SQL"
            | "Ruby HTML"
            | "Haml"
            | "Liquid"
            | "Handlebars"
            | "Mustache"
            | "Jinja2"
            | "Twig"
            | "Pug"
            | "Slim"
            | "FreeMarker"
            | "Plain Text"
            | "Markdown"
            | "reStructuredText"
            | "CMake"
            | "Makefile"
            | "Autoconf"
            | "Automake"
            | "Dockerfile"
            | "Batch"
            | "PostCSS"
            | "Unreal Markdown"
            | "Gettext"
            | "Gherkin (Cucumber)"
    )
}

/// Languages in words: `C (61 %), Lua (25 %) and Vim Script (9 %)`.
pub(crate) fn languages_in_words(scan: &Scan, most: usize) -> String {
    let mut languages = own_languages(scan);
    // What a program is written in; how its pages look is told elsewhere.
    if languages.iter().any(|(name, _)| is_programming(name)) {
        languages.retain(|(name, _)| is_programming(name));
    }
    let all: u64 = languages.iter().map(|(_, lines)| lines).sum();
    let share = |lines: u64| (lines * 100 + all / 2) / all.max(1);
    let told: Vec<String> = languages
        .iter()
        .filter(|(_, lines)| 1 < share(*lines))
        .take(most)
        .map(|(name, lines)| format!("{name} ({} %)", share(*lines)))
        .collect();
    super::words::list(&told)
}

/// Regular files by category, in the order of [`Category::ALL`].
pub(crate) fn categories(scan: &Scan) -> [u64; 7] {
    let mut counts = [0; 7];
    for file in scan.files.iter().filter(|file| file.kind == Kind::File) {
        if let Some(place) = Category::ALL.iter().position(|category| *category == file.category) {
            counts[place] += 1;
        }
    }
    counts
}

/// Names of the files directly in the target.
pub(crate) fn root_names(scan: &Scan) -> Vec<String> {
    if scan.dirs.is_empty() {
        return Vec::new();
    }
    let names = scan.files_of(DirId(0)).map(|file| scan.name(scan.file(file).name));
    names.filter_map(|name| std::str::from_utf8(name).ok()).map(str::to_owned).collect()
}
