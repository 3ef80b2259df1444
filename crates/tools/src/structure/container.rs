//! Containers: what a Dockerfile builds, and which services a compose file starts.

use serde::{Deserialize, Serialize};

use super::NotParsed;
use super::outline::{Lines, Note};
use super::source::one_line;
use super::tree::Node;

/// Most steps of an image.
const MOST: usize = 1_000;

/// What a Dockerfile builds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its stages; the last one is the image.
    pub stages: Vec<Stage>,
    /// Ports it listens on.
    pub ports: Vec<Note>,
    /// Names of environment variables and build arguments. Values are not repeated.
    pub variables: Vec<Note>,
    /// What runs when it starts.
    pub starts: Vec<Note>,
}

/// A stage of an image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// The image it begins with.
    pub from: String,
    /// Its own name.
    pub name: Option<String>,
    /// What is done in it: `RUN`, `COPY` and the like.
    pub steps: Vec<Note>,
    /// Where it stands.
    pub lines: Lines,
}

/// The services of a compose file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Services {
    /// The services.
    pub services: Vec<Service>,
}

/// A service of a compose file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// The image it runs.
    pub image: Option<Note>,
    /// The folder it is built from.
    pub build: Option<Note>,
    /// Ports it opens, as they are written.
    pub ports: Vec<Note>,
    /// Names of environment variables. Values are not repeated.
    pub variables: Vec<Note>,
    /// Services it needs.
    pub needs: Vec<Note>,
    /// Where it stands.
    pub lines: Lines,
}

/// Reads a Dockerfile.
pub(super) fn dockerfile(text: &str) -> Result<Image, NotParsed> {
    let mut image = Image::default();
    let mut steps = 0;
    let mut lines = text.lines().enumerate();
    while let Some((row, first)) = lines.next() {
        let line = u32::try_from(row + 1).unwrap_or(u32::MAX);
        let mut written = first.trim().to_owned();
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        let mut last = line;
        while written.ends_with('\\') {
            written.pop();
            let Some((row, more)) = lines.next() else { break };
            last = u32::try_from(row + 1).unwrap_or(u32::MAX);
            if !more.trim_start().starts_with('#') && written.len() < 4_000 {
                written.push(' ');
                written.push_str(more.trim());
            } else {
                written.push('\\');
            }
        }
        let (word, rest) = written.split_once(char::is_whitespace).unwrap_or((&written, ""));
        let rest = rest.trim();
        let note = |text: &str| Note { text: one_line(text, 160), line };
        let word = word.to_ascii_uppercase();
        if let Some(stage) = image.stages.last_mut() {
            stage.lines.last = last;
        }
        match word.as_str() {
            "FROM" => {
                let mut parts = rest.split_whitespace().filter(|part| !part.starts_with("--"));
                let from = parts.next().unwrap_or_default().to_owned();
                let name = parts.nth(1).map(str::to_owned);
                image.stages.push(Stage {
                    from,
                    name,
                    steps: Vec::new(),
                    lines: Lines { first: line, last },
                });
            }
            "EXPOSE" => image.ports.extend(rest.split_whitespace().map(note)),
            "ENV" | "ARG" => image.variables.extend(variables(rest).iter().map(|name| note(name))),
            "CMD" | "ENTRYPOINT" => image.starts.push(note(&format!("{word} {rest}"))),
            "RUN" | "COPY" | "ADD" | "WORKDIR" | "USER" | "VOLUME" | "HEALTHCHECK" | "SHELL" | "ONBUILD" => {
                steps += 1;
                if let Some(stage) = image.stages.last_mut().filter(|_| steps <= MOST) {
                    stage.steps.push(note(&format!("{word} {rest}")));
                }
            }
            _ => {}
        }
    }
    let what = || NotParsed::Malformed { what: "a Dockerfile without FROM".to_owned(), line: 1 };
    if image.stages.is_empty() { Err(what()) } else { Ok(image) }
}

/// `A=1 B="x y"` has the names A and B, `A 1` has A.
fn variables(rest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_quoted = false;
    let mut is_name = true;
    let mut name = String::new();
    for character in rest.chars().take(4_000) {
        match character {
            '"' => is_quoted = !is_quoted,
            '=' if is_name => {
                names.push(std::mem::take(&mut name));
                is_name = false;
            }
            character if character.is_whitespace() && !is_quoted => {
                if names.is_empty() && is_name {
                    names.push(std::mem::take(&mut name));
                    break;
                }
                is_name = true;
                name.clear();
            }
            character if is_name => name.push(character),
            _ => {}
        }
    }
    if names.is_empty() && !name.is_empty() {
        names.push(name);
    }
    names
}

/// Reads a compose file.
pub(super) fn compose(root: &Node) -> Services {
    let services = root.get("services").into_iter().flat_map(Node::entries).map(|(name, node)| {
        let note = |node: Option<&Node>| {
            let node = node?;
            Some(Note { text: node.line_of_text()?, line: node.lines.first })
        };
        let all = |key: &str| {
            let node = node.get(key);
            let listed = node.map(Node::items).unwrap_or_default().iter().filter_map(|item| note(Some(item)));
            let named = node.into_iter().flat_map(Node::entries);
            let named = named.map(|(key, node)| Note { text: key.to_owned(), line: node.lines.first });
            listed.chain(named).collect::<Vec<Note>>()
        };
        let variables = all("environment").into_iter().map(|note| {
            let name = note.text.split('=').next().unwrap_or_default().to_owned();
            Note { text: name, line: note.line }
        });
        let build = node.get("build");
        Service {
            name: name.to_owned(),
            image: note(node.get("image")),
            build: note(build).or_else(|| note(build.and_then(|build| build.get("context")))),
            ports: all("ports")
                .into_iter()
                .filter(|note| note.text.contains(|c: char| c.is_ascii_digit()))
                .collect(),
            variables: variables.collect(),
            needs: all("depends_on"),
            lines: node.lines,
        }
    });
    Services { services: services.collect() }
}
