use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Result<Vec<String>, CannotRun> {
    Command::parse(text).map(|command| {
        let mut words = vec![command.program];
        words.extend(command.arguments);
        words
    })
}

#[track_caller]
fn splits(text: &str, expected: &[&str]) {
    assert_eq!(words(text).unwrap(), expected, "{text}");
}

#[test]
fn words_are_split_as_a_shell_splits_them() {
    splits("make test", &["make", "test"]);
    splits("  cargo   test  -p x ", &["cargo", "test", "-p", "x"]);
    splits(r#"grep "a|b" file"#, &["grep", "a|b", "file"]);
    splits("grep 'a && b; c' file", &["grep", "a && b; c", "file"]);
    splits(r"echo a\ b\;c", &["echo", "a b;c"]);
    splits(r#"echo "say \"hi\" for 5$""#, &["echo", "say \"hi\" for 5$"]);
    splits("a '' b", &["a", "", "b"]);
    splits("pytest -k 'x[*]'", &["pytest", "-k", "x[*]"]);
    splits("go test ./...", &["go", "test", "./..."]);
}

#[test]
fn variables_before_the_program_are_set_for_it() {
    let command = Command::parse("CI=1 A_B='x y' npm test").unwrap();
    assert_eq!(command.assignments, [("CI".into(), "1".into()), ("A_B".into(), "x y".into())]);
    assert_eq!(command.plain(), "npm test");
    assert_eq!(Command::parse("A=1"), Err(CannotRun::NoProgram));
    // A quoted name is no assignment.
    assert_eq!(Command::parse("'A=1' x").unwrap().program, "A=1");
}

#[test]
fn what_needs_a_shell_is_refused_with_its_place() {
    let said = |text: &str| Command::parse(text).unwrap_err().to_string();
    let all: Vec<String> = [
        "make a && make b",
        "a | b",
        "a; b",
        "a > out",
        "a &",
        "echo $(date)",
        "echo `date`",
        "echo \"$(date)\"",
        "echo $HOME",
        "ls *.rs",
        "cd ~/x",
        "(a)",
        "a \"b",
        "a \\",
        "",
        "a\nb",
    ]
    .iter()
    .map(|text| format!("{text:?}: {}", said(text)))
    .collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    "make a && make b": `&&` at letter 8 needs a shell, and commands run without one
    "a | b": `|` at letter 3 needs a shell, and commands run without one
    "a; b": `;` at letter 2 needs a shell, and commands run without one
    "a > out": `>` at letter 3 needs a shell, and commands run without one
    "a &": `&` at letter 3 needs a shell, and commands run without one
    "echo $(date)": `$(` at letter 6 needs a shell, and commands run without one
    "echo `date`": ``` at letter 6 needs a shell, and commands run without one
    "echo \"$(date)\"": `$(` at letter 7 needs a shell, and commands run without one
    "echo $HOME": `$` at letter 6 needs a shell, and commands run without one
    "ls *.rs": `*` at letter 4 needs a shell, and commands run without one
    "cd ~/x": `~` at letter 4 needs a shell, and commands run without one
    "(a)": `(` at letter 1 needs a shell, and commands run without one
    "a \"b": the quote at letter 3 has no end
    "a \\": it ends with a backslash
    "": it is empty
    "a\nb": it has more than one line
    "#);
}

#[test]
fn one_rule_decides_wherever_a_command_comes_from() {
    let policy = CommandPolicy::default();
    let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (good, bad) = policy.sort(&list(&["make a && make b", "make test", " make test "]));
    assert_eq!((good, bad.len()), (list(&["make test"]), 1));
    let (good, bad) = policy.sort(&list(&["make a && make b"]));
    assert_eq!((good, bad.len()), (list(&[]), 1));
    let (good, _) = policy.sort(&list(&["grep \"a|b\" README.md"]));
    assert_eq!(good, list(&["grep \"a|b\" README.md"]));
}

#[test]
fn denied_commands_are_known_by_their_words() {
    let policy = CommandPolicy::default();
    let refused = |text: &str| matches!(policy.check(text), Err(CannotRun::Denied { .. }));
    for text in [
        "sudo make install",
        "/usr/bin/sudo make",
        "rm -rf / tmp",
        "env sudo make",
        "bash -c 'make; make'",
        "npm run dev",
        "npm start",
        "vitest --watch",
        "python manage.py runserver",
        "flask run",
        "uvicorn app:app",
    ] {
        assert!(refused(text), "{text}");
    }
    for text in
        ["rm -rf /tmp-x/build", "pseudo test", "bash tests/run", "npm test", "npm run check", "rails test"]
    {
        assert!(!refused(text), "{text}");
    }
}

proptest! {
    #[test]
    fn any_words_in_single_quotes_come_back(words in prop::collection::vec("[^'\\x00-\\x1f]{0,8}", 1..5)) {
        let text: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let text = format!("x {}", text.join(" "));
        let command = Command::parse(&text).unwrap();
        prop_assert_eq!(command.arguments, words);
    }

    #[test]
    fn no_text_breaks_the_parser(text in "\\PC{0,60}") {
        let _ = CommandPolicy::default().check(&text);
    }
}
