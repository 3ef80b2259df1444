//! What a claim rests on: which bytes a tool served, and which of them a sentence cites.
//!
//! A tool that shows bytes of the target to a model leaves a `Served` for each range; together they are the
//! read record of a loop. `Evidence` is what the model then says it saw. The judge holds one against the other.
//!
//! Lines are counted from 1, bytes from 0; a range of bytes ends before `end`.
//!
//! Not here: the verdict (`judge`).

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{ContentHash, RelPath};

/// The id of the tool call that served something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ToolCallId(pub String);

/// A range of a file that a tool showed to a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Served {
    /// The file.
    pub path: RelPath,
    /// The sha256 of the whole file, as it was when it was read. `None` for a file too large to be read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ContentHash>,
    /// The first byte shown.
    pub start: u64,
    /// One past the last byte shown.
    pub end: u64,
    /// The first line that was shown, even in part; 0 where the file has no lines.
    pub first_line: u64,
    /// The last line that was shown, even in part.
    pub last_line: u64,
    /// The call that showed it.
    pub call: ToolCallId,
}

/// What a file defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// The file.
    pub path: RelPath,
    /// The first line of each type and function.
    pub lines: Vec<u64>,
}

/// What a sentence cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The file.
    pub path: RelPath,
    /// The first line.
    pub start_line: u64,
    /// The last line.
    pub end_line: u64,
    /// The words in those lines that matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Where a secret was taken out of the quote: the sha256 of the file's hash and of the words as they stand in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote_hash: Option<ContentHash>,
    /// The first byte of the quote, once it has been found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
    /// One past the last byte of the quote, once it has been found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u64>,
    /// The sha256 of the file it was found in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ContentHash>,
    /// The tool call that had served those bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCallId>,
}

/// The hash of words that a redacted quote stands for. The hash of the file goes into it, so that equal words of two files
/// do not look alike.
pub fn hash_quote(blob: ContentHash, words: &[u8]) -> ContentHash {
    let mut hash = Sha256::new();
    hash.update(b"luminos.quote/1");
    hash.update(blob.0);
    hash.update(words);
    ContentHash(hash.finalize().into())
}
