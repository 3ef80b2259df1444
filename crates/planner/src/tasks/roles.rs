//! Who does a task, where nobody has said so: by the words of its text and the names of its files, never by pieces of words.

use super::task::{Draft, Role};

/// Names of tools and of kinds of tests: whoever is asked for them writes tests.
const TEST_WORDS: &[&str] =
    &["e2e", "playwright", "vitest", "cypress", "selenium", "flaky", "flakiness", "regression-test"];
/// Before `test` or `tests`, these mean that tests are to be written.
const WRITE_WORDS: &[&str] =
    &["add", "write", "create", "extend", "cover", "author", "improve", "missing", "more"];
/// After `test` or `tests`, these mean that the tests are what is wanted.
const PROVE_WORDS: &[&str] = &[
    "prove",
    "proves",
    "cover",
    "covers",
    "check",
    "checks",
    "show",
    "shows",
    "verify",
    "verifies",
    "exercise",
    "exercises",
    "assert",
    "asserts",
    "ensure",
    "ensures",
    "demonstrate",
    "demonstrates",
];
/// What documents are called, and what they do.
const DOC_NOUNS: &[&str] = &[
    "documentation",
    "docs",
    "manual",
    "readme",
    "changelog",
    "guide",
    "handbook",
    "reference",
    "notes",
    "tutorial",
    "faq",
];
const DOC_VERBS: &[&str] = &[
    "describe",
    "describes",
    "explain",
    "explains",
    "mention",
    "mentions",
    "document",
    "documents",
    "list",
    "lists",
    "tell",
    "tells",
    "say",
    "says",
    "cover",
    "covers",
    "show",
    "shows",
];
/// Directories that hold tests.
const TEST_DIRS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "e2e",
    "__e2e__",
    "playwright",
    "cypress",
    "testing",
    "testdata",
];
/// Directories and files that hold documentation.
const DOC_DIRS: &[&str] = &["docs", "doc", "documentation", "man"];
const DOC_ENDINGS: &[&str] = &[".md", ".rst", ".adoc", ".txt", ".org"];

/// The role for a task that has none.
pub fn infer_role(draft: &Draft) -> Role {
    let files: Vec<&str> = files_of(draft);
    let all = |rule: fn(&str) -> bool| !files.is_empty() && files.iter().all(|file| rule(file));
    if all(is_test_path) || asks_for_tests(&format!("{} {}", draft.title, draft.goal)) {
        Role::Tester
    } else if all(is_doc_path) || files.is_empty() && asks_for_documents(&draft.goal) {
        Role::Docser
    } else {
        Role::Worker
    }
}

fn files_of(draft: &Draft) -> Vec<&str> {
    let files = if draft.context.files.is_empty() { draft.ground() } else { &draft.context.files };
    files.iter().map(String::as_str).collect()
}

/// Whether a text asks for tests, rather than for something that is tested.
fn asks_for_tests(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = words_of(&text);
    if words.iter().any(|word| TEST_WORDS.contains(word)) {
        return true;
    }
    // `Integration tests prove that …`, `… is covered by tests`.
    let is_test = |word: &&str| matches!(*word, "test" | "tests");
    let proves = words.iter().take(4).position(is_test).and_then(|at| words.get(at + 1));
    if proves.is_some_and(|next| PROVE_WORDS.contains(next))
        || has_phrase(&text, "covered by tests")
        || has_phrase(&text, "covered by a test")
    {
        return true;
    }
    // `Add unit tests for …`: the verb opens the title, tests follow within a few words.
    words.first().is_some_and(|first| WRITE_WORDS.contains(first))
        && words.iter().skip(1).take(3).any(|word| matches!(*word, "test" | "tests"))
        || matches!(words.first(), Some(&"test" | &"tests"))
        || matches!(words.as_slice(), ["there", "are" | "is", rest @ ..]
            if rest.iter().take(3).any(|word| matches!(*word, "test" | "tests")))
}

/// Whether a text asks for documents, rather than for something that is documented besides.
fn asks_for_documents(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = words_of(&text);
    let is_verb = |word: &&str| DOC_VERBS.contains(word);
    // `Document the option`, `The guide explains it`, `It is described in …`.
    let is_written = |first: &&str| matches!(*first, "update" | "extend" | "write" | "complete");
    let is_noun = |word: &&str| DOC_NOUNS.contains(word);
    if words.first().is_some_and(|first| matches!(*first, "document" | "describe" | "explain"))
        || words.first().is_some_and(is_written) && words.iter().skip(1).take(3).any(is_noun)
    {
        return true;
    }
    let nouns = words.iter().take(10).enumerate().filter(|(_, word)| DOC_NOUNS.contains(word));
    if nouns.map(|(at, _)| &words[at + 1..]).any(|rest| rest.iter().take(2).any(is_verb)) {
        return true;
    }
    let is = words.iter().take(6).position(|word| matches!(*word, "is" | "are"));
    is.and_then(|at| words.get(at + 1))
        .is_some_and(|next| matches!(*next, "documented" | "described" | "explained" | "mentioned"))
}

fn words_of(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether a path belongs to the tests, by whole names.
pub fn is_test_path(path: &str) -> bool {
    let mut names: Vec<String> = path.split('/').map(str::to_lowercase).collect();
    let file = names.pop().unwrap_or_default();
    if names.iter().any(|name| TEST_DIRS.contains(&name.as_str())) || TEST_DIRS.contains(&file.as_str()) {
        return true;
    }
    let stem = file.split('.').next().unwrap_or(&file);
    let original = path.rsplit('/').next().unwrap_or(path);
    let original = original.split('.').next().unwrap_or(original);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || file.contains(".test.")
        || file.contains(".spec.")
        || (original.ends_with("Test") || original.ends_with("Tests") || original.ends_with("Spec"))
}

/// Whether a path is a test that can be run by itself. In Python that is a matter of its name: what else lies among the tests
/// serves them.
pub(super) fn is_runnable_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_named = name.starts_with("test_") || name.ends_with("_test.py") || name == "tests.py";
    is_test_path(path) && (!name.ends_with(".py") || is_named)
}

/// Whether a path belongs to the documentation.
pub fn is_doc_path(path: &str) -> bool {
    let path = path.to_lowercase();
    let top = path.split('/').next().unwrap_or(&path);
    DOC_DIRS.contains(&top) && path.contains('/') || DOC_ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// A task of a tester that is about whole flows gets the command that runs them, if it has none.
pub fn add_e2e_command(draft: &mut Draft, command: Option<&str>) {
    let Some(command) = command.filter(|_| draft.role == Role::Tester) else { return };
    let text = format!("{} {} {}", draft.title, draft.goal, draft.context.specs).to_lowercase();
    let phrases = ["e2e", "playwright", "cypress", "critical path", "user flow", "end-to-end"];
    let dirs = ["e2e", "__e2e__", "playwright", "cypress"];
    let is_flow = phrases.iter().any(|phrase| has_phrase(&text, phrase))
        || files_of(draft).iter().any(|file| file.split('/').any(|name| dirs.contains(&name)));
    let has_command = draft
        .commands
        .iter()
        .any(|own| ["e2e", "playwright", "cypress"].iter().any(|word| has_phrase(own, word)));
    if is_flow && !has_command {
        draft.commands.push(command.to_owned());
    }
}

/// Whether a text holds a phrase as whole words.
pub(crate) fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(phrase).any(|(at, found)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::task::Origin;

    fn role(title: &str, files: &[&str]) -> Role {
        let mut draft = Draft::new(title, "", Origin::Model);
        draft.context.files = files.iter().map(|file| (*file).to_owned()).collect();
        infer_role(&draft)
    }

    #[test]
    fn roles_follow_whole_words_and_names() {
        use Role::{Docser, Tester, Worker};
        for (title, files, expected) in [
            ("Add a flag", &["src/inspector/a.rs"][..], Worker),
            ("Show the latest build", &["latest/x.py"], Worker),
            ("Respect the specification", &["src/special.go"], Worker),
            ("Add unit tests for the parser", &["src/parser.rs"], Tester),
            ("Extend the parser", &["tests/parser.rs"], Tester),
            ("Extend the parser", &["pkg/parser_test.go", "web/a.test.ts"], Tester),
            ("Extend the parser", &["src/parser.rs", "tests/parser.rs"], Worker),
            ("Cover the log-in with playwright", &[], Tester),
            ("There are tests for routes", &["src/a.rs"], Tester),
            ("There are two ways to test it", &["src/a.rs"], Worker),
            ("Make the code testable", &["src/a.rs"], Worker),
            ("Explain the settings", &["docs/settings.rst", "README.md"], Docser),
            ("Explain the settings", &["docs/settings.rst", "src/a.rs"], Worker),
            ("Integration tests prove that nothing is printed", &[], Tester),
            ("PostgreSQL and SQLite are covered by tests", &["src/a.rs"], Tester),
            ("The tests pass", &[], Worker),
            ("x", &["src/UserServiceTest.java"], Tester),
            ("x", &["src/contest.java"], Worker),
        ] {
            assert_eq!(role(title, files), expected, "{title} {files:?}");
        }
    }

    #[test]
    fn documents_are_asked_for_by_name() {
        for (text, expected) in [
            ("The release notes and the API reference describe it", true),
            ("README explains the middleware", true),
            ("Document the option", true),
            ("Update the documentation", true),
            ("Update the parser of the session cookies", false),
            ("The option is described in the manual", true),
            ("The flag is parsed and documented in the help", false),
            ("A reference to the session is kept", false),
            ("The guide of the parser is faster", false),
        ] {
            assert_eq!(asks_for_documents(text), expected, "{text}");
            let draft = Draft::new("x", text, Origin::Fallback);
            assert_eq!(infer_role(&draft) == Role::Docser, expected, "{text}");
        }
    }

    #[test]
    fn whole_flows_are_run_by_their_own_command() {
        let mut draft = Draft::new("Check the user flow of a purchase", "", Origin::Model);
        draft.role = Role::Tester;
        add_e2e_command(&mut draft, Some("npm run e2e"));
        add_e2e_command(&mut draft, Some("npm run e2e"));
        assert_eq!(draft.commands, ["npm run e2e"]);
        let mut other = Draft::new("Check the parser", "", Origin::Model);
        other.role = Role::Tester;
        add_e2e_command(&mut other, Some("npm run e2e"));
        assert!(other.commands.is_empty());
    }
}
