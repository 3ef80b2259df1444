//! Frames of the wire protocol between brokers and clients.

include!(concat!(env!("OUT_DIR"), "/harrow.v1.rs"));

/// Largest frame that a broker accepts.
pub const MAX_FRAME: usize = 4 << 20;

#[cfg(test)]
mod tests {
    #[test]
    fn max_frame_fits_u32() {
        assert!(u32::try_from(super::MAX_FRAME).is_ok());
    }
}
