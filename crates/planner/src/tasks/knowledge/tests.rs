use super::*;
use crate::tasks::repo::facts;

#[test]
fn words_are_what_can_tell_files_apart() {
    let words: Vec<String> =
        search_words("The `Session.set_cookie()` must support partitioned cookies in camelCaseNames")
            .into_iter()
            .collect();
    assert_eq!(
        words,
        [
            "camel",
            "camelcasenames",
            "case",
            "cook",
            "cookie",
            "name",
            "partition",
            "session",
            "set",
            "set_cookie",
            "setcookie"
        ]
    );
    let flags: Vec<String> =
        search_words("`run --type-list unix:///tmp/app.sock`, not with files").into_iter().collect();
    assert_eq!(flags, ["list", "run", "type", "type_list", "typelist"]);
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
    let wanted = Wanted { text, goal: "" };
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
        knowledge.starting_points(wanted, Role::Worker, &repo, &["**".to_owned()]),
        ["src/sessions.rs", "tests/test_sessions.go"]
    );
    assert_eq!(
        knowledge.starting_points(wanted, Role::Docser, &repo, &["**".to_owned()]),
        ["docs/sessions.md"]
    );
    assert_eq!(
        knowledge.starting_points(wanted, Role::Tester, &repo, &["**".to_owned()]),
        ["tests/test_sessions.go", "src/sessions.rs"]
    );
    let none = knowledge.starting_points(wanted, Role::Worker, &repo, &["lib/**".to_owned()]);
    assert_eq!(none, Vec::<String>::new());
    assert_eq!(
        knowledge.places(wanted, &repo, &["src/sessions.rs".to_owned()], 3),
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
    assert_eq!(lines("a routine"), 0, "a short beginning is not enough");
    assert_eq!(lines("ROUTES, routers2, routeTable"), 1);
}

#[test]
fn no_word_is_crowded_out_by_lines_with_more_of_them() {
    let words: BTreeSet<String> = ["flag", "help", "type_list"].map(str::to_owned).into();
    let text = format!("{}cmd.arg(\"--type-list\");\n", "flag and help\n".repeat(50));
    let found: Vec<usize> = find_words(&text, &words, 5).iter().map(|hit| hit.line).collect();
    assert_eq!(found, [1, 2, 3, 4, 51]);
}

#[test]
fn the_test_that_is_called_like_the_source_comes_along_and_the_goal_counts_less() {
    let repo = facts(&["src/cli.py", "src/sessions.py", "tests/test_basic.py", "tests/test_cli.py"]);
    let mut knowledge = Knowledge::default();
    let wanted = Wanted { text: "The port is refused together with a socket", goal: "Sockets for the cli" };
    let words = search_words(&format!("{} {}", wanted.text, wanted.goal));
    for (path, content) in [
        ("src/cli.py", "option --port, no socket\nthe cli\n"),
        ("src/sessions.py", "refused\n"),
        ("tests/test_basic.py", "a port\n"),
        ("tests/test_cli.py", "cli\n"),
    ] {
        let hits = find_words(content, &words, 20);
        knowledge.files.insert(path.to_owned(), FileKnowledge { hits, ..FileKnowledge::default() });
    }
    let found = knowledge.starting_points(wanted, Role::Worker, &repo, &["**".to_owned()]);
    assert_eq!(found, ["src/cli.py", "tests/test_cli.py"]);
}

#[test]
fn names_are_there_or_new() {
    let names =
        peculiar_names("`hexpired` and --json-summary, read-only, `abulk_create()`, MaxBodySize(n), `a b`");
    assert_eq!(names, ["hexpired", "json-summary", "abulk_create", "MaxBodySize"]);
    let mut knowledge = Knowledge::default();
    let hits = find_words("x\nlet json_summary = 1;\n", &search_words("--json-summary"), 9);
    knowledge.files.insert("src/a.rs".to_owned(), FileKnowledge { hits, ..FileKnowledge::default() });
    assert_eq!(knowledge.place_of("json-summary"), (1, Some("src/a.rs:2".to_owned())));
    assert_eq!(knowledge.place_of("json"), (0, None));
}

#[test]
fn notes_about_versions_are_those_of_the_latest() {
    let repo =
        facts(&["docs/releases/2.2.txt", "docs/releases/4.10.txt", "docs/releases/4.2.txt", "docs/a.txt"]);
    let newest = |path: &str| super::newest(path.to_owned(), &repo);
    assert_eq!(newest("docs/releases/2.2.txt"), "docs/releases/4.10.txt");
    assert_eq!(newest("docs/a.txt"), "docs/a.txt");
}
