//! The history of a target, read from the files of its git repository.
//!
//! No git is run and nothing of its configuration is obeyed: references, loose objects and packs are read beneath the
//! same confined root as everything else, and never followed out of it (a `.git` that is a file, alternates and
//! replacements are not). Work is bounded by numbers, not by time, so that the same repository tells the same: so many
//! commits, so many trees, so many bytes per object. What is damaged or too large ends the walk there, and the history
//! says that it is not whole.
//!
//! What is told of a history is pinned by the id of its newest commit: whoever has that id can count again.

mod object;
mod pack;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use walk::{History, history};

use luminos_core::RelPath;
use luminos_tools::Root;

use object::Id;

/// Where the newest commit is named: a text file of the repository, and the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tip {
    pub(crate) path: RelPath,
    pub(crate) line: usize,
    pub(crate) id: Id,
}

/// The newest commit; `None` where there is no repository, or none that is understood.
pub(crate) fn tip(root: &Root) -> Option<Tip> {
    let path = RelPath::from(".git/HEAD");
    let head = object::small_text(root, &path)?;
    let first = head.lines().next()?.trim();
    let Some(name) = first.strip_prefix("ref: ") else {
        return Some(Tip { path, line: 1, id: Id::from_hex(first)? });
    };
    let name = name.trim();
    if !name.starts_with("refs/") || name.split('/').any(|step| step.is_empty() || step.starts_with('.')) {
        return None;
    }
    let path = RelPath::from(format!(".git/{name}").as_str());
    if let Some(text) = object::small_text(root, &path) {
        return Some(Tip { path, line: 1, id: Id::from_hex(text.lines().next()?.trim())? });
    }
    let path = RelPath::from(".git/packed-refs");
    let packed = object::small_text(root, &path)?;
    packed.lines().zip(1..).find_map(|(text, line)| {
        let (id, of) = text.split_once(' ')?;
        (of == name).then(|| Some(Tip { path: path.clone(), line, id: Id::from_hex(id)? }))?
    })
}
