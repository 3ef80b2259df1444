//! Times, in UTC, and how long something took.

use jiff::Timestamp;
use luminos_core::Untrusted;
use luminos_core::entry::Stamp;

/// A time to the minute: `2026-11-16 03:05`.
pub(crate) fn minute(nanoseconds: i64) -> String {
    timestamp(nanoseconds).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A time with all its digits, as RFC 3339 has it.
pub(crate) fn rfc3339(nanoseconds: i64) -> String {
    timestamp(nanoseconds).to_string()
}

/// A time of day that somebody wrote down in RFC 3339, to the minute; anything else as it is, made inert.
pub(crate) fn stamp(stamp: &Stamp) -> String {
    match stamp.0.parse::<Timestamp>() {
        Ok(timestamp) => format!("{} UTC", timestamp.strftime("%Y-%m-%d %H:%M")),
        Err(_) => Untrusted::new(stamp.0.as_bytes()).for_terminal(),
    }
}

/// A length of time in its two largest units: `42 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`.
pub(crate) fn duration(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    let two = |large: u64, unit: &str, small: u64, sub: &str| match small {
        0 => format!("{large} {unit}"),
        small => format!("{large} {unit} {small} {sub}"),
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => two(minutes, "min", seconds % 60, "s"),
        3_600..86_400 => two(hours, "h", minutes % 60, "min"),
        _ => two(days, "d", hours % 24, "h"),
    }
}

fn timestamp(nanoseconds: i64) -> Timestamp {
    // Every i64 fits: it reaches from 1677 to 2262.
    Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::{Stamp, duration, minute, rfc3339, stamp};

    #[test]
    fn any_number_is_a_time() {
        assert_eq!(minute(0), "1970-01-01 00:00");
        assert_eq!(rfc3339(1_500_000_000), "1970-01-01T00:00:01.5Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59.999999999Z");
        assert_eq!(minute(i64::MIN), "1677-09-21 00:12");
        assert_eq!(minute(i64::MAX), "2262-04-11 23:47");
    }

    #[test]
    fn times_that_others_wrote_are_read_or_made_inert() {
        assert_eq!(stamp(&Stamp("2026-11-16T07:05:09.5Z".to_owned())), "2026-11-16 07:05 UTC");
        assert_eq!(stamp(&Stamp("2026-11-16T08:05:09+01:00".to_owned())), "2026-11-16 07:05 UTC");
        assert_eq!(stamp(&Stamp("yester\x1b[1mday".to_owned())), "yester\\u{1b}[1mday");
    }

    #[test]
    fn a_length_of_time_has_two_units_at_most() {
        let shown = [0, 59, 60, 192, 3_600, 7_500, 86_400, 273_600].map(duration);
        let expected = ["0 s", "59 s", "1 min", "3 min 12 s", "1 h", "2 h 5 min", "1 d", "3 d 4 h"];
        assert_eq!(shown, expected);
    }
}
