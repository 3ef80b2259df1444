//! Turns decisions into deeds.
//!
//! So far one deed: a base scan that remembers what it read.

mod base_scan;

pub use base_scan::{Memory, ScanRequest, base_scan};
