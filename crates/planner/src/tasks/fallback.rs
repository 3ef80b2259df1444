//! Tasks without a model: one for each acceptance criterion, with what is known of the repository about it.
//!
//! Such a plan is marked as degraded: nobody has looked whether a criterion is met already, or needs several tasks.

use super::glob::{any_matches, plain};
use super::knowledge::{Knowledge, search_words};
use super::repo::RepoFacts;
use super::requirement::Requirement;
use super::roles::{infer_role, is_doc_path, is_test_path};
use super::task::{Draft, Origin, Role, add_new};

/// A criterion of fewer words than this finds nothing by itself.
const TELLING: usize = 2;
/// The longest title.
const LONGEST_TITLE: usize = 72;

/// Makes the tasks.
pub fn fallback(requirement: &Requirement, knowledge: &Knowledge, facts: &RepoFacts) -> Vec<Draft> {
    let count = requirement.acceptance_criteria.len();
    let task = |(index, criterion): (usize, &String)| {
        let mut draft = Draft::new(title(criterion), sentence(criterion), Origin::Fallback);
        // The goal helps to find the place where a terse criterion belongs.
        let named = named_files(criterion, facts, &requirement.allowed_paths);
        let is_document = !named.is_empty() && named.iter().all(|file| is_doc_path(file));
        let mut files = named;
        if !is_document {
            // Whoever writes a document needs no source to start from.
            let own = knowledge.starting_points(criterion, facts, &requirement.allowed_paths);
            add_new(&mut files, own.into_iter().filter(|_| TELLING <= search_words(criterion).len()));
        }
        let files = if files.is_empty() {
            let with_goal = format!("{criterion} {}", requirement.goal);
            knowledge.starting_points(&with_goal, facts, &requirement.allowed_paths)
        } else {
            files
        };
        draft.context.evidence = knowledge.places(criterion, &files, 4);
        draft.context.specs = specs(requirement);
        draft.context.notes = notes(&files, knowledge);
        draft.context.criteria = vec![index + 1];
        draft.context.files = files;
        draft.allowed_paths = requirement.allowed_paths.clone();
        draft.priority = i64::try_from((count - index) * 10).unwrap_or(0);
        draft.risk_level = requirement.worst_risk();
        draft.role =
            infer_role(&Draft { context: Default::default(), allowed_paths: Vec::new(), ..draft.clone() });
        if is_document && draft.role == Role::Worker {
            draft.role = Role::Docser;
        }
        draft
    };
    requirement.acceptance_criteria.iter().enumerate().map(task).collect()
}

/// The files that a criterion names: those that are there, and those that look like a path and may be made.
fn named_files(criterion: &str, facts: &RepoFacts, allowed: &[String]) -> Vec<String> {
    let is_letter = |letter: char| letter.is_alphanumeric() || "/._-".contains(letter);
    let mut files = Vec::new();
    for word in criterion.split(|letter: char| !is_letter(letter)) {
        // `The GUIDE explains it` means a document at the top.
        let is_shouted = 4 <= word.len() && word.chars().all(|letter| letter.is_ascii_uppercase());
        if is_shouted {
            let stem = |file: &&String| !file.contains('/') && file.split('.').next() == Some(word);
            let found = facts.files.iter().filter(stem).filter(|file| is_doc_path(file)).cloned();
            add_new(&mut files, found.filter(|file| any_matches(allowed, file)));
        }
        let Ok(path) = plain(word.trim_end_matches('.')) else { continue };
        let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
        let looks_like_one = path.contains('/') && ending.is_some_and(|ending| ending.len() <= 5);
        if (facts.has(&path) || looks_like_one) && any_matches(allowed, &path) {
            add_new(&mut files, [path]);
        }
    }
    files
}

/// A criterion as a title: its first clause, cut between words.
fn title(criterion: &str) -> String {
    let plain = criterion.replace('`', "");
    let plain = plain.trim().trim_end_matches(['.', ';', ':']);
    let clause = plain.split("; ").next().unwrap_or(plain);
    let mut title = clause.to_owned();
    if LONGEST_TITLE < title.chars().count() {
        let end = title.char_indices().nth(LONGEST_TITLE - 1).map_or(title.len(), |(end, _)| end);
        let cut = title[..end].rfind(' ').unwrap_or(end);
        title.truncate(cut);
        for end in [" and", " or", " the", " a", " of", " to", " with", ","] {
            title.truncate(title.trim_end_matches(end).len());
        }
        title.push('…');
    }
    let mut letters = title.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Meet the acceptance criterion".to_owned(),
    }
}

fn sentence(criterion: &str) -> String {
    let text = criterion.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn specs(requirement: &Requirement) -> String {
    let mut text = format!("Part of: {}", requirement.goal.lines().collect::<Vec<_>>().join(" "));
    let mut list = |title: &str, items: &[String]| {
        if !items.is_empty() {
            text.push_str(&format!("\n{title}:"));
            items.iter().for_each(|item| text.push_str(&format!("\n- {item}")));
        }
    };
    list("Constraints", &requirement.constraints);
    list("Out of scope", &requirement.out_of_scope);
    text
}

fn notes(files: &[String], knowledge: &Knowledge) -> String {
    if files.is_empty() {
        return "Nothing in the repository matches the words of this criterion: find its place first."
            .to_owned();
    }
    let mut text = "Start from these files; they were found by their words, not by understanding.".to_owned();
    for file in files {
        let summary = knowledge.files.get(file).map(|known| known.summary.as_str()).unwrap_or_default();
        let summary = super::clipped(&summary.replace('\n', " "), 160);
        let what = if summary.is_empty() && is_test_path(file) { "tests".to_owned() } else { summary };
        text.push_str(&if what.is_empty() { format!("\n- {file}") } else { format!("\n- {file}: {what}") });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::repo::facts;

    #[test]
    fn titles_are_cut_between_words() {
        assert_eq!(title("`x` works; and more"), "X works");
        let long =
            "a limit on the number of parallel requests for each of the registered applications exists";
        assert_eq!(title(long), "A limit on the number of parallel requests for each of the registered…");
        assert!(title(long).chars().count() <= LONGEST_TITLE);
    }

    #[test]
    fn files_that_a_criterion_names_come_first_whether_they_are_there_or_not() {
        let facts = facts(&["src/login.py", "CHANGES.rst", "GUIDE.md", "GUIDE.rs"]);
        let named = |text: &str, allowed: &[&str]| {
            let allowed: Vec<String> = allowed.iter().map(|path| (*path).to_owned()).collect();
            named_files(text, &facts, &allowed)
        };
        assert_eq!(named("It is explained in `docs/login.md`.", &["**"]), ["docs/login.md"]);
        assert_eq!(named("CHANGES.rst and src/login.py say so", &["**"]), ["CHANGES.rst", "src/login.py"]);
        assert_eq!(named("docs/login.md says so", &["src/**"]), Vec::<String>::new());
        assert_eq!(named("The GUIDE says so", &["**"]), ["GUIDE.md"]);
        assert_eq!(named("read/write access, e.g. v1.2", &["**"]), Vec::<String>::new());
        let text = "# Goal\nLimits\n## Acceptance criteria\n- The limit is explained in docs/login.md\n";
        let requirement = Requirement::parse(text).unwrap().requirement;
        let drafts = fallback(&requirement, &Knowledge::default(), &facts);
        assert_eq!(
            (drafts[0].role, drafts[0].context.files.as_slice()),
            (Role::Docser, &["docs/login.md".to_owned()][..])
        );
    }

    #[test]
    fn each_criterion_becomes_a_task_that_says_where_to_start() {
        let text = "# Goal\nSafer cookies\n## Acceptance criteria\n- Session cookies are partitioned\n- Add tests for sessions\n## Risks\n- (high) log-ins break\n";
        let requirement = Requirement::parse(text).unwrap().requirement;
        let drafts = fallback(&requirement, &Knowledge::default(), &facts(&["src/sessions.py", "a.py"]));
        insta::assert_json_snapshot!(drafts[0], @r#"
        {
          "title": "Session cookies are partitioned",
          "goal": "Session cookies are partitioned.",
          "context": {
            "files": [
              "src/sessions.py"
            ],
            "specs": "Part of: Safer cookies",
            "notes": "Start from these files; they were found by their words, not by understanding.\n- src/sessions.py",
            "criteria": [
              1
            ]
          },
          "allowedPaths": [
            "**"
          ],
          "impliedPaths": [],
          "commands": [],
          "priority": 20,
          "riskLevel": "high",
          "role": "worker",
          "lane": "feature",
          "kind": "code",
          "targetArea": null,
          "touches": [],
          "timeboxMinutes": 60,
          "dependsOn": [],
          "waitsFor": [],
          "origin": "fallback",
          "warnings": []
        }
        "#);
        assert_eq!(drafts[1].role, crate::tasks::Role::Tester);
    }
}
