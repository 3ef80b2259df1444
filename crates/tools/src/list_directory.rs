//! The tool that shows what is in a directory: names, kinds, sizes, where links lead.
//!
//! A directory may have millions of entries. They are looked at one by one and only the first names, in order, are
//! kept; the others are counted by their endings.

use std::collections::{BTreeMap, BinaryHeap};

use luminos_core::proof::ToolCallId;
use luminos_core::{ByteSize, RelPath, Untrusted};
use rustix::fs::FileType;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::address::address;
use crate::root::Directory;
use crate::session::{Done, Reply, Session};
use crate::toolbox::{Scope, Tool};

#[cfg(test)]
mod tests;

/// How many endings are told.
const ENDINGS: usize = 20;
/// How many different endings are counted; others count as one.
const ENDINGS_COUNTED: usize = 2_000;
/// What the words around the list may take of a result.
const WORDS: usize = 2_048;

/// The tool.
pub(crate) struct ListDirectory;

/// What to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct What {
    /// The directory, relative to the target; `.` is the target itself. Your own directory if you leave it out.
    #[serde(default)]
    path: Option<String>,
    /// Whether to show names that start with a dot, too.
    #[serde(default)]
    show_hidden: bool,
    /// Show only names after this one, to read on where an earlier result was cut.
    #[serde(default)]
    after: Option<String>,
}

impl Tool for ListDirectory {
    type Arguments = What;
    const NAME: &'static str = "list_directory";
    const ABOUT: &'static str = "List what is in a directory, not below it: kind, size and name, and where links lead. \
        A huge directory is cut, with a count of its entries by ending. A path for the other tools is the directory, a \
        slash and the name; where a name cannot be written as it is, the path to use is shown in brackets.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(session: &mut Session, what: What, _: &ToolCallId) -> Reply {
        let path = match &what.path {
            Some(path) => session.path(path)?,
            None => session.dir().clone(),
        };
        let directory = session.root()?.directory(&path).map_err(|refused| refused.to_string())?;
        let after = match &what.after {
            Some(after) => session.path(after)?,
            None => RelPath::root(),
        };
        let most = session.limits.list_entries;
        let listing = Listing::of(&directory, what.show_hidden, last_name(&after), most)
            .map_err(|errno| format!("It could not be listed: {errno}."))?;
        Ok(Done::text(listing.words(session, &directory)))
    }
}

/// The last name of a path: entries are named by their own names or by whole paths.
fn last_name(path: &RelPath) -> &[u8] {
    path.as_bytes().rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}

/// What was seen of a directory.
#[derive(Default)]
struct Listing {
    /// The first names, in order.
    shown: Vec<(Vec<u8>, FileType)>,
    total: u64,
    directories: u64,
    hidden: u64,
    before: u64,
    endings: BTreeMap<Vec<u8>, u64>,
}

impl Listing {
    fn of(
        directory: &Directory,
        shows_hidden: bool,
        after: &[u8],
        most: usize,
    ) -> Result<Self, rustix::io::Errno> {
        let mut listing = Self::default();
        // The heap has the greatest name on top: the one to give way.
        let mut first: BinaryHeap<(Vec<u8>, u8)> = BinaryHeap::with_capacity(most + 1);
        directory.each(|entry| {
            if entry.name.first() == Some(&b'.') && !shows_hidden {
                listing.hidden += 1;
                return;
            }
            listing.total += 1;
            listing.directories += u64::from(entry.kind == FileType::Directory);
            if entry.kind != FileType::Directory {
                listing.count_ending(entry.name);
            }
            if entry.name <= after {
                listing.before += 1;
                return;
            }
            if first.len() < most || first.peek().is_some_and(|(last, _)| entry.name < &last[..]) {
                first.push((entry.name.to_vec(), kind_number(entry.kind)));
                if most < first.len() {
                    first.pop();
                }
            }
        })?;
        let sorted = first.into_sorted_vec().into_iter();
        listing.shown = sorted.map(|(name, kind)| (name, KINDS[usize::from(kind)])).collect();
        Ok(listing)
    }

    fn count_ending(&mut self, name: &[u8]) {
        let ending = match name.iter().rposition(|&byte| byte == b'.') {
            Some(dot) if 0 < dot && dot + 1 < name.len() && name.len() - dot <= 16 => {
                name[dot..].to_ascii_lowercase()
            }
            Some(_) | None => b"(none)".to_vec(),
        };
        if self.endings.len() < ENDINGS_COUNTED || self.endings.contains_key(&ending) {
            *self.endings.entry(ending).or_default() += 1;
        } else {
            *self.endings.entry(b"(others)".to_vec()).or_default() += 1;
        }
    }

    fn words(&self, session: &Session, directory: &Directory) -> String {
        let name = directory.name.for_terminal();
        let mut text = match self.total {
            0 => format!("`{name}` is empty."),
            total => {
                let directories = self.directories;
                format!("`{name}`: {total} entries, {directories} of them directories.")
            }
        };
        if 0 < self.hidden {
            text.push_str(&format!(" {} more start with a dot: pass \"show_hidden\": true.", self.hidden));
        }
        text.push('\n');
        if self.total == 0 {
            return text;
        }
        let room = session.limits.result_bytes.saturating_sub(WORDS);
        let mut rows = String::new();
        let mut shown: usize = 0;
        for (entry, kind) in &self.shown {
            let row = row(directory, entry, *kind);
            if room < rows.len() + row.len() {
                break;
            }
            rows.push_str(&row);
            shown += 1;
        }
        text.push_str(&session.quoted(rows.as_bytes(), &format!("entries of {name}")));
        text.push('\n');
        let left = self.total - self.before - shown as u64;
        if 0 < left {
            let last =
                self.shown.get(shown.wrapping_sub(1)).map(|(name, _)| name.as_slice()).unwrap_or_default();
            let last = Untrusted::new(RelPath::new(last).to_word().as_bytes()).for_json();
            text.push_str(&format!("Cut here; entries left: {left}. To read on, pass \"after\": {last}.\n"));
            text.push_str(&self.endings_in_words(session));
        }
        text
    }

    fn endings_in_words(&self, session: &Session) -> String {
        let mut endings: Vec<(&Vec<u8>, &u64)> = self.endings.iter().collect();
        endings.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let told = endings.iter().take(ENDINGS);
        let told: Vec<String> = told
            .map(|(ending, count)| format!("{} {count}", Untrusted::new(ending).for_terminal()))
            .collect();
        session.quoted(told.join(", ").as_bytes(), "files by ending")
    }
}

/// A line of the list.
fn row(directory: &Directory, name: &[u8], kind: FileType) -> String {
    let shown = Untrusted::new(name).for_terminal();
    let mut row = match kind {
        FileType::Directory => format!("dir     {:>9}  {shown}/", ""),
        FileType::Symlink => {
            let target = directory.link(name).unwrap_or_default();
            format!("link    {:>9}  {shown} -> {}", "", Untrusted::new(&target).for_terminal())
        }
        FileType::RegularFile => match directory.look(name) {
            Ok(stamp) => format!("file    {:>9}  {shown}", ByteSize(stamp.size).to_string()),
            Err(errno) => format!("file    {:>9}  {shown} ({errno})", "?"),
        },
        FileType::Fifo => format!("pipe    {:>9}  {shown}", ""),
        FileType::Socket => format!("socket  {:>9}  {shown}", ""),
        FileType::CharacterDevice | FileType::BlockDevice => format!("device  {:>9}  {shown}", ""),
        FileType::Unknown => format!("unknown {:>9}  {shown}", ""),
    };
    if let Some(address) = address(&directory.child(name)) {
        row.push_str(&format!("  [path: {address}]"));
    }
    row.push('\n');
    row
}

/// Kinds have no order of their own.
const KINDS: [FileType; 8] = [
    FileType::RegularFile,
    FileType::Directory,
    FileType::Symlink,
    FileType::Fifo,
    FileType::Socket,
    FileType::CharacterDevice,
    FileType::BlockDevice,
    FileType::Unknown,
];

fn kind_number(kind: FileType) -> u8 {
    KINDS.iter().position(|known| *known == kind).and_then(|at| u8::try_from(at).ok()).unwrap_or(7)
}
