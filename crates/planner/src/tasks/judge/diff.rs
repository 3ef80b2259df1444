//! A unified diff, as far as a verdict needs it: which files, and how many lines.

/// A file that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Where it lies, or lay.
    pub path: String,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// A diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Every file in it; one that was moved counts at both places.
    pub files: Vec<Changed>,
}

/// Why text is no diff.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDiff {
    /// There is text, and no file in it.
    #[error("it is not a unified diff")]
    NotADiff,
    /// A hunk promises more lines than there are.
    #[error("it is cut off in the changes of {0}")]
    CutOff(String),
}

impl Diff {
    /// Reads all of a diff, as `git diff` writes it.
    pub fn read(text: &str) -> Result<Self, BadDiff> {
        let mut diff = Self::default();
        // Lines of a hunk that are still to come, on both sides: what looks like a header inside is content.
        let (mut old, mut new) = (0_u64, 0_u64);
        for line in text.lines() {
            if 0 < old + new {
                let Some(file) = diff.files.last_mut() else { return Err(BadDiff::NotADiff) };
                match line.chars().next() {
                    Some('+') => (new, file.added) = (new.saturating_sub(1), file.added + 1),
                    Some('-') => (old, file.removed) = (old.saturating_sub(1), file.removed + 1),
                    Some('\\') => {}
                    Some(_) | None => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
                }
                continue;
            }
            if let Some(names) = line.strip_prefix("diff --git ") {
                if let Some((before, after)) = names.split_once(" b/") {
                    diff.add(before.strip_prefix("a/").unwrap_or(before));
                    diff.add(after);
                }
            } else if let Some(name) = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- ")) {
                let name = name.split('\t').next().unwrap_or(name);
                let name = name.strip_prefix("b/").or_else(|| name.strip_prefix("a/")).unwrap_or(name);
                if name != "/dev/null" {
                    diff.add(name);
                }
            } else if let Some(name) =
                line.strip_prefix("rename from ").or_else(|| line.strip_prefix("rename to "))
            {
                diff.add(name);
            } else if let Some(ranges) = line.strip_prefix("@@ -") {
                let mut ranges = ranges.split(" @@").next().unwrap_or(ranges).split(" +");
                let count = |range: Option<&str>| -> Option<u64> {
                    let range = range?;
                    range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
                };
                old = count(ranges.next()).ok_or(BadDiff::NotADiff)?;
                new = count(ranges.next()).ok_or(BadDiff::NotADiff)?;
            }
        }
        if 0 < old + new {
            return Err(BadDiff::CutOff(diff.files.last().map(|file| file.path.clone()).unwrap_or_default()));
        }
        if diff.files.is_empty() && !text.trim().is_empty() {
            return Err(BadDiff::NotADiff);
        }
        Ok(diff)
    }

    fn add(&mut self, path: &str) {
        let path = path.trim().trim_matches('"').to_owned();
        match self.files.iter().position(|file| file.path == path) {
            // The file that a hunk belongs to is the last.
            Some(at) => {
                let file = self.files.remove(at);
                self.files.push(file);
            }
            None => self.files.push(Changed { path, added: 0, removed: 0 }),
        }
    }

    /// How many lines came or went.
    pub fn lines(&self) -> u64 {
        self.files.iter().map(|file| file.added + file.removed).sum()
    }
}
