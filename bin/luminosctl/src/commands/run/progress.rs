//! What a person sees while a run goes on.
//!
//! On a terminal a block that is drawn anew: the passes, how far they are, each directory under way. Elsewhere a plain
//! line when something else begins, and one now and then. Everything goes to standard error.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use luminos_core::flag::Flag;
use luminos_core::plan::{Order, Turns};
use luminos_report::progress::{Happening, block, event, line, told};
use luminos_report::{Layout, Style};
use luminos_wire::control::Snapshot;

use crate::run_view::progress;

/// How often a plain line is printed.
const PLAIN: Duration = Duration::from_secs(5);
/// A plain line is as long as it needs to be.
const WIDE: usize = 200;
/// How often the block is drawn at most.
const HERTZ: u8 = 10;

/// How far a run is, as it is shown.
pub(crate) struct Progress {
    display: Display,
}

enum Display {
    /// Nothing but why a run stands still, each reason once.
    Quiet {
        told: BTreeSet<String>,
    },
    Plain {
        phase: String,
        last: Option<Instant>,
    },
    Live {
        block: ProgressBar,
        style: Style,
    },
}

impl Progress {
    pub(crate) fn new(is_quiet: bool, is_colored: bool) -> Self {
        let display = if is_quiet {
            Display::Quiet { told: BTreeSet::new() }
        } else if io::stderr().is_terminal() {
            let block = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HERTZ));
            // The template is ours, and right.
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                block.set_style(style);
            }
            Display::Live { block, style: if is_colored { Style::Ansi } else { Style::Plain } }
        } else {
            Display::Plain { phase: String::new(), last: None }
        };
        Self { display }
    }

    /// Shows where a run is.
    pub(crate) fn show(&mut self, snapshot: &Snapshot) {
        // Whoever comes that late is told how it ended at once.
        if snapshot.phase == "ended" {
            return;
        }
        match &mut self.display {
            Display::Quiet { told } => {
                let paused = snapshot.paused.as_ref().map(|reason| format!("paused: {reason}"));
                let waiting = snapshot.waiting.as_ref();
                let waiting = waiting.map(|wait| format!("waiting for a provider: {}", wait.reason));
                for reason in [paused, waiting].into_iter().flatten() {
                    if told.insert(reason.clone()) {
                        say(&event(&Happening::Note(&reason)));
                    }
                }
            }
            Display::Live { block: bar, style } => {
                bar.set_message(block(&progress(snapshot.clone()), &live(*style)).trim_end().to_owned());
            }
            Display::Plain { phase, last } => {
                let is_new = *phase != snapshot.phase;
                if is_new || last.is_none_or(|last| PLAIN <= last.elapsed()) {
                    phase.clone_from(&snapshot.phase);
                    *last = Some(Instant::now());
                    say(&line(&progress(snapshot.clone()), &Layout { width: WIDE, ..Layout::default() }));
                }
            }
        }
    }

    pub(crate) fn planned(&mut self, order: Order, tiers: [u64; 4], turns: Turns) {
        self.tell(&Happening::Planned { order, tiers, turns });
    }

    pub(crate) fn note(&mut self, note: &str) {
        self.tell(&Happening::Note(note));
    }

    pub(crate) fn flag(&mut self, flag: &Flag) {
        self.tell(&Happening::Flag(flag));
    }

    fn tell(&mut self, happening: &Happening<'_>) {
        match &mut self.display {
            Display::Quiet { .. } => {}
            Display::Plain { .. } => say(&event(happening)),
            Display::Live { block, style } => block.println(told(happening, &live(*style))),
        }
    }

    /// Leaves the screen as it was.
    pub(crate) fn end(&mut self) {
        if let Display::Live { block, .. } = &mut self.display {
            block.finish_and_clear();
        }
    }
}

/// How text is set on the terminal.
fn live(style: Style) -> Layout {
    let usual = Layout::default();
    Layout { width: console_width().unwrap_or(usual.width), style, ..usual }
}

/// How wide the terminal is that progress is shown on: it may change while it is shown.
fn console_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0))
}

fn say(text: &str) {
    // There is nobody left to tell if that fails.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
