//! What a model is told of the code at the base: the files that the goal seems to be about with the lines that say so, what a
//! plan without a model finds, and a list of files. All of it is bounded, and what is left out is counted.

use std::collections::{BTreeMap, BTreeSet};

use super::clip::{clip_line, counted};
use super::git::Repo;
use super::offline::{self, Facts, Goal, RECENT, Ranked, is_source};
use super::plan::PlanStep;
use super::request::PlanningRequest;

/// How many files are told with a reason.
const CANDIDATES: usize = 20;
/// How many of these are told with some of their lines.
const EXCERPTS: usize = 6;
/// How many lines of a file are told, and how long they may be.
const LINES: usize = 24;
const LINE: usize = 160;
/// How many files are listed.
const LISTED: usize = 400;
/// How many bytes of files are read for excerpts.
const MOST_BYTES: usize = 8 << 20;

/// The code at the base, in lines for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Code {
    /// Files that the goal seems to be about, best first, each with the reason.
    pub(crate) candidates: Vec<String>,
    /// Lines of the best of them, a text for each file.
    pub(crate) excerpts: Vec<Vec<String>>,
    /// What a plan without a model finds.
    pub(crate) found: Vec<String>,
    /// Files, those that may matter first.
    pub(crate) files: Vec<String>,
    /// How many files are not listed.
    pub(crate) unlisted: usize,
}

impl Code {
    /// Looks at the base. What cannot be read is left out.
    pub(crate) fn of(repo: &Repo, request: &PlanningRequest, facts: &Facts) -> Self {
        let goal = Goal::new(&request.wish.goal).weighed(facts);
        let ranked = goal.rank(facts);
        let best: Vec<&Ranked> = ranked.iter().take(CANDIDATES).collect();
        let candidates = best.iter().map(|file| format!("{}: {}", file.path, file.why(RECENT))).collect();
        let plan = offline::plan(request, facts);
        let mut found = vec![plan.summary.clone(), plan.rationale.clone()];
        let says_where = |step: &&PlanStep| matches!(step.step_id.as_str(), "understand" | "protect");
        found.extend(plan.steps.iter().filter(says_where).flat_map(|step| step.actions.iter().cloned()));
        let order = listing_order(facts, &best);
        let unlisted = order.len().saturating_sub(LISTED);
        let files = order.into_iter().take(LISTED).cloned().collect();
        Self { candidates, excerpts: excerpts(repo, request, &best), found, files, unlisted }
    }
}

/// The files that may matter first: candidates, sources that changed lately, other sources, the rest.
fn listing_order<'f>(facts: &'f Facts, best: &[&Ranked]) -> Vec<&'f String> {
    let mut changes: BTreeMap<&str, usize> = BTreeMap::new();
    for path in facts.history.iter().flat_map(|commit| &commit.paths) {
        *changes.entry(path).or_default() += 1;
    }
    let rank = |path: &String| {
        let at = best.iter().position(|file| file.path == *path).unwrap_or(usize::MAX);
        let changed = changes.get(path.as_str()).copied().unwrap_or(0);
        (at, !is_source(path), usize::MAX - changed)
    };
    let mut files: Vec<&String> = facts.files.iter().collect();
    files.sort_by_cached_key(|path| (rank(path), (*path).clone()));
    files
}

/// Lines of the best sources, around the line that speaks of the goal.
fn excerpts(repo: &Repo, request: &PlanningRequest, best: &[&Ranked]) -> Vec<Vec<String>> {
    let sources: Vec<&&Ranked> = best.iter().filter(|file| is_source(&file.path)).take(EXCERPTS).collect();
    let wanted: BTreeSet<&str> = sources.iter().map(|file| file.path.as_str()).collect();
    let mut texts = BTreeMap::new();
    // Without the text of a file its name and the reason remain.
    let _ = repo.texts(
        &request.base.card.commit_hash,
        |path| wanted.contains(path),
        MOST_BYTES,
        |path, text| {
            texts.insert(path, text.to_owned());
        },
    );
    let excerpt = |file: &&Ranked| {
        let text = texts.get(&file.path)?;
        let line = file.says.as_ref().map_or(1, |(line, _)| *line);
        let first = line.saturating_sub(LINES / 2).max(1);
        let count = text.lines().count();
        let mut lines = vec![format!("{}, from line {first} of {count}:", file.path)];
        let shown = text.lines().enumerate().skip(first - 1).take(LINES);
        lines.extend(shown.map(|(at, line)| format!("{}| {}", at + 1, clip_end(line))));
        Some(lines)
    };
    sources.iter().filter_map(|file| excerpt(file)).collect()
}

/// A line of code with its indentation, up to a limit.
fn clip_end(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// What a file that is to be made has behind its name.
const NEW: &str = "(new)";

/// Where the files of a plan stand.
#[derive(Debug, Default)]
pub(crate) struct KnownFiles {
    files: BTreeSet<String>,
}

/// A file of a plan that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) step: String,
    pub(crate) file: String,
    /// The one file that has the same name.
    pub(crate) like: Option<String>,
}

impl KnownFiles {
    pub(crate) fn new(files: &[String]) -> Self {
        Self { files: files.iter().cloned().collect() }
    }

    /// Takes the mark of new files off, and gives the files that are neither there nor marked.
    pub(crate) fn settle(&self, steps: &mut [PlanStep]) -> Vec<Missing> {
        let mut missing = Vec::new();
        for step in steps {
            let id = step.step_id.clone();
            for file in &mut step.files {
                if let Some(name) = file.trim().strip_suffix(NEW) {
                    *file = name.trim().to_owned();
                } else if !self.is_there(file) {
                    missing.push(Missing { step: id.clone(), file: file.clone(), like: self.like(file) });
                }
            }
        }
        missing
    }

    /// Puts the one file of the same name in the place of each file that is not there.
    pub(crate) fn repair(steps: &mut [PlanStep], missing: &[Missing]) {
        for Missing { step, file, like } in missing {
            let Some(like) = like else { continue };
            let files = steps.iter_mut().filter(|own| own.step_id == *step).flat_map(|own| &mut own.files);
            files.filter(|own| *own == file).for_each(|own| own.clone_from(like));
        }
    }

    /// Whether something is a file, a directory or a glob for some file. Where nothing is known, everything may be.
    fn is_there(&self, path: &str) -> bool {
        let plain = path.trim().trim_start_matches("./").trim_end_matches('/');
        if self.files.is_empty() || self.files.contains(plain) {
            return true;
        }
        let below = format!("{plain}/");
        if self.files.range(below.clone()..).next().is_some_and(|file| file.starts_with(&below)) {
            return true;
        }
        plain.contains(['*', '?', '['])
            && crate::tasks::Glob::new(plain)
                .is_ok_and(|glob| self.files.iter().any(|file| glob.matches(file)))
    }

    fn like(&self, path: &str) -> Option<String> {
        let name = |path: &str| path.trim_end_matches('/').rsplit('/').next().map(str::to_owned);
        let wanted = name(path)?;
        let mut alike = self.files.iter().filter(|file| name(file).as_ref() == Some(&wanted));
        match (alike.next(), alike.next()) {
            (Some(only), None) => Some(only.clone()),
            (Some(_) | None, _) => None,
        }
    }
}

impl Missing {
    /// What is wrong, in words that a model can use.
    pub(crate) fn problem(&self) -> String {
        let like = self
            .like
            .as_ref()
            .map_or(String::new(), |like| format!(" (did you mean `{}`?)", clip_line(like, 120)));
        format!(
            "the file `{}` of step `{}` is not in the repository{like}; a file that is to be made is written `PATH {NEW}`",
            clip_line(&self.file, 120),
            clip_line(&self.step, 80)
        )
    }
}

/// What is told of files that a plan names and that are not there.
pub(crate) fn told(missing: &[Missing]) -> Vec<String> {
    let note = |Missing { step, file, like }: &Missing| match like {
        Some(like) => format!(
            "Step {step} named `{}`, which is not there; it says `{}` now, the only file of that name.",
            clip_line(file, 120),
            clip_line(like, 120)
        ),
        None => format!(
            "Step {step} names `{}`, which is not there at the base and is not said to be new.",
            clip_line(file, 120)
        ),
    };
    missing.iter().map(note).collect()
}

/// How many files there are besides those that are listed.
pub(crate) fn unlisted_words(count: usize) -> String {
    format!("({} more)", counted(count, "file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(files: &[&str]) -> Vec<PlanStep> {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        vec![PlanStep { step_id: "a".to_owned(), files, ..PlanStep::default() }]
    }

    #[test]
    fn files_of_a_plan_are_there_or_said_to_be_new() {
        let known = KnownFiles::new(&["src/jv_aux.c", "src/a.c", "lib/a.c", "tests/x.rs"].map(str::to_owned));
        let mut plan = steps(&[
            "src/jv_aux.c",
            "./tests/",
            "src/*.c",
            "src/quick.c (new)",
            "jv_aux.c",
            "src/sorting/quick.c",
            "a.c",
        ]);
        let missing = known.settle(&mut plan);
        KnownFiles::repair(&mut plan, &missing);
        assert_eq!(
            plan[0].files,
            [
                "src/jv_aux.c",
                "./tests/",
                "src/*.c",
                "src/quick.c",
                "src/jv_aux.c",
                "src/sorting/quick.c",
                "a.c"
            ]
        );
        insta::assert_snapshot!(told(&missing).join("\n"), @"
        Step a named `jv_aux.c`, which is not there; it says `src/jv_aux.c` now, the only file of that name.
        Step a names `src/sorting/quick.c`, which is not there at the base and is not said to be new.
        Step a names `a.c`, which is not there at the base and is not said to be new.
        ");
        insta::assert_snapshot!(missing[0].problem(), @"the file `jv_aux.c` of step `a` is not in the repository (did you mean `src/jv_aux.c`?); a file that is to be made is written `PATH (new)`");
        assert!(KnownFiles::default().settle(&mut steps(&["anything"])).is_empty());
    }
}
