use serde_json::{Value, json};

use crate::fixture::{Fixture, call, refused, told, write};
use crate::session::{Effect, Limits};

const POEM: &str = "one\ntwo\nthree\nfour\nfive\n";

#[test]
fn a_small_file_is_shown_whole() {
    let fixture = Fixture::new();
    fixture.file("src/poem.txt", POEM);
    let mut session = fixture.session("src");
    let came = call(&mut session, "read_file", json!({"path":"src/poem.txt"}));
    insta::assert_snapshot!(came.text, @"
    `src/poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: lines 1–5 (bytes 0–23).
    <data-00000000000000fe src/poem.txt>
    one
    two
    three
    four
    five
    </data-00000000000000fe>
    ");
    insta::assert_json_snapshot!(came.served, @r#"
    [
      {
        "path": "src/poem.txt",
        "blob": "bd730ce8302e79285f8badd523321160eee75d1023990d6a4f9f703cae7ef184",
        "start": 0,
        "end": 24,
        "first_line": 1,
        "last_line": 5,
        "call": "c1"
      }
    ]
    "#);
}

#[test]
fn a_part_is_shown_with_the_way_to_the_rest() {
    let fixture = Fixture::new();
    fixture.file("poem.txt", POEM).file("crlf", "a\r\nb\r\nc").file("one", "no end").file("empty", "");
    let mut session = fixture.session(".");
    let mut read = |arguments: Value| told(&mut session, "read_file", arguments);
    let told = [
        read(json!({"path":"poem.txt","max_bytes":10})),
        read(json!({"path":"poem.txt","offset":8,"max_bytes":3})),
        read(json!({"path":"poem.txt","start_line":2,"end_line":4,"numbered":true})),
        read(json!({"path":"poem.txt","start_line":2,"end_line":4,"max_bytes":5,"numbered":true})),
        read(json!({"path":"poem.txt","start_line":5,"end_line":99})),
        read(json!({"path":"crlf","numbered":true})),
        read(json!({"path":"one","end_line":1})),
        read(json!({"path":"empty"})),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    `poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: lines 1–2 (bytes 0–7).
    <data-00000000000000fe poem.txt>
    one
    two
    </data-00000000000000fe>
    Cut here, 16 bytes are left. To read on: read_file {"path":"poem.txt","offset":8,"max_bytes":10}

    `poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: line 3 (bytes 8–10).
    <data-00000000000000fe poem.txt>
    thr
    </data-00000000000000fe>
    Cut here, 13 bytes are left. To read on: read_file {"path":"poem.txt","offset":11,"max_bytes":3}

    `poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: lines 2–4 (bytes 4–18).
    <data-00000000000000fe poem.txt>
    2	two
    3	three
    4	four
    </data-00000000000000fe>

    `poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: line 2 (bytes 4–7).
    <data-00000000000000fe poem.txt>
    2	two
    </data-00000000000000fe>
    Cut here, 11 bytes are left. To read on: read_file {"path":"poem.txt","start_line":3,"end_line":4,"max_bytes":5,"numbered":true}

    `poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: line 5 (bytes 19–23).
    <data-00000000000000fe poem.txt>
    five
    </data-00000000000000fe>

    `crlf`: 3 lines, 7 bytes, UTF-8, blob d37a6c0b.
    Shown: lines 1–3 (bytes 0–6).
    <data-00000000000000fe crlf>
    1	a
    2	b
    3	c
    </data-00000000000000fe>

    `one`: 1 line, 6 bytes, UTF-8, blob c1d16127.
    Shown: line 1 (bytes 0–5).
    <data-00000000000000fe one>
    no end
    </data-00000000000000fe>

    `empty` is empty.
    "#);
}

#[test]
fn what_cannot_be_shown_is_told() {
    let fixture = Fixture::new();
    fixture.file("poem.txt", POEM).directory("dir");
    let mut session = fixture.session(".");
    let mut read = |arguments: Value| refused(&mut session, "read_file", arguments);
    let told = [
        read(json!({"path":"poem.txt","offset":24})),
        read(json!({"path":"poem.txt","start_line":6})),
        read(json!({"path":"poem.txt","start_line":4,"end_line":2})),
        read(json!({"path":"poem.txt","start_line":1,"offset":3})),
        read(json!({"path":"dir"})),
        read(json!({"path":"hex:zz"})),
        read(json!({"path":"/etc/passwd"})),
    ];
    insta::assert_snapshot!(told.join("\n"), @"
    The file has 24 bytes: `offset` must be below that, not 24.
    The file has 5 lines: there is no line 6.
    `end_line` (2) lies before `start_line` (4).
    Ask by bytes (`offset`) or by lines (`start_line`, `end_line`), not both.
    `dir`: this is a directory. Use list_directory to see what is in it.
    A path that begins with `hex:` needs pairs of hexadecimal digits, as list_directory shows them.
    `/etc/passwd`: this leads out of the target. Only what is inside can be opened: use a path relative to the target, such as `src/main.rs`, without a leading `/`; `.` is the target itself.
    ");
}

#[test]
fn v05_a_link_is_read_by_its_own_name_and_cited_by_the_real_one() {
    let fixture = Fixture::new();
    fixture.file("src/poem.txt", POEM).link("link", "src/poem.txt");
    let mut session = fixture.session(".");
    let came = call(&mut session, "read_file", json!({"path":"link","end_line":1}));
    insta::assert_snapshot!(came.text, @"
    `link` leads to `src/poem.txt`.
    `src/poem.txt`: 5 lines, 24 bytes, UTF-8, blob bd730ce8.
    Shown: line 1 (bytes 0–3).
    <data-00000000000000fe src/poem.txt>
    one
    </data-00000000000000fe>
    ");
    assert_eq!(came.served[0].path.for_terminal(), "src/poem.txt");
    let text = told(&mut session, "read_file", json!({"path":"./src/../src/poem.txt","end_line":1}));
    assert!(!text.contains("leads to"), "{text}");
}

#[test]
fn encodings_are_found_and_told() {
    let fixture = Fixture::new();
    let utf16 = |text: &str, mark: bool, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
        units.flat_map(bytes).collect()
    };
    let text = "Größe: 数\nzweite 🦀\n";
    fixture
        .file("utf8", text)
        .file("utf8-mark", format!("\u{feff}{text}"))
        .file("utf16le", utf16(text, true, u16::to_le_bytes))
        .file("utf16be", utf16(text, true, u16::to_be_bytes))
        .file("utf16-no-mark", utf16("plain text\nand more\n", false, u16::to_le_bytes))
        .file("latin1", b"Gr\xf6\xdfe\nzweite\n")
        .file("late-latin1", [&[b'a'; 40_000][..], b"\n\xe9\n"].concat());
    let mut session = fixture.session(".");
    let mut head = |path: &str, arguments: Value| {
        let mut arguments = arguments;
        arguments["path"] = path.into();
        let came = call(&mut session, "read_file", arguments);
        assert!(!came.failed, "{}", came.text);
        let text = came.text.replace(&"a".repeat(100), "");
        text.lines()
            .filter(|line| !line.starts_with('<') && !line.starts_with("</"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let told = [
        head("utf8", json!({})),
        head("utf8-mark", json!({})),
        head("utf16le", json!({})),
        head("utf16be", json!({"start_line":2,"numbered":true})),
        head("utf16le", json!({"offset":21,"max_bytes":9})),
        head("utf16-no-mark", json!({"end_line":1})),
        head("latin1", json!({})),
        head("late-latin1", json!({"start_line":2})),
        head("utf8", json!({"offset":3,"max_bytes":4})),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    `utf8`: 2 lines, 25 bytes, UTF-8, blob 3d869f50.
    Shown: lines 1–2 (bytes 0–24).
    Größe: 数
    zweite 🦀
    `utf8-mark`: 2 lines, 28 bytes, UTF-8 with a byte order mark, blob 3b87d1b0.
    Shown: lines 1–2 (bytes 0–27).
    Größe: 数
    zweite 🦀
    `utf16le`: 2 lines, 40 bytes, UTF-16, little-endian, blob c59cbfc5.
    Shown: lines 1–2 (bytes 0–39).
    Größe: 数
    zweite 🦀
    `utf16be`: 2 lines, 40 bytes, UTF-16, big-endian, blob 4049f126.
    Shown: line 2 (bytes 20–39).
    2	zweite 🦀
    `utf16le`: 2 lines, 40 bytes, UTF-16, little-endian, blob c59cbfc5.
    Shown: line 2 (bytes 22–29).
    weit
    Cut here, 10 bytes are left. To read on: read_file {"path":"utf16le","offset":30,"max_bytes":9}
    `utf16-no-mark`: 2 lines, 40 bytes, UTF-16, little-endian, blob 54101ac2.
    Shown: line 1 (bytes 0–21).
    plain text
    `latin1`: 2 lines, 13 bytes, Latin-1, blob 1d3c6252.
    Shown: lines 1–2 (bytes 0–12).
    Größe
    zweite
    `late-latin1`: 2 lines, 40003 bytes, Latin-1, blob 95f107b6.
    Shown: line 2 (bytes 40001–40002).
    é
    `utf8`: 2 lines, 25 bytes, UTF-8, blob 3d869f50.
    Shown: line 1 (bytes 4–6).
    ße
    Cut here, 18 bytes are left. To read on: read_file {"path":"utf8","offset":7,"max_bytes":4}
    "#);
}

#[test]
fn binary_files_are_described() {
    let fixture = Fixture::new();
    fixture.file("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0");
    fixture.file("nuls", [0; 100]);
    let mut session = fixture
        .session(".")
        .with_describer(|head, size| format!("image data of {size} bytes that begins with {}", head[0]));
    let came = call(&mut session, "read_file", json!({"path":"a.png"}));
    insta::assert_snapshot!(came.text, @"
    `a.png`: 29 bytes, binary, blob d6fd09cd. Its text is not shown, because it has none.
    <data-00000000000000fe what a.png is>
    image data of 29 bytes that begins with 137
    </data-00000000000000fe>
    <data-00000000000000fe first 29 bytes of a.png>
    0000  89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52  .PNG........IHDR
    0010  00 00 00 10 00 00 00 10 08 06 00 00 00           .............
    </data-00000000000000fe>
    ");
    assert_eq!((came.served[0].start, came.served[0].end, came.served[0].first_line), (0, 29, 0));
    insta::assert_snapshot!(told(&mut session, "read_file", json!({"path":"nuls"})), @"
    `nuls`: 100 bytes, binary, blob cd00e292. Its text is not shown, because it has none.
    <data-00000000000000fe what nuls is>
    image data of 100 bytes that begins with 0
    </data-00000000000000fe>
    <data-00000000000000fe first 64 bytes of nuls>
    0000  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    0010  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    0020  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    0030  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    </data-00000000000000fe>
    ");
}

#[test]
fn v11_a_sparse_file_of_a_terabyte_is_told_and_never_hashed() {
    let fixture = Fixture::new();
    fixture.file("huge", "");
    let file = std::fs::OpenOptions::new().write(true).open(fixture.target().join("huge")).unwrap();
    file.set_len(1 << 40).unwrap();
    let mut session = fixture.session(".");
    let start = std::time::Instant::now();
    let came = call(&mut session, "read_file", json!({"path":"huge"}));
    assert!(start.elapsed() < std::time::Duration::from_secs(1), "{:?}", start.elapsed());
    assert_eq!(came.served[0].blob, None);
    insta::assert_snapshot!(came.text.lines().next().unwrap(), @"`huge`: 1099511627776 bytes, binary, mostly holes: 0 bytes allocated, too large to be hashed. Its text is not shown, because it has none.");
}

#[test]
fn a_text_above_the_limit_is_read_by_bytes() {
    let fixture = Fixture::new();
    fixture.file("log", "a line of a log\n".repeat(100));
    let mut session = fixture.session_with(".", Limits { hash_bytes: 1000, ..Limits::default() });
    let came = call(&mut session, "read_file", json!({"path":"log","offset":160,"max_bytes":20}));
    assert_eq!((came.served[0].blob, came.served[0].first_line), (None, 0));
    insta::assert_snapshot!(came.text, @r#"
    `log`: lines not counted, 1600 bytes, UTF-8, too large to be hashed.
    Shown: bytes 160–175.
    <data-00000000000000fe log>
    a line of a log
    </data-00000000000000fe>
    Cut here, 1424 bytes are left. To read on: read_file {"path":"log","offset":176,"max_bytes":20}
    "#);
    insta::assert_snapshot!(refused(&mut session, "read_file", json!({"path":"log","start_line":3})), @"The file has 1600 bytes; lines are not counted in files that large. Use `offset`, or search.");
}

#[test]
fn v12_a_file_that_grows_or_shrinks_is_read_within_bounds() {
    let fixture = Fixture::new();
    fixture.file("log", "first\n");
    let mut session = fixture.session(".");
    let before = call(&mut session, "read_file", json!({"path":"log"}));
    write(&fixture.target().join("log"), b"first\nsecond\n");
    let after = call(&mut session, "read_file", json!({"path":"log"}));
    assert_ne!(before.served[0].blob, after.served[0].blob, "a changed file is hashed again");
    assert!(after.text.contains("2 lines, 13 bytes"), "{}", after.text);

    // Somebody appends and cuts as fast as they can, while the file is read whole again and again.
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let path = fixture.target().join("log");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
            let mut length = 0;
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                length = (length + 9_973) % 300_000;
                file.set_len(length).unwrap();
            }
        });
        for _ in 0..200 {
            let came = call(&mut session, "read_file", json!({"path":"log"}));
            assert!(came.text.len() <= 32 << 10);
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn v16_a_hard_link_to_somebody_elses_file_is_flagged() {
    let fixture = Fixture::new();
    fixture.file("mine", "x");
    std::fs::hard_link(fixture.outside("secret"), fixture.target().join("linked")).unwrap();
    let mut session = fixture.session(".");
    assert!(
        call(&mut session, "read_file", json!({"path":"linked"})).effects.is_empty(),
        "the owner is the same"
    );
    // Only root can give files away; elsewhere such a file cannot be made.
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(fixture.outside("secret"), Some(65_534), None).unwrap();
        let came = call(&mut session, "read_file", json!({"path":"linked"}));
        let [Effect::Flag(flag)] = &came.effects[..] else { panic!("{came:?}") };
        assert_eq!(flag.rule.as_deref(), Some("file.foreign-hard-link"));
    }
}

/// Follows the way that each result names, and puts together what was shown.
fn read_all(fixture: &Fixture, path: &str, limits: Limits) -> (Vec<u8>, usize) {
    let mut session = fixture.session_with(".", limits.clone());
    let whole = std::fs::read(fixture.target().join(path)).unwrap();
    let mut arguments = json!({"path":path,"max_bytes":32_768});
    let (mut shown, mut calls) = (Vec::new(), 0);
    loop {
        let came = call(&mut session, "read_file", arguments);
        assert!(!came.failed && came.text.len() <= limits.result_bytes, "{}", came.text.len());
        calls += 1;
        let [served] = &came.served[..] else { panic!("{came:?}") };
        assert_eq!(usize::try_from(served.start).unwrap(), shown.len(), "without a gap");
        assert!(served.start < served.end, "each call gets on");
        shown.extend_from_slice(
            &whole[usize::try_from(served.start).unwrap()..usize::try_from(served.end).unwrap()],
        );
        match came.text.split_once("To read on: read_file ") {
            Some((_, next)) => arguments = serde_json::from_str(next.trim()).unwrap(),
            None => return (shown, calls),
        }
    }
}

#[test]
fn v41_whatever_is_cut_can_be_read_to_the_end() {
    let fixture = Fixture::new();
    fixture
        .file("many-lines", "a line of some length\n".repeat(9_000))
        .file("one-line", "é".repeat(300_000))
        .file("treacherous", "\u{202e}\u{e0041}\u{1b}".repeat(5_000))
        .file("no-text", [b"text \xff\xfe\x80 ".repeat(9_000), b"\n".to_vec()].concat());
    for path in ["many-lines", "one-line", "treacherous", "no-text"] {
        let whole = std::fs::read(fixture.target().join(path)).unwrap();
        let (shown, calls) = read_all(&fixture, path, Limits::default());
        assert!(
            shown == whole && 1 < calls,
            "{path}: {} of {} bytes in {calls} calls",
            shown.len(),
            whole.len()
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]

    /// Lines and bytes agree with each other, for any text and any range.
    #[test]
    fn lines_are_the_lines_of_the_file(lines in proptest::collection::vec("[a-zé数]{0,60}", 1..2000), at in 0.0..1.0f64, many in 1u64..40) {
        let fixture = Fixture::new();
        let text = lines.join("\n");
        proptest::prop_assume!(!text.is_empty());
        fixture.file("f", &text);
        let total = text.lines().count() as u64;
        let first = ((at * total as f64) as u64 + 1).min(total);
        let last = (first + many - 1).min(total);
        let mut session = fixture.session(".");
        let came = call(&mut session, "read_file", json!({"path":"f","start_line":first,"end_line":last}));
        proptest::prop_assert!(!came.failed, "{}", came.text);
        let served = &came.served[0];
        let expected: String = text.split_inclusive('\n').skip(first as usize - 1).take((last - first + 1) as usize).collect();
        proptest::prop_assert_eq!(&text[served.start as usize..served.end as usize], &expected);
        proptest::prop_assert_eq!((served.first_line, served.last_line), (first, last));
        // The same bytes by their offset have the same lines.
        let by_bytes = json!({"path":"f","offset":served.start,"max_bytes":(served.end - served.start).max(1)});
        let came = call(&mut session, "read_file", by_bytes);
        proptest::prop_assert_eq!(came.served[0].first_line, first);
    }
}
