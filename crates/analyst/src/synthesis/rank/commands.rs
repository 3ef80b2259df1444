//! What one types: to install, build, test and run it.

use luminos_core::answer::Candidate;
use luminos_core::fact::{FactKind, OfferKind, Purpose};

use super::cited;
use crate::manifest::is_pipeline;
use crate::readme::is_readme;
use crate::synthesis::{Known, Told};

/// What another source that says the same adds to a command.
const AGREEMENT: u8 = 4;

impl Told<'_> {
    pub(super) fn to_install(&self) -> Vec<Candidate> {
        let mut found = self.commands_for(Purpose::Install);
        // What a build server installs is for itself.
        found.iter_mut().filter(|known| is_of_pipeline(known)).for_each(|known| known.score = 40);
        found
    }

    pub(super) fn to_build(&self) -> Vec<Candidate> {
        let mut found = self.commands_for(Purpose::Build);
        if self.has_at_top("configure.ac") || self.has_at_top("configure.in") {
            let sequence = match (self.has_at_top("configure"), self.has_at_top("autogen.sh")) {
                (true, _) => "./configure && make",
                (false, true) => "./autogen.sh && ./configure && make",
                (false, false) => "autoreconf -i && ./configure && make",
            };
            found.push(Candidate::new(sequence, "what Autotools is always called with", 84));
        }
        found
    }

    pub(super) fn to_test(&self) -> Vec<Candidate> {
        let mut found = self.commands_for(Purpose::Test);
        if self.has_at_top("configure.ac") && self.has_at_top("Makefile.am") {
            found.push(Candidate::new("make check", "what Autotools is always called with", 76));
        }
        found
    }

    pub(super) fn to_run(&self) -> Vec<Candidate> {
        let mut found = self.commands_for(Purpose::Run);
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let is_near = entry.relative_path.is_root()
                || self.main_package().is_some_and(|main| main.relative_path == entry.relative_path);
            if let FactKind::Offers { offer: OfferKind::Programs, names } = fact
                && is_near
            {
                let programs = names.iter().take(2);
                found.extend(programs.map(|name| cited(name, "a program that is installed", 72, known)));
            }
            if let FactKind::EntryPoint { .. } = fact {
                let command = match path.as_str() {
                    "src/main.rs" => "cargo run",
                    "main.go" => "go run .",
                    "manage.py" => "python manage.py runserver",
                    _ => continue,
                };
                found.push(cited(command, "what starts the file where it begins", 66, known));
            }
        }
        found
    }

    /// The commands for one purpose that files at the top tell, those with what agrees first.
    fn commands_for(&self, purpose: Purpose) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let FactKind::Commands { purpose: of, commands } = fact else { continue };
            if *of != purpose {
                continue;
            }
            let dir = entry.relative_path.to_word();
            let is_pipe = is_pipeline(path);
            let is_below = !entry.relative_path.is_root() && !is_pipe;
            if is_below && (dir.contains('/') || self.sides.has(&dir)) {
                continue;
            }
            let told = is_readme(path.rsplit('/').next().unwrap_or(path));
            // A document and a pipeline are believed as far as what they name is there.
            let rank = if is_pipe { 4 } else { 2 * u8::from(told) };
            let name = path.rsplit('/').next().unwrap_or(path);
            let (source, base): (&str, u8) = match () {
                () if is_pipe => ("a build server", 74),
                () if told => ("an example in the README", 84),
                () if is_task_file(name) => ("a target or script", 82),
                () => ("what its tool is always called with", 72),
            };
            let mut score = base;
            if self.is_of_another_language(path) {
                score -= 25;
            }
            if is_below {
                score -= 30;
            }
            // CMake is called twice.
            let joined = [commands.join(" && ")];
            let is_sequence = name == "CMakeLists.txt" && purpose == Purpose::Build;
            let commands = if is_sequence { joined.as_slice() } else { commands.as_slice() };
            for (number, command) in commands.iter().enumerate() {
                if !self.can_be_typed(command, rank) || is_of_one_machine(command) {
                    continue;
                }
                let score = score.saturating_sub(u8::try_from(number).unwrap_or(u8::MAX));
                match found.iter_mut().find(|known| known.text == *command) {
                    Some(known) => known.score = known.score.max(score).saturating_add(AGREEMENT).min(100),
                    None => found.push(cited(command, source, score, known)),
                }
            }
        }
        // Of the same score the shorter command is the plainer one.
        found.sort_by_key(|known| (std::cmp::Reverse(known.score), known.text.len()));
        found
    }
}

/// Whether a command holds what only one machine has, or only asks.
fn is_of_one_machine(command: &str) -> bool {
    command.contains("${{") || command.contains("--help") || command.contains("/home/")
}

fn is_of_pipeline(candidate: &Candidate) -> bool {
    candidate.path.as_ref().is_some_and(|path| is_pipeline(&path.to_word()))
}

/// Files whose entries are commands that somebody wrote for this very project.
fn is_task_file(name: &str) -> bool {
    matches!(
        name,
        "Makefile"
            | "GNUmakefile"
            | "makefile"
            | "package.json"
            | "composer.json"
            | "justfile"
            | "Justfile"
            | "Taskfile.yml"
            | "tox.ini"
            | "noxfile.py"
            | "Rakefile"
            | "deno.json"
    )
}
