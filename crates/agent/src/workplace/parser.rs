//! Parsing in a process of its own: what may have been made to hurt never meets the worker's memory.

use std::io;
use std::sync::Arc;

use luminos_core::RelPath;
use luminos_tools::sandbox::{ParserLimits, ParserProcess, ParserRole, Support, serve_parser};
use luminos_tools::{Outline, Outlines};
use serde::{Deserialize, Serialize};

use crate::session::Parser;

/// What the parser is asked.
#[derive(Serialize, Deserialize)]
struct Request {
    path: RelPath,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

/// What it answers: an outline for a model, the lines it shows and those of symbols, or why there is none.
type Reply = Result<(String, Vec<(u64, u64)>, Vec<u64>), String>;

/// The life of a process that parses. Must be the first thing in `main`.
pub fn parse() -> io::Result<()> {
    serve_parser(|request| {
        let reply: Reply = match rmp_serde::from_slice::<Request>(request) {
            Ok(Request { path, bytes }) => {
                Parser.outline(&path, &bytes).map(|Outline { text, lines, symbols }| (text, lines, symbols))
            }
            Err(error) => Err(error.to_string()),
        };
        // Text and numbers always have a form.
        rmp_serde::to_vec(&reply).unwrap_or_default()
    })
}

/// A parser that is started when it is first needed.
pub(super) fn start(support: &Support, role: ParserRole, limits: ParserLimits) -> Arc<dyn Outlines> {
    match ParserProcess::new(support, role, limits) {
        Ok(process) => Arc::new(Elsewhere(process)),
        Err(error) => Arc::new(Nowhere(error.to_string())),
    }
}

struct Elsewhere(ParserProcess);

impl Outlines for Elsewhere {
    fn outline(&self, path: &RelPath, bytes: &[u8]) -> Result<Outline, String> {
        let request = Request { path: path.clone(), bytes: bytes.to_vec() };
        let request = rmp_serde::to_vec(&request).map_err(|error| error.to_string())?;
        let reply = self.0.call(&request).map_err(|died| format!("not parsed, because {died}"))?;
        let reply: Reply = rmp_serde::from_slice(&reply).map_err(|error| error.to_string())?;
        reply.map(|(text, lines, symbols)| Outline { text, lines, symbols })
    }
}

struct Nowhere(String);

impl Outlines for Nowhere {
    fn outline(&self, _: &RelPath, _: &[u8]) -> Result<Outline, String> {
        Err(format!("not parsed, because there is no parser here: {}", self.0))
    }
}
