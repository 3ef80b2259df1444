//! Which files a program consists of, and which are its own: what it may read where it may read little else.
//!
//! A program is often a link to a script, which an interpreter runs, with libraries beside both of them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::apart::Apart;
use super::own_home::OwnHome;

/// Where a program keeps its own configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPlace {
    /// The variable that names it.
    pub variable: &'static str,
    /// Where it is otherwise, below the home directory.
    pub below_home: &'static [&'static str],
    /// What a copy of it holds, if the program gets a copy; otherwise it reads and writes the place itself.
    pub private: Option<OwnHome>,
}

/// Variables that name files with certificates.
const CERTIFICATES: [&str; 3] = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];
/// How much of a script is read to find its interpreter: more than kernels do.
const FIRST_LINE: u64 = 512;
/// An interpreter may be a script itself, for so long.
const MOST_INTERPRETERS: usize = 4;

/// The file of a program: a path as it is, or a name found in `PATH`. Directories of `PATH` that are relative do not
/// count: they would lie wherever one happens to stand.
pub fn find_program(program: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(is_program);
    }
    let dirs = std::env::split_paths(path?).filter(|dir| dir.is_absolute());
    dirs.map(|dir| dir.join(program)).find(is_program)
}

/// What a program must be able to read and execute to be itself: its file, the interpreters of it, and what belongs to
/// those; and the certificates that variables name.
pub(super) fn readable(
    program: &Path,
    variables: &BTreeMap<String, OsString>,
    apart: &Apart,
) -> Vec<PathBuf> {
    let path = variables.get("PATH").map(OsString::as_os_str);
    let mut found = Vec::new();
    let mut next = vec![program.to_owned()];
    for _ in 0..MOST_INTERPRETERS {
        let mut interpreters = Vec::new();
        for file in next {
            let Ok(real) = fs::canonicalize(&file) else { continue };
            // A virtual environment is known by the name that is used, and its library by the real one.
            found.extend(companions(&file));
            found.extend(companions(&real));
            interpreters.extend(interpreters_of(&real, path));
            found.push(real);
        }
        next = interpreters;
    }
    found.extend(CERTIFICATES.iter().filter_map(|name| variables.get(*name)).map(PathBuf::from));
    found.retain(|path| path.is_absolute() && !apart.holds(path));
    found.sort();
    found.dedup();
    found
}

/// Where a program keeps its own configuration.
pub(super) fn own_places(own: Option<&OwnPlace>, variables: &BTreeMap<String, OsString>) -> Vec<PathBuf> {
    let Some(own) = own else { return Vec::new() };
    let places = match (variables.get(own.variable), variables.get("HOME")) {
        (Some(named), _) => vec![PathBuf::from(named)],
        (None, Some(home)) => own.below_home.iter().map(|name| Path::new(home).join(name)).collect(),
        (None, None) => Vec::new(),
    };
    places.into_iter().filter(|path| path.is_absolute()).collect()
}

/// What lies beside a program and belongs to it: packages of node, the library of an installation that has a `bin`,
/// the mark of a virtual environment.
fn companions(file: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(modules) = file.ancestors().filter(|dir| dir.ends_with("node_modules")).last() {
        found.push(modules.to_owned());
    }
    let bin = file.parent().filter(|dir| dir.ends_with("bin"));
    if let Some(root) = bin.and_then(Path::parent) {
        found.extend(["lib", "lib64", "libexec", "pyvenv.cfg"].map(|name| root.join(name)));
    }
    found
}

/// The programs that a script's first line names.
fn interpreters_of(file: &Path, path: Option<&OsStr>) -> Vec<PathBuf> {
    let mut first = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(FIRST_LINE).read_to_end(&mut first));
    let Some(line) = read.ok().and(first.strip_prefix(b"#!")) else { return Vec::new() };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words =
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(OsStr::from_bytes);
    let Some(interpreter) = words.next().map(PathBuf::from) else { return Vec::new() };
    let is_env = interpreter.ends_with("env");
    let mut found = vec![interpreter];
    // Options and assignments may stand before the name.
    let named = words.find(|word| !word.as_bytes().starts_with(b"-") && !word.as_bytes().contains(&b'='));
    if is_env && let Some(named) = named.and_then(OsStr::to_str) {
        found.extend(find_program(named, path));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a test makes its own program")]
    fn make_program(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn variables(path: &Path) -> BTreeMap<String, OsString> {
        BTreeMap::from([("PATH".to_owned(), path.as_os_str().to_owned())])
    }

    #[test]
    fn a_relative_directory_of_path_is_never_searched() {
        let dir = tempfile::tempdir().unwrap();
        let (good, path) =
            (dir.path().join("good"), OsString::from(format!(".::bin:{}", dir.path().display())));
        assert_eq!(find_program("good", Some(&path)), None);
        make_program(&good, "");
        assert_eq!(find_program("good", Some(&path)), Some(good));
        // `Cargo.toml`'s directory is where tests stand.
        assert_eq!(find_program("src", Some(OsStr::new("."))), None);
    }

    #[test]
    fn a_script_brings_its_interpreter_and_its_packages() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        let script = root.join("lib/node_modules/@a/agent/bin/agent.js");
        make_program(&script, "#!/usr/bin/env -S node --quiet\n");
        let node = root.join("versions/20/bin/node");
        make_program(&node, "binary");
        fs::create_dir_all(root.join("bin")).unwrap();
        symlink(&script, root.join("bin/agent")).unwrap();
        symlink(&node, root.join("bin/node")).unwrap();
        let found = readable(&root.join("bin/agent"), &variables(&root.join("bin")), &Apart::default());
        for wanted in ["lib/node_modules", "lib/node_modules/@a/agent/bin/agent.js", "versions/20/bin/node"] {
            assert!(found.contains(&root.join(wanted)), "{wanted} is not in {found:?}");
        }
        assert!(!found.contains(&root), "{found:?}");
    }

    #[test]
    fn the_home_directory_as_a_whole_is_never_among_the_places() {
        let own = super::super::Template::claude().own;
        let home = BTreeMap::from([("HOME".to_owned(), "/home/a".into())]);
        assert_eq!(
            own_places(own.as_ref(), &home),
            [PathBuf::from("/home/a/.claude"), PathBuf::from("/home/a/.claude.json")]
        );
        let named = BTreeMap::from([
            ("HOME".to_owned(), "/home/a".into()),
            ("CLAUDE_CONFIG_DIR".to_owned(), "/srv/claude".into()),
        ]);
        assert_eq!(own_places(own.as_ref(), &named), [PathBuf::from("/srv/claude")]);
        assert_eq!(own_places(None, &named), Vec::<PathBuf>::new());
    }
}
