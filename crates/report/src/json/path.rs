//! Paths in JSON, whatever bytes they are made of and however long they are.

use luminos_core::scan::{DirId, FileId, Name, Scan};
use luminos_core::{RelPath, Untrusted};
use serde::Serialize;

/// A longer path is cut: thousands of nested directories would otherwise fill gigabytes with the names of
/// their parents.
pub(super) const LONGEST: usize = 4096;

/// A path, and what a string alone cannot say about it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Path {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    path_cut: bool,
}

impl Path {
    pub(super) fn of_dir(scan: &Scan, dir: DirId) -> Self {
        Self::climb(scan, dir, Vec::new())
    }

    pub(super) fn of_file(scan: &Scan, file: FileId) -> Self {
        let record = scan.file(file);
        Self::climb(scan, record.dir, vec![record.name])
    }

    pub(crate) fn of(path: &RelPath) -> Self {
        let bytes = path.as_bytes();
        if bytes.len() <= LONGEST {
            return Self::new(bytes, false);
        }
        let tail = &bytes[bytes.len() - LONGEST..];
        let start = tail.iter().position(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        Self::new(&tail[start..], true)
    }

    /// Collects names upwards until they are too long, so that a deep path costs no more than a long one.
    fn climb(scan: &Scan, dir: DirId, mut upwards: Vec<Name>) -> Self {
        let mut length: usize = upwards.iter().map(|name| usize::from(name.len)).sum();
        let mut at = dir;
        let mut cut = false;
        while at != DirId(0) {
            let record = scan.dir(at);
            length += usize::from(record.name.len) + 1;
            if LONGEST < length && !upwards.is_empty() {
                cut = true;
                break;
            }
            upwards.push(record.name);
            at = record.parent;
        }
        let names: Vec<&[u8]> = upwards.iter().rev().map(|&name| scan.name(name)).collect();
        Self::new(&names.join(&b'/'), cut)
    }

    fn new(bytes: &[u8], path_cut: bool) -> Self {
        let (mut path, path_hex) = text_and_hex(bytes);
        if bytes.is_empty() {
            path.push('.');
        }
        if path_cut {
            path.insert_str(0, "…/");
        }
        Self { path, path_hex, path_cut }
    }
}

/// UTF-8 as it is; anything else with escapes, and its bytes in hexadecimal digits.
pub(crate) fn text_and_hex(bytes: &[u8]) -> (String, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(_) => {
            let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            (Untrusted::new(bytes).for_terminal(), Some(hex))
        }
    }
}

#[cfg(test)]
mod tests {
    use luminos_core::scan::{Builder, FileRecord};

    use super::*;

    /// Both ways to a path must agree.
    #[track_caller]
    fn check(bytes: &[u8], path: &str, path_hex: Option<&str>) {
        let mut builder = Builder::new("/target", Vec::new());
        builder.file_at(bytes, FileRecord::default());
        let scan = builder.finish();
        let expected = Path { path: path.to_owned(), path_hex: path_hex.map(str::to_owned), path_cut: false };
        assert_eq!(Path::of_file(&scan, FileId(0)), expected);
        assert_eq!(Path::of(&RelPath::new(bytes)), expected);
    }

    #[test]
    fn utf8_stays_as_it_is_and_other_bytes_are_shown_twice() {
        check(b"main.rs", "main.rs", None);
        check("a/Größe\n".as_bytes(), "a/Größe\n", None);
        check(b"a/\xff", "a/\\xff", Some("612fff"));
    }

    #[test]
    fn the_target_itself_is_a_dot() {
        let scan = Builder::new("/target", Vec::new()).finish();
        assert_eq!(Path::of_dir(&scan, DirId(0)), Path::of(&RelPath::root()));
        assert_eq!(Path::of(&RelPath::root()).path, ".");
    }

    #[test]
    fn a_long_path_keeps_its_end() {
        let mut builder = Builder::new("/target", Vec::new());
        let name = [b'n'; 100];
        let mut at = Builder::ROOT;
        for _ in 0..5_000 {
            at = builder.add_dir(at, &name);
        }
        builder.add_file(at, b"file", FileRecord::default());
        let scan = builder.finish();
        let cut = Path::of_file(&scan, FileId(0));
        assert!(cut.path_cut && cut.path.starts_with("…/nnn") && cut.path.ends_with("nnn/file"));
        assert!(LONGEST - 101 < cut.path.len() && cut.path.len() <= LONGEST + "…/".len());
        assert_eq!(cut, Path::of(&scan.file_path(FileId(0))));
    }
}
