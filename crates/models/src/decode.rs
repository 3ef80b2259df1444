//! Decodes a body that was received elsewhere: for benchmarks, fuzzing and looking at recordings.

use crate::anthropic::MessageDecoder;
use crate::error::Error;
use crate::http::{Decoder, Fault};
use crate::openai::ChatDecoder;
use crate::reply::Reply;

/// Which interface a body belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Messages API.
    Messages,
    /// Chat completions.
    Chat,
}

/// Decodes the body of a streamed answer, given in pieces, as the providers do.
pub fn decode_stream<'a>(
    dialect: Dialect,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Reply, Error> {
    let decoded = match dialect {
        Dialect::Messages => decode(MessageDecoder::default(), pieces),
        Dialect::Chat => decode(ChatDecoder::new(0), pieces),
    };
    decoded.map_err(|Fault { kind, message }| Error::new(kind, "the recorded stream").message(message))
}

fn decode<'a>(mut decoder: impl Decoder, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Reply, Fault> {
    for piece in pieces {
        decoder.feed(piece, &mut |_| {})?;
    }
    decoder.finish()
}
