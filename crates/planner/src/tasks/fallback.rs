//! Tasks without a model: one for each acceptance criterion, with what is known of the repository about it.
//!
//! Such a plan is marked as degraded: nobody has looked whether a criterion is met already, or needs several tasks.

mod wishes;

use super::glob::{any_matches, denied, plain};
use super::knowledge::{Knowledge, Wanted, peculiar_names};
use super::repo::RepoFacts;
use super::requirement::Requirement;
use super::roles::{infer_role, is_doc_path, is_test_path};
use super::task::{Draft, Origin, Risk, Role, add_new};
use wishes::Wish;

/// The longest title.
const LONGEST_TITLE: usize = 72;
/// The longest part of a requirement that every task repeats, in characters.
const LONGEST_PART: usize = 4_000;
/// How long a document takes, in minutes.
const DOCUMENT_MINUTES: u32 = 30;
/// A name that stands in more files than this says nothing about whether something is there already.
const FEW_FILES: usize = 5;

/// Makes the tasks. Those for tests and documents come after those for what is tested and told.
pub fn fallback(requirement: &Requirement, knowledge: &Knowledge, facts: &RepoFacts) -> Vec<Draft> {
    let wishes = wishes::wishes(requirement);
    let count = wishes.len();
    let task = |(index, wish): (usize, &Wish)| {
        let mut draft = task(wish, requirement, knowledge, facts);
        draft.priority = i64::try_from((count - index) * 10).unwrap_or(0);
        draft
    };
    let mut drafts: Vec<Draft> = wishes.iter().enumerate().map(task).collect();
    wishes::put_in_order(&mut drafts);
    drafts
}

fn task(wish: &Wish, requirement: &Requirement, knowledge: &Knowledge, facts: &RepoFacts) -> Draft {
    let allowed = &requirement.allowed_paths;
    let mut draft = Draft::new(title(&wish.text), sentence(&wish.text), Origin::Fallback);
    let mut files = named_files(&wish.text, facts, allowed);
    let all = |rule: fn(&str) -> bool| !files.is_empty() && files.iter().all(|file| rule(file));
    draft.role = if all(is_doc_path) {
        Role::Docser
    } else if all(is_test_path) {
        Role::Tester
    } else {
        infer_role(&draft)
    };
    let wanted = Wanted { text: &wish.text, goal: &requirement.goal };
    // Whoever is told which document to write needs no other.
    if draft.role != Role::Docser || files.is_empty() {
        add_new(&mut files, knowledge.starting_points(wanted, draft.role, facts, allowed));
    }
    draft.context.evidence = knowledge.places(wanted, facts, &files, 4);
    draft.context.specs = specs(requirement);
    draft.context.notes = notes(&files, knowledge);
    let (there, new) = names(&wish.text, knowledge);
    for line in there.iter().chain(&new) {
        draft.context.notes.push_str(&format!("\n{line}"));
    }
    draft.warnings = there;
    draft.context.criteria = wish.criterion.into_iter().collect();
    draft.context.files = files;
    draft.allowed_paths = allowed.clone();
    draft.risk_level = requirement.worst_risk();
    if draft.role == Role::Docser {
        let is_document = |path: &&String| denied(path).is_some() || is_doc_path(path);
        let documents: Vec<String> = allowed.iter().filter(is_document).cloned().collect();
        if documents.iter().any(|path| denied(path).is_none()) {
            draft.allowed_paths = documents;
        }
        draft.risk_level = Risk::Low;
        draft.timebox_minutes = DOCUMENT_MINUTES;
    }
    draft
}

/// The files that a criterion names: those that are there, and those that look like a path and may be made.
fn named_files(criterion: &str, facts: &RepoFacts, allowed: &[String]) -> Vec<String> {
    let is_letter = |letter: char| letter.is_alphanumeric() || "/._-".contains(letter);
    let mut files = Vec::new();
    for word in criterion.split(|letter: char| !is_letter(letter)) {
        let word = word.trim_end_matches('.');
        // `The GUIDE explains it` means a document at the top.
        let is_shouted = 4 <= word.len() && word.chars().all(|letter| letter.is_ascii_uppercase());
        if is_shouted {
            let stem = |file: &&String| !file.contains('/') && file.split('.').next() == Some(word);
            let found = facts.files.iter().filter(stem).filter(|file| is_doc_path(file)).cloned();
            add_new(&mut files, found.filter(|file| any_matches(allowed, file)));
        }
        let Ok(path) = plain(word) else { continue };
        let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
        let looks_like_one = path.contains('/') && ending.is_some_and(|ending| ending.len() <= 5);
        if (facts.has(&path) || looks_like_one) && any_matches(allowed, &path) {
            add_new(&mut files, [path]);
        }
    }
    files
}

/// A criterion as a title: its first clause, cut between words. Names keep their letters.
fn title(criterion: &str) -> String {
    let plain = criterion.replace('`', "");
    let plain = plain.trim().trim_end_matches(['.', ';', ':']);
    let clause = plain.split("; ").next().unwrap_or(plain);
    // A remark in brackets at the end stays in the goal.
    let clause =
        clause.rsplit_once(" (").filter(|_| clause.ends_with(')')).map_or(clause, |(start, _)| start);
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
    let first = title.split(' ').next().unwrap_or_default();
    let is_name = criterion.trim_start().starts_with('`')
        || first.contains(['.', '_', '(', '/', '-'])
        || first.chars().skip(1).any(char::is_uppercase);
    let mut letters = title.chars();
    match letters.next() {
        Some(_) if is_name => title,
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
    list("In scope", &requirement.in_scope);
    list("Out of scope", &requirement.out_of_scope);
    for (title, part) in [("Background", &requirement.background), ("Notes", &requirement.notes)] {
        if !part.is_empty() {
            text.push_str(&format!("\n{title}:\n{}", bounded(part)));
        }
    }
    text
}

/// A part of the requirement, up to a limit; where it is cut, it says so.
fn bounded(part: &str) -> String {
    match part.char_indices().nth(LONGEST_PART) {
        Some((end, _)) => format!(
            "{}\n[cut here: {} more characters follow in the requirement]",
            part[..end].trim_end(),
            part[end..].chars().count()
        ),
        None => part.to_owned(),
    }
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

/// Which names of a criterion are there already, so that a part of it may be done, and which seem to be new.
fn names(criterion: &str, knowledge: &Knowledge) -> (Vec<String>, Vec<String>) {
    let (mut there, mut new) = (Vec::new(), Vec::new());
    // Names tell something only where files were looked into.
    let names = if knowledge.files.is_empty() { Vec::new() } else { peculiar_names(criterion) };
    for name in names {
        match knowledge.place_of(&name) {
            (1..=FEW_FILES, Some(place)) => {
                there
                    .push(format!("`{name}` stands at {place} already: look first how much of this is done"));
            }
            (0, _) => new.push(format!("`{name}` was found nowhere: it seems to be new")),
            (_, _) => {}
        }
    }
    (there, new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::knowledge::{FileKnowledge, find_words, search_words};
    use crate::tasks::repo::facts;

    #[test]
    fn titles_are_cut_between_words() {
        assert_eq!(title("`x` works; and more"), "x works");
        assert_eq!(title("res.send() works"), "res.send() works");
        assert_eq!(title("it works (Where: src/a.rs)"), "It works");
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
        assert_eq!(named("Update the GUIDE.", &["**"]), ["GUIDE.md"]);
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
    fn names_that_are_there_are_told_and_so_are_new_ones() {
        let text = "Tell clients\n\n- `hexpired` is published\n- --json-summary is known\n";
        let requirement = Requirement::parse(text).unwrap().requirement;
        let mut knowledge = Knowledge::default();
        let hits = find_words("x\nnotify(\"hexpired\");\n", &search_words(text), 9);
        knowledge.files.insert("src/hash.c".to_owned(), FileKnowledge { hits, ..FileKnowledge::default() });
        let drafts = fallback(&requirement, &knowledge, &facts(&["src/hash.c"]));
        let [_, published, known] = drafts.as_slice() else { panic!("{drafts:?}") };
        assert_eq!(
            published.warnings,
            ["`hexpired` stands at src/hash.c:2 already: look first how much of this is done"]
        );
        assert!(known.warnings.is_empty());
        assert!(known.context.notes.ends_with("`json-summary` was found nowhere: it seems to be new"));
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
