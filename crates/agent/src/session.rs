//! The session of a directory's loop: the tools of `luminos-tools`, put together.

use std::sync::Arc;

use luminos_core::RelPath;
use luminos_core::job::Assignment;
use luminos_core::survey::Survey;
use luminos_tools::structure;
use luminos_tools::{Commands, Limits, Outline, Outlines, Root, Scope, Secrets, Session};

use crate::prompt::fence;

/// Opens the session that [`crate::run_dir`] needs for an assignment. `commands` is what runs programs in a sandbox;
/// they are offered only where the assignment says so.
pub(crate) fn open_session(
    assignment: &Assignment,
    root: Arc<Root>,
    commands: Option<Arc<dyn Commands>>,
    outlines: Arc<dyn Outlines>,
) -> Session {
    let skip = assignment.survey.as_ref().map(Survey::tools_to_skip).unwrap_or_default();
    let commands = commands.filter(|_| assignment.commands);
    let secrets = if assignment.show_secrets { Secrets::Shown } else { Secrets::Withheld };
    let session = tools_in(&assignment.job.dir, &assignment.nonce, root, commands, outlines);
    session.with_secrets(secrets).without_tools(skip.to_vec())
}

/// The tools of a loop over a directory.
pub(crate) fn tools_in(
    dir: &RelPath,
    nonce: &str,
    root: Arc<Root>,
    commands: Option<Arc<dyn Commands>>,
    outlines: Arc<dyn Outlines>,
) -> Session {
    let session = Session::new(Scope::Dir, fence(nonce), Limits::default())
        .in_directory(root, dir.clone())
        .with_outlines(outlines)
        .with_describer(luminos_scan::describe);
    match commands {
        Some(commands) => session.with_commands(commands),
        None => session,
    }
}

/// Outlines by `luminos_tools::structure`, in this very process.
pub(crate) struct Parser;

impl Outlines for Parser {
    fn outline(&self, path: &RelPath, bytes: &[u8]) -> Result<Outline, String> {
        let name = path.as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let outline = structure::outline(name, bytes, &structure::Limits::default());
        let outline = outline.map_err(|why| format!("It was {why}."))?;
        let symbols = match &outline {
            structure::Outline::Source(source) => source.definition_lines(),
            structure::Outline::Manifest(_)
            | structure::Outline::Workflow(_)
            | structure::Outline::Image(_)
            | structure::Outline::Services(_)
            | structure::Outline::Data(_)
            | structure::Outline::Document(_)
            | structure::Outline::Table(_)
            | structure::Outline::Database(_)
            | structure::Outline::Notebook(_)
            | structure::Outline::Environment(_)
            | structure::Outline::Archive(_)
            | structure::Outline::Picture(_)
            | structure::Outline::Pdf(_) => Vec::new(),
        };
        let lines = outline.shown_lines().into_iter().map(u64::from).map(|line| (line, line)).collect();
        Ok(Outline { text: outline.for_model(), lines, symbols })
    }
}
