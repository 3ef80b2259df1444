//! A server: its address, its headers, its key, and its failures in words.

use luminos_core::Untrusted;
use reqwest::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder};
use zeroize::Zeroizing;

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
    name: String,
    headers: HeaderMap,
    key: Option<Secret>,
}

impl Endpoint {
    /// A server at a base address. Paths are appended to it.
    pub(crate) fn new(base: &str) -> Result<Self, Error> {
        let misconfigured = |why: String| Error::new(Kind::Misconfigured, "the model server").message(why);
        let base = base.trim().trim_end_matches('/');
        let shown = Untrusted::new(redact(base).text.as_bytes()).for_terminal();
        let url: reqwest::Url =
            base.parse().map_err(|error| misconfigured(format!("`{shown}` is no address ({error})")))?;
        let is_http = matches!(url.scheme(), "http" | "https");
        let host = url.host_str().filter(|_| is_http);
        let Some(host) = host else {
            return Err(misconfigured(format!("`{shown}` is no http or https address")));
        };
        if !url.username().is_empty() || url.password().is_some() {
            // They would be sent along with the key, and shown wherever the address is.
            return Err(misconfigured(
                "its address holds a user or a password; use a key instead".to_owned(),
            ));
        }
        let name = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self { base: url, name, headers: HeaderMap::new(), key: None })
    }

    /// What errors call it: host and port.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether connections are used more than once. Not with plain servers: they are local ones, to which
    /// connecting costs nothing, and one of them (llama.cpp) promises to keep a connection and closes it
    /// after a stream, so that the next call would be lost.
    pub(super) fn keeps_connections(&self) -> bool {
        self.base.scheme() != "http"
    }

    /// With a header.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Result<Self, Error> {
        let value = HeaderValue::from_str(value).map_err(|_| self.bad_header(name))?;
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// With a header that carries the key.
    pub(crate) fn key_header(mut self, name: &'static str, prefix: &str, key: Secret) -> Result<Self, Error> {
        let written = Zeroizing::new(format!("{prefix}{}", key.expose()));
        let mut value = HeaderValue::from_str(&written).map_err(|_| self.bad_header(name))?;
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
        if self.keeps_connections() { request } else { request.header(CONNECTION, "close") }
    }

    /// What a server said, so that it can be shown.
    fn inert(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.scrub(text));
        // In one line: ends of lines would be shown as what they are, which helps nobody.
        let text = redact(&text).text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = Untrusted::new(text.as_bytes()).for_terminal();
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

/// Host and port of a server's address, as they are connected to; `None` if it is no address that can be used.
pub fn server_host(base: &str) -> Option<String> {
    Some(Endpoint::new(base).ok()?.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, expected: Result<(&str, &str), &str>) {
        let http =
            HttpClient::new(super::super::TimeOuts::default(), &super::super::Network::default()).unwrap();
        let endpoint = Endpoint::new(base).map(|endpoint| {
            let request = endpoint.request(&http, Method::GET, "/models").build().unwrap();
            (endpoint.name().to_owned(), request.url().to_string())
        });
        let expected = expected.map(|(name, url)| (name.to_owned(), url.to_owned())).map_err(str::to_owned);
        assert_eq!(endpoint.map_err(|error| error.to_string()), expected);
    }

    #[test]
    fn paths_are_appended_to_the_address() {
        check("http://gpu:8000/v1/", Ok(("gpu:8000", "http://gpu:8000/v1/models")));
        check(" https://api.example.com", Ok(("api.example.com", "https://api.example.com/models")));
        check("http://[::1]:1/a?b=c", Ok(("[::1]:1", "http://[::1]:1/a/models?b=c")));
    }

    #[test]
    fn addresses_that_cannot_work_are_refused_without_showing_what_is_secret() {
        let words = "the model server cannot be used as it is set up: ";
        check("gpu", Err(&format!("{words}`gpu` is no address (relative URL without a base)")));
        check("file:///etc", Err(&format!("{words}`file:///etc` is no http or https address")));
        let holds_password = format!("{words}its address holds a user or a password; use a key instead");
        check("https://me:CANARY@gpu", Err(&holds_password));
        let error = Endpoint::new("ftp://me:CANARY@gpu").unwrap_err();
        assert!(!error.to_string().contains("CANARY"), "{error}");
    }
}
