//! What a command has at hand, and how it gets its configuration.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use luminos_core::config::{
    self, Author, ConfigFile, Given, Layer, ProjectPlace, Resolved, Standing, Surroundings, project_places,
};
use luminos_core::{Failure, Untrusted};
use luminos_engine::read_named;

use crate::commands::GlobalArgs;
use crate::printer::{Printer, Stop};

/// What a command has at hand.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    global: &'a GlobalArgs,
    around: &'a Surroundings,
    /// The way out for all text.
    pub(crate) printer: &'a mut Printer,
    /// What was told of the configuration: a command that reads it twice tells it once.
    told: BTreeSet<String>,
}

/// A file that configuration can come from.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) role: Role,
    /// Absolute.
    pub(crate) path: PathBuf,
    pub(crate) standing: Standing,
}

/// Whose configuration file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Named with `--config`.
    Named,
    /// The current project's.
    Project,
    /// The user's own.
    User,
}

impl<'a> Session<'a> {
    pub(crate) fn new(global: &'a GlobalArgs, around: &'a Surroundings, printer: &'a mut Printer) -> Self {
        if let Some(color) = global.color {
            printer.set_color(color);
        }
        Self { global, around, printer, told: BTreeSet::new() }
    }

    /// The configuration for a command that looks at no target.
    pub(crate) fn resolve(&mut self, flags: Layer) -> Result<Resolved, Stop> {
        self.resolve_from(&self.sources(), flags)
    }

    /// The configuration for a command that looks at this target. `flags` are those of the command; the
    /// global ones are added here.
    pub(crate) fn resolve_for(&mut self, target: &Path, flags: Layer) -> Result<Resolved, Stop> {
        self.resolve_from(&self.sources_for(target), flags)
    }

    /// What the machine says about this process.
    pub(crate) fn around(&self) -> &'a Surroundings {
        self.around
    }

    /// A path as somebody wrote it, made absolute.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        self.around.current_dir.join(path)
    }

    /// All places where configuration files can lie, strongest first.
    pub(crate) fn sources(&self) -> Vec<Source> {
        self.list_sources(project_places(self.around, None, real_path))
    }

    /// The same, for a command that looks at this target.
    pub(crate) fn sources_for(&self, target: &Path) -> Vec<Source> {
        let absolute = self.absolute(target);
        let target = real_path(&absolute).unwrap_or(absolute);
        self.list_sources(project_places(self.around, Some(&target), real_path))
    }

    fn list_sources(&self, project: Vec<ProjectPlace>) -> Vec<Source> {
        let standing = |path: &Path| if path.exists() { Standing::Read } else { Standing::Absent };
        let mut sources = Vec::new();
        if let Some(path) = &self.global.config {
            let path = self.absolute(path);
            sources.push(Source { role: Role::Named, standing: standing(&path), path });
        } else {
            let project = project.into_iter();
            sources.extend(project.map(|ProjectPlace { path, standing }| Source {
                role: Role::Project,
                path,
                standing,
            }));
        }
        if let Some(path) = self.around.user_file() {
            sources.push(Source { role: Role::User, standing: standing(&path), path });
        }
        sources
    }

    fn resolve_from(&mut self, sources: &[Source], flags: Layer) -> Result<Resolved, Stop> {
        let mut files = Vec::new();
        for source in sources {
            match (source.role, source.standing) {
                (_, Standing::Read) | (Role::Named, _) => files.push(self.read(source)?),
                (_, Standing::InsideTarget) => self.tell_once(format!(
                    "`{}` lies inside the target and is not read (hint: to use it, name it with `--config`)",
                    for_terminal(&source.path)
                )),
                (_, Standing::Absent | Standing::Shadowed) => {}
            }
        }
        let resolved = config::resolve(flags.over(self.global_flags()), &files, self.around)?;
        self.printer.set_color(resolved.config.color);
        for warning in &resolved.warnings {
            self.tell_once(warning.to_string());
        }
        if let [rest @ .., last] = resolved.not_obeyed.as_slice() {
            rest.iter().for_each(|unheard| self.tell_once(unheard.to_string()));
            let own = self.around.config_dir().map_or(String::new(), |dir| {
                format!("write it into your own `{}`, or ", for_terminal(&dir.join("config.toml")))
            });
            self.tell_once(format!("{last} (hint: {own}name this file with `--config`)"));
        }
        Ok(resolved)
    }

    fn tell_once(&mut self, warning: String) {
        if self.told.insert(warning.clone()) {
            self.printer.warn(warning);
        }
    }

    fn global_flags(&self) -> Layer {
        let home = self.global.home.as_ref().map(|home| self.absolute(home));
        Layer {
            home: Given::by_flag("--home", home),
            color: Given::by_flag("--color", self.global.color),
            ..Layer::default()
        }
    }

    fn read(&self, source: &Source) -> Result<ConfigFile, Failure> {
        let text = read_named(&source.path).map_err(|error| {
            let path = for_terminal(&source.path);
            Failure::caused_by(format!("cannot read the configuration file `{path}`"), &error)
        })?;
        // In messages, the file right here needs no path.
        let path = match source.path.strip_prefix(&self.around.current_dir) {
            Ok(name) if name.components().count() == 1 => name,
            Ok(_) | Err(_) => &source.path,
        };
        let author = match source.role {
            Role::Named | Role::User => Author::User,
            Role::Project => Author::Project,
        };
        Ok(ConfigFile { path: path.to_owned(), text, author })
    }
}

/// A path fit for a terminal.
pub(crate) fn for_terminal(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}

fn real_path(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
