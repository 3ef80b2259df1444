//! Projects of .NET: csproj, fsproj, vbproj.

use super::{Manifest, Note, note};
use crate::structure::tree::Node;

pub(super) fn read(manifest: &mut Manifest, root: &Node) {
    let Some(project) = root.get("Project") else { return };
    manifest.fact("sdk", note(project.get("@Sdk")));
    for (group, node) in project.entries() {
        for (key, value) in node.entries() {
            // With a condition, the value is one of several parts.
            let said = || note(value.get("#text")).or_else(|| note(Some(value)));
            match (group, key) {
                ("PropertyGroup", "AssemblyName" | "PackageId") => manifest.name = said(),
                ("PropertyGroup", "Version") => manifest.version = said(),
                ("PropertyGroup", "Description") => manifest.description = said(),
                ("PropertyGroup", "PackageLicenseExpression") => manifest.licence = said(),
                (
                    "PropertyGroup",
                    "TargetFramework" | "TargetFrameworks" | "OutputType" | "RootNamespace" | "LangVersion",
                ) => {
                    manifest.fact(key, said());
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
