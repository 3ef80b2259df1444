//! What the analyst found out about directories, in one journal.
//!
//! To make two files for a directory takes longer than to find out what is in it. So what costs nothing to find out again
//! stands in `entries.jsonl`: a line for each directory, with the entries of its files, and of several lines about one
//! the last. A line that cannot be used is as good as none: the directory is looked at again.
//!
//! What a model has said is kept as documents (`entries`), and these come first. Once an investigation has one, all its
//! entries are documents, so no line is ever newer than a document about the same directory.

use std::collections::{BTreeMap, HashSet};

use luminos_core::entry::{DirEntry, FileEntry, Stamp};
use luminos_core::fact::Fact;
use luminos_core::scan::{Category, home_of};
use luminos_core::{ContentHash, RelPath};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Investigation, malformed};
use crate::document::open_trusted;
use crate::error::{Problem, Why};
use crate::journal::{self, Kind as Lines, walk};
use crate::writer::{Addition, Journal};
use crate::{Receipt, Writer};

/// The journal's name.
const NAME: &str = "entries.jsonl";
/// What is known of a directory with more bytes than this becomes two documents: a line may not be endless.
const LONGEST: usize = 8 << 20;
/// A journal with so many lines that do not count, and more than those that do, is written anew.
const MOST_STALE: u64 = 256;

/// So many bytes of lines are read at a time, so that a large journal is never held whole.
const AT_A_TIME: usize = 32 << 20;
/// Fewer lines are not worth a thread.
const LEAST_OF_A_THREAD: usize = 64;

/// What is known of a directory, as a line.
#[derive(Serialize)]
struct ToNote<'a> {
    about: &'a RelPath,
    dir: &'a DirEntry,
    files: &'a [FileEntry],
}

#[derive(Deserialize)]
struct AboutOnly {
    about: RelPath,
}

#[derive(Deserialize)]
struct DirOnly {
    about: RelPath,
    dir: Value,
}

#[derive(Deserialize)]
struct FilesOnly<F> {
    about: RelPath,
    files: Vec<F>,
}

/// The entry of a file without what it rests on, which is the most of it.
#[derive(Deserialize)]
struct Gist {
    #[serde(default)]
    format: u32,
    relative_path: RelPath,
    size_bytes: u64,
    category: Category,
    summary: String,
    #[serde(default)]
    facts: Vec<Fact>,
    #[serde(default)]
    content_hash: Option<ContentHash>,
}

impl From<Gist> for FileEntry {
    fn from(gist: Gist) -> Self {
        let Gist { format, relative_path, size_bytes, category, summary, facts, content_hash } = gist;
        Self {
            format,
            path: String::new(),
            relative_path,
            size_bytes,
            category,
            summary,
            cached_at: Stamp::default(),
            notable: false,
            notable_reason: None,
            confidence: None,
            confidence_reason: None,
            evidence: Vec::new(),
            facts,
            content_hash,
        }
    }
}

/// What is said of directories in a journal, each once, and how many lines it has.
pub(super) struct Noted<T> {
    pub(super) of: BTreeMap<RelPath, T>,
    pub(super) lines: u64,
    pub(super) unusable: u64,
}

impl<T> Default for Noted<T> {
    fn default() -> Self {
        Self { of: BTreeMap::new(), lines: 0, unusable: 0 }
    }
}

impl Investigation {
    /// Keeps what is known about a directory and the files directly in it, instead of what was known before. For what
    /// nobody paid for: lines that a crash cuts off cost another look.
    pub fn note_dir(&self, writer: &Writer, entry: &DirEntry, files: &[FileEntry]) -> Receipt {
        let dir = &entry.relative_path;
        if self.has_documents() {
            return self.put_both(writer, entry, files);
        }
        let journal = self.noted_journal();
        if let Some(reason) = super::entries::fault_of(entry, files) {
            return malformed(&journal.path, &reason);
        }
        // The journal's own fields are none of these: there is nothing to check.
        match serde_json::to_vec(&ToNote { about: dir, dir: entry, files }) {
            Ok(body) if LONGEST < body.len() => self.put_both(writer, entry, files),
            Ok(body) => writer.append(journal, vec![Addition { id: None, body }]),
            Err(error) => malformed(&journal.path, &error.to_string()),
        }
    }

    /// Writes the journal anew where most of it does not count any more.
    pub fn tidy_entries(&self, writer: &Writer) -> Option<Receipt> {
        let lines: Noted<Vec<u8>> = self.noted(|body| {
            let about = serde_json::from_slice::<AboutOnly>(&body).ok()?.about;
            Some((about, body))
        });
        let stale = lines.lines.checked_sub(lines.of.len() as u64)?;
        if stale < MOST_STALE.max(lines.of.len() as u64) {
            return None;
        }
        let additions = lines.of.into_values().map(|body| Addition { id: None, body }).collect();
        Some(writer.rewrite(self.noted_journal(), additions))
    }

    /// How many lines of the journal there are, and how many of them cannot be used.
    pub(crate) fn noted_lines(&self) -> Result<(u64, u64), Problem> {
        let noted =
            self.read_noted(|body| Some((serde_json::from_slice::<AboutOnly>(&body).ok()?.about, ())))?;
        Ok((noted.lines, noted.unusable))
    }

    /// Adds the directories of the journal to those that have documents.
    pub(super) fn add_noted_dirs(&self, entries: &mut Vec<DirEntry>, problems: &mut Vec<Problem>) {
        let known: HashSet<RelPath> = entries.iter().map(|entry| entry.relative_path.clone()).collect();
        let noted = self.read_noted(|body| {
            let DirOnly { about, dir } = serde_json::from_slice(&body).ok()?;
            let entry = DirEntry::read(dir).ok().filter(|entry| entry.relative_path == about)?;
            Some((about, entry))
        });
        match noted {
            Ok(noted) => entries
                .extend(noted.of.into_iter().filter(|(dir, _)| !known.contains(dir)).map(|(_, entry)| entry)),
            Err(problem) => problems.push(problem),
        }
    }

    /// What the journal says about one directory.
    pub(super) fn noted_dir(&self, dir: &RelPath) -> Result<Option<DirEntry>, Problem> {
        let noted = self.read_noted(|body| {
            let DirOnly { about, dir: entry } = of(dir, &body)?;
            Some((about, DirEntry::read(entry).ok()?))
        });
        Ok(noted?.of.into_values().next())
    }

    /// What is known about all files, by path, without what it rests on: for whoever looks through all of them.
    pub fn file_gists(&self) -> Vec<FileEntry> {
        let mut entries = self.file_documents().0;
        // What cannot be used is told where entries are read whole.
        self.add_noted_files(&mut entries, &mut Vec::new(), |body| {
            let FilesOnly { about, files } = serde_json::from_slice::<FilesOnly<Gist>>(&body).ok()?;
            files_in(FilesOnly { about, files: files.into_iter().map(FileEntry::from).collect() })
        });
        entries.sort_unstable_by(|a, b| a.relative_path.cmp(&b.relative_path));
        entries
    }

    /// Adds all files of the journal to those that have documents.
    pub(super) fn add_whole_files(&self, entries: &mut Vec<FileEntry>, problems: &mut Vec<Problem>) {
        self.add_noted_files(entries, problems, |body| files_in(serde_json::from_slice(&body).ok()?));
    }

    fn add_noted_files(
        &self,
        entries: &mut Vec<FileEntry>,
        problems: &mut Vec<Problem>,
        read: impl Fn(Vec<u8>) -> Option<(RelPath, Vec<FileEntry>)> + Sync,
    ) {
        let known: HashSet<RelPath> = entries.iter().map(|entry| home_of(&entry.relative_path)).collect();
        match self.read_noted(read) {
            Ok(noted) => entries.extend(
                noted.of.into_iter().filter(|(dir, _)| !known.contains(dir)).flat_map(|(_, files)| files),
            ),
            Err(problem) => problems.push(problem),
        }
    }

    /// What the journal says about the files of one directory.
    pub(super) fn noted_files(&self, dir: &RelPath) -> Result<Vec<FileEntry>, Problem> {
        let noted = self.read_noted(|body| files_in(of(dir, &body)?))?;
        Ok(noted.of.into_values().next().unwrap_or_default())
    }

    /// Whether the entry of a directory is a document of its own.
    pub fn is_document(&self, dir: &RelPath) -> bool {
        self.dir_entry_path(dir).exists()
    }

    /// The file that a directory's entry stands in: its document, or the journal.
    pub(crate) fn place_of_entry(&self, dir: &RelPath) -> std::path::PathBuf {
        let document = self.dir_entry_path(dir);
        if document.exists() { document } else { self.dir.join(NAME) }
    }

    fn put_both(&self, writer: &Writer, entry: &DirEntry, files: &[FileEntry]) -> Receipt {
        if !files.is_empty() {
            let kept = self.put_file_entries(writer, &entry.relative_path, files);
            // If the disk cannot keep the first, it cannot keep the second, either.
            if kept.refusal().is_some() {
                return kept;
            }
        }
        self.put_dir_entry(writer, entry)
    }

    fn has_documents(&self) -> bool {
        self.dir.join("dirs").is_dir()
    }

    fn noted_journal(&self) -> Journal {
        self.journal(NAME, Lines::Entries)
    }

    fn noted<T: Send>(&self, read: impl Fn(Vec<u8>) -> Option<(RelPath, T)> + Sync) -> Noted<T> {
        self.read_noted(read).unwrap_or_default()
    }

    /// Reads the journal, line by line; of several lines about one directory the last stays.
    fn read_noted<T: Send>(
        &self,
        read: impl Fn(Vec<u8>) -> Option<(RelPath, T)> + Sync,
    ) -> Result<Noted<T>, Problem> {
        let journal = self.noted_journal();
        let problem = |why: Why| Problem::new(&journal.path, why);
        let Some((file, _)) = open_trusted(&journal.path).map_err(problem)? else {
            return Ok(Noted::default());
        };
        let mut noted = Noted::default();
        let (mut waiting, mut bytes) = (Vec::new(), 0);
        let walked = walk(file, journal.kind, &journal.about, |_, line| {
            bytes += line.fields.len();
            waiting.push(journal::line::body(line.fields));
            if AT_A_TIME <= bytes {
                bytes = 0;
                noted.add(std::mem::take(&mut waiting), &read);
            }
            Ok(())
        });
        noted.add(waiting, &read);
        noted.unusable += walked.map_err(problem)?.skipped;
        Ok(noted)
    }
}

impl<T: Send> Noted<T> {
    /// Adds lines, in their order. They are read on all processors: it is all that a report waits for.
    fn add(&mut self, lines: Vec<Vec<u8>>, read: &(impl Fn(Vec<u8>) -> Option<(RelPath, T)> + Sync)) {
        self.lines += lines.len() as u64;
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let share = lines.len().div_ceil(threads).max(LEAST_OF_A_THREAD);
        let mut lines = lines.into_iter();
        let shares = std::iter::from_fn(|| {
            let share: Vec<Vec<u8>> = lines.by_ref().take(share).collect();
            (!share.is_empty()).then_some(share)
        });
        let read_share =
            |share: Vec<Vec<u8>>| -> Vec<Option<(RelPath, T)>> { share.into_iter().map(read).collect() };
        let said: Vec<Vec<Option<(RelPath, T)>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = shares.map(|share| scope.spawn(|| read_share(share))).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|said| said.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        for line in said.into_iter().flatten() {
            match line {
                Some((about, said)) => drop(self.of.insert(about, said)),
                None => self.unusable += 1,
            }
        }
    }
}

/// A line, if it is about a directory.
fn of<T: DeserializeOwned>(dir: &RelPath, body: &[u8]) -> Option<T> {
    let AboutOnly { about } = serde_json::from_slice(body).ok()?;
    if about == *dir { serde_json::from_slice(body).ok() } else { None }
}

/// The files of a line, if they are what they should be.
fn files_in(FilesOnly { about, files }: FilesOnly<FileEntry>) -> Option<(RelPath, Vec<FileEntry>)> {
    let is_right = |file: &FileEntry| home_of(&file.relative_path) == about && file.check().is_ok();
    files.iter().all(is_right).then_some((about, files))
}
