//! The report of a scan as a person reads it: about one screen for a small project.
//!
//! Sections with nothing to say do not appear. Names of the target are escaped before anything else is done
//! with them.

mod languages;
mod lists;
mod page;
mod tree;

use std::io::{self, Write};

use luminos_core::scan::Summary;
use luminos_core::{ByteSize, Untrusted};

use self::page::Page;
use crate::Style;
use crate::measure::{count, fit, width};
use crate::style::Ink;

/// How the report is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns of the page.
    pub width: usize,
    /// Colour, or none.
    pub style: Style,
    /// How to see more of a tree that was cut.
    pub more_of_tree: &'static str,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { width: 80, style: Style::Plain, more_of_tree: "scan a directory of it to see more of that" }
    }
}

/// Writes the report of a scan for people.
pub fn write_text(out: &mut dyn Write, summary: &Summary<'_>, options: &TextOptions) -> io::Result<()> {
    let page = &mut Page::new(out, options);
    header(page, summary)?;
    tree::write(page, summary, options.more_of_tree)?;
    lists::categories(page, summary)?;
    languages::write(page, summary)?;
    lists::large_files(page, summary)?;
    lists::recent_files(page, summary)?;
    lists::largest_directories(page, summary)?;
    lists::descriptions(page, summary)?;
    lists::left_out(page, summary)?;
    lists::problems(page, summary)
}

/// One line, or two where the path is long.
fn header(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    let totals = summary.totals;
    let mut facts = vec![
        count(totals.files, "file", "files"),
        count(totals.directories, "directory", "directories"),
        ByteSize(totals.bytes).to_string(),
    ];
    if totals.symlinks > 0 {
        facts.push(count(totals.symlinks, "symlink", "symlinks"));
    }
    if totals.specials > 0 {
        facts.push(count(totals.specials, "special file", "special files"));
    }
    facts.push(summary.content_hash.short());
    let facts = facts.join(" · ");
    let root = Untrusted::new(summary.scan.root.as_os_str().as_encoded_bytes()).for_terminal();
    let separator = if width(&root) + 3 + width(&facts) <= page.width { " · " } else { "\n" };
    let root = page.style.paint(Ink::Title, fit(&root, page.width)).to_string();
    page.line(format_args!("{root}{separator}{facts}"))
}

#[cfg(test)]
mod tests;
