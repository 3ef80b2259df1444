//! Git repositories, read without git: nothing is run, nothing is written, no configuration but the repository's own.
//!
//! Bare repositories, linked worktrees and clones that borrow objects are all the same here. Where a commit has several
//! parents, the first one counts: it is the one it was made from.
//!
//! Everything that a repository says passes `Untrusted` on its way out, or is a hash.

mod checkout;
mod difference;
#[cfg(test)]
pub(crate) mod fixture;
mod note;
mod plain;
mod range;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::ByteSlice as _;
use luminos_core::Untrusted;

use super::card::RawCommit;
use super::chain::{Chain, CommitId};
use super::clip::clip_line;
use super::error::{Error, shown};

pub use note::NOTES;
pub use range::RangeDiff;

/// How much of a repository's own data is kept unpacked while a chain is read.
const CACHE_BYTES: usize = 32 << 20;

/// A repository.
pub struct Repo {
    git: gix::Repository,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo").field("git_dir", &self.git.git_dir()).finish()
    }
}

impl Repo {
    /// The repository that a directory belongs to.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
        let found = std::fs::metadata(path)
            .map_err(|error| Error::File { path: path.to_owned(), why: error.to_string() })?;
        let dir = if found.is_dir() { path } else { path.parent().unwrap_or(path) };
        plain::check(dir).map_err(unreadable)?;
        let searched = gix::discover::upwards(dir);
        if searched.is_err() {
            // A worktree whose repository was moved away still has the file that led there.
            let led = dir.ancestors().map(|dir| dir.join(".git")).find(|git| git.is_file());
            return Err(match led {
                Some(led) => unreadable(format!("{} leads to a directory that is not there", shown(&led))),
                None => Error::NoRepository { path: path.to_owned() },
            });
        }
        let mut git = gix::discover_opts(
            dir,
            gix::discover::upwards::Options::default(),
            gix::open::Options::isolated(),
        )
        .map_err(|error| unreadable(words(&error)))?;
        git.object_cache_size(CACHE_BYTES);
        Ok(Self { git })
    }

    /// Where the files are; `None` in a bare repository.
    pub fn worktree(&self) -> Option<PathBuf> {
        self.git.workdir().map(Path::to_owned)
    }

    /// Where people see it: the worktree, or the repository itself.
    pub fn place(&self) -> PathBuf {
        let place = self.worktree().unwrap_or_else(|| self.git.git_dir().to_owned());
        std::fs::canonicalize(&place).unwrap_or(place)
    }

    /// The directory that stands for the repository, whichever of its worktrees this is: the main worktree, or the
    /// repository itself where it is bare. A worktree that the repository knows nothing of stands for itself.
    pub fn identity(&self) -> PathBuf {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (own, common) = (real(self.git.git_dir()), real(self.git.common_dir()));
        if own == common || !self.is_known_worktree() {
            return self.place();
        }
        let main = gix::open_opts(&common, gix::open::Options::isolated()).ok();
        main.and_then(|main| main.workdir().map(real)).unwrap_or(common)
    }

    /// Whether a linked worktree is the one that its repository has in its books: anybody can write a `.git` file that
    /// leads to somebody else's repository.
    fn is_known_worktree(&self) -> bool {
        let Some(worktree) = self.worktree() else { return false };
        let booked = std::fs::read_to_string(self.git.git_dir().join("gitdir")).unwrap_or_default();
        let booked = self.git.git_dir().join(booked.trim());
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        real(&booked).is_some_and(|booked| real(&worktree.join(".git")) == Some(booked))
    }

    /// Whether the history is only a part of the whole.
    pub fn is_shallow(&self) -> bool {
        self.git.is_shallow().unwrap_or(false)
    }

    /// The commit that a revision names.
    pub fn resolve(&self, revision: &str) -> Result<CommitId, Error> {
        let bad =
            |why: String| Error::BadRevision { revision: clip_line(&inert(revision.as_bytes()), 80), why };
        let asked = revision.trim();
        if asked.is_empty() {
            return Err(bad("it is empty".to_owned()));
        }
        if asked.starts_with('-') {
            return Err(bad("a revision does not begin with `-`".to_owned()));
        }
        let found = match self.git.rev_parse_single(asked) {
            Ok(found) => found,
            Err(_) if self.git.head().is_ok_and(|head| head.is_unborn()) && asked == "HEAD" => {
                return Err(Error::NoCommits);
            }
            Err(error) => {
                let why = unknown_revision(asked, &words(&error));
                let cut = if self.is_shallow() {
                    "; this is a shallow clone, and it may lie before its beginning"
                } else {
                    ""
                };
                return Err(bad(format!("{why}{cut}")));
            }
        };
        let object = found.object().map_err(|error| bad(words(&error)))?;
        let commit = object.peel_to_kind(gix::object::Kind::Commit).map_err(|error| bad(words(&error)))?;
        Ok(commit_id(commit.id))
    }

    /// The commits that revisions stand on, by their first parents. Each is read once.
    pub fn chain(&self, tips: &[CommitId]) -> Result<Chain, Error> {
        let mut chain = Chain::default();
        let shallow = self.shallow_ends();
        for tip in tips {
            let mut next = Some(object_id(tip)?);
            while let Some(id) = next.take() {
                let commit = commit_id(id);
                if chain.is_known(&commit) {
                    break;
                }
                let object = self.git.find_object(id).map_err(|error| unreadable(&commit, &words(&error)))?;
                let mut parents = gix::objs::CommitRefIter::from_bytes(&object.data, id.kind()).parent_ids();
                next = parents.next().filter(|_| !shallow.contains(&id));
                chain.add(commit, next.map(commit_id));
            }
        }
        Ok(chain)
    }

    /// Commits whose parents are not there.
    fn shallow_ends(&self) -> Vec<ObjectId> {
        let ends = self.git.shallow_commits().ok().flatten();
        ends.map(|ends| ends.iter().copied().collect()).unwrap_or_default()
    }

    /// Whether a chain ends only because the rest is not there.
    pub fn is_cut(&self, chain: &Chain, tip: &CommitId) -> bool {
        let last = chain.ancestors(tip).last();
        let last = last.and_then(|last| object_id(&last).ok());
        last.is_some_and(|last| self.shallow_ends().contains(&last))
    }

    /// What a commit says.
    pub fn commit(&self, id: &CommitId) -> Result<RawCommit, Error> {
        let broken = |why: String| unreadable(id, &why);
        let commit = self.git.find_commit(object_id(id)?).map_err(|error| broken(words(&error)))?;
        let parsed = commit.decode().map_err(|error| broken(error.to_string()))?;
        let message = Untrusted::new(parsed.message.as_bytes()).for_lines();
        let parent =
            parsed.parents().next().filter(|_| !self.shallow_ends().contains(&commit.id)).map(commit_id);
        let seconds = parsed.time().map(|time| time.seconds).unwrap_or_default();
        Ok(RawCommit { message, parent, seconds })
    }

    /// What must not change while somebody only reads: where `HEAD` and the branches are.
    pub fn branches(&self) -> Vec<String> {
        let mut seen = vec![format!("HEAD {:?}", self.git.head_id().map(|id| id.to_string()).ok())];
        seen.extend(self.git.head_name().ok().flatten().map(|name| format!("HEAD is {name}")));
        if let Ok(platform) = self.git.references()
            && let Ok(branches) = platform.local_branches()
        {
            seen.extend(
                branches
                    .flatten()
                    .map(|branch| format!("{} {:?}", branch.name().as_bstr(), branch.target().try_id())),
            );
        }
        seen.sort_unstable();
        seen
    }

    fn tree(&self, id: &CommitId) -> Result<gix::Tree<'_>, Error> {
        let broken = |why: String| unreadable(id, &why);
        let commit = self.git.find_commit(object_id(id)?).map_err(|error| broken(words(&error)))?;
        commit.tree().map_err(|error| broken(words(&error)))
    }
}

fn unknown_revision(asked: &str, words: &str) -> String {
    let is_hash = 4 <= asked.len() && asked.bytes().all(|byte| byte.is_ascii_hexdigit());
    if words.to_ascii_lowercase().contains("ambiguous") {
        "several objects begin like that".to_owned()
    } else if is_hash {
        "no commit begins like that, and no branch or tag is called so".to_owned()
    } else {
        "no branch, tag or commit is called so".to_owned()
    }
}

fn unreadable(commit: &CommitId, why: &str) -> Error {
    Error::Object { what: format!("the commit {}", commit.short()), why: why.to_owned() }
}

/// An error of gix in one line that a terminal can take.
fn words(error: &dyn std::fmt::Display) -> String {
    clip_line(&inert(error.to_string().as_bytes()), 300)
}

pub(crate) fn inert(bytes: &[u8]) -> String {
    Untrusted::new(bytes).for_terminal()
}

fn commit_id(id: ObjectId) -> CommitId {
    CommitId::new(&id.to_string())
}

fn object_id(id: &CommitId) -> Result<ObjectId, Error> {
    ObjectId::from_hex(id.as_str().as_bytes()).map_err(|_| Error::BadRevision {
        revision: clip_line(&inert(id.as_str().as_bytes()), 80),
        why: "it is no hash".to_owned(),
    })
}

/// A path fit to be shown, for messages that name the repository.
pub(crate) fn shown_place(repo: &Repo) -> String {
    shown(&repo.place())
}
