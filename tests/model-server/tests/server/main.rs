//! The server over real connections, seen by a client that looks at raw bytes.
#![cfg(test)]

mod cache;
mod client;
mod events;
mod investigation;
mod lifecycle;
mod statuses;
mod transcripts;
mod wire;
