//! Every tool that a model can be given: declared once, with its name, its description, the shape of its arguments,
//! the passes it belongs to, and what is done when it is called.
//!
//! Descriptions and the comments on arguments are read by models. They are written for them, and snapshots hold them.

use std::sync::LazyLock;

use luminos_core::proof::ToolCallId;
use luminos_core::talk::{Arguments, ToolSpec};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::session::{Reply, Session};
use crate::submission::Submission;
use crate::{
    flag, list_directory, notes, parse_structure, read_cache, read_file, run_command, search, submission,
    write_cache,
};

mod check;
mod lenient;
mod schema;
#[cfg(test)]
mod tests;

pub(crate) use check::{Takes, nearest};
pub use lenient::{Corrections, repaired};

/// A pass that gives tools to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A first look at the whole.
    Survey,
    /// Who gets how many turns.
    Plan,
    /// The plan again, with what was learned so far.
    Revise,
    /// One directory.
    Dir,
    /// Another look at what was left unsure.
    Refine,
    /// Directories into subsystems.
    Grouping,
    /// The report as a whole.
    Synthesis,
}

/// What of the toolbox is offered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offer<'a> {
    /// Whether programs can be run safely on this machine.
    pub run_command: bool,
    /// Tools that the survey found useless here. Unknown names do no harm, and nothing that submits can be left out.
    pub skip: &'a [String],
}

impl Offer<'_> {
    fn includes(&self, tool: &Declared) -> bool {
        let is_skipped = self.skip.iter().any(|name| name == tool.name);
        match tool.deed {
            Deed::Submit(_) => true,
            Deed::Run(_) => !is_skipped && (self.run_command || tool.name != run_command::RunCommand::NAME),
        }
    }
}

/// The tools of a pass, as a model gets to see them, always in the same order.
pub fn specs(scope: Scope, offer: &Offer<'_>) -> Vec<ToolSpec> {
    offered(scope, offer).map(|tool| tool.spec.clone()).collect()
}

/// A tool that answers.
pub(crate) trait Tool {
    /// What it is given. The comments on its fields are read by models.
    type Arguments: DeserializeOwned + JsonSchema;
    /// What it is called.
    const NAME: &'static str;
    /// What it does and when to use it.
    const ABOUT: &'static str;
    /// The passes that have it.
    const SCOPES: &'static [Scope];
    /// Whether its arguments are read by what they mean, because they carry what would be lost otherwise.
    const IS_LENIENT: bool = false;
    /// Does it.
    fn run(session: &mut Session, arguments: Self::Arguments, call: &ToolCallId) -> Reply;
}

/// A tool that ends a pass: there is nothing to do but to take what was submitted.
pub(crate) trait Submit {
    /// What is submitted. The comments on its fields are read by models.
    type Arguments: DeserializeOwned + JsonSchema;
    /// What it is called.
    const NAME: &'static str;
    /// What it does and when to use it.
    const ABOUT: &'static str;
    /// The passes that have it.
    const SCOPES: &'static [Scope];
    /// What the pass gets.
    fn take(arguments: Self::Arguments) -> Submission;
}

/// A tool, as it stands in the table.
struct Declared {
    name: &'static str,
    about: &'static str,
    scopes: &'static [Scope],
    schema: fn() -> schema::Schemas,
    is_lenient: bool,
    deed: Deed,
}

/// What happens when a tool is called.
#[derive(Clone, Copy)]
pub(crate) enum Deed {
    /// Something is done, and there is an answer.
    Run(fn(&mut Session, Value, &ToolCallId) -> Result<Reply, String>),
    /// The pass gets what it waits for.
    Submit(fn(Value) -> Result<Submission, String>),
}

const fn tool<T: Tool>() -> Declared {
    Declared {
        name: T::NAME,
        about: T::ABOUT,
        scopes: T::SCOPES,
        schema: schema::of::<T::Arguments>,
        is_lenient: T::IS_LENIENT,
        deed: Deed::Run(|session, value, call| {
            let arguments = serde_json::from_value(value).map_err(|error| error.to_string())?;
            Ok(T::run(session, arguments, call))
        }),
    }
}

const fn submit<T: Submit>() -> Declared {
    Declared {
        name: T::NAME,
        about: T::ABOUT,
        scopes: T::SCOPES,
        schema: schema::of::<T::Arguments>,
        is_lenient: true,
        deed: Deed::Submit(|value| {
            serde_json::from_value(value).map(T::take).map_err(|error| error.to_string())
        }),
    }
}

/// The table. Its order is the order in which models see the tools.
static TABLE: &[Declared] = &[
    tool::<list_directory::ListDirectory>(),
    tool::<read_file::ReadFile>(),
    tool::<parse_structure::ParseStructure>(),
    tool::<search::Search>(),
    tool::<run_command::RunCommand>(),
    tool::<read_cache::ListCache>(),
    tool::<read_cache::ReadCache>(),
    tool::<write_cache::WriteCache>(),
    tool::<flag::RaiseFlag>(),
    tool::<notes::Think>(),
    tool::<notes::Checkpoint>(),
    tool::<notes::RequestTurns>(),
    submit::<submission::SubmitSurvey>(),
    submit::<submission::SubmitPlan>(),
    submit::<submission::RevisePlan>(),
    submit::<submission::SubmitDirReport>(),
    submit::<submission::SubmitGrouping>(),
    submit::<submission::SubmitFinalReport>(),
];

/// A tool with all that is made of its declaration, once.
pub(crate) struct Ready {
    pub(crate) spec: ToolSpec,
    pub(crate) deed: Deed,
    pub(crate) takes: Takes,
    declared: &'static Declared,
}

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    let ready = |declared: &'static Declared| {
        let schemas = (declared.schema)();
        let spec = ToolSpec {
            name: declared.name.to_owned(),
            description: declared.about.to_owned(),
            schema: schemas.shown.clone(),
        };
        Ready { spec, deed: declared.deed, takes: Takes::new(&schemas), declared }
    };
    TABLE.iter().map(ready).collect()
});

/// The tools of a pass.
pub(crate) fn offered<'a>(scope: Scope, offer: &'a Offer<'a>) -> impl Iterator<Item = &'static Ready> + 'a {
    READY.iter().filter(move |tool| tool.declared.scopes.contains(&scope) && offer.includes(tool.declared))
}

/// Arguments that were looked over.
pub(crate) struct Checked {
    /// What the tool gets.
    pub(crate) value: Value,
    /// What was changed on the way.
    pub(crate) corrections: Corrections,
}

/// Arguments that cannot be used.
pub(crate) struct Unfit {
    /// All that is wrong with them, and what would be right.
    pub(crate) why: String,
    /// What could be read all the same, of what is not to be lost.
    pub(crate) readable: Option<Box<Checked>>,
}

/// Looks arguments over. What carries results is read by what it means; everything else must be right.
pub(crate) fn checked(tool: &Ready, arguments: &Arguments) -> Result<Checked, Unfit> {
    let unreadable = |reason: &str| {
        // The reason is half a sentence.
        let (first, rest) = reason.split_at(reason.chars().next().map_or(0, char::len_utf8));
        let why = format!("{}{rest}. {}", first.to_uppercase(), tool.takes.usage());
        Unfit { why, readable: None }
    };
    let strict = |value: Value| {
        let value = tool.takes.check(value).map_err(|why| Unfit { why, readable: None })?;
        Ok(Checked { value, corrections: Corrections::default() })
    };
    let (value, broken) = match arguments {
        Arguments::Object(object) if !tool.declared.is_lenient => {
            return strict(Value::Object(object.clone()));
        }
        Arguments::Object(object) => (Value::Object(object.clone()), None),
        Arguments::Invalid { raw, reason } => match lenient::repaired(raw) {
            Some(value) if tool.declared.is_lenient => (value, Some(reason)),
            Some(_) | None => return Err(unreadable(reason)),
        },
    };
    let (value, mut corrections) = lenient::fitted(tool.takes.schema(), value);
    if let Some(reason) = broken {
        corrections.lost.insert(0, format!("{reason}; what could be read of them was taken"));
    }
    if lenient::is_complete(tool.takes.schema(), &value) {
        return Ok(Checked { value, corrections });
    }
    let why = tool.takes.check(value.clone()).err().unwrap_or_else(|| tool.takes.usage());
    Err(Unfit { why, readable: Some(Box::new(Checked { value, corrections })) })
}
