//! build.gradle and build.gradle.kts: programs, of which only the plain forms are read.

use super::{Manifest, numbered, words};
use crate::structure::outline::Lines;

const CONFIGURATIONS: &[(&str, Option<&str>)] = &[
    ("implementation", None),
    ("api", None),
    ("compile", None),
    ("runtimeOnly", Some("runtime")),
    ("compileOnly", Some("compile")),
    ("testImplementation", Some("test")),
    ("testCompile", Some("test")),
    ("testRuntimeOnly", Some("test")),
    ("androidTestImplementation", Some("test")),
    ("kapt", Some("build")),
    ("ksp", Some("build")),
    ("annotationProcessor", Some("build")),
];

pub(super) fn read(manifest: &mut Manifest, text: &str) {
    for (line, written) in numbered(text) {
        let written = written.trim();
        let word_end = written.find(|character: char| !character.is_alphanumeric()).unwrap_or(written.len());
        let (word, rest) = written.split_at(word_end);
        let quoted = rest.split(['"', '\'']).nth(1);
        if let Some((_, group)) = CONFIGURATIONS.iter().find(|(known, _)| *known == word) {
            match quoted {
                Some(coordinates) => {
                    let at = coordinates.match_indices(':').nth(1).map(|(at, _)| at);
                    let (name, version) = coordinates.split_at(at.unwrap_or(coordinates.len()));
                    manifest.depend(name, Some(version.trim_start_matches(':')), *group, line);
                }
                None => manifest.depend(rest.trim_matches(['(', ')', ' ']), None, *group, line),
            }
            continue;
        }
        match word {
            "group" | "version" | "description" if rest.trim_start().starts_with(['=', '"', '\'']) => {
                let value = quoted.and_then(|value| words(value, line));
                match word {
                    "version" => manifest.version = value,
                    "description" => manifest.description = value,
                    _ => manifest.fact("group", value),
                }
            }
            "id" | "kotlin" if quoted.is_some() => {
                let parts: Vec<&str> = rest.split(['"', '\'']).skip(1).step_by(2).collect();
                manifest.fact("plugin", words(&parts.join(" "), line));
            }
            "mainClass" => manifest.entry_points.extend(quoted.and_then(|value| words(value, line))),
            "include" => manifest
                .members
                .extend(rest.split(['"', '\'']).skip(1).step_by(2).filter_map(|name| words(name, line))),
            "rootProject" => manifest.name = quoted.and_then(|value| words(value, line)),
            "task" => manifest.script(rest.trim_matches([' ', '{', '(']), None, Lines::one(line)),
            "tasks" => {
                if let Some(name) = quoted {
                    manifest.script(name, None, Lines::one(line));
                }
            }
            "sourceCompatibility" | "targetCompatibility" | "jvmToolchain" => {
                manifest.fact(word, words(rest.trim_matches([' ', '=', '(', ')']), line));
            }
            _ => {}
        }
    }
}
