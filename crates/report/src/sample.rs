//! Scans made by hand, for tests.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use luminos_core::ContentHash;
use luminos_core::scan::{
    Builder, Category, FileRecord, Kind, LanguageId, LineCounts, Problem, Reading, Rule, Scan, Skipped,
    Trouble,
};

const RUST: LanguageId = LanguageId(0);
const HTML: LanguageId = LanguageId(1);
const JAVASCRIPT: LanguageId = LanguageId(2);
const CSS: LanguageId = LanguageId(3);
const TOML: LanguageId = LanguageId(4);

/// 2026-11-16 03:00 UTC, and some minutes.
fn at_minute(minute: i64) -> i64 {
    (1_794_798_000 + minute * 60) * 1_000_000_000
}

fn hash(digit: u8) -> ContentHash {
    ContentHash([digit; 32])
}

fn file(category: Category, size: u64, minute: i64) -> FileRecord {
    FileRecord { category, size, modified: at_minute(minute), hash: hash(0x11), ..FileRecord::default() }
}

fn source(language: LanguageId, size: u64, lines: [u32; 3], minute: i64) -> FileRecord {
    let [code, comments, blanks] = lines;
    let lines = code + comments + blanks;
    FileRecord {
        language: Some(language),
        lines,
        code,
        comments,
        blanks,
        ..file(Category::Source, size, minute)
    }
}

fn target() -> Builder {
    let mut builder = Builder::new("/home/ada/hello", vec!["Rust", "HTML", "JavaScript", "CSS", "TOML"]);
    builder.dir_mut(Builder::ROOT).hash = hash(0x3f);
    builder
}

/// A typical small project.
pub(crate) fn small() -> Scan {
    let mut builder = target();
    builder.file_at(b"src/main.rs", source(RUST, 3_174, [80, 12, 9], 5));
    builder.file_at(b"src/lib.rs", source(RUST, 48_220, [1_120, 140, 96], 4));
    builder.file_at(b"src/parser/tokens.rs", source(RUST, 5_120, [150, 20, 30], 3));
    builder.file_at(b"src/parser/deep/down/here.rs", source(RUST, 40, [2, 0, 0], 3));
    let page = builder.file_at(b"web/index.html", source(HTML, 2_048, [40, 1, 3], 2));
    builder.embed(page, JAVASCRIPT, LineCounts { code: 12, comments: 2, blanks: 1 });
    builder.embed(page, CSS, LineCounts { code: 7, comments: 0, blanks: 0 });
    let manifest = source(TOML, 512, [14, 0, 3], 1);
    builder.file_at(b"Cargo.toml", FileRecord { category: Category::Config, ..manifest });
    builder.file_at(b"README.md", file(Category::Document, 1_536, 0));
    let description = builder.describe("ELF 64-bit LSB pie executable, x86-64, dynamically linked");
    let tool = FileRecord { description, executable: true, ..file(Category::Unknown, 16_384, -60) };
    builder.file_at(b"tools/run", tool);
    builder.file_at(b"latest", FileRecord { kind: Kind::Symlink, ..file(Category::Unknown, 11, 0) });
    let unread = FileRecord { reading: Reading::Unread, hash: hash(0), ..file(Category::Unknown, 64, -90) };
    builder.file_at(b"secret.key", unread);
    builder.add_problem(Problem {
        path: "secret.key".into(),
        trouble: Trouble::Unread("Permission denied".to_owned()),
    });
    for (path, rule) in [
        (".editorconfig", Rule::Hidden),
        (".git", Rule::AlwaysLeftOut),
        ("target", Rule::CargoTarget),
        ("web/out.log", ignored("*.log")),
        ("src/old.log", ignored("*.log")),
        ("notes.tmp", ignored("*.tmp")),
        ("private", Rule::Excluded { name: "private".to_owned() }),
    ] {
        builder.skip(Skipped { path: path.into(), rule, is_dir: false });
    }
    builder.finish()
}

fn ignored(pattern: &str) -> Rule {
    Rule::IgnoreFile { file: ".gitignore".to_owned(), pattern: pattern.to_owned() }
}

/// A project of one file.
pub(crate) fn tiny() -> Scan {
    let mut builder = target();
    builder.file_at(b"src/main.rs", source(RUST, 12, [1, 0, 0], 0));
    builder.finish()
}

/// Directories in directories in directories.
pub(crate) fn deep(levels: u32) -> Scan {
    let mut builder = target();
    let mut at = Builder::ROOT;
    for _ in 0..levels {
        at = builder.add_dir(at, b"d");
    }
    builder.finish()
}

/// A directory with nothing in it.
pub(crate) fn empty() -> Scan {
    target().finish()
}

/// Names and words that try to steer a terminal, or are no text at all.
pub(crate) fn hostile() -> Scan {
    let root = OsStr::from_bytes(b"/tmp/\x1b]0;owned\x07\xfe");
    let mut builder = Builder::new(root, vec!["Rust"]);
    builder.file_at(b"new\nline\rback", file(Category::Data, 1, 0));
    builder.file_at(b"\x1b[2Jclear.rs", source(LanguageId(0), 2, [1_001, 0, 0], 1));
    builder.file_at("\u{202e}txt.exe\u{9b}".as_bytes(), file(Category::Unknown, 3, 2));
    builder.file_at(b"\xff\xfe/\x9b31m/red", file(Category::Unknown, 4, 3));
    let description = builder.describe("data, \x1b]52;c;stolen\x07");
    builder.file_at(b"described", FileRecord { description, ..file(Category::Unknown, 5, 4) });
    builder.add_problem(Problem {
        path: ".gitignore".into(),
        trouble: Trouble::BadPattern { line: 1, reason: "bad \x1b[31m[".to_owned() },
    });
    builder.skip(Skipped { path: "x\x1b[1m".into(), rule: ignored("*\x1b[1m"), is_dir: false });
    builder.finish()
}

/// More problems than anybody reads.
pub(crate) fn troubled() -> Scan {
    let mut builder = target();
    let denied = || "Permission denied".to_owned();
    let locked = builder.dir_at(b"locked");
    builder.dir_mut(locked).unreadable = true;
    builder.add_problem(Problem { path: "locked".into(), trouble: Trouble::Unlisted(denied()) });
    for number in 0..1_234 {
        let path = format!("a/rather/long/path/that/does/not/fit/beside/its/message/{number:04}.bin");
        builder.add_problem(Problem { path: path.as_str().into(), trouble: Trouble::Unread(denied()) });
    }
    builder.finish()
}

/// A directory with more entries than a tree shows.
pub(crate) fn huge() -> Scan {
    let mut builder = target();
    for number in 0..100_000 {
        builder.add_file(Builder::ROOT, format!("{number:06}.dat").as_bytes(), file(Category::Data, 10, 0));
    }
    let below = builder.add_dir(Builder::ROOT, b"below");
    builder.add_file(below, b"one", file(Category::Data, 10, 0));
    builder.finish()
}

/// Whatever makes an optional key of the JSON document appear.
pub(crate) fn everything() -> Scan {
    let root = OsStr::from_bytes(b"/tmp/\xff");
    let mut builder = Builder::new(root, vec!["Rust", "HTML"]);
    let description = builder.describe("ELF");
    let page = builder.file_at(b"page.rs", source(LanguageId(0), 20 << 20, [2_000, 1, 1], 0));
    builder.embed(page, LanguageId(1), LineCounts::default());
    let sampled = FileRecord { reading: Reading::Sampled, description, ..file(Category::Archive, 9, 0) };
    builder.file_at(b"\xff", sampled);
    let mut deep = builder.dir_at(b"deep");
    for _ in 0..30 {
        deep = builder.add_dir(deep, &[b'n'; 200]);
    }
    let locked = builder.dir_at(b"locked");
    builder.dir_mut(locked).unreadable = true;
    for name in 0..300u32 {
        builder.add_file(locked, &name.to_be_bytes(), file(Category::Data, 1, 0));
    }
    builder.add_problem(Problem { path: "locked".into(), trouble: Trouble::Unlisted("denied".to_owned()) });
    builder.skip(Skipped { path: ".git".into(), rule: Rule::AlwaysLeftOut, is_dir: true });
    builder.finish()
}
