//! composer.json.

use super::{Manifest, Note, note};
use crate::structure::tree::Node;

pub(super) fn read(manifest: &mut Manifest, root: &Node) {
    manifest.name = note(root.get("name"));
    manifest.version = note(root.get("version"));
    manifest.description = note(root.get("description"));
    manifest.licence = note(root.get("license").and_then(|node| node.items().first()));
    for key in ["type", "homepage"] {
        manifest.fact(key, note(root.get(key)));
    }
    for (key, group) in [("require", None), ("require-dev", Some("dev"))] {
        for (name, node) in root.get(key).into_iter().flat_map(Node::entries) {
            manifest.depend(name, node.text(), group, node.lines.first);
        }
    }
    for (name, node) in root.get("scripts").into_iter().flat_map(Node::entries) {
        let commands: Vec<&str> = node.items().iter().filter_map(Node::text).collect();
        manifest.script(name, Some(&commands.join(" && ")), node.lines);
    }
    for (prefix, node) in root.at(&["autoload", "psr-4"]).into_iter().flat_map(Node::entries) {
        let folder = node.items().first().and_then(Node::text).unwrap_or_default();
        manifest
            .fact("namespace", Some(Note { text: format!("{prefix} in {folder}"), line: node.lines.first }));
    }
    let programs = root.get("bin").map(Node::items).unwrap_or_default();
    manifest.entry_points.extend(programs.iter().filter_map(|file| note(Some(file))));
}
