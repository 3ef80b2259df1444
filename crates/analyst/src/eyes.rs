//! How the analyst sees files: through the same confined root as the tools, and with a record of all it saw.
//!
//! The secrets of a file are found once, in its bytes, and written over before anybody looks at its text: nothing that is
//! said of a file can hold one. What is quoted has a mark in the place of each, and the hash of the true words.

use std::cell::{Cell, RefCell};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use luminos_core::fact::{Fact, FactKind, Reader, Subject};
use luminos_core::job::{Assignment, ListedFile, News, ToolLine};
use luminos_core::judge::Exhibit;
use luminos_core::proof::{Evidence, Served, ToolCallId, hash_quote};
use luminos_core::scan::Category;
use luminos_core::secrets::{Secret, TextKind, blank_out, find_secrets, redact_part};
use luminos_core::{ContentHash, RelPath, is_secret_file};
use luminos_tools::{Directory, Opened, Refused, Root, structure};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::bounds;
use luminos_core::services::Services;

/// Larger files are known by their names and sizes only.
const LARGEST: u64 = 2 << 20;
/// Of pictures the head is enough; of other things what the judge reads again.
const HEAD: u64 = 256 << 10;
const LARGEST_PEEK: u64 = 32 << 20;

/// A text has no zero byte among its first ones.
const TOLD_BY: usize = 8 << 10;
/// What is quoted up to a place in a line is no longer.
const LONGEST_LEAD: usize = 400;

/// A file that was read.
#[derive(Debug, Clone)]
pub(crate) struct FileText {
    /// Where it lies.
    pub(crate) path: RelPath,
    /// The path as a word for sentences.
    pub(crate) word: String,
    /// Its name.
    pub(crate) name: String,
    /// What stands in it, its secrets written over.
    pub(crate) text: String,
    /// Whether its names say that it keeps secrets: then nothing is told of what stands in it.
    pub(crate) is_withheld: bool,
    /// Where its secrets stand.
    secrets: Vec<Secret>,
    /// What stands in it, where that is something else.
    original: Option<String>,
    blob: ContentHash,
    call: ToolCallId,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl FileText {
    /// Bytes of a file as text; `None` for what is none.
    pub(crate) fn of(path: &RelPath, bytes: Vec<u8>, blob: ContentHash, call: ToolCallId) -> Option<Self> {
        let text = String::from_utf8(bytes).ok().filter(|text| !text.as_bytes().contains(&0))?;
        let mut secrets = find_secrets(text.as_bytes(), TextKind::from_name(path.as_bytes()));
        for secret in &mut secrets {
            // No character is cut in two.
            secret.start = text.floor_char_boundary(secret.start);
            secret.end = text.ceil_char_boundary(secret.end);
        }
        let (text, original) = match secrets.is_empty() {
            true => (text, None),
            false => {
                let mut open = text.clone().into_bytes();
                blank_out(&mut open, &secrets);
                (String::from_utf8(open).ok()?, Some(text))
            }
        };
        let starts = line_starts(&text);
        let word = path.to_word();
        let name = word.rsplit('/').next().unwrap_or_default().to_owned();
        let is_withheld = is_secret_file(path);
        Some(Self {
            path: path.clone(),
            word,
            name,
            text,
            is_withheld,
            secrets,
            original,
            blob,
            call,
            starts,
        })
    }

    /// Something that the file shows.
    pub(crate) fn fact(&self, reader: Reader, fact: FactKind, evidence: Vec<Evidence>) -> Fact {
        Fact::new(Subject::File(self.path.clone()), fact, evidence, reader)
    }

    /// What it was, for the judge.
    pub(crate) fn into_exhibit(self, scanned: Option<ContentHash>) -> (RelPath, Exhibit) {
        let bytes = self.original.unwrap_or(self.text).into_bytes();
        (self.path, Exhibit { bytes: Arc::new(bytes), blob: self.blob, scanned })
    }

    /// The same, if it keeps secrets by another name as one of which nothing is told.
    pub(crate) fn withheld_if(self, is_withheld: bool) -> Self {
        Self { is_withheld: self.is_withheld || is_withheld, ..self }
    }

    /// Where its secrets stand.
    pub(crate) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// What stands in a range of it, secrets and all: for whoever has to judge one.
    pub(crate) fn true_words(&self, range: Range<usize>) -> &str {
        self.original.as_ref().unwrap_or(&self.text).get(range).unwrap_or_default()
    }

    /// A line up to a place in it as evidence.
    pub(crate) fn cite_up_to(&self, line: usize, end: usize) -> Evidence {
        // Of a long line what stands before the place is enough.
        let start = self.start_of(line).max(self.text.ceil_char_boundary(end.saturating_sub(LONGEST_LEAD)));
        let blanks = self.text[start..end].len() - self.text[start..end].trim_start().len();
        self.cite_range(line, line, Some(start + blanks..end))
    }

    /// How many lines it has.
    pub(crate) fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// A line by its number, without its end.
    pub(crate) fn line(&self, number: usize) -> &str {
        let Some(index) = number.checked_sub(1).filter(|index| *index < self.starts.len()) else {
            return "";
        };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text[self.starts[index]..end].trim_end_matches(['\n', '\r'])
    }

    /// The line that a byte stands in.
    pub(crate) fn line_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The first byte of a line.
    pub(crate) fn start_of(&self, line: usize) -> usize {
        self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// All lines with their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..=self.line_count()).map(|number| (number, self.line(number)))
    }

    /// The first line that holds something.
    pub(crate) fn find(&self, needle: &str) -> Option<usize> {
        let at = memchr::memmem::find(self.text.as_bytes(), needle.as_bytes())?;
        Some(self.line_at(at))
    }

    /// Whole lines as evidence.
    pub(crate) fn cite_lines(&self, first: usize, last: usize) -> Evidence {
        let last = last.clamp(first, first + 7);
        // As it is stored, line ends and all: quotes are compared byte by byte.
        let start = self.starts.get(first.saturating_sub(1)).copied().unwrap_or(0);
        let end = self.starts.get(last).copied().unwrap_or(self.text.len());
        self.cite(first, last, self.text[start..end.max(start)].trim())
    }

    /// A line as evidence, with the words in it that matter. Words that are not there are not quoted.
    pub(crate) fn cite_words(&self, line: usize, words: &str) -> Evidence {
        let whole = self.line(line);
        let quote = if whole.contains(words) { words } else { whole.trim() };
        self.cite(line, line, quote)
    }

    fn cite(&self, first: usize, last: usize, quote: &str) -> Evidence {
        let start = self.starts.get(first.saturating_sub(1)).copied().unwrap_or(0);
        let quote = bounds::quote(quote);
        let found = self.text[start..].find(quote).map(|at| start + at..start + at + quote.len());
        let is_found = found.is_some();
        let evidence = self.cite_range(first, last, found);
        let quote = (!is_found).then(|| quote.to_owned());
        Evidence { quote: evidence.quote.or(quote), ..evidence }
    }

    /// A range of bytes as evidence, a mark in the place of each secret in it.
    fn cite_range(&self, first: usize, last: usize, range: Option<Range<usize>>) -> Evidence {
        let place = |at: usize| at as u64;
        let evidence = Evidence {
            path: self.path.clone(),
            start_line: place(first),
            end_line: place(last),
            quote: None,
            quote_hash: None,
            start: None,
            end: None,
            blob: Some(self.blob),
            call: Some(self.call.clone()),
        };
        let Some(range) = range.filter(|_| !self.is_withheld) else { return evidence };
        let words = self.true_words(range.clone());
        let is_secret =
            self.secrets.iter().any(|secret| secret.start < range.end && range.start < secret.end);
        let (start, end) = (Some(place(range.start)), Some(place(range.end)));
        if !is_secret {
            return Evidence { quote: Some(words.to_owned()), start, end, ..evidence };
        }
        let shown = redact_part(words.as_bytes(), range.start, &self.secrets);
        // Marks are longer than what they stand for, as a rule: a quote that grew too long is none.
        match String::from_utf8(shown).ok().filter(|shown| bounds::quote(shown) == shown) {
            Some(shown) => {
                let hash = hash_quote(self.blob, words.as_bytes());
                Evidence { quote: Some(shown), quote_hash: Some(hash), start, end, ..evidence }
            }
            None => evidence,
        }
    }
}

/// The bytes of a file that need not be text, from its beginning.
#[derive(Debug, Clone)]
pub(crate) struct Peek {
    /// The path as a word for sentences.
    pub(crate) word: String,
    /// Its name.
    pub(crate) name: String,
    /// As many of its bytes as were read, its secrets written over.
    pub(crate) bytes: Vec<u8>,
    secrets: Vec<Secret>,
    /// A piece further behind, where its beginning says that more is known there; and where it begins.
    pub(crate) far: Option<(u64, Vec<u8>)>,
    path: RelPath,
    blob: ContentHash,
    call: ToolCallId,
}

impl Peek {
    /// The first line as evidence, whatever stands in it.
    pub(crate) fn cite_head(&self) -> Evidence {
        self.cite_line(1)
    }

    /// A line as evidence.
    pub(crate) fn cite_line(&self, line: usize) -> Evidence {
        Evidence {
            path: self.path.clone(),
            start_line: line as u64,
            end_line: line as u64,
            quote: None,
            quote_hash: None,
            start: None,
            end: None,
            blob: Some(self.blob),
            call: Some(self.call.clone()),
        }
    }

    /// Words as evidence, where they stand in the file as they are. Only plain ones: what is no UTF-8 is compared byte by
    /// byte.
    pub(crate) fn cite(&self, words: &str) -> Option<Evidence> {
        let words = bounds::quote(words.trim());
        if words.is_empty() || !words.is_ascii() || words.contains('\n') {
            return None;
        }
        let at = memchr::memmem::find(&self.bytes, words.as_bytes())?;
        let end = at + words.len();
        if self.secrets.iter().any(|secret| secret.start < end && at < secret.end) {
            return None;
        }
        let line = 1 + memchr::memchr_iter(b'\n', &self.bytes[..at]).count();
        Some(Evidence { quote: Some(words.to_owned()), ..self.cite_line(line) })
    }
}

/// The analyst's eyes, for one directory.
pub(crate) struct Eyes<'a, S> {
    root: &'a Root,
    /// The directory itself, through which its files are opened.
    here: Option<Directory>,
    services: &'a S,
    turn: Cell<u32>,
    calls: Cell<u32>,
    unreadable: RefCell<Vec<RelPath>>,
    served: RefCell<Vec<Served>>,
}

impl<'a, S: Services> Eyes<'a, S> {
    pub(crate) fn new(assignment: &Assignment, root: &'a Root, services: &'a S) -> Self {
        Self {
            root,
            here: root.directory(&assignment.job.dir).ok(),
            services,
            turn: Cell::new(assignment.used.0),
            calls: Cell::new(0),
            unreadable: RefCell::new(Vec::new()),
            served: RefCell::new(Vec::new()),
        }
    }

    /// Takes another turn.
    pub(crate) fn take_turn(&self) {
        self.turn.set(self.turn.get() + 1);
        self.calls.set(0);
        self.services.news(News::Turn(self.turn.get()));
    }

    /// Opens a file of the directory, or another one of the target.
    fn open(&self, path: &RelPath) -> Result<Opened, Refused> {
        let Some(here) = &self.here else { return self.root.file(path) };
        let name = match here.name.is_root() {
            true => Some(path.as_bytes()),
            false => {
                path.as_bytes().strip_prefix(here.name.as_bytes()).and_then(|rest| rest.strip_prefix(b"/"))
            }
        };
        match name.filter(|name| !name.is_empty() && !name.contains(&b'/')) {
            // What leads through a link is opened by its whole path, as far as it stays inside.
            Some(name) => self.root.file_of(here, name).or_else(|_| self.root.file(path)),
            None => self.root.file(path),
        }
    }

    /// All that it saw.
    pub(crate) fn served(&self) -> std::cell::Ref<'_, Vec<Served>> {
        self.served.borrow()
    }

    fn see(&self, served: Served) {
        self.served.borrow_mut().push(served.clone());
        self.services.news(News::Served(vec![served]));
    }

    /// Files that could not be read.
    pub(crate) fn unreadable(&self) -> Vec<RelPath> {
        self.unreadable.borrow().clone()
    }

    /// Reads the beginning of a file that need not be text: pictures and films by their heads, others as far as anybody
    /// can check it later.
    pub(crate) fn peek(&self, path: &RelPath, file: &ListedFile) -> Option<Peek> {
        let most = if file.category == Category::Media { HEAD } else { LARGEST_PEEK };
        let call = ToolCallId(format!("{}.{}", self.turn.get(), self.calls.get() + 1));
        self.calls.set(self.calls.get() + 1);
        let mut opened = self.open(path).ok()?;
        if self.root.keeps_secrets(&opened) {
            return None;
        }
        let mut bytes = opened.room(most);
        (&mut opened.file).take(most).read_to_end(&mut bytes).ok()?;
        let is_whole = (bytes.len() as u64) < most;
        let blob = if is_whole { ContentHash(Sha256::digest(&bytes).into()) } else { file.hash? };
        self.services.news(News::Tool(ToolLine {
            turn: self.turn.get(),
            tool: "parse_structure".to_owned(),
            args: json!({ "path": path.to_word() }),
            result_length: bytes.len() as u64,
            failed: false,
        }));
        let lines = memchr::memchr_iter(b'\n', &bytes).count() as u64 + u64::from(!bytes.ends_with(b"\n"));
        self.see(Served {
            path: path.clone(),
            blob: Some(blob),
            start: 0,
            end: bytes.len() as u64,
            first_line: 1,
            last_line: lines.max(1),
            call: call.clone(),
        });
        let wanted = structure::far(&bytes).filter(|at| most == HEAD && !is_whole && *at < file.size);
        let far = wanted.and_then(|at| Some((at, self.read_at(&mut opened, at)?)));
        if let Some((at, piece)) = &far {
            self.see(Served {
                path: path.clone(),
                blob: Some(blob),
                start: *at,
                end: at + piece.len() as u64,
                first_line: 0,
                last_line: 0,
                call: call.clone(),
            });
        }
        let word = path.to_word();
        let name = word.rsplit('/').next().unwrap_or_default().to_owned();
        // Pictures and archives have no text of their own: what is decoded of them is looked at as a sentence.
        let is_text = file.category != Category::Media
            && memchr::memchr(0, &bytes[..bytes.len().min(TOLD_BY)]).is_none();
        let kind = TextKind::from_name(path.as_bytes());
        let secrets = if is_text { find_secrets(&bytes, kind) } else { Vec::new() };
        blank_out(&mut bytes, &secrets);
        Some(Peek { word, name, bytes, secrets, far, path: path.clone(), blob, call })
    }

    fn read_at(&self, opened: &mut Opened, at: u64) -> Option<Vec<u8>> {
        opened.file.seek(SeekFrom::Start(at)).ok()?;
        let mut piece = Vec::new();
        (&mut opened.file).take(HEAD).read_to_end(&mut piece).ok()?;
        Some(piece)
    }

    /// Reads a text file whole. `None` for what is no text, too large or unreadable.
    pub(crate) fn read(&self, path: &RelPath, size: u64) -> Option<FileText> {
        if size == 0 || LARGEST < size {
            return None;
        }
        self.read_whole("read_file", path)
    }

    /// The same, told as the work of another tool.
    pub(crate) fn read_whole(&self, tool: &str, path: &RelPath) -> Option<FileText> {
        let call = ToolCallId(format!("{}.{}", self.turn.get(), self.calls.get() + 1));
        self.calls.set(self.calls.get() + 1);
        let mut bytes = Vec::new();
        let mut is_withheld = false;
        let read = self.open(path).map_err(|_| ()).and_then(|opened| {
            is_withheld = self.root.keeps_secrets(&opened);
            bytes = opened.room(LARGEST);
            opened.file.take(LARGEST).read_to_end(&mut bytes).map_err(|_| ())
        });
        let failed = read.is_err();
        self.services.news(News::Tool(ToolLine {
            turn: self.turn.get(),
            tool: tool.to_owned(),
            args: json!({ "path": path.to_word() }),
            result_length: bytes.len() as u64,
            failed,
        }));
        if failed {
            self.unreadable.borrow_mut().push(path.clone());
            return None;
        }
        let end = bytes.len() as u64;
        let blob = ContentHash(Sha256::digest(&bytes).into());
        let text = FileText::of(path, bytes, blob, call.clone());
        let text = text.map(|text| text.withheld_if(is_withheld));
        let lines = text.as_ref().map_or(0, FileText::line_count) as u64;
        self.see(Served {
            path: path.clone(),
            blob: Some(blob),
            start: 0,
            end,
            first_line: lines.min(1),
            last_line: lines,
            call,
        });
        text
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    if text.is_empty() {
        return Vec::new();
    }
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).filter(|at| *at < text.len());
    std::iter::once(0).chain(ends).collect()
}
