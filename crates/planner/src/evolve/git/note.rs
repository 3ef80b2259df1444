//! Notes: what people and programs say about a commit without changing it.

use gix::bstr::ByteSlice as _;
use gix::objs::tree::EntryKind;

use super::{Repo, object_id, words};
use crate::evolve::chain::CommitId;
use crate::evolve::error::Error;

/// Where metrics are noted.
pub const NOTES: &str = "refs/notes/luminos-metrics";
/// More than this is no note about metrics.
const LARGEST: u64 = 1 << 20;

impl Repo {
    /// The note about a commit, if there is one.
    pub fn note(&self, id: &CommitId) -> Result<Option<String>, Error> {
        let broken = |why: String| Error::Object { what: format!("the note about {}", id.short()), why };
        let Some(tree) = self.notes()? else { return Ok(None) };
        let Some((_, blob)) = find(&tree, id.as_str()) else { return Ok(None) };
        let size = self.git.find_header(blob).map_err(|error| broken(words(&error)))?.size();
        if LARGEST < size {
            return Err(broken(format!("it has {size} bytes")));
        }
        let object = self.git.find_object(blob).map_err(|error| broken(words(&error)))?;
        match std::str::from_utf8(&object.data) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(broken("it is no UTF-8".to_owned())),
        }
    }

    fn notes(&self) -> Result<Option<gix::Tree<'_>>, Error> {
        let broken = |why: String| Error::Object { what: NOTES.to_owned(), why };
        let Some(mut reference) =
            self.git.try_find_reference(NOTES).map_err(|error| broken(words(&error)))?
        else {
            return Ok(None);
        };
        let commit = reference.peel_to_commit().map_err(|error| broken(words(&error)))?;
        commit.tree().map(Some).map_err(|error| broken(words(&error)))
    }

    /// Writes the note about a commit, in place of the one there is. The only thing that is ever written into a repository.
    pub fn write_note(&self, id: &CommitId, text: &str, seconds: i64) -> Result<(), Error> {
        let failed = |error: &dyn std::fmt::Display| Error::Note(words(&error));
        // What is not there cannot be noted about.
        object_id(id)?;
        let blob = self.git.write_blob(text).map_err(|error| failed(&error))?;
        let notes = self.notes()?;
        let path = notes
            .as_ref()
            .and_then(|tree| find(tree, id.as_str()))
            .map_or_else(|| id.to_string(), |(path, _)| path);
        let tree = notes.unwrap_or_else(|| self.git.empty_tree());
        let mut editor = tree.edit().map_err(|error| failed(&error))?;
        editor.upsert(path.as_str(), EntryKind::Blob, blob.detach()).map_err(|error| failed(&error))?;
        let tree = editor.write().map_err(|error| failed(&error))?;
        let parent = match self.git.try_find_reference(NOTES).map_err(|error| failed(&error))? {
            Some(mut reference) => Some(reference.peel_to_id().map_err(|error| failed(&error))?.detach()),
            None => None,
        };
        let time = gix::date::Time { seconds, offset: 0 }.to_string();
        let who = gix::actor::SignatureRef {
            name: "luminos".into(),
            email: "luminos@localhost".into(),
            time: &time,
        };
        let message = "Notes added by `luminosctl evolve evaluate`";
        self.git
            .commit_as(who, who, NOTES, message, tree.detach(), parent)
            .map(drop)
            .map_err(|error| failed(&error))
    }
}

/// Where a note stands: large collections lie in directories by the first digits of the hash, and so on.
fn find(tree: &gix::Tree<'_>, hash: &str) -> Option<(String, gix::ObjectId)> {
    let entries = tree.iter().filter_map(Result::ok);
    for entry in entries {
        let name = entry.filename().to_str().ok()?.to_owned();
        if entry.mode().is_blob() && name == hash {
            return Some((name, entry.object_id()));
        }
        if entry.mode().is_tree() && name.len() == 2 && hash.starts_with(&name) {
            let below = entry.object().ok()?.into_tree();
            if let Some((path, id)) = find(&below, hash.get(2..)?) {
                return Some((format!("{name}/{path}"), id));
            }
        }
    }
    None
}
