//! What a good report on small projects of many kinds must say, and what would be wrong.
//!
//! Each project is made here, in the shape that such projects have. The share of the facts that are told is printed;
//! nothing wrong may be said at all, and the judge must verify every claim.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::job::DirReport;
use luminos_core::judge::{Author, Shown, judge};
use luminos_core::report::Findings;

use super::tests::{Shelf, investigate, served};
use crate::fixture::put;

mod houses;
mod kinds;
mod lessons;
mod projects;
mod structures;
mod tongues;

/// A small project, what is true of it, and what is not.
#[derive(Clone, Copy)]
pub(super) struct Project {
    pub(super) name: &'static str,
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) facts: &'static [&'static str],
    pub(super) wrong: &'static [&'static str],
}

/// All that a report says, as one line.
fn told(findings: &Findings) -> String {
    let mut told = vec![findings.brief.clone(), findings.detailed.clone()];
    for (section, items) in &findings.sections {
        told.push(section.title().to_owned());
        for item in items {
            let path = item.path.as_ref().map(RelPath::to_word).unwrap_or_default();
            told.push(format!("{} {path} {}", item.name, item.text));
        }
    }
    told.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn reports_tell_what_matters_and_nothing_wrong() {
    let (mut known, mut all) = (0, 0);
    let mut wrong = Vec::new();
    let mut missing = Vec::new();
    let all_projects =
        [projects::ALL, lessons::ALL, kinds::ALL, structures::ALL, tongues::ALL, houses::ALL].concat();
    for project in &all_projects {
        let target = tempfile::tempdir().unwrap();
        for (path, text) in project.files {
            put(&target, path, text);
        }
        let (entries, findings, script) = investigate(&target);
        let report = told(&findings);
        let mut of_project = 0;
        for fact in project.facts {
            if report.contains(fact) {
                of_project += 1;
            } else {
                missing.push(format!("{}: {fact}", project.name));
            }
        }
        for statement in project.wrong.iter().filter(|statement| report.contains(**statement)) {
            wrong.push(format!("{}: {statement}", project.name));
        }
        println!("{:<28} {of_project} of {} facts", project.name, project.facts.len());
        if of_project < project.facts.len() {
            println!("{report}\n");
        }
        known += of_project;
        all += project.facts.len();
        let served = served(&script);
        for entry in entries {
            let report = DirReport { summary: entry.summary, claims: entry.claims, ..DirReport::default() };
            let shown = Shown { served: &served, entries: &BTreeMap::new(), author: Author::Analyst };
            let judgement = judge(report, shown, &mut Shelf(&target));
            assert_eq!(judgement.faults, Vec::<String>::new(), "{}", project.name);
        }
    }
    println!("{known} of {all} facts told; missing: {missing:#?}");
    assert_eq!(wrong, Vec::<String>::new());
    assert!(9 * all <= 10 * known, "{known} of {all}: {missing:#?}");
}
