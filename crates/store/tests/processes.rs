//! The store among real processes: killed in the middle, starting all at once, on a disk that is full.
//!
//! A process here is this very program, started again with a role to play (`role`).
#![cfg(test)]

#[path = "processes/full.rs"]
mod full;
#[path = "processes/kill.rs"]
mod kill;
#[path = "processes/locks.rs"]
mod locks;
#[path = "processes/role.rs"]
mod role;
#[path = "processes/steps.rs"]
mod steps;

use std::path::{Path, PathBuf};

use luminos_core::entry::Stamp;
use luminos_store::{DaemonLock, Durability, Error, Holder, NetworkState, Settings, Store, Writer};

fn me() -> Holder {
    Holder::this_process(Stamp("today".to_owned()), "a test")
}

fn daemon(store: &Store) -> Result<DaemonLock, Error> {
    DaemonLock::try_acquire(store, &me(), NetworkState::Allowed)
}

fn writer(store: &Store, durability: Durability) -> Writer {
    let settings = Settings { durability, ..Settings::default() };
    Writer::start(store, daemon(store).unwrap(), settings).unwrap().0
}

/// A directory in memory, where making things last costs nothing.
fn in_memory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory).unwrap() } else { tempfile::tempdir().unwrap() }
}

/// All half-written files below a directory.
fn temporaries(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(temporaries(&entry.path()));
        } else if entry.file_name().to_string_lossy().starts_with(".tmp-") {
            found.push(entry.path());
        }
    }
    found
}

/// Random numbers that can be had again: the seed is printed where a test fails.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
