//! A model behind the gateway, for whoever works with models and knows nothing of gateways.

use std::sync::Arc;

use luminos_models::{Error, Kind, Listener, Model, Reply, Request};

use crate::gateway::{Call, CallError, GatewayHandle};

/// A model that is asked through a gateway, with its limits, its retries and its books.
#[derive(Debug, Clone)]
pub struct GatewayModel {
    gateway: GatewayHandle,
    name: String,
}

impl GatewayModel {
    /// The model that a gateway knows by this name.
    pub fn new(gateway: GatewayHandle, name: impl Into<String>) -> Self {
        Self { gateway, name: name.into() }
    }
}

impl Model for GatewayModel {
    fn id(&self) -> &str {
        &self.name
    }

    async fn stream(&self, request: &Request, _: &mut Listener<'_>) -> Result<Reply, Error> {
        let answer = self.gateway.complete(Call::new(self.name.clone(), request.clone())).await;
        answer.map(|answer| answer.reply).map_err(|error| match error {
            CallError::Failed(error) => {
                Arc::try_unwrap(error).unwrap_or_else(|error| Error::new(error.kind(), error.to_string()))
            }
            // A limit of the user's own is not lifted by asking again.
            error @ CallError::Refused { .. } => Error::new(Kind::SpendLimitReached, error.to_string()),
            error @ (CallError::NoModel { .. }
            | CallError::IdReused { .. }
            | CallError::Vetoed { .. }
            | CallError::Gone) => Error::new(Kind::Misconfigured, error.to_string()),
        })
    }
}
