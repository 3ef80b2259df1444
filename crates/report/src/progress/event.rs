//! What happens in a run: as plain lines for whoever reads a log, and set for whoever watches.

use luminos_core::flag::Flag;
use luminos_core::plan::{Order, Turns};

use crate::investigation::{flagged, place_of};
use crate::measure::{count, number};
use crate::sheet::Sheet;
use crate::{Layout, prose};

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening<'a> {
    /// It began to do something else.
    Phase(&'a str),
    /// There is a plan.
    Planned {
        /// Which directory is taken first.
        order: Order,
        /// Directories by tier: priority, default, shallow, skipped.
        tiers: [u64; 4],
        /// All turns.
        turns: Turns,
    },
    /// Something worth telling at once.
    Note(&'a str),
    /// A flag was raised.
    Flag(&'a Flag),
    /// It is over.
    Ended(Ending<'a>),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending<'a> {
    /// Everything was looked at.
    Done,
    /// There is a report, but not of everything; why, a sentence each.
    Partial(&'a [String]),
    /// There is nothing to report on, and why.
    Failed(&'a str),
    /// Somebody cancelled.
    Cancelled,
}

/// One inert line for what happened, without a line feed.
pub fn event(happening: &Happening<'_>) -> String {
    match happening {
        Happening::Phase(phase) => prose::one_line(phase),
        Happening::Planned { order, tiers, turns } => planned(*order, *tiers, *turns),
        Happening::Note(note) => format!("note: {}", prose::one_line(note)),
        Happening::Flag(flag) => {
            let (word, finding) = (flagged::word(flag), prose::one_line(&flag.finding));
            format!("flag: {word}: {}: {finding}{}", place_of(flag), flagged::doubt(flag))
        }
        Happening::Ended(Ending::Done) => "done".to_owned(),
        Happening::Ended(Ending::Partial([])) => "done, in part".to_owned(),
        Happening::Ended(Ending::Partial(reasons)) => {
            let reasons: Vec<String> = reasons.iter().map(|reason| prose::one_line(reason)).collect();
            format!("done, in part: {}", reasons.join("; "))
        }
        Happening::Ended(Ending::Failed(reason)) => format!("failed: {}", prose::one_line(reason)),
        Happening::Ended(Ending::Cancelled) => "cancelled; what was found out is kept".to_owned(),
    }
}

/// The same for somebody who watches: lines that break where words do, and flags that catch the eye.
pub fn told(happening: &Happening<'_>, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    match happening {
        Happening::Flag(flag) => {
            let finding =
                format!("{}: {}{}", place_of(flag), prose::one_line(&flag.finding), flagged::doubt(flag));
            sheet.beside(flagged::word(flag), flagged::ink_of(flag), WIDEST_SEVERITY, &finding);
        }
        Happening::Phase(_) | Happening::Planned { .. } | Happening::Note(_) | Happening::Ended(_) => {
            sheet.hanging("  ", &event(happening));
        }
    }
    sheet.finish().trim_end().to_owned()
}

/// As wide as the widest severity.
const WIDEST_SEVERITY: usize = 8;

fn planned(order: Order, tiers: [u64; 4], turns: Turns) -> String {
    let tiers = tiers.into_iter().zip(["priority", "default", "shallow", "skipped"]);
    let tiers = tiers.filter(|(dirs, _)| 0 < *dirs).map(|(dirs, tier)| format!("{} {tier}", number(dirs)));
    let tiers = tiers.collect::<Vec<_>>().join(", ");
    let order = match order {
        Order::LeafFirst => "leaves first",
        Order::PriorityFirst => "what matters most first",
    };
    format!("plan: {tiers}; {}; {order}", count(u64::from(turns.0), "turn", "turns"))
}
