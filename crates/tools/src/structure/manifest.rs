//! What a project says about itself in the files of its build tools.

mod cargo;
mod cmake;
mod composer;
mod dotnet;
mod go;
mod gradle;
mod make;
mod maven;
mod npm;
mod python;
mod ruby;

use serde::{Deserialize, Serialize};

use super::outline::{Lines, Note};
use super::source::one_line;
use super::tree::{self, Node, Syntax};
use super::{Limits, NotParsed};

/// Most entries of each list.
const MOST: usize = 2_000;

/// What a manifest tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Whose manifest it is.
    pub tool: Tool,
    /// The name of the project.
    pub name: Option<Note>,
    /// Its version.
    pub version: Option<Note>,
    /// What it says it is.
    pub description: Option<Note>,
    /// Its licence.
    pub licence: Option<Note>,
    /// Other things it says: language versions, homepages, workspaces; by what they are.
    pub facts: Vec<Fact>,
    /// What it needs.
    pub dependencies: Vec<Dependency>,
    /// Scripts, targets and tasks.
    pub scripts: Vec<Script>,
    /// Programs and modules it offers.
    pub entry_points: Vec<Note>,
    /// The parts of a workspace.
    pub members: Vec<Note>,
}

/// A build tool or package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the tools' own")]
pub enum Tool {
    Bundler,
    Cargo,
    CMake,
    Composer,
    DotNet,
    Go,
    Gradle,
    Make,
    Maven,
    Npm,
    Pip,
    Python,
}

impl Tool {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bundler => "Bundler",
            Self::Cargo => "Cargo",
            Self::CMake => "CMake",
            Self::Composer => "Composer",
            Self::DotNet => ".NET",
            Self::Go => "Go modules",
            Self::Gradle => "Gradle",
            Self::Make => "Make",
            Self::Maven => "Maven",
            Self::Npm => "npm",
            Self::Pip => "pip",
            Self::Python => "Python packaging",
        }
    }
}

/// Something a manifest says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about: `rust-version`, `homepage`.
    pub key: String,
    /// What it says.
    pub value: Note,
}

/// Something a project needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    /// Its name.
    pub name: String,
    /// Which versions will do, as it is written.
    pub requirement: Option<String>,
    /// What for: `dev`, `build`, `test`, …; `None` for running.
    pub group: Option<String>,
    /// Where it stands.
    pub line: u32,
}

/// A script, target or task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// Its name.
    pub name: String,
    /// What it runs, or needs first.
    pub command: Option<String>,
    /// Where it stands.
    pub lines: Lines,
}

/// Reads a manifest.
pub(super) fn outline(tool: Tool, name: &str, text: &str, limits: &Limits) -> Result<Manifest, NotParsed> {
    let read = |syntax| tree::read(syntax, text, limits);
    let mut manifest = Manifest::new(tool);
    match tool {
        Tool::Bundler => ruby::read(&mut manifest, text),
        Tool::Cargo => cargo::read(&mut manifest, &read(Syntax::Toml)?),
        Tool::CMake => cmake::read(&mut manifest, text),
        Tool::Composer => composer::read(&mut manifest, &read(Syntax::Json)?),
        Tool::DotNet => dotnet::read(&mut manifest, &read(Syntax::Xml)?),
        Tool::Go => go::read(&mut manifest, text),
        Tool::Gradle => gradle::read(&mut manifest, text),
        Tool::Make => make::read(&mut manifest, text),
        Tool::Maven => maven::read(&mut manifest, &read(Syntax::Xml)?),
        Tool::Npm => npm::read(&mut manifest, &read(Syntax::Json)?),
        Tool::Pip => python::read_requirements(&mut manifest, text),
        Tool::Python if name == "setup.cfg" => python::read_setup_cfg(&mut manifest, text),
        Tool::Python => python::read_pyproject(&mut manifest, &read(Syntax::Toml)?),
    }
    manifest.dependencies.truncate(MOST);
    manifest.scripts.truncate(MOST);
    manifest.entry_points.truncate(MOST);
    manifest.members.truncate(MOST);
    Ok(manifest)
}

impl Manifest {
    fn new(tool: Tool) -> Self {
        Self {
            tool,
            name: None,
            version: None,
            description: None,
            licence: None,
            facts: Vec::new(),
            dependencies: Vec::new(),
            scripts: Vec::new(),
            entry_points: Vec::new(),
            members: Vec::new(),
        }
    }

    fn fact(&mut self, key: &str, value: Option<Note>) {
        if let Some(value) = value {
            self.facts.push(Fact { key: key.to_owned(), value });
        }
    }

    fn depend(&mut self, name: &str, requirement: Option<&str>, group: Option<&str>, line: u32) {
        let requirement = requirement.map(|text| one_line(text, 80)).filter(|text| !text.is_empty());
        let name = one_line(name, 200);
        if !name.is_empty() && self.dependencies.len() <= MOST {
            self.dependencies.push(Dependency { name, requirement, group: group.map(str::to_owned), line });
        }
    }

    fn script(&mut self, name: &str, command: Option<&str>, lines: Lines) {
        let command = command.map(|text| one_line(text, 160)).filter(|text| !text.is_empty());
        if self.scripts.len() <= MOST {
            self.scripts.push(Script { name: one_line(name, 120), command, lines });
        }
    }
}

/// The text of a value, and where it stands.
fn note(node: Option<&Node>) -> Option<Note> {
    let node = node?;
    node.line_of_text().map(|text| Note { text, line: node.lines.first })
}

/// Words at a line.
fn words(text: &str, line: u32) -> Option<Note> {
    let text = one_line(text.trim().trim_matches(['"', '\'']), 300);
    (!text.is_empty()).then_some(Note { text, line })
}

/// The lines of a text with their numbers.
fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    text.lines().enumerate().map(|(row, line)| (u32::try_from(row + 1).unwrap_or(u32::MAX), line))
}
