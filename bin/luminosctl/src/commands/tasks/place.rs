//! Which repository a directory belongs to, for the backlog: the same one in all of its subdirectories and worktrees.

use std::path::{Path, PathBuf};

use luminos_core::{Exit, Failure};
use luminos_engine::evolve::Repo;
use luminos_engine::tasks::Backlog;

use super::failure;
use crate::commands::target::real_target;
use crate::session::{Session, for_terminal};

/// A repository, as somebody stands in it.
#[derive(Debug)]
pub(super) struct Place {
    /// The directory with its files: the worktree that somebody stands in, or a directory without git.
    pub(super) dir: PathBuf,
    /// Its name in the backlog, whichever worktree this is.
    pub(super) name: String,
}

/// What a place is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To plan for its files.
    Planning,
    /// To find the tasks that there are.
    Looking,
}

impl Place {
    /// The repository that a path belongs to. Without git, a directory above that has a backlog counts, where somebody looks
    /// for tasks. What was planned for a directory by itself, is found there.
    pub(super) fn find(
        path: &Path,
        purpose: Purpose,
        backlog: &Backlog,
        session: &Session<'_>,
    ) -> Result<Self, Failure> {
        let dir = real_target(session, path)?;
        let repo = Repo::open(&dir).ok();
        let root = repo.as_ref().and_then(Repo::worktree).and_then(|root| std::fs::canonicalize(root).ok());
        if let (Some(_), None) = (&repo, &root)
            && purpose == Purpose::Planning
        {
            return Err(Failure {
                message: format!(
                    "`{}` is a bare repository and has no files to plan for",
                    for_terminal(path)
                ),
                causes: Vec::new(),
                hint: Some("plan in one of its worktrees; `git worktree add DIR` makes one".to_owned()),
                exit: Exit::Usage,
            });
        }
        // A home directory under version control is no project of everything below it.
        let home = session.around().home_dir.as_deref().and_then(|home| std::fs::canonicalize(home).ok());
        let is_home = |root: &Path| home.as_deref().is_some_and(|home| home.starts_with(root));
        let repo = repo.filter(|_| root.as_deref().is_none_or(|root| root == dir || !is_home(root)));
        let end = repo.as_ref().and(root.as_deref());
        for above in dir.ancestors() {
            if backlog.has_repo(&name_of(above)).map_err(|error| failure(&error))? {
                return Ok(Self { name: name_of(above), dir: above.to_owned() });
            }
            let is_alone = repo.is_none() && purpose == Purpose::Planning;
            if is_alone || end == Some(above) || is_home(above) {
                break;
            }
        }
        Ok(match repo {
            Some(repo) => Self { name: name_of(&repo.identity()), dir: root.unwrap_or(dir) },
            None => Self { name: name_of(&dir), dir },
        })
    }
}

fn name_of(dir: &Path) -> String {
    dir.to_string_lossy().into_owned()
}
