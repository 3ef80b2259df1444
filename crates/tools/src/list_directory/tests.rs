use std::time::Duration;

use rustix::fs::{Mode, mkfifoat};
use serde_json::json;

use crate::fixture::{Fixture, refused, told, write};
use crate::session::Limits;

#[test]
fn entries_are_shown_with_kind_size_and_target() {
    let fixture = Fixture::new();
    fixture
        .file("src/main.rs", "x".repeat(1500))
        .file("src/.hidden", "")
        .directory("src/deep")
        .link("src/link", "main.rs")
        .link("src/out", "../../secret")
        .directory("src/none");
    mkfifoat(fixture.root().fd(), "src/pipe", Mode::RUSR).unwrap();
    let mut session = fixture.session("src");
    insta::assert_snapshot!(told(&mut session, "list_directory", json!({})), @r#"
    `src`: 6 entries, 2 of them directories. 1 more start with a dot: pass "show_hidden": true.
    <data-00000000000000fe entries of src>
    dir                deep/
    link               link -> main.rs
    file       1.5 KB  main.rs
    dir                none/
    link               out -> ../../secret
    pipe               pipe
    </data-00000000000000fe>
    "#);
    let hidden = told(&mut session, "list_directory", json!({"path":"src","show_hidden":true}));
    assert!(hidden.contains("  .hidden\n") && !hidden.contains("start with a dot"), "{hidden}");
    insta::assert_snapshot!(told(&mut session, "list_directory", json!({"path":"src/none"})), @"`src/none` is empty.");
    insta::assert_snapshot!(refused(&mut session, "list_directory", json!({"path":"src/main.rs"})), @"`src/main.rs`: this, or something on the way to it, is no directory.");
    insta::assert_snapshot!(refused(&mut session, "list_directory", json!({"path":"src/../.."})), @"`src/../..`: this leads out of the target. Only what is inside can be opened: use a path relative to the target, such as `src/main.rs`, without a leading `/`; `.` is the target itself.");
}

#[test]
fn v18_treacherous_names_are_shown_once_each_and_can_be_used() {
    let fixture = Fixture::new();
    let names: [&[u8]; 16] = [
        b"new\nline",
        b"carriage\rreturn",
        b"\x1b[2Jclear",
        b"\x1b]52;c;x\x07",
        b"\xff\xfe",
        b"\xc2\x9b31m",
        "right\u{202e}left".as_bytes(),
        "iso\u{2066}late".as_bytes(),
        "zero\u{200d}width".as_bytes(),
        "tag\u{e0041}".as_bytes(),
        b"-rf",
        b"$(id)",
        b"'; rm",
        b"trailing ",
        "e\u{301}".as_bytes(),
        "\u{e9}".as_bytes(),
    ];
    use std::os::unix::ffi::OsStrExt as _;
    let long = vec![b'n'; 255];
    for (number, name) in names.iter().chain([&&long[..]]).enumerate() {
        let path = fixture.target().join(std::ffi::OsStr::from_bytes(name));
        write(&path, format!("number {number}\n").as_bytes());
    }
    let mut session = fixture.session(".");
    let list = told(&mut session, "list_directory", json!({}));
    assert!(list.chars().all(|c| c == '\n' || !luminos_core::Untrusted::is_treacherous(c)), "{list:?}");
    let rows: Vec<&str> = list.lines().filter(|line| line.starts_with("file")).collect();
    assert_eq!(rows.len(), 17, "{list}");
    insta::assert_snapshot!(rows[..16].join("\n").replace(&"n".repeat(255), "n…n"), @r"
    file          9 B  \u{1b}[2Jclear  [path: hex:1b5b324a636c656172]
    file          9 B  \u{1b}]52;c;x\u{7}  [path: hex:1b5d35323b633b7807]
    file         10 B  $(id)
    file         10 B  '; rm
    file         10 B  -rf
    file          9 B  carriage\rreturn  [path: hex:63617272696167650d72657475726e]
    file         10 B  é
    file          9 B  iso\u{2066}late  [path: hex:69736fe281a66c617465]
    file          9 B  new\nline  [path: hex:6e65770a6c696e65]
    file         10 B  n…n
    file          9 B  right\u{202e}left  [path: hex:7269676874e280ae6c656674]
    file          9 B  tag\u{e0041}  [path: hex:746167f3a08181]
    file         10 B  trailing 
    file          9 B  zero\u{200d}width  [path: hex:7a65726fe2808d7769647468]
    file          9 B  \u{9b}31m  [path: hex:c29b33316d]
    file         10 B  é
    ");
    let mut seen = std::collections::BTreeSet::new();
    for row in rows {
        let word = match row.split_once("[path: ") {
            Some((_, path)) => path.trim_end_matches(']'),
            None => &row[19..],
        };
        let text = told(&mut session, "read_file", json!({"path":word}));
        let number = text.lines().find(|line| line.starts_with("number ")).unwrap().to_owned();
        assert!(seen.insert(number), "{word} is another one's");
    }
    assert_eq!(seen.len(), 17);
}

#[test]
fn v14_a_huge_directory_is_cut_counted_and_can_be_read_on() {
    let fixture = Fixture::new();
    for number in 0..2_500 {
        fixture.file(&format!("f{number:05}.{}", ["rs", "MD", "txt"][number % 3]), "");
    }
    fixture.directory("zdir").file("noending", "");
    let mut session = fixture.session_with(".", Limits { list_entries: 3, ..Limits::default() });
    insta::assert_snapshot!(told(&mut session, "list_directory", json!({"after":"f02497.MD"})), @r#"
    `.`: 2502 entries, 1 of them directories.
    <data-00000000000000fe entries of .>
    file          0 B  f02498.txt
    file          0 B  f02499.rs
    file          0 B  noending
    </data-00000000000000fe>
    Cut here; entries left: 1. To read on, pass "after": "noending".
    <data-00000000000000fe files by ending>
    .rs 834, .md 833, .txt 833, (none) 1
    </data-00000000000000fe>
    "#);
    insta::assert_snapshot!(told(&mut session, "list_directory", json!({"after":"f00001.MD"})), @r#"
    `.`: 2502 entries, 1 of them directories.
    <data-00000000000000fe entries of .>
    file          0 B  f00002.txt
    file          0 B  f00003.rs
    file          0 B  f00004.MD
    </data-00000000000000fe>
    Cut here; entries left: 2497. To read on, pass "after": "f00004.MD".
    <data-00000000000000fe files by ending>
    .rs 834, .md 833, .txt 833, (none) 1
    </data-00000000000000fe>
    "#);
    // All of it, page by page.
    let mut session = fixture.session(".");
    let (mut seen, mut after) = (Vec::new(), json!({}));
    loop {
        let text = told(&mut session, "list_directory", after);
        assert!(text.len() <= 32 << 10);
        let rows = text.lines().filter(|line| line.starts_with("file ") || line.starts_with("dir "));
        seen.extend(rows.map(|row| row[19..].to_owned()));
        match text.split_once("pass \"after\": ") {
            Some((_, rest)) => {
                let word: String = serde_json::from_str(rest.split(".\n").next().unwrap()).unwrap();
                after = json!({"after":word});
            }
            None => break,
        }
    }
    assert_eq!(seen.len(), 2_502);
    assert!(seen.is_sorted());
}

#[test]
fn v15_thousands_of_empty_directories_are_told_in_a_page() {
    let fixture = Fixture::new();
    for number in 0..20_000 {
        std::fs::create_dir(fixture.target().join(format!("d{number:05}"))).unwrap();
    }
    let mut session = fixture.session(".");
    let text = told(&mut session, "list_directory", json!({ "path": "." }));
    assert!(text.len() <= 32 << 10, "{} bytes", text.len());
    assert!(text.contains("20000") || text.contains("20,000"), "{text}");
    // A search ends when its time is up, though there be no file that it could look into.
    let limits = Limits { search_time: Duration::ZERO, ..Limits::default() };
    let text = told(&mut fixture.session_with(".", limits), "search", json!({ "pattern": "needle" }));
    assert!(text.contains("The time was up"), "{text}");
}

/// Another owner's files, setuid programs, a repository whose configuration runs programs, a repository without a work tree:
/// all of it is files to look at, and nothing in it is run.
#[test]
fn v21_what_a_repository_would_have_run_is_only_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let fixture = Fixture::new();
    let trap = fixture.outside("sprung");
    let config = format!(
        "[core]\n\tfsmonitor = touch {0}\n\thooksPath = hooks\n\tpager = touch {0}\n",
        trap.display()
    );
    fixture.file(".git/config", &config).file(".git/HEAD", "ref: refs/heads/main\n");
    fixture.file("bare.git/config", &config).file("bare.git/HEAD", "ref: refs/heads/main\n");
    fixture.file("hooks/post-checkout", format!("#!/bin/sh\ntouch {}\n", trap.display()));
    fixture.file("setuid", format!("#!/bin/sh\ntouch {}\n", trap.display()));
    let path = fixture.target().join("setuid");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let mut session = fixture.session(".");
    assert!(told(&mut session, "read_file", json!({ "path": ".git/config" })).contains("fsmonitor"));
    assert!(told(&mut session, "read_file", json!({ "path": "setuid" })).contains("touch"));
    for path in [".", ".git", "bare.git", "hooks"] {
        told(&mut session, "list_directory", json!({ "path": path }));
    }
    told(&mut session, "search", json!({ "pattern": "touch", "all": true }));
    // No program that reads such a configuration is offered, by any name.
    for argv in [&["git", "status"][..], &["git", "-C", "bare.git", "log"], &["./setuid"], &["setuid"]] {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        crate::command::check(&argv).unwrap_err();
    }
    assert!(!trap.exists());
}
