//! A model whose exchanges are recorded.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use crate::error::Error;
use crate::exchange::Exchange;
use crate::model::{AnyModel, Model};
use crate::reply::{Listener, Reply};
use luminos_core::talk::Request;

/// Who is given every exchange. It must not block; where exchanges are kept is its business.
pub type Sink = Arc<dyn Fn(Exchange) + Send + Sync>;

/// Another model, each of whose exchanges is given to a sink, without secrets. A call that was dropped is none.
pub struct Record {
    inner: AnyModel,
    sink: Sink,
}

impl Record {
    /// Records another model.
    pub fn new(inner: AnyModel, sink: Sink) -> Self {
        Self { inner, sink }
    }

    /// The model that is recorded.
    pub(crate) fn inner(&self) -> &AnyModel {
        &self.inner
    }

    /// The same as `stream`, with a type that has a name and a size: a recorded model may itself be recorded.
    pub(crate) fn stream_in_a_box<'a>(
        &'a self,
        request: &'a Request,
        listener: &'a mut Listener<'_>,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, Error>> + Send + 'a>> {
        Box::pin(self.stream(request, listener))
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl Model for Record {
    fn id(&self) -> &str {
        self.inner.id()
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, Error> {
        let result = self.inner.stream(request, listener).await;
        (self.sink)(Exchange::new(self.id(), request, &result));
        result
    }
}
