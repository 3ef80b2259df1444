//! A gate that answers wait at until a test opens it: order without clocks.

use std::sync::Arc;

use tokio::sync::watch;

/// A gate, shut at first. Copies are the same gate.
#[derive(Debug, Clone)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    /// A gate that is shut.
    pub fn shut() -> Gate {
        Gate(Arc::new(watch::Sender::new(false)))
    }

    /// Lets everything through, now and later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn passed(&self) {
        let _ = self.0.subscribe().wait_for(|is_open| *is_open).await;
    }
}

impl PartialEq for Gate {
    fn eq(&self, other: &Gate) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Gate {}
