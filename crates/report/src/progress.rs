//! How far a run is: one line that is written over and over, a block for a live view, or plain lines for a log.

mod event;

use luminos_core::RelPath;
use luminos_core::flag::Severity;
use luminos_core::spend::{Money, Tokens, Totals};
use serde::Serialize;

pub use self::event::{Ending, Happening, event, told};
use crate::measure::{bar, count, fit, money, number, short, width};
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::{Layout, prose, time};

/// Where a run is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ProgressView {
    /// The investigation.
    pub investigation: String,
    /// The target.
    pub target: String,
    /// What it is doing, in a word.
    pub phase: String,
    /// Directories that are finished.
    pub dirs_done: u64,
    /// Those of them whose old result still counted.
    pub dirs_reused: u64,
    /// Directories to look at in all.
    pub dirs_total: u64,
    /// Turns used.
    pub turns_used: u64,
    /// Turns there are.
    pub turns_total: u64,
    /// Loops under way.
    pub active: Vec<ActiveView>,
    /// Loops that wait for turns.
    pub parked: u64,
    /// What calls have used.
    pub tokens: Tokens,
    /// What they have cost; `None` while a price is not known.
    pub cost: Option<Money>,
    /// What calls on their way can use at most.
    pub reserved: Totals,
    /// What was reserved for calls whose process died: nobody knows whether they used it.
    pub lost_in_flight: Totals,
    /// Flags raised so far: info, concern, critical.
    pub flags: [u64; 3],
    /// Seconds since the run began.
    pub seconds: u64,
    /// Seconds that it will probably still take.
    pub eta_seconds: Option<u64>,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// The provider that it waits for, if it waits for one.
    pub waiting: Option<WaitView>,
}

/// A provider that has put calls off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WaitView {
    /// Who, and what it says.
    pub reason: String,
    /// Seconds until it is asked again.
    pub seconds: u64,
    /// Seconds until it is given up.
    pub gives_up_seconds: u64,
}

/// A loop under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActiveView {
    /// The directory.
    pub dir: RelPath,
    /// The turn it is in.
    pub turn: u32,
    /// The turns it has.
    pub turns: u32,
    /// What it waits for, if it waits.
    pub state: Option<String>,
}

/// No more loops than this are shown: what does not fit on a screen only makes it jump.
const MOST_ACTIVE: usize = 8;

/// Where a run is, on one line that fits the page: what matters less is left off first. Without a line feed.
pub fn line(view: &ProgressView, layout: &Layout) -> String {
    let mut facts = facts(view);
    let phase = phase(view);
    while 1 < facts.len()
        && layout.width < width(&phase) + facts.iter().map(|fact| width(fact) + 3).sum::<usize>()
    {
        facts.pop();
    }
    let line = std::iter::once(phase).chain(facts).collect::<Vec<_>>().join(" · ");
    fit(&line, layout.width.max(1)).into_owned()
}

/// Where a run is, as a block of lines: a bar, the numbers, and each loop under way.
pub fn block(view: &ProgressView, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    sheet.painted("", Ink::Title, &format!("{}  {}", phase(view), prose::one_line(&view.target)));
    if let Some(passes) = passes(&sheet, view) {
        sheet.line(format_args!("  {passes}"));
    }
    body(&mut sheet, view);
    sheet.finish()
}

/// A bar, the numbers, and each loop under way.
pub(crate) fn body(sheet: &mut Sheet, view: &ProgressView) {
    let mut facts = facts(view);
    if 0 < view.dirs_total {
        facts.remove(0);
        let length = sheet.width / 3;
        let bar = bar(view.dirs_done, view.dirs_total, length);
        let gap = " ".repeat(length - width(&bar));
        let bar = sheet.style.paint(Ink::Bar, bar).to_string();
        let total = count(view.dirs_total, "directory", "directories");
        let done = format!("{} of {total}", number(view.dirs_done));
        let done = fit(&done, sheet.width - length - 4).into_owned();
        sheet.line(format_args!("  {bar}{gap}  {done}"));
    }
    sheet.facts("  ", &facts);
    for active in view.active.iter().take(MOST_ACTIVE) {
        self::active(sheet, active);
    }
    let more = view.active.len().saturating_sub(MOST_ACTIVE);
    if 0 < more {
        let more = format!("and {} more", number(more as u64));
        let more = sheet.style.paint(Ink::Faint, more).to_string();
        sheet.line(format_args!("           {more}"));
    }
}

/// What a run is doing, in a word or two.
pub(crate) fn phase(view: &ProgressView) -> String {
    let words = match pass_of(&view.phase) {
        Some(place) => PASSES[place].words.to_owned(),
        None => prose::one_line(&view.phase),
    };
    match (&view.paused, &view.waiting) {
        (Some(reason), _) if reason.trim().is_empty() => "paused".to_owned(),
        (Some(reason), _) => format!("paused ({})", prose::one_line(reason)),
        (None, Some(wait)) => format!(
            "{words} (waiting: {}; asked again in {}, given up in {})",
            prose::one_line(&wait.reason),
            time::duration(wait.seconds),
            time::duration(wait.gives_up_seconds)
        ),
        (None, None) => words,
    }
}

/// A pass of a run, as people see it.
struct Pass {
    /// The words by which a daemon tells that it is in it.
    phases: &'static [&'static str],
    /// What it is called.
    name: &'static str,
    /// What is done in it.
    words: &'static str,
}

const PASSES: [Pass; 5] = [
    Pass { phases: &["waiting", "scanning"], name: "scan", words: "scanning the files" },
    Pass { phases: &["surveying"], name: "survey", words: "taking a first look at the whole" },
    Pass { phases: &["planning"], name: "plan", words: "planning where to look closely" },
    Pass { phases: &["looping", "evaluating"], name: "directories", words: "looking into directories" },
    Pass { phases: &["synthesising", "reporting", "ended"], name: "report", words: "writing the report" },
];

fn pass_of(phase: &str) -> Option<usize> {
    PASSES.iter().position(|pass| pass.phases.contains(&phase))
}

/// The passes of a run, with a mark at each that is behind and at the one that is under way.
fn passes(sheet: &Sheet, view: &ProgressView) -> Option<String> {
    let now = pass_of(&view.phase)?;
    let taken: usize = PASSES.iter().map(|pass| width(pass.name) + 4).sum();
    if sheet.width < taken {
        return None;
    }
    let shown = PASSES.iter().enumerate().map(|(place, pass)| match place.cmp(&now) {
        std::cmp::Ordering::Less => format!("✓ {}", pass.name),
        std::cmp::Ordering::Equal => sheet.style.paint(Ink::Title, format!("▸ {}", pass.name)).to_string(),
        std::cmp::Ordering::Greater => sheet.style.paint(Ink::Faint, format!("· {}", pass.name)).to_string(),
    });
    Some(shown.collect::<Vec<_>>().join("  "))
}

/// What there is to say, the most important first.
fn facts(view: &ProgressView) -> Vec<String> {
    let mut facts = Vec::new();
    if 0 < view.dirs_total {
        facts.push(format!("{}/{} dirs", number(view.dirs_done), number(view.dirs_total)));
    }
    // The worst is told first, and what is not there is not told.
    let flags = Severity::ALL.into_iter().zip(view.flags.iter().rev()).filter(|(_, flags)| 0 < **flags);
    let flags: Vec<String> =
        flags.map(|(severity, flags)| format!("{} {}", number(*flags), severity.word())).collect();
    if let Some(cost) = view.cost.filter(|cost| Money::default() < *cost) {
        facts.push(format!("{} spent", money(cost)));
    }
    for (sum, what) in [(view.reserved, "reserved"), (view.lost_in_flight, "lost in flight")] {
        if Money::default() < sum.money {
            facts.push(format!("{} {what}", money(sum.money)));
        }
    }
    if let Some(eta) = view.eta_seconds {
        facts.push(format!("{} left", time::duration(eta)));
    }
    if 0 < view.tokens.0 {
        facts.push(format!("{} tokens", short(view.tokens)));
    }
    if 0 < view.turns_total {
        facts.push(format!("{}/{} turns", number(view.turns_used), number(view.turns_total)));
    }
    facts.extend(flags);
    if 0 < view.dirs_reused {
        facts.push(format!("{} unchanged", number(view.dirs_reused)));
    }
    if 0 < view.parked {
        facts.push(format!("{} waiting for turns", number(view.parked)));
    }
    facts.push(time::duration(view.seconds));
    facts
}

fn active(sheet: &mut Sheet, active: &ActiveView) {
    let turns = format!("{:>2}/{}", active.turn, active.turns);
    let state = active.state.as_deref().map(prose::one_line).unwrap_or_default();
    let state = fit(&state, sheet.width / 3).into_owned();
    let taken = 4 + 5 + 2 + if state.is_empty() { 0 } else { width(&state) + 2 };
    let dir = active.dir.for_terminal();
    let dir = fit(&dir, sheet.width.saturating_sub(taken)).into_owned();
    let dir = sheet.style.paint(Ink::Directory, dir).to_string();
    let state = if state.is_empty() { state } else { format!("  {}", sheet.style.paint(Ink::Faint, state)) };
    sheet.line(format_args!("    {turns:5}  {dir}{state}"));
}

/// A run in full swing, for tests.
#[cfg(test)]
pub(crate) fn sample() -> ProgressView {
    let active = |dir: &str, turn, turns, state: Option<&str>| ActiveView {
        dir: RelPath::from(dir),
        turn,
        turns,
        state: state.map(str::to_owned),
    };
    ProgressView {
        investigation: "019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee".to_owned(),
        target: "/home/ada/parcel".to_owned(),
        phase: "looking at directories".to_owned(),
        dirs_done: 17,
        dirs_reused: 4,
        dirs_total: 38,
        turns_used: 141,
        turns_total: 400,
        active: vec![
            active("src/routes", 4, 15, None),
            active("src/domain", 12, 17, Some("waits for the provider, 12 s")),
            active("a/rather/long/path/that/does/not/fit/beside/anything/else/here", 1, 5, None),
        ],
        parked: 1,
        tokens: Tokens(812_345),
        cost: Some(Money::from_nanodollars(412_345_678)),
        reserved: Totals { money: Money::from_nanodollars(51_000_000), tokens: Tokens(4_000), calls: 3 },
        lost_in_flight: Totals::default(),
        waiting: None,
        flags: [3, 0, 1],
        seconds: 95,
        eta_seconds: Some(130),
        paused: None,
    }
}

#[cfg(test)]
mod tests;
