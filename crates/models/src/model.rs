//! The one trait, and the closed set of its implementations.

use std::future::Future;

use crate::anthropic::Anthropic;
use crate::command::Command;
use crate::error::Error;
use crate::openai::OpenAi;
use crate::record::Record;
use crate::replay::Replay;
use crate::reply::{Listener, Reply};
use crate::scripted::Scripted;
use crate::served::ServedModel;
use luminos_core::spend::Tokens;
use luminos_core::talk::Request;

/// A model that answers requests.
///
/// Dropping the future of a call ends the call: the connection closes, the program is ended.
pub trait Model: Send + Sync {
    /// The model's id, as prices and recordings know it.
    fn id(&self) -> &str;

    /// Answers, telling the listener what comes while it comes.
    ///
    /// An error means that there is no answer: whatever the listener heard must not be acted upon.
    fn stream(
        &self,
        request: &Request,
        listener: &mut Listener<'_>,
    ) -> impl Future<Output = Result<Reply, Error>> + Send;

    /// Answers as a whole.
    fn complete(&self, request: &Request) -> impl Future<Output = Result<Reply, Error>> + Send {
        async { self.stream(request, &mut |_| {}).await }
    }
}

/// Any model there is.
#[derive(Debug)]
pub enum AnyModel {
    /// The Messages API.
    Anthropic(Anthropic),
    /// Chat completions.
    OpenAi(OpenAi),
    /// A program on this machine.
    Command(Command),
    /// A script.
    Scripted(Scripted),
    /// Recorded exchanges.
    Replay(Replay),
    /// Another model, whose exchanges are recorded.
    Record(Box<Record>),
}

impl AnyModel {
    /// The models that its server offers; none if it has no server.
    pub async fn served(&self) -> Result<Vec<ServedModel>, Error> {
        match self.recorded() {
            Self::Anthropic(model) => model.models().await,
            Self::OpenAi(model) => model.models().await,
            Self::Command(_) | Self::Scripted(_) | Self::Replay(_) | Self::Record(_) => Ok(Vec::new()),
        }
    }

    /// The tokens of a request's input as the server counts them; `None` if it cannot.
    pub async fn count_input(&self, request: &Request) -> Option<Result<Tokens, Error>> {
        match self.recorded() {
            Self::Anthropic(model) => Some(model.count_tokens(request).await),
            Self::OpenAi(_) | Self::Command(_) | Self::Scripted(_) | Self::Replay(_) | Self::Record(_) => {
                None
            }
        }
    }

    /// Who counts its calls: the name of its server, or what it is instead.
    pub fn server(&self) -> &str {
        match self.recorded() {
            Self::Anthropic(model) => model.server(),
            Self::OpenAi(model) => model.server(),
            Self::Command(_) => "a program",
            Self::Scripted(_) => "a script",
            Self::Replay(_) | Self::Record(_) => "a recording",
        }
    }

    /// The model itself, if this one only records it.
    fn recorded(&self) -> &Self {
        let mut model = self;
        while let Self::Record(record) = model {
            model = record.inner();
        }
        model
    }
}

impl Model for AnyModel {
    fn id(&self) -> &str {
        match self {
            Self::Anthropic(model) => model.id(),
            Self::OpenAi(model) => model.id(),
            Self::Command(model) => model.id(),
            Self::Scripted(model) => model.id(),
            Self::Replay(model) => model.id(),
            Self::Record(model) => model.id(),
        }
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        match self {
            Self::Anthropic(model) => model.stream(request, listener).await,
            Self::OpenAi(model) => model.stream(request, listener).await,
            Self::Command(model) => model.stream(request, listener).await,
            Self::Scripted(model) => model.stream(request, listener).await,
            Self::Replay(model) => model.stream(request, listener).await,
            Self::Record(model) => model.stream_in_a_box(request, listener).await,
        }
    }
}
