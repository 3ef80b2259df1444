//! What two globs have in common, as globs again.
//!
//! Two globs have a finite number of ways to match the same path, and each way is a glob itself. Both are walked at once,
//! from their ends: first names against names, and within a name letters against letters. Both levels have the same form,
//! items of which some stand for any number of others (`**` for names, `*` for letters), so one walk serves both.
//!
//! **Guarantee**: a path that matches one of the globs of [`intersect`] matches both of its arguments.
//!
//! Not here: which of a task's paths are compared with which (`paths`).

use super::part::{self, Part};
use super::{Glob, Segment};

/// More ways than this are not written down.
const MOST_WAYS: usize = 32;

/// Two globs have more ways to match the same path than can be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tasks) struct TooManyWays;

/// The globs that match what both match; none if there is no such path.
pub(in crate::tasks) fn intersect(a: &Glob, b: &Glob) -> Result<Vec<String>, TooManyWays> {
    let mut ways = Vec::new();
    for x in &a.choices {
        for y in &b.choices {
            for way in common_ways(x, y).ok_or(TooManyWays)? {
                if !add_way(&mut ways, way) {
                    return Err(TooManyWays);
                }
            }
        }
    }
    Ok(ways.into_iter().filter_map(render).collect())
}

/// Whether whatever matches `narrow` matches `wide`, as far as their form shows it: `false` may be wrong, `true` never is.
pub(in crate::tasks) fn is_within(narrow: &Glob, wide: &Glob) -> bool {
    narrow.choices.iter().all(|own| wide.choices.iter().any(|wide| covers(wide, own)))
}

/// A piece of a pattern: one thing, or any number of things.
trait Item: Clone + PartialEq {
    /// Whether it stands for any number of others.
    fn is_any_number(&self) -> bool;
    /// What both match, for two items that stand for one thing each; `None` if that cannot be written down.
    fn meet(&self, other: &Self) -> Option<Vec<Self>>;
    /// Whether it matches whatever the other matches, for two items that stand for one thing each.
    fn takes_all_of(&self, other: &Self) -> bool;
}

impl Item for Segment {
    fn is_any_number(&self) -> bool {
        *self == Self::Any
    }

    fn meet(&self, other: &Self) -> Option<Vec<Self>> {
        match (self, other) {
            (Self::Name(x), Self::Name(y)) => Some(common_ways(x, y)?.into_iter().map(Self::Name).collect()),
            (Self::Any, _) | (_, Self::Any) => None,
        }
    }

    fn takes_all_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Name(wide), Self::Name(narrow)) => covers(wide, narrow),
            (Self::Any, _) | (_, Self::Any) => false,
        }
    }
}

impl Item for Part {
    fn is_any_number(&self) -> bool {
        *self == Self::Star
    }

    fn meet(&self, other: &Self) -> Option<Vec<Self>> {
        Some(self.common_letters(other).into_iter().collect())
    }

    fn takes_all_of(&self, other: &Self) -> bool {
        match other {
            Self::Letter(letter) => self.takes(*letter),
            Self::One | Self::Star | Self::Set { .. } => *self == Self::One || self == other,
        }
    }
}

/// Every way in which two patterns match the same; `None` if there are too many.
fn common_ways<T: Item>(a: &[T], b: &[T]) -> Option<Vec<Vec<T>>> {
    // `table[i][j]` holds the ways of what is left of both from `i` and `j` on.
    let mut table: Vec<Vec<Option<Vec<Vec<T>>>>> = vec![vec![None; b.len() + 1]; a.len() + 1];
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev() {
            table[i][j] = ways_from(a, b, i, j, &table);
        }
    }
    table.swap_remove(0).swap_remove(0)
}

fn ways_from<T: Item>(
    a: &[T],
    b: &[T],
    i: usize,
    j: usize,
    table: &[Vec<Option<Vec<Vec<T>>>>],
) -> Option<Vec<Vec<T>>> {
    let is_any = |item: &T| item.is_any_number();
    let rest = |i: usize, j: usize| table[i][j].clone();
    match (a.get(i), b.get(j)) {
        (None, None) => Some(vec![Vec::new()]),
        (Some(x), None) => {
            if is_any(x) {
                rest(i + 1, j)
            } else {
                Some(Vec::new())
            }
        }
        (None, Some(y)) => {
            if is_any(y) {
                rest(i, j + 1)
            } else {
                Some(Vec::new())
            }
        }
        (Some(x), Some(y)) => {
            let mut ways = Vec::new();
            let mut add = |item: Option<&T>, rest: Vec<Vec<T>>| {
                rest.into_iter().all(|way| add_way(&mut ways, prefixed(item, way)))
            };
            let is_complete = match (is_any(x), is_any(y)) {
                // One of them takes at least as much as the other before it ends.
                (true, true) => add(Some(x), rest(i + 1, j)?) && add(Some(x), rest(i, j + 1)?),
                (true, false) => add(None, rest(i + 1, j)?) && add(Some(y), rest(i, j + 1)?),
                (false, true) => add(None, rest(i, j + 1)?) && add(Some(x), rest(i + 1, j)?),
                (false, false) => {
                    let rest = rest(i + 1, j + 1)?;
                    x.meet(y)?.iter().all(|item| add(Some(item), rest.clone()))
                }
            };
            is_complete.then_some(ways)
        }
    }
}

fn prefixed<T: Item>(item: Option<&T>, way: Vec<T>) -> Vec<T> {
    match item {
        Some(item) if !(item.is_any_number() && way.first() == Some(item)) => {
            std::iter::once(item.clone()).chain(way).collect()
        }
        Some(_) | None => way,
    }
}

/// Keeps a way unless another one covers it, and drops those that it covers. `false` if there are too many.
fn add_way<T: Item>(ways: &mut Vec<Vec<T>>, way: Vec<T>) -> bool {
    if !ways.iter().any(|other| covers(other, &way)) {
        ways.retain(|other| !covers(&way, other));
        ways.push(way);
    }
    ways.len() <= MOST_WAYS
}

/// Whether a pattern matches whatever another one matches, item against item.
fn covers<T: Item>(wide: &[T], narrow: &[T]) -> bool {
    // Positions in `wide` that can be reached by what was seen of `narrow`.
    let mut reached = skip_any(wide, vec![false; wide.len() + 1], Some(0));
    for item in narrow {
        let mut next = vec![false; wide.len() + 1];
        for (at, own) in wide.iter().enumerate().filter(|(at, _)| reached[*at]) {
            if own.is_any_number() {
                next[at] = true;
            } else if !item.is_any_number() && own.takes_all_of(item) {
                next[at + 1] = true;
            }
        }
        reached = skip_any(wide, next, None);
    }
    reached[wide.len()]
}

/// An item that stands for any number of others may stand for none.
fn skip_any<T: Item>(items: &[T], mut reached: Vec<bool>, start: Option<usize>) -> Vec<bool> {
    if let Some(start) = start {
        reached[start] = true;
    }
    for (at, item) in items.iter().enumerate() {
        if reached[at] && item.is_any_number() {
            reached[at + 1] = true;
        }
    }
    reached
}

/// A way as text; `None` for the few that no text stands for.
fn render(way: Vec<Segment>) -> Option<String> {
    let mut way: Vec<Segment> = way
        .into_iter()
        .map(|segment| match segment {
            Segment::Name(parts) => Segment::Name(parts.into_iter().map(part::spelled).collect()),
            Segment::Any => Segment::Any,
        })
        .collect();
    let is_literal = |way: &[Segment]| {
        !way.iter().any(|segment| match segment {
            Segment::Any => true,
            Segment::Name(parts) => !parts.iter().all(|part| matches!(part, Part::Letter(_))),
        })
    };
    // Plain text would stand for everything below it as well.
    if is_literal(&way)
        && let Some(Segment::Name(parts)) = way.last_mut()
        && let Some(last) = parts.last_mut()
        && let Part::Letter(letter) = *last
    {
        *last = Part::Set { ranges: vec![(letter, letter)], is_negated: false };
    }
    let names: Vec<String> = way
        .iter()
        .map(|segment| match segment {
            Segment::Any => "**".to_owned(),
            Segment::Name(parts) => part::text(parts),
        })
        .collect();
    let mut text = names.join("/");
    let is_file = names.len() >= 2 && names[names.len() - 2].contains('.');
    if is_file
        && let Some(literal) =
            way.split_last().filter(|(last, rest)| **last == Segment::Any && is_literal(rest))
    {
        text = names[..literal.1.len()].join("/");
    }
    let reads_back = Glob::new(&text).is_ok_and(|glob| glob.choices == [way]);
    (reads_back && !text.starts_with('!')).then_some(text)
}
