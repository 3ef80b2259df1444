//! One name in a glob: letters, `?`, `*` and sets.

/// A piece of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// This letter.
    Letter(char),
    /// Any one letter.
    One,
    /// Any letters.
    Star,
    /// One of these ranges, or none of them.
    Set { ranges: Vec<(char, char)>, is_negated: bool },
}

impl Part {
    fn takes(&self, letter: char) -> bool {
        match self {
            Self::Letter(own) => *own == letter,
            Self::One | Self::Star => true,
            Self::Set { ranges, is_negated } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != *is_negated
            }
        }
    }

    /// Whether both can take the same letter. Two sets are taken to: that errs on the careful side.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Letter(letter), part) | (part, Self::Letter(letter)) => part.takes(*letter),
            (Self::One | Self::Star | Self::Set { .. }, Self::One | Self::Star | Self::Set { .. }) => true,
        }
    }
}

/// Takes a name apart. A bracket without an end is a letter.
pub(super) fn parts(name: &str) -> Vec<Part> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        at += 1;
        let part = match letter {
            '*' => Part::Star,
            '?' => Part::One,
            '[' => match set(&letters[at..]) {
                Some((set, length)) => {
                    at += length;
                    set
                }
                None => Part::Letter('['),
            },
            letter => Part::Letter(*letter),
        };
        if part != Part::Star || parts.last() != Some(&Part::Star) {
            parts.push(part);
        }
    }
    parts
}

/// A set after its bracket, and how many letters it has with the closing one.
fn set(letters: &[char]) -> Option<(Part, usize)> {
    let is_negated = matches!(letters.first(), Some('!' | '^'));
    let mut at = usize::from(is_negated);
    let mut ranges = Vec::new();
    loop {
        let first = *letters.get(at)?;
        if first == ']' && !ranges.is_empty() {
            return Some((Part::Set { ranges, is_negated }, at + 1));
        }
        if letters.get(at + 1) == Some(&'-') && letters.get(at + 2).is_some_and(|last| *last != ']') {
            ranges.push((first, *letters.get(at + 2)?));
            at += 3;
        } else {
            ranges.push((first, first));
            at += 1;
        }
    }
}

pub(super) fn matches(parts: &[Part], name: &str) -> bool {
    let letters: Vec<Part> = name.chars().map(Part::Letter).collect();
    overlap(parts, &letters)
}

/// Whether two names can be the same.
pub(super) fn overlap(a: &[Part], b: &[Part]) -> bool {
    let mut seen = vec![false; (a.len() + 1) * (b.len() + 1)];
    let mut open = vec![(0, 0)];
    while let Some((i, j)) = open.pop() {
        let here = i * (b.len() + 1) + j;
        if std::mem::replace(&mut seen[here], true) {
            continue;
        }
        match (a.get(i), b.get(j)) {
            (None, None) => return true,
            (Some(Part::Star), other) => {
                open.push((i + 1, j));
                if other.is_some() {
                    open.push((i, j + 1));
                }
            }
            (other, Some(Part::Star)) => {
                open.push((i, j + 1));
                if other.is_some() {
                    open.push((i + 1, j));
                }
            }
            (Some(x), Some(y)) if x.meets(y) => open.push((i + 1, j + 1)),
            (Some(_), Some(_) | None) | (None, Some(_)) => {}
        }
    }
    false
}
