//! A local agent program as a model.
//!
//! The prompt goes in on standard input, never on the command line, where every user of the machine could
//! read it. The program runs in an empty directory that nobody else can read and that is removed afterwards, with an
//! environment of named variables only, started by a [`Launcher`] that confines it; when time is up, when too much
//! comes, or when the call is dropped, everything that came of it is ended.
//!
//! Tools are described in the prompt: such programs have tools of their own, which are switched off, and take no
//! others. What switches them off differs between versions, so each program is asked once which options it has.

mod apart;
mod launcher;
mod live;
mod output;
mod own_home;
mod places;
mod program;
mod prompt;
mod template;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use live::Live;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::error::{Error, Kind};
use crate::model::Model;
use crate::prompted::{calls_before, read_calls, schema_in_system, tools_in_system};
use crate::reply::{Listener, Note, Reply};
use luminos_core::talk::{OutputSchema, Request};

pub use apart::Apart;
pub use launcher::Launcher;
pub use own_home::OwnHome;
pub use places::{OwnPlace, find_program};
pub use template::{Prints, Protection, Template};

/// Variables that such programs need to find themselves, their settings and the network. None holds a key of ours.
pub const PROGRAM_VARIABLES: [&str; 27] = [
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
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
];

/// How a program is run as a model.
#[derive(Debug, Clone)]
pub struct CommandSettings {
    /// How it is called.
    pub template: Template,
    /// The model it is told to use; `None` leaves it to the program.
    pub model: Option<String>,
    /// Who starts it; `None` starts it without a box.
    pub launcher: Option<Launcher>,
    /// Where the private directory that it runs in is made.
    pub scratch: PathBuf,
    /// All variables it gets.
    pub variables: BTreeMap<String, OsString>,
    /// Where its files must not come from.
    pub apart: Apart,
    /// How long one call may take.
    pub time_limit: Duration,
    /// How much it may print.
    pub max_bytes: usize,
}

/// How long a program may take to list its options.
const HELP_TIME: Duration = Duration::from_secs(60);

/// A program as a model.
#[derive(Debug, Clone)]
pub struct Command {
    settings: CommandSettings,
    id: String,
    /// The options that protect, once the program was asked which it knows.
    protection: Arc<OnceCell<Vec<String>>>,
}

/// Where one call happens: an empty directory to stand in, one for temporary files, and perhaps a schema. All of it
/// is removed however the call ends.
struct Workplace {
    dir: TempDir,
}

impl Workplace {
    fn make(scratch: &Path) -> std::io::Result<Self> {
        remove_stale(scratch);
        let only_ours = std::fs::Permissions::from_mode(0o700);
        let dir = tempfile::Builder::new().prefix(WORKPLACE).permissions(only_ours).tempdir_in(scratch)?;
        std::fs::create_dir(dir.path().join("empty"))?;
        std::fs::create_dir(dir.path().join("tmp"))?;
        Ok(Self { dir })
    }

    fn whole(&self) -> &Path {
        self.dir.path()
    }

    fn empty(&self) -> PathBuf {
        self.dir.path().join("empty")
    }

    fn temporary(&self) -> PathBuf {
        self.dir.path().join("tmp")
    }

    /// Where its own configuration is copied to.
    fn own_home(&self) -> PathBuf {
        self.dir.path().join("own")
    }

    fn schema_file(&self) -> PathBuf {
        self.dir.path().join("schema.json")
    }
}

/// How the names of such directories begin.
const WORKPLACE: &str = "luminos-program-";
/// No call takes so long.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes what calls have left whose process was killed: a copy of a configuration may hold a key.
fn remove_stale(scratch: &Path) {
    let own = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(scratch).into_iter().flatten().flatten() {
        let is_workplace = entry.file_name().as_encoded_bytes().starts_with(WORKPLACE.as_bytes());
        // Of a link this tells about the link.
        let Some(found) = entry.metadata().ok().filter(|_| is_workplace) else { continue };
        let age = found.modified().ok().and_then(|made| made.elapsed().ok()).unwrap_or_default();
        if found.is_dir() && found.uid() == own && STALE < age {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

impl Command {
    /// A program as a model. Nothing is started yet.
    pub fn new(settings: CommandSettings) -> Self {
        let program = &settings.template.program;
        let id =
            settings.model.as_ref().map_or_else(|| program.clone(), |model| format!("{program}:{model}"));
        Self { settings, id, protection: Arc::default() }
    }

    fn arguments(
        &self,
        protection: &[String],
        place: &Workplace,
        schema: Option<&OutputSchema>,
    ) -> Vec<OsString> {
        let Template { arguments, with_model, with_schema, last, .. } = &self.settings.template;
        let model = self.settings.model.as_deref();
        let with_model = if model.is_some() { with_model.as_slice() } else { &[] };
        let with_schema = if schema.is_some() { with_schema.as_slice() } else { &[] };
        let parts = [arguments, protection, with_model, with_schema, last];
        let filled = parts.into_iter().flatten().map(|argument| {
            // By themselves they may be any path, UTF-8 or not.
            if argument == "{dir}" {
                return place.empty().into_os_string();
            }
            let mut filled = argument.replace("{model}", model.unwrap_or_default());
            if let Some(output) = schema {
                if argument == "{schema-file}" {
                    return place.schema_file().into_os_string();
                }
                filled = filled.replace("{schema-file}", &place.schema_file().to_string_lossy());
                filled = filled.replace("{schema}", &output.schema.to_string());
            }
            filled.into()
        });
        filled.collect()
    }

    fn workplace(&self, schema: Option<&OutputSchema>) -> Result<Workplace, Error> {
        let make = || {
            let place = Workplace::make(&self.settings.scratch)?;
            if let Some(output) = schema {
                let mut file = std::fs::File::create_new(place.schema_file())?;
                file.write_all(output.schema.to_string().as_bytes())?;
            }
            Ok(place)
        };
        make().map_err(|source: std::io::Error| {
            self.error(Kind::Misconfigured)
                .message(format!("no directory can be made for it in {}", self.settings.scratch.display()))
                .source_error(source)
        })
    }

    /// The options that keep the program to itself. It is asked once which it knows.
    async fn protection(&self) -> Result<&[String], Error> {
        let protection = &self.settings.template.protection;
        if protection.sets.is_empty() {
            return Ok(&[]);
        }
        let ask = async {
            let place = self.workplace(None)?;
            let settings = CommandSettings {
                time_limit: HELP_TIME.min(self.settings.time_limit),
                ..self.settings.clone()
            };
            let arguments: Vec<OsString> = protection.help.iter().map(OsString::from).collect();
            let help = program::run(&settings, &place, &arguments, Vec::new(), &mut |_| {}).await?;
            let known = protection.known_set(&String::from_utf8_lossy(&help)).map(<[String]>::to_vec);
            known.ok_or_else(|| {
                self.error(Kind::ProgramUnprotected).message(format!(
                    "it knows neither {} with all that belongs to it",
                    protection.first_options()
                ))
            })
        };
        Box::pin(self.protection.get_or_try_init(|| ask)).await.map(Vec::as_slice)
    }

    fn error(&self, kind: Kind) -> Error {
        program::error(&self.settings, kind)
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

        let protection = self.protection().await?;
        // It lives until the program has ended, and is removed however this ends.
        let place = self.workplace(asked.output.as_ref())?;
        let arguments = self.arguments(protection, &place, asked.output.as_ref());
        // Of a document, and of calls that are still words, only the whole makes sense.
        let is_prose = request.output.is_none() && request.tools.is_empty();
        let mut live = Live::new(if is_prose { template.prints } else { Prints::Text }, listener);
        let prompt = prompt::text(asked).into_bytes();
        let printed =
            program::run(&self.settings, &place, &arguments, prompt, &mut |bytes| live.feed(bytes)).await?;
        let mut reply = output::read(&self.settings, &printed)?;
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
