//! The words for facts: the only place where a fact becomes English. Nothing is ever read back from them.

use luminos_core::entry::{Claim, DirEntry, FileEntry};
use luminos_core::fact::{
    Column, Contents, Count, Day, Detail, Fact, FactKind, Holding, Inside, KubernetesObject, OfferKind,
    Opening, Purpose, Subject, Symbol,
};

use super::bounds;
use super::words::{clipped, code, count, first_sentence, list, number, quoted, some_of};

#[cfg(test)]
mod tests;

/// Maximum characters of an entry that are told elsewhere: a quotation fits.
const GIST: usize = 400;
/// Maximum names of a list in a file that sets up machines.
const SHOWN: usize = 5;

/// The fact as a claim of an entry, which takes over its evidence.
pub(crate) fn claim(fact: &Fact) -> Claim {
    Claim {
        text: sentence(fact),
        evidence: fact.evidence.clone(),
        fact: Some(Box::new(fact.bare())),
        ..Claim::default()
    }
}

/// The fact as a sentence that names what it is about.
pub(crate) fn sentence(fact: &Fact) -> String {
    let called = match &fact.subject {
        Subject::This => "It".to_owned(),
        Subject::File(path) | Subject::Dir(path) => code(&path.to_word()),
    };
    format!("{called} {}", predicate(&fact.fact))
}

/// What is said of the subject: a sentence without its first word.
pub(crate) fn predicate(fact: &FactKind) -> String {
    match fact {
        FactKind::Description { text } => format!("describes it: “{text}”"),
        FactKind::OwnWords { text } => format!("says of itself: “{text}”"),
        FactKind::Package { kind, name, version } => {
            let version =
                version.as_deref().map(|version| format!(", version {version}")).unwrap_or_default();
            format!("declares the {kind} {}{version}.", code(name))
        }
        FactKind::Version { version } => format!("names the version {version}."),
        FactKind::Licence { name } => format!("names the licence {name}."),
        FactKind::Offers { offer, names } => {
            format!("has the {} {}.", offered(*offer, names.len()), codes(names))
        }
        FactKind::EntryPoint { code: what } => format!("is an entry point: {}.", code(what)),
        FactKind::Members { names } => format!("is a workspace of {}.", codes(names)),
        FactKind::Dependencies { names } => format!("depends on {}.", codes(names)),
        FactKind::DevelopmentDependencies { names } => format!("names for development {}.", codes(names)),
        FactKind::Definitions { symbols } => {
            format!("defines {}.", list(&symbols.iter().map(symbol).collect::<Vec<_>>()))
        }
        FactKind::Documentation { symbol: of, text } => format!("explains {}: “{text}”", symbol(of)),
        FactKind::Commands { purpose, commands } => format!("{} with {}.", verb(*purpose), codes(commands)),
        FactKind::Requirement { tool, version } => {
            format!("requires {}.", code(format!("{tool} {version}").trim_end()))
        }
        FactKind::EntryFile { file } => format!("is loaded at {}.", code(file)),
        FactKind::Ports { ports } => format!("opens port {}.", codes(ports)),
        FactKind::Services { services } => {
            let services: Vec<String> = services
                .iter()
                .map(|service| match &service.image {
                    Some(image) => code(&format!("{}: {image}", service.name)),
                    None => code(&service.name),
                })
                .collect();
            format!("starts {}.", list(&services))
        }
        FactKind::Variables { names } => format!("takes from the environment {}.", codes(names)),
        FactKind::History { .. } => format!("leads to {}.", history(fact)),
        FactKind::Churn { commits, files } => {
            let files: Vec<String> =
                files.iter().map(|change| format!("{} ({})", code(&change.file), change.commits)).collect();
            format!("shows what the last {commits} commits changed most: {}.", list(&files))
        }
        FactKind::Imports { modules } => format!("imports {}.", codes(modules)),
        FactKind::Mention { of, text } => format!("says of {}: “{text}”", code(of)),
        FactKind::NamedBeside { symbol: of, files } => {
            let files = count(*files, "file");
            format!("is where {} is defined, which {files} beside it name.", symbol(of))
        }
        FactKind::References { dirs } => format!("refers to {}.", codes(dirs)),
        FactKind::Title { text } => format!("is titled “{text}”"),
        FactKind::Contents(of) => format!("holds {}.", contents(of)),
        FactKind::Period { from, to } => format!("covers {from} to {to}."),
        FactKind::Fault { text, .. } => format!("has a catch: {text}."),
        FactKind::Columns { names } => format!("has the columns {}.", codes(names)),
        FactKind::Holding(holding) => format!("{}.", kept(holding)),
        FactKind::Counts { types, functions, tests } => {
            let counts = [(*types, "type"), (*functions, "function"), (*tests, "test")];
            let counts: Vec<String> = counts
                .into_iter()
                .filter(|(number, _)| 0 < *number)
                .map(|(number, thing)| count(number, thing))
                .collect();
            format!("has {}.", list(&counts))
        }
    }
}

fn codes(names: &[String]) -> String {
    list(&names.iter().map(|name| code(name)).collect::<Vec<_>>())
}

/// ``struct `Queue` ``.
pub(crate) fn symbol(symbol: &Symbol) -> String {
    format!("{} {}", symbol.kind, code(&symbol.name))
}

/// What a file offers, as a noun that fits how many there are.
pub(crate) fn offered(offer: OfferKind, number: usize) -> &'static str {
    let is_one = number == 1;
    match offer {
        OfferKind::Programs if is_one => "program",
        OfferKind::Programs => "programs",
        OfferKind::Scripts if is_one => "script",
        OfferKind::Scripts => "scripts",
        OfferKind::Targets if is_one => "target",
        OfferKind::Targets => "targets",
        OfferKind::Tasks if is_one => "task",
        OfferKind::Tasks => "tasks",
        OfferKind::Recipes if is_one => "recipe",
        OfferKind::Recipes => "recipes",
    }
}

/// What a file does that tells a command.
fn verb(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Install => "installs",
        Purpose::Build => "builds",
        Purpose::Test => "tests",
        Purpose::Check => "checks",
        Purpose::Run => "runs",
        Purpose::Document => "documents",
    }
}

/// The word before the commands in a report.
pub(crate) fn title(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Install => "Install",
        Purpose::Build => "Build",
        Purpose::Test => "Test",
        Purpose::Check => "Check",
        Purpose::Run => "Run",
        Purpose::Document => "Document",
    }
}

/// How long and how lively a history is; nothing for other facts.
pub(crate) fn history(fact: &FactKind) -> String {
    let FactKind::History { commits, is_cut, authors, first, last, last_year, last_year_authors } = fact
    else {
        return String::new();
    };
    let least = if *is_cut { "at least " } else { "" };
    let year = match last_year == commits {
        true => String::new(),
        false => format!(
            "; {} by {} in its last twelve months",
            count(*last_year, "commit"),
            count(*last_year_authors, "author")
        ),
    };
    let span = if first == last { format!("on {last}") } else { format!("from {first} to {last}") };
    format!("{least}{} by {} {span}{year}", count(*commits, "commit"), count(*authors, "author"))
}

/// What a single file holds.
pub(crate) fn contents(contents: &Contents) -> String {
    match contents {
        Contents::Table { rows, columns, more_columns } => {
            let told: Vec<String> = columns.iter().map(|of| clipped(&column(of), 100)).collect();
            let columns = match more_columns {
                0 => list(&told),
                more => format!("{} and {} more columns", told.join(", "), number(*more)),
            };
            format!("{}; {columns}", count(*rows, "row"))
        }
        Contents::Notebook { code_cells, text_cells, language, with_output } => {
            let language = language.as_deref().unwrap_or("unknown language");
            let output = if *with_output == 0 { "; none has output" } else { "" };
            format!(
                "{} and {}, in {language}{output}",
                count(*code_cells, "code cell"),
                count(*text_cells, "text cell")
            )
        }
        Contents::Log { lines, levels } => format!("{}: {}", count(*lines, "line"), counts(levels)),
        Contents::Mailbox { messages } => count(*messages, "message"),
        Contents::Terraform { resources, modules, providers, variables, outputs } => {
            let shown =
                |names: &[String]| some_of(&names.iter().map(|name| code(name)).collect::<Vec<_>>(), SHOWN);
            let mut told = Vec::new();
            if !resources.is_empty() {
                let mut kinds = resources.clone();
                kinds.dedup();
                told.push(format!("{} ({})", count(resources.len() as u64, "resource"), shown(&kinds)));
            }
            for (names, one, many) in [(modules, "module", "modules"), (providers, "provider", "providers")] {
                if !names.is_empty() {
                    told.push(format!("the {} {}", if names.len() == 1 { one } else { many }, shown(names)));
                }
            }
            for (names, noun) in [(variables, "variable"), (outputs, "output")] {
                if !names.is_empty() {
                    told.push(format!("{} ({})", count(names.len() as u64, noun), shown(names)));
                }
            }
            format!("Terraform with {}", list(&told))
        }
        Contents::Kubernetes { objects } => {
            let told: Vec<String> = objects
                .iter()
                .map(|KubernetesObject { kind, name }| match name {
                    Some(name) => format!("{kind} {}", code(name)),
                    None => kind.clone(),
                })
                .collect();
            let noun = if told.len() == 1 { "object" } else { "objects" };
            format!("the Kubernetes {noun} {}", some_of(&told, SHOWN))
        }
        Contents::Playbook { hosts, tasks } => {
            let on: Vec<String> = hosts.iter().map(|name| code(name)).collect();
            let tasks: Vec<String> = tasks.iter().map(|name| format!("“{name}”")).collect();
            let called =
                if tasks.is_empty() { String::new() } else { format!(": {}", some_of(&tasks, SHOWN)) };
            format!("an Ansible playbook for {}{called}", some_of(&on, SHOWN))
        }
        Contents::AnsibleTasks { are_handlers, count: all, names } => {
            let noun = if *are_handlers { "Ansible handler" } else { "Ansible task" };
            // Inside of other words, these are no quotation of a whole.
            let names: Vec<String> = names.iter().map(|name| format!("‘{name}’")).collect();
            format!("{}: {}", count(*all, noun), some_of(&names, SHOWN))
        }
    }
}

/// ``decimal `price` (0.5 to 99)``.
fn column(column: &Column) -> String {
    let name = format!("{} {}", column.kind, code(&column.name));
    match (&column.range, column.different) {
        (Some((least, most)), _) => format!("{name} ({least} to {most})"),
        (None, Some(different)) => format!("{name} ({different} different)"),
        (None, None) => name,
    }
}

/// `12 ERROR, 3 WARN and 40 INFO`.
fn counts(counts: &[Count]) -> String {
    list(&counts.iter().map(|count| format!("{} {}", number(count.number), count.of)).collect::<Vec<_>>())
}

/// `keeps 402 photos, 2021-03-02 to 2021-12-24: taken with X100`.
fn kept(holding: &Holding) -> String {
    let details = details(&holding.details);
    let details = bounds::words(&details);
    let details = if details.is_empty() { String::new() } else { format!(": {details}") };
    format!("keeps {}{}{details}", count(holding.count, &holding.noun), when(holding.period))
}

/// `, 2022-01-01 to 2024-12-31`.
pub(crate) fn when(period: Option<(Day, Day)>) -> String {
    match period {
        Some((from, to)) if from == to => format!(", {from}"),
        Some((from, to)) => format!(", {from} to {to}"),
        None => String::new(),
    }
}

/// `402 photos, 2021-03-02 to 2021-12-24 (taken with X100)`.
pub(crate) fn part(holding: &Holding) -> String {
    let details = details(&holding.details);
    let details = if details.is_empty() { String::new() } else { format!(" ({details})") };
    format!("{}{}{details}", count(holding.count, &holding.noun), when(holding.period))
}

/// Details, parted by semicolons.
pub(crate) fn details(details: &[Detail]) -> String {
    details.iter().map(detail).collect::<Vec<_>>().join("; ")
}

fn detail(detail: &Detail) -> String {
    match detail {
        Detail::Text(text) | Detail::Names(text) => text.clone(),
        Detail::Counts(of) => counts(of),
        Detail::List(names) => list(names),
        Detail::With(names) => format!("with {names}"),
        Detail::Site(site) => format!("of the site {site}"),
        Detail::Cameras { are_scanners, took_all, cameras } => {
            let how = if *are_scanners { "made with" } else { "taken with" };
            match &cameras[..] {
                [only] if *took_all => format!("{how} {}", only.of),
                several => format!("{how} {}", most(several, 3)),
            }
        }
    }
}

/// The first of some names, each with its number: `a (12), b (7) and 3 others`.
fn most(counts: &[Count], shown: usize) -> String {
    let names = counts.iter().take(shown).map(|count| format!("{} ({})", count.of, number(count.number)));
    let names: Vec<String> = names.collect();
    match counts.len().saturating_sub(shown) {
        0 => list(&names),
        1 => format!("{} and 1 other", names.join(", ")),
        more => format!("{} and {more} others", names.join(", ")),
    }
}

/// What a summary begins with.
pub(crate) fn opening(called: &str, opening: &Opening) -> String {
    let gist = told(opening);
    match opening {
        Opening::Package { text, .. } => {
            format!("{called} is {gist}{}", if text.is_some() { "" } else { "." })
        }
        Opening::Readme { file, role: None, .. } => format!("{called}, in the words of its {file}: {gist}"),
        Opening::Readme { .. } | Opening::OnlyFile { .. } => format!("{called} {gist}"),
        Opening::MainFile { file, .. } => format!("{called}: {gist} ({}).", code(file)),
        Opening::Inside(Inside { is_noun: true, .. }) => format!("{called} is {gist}."),
        Opening::Inside(_) => format!("{called} {gist}."),
    }
}

/// The same as a sentence of its own, without the file that says so.
pub(crate) fn opening_alone(called: &str, opening: &Opening) -> String {
    match opening {
        Opening::MainFile { .. } => format!("{called}: {}", told(opening)),
        opening => self::opening(called, opening),
    }
}

/// What a summary begins with, without the name of the directory.
fn told(opening: &Opening) -> String {
    match opening {
        Opening::Package { kind, name, version, text } => {
            let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
            let text = text.as_deref().map(|text| format!(": {}", quoted(text))).unwrap_or_default();
            format!("the {kind} {}{version}{text}", code(name))
        }
        Opening::Readme { role: None, text, .. } => quoted(text),
        Opening::Readme { role: Some(role), file, text } => {
            format!("holds {role}; its {file} says: {}", quoted(text))
        }
        Opening::MainFile { text, .. } => format!("“{text}”"),
        Opening::OnlyFile { file, lines, text } => {
            format!("holds {} ({}): {}", code(file), count(*lines, "line"), quoted(text))
        }
        Opening::Inside(inside) => {
            let size = inside.size.as_deref().map(|size| format!(" ({size})")).unwrap_or_default();
            let types = match inside.types.is_empty() {
                true => String::new(),
                false => format!("; main types {}", codes(&inside.types)),
            };
            let mut names: Vec<String> = inside.below.iter().map(|name| code(name)).collect();
            names.extend((0 < inside.more_below).then(|| format!("{} more", number(inside.more_below))));
            let below = if names.is_empty() { String::new() } else { format!("; below it {}", list(&names)) };
            format!("{}{size}{types}{below}", inside.text)
        }
    }
}

/// What an entry says, in a line, without the name of its directory.
pub(crate) fn gist_of(entry: &DirEntry) -> String {
    match entry.opening.as_deref() {
        Some(opening) => gist(&told(opening)),
        // A model wrote it.
        None => {
            let first = first_sentence(entry.summary.split("\n\n").next().unwrap_or_default());
            let called = code(&entry.relative_path.to_word());
            gist(first.strip_prefix(&called).unwrap_or(first).trim_start_matches([',', ':', ' ']))
        }
    }
}

/// The same without what is told elsewhere: how large it is, and its main types.
pub(crate) fn short_gist_of(entry: &DirEntry) -> String {
    match entry.opening.as_deref() {
        Some(Opening::Inside(inside)) if !inside.types.is_empty() || inside.below.is_empty() => {
            gist(&inside.text)
        }
        _ => gist_of(entry),
    }
}

/// A line of it.
fn gist(words: &str) -> String {
    let gist = words.trim_end_matches('.');
    if gist.chars().count() <= GIST {
        return gist.to_owned();
    }
    // Whole parts, where it has some: half of one says nothing.
    let end = gist.char_indices().nth(GIST).map_or(gist.len(), |(at, _)| at);
    let mut cut = match gist[..end].rfind("; ").filter(|at| GIST / 4 < *at) {
        Some(at) => format!("{} …", &gist[..at]),
        None => clipped(gist, GIST),
    };
    // What was opened before the cut is closed behind it.
    let open = cut.matches('(').count().saturating_sub(cut.matches(')').count());
    cut.push_str(&")".repeat(open));
    cut
}

/// The words that somebody wrote about a directory, where its summary begins with nothing else.
pub(crate) fn quotation_of(entry: &DirEntry) -> Option<&str> {
    match entry.opening.as_deref()? {
        Opening::Readme { role: None, text, .. } | Opening::MainFile { text, .. } => Some(text),
        _ => None,
    }
}

/// What the entry of a file says it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileGist {
    /// In a line.
    pub(crate) text: String,
    /// The words of the file itself, or of a document about it.
    pub(crate) words: Option<String>,
}

impl FileGist {
    /// Words of somebody.
    pub(crate) fn of_words(words: &str) -> Self {
        Self { text: format!("“{words}”"), words: Some(words.to_owned()) }
    }
}

/// What the entry of a file says it is for; `None` where it says nothing but its size.
pub(crate) fn file_gist(entry: &FileEntry) -> Option<FileGist> {
    let find =
        |test: &dyn Fn(&FactKind) -> Option<FileGist>| entry.facts.iter().find_map(|fact| test(&fact.fact));
    let own = |text: &str| {
        let word = entry.relative_path.to_word();
        let words = super::look::without_name(text, word.rsplit('/').next().unwrap_or_default());
        Some(FileGist::of_words(&clipped(first_sentence(words), GIST)))
    };
    let says = find(&|fact| if let FactKind::OwnWords { text } = fact { own(text) } else { None });
    let describes = || find(&|fact| if let FactKind::Description { text } = fact { own(text) } else { None });
    let explains = || {
        find(&|fact| {
            let FactKind::Documentation { symbol: of, text } = fact else { return None };
            let words = clipped(text, GIST);
            Some(FileGist { text: format!("{}, “{words}”", symbol(of)), words: Some(words) })
        })
    };
    let defines = || {
        find(&|fact| {
            let FactKind::Definitions { .. } = fact else { return None };
            Some(FileGist { text: predicate(fact).trim_end_matches('.').to_owned(), words: None })
        })
    };
    says.or_else(describes).or_else(explains).or_else(defines)
}
