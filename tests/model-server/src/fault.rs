//! What can go wrong, by the layer on which it does.
//!
//! Faults are laid over an answer and combine: a turn with broken arguments can come with `\r\n`, cut into
//! single bytes, and end in a reset.

use std::time::Duration;

use crate::event::LineEnd;
use crate::refusal::Refusal;
use crate::turn::Usage;

/// Something that is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// With what the model says.
    Turn(TurnFault),
    /// With the events that carry it.
    Events(EventFault),
    /// With the bytes of the events.
    Bytes(ByteFault),
    /// With the connection or the framing.
    Wire(WireFault),
}

/// What the model gets wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnFault {
    /// The arguments of the last call end in the middle.
    TruncatedArguments,
    /// The arguments are JSON of other types than the schema asks for.
    WrongTypes,
    /// The first call is made so many times.
    ManyCalls(usize),
    /// All calls have the same id.
    SameIds,
    /// The calls name a tool that nobody offered.
    UnknownTool,
    /// What is said about the cost is not true.
    Usage(Usage),
}

/// What is wrong with the sequence of events. Places count events from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventFault {
    /// An event with broken JSON at this place.
    Malformed(usize),
    /// Events, blocks, deltas and fields that no client knows, in between.
    Unknown,
    /// The stream ends in order, but its final event is missing: `message_stop`, or the finish reason and
    /// `[DONE]`.
    WithoutEnd,
    /// An error as an event at this place, and nothing after it.
    Error(usize, Refusal),
    /// One event of so many bytes, at the second place.
    Huge(usize),
    /// So many signs of life and nothing else.
    PingsOnly(usize),
    /// Signs of life for ever, from this place on.
    EndlessPings(usize),
    /// The event at this place for ever.
    Endless(usize),
    /// All blocks have index 0.
    SameIndex,
    /// No block is closed before all have been opened.
    LateStops,
    /// The start of a call has no `input`.
    BareStarts,
    /// Comment lines before events.
    Comments,
}

/// What is wrong, or only unusual, with the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByteFault {
    /// Lines end in another way.
    LineEnds(LineEnd),
    /// A byte order mark at the beginning of the stream.
    Bom,
    /// Sent in pieces of so many bytes, head included, with a pause between them.
    SplitEvery(usize, Duration),
    /// Sent in pieces that end at these places, counted from the first byte of the head.
    SplitAt(Vec<usize>, Duration),
}

/// What goes wrong below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireFault {
    /// The connection is reset.
    Reset(Cut),
    /// The connection is closed in order, the body not complete.
    Close(Cut),
    /// Nothing more comes, for a while or for ever.
    Hang(Cut, Lasts),
    /// The body is compressed, and says so.
    Gzip,
    /// The body is compressed and grows to so many bytes when it is not.
    GzipBomb(usize),
    /// The content type is another one; the body is the same.
    ContentType(String),
    /// The head promises a body, and none comes.
    EmptyBody,
}

/// Where an answer is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Before its first byte.
    BeforeHead,
    /// After the head, before the body.
    AfterHead,
    /// After so many events; a body without events counts as one.
    AfterEvents(usize),
    /// After so many bytes, head included.
    AfterBytes(usize),
}

/// How long nothing happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    /// So long; then the answer goes on.
    For(Duration),
    /// Until the client leaves.
    Forever,
}

impl From<TurnFault> for Fault {
    fn from(fault: TurnFault) -> Fault {
        Fault::Turn(fault)
    }
}

impl From<EventFault> for Fault {
    fn from(fault: EventFault) -> Fault {
        Fault::Events(fault)
    }
}

impl From<ByteFault> for Fault {
    fn from(fault: ByteFault) -> Fault {
        Fault::Bytes(fault)
    }
}

impl From<WireFault> for Fault {
    fn from(fault: WireFault) -> Fault {
        Fault::Wire(fault)
    }
}
