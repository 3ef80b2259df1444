//! What it is: kind, name, purpose, version, licence, and what it needs.

use luminos_core::RelPath;
use luminos_core::answer::Candidate;
use luminos_core::entry::DirEntry;
use luminos_core::fact::FactKind;

use super::cited;
use crate::readme::is_readme;
use crate::synthesis::{Known, Told, is_same_licence};
use crate::tree::{categories, root_names};

/// Names that say nothing about what bears them.
const NAMES_OF_NOTHING: [&str; 12] = [
    "app",
    "root",
    "monorepo",
    "workspace",
    "project",
    "my-app",
    "website",
    "site",
    "frontend",
    "backend",
    "main",
    "src",
];
/// Versions of manifests that are no versions: places left open.
const OPEN_VERSIONS: [&str; 4] = ["0.0.0", "0.0.0-development", "1.0.0-SNAPSHOT", "0.0.1-SNAPSHOT"];
/// A kind with a smaller share of all files, in percent, does not name the whole.
const MAIN_SHARE: usize = 60;

/// Endings of files, by the kind of collection that they make.
const ENDINGS: [(&str, &[&str]); 6] = [
    ("photos", &["jpg", "jpeg", "heic", "png", "cr2", "nef", "arw", "dng", "tif", "tiff", "raf"]),
    ("music", &["mp3", "flac", "m4a", "ogg", "opus", "wav", "aac"]),
    ("mail", &["eml", "mbox", "msg", "emlx"]),
    ("logs", &["log"]),
    (
        "data",
        &[
            "csv", "tsv", "parquet", "json", "jsonl", "ndjson", "sqlite", "db", "xlsx", "xls", "ods",
            "geojson", "xml", "sql",
        ],
    ),
    ("documents", &["pdf", "docx", "doc", "odt", "txt", "md", "rtf", "html", "htm", "tex", "epub", "pptx"]),
];

impl Told<'_> {
    /// What kind of thing it is.
    pub(super) fn kinds(&self) -> Vec<Candidate> {
        let scan = self.material.whole.scan;
        let machines = self.facts.iter().filter(|known| {
            matches!(known.fact, FactKind::Contents(contents) if contents.sets_up_machines())
                && !self.sides.tests(&known.path)
        });
        let machines = machines.count() as u64;
        let sources = categories(scan)[0];
        if machines > 0 && sources <= machines * 2 {
            return vec![Candidate::new("infrastructure", "files that set up machines", 90)];
        }
        if self.is_software() {
            return vec![Candidate::new("software", "the files by their kinds", 95)];
        }
        if machines > 0 {
            return vec![Candidate::new("infrastructure", "files that set up machines", 80)];
        }
        let mut files = vec![0_usize; ENDINGS.len()];
        for file in scan.file_ids() {
            let name = String::from_utf8_lossy(scan.name(scan.file(file).name)).to_ascii_lowercase();
            // A file beside the collection says what it is, and is none of it.
            if is_readme(&name) {
                continue;
            }
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            let is_rolled = name.contains(".log.");
            let kind = ENDINGS
                .iter()
                .position(|(kind, endings)| endings.contains(&ending) || is_rolled && *kind == "logs");
            let path = scan.file_path(file).to_word();
            let is_letter = ["/cur/", "/new/"].iter().any(|dir| format!("/{path}").contains(dir));
            let kind = if is_letter { Some(2) } else { kind };
            if let Some(count) = kind.and_then(|kind| files.get_mut(kind)) {
                *count += 1;
            }
        }
        let all: usize = files.iter().sum();
        let main = (0..ENDINGS.len()).max_by_key(|kind| files[*kind]).filter(|_| all > 0);
        match main {
            Some(main) if all * MAIN_SHARE <= files[main] * 100 => {
                vec![Candidate::new(ENDINGS[main].0, "the files by their endings", 80)]
            }
            Some(_) => vec![Candidate::new("mixed", "the files by their endings", 70)],
            None => Vec::new(),
        }
    }

    /// What it is called.
    pub(super) fn names(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let FactKind::Package { kind, name, .. } = fact else { continue };
            let is_main = self.main_package().is_some_and(|main| main.relative_path == entry.relative_path);
            if !entry.relative_path.is_root() && !is_main {
                if self.is_near(entry) && !self.declares_at_top() {
                    found.push(cited(name, "the manifest of its only package", 66, known));
                }
                continue;
            }
            let own = if kind == "Go module" { module_name(name) } else { name };
            let is_empty = NAMES_OF_NOTHING.contains(&own.to_ascii_lowercase().as_str());
            let score = match (is_empty, is_main, self.is_of_another_language(path)) {
                (true, _, _) => 40,
                (_, true, _) => 88,
                (_, _, true) => 62,
                _ => 92,
            };
            found.push(cited(own, &format!("the {kind} that is declared"), score, known));
        }
        found.push(Candidate::new(self.material.whole.name, "the name of the directory", 60));
        found
    }

    /// What it is, in one sentence.
    pub(super) fn purposes(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        let main = self.main_package().map(|main| &main.relative_path);
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let is_main = main == Some(&entry.relative_path);
            if !entry.relative_path.is_root() && !is_main {
                continue;
            }
            let (words, source, score) = match fact {
                FactKind::Description { text: words }
                    if is_readme(path.rsplit('/').next().unwrap_or(path)) =>
                {
                    (words, "a paragraph of the README", if is_main { 78 } else { 88 })
                }
                FactKind::Description { text: words } if self.is_of_another_language(path) => {
                    (words, "the description in a manifest of another language", 55)
                }
                FactKind::Description { text: words } => (words, "the description in a manifest", 82),
                FactKind::OwnWords { text: words } if is_called_main(path) => {
                    (words, "the words of the file where it begins", 58)
                }
                _ => continue,
            };
            found.push(cited(words, source, score, known));
        }
        if let Some(kept) = self.collected().filter(|_| !self.is_software()) {
            found.push(Candidate::new(&kept, "what is kept here, counted", 64));
        }
        if !self.is_software() && found.iter().all(|candidate| candidate.score < 60) {
            let survey = self.material.survey.map(|survey| survey.description.as_str()).unwrap_or_default();
            found.push(Candidate::new(survey, "the files, counted", 50));
        }
        found
    }

    /// Its version.
    pub(super) fn versions(&self) -> Vec<Candidate> {
        let main = self.main_package().map(|main| &main.relative_path);
        let mut found = Vec::new();
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let is_main = main == Some(&entry.relative_path);
            if let FactKind::Version { version } = fact
                && self.is_near(entry)
                && !path.ends_with(".json")
            {
                let source = "a file of the program that names the version";
                found.push(cited(version.trim_start_matches('v'), source, 72, known));
            }
            if let FactKind::Package { version: Some(version), .. } = fact
                && self.is_near(entry)
                && !self.declares_at_top()
                && !is_open(version)
            {
                found.push(cited(version, "the manifest of its only package", 66, known));
            }
            if !entry.relative_path.is_root() && !is_main {
                continue;
            }
            let (version, source, score) = match fact {
                FactKind::Version { version } => (version, "a file that names the version", 92),
                FactKind::Package { version: Some(version), .. } => {
                    let is_foreign = self.is_of_another_language(path);
                    let score = match () {
                        () if is_open(version) => 20,
                        () if path.ends_with("package.json") && version == "1.0.0" => 45,
                        () if is_foreign => 55,
                        () if is_main => 80,
                        () => 88,
                    };
                    (version, "the manifest", score)
                }
                _ => continue,
            };
            found.push(cited(version.trim_start_matches('v'), source, score, known));
        }
        found
    }

    /// Its licence.
    pub(super) fn licences(&self) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for known in self.of_root() {
            let FactKind::Licence { name } = known.fact else { continue };
            match found.iter_mut().find(|known| is_same_licence(&known.text, name)) {
                Some(known) => {
                    known.score = (known.score + 5).min(100);
                    if known.text.len() < name.len() {
                        known.text.clone_from(name);
                    }
                }
                None => found.push(cited(name, "a file at the top", 85, known)),
            }
        }
        // A choice names all of them.
        if let Some(choice) = found.iter().find(|candidate| candidate.text.contains(" OR ")).cloned() {
            found.retain(|candidate| candidate.text == choice.text || !choice.text.contains(&candidate.text));
        }
        if found.is_empty()
            && let Some(path) = self.licence_file()
        {
            let file =
                Candidate::new("terms of its own", "a file whose words are those of no known licence", 60);
            found.push(file.at(RelPath::from(path.as_str()), 0));
        }
        found
    }

    /// What it needs.
    pub(super) fn requirements(&self) -> Vec<Candidate> {
        let main = self.main_package().map(|main| &main.relative_path);
        let mut found = Vec::new();
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let FactKind::Requirement { tool, version } = fact else { continue };
            let what = format!("{tool} {version}");
            let is_main = main == Some(&entry.relative_path);
            let depth = entry.relative_path.as_bytes().split(|byte| *byte == b'/').count();
            let score = match () {
                () if self.sides.has(&entry.relative_path.to_word()) => continue,
                () if self.is_of_another_language(path) => 45,
                () if entry.relative_path.is_root() => 90,
                () if is_main => 80,
                () if depth == 1 => 55,
                () => continue,
            };
            found.push(cited(&what, "the manifest", score, known));
        }
        found
    }

    /// Whether a directory lies near the top and holds the program itself.
    fn is_near(&self, entry: &DirEntry) -> bool {
        let word = entry.relative_path.to_word();
        !entry.relative_path.is_root() && word.matches('/').count() < 3 && !self.sides.has(&word)
    }

    /// Whether a manifest at the top declares a package, or that it is made of several.
    fn declares_at_top(&self) -> bool {
        self.of_root().any(|known| {
            matches!(
                known.fact,
                FactKind::Package { .. } | FactKind::Members { .. } | FactKind::Version { .. }
            )
        })
    }

    /// Whether a file of a name lies at the top.
    pub(super) fn has_at_top(&self, name: &str) -> bool {
        root_names(self.material.whole.scan).iter().any(|known| known == name)
    }
}

/// The name of a module of Go: its last step that is no number of a version.
fn module_name(module: &str) -> &str {
    let is_version = |step: &&str| {
        step.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    module.rsplit('/').find(|step| !is_version(step)).unwrap_or(module)
}

fn is_open(version: &str) -> bool {
    OPEN_VERSIONS.contains(&version) || version.contains(['$', '{', '@'])
}

fn is_called_main(path: &str) -> bool {
    crate::synthesis::starts::is_called_main(path)
}
