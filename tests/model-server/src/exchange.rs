//! An answer as a value: status, headers, and a body of events or of bytes. And how it becomes steps.

use std::time::Duration;

use crate::event::{Event, LineEnd};
use crate::event_faults::change;
use crate::fault::{ByteFault, Cut, Fault, Lasts, WireFault};
use crate::gate::Gate;
use crate::gzip;
use crate::http;
use crate::step::{Step, bytes_of, cut_after, split_at, split_every};

/// The interface that a request was made through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    Messages,
    Chat,
}

/// An answer before it becomes bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    Events(Vec<Event>),
    Whole { content_type: String, bytes: Vec<u8> },
}

/// How the end of a body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// Streams in chunks, everything else with its length.
    #[default]
    Usual,
    /// Everything with its length.
    Length,
    /// By closing the connection.
    UntilClose,
}

/// How an answer is brought to the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Delivery<'a> {
    pub(crate) api: Api,
    pub(crate) framing: Framing,
    pub(crate) faults: &'a [Fault],
    /// Before the first byte.
    pub(crate) latency: Duration,
    /// Between two events.
    pub(crate) between: Duration,
    /// Before all that.
    pub(crate) gate: Option<&'a Gate>,
}

impl Delivery<'_> {
    /// Everything that is to be done on the connection.
    pub(crate) fn steps(&self, exchange: Exchange) -> Vec<Step> {
        let mut steps = self.framed(exchange);
        for fault in self.wire_faults() {
            steps = cut(steps, fault);
        }
        for fault in self.faults {
            steps = match fault {
                Fault::Bytes(ByteFault::SplitEvery(size, pause)) => split_every(steps, *size, *pause),
                Fault::Bytes(ByteFault::SplitAt(places, pause)) => split_at(steps, places, *pause),
                Fault::Bytes(ByteFault::Bom | ByteFault::LineEnds(_))
                | Fault::Turn(_)
                | Fault::Events(_)
                | Fault::Wire(_) => steps,
            };
        }
        if !self.latency.is_zero() {
            steps.insert(0, Step::Pause(self.latency));
        }
        if let Some(gate) = self.gate {
            steps.insert(0, Step::Wait(gate.clone()));
        }
        steps
    }

    fn wire_faults(&self) -> impl Iterator<Item = &WireFault> {
        self.faults.iter().filter_map(|fault| if let Fault::Wire(fault) = fault { Some(fault) } else { None })
    }

    /// Head and body, one step for each event.
    fn framed(&self, exchange: Exchange) -> Vec<Step> {
        let Exchange { status, mut headers, body } = exchange;
        let is_chunked = matches!(body, Body::Events(_)) && self.framing == Framing::Usual;
        let (mut content_type, mut pieces, endless) = self.pieces(body);
        let mut push = |name: &str, value: String| headers.push((name.to_owned(), value));
        for fault in self.wire_faults() {
            match fault {
                WireFault::ContentType(other) => content_type.clone_from(other),
                WireFault::Gzip => pieces = vec![gzip::stored(&pieces.concat())],
                WireFault::GzipBomb(size) => pieces = vec![gzip::bomb(*size)],
                WireFault::EmptyBody => pieces.clear(),
                WireFault::Reset(_) | WireFault::Close(_) | WireFault::Hang(..) => {}
            }
            if matches!(fault, WireFault::Gzip | WireFault::GzipBomb(_)) {
                push("content-encoding", "gzip".to_owned());
            }
        }
        match self.framing {
            Framing::UntilClose => push("connection", "close".to_owned()),
            Framing::Usual if is_chunked => push("transfer-encoding", "chunked".to_owned()),
            Framing::Usual | Framing::Length => {
                push("content-length", pieces.iter().map(Vec::len).sum::<usize>().to_string());
            }
        }
        headers.insert(0, ("content-type".to_owned(), content_type));
        let frame = |bytes: Vec<u8>| if is_chunked { http::chunk(&bytes) } else { bytes };
        let mut steps = vec![Step::Begun, Step::Send(http::head(status, &headers))];
        for (at, piece) in pieces.into_iter().filter(|piece| !piece.is_empty()).enumerate() {
            if 0 < at && !self.between.is_zero() {
                steps.push(Step::Pause(self.between));
            }
            steps.push(Step::Send(frame(piece)));
        }
        match endless {
            Some(bytes) => steps.push(Step::Endless(frame(bytes))),
            None if is_chunked => steps.push(Step::Send(http::chunk(b""))),
            None if self.framing == Framing::UntilClose => steps.push(Step::Finish),
            None => {}
        }
        steps
    }

    /// The body in the pieces in which it is sent, and what follows for ever.
    fn pieces(&self, body: Body) -> (String, Vec<Vec<u8>>, Option<Vec<u8>>) {
        let mut events = match body {
            Body::Whole { content_type, bytes } => return (content_type, vec![bytes], None),
            Body::Events(events) => events,
        };
        let mut endless = None;
        let mut line_end = LineEnd::Lf;
        let mut bom = Vec::new();
        for fault in self.faults {
            match fault {
                Fault::Events(fault) => endless = change(&mut events, self.api, fault).or(endless),
                Fault::Bytes(ByteFault::LineEnds(end)) => line_end = *end,
                Fault::Bytes(ByteFault::Bom) => bom = "\u{feff}".as_bytes().to_vec(),
                Fault::Bytes(ByteFault::SplitEvery(..) | ByteFault::SplitAt(..))
                | Fault::Turn(_)
                | Fault::Wire(_) => {}
            }
        }
        let mut pieces: Vec<Vec<u8>> = events.iter().map(|event| event.to_bytes(line_end)).collect();
        if let Some(first) = pieces.first_mut() {
            first.splice(0..0, bom);
        }
        let endless = endless.map(|event| event.to_bytes(line_end));
        ("text/event-stream; charset=utf-8".to_owned(), pieces, endless)
    }
}

/// Lays a fault of the connection over the steps.
fn cut(steps: Vec<Step>, fault: &WireFault) -> Vec<Step> {
    let (place, deed) = match fault {
        WireFault::Reset(place) => (place, Step::Reset),
        WireFault::Close(place) => (place, Step::Close),
        WireFault::Hang(place, Lasts::Forever) => (place, Step::Hang),
        WireFault::Hang(place, Lasts::For(time)) => (place, Step::Pause(*time)),
        WireFault::Gzip | WireFault::GzipBomb(_) | WireFault::ContentType(_) | WireFault::EmptyBody => {
            return steps;
        }
    };
    let sends = |wanted: usize| -> usize {
        let sent = steps
            .iter()
            .filter_map(|step| if let Step::Send(bytes) = step { Some(bytes.len()) } else { None });
        sent.take(wanted).sum()
    };
    let limit = match place {
        Cut::BeforeHead => 0,
        Cut::AfterHead => sends(1),
        Cut::AfterEvents(count) => sends(1 + count),
        Cut::AfterBytes(count) => *count,
    };
    let mut result = cut_after(steps.clone(), limit);
    let goes_on = matches!(deed, Step::Pause(_));
    result.push(deed);
    if goes_on {
        let done = bytes_of(&result).len();
        result.extend(skip(steps, done));
    }
    result
}

/// The steps from this many bytes on.
fn skip(steps: Vec<Step>, count: usize) -> Vec<Step> {
    let mut left = count;
    let mut result = Vec::new();
    for step in steps {
        match step {
            Step::Send(mut bytes) => {
                let gone = left.min(bytes.len());
                left -= gone;
                bytes.drain(..gone);
                if !bytes.is_empty() {
                    result.push(Step::Send(bytes));
                }
            }
            step @ (Step::Pause(_)
            | Step::Wait(_)
            | Step::Finish
            | Step::Hang
            | Step::Endless(_)
            | Step::Close
            | Step::Reset
            | Step::Begun) => {
                if left == 0 {
                    result.push(step);
                }
            }
        }
    }
    result
}
