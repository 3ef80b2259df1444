//! Turns decisions into deeds.
//!
//! Two deeds so far: a base scan that remembers what it read, and the gateway through which models are asked.
//!
//! | actor | started by | when it dies |
//! |---|---|---|
//! | `gateway` | whoever asks models | its callers get an error; nothing it had open goes on |

mod base_scan;
mod gateway;
mod model_access;
mod state_dir;

pub use base_scan::{Memory, ScanRequest, base_scan};
pub use gateway::{Answer, Call, CallError, CallId, GatewayHandle, GatewaySetup, GatewayTotals, News};
pub use luminos_models::{
    BadKey, CannotConnect, KeySource, ModelFacts, ModelName, Models, Note, Pass, Request, Service,
    StopReason, UsageDoubt,
};
pub use model_access::{
    BadModelsFile, Presence, Server, found_key, key_file, key_places, named_model, open_gateway, probe,
    program, read_models, server,
};
pub use state_dir::check_state_dir;
