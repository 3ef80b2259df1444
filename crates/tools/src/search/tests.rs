use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fixture::{Fixture, SECRET, call, refused, told};
use crate::session::Limits;

fn sample() -> Fixture {
    let fixture = Fixture::new();
    fixture
        .file(
            "src/main.rs",
            "use std::io;\n\nfn main() {\n    run();\n}\n\nfn run() {\n    // TODO: run\n}\n",
        )
        .file("src/lib.rs", "pub fn run() {}\r\n")
        .file("docs/read.md", "how to run it\n")
        .file("binary", b"run\0run\n")
        .file("latin1.txt", b"f\xfcr run\n")
        .file(".hidden", "run\n")
        .file("ignored/x.rs", "run\n")
        .file("src/kept.log", "run\n")
        .file("src/gone.log", "run\n")
        .file("node_modules/m/index.js", "run\n")
        .file(".gitignore", "ignored/\n*.log\n")
        .file("src/.gitignore", "!kept.log\n")
        .link("link.rs", "src/main.rs")
        .link("out", "../secret")
        .link("outdir", "..");
    fixture
}

#[test]
fn matches_are_shown_by_file_and_line() {
    let fixture = sample();
    let mut session = fixture.session("src");
    let came = call(&mut session, "search", json!({"pattern":r"\brun\b"}));
    insta::assert_snapshot!(came.text, @"
    7 matching lines in 5 files are shown. Searched: 6 files, 1 of them binary and left out.
    <data-00000000000000fe matches>
    latin1.txt
    1: für run
    docs/read.md
    1: how to run it
    src/kept.log
    1: run
    src/lib.rs
    1: pub fn run() {}
    src/main.rs
    4:     run();
    7: fn run() {
    8:     // TODO: run
    </data-00000000000000fe>
    ");
    let served: Vec<String> = came
        .served
        .iter()
        .map(|served| {
            let lines = (served.first_line, served.last_line);
            format!(
                "{} {}–{} {lines:?} {}",
                served.path.for_terminal(),
                served.start,
                served.end,
                served.blob.is_some()
            )
        })
        .collect();
    insta::assert_snapshot!(served.join("\n"), @"
    latin1.txt 0–8 (1, 1) true
    docs/read.md 0–14 (1, 1) true
    src/kept.log 0–4 (1, 1) true
    src/lib.rs 0–17 (1, 1) true
    src/main.rs 26–37 (4, 4) true
    src/main.rs 40–51 (7, 7) true
    src/main.rs 51–68 (8, 8) true
    ");
}

#[test]
fn a_search_can_be_narrowed() {
    let fixture = sample();
    let mut session = fixture.session("src");
    let mut search = |arguments: Value| {
        let text = told(&mut session, "search", arguments);
        text.lines().filter(|line| !line.contains("data-")).collect::<Vec<_>>().join("\n")
    };
    let told = [
        search(json!({"pattern":"RUN","ignore_case":true,"glob":"*.md"})),
        search(json!({"pattern":"run()","literal":true,"path":"src"})),
        search(json!({"pattern":"^fn","path":"src/main.rs","context":1})),
        search(json!({"pattern":"run","path":"src","max_matches":2})),
        search(json!({"pattern":"run","path":"src","max_matches":2,"skip":2})),
        search(json!({"pattern":"run","path":"src","skip":99})),
        search(json!({"pattern":"run","all":true,"glob":"!*.rs"})),
        search(json!({"pattern":"nothing like it"})),
        search(json!({"pattern":"run","path":"ignored/x.rs"})),
    ];
    insta::assert_snapshot!(told.join("\n\n"), @r#"
    1 matching line is shown. Searched: 1 file.
    docs/read.md
    1: how to run it

    3 matching lines in 2 files are shown. Searched: 3 files.
    src/lib.rs
    1: pub fn run() {}
    src/main.rs
    4:     run();
    7: fn run() {

    2 matching lines in 1 file are shown. Searched: 1 file.
    src/main.rs
    2- 
    3: fn main() {
    4-     run();
    --
    6- 
    7: fn run() {
    8-     // TODO: run

    2 matching lines in 2 files are shown.
    src/kept.log
    1: run
    src/lib.rs
    1: pub fn run() {}
    There are more. To read on, call again with "skip": 2; or narrow the pattern, the path or the glob.

    2 matching lines in 1 file are shown.
    src/main.rs
    4:     run();
    7: fn run() {
    There are more. To read on, call again with "skip": 4; or narrow the pattern, the path or the glob.

    No further line matches: there are 5 in all. Searched: 3 files.

    5 matching lines in 5 files are shown. Searched: 8 files, 1 of them binary and left out.
    .hidden
    1: run
    latin1.txt
    1: für run
    docs/read.md
    1: how to run it
    src/gone.log
    1: run
    src/kept.log
    1: run

    No line matches. Searched: 6 files, 1 of them binary and left out.

    1 matching line is shown. Searched: 1 file.
    ignored/x.rs
    1: run
    "#);
}

#[test]
fn nothing_outside_is_searched() {
    let fixture = sample();
    let mut session = fixture.session("src");
    for arguments in [json!({"pattern":"secret"}), json!({"pattern":"secret","all":true})] {
        let text = told(&mut session, "search", arguments);
        assert!(!text.contains(SECRET), "{text}");
    }
    for path in ["out", "outdir", "..", "/etc"] {
        let text = refused(&mut session, "search", json!({"pattern":"secret","path":path}));
        assert!(text.contains("leads out of the target"), "{text}");
    }
}

#[test]
fn v42_patterns_without_measure_are_refused_or_stopped() {
    let fixture = Fixture::new();
    fixture.file("a", "a".repeat(40_000));
    let mut session = fixture.session(".");
    let parens = format!("{}a{}", "(".repeat(300), ")".repeat(300));
    let told: Vec<String> =
        ["(a{1000}){1000}", &parens, r"(a)\1", "(?=a)", "a\\nb", "(", "[z-a]", &"x".repeat(1001), ""]
            .iter()
            .map(|pattern| refused(&mut session, "search", json!({"pattern":pattern})))
            .map(|text| text.split(" It takes ").next().unwrap().to_owned())
            .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    The pattern cannot be used: compiled regex exceeds size limit of 1048576. Fewer or smaller repetitions would do. To search for plain text, pass "literal": true.
    The pattern cannot be used: exceed the maximum number of nested parentheses/brackets (100). To search for plain text, pass "literal": true.
    The pattern cannot be used: backreferences are not supported. To search for plain text, pass "literal": true.
    The pattern cannot be used: look-around, including look-ahead and look-behind, is not supported. To search for plain text, pass "literal": true.
    The pattern cannot be used: the literal "\n" is not allowed in a regex. A pattern matches within one line. To search for plain text, pass "literal": true.
    The pattern cannot be used: unclosed group. To search for plain text, pass "literal": true.
    The pattern cannot be used: invalid character class range, the start must be <= the end. To search for plain text, pass "literal": true.
    `search` was not run. `pattern` has 1001 characters; at most 1000 are taken.
    `search` was not run. `pattern` must not be empty.
    "#);
    let start = Instant::now();
    let text = crate::fixture::told(&mut session, "search", json!({"pattern":".*[^a]|a"}));
    assert!(text.starts_with("1 matching line"), "{text}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn v42_a_search_ends_when_its_time_is_up() {
    let fixture = Fixture::new();
    fixture.file("a", "x\n");
    let mut session = fixture.session_with(".", Limits { search_time: Duration::ZERO, ..Limits::default() });
    let text = told(&mut session, "search", json!({"pattern":"x"}));
    insta::assert_snapshot!(text, @"No line matches. Searched: 0 files. The time was up before all were searched: narrow the path or the pattern.");
}

#[test]
fn v41_long_lines_are_cut_around_the_match() {
    let fixture = Fixture::new();
    let line = format!("{}needle{}\n", "é".repeat(500_000), "é".repeat(500_000));
    fixture.file("min.js", &line);
    let mut session = fixture.session(".");
    let came = call(&mut session, "search", json!({"pattern":"needle"}));
    assert!(came.text.len() < 1_000, "{}", came.text.len());
    assert!(came.text.contains("[999900 bytes cut] é") && came.text.contains("éneedleé"), "{}", came.text);
    let served = &came.served[0];
    let (start, end) = (usize::try_from(served.start).unwrap(), usize::try_from(served.end).unwrap());
    assert!(line[start..end].contains("needle") && end - start <= 400, "only what was shown is recorded");
}

#[test]
fn the_result_is_the_same_with_any_number_of_threads() {
    let fixture = Fixture::new();
    for number in 0..600 {
        fixture.file(&format!("d{}/f{number}", number % 37), "hit\n".repeat(number % 5));
    }
    let search = |threads: usize, skip: usize| {
        let limits = Limits { search_threads: threads.try_into().unwrap(), ..Limits::default() };
        let mut session = fixture.session_with(".", limits);
        told(&mut session, "search", json!({"pattern":"hit","max_matches":70,"skip":skip}))
    };
    for skip in [0, 70, 1100] {
        let one = search(1, skip);
        for _ in 0..5 {
            assert_eq!(search(4, skip), one);
        }
    }
}

#[test]
fn pages_of_matches_neither_repeat_nor_leave_out() {
    let fixture = Fixture::new();
    for number in 0..50 {
        let text: String = (0..40).map(|line| format!("hit {number} {line}\n")).collect();
        fixture.file(&format!("f{number:02}"), text);
    }
    let mut session = fixture.session_with(".", Limits { result_bytes: 4_000, ..Limits::default() });
    let (mut skip, mut hits) = (0, Vec::new());
    loop {
        let text = told(&mut session, "search", json!({"pattern":"hit","max_matches":200,"skip":skip}));
        assert!(text.len() <= 4_000);
        let rows = text.lines().filter_map(|line| line.split_once(": hit "));
        hits.extend(rows.map(|(_, hit)| hit.to_owned()));
        match text.split_once("\"skip\": ") {
            Some((_, rest)) => skip = rest.split(';').next().unwrap().parse().unwrap(),
            None => break,
        }
    }
    let expected: Vec<String> =
        (0..50).flat_map(|number| (0..40).map(move |line| format!("{number} {line}"))).collect();
    assert_eq!(hits, expected);
}

#[test]
fn v13_deep_trees_are_searched_to_the_bottom() {
    let fixture = Fixture::new();
    let mut dir =
        rustix::fs::open(fixture.target(), rustix::fs::OFlags::PATH, rustix::fs::Mode::empty()).unwrap();
    let depth = 1_500;
    for _ in 0..depth {
        rustix::fs::mkdirat(&dir, "deep", rustix::fs::Mode::RWXU).unwrap();
        dir = rustix::fs::openat(&dir, "deep", rustix::fs::OFlags::PATH, rustix::fs::Mode::empty()).unwrap();
    }
    let flags = rustix::fs::OFlags::CREATE | rustix::fs::OFlags::WRONLY;
    let file = rustix::fs::openat(&dir, "f", flags, rustix::fs::Mode::RUSR).unwrap();
    rustix::io::write(&file, b"needle\n").unwrap();
    let mut session = fixture.session(".");
    let came = call(&mut session, "search", json!({"pattern":"needle"}));
    assert_eq!(came.served.len(), 1, "{}", came.text);
    assert!(came.served[0].blob.is_some());
}

#[test]
fn nothing_is_recorded_that_was_not_shown() {
    let fixture = Fixture::new();
    fixture.file(
        "f",
        "hit \u{202e}\u{202e}\u{202e}\u{202e}\u{202e}\u{202e}\u{202e}\u{202e}\u{202e}\n".repeat(2_000),
    );
    let mut session = fixture.session(".");
    let came = call(&mut session, "search", json!({"pattern":"hit","context":10,"max_matches":200}));
    assert!(came.text.len() <= 32 << 10 && came.text.contains("There are more"), "{}", came.text.len());
    let rows = came.text.lines().filter(|line| line.contains(": hit ")).count() as u64;
    let recorded: u64 = came.served.iter().map(|served| served.last_line - served.first_line + 1).sum();
    assert_eq!(recorded, rows);
}

#[test]
fn v08_a_search_never_follows_a_directory_that_became_a_link() {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    let fixture = Fixture::new();
    fixture.file("d/f", "inside\n").link("l", "../out");
    std::fs::create_dir(fixture.outside("out")).unwrap();
    crate::fixture::write(&fixture.outside("out/f"), SECRET.as_bytes());
    let (is_over, swaps) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut session = fixture.session(".");
    let root = fixture.root();
    let (mut hits, mut leaks) = (0, Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let exchange = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(root.fd(), "d", root.fd(), "l", exchange).unwrap();
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mut searches = 0;
        // However slow the machine, the race must have taken place.
        while searches < 500 || swaps.load(Ordering::Relaxed) < 3_000 || hits == 0 {
            for arguments in
                [json!({"pattern":"secret|inside"}), json!({"pattern":"secret|inside","path":"d"})]
            {
                let came = call(&mut session, "search", arguments);
                hits += usize::from(came.text.contains("inside\n"));
                leaks.extend(came.text.contains(SECRET).then_some(came.text));
                searches += 1;
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(0 < hits);
    assert_eq!(leaks, Vec::<String>::new());
}
