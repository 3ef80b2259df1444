//! A look at one file.

use luminos_core::RelPath;
use luminos_core::entry::{ENTRY_FORMAT, FileEntry, Share, Stamp};
use luminos_core::fact::{Fact, FactKind, Purpose, Reader, Subject};
use luminos_core::flag::Flag;
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use luminos_core::scan::Category;

use super::eyes::FileText;
use super::source::{self, SourceFacts};
use super::words::{clipped, code, count, first_sentence, some_of};
use super::{bounds, collected, knowledge, layout, manifest, readme, rules, sentence};

/// Larger data files are known by name and size only; so are files nobody knows what they are.
const LARGEST_DATA: u64 = 256 << 10;
const LARGEST_UNKNOWN: u64 = 64 << 10;

/// So many imports of one file can be cited.
const IMPORTS_SHOWN: usize = 30;

/// A file that was looked at.
#[derive(Debug, Clone)]
pub(crate) struct Looked<'a> {
    pub(crate) file: &'a ListedFile,
    pub(crate) path: RelPath,
    pub(crate) word: String,
    pub(crate) name: String,
    pub(crate) source: Option<SourceFacts>,
    /// The lines of its imports as evidence, in the order of `source`.
    pub(crate) imported: Vec<Evidence>,
    /// What it shows, besides what `source` has.
    pub(crate) facts: Vec<Fact>,
    pub(crate) flags: Vec<Flag>,
    /// Files it links to.
    pub(crate) links: Vec<rules::links::Link>,
}

/// How much a file is worth looking at, most first; `None` for not at all.
pub(crate) fn worth(file: &ListedFile) -> Option<(u8, u64)> {
    if file.kind.is_some() || file.size == 0 {
        return None;
    }
    let name = file.name.to_utf8().unwrap_or_default();
    let is_lock = ["Cargo.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "go.sum"]
        .contains(&name);
    let is_dense = name.contains(".min.") || name.ends_with(".map") || name.ends_with(".svg");
    if is_lock || is_dense {
        return None;
    }
    if readme::is_readme(name) || manifest::is_manifest(name) {
        return Some((4, file.size));
    }
    match file.category {
        Category::Source => Some((3, u64::from(file.lines))),
        Category::Config | Category::Document => Some((2, file.size)),
        Category::Data | Category::Unknown if is_record(name) => Some((1, file.size)),
        Category::Data if file.size <= LARGEST_DATA => Some((1, file.size)),
        Category::Unknown if file.size <= LARGEST_UNKNOWN && file.description.is_none() => {
            Some((0, file.size))
        }
        Category::Data | Category::Unknown | Category::Media | Category::Archive => None,
    }
}

/// Whether a file is read whole for what it records, as far as files are read at all.
fn is_record(name: &str) -> bool {
    [".csv", ".tsv", ".log", ".mbox", ".ipynb"].iter().any(|ending| name.ends_with(ending))
}

/// Looks at a file that was read.
pub(crate) fn look<'a>(
    file: &'a ListedFile,
    text: &FileText,
    dir: &RelPath,
    beside: &[ListedFile],
) -> Looked<'a> {
    let source = match file.category {
        // Of a file that keeps secrets nothing is told but that it does.
        Category::Source if text.is_withheld => None,
        Category::Source => source::look(text).map(SourceFacts::bounded),
        Category::Config
        | Category::Data
        | Category::Document
        | Category::Media
        | Category::Archive
        | Category::Unknown => None,
    };
    let imports = source.iter().flat_map(|source| &source.imports).take(IMPORTS_SHOWN);
    let imported = imports.map(|(_, line)| text.cite_lines(*line, *line)).collect();
    let names: Vec<&str> = beside.iter().filter_map(|file| file.name.to_utf8()).collect();
    let mut facts = manifest::findings(text, &names);
    if readme::is_readme(&text.name) {
        facts.extend(readme::describes(text));
        facts.extend(manifest::of_readme(text));
    } else if file.category == Category::Document && facts.is_empty() && !manifest::is_manifest(&text.name) {
        facts.extend(titled(text));
    }
    if source.as_ref().is_none_or(|source| source.starts.is_none()) {
        facts.extend(knowledge::start(text));
    }
    facts.extend(layout::findings(text));
    facts.extend(collected::findings(text));
    if text.is_withheld {
        facts.clear();
    }
    let mut flags = rules::flags(text, file.category, dir, beside);
    let giant = source.as_ref().and_then(|source| source.giant.clone());
    flags.extend(
        giant.filter(|_| !rules::is_aside(&text.word)).map(|giant| giant.flag(text.path.clone(), dir)),
    );
    Looked {
        file,
        path: text.path.clone(),
        word: text.word.clone(),
        name: text.name.clone(),
        source,
        imported,
        facts,
        flags,
        links: rules::links::of(text),
    }
}

fn titled(text: &FileText) -> Option<Fact> {
    // What a list of changes is called says nothing of it, and a template names what comes later.
    let stem = text.name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(stem.as_str(), "changelog" | "changes" | "history" | "news" | "releases") {
        return None;
    }
    let (title, line) = readme::title(text).filter(|(title, _)| !title.contains(['{', '}', '%']))?;
    let title = FactKind::Title { text: clipped(&title, 120) };
    Some(text.fact(Reader::Document, title, vec![text.cite_lines(line, line)]))
}

impl Looked<'_> {
    /// All it shows.
    pub(crate) fn all_facts(&self) -> impl Iterator<Item = &Fact> {
        let source = self.source.as_ref();
        let of_source = source.into_iter().flat_map(|source| {
            [&source.says, &source.starts, &source.explains, &source.defines, &source.takes]
        });
        self.facts.iter().chain(of_source.flatten())
    }

    /// What it says of itself, in its own words.
    pub(crate) fn own_words(&self) -> Option<&str> {
        self.all_facts().find_map(|fact| match &fact.fact {
            FactKind::Description { text } | FactKind::OwnWords { text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The main thing it defines, with what is said about it there.
    pub(crate) fn explained(&self) -> Option<(String, &str)> {
        let FactKind::Documentation { symbol, text } = &self.source.as_ref()?.explains.as_ref()?.fact else {
            return None;
        };
        Some((sentence::symbol(symbol), text))
    }

    /// What tells most of it: of a pipeline, what it tries and builds before what it fetches.
    fn main_fact(&self) -> Option<&Fact> {
        let rank = |fact: &&Fact| {
            let FactKind::Commands { purpose, .. } = &fact.fact else { return 0 };
            match purpose {
                _ if !manifest::is_pipeline(&self.word) => 0,
                Purpose::Test => 0,
                Purpose::Build => 1,
                Purpose::Check => 2,
                Purpose::Document | Purpose::Run => 3,
                Purpose::Install => 4,
            }
        };
        self.facts.iter().min_by_key(rank)
    }

    /// What it is, in a line: without its name.
    pub(crate) fn gist(&self) -> String {
        let mut parts = Vec::new();
        if let Some(words) = self.own_words() {
            parts.push(format!("“{}”", clipped(first_sentence(without_name(words, &self.name)), 200)));
        } else if let Some(FactKind::Dependencies { names }) = self.facts.first().map(|first| &first.fact) {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            parts.push(format!("depends on {}", some_of(&names, 6)));
        } else if let Some(fact) = self.main_fact() {
            parts.push(sentence::predicate(&fact.fact).trim_end_matches('.').to_owned());
        }
        if parts.is_empty()
            && let Some((name, words)) = self.explained()
        {
            parts.push(format!("{name}, “{}”", clipped(words, 160)));
        }
        if parts.is_empty()
            && let Some(defines) = self.source.as_ref().and_then(|source| source.defines.as_ref())
        {
            parts.push(sentence::predicate(&defines.fact).trim_end_matches('.').to_owned());
        }
        if let Some(source) = &self.source
            && 0 < source.tests
        {
            parts.push(count(source.tests as u64, "test"));
        }
        bounds::gist(&parts.join("; ")).into_owned()
    }

    /// What the entry of the file knows of it, as values.
    fn known(&self) -> Vec<Fact> {
        let this = |fact: &Fact| Fact { subject: Subject::This, ..fact.bare() };
        let mut known: Vec<Fact> = self.all_facts().map(this).collect();
        let Some(source) = &self.source else { return known };
        let mut add = |fact: FactKind| known.push(Fact::new(Subject::This, fact, Vec::new(), Reader::Source));
        let [types, functions, tests] = [source.types, source.functions, source.tests].map(|of| of as u64);
        if 0 < types + functions + tests {
            add(FactKind::Counts { types, functions, tests });
        }
        if !source.imports.is_empty() {
            let modules = source.imports.iter().map(|(module, _)| module.clone()).collect();
            add(FactKind::Imports { modules });
        }
        known
    }

    /// The entry of the file.
    pub(crate) fn entry(&self) -> FileEntry {
        let mut summary = Vec::new();
        let what =
            self.file.language.clone().unwrap_or_else(|| format!("{} file", self.file.category.name()));
        let lines = if self.file.lines == 0 {
            String::new()
        } else {
            format!(", {}", count(u64::from(self.file.lines), "line"))
        };
        summary.push(format!("{}{lines}.", capitalised(&what)));
        let facts = self.known();
        summary.extend(facts.iter().map(sentence::sentence));
        let worst = self.flags.iter().max_by_key(|flag| flag.severity);
        // The entry has the hash of the file, and a claim of the directory the call that showed it.
        let own = |cited: &Evidence| Evidence { blob: None, call: None, ..cited.clone() };
        let evidence = self.all_facts().flat_map(|fact| fact.evidence.iter().map(own)).take(12);
        FileEntry {
            format: ENTRY_FORMAT,
            path: String::new(),
            relative_path: self.path.clone(),
            size_bytes: self.file.size,
            category: self.file.category,
            summary: bounds::summary_of(summary),
            cached_at: Stamp::default(),
            notable: worst.is_some(),
            notable_reason: worst.map(|flag| flag.finding.clone()),
            confidence: Share::new(if self.own_words().is_some() { 0.9 } else { 0.7 }),
            confidence_reason: None,
            evidence: evidence.collect(),
            facts,
            content_hash: self.file.hash,
        }
    }
}

/// Words without the file's own name before them, which many files begin with.
pub(crate) fn without_name<'w>(words: &'w str, name: &str) -> &'w str {
    let rest = words.strip_prefix(name).map(|rest| rest.trim_start_matches([' ', ':', '-', '—', '–']));
    rest.filter(|rest| !rest.is_empty()).unwrap_or(words)
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
