use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use Category::{Archive, Config, Data, Document, Media, Source};
use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(names: &str, expected: Option<Category>) {
    for name in names.split_ascii_whitespace() {
        assert_eq!(by_name(name.as_bytes()), expected, "{name}");
    }
}

#[test]
fn extensions_tell_whatever_their_case() {
    check(
        "main.rs app.py a.C b.H c.S plot.R index.html style.css query.sql notes.ipynb x.d.ts x.min.js",
        Some(Source),
    );
    check("a.json b.YAML c.toml d.ini Info.plist app.csproj x.cmake main.tf", Some(Config));
    check("a.csv b.tsv c.jsonl d.parquet e.sqlite f.xml server.log x.pem p.pcap t.po", Some(Data));
    check("a.md b.rst notes.txt p.tex p.pdf q.docx r.odt s.epub sheet.xlsx", Some(Document));
    check("a.png b.JPG c.svg d.mp3 e.mp4 f.woff2 part.step m.stl", Some(Media));
    check(
        "a.zip b.tar.gz c.jar d.deb e.whl f.so g.o H.class i.exe j.wasm k.pyc m.iso n.qcow2",
        Some(Archive),
    );
}

#[test]
fn well_known_names_tell() {
    check(
        "Makefile makefile Dockerfile Cargo.lock .gitignore go.mod package.json .eslintrc .env",
        Some(Config),
    );
    check(
        "CMakeLists.txt requirements.txt requirements-dev.txt robots.txt BUILD vite.config.js",
        Some(Config),
    );
    check("README LICENSE COPYING AUTHORS CHANGELOG NEWS TODO", Some(Document));
    check("configure gradlew", Some(Source));
}

#[test]
fn what_is_added_to_a_name_does_not_hide_it() {
    check("LICENSE-MIT LICENSE_APACHE COPYING.LESSER README.first readme~", Some(Document));
    check(
        "Makefile.in Dockerfile.dev .env.local config.yaml.example app.conf.bak Makefile.linux",
        Some(Config),
    );
    check("main.c~ parser.py.orig config.h.in", Some(Source));
    check("libfoo.so.1.2.3 libfoo.so.6 vmlinuz-6.1.0-18-amd64", Some(Archive));
    check("server.log.1 server.log.12", Some(Data));
}

#[test]
fn names_that_tell_nothing_are_left_to_the_content() {
    check(
        "main build release-it core.x ls.1 python3.11 foo.bar foo. .hidden . .. ... x.bak a~ foo.bin",
        None,
    );
    assert_eq!(by_name(b""), None);
    assert_eq!(by_name(b"\xff\xfe"), None);
}

#[test]
fn a_very_long_name_still_has_its_extension() {
    let name = format!("{}.PNG", "x".repeat(250));
    check(&name, Some(Media));
}

#[test]
fn every_word_of_the_tables_can_be_found() {
    for lists in [vec![names::NAMES, names::FAMILIES], vec![extensions::EXTENSIONS]] {
        let mut seen = HashSet::new();
        for (word, _) in lists.into_iter().flat_map(words) {
            let text = std::str::from_utf8(word).unwrap();
            assert!(seen.insert(word), "{text} is listed twice");
            assert_eq!(text, text.to_lowercase(), "{text} can never be found");
        }
    }
    let longest = NAMES.keys().map(|name| name.len()).max();
    assert_eq!(longest, Some(LONGEST_NAME));
    for (word, _) in words(extensions::EXTENSIONS) {
        assert!(!word.contains(&b'.'), "an extension has no dot");
        assert!(!WRAPPERS.contains(&word), "a wrapper is no extension");
    }
}

/// The limit is loose: it must hold in an unoptimised build on a busy machine.
#[test]
fn a_lookup_takes_no_time() {
    let names = ["main.rs", "Makefile", "libfoo.so.1.2.3", "unknown", "LICENSE-MIT", "a.very.long.name.json"];
    by_name(b"warm up");
    let mut best = Duration::MAX;
    for _ in 0..50 {
        let start = Instant::now();
        for name in names {
            black_box(by_name(black_box(name.as_bytes())));
        }
        best = best.min(start.elapsed());
    }
    assert!(best < Duration::from_micros(60), "{best:?} for {} names", names.len());
}

proptest! {
    #[test]
    fn no_name_makes_it_panic(name in prop::collection::vec(any::<u8>(), 0..300)) {
        by_name(&name);
    }

    #[test]
    fn no_combination_of_dots_and_words_makes_it_panic(
        name in "[.~_0-9-]{0,4}(so|in|bak|txt|1|~|\\.|license|-){0,8}",
    ) {
        by_name(name.as_bytes());
    }
}
