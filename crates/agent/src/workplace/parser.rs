//! Parsing in a process of its own: what may have been made to hurt never meets the worker's memory.

use std::io;
use std::sync::Arc;

use luminos_core::RelPath;
use luminos_tools::sandbox::{ParserLimits, ParserProcess, ParserRole, Support, serve_parser};
use luminos_tools::structure::{self, outline};
use luminos_tools::{Outline, Outlines};
use serde::{Deserialize, Serialize};

use super::file_name;

/// What the parser is asked.
#[derive(Serialize, Deserialize)]
struct Request {
    name: Vec<u8>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

/// What it answers: an outline for a model, or why there is none.
type Reply = Result<Shown, String>;

#[derive(Serialize, Deserialize)]
struct Shown {
    text: String,
    lines: Vec<(u64, u64)>,
}

/// The life of a process that parses. Must be the first thing in `main`.
pub fn parse() -> io::Result<()> {
    serve_parser(|request| {
        let reply: Reply = match rmp_serde::from_slice::<Request>(request) {
            Ok(Request { name, bytes }) => match outline(&name, &bytes, &structure::Limits::default()) {
                Ok(outline) => {
                    let text = outline.for_model();
                    Ok(Shown { lines: shown_lines(&text), text })
                }
                Err(why) => Err(why.to_string()),
            },
            Err(error) => Err(error.to_string()),
        };
        // Text and numbers always have a form.
        rmp_serde::to_vec(&reply).unwrap_or_default()
    })
}

/// The first line of each item: that is what an outline quotes. Items begin with their lines, as in `12-40 fn main()`.
fn shown_lines(text: &str) -> Vec<(u64, u64)> {
    let first = |line: &str| {
        let digits = line.trim_start().split([' ', '-']).next()?;
        digits.parse::<u64>().ok().map(|line| (line, line))
    };
    text.lines().filter_map(first).collect()
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
        let request = Request { name: file_name(path).to_vec(), bytes: bytes.to_vec() };
        let request = rmp_serde::to_vec(&request).map_err(|error| error.to_string())?;
        let reply = self.0.call(&request).map_err(|died| format!("not parsed, because {died}"))?;
        let reply: Reply = rmp_serde::from_slice(&reply).map_err(|error| error.to_string())?;
        reply.map(|Shown { text, lines }| Outline { text, lines })
    }
}

struct Nowhere(String);

impl Outlines for Nowhere {
    fn outline(&self, _: &RelPath, _: &[u8]) -> Result<Outline, String> {
        Err(format!("not parsed, because there is no parser here: {}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::shown_lines;

    #[test]
    fn the_lines_of_an_outline_stand_in_front() {
        let text = "Rust, 40 lines\n  12-40 fn main()\n3 use std::io\n… and 7 more\n";
        assert_eq!(shown_lines(text), [(12, 12), (3, 3)]);
    }
}
