use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(glob: &str, yes: &[&str], no: &[&str]) {
    let read = Glob::new(glob).unwrap();
    for path in yes {
        assert!(read.matches(path), "{glob} should match {path}");
    }
    for path in no {
        assert!(!read.matches(path), "{glob} should not match {path}");
    }
}

#[test]
fn globs_match_whole_names() {
    check("apps/api/**", &["apps/api/y", "apps/api/a/b"], &["apps/apix/y", "apps"]);
    check("**/*.ts", &["src/a.ts", "a.ts", "a/b/c.ts"], &["a.tsx", "src/a.rs"]);
    check("src", &["src", "src/a.rs", "src/a/b.rs"], &["srcx/y", "lib/src"]);
    check("src/", &["src/a"], &["srcx/a"]);
    check("*", &["README.md"], &["src/a"]);
    check("**", &["a", "a/b"], &[]);
    check("./a//b", &["a/b"], &["a/c"]);
    check("docs/*.{md,txt}", &["docs/a.md", "docs/b.txt"], &["docs/a.rs", "docs/x/a.md"]);
    check("v[0-9]?.[!a]*", &["v10.b", "v2x.bcd"], &["vx0.b", "v10.a"]);
    check("a/**/z", &["a/z", "a/b/z", "a/b/c/z"], &["a/b/zz"]);
    check("weird[", &["weird["], &["weird"]);
}

#[test]
fn what_leads_out_of_the_repository_is_no_glob() {
    assert_eq!(Glob::new("/etc/passwd"), Err(NotAGlob::Absolute));
    assert_eq!(Glob::new("C:\\x"), Err(NotAGlob::Absolute));
    assert_eq!(Glob::new("a/../../b"), Err(NotAGlob::Outside));
    assert_eq!(Glob::new("  "), Err(NotAGlob::Empty));
    assert_eq!(Glob::new("a\nb"), Err(NotAGlob::Control));
    assert!(Glob::new(".").unwrap().is_everything());
}

#[test]
fn globs_overlap_where_a_path_could_match_both() {
    let check = |a: &str, b: &str, expected: bool| {
        let (x, y) = (Glob::new(a).unwrap(), Glob::new(b).unwrap());
        assert_eq!(x.overlaps(&y), expected, "{a} and {b}");
        assert_eq!(y.overlaps(&x), expected, "{b} and {a}");
    };
    check("src/**", "src/a.rs", true);
    check("src/**", "srcx/y", false);
    check("**/*.ts", "src/a.ts", true);
    check("**/*.ts", "**/*.rs", false);
    check("**/*.ts", "src/**", true);
    check("*", "src/a", false);
    check("src", "src/a/b.rs", true);
    check("src/a*.rs", "src/*b.rs", true);
    check("src/a?.rs", "src/abc.rs", false);
    check("docs/{a,b}.md", "docs/b.md", true);
    check("docs/{a,b}.md", "docs/c.md", false);
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a"), Just("b"), Just("ab"), Just("a.rs"), Just("b.ts")].prop_map(str::to_owned)
}

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        name(),
        Just("*".to_owned()),
        Just("**".to_owned()),
        Just("a*".to_owned()),
        Just("?".to_owned()),
        Just("*.rs".to_owned()),
        Just("{a,b}".to_owned()),
        Just("[ab]".to_owned()),
    ]
}

#[test]
fn what_two_globs_have_in_common_is_written_as_globs() {
    let check = |a: &str, b: &str, expected: &[&str]| {
        let (x, y) = (Glob::new(a).unwrap(), Glob::new(b).unwrap());
        assert_eq!(intersect(&x, &y).unwrap(), expected, "{a} and {b}");
    };
    check("src/**", "**/*.rs", &["src/**/*.rs"]);
    check("src/**", "lib/**", &[]);
    check("**/a/**", "**/b/**", &["**/a/**/b/**", "**/b/**/a/**"]);
    check("src/*", "src/a", &["src/[a]"]);
    check("src/**", "src/a.rs", &["src/a.rs"]);
    check("src/[a-m]*", "src/[!a-c]*", &["src/[d-m]*"]);
    check("v?.md", "v[0-9].md", &["v[0-9].md"]);
    check("{a,b}/**", "{b,c}/*.rs", &["b/*.rs"]);
    check("*test*", "*.rs", &["*test*.rs"]);
    check("weird[", "*", &["weird[[]"]);
    let many = |letter: char| format!("*{letter}").repeat(12) + "*";
    assert_eq!(intersect(&Glob::new(&many('a')).unwrap(), &Glob::new(&many('b')).unwrap()), Err(TooManyWays));
}

#[test]
fn entries_with_a_mark_take_paths_out_again() {
    let list = ["src/**", "!src/legacy/**", "!**/*.lock"].map(str::to_owned);
    assert!(any_matches(&list, "src/a.rs"));
    for path in ["src/legacy/a.rs", "src/x.lock", "docs/a.md"] {
        assert!(!any_matches(&list, path), "{path}");
    }
    let too_many = format!("src/{{{}}}/**", (0..70).map(|at| at.to_string()).collect::<Vec<_>>().join(","));
    assert_eq!(Glob::new(&too_many), Err(NotAGlob::Choices));
    assert!(!any_matches(&[too_many], "lib/a.rs"));
}

proptest! {
    #[test]
    fn what_two_globs_have_in_common_matches_exactly_what_both_match(
        a in prop::collection::vec(segment(), 1..4),
        b in prop::collection::vec(segment(), 1..4),
        path in prop::collection::vec(name(), 1..5),
    ) {
        let (a, b) = (Glob::new(&a.join("/")).unwrap(), Glob::new(&b.join("/")).unwrap());
        let path = path.join("/");
        let common = intersect(&a, &b).unwrap();
        prop_assert_eq!(any_matches(&common, &path), a.matches(&path) && b.matches(&path), "{:?}", common);
        if is_within(&a, &b) && a.matches(&path) {
            prop_assert!(b.matches(&path));
        }
    }

    #[test]
    fn no_letters_of_two_globs_make_their_common_part_wider(
        a in "[ab*?!/\\[\\]{},.-]{1,8}",
        b in "[ab*?!/\\[\\]{},.-]{1,8}",
        path in "[ab!\\[\\]{},.-]{1,4}(/[ab.-]{1,3})?",
    ) {
        let (Ok(a), Ok(b)) = (Glob::new(&a), Glob::new(&b)) else { return Ok(()) };
        let Ok(common) = intersect(&a, &b) else { return Ok(()) };
        if any_matches(&common, &path) {
            prop_assert!(a.matches(&path) && b.matches(&path), "{:?}", common);
        }
    }

    #[test]
    fn two_globs_that_match_one_path_overlap(
        a in prop::collection::vec(segment(), 1..4),
        b in prop::collection::vec(segment(), 1..4),
        path in prop::collection::vec(name(), 1..4),
    ) {
        let (a, b) = (Glob::new(&a.join("/")).unwrap(), Glob::new(&b.join("/")).unwrap());
        let path = path.join("/");
        if a.matches(&path) && b.matches(&path) {
            prop_assert!(a.overlaps(&b));
        }
    }

    #[test]
    fn no_text_breaks_a_glob(text in "\\PC{0,40}", path in "\\PC{0,40}") {
        if let Ok(glob) = Glob::new(&text) {
            let _ = glob.matches(&path);
            prop_assert!(glob.overlaps(&glob));
        }
    }
}
