//! The limit program: the plainest parallel walk that reads every file, counts its newlines and hashes it.
//!
//! No rules, no languages, no results beyond three numbers. What a scan takes above this is what it adds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};

/// Directories still to be listed, and how many are being listed.
struct Work {
    dirs: Mutex<Vec<PathBuf>>,
    busy: AtomicUsize,
}

pub(crate) fn run(tree: &Path, threads: usize) -> (u64, u64, u8) {
    let work = Work { dirs: Mutex::new(vec![tree.to_owned()]), busy: AtomicUsize::new(0) };
    let parts: Vec<(u64, u64, u8)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| thread(&work))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    parts.into_iter().fold((0, 0, 0), |all, part| (all.0 + part.0, all.1 + part.1, all.2 ^ part.2))
}

fn thread(work: &Work) -> (u64, u64, u8) {
    let mut buffer = vec![0; 1 << 20];
    let (mut files, mut newlines, mut mixed) = (0, 0, 0);
    loop {
        let dir = {
            let mut dirs = work.dirs.lock().unwrap();
            let dir = dirs.pop();
            if dir.is_some() {
                work.busy.fetch_add(1, Ordering::SeqCst);
            }
            dir
        };
        let Some(dir) = dir else {
            if work.busy.load(Ordering::SeqCst) == 0 {
                return (files, newlines, mixed);
            }
            std::thread::yield_now();
            continue;
        };
        for entry in std::fs::read_dir(&dir).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && entry.file_name() != ".git" {
                work.dirs.lock().unwrap().push(entry.path());
            } else if kind.is_file() {
                let mut file = File::open(entry.path()).unwrap();
                let mut hasher = Sha256::new();
                loop {
                    let got = file.read(&mut buffer).unwrap();
                    if got == 0 {
                        break;
                    }
                    newlines += memchr::memchr_iter(b'\n', &buffer[..got]).count() as u64;
                    hasher.update(&buffer[..got]);
                }
                mixed ^= hasher.finalize()[0];
                files += 1;
            }
        }
        work.busy.fetch_sub(1, Ordering::SeqCst);
    }
}
