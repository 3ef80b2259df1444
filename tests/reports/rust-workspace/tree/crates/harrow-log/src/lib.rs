//! The segmented, append-only log that holds the messages of one topic.
//!
//! A topic is a directory of segments; the name of a segment is the offset of
//! its first message, so that finding an offset is a binary search over names.

mod segment;

pub use segment::{Segment, SegmentError};

/// Position of a message in a topic. Never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offset(pub u64);

impl Offset {
    pub fn next(self) -> Self {
        Offset(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_is_one_further() {
        assert_eq!(Offset(4).next(), Offset(5));
    }
}
