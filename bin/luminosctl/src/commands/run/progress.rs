//! What a person sees while a run goes on.
//!
//! On a terminal a few lines that are drawn anew; elsewhere a plain line now and then. Everything goes to standard error.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use luminos_core::Untrusted;
use luminos_core::flag::Flag;
use luminos_core::plan::{Order, Turns};
use luminos_wire::control::Snapshot;

use crate::session::Session;

/// Directories that are shown at a time.
const SHOWN: usize = 6;
/// How often a plain line is printed.
const PLAIN: Duration = Duration::from_secs(5);

/// How far a run is, as it is shown.
pub(super) struct Progress {
    display: Display,
}

enum Display {
    Quiet,
    Plain { phase: String, last: Option<Instant> },
    Live(Box<Live>),
}

struct Live {
    bars: MultiProgress,
    main: ProgressBar,
    dirs: Vec<ProgressBar>,
}

impl Progress {
    pub(super) fn new(is_quiet: bool) -> Self {
        let display = if is_quiet {
            Display::Quiet
        } else if io::stderr().is_terminal() {
            Display::Live(Box::new(Live::new()))
        } else {
            Display::Plain { phase: String::new(), last: None }
        };
        Self { display }
    }

    /// Shows where a run is.
    pub(super) fn show(&mut self, snapshot: &Snapshot) {
        match &mut self.display {
            Display::Quiet => {}
            Display::Live(live) => live.show(snapshot),
            Display::Plain { phase, last } => {
                let is_new = *phase != snapshot.phase;
                if is_new || last.is_none_or(|last| PLAIN <= last.elapsed()) {
                    phase.clone_from(&snapshot.phase);
                    *last = Some(Instant::now());
                    say(&line(snapshot));
                }
            }
        }
    }

    pub(super) fn planned(&mut self, order: Order, tiers: [u64; 4], turns: Turns, session: &mut Session<'_>) {
        let [priority, usual, shallow, skipped] = tiers;
        let order = match order {
            Order::LeafFirst => "leaves first",
            Order::PriorityFirst => "the important first",
        };
        self.tell(
            &format!(
                "plan: {priority} priority, {usual} default, {shallow} shallow, {skipped} skipped; {} turns; {order}",
                turns.0
            ),
            session,
        );
    }

    pub(super) fn note(&mut self, note: &str, session: &mut Session<'_>) {
        self.tell(&Untrusted::new(note.as_bytes()).for_terminal(), session);
    }

    pub(super) fn flag(&mut self, flag: &Flag, session: &mut Session<'_>) {
        let finding = Untrusted::new(flag.finding.as_bytes()).for_terminal();
        self.tell(&format!("{}: {}: {finding}", flag.severity.word(), flag.path.for_terminal()), session);
    }

    fn tell(&mut self, text: &str, session: &mut Session<'_>) {
        match &mut self.display {
            Display::Quiet => {}
            Display::Plain { .. } => session.printer.note(text),
            // If a line cannot be shown, the next picture is as good.
            Display::Live(live) => drop(live.bars.println(text)),
        }
    }

    /// Leaves the screen as it was.
    pub(super) fn end(&mut self) {
        if let Display::Live(live) = &mut self.display {
            drop(live.bars.clear());
        }
    }
}

fn say(text: &str) {
    use std::io::Write as _;
    // There is nobody left to tell if that fails.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Where a run is, in one line.
fn line(snapshot: &Snapshot) -> String {
    let mut line = snapshot.phase.clone();
    if 0 < snapshot.dirs_total {
        line.push_str(&format!(": {} of {} directories", snapshot.dirs_done, snapshot.dirs_total));
    }
    if 0 < snapshot.turns_total {
        line.push_str(&format!(", {} of {} turns", snapshot.turns_used, snapshot.turns_total));
    }
    if 0 < snapshot.tokens.0 {
        line.push_str(&format!(", {} tokens", snapshot.tokens.0));
        if let Some(cost) = snapshot.cost {
            line.push_str(&format!(", {cost}"));
        }
    }
    if let Some(reason) = &snapshot.paused {
        line.push_str(&format!(", paused: {}", Untrusted::new(reason.as_bytes()).for_terminal()));
    }
    line
}

impl Live {
    fn new() -> Self {
        let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        let main = bars.add(ProgressBar::new(0));
        main.enable_steady_tick(Duration::from_millis(120));
        Self { bars, main, dirs: Vec::new() }
    }

    fn show(&mut self, snapshot: &Snapshot) {
        let template = if 0 < snapshot.dirs_total {
            "{spinner} {bar:24} {pos}/{len} {msg} {eta}"
        } else {
            "{spinner} {msg}"
        };
        // The templates are ours, and right.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.main.set_style(style);
        }
        self.main.set_length(snapshot.dirs_total);
        self.main.set_position(snapshot.dirs_done);
        self.main.set_message(line(snapshot));
        for (number, dir) in snapshot.active.iter().take(SHOWN).enumerate() {
            if self.dirs.len() <= number {
                let bar = self.bars.add(ProgressBar::new_spinner());
                if let Ok(style) = ProgressStyle::with_template("    {msg}") {
                    bar.set_style(style);
                }
                self.dirs.push(bar);
            }
            self.dirs[number].set_message(format!(
                "{}  turn {}/{}",
                dir.dir.for_terminal(),
                dir.turn,
                dir.turns
            ));
        }
        while snapshot.active.len().min(SHOWN) < self.dirs.len() {
            if let Some(bar) = self.dirs.pop() {
                bar.finish_and_clear();
                self.bars.remove(&bar);
            }
        }
    }
}
