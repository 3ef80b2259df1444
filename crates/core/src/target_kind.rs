//! What kind of target is investigated.

use serde::{Deserialize, Serialize};

/// What a target is. It is decided once, from the scan, before any pass; no survey and no model changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct TargetKind {
    /// Whether it is told as a program, with data beside it file by file, or as a collection.
    is_program: bool,
    /// What its files are, in hundredths of all files.
    shares: [u8; Matter::ALL.len()],
}

/// What files can be about. A target may be several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// Source code.
    Software,
    /// What sets up machines and services.
    Infrastructure,
    /// Tables, records and databases.
    Data,
    /// Texts for people.
    Documents,
    /// Pictures, sounds and films.
    Media,
    /// Letters.
    Mail,
    /// What programs wrote down while they ran.
    Logs,
    /// Packed files.
    Archives,
}

impl Matter {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Software,
        Self::Infrastructure,
        Self::Data,
        Self::Documents,
        Self::Media,
        Self::Mail,
        Self::Logs,
        Self::Archives,
    ];
}

impl TargetKind {
    /// A program of nothing but source code.
    pub const PROGRAM: Self = Self { is_program: true, shares: [100, 0, 0, 0, 0, 0, 0, 0] };

    /// A target with so many files of each kind, of so many in all.
    pub fn new(is_program: bool, of: impl Fn(Matter) -> u64, all: u64) -> Self {
        let share = |matter: Matter| {
            let hundredths = (of(matter) * 100).checked_div(all).unwrap_or_default().min(100);
            u8::try_from(hundredths).unwrap_or(100)
        };
        Self { is_program, shares: Matter::ALL.map(share) }
    }

    /// Whether the target is told as a program.
    pub fn is_program(self) -> bool {
        self.is_program
    }

    /// What its files are, in hundredths of all files; most first, without what there is none of.
    pub fn shares(self) -> Vec<(Matter, u8)> {
        let mut shares: Vec<(Matter, u8)> =
            Matter::ALL.into_iter().zip(self.shares).filter(|(_, share)| 0 < *share).collect();
        shares.sort_by_key(|(_, share)| std::cmp::Reverse(*share));
        shares
    }

    /// A fixed word for how it is told.
    pub fn word(self) -> &'static str {
        if self.is_program { "program" } else { "collection" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_may_be_several_things_at_once() {
        let of = |matter: Matter| match matter {
            Matter::Software => 5,
            Matter::Infrastructure => 2,
            Matter::Documents => 12,
            Matter::Data | Matter::Media | Matter::Mail | Matter::Logs | Matter::Archives => 0,
        };
        let kind = TargetKind::new(true, of, 20);
        let expected = [(Matter::Documents, 60), (Matter::Software, 25), (Matter::Infrastructure, 10)];
        assert_eq!(kind.shares(), expected);
        assert_eq!((kind.is_program(), kind.word()), (true, "program"));
        assert_eq!(TargetKind::new(false, |_| 0, 0), TargetKind::default());
    }
}
