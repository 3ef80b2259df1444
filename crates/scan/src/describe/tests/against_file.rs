//! The same files before us and before the real `file`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::samples;
use crate::describe::describe;

/// The version whose words we speak. Others agree in what a file is, not in every word.
const SPOKEN: &str = "file-5.44";

/// How many files of this machine are compared, at most.
const MOST_FILES: usize = 2000;

#[test]
fn samples_are_described_as_file_does() {
    let folder = tempfile::tempdir().unwrap();
    let samples = samples::all();
    let mut paths = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        let path = folder.path().join(format!("{number:04}"));
        write(&path, &sample.bytes);
        paths.push(path);
    }
    let exact = run_file(&["--version".as_ref()]).first().is_some_and(|version| version == SPOKEN);
    let mut differences = Vec::new();
    for (sample, said) in samples.iter().zip(ask_file(&paths)) {
        if if exact { sample.text == said } else { leading(&sample.text) == leading(&said) } {
            continue;
        }
        differences.push(format!("{:?}\n  file {said}", sample.text));
    }
    let allowed = if exact { 0 } else { samples.len() / 20 };
    assert!(differences.len() <= allowed, "{}", differences.join("\n"));
}

#[test]
fn files_of_this_machine_are_described_as_file_does() {
    let mut paths = Vec::new();
    for folder in ["/usr/bin", "/usr/sbin", "/usr/lib", "/usr/share", "/etc"] {
        collect(Path::new(folder), &mut paths);
    }
    paths.sort();
    let step = paths.len().div_ceil(MOST_FILES).max(1);
    let paths: Vec<PathBuf> = paths.into_iter().step_by(step).collect();
    let mut differences = Vec::new();
    for (path, said) in paths.iter().zip(ask_file(&paths)) {
        let (head, size) = read_head(path);
        let ours = describe(&head, size).text;
        if leading(&ours) != leading(&said) {
            differences.push(format!("{}\n  ours {ours}\n  file {said}", path.display()));
        }
    }
    let agreed = paths.len() - differences.len();
    let enough = agreed * 100 >= paths.len() * 95;
    assert!(enough, "{agreed} of {} agree\n{}", paths.len(), differences.join("\n"));
}

/// What kind of file it is, without particulars. `file` also mentions the set-user-id bit first.
fn leading(text: &str) -> &str {
    let text = text.strip_prefix("setuid ").or_else(|| text.strip_prefix("setgid ")).unwrap_or(text);
    text.split(',').next().unwrap_or(text)
}

/// The regular files that can be read, below a directory. Names that need escapes are left out.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() {
            collect(&path, paths);
        } else if kind.is_file()
            && path.to_str().is_some_and(|path| path.bytes().all(|byte| byte.is_ascii_graphic()))
            && fs::File::open(&path).is_ok()
        {
            paths.push(path);
        }
    }
}

fn read_head(path: &Path) -> (Vec<u8>, u64) {
    let file = fs::File::open(path).unwrap();
    let size = file.metadata().unwrap().len();
    let mut head = Vec::new();
    file.take(64 * 1024).read_to_end(&mut head).unwrap();
    (head, size)
}

/// What `file` says about each: one process for all.
fn ask_file(paths: &[PathBuf]) -> Vec<String> {
    let mut arguments: Vec<&Path> = vec!["--brief".as_ref(), "--".as_ref()];
    arguments.extend(paths.iter().map(PathBuf::as_path));
    let said = run_file(&arguments);
    assert_eq!(said.len(), paths.len());
    said
}

#[expect(clippy::disallowed_methods, reason = "the test compares with the real program")]
fn run_file(arguments: &[&Path]) -> Vec<String> {
    let output = Command::new("file").args(arguments).output().expect("`file` is installed (see tests/run)");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[expect(clippy::disallowed_methods, reason = "a file of the test's own, in its own directory")]
fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}
