//! A model behind the gateway, for whoever works with models and knows nothing of gateways.

use std::sync::Arc;

use luminos_models::{Error, Kind, Listener, Model, Reply, Request};

use crate::gateway::{Call, CallError, GatewayHandle, Retries};

/// A model that is asked through a gateway, with its limits, its retries and its books.
#[derive(Debug, Clone)]
pub struct GatewayModel {
    gateway: GatewayHandle,
    name: String,
    retries: Retries,
}

impl GatewayModel {
    /// The model that a gateway knows by this name.
    pub fn new(gateway: GatewayHandle, name: impl Into<String>) -> Self {
        Self { gateway, name: name.into(), retries: Retries::ByGateway }
    }

    /// The same, for whoever makes failed calls again by rules of their own.
    #[must_use]
    pub fn retried_by_caller(self) -> Self {
        Self { retries: Retries::ByCaller, ..self }
    }
}

impl Model for GatewayModel {
    fn id(&self) -> &str {
        &self.name
    }

    async fn stream(&self, request: &Request, _: &mut Listener<'_>) -> Result<Reply, Error> {
        let call = Call { retries: self.retries, ..Call::new(self.name.clone(), request.clone()) };
        let answer = self.gateway.complete(call).await;
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
