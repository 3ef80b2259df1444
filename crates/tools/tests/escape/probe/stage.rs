//! What a probe has before it and behind it: a target that it may read, and things outside that it may not.
#![expect(unsafe_code, reason = "probes are system calls")]

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// A stage, as it was set by the test: a folder with `target` and `outside`, and facts about what runs around it.
pub(crate) struct Stage {
    pub(crate) folder: PathBuf,
    facts: BTreeMap<String, String>,
}

impl Stage {
    /// Reads the facts, which lie in the target.
    pub(crate) fn open(folder: &Path) -> Self {
        let text = std::fs::read_to_string(folder.join("target/facts")).unwrap_or_default();
        let facts = text.lines().filter_map(|line| line.split_once('='));
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { folder: folder.to_owned(), facts }
    }

    pub(crate) fn fact(&self, name: &str) -> &str {
        self.facts.get(name).map_or("", String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> i64 {
        self.fact(name).parse().unwrap_or(-1)
    }

    /// The process that a probe tries to harm: same user, ready to be read.
    pub(crate) fn victim(&self) -> i32 {
        i32::try_from(self.number("victim")).unwrap_or(-1)
    }

    pub(crate) fn path(&self, inside: &str) -> CString {
        let path = self.folder.join(inside).into_os_string().into_encoded_bytes();
        CString::new(path).unwrap_or_default()
    }

    pub(crate) fn outside(&self, name: &str) -> CString {
        self.path(&format!("outside/{name}"))
    }

    pub(crate) fn target(&self, name: &str) -> CString {
        self.path(&format!("target/{name}"))
    }
}

/// How a probe ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It got through.
    Escaped,
    /// It did not, and this is what it was told.
    Held(String),
}

impl Verdict {
    /// Of a system call: anything but an error is an escape.
    pub(crate) fn of(answer: i64) -> Self {
        if answer < 0 { Self::Held(std::io::Error::last_os_error().to_string()) } else { Self::Escaped }
    }

    pub(crate) fn when(escaped: bool, otherwise: &str) -> Self {
        if escaped { Self::Escaped } else { Self::Held(otherwise.to_owned()) }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Escaped => write!(out, "ESCAPED\t"),
            Self::Held(why) => write!(out, "held\t{why}"),
        }
    }
}

/// A name, and an attempt at what it says.
pub(crate) type Probe = (&'static str, fn(&Stage) -> Verdict);

/// A system call by its number, so that no library stands between the probe and the kernel.
pub(crate) fn call(number: libc::c_long, arguments: &[libc::c_long]) -> Verdict {
    let mut all = [0; 6];
    for (place, argument) in all.iter_mut().zip(arguments) {
        *place = *argument;
    }
    let [a, b, c, d, e, f] = all;
    // SAFETY: the callers pass numbers, and addresses of what outlives the call.
    Verdict::of(unsafe { libc::syscall(number, a, b, c, d, e, f) })
}

/// Where something is, for a system call.
pub(crate) fn address<T: ?Sized>(place: &T) -> libc::c_long {
    std::ptr::from_ref(place).cast::<u8>().expose_provenance() as libc::c_long
}

/// A directory that paths are relative to: none.
pub(crate) const HERE: libc::c_long = libc::AT_FDCWD as libc::c_long;
