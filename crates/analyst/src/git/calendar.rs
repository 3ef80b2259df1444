//! Days of the calendar, from seconds since 1970.

/// The day of a moment, in UTC, as `2024-05-17`; `None` for moments no commit can be from.
pub(super) fn day(seconds: i64) -> Option<String> {
    // Until the end of the year 9999.
    if !(1..253_402_300_800).contains(&seconds) {
        return None;
    }
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March: leap days come last.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (1, Some("1970-01-01")),
            (951_782_400, Some("2000-02-29")),
            (1_709_164_800, Some("2024-02-29")),
            (1_735_689_599, Some("2024-12-31")),
            (1_735_689_600, Some("2025-01-01")),
            (0, None),
            (-5, None),
            (i64::MAX, None),
        ] {
            assert_eq!(day(seconds).as_deref(), expected, "{seconds}");
        }
    }
}
