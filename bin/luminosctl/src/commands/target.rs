//! The directory that a command is about, how it is walked and who is asked: flags that several commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::Failure;
use luminos_core::config::{BareName, Config, Given, Layer, ModelsLayer, ScanLayer};
use luminos_engine::OFFLINE;

use super::model_name::find_model;
use crate::session::{Session, for_terminal};

/// How a target is walked.
#[derive(Debug, Args)]
pub(crate) struct WalkArgs {
    /// Look at hidden files, too
    #[arg(short, long)]
    all: bool,

    /// Do not honour .gitignore, .ignore and .luminosignore
    #[arg(long)]
    no_ignore: bool,

    /// Leave out files and directories of this name; can be repeated
    #[arg(short = 'x', long, value_name = "NAME")]
    exclude: Vec<BareName>,

    /// Look into directories of this name, though they are always left out; can be repeated
    #[arg(long, value_name = "NAME")]
    keep: Vec<BareName>,
}

impl WalkArgs {
    /// What was given as flags.
    pub(crate) fn layer(&self) -> Layer {
        let names = |names: &[BareName]| (!names.is_empty()).then(|| names.to_vec());
        Layer {
            scan: ScanLayer {
                hidden: Given::by_flag("--all", self.all.then_some(true)),
                ignore_files: Given::by_flag("--no-ignore", self.no_ignore.then_some(false)),
                exclude: Given::by_flag("--exclude", names(&self.exclude)),
                keep: Given::by_flag("--keep", names(&self.keep)),
                ..ScanLayer::default()
            },
            ..Layer::default()
        }
    }
}

/// Who is asked.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Ask this model, such as anthropic/claude-sonnet-5-5 or ollama/llama3.2
    ///
    /// Without this flag, the settings `models.default` and `models.<pass>` decide; without those, nobody is asked.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// Ask no model, whatever the configuration says
    #[arg(long, conflicts_with = "model")]
    offline: bool,

    #[command(flatten)]
    unconfined: UnconfinedArgs,
}

/// Whether programs used as models may do without walls.
#[derive(Debug, Args)]
pub(crate) struct UnconfinedArgs {
    /// Run a program used as a model (codex, claude, command) even where it cannot be confined
    ///
    /// Without Landlock and seccomp such a program is refused: it would act with all your rights on text that others
    /// may have written to steer it.
    #[arg(long)]
    allow_unconfined_program: bool,
}

impl UnconfinedArgs {
    /// What was given as a flag, over what other flags say.
    pub(crate) fn over(&self, flags: Layer) -> Layer {
        let given = self.allow_unconfined_program.then_some(true);
        let allow_unconfined_program = Given::by_flag("--allow-unconfined-program", given);
        Layer { models: ModelsLayer { allow_unconfined_program, ..flags.models }, ..flags }
    }
}

impl ModelArgs {
    /// What was given as flags about how models are asked, over what other flags say.
    pub(crate) fn over(&self, flags: Layer) -> Layer {
        self.unconfined.over(flags)
    }

    /// Whether somebody said on the command line who is asked.
    pub(crate) fn is_chosen(&self) -> bool {
        self.offline || self.model.is_some()
    }

    /// The model of each pass that has one.
    pub(crate) fn models(
        &self,
        config: &Config,
        session: &mut Session<'_>,
    ) -> Result<Vec<(String, String)>, Failure> {
        let passes = [
            ("survey", &config.models.survey),
            ("plan", &config.models.plan),
            ("dir", &config.models.dir),
            ("judge", &config.models.judge),
            ("synthesis", &config.models.synthesis),
        ];
        let mut models = Vec::new();
        let mut found: Vec<(String, String)> = Vec::new();
        for (pass, configured) in passes {
            let name = match (self.model.as_deref(), self.offline) {
                (_, true) => OFFLINE,
                // A judge is worth most when it is another one.
                (Some(model), false) if pass == "judge" => configured.name().unwrap_or(model),
                (Some(model), false) => model,
                (None, false) => {
                    configured.name().or_else(|| config.models.default.name()).unwrap_or(OFFLINE)
                }
            };
            if name == OFFLINE {
                continue;
            }
            // Whoever is named for several passes is looked for, and told of, once.
            let found = match found.iter().find(|(asked, _)| asked == name) {
                Some((_, found)) => found.clone(),
                None => {
                    let full = find_model(name, &config.models, session)?.to_string();
                    found.push((name.to_owned(), full.clone()));
                    full
                }
            };
            models.push((pass.to_owned(), found));
        }
        Ok(models)
    }
}

/// The directory, by its real path.
pub(crate) fn real_target(session: &Session<'_>, path: &Path) -> Result<PathBuf, Failure> {
    let absolute = session.absolute(path);
    let cannot = |error: &std::io::Error| {
        Failure::caused_by(format!("cannot investigate `{}`", for_terminal(path)), error)
    };
    let real = std::fs::canonicalize(&absolute).map_err(|error| cannot(&error))?;
    let found = std::fs::metadata(&real).map_err(|error| cannot(&error))?;
    if found.is_dir() {
        return Ok(real);
    }
    Err(Failure::usage(
        format!("`{}` is not a directory", for_terminal(path)),
        "name the directory that it lies in",
    ))
}
