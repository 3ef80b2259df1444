//! What is wrong with the tree as a whole, by what the scan knows: what is missing, what does not belong, what is there twice.

use std::collections::BTreeMap;

use luminos_core::flag::{Flag, Severity};
use luminos_core::scan::{Category, DirId, FileId, Kind, Reading, Scan};
use luminos_core::{ByteSize, ContentHash, RelPath};

use super::is_for_tests;
use super::table::{BINARY, DUPLICATES, LARGE, NO_LICENCE, NO_README, NO_TESTS, Rule, VENDORED};
use crate::readme::is_readme;
use crate::role::Role;
use crate::tree::root_names;
use crate::words::{code, count, number, some_of};
use luminos_core::whole::Whole;

/// Larger files among sources are worth a word.
const LARGE_FILE: u64 = 10 << 20;
/// Smaller files may be alike by chance, and nobody minds.
const SMALL: u64 = 512;
/// Less code of others is no project of its own.
const COPIED: u64 = 500;
/// With less code nobody expects a licence, tests or a README.
const PROJECT: u64 = 200;

/// Endings of what a compiler or packer makes.
const MADE: &[&str] = &[
    "o", "obj", "a", "lib", "so", "dylib", "dll", "exe", "class", "jar", "war", "pyc", "pyo", "pyd", "wasm",
    "node", "nupkg", "whl", "egg", "gem", "deb", "rpm", "msi", "dmg", "apk", "pdb", "ilk", "elc", "beam",
    "hi",
];

/// Flags about the whole.
pub fn flags(whole: &Whole<'_>) -> Vec<Flag> {
    let scan = whole.scan;
    if scan.dirs.is_empty() {
        return Vec::new();
    }
    let mut flags = Vec::new();
    if whole.kind.is_program() {
        flags.extend(missing(scan));
        flags.extend(made(scan));
        flags.extend(large(scan));
        flags.extend(vendored(scan));
        flags.extend(duplicates(scan));
    }
    flags
}

fn flag(rule: &Rule, severity: Severity, path: RelPath, finding: String) -> Flag {
    Flag {
        path,
        finding,
        severity,
        rule: Some(rule.id.to_owned()),
        evidence: Vec::new(),
        directory: RelPath::root(),
        verified: false,
        faults: Vec::new(),
    }
}

fn missing(scan: &Scan) -> Vec<Flag> {
    let lines: u64 = scan.files.iter().map(|file| u64::from(file.code)).sum();
    let names: Vec<String> = root_names(scan).iter().map(|name| name.to_ascii_lowercase()).collect();
    let has = |words: &[&str]| names.iter().any(|name| words.iter().any(|word| name.starts_with(word)));
    let mut out = Vec::new();
    let mut add =
        |rule: &Rule, finding: &str| out.push(flag(rule, rule.severity, RelPath::root(), finding.to_owned()));
    if lines < PROJECT {
        return out;
    }
    let is_named_in_manifest =
        has(&["cargo.toml", "package.json", "pyproject.toml", "composer.json", "setup.cfg"]);
    if !has(&["licen", "copying", "unlicense", "copyright", "notice"])
        && !has_dir(scan, "licenses")
        && !has_dir(scan, "LICENSES")
        && !is_named_in_manifest
    {
        add(
            &NO_LICENCE,
            "No licence file lies at the top: without one nobody else may use, change or pass on the code.",
        );
    }
    if !names.iter().any(|name| is_readme(name)) {
        add(&NO_README, "No README lies at the top: nobody says what this is and how to begin.");
    }
    let has_tests = scan.file_ids().any(|file| is_test_name(&scan.file_path(file).to_word()));
    let is_embedded = scan.files.iter().any(|file| {
        file.language.is_some_and(|language| matches!(scan.language_name(language), "Rust" | "D" | "Zig"))
    });
    if !has_tests && !is_embedded && PROJECT * 5 <= lines && !is_of_notebooks(scan) {
        add(&NO_TESTS, "No file or directory looks like tests.");
    }
    out
}

fn has_dir(scan: &Scan, name: &str) -> bool {
    scan.children_of(DirId(0)).any(|dir| scan.name(scan.dir(dir).name) == name.as_bytes())
}

/// Whether most of the code stands in notebooks: those are read, and tried by being run.
fn is_of_notebooks(scan: &Scan) -> bool {
    let languages = crate::tree::languages(scan);
    languages.first().is_some_and(|(name, _)| *name == "Jupyter Notebooks")
}

fn is_test_name(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.split('/').any(|part| {
        let stem = part.split('.').next().unwrap_or_default();
        ["test", "tests", "spec", "specs", "__tests__", "unittest", "unittests", "e2e", "t", "testing"]
            .contains(&part)
            || stem.starts_with("test_")
            || ["_test", "_tests", "_spec", "-test", "-spec", "test", "tests"]
                .iter()
                .any(|end| stem.ends_with(end))
            || part.contains(".test.")
            || part.contains(".spec.")
    })
}

/// Whether a file is the project's own, and no test material.
fn is_own(path: &str) -> bool {
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    !is_for_tests(path)
        && !matches!(Role::of(dir), Some(Role::Vendored | Role::Fixtures | Role::Tests | Role::Generated))
}

fn made(scan: &Scan) -> Option<Flag> {
    let mut files: Vec<(u64, RelPath)> = Vec::new();
    for id in scan.file_ids() {
        let file = scan.file(id);
        let ending = ending_of(scan, id);
        let is_made = file.kind == Kind::File && MADE.contains(&ending.as_str());
        // An ending alone can lie: what is text was not compiled.
        let is_binary = file.language.is_none()
            && file.category != Category::Source
            && file.category != Category::Document;
        // A wrapper is meant to be there.
        let is_wrapper =
            scan.name(file.name) == b"gradle-wrapper.jar" || scan.name(file.name) == b"maven-wrapper.jar";
        if is_made && is_binary && 64 < file.size && !is_wrapper && is_own(&scan.file_path(id).to_word()) {
            files.push((file.size, scan.file_path(id)));
        }
    }
    files.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let (_, first) = files.first()?.clone();
    let bytes: u64 = files.iter().map(|(size, _)| size).sum();
    let names: Vec<String> = files.iter().map(|(_, path)| code(&path.to_word())).collect();
    let finding = format!(
        "{} among the sources ({}): {}.",
        count(files.len() as u64, "compiled file"),
        ByteSize(bytes),
        some_of(&names, 4)
    );
    Some(flag(&BINARY, BINARY.severity, first, finding))
}

fn ending_of(scan: &Scan, file: FileId) -> String {
    let name = String::from_utf8_lossy(scan.name(scan.file(file).name)).to_ascii_lowercase();
    name.rsplit_once('.')
        .filter(|(stem, _)| !stem.is_empty())
        .map(|(_, ending)| ending.to_owned())
        .unwrap_or_default()
}

fn large(scan: &Scan) -> Option<Flag> {
    let mut files: Vec<(u64, RelPath)> = scan
        .file_ids()
        .filter(|id| scan.file(*id).kind == Kind::File && LARGE_FILE <= scan.file(*id).size)
        .map(|id| (scan.file(id).size, scan.file_path(id)))
        .collect();
    files.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let (_, first) = files.first()?.clone();
    let names: Vec<String> =
        files.iter().map(|(size, path)| format!("{} ({})", code(&path.to_word()), ByteSize(*size))).collect();
    let finding = format!(
        "{} of {} and more: {}.",
        count(files.len() as u64, "file"),
        ByteSize(LARGE_FILE),
        some_of(&names, 4)
    );
    Some(flag(&LARGE, LARGE.severity, first, finding))
}

/// Directories with code of others, by their names.
fn vendored(scan: &Scan) -> Option<Flag> {
    let mut dirs: Vec<(u64, RelPath)> = Vec::new();
    for dir in scan.dir_ids().skip(1) {
        let path = scan.dir_path(dir);
        let word = path.to_word();
        let is_copy = Role::Vendored.begins_at(&word) || word == "deps" && has_licences(scan, dir);
        if !is_copy || is_for_tests(&word) {
            continue;
        }
        let end = scan.dir(dir).subtree_end;
        let files = (dir.0..end).flat_map(|dir| scan.files_of(DirId(dir)));
        let lines: u64 = files.map(|file| u64::from(scan.file(file).code)).sum();
        if COPIED <= lines {
            dirs.push((lines, path));
        }
    }
    dirs.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let (_, first) = dirs.first()?.clone();
    let lines: u64 = dirs.iter().map(|(lines, _)| lines).sum();
    let names: Vec<String> = dirs.iter().map(|(_, path)| code(&path.to_word())).collect();
    let (verb, them) = if names.len() == 1 { ("holds", "it") } else { ("hold", "them") };
    let finding = format!(
        "{} {verb} copies of other projects ({} lines of code): somebody has to keep {them} up to date.",
        some_of(&names, 4),
        number(lines)
    );
    Some(flag(&VENDORED, VENDORED.severity, first, finding))
}

/// Whether most of what lies below a directory comes with a licence of its own.
fn has_licences(scan: &Scan, dir: DirId) -> bool {
    let has_own = |child: DirId| {
        let mut names = scan.files_of(child).map(|file| scan.name(scan.file(file).name).to_ascii_lowercase());
        names.any(|name| name.starts_with(b"licen") || name.starts_with(b"copy"))
    };
    let (all, own) =
        scan.children_of(dir).fold((0, 0), |(all, own), child| (all + 1, own + usize::from(has_own(child))));
    1 < own && all <= own * 2
}

/// Groups of files with the same content, those that waste most first.
pub(crate) fn alike(scan: &Scan, is_meant: impl Fn(&str) -> bool) -> Vec<(u64, Vec<RelPath>)> {
    let mut by_hash: BTreeMap<ContentHash, Vec<FileId>> = BTreeMap::new();
    for id in scan.file_ids() {
        let file = scan.file(id);
        if file.kind == Kind::File && SMALL <= file.size && file.reading == Reading::Whole {
            by_hash.entry(file.hash).or_default().push(id);
        }
    }
    let mut groups: Vec<(u64, Vec<RelPath>)> = Vec::new();
    for files in by_hash.into_values().filter(|files| 1 < files.len()) {
        let size = files.first().map_or(0, |file| scan.file(*file).size);
        let paths: Vec<RelPath> = files
            .into_iter()
            .map(|file| scan.file_path(file))
            .filter(|path| is_meant(&path.to_word()))
            .collect();
        if 1 < paths.len() {
            groups.push((size, paths));
        }
    }
    groups.sort_by(|a, b| {
        let waste = |group: &(u64, Vec<RelPath>)| group.0 * (group.1.len() as u64 - 1);
        waste(b).cmp(&waste(a)).then_with(|| a.1.cmp(&b.1))
    });
    groups
}

/// Sources that are there twice. Licences, pictures and what tests use are copied on purpose.
fn duplicates(scan: &Scan) -> Option<Flag> {
    let is_source = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_text = is_program(ending);
        is_own(path) && is_text && !name.starts_with("__init__")
    };
    let groups = alike(scan, is_source);
    let (_, first) = groups.first()?;
    let files: usize = groups.iter().map(|(_, paths)| paths.len()).sum();
    let names: Vec<String> = first.iter().map(|path| code(&path.to_word())).collect();
    let finding = match groups.len() {
        1 => format!("{} are the same file.", some_of(&names, 4)),
        all => format!(
            "{} source files are copies of one another, in {all} groups; the largest: {}.",
            number(files as u64),
            some_of(&names, 4)
        ),
    };
    Some(flag(&DUPLICATES, DUPLICATES.severity, first.first()?.clone(), finding))
}

/// Endings of programs, which should be there once.
fn is_program(ending: &str) -> bool {
    [
        "py", "js", "ts", "tsx", "jsx", "go", "rs", "c", "h", "cc", "cpp", "hpp", "java", "kt", "cs", "php",
        "rb", "lua", "pl", "swift", "sql", "vim",
    ]
    .contains(&ending)
}
