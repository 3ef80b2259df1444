//! Which of many lists of paths overlap with one: plain paths by their names, globs by comparison, each once.

use std::collections::{BTreeSet, HashMap};

use crate::tasks::glob::{Glob, is_pattern};

/// Lists of paths, ready to be asked.
pub(super) struct Index {
    /// Lists that name a path, or something below it.
    at_or_below: HashMap<String, Vec<usize>>,
    /// Lists that name a path.
    exact: HashMap<String, Vec<usize>>,
    /// Globs, each with the lists that hold it.
    globs: Vec<(Glob, Vec<usize>)>,
    /// Plain paths as globs, to compare globs with; made once.
    plain: Vec<(Glob, String)>,
}

impl Index {
    pub(super) fn new<'a>(lists: impl Iterator<Item = &'a [String]>) -> Self {
        let (mut at_or_below, mut exact): (HashMap<String, Vec<usize>>, HashMap<String, Vec<usize>>) =
            Default::default();
        let mut globs: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, paths) in lists.enumerate() {
            for path in paths {
                if is_pattern(path) {
                    globs.entry(path).or_default().push(at);
                    continue;
                }
                exact.entry(path.clone()).or_default().push(at);
                for above in with_ancestors(path) {
                    at_or_below.entry(above.to_owned()).or_default().push(at);
                }
            }
        }
        let globs =
            globs.into_iter().filter_map(|(text, lists)| Some((Glob::new(text).ok()?, lists))).collect();
        let plain = exact.keys().filter_map(|path| Some((Glob::new(path).ok()?, path.clone()))).collect();
        Self { at_or_below, exact, globs, plain }
    }

    /// The lists that overlap with this one.
    pub(super) fn overlapping(&self, paths: &[String]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for path in paths {
            let Ok(glob) = Glob::new(path) else { continue };
            if is_pattern(path) {
                for (own, name) in &self.plain {
                    if own.overlaps(&glob) {
                        found.extend(self.exact.get(name).into_iter().flatten());
                    }
                }
            } else {
                found.extend(self.at_or_below.get(path).into_iter().flatten());
                for above in with_ancestors(path) {
                    found.extend(self.exact.get(above).into_iter().flatten());
                }
            }
            for (own, lists) in &self.globs {
                if own.overlaps(&glob) {
                    found.extend(lists);
                }
            }
        }
        found
    }
}

/// A path and all directories above it.
fn with_ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(above, _)| above))
}
