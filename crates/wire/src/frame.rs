//! Frames: four bytes of length, most significant first, and a value.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest frame, its length apart. A longer one is an error on either side.
pub const MOST_BYTES: usize = 16 << 20;

const LENGTH: usize = 4;

/// A frame that nobody would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a message of {0} bytes is too long: at most {MOST_BYTES} are allowed")]
pub struct TooLong(pub usize);

/// Bytes that are not the value they should be.
#[derive(Debug, thiserror::Error)]
#[error("the message makes no sense")]
pub struct Malformed(#[from] rmp_serde::decode::Error);

/// A value as a whole frame.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, TooLong> {
    let mut frame = vec![0; LENGTH];
    // Writing into memory cannot fail, and no type here has a shape that MessagePack does not know.
    if rmp_serde::encode::write_named(&mut frame, value).is_err() {
        return Err(TooLong(frame.len()));
    }
    let length = frame.len() - LENGTH;
    match u32::try_from(length) {
        Ok(prefix) if length <= MOST_BYTES => {
            frame[..LENGTH].copy_from_slice(&prefix.to_be_bytes());
            Ok(frame)
        }
        Ok(_) | Err(_) => Err(TooLong(length)),
    }
}

/// The value in a frame's body, which holds nothing else.
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Malformed> {
    let mut rest = body;
    let value = rmp_serde::from_read(&mut rest)?;
    match rest.len() {
        0 => Ok(value),
        more => Err(rmp_serde::decode::Error::Uncategorized(format!("{more} bytes after its end")).into()),
    }
}

/// Puts frames together from bytes as they come.
#[derive(Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
    /// Where the first frame that was not handed out begins.
    start: usize,
    most: usize,
}

impl Frames {
    /// Nothing has come yet. Frames longer than `most` are refused before their bytes are kept.
    pub fn new(most: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, most: most.min(MOST_BYTES) }
    }

    /// Takes more bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        if 0 < self.start {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The body of the next frame, once all of it is there.
    pub fn take(&mut self) -> Result<Option<&[u8]>, TooLong> {
        let rest = &self.bytes[self.start..];
        let Some(&[a, b, c, d]) = rest.first_chunk::<LENGTH>() else { return Ok(None) };
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if self.most < length {
            return Err(TooLong(length));
        }
        if rest.len() < LENGTH + length {
            return Ok(None);
        }
        let body = self.start + LENGTH;
        self.start = body + length;
        Ok(Some(&self.bytes[body..body + length]))
    }

    /// Whether a frame has begun and is not complete: an end now is a break.
    pub fn is_torn(&self) -> bool {
        self.start < self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_length_that_nobody_would_send_is_refused_at_once() {
        let mut frames = Frames::new(100);
        frames.feed(&u32::MAX.to_be_bytes());
        assert_eq!(frames.take().unwrap_err(), TooLong(u32::MAX as usize));
        assert!(matches!(encode(&"x".repeat(MOST_BYTES + 1)), Err(TooLong(_))));
    }

    #[test]
    fn an_empty_frame_is_no_value() {
        let mut frames = Frames::new(100);
        frames.feed(&[0; 4]);
        assert!(decode::<u8>(frames.take().unwrap().unwrap()).is_err());
        assert!(!frames.is_torn());
    }

    proptest! {
        #[test]
        fn values_come_out_as_they_went_in_however_the_bytes_are_cut(
            values in prop::collection::vec(".{0,40}", 0..20),
            cuts in prop::collection::vec(1_usize..30, 1..40),
        ) {
            let mut bytes: Vec<u8> = Vec::new();
            for value in &values {
                bytes.extend(encode(value).unwrap());
            }
            let mut frames = Frames::new(MOST_BYTES);
            let mut found = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts.iter().cycle() {
                let (now, later) = rest.split_at((*cut).min(rest.len()));
                frames.feed(now);
                rest = later;
                while let Some(body) = frames.take().unwrap() {
                    found.push(decode::<String>(body).unwrap());
                }
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(found, values);
            prop_assert!(!frames.is_torn());
        }

        #[test]
        fn garbage_is_refused_and_nothing_else(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut frames = Frames::new(1000);
            frames.feed(&bytes);
            while let Ok(Some(body)) = frames.take() {
                let _ = decode::<crate::worker::FromWorker>(body);
                let _ = decode::<crate::control::Request>(body);
            }
        }
    }
}
