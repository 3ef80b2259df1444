//! Server-sent events: bytes in, at any split; events out.
//!
//! Line ends may be LF, CRLF or CR, also mixed; a byte order mark, comments, `id` and `retry` are skipped;
//! several `data` lines become one text with line feeds between.
//!
//! **Guarantees**: the events do not depend on how the bytes were split, the time is linear, and no more than
//! the largest event allowed is ever kept.
//!
//! Not here: what the events mean.

#[cfg(test)]
mod tests;

/// The largest event there may be.
pub const MAX_EVENT_BYTES: usize = 4 << 20;

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// Its name; empty if it has none.
    pub name: &'a [u8],
    /// What it says.
    pub data: &'a [u8],
}

/// An event is larger than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream has more than {MAX_EVENT_BYTES} bytes")]
pub struct EventTooLarge;

/// The parser. After an error it must not be used again.
#[derive(Debug, Default)]
pub struct SseParser {
    /// The beginning of a line whose end has not come yet.
    partial: Vec<u8>,
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// The last byte was a CR: an LF that follows belongs to it.
    after_cr: bool,
    /// A byte order mark can only stand before the first line.
    past_first_line: bool,
}

impl SseParser {
    /// A parser at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes and hands out the events that they complete. An error of the receiver ends it.
    pub fn push<E: From<EventTooLarge>>(
        &mut self,
        mut bytes: &[u8],
        mut receive: impl FnMut(SseEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            let (line, is_cr) = (&bytes[..end], bytes[end] == b'\r');
            bytes = &bytes[end + 1..];
            if is_cr {
                self.after_cr = bytes.is_empty();
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
            if self.partial.is_empty() {
                self.line(line, &mut receive)?;
            } else {
                self.keep_partial(line)?;
                let whole = std::mem::take(&mut self.partial);
                self.line(&whole, &mut receive)?;
                self.partial = whole;
                self.partial.clear();
            }
        }
        self.keep_partial(bytes)?;
        Ok(())
    }

    fn keep_partial(&mut self, bytes: &[u8]) -> Result<(), EventTooLarge> {
        if MAX_EVENT_BYTES < self.partial.len() + bytes.len() {
            return Err(EventTooLarge);
        }
        self.partial.extend_from_slice(bytes);
        Ok(())
    }

    fn line<E: From<EventTooLarge>>(
        &mut self,
        mut line: &[u8],
        receive: &mut impl FnMut(SseEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.past_first_line {
            self.past_first_line = true;
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(receive);
        }
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"data" => {
                if MAX_EVENT_BYTES < self.data.len() + value.len() {
                    return Err(EventTooLarge.into());
                }
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.has_data = true;
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            // Comments, whose field name is empty, and fields that are of no use here.
            _ => {}
        }
        Ok(())
    }

    fn dispatch<E>(&mut self, receive: &mut impl FnMut(SseEvent<'_>) -> Result<(), E>) -> Result<(), E> {
        let received =
            if self.has_data { receive(SseEvent { name: &self.name, data: &self.data }) } else { Ok(()) };
        self.name.clear();
        self.data.clear();
        self.has_data = false;
        received
    }
}
