//! A server: its address, its headers, its key, and its failures in words.

use luminos_core::Untrusted;
use reqwest::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder};

use super::{Fault, HttpClient};
use crate::error::{Error, Kind};
use crate::redact::redact;
use crate::secret::Secret;

/// How much of what a server says about a failure is shown.
const SHOWN_FAILURE_CHARS: usize = 300;

/// A server, and how to speak to it.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    base: reqwest::Url,
    /// What errors call it: no path, no credentials.
    pub(super) name: String,
    headers: HeaderMap,
    key: Option<Secret>,
}

impl Endpoint {
    /// A server at a base address. Paths are appended to it.
    pub(crate) fn new(base: &str) -> Result<Self, Error> {
        let misconfigured = |why: String| Error::new(Kind::Misconfigured, "the model server").message(why);
        let base = base.trim().trim_end_matches('/');
        let shown = Untrusted::new(base.as_bytes()).for_terminal();
        let url: reqwest::Url =
            base.parse().map_err(|error| misconfigured(format!("`{shown}` is no address ({error})")))?;
        let is_http = matches!(url.scheme(), "http" | "https");
        let host = url.host_str().filter(|_| is_http);
        let Some(host) = host else {
            return Err(misconfigured(format!("`{shown}` is no http or https address")));
        };
        let name = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self { base: url, name, headers: HeaderMap::new(), key: None })
    }

    /// With a header.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Result<Self, Error> {
        let value = HeaderValue::from_str(value).map_err(|_| self.bad_header(name))?;
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// With a header that carries the key.
    pub(crate) fn key_header(mut self, name: &'static str, prefix: &str, key: Secret) -> Result<Self, Error> {
        let mut value =
            HeaderValue::from_str(&format!("{prefix}{}", key.expose())).map_err(|_| self.bad_header(name))?;
        value.set_sensitive(true);
        self.headers.insert(HeaderName::from_static(name), value);
        self.key = Some(key);
        Ok(self)
    }

    fn bad_header(&self, name: &str) -> Error {
        Error::new(Kind::Misconfigured, &self.name)
            .message(format!("the value of the header {name} has characters that no header can have"))
    }

    pub(super) fn request(&self, http: &HttpClient, method: Method, path: &str) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let request = http.client.request(method, url).headers(self.headers.clone());
        if self.base.scheme() == "http" {
            // Plain servers are local ones, to which connecting costs nothing, and one of them (llama.cpp)
            // promises to keep a connection and closes it after a stream: the next call would be lost.
            request.header(CONNECTION, "close")
        } else {
            request
        }
    }

    /// What a server said, so that it can be shown.
    fn inert(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.scrub(text));
        let text = Untrusted::new(redact(&text).text.as_bytes()).for_terminal();
        match text.char_indices().nth(SHOWN_FAILURE_CHARS) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// The error that a failure of this server is.
    pub(super) fn error(&self, fault: Fault) -> Error {
        Error::new(fault.kind, &self.name).message(self.inert(&fault.message))
    }
}
