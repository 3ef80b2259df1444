//! Archives: what is inside, by their own lists. Nothing is unpacked.

mod tar;
mod zip;

use serde::{Deserialize, Serialize};

use super::NotParsed;

/// Most entries that are listed.
const MOST_ENTRIES: usize = 2_000;

/// An archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// How it is packed.
    pub format: ArchiveFormat,
    /// The first of its entries.
    pub entries: Vec<ArchiveEntry>,
    /// How many entries it has.
    pub count: u64,
    /// How large they are, unpacked, by their own account.
    pub size: u64,
    /// Whether the list ended before the archive did: it is cut off, or larger than what is looked at.
    pub is_partial: bool,
}

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the formats' own")]
pub enum ArchiveFormat {
    Gzip,
    Tar,
    TarGzip,
    Zip,
}

impl ArchiveFormat {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Tar => "tar",
            Self::TarGzip => "tar.gz",
            Self::Zip => "zip",
        }
    }
}

/// Something in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveEntry {
    /// Its path inside the archive, as the archive says: it may point anywhere.
    pub name: String,
    /// Its size, by the archive's own account.
    pub size: u64,
    /// Whether it is a folder.
    pub is_directory: bool,
}

/// Reads the list of an archive.
pub(super) fn outline(bytes: &[u8]) -> Result<Archive, NotParsed> {
    let malformed =
        || NotParsed::Malformed { what: "an archive whose list cannot be read".to_owned(), line: 0 };
    if bytes.starts_with(b"PK") {
        zip::list(bytes).ok_or_else(malformed)
    } else if bytes.starts_with(b"\x1f\x8b") {
        Ok(tar::list_compressed(bytes))
    } else {
        tar::list(bytes, ArchiveFormat::Tar).ok_or_else(malformed)
    }
}

impl Archive {
    fn new(format: ArchiveFormat) -> Self {
        Self { format, entries: Vec::new(), count: 0, size: 0, is_partial: false }
    }

    fn push(&mut self, name: &[u8], size: u64, is_directory: bool) {
        self.count += 1;
        self.size = self.size.saturating_add(size);
        if self.entries.len() < MOST_ENTRIES {
            let name = String::from_utf8_lossy(name.get(..400).unwrap_or(name)).into_owned();
            self.entries.push(ArchiveEntry { name, size, is_directory });
        }
    }
}
