//! pyproject.toml, setup.cfg, requirements.txt.

use super::{Manifest, Note, note, numbered, words};
use crate::structure::tree::Node;

pub(super) fn read_pyproject(manifest: &mut Manifest, root: &Node) {
    let project = root.get("project");
    let poetry = root.at(&["tool", "poetry"]);
    for package in [project, poetry].into_iter().flatten() {
        let fill = |old: &mut Option<Note>, key: &str| {
            *old = old.take().or_else(|| note(package.get(key)));
        };
        fill(&mut manifest.name, "name");
        fill(&mut manifest.version, "version");
        fill(&mut manifest.description, "description");
        fill(&mut manifest.licence, "license");
        let licence = package.get("license");
        let licence = licence.and_then(|node| node.get("text").or_else(|| node.get("file")));
        manifest.licence = manifest.licence.take().or_else(|| note(licence));
        manifest.fact("requires-python", note(package.get("requires-python")));
        for (key, link) in package.get("urls").into_iter().flat_map(Node::entries).take(10) {
            manifest.fact(key, note(Some(link)));
        }
        for (name, target) in package.get("scripts").into_iter().flat_map(Node::entries) {
            if let Some(target) = note(Some(target)) {
                manifest
                    .entry_points
                    .push(Note { text: format!("{name} = {}", target.text), line: target.line });
            }
        }
    }
    list(manifest, project.and_then(|node| node.get("dependencies")), None);
    let optional = project.and_then(|node| node.get("optional-dependencies"));
    for groups in [optional, root.get("dependency-groups")].into_iter().flatten() {
        groups.entries().for_each(|(group, node)| list(manifest, Some(node), Some(group)));
    }
    list(manifest, root.at(&["build-system", "requires"]), Some("build"));
    if let Some(poetry) = poetry {
        table(manifest, poetry.get("dependencies"), None);
        table(manifest, poetry.get("dev-dependencies"), Some("dev"));
        for (group, node) in poetry.get("group").into_iter().flat_map(Node::entries) {
            table(manifest, node.get("dependencies"), Some(group));
        }
    }
    manifest.fact("build-backend", note(root.at(&["build-system", "build-backend"])));
    for (tool, node) in root.get("tool").into_iter().flat_map(Node::entries).take(50) {
        manifest.fact("configures", Some(Note { text: tool.to_owned(), line: node.lines.first }));
    }
}

fn list(manifest: &mut Manifest, node: Option<&Node>, group: Option<&str>) {
    for item in node.map(Node::items).unwrap_or_default() {
        if let Some(text) = item.text() {
            let (name, requirement) = split(text);
            manifest.depend(name, requirement, group, item.lines.first);
        }
    }
}

fn table(manifest: &mut Manifest, node: Option<&Node>, group: Option<&str>) {
    for (name, value) in node.into_iter().flat_map(Node::entries) {
        let requirement = value.text().or_else(|| value.get("version").and_then(Node::text));
        manifest.depend(name, requirement, group, value.lines.first);
    }
}

/// `name[extra]>=1,<2; marker` is a name and what stands after it.
fn split(text: &str) -> (&str, Option<&str>) {
    let text = text.split(';').next().unwrap_or(text).trim();
    let end =
        text.find(|character: char| !(character.is_alphanumeric() || matches!(character, '-' | '_' | '.')));
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let rest = rest.trim();
    let rest =
        if rest.starts_with('[') { rest.split_once(']').map_or(rest, |(_, rest)| rest.trim()) } else { rest };
    (name, Some(rest).filter(|rest| !rest.is_empty()))
}

pub(super) fn read_requirements(manifest: &mut Manifest, text: &str) {
    for (line, written) in numbered(text) {
        let written = written.split(" #").next().unwrap_or(written).trim();
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        if let Some(file) = written.strip_prefix("-r").or_else(|| written.strip_prefix("--requirement")) {
            manifest.fact("includes", words(file, line));
        } else if !written.starts_with('-') {
            let (name, requirement) = split(written);
            manifest.depend(name, requirement, None, line);
        }
    }
}

/// The parts of setup.cfg that say what the project is: sections in brackets, values that go on when they are indented.
pub(super) fn read_setup_cfg(manifest: &mut Manifest, text: &str) {
    let mut section = "";
    let mut key = String::new();
    for (line, written) in numbered(text) {
        let is_indented = written.starts_with([' ', '\t']);
        let written = written.trim();
        if written.is_empty() || written.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
            key.clear();
            continue;
        }
        let value = if is_indented {
            written
        } else {
            let (name, value) = written.split_once('=').unwrap_or((written, ""));
            key = name.trim().to_owned();
            value.trim()
        };
        if value.is_empty() {
            continue;
        }
        match (section, key.as_str()) {
            ("metadata", "name") => manifest.name = words(value, line),
            ("metadata", "version") => manifest.version = words(value, line),
            ("metadata", "description") => manifest.description = words(value, line),
            ("metadata", "license") => manifest.licence = words(value, line),
            ("options", "python_requires") => manifest.fact("requires-python", words(value, line)),
            ("options", "install_requires") => {
                let (name, requirement) = split(value);
                manifest.depend(name, requirement, None, line);
            }
            ("options.extras_require", group) => {
                let (name, requirement) = split(value);
                manifest.depend(name, requirement, Some(group), line);
            }
            ("options.entry_points", "console_scripts") => {
                let (name, target) = value.split_once('=').unwrap_or((value, ""));
                let text = format!("{} = {}", name.trim(), target.trim());
                manifest.entry_points.push(Note { text, line });
            }
            _ => {}
        }
    }
}
