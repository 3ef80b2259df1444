//! What is left out of a scan, and by which rule.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};
use luminos_core::scan::{Rule, Trouble};

use crate::{Error, Options};

/// Directories that are left out even with `-a`.
const ALWAYS_LEFT_OUT: &[&str] = &[
    ".git",
    ".svn",
    ".hg",
    "__pycache__",
    "node_modules",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".venv",
    "venv",
    ".env",
    "dist",
    "build",
    ".eggs",
];

/// The ignore files, strongest first.
pub(crate) const IGNORE_FILES: [&[u8]; 3] = [b".luminosignore", b".ignore", b".gitignore"];

/// How much of an ignore file is read: patterns cost far more than their length.
pub(crate) const IGNORE_FILE_LIMIT: usize = 128 * 1024;

/// The rules that hold in the whole target.
#[derive(Debug)]
pub(crate) struct Rules {
    hidden: bool,
    ignore_files: bool,
    keep: Vec<Vec<u8>>,
    exclude: Option<Gitignore>,
}

/// What stands beside an entry, as far as rules ask for it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Siblings {
    pub(crate) cargo_manifest: bool,
}

impl Rules {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let mut exclude = None;
        if !options.exclude.is_empty() {
            let mut builder = GitignoreBuilder::new("");
            for pattern in &options.exclude {
                let bad = |error: ignore::Error| {
                    // Its own words repeat the pattern.
                    let words = error.to_string();
                    let reason = if let ignore::Error::Glob { err, .. } = error { err } else { words };
                    Error::BadExclude { pattern: pattern.clone(), reason }
                };
                // A name may start with what means something else in an ignore file.
                let line =
                    if pattern.starts_with(['!', '#']) { format!("\\{pattern}") } else { pattern.clone() };
                builder.add_line(None, &line).map_err(bad)?;
            }
            exclude = builder.build().ok();
        }
        Ok(Self {
            hidden: options.hidden,
            ignore_files: options.ignore_files,
            keep: options.keep.iter().map(|name| name.clone().into_bytes()).collect(),
            exclude,
        })
    }

    pub(crate) fn honour_ignore_files(&self) -> bool {
        self.ignore_files
    }

    /// The rule that leaves an entry out, if one does. `path` is relative to where the ignore files start.
    pub(crate) fn leave_out(
        &self,
        ignored: Option<&Arc<IgnoreLayer>>,
        siblings: Siblings,
        name: &[u8],
        path: &[u8],
        is_dir: bool,
    ) -> Option<Rule> {
        if is_dir && !self.keep.iter().any(|keep| keep == name) {
            let is_egg_info = name.ends_with(b".egg-info");
            if is_egg_info || ALWAYS_LEFT_OUT.iter().any(|left_out| left_out.as_bytes() == name) {
                return Some(Rule::AlwaysLeftOut);
            }
            if name == b"target" && siblings.cargo_manifest {
                return Some(Rule::CargoTarget);
            }
        }
        let path = Path::new(OsStr::from_bytes(path));
        if let Some(Match::Ignore(glob)) = self.exclude.as_ref().map(|exclude| exclude.matched(path, is_dir))
        {
            return Some(Rule::Excluded { name: glob.original().to_owned() });
        }
        let is_hidden = !self.hidden && name.starts_with(b".");
        match ignored.map_or(Said::Nothing, |ignored| IgnoreLayer::says(ignored, name, path, is_dir)) {
            // An ignore file that names a hidden path wants it to be seen.
            Said::Keep => None,
            Said::Nothing | Said::LeaveOut(_) if is_hidden => Some(Rule::Hidden),
            Said::Nothing => None,
            Said::LeaveOut(rule) => Some(rule),
        }
    }
}

/// What the ignore files say about a path.
enum Said {
    Nothing,
    Keep,
    LeaveOut(Rule),
}

/// The ignore files of one directory, on top of those of the directories above.
#[derive(Debug)]
pub(crate) struct IgnoreLayer {
    above: Option<Arc<IgnoreLayer>>,
    /// In the order of [`IGNORE_FILES`].
    files: [Option<IgnoreFile>; 3],
    /// Whether a repository starts here: `.gitignore` files above it do not reach into it.
    is_repository: bool,
}

impl IgnoreLayer {
    /// A layer for a directory, or the one above when this directory adds nothing.
    pub(crate) fn on(
        above: Option<Arc<IgnoreLayer>>,
        files: [Option<IgnoreFile>; 3],
        is_repository: bool,
    ) -> Option<Arc<IgnoreLayer>> {
        let cuts = is_repository && above.is_some();
        if !cuts && files.iter().all(Option::is_none) {
            return above;
        }
        Some(Arc::new(IgnoreLayer { above, files, is_repository }))
    }

    /// A stronger kind of ignore file decides first, the nearest directory before those above.
    fn says(this: &Arc<IgnoreLayer>, name: &[u8], path: &Path, is_dir: bool) -> Said {
        for kind in 0..IGNORE_FILES.len() {
            let is_git = kind == 2;
            let mut layer = Some(this);
            while let Some(at) = layer {
                if let Some(file) = &at.files[kind] {
                    match file.matched(name, path, is_dir) {
                        Match::None => {}
                        Match::Whitelist(_) => return Said::Keep,
                        Match::Ignore(glob) => {
                            return Said::LeaveOut(Rule::IgnoreFile {
                                file: glob.from().map(|from| from.display().to_string()).unwrap_or_default(),
                                pattern: glob.original().to_owned(),
                            });
                        }
                    }
                }
                layer = if is_git && at.is_repository { None } else { at.above.as_ref() };
            }
        }
        Said::Nothing
    }
}

/// One after the other: thousands of nested directories would otherwise be as many nested calls.
impl Drop for IgnoreLayer {
    fn drop(&mut self) {
        let mut next = self.above.take();
        while let Some(mut layer) = next.and_then(Arc::into_inner) {
            next = layer.above.take();
        }
    }
}

/// The patterns of an ignore file.
#[derive(Debug)]
pub(crate) struct IgnoreFile {
    patterns: Gitignore,
    names: Names,
}

impl IgnoreFile {
    fn matched(&self, name: &[u8], path: &Path, is_dir: bool) -> Match<&Glob> {
        if self.names.may_match(name) { self.patterns.matched(path, is_dir) } else { Match::None }
    }
}

/// The names that the patterns of a file can match at all. Most entries of a tree match none, and finding that
/// out from their names is much cheaper than trying the patterns on their paths.
#[derive(Debug, Default)]
struct Names {
    exact: HashSet<Box<[u8]>>,
    starts: Vec<Box<[u8]>>,
    ends: Vec<Box<[u8]>>,
    any: bool,
}

impl Names {
    /// Takes note of what the last part of a pattern asks of a name.
    fn add(&mut self, line: &str) {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let pattern = line.strip_prefix('!').unwrap_or(line);
        let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
        let last = pattern.rsplit('/').next().unwrap_or_default();
        let is_plain = |part: &str| !part.contains(['*', '?', '[', ']', '{', '}', '\\', '!']);
        match (last.strip_prefix('*'), last.strip_suffix('*')) {
            // What a backslash, a class or a second star means is left to those who know.
            _ if pattern.contains('\\') || last.is_empty() => self.any = true,
            _ if is_plain(last) => _ = self.exact.insert(last.as_bytes().into()),
            (Some(end), _) if is_plain(end) && !end.is_empty() => self.ends.push(end.as_bytes().into()),
            (_, Some(start)) if is_plain(start) && !start.is_empty() => {
                self.starts.push(start.as_bytes().into())
            }
            _ => self.any = true,
        }
    }

    fn may_match(&self, name: &[u8]) -> bool {
        self.any
            || self.ends.iter().any(|end| name.ends_with(end))
            || self.starts.iter().any(|start| name.starts_with(start))
            || self.exact.contains(name)
    }
}

/// Reads the text of an ignore file. `dir` is relative to where the ignore files start, `shown` is what to call
/// the file. Lines that make no sense come back as trouble.
pub(crate) fn parse_ignore_file(dir: &[u8], shown: &Path, text: &[u8]) -> (Option<IgnoreFile>, Vec<Trouble>) {
    let mut troubles = Vec::new();
    let mut names = Names::default();
    let mut builder = GitignoreBuilder::new(OsStr::from_bytes(dir));
    let lines = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).split(|&byte| byte == b'\n');
    for (number, line) in (1..).zip(lines) {
        let line = String::from_utf8_lossy(line);
        names.add(&line);
        if let Err(error) = builder.add_line(Some(shown.to_owned()), line.trim_end_matches('\r')) {
            troubles.push(Trouble::BadPattern { line: number, reason: error.to_string() });
        }
    }
    match builder.build() {
        Ok(patterns) => ((!patterns.is_empty()).then_some(IgnoreFile { patterns, names }), troubles),
        Err(error) => {
            troubles.push(Trouble::BadPattern { line: 0, reason: error.to_string() });
            (None, troubles)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn looking_at_the_name_first_changes_nothing(
            lines in prop::collection::vec(r"[!#/]{0,2}[a-c*?\[\]{},/. \\-]{0,6}/?[ ]?", 0..6),
            path in r"[a-c.{]{1,3}(/[a-c.\[]{1,3}){0,2}",
            is_dir: bool,
        ) {
            let text = lines.join("\n");
            let (file, _) = parse_ignore_file(b"", Path::new(".gitignore"), text.as_bytes());
            let Some(file) = file else { return Ok(()) };
            let name = path.rsplit('/').next().unwrap_or_default();
            let path = Path::new(&path);
            let quick = file.matched(name.as_bytes(), path, is_dir);
            let slow = file.patterns.matched(path, is_dir);
            prop_assert_eq!((quick.is_ignore(), quick.is_whitelist()), (slow.is_ignore(), slow.is_whitelist()), "{:?}", text);
        }
    }
}
