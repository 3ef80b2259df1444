//! Colour, or none.

use std::fmt;

/// How text is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Not one escape byte.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

/// What a piece of text is, and so how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The title of a section.
    Title,
    /// The name of a directory.
    Directory,
    /// A symbolic link, or a pipe, socket or device.
    Special,
    /// What is there for orientation.
    Faint,
    /// A bar.
    Bar,
    /// What somebody should look at.
    Alarm,
    /// What somebody should know.
    Warning,
}

impl Style {
    /// The text in its colour, as far as there are colours.
    pub(crate) fn paint(self, ink: Ink, text: impl fmt::Display) -> impl fmt::Display {
        fmt::from_fn(move |f| match self {
            Style::Plain => write!(f, "{text}"),
            Style::Ansi => write!(f, "\x1b[{}m{text}\x1b[0m", ink.code()),
        })
    }
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Ink::Title => "1",
            Ink::Directory => "1;34",
            Ink::Special => "36",
            Ink::Faint => "2",
            Ink::Bar => "32",
            Ink::Alarm => "31",
            Ink::Warning => "33",
        }
    }
}
