//! The summary of a directory, from what was seen in it.
//!
//! The first sentence says what it is, by the best source there is: a manifest, a README, the words of its main file,
//! its name, or at last what it contains. Then what its files do, then what lies below it.

use luminos_core::entry::{DirEntry, Share};
use luminos_core::job::{Assignment, Child};
use luminos_core::scan::Category;

use super::gist::opening_of;
use super::look::Looked;
use super::role::Role;
use super::statement::{Statement, noun_for};
use super::words::{code, count, first_sentence, list, number, quoted, some_of};

mod amount;
mod below;

use amount::{contents, extent, size};
use below::children;

/// So many files are described.
const FILES: usize = 7;
/// A file is an example of its directory with at most so many bytes of its words.
const EXAMPLE: usize = 120;
/// So many types.
const TYPES: usize = 6;

/// How well the purpose is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// Somebody wrote it down.
    Written,
    /// Its files say what each of them is for.
    ByFiles,
    /// The name tells.
    ByName,
    /// Only what is in it tells.
    ByContent,
}

impl Known {
    /// How sure one can be.
    pub(crate) fn confidence(self) -> Option<Share> {
        Share::new(match self {
            Self::Written => 0.9,
            Self::ByFiles => 0.8,
            Self::ByName => 0.7,
            Self::ByContent => 0.5,
        })
    }

    /// Why not surer.
    pub(crate) fn reason(self) -> Option<String> {
        match self {
            Self::Written => None,
            Self::ByFiles => Some("The purpose is put together from what single files say.".to_owned()),
            Self::ByName => Some("The purpose is taken from the directory's name.".to_owned()),
            Self::ByContent => Some("No document, manifest or comment says what it is for.".to_owned()),
        }
    }
}

/// The summary, and how well the purpose is known.
pub(crate) fn summary(assignment: &Assignment, looked: &[Looked<'_>]) -> (String, Known) {
    let (opening, known, used) = opening(assignment, looked);
    let what = contents(assignment);
    // How many files of which kind is said once.
    let is_counted = !what.is_empty() && opening.contains(&what);
    let mut first = vec![opening];
    if matches!(known, Known::Written | Known::ByName) && used != Some("") && !is_counted {
        first.extend(size(assignment));
    }
    first.extend(commands(looked));
    if !assignment.files.is_empty() {
        first.extend(unreadable(assignment, "Part of it"));
    }
    first.extend(folded(assignment));
    let mut paragraphs = vec![first.join(" ")];
    paragraphs.extend(files(assignment, looked, used));
    paragraphs.extend(children(&assignment.children, looked));
    (paragraphs.join("\n\n"), known)
}

/// What the directory is called in its own summary.
pub(crate) fn called(assignment: &Assignment) -> String {
    if assignment.job.dir.is_root() {
        return code(&assignment.target_name);
    }
    code(&assignment.job.dir.to_word())
}

/// What to say of a directory that could not be listed.
fn unreadable(assignment: &Assignment, called: &str) -> Option<String> {
    let reason = assignment.unreadable.as_ref()?;
    Some(format!("{called} could not be read: {reason}."))
}

/// What to say of directories that lie too deep to be told on their own.
fn folded(assignment: &Assignment) -> Option<String> {
    let further = match assignment.folded {
        0 => return None,
        1 => "1 directory further down is".to_owned(),
        many => format!("{} directories further down are", number(u64::from(many))),
    };
    Some(format!("{further} told with it: such depth is not investigated level by level."))
}

/// The first sentence, how well it is known, and the file it used up.
fn opening<'a>(assignment: &Assignment, looked: &'a [Looked<'_>]) -> (String, Known, Option<&'a str>) {
    let called = called(assignment);
    if assignment.files.is_empty()
        && let Some(sentence) = unreadable(assignment, &called)
    {
        return (sentence, Known::ByContent, None);
    }
    let find = |test: &dyn Fn(&Statement) -> bool| {
        let all = looked.iter().flat_map(|file| file.findings.iter().map(move |finding| (file, finding)));
        all.into_iter().find(|(_, finding)| test(&finding.statement))
    };
    let manifest = find(&|statement| matches!(statement, Statement::Declares { .. }));
    let describes = |file: &Looked<'_>| file.own_words().map(str::to_owned);
    let readme =
        looked.iter().find(|file| super::readme::is_readme(&file.name) && file.own_words().is_some());
    if let Some((file, finding)) = manifest
        && let Statement::Declares { kind, name, version, .. } = &finding.statement
    {
        let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let words = describes(file).or_else(|| readme.and_then(describes));
        let sentence = match words {
            Some(words) => format!("{called} is the {kind} {}{version}: {}", code(name), quoted(&words)),
            None => format!("{called} is the {kind} {}{version}.", code(name)),
        };
        let known = if sentence.contains('”') { Known::Written } else { Known::ByName };
        return (sentence, known, Some(&file.name));
    }
    let role = role_of(assignment);
    if let Some(readme) = readme
        && let Some(words) = readme.own_words()
        && let Some(role) = role
        && !assignment.job.dir.is_root()
    {
        let sentence = format!("{called} holds {}; its {} says: {}", role.noun(), readme.name, quoted(words));
        return (sentence, Known::Written, Some(&readme.name));
    }
    if let Some(readme) = readme
        && let Some(words) = readme.own_words()
    {
        return (
            format!("{called}, in the words of its {}: {}", readme.name, quoted(words)),
            Known::Written,
            Some(&readme.name),
        );
    }
    let speaks = |file: &&Looked<'_>| is_index(&file.name) || is_of_package(file);
    if let Some(main) = looked.iter().find(|file| speaks(file) && file.own_words().is_some())
        && let Some(words) = main.own_words()
    {
        return (format!("{called}: “{words}” ({}).", code(&main.name)), Known::Written, Some(&main.name));
    }
    by_name_or_content(assignment, looked, &called)
}

fn by_name_or_content<'a>(
    assignment: &Assignment,
    looked: &[Looked<'_>],
    called: &str,
) -> (String, Known, Option<&'a str>) {
    let role = role_of(assignment);
    let tests: u64 =
        looked.iter().filter_map(|file| file.source.as_ref()).map(|source| source.tests as u64).sum();
    match role {
        Some(Role::Tests) if 0 < tests => {
            return (format!("{called} holds {}.", count(tests, "test")), Known::ByName, None);
        }
        // The name alone makes no tests.
        Some(Role::Tests) if !assignment.files.is_empty() => {
            let what = contents(assignment);
            if has_tests_below(assignment) {
                return (format!("{called} holds tests below it, and {what}."), Known::ByName, None);
            }
            if !Role::Tests.begins_at(&assignment.job.dir.to_word()) {
                let extent = extent(assignment).map(|extent| format!(" ({extent})")).unwrap_or_default();
                return (format!("{called} holds {what}{extent} for the tests."), Known::ByName, None);
            }
        }
        Some(Role::Tests) if !has_tests_below(assignment) => {}
        Some(role) => {
            if let Some(sentence) = by_role(assignment, role, called) {
                return (sentence, Known::ByName, None);
            }
        }
        None => {}
    }
    let words: Vec<&Looked<'_>> = looked.iter().filter(|file| file.own_words().is_some()).collect();
    if let [only] = words[..]
        && looked.len() == 1
        && let Some(words) = only.own_words()
    {
        let lines = count(u64::from(only.file.lines), "line");
        return (
            format!("{called} holds {} ({lines}): {}", code(&only.name), quoted(words)),
            Known::Written,
            Some(""),
        );
    }
    let done = assignment.children.iter().filter(|child| matches!(child, Child::Done(_))).count();
    if assignment.files.is_empty() {
        let children: Vec<String> =
            assignment.children.iter().map(|child| code(last_name(&child.path().to_word()))).collect();
        let sentence = match children.len() {
            0 if 0 < assignment.folded => format!("{called} holds no files, only other directories."),
            0 => format!("{called} is empty."),
            _ => format!("{called} only groups its child directories: {}.", some_of(&children, 12)),
        };
        return (sentence, if 0 < done { Known::ByName } else { Known::ByContent }, None);
    }
    let is_own = |file: &&Looked<'_>| !super::rules::is_for_tests(&file.word);
    let mut said: Vec<&Looked<'_>> = looked.iter().filter(|file| file.own_words().is_some()).collect();
    said.sort_by(|a, b| {
        is_own(b)
            .cmp(&is_own(a))
            .then_with(|| b.file.lines.cmp(&a.file.lines))
            .then_with(|| a.name.cmp(&b.name))
    });
    let sources = looked.iter().filter(|file| file.source.is_some()).count();
    let known = if 0 < sources && sources <= said.len() * 2 { Known::ByFiles } else { Known::ByContent };
    let lines: u64 = assignment
        .files
        .iter()
        .filter(|file| file.category == Category::Source)
        .map(|file| u64::from(file.lines))
        .sum();
    let lines = if lines == 0 { String::new() } else { format!(" ({})", count(lines, "line")) };
    let mut examples: Vec<String> = said
        .iter()
        .filter_map(|file| {
            // Whole sentences only: half of one says less than a shorter one of another file.
            let sentence = Some(first_sentence(file.own_words()?)).filter(|words| words.len() <= EXAMPLE)?;
            Some(format!("{} (“{sentence}”)", code(&file.name)))
        })
        .take(2)
        .collect();
    if examples.is_empty() {
        let mut explained: Vec<&Looked<'_>> =
            looked.iter().filter(|file| file.explained().is_some()).collect();
        explained.sort_by(|a, b| b.file.lines.cmp(&a.file.lines).then_with(|| a.name.cmp(&b.name)));
        let sentences = explained.iter().filter_map(|file| {
            let (name, words) = file.explained().filter(|(_, words)| words.len() <= EXAMPLE)?;
            Some(format!("{} ({name}, “{words}”)", code(&file.name)))
        });
        examples.extend(sentences.take(1));
    }
    if examples.is_empty() {
        let is_licence = |file: &&Looked<'_>| {
            let first = file.findings.first().map(|finding| &finding.statement);
            matches!(
                first,
                Some(Statement::Licence { .. } | Statement::Develops { .. } | Statement::Needs { .. })
            )
        };
        let shown = looked.iter().filter(|file| !file.findings.is_empty() && !is_licence(file));
        let shown = shown.map(|file| (file, file.gist())).filter(|(_, gist)| gist.len() <= EXAMPLE);
        examples.extend(shown.take(2).map(|(file, gist)| format!("{} ({gist})", code(&file.name))));
    }
    let what = format!("{}{lines}", contents(assignment));
    // What it does comes before how much there is of it.
    let held = match (examples.is_empty(), assignment.files.len()) {
        (true, _) => what,
        (false, 1) => format!("{what}: {}", list(&examples)),
        (false, _) => format!("{} among {what}", list(&examples)),
    };
    let types = main_types(looked);
    let below = below(assignment);
    (format!("{called} holds {held}{types}{below}."), known, None)
}

/// What a directory is by its role: the whole of it, or what there is for it; `None` for one that only groups others.
fn by_role(assignment: &Assignment, role: Role, called: &str) -> Option<String> {
    let word = assignment.job.dir.to_word();
    let what = contents(assignment);
    let sized = match extent(assignment) {
        Some(extent) if !what.is_empty() => format!("{what} ({extent})"),
        Some(_) | None => what.clone(),
    };
    let is_inside = !role.begins_at(&word);
    let is_whole = word.rsplit_once('/').is_some_and(|(above, _)| role.begins_at(above));
    let is_flat = matches!(role, Role::Source | Role::Scripts | Role::Migrations | Role::Translations);
    if role == Role::Assets && word.ends_with("resources") && what.is_empty() {
        return Some(format!("{called} holds resources."));
    }
    if role == Role::Assets && !what.is_empty() {
        return Some(format!("{called} holds {sized}."));
    }
    if is_flat || !is_inside {
        return Some(format!("{called} holds {}.", role.noun()));
    }
    match (what.is_empty(), role == Role::Examples) {
        (false, true) if is_whole => Some(format!("{called} is one of the examples: {sized}.")),
        (false, true) => Some(format!("{called} holds {sized} for an example.")),
        (false, false) => Some(format!("{called} holds {sized}{}.", role.aim())),
        // Whoever looks for tests wants to hear where they begin.
        (true, _) => (role == Role::Tests).then(|| format!("{called} holds {}.", role.noun())),
    }
}

/// The types that others can use, those of the largest files first.
fn main_types(looked: &[Looked<'_>]) -> String {
    let mut files: Vec<&Looked<'_>> = looked.iter().collect();
    files.sort_by(|a, b| b.file.lines.cmp(&a.file.lines).then_with(|| a.name.cmp(&b.name)));
    let mut names: Vec<String> = Vec::new();
    files.retain(|file| !super::rules::is_for_tests(&file.word));
    for name in files.iter().filter_map(|file| file.source.as_ref()?.main_types.first()) {
        if !names.contains(&code(name)) {
            names.push(code(name));
        }
    }
    names.truncate(TYPES);
    if names.len() < 2 { String::new() } else { format!("; main types {}", list(&names)) }
}

/// Whether a child directory has tests, by what it says of itself.
fn has_tests_below(assignment: &Assignment) -> bool {
    let mut done = assignment.children.iter().filter_map(|child| match child {
        Child::Done(entry) => Some(entry),
        Child::Skipped { .. } | Child::Missing { .. } => None,
    });
    done.any(|entry| {
        let opening = opening_of(&entry.summary);
        let is_for_others = opening.ends_with("for the tests.");
        (opening.contains(" tests") || opening.ends_with(" test.")) && !is_for_others
    })
}

/// The largest child directories by name, for a directory that is mostly what lies below it.
fn below(assignment: &Assignment) -> String {
    let done = assignment.children.iter().filter_map(|child| match child {
        Child::Done(entry) => Some(entry.as_ref()),
        Child::Skipped { .. } | Child::Missing { .. } => None,
    });
    let mut done: Vec<&DirEntry> = done.collect();
    if done.len() < 2 {
        return String::new();
    }
    done.sort_by(|a, b| {
        b.child_count.cmp(&a.child_count).then_with(|| a.relative_path.cmp(&b.relative_path))
    });
    let names: Vec<String> =
        done.iter().map(|entry| code(&format!("{}/", last_name(&entry.relative_path.to_word())))).collect();
    format!("; below it {}", some_of(&names, 4))
}

/// The role of a directory by its name, where what is in it does not speak against it.
fn role_of(assignment: &Assignment) -> Option<Role> {
    let role = Role::of(&assignment.job.dir.to_word()).filter(|role| *role != Role::Source)?;
    // Migrations are numbered or dated; what makes them is no migration itself.
    let is_numbered = |name: &str| {
        name.trim_start_matches(['V', 'v', 'm']).starts_with(|first: char| first.is_ascii_digit())
            || name.ends_with(".sql")
    };
    let mut names = assignment.files.iter().filter_map(|file| file.name.to_utf8());
    let speaks_against = role == Role::Migrations && !assignment.files.is_empty() && !names.any(is_numbered);
    (!speaks_against).then_some(role)
}

/// Files that speak for their directory.
fn is_index(name: &str) -> bool {
    matches!(
        name,
        "lib.rs"
            | "main.rs"
            | "mod.rs"
            | "__init__.py"
            | "index.js"
            | "index.ts"
            | "index.tsx"
            | "doc.go"
            | "main.go"
            | "main.py"
            | "package-info.java"
            | "init.lua"
            | "app.py"
            | "mod.ts"
    )
}

/// Whether what a file says is about its whole package, as Go has it: one file of a package speaks for all.
fn is_of_package(file: &Looked<'_>) -> bool {
    let is_go = file.name.ends_with(".go") && !file.name.ends_with("_test.go");
    is_go && file.own_words().is_some_and(|words| words.starts_with("Package "))
}

/// How it is built, tested and run.
fn commands(looked: &[Looked<'_>]) -> Option<String> {
    let mut told = Vec::new();
    for finding in looked.iter().flat_map(|file| file.findings.iter()) {
        if let Statement::Offers { path, noun, names } = &finding.statement
            && (1 < names.len() || noun == "programs")
        {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            told.push(format!(
                "{} has the {} {}.",
                code(last_name(path)),
                noun_for(noun, &names),
                some_of(&names, 6)
            ));
        }
        if let Statement::Members { path, names } = &finding.statement {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            told.push(format!("{} makes a workspace of {}.", code(last_name(path)), some_of(&names, 8)));
        }
    }
    (!told.is_empty()).then(|| told.join(" "))
}

/// What its files do.
fn files(assignment: &Assignment, looked: &[Looked<'_>], used: Option<&str>) -> Option<String> {
    if used == Some("") {
        return None;
    }
    let mut told: Vec<(&Looked<'_>, String)> = looked
        .iter()
        .filter(|file| Some(file.name.as_str()) != used && !super::readme::is_readme(&file.name))
        .map(|file| (file, file.gist()))
        .filter(|(_, gist)| !gist.is_empty())
        .collect();
    if told.is_empty() {
        return None;
    }
    // What says something of itself comes first, and the larger of those.
    let weight = |file: &Looked<'_>| {
        let own = u64::from(file.own_words().is_some());
        let is_source = u64::from(file.source.is_some());
        (own * is_source * 2 + is_source, u64::from(file.file.lines))
    };
    // Beside a program, its tests come last.
    let is_of_tests = role_of(assignment) == Some(Role::Tests);
    let is_test = |file: &Looked<'_>| {
        let name = format!("x/{}", file.name);
        let is_called_so = super::rules::is_for_tests(&name) || file.name.contains("_test.");
        is_called_so && file.source.is_some() && !is_of_tests
    };
    told.sort_by(|a, b| {
        let score = |file: &Looked<'_>| {
            let (kind, lines) = weight(file);
            lines * (1 + kind)
        };
        is_test(a.0)
            .cmp(&is_test(b.0))
            .then_with(|| score(b.0).cmp(&score(a.0)))
            .then_with(|| a.0.name.cmp(&b.0.name))
    });
    let shown = told.iter().take(FILES).map(|(file, gist)| {
        let lines = if file.source.is_some() {
            format!(" ({})", count(u64::from(file.file.lines), "line"))
        } else {
            String::new()
        };
        format!("- {}{lines}: {gist}", code(&file.name))
    });
    let lines: Vec<String> = shown.collect();
    let all = assignment.file_count.max(assignment.files.len() as u64);
    let head = if (lines.len() as u64) + 1 < all { "Main files:" } else { "Its files:" };
    Some(format!("{head}\n{}", lines.join("\n")))
}

fn last_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}
