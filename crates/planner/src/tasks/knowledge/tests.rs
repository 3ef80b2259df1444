use super::*;
use crate::tasks::repo::facts;

#[test]
fn words_are_what_can_tell_files_apart() {
    let words: Vec<String> =
        search_words("The `Session.set_cookie()` must support partitioned cookies in camelCaseNames")
            .into_iter()
            .collect();
    assert_eq!(words, ["camel", "case", "cook", "cookie", "name", "partition", "session", "set_cookie"]);
    assert!(words.contains(&"set_cookie".to_owned()) && words.contains(&"partition".to_owned()));
    assert!(!words.contains(&"the".to_owned()) && !words.contains(&"must".to_owned()));
}

#[test]
fn files_in_any_language_are_ranked_by_names_and_contents() {
    let repo = facts(&[
        "src/sessions.rs",
        "src/router.py",
        "tests/test_sessions.go",
        "CHANGES.rst",
        "docs/sessions.md",
    ]);
    let mut knowledge = Knowledge::default();
    let text = "Session cookies carry a partitioned attribute";
    let words = search_words(text);
    let mut learn = |path: &str, content: &str| {
        let hits = find_words(content, &words, 20);
        knowledge.files.insert(path.to_owned(), FileKnowledge { hits, ..FileKnowledge::default() });
    };
    learn("src/sessions.rs", "fn save() {\n    set_cookie(session, attribute);\n}\n");
    learn("src/router.py", "def route(): pass\n");
    learn("tests/test_sessions.go", "// session cookie\n");
    learn("CHANGES.rst", "session cookies carry an attribute\n");
    let ranked: Vec<String> =
        knowledge.rank(text, &repo, &["**".to_owned()]).into_iter().map(|file| file.path).collect();
    assert_eq!(ranked, ["src/sessions.rs", "tests/test_sessions.go", "CHANGES.rst", "docs/sessions.md"]);
    assert_eq!(
        knowledge.starting_points(text, &repo, &["**".to_owned()]),
        ["src/sessions.rs", "tests/test_sessions.go"]
    );
    assert_eq!(knowledge.starting_points(text, &repo, &["lib/**".to_owned()]), Vec::<String>::new());
    assert_eq!(
        knowledge.places(text, &["src/sessions.rs".to_owned()], 3),
        ["src/sessions.rs:2 `set_cookie(session, attribute);`"]
    );
}

#[test]
fn words_count_where_they_begin() {
    let words: BTreeSet<String> = ["rout", "limit"].map(str::to_owned).into();
    let lines = |text: &str| find_words(text, &words, 9).len();
    assert_eq!(lines("@app.route(x)"), 1);
    assert_eq!(lines("add_route, addRoute, Limits"), 1);
    assert_eq!(lines("unlimited, grout"), 0);
}
