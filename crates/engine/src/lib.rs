//! Turns decisions into deeds.
//!
//! The rules are `luminos-core`'s; here they get clocks, files, processes and a network. `daemon` is the whole, `registry`
//! knows the runs, `run` is one of them, `budget` and `planner` serve it, `pool` starts workers and `worker` is one, and every
//! model call passes the `gateway`. ARCHITECTURE.md has the table of actors and what follows when one dies.

mod base_scan;
mod budget;
mod client;
mod daemon;
pub mod evolve;
mod fabric;
mod gateway;
mod key_handover;
mod minds;
mod model_access;
mod planner;
mod pool;
mod projection;
mod registry;
mod run;
pub mod simulate;
mod state_dir;
mod worker;

pub use base_scan::{Memory, ScanRequest, base_scan};
pub use client::{Client, NoDaemon};
pub use daemon::{CannotServe, DaemonSetup, serve, socket_path};
pub use gateway::{
    Answer, Attempt, Call, CallError, CallId, GatewayHandle, GatewaySetup, GatewayTotals, InputCount, News,
    Objection, Overseer, Recording, Stage, Verdict,
};
pub use key_handover::{forbid_dumps, hide_keys};
pub use luminos_agent::{confinement_words, dir_tools};
pub use luminos_models::{
    BadKey, CannotConnect, KeySource, ModelFacts, ModelName, Models, Note, Pass, Request, ServedModel,
    Service, StopReason, UsageDoubt,
};
pub use luminos_store::{
    Cleaning, Durability, Error as StoreError, Investigation, InvestigationId, Investigations, Known, Meta,
    State, Store, StoredPlan, Target, to_clean,
};
pub use minds::OFFLINE;
pub use model_access::{
    BadModelsFile, Presence, Server, found_key, gateway_setup, key_file, key_places, named_model, probe,
    program, read_models, refine_limits, server,
};
pub use pool::Program;
pub use projection::{Projection, project};
pub use state_dir::check_state_dir;
pub use worker::{WORKER, call_by_hand, play_role};
