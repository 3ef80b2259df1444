//! package.json.

use super::{Manifest, Note, note};
use crate::structure::tree::Node;

const GROUPS: &[(&str, Option<&str>)] = &[
    ("dependencies", None),
    ("devDependencies", Some("dev")),
    ("peerDependencies", Some("peer")),
    ("optionalDependencies", Some("optional")),
];

pub(super) fn read(manifest: &mut Manifest, root: &Node) {
    manifest.name = note(root.get("name"));
    manifest.version = note(root.get("version"));
    manifest.description = note(root.get("description"));
    let licence = root.get("license").or_else(|| root.get("licenses").and_then(|list| list.items().first()));
    manifest.licence = note(licence).or_else(|| note(licence.and_then(|node| node.get("type"))));
    for key in ["type", "homepage", "packageManager"] {
        manifest.fact(key, note(root.get(key)));
    }
    let repository = root.get("repository");
    manifest
        .fact("repository", note(repository).or_else(|| note(repository.and_then(|node| node.get("url")))));
    let author = root.get("author");
    manifest.fact("author", note(author).or_else(|| note(author.and_then(|node| node.get("name")))));
    for (engine, node) in root.get("engines").into_iter().flat_map(Node::entries) {
        manifest.fact(engine, note(Some(node)));
    }
    for (key, group) in GROUPS {
        for (name, node) in root.get(key).into_iter().flat_map(Node::entries) {
            manifest.depend(name, node.text(), *group, node.lines.first);
        }
    }
    for (name, node) in root.get("scripts").into_iter().flat_map(Node::entries) {
        manifest.script(name, node.text(), node.lines);
    }
    for key in ["main", "module", "browser", "types"] {
        if let Some(file) = note(root.get(key)) {
            manifest.entry_points.push(Note { text: format!("{key} {}", file.text), line: file.line });
        }
    }
    match root.get("bin") {
        Some(bin) if bin.text().is_some() => manifest.entry_points.extend(program(None, bin)),
        Some(bin) => {
            manifest.entry_points.extend(bin.entries().filter_map(|(name, file)| program(Some(name), file)))
        }
        None => {}
    }
    let workspaces = root.get("workspaces");
    let members =
        workspaces.and_then(|node| node.get("packages")).or(workspaces).map(Node::items).unwrap_or_default();
    manifest.members.extend(members.iter().filter_map(|member| note(Some(member))));
}

fn program(name: Option<&str>, file: &Node) -> Option<Note> {
    let file = note(Some(file))?;
    let name = name.map(|name| format!("{name} = ")).unwrap_or_default();
    Some(Note { text: format!("bin {name}{}", file.text), line: file.line })
}
