//! One call over HTTP: send, wait no longer than allowed, feed a decoder, turn failures into errors.
//!
//! Redirects are not followed, since a key would go along; answers are never decompressed; proxies and certificates
//! are those of the user's variables, which come in as a value (`network`).
//!
//! Not here: what bodies mean (`anthropic`, `openai`), retries (`error::backoff` says when, the gateway acts).

mod endpoint;
mod failure;
mod headers;
mod network;
mod patience;

use std::fmt;
use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response};

use crate::error::{Error, Kind};
use crate::reply::{Event, Listener, Reply};

pub(crate) use endpoint::Endpoint;
pub use endpoint::server_host;
#[cfg(test)]
pub(crate) use failure::fault_of;
pub(crate) use failure::{Fault, fault_in};
pub(crate) use network::NETWORK_VARIABLES;
pub use network::Network;

use patience::Patience;

/// The largest answer there may be.
pub const MAX_BODY_BYTES: usize = 32 << 20;
/// How much of what a server says about a failure is read.
const MAX_FAILURE_BYTES: usize = 64 << 10;
/// How long the end of a connection's answer may take after the answer itself is complete.
const TAIL: Duration = Duration::from_millis(100);

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeOuts {
    /// For a connection.
    pub connect: Duration,
    /// For the next bytes of an answer, the first ones included.
    pub idle: Duration,
    /// For the whole answer.
    pub total: Duration,
}

impl Default for TimeOuts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(180),
            total: Duration::from_secs(900),
        }
    }
}

/// Connections to servers. Clones share them.
#[derive(Clone)]
pub struct HttpClient {
    client: reqwest::Client,
    time_outs: TimeOuts,
}

impl fmt::Debug for HttpClient {
    /// Without what it is made of: a proxy's address may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").field("time_outs", &self.time_outs).finish_non_exhaustive()
    }
}

impl HttpClient {
    /// A client for the network as it is there.
    pub fn new(time_outs: TimeOuts, network: &Network) -> Result<Self, Error> {
        let misconfigured = |source: reqwest::Error| {
            Error::new(Kind::Misconfigured, "the HTTP client").source_error(source.without_url())
        };
        // Somebody else in this process may have chosen a provider already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = reqwest::Client::builder()
            .connect_timeout(time_outs.connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("luminos/", env!("CARGO_PKG_VERSION")))
            .tcp_nodelay(true);
        let builder = network.set_up(builder)?;
        Ok(Self { client: builder.build().map_err(misconfigured)?, time_outs })
    }
}

/// The body of a request as it is sent.
pub(crate) fn body_bytes(body: &serde_json::Value) -> Vec<u8> {
    // All keys are texts, so that there is nothing that JSON cannot say.
    serde_json::to_vec(body).unwrap_or_default()
}

/// Turns the body of an answer into a reply, piece by piece.
pub(crate) trait Decoder {
    /// Takes more of a stream.
    fn feed(&mut self, bytes: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault>;
    /// Takes a body that is no stream but the whole answer.
    fn whole(&mut self, body: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault>;
    /// Whether the last event was seen.
    fn is_complete(&self) -> bool;
    /// The answer, if it is complete.
    fn finish(self) -> Result<Reply, Fault>;
}

impl HttpClient {
    /// Posts a body and decodes the answer.
    pub(crate) async fn stream<D: Decoder + Send>(
        &self,
        endpoint: &Endpoint,
        path: &str,
        body: Vec<u8>,
        decoder: D,
        listener: &mut Listener<'_>,
    ) -> Result<Reply, Error> {
        let request = endpoint.request(self, Method::POST, path).header("content-type", "application/json");
        let exchange = self.exchange(endpoint, request.body(body), decoder, listener);
        match tokio::time::timeout(self.time_outs.total, exchange).await {
            Ok(result) => result,
            Err(_) => Err(self.timed_out(endpoint, Kind::TotalTimeout, self.time_outs.total)),
        }
    }

    /// Asks for a small JSON document, posting a body where one is given.
    pub(crate) async fn document(
        &self,
        endpoint: &Endpoint,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<serde_json::Value, Error> {
        let request = match body {
            Some(body) => endpoint
                .request(self, Method::POST, path)
                .header("content-type", "application/json")
                .body(body),
            None => endpoint.request(self, Method::GET, path),
        };
        let read = async {
            let mut response = self.head(endpoint, request).await?;
            self.check_status(endpoint, &mut response).await?;
            self.read_all(endpoint, &mut response).await
        };
        let body = tokio::time::timeout(self.time_outs.total, read)
            .await
            .map_err(|_| self.timed_out(endpoint, Kind::TotalTimeout, self.time_outs.total))??;
        serde_json::from_slice(&body)
            .map_err(|error| endpoint.error(Fault::new(Kind::NotUnderstood, error.to_string())))
    }

    async fn exchange<D: Decoder + Send>(
        &self,
        endpoint: &Endpoint,
        request: RequestBuilder,
        mut decoder: D,
        listener: &mut Listener<'_>,
    ) -> Result<Reply, Error> {
        let mut response = self.head(endpoint, request).await?;
        self.check_status(endpoint, &mut response).await?;
        if headers::is_encoded(response.headers()) {
            let message = "it is compressed, which was not asked for";
            return Err(endpoint.error(Fault::new(Kind::NotUnderstood, message)).midway());
        }
        listener(Event::Started);
        let signals = headers::signals(response.headers());
        let request_id = headers::request_id(response.headers());
        let decoded = self.decode(endpoint, &mut response, &mut decoder, listener).await;
        let reply = decoded.and_then(|()| decoder.finish().map_err(|fault| endpoint.error(fault)));
        match reply {
            Ok(reply) => Ok(Reply { signals, request_id: request_id.or(reply.request_id), ..reply }),
            Err(error) => Err(error.signals(signals).request_id(request_id).midway()),
        }
    }

    async fn decode(
        &self,
        endpoint: &Endpoint,
        response: &mut Response,
        decoder: &mut (impl Decoder + Send),
        listener: &mut Listener<'_>,
    ) -> Result<(), Error> {
        if headers::is_json(response.headers()) {
            let body = self.read_all(endpoint, response).await?;
            return decoder.whole(&body, listener).map_err(|fault| endpoint.error(fault));
        }
        let mut received = 0;
        let mut patience = Patience::new(self.time_outs.idle);
        while let Some(bytes) = self.next(endpoint, response, &mut patience).await? {
            received += bytes.len();
            if MAX_BODY_BYTES < received {
                return Err(too_large(endpoint));
            }
            decoder.feed(&bytes, listener).map_err(|fault| endpoint.error(fault))?;
            if decoder.is_complete() {
                if endpoint.keeps_connections() {
                    // A connection can be used again only if the end of its answer was read. Nothing that
                    // comes here can change the answer, and a server that dawdles loses its connection.
                    let _ = tokio::time::timeout(TAIL, response.chunk()).await;
                }
                break;
            }
        }
        Ok(())
    }

    async fn head(&self, endpoint: &Endpoint, request: RequestBuilder) -> Result<Response, Error> {
        // Sending includes connecting, which has its own limit; when it was done, nobody tells.
        let limit = self.time_outs.connect.saturating_add(self.time_outs.idle);
        match tokio::time::timeout(limit, request.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(source)) => {
                let kind = match (source.is_connect(), source.is_timeout()) {
                    (true, true) => Kind::ConnectTimeout,
                    (true, false) => Kind::Unreachable,
                    (false, true) => Kind::IdleTimeout,
                    (false, false) => Kind::BrokenOff,
                };
                Err(Error::new(kind, endpoint.name()).source_error(source.without_url()))
            }
            Err(_) => Err(self.timed_out(endpoint, Kind::IdleTimeout, limit)),
        }
    }

    async fn next(
        &self,
        endpoint: &Endpoint,
        response: &mut Response,
        patience: &mut Patience,
    ) -> Result<Option<bytes::Bytes>, Error> {
        match patience.wait_for(response.chunk()).await {
            Some(Ok(bytes)) => Ok(bytes),
            Some(Err(source)) => {
                Err(Error::new(Kind::BrokenOff, endpoint.name()).source_error(source.without_url()))
            }
            None => Err(self.timed_out(endpoint, Kind::IdleTimeout, self.time_outs.idle)),
        }
    }

    async fn read_all(&self, endpoint: &Endpoint, response: &mut Response) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        let mut patience = Patience::new(self.time_outs.idle);
        while let Some(bytes) = self.next(endpoint, response, &mut patience).await? {
            if MAX_BODY_BYTES < body.len() + bytes.len() {
                return Err(too_large(endpoint));
            }
            body.extend_from_slice(&bytes);
        }
        Ok(body)
    }

    /// Turns an answer that is a failure into an error.
    async fn check_status(&self, endpoint: &Endpoint, response: &mut Response) -> Result<(), Error> {
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let mut body = Vec::new();
        let mut patience = Patience::new(self.time_outs.idle);
        // A body that does not come whole is no worse than none: the status says enough.
        while let Ok(Some(bytes)) = self.next(endpoint, response, &mut patience).await {
            body.extend_from_slice(&bytes);
            if MAX_FAILURE_BYTES < body.len() {
                break;
            }
        }
        let fault = failure::fault_of(status.as_u16(), &body);
        let request_id = headers::request_id(response.headers()).or_else(|| failure::request_id(&body));
        Err(endpoint
            .error(fault)
            .request_id(request_id)
            .provider_advice(
                headers::retry_after(response.headers()),
                headers::should_retry(response.headers()),
            )
            .signals(headers::signals(response.headers())))
    }

    fn timed_out(&self, endpoint: &Endpoint, kind: Kind, limit: Duration) -> Error {
        Error::new(kind, endpoint.name()).message(format!("the limit is {limit:?}"))
    }
}

fn too_large(endpoint: &Endpoint) -> Error {
    Error::new(Kind::AnswerTooLarge, endpoint.name()).message(format!("more than {MAX_BODY_BYTES} bytes"))
}
