//! The summary of a directory, from what was seen in it.
//!
//! The first sentence says what it is, by the best source there is: a manifest, a README, the words of its main file,
//! its name, or at last what it contains. Then what its files do, then what lies below it.

use luminos_core::entry::Share;
use luminos_core::fact::{FactKind, Inside, OfferKind, Opening};
use luminos_core::job::Assignment;

use super::look::Looked;
use super::role::Role;
use super::sentence;
use super::words::{code, count, number, some_of};

mod amount;
mod below;
mod unsaid;

use amount::size;
use below::children;
use unsaid::by_name_or_content;

/// So many files are described.
const FILES: usize = 7;

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

/// The summary of a directory, in its parts.
pub(crate) struct Summary {
    pub(crate) opening: Opening,
    /// What stands behind the opening in the first paragraph.
    rest: Vec<String>,
    files: Option<String>,
    pub(crate) below: Option<String>,
    pub(crate) known: Known,
}

impl Summary {
    /// The whole of it, for a directory of a name.
    pub(crate) fn text(&self, called: &str) -> String {
        let first =
            std::iter::once(sentence::opening(called, &self.opening)).chain(self.rest.iter().cloned());
        let mut paragraphs = vec![first.collect::<Vec<_>>().join(" ")];
        paragraphs.extend(self.files.clone());
        paragraphs.extend(self.below.clone());
        paragraphs.join("\n\n")
    }
}

/// The opening of a summary.
struct Opened<'a> {
    opening: Opening,
    known: Known,
    /// The file whose words are used up; all of them where that is empty.
    used: Option<&'a str>,
    /// Whether it says how many files of which kind there are.
    is_counted: bool,
}

impl<'a> Opened<'a> {
    fn written(opening: Opening, used: &'a str) -> Self {
        Self { opening, known: Known::Written, used: Some(used), is_counted: false }
    }

    fn inside(inside: Inside, known: Known) -> Self {
        Self { opening: Opening::Inside(inside), known, used: None, is_counted: false }
    }
}

/// Words that follow the name of a directory.
fn inside(text: String) -> Inside {
    Inside { text, ..Inside::default() }
}

/// The summary of a directory.
pub(crate) fn summary(assignment: &Assignment, looked: &[Looked<'_>]) -> Summary {
    let Opened { opening, known, used, is_counted } = opening(assignment, looked);
    let mut rest = Vec::new();
    // How many files of which kind is said once.
    if matches!(known, Known::Written | Known::ByName) && used != Some("") && !is_counted {
        rest.extend(size(assignment));
    }
    rest.extend(commands(looked));
    if !assignment.files.is_empty() {
        rest.extend(unreadable(assignment).map(|words| format!("Part of it {words}.")));
    }
    rest.extend(folded(assignment));
    let files = files(assignment, looked, used);
    Summary { opening, rest, files, below: children(&assignment.children, looked), known }
}

/// What the directory is called in its own summary.
pub(crate) fn called(assignment: &Assignment) -> String {
    if assignment.job.dir.is_root() {
        return code(&assignment.target_name);
    }
    code(&assignment.job.dir.to_word())
}

/// What to say of a directory that could not be listed.
fn unreadable(assignment: &Assignment) -> Option<String> {
    let reason = assignment.unreadable.as_ref()?;
    Some(format!("could not be read: {reason}"))
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

/// What the directory is, by the best source there is.
fn opening<'a>(assignment: &Assignment, looked: &'a [Looked<'_>]) -> Opened<'a> {
    if assignment.files.is_empty()
        && let Some(words) = unreadable(assignment)
    {
        return Opened::inside(inside(words), Known::ByContent);
    }
    let manifest = looked.iter().find_map(|file| {
        let package = file.facts.iter().find(|fact| matches!(fact.fact, FactKind::Package { .. }))?;
        Some((file, &package.fact))
    });
    let words_of = |file: &Looked<'_>| file.own_words().map(str::to_owned);
    let readme =
        looked.iter().find(|file| super::readme::is_readme(&file.name) && file.own_words().is_some());
    if let Some((file, FactKind::Package { kind, name, version })) = manifest {
        let text = words_of(file).or_else(|| readme.and_then(words_of));
        let known = if text.is_some() { Known::Written } else { Known::ByName };
        let (kind, name, version) = (kind.clone(), name.clone(), version.clone());
        let opening = Opening::Package { kind, name, version, text };
        return Opened { known, ..Opened::written(opening, &file.name) };
    }
    if let Some(readme) = readme
        && let Some(text) = words_of(readme)
    {
        let role = role_of(assignment).filter(|_| !assignment.job.dir.is_root());
        let role = role.map(|role| role.noun().to_owned());
        return Opened::written(Opening::Readme { file: readme.name.clone(), role, text }, &readme.name);
    }
    let speaks = |file: &&Looked<'_>| is_index(&file.name) || is_of_package(file);
    if let Some(main) = looked.iter().find(|file| speaks(file) && file.own_words().is_some())
        && let Some(text) = words_of(main)
    {
        return Opened::written(Opening::MainFile { file: main.name.clone(), text }, &main.name);
    }
    by_name_or_content(assignment, looked)
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
    for (file, fact) in looked.iter().flat_map(|file| file.facts.iter().map(move |fact| (file, &fact.fact))) {
        if let FactKind::Offers { offer, names } = fact
            && (1 < names.len() || *offer == OfferKind::Programs)
        {
            let noun = sentence::offered(*offer, names.len());
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            told.push(format!("{} has the {noun} {}.", code(&file.name), some_of(&names, 6)));
        }
        if let FactKind::Members { names } = fact {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            told.push(format!("{} makes a workspace of {}.", code(&file.name), some_of(&names, 8)));
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
