//! Tasks that no requirement asks for and every plan may need: setting up an empty repository, closing a gap in the
//! documentation, and writing a completed requirement down.

use super::glob::any_matches;
use super::paths::PathLists;
use super::refine::Completed;
use super::repo::RepoFacts;
use super::requirement::Requirement;
use super::roles::has_phrase;
use super::task::{Dep, Draft, Lane, Origin, Role, add_new};

/// Where a completed requirement is written if it does not lie in the repository.
pub const REQUIREMENT_FILE: &str = "docs/requirement.md";

const SET_UP: &[&str] = &["init", "initialize", "initialise", "bootstrap", "scaffold", "setup", "set up"];
const WHOLE: &[&str] = &["repository", "repo", "project", "workspace", "codebase", "code base", "skeleton"];

/// Whether a task sets up the repository: it creates a file that only a set-up creates, or its title says so in whole words.
pub fn is_init(draft: &Draft, lists: &PathLists) -> bool {
    let title = draft.title.to_lowercase();
    let says_so = SET_UP.iter().any(|word| has_phrase(&title, word))
        && WHOLE.iter().any(|word| has_phrase(&title, word));
    draft.origin == Origin::Init
        || says_so
        || draft.context.files.iter().any(|file| lists.init_root_files.contains(file))
}

/// Makes every other task wait for the set-up of an empty repository; if no task is one, one is put first.
pub fn init_task(
    drafts: &mut Vec<Draft>,
    requirement: &Requirement,
    lists: &PathLists,
    warnings: &mut Vec<String>,
) {
    let at = drafts.iter().position(|draft| is_init(draft, lists)).unwrap_or_else(|| {
        for dep in drafts.iter_mut().flat_map(|draft| &mut draft.depends_on) {
            dep.on += 1;
        }
        let mut draft = Draft::new(
            "Set up the project skeleton",
            "The repository has the layout, manifest and entry point that the other tasks build on, and it builds.",
            Origin::Init,
        );
        draft.context.specs = format!("For: {}", requirement.goal);
        draft.context.files = vec!["README.md".to_owned()];
        draft.allowed_paths = requirement.allowed_paths.iter().filter(|path| *path != "**").cloned().collect();
        draft.priority = 100;
        draft.timebox_minutes = 90;
        drafts.insert(0, draft);
        warnings.push("the repository is empty: a task that sets it up comes first".to_owned());
        0
    });
    add_new(&mut drafts[at].allowed_paths, lists.init_allowed.iter().cloned());
    for (index, draft) in drafts.iter_mut().enumerate() {
        if index != at && !is_init(draft, lists) && draft.origin != Origin::Sync {
            add_new(&mut draft.depends_on, [Dep::done(at)]);
        }
    }
    // The set-up waits for nobody.
    drafts[at].depends_on.clear();
}

/// What is missing of a documentation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocsGap {
    /// No README.
    pub readme_missing: bool,
    /// A directory for documents with nothing in it to read.
    pub docs_empty: bool,
    /// Several documents and no page that leads to them.
    pub index_missing: bool,
}

impl DocsGap {
    /// Looks for gaps. A project without a `docs` directory has none as long as it has a README.
    pub fn of(facts: &RepoFacts) -> Self {
        let stem = |file: &str| {
            file.rsplit('/').next().unwrap_or(file).split('.').next().unwrap_or("").to_lowercase()
        };
        let readme_missing = !facts.files.iter().any(|file| !file.contains('/') && stem(file) == "readme");
        let dirs = ["docs", "doc", "Docs", "documentation"];
        let dir = dirs.into_iter().find(|dir| facts.top.contains(*dir));
        let pages: Vec<&String> = dir.map(|dir| facts.below(dir).collect()).unwrap_or_default();
        let is_page = |file: &str| {
            [".md", ".rst", ".adoc", ".html", ".txt", ".org", ".mdx"].iter().any(|end| file.ends_with(end))
        };
        let count = pages.iter().filter(|file| is_page(file)).count();
        let leads = pages
            .iter()
            .any(|file| matches!(stem(file).as_str(), "readme" | "index" | "summary" | "contents"));
        Self {
            readme_missing,
            docs_empty: dir.is_some() && pages.is_empty(),
            index_missing: 3 < count && !leads,
        }
    }

    /// Whether there is one.
    pub fn exists(&self) -> bool {
        self.readme_missing || self.docs_empty || self.index_missing
    }

    fn words(&self) -> String {
        let parts = [
            (self.readme_missing, "there is no README"),
            (self.docs_empty, "the directory for documents is empty"),
            (self.index_missing, "several documents have no page that leads to them"),
        ];
        parts.iter().filter(|(is, _)| *is).map(|(_, words)| *words).collect::<Vec<_>>().join("; ")
    }
}

/// What a task about documentation is made from.
pub(super) struct DocsTask<'a> {
    pub(super) facts: &'a RepoFacts,
    /// What the requirement allows to be changed.
    pub(super) stated: &'a [String],
    pub(super) lists: &'a PathLists,
}

impl DocsTask<'_> {
    /// Adds a task that closes a gap in the documentation, after everything else, unless somebody is at it or the
    /// requirement allows no change there.
    pub(super) fn add(
        &self,
        drafts: &mut Vec<Draft>,
        requirement: &Requirement,
        has_open_docs_task: bool,
        warnings: &mut Vec<String>,
    ) {
        let gap = DocsGap::of(self.facts);
        if drafts.is_empty()
            || !gap.exists()
            || has_open_docs_task
            || drafts.iter().any(|draft| draft.role == Role::Docser)
        {
            return;
        }
        let draft = docs_draft(&gap, drafts.len(), requirement, self.lists);
        if draft.touches.iter().all(|file| any_matches(self.stated, file)) {
            warnings.push(format!("a task about documentation was added: {}", gap.words()));
            drafts.push(draft);
        } else {
            warnings.push(format!(
                "{}, and no task closes that gap: the requirement does not allow {} to be changed",
                gap.words(),
                draft.touches.join(", ")
            ));
        }
    }
}

fn docs_draft(gap: &DocsGap, before: usize, requirement: &Requirement, lists: &PathLists) -> Draft {
    let mut touches = Vec::new();
    if gap.readme_missing {
        touches.push("README.md".to_owned());
    }
    if gap.docs_empty || gap.index_missing {
        touches.push("docs/README.md".to_owned());
    }
    let mut draft = Draft::new(
        "Close the gap in the documentation",
        "Somebody new finds out from the documents what the project does, how it is built, run and tested, and where to read on.",
        Origin::Docs,
    );
    draft.role = Role::Docser;
    draft.lane = Lane::Docser;
    draft.target_area = Some("docser:global".to_owned());
    draft.context.files = touches.clone();
    draft.context.notes = format!("Found: {}. The plan it follows: {}", gap.words(), requirement.goal);
    draft.touches = touches;
    draft.allowed_paths = lists.docser_allowed.clone();
    draft.priority = 5;
    draft.timebox_minutes = 45;
    draft.depends_on = (0..before).map(Dep::settled).collect();
    draft
}

/// Adds a task that writes a completed requirement down. Nothing waits for it: the plan has the completed text already.
pub(super) fn sync_task(
    drafts: &mut Vec<Draft>,
    requirement: &Requirement,
    stated: &[String],
    completed: Completed<'_>,
    warnings: &mut Vec<String>,
) {
    let Completed { file, parts } = completed;
    if drafts.iter().any(|draft| draft.origin == Origin::Sync) {
        return;
    }
    if !any_matches(stated, file) {
        warnings.push(format!(
            "a model completed the requirement ({}): read it before you rely on it; no task writes it to {file}, which the requirement does not allow to be changed",
            parts.join(", ")
        ));
        return;
    }
    let mut draft = Draft::new(
        format!("Write the completed requirement to {file}"),
        format!(
            "{file} holds the requirement as it was planned from, and whoever asked for it has read what was added."
        ),
        Origin::Sync,
    );
    draft.role = Role::Docser;
    draft.lane = Lane::Docser;
    draft.context.files = vec![file.to_owned()];
    draft.context.specs = requirement.to_markdown();
    draft.context.notes = format!("A model filled in: {}. Have that confirmed.", parts.join(", "));
    draft.allowed_paths = vec![file.to_owned()];
    draft.touches = vec![file.to_owned()];
    draft.commands = vec![format!("test -s {file}")];
    draft.priority = 1000;
    draft.timebox_minutes = 30;
    warnings.push(format!(
        "a model completed the requirement ({}): read it before you rely on it",
        parts.join(", ")
    ));
    drafts.push(draft);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::order::normalise;
    use crate::tasks::repo::facts;

    fn plan(titles: &[&str]) -> Vec<Draft> {
        titles.iter().map(|title| Draft::new(*title, "g", Origin::Model)).collect()
    }

    fn requirement() -> Requirement {
        Requirement::parse("Build a shop").unwrap().requirement
    }

    #[test]
    fn setting_up_is_recognised_by_whole_words_and_exact_files() {
        let lists = PathLists::default();
        for (title, expected) in [
            ("Move the definitions", false),
            ("Infinite scroll", false),
            ("Set up log-in", false),
            ("Initialise counters", false),
            ("Workspace switcher", false),
            ("Bootstrap the repository", true),
            ("Set up the project", true),
            ("Scaffold a workspace", true),
        ] {
            assert_eq!(is_init(&Draft::new(title, "g", Origin::Model), &lists), expected, "{title}");
        }
        let mut by_file = Draft::new("Add a manifest", "g", Origin::Model);
        by_file.context.files = vec!["Cargo.toml".to_owned()];
        assert!(is_init(&by_file, &lists));
    }

    #[test]
    fn everything_waits_for_the_set_up_wherever_it_stands() {
        let mut drafts = plan(&["a", "Set up the project", "b"]);
        drafts[2].depends_on = vec![Dep::done(0)];
        init_task(&mut drafts, &requirement(), &PathLists::default(), &mut Vec::new());
        let drafts = normalise(drafts, &mut Vec::new());
        let titles: Vec<&str> = drafts.iter().map(|draft| draft.title.as_str()).collect();
        assert_eq!(titles, ["Set up the project", "a", "b"]);
        assert_eq!(drafts[2].depends_on, [Dep::done(1)]);
        let mut none = plan(&["a"]);
        init_task(&mut none, &requirement(), &PathLists::default(), &mut Vec::new());
        assert_eq!(none[0].origin, Origin::Init);
        assert_eq!(none[1].depends_on, [Dep::done(0)]);
    }

    #[test]
    fn tasks_that_no_requirement_asks_for_stay_within_what_it_allows() {
        let stated = ["src/**".to_owned()];
        let mut drafts = plan(&["a"]);
        let mut told = Vec::new();
        let facts = facts(&["src/a.py"]);
        let docs = DocsTask { facts: &facts, stated: &stated, lists: &PathLists::default() };
        docs.add(&mut drafts, &requirement(), false, &mut told);
        let completed = Completed { file: REQUIREMENT_FILE, parts: &["scope"] };
        sync_task(&mut drafts, &requirement(), &stated, completed, &mut told);
        assert_eq!(drafts.len(), 1);
        insta::assert_snapshot!(told.join("\n"), @"
        there is no README, and no task closes that gap: the requirement does not allow README.md to be changed
        a model completed the requirement (scope): read it before you rely on it; no task writes it to docs/requirement.md, which the requirement does not allow to be changed
        ");
    }

    #[test]
    fn gaps_are_gaps_in_any_language() {
        let gap = |files: &[&str]| DocsGap::of(&facts(files)).exists();
        assert!(!gap(&["README.rst", "a.py"]));
        assert!(!gap(&["readme.md", "docs/index.rst", "docs/a.rst"]));
        assert!(gap(&["a.py"]));
        assert!(gap(&["README.md", "docs/a.md", "docs/b.md", "docs/c.md", "docs/d.md"]));
        let mut empty = facts(&["README.md"]);
        empty.top.insert("docs".to_owned());
        assert!(DocsGap::of(&empty).docs_empty);
    }

    #[test]
    fn a_written_requirement_serialises_nothing() {
        let mut drafts = plan(&["a", "b"]);
        let completed = Completed { file: REQUIREMENT_FILE, parts: &["scope"] };
        let everything = ["**".to_owned()];
        sync_task(&mut drafts, &requirement(), &everything, completed, &mut Vec::new());
        sync_task(&mut drafts, &requirement(), &everything, completed, &mut Vec::new());
        assert_eq!(drafts.len(), 3);
        assert!(drafts.iter().all(|draft| draft.depends_on.is_empty()));
        assert_eq!((drafts[2].role, drafts[2].lane), (Role::Docser, Lane::Docser));
    }
}
