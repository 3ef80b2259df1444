//! Chat completions, as many servers offer them.
//!
//! Servers differ in what they can do. Where one says that it has no tools or cannot enforce a shape, the
//! call is made again with both described in the prompt, and so are all later ones; each answer says so.

mod body;
mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Kind};
use crate::http::{Endpoint, HttpClient, body_bytes};
use crate::model::Model;
use crate::prompted::{calls_before, read_calls, schema_in_system, tools_in_system};
use crate::reply::{Listener, Note, Reply};
use crate::secret::Secret;
use crate::served::{ServedModel, served_models};
use luminos_core::talk::Request;

pub(crate) use stream::ChatDecoder;

/// How to reach a model, and what its server can do.
#[derive(Debug, Clone)]
pub struct OpenAiSettings {
    /// The model's id.
    pub model: String,
    /// The address of the server, with `/v1` where it has one.
    pub base_url: String,
    /// The key. Local servers need none.
    pub key: Option<Secret>,
    /// Under which name the longest answer is sent.
    pub max_output_name: MaxOutputName,
    /// Whether the server understands tools. `true` is tried and found out.
    pub tools: bool,
    /// Whether the server can enforce the shape of an answer. `true` is tried and found out.
    pub schemas: bool,
}

impl OpenAiSettings {
    /// A server that can do everything until it says otherwise.
    pub fn new(model: impl Into<String>, base_url: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            base_url: base_url.into(),
            key: None,
            max_output_name: MaxOutputName::MaxTokens,
            tools: true,
            schemas: true,
        }
    }
}

/// The address of an Ollama server, from what its own variable `OLLAMA_HOST` holds: a host, a port or both.
pub fn ollama_base_url(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, host) = host.split_once("://").unwrap_or(("http", host));
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => {
            (host, port)
        }
        Some(_) | None if scheme == "https" => (host, "443"),
        Some(_) | None => (host, "11434"),
    };
    // The address that a server listens on is none that a client can call.
    let host = if matches!(host, "" | "0.0.0.0" | "[::]") { "127.0.0.1" } else { host };
    format!("{scheme}://{host}:{port}/v1")
}

/// Under which name the longest answer is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxOutputName {
    /// `max_tokens`, which compatible servers know.
    MaxTokens,
    /// `max_completion_tokens`, which newer models of the inventor want.
    MaxCompletionTokens,
}

/// A model behind chat completions.
#[derive(Debug, Clone)]
pub struct OpenAi {
    http: HttpClient,
    endpoint: Endpoint,
    settings: OpenAiSettings,
    abilities: Arc<Abilities>,
}

/// What the server can do, as far as it is known. Once lost, an ability stays lost.
#[derive(Debug)]
struct Abilities {
    tools: AtomicBool,
    schemas: AtomicBool,
}

impl OpenAi {
    /// A model that is reached over the given connections.
    pub fn new(http: HttpClient, settings: OpenAiSettings) -> Result<Self, Error> {
        let endpoint = Endpoint::new(&settings.base_url)?;
        let endpoint = match settings.key.clone() {
            Some(key) => endpoint.key_header("authorization", "Bearer ", key)?,
            // Some servers insist on a key and take any. It is no secret: where they say the word, it is a word.
            None => endpoint.header("authorization", "Bearer none")?,
        };
        let abilities =
            Abilities { tools: AtomicBool::new(settings.tools), schemas: AtomicBool::new(settings.schemas) };
        Ok(Self { http, endpoint, settings, abilities: Arc::new(abilities) })
    }

    /// The name of its server: no path, no credentials.
    pub fn server(&self) -> &str {
        self.endpoint.name()
    }

    /// The models that the server offers.
    pub async fn models(&self) -> Result<Vec<ServedModel>, Error> {
        Ok(served_models(&self.http.document(&self.endpoint, "/models", None).await?))
    }

    async fn attempt(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        let without_schema =
            if self.abilities.schemas.load(Ordering::Relaxed) { None } else { schema_in_system(request) };
        let with_words = without_schema.as_ref().unwrap_or(request);
        let without_tools =
            if self.abilities.tools.load(Ordering::Relaxed) { None } else { tools_in_system(with_words) };
        let body = body::build(&self.settings, without_tools.as_ref().unwrap_or(with_words));
        let decoder = ChatDecoder::new(calls_before(request));
        let body = body_bytes(&body);
        let mut reply =
            self.http.stream(&self.endpoint, "/chat/completions", body, decoder, listener).await?;
        if without_tools.is_some() {
            read_calls(&mut reply, calls_before(request));
        }
        if without_schema.is_some() {
            reply.notes.push(Note::SchemaInPrompt);
        }
        Ok(reply)
    }

    /// Learns from an error what the server cannot do; whether another try can go better.
    fn learn(&self, error: &Error, request: &Request) -> bool {
        if !matches!(error.kind(), Kind::BadRequest | Kind::ServerFailed | Kind::NotFound) {
            return false;
        }
        let said = error.said().unwrap_or_default().to_lowercase();
        let mut lost = false;
        let no_tools = ["support tool", "support function", "tool choice requires", "tools param requires"];
        if !request.tools.is_empty() && no_tools.iter().any(|words| said.contains(words)) {
            lost |= self.abilities.tools.swap(false, Ordering::Relaxed);
        }
        let no_schema = ["response_format", "json_schema", "structured output", "guided decoding"];
        if request.output.is_some() && no_schema.iter().any(|words| said.contains(words)) {
            lost |= self.abilities.schemas.swap(false, Ordering::Relaxed);
        }
        lost
    }
}

impl Model for OpenAi {
    fn id(&self) -> &str {
        &self.settings.model
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        loop {
            match self.attempt(request, listener).await {
                // Each time round an ability is lost for good, so this ends.
                Err(error) if self.learn(&error, request) => {}
                result => return result,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ollama_base_url;

    #[test]
    fn an_ollama_host_may_be_written_in_all_its_ways() {
        for (host, expected) in [
            ("", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0", "http://127.0.0.1:11434/v1"),
            ("gpu:8000", "http://gpu:8000/v1"),
            (":8000", "http://127.0.0.1:8000/v1"),
            ("http://gpu", "http://gpu:11434/v1"),
            ("https://gpu.example/", "https://gpu.example:443/v1"),
            ("[::1]:9", "http://[::1]:9/v1"),
        ] {
            assert_eq!(ollama_base_url(host), expected, "{host}");
        }
    }
}
