//! What a command has at hand, and how it gets its configuration.

use std::fs;
use std::path::{Path, PathBuf};

use luminos_core::config::{
    self, ConfigFile, Given, Layer, Origin, ProjectPlace, Resolved, Shown, Standing, Surroundings,
    project_places,
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
        Self { global, around, printer }
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
                (_, Standing::InsideTarget) => self.printer.warn(format_args!(
                    "`{}` lies inside the target and is not read (hint: to use it, name it with `--config`)",
                    for_terminal(&source.path)
                )),
                (_, Standing::Absent | Standing::Shadowed) => {}
            }
        }
        let resolved = config::resolve(flags.over(self.global_flags()), &files, self.around)?;
        refuse_commands_of_a_project(&resolved, sources, self.around)?;
        self.printer.set_color(resolved.config.color);
        for warning in &resolved.warnings {
            self.printer.warn(warning);
        }
        Ok(resolved)
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
        Ok(ConfigFile { path: path.to_owned(), text })
    }
}

/// A program that is run is the user's choice: a project's file comes with whatever one happens to stand in.
fn refuse_commands_of_a_project(
    resolved: &Resolved,
    sources: &[Source],
    around: &Surroundings,
) -> Result<(), Failure> {
    let is_project = |path: &Path| {
        let absolute = around.current_dir.join(path);
        sources.iter().any(|source| source.role == Role::Project && source.path == absolute)
    };
    for setting in resolved.settings() {
        let Some(why) = user_only(&setting) else { continue };
        if let Origin::File { path, line } = setting.origin
            && is_project(path)
        {
            let own = around.config_dir().map_or(String::new(), |dir| {
                format!("write it into your own `{}`, or ", for_terminal(&dir.join("config.toml")))
            });
            return Err(Failure::usage(
                format!(
                    "`{}` line {line}: `{}` is not for a project to say, since it {why}",
                    for_terminal(path),
                    setting.key
                ),
                format!("{own}name this file with `--config`"),
            ));
        }
    }
    Ok(())
}

/// Why only the user may give a setting this value; `None` if a project may, too.
fn user_only(Shown { key, value, .. }: &Shown<'_>) -> Option<&'static str> {
    let is_filled = value.as_array().is_some_and(|list| !list.is_empty());
    match *key {
        "models.command" | "models.command-schema" if is_filled => Some("names a program to run"),
        "models.program-read" if is_filled => Some("says what programs may read"),
        "models.command-box" if value.as_bool() == Some(false) => Some("lets a program run unconfined"),
        "models.allow-unconfined-program" if value.as_bool() == Some(true) => {
            Some("lets programs run unconfined")
        }
        _ => None,
    }
}

/// A path fit for a terminal.
pub(crate) fn for_terminal(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}

fn real_path(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
