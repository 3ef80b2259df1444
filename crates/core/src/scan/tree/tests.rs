use super::{Node, NodeKind, Tree, TreeOptions};
use crate::scan::{Builder, FileRecord, Kind, Problem, Reading, Scan, Trouble};

fn scan(paths: &[&str]) -> Scan {
    let mut builder = Builder::new("/home/ada/target", Vec::new());
    for path in paths {
        match path.strip_suffix('/') {
            Some(dir) => {
                builder.dir_at(dir.as_bytes());
            }
            None => {
                builder.file_at(path.as_bytes(), FileRecord { size: 1, ..FileRecord::default() });
            }
        }
    }
    builder.finish()
}

/// One line for a tree: `name/(children)`, `...` for a truncated directory, `+n` for omitted entries.
fn outline(node: &Node) -> String {
    let mut text = String::from_utf8_lossy(&node.name).into_owned();
    if node.kind == NodeKind::Directory {
        text.push('/');
    }
    let mut children: Vec<String> = node.children.iter().map(outline).collect();
    if node.omitted > 0 {
        children.push(format!("+{}", node.omitted));
    }
    if node.truncated {
        children.push("...".to_owned());
    }
    if !children.is_empty() {
        text.push_str(&format!("({})", children.join(" ")));
    }
    text
}

#[track_caller]
fn check(paths: &[&str], options: TreeOptions, expected: &str) {
    assert_eq!(outline(&Tree::of(&scan(paths), &options).root), expected);
}

#[test]
fn entries_stand_by_name_whatever_they_are() {
    let options = TreeOptions::default();
    check(&[], options, "target/");
    check(&["c", "b/x", "a"], options, "target/(a b/(x) c)");
}

#[test]
fn a_directory_at_the_limit_is_truncated_only_if_it_holds_something() {
    let depth = |depth| TreeOptions { depth, ..TreeOptions::default() };
    check(&["a/b/c", "a/empty/"], depth(2), "target/(a/(b/(...) empty/))");
    check(&["a/b/c"], depth(3), "target/(a/(b/(c)))");
    check(&["a"], depth(0), "target/(...)");
}

#[test]
fn a_large_directory_shows_the_first_entries_and_prefers_directories() {
    let few = TreeOptions { per_directory: 4, ..TreeOptions::default() };
    check(&["1", "2", "3", "4", "5"], few, "target/(1 2 3 4 +1)");
    check(&["1", "2", "3", "4", "5", "x/", "y/"], few, "target/(1 2 x/ y/ +3)");
    check(&["1", "a/", "b/", "c/", "d/", "e/"], few, "target/(1 a/ b/ c/ +2)");
}

#[test]
fn a_level_that_does_not_fit_is_not_shown_at_all() {
    let few = TreeOptions { nodes: 5, ..TreeOptions::default() };
    check(&["a/1/x", "a/2", "b/1", "b/2", "c/1"], few, "target/(a/(...) b/(...) c/(...))");
    let fewer = TreeOptions { nodes: 2, ..TreeOptions::default() };
    check(&["1", "2", "3", "4"], fewer, "target/(1 2 +2)");
}

#[test]
fn a_tree_says_whether_it_was_cut() {
    let is_cut = |options| Tree::of(&scan(&["a/1/x", "a/2", "b/1"]), &options).is_cut;
    assert!(!is_cut(TreeOptions::default()));
    assert!(!is_cut(TreeOptions { depth: 1, ..TreeOptions::default() }), "that was asked for");
    assert!(is_cut(TreeOptions { nodes: 4, ..TreeOptions::default() }));
    assert!(is_cut(TreeOptions { per_directory: 1, ..TreeOptions::default() }));
}

#[test]
fn no_tree_is_deeper_than_json_readers_can_follow() {
    let mut builder = Builder::new("/target", Vec::new());
    let mut at = Builder::ROOT;
    for _ in 0..5_000 {
        at = builder.add_dir(at, b"d");
    }
    let all = TreeOptions { depth: u32::MAX, ..TreeOptions::default() };
    let tree = Tree::of(&builder.finish(), &all);
    let mut depth = 0;
    let mut node = &tree.root;
    while let Some(child) = node.children.first() {
        node = child;
        depth += 1;
    }
    assert_eq!((depth, node.truncated), (Tree::MAX_DEPTH, true));
}

#[test]
fn what_could_not_be_read_says_why() {
    let mut builder = Builder::new("/target", Vec::new());
    let locked = builder.dir_at(b"locked");
    builder.dir_mut(locked).unreadable = true;
    let unread = FileRecord { reading: Reading::Unread, ..FileRecord::default() };
    builder.file_at(b"secret", unread.clone());
    builder.file_at(b"odd", unread.clone());
    builder.file_at(b"link", FileRecord { kind: Kind::Symlink, ..unread });
    let denied = || "Permission denied".to_owned();
    builder.add_problem(Problem { path: "locked".into(), trouble: Trouble::Unlisted(denied()) });
    builder.add_problem(Problem { path: "secret".into(), trouble: Trouble::SetUid });
    builder.add_problem(Problem { path: "secret".into(), trouble: Trouble::Unread(denied()) });
    let tree = Tree::of(&builder.finish(), &TreeOptions::default());
    let errors: Vec<Option<&str>> = tree.root.children.iter().map(|node| node.error.as_deref()).collect();
    let expected = [
        None,
        Some("directory not listed: Permission denied"),
        Some("not read"),
        Some("not read: Permission denied"),
    ];
    assert_eq!(errors, expected);
}
