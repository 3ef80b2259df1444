//! Who starts a program: itself, or a process that puts it in a box first.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A program that runs another in a box (`luminosd boxed-program`), and what to tell it.
///
/// It is called with `--dir DIR`, `--read PATH` and `--write PATH` as often as needed, `--no-walls` where the user wants
/// none, `--`, the program and its arguments. On standard input it gets the length of the prompt (eight bytes,
/// little-endian) and the prompt; when standard input closes, it ends the program and all that came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// Its file.
    pub program: PathBuf,
    /// Its first arguments.
    pub arguments: Vec<OsString>,
    /// Whether the program is confined.
    pub is_confining: bool,
    /// What every program may read, besides what belongs to it.
    pub readable: Vec<PathBuf>,
}

impl Launcher {
    /// The arguments that start a program in a box.
    pub(super) fn arguments(
        &self,
        dir: &Path,
        readable: &[PathBuf],
        writable: &[PathBuf],
        program: &Path,
        arguments: &[OsString],
    ) -> Vec<OsString> {
        let mut all = self.arguments.clone();
        all.extend(["--dir".into(), dir.into()]);
        for path in readable.iter().chain(&self.readable) {
            all.extend(["--read".into(), path.into()]);
        }
        for path in writable {
            all.extend(["--write".into(), path.into()]);
        }
        if !self.is_confining {
            all.push("--no-walls".into());
        }
        all.extend(["--".into(), program.into()]);
        all.extend(arguments.iter().cloned());
        all
    }
}
