use super::{Program, Refusal, check};

fn argv(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

#[track_caller]
fn allowed(line: &str) {
    assert!(check(&argv(line)).is_ok(), "{line}: {}", check(&argv(line)).unwrap_err());
}

#[track_caller]
fn refused(line: &str, why: &str) {
    let refusal = check(&argv(line)).expect_err(line).to_string();
    assert!(refusal.contains(why), "{line}: {refusal}");
}

#[test]
fn what_models_usually_ask_is_offered() {
    for line in [
        "wc -l src/main.rs",
        "wc",
        "wc -lwc -- -odd-name",
        "file -b --mime-type a.bin b.bin",
        "grep -rn --include=*.rs TODO .",
        "grep -rnA3 -e /etc/passwd -e ../x src",
        "grep /etc/passwd notes.txt",
        "grep --regexp ../up src",
        "grep -- -f src/a",
        "grep -5 word a",
        "head -20 README.md",
        "head -n 20 a b",
        "tail --lines=5 a",
        "tail -n +5 a",
        "stat -c %s a",
        "du -sh .",
        "du --max-depth 2 --apparent-size src",
        "find",
        "find . -name *.rs -not -path ./target/* -maxdepth 3",
        "find src tests ( -name a -o -name b ) -size +1M -printf %p\\n",
        "find -P . -newer Cargo.toml",
        "find . -name -exec",
        "sort -t, -k2,2nr -u data.csv",
        "sort --key=2 data.csv",
        "uniq -c names",
        "uniq --all-repeated=separate names",
    ] {
        allowed(line);
    }
}

#[test]
fn what_a_program_opens_is_known() {
    for (line, opens) in [
        ("wc -l a b/c", &["a", "b/c"][..]),
        ("grep -n pattern a", &["a"]),
        ("grep -e pattern -A 3 a", &["a"]),
        ("grep --regexp pattern -- -odd", &["-odd"]),
        ("head -n 5 a - b", &["a", "b"]),
        ("tail -5 a", &["a"]),
        ("sort -t , -k 2 a", &["a"]),
        ("uniq -f 2 a", &["a"]),
        ("wc", &[]),
        ("file a", &[]),
        ("stat a", &[]),
        ("du a", &[]),
        ("find a -newer b", &[]),
    ] {
        assert_eq!(check(&argv(line)).unwrap().opens, opens, "{line}");
    }
}

#[test]
fn no_other_program_is_run() {
    for line in ["sh -c id", "env x", "busybox sh", "ls", "git log", "cat a", "GREP x", "ld.so wc", "python3"]
    {
        refused(line, "is not offered: the programs are wc, file, grep");
    }
    for line in ["/bin/ls", "./wc", "/usr/bin/wc", "../wc", "bin/grep"] {
        refused(line, "is a path: name the program alone");
    }
    assert_eq!(check(&[]), Err(Refusal::Empty));
    refused("wc\0 a", "zero byte");
    let many: Vec<String> = std::iter::repeat_n("a".to_owned(), 10_000).collect();
    assert!(matches!(check(&many), Err(Refusal::TooLong { .. })));
    assert!(matches!(check(&["wc".to_owned(), "a".repeat(1 << 20)]), Err(Refusal::TooLong { .. })));
    assert!(matches!(check(&["wc".to_owned(), "a\0b".to_owned()]), Err(Refusal::ZeroByte(1))));
    assert!(matches!(check(&[" wc".to_owned()]), Err(Refusal::NotOffered(_))));
}

#[test]
fn options_that_write_execute_or_wait_are_refused() {
    for (line, why) in [
        ("find . -exec rm {} ;", "find -exec is refused: it starts a program"),
        ("find . -execdir rm {} ;", "it starts a program"),
        ("find . -ok rm {} ;", "it starts a program"),
        ("find . -okdir rm {} ;", "it starts a program"),
        ("find . -delete", "it removes files"),
        ("find . -fprint x", "it writes a file"),
        ("find . -fprintf x %p", "it writes a file"),
        ("find . -fprint0 x", "it writes a file"),
        ("find . -fls x", "it writes a file"),
        ("find -files0-from x", "as arguments"),
        ("find -L . -name x", "it follows links"),
        ("find . -follow", "it follows links"),
        ("sort -o x a", "sort -o is refused: it writes a file"),
        ("sort -uox a", "sort -o is refused"),
        ("sort -nro x a", "sort -o is refused"),
        ("sort a -o x", "sort -o is refused"),
        ("sort --output=x a", "it writes a file"),
        ("sort --compress-program=sh a", "it starts a program"),
        ("sort -T /tmp a", "temporary files"),
        ("sort --files0-from=x", "as arguments"),
        ("grep -f x a", "grep -f is refused: it takes names or patterns from a file"),
        ("grep -rnf x a", "grep -f is refused"),
        ("grep -R x .", "use -r"),
        ("grep --file=x a", "as arguments"),
        ("file -m x a", "the system's own are used"),
        ("file -bm x a", "the system's own are used"),
        ("file -C -m x", "it writes a file"),
        ("file -f x", "as arguments"),
        ("file -z a", "parse_structure"),
        ("file --magic-file=x a", "the system's own are used"),
        ("uniq a b", "a second would be written to"),
        ("uniq -c -- a b", "a second would be written to"),
        ("wc --files0-from=x", "as arguments"),
        ("du --files0-from=x", "as arguments"),
        ("du -X x .", "as arguments"),
        ("du --exclude-from=x .", "as arguments"),
        ("tail -f a", "it waits"),
        ("tail -20f a", "it waits"),
        ("tail -F a", "it waits"),
        ("tail --pid=1 a", "it waits"),
        ("tail --retry a", "it waits"),
        ("stat -f .", "about the disk"),
    ] {
        refused(line, why);
    }
}

#[test]
fn an_abbreviation_hides_nothing() {
    for line in [
        "sort --out=x a",
        "sort --outpu x a",
        "sort --comp=sh a",
        "sort --temp=/tmp a",
        "sort --files=x",
        "tail --fol a",
        "grep --fil=x a",
        "file --magic=x a",
        "wc --files=x",
        "du --exclude-f=x .",
        "find . -exe rm",
        "find . -fpr x",
    ] {
        refused(line, "is not offered; write long options in full");
    }
    refused("sort --reverse=x a", "it takes no value");
    refused("sort -k", "a value must follow");
    refused("head --lines", "a value must follow");
    refused("find . -name", "a value must follow");
}

#[test]
fn paths_that_leave_are_refused_in_words() {
    for line in [
        "wc /etc/passwd",
        "wc ../x",
        "wc a/../../x",
        "grep x /etc/passwd",
        "grep -e x -- ../y",
        "grep -r root ..",
        "head -n5 /etc/passwd",
        "find / -name x",
        "find .. -name x",
        "find . -newer /etc/passwd",
        "find . -samefile ../x",
        "stat /root",
        "sort -- /etc/passwd",
    ] {
        refused(line, "leaves the directory: give paths relative to it");
    }
    allowed("wc ..a a..b ...");
}

#[test]
fn refusals_say_what_would_be_right() {
    let text = |line: &str| check(&argv(line)).unwrap_err().to_string();
    insta::assert_snapshot!(text("bash -c id"), @r#""bash" is not offered: the programs are wc, file, grep, head, tail, stat, du, find, sort, uniq; there is no shell"#);
    insta::assert_snapshot!(text("wc -x a"), @r#"wc "-x" is not offered; write long options in full. Offered: -c -m -l -w -L --bytes --chars --lines --words --max-line-length --total="#);
    insta::assert_snapshot!(text("find . -delete"), @"find -delete is refused: it removes files, and nothing is changed here");
    insta::assert_snapshot!(text("head /etc/passwd"), @r#""/etc/passwd" leaves the directory: give paths relative to it and without `..`, such as `src/main.rs` or `.`"#);
    insta::assert_snapshot!(Refusal::NotInstalled(Program::File).to_string(), @"file is not installed on this machine: use read_file, list_directory or search");
}
