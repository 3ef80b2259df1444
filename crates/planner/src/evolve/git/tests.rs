use super::fixture::Fixture;
use super::*;

fn two_branches() -> (Fixture, CommitId, CommitId) {
    let mut fixture = Fixture::new();
    let first = fixture.commit("First\n\nWith words.", &[("a.txt", "one\ntwo\n"), ("b/c.txt", "x\n")]);
    fixture.commit("Second", &[("a.txt", "one\n2\nthree\n")]);
    let other =
        fixture.branch("other", &first, "Elsewhere", &[("b/c.txt", "x\ny\n"), ("new\u{1b}[31m.txt", "n\n")]);
    (fixture, first, other)
}

#[test]
fn commits_chains_and_differences_are_read() {
    let (fixture, first, other) = two_branches();
    let repo = fixture.open();
    let head = repo.resolve("HEAD").unwrap();
    assert_eq!(repo.resolve("other").unwrap(), other);
    assert_eq!(repo.resolve(&first.as_str()[..8]).unwrap(), first);
    assert_eq!(repo.resolve("HEAD~1").unwrap(), first);
    let chain = repo.chain(&[head.clone(), other.clone()]).unwrap();
    assert_eq!(chain.len(), 3);
    assert_eq!(chain.ancestors(&other).collect::<Vec<_>>(), [other.clone(), first.clone()]);
    let raw = repo.commit(&first).unwrap();
    assert_eq!((raw.message.as_str(), raw.parent), ("First\n\nWith words.", None));
    let lines = |changes: crate::evolve::card::Changes| {
        changes.files.iter().map(|file| file.line()).collect::<Vec<_>>()
    };
    assert_eq!(lines(repo.changes(&head, Some(&first)).unwrap()), ["a.txt: +2/-1"]);
    assert_eq!(lines(repo.changes(&first, None).unwrap()), ["a.txt: +2/-0", "b/c.txt: +1/-0"]);
    assert_eq!(repo.changed_paths(&other, Some(&first)).unwrap(), ["new\\u{1b}[31m.txt", "b/c.txt"]);
    assert_eq!(repo.paths(&head).unwrap().len(), 2);
}

#[test]
fn bare_repositories_and_directories_inside_are_the_same() {
    let mut bare = Fixture::bare();
    let commit = bare.commit("Only", &[("a", "a\n")]);
    assert_eq!(bare.open().resolve("HEAD").unwrap(), commit);
    assert_eq!(bare.open().worktree(), None);
    let (fixture, ..) = two_branches();
    let inside = fixture.path().join("deep/er");
    std::fs::create_dir_all(&inside).unwrap();
    assert!(Repo::open(&inside).is_ok());
}

#[test]
fn what_is_not_there_is_told_in_words() {
    let (fixture, ..) = two_branches();
    let repo = fixture.open();
    let words = |revision: &str| repo.resolve(revision).unwrap_err().to_string();
    assert_eq!(
        words("nobody"),
        "`nobody` names no commit in this repository: no branch, tag or commit is called so"
    );
    assert_eq!(
        words("deadbeef"),
        "`deadbeef` names no commit in this repository: no commit begins like that, and no branch or tag is called so"
    );
    assert_eq!(words(" "), "` ` names no commit in this repository: it is empty".replace("` `", "``"));
    assert!(words("HEAD:a.txt").contains("names no commit"));
    let nothing = tempfile::tempdir().unwrap();
    assert!(matches!(Repo::open(nothing.path()), Err(Error::NoRepository { .. })));
    assert!(matches!(Repo::open(&nothing.path().join("x")), Err(Error::File { .. })));
    let empty = Fixture::new();
    assert!(matches!(empty.open().resolve("HEAD"), Err(Error::NoCommits)));
}

#[test]
fn a_note_is_written_where_git_finds_it_and_replaced() {
    let (fixture, first, other) = two_branches();
    let repo = fixture.open();
    let branches = repo.branches();
    assert_eq!(repo.note(&first).unwrap(), None);
    repo.write_note(&first, "{\"x\": 1}", 5).unwrap();
    repo.write_note(&other, "{\"x\": 2}", 6).unwrap();
    repo.write_note(&first, "{\"x\": 3}", 7).unwrap();
    assert_eq!(fixture.open().note(&first).unwrap().as_deref(), Some("{\"x\": 3}"));
    assert_eq!(fixture.open().note(&other).unwrap().as_deref(), Some("{\"x\": 2}"));
    assert_eq!(repo.branches(), branches, "no branch moved");
}

#[test]
fn a_shallow_clone_ends_where_its_history_does() {
    let (fixture, first, _) = two_branches();
    let mut repo = fixture.open();
    let head = repo.resolve("HEAD").unwrap();
    std::fs::File::create(fixture.path().join(".git/shallow"))
        .and_then(|mut file| std::io::Write::write_all(&mut file, format!("{head}\n").as_bytes()))
        .unwrap();
    repo = fixture.open();
    assert!(repo.is_shallow());
    let chain = repo.chain(std::slice::from_ref(&head)).unwrap();
    assert_eq!(chain.ancestors(&head).count(), 1);
    assert!(
        repo.is_cut(&chain, &head)
            && !repo.is_cut(&repo.chain(std::slice::from_ref(&first)).unwrap(), &first)
    );
    assert_eq!(repo.commit(&head).unwrap().parent, None);
    let unknown = repo.resolve("v0.1").unwrap_err().to_string();
    assert!(unknown.ends_with("this is a shallow clone, and it may lie before its beginning"), "{unknown}");
}

#[test]
fn a_checkout_writes_each_file_once_and_only_inside() {
    let (fixture, first, _) = two_branches();
    let repo = fixture.open();
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(repo.check_out(&first, dir.path()).unwrap(), 0);
    assert_eq!(std::fs::read_to_string(dir.path().join("b/c.txt")).unwrap(), "x\n");
    assert!(matches!(repo.check_out(&first, dir.path()), Err(Error::Checkout(_))), "nothing is overwritten");
}

#[test]
fn a_file_that_keeps_secrets_by_another_name_is_withheld() {
    let mut fixture = Fixture::new();
    let kept = "PASSWORD = 'lantern-of-the-meadow'\n";
    let files = [(".env", kept), ("settings.py", kept), ("app.py", "import settings\n")];
    let first = fixture.commit("First", &files);
    let mut seen = Vec::new();
    fixture.open().texts(&first, |_| true, 1 << 20, |path, _| seen.push(path)).unwrap();
    assert_eq!(seen, ["app.py"]);
}
