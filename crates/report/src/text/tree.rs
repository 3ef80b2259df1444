//! The tree.

use std::io;

use luminos_core::scan::{Kind, Node, NodeKind, Summary};
use luminos_core::{ByteSize, Untrusted};

use super::page::Page;
use crate::measure::{fit, number, width};
use crate::style::Ink;

/// A name is not cut below this, however deep it stands.
const SHORTEST_NAME: usize = 16;

pub(super) fn write(page: &mut Page<'_>, summary: &Summary<'_>, how_to_see_more: &str) -> io::Result<()> {
    let root = &summary.tree.root;
    page.line(format_args!(""))?;
    entry(page, "", root)?;
    if root.children.is_empty() && !root.truncated && root.error.is_none() {
        let left_out = summary.scan.skipped_counts.total() > 0;
        return page.line(format_args!("{}", if left_out { "(all of it was left out)" } else { "(empty)" }));
    }
    branches(page, root, &mut String::new())?;
    if summary.tree.is_cut {
        let note = page.style.paint(Ink::Faint, format_args!("(shortened: {how_to_see_more})")).to_string();
        page.line(format_args!("{note}"))?;
    }
    Ok(())
}

/// What hangs under a node. Trees are at most [`luminos_core::scan::Tree::MAX_DEPTH`] deep.
fn branches(page: &mut Page<'_>, node: &Node, indent: &mut String) -> io::Result<()> {
    let mut left = node.children.len() + usize::from(node.omitted > 0);
    for child in &node.children {
        left -= 1;
        entry(page, &format!("{indent}{}", if left == 0 { "└── " } else { "├── " }), child)?;
        let before = indent.len();
        indent.push_str(if left == 0 { "    " } else { "│   " });
        branches(page, child, indent)?;
        indent.truncate(before);
    }
    if node.omitted > 0 {
        let more = format!("{indent}└── … and {} more", number(node.omitted));
        let more = page.style.paint(Ink::Faint, more).to_string();
        page.line(format_args!("{more}"))?;
    }
    Ok(())
}

fn entry(page: &mut Page<'_>, branch: &str, node: &Node) -> io::Result<()> {
    let style = page.style;
    let (slash, ink, note) = match node.kind {
        NodeKind::Directory if node.truncated => ("/", Some(Ink::Directory), "...".to_owned()),
        NodeKind::Directory => ("/", Some(Ink::Directory), String::new()),
        NodeKind::Other(Kind::File) => ("", None, ByteSize(node.size).to_string()),
        NodeKind::Other(kind) => ("", Some(Ink::Special), format!("({})", kind.name())),
    };
    let error = node.error.as_ref().map(|error| Untrusted::new(error.as_bytes()).for_terminal());

    let taken = width(branch) + slash.len() + 2 + width(&note);
    let name = Untrusted::new(&node.name).for_terminal();
    // The root of a file system has no name but its slash.
    let name = name.strip_suffix('/').unwrap_or(&name);
    let name = fit(name, page.width.saturating_sub(taken).max(SHORTEST_NAME));
    let mut line =
        if branch.is_empty() { String::new() } else { style.paint(Ink::Faint, branch).to_string() };
    let name = format!("{name}{slash}");
    line.push_str(&ink.map_or_else(|| name.clone(), |ink| style.paint(ink, &name).to_string()));
    if !note.is_empty() {
        line.push_str(&format!("  {}", style.paint(Ink::Faint, note)));
    }
    if let Some(error) = error {
        line.push_str(&format!("  {}", style.paint(Ink::Alarm, format_args!("[{error}]"))));
    }
    page.line(format_args!("{line}"))
}
