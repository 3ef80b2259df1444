//! Equality with tokei: on every language, on text made of its own marks, and on whole trees.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn by_tokei(language: LanguageType, text: &[u8]) -> Counted {
    let stats = language.parse_from_slice(text, &Config::default());
    let mut counted = Counted { own: own_counts(&stats), embedded: Vec::new() };
    flatten(&stats, &mut counted);
    counted
}

#[track_caller]
fn check(language: LanguageType, text: &str) {
    assert_eq!(count(language, text.as_bytes()), by_tokei(language, text.as_bytes()), "{language}: {text:?}");
}

/// Pieces that texts are made of: the marks of a language among others that could confuse.
fn pieces(language: LanguageType) -> Vec<String> {
    let mut pieces: Vec<String> = [
        "\n", "\n", "\n", " ", "\t", "\r\n", "\\", "x", "code();", "\u{e9}", "\"", "'", "#", "/", "*", "-",
        "<", ">",
    ]
    .map(str::to_owned)
    .to_vec();
    let pairs = [
        language.quotes(),
        language.verbatim_quotes(),
        language.doc_quotes(),
        language.multi_line_comments(),
        language.nested_comments(),
    ];
    for (start, end) in pairs.into_iter().flatten() {
        pieces.extend([(*start).to_owned(), (*end).to_owned()]);
    }
    pieces.extend(language.line_comments().iter().map(|mark| (*mark).to_owned()));
    pieces.extend(language.important_syntax().iter().map(|mark| (*mark).to_owned()));
    match Syntax::of(language).embedding {
        syntax::Embedding::None => {}
        syntax::Embedding::RustDoc => {
            pieces.extend(
                ["/// doc\n", "//! doc\n", "/// ```\n", "/// ```rust\n", "///\n", "r#\"", "\"#"]
                    .map(str::to_owned),
            );
        }
        syntax::Embedding::Markdown => {
            pieces.extend(
                ["```rust\n", "```js,x\n", "```\n", "``` ", "```unknown\n", "~~~"].map(str::to_owned),
            );
        }
        syntax::Embedding::Html => {
            let tags = [
                "<script>",
                "<script type=\"text/python\">",
                "</script>",
                "<style>",
                "<style lang=\"scss\">",
                "</style>",
                "<template>",
                "<template lang=\"pug\">",
                "</template>",
                "<!--",
                "-->",
                "type=\"",
            ];
            pieces.extend(tags.map(str::to_owned));
        }
    }
    pieces
}

fn any_language() -> impl Strategy<Value = LanguageType> {
    let embedding: Vec<LanguageType> = language::all()
        .iter()
        .copied()
        .filter(|&language| Syntax::of(language).embedding != syntax::Embedding::None)
        .collect();
    prop_oneof![3 => select(language::all().to_vec()), 1 => select(embedding)]
}

fn any_text() -> impl Strategy<Value = (LanguageType, String)> {
    any_language().prop_flat_map(|language| {
        let text = prop::collection::vec(select(pieces(language)), 0..40).prop_map(|pieces| pieces.concat());
        (Just(language), text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_counts_as_in_tokei((language, text) in any_text()) {
        prop_assert_eq!(
            count(language, text.as_bytes()),
            by_tokei(language, text.as_bytes()),
            "{}: {:?}", language, text
        );
    }

    #[test]
    fn any_bytes_count_as_in_tokei(language in any_language(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(count(language, &bytes), by_tokei(language, &bytes));
    }
}

#[test]
fn frequent_cases_count_as_in_tokei() {
    use LanguageType::{C, Css, Html, JavaScript, Json, Lua, Markdown, Python, Rust, Text, Toml};
    check(Rust, "");
    check(Rust, "\n");
    check(Rust, "fn main() {}");
    check(Rust, "let a = \"x\";\n/// doc\nfn f() {}\n");
    check(Rust, "let a = 1;\n\n\n/// doc\n\n/// more\n\nfn f() {}\n");
    check(Rust, "/// ```\n/// let a = 1; // x\n/// ```\nfn f() {}\n//! end");
    check(Rust, "/* a /* nested */ still */ code\nr#\"raw \" // no\n\"# ; // yes\n");
    check(C, "/* a */ int x; /* b */\n/*/ */ y\n// \"\nchar *s = \"a\\\"b\"; // c\n/* open\n\n*/ \"open\n");
    check(Python, "\"\"\"doc\n# inside\n\"\"\"\nx = 'it' # c\n# c\n");
    check(Lua, "--[[ block\nstill ]] code\n-- line\n--\n");
    check(JavaScript, "`template ${'//'} \n// in it\n` // after\n");
    check(Html, "<p>\n<script>\nlet a = 1; // x\n</script>\n<style>\na {}\n</style>\n<!-- c -->\n");
    check(Html, "<script type=\"text/typescript\">\nlet a;\n</script>\n<script type=\"x\"></script>\n");
    check(Html, "<script x=\" type=\"text/javascript\">   </script>\n");
    check(Markdown, "# T\n\n```rust\nfn f() {} // c\n```\ntext\n```\nplain\n```\n```js,ignore\n1\n");
    check(Text, "a\n\nb");
    check(Json, "{\n\n}\n");
    check(Toml, "# c\n[a]\nb = \"#\"\n");
    check(Css, "/* a\n*/ b {}\n");
    check(Html, "\"<style lang=\"scss\">\n</style>");
    check(LanguageType::Forth, "( \nx\n( y )\n");
}

#[test]
fn byte_order_marks_count_as_in_tokei() {
    let dir = tempfile::tempdir().unwrap();
    let text = "// c\nfn f() {}\n\n/* x */\n";
    let utf16 = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let samples = [
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [b"\xff\xfe".as_slice(), &utf16(u16::to_le_bytes)].concat(),
        [b"\xfe\xff".as_slice(), &utf16(u16::to_be_bytes)].concat(),
        b"\xef\xbb\xbf\xff\xff\n//".to_vec(),
        b"\xff\xfe\n".to_vec(),
    ];
    for sample in samples {
        let path = dir.path().join("a.rs");
        #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
        std::fs::write(&path, &sample).unwrap();
        let report = LanguageType::Rust.parse(path, &Config::default()).unwrap();
        assert_eq!(count_file(LanguageType::Rust, &sample).own, own_counts(&report.stats), "{sample:?}");
    }
}

#[test]
fn texts_that_would_hang_tokei_end() {
    let spaces = " ".repeat(1 << 22);
    let _ = count(LanguageType::FortranModern, format!("x = '{spaces}").as_bytes());
    let _ = count(LanguageType::Html, "<script type=\"\">\n".repeat(200_000).as_bytes());
    let _ = count(LanguageType::Markdown, "`".repeat(1 << 20).as_bytes());
    let _ = count(LanguageType::Rust, format!("a = \"\";{}/// x", "\n".repeat(1 << 20)).as_bytes());
    let _ = count(LanguageType::Rust, format!("///{}///", "\n".repeat(1 << 20)).as_bytes());
    let _ = count(LanguageType::JavaScript, "''".repeat(1 << 20).as_bytes());
    let _ = count(LanguageType::Rust, "/*".repeat(1 << 20).as_bytes());
}

/// Counts every file of a tree both ways. `LUMINOS_BENCH_TREE` names trees, separated by colons; without it,
/// this project itself.
#[test]
fn whole_trees_count_as_in_tokei() {
    #[expect(clippy::disallowed_methods, reason = "a test may be pointed at other trees")]
    let trees = std::env::var_os("LUMINOS_BENCH_TREE");
    let trees = trees.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").into_os_string());
    let mut files = 0;
    let entries = std::env::split_paths(&trees).flat_map(|tree| ignore::Walk::new(tree).flatten());
    for entry in entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())) {
        let name = entry.file_name().as_encoded_bytes();
        let bytes = std::fs::read(entry.path()).unwrap();
        let language = match language::by_name(name) {
            language::ByName::Language(language) => Some(language),
            language::ByName::AskFirstLine => language::by_first_line(&bytes),
            language::ByName::None => None,
        };
        assert_eq!(language, LanguageType::from_path(entry.path(), &Config::default()), "{:?}", entry.path());
        let Some(language) = language else { continue };
        files += 1;
        let report = language.parse(entry.path().to_owned(), &Config::default()).unwrap();
        let mut expected = Counted { own: own_counts(&report.stats), embedded: Vec::new() };
        flatten(&report.stats, &mut expected);
        assert_eq!(count_file(language, &bytes), expected, "{:?}", entry.path());
    }
    assert!(files > 10, "only {files} files");
}
