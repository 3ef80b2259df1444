//! The whole target at a glance, for passes that read no files.

use luminos_core::scan::{Node, NodeKind, Scan, Signals, Tally, Tree, TreeOptions};
use luminos_core::{ByteSize, Fence, Untrusted};

use super::fenced;

/// The survey signals, as a labelled block.
pub(crate) fn signals(scan: &Scan, fence: &Fence) -> String {
    let signals = Signals::of(scan);
    let root = scan.dirs.first();
    let bytes = root.map_or(0, |root| root.bytes);
    let tallies = |tallies: &[Tally]| {
        let items: Vec<String> =
            tallies.iter().map(|tally| format!("{} {}", tally.name, tally.files)).collect();
        items.join(", ")
    };
    let mut text = format!(
        "files: {}\ndirectories: {}\nsize: {}\nextensions: {}",
        signals.total_files,
        scan.dirs.len(),
        ByteSize(bytes),
        tallies(&signals.extension_histogram)
    );
    if !signals.file_descriptions.is_empty() {
        text.push_str(&format!("\nother files: {}", tallies(&signals.file_descriptions)));
    }
    text.push_str(&format!("\nsome names: {}", signals.filename_samples.join(", ")));
    format!("What the scan counted:\n{}", fenced(&text, "signals", fence))
}

/// The tree to some depth, as a labelled block.
pub(crate) fn tree(scan: &Scan, depth: u32, nodes: usize, fence: &Fence) -> String {
    let tree = Tree::of(scan, &TreeOptions { depth, per_directory: 100, nodes });
    let mut text = String::from("./\n");
    draw(&tree.root, "", &mut text);
    let cut = if tree.is_cut { " (not all of it: there is too much)" } else { "" };
    format!("The tree to depth {depth}{cut}:\n{}", fenced(&text, "tree", fence))
}

fn draw(node: &Node, before: &str, out: &mut String) {
    let rest = usize::from(0 < node.omitted);
    let count = node.children.len() + rest;
    for (place, child) in node.children.iter().enumerate() {
        let is_last = place + 1 == count;
        let (branch, below) = if is_last { ("└── ", "    ") } else { ("├── ", "│   ") };
        let name = Untrusted::new(&child.name).for_terminal();
        let size = ByteSize(child.size);
        let shown = match (child.kind, child.truncated) {
            (NodeKind::Directory, true) => format!("{name}/  {size} ..."),
            (NodeKind::Directory, false) => format!("{name}/  {size}"),
            (NodeKind::Other(_), _) => format!("{name}  {size}"),
        };
        out.push_str(&format!("{before}{branch}{shown}\n"));
        draw(child, &format!("{before}{below}"), out);
    }
    if 0 < node.omitted {
        out.push_str(&format!("{before}└── … {} more\n", node.omitted));
    }
}
