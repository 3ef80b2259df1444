//! A requirement's allowed paths bind the tasks: a task may change what both the task and the requirement allow.
//!
//! **Guarantee**: no path outside of the requirement's list matches the list of a task that was bound to it. What had to be
//! narrowed or left out is told.

use crate::tasks::glob::{Glob, PathList, TooManyWays, denied, intersect, is_pattern, is_within};
use crate::tasks::repo::RepoFacts;
use crate::tasks::task::{Draft, add_new};

/// More paths than this are not named in one sentence.
const MOST_NAMED: usize = 5;

/// What a requirement allows, ready to be compared with.
struct Bounds<'a> {
    entries: &'a [String],
    list: PathList,
}

/// What becomes of one path of a task.
enum Bound {
    /// The requirement allows all of it.
    Whole,
    /// The requirement allows these parts of it.
    Narrowed(Vec<String>),
    /// The requirement allows nothing of it.
    Outside,
    /// What both allow cannot be written down.
    Unclear,
}

/// Takes out of a task's paths and files what the requirement does not allow. The paths are in plain form. A task that names
/// none may change the files that it names, else all that the requirement allows.
pub(in crate::tasks) fn bind(draft: &mut Draft, allowed: &[String], facts: &RepoFacts) {
    let bounds = Bounds { entries: allowed, list: PathList::read(allowed) };
    let mut told = Vec::new();
    let mut outside: Vec<String> = Vec::new();
    for files in [&mut draft.context.files, &mut draft.touches] {
        let (inside, left_out): (Vec<String>, Vec<String>) =
            std::mem::take(files).into_iter().partition(|file| bounds.list.matches(file));
        *files = inside;
        add_new(&mut outside, left_out);
    }
    if !outside.is_empty() {
        let more = outside.len().saturating_sub(MOST_NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        outside.truncate(MOST_NAMED);
        told.push(format!(
            "files that the requirement does not allow to be changed are left out: {}{more}",
            outside.join(", ")
        ));
    }
    if draft.allowed_paths.iter().all(|path| denied(path).is_some()) {
        draft.allowed_paths.extend(draft.context.files.iter().cloned());
    }
    let had_paths = !draft.allowed_paths.is_empty();
    let mut paths = Vec::new();
    for path in std::mem::take(&mut draft.allowed_paths) {
        match bounds.bound(&path, facts) {
            Bound::Whole => add_new(&mut paths, [path]),
            Bound::Narrowed(parts) => {
                told.push(format!(
                    "the path `{path}` is narrowed to {}: the requirement allows no more",
                    named(&parts)
                ));
                add_new(&mut paths, parts);
            }
            Bound::Outside => {
                told.push(format!("the path `{path}` is left out: the requirement does not allow it"));
            }
            Bound::Unclear => told.push(format!(
                "the path `{path}` is left out: what of it the requirement allows cannot be told; write simpler globs"
            )),
        }
    }
    if paths.iter().all(|path| denied(path).is_some()) {
        if had_paths {
            told.push(format!(
                "none of its paths is allowed, so it may change what the requirement allows: {}",
                named(allowed)
            ));
        }
        paths = allowed.to_vec();
    }
    // What the requirement takes out stays out.
    add_new(&mut paths, allowed.iter().filter(|entry| denied(entry).is_some()).cloned());
    draft.allowed_paths = paths;
    draft.warnings.extend(told);
}

fn named(paths: &[String]) -> String {
    let more = paths.len().saturating_sub(MOST_NAMED);
    let names: Vec<String> = paths.iter().take(MOST_NAMED).map(|path| format!("`{path}`")).collect();
    if more == 0 { names.join(", ") } else { format!("{} and {more} more", names.join(", ")) }
}

impl Bounds<'_> {
    fn bound(&self, path: &str, facts: &RepoFacts) -> Bound {
        // An entry that takes paths out only narrows.
        if denied(path).is_some() {
            return Bound::Whole;
        }
        let Ok(glob) = Glob::new(path) else { return Bound::Outside };
        let is_out = |wide: &Glob| is_within(&glob, wide);
        if self.list.denied().any(is_out) {
            return Bound::Outside;
        }
        if self.list.taken().any(|wide| is_within(&glob, wide))
            || is_file(path, facts) && self.list.matches(path)
        {
            return Bound::Whole;
        }
        let mut parts = Vec::new();
        for entry in self.entries.iter().filter(|entry| denied(entry).is_none()) {
            let Ok(wide) = Glob::new(entry) else { continue };
            if is_within(&wide, &glob) || is_file(entry, facts) && glob.matches(entry) {
                add_new(&mut parts, [entry.clone()]);
                continue;
            }
            match intersect(&glob, &wide) {
                Ok(ways) => {
                    let is_dir_itself = |way: &String| is_dir_itself(way, entry, facts);
                    add_new(&mut parts, ways.into_iter().filter(|way| !is_dir_itself(way)));
                }
                Err(TooManyWays) => return Bound::Unclear,
            }
        }
        if parts.is_empty() { Bound::Outside } else { Bound::Narrowed(parts) }
    }
}

/// Whether a path without wildcards is a file, rather than a directory with all that lies below it.
fn is_file(path: &str, facts: &RepoFacts) -> bool {
    let looks_like_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    !is_pattern(path) && (facts.has(path) || looks_like_file && !facts.has_dir(path))
}

/// Whether a glob matches a directory that is there, and nothing below it: `*` has that in common with `src/**`.
fn is_dir_itself(way: &str, entry: &str, facts: &RepoFacts) -> bool {
    let Some(dir) = entry.strip_suffix("/**") else { return false };
    facts.has_dir(dir)
        && way.matches('/').count() == dir.matches('/').count()
        && Glob::new(way).is_ok_and(|way| way.matches(dir))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::repo::facts;
    use crate::tasks::task::Origin;

    fn bound(paths: &[&str], allowed: &[&str]) -> (Vec<String>, Vec<String>) {
        let list = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        let mut draft = Draft::new("t", "g", Origin::Model);
        draft.allowed_paths = list(paths);
        bind(&mut draft, &list(allowed), &facts(&["src/a.rs", "docs/a.md", "src/data/x"]));
        (draft.allowed_paths, draft.warnings)
    }

    #[test]
    fn a_task_may_change_what_both_the_task_and_the_requirement_allow() {
        for (paths, allowed, expected) in [
            (&["**"][..], &["src/**"][..], &["src/**"][..]),
            (&["src/**"], &["**"], &["src/**"]),
            (&["src/**"], &["**/*.rs"], &["src/**/*.rs"]),
            (&["src/a.rs"], &["src/**"], &["src/a.rs"]),
            (&["src"], &["src/**"], &["src"]),
            (&["src/data"], &["src"], &["src/data"]),
            (&["src/data"], &["src/*"], &["src/dat[a]"]),
            (&["docs/new.md"], &["docs/*.md"], &["docs/new.md"]),
            (&["**/*.md"], &["docs", "README.md"], &["docs/**/*.md", "README.md"]),
            (&["*"], &["README.md", "src/**"], &["README.md"]),
            (&["src/{a,b}/**"], &["src/b/**", "lib/**"], &["src/b/**"]),
            (&["src/**", "lib/**"], &["src/**"], &["src/**"]),
            (&["tests/*_test.py"], &["tests/api_*"], &["tests/api_test.p[y]", "tests/api_*_test.py"]),
            // Nothing is left: the requirement's own paths remain.
            (&["lib/**"], &["src/**"], &["src/**"]),
            (&[".github/workflows/x.yml"], &["src/**", "docs/**"], &["src/**", "docs/**"]),
            // What is taken out stays out.
            (&["src/**"], &["**", "!src/legacy/**"], &["src/**", "!src/legacy/**"]),
            (&["src/legacy/a.rs"], &["**", "!src/legacy/**"], &["**", "!src/legacy/**"]),
            (&["docs/**"], &["**", "!src/legacy/**"], &["docs/**", "!src/legacy/**"]),
            (&["src/**", "!src/x"], &["src/**"], &["src/**", "!src/x"]),
        ] {
            assert_eq!(bound(paths, allowed).0, expected, "{paths:?} within {allowed:?}");
        }
    }

    #[test]
    fn what_is_narrowed_or_left_out_is_told() {
        let (_, told) = bound(&["**", "lib/**"], &["src/**"]);
        insta::assert_snapshot!(told.join("\n"), @"
        the path `**` is narrowed to `src/**`: the requirement allows no more
        the path `lib/**` is left out: the requirement does not allow it
        ");
        let (_, told) = bound(&["lib/**"], &["src/**"]);
        assert_eq!(
            told[1],
            "none of its paths is allowed, so it may change what the requirement allows: `src/**`"
        );
        assert!(bound(&["src/a.rs"], &["src/**"]).1.is_empty());
        let mut draft = Draft::new("t", "g", Origin::Model);
        draft.context.files = vec!["src/a.rs".to_owned(), "lib/b.rs".to_owned()];
        bind(&mut draft, &["src/**".to_owned()], &facts(&["src/a.rs"]));
        assert_eq!(
            (draft.context.files.as_slice(), draft.allowed_paths.as_slice()),
            (&["src/a.rs".to_owned()][..], &["src/a.rs".to_owned()][..])
        );
        assert_eq!(
            draft.warnings,
            ["files that the requirement does not allow to be changed are left out: lib/b.rs"]
        );
    }
}
