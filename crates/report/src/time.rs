//! Times of files, in UTC.

use jiff::Timestamp;

/// A time to the minute: `2026-11-16 03:05`.
pub(crate) fn minute(nanoseconds: i64) -> String {
    timestamp(nanoseconds).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A time with all its digits, as RFC 3339 has it.
pub(crate) fn rfc3339(nanoseconds: i64) -> String {
    timestamp(nanoseconds).to_string()
}

fn timestamp(nanoseconds: i64) -> Timestamp {
    // Every i64 fits: it reaches from 1677 to 2262.
    Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::{minute, rfc3339};

    #[test]
    fn any_number_is_a_time() {
        assert_eq!(minute(0), "1970-01-01 00:00");
        assert_eq!(rfc3339(1_500_000_000), "1970-01-01T00:00:01.5Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59.999999999Z");
        assert_eq!(minute(i64::MIN), "1677-09-21 00:12");
        assert_eq!(minute(i64::MAX), "2262-04-11 23:47");
    }
}
