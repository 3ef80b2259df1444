//! How a text for people is set.

use crate::Style;

/// How a text for people is set: how wide, in which colours, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the page.
    pub width: usize,
    /// Colour, or none.
    pub style: Style,
    /// How much is told.
    pub detail: Detail,
    /// How many levels of directories are shown; `None` is as many as fit.
    pub depth: Option<usize>,
}

impl Default for Layout {
    fn default() -> Self {
        Self { width: 80, style: Style::Plain, detail: Detail::Usual, depth: None }
    }
}

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// What it is and what is wrong with it.
    Brief,
    /// What fits on a few screens; long lists end with how to see the rest.
    #[default]
    Usual,
    /// Everything: each directory with its claims and what they rest on.
    Full,
}
