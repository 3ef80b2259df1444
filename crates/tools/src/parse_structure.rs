//! The tool that shows the outline of a file. What parses, and where, is somebody else's work.

use std::io::Read as _;

use luminos_core::RelPath;
use luminos_core::proof::{Served, ToolCallId};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::blobs::blank_secrets;
use crate::session::{Done, Reply, Session};
use crate::toolbox::{Scope, Tool};

/// What makes outlines for a session.
pub trait Outlines: Send + Sync {
    /// The outline of a file, by its name and its bytes. An error says, to a model, why there is none.
    fn outline(&self, path: &RelPath, bytes: &[u8]) -> Result<Outline, String>;
}

impl<F: Fn(&RelPath, &[u8]) -> Result<Outline, String> + Send + Sync> Outlines for F {
    fn outline(&self, path: &RelPath, bytes: &[u8]) -> Result<Outline, String> {
        self(path, bytes)
    }
}

/// The outline of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The outline, as text for a model. It may hold words of the file.
    pub text: String,
    /// The lines of the file that it shows, each range from its first to its last, counted from 1.
    pub lines: Vec<(u64, u64)>,
    /// The first line of each type and function of a program.
    pub symbols: Vec<u64>,
}

/// The tool.
pub(crate) struct ParseStructure;

/// What to parse.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct What {
    /// The file, relative to the target.
    #[schemars(length(min = 1))]
    path: String,
    /// Skip so many bytes of the outline, to read on where an earlier result was cut.
    #[serde(default)]
    offset: Option<usize>,
}

impl Tool for ParseStructure {
    type Arguments = What;
    const NAME: &'static str = "parse_structure";
    const ABOUT: &'static str = "Show the outline of a file instead of its text: imports, types and functions with \
        signatures, line numbers and the first line of their documentation for source code; keys, headings, columns, \
        tables or entries for manifests, documents, data files, databases and archives. Far shorter than the file: \
        use it first on anything longer than a screen, then read_file for the lines that matter.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn run(session: &mut Session, arguments: What, call: &ToolCallId) -> Reply {
        let outlines = session.outlines.clone().ok_or("There is no parser here. Use read_file.")?;
        let path = session.path(&arguments.path)?;
        let mut opened = session.root()?.file(&path).map_err(|refused| refused.to_string())?;
        session.may_show(&opened)?;
        let most = session.limits.parse_bytes;
        if most < opened.stamp.size {
            let size = opened.stamp.size;
            return Err(format!(
                "This file has {size} bytes; files of more than {most} are not parsed. Use read_file or search."
            ));
        }
        let mut bytes = Vec::new();
        let read = opened.file.by_ref().take(most).read_to_end(&mut bytes);
        read.map_err(|error| format!("It could not be read: {error}."))?;
        let facts = session.facts(&opened)?;
        // The parser sees no secrets, so none can be in what it says.
        let mut open_bytes = bytes.clone();
        let secrets = session.secrets(&opened, facts.encoding, 0..opened.stamp.size)?;
        blank_secrets(&mut open_bytes, facts.encoding, &secrets);
        let outline = outlines.outline(&opened.name, &open_bytes)?;
        let offset = outline.text.floor_char_boundary(arguments.offset.unwrap_or(0));
        let rest = outline.text.as_bytes().get(offset..).unwrap_or_default();
        let label = format!("outline of {}", opened.name.for_terminal());
        let (shown, mut text) = session.fitted(rest, &label, session.limits.result_bytes.saturating_sub(512));
        if shown < rest.len() {
            let next = offset + shown;
            text.push_str(&format!("\nCut here. To read on, call again with \"offset\": {next}."));
        }
        let served = outline.lines.iter().filter_map(|&(first, last)| {
            let (start, end) = facts.bytes_of_lines(&bytes, first, last)?;
            Some(Served {
                path: opened.name.clone(),
                blob: facts.blob,
                start,
                end,
                first_line: first,
                last_line: last,
                call: call.clone(),
            })
        });
        Ok(Done { served: served.collect(), ..Done::text(text) })
    }
}
