//! Projects of .NET: csproj, fsproj, vbproj.

use super::{Manifest, Note, note};
use crate::structure::tree::Node;

pub(super) fn read(manifest: &mut Manifest, root: &Node) {
    let Some(project) = root.get("Project") else { return };
    manifest.fact("sdk", note(project.get("@Sdk")));
    for (group, node) in project.entries() {
        for (key, value) in node.entries() {
            match (group, key) {
                ("PropertyGroup", "AssemblyName" | "PackageId") => manifest.name = note(Some(value)),
                ("PropertyGroup", "Version") => manifest.version = note(Some(value)),
                ("PropertyGroup", "Description") => manifest.description = note(Some(value)),
                ("PropertyGroup", "PackageLicenseExpression") => manifest.licence = note(Some(value)),
                (
                    "PropertyGroup",
                    "TargetFramework" | "TargetFrameworks" | "OutputType" | "RootNamespace" | "LangVersion",
                ) => {
                    manifest.fact(key, note(Some(value)));
                }
                ("ItemGroup", "PackageReference") => {
                    let name = value.get("@Include").or_else(|| value.get("@Update")).and_then(Node::text);
                    let version = value.get("@Version").or_else(|| value.get("Version")).and_then(Node::text);
                    manifest.depend(name.unwrap_or_default(), version, None, value.lines.first);
                }
                ("ItemGroup", "ProjectReference") => {
                    let name = value.get("@Include").and_then(Node::text).unwrap_or_default();
                    manifest.depend(name, None, Some("project"), value.lines.first);
                }
                ("Target", "@Name") => {
                    if let Some(Note { text, .. }) = note(Some(value)) {
                        manifest.script(&text, None, node.lines);
                    }
                }
                _ => {}
            }
        }
    }
}
