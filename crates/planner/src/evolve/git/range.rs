//! What one revision has that another has not, as a diff of whole files: for whoever judges it.

use std::fmt::Write as _;

use gix::diff::blob::unified_diff::{ConsumeBinaryHunk, ContextSize};
use gix::diff::blob::{Algorithm, Diff, InternedInput, UnifiedDiff};

use super::difference::sides;
use super::{Repo, commit_id, inert, object_id, words};
use crate::evolve::card::FileChange;
use crate::evolve::chain::CommitId;
use crate::evolve::error::Error;

/// No file is larger than this; of a larger one nobody would see a part.
const LARGEST: u64 = 64 << 20;
/// How many bytes decide whether something is binary, as git does it.
const LOOKED_AT: usize = 8000;

/// A change from one revision to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeDiff {
    /// Every file, with its lines; a binary one counts as a line on each side where it is.
    pub files: Vec<FileChange>,
    /// All of it as a unified diff.
    pub text: String,
}

impl Repo {
    /// What `A..B` (or `A...B`) adds: the difference between `B` and where it left `A`. An empty side is `HEAD`.
    pub fn range(&self, range: &str) -> Result<RangeDiff, Error> {
        let bad = |why: &str| Error::BadRevision { revision: inert(range.as_bytes()), why: why.to_owned() };
        let sides = range.split_once("...").or_else(|| range.split_once(".."));
        let (from, to) = sides.ok_or_else(|| bad("a range is written A..B"))?;
        let named = |side: &str| self.resolve(if side.trim().is_empty() { "HEAD" } else { side });
        let (from, to) = (named(from)?, named(to)?);
        let base = self.git.merge_base(object_id(&from)?, object_id(&to)?);
        let base = base.map_err(|_| bad("its two sides have no commit in common"))?;
        let base = base.ok_or_else(|| bad("its two sides have no commit in common"))?;
        self.difference(&commit_id(base.detach()), &to)
    }

    fn difference(&self, from: &CommitId, to: &CommitId) -> Result<RangeDiff, Error> {
        let mut diff = RangeDiff { files: Vec::new(), text: String::new() };
        for record in self.records(Some(from), to)? {
            let (before, after, path) = sides(&record);
            let path = inert(path);
            let (old, new) = (self.content(before)?, self.content(after)?);
            let side = |content: &Option<Vec<u8>>, letter: char| match content {
                Some(_) => format!("{letter}/{path}"),
                None => "/dev/null".to_owned(),
            };
            let _ = writeln!(diff.text, "diff --git a/{path} b/{path}");
            let is_binary = |content: &Option<Vec<u8>>| {
                content.as_ref().is_some_and(|bytes| bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0))
            };
            if is_binary(&old) || is_binary(&new) {
                let _ =
                    writeln!(diff.text, "Binary files {} and {} differ", side(&old, 'a'), side(&new, 'b'));
                let (added, removed) = (u64::from(new.is_some()), u64::from(old.is_some()));
                diff.files.push(FileChange { path, added, removed });
                continue;
            }
            let (old_name, new_name) = (side(&old, 'a'), side(&new, 'b'));
            let text =
                |content: Option<Vec<u8>>| String::from_utf8_lossy(&content.unwrap_or_default()).into_owned();
            let (old, new) = (text(old), text(new));
            let input = InternedInput::new(old.as_str(), new.as_str());
            let mut lines = Diff::compute(Algorithm::Histogram, &input);
            lines.postprocess_lines(&input);
            let writer = ConsumeBinaryHunk::new(String::new(), "\n");
            let hunks = UnifiedDiff::new(&lines, &input, writer, ContextSize::symmetrical(3)).consume();
            let hunks = hunks.map_err(|error| Error::Object {
                what: format!("the changes of {path}"),
                why: error.to_string(),
            })?;
            if !hunks.is_empty() {
                let _ = write!(diff.text, "--- {old_name}\n+++ {new_name}\n{hunks}");
            }
            let (added, removed) = (u64::from(lines.count_additions()), u64::from(lines.count_removals()));
            diff.files.push(FileChange { path, added, removed });
        }
        Ok(diff)
    }

    /// The bytes of a blob, and of a link or submodule its target. What is too large or not there is an error.
    fn content(&self, id: Option<gix::ObjectId>) -> Result<Option<Vec<u8>>, Error> {
        let Some(id) = id else { return Ok(None) };
        let broken = |why: String| Error::Object { what: format!("the object {id}"), why };
        let header = self.git.find_header(id);
        let Ok(header) = header else {
            // Submodules are commits of somebody else's repository.
            return Ok(Some(format!("Subproject commit {id}\n").into_bytes()));
        };
        if LARGEST < header.size() {
            return Err(broken(format!("it has {} bytes, more than can be judged", header.size())));
        }
        let object = self.git.find_object(id).map_err(|error| broken(words(&error)))?;
        Ok(Some(object.detach().data))
    }
}

#[cfg(test)]
mod tests {
    use crate::evolve::git::fixture::Fixture;

    #[test]
    fn a_range_is_what_one_side_added_since_it_left_the_other() {
        let mut fixture = Fixture::new();
        let first = fixture.commit("First", &[("a.txt", "one\ntwo\n"), ("gone.txt", "x\n")]);
        fixture.commit("Others went on", &[("other.txt", "not mine\n")]);
        fixture.branch("work", &first, "Work", &[("a.txt", "one\n2\n"), ("gone.txt", ""), ("bin", "a\0b")]);
        let diff = fixture.open().range("HEAD..work").unwrap();
        insta::assert_snapshot!(diff.text, @"
        diff --git a/a.txt b/a.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,2 +1,2 @@
         one
        -two
        +2
        diff --git a/bin b/bin
        Binary files /dev/null and b/bin differ
        diff --git a/gone.txt b/gone.txt
        --- a/gone.txt
        +++ /dev/null
        @@ -1,1 +1,0 @@
        -x
        ");
        let files: Vec<_> =
            diff.files.iter().map(|file| (file.path.as_str(), file.added, file.removed)).collect();
        assert_eq!(files, [("a.txt", 1, 1), ("bin", 1, 0), ("gone.txt", 0, 1)]);
        assert_eq!(fixture.open().range("work...").unwrap().files.len(), 1, "the other way round");
    }

    #[test]
    fn what_is_no_range_is_told() {
        let mut fixture = Fixture::new();
        fixture.commit("First", &[("a", "x\n")]);
        let words = |range: &str| fixture.open().range(range).unwrap_err().to_string();
        assert_eq!(words("HEAD"), "`HEAD` names no commit in this repository: a range is written A..B");
        assert!(words("HEAD..nope").contains("`nope` names no commit"));
    }
}
