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
    pub(super) fn takes(&self, letter: char) -> bool {
        match self {
            Self::Letter(own) => *own == letter,
            Self::One | Self::Star => true,
            Self::Set { ranges, is_negated } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != *is_negated
            }
        }
    }

    /// The letters that both take, for two pieces that take one letter each; `None` if there are none.
    pub(super) fn common_letters(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Letter(letter), part) | (part, Self::Letter(letter)) => {
                part.takes(*letter).then_some(Self::Letter(*letter))
            }
            (Self::One | Self::Star, part) | (part, Self::One | Self::Star) => Some(part.clone()),
            (Self::Set { ranges: a, is_negated: true }, Self::Set { ranges: b, is_negated: true }) => {
                Some(Self::Set { ranges: a.iter().chain(b).copied().collect(), is_negated: true })
            }
            (Self::Set { ranges: a, is_negated: false }, Self::Set { ranges: b, is_negated }) => {
                common_ranges(a, b, *is_negated)
            }
            (Self::Set { ranges: a, is_negated: true }, Self::Set { ranges: b, is_negated: false }) => {
                common_ranges(b, a, true)
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

/// The part of some ranges that lies in others, or outside of them.
fn common_ranges(ranges: &[(char, char)], others: &[(char, char)], is_negated: bool) -> Option<Part> {
    let mut left: Vec<(u32, u32)> =
        ranges.iter().map(|(first, last)| (*first as u32, *last as u32)).collect();
    let others = others.iter().map(|(first, last)| (*first as u32, *last as u32)).filter(|(a, b)| a <= b);
    if is_negated {
        for (first, last) in others {
            let cut = |(a, b): (u32, u32)| [(a, b.min(first.saturating_sub(1))), (a.max(last + 1), b)];
            let before_zero = |range: &(u32, u32)| range.0 <= range.1 && !(first == 0 && range.1 == 0);
            left = left.into_iter().flat_map(cut).filter(before_zero).collect();
        }
    } else {
        let others: Vec<(u32, u32)> = others.collect();
        left = left
            .iter()
            .flat_map(|(a, b)| others.iter().map(|(c, d)| (*a.max(c), *b.min(d))))
            .filter(|(a, b)| a <= b)
            .collect();
    }
    // A bound that is no letter (a surrogate) is left out with its range: less is matched, never more.
    let letters = left.into_iter().filter_map(|(a, b)| Some((char::from_u32(a)?, char::from_u32(b)?)));
    let ranges: Vec<(char, char)> = letters.collect();
    (!ranges.is_empty()).then_some(Part::Set { ranges, is_negated: false })
}

/// A piece in a form that reads back: letters that begin a set or a choice stand in a set.
pub(super) fn spelled(part: Part) -> Part {
    if let Part::Letter(letter @ ('[' | '{' | '}' | '*' | '?')) = part {
        return Part::Set { ranges: vec![(letter, letter)], is_negated: false };
    }
    part
}

/// A name as text.
pub(super) fn text(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Letter(letter) => text.push(*letter),
            Part::One => text.push('?'),
            Part::Star => text.push('*'),
            Part::Set { ranges, is_negated } => {
                text.push_str(if *is_negated { "[!" } else { "[" });
                for (first, last) in ranges {
                    text.push(*first);
                    if first != last {
                        text.push('-');
                        text.push(*last);
                    }
                }
                text.push(']');
            }
        }
    }
    text
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
