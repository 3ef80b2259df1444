//! Where the sections are written.

use std::fmt;
use std::io::{self, Write};

use super::TextOptions;
use crate::Style;
use crate::style::Ink;

/// A page being written.
pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    pub(super) style: Style,
    pub(super) width: usize,
}

impl<'a> Page<'a> {
    pub(super) fn new(out: &'a mut dyn Write, options: &TextOptions) -> Self {
        Self { out, style: options.style, width: options.width.max(Self::NARROWEST) }
    }

    /// A narrower page would cut every name to nothing; it is written this wide and wraps.
    const NARROWEST: usize = 40;

    pub(super) fn line(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Starts a section: an empty line, its title, and what belongs beside the title.
    pub(super) fn section(&mut self, title: &str, note: &str) -> io::Result<()> {
        let title = self.style.paint(Ink::Title, title);
        if note.is_empty() {
            writeln!(self.out, "\n{title}")
        } else {
            writeln!(self.out, "\n{title}  {}", self.style.paint(Ink::Faint, note))
        }
    }

    /// Ends a list that is longer than what is shown of it.
    pub(super) fn more(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "  {}", self.style.paint(Ink::Faint, format_args!("… and {text}")))
    }
}
