//! Objects: where they lie and what stands in them.

use std::collections::HashMap;
use std::io::Read as _;
use std::rc::Rc;

use flate2::read::ZlibDecoder;
use luminos_core::RelPath;
use luminos_tools::Root;

use super::pack::Pack;

/// No object that tells history is larger: commits and trees.
pub(super) const LARGEST: usize = 8 << 20;
/// No text file of a repository that is read is larger.
const LARGEST_TEXT: u64 = 16 << 20;
/// So many packs are looked at.
const MOST_PACKS: usize = 64;

/// The id of an object: its sha1. Repositories with longer ids are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(super) [u8; 20]);

impl Id {
    pub(super) fn from_hex(text: &str) -> Option<Self> {
        let mut id = [0; 20];
        if text.len() != 40 || !text.is_ascii() {
            return None;
        }
        for (byte, pair) in id.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(id))
    }

    pub(crate) fn hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Other,
}

/// An object without its packaging.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) kind: Kind,
    pub(super) bytes: Rc<[u8]>,
}

/// A small text file of the repository.
pub(super) fn small_text(root: &Root, path: &RelPath) -> Option<String> {
    let opened = root.file(path).ok()?;
    let mut text = String::new();
    opened.file.take(LARGEST_TEXT).read_to_string(&mut text).ok()?;
    Some(text)
}

/// All objects of a repository.
pub(super) struct Objects<'a> {
    root: &'a Root,
    packs: Vec<Pack>,
}

impl<'a> Objects<'a> {
    pub(super) fn open(root: &'a Root) -> Self {
        let mut names = Vec::new();
        if let Ok(dir) = root.directory(&RelPath::from(".git/objects/pack")) {
            let _ = dir.each(|entry| {
                let name = String::from_utf8_lossy(entry.name).into_owned();
                names.extend(name.strip_suffix(".idx").map(str::to_owned));
            });
        }
        // The order of a directory is the file system's.
        names.sort();
        names.truncate(MOST_PACKS);
        let packs = names.iter().filter_map(|name| Pack::open(root, name)).collect();
        Self { root, packs }
    }

    /// An object by its id; `None` for what is missing, damaged or too large.
    pub(super) fn get(&mut self, id: Id) -> Option<Object> {
        self.get_below(id, 0)
    }

    fn get_below(&mut self, id: Id, depth: u32) -> Option<Object> {
        let found = self.packs.iter().enumerate().find_map(|(at, pack)| Some((at, pack.find(id)?)));
        let Some((at, offset)) = found else { return self.loose(id) };
        let mut pack = std::mem::take(self.packs.get_mut(at)?);
        let object = pack.read(offset, &mut |base| {
            // A base by id lies in the same pack, which is not in its place now, or is an object of its own.
            if depth < 4 { self.get_below(base, depth + 1) } else { None }
        });
        if let Some(place) = self.packs.get_mut(at) {
            *place = pack;
        }
        object
    }

    fn loose(&self, id: Id) -> Option<Object> {
        let hex = id.hex();
        let path = format!(".git/objects/{}/{}", &hex[..2], &hex[2..]);
        let opened = self.root.file(&RelPath::from(path.as_str())).ok()?;
        let mut bytes = Vec::new();
        ZlibDecoder::new(opened.file).take(LARGEST as u64 + 64).read_to_end(&mut bytes).ok()?;
        let end = memchr::memchr(0, bytes.get(..64.min(bytes.len()))?)?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let kind = match head.split(' ').next()? {
            "commit" => Kind::Commit,
            "tree" => Kind::Tree,
            _ => Kind::Other,
        };
        (bytes.len() <= LARGEST).then(|| Object { kind, bytes: Rc::from(&bytes[end + 1..]) })
    }
}

/// A commit, as far as history needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) tree: Id,
    pub(super) parents: Vec<Id>,
    pub(super) name: String,
    pub(super) mail: String,
    /// When it was made part of the history, in seconds since 1970.
    pub(super) time: i64,
}

impl Commit {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let end = memchr::memmem::find(bytes, b"\n\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut commit = Self {
            tree: Id::from_hex(head.lines().next()?.strip_prefix("tree ")?)?,
            parents: Vec::new(),
            name: String::new(),
            mail: String::new(),
            time: 0,
        };
        for line in head.lines().skip(1) {
            match line.split_once(' ') {
                Some(("parent", id)) => commit.parents.push(Id::from_hex(id)?),
                Some(("author", who)) => {
                    let (name, rest) = who.split_once('<')?;
                    commit.name = name.trim().to_owned();
                    commit.mail = rest.split('>').next()?.trim().to_lowercase();
                }
                Some(("committer", who)) => {
                    let mut words = who.rsplit_once('>')?.1.split_whitespace();
                    commit.time = words.next()?.parse().ok()?;
                    break;
                }
                Some(_) | None => {}
            }
        }
        Some(commit)
    }
}

/// The entries of a tree by name: whether it is a directory, and its id.
pub(super) type Tree = HashMap<Vec<u8>, (bool, Id)>;

pub(super) fn read_tree(bytes: &[u8]) -> Option<Tree> {
    let mut tree = Tree::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let space = memchr::memchr(b' ', rest)?;
        let end = memchr::memchr(0, rest)?;
        let id = rest.get(end + 1..end + 21)?;
        let name = rest.get(space + 1..end)?;
        let is_dir = matches!(&rest[..space], b"40000" | b"040000");
        tree.insert(name.to_vec(), (is_dir, Id(id.try_into().ok()?)));
        rest = rest.get(end + 21..)?;
    }
    Some(tree)
}
