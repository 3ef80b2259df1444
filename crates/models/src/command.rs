//! A local agent program as a model.
//!
//! The prompt goes in on standard input, never on the command line, where every user of the machine could
//! read it. The program runs in a process group of its own, with an environment of named variables only; when
//! time is up, when too much comes, or when the call is dropped, the whole group is ended.
//!
//! Tools are described in the prompt: such programs have tools of their own and take no others.

mod live;
mod output;
mod program;
mod prompt;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use live::Live;
use tempfile::NamedTempFile;

use crate::error::{Error, Kind};
use crate::model::Model;
use crate::prompted::{calls_before, read_calls, schema_in_system, tools_in_system};
use crate::reply::{Listener, Note, Reply};
use luminos_core::talk::{OutputSchema, Request};

/// How a program is called.
///
/// In each argument `{model}` stands for the model's id, `{schema}` for the JSON schema of the answer and
/// `{schema-file}` for a file that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The program: a path, or a name that is looked for in the `PATH` it is given.
    pub program: String,
    /// Arguments of every call.
    pub arguments: Vec<String>,
    /// Further ones, if a model is named.
    pub with_model: Vec<String>,
    /// Further ones, if the answer must have a shape. None if the program cannot enforce one.
    pub with_schema: Vec<String>,
    /// The last ones.
    pub last: Vec<String>,
    /// What it prints.
    pub prints: Prints,
}

/// What a program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prints {
    /// The answer.
    Text,
    /// Lines of JSON, as `codex exec --json` does.
    CodexEvents,
    /// Lines of JSON, as `claude -p --output-format stream-json` does.
    ClaudeEvents,
}

impl Template {
    /// The conventions of `codex exec`, read-only.
    pub fn codex() -> Self {
        Self {
            program: "codex".to_owned(),
            arguments: words("exec --json --sandbox read-only --skip-git-repo-check"),
            with_model: words("--model {model}"),
            with_schema: words("--output-schema {schema-file}"),
            last: words("-"),
            prints: Prints::CodexEvents,
        }
    }

    /// The conventions of `claude -p`, read-only.
    pub fn claude() -> Self {
        Self {
            program: "claude".to_owned(),
            arguments: words(
                "-p --output-format stream-json --include-partial-messages --verbose --permission-mode plan \
                 --disallowedTools Bash,Edit,Write,NotebookEdit,WebFetch,WebSearch",
            ),
            with_model: words("--model {model}"),
            with_schema: words("--json-schema {schema}"),
            last: Vec::new(),
            prints: Prints::ClaudeEvents,
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Variables that such programs need to find themselves, their settings and the network. None holds a key.
pub const USUAL_VARIABLES: [&str; 20] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TZ",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "CODEX_HOME",
    "CLAUDE_CONFIG_DIR",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
];

/// How a program is run as a model.
#[derive(Debug, Clone)]
pub struct CommandSettings {
    /// How it is called.
    pub template: Template,
    /// The model it is told to use; `None` leaves it to the program.
    pub model: Option<String>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Where files for it are put while it runs. It must be able to read them.
    pub scratch: PathBuf,
    /// All variables it gets.
    pub variables: BTreeMap<String, OsString>,
    /// How long one call may take.
    pub time_limit: Duration,
    /// How much it may print.
    pub max_bytes: usize,
}

/// A program as a model.
#[derive(Debug, Clone)]
pub struct Command {
    settings: CommandSettings,
    id: String,
}

impl Command {
    /// A program as a model. Nothing is started yet.
    pub fn new(settings: CommandSettings) -> Self {
        let program = &settings.template.program;
        let id =
            settings.model.as_ref().map_or_else(|| program.clone(), |model| format!("{program}:{model}"));
        Self { settings, id }
    }

    fn arguments(&self, schema: Option<(&OutputSchema, &NamedTempFile)>) -> Vec<OsString> {
        let Template { arguments, with_model, with_schema, last, .. } = &self.settings.template;
        let model = self.settings.model.as_deref();
        let with_model = if model.is_some() { with_model.as_slice() } else { &[] };
        let with_schema = if schema.is_some() { with_schema.as_slice() } else { &[] };
        let filled = [arguments, with_model, with_schema, last].into_iter().flatten().map(|argument| {
            let mut filled = argument.replace("{model}", model.unwrap_or_default());
            if let Some((output, file)) = schema {
                if argument == "{schema-file}" {
                    // By itself it may be any path, UTF-8 or not.
                    return file.path().as_os_str().to_owned();
                }
                filled = filled.replace("{schema-file}", &file.path().to_string_lossy());
                filled = filled.replace("{schema}", &output.schema.to_string());
            }
            filled.into()
        });
        filled.collect()
    }

    fn schema_file(&self, output: &OutputSchema) -> Result<NamedTempFile, Error> {
        let write = || {
            let mut file = tempfile::Builder::new()
                .prefix("luminos-schema-")
                .suffix(".json")
                .tempfile_in(&self.settings.scratch)?;
            file.write_all(output.schema.to_string().as_bytes())?;
            file.flush()?;
            Ok(file)
        };
        write().map_err(|source: std::io::Error| {
            Error::new(Kind::Misconfigured, format!("the program `{}`", self.settings.template.program))
                .message("its schema cannot be written")
                .source_error(source)
        })
    }
}

impl Model for Command {
    fn id(&self) -> &str {
        &self.id
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        let template = &self.settings.template;
        let in_words = if template.with_schema.is_empty() { schema_in_system(request) } else { None };
        let described = in_words.as_ref().unwrap_or(request);
        let without_tools = tools_in_system(described);
        let asked = without_tools.as_ref().unwrap_or(described);

        // The file lives until the program has ended, and is removed however this ends.
        let schema_file = asked.output.as_ref().map(|output| self.schema_file(output)).transpose()?;
        let arguments = self.arguments(asked.output.as_ref().zip(schema_file.as_ref()));
        // Of a document, and of calls that are still words, only the whole makes sense.
        let is_prose = request.output.is_none() && request.tools.is_empty();
        let mut live = Live::new(if is_prose { template.prints } else { Prints::Text }, listener);
        let prompt = prompt::text(asked).into_bytes();
        let printed = program::run(&self.settings, &arguments, prompt, &mut |bytes| live.feed(bytes)).await?;
        let mut reply = output::read(template, &printed)?;
        if without_tools.is_some() {
            read_calls(&mut reply, calls_before(request));
        }
        if in_words.is_some() {
            reply.notes.push(Note::SchemaInPrompt);
        }
        live.finish(&reply);
        Ok(reply)
    }
}
