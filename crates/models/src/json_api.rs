//! A service that speaks plain JSON, such as a tracker of issues, over the same guarded connections as models: no redirects,
//! no proxies of the environment, keys in no error.

use std::time::Duration;

use serde_json::Value;

use crate::error::Error;
use crate::http::{Endpoint, HttpClient, Network, TimeOuts};
use crate::secret::Secret;

/// How long such a service may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A service at an address.
#[derive(Debug, Clone)]
pub struct JsonApi {
    http: HttpClient,
    endpoint: Endpoint,
}

impl JsonApi {
    /// A service at a base address, with headers, and with a key where it wants one, in the network as it is there.
    pub fn new(
        base: &str,
        headers: &[(&'static str, &str)],
        key: Option<Secret>,
        network: &Network,
    ) -> Result<Self, Error> {
        let time_outs = TimeOuts { idle: PATIENCE, total: PATIENCE, ..TimeOuts::default() };
        let mut endpoint = Endpoint::new(base)?;
        for (name, value) in headers {
            endpoint = endpoint.header(name, value)?;
        }
        if let Some(key) = key {
            endpoint = endpoint.key_header("authorization", "Bearer ", key)?;
        }
        Ok(Self { http: HttpClient::new(time_outs, network)?, endpoint })
    }

    /// Reads a document.
    pub async fn get(&self, path: &str) -> Result<Value, Error> {
        self.http.document(&self.endpoint, path, None).await
    }

    /// Sends a document, and reads the answer.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Error> {
        self.http.document(&self.endpoint, path, Some(body.to_string().into_bytes())).await
    }
}
