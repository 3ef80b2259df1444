//! What is known of ecosystems: one file of `knowledge/ecosystems` each, which says how their manifests are read, what
//! one types, and where their programs begin.
//!
//! A new ecosystem is one more file there and its cases in `tests/reports`. Patterns are those of the crate `regex`, in
//! which `^` and `$` are the ends of a line.

use std::path::Path;
use std::sync::LazyLock;

use luminos_core::RelPath;
use luminos_core::fact::{Fact, FactKind, OfferKind, Purpose, Reader, Subject};
use regex::{Regex, RegexBuilder, RegexSet};
use serde::Deserialize;

use crate::eyes::FileText;
use crate::manifest::{at, describes, gathered, is_plain, usual_licence};

/// At most this many packages that something needs are told of a manifest.
const MOST_NEEDED: usize = 60;

/// The files, by their names.
const FILES: &[(&str, &str)] = &[
    ("ansible.toml", include_str!("../knowledge/ecosystems/ansible.toml")),
    ("clojure.toml", include_str!("../knowledge/ecosystems/clojure.toml")),
    ("conda.toml", include_str!("../knowledge/ecosystems/conda.toml")),
    ("cpp.toml", include_str!("../knowledge/ecosystems/cpp.toml")),
    ("crystal.toml", include_str!("../knowledge/ecosystems/crystal.toml")),
    ("dart.toml", include_str!("../knowledge/ecosystems/dart.toml")),
    ("dbt.toml", include_str!("../knowledge/ecosystems/dbt.toml")),
    ("deno.toml", include_str!("../knowledge/ecosystems/deno.toml")),
    ("dotnet.toml", include_str!("../knowledge/ecosystems/dotnet.toml")),
    ("elixir.toml", include_str!("../knowledge/ecosystems/elixir.toml")),
    ("erlang.toml", include_str!("../knowledge/ecosystems/erlang.toml")),
    ("go.toml", include_str!("../knowledge/ecosystems/go.toml")),
    ("godot.toml", include_str!("../knowledge/ecosystems/godot.toml")),
    ("haskell.toml", include_str!("../knowledge/ecosystems/haskell.toml")),
    ("helm.toml", include_str!("../knowledge/ecosystems/helm.toml")),
    ("hugo.toml", include_str!("../knowledge/ecosystems/hugo.toml")),
    ("java.toml", include_str!("../knowledge/ecosystems/java.toml")),
    ("julia.toml", include_str!("../knowledge/ecosystems/julia.toml")),
    ("lua.toml", include_str!("../knowledge/ecosystems/lua.toml")),
    ("nim.toml", include_str!("../knowledge/ecosystems/nim.toml")),
    ("nix.toml", include_str!("../knowledge/ecosystems/nix.toml")),
    ("npm.toml", include_str!("../knowledge/ecosystems/npm.toml")),
    ("ocaml.toml", include_str!("../knowledge/ecosystems/ocaml.toml")),
    ("perl.toml", include_str!("../knowledge/ecosystems/perl.toml")),
    ("php.toml", include_str!("../knowledge/ecosystems/php.toml")),
    ("platformio.toml", include_str!("../knowledge/ecosystems/platformio.toml")),
    ("python.toml", include_str!("../knowledge/ecosystems/python.toml")),
    ("r.toml", include_str!("../knowledge/ecosystems/r.toml")),
    ("ruby.toml", include_str!("../knowledge/ecosystems/ruby.toml")),
    ("rust.toml", include_str!("../knowledge/ecosystems/rust.toml")),
    ("scala.toml", include_str!("../knowledge/ecosystems/scala.toml")),
    ("swift.toml", include_str!("../knowledge/ecosystems/swift.toml")),
    ("terraform.toml", include_str!("../knowledge/ecosystems/terraform.toml")),
    ("webextension.toml", include_str!("../knowledge/ecosystems/webextension.toml")),
    ("zig.toml", include_str!("../knowledge/ecosystems/zig.toml")),
];

const SERVICES_FILE: &str = include_str!("../knowledge/services.toml");
const FRAMEWORKS_FILE: &str = include_str!("../knowledge/tests.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ecosystem {
    /// What something made of it is called: `OCaml package`.
    title: String,
    #[serde(default)]
    manifest: Vec<Manifest>,
    #[serde(default)]
    start: Vec<Start>,
}

/// A kind of file that declares something.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// Its name, with `*` and `{a,b}`.
    file: Glob,
    /// Words that it holds; others of this name are something else.
    #[serde(default)]
    mark: String,
    /// What it declares is called like the file, without its ending.
    #[serde(default)]
    named_by_file: bool,
    /// What it declares, where that is not what the ecosystem calls it.
    title: Option<String>,
    name: Option<Pattern>,
    version: Option<Pattern>,
    description: Option<Pattern>,
    licence: Option<Pattern>,
    #[serde(default)]
    requires: Vec<Requirement>,
    /// Packages that it needs: every match.
    needs: Option<Pattern>,
    /// Programs that it installs: every match.
    programs: Option<Pattern>,
    /// Files where what it declares begins: every match.
    starts: Option<Pattern>,
    #[serde(default)]
    commands: Vec<Command>,
}

/// Something that must be there: what, and the version that a pattern finds, behind it or in place of `{}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirement {
    what: String,
    pattern: Pattern,
    /// What the pattern finds shows that it is needed, and is no version.
    #[serde(default)]
    bare: bool,
}

/// What one types.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    #[serde(rename = "for")]
    purpose: Purpose,
    /// The command; `{name}` is what the manifest declares, `{file}` its name.
    run: String,
    /// Where the manifest holds this, and nowhere else.
    when: Option<Pattern>,
    /// Where such a file lies beside the manifest.
    beside: Option<String>,
    /// Where none of these files lies beside the manifest.
    #[serde(default)]
    alone: Vec<String>,
}

/// A source file in which a program begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    /// Its path, with `*` for names and `**` for directories.
    path: Glob,
    /// The line that shows it.
    mark: Pattern,
}

/// A pattern that is compiled when the first file asks for it.
#[derive(Deserialize)]
#[serde(from = "String")]
struct Pattern {
    source: String,
    compiled: std::sync::OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(source: String) -> Self {
        Self { source, compiled: std::sync::OnceLock::new() }
    }
}

impl Pattern {
    fn regex(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(&self.source).multi_line(true).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }

    /// The first group of every match that can be told, and the line it begins in.
    fn all<'f>(&'f self, file: &'f FileText) -> impl Iterator<Item = (String, u32)> + 'f {
        let found = self.regex().into_iter().flat_map(|regex| regex.captures_iter(&file.text));
        found.filter_map(|captures| {
            let group = captures.get(1).or_else(|| captures.get(0))?;
            let words = group.as_str().trim();
            let line = u32::try_from(file.line_at(group.start())).ok()?;
            is_plain(words).then(|| (words.to_owned(), line))
        })
    }

    fn first(&self, file: &FileText) -> Option<(String, u32)> {
        self.all(file).next()
    }
}

/// A name or path with `*`, `**` and `{a,b}`.
#[derive(Deserialize)]
#[serde(from = "String")]
struct Glob(Pattern);

impl From<String> for Glob {
    fn from(glob: String) -> Self {
        let mut pattern = String::from("^(?:");
        let mut rest = glob.as_str();
        while let Some(letter) = rest.chars().next() {
            let (piece, length) = match letter {
                '*' if rest.starts_with("**") => (".*", 2),
                '*' => ("[^/]*", 1),
                '{' => ("(?:", 1),
                '}' => (")", 1),
                ',' => ("|", 1),
                '.' | '+' | '(' | ')' | '[' | ']' | '^' | '$' | '|' | '?' | '\\' => ("\\", 0),
                _ => ("", 0),
            };
            pattern.push_str(piece);
            if length == 0 {
                pattern.push(letter);
            }
            rest = &rest[length.max(letter.len_utf8())..];
        }
        pattern.push_str(")$");
        Self(Pattern::from(pattern))
    }
}

static KNOWN: LazyLock<Vec<Ecosystem>> =
    LazyLock::new(|| FILES.iter().filter_map(|(_, text)| toml::from_str(text).ok()).collect());

/// A service that programs talk to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Service {
    pub(crate) name: String,
    /// Packages and modules that speak to it.
    #[serde(default)]
    pub(crate) packages: Vec<String>,
    /// Images of containers that it runs from.
    #[serde(default)]
    pub(crate) images: Vec<String>,
    /// Beginnings of variables of the environment that hold its address.
    #[serde(default)]
    pub(crate) variables: Vec<String>,
}

/// A framework of tests.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Framework {
    pub(crate) name: String,
    /// What tests import, in small letters.
    #[serde(default)]
    pub(crate) modules: Vec<String>,
    /// What manifests name.
    #[serde(default)]
    pub(crate) packages: Vec<String>,
}

/// The services that are known.
pub(crate) fn services() -> &'static [Service] {
    #[derive(Deserialize)]
    struct Services {
        service: Vec<Service>,
    }
    static SERVICES: LazyLock<Vec<Service>> = LazyLock::new(|| {
        toml::from_str(SERVICES_FILE).map(|services: Services| services.service).unwrap_or_default()
    });
    &SERVICES
}

/// The frameworks of tests that are known.
pub(crate) fn frameworks() -> &'static [Framework] {
    #[derive(Deserialize)]
    struct Frameworks {
        framework: Vec<Framework>,
    }
    static FRAMEWORKS: LazyLock<Vec<Framework>> = LazyLock::new(|| {
        toml::from_str(FRAMEWORKS_FILE).map(|frameworks: Frameworks| frameworks.framework).unwrap_or_default()
    });
    &FRAMEWORKS
}

/// All manifests with the ecosystems they are of, and their names as one pattern: every file of a target is asked for.
struct Manifests {
    names: RegexSet,
    all: Vec<(&'static Ecosystem, &'static Manifest)>,
}

static MANIFESTS: LazyLock<Manifests> = LazyLock::new(|| {
    let all: Vec<_> =
        KNOWN.iter().flat_map(|known| known.manifest.iter().map(move |manifest| (known, manifest))).collect();
    Manifests { names: set(all.iter().map(|(_, manifest)| &manifest.file)), all }
});

/// The files in which programs begin, with their paths as one pattern.
static STARTS: LazyLock<(RegexSet, Vec<&'static Start>)> = LazyLock::new(|| {
    let all: Vec<_> = KNOWN.iter().flat_map(|known| &known.start).collect();
    (set(all.iter().map(|start| &start.path)), all)
});

fn set<'g>(globs: impl Iterator<Item = &'g Glob>) -> RegexSet {
    RegexSet::new(globs.map(|glob| &glob.0.source)).unwrap_or_else(|_| RegexSet::empty())
}

/// Whether a file of a name may declare something.
pub(crate) fn is_manifest(name: &str) -> bool {
    MANIFESTS.names.is_match(name)
}

/// What a file declares. `beside` are the names of the files it lies with.
pub(crate) fn findings(file: &FileText, beside: &[&str]) -> Vec<Fact> {
    let mut found = Vec::new();
    let fitting = MANIFESTS.names.matches(&file.name).into_iter().filter_map(|at| MANIFESTS.all.get(at));
    for (known, manifest) in fitting.filter(|(_, manifest)| file.text.contains(&manifest.mark)) {
        manifest.read(&known.title, file, beside, &mut found);
    }
    found
}

/// Where a program begins in a source file.
pub(crate) fn start(file: &FileText) -> Option<Fact> {
    let (paths, starts) = &*STARTS;
    paths.matches(&file.word).into_iter().filter_map(|at| starts.get(at)).find_map(|start| {
        let (what, line) = start.mark.first(file)?;
        at(file, FactKind::EntryPoint { code: what }, [line])
    })
}

impl Manifest {
    fn read(&self, title: &str, file: &FileText, beside: &[&str], found: &mut Vec<Fact>) {
        let first = |pattern: &Option<Pattern>| pattern.as_ref().and_then(|pattern| pattern.first(file));
        let version = first(&self.version);
        let stem = || Path::new(&file.name).file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
        let name = match self.named_by_file {
            true => stem().zip(version.as_ref().map(|(_, line)| *line).or(Some(1))),
            false => first(&self.name),
        };
        if let Some((name, line)) = &name {
            let lines = std::iter::once(*line).chain(version.as_ref().map(|(_, line)| *line));
            let version = version.as_ref().map(|(version, _)| version.clone());
            let kind = self.title.as_deref().unwrap_or(title).to_owned();
            found.extend(at(file, FactKind::Package { kind, name: name.clone(), version }, lines));
        } else if let Some((version, line)) = version {
            found.extend(at(file, FactKind::Version { version }, [line]));
        }
        found.extend(first(&self.description).and_then(|(words, line)| describes(file, &words, line)));
        if let Some((licence, line)) = first(&self.licence) {
            let name = usual_licence(&licence);
            found.extend(at(file, FactKind::Licence { name }, [line]));
        }
        for requirement in &self.requires {
            for (version, line) in requirement.pattern.all(file).take(4) {
                let (tool, version) = match (requirement.bare, requirement.what.split_once("{}")) {
                    (true, _) => (requirement.what.clone(), String::new()),
                    (false, Some((before, after))) => (format!("{before}{version}{after}"), String::new()),
                    (false, None) => (requirement.what.clone(), version),
                };
                found.extend(at(file, FactKind::Requirement { tool, version }, [line]));
            }
        }
        let listed = |pattern: &Option<Pattern>| {
            let mut seen = std::collections::BTreeSet::new();
            let all = pattern.iter().flat_map(|pattern| pattern.all(file));
            let all = all.filter(|(name, _)| seen.insert(name.clone())).take(MOST_NEEDED);
            all.unzip::<String, u32, Vec<_>, Vec<_>>()
        };
        let (names, lines) = listed(&self.needs);
        found.extend(at(file, FactKind::Dependencies { names }, lines));
        let (names, lines) = listed(&self.programs);
        found.extend(at(file, FactKind::Offers { offer: OfferKind::Programs, names }, lines));
        let dir = file.word.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
        let (names, lines) = listed(&self.starts);
        for (start, line) in names.into_iter().zip(lines) {
            let code = format!("{} names it", file.name);
            let subject = Subject::File(RelPath::from(format!("{dir}{start}").as_str()));
            let evidence = vec![file.cite_lines(line as usize, line as usize)];
            found.push(Fact::new(subject, FactKind::EntryPoint { code }, evidence, Reader::Manifest));
        }
        let called = name.as_ref().map_or("", |(name, _)| name.as_str());
        let commands = self.commands.iter().filter_map(|command| {
            let line = match &command.when {
                Some(when) => when.regex()?.find(&file.text).map(|found| file.line_at(found.start()))?,
                None => file.find(&self.mark).unwrap_or(1),
            };
            let fits = command.beside.as_deref().is_none_or(|name| beside.contains(&name))
                && !command.alone.iter().any(|name| beside.contains(&name.as_str()))
                && (!called.is_empty() || !command.run.contains("{name}"));
            let run = command.run.replace("{name}", called).replace("{file}", &file.name);
            fits.then_some((command.purpose, run, u32::try_from(line).ok()?))
        });
        found.extend(gathered(file, commands.collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_every_pattern_compiles() {
        for (name, text) in FILES {
            let known: Ecosystem = toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let manifests = known.manifest.iter().flat_map(|manifest| {
                let fields = [
                    &manifest.name,
                    &manifest.version,
                    &manifest.description,
                    &manifest.licence,
                    &manifest.needs,
                    &manifest.programs,
                    &manifest.starts,
                ];
                let requires = manifest.requires.iter().map(|requirement| &requirement.pattern);
                let when = manifest.commands.iter().filter_map(|command| command.when.as_ref());
                fields.into_iter().flatten().chain(requires).chain(when).chain([&manifest.file.0])
            });
            let starts = known.start.iter().flat_map(|start| [&start.path.0, &start.mark]);
            for pattern in manifests.chain(starts) {
                assert!(pattern.regex().is_some(), "{name}: {}", pattern.source);
            }
        }
    }

    #[test]
    fn services_and_frameworks_are_read() {
        let is_redis = |service: &&Service| service.name == "Redis";
        assert!(services().iter().find(is_redis).is_some_and(|redis| redis.images == ["redis"]));
        let modules = frameworks().iter().flat_map(|framework| &framework.modules);
        assert_eq!(modules.filter(|module| **module != module.to_lowercase()).count(), 0);
        assert!(frameworks().iter().any(|framework| framework.name == "pytest"));
    }

    #[test]
    fn every_file_of_the_folder_is_known() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("knowledge/ecosystems");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let known: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(known, there);
    }

    #[test]
    fn names_and_paths_match_whole() {
        for (glob, text, expected) in [
            ("*.nimble", "roundel.nimble", true),
            ("*.nimble", "roundel.nimble.bak", false),
            ("deno.{json,jsonc}", "deno.jsonc", true),
            ("deno.{json,jsonc}", "deno.json5", false),
            ("src/*.jl", "src/a/b.jl", false),
            ("src/**.clj", "src/a/b.clj", true),
            ("a+b", "aab", false),
        ] {
            let glob = Glob::from(glob.to_owned());
            assert_eq!(set(std::iter::once(&glob)).is_match(text), expected, "{text}");
        }
    }
}
