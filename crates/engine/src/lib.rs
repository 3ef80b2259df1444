//! Turns decisions into deeds.
//!
//! The rules are `luminos-core`'s; here they get clocks, files, processes and a network. `daemon` is the whole, `registry`
//! knows the runs, `run` is one of them, `budget` and `planner` serve it, `pool` starts workers and `worker` is one, and every
//! model call passes the `gateway`. ARCHITECTURE.md has the table of actors and what follows when one dies.

mod base_scan;
mod boxed_program;
mod budget;
mod bundle;
mod client;
mod daemon;
pub mod evolve;
mod experience;
mod fabric;
mod gateway;
mod gateway_model;
mod key_handover;
mod minds;
mod model_access;
mod planner;
mod pool;
mod projection;
mod received;
mod recordings;
mod registry;
mod run;
pub mod simulate;
mod spend_journal;
mod state_dir;
mod watch;
mod worker;

pub use base_scan::{Memory, ScanRequest, base_scan};
pub use boxed_program::program_confinement;
pub use bundle::{Bundle, BundleOptions, bundle, bundled_report};
pub use client::{Client, NoDaemon};
pub use daemon::{CannotServe, DaemonSetup, serve, socket_path};
pub use experience::experience_of;
pub use gateway::{
    Answer, Attempt, Call, CallError, CallId, GatewayHandle, GatewaySetup, GatewayTotals, InputCount, Lanes,
    News, Objection, Overseer, Recording, Retries, Stage, Verdict,
};
pub use gateway_model::GatewayModel;
pub use key_handover::{forbid_dumps, hide_keys};
pub use luminos_agent::{Secrets, confinement_words, dir_tools};
pub use luminos_models::{
    BadKey, CannotConnect, Error as ModelError, KeySource, ModelFacts, ModelName, Models, Network, Note,
    Pass, Request, ServedModel, Service, StopReason, UsageDoubt, find_key, first_difference, model_variables,
    redact,
};
pub use luminos_planner::tasks;
pub use luminos_store::{
    Checkup, Cleaning, Counters, Depth, Durability, Error as StoreError, Finding, Holder, Investigation,
    InvestigationId, Investigations, Known, Meta, NamedLock, Promise, Remedy, Serving, State, Store,
    StoredPlan, Target, ignore_file_size_signal, open_named, read_named, to_clean,
};
pub use luminos_tools::library::TreeOnDisk;
pub use minds::OFFLINE;
pub use model_access::{
    BadModelsFile, Presence, Server, found_key, gateway_setup, key_file, key_places, named_model, probe,
    program, read_models, refine_limits, server,
};
pub use planner::{NoTurn, PlannerTurn};
pub use pool::Program;
pub use projection::{Projection, least_window, project};
pub use recordings::{RecordedTurn, recorded_turns};
pub use spend_journal::used;
pub use state_dir::check_state_dir;
pub use worker::{WORKER, call_by_hand, play_role};
