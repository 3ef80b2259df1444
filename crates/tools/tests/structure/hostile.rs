//! Bytes that mean harm, or mean nothing.

use luminos_tools::structure::{Limits, outline};
use proptest::prelude::*;

use super::read;

/// Names that lead to every reader there is.
const NAMES: &[&str] = &[
    "a.rs",
    "a.py",
    "a.js",
    "a.ts",
    "a.tsx",
    "a.go",
    "a.java",
    "a.c",
    "a.h",
    "a.cpp",
    "a.cs",
    "a.rb",
    "a.php",
    "a.sh",
    "a.kt",
    "a.swift",
    "a.scala",
    "a.lua",
    "a.sql",
    "a.html",
    "a.css",
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "requirements.txt",
    "go.mod",
    "pom.xml",
    "Gemfile",
    "a.gemspec",
    "composer.json",
    "a.csproj",
    "CMakeLists.txt",
    "Makefile",
    "build.gradle",
    "Dockerfile",
    "docker-compose.yml",
    ".gitlab-ci.yml",
    ".env",
    "a.json",
    "a.yaml",
    "a.toml",
    "a.xml",
    "a.svg",
    "a.md",
    "a.rst",
    "a.csv",
    "a.tsv",
    "a.ipynb",
    "script",
];

/// What files of some forms begin with.
const BEGINNINGS: &[&[u8]] = &[
    b"SQLite format 3\0\x10\x00\x01\x01\x00\x40\x20\x20",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b\x08\x00",
    b"%PDF-1.7\n",
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"BM\0\0\0\0\0\0\0\0",
    b"RIFF\0\0\0\0WEBPVP8X",
    b"\xff\xd8\xff\xe1\0\x20Exif\0\0MM\0*",
    b"\0\0\x01\0",
    b"II*\0\x08\0\0\0\x03\0\0\x01\x03\0\x01\0\0\0",
    b"MM\0*\0\0\0\x08\0\x02",
    b"FUJIFILMCCD-RAW ",
    b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x40meta\0\0\0\0",
    b"\0\0\0\x18ftypcrx \0\0\0\0CMT1II*\0",
    b"%PDF-1.4\n4 0 obj << >> stream\nBT /F1 9 Tf (x) Tj",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
];

const FIXTURES: &[(&str, &[u8])] = &[
    ("a.c", include_bytes!("fixtures/shop.c")),
    ("a.cpp", include_bytes!("fixtures/shop.cpp")),
    ("a.cs", include_bytes!("fixtures/shop.cs")),
    ("a.css", include_bytes!("fixtures/shop.css")),
    ("a.go", include_bytes!("fixtures/shop.go")),
    ("a.html", include_bytes!("fixtures/shop.html")),
    ("a.java", include_bytes!("fixtures/shop.java")),
    ("a.js", include_bytes!("fixtures/shop.js")),
    ("a.kt", include_bytes!("fixtures/shop.kt")),
    ("a.lua", include_bytes!("fixtures/shop.lua")),
    ("a.php", include_bytes!("fixtures/shop.php")),
    ("a.py", include_bytes!("fixtures/shop.py")),
    ("a.rb", include_bytes!("fixtures/shop.rb")),
    ("a.rs", include_bytes!("fixtures/shop.rs")),
    ("a.scala", include_bytes!("fixtures/shop.scala")),
    ("a.sh", include_bytes!("fixtures/shop.sh")),
    ("a.sql", include_bytes!("fixtures/shop.sql")),
    ("a.swift", include_bytes!("fixtures/shop.swift")),
    ("a.ts", include_bytes!("fixtures/shop.ts")),
    ("a.tsx", include_bytes!("fixtures/shop.tsx")),
    ("a.sqlite", include_bytes!("fixtures/shop.sqlite")),
    ("a.zip", include_bytes!("fixtures/shop.zip")),
    ("a.tar.gz", include_bytes!("fixtures/shop.tar.gz")),
    ("a.pdf", include_bytes!("fixtures/shop.pdf")),
    ("a.png", include_bytes!("fixtures/shop.png")),
    ("a.jpg", include_bytes!("fixtures/shop.jpg")),
    ("Cargo.toml", include_bytes!("../../Cargo.toml")),
    ("a.yml", include_bytes!("fixtures/workflow.yml")),
    ("pom.xml", include_bytes!("fixtures/pom.xml")),
    ("a.ipynb", include_bytes!("fixtures/shop.ipynb")),
    ("a.csv", include_bytes!("fixtures/shop.csv")),
    ("a.md", include_bytes!("fixtures/shop.md")),
];

fn all_names(bytes: &[u8]) {
    for name in NAMES {
        let limits = Limits::default();
        let once = outline(name.as_bytes(), bytes, &limits);
        if let Ok(outline) = &once {
            let text = outline.for_model();
            assert!(text.len() < 32 << 10, "{name}: {} bytes", text.len());
            let is_inert =
                |character: char| character == '\n' || !luminos_core::Untrusted::is_treacherous(character);
            assert!(text.chars().all(is_inert), "{name}: {text:?}");
        }
        assert_eq!(once, outline(name.as_bytes(), bytes, &limits), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes_under_any_name(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        all_names(&bytes);
    }

    #[test]
    fn any_text_under_any_name(text in "[a-z(){}\\[\\]<>\"'`:;,=#/*\\\\\n\t .0-9@!?&|-]{0,400}") {
        all_names(text.as_bytes());
    }

    #[test]
    fn any_bytes_after_a_known_beginning(index in 0..BEGINNINGS.len(), bytes in prop::collection::vec(any::<u8>(), 0..4_000)) {
        let bytes = [BEGINNINGS[index], &bytes].concat();
        let _ = outline(b"a", &bytes, &Limits::default());
        let _ = outline(b"a.md", &bytes, &Limits::default());
    }

    #[test]
    fn files_with_wrong_bytes(
        index in 0..FIXTURES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let (name, bytes) = FIXTURES[index];
        let mut bytes = bytes.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = outline(name.as_bytes(), &bytes, &Limits::default()).map(|outline| outline.for_model());
    }
}

/// Wherever a file ends, an outline of what is there comes out, or a reason.
#[test]
fn files_that_end_too_early() {
    for (name, bytes) in FIXTURES {
        let step = bytes.len().div_ceil(150).max(1);
        for length in (0..bytes.len()).step_by(step) {
            let _ = outline(name.as_bytes(), &bytes[..length], &Limits::default())
                .map(|outline| outline.for_model());
        }
    }
}

#[test]
fn five_megabytes_of_brackets() {
    let brackets = "(".repeat(5 << 20);
    let fewer = "(".repeat(200 << 10);
    for name in NAMES {
        let is_program = name.starts_with("a.") && name.len() <= 5;
        let text = if is_program { &brackets } else { &fewer };
        let result = outline(name.as_bytes(), text.as_bytes(), &Limits::default());
        if name.contains("a.") && !name.contains(['m', 'x']) && name.len() <= 5 {
            assert!(result.is_err() || name.ends_with("sv") || name.ends_with("rst"), "{name}: {result:?}");
        }
    }
    // On lines short enough for a program, and small enough, the depth alone must not hurt.
    let lines = format!("{}\n", "(".repeat(1_000)).repeat(30);
    for name in NAMES {
        let _ = outline(name.as_bytes(), lines.as_bytes(), &Limits::default());
    }
}

#[test]
fn ten_megabytes_of_json_in_one_line() {
    let zeros = format!("[{}0]", "0,".repeat(5 << 20));
    insta::assert_snapshot!(read("a.json", zeros), @"JSON: list of 5242881");
    let objects = format!("[{}{{}}]", "{\"key\":[1,{\"inner\":null}]},".repeat(40_000));
    insta::assert_snapshot!(read("a.json", objects), @r"
    JSON: list of 40001
    1 [].key: list of 2
    ");
}

#[test]
fn minified_programs_are_refused() {
    let line = "a=b;".repeat(1 << 20);
    insta::assert_snapshot!(read("a.js", line), @"not parsed, because it has 4194304 bytes and only 2097152 are parsed; read_file and search still work");
    let line = "a=b;".repeat(20_000);
    insta::assert_snapshot!(read("a.js", line), @"not parsed, because it looks minified or generated: line 1 has 80000 bytes");
}

#[test]
fn documents_as_deep_as_wells() {
    let deep = 200_000;
    for (name, bytes) in [
        ("a.json", format!("{}{}", "[".repeat(deep), "]".repeat(deep))),
        ("a.json", "{\"a\":".repeat(deep)),
        ("a.yaml", "[".repeat(deep)),
        ("a.yaml", (0..2_000).map(|depth| format!("{}- \n", " ".repeat(depth))).collect()),
        ("a.toml", format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000))),
        ("a.toml", format!("{} = 1", vec!["a"; 20_000].join("."))),
        ("a.toml", (0..20_000).map(|index| format!("[t{index}]\na = 1\n")).collect()),
        ("a.xml", "<a>".repeat(deep)),
        ("a.md", "> ".repeat(20_000)),
        ("a.md", "[".repeat(100_000)),
        ("a.md", "*a ".repeat(100_000)),
        ("a.rs", "fn f() { if a {\n".repeat(20_000)),
        ("a.py", (0..1_500).map(|depth| format!("{}if a:\n", " ".repeat(depth))).collect()),
        ("a.c", "#if A\n".repeat(20_000)),
        ("a.html", "<div>\n".repeat(30_000)),
    ] {
        let _ =
            outline(name.as_bytes(), bytes.as_bytes(), &Limits::default()).map(|outline| outline.for_model());
    }
}

#[test]
fn aliases_are_not_expanded() {
    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..11 {
        let before = format!("*a{},", level - 1).repeat(9);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", before.trim_end_matches(',')));
    }
    bomb.push_str("self: &self {me: *self}\n");
    insta::assert_snapshot!(read("a.yaml", bomb), @r"
    YAML: map of 12
    1 a0: list of 9
    2 a1: list of 9
    3 a2: list of 9
    4 a3: list of 9
    5 a4: list of 9
    6 a5: list of 9
    7 a6: list of 9
    8 a7: list of 9
    9 a8: list of 9
    10 a9: list of 9
    11 a10: list of 9
    12 self: map of 1
    12 self.me: nothing
    ");
}

/// Pages of a database that point at one another.
#[test]
fn databases_that_go_in_circles() {
    let database = include_bytes!("fixtures/shop.sqlite");
    for at in (100..database.len().min(4_200)).step_by(3) {
        for byte in [0, 2, 0xff] {
            let mut bytes = database.to_vec();
            bytes[at] = byte;
            let _ = outline(b"a.db", &bytes, &Limits::default());
        }
    }
}

#[test]
fn text_of_the_target_is_inert() {
    let python = "def f\u{202e}(x='\x1b[2J'): pass\n# \x1b]0;evil\x07\nclass \u{200b}A: pass\n";
    let text = read("a.py", python);
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{200b}', '\u{7}']), "{text:?}");
    let text = read("a.md", "# \u{202e}evil\u{1b}[2J\n\n[a](javascript:\u{7})\n");
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text:?}");
}

#[test]
fn other_encodings_are_read() {
    let units: Vec<u8> = "\u{feff}fn main() {}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    insta::assert_snapshot!(read("a.rs", units), @r"
    Rust, 1 line (1 of code), 1 function
    Entry points:
    1 fn main()
    Types and functions:
    1 fn main()
    ");
    insta::assert_snapshot!(read("a.rs", b"\xef\xbb\xbf// \xe9\nfn caf\xe9() {}\n"), @r"
    Rust, 2 lines (1 of code), 1 function
    The grammar could not read all of it: items may be missing.
    Types and functions:
    2 fn caf�()
    ");
    insta::assert_snapshot!(read("a.rs", ""), @"not parsed, because the file is empty");
    insta::assert_snapshot!(read("a.rs", "fn\0main"), @"not parsed, because it is not text, though its name says so");
    insta::assert_snapshot!(read("a.xyz", "what"), @"not parsed, because nothing is known about files of this kind; read_file and search still work");
}
