//! Cargo.toml.

use super::{Manifest, Note, note};
use crate::structure::tree::Node;

const GROUPS: &[(&str, Option<&str>)] =
    &[("dependencies", None), ("dev-dependencies", Some("dev")), ("build-dependencies", Some("build"))];

pub(super) fn read(manifest: &mut Manifest, root: &Node) {
    for package in [root.get("package"), root.at(&["workspace", "package"])].into_iter().flatten() {
        let fill = |old: &mut Option<Note>, key: &str| {
            *old = old.take().or_else(|| note(package.get(key)));
        };
        fill(&mut manifest.name, "name");
        fill(&mut manifest.version, "version");
        fill(&mut manifest.description, "description");
        fill(&mut manifest.licence, "license");
        for key in ["edition", "rust-version", "homepage", "repository"] {
            manifest.fact(key, note(package.get(key)));
        }
        let authors = package.get("authors").map(Node::items).unwrap_or_default();
        authors.iter().take(5).for_each(|author| manifest.fact("author", note(Some(author))));
    }
    dependencies(manifest, root, None);
    if let Some(workspace) = root.get("workspace") {
        let all = workspace.get("dependencies").into_iter().flat_map(Node::entries);
        all.for_each(|(name, node)| depend(manifest, name, node, Some("workspace")));
        let members = workspace.get("members").map(Node::items).unwrap_or_default();
        manifest.members.extend(members.iter().filter_map(|member| note(Some(member))));
    }
    for (target, node) in root.get("target").into_iter().flat_map(Node::entries) {
        dependencies(manifest, node, Some(target));
    }
    for kind in ["bin", "lib", "example"] {
        for target in root.get(kind).map(Node::items).unwrap_or_default() {
            let name = target.get("name").or_else(|| target.get("path"));
            if let Some(name) = note(name) {
                manifest.entry_points.push(Note { text: format!("{kind} {}", name.text), line: name.line });
            }
        }
    }
    for (name, node) in root.get("features").into_iter().flat_map(Node::entries).take(100) {
        let parts: Vec<&str> = node.items().iter().filter_map(Node::text).collect();
        let text = format!("{name} = [{}]", parts.join(", "));
        manifest.fact("feature", Some(Note { text, line: node.lines.first }));
    }
}

fn dependencies(manifest: &mut Manifest, root: &Node, target: Option<&str>) {
    for (key, group) in GROUPS {
        for (name, node) in root.get(key).into_iter().flat_map(Node::entries) {
            depend(manifest, name, node, group.or(target));
        }
    }
}

fn depend(manifest: &mut Manifest, name: &str, node: &Node, group: Option<&str>) {
    let source = ["version", "path", "git"].iter().find_map(|key| node.get(key)).and_then(Node::text);
    let requirement = node.text().or(source).or_else(|| node.get("workspace").map(|_| "workspace"));
    manifest.depend(name, requirement, group, node.lines.first);
}
