//! Documents: JSON that people and `jq` can read, and that tells by itself whether it is whole.
//!
//! The first fields are `kind` and `format`, the last one is `sha256`: the hash of every byte before it. It covers
//! the bytes, not what they mean, so that no second way to write the same JSON is needed; a document that somebody
//! has edited is as good as none.
//!
//! Reading trusts nothing: no links, nobody else's files, nothing huge, nothing of another kind.

mod layout;

use std::io::Read as _;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, Stat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::error::{Problem, Why};

/// A kind of document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// The word in it.
    pub(crate) word: &'static str,
    /// The newest format known.
    pub(crate) format: u32,
    /// More bytes than this are not read.
    pub(crate) most_bytes: u64,
}

impl Kind {
    pub(crate) const fn new(word: &'static str, format: u32, most_bytes: u64) -> Self {
        Self { word, format, most_bytes }
    }
}

const SEAL: &str = ",\n  \"sha256\": \"";
const END: &str = "\"\n}\n";
const SEALED: usize = SEAL.len() + 64 + END.len();

/// The bytes of a document.
pub(crate) fn seal(kind: Kind, body: &impl Serialize) -> Result<Vec<u8>, String> {
    // A document may be large: there is one copy of it, and what is the store's own is put into that.
    let mut bytes = layout::to_vec(body).map_err(|error| error.to_string())?;
    let mut formats = Vec::new();
    for field in fields(&bytes)? {
        match name(&bytes[field.clone()]) {
            b"format" => formats.push(field),
            name @ (b"kind" | b"sha256") => {
                return Err(format!("`{}` is the store's own field", String::from_utf8_lossy(name)));
            }
            _ => {}
        }
    }
    for field in formats {
        bytes.drain(field);
    }
    let inside = trimmed(bytes.strip_suffix(b"}").unwrap_or(&bytes)).len();
    bytes.truncate(inside);
    let head = format!("{{\n  \"kind\": \"{}\",\n  \"format\": {}", kind.word, kind.format);
    let more = if 2 < bytes.len() { ",\n" } else { "" };
    let opening = bytes.len().min(2);
    drop(bytes.splice(..opening, head.bytes().chain(more.bytes())));
    let hash = hex(&Sha256::digest(&bytes));
    bytes.extend_from_slice(SEAL.as_bytes());
    bytes.extend_from_slice(hash.as_bytes());
    bytes.extend_from_slice(END.as_bytes());
    Ok(bytes)
}

/// Where the fields of an object in the form that people can read lie, each with the comma and the line break after it.
/// Cutting a text is much cheaper than making a tree of it.
fn fields(body: &[u8]) -> Result<Vec<Range<usize>>, String> {
    let Some(inside) = body.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")) else {
        return Err("it is not an object".to_owned());
    };
    let mut starts = Vec::new();
    let mut at = 1;
    for line in inside.split_inclusive(|byte| *byte == b'\n') {
        // A field of the object itself begins a line, two blanks in. Nothing else does: no text holds a line break.
        if line.starts_with(b"  \"") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([at]);
    Ok(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

fn trimmed(field: &[u8]) -> &[u8] {
    let field = field.strip_suffix(b"\n").unwrap_or(field);
    field.strip_suffix(b",").unwrap_or(field)
}

fn name(field: &[u8]) -> &[u8] {
    let rest = field.strip_prefix(b"  \"").unwrap_or_default();
    rest.iter().position(|byte| *byte == b'"').map_or(rest, |end| &rest[..end])
}

/// Whether a document's bytes are those that were written.
fn check_seal(bytes: &[u8]) -> Result<(), Why> {
    let (body, seal) = bytes.len().checked_sub(SEALED).map(|end| bytes.split_at(end)).ok_or(Why::Torn)?;
    let hash = seal.strip_prefix(SEAL.as_bytes()).and_then(|rest| rest.strip_suffix(END.as_bytes()));
    let is_whole = hash.ok_or(Why::Torn)? == hex(&Sha256::digest(body)).as_bytes();
    if is_whole { Ok(()) } else { Err(Why::Checksum) }
}

/// What is in every document.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    kind: String,
    format: Option<u64>,
}

/// Whether the bytes are a document of this kind, whole, and not too new.
fn check(kind: Kind, bytes: &[u8]) -> Result<(), Why> {
    check_seal(bytes)?;
    let head = serde_json::from_slice(bytes).map_err(|error| Why::Shape(error.to_string()))?;
    let Head { kind: found, format } = head;
    if found != kind.word {
        return Err(Why::Kind { found, wanted: kind.word });
    }
    let found = format.ok_or_else(|| Why::Shape("no format".to_owned()))?;
    if u64::from(kind.format) < found {
        return Err(Why::TooNew { found, known: kind.format });
    }
    Ok(())
}

/// What a document says, without the store's own fields save `format`.
pub(crate) fn unseal(kind: Kind, bytes: &[u8]) -> Result<Value, Why> {
    let Value::Object(mut fields) = unseal_as(kind, bytes)? else {
        return Err(Why::Shape("no object".to_owned()));
    };
    fields.shift_remove("kind");
    fields.shift_remove("sha256");
    Ok(Value::Object(fields))
}

/// The same, for whoever knows what it says. The store's own fields are there, too.
fn unseal_as<T: DeserializeOwned>(kind: Kind, bytes: &[u8]) -> Result<T, Why> {
    check(kind, bytes)?;
    serde_json::from_slice(bytes).map_err(|error| Why::Shape(error.to_string()))
}

/// Reads a document; `None` when there is none.
pub(crate) fn read(path: &Path, kind: Kind) -> Result<Option<Value>, Problem> {
    let read = bytes(path, kind).and_then(|bytes| bytes.map(|bytes| unseal(kind, &bytes)).transpose());
    read.map_err(|why| Problem::new(path, why))
}

/// Reads a document whose shape is known; `None` when there is none.
pub(crate) fn read_as<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<Option<T>, Problem> {
    let read = bytes(path, kind).and_then(|bytes| bytes.map(|bytes| unseal_as(kind, &bytes)).transpose());
    read.map_err(|why| Problem::new(path, why))
}

/// Whether there is a document, without a look at what it says. One that is damaged or of another kind is a problem.
pub(crate) fn check_bytes(path: &Path, kind: Kind) -> Result<bool, Problem> {
    let checked = bytes(path, kind).and_then(|bytes| match bytes {
        Some(bytes) => check(kind, &bytes).map(|()| true),
        None => Ok(false),
    });
    checked.map_err(|why| Problem::new(path, why))
}

/// Which bytes a document has: how many, and the hash at its end. Two documents of one name that say the same about
/// themselves are the same one; so a document can tell which other it was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    bytes: u64,
    sha256: String,
}

/// The identity of a document, without reading more than its end; `None` if there is none, or its end is missing.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let (file, bytes) = open_trusted(path).ok().flatten()?;
    let mut end = [0; SEALED];
    file.read_exact_at(&mut end, bytes.checked_sub(SEALED as u64)?).ok()?;
    let hash = end.strip_prefix(SEAL.as_bytes())?.strip_suffix(END.as_bytes())?;
    Some(Identity { bytes, sha256: String::from_utf8(hash.to_vec()).ok()? })
}

fn bytes(path: &Path, kind: Kind) -> Result<Option<Vec<u8>>, Why> {
    let Some((mut file, size)) = open_trusted(path)? else { return Ok(None) };
    if kind.most_bytes < size {
        return Err(Why::TooLarge { size, most: kind.most_bytes });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default().saturating_add(1));
    let read = (&mut file).take(kind.most_bytes).read_to_end(&mut bytes);
    read.map_err(|error| Why::Unreadable(error.to_string()))?;
    Ok(Some(bytes))
}

/// Opens a file that only we can have written, and tells its size; `None` when there is none.
pub(crate) fn open_trusted(path: &Path) -> Result<Option<(std::fs::File, u64)>, Why> {
    // A pipe would block without NONBLOCK; for a regular file it means nothing.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(fd) => fd,
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(rustix::io::Errno::LOOP | rustix::io::Errno::NXIO) => return Err(Why::NotAFile),
        Err(error) => return Err(Why::Unreadable(error.to_string())),
    };
    let found = rustix::fs::fstat(&fd).map_err(|error| Why::Unreadable(error.to_string()))?;
    trust(&found)?;
    Ok(Some((fd.into(), u64::try_from(found.st_size).unwrap_or_default())))
}

/// Whether a file can be ours alone.
pub(crate) fn trust(found: &Stat) -> Result<(), Why> {
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return Err(Why::NotAFile);
    }
    if found.st_uid != rustix::process::geteuid().as_raw() {
        return Err(Why::Foreign);
    }
    if found.st_mode & 0o022 != 0 {
        return Err(Why::Exposed);
    }
    if 1 < found.st_nlink {
        return Err(Why::Shared);
    }
    Ok(())
}

/// Hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        for half in [byte >> 4, byte & 0xf] {
            digits.push(char::from(b"0123456789abcdef"[usize::from(half)]));
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KIND: Kind = Kind::new("plan", 2, 1 << 20);

    #[test]
    fn a_document_is_json_that_people_can_read() {
        let bytes = seal(KIND, &json!({"format": 7, "notes": "ü"})).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let (body, seal) = text.split_once(",\n  \"sha256\": \"").unwrap();
        assert_eq!(body, "{\n  \"kind\": \"plan\",\n  \"format\": 2,\n  \"notes\": \"ü\"");
        assert_eq!(seal.len(), 64 + "\"\n}\n".len());
        assert_eq!(unseal(KIND, &bytes), Ok(json!({"format": 2, "notes": "ü"})));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let bytes = seal(KIND, &json!({"notes": "a few words", "turns": [1, 2, 3]})).unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert!(unseal(KIND, &flipped).is_err(), "byte {at}, bit {bit}");
            }
            assert!(unseal(KIND, &bytes[..at]).is_err(), "cut at {at}");
            let mut zeroed = bytes.clone();
            zeroed[at..].fill(0);
            assert!(unseal(KIND, &zeroed).is_err(), "zero from {at}");
        }
    }

    #[test]
    fn another_kind_and_a_newer_format_are_refused() {
        let bytes = seal(KIND, &json!({})).unwrap();
        let other = Kind::new("survey", 2, 1 << 20);
        assert_eq!(unseal(other, &bytes), Err(Why::Kind { found: "plan".to_owned(), wanted: "survey" }));
        let older = Kind::new("plan", 1, 1 << 20);
        assert_eq!(unseal(older, &bytes), Err(Why::TooNew { found: 2, known: 1 }));
    }

    #[test]
    fn what_is_no_object_or_takes_our_names_is_no_document() {
        assert!(seal(KIND, &json!(["x"])).is_err());
        assert!(seal(KIND, &json!({"sha256": 1})).is_err());
        assert!(seal(KIND, &json!({"a": 1, "kind": {"b": 2}})).is_err());
    }

    #[test]
    fn fields_are_told_apart_however_they_look() {
        let body = json!({
            "text": "a line\n  \"kind\": 1,\n}", "format": {"of": [1]}, "empty": {}, "list": [{"kind": 2}, []], "": "",
            "last": {"sha256": {"x": [{}]}},
        });
        let bytes = seal(KIND, &body).unwrap();
        let mut expected = body;
        expected["format"] = json!(2);
        assert_eq!(unseal(KIND, &bytes), Ok(expected));
        assert_eq!(unseal(KIND, &seal(KIND, &json!({})).unwrap()), Ok(json!({"format": 2})));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test breaks what it has made")]
    fn a_document_can_be_told_by_its_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("plan.json");
        assert_eq!(identity(&path), None);
        let write = |bytes: &[u8]| std::fs::write(&path, bytes).unwrap();
        let bytes = seal(KIND, &json!({"notes": "x"})).unwrap();
        write(&bytes);
        let whole = identity(&path).unwrap();
        assert_eq!(whole.bytes, bytes.len() as u64);
        for cut in 0..bytes.len() {
            write(&bytes[..cut]);
            assert_eq!(identity(&path), None, "cut at {cut}");
        }
        write(&seal(KIND, &json!({"notes": "y"})).unwrap());
        assert_ne!(identity(&path), Some(whole));
    }
}
