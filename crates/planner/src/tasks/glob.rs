//! Globs over paths of a repository: which path matches, and whether two globs can match the same path.
//!
//! `*` and `?` stay within a name, `**` as a whole name stands for any number of directories, `[a-z]` is a set and `{a,b}`
//! a choice. A glob without any of these names a file or a directory *with everything below it*, as does one that ends
//! with `/`.
//!
//! **Invariant**: if a path matches both of two globs, [`Glob::overlaps`] is true for them.
//!
//! Not here: looking at a file system.

mod intersection;
mod part;
#[cfg(test)]
mod tests;

pub(super) use intersection::{TooManyWays, intersect, is_within};
use part::Part;

/// Alternatives that one glob with braces may stand for.
const MOST_CHOICES: usize = 64;

/// A glob that is ready to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    choices: Vec<Vec<Segment>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    /// Any number of names.
    Any,
    /// One name.
    Name(Vec<Part>),
}

/// Why text is no glob for a path of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAGlob {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// It starts at the root of the machine.
    #[error("it is absolute; paths start at the root of the repository")]
    Absolute,
    /// It climbs.
    #[error("it leads out of the repository")]
    Outside,
    /// It holds characters that no path should.
    #[error("it holds control characters")]
    Control,
    /// Its braces stand for too much.
    #[error("its braces stand for more than {MOST_CHOICES} globs")]
    Choices,
}

/// A path or glob in its plain form: `/` between names, no `./`, no doubled or final `/`.
pub fn plain(path: &str) -> Result<String, NotAGlob> {
    let path = path.trim().replace('\\', "/");
    if path.chars().any(char::is_control) {
        return Err(NotAGlob::Control);
    }
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Err(NotAGlob::Absolute);
    }
    let is_tree = path.ends_with('/');
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    if names.contains(&"..") {
        return Err(NotAGlob::Outside);
    }
    if names.is_empty() {
        // `.` and `./` are the whole repository.
        return if path.is_empty() { Err(NotAGlob::Empty) } else { Ok("**".to_owned()) };
    }
    let mut plain = names.join("/");
    if is_tree && !plain.ends_with("**") {
        plain.push_str("/**");
    }
    Ok(plain)
}

/// Whether text is more than the name of one path.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

impl Glob {
    /// Reads a glob.
    pub fn new(text: &str) -> Result<Self, NotAGlob> {
        let text = plain(text)?;
        let choices = choices(&text).ok_or(NotAGlob::Choices)?;
        Ok(Self { choices: choices.iter().map(|choice| segments(choice)).collect() })
    }

    /// Whether a path matches.
    pub fn matches(&self, path: &str) -> bool {
        let Ok(path) = plain(path) else { return false };
        let names: Vec<&str> = path.split('/').collect();
        self.choices.iter().any(|choice| matches(choice, &names))
    }

    /// Whether some path could match both.
    pub fn overlaps(&self, other: &Self) -> bool {
        let meet = |a: &Vec<Segment>| other.choices.iter().any(|b| overlap(a, b));
        self.choices.iter().any(meet)
    }

    /// Whether it matches everything.
    pub fn is_everything(&self) -> bool {
        self.choices.iter().any(|choice| choice.iter().all(|segment| *segment == Segment::Any))
    }
}

/// What a list writes before a glob to take paths out again, wherever it stands in the list.
const NOT: char = '!';

/// A list of globs that is ready to match: a path matches if one of its globs does, and none of those with a `!` before
/// them. What is no glob matches nothing.
pub(super) struct PathList {
    taken: Vec<Glob>,
    denied: Vec<Glob>,
}

impl PathList {
    pub(super) fn read(entries: &[String]) -> Self {
        let denied = entries.iter().filter_map(|entry| Glob::new(denied(entry)?).ok());
        Self { taken: read_all(entries), denied: denied.collect() }
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        let matches = |glob: &Glob| glob.matches(path);
        self.taken.iter().any(matches) && !self.denied.iter().any(matches)
    }

    pub(super) fn taken(&self) -> impl Iterator<Item = &Glob> {
        self.taken.iter()
    }

    pub(super) fn denied(&self) -> impl Iterator<Item = &Glob> {
        self.denied.iter()
    }
}

/// Whether a path matches a list of globs.
pub fn any_matches(globs: &[String], path: &str) -> bool {
    PathList::read(globs).matches(path)
}

/// The glob that an entry of a list takes out; `None` for one that puts paths in.
pub(super) fn denied(entry: &str) -> Option<&str> {
    entry.trim().strip_prefix(NOT)
}

/// An entry of a list in its plain form.
pub(super) fn plain_entry(entry: &str) -> Result<String, NotAGlob> {
    let text =
        denied(entry).map_or_else(|| plain(entry), |glob| plain(glob).map(|glob| format!("{NOT}{glob}")))?;
    Glob::new(denied(&text).unwrap_or(&text)).map(|_| text)
}

/// Reads all that put paths into a list.
pub(super) fn read_all(globs: &[String]) -> Vec<Glob> {
    globs.iter().filter(|glob| denied(glob).is_none()).filter_map(|glob| Glob::new(glob).ok()).collect()
}

/// Spells out braces; `None` if that gets out of hand.
fn choices(text: &str) -> Option<Vec<String>> {
    let mut open = vec![text.to_owned()];
    let mut ready = Vec::new();
    while let Some(text) = open.pop() {
        if MOST_CHOICES < open.len() + ready.len() {
            return None;
        }
        let Some((before, items, after)) = braces(&text) else {
            ready.push(text);
            continue;
        };
        open.extend(items.iter().rev().map(|item| format!("{before}{item}{after}")));
    }
    Some(ready)
}

/// The first choice in braces: what stands before it, its items, what stands after it.
fn braces(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = text.find('{')?;
    let (mut depth, mut items, mut from) = (0_u32, Vec::new(), start + 1);
    for (at, letter) in text[start..].char_indices().map(|(at, letter)| (start + at, letter)) {
        match letter {
            '{' => depth += 1,
            ',' if depth == 1 => {
                items.push(&text[from..at]);
                from = at + 1;
            }
            '}' if depth == 1 => {
                items.push(&text[from..at]);
                return Some((&text[..start], items, &text[at + 1..]));
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn segments(text: &str) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for name in text.split('/').filter(|name| !name.is_empty()) {
        let segment = if name == "**" { Segment::Any } else { Segment::Name(part::parts(name)) };
        if segment != Segment::Any || segments.last() != Some(&Segment::Any) {
            segments.push(segment);
        }
    }
    // What has no wildcard names a directory as well as a file.
    if !is_pattern(text) {
        segments.push(Segment::Any);
    }
    segments
}

/// Walks both lists at once, remembering which positions can be reached.
fn matches(segments: &[Segment], names: &[&str]) -> bool {
    let mut reached = close(segments, vec![true]);
    for name in names {
        let mut next = vec![false; segments.len() + 1];
        for (at, segment) in segments.iter().enumerate() {
            if !reached.get(at).copied().unwrap_or(false) {
                continue;
            }
            match segment {
                Segment::Any => next[at] = true,
                Segment::Name(parts) if part::matches(parts, name) => next[at + 1] = true,
                Segment::Name(_) => {}
            }
        }
        reached = close(segments, next);
    }
    reached.get(segments.len()).copied().unwrap_or(false)
}

/// `**` may stand for nothing.
fn close(segments: &[Segment], mut reached: Vec<bool>) -> Vec<bool> {
    reached.resize(segments.len() + 1, false);
    for (at, segment) in segments.iter().enumerate() {
        if reached[at] && *segment == Segment::Any {
            reached[at + 1] = true;
        }
    }
    reached
}

/// Whether two lists can match the same names: both are walked at once, over all pairs of positions.
fn overlap(a: &[Segment], b: &[Segment]) -> bool {
    let mut seen = vec![false; (a.len() + 1) * (b.len() + 1)];
    let mut open = vec![(0, 0)];
    while let Some((i, j)) = open.pop() {
        let here = i * (b.len() + 1) + j;
        if std::mem::replace(&mut seen[here], true) {
            continue;
        }
        match (a.get(i), b.get(j)) {
            (None, None) => return true,
            (Some(Segment::Any), Some(Segment::Any)) => open.extend([(i + 1, j), (i, j + 1)]),
            (Some(Segment::Any), Some(Segment::Name(_))) => open.extend([(i + 1, j), (i, j + 1)]),
            (Some(Segment::Name(_)), Some(Segment::Any)) => open.extend([(i, j + 1), (i + 1, j)]),
            (Some(Segment::Any), None) => open.push((i + 1, j)),
            (None, Some(Segment::Any)) => open.push((i, j + 1)),
            (Some(Segment::Name(x)), Some(Segment::Name(y))) => {
                if part::overlap(x, y) {
                    open.push((i + 1, j + 1));
                }
            }
            (Some(Segment::Name(_)), None) | (None, Some(Segment::Name(_))) => {}
        }
    }
    false
}
