//! Where keys come from: an environment variable, a file that nobody else can read, a systemd credential.
//!
//! The environment comes in as a value. Not here: how a variable leaves the process's environment block, which only
//! the beginning of `main` can see to.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use luminos_core::config::Surroundings;
use rustix::fs::{Mode, OFlags};

use crate::secret::Secret;

#[cfg(test)]
mod tests;

/// Longer files are no keys.
const LONGEST: u64 = 64 << 10;

/// Where a key may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// In an environment variable.
    Variable(String),
    /// In a file that only its owner can read.
    File(PathBuf),
    /// Among the credentials that systemd hands to a service, by name.
    Credential(String),
}

/// Why a key that is there cannot be used. None of these holds the key.
#[derive(Debug, thiserror::Error)]
pub enum BadKey {
    /// The file cannot be read.
    #[error("cannot read the key file {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others can read the file.
    #[error("the key file {path} can be read by others (mode {mode:04o}; hint: chmod 600 {path})")]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// The file belongs to somebody else.
    #[error("the key file {path} belongs to another user")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// What is there is no key.
    #[error("what {place} holds is no key: {why}")]
    NotAKey {
        /// The file or variable.
        place: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// Reads a key; `None` if there is none at this place.
pub fn read_key(source: &KeySource, around: &Surroundings) -> Result<Option<Secret>, BadKey> {
    match source {
        KeySource::Variable(name) => {
            let Some(value) = around.variable(name) else { return Ok(None) };
            let place = format!("the variable {name}");
            match value.to_str() {
                Some(key) => checked(key, place).map(Some),
                None => Err(BadKey::NotAKey { place, why: "it is not UTF-8" }),
            }
        }
        KeySource::File(path) => read_file(path),
        KeySource::Credential(name) => match around.variable("CREDENTIALS_DIRECTORY") {
            // A name that leads elsewhere is no name.
            Some(dir) if Path::new(name).file_name().is_some_and(|file| file == name.as_str()) => {
                read_file(&Path::new(dir).join(name))
            }
            Some(_) | None => Ok(None),
        },
    }
}

/// Reads the first key that is there, in the order of the sources.
pub fn find_key(sources: &[KeySource], around: &Surroundings) -> Result<Option<Secret>, BadKey> {
    for source in sources {
        if let Some(key) = read_key(source, around)? {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

fn read_file(path: &Path) -> Result<Option<Secret>, BadKey> {
    let unreadable = |source: io::Error| BadKey::Unreadable { path: path.to_owned(), source };
    // Opened without waiting, so that a named pipe cannot hold the program up.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let mut file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(unreadable(error.into())),
    };
    // Of the open file, not of the path: the path may mean another file by now.
    let metadata = file.metadata().map_err(unreadable)?;
    check_file(path, &metadata)?;
    let mut key = zeroize::Zeroizing::new(String::new());
    file.by_ref().take(LONGEST).read_to_string(&mut key).map_err(unreadable)?;
    checked(&key, path.display().to_string()).map(Some)
}

fn check_file(path: &Path, metadata: &Metadata) -> Result<(), BadKey> {
    let place = || path.display().to_string();
    if !metadata.is_file() {
        return Err(BadKey::NotAKey { place: place(), why: "it is not a regular file" });
    }
    let mode = metadata.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(BadKey::Exposed { path: path.to_owned(), mode });
    }
    let owner = metadata.uid();
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        return Err(BadKey::Foreign { path: path.to_owned() });
    }
    if LONGEST <= metadata.len() {
        return Err(BadKey::NotAKey { place: place(), why: "it is too long" });
    }
    Ok(())
}

/// A key without the line end that editors leave behind it.
fn checked(text: &str, place: String) -> Result<Secret, BadKey> {
    let key = text.trim();
    let why = if key.is_empty() {
        "it is empty"
    } else if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        "it has blanks or characters that no key has"
    } else {
        return Ok(Secret::new(key.to_owned()));
    };
    Err(BadKey::NotAKey { place, why })
}
