//! The Messages API.
//!
//! Always streamed. Sampling parameters and a forced tool choice are never sent: newer models refuse both.
//! Thinking comes as the model pleases and goes back unmodified.

mod body;
mod cache;
mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luminos_core::config::CacheTime;
use luminos_core::spend::Tokens;
use serde_json::Value;

use crate::error::{Error, Kind};
use crate::http::{Endpoint, HttpClient, body_bytes};
use crate::model::Model;
use crate::prompted::schema_in_system;
use crate::reply::{Listener, Note, Reply};
use crate::secret::Secret;
use crate::served::{ServedModel, served_models};
use luminos_core::talk::Request;

pub(crate) use stream::MessageDecoder;

/// How to reach a model, and what to ask of it.
#[derive(Debug, Clone)]
pub struct AnthropicSettings {
    /// The model's id.
    pub model: String,
    /// The address of the server, without `/v1`.
    pub base_url: String,
    /// The key.
    pub key: Secret,
    /// The version of the interface.
    pub version: String,
    /// Betas to ask for.
    pub betas: Vec<String>,
    /// How long the cache remembers a prompt.
    pub cache_time: CacheTime,
    /// How hard the model thinks; `None` leaves it to the model.
    pub effort: Option<Effort>,
    /// Whether the server can enforce the shape of an answer. `Native` is tried and found out.
    pub schemas: SchemaSupport,
}

impl AnthropicSettings {
    /// The provider's own server, with the version that is accepted everywhere.
    pub fn new(model: impl Into<String>, key: Secret) -> Self {
        Self {
            model: model.into(),
            base_url: "https://api.anthropic.com".to_owned(),
            key,
            version: "2023-06-01".to_owned(),
            betas: Vec::new(),
            cache_time: CacheTime::default(),
            effort: None,
            schemas: SchemaSupport::Native,
        }
    }
}

/// How hard a model thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// As little as possible.
    Low,
    /// Somewhat.
    Medium,
    /// A lot.
    High,
    /// More than a lot.
    ExtraHigh,
    /// As much as possible.
    Max,
}

impl Effort {
    fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::ExtraHigh => "xhigh",
            Self::Max => "max",
        }
    }
}

/// Whether a server can enforce the shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaSupport {
    /// It can.
    Native,
    /// It cannot: the shape is described in the prompt.
    InPrompt,
}

/// A model behind the Messages API.
#[derive(Debug, Clone)]
pub struct Anthropic {
    http: HttpClient,
    endpoint: Endpoint,
    settings: AnthropicSettings,
    /// Lost for good once the server says that it cannot enforce a shape.
    enforces_schemas: Arc<AtomicBool>,
}

impl Anthropic {
    /// A model that is reached over the given connections.
    pub fn new(http: HttpClient, settings: AnthropicSettings) -> Result<Self, Error> {
        let mut endpoint = Endpoint::new(&settings.base_url)?
            .header("anthropic-version", &settings.version)?
            .key_header("x-api-key", "", settings.key.clone())?;
        if !settings.betas.is_empty() {
            endpoint = endpoint.header("anthropic-beta", &settings.betas.join(","))?;
        }
        let enforces_schemas = Arc::new(AtomicBool::new(settings.schemas == SchemaSupport::Native));
        Ok(Self { http, endpoint, settings, enforces_schemas })
    }

    /// The name of its server: no path, no credentials.
    pub fn server(&self) -> &str {
        self.endpoint.name()
    }

    /// The tokens of a request's input, as the server counts them.
    pub async fn count_tokens(&self, request: &Request) -> Result<Tokens, Error> {
        let mut body = body::build(&self.settings, request);
        if let Value::Object(body) = &mut body {
            body.retain(|key, _| !matches!(key.as_str(), "max_tokens" | "stream" | "stop_sequences"));
        }
        let body = body_bytes(&body);
        let counted = self.http.document(&self.endpoint, "/v1/messages/count_tokens", Some(body)).await?;
        let tokens = counted.get("input_tokens").and_then(Value::as_u64);
        tokens.map(Tokens).ok_or_else(|| {
            Error::new(Kind::NotUnderstood, self.endpoint.name()).message("the count of tokens is missing")
        })
    }

    /// The models that the server offers.
    pub async fn models(&self) -> Result<Vec<ServedModel>, Error> {
        Ok(served_models(&self.http.document(&self.endpoint, "/v1/models", None).await?))
    }
}

impl Anthropic {
    async fn attempt(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        let described =
            if self.enforces_schemas.load(Ordering::Relaxed) { None } else { schema_in_system(request) };
        let body = body_bytes(&body::build(&self.settings, described.as_ref().unwrap_or(request)));
        let decoder = MessageDecoder::default();
        let mut reply = self.http.stream(&self.endpoint, "/v1/messages", body, decoder, listener).await?;
        if described.is_some() {
            reply.notes.push(Note::SchemaInPrompt);
        }
        Ok(reply)
    }

    /// Whether an error says that shapes cannot be enforced, which was not known yet.
    fn lacks_schemas(&self, error: &Error, request: &Request) -> bool {
        let said = error.said().unwrap_or_default();
        let is_about_shape = error.kind() == Kind::BadRequest
            && request.output.is_some()
            && ["output_config", "output_format", "json_schema"].iter().any(|words| said.contains(words));
        is_about_shape && self.enforces_schemas.swap(false, Ordering::Relaxed)
    }
}

impl Model for Anthropic {
    fn id(&self) -> &str {
        &self.settings.model
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        match self.attempt(request, listener).await {
            Err(error) if self.lacks_schemas(&error, request) => self.attempt(request, listener).await,
            result => result,
        }
    }
}
