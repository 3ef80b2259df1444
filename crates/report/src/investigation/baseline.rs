//! Flags against those of an earlier report: which are new, which were there, which are gone.
//!
//! A flag is the same by its fingerprint, so that lines may move. The same words may be flagged twice in one file: each
//! is held against one of before.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use luminos_core::ContentHash;
use luminos_core::flag::{Flag, Severity};

use super::place_of;
use crate::measure::number;
use crate::prose;

/// How a flag stands to the earlier report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It was not there.
    New,
    /// It was there, and was less severe.
    Worse(Severity),
    /// It was there.
    Unchanged,
}

impl Standing {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse(_) => "worse",
            Self::Unchanged => "unchanged",
        }
    }
}

/// What became of the flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// How each flag stands, in the order of the flags.
    pub standings: Vec<Standing>,
    /// Flags of before that are gone.
    pub absent: Vec<Flag>,
}

impl Comparison {
    /// Holds flags against those of before.
    pub fn new(before: &[Flag], now: &[Flag]) -> Self {
        let mut known: BTreeMap<ContentHash, Vec<&Flag>> = BTreeMap::new();
        for flag in before {
            known.entry(flag.fingerprint()).or_default().push(flag);
        }
        let standings = now.iter().map(|flag| {
            let Some(same) = known.get_mut(&flag.fingerprint()).filter(|same| !same.is_empty()) else {
                return Standing::New;
            };
            let nearest = same.iter().position(|old| old.severity == flag.severity).unwrap_or(0);
            let old = same.remove(nearest);
            if old.severity < flag.severity { Standing::Worse(old.severity) } else { Standing::Unchanged }
        });
        let standings = standings.collect();
        Self { standings, absent: known.into_values().flatten().cloned().collect() }
    }

    /// The mark of a flag that was not there before, or was less severe; by its place among the flags.
    pub(crate) fn mark(&self, flag: usize) -> Option<&'static str> {
        let standing = self.standings.get(flag)?;
        (*standing != Standing::Unchanged).then(|| standing.word())
    }

    /// Whether a flag of this severity or a worse one was not there before, or was less than that.
    pub fn has_new(&self, now: &[Flag], severity: Severity) -> bool {
        self.standings.iter().zip(now).any(|(standing, flag)| {
            severity <= flag.severity
                && !flag.is_unproved()
                && match standing {
                    Standing::New => true,
                    Standing::Worse(was) => *was < severity,
                    Standing::Unchanged => false,
                }
        })
    }

    /// What became of them, for people: a line that sums it up, and one for each that is new or gone.
    pub fn text(&self, now: &[Flag]) -> String {
        let of =
            |is_it: fn(&Standing) -> bool| self.standings.iter().filter(|standing| is_it(standing)).count();
        let counts = [
            (of(|standing| *standing == Standing::New), "new"),
            (of(|standing| matches!(standing, Standing::Worse(_))), "worse"),
            (of(|standing| *standing == Standing::Unchanged), "as before"),
            (self.absent.len(), "gone"),
        ];
        let counts = counts.map(|(count, word)| format!("{} {word}", number(count as u64)));
        let mut text = format!("Flags against the baseline: {}\n", counts.join(" · "));
        let mut line = |mark: &str, flag: &Flag| {
            let (severity, place) = (flag.severity.word(), place_of(flag));
            let _ = writeln!(text, "  {mark:<5}  {severity:<8}  {place}  {}", prose::one_line(&flag.finding));
        };
        for (standing, flag) in self.standings.iter().zip(now) {
            match standing {
                Standing::New => line("new", flag),
                Standing::Worse(_) => line("worse", flag),
                Standing::Unchanged => {}
            }
        }
        self.absent.iter().for_each(|flag| line("gone", flag));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::sample::{evidence, flag};

    fn at(severity: Severity, line: u64, quote: &str) -> Flag {
        flag(severity, "It is odd.", vec![evidence("src/a.c", (line, line), Some(quote))])
    }

    #[test]
    fn moved_flags_are_the_same_and_only_new_ones_count() {
        use Severity::{Concern, Critical, Info};
        let before = [at(Concern, 3, "gets(s);"), at(Info, 9, "x"), at(Critical, 1, "old")];
        let now = [
            at(Critical, 7, "x"),
            at(Concern, 30, "  gets(s);"),
            at(Concern, 40, "gets(s);"),
            at(Info, 50, "fresh"),
        ];
        let compared = Comparison::new(&before, &now);
        assert_eq!(
            compared.standings,
            [Standing::Worse(Info), Standing::Unchanged, Standing::New, Standing::New]
        );
        assert_eq!(compared.absent, [at(Critical, 1, "old")]);
        insta::assert_snapshot!(compared.text(&now), @r"
        Flags against the baseline: 2 new · 1 worse · 1 as before · 1 gone
          worse  critical  src/a.c:7  It is odd.
          new    concern   src/a.c:40  It is odd.
          new    info      src/a.c:50  It is odd.
          gone   critical  src/a.c:1  It is odd.
        ");
        assert!(compared.has_new(&now, Critical), "one became critical");
        let again = Comparison::new(&now, &now);
        assert!(!again.has_new(&now, Info) && again.absent.is_empty());
        let worse = Comparison::new(&[at(Concern, 1, "x")], &[at(Critical, 1, "x")]);
        assert!(!worse.has_new(&[at(Critical, 1, "x")], Concern), "it was a concern before");
    }
}
