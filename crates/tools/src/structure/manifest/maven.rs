//! pom.xml.

use super::{Manifest, Note, note};
use crate::structure::tree::Node;

pub(super) fn read(manifest: &mut Manifest, root: &Node) {
    let Some(project) = root.get("project") else { return };
    let parent = project.get("parent");
    let own = |key: &str| project.get(key).or_else(|| parent.and_then(|node| node.get(key)));
    manifest.name = match (note(own("groupId")), note(project.get("artifactId"))) {
        (Some(group), Some(name)) => {
            Some(Note { text: format!("{}:{}", group.text, name.text), line: name.line })
        }
        (_, name) => name,
    };
    manifest.version = note(own("version"));
    manifest.description = note(project.get("description")).or_else(|| note(project.get("name")));
    manifest.licence = note(project.at(&["licenses", "license", "name"]));
    for key in ["packaging", "url"] {
        manifest.fact(key, note(project.get(key)));
    }
    for (key, node) in project.get("properties").into_iter().flat_map(Node::entries) {
        if matches!(
            key,
            "java.version" | "maven.compiler.source" | "maven.compiler.release" | "maven.compiler.target"
        ) {
            manifest.fact(key, note(Some(node)));
        }
    }
    for (_, module) in project.get("modules").into_iter().flat_map(Node::entries) {
        manifest.members.extend(note(Some(module)));
    }
    for (_, node) in project.get("dependencies").into_iter().flat_map(Node::entries) {
        let text = |key: &str| node.get(key).and_then(Node::text).unwrap_or_default();
        let name = format!("{}:{}", text("groupId"), text("artifactId"));
        let scope = node.get("scope").and_then(Node::text);
        manifest.depend(&name, node.get("version").and_then(Node::text), scope, node.lines.first);
    }
    for (_, node) in project.at(&["build", "plugins"]).into_iter().flat_map(Node::entries).take(100) {
        manifest.fact("plugin", note(node.get("artifactId")));
    }
}
