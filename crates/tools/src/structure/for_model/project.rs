//! How manifests, pipelines and containers read.

use super::{Page, count, place};
use crate::structure::container::{Image, Services};
use crate::structure::environment::Environment;
use crate::structure::manifest::Manifest;
use crate::structure::outline::Note;
use crate::structure::workflow::{BuildServer, Workflow};

/// `12 what it says`.
fn line(note: &Note) -> String {
    format!("{} {}", note.line, note.text)
}

/// Words in a row.
fn row(notes: &[Note]) -> String {
    notes.iter().map(|note| note.text.as_str()).collect::<Vec<&str>>().join(", ")
}

pub(super) fn manifest(page: &mut Page, manifest: &Manifest) {
    page.line(format!(
        "Manifest of {}, {}, {}",
        manifest.tool.name(),
        count(manifest.dependencies.len(), "dependency"),
        count(manifest.scripts.len(), "script")
    ));
    let said = [
        ("name", &manifest.name),
        ("version", &manifest.version),
        ("description", &manifest.description),
        ("licence", &manifest.licence),
    ];
    for (key, note) in said {
        if let Some(note) = note {
            page.line(format!("{} {key}: {}", note.line, note.text));
        }
    }
    page.list("facts", &manifest.facts, 0, |fact| {
        format!("{} {}: {}", fact.value.line, fact.key, fact.value.text)
    });
    page.section("Entry points", &manifest.entry_points, 0, line);
    page.section("Members", &manifest.members, 0, line);
    page.section("Scripts", &manifest.scripts, 0, |script| {
        let command = script.command.as_ref().map(|command| format!(": {command}")).unwrap_or_default();
        format!("{} {}{command}", place(script.lines), script.name)
    });
    page.section("Dependencies", &manifest.dependencies, 0, |dependency| {
        let requirement = dependency.requirement.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
        let group = dependency.group.as_ref().map(|group| format!(" ({group})")).unwrap_or_default();
        format!("{} {}{requirement}{group}", dependency.line, dependency.name)
    });
}

pub(super) fn workflow(page: &mut Page, workflow: &Workflow) {
    let server = match workflow.server {
        BuildServer::GitHub => "GitHub workflow",
        BuildServer::GitLab => "GitLab pipeline",
    };
    let name = workflow.name.as_ref().map(|name| format!(" «{}»", name.text)).unwrap_or_default();
    page.line(format!("{server}{name}, {}", count(workflow.jobs.len(), "job")));
    if !workflow.triggers.is_empty() {
        let word = if workflow.server == BuildServer::GitHub { "on" } else { "stages" };
        page.line(format!("{word}: {}", row(&workflow.triggers)));
    }
    for job in &workflow.jobs {
        let runs_on = job.runs_on.as_ref().map(|machine| format!(" ({machine})")).unwrap_or_default();
        page.line(format!("{} job {}{runs_on}", place(job.lines), job.name));
        page.list("steps", &job.steps, 0, |step| {
            let name = step.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
            format!("  {} {name}{}", place(step.lines), step.does)
        });
    }
}

pub(super) fn image(page: &mut Page, image: &Image) {
    page.line(format!("Dockerfile, {}", count(image.stages.len(), "stage")));
    for stage in &image.stages {
        let name = stage.name.as_ref().map(|name| format!(" as {name}")).unwrap_or_default();
        page.line(format!("{} from {}{name}", place(stage.lines), stage.from));
        page.list("steps", &stage.steps, 0, |step| format!("  {}", line(step)));
    }
    page.section("Ports", &image.ports, 0, line);
    page.section("Variables", &image.variables, 0, line);
    page.section("Starts", &image.starts, 0, line);
}

pub(super) fn services(page: &mut Page, services: &Services) {
    page.line(format!("Compose file, {}", count(services.services.len(), "service")));
    page.list("services", &services.services, 0, |service| {
        let mut words = vec![format!("{} {}", place(service.lines), service.name)];
        words.extend(service.image.as_ref().map(|image| format!("image {}", image.text)));
        words.extend(service.build.as_ref().map(|build| format!("built from {}", build.text)));
        for (word, notes) in
            [("ports", &service.ports), ("needs", &service.needs), ("variables", &service.variables)]
        {
            if !notes.is_empty() {
                words.push(format!("{word} {}", row(notes)));
            }
        }
        words.join("; ")
    });
}

pub(super) fn environment(page: &mut Page, environment: &Environment) {
    let names = count(environment.names.len(), "variable");
    page.line(format!("Environment, {names}, {} without a value; values are not shown", environment.unset));
    page.list("variables", &environment.names, 0, line);
}
