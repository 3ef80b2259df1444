//! What crosses a process: client ⇄ daemon, daemon ⇄ worker.
//!
//! One frame is a length and one value as MessagePack with named fields, so that either side may know fields that the
//! other does not. Each direction is one enum; a question and its answer are neighbours. The first frame of each side
//! is a greeting with a version; whoever does not know it says so and hangs up.
//!
//! Nothing here decides anything, and nothing reads or writes: bytes come in and go out as values.

pub mod control;
mod frame;
pub mod worker;

pub use frame::{Frames, MOST_BYTES, Malformed, TooLong, decode, encode};

/// The version of everything here. Raised with every change that the other side would misunderstand.
pub const VERSION: u32 = 4;
