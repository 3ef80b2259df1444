use std::io::{self, Write};

use bytes::Bytes;

use crate::Offset;

#[derive(Debug)]
pub enum SegmentError {
    Io(io::Error),
    Torn { at: u64 },
}

impl From<io::Error> for SegmentError {
    fn from(e: io::Error) -> Self {
        SegmentError::Io(e)
    }
}

/// One file of a topic. Messages are length-prefixed and compressed.
pub struct Segment<W> {
    base: Offset,
    next: Offset,
    out: W,
}

impl<W: Write> Segment<W> {
    pub fn create(base: Offset, out: W) -> Self {
        Segment { base, next: base, out }
    }

    pub fn append(&mut self, payload: &Bytes) -> Result<Offset, SegmentError> {
        let packed = minilz::pack(payload);
        self.out.write_all(&(packed.len() as u32).to_le_bytes())?;
        self.out.write_all(&packed)?;
        let at = self.next;
        self.next = at.next();
        Ok(at)
    }

    pub fn len(&self) -> u64 {
        self.next.0 - self.base.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn append_counts_from_the_base() {
        let mut s = Segment::create(Offset(10), Vec::new());
        assert_eq!(s.append(&Bytes::from_static(b"a")).unwrap(), Offset(10));
        assert_eq!(s.len(), 1);
    }

    #[test]
    fn an_empty_segment_has_no_messages() {
        assert_eq!(Segment::create(Offset(3), Vec::new()).len(), 0);
    }
}
