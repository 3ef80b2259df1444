//! All that this program prints.
//!
//! Data goes to standard output, buffered; everything else goes to standard error. A reader that closes
//! standard output early (`luminosctl … | head`) ends the command quietly: that is no failure. Escape
//! sequences are written to terminals only, unless somebody asked for colours everywhere.
//!
//! Callers print text that is already fit for a terminal; what comes from a target goes through
//! `luminos_core::Untrusted` first.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};

use luminos_core::config::{self, ColorChoice, Surroundings};
use luminos_core::{Exit, Failure};
use serde::Serialize;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It failed.
    Failed(Failure),
    /// Whoever reads the output has seen enough.
    OutputClosed,
}

impl<T: Into<Failure>> From<T> for Stop {
    fn from(failure: T) -> Self {
        Self::Failed(failure.into())
    }
}

/// What a piece of text is, and so how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// The word before a failure.
    Error,
    /// The word before a warning.
    Warning,
    /// The word before a way out.
    Hint,
    /// Less important than what stands beside it.
    Faint,
}

impl Paint {
    fn escape(self) -> &'static str {
        match self {
            Self::Error => "\x1b[1;31m",
            Self::Warning => "\x1b[1;33m",
            Self::Hint => "\x1b[1;36m",
            Self::Faint => "\x1b[2m",
        }
    }
}

/// The way out for all text.
#[derive(Debug)]
pub(crate) struct Printer {
    out: BufWriter<StdoutLock<'static>>,
    is_dumb: bool,
    color: ColorChoice,
}

/// A number with its noun: `1 task`, `2 tasks`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{end}")
}

impl Printer {
    /// A printer that knows about colours what the environment says. It can be told more once the
    /// configuration is known; until then its own errors must be printable too.
    pub(crate) fn new(around: &Surroundings) -> Self {
        Self {
            out: BufWriter::new(io::stdout().lock()),
            is_dumb: around.variable("TERM").is_some_and(|term| term == "dumb"),
            color: config::color_of_environment(around),
        }
    }

    /// Tells it what the configuration or a flag says about colours.
    pub(crate) fn set_color(&mut self, color: ColorChoice) {
        self.color = color;
    }

    /// How many columns standard output has, if it is a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
    }

    /// Prints text to standard output, as it is.
    pub(crate) fn print(&mut self, text: impl Display) -> Result<(), Stop> {
        write!(self.out, "{text}").map_err(stop)
    }

    /// Prints bytes to standard output, as they are.
    pub(crate) fn print_bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.out.write_all(bytes).map_err(stop)
    }

    /// Prints a value as JSON, indented, with a newline at the end.
    pub(crate) fn print_json(&mut self, value: &impl Serialize) -> Result<(), Stop> {
        serde_json::to_writer_pretty(&mut self.out, value).map_err(|error| stop(error.into()))?;
        self.print('\n')
    }

    /// Lets a report write itself to standard output.
    pub(crate) fn write(
        &mut self,
        report: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), Stop> {
        report(&mut self.out).map_err(stop)
    }

    /// Whether standard output takes colours.
    pub(crate) fn is_colored(&self) -> bool {
        self.colors(io::stdout().is_terminal())
    }

    /// Whether standard error takes colours.
    pub(crate) fn is_colored_on_stderr(&self) -> bool {
        self.colors(io::stderr().is_terminal())
    }

    /// Text for standard output, painted if standard output is.
    pub(crate) fn painted<'t>(&self, paint: Paint, text: &'t str) -> Cow<'t, str> {
        painted(paint, text, self.colors(io::stdout().is_terminal()))
    }

    /// Tells something that is odd, but stops nothing.
    pub(crate) fn warn(&mut self, warning: impl Display) {
        let word = painted(Paint::Warning, "warning:", self.colors(io::stderr().is_terminal()));
        self.tell(&format!("{word} {warning}\n"));
    }

    /// Tells something that is neither data nor odd.
    pub(crate) fn note(&mut self, note: impl Display) {
        self.tell(&format!("{note}\n"));
    }

    /// Tells why nothing came out.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        let colors = self.colors(io::stderr().is_terminal());
        let text = failure.to_string();
        let rest = text.strip_prefix("error:").unwrap_or(&text);
        let (rest, hint) = match rest.rsplit_once("\n\nhint:") {
            Some((rest, hint)) if failure.hint.is_some() => (rest, Some(hint)),
            Some(_) | None => (rest, None),
        };
        let error = painted(Paint::Error, "error:", colors);
        let hint =
            hint.map_or(String::new(), |hint| format!("\n\n{}{hint}", painted(Paint::Hint, "hint:", colors)));
        self.tell(&format!("{error}{rest}{hint}\n"));
    }

    /// Prints what the argument parser has to say: the help that was asked for, or what is wrong.
    pub(crate) fn clap(&mut self, message: &clap::Error) -> Result<Exit, Stop> {
        let text = message.render();
        let text = |colors: bool| if colors { text.ansi().to_string() } else { text.to_string() };
        if message.use_stderr() {
            self.tell(&text(self.colors(io::stderr().is_terminal())));
            return Ok(Exit::Usage);
        }
        self.print(text(self.colors(io::stdout().is_terminal())))?;
        Ok(Exit::Done)
    }

    /// Sends what is buffered on its way.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.out.flush().map_err(stop)
    }

    /// Writes to standard error. There is nobody left to tell if that fails.
    fn tell(&mut self, text: &str) {
        // On a terminal both streams end up in one place: what was printed first must appear first. If it
        // cannot be written, the flush at the end says so.
        let _ = self.out.flush();
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn colors(&self, is_terminal: bool) -> bool {
        match self.color {
            ColorChoice::Auto => is_terminal && !self.is_dumb,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        }
    }
}

fn painted(paint: Paint, text: &str, colors: bool) -> Cow<'_, str> {
    if colors { format!("{}{text}\x1b[0m", paint.escape()).into() } else { text.into() }
}

fn stop(error: io::Error) -> Stop {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Stop::OutputClosed;
    }
    Failure::caused_by("cannot write to standard output", &error).into()
}
