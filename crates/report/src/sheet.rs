//! A page in memory, on which texts for people are set.

use std::fmt;

use crate::measure::{fit, width};
use crate::style::Ink;
use crate::{Layout, Style, prose};

/// A page being written. What others wrote comes on it through [`Sheet::prose`] and the like, or has been made inert
/// before.
pub(crate) struct Sheet {
    out: String,
    pub(crate) style: Style,
    pub(crate) width: usize,
}

impl Sheet {
    /// A narrower page would break every word; it is written this wide and the terminal wraps it.
    const NARROWEST: usize = 40;

    pub(crate) fn new(layout: &Layout) -> Self {
        Self { out: String::new(), style: layout.style, width: layout.width.max(Self::NARROWEST) }
    }

    /// What was written.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    pub(crate) fn line(&mut self, text: impl fmt::Display) {
        let before = self.out.len();
        self.out.push_str(&text.to_string());
        let end = before + self.out[before..].trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
    }

    /// A line in colour, behind something that is not. What does not fit loses its middle.
    pub(crate) fn painted(&mut self, before: &str, ink: Ink, text: &str) {
        let text = fit(text, self.width.saturating_sub(width(before)));
        let text = self.style.paint(ink, text).to_string();
        self.line(format_args!("{before}{text}"));
    }

    /// Starts a section: an empty line, its title, and what belongs beside the title.
    pub(crate) fn section(&mut self, title: &str, note: &str) {
        if !self.out.is_empty() {
            self.line("");
        }
        let title = self.style.paint(Ink::Title, title).to_string();
        let note =
            if note.is_empty() { String::new() } else { format!("  {}", self.style.paint(Ink::Faint, note)) };
        self.line(format_args!("{title}{note}"));
    }

    /// Ends a list that is longer than what is shown of it.
    pub(crate) fn more(&mut self, text: &str) {
        self.painted("  ", Ink::Faint, &format!("… and {text}"));
    }

    /// What somebody wrote, paragraph by paragraph.
    pub(crate) fn prose(&mut self, indent: usize, text: &str) {
        for line in prose::lines(text) {
            let lead = prose::lead(&line);
            let rest = line.trim_start_matches(' ');
            let rest = rest.strip_prefix(lead.trim_start_matches(' ')).unwrap_or(rest);
            self.hanging(&format!("{}{lead}", " ".repeat(indent)), rest);
        }
    }

    /// An inert line behind something that the lines below it are indented by.
    pub(crate) fn hanging(&mut self, lead: &str, text: &str) {
        let column = width(lead);
        for (index, piece) in
            prose::wrap(text, self.width.saturating_sub(column).max(Self::NARROWEST / 2)).iter().enumerate()
        {
            match index {
                0 => self.line(format_args!("{lead}{piece}")),
                _ => self.line(format_args!("{:column$}{piece}", "")),
            }
        }
    }

    /// Short inert texts with dots between them; a line breaks where a dot would stand.
    pub(crate) fn facts(&mut self, indent: &str, facts: &[String]) {
        let mut line = String::new();
        for fact in facts {
            if line.is_empty() {
                line.clone_from(fact);
            } else if width(indent) + width(&line) + 3 + width(fact) <= self.width {
                line.push_str(" · ");
                line.push_str(fact);
            } else {
                self.hanging(indent, &std::mem::replace(&mut line, fact.clone()));
            }
        }
        self.hanging(indent, &line);
    }

    /// A word in the margin, and an inert text beside it.
    pub(crate) fn beside(&mut self, word: &str, ink: Ink, column: usize, text: &str) {
        let room = self.width.saturating_sub(column + 4).max(Self::NARROWEST / 2);
        for (index, piece) in prose::wrap(text, room).iter().enumerate() {
            let word = if index == 0 { word } else { "" };
            let gap = " ".repeat(column.saturating_sub(width(word)));
            let word = if word.is_empty() { String::new() } else { self.style.paint(ink, word).to_string() };
            self.line(format_args!("  {word}{gap}  {piece}"));
        }
    }
}
