//! Which lines of a file its outline repeats: whoever has read the outline has seen them.
//!
//! Of something that goes over several lines it is the first: where it begins, and what it is called. A picture, an archive or
//! a database has no lines.

use super::MOST_ITEMS;
use crate::structure::manifest::Manifest;
use crate::structure::outline::{Note, Outline};
use crate::structure::source::Source;

impl Outline {
    /// The lines that the outline repeats, in order, each once.
    pub fn shown_lines(&self) -> Vec<u32> {
        let mut lines: Vec<u32> = match self {
            Self::Source(source) => of_source(source),
            Self::Manifest(manifest) => of_manifest(manifest),
            Self::Workflow(workflow) => {
                let jobs = workflow.jobs.iter().flat_map(|job| {
                    let steps = job.steps.iter().take(MOST_ITEMS).map(|step| step.lines.first);
                    std::iter::once(job.lines.first).chain(steps)
                });
                notes(workflow.name.iter().chain(&workflow.triggers)).chain(jobs).collect()
            }
            Self::Image(image) => {
                let stages = image.stages.iter().flat_map(|stage| {
                    std::iter::once(stage.lines.first).chain(notes(stage.steps.iter().take(MOST_ITEMS)))
                });
                notes(image.ports.iter().chain(&image.variables).chain(&image.starts)).chain(stages).collect()
            }
            Self::Services(services) => {
                let each = services.services.iter().take(MOST_ITEMS).flat_map(|service| {
                    let said = service.image.iter().chain(&service.build).chain(&service.ports);
                    let said = said.chain(&service.needs).chain(&service.variables);
                    std::iter::once(service.lines.first).chain(notes(said))
                });
                each.collect()
            }
            Self::Data(data) => data.keys.iter().take(MOST_ITEMS).map(|key| key.lines.first).collect(),
            Self::Document(document) => {
                let paragraph = document.first_paragraph.iter().map(|paragraph| paragraph.lines.first);
                let headings = document.headings.iter().take(MOST_ITEMS).map(|heading| heading.line);
                let links = document.links.iter().take(MOST_ITEMS).map(|link| link.line);
                paragraph.chain(headings).chain(links).collect()
            }
            Self::Table(table) => {
                if table.has_header {
                    vec![1]
                } else {
                    Vec::new()
                }
            }
            Self::Notebook(notebook) => {
                let headings = notebook.headings.iter().take(MOST_ITEMS).map(|heading| heading.line);
                let cells = notebook.cells.iter().take(MOST_ITEMS).map(|cell| cell.lines.first);
                notes(&notebook.first_paragraph).chain(headings).chain(cells).collect()
            }
            Self::Environment(_) | Self::Database(_) | Self::Archive(_) | Self::Picture(_) | Self::Pdf(_) => {
                Vec::new()
            }
        };
        lines.retain(|line| 0 < *line);
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

fn notes<'n>(notes: impl IntoIterator<Item = &'n Note>) -> impl Iterator<Item = u32> {
    notes.into_iter().map(|note| note.line)
}

/// Where things begin, and what their comments say first.
fn of_source(source: &Source) -> Vec<u32> {
    let mut lines: Vec<u32> = notes(source.package.iter().chain(&source.doc)).collect();
    lines.extend(source.imports.iter().map(|import| import.line));
    for kind in &source.types {
        lines.push(kind.lines.first);
        lines.extend(notes(&kind.doc));
    }
    for function in &source.functions {
        lines.push(function.lines.first);
        lines.extend(notes(&function.doc));
    }
    lines
}

fn of_manifest(manifest: &Manifest) -> Vec<u32> {
    let said = manifest.name.iter().chain(&manifest.version).chain(&manifest.description);
    let mut lines: Vec<u32> = notes(said.chain(&manifest.licence)).collect();
    lines.extend(notes(manifest.facts.iter().take(MOST_ITEMS).map(|fact| &fact.value)));
    lines.extend(notes(manifest.entry_points.iter().take(MOST_ITEMS)));
    lines.extend(notes(manifest.members.iter().take(MOST_ITEMS)));
    lines.extend(manifest.scripts.iter().take(MOST_ITEMS).map(|script| script.lines.first));
    lines.extend(manifest.dependencies.iter().take(MOST_ITEMS).map(|dependency| dependency.line));
    lines
}

#[cfg(test)]
mod tests {
    use crate::structure::{Limits, outline};

    #[track_caller]
    fn check(name: &str, text: &str, expected: &[u32]) {
        let outline = outline(name.as_bytes(), text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(outline.shown_lines(), expected, "{name}: {}", outline.for_model());
    }

    #[test]
    fn lines_of_manifests_and_documents_count_as_shown() {
        check(
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"1.2.3\"\n\n[dependencies]\nserde = \"1\"\nregex = { version = \"1\" }\n",
            &[2, 3, 6, 7],
        );
        check(
            "package.json",
            "{\n \"name\": \"shop\",\n \"scripts\": {\n  \"test\": \"vitest\"\n }\n}\n",
            &[2, 4],
        );
        check(
            "a.md",
            "# Shop\n\nSells wheels and all that turns to those who ask for it.\n\n## Use\n\n[site](https://example.org)\n",
            &[1, 3, 5, 7],
        );
        check("settings.yaml", "port: 80\nhosts:\n  - a\n  - b\n", &[1, 2]);
        check("a.csv", "id,name\n1,a\n2,b\n", &[1]);
        check("Dockerfile", "FROM debian\nRUN apt-get update\nEXPOSE 80\nCMD [\"shop\"]\n", &[1, 2, 3, 4]);
    }

    /// The values of variables are not in the outline, so nobody has seen their lines.
    #[test]
    fn lines_with_values_that_are_not_told_are_not_shown() {
        check(".env.example", "TOKEN=abc\n", &[]);
    }
}
