//! What is around it: services, tests, its history, and what is worrying.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use luminos_core::RelPath;
use luminos_core::answer::Candidate;
use luminos_core::fact::FactKind;
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::worst_first;

use super::cited;
use crate::knowledge::{frameworks, services};
use crate::rules::is_for_tests;
use crate::sentence;
use crate::synthesis::{Known, Told, without_history};

impl Told<'_> {
    /// The services it talks to.
    pub(super) fn what_it_talks_to(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let dir = entry.relative_path.to_word();
            if self.sides.has(&dir) {
                continue;
            }
            for service in services() {
                let speaks = |name: &&String| {
                    service.packages.iter().any(|package| name.eq_ignore_ascii_case(package))
                };
                let candidate = match fact {
                    FactKind::Dependencies { names } if !is_for_tests(path) => {
                        names.iter().find(speaks).map(|name| {
                            let about = format!("through the package {name}");
                            cited(&service.name, "a package that speaks to it", 82, known).about(&about)
                        })
                    }
                    FactKind::Imports { modules: names } => names.iter().find(speaks).map(|name| {
                        let about = format!("through {name}");
                        Candidate::new(&service.name, "a module that speaks to it", 74)
                            .about(&about)
                            .at(RelPath::from(path.as_str()), 0)
                    }),
                    FactKind::Services { services: started } if !is_for_tests(path) => {
                        let mut started =
                            started.iter().filter_map(|one| Some((&one.name, one.image.as_ref()?)));
                        let is_its = |image: &str| service.images.iter().any(|known| is_image(image, known));
                        started.find(|(_, image)| is_its(image)).map(|(name, image)| {
                            let about = format!("started as {name} from {image}");
                            cited(&service.name, "a container that is started beside it", 86, known)
                                .about(&about)
                        })
                    }
                    FactKind::Variables { names } => {
                        let is_its =
                            |name: &&String| service.variables.iter().any(|mark| name.starts_with(mark));
                        names.iter().find(is_its).map(|name| {
                            let about = format!("its variable {name}");
                            cited(&service.name, "a variable of the environment", 62, known).about(&about)
                        })
                    }
                    _ => None,
                };
                found.extend(candidate);
            }
        }
        found
    }

    /// How it is tested.
    pub(super) fn what_is_tested(&self) -> Vec<Candidate> {
        let told = self.trials_after("").filter(|_| self.is_software());
        let mut found: Vec<Candidate> =
            told.into_iter().map(|words| Candidate::new(&words, "tests that were counted", 80)).collect();
        for known in &self.facts {
            let Known { entry, path, fact, .. } = known;
            let names = match fact {
                FactKind::Dependencies { names } | FactKind::DevelopmentDependencies { names } => names,
                FactKind::Imports { modules } if self.sides.tests(&format!("{path}/")) => modules,
                _ => continue,
            };
            let depth = entry.relative_path.as_bytes().split(|byte| *byte == b'/').count();
            for framework in frameworks() {
                let is_it = |name: &String| {
                    let lower = name.to_ascii_lowercase();
                    framework.packages.iter().any(|package| name.eq_ignore_ascii_case(package))
                        || framework.modules.iter().any(|module| module.len() > 4 && lower == *module)
                };
                if names.iter().any(is_it)
                    && depth < 3
                    && !found.iter().any(|other| other.text.contains(&framework.name))
                {
                    found.push(cited(&framework.name, "a framework of tests that is named", 66, known));
                }
            }
        }
        found
    }

    /// How old it is, and how alive.
    pub(super) fn how_alive(&self) -> Vec<Candidate> {
        let told = self.of_root().find_map(|known| {
            let FactKind::History { .. } = known.fact else { return None };
            let words = sentence::history(known.fact);
            Some(cited(&words, "the history of the repository", 90, known))
        });
        told.into_iter().collect()
    }

    /// What is worrying: the worst flags, one of each rule.
    pub(super) fn what_worries(&self) -> Vec<Candidate> {
        let mut by_rule: BTreeMap<String, Flag> = BTreeMap::new();
        let mut order = Vec::new();
        for flag in worst_first(self.material.flags.to_vec()) {
            if flag.severity == Severity::Info || flag.is_unproved() {
                continue;
            }
            let rule = flag.rule.clone().unwrap_or_else(|| flag.finding.clone());
            if let Entry::Vacant(place) = by_rule.entry(rule.clone()) {
                place.insert(flag);
                order.push(rule);
            }
        }
        let has_history = self.has_history();
        let flags = order.iter().filter_map(|rule| by_rule.get(rule));
        let candidates = flags.enumerate().map(|(number, flag)| {
            let score = if flag.severity == Severity::Critical { 95 } else { 80 };
            let score = score - u8::try_from(number.min(20)).unwrap_or(0);
            let line = flag.evidence.first().map_or(0, |evidence| evidence.start_line);
            let finding = if has_history { flag.finding.clone() } else { without_history(&flag.finding) };
            Candidate::new(&finding, &format!("a flag, {}", flag.severity.word()), score)
                .at(flag.path.clone(), line)
        });
        candidates.collect()
    }
}

/// Whether an image is one of a service, wherever it is fetched from and whichever version.
fn is_image(image: &str, known: &str) -> bool {
    let name = image.rsplit('/').next().unwrap_or(image);
    let name = name.split([':', '@']).next().unwrap_or(name);
    name == known || name.strip_prefix(known).is_some_and(|rest| rest.starts_with('-'))
}
