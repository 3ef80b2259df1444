//! Days, as far as records write them: a number for each, so that gaps can be counted.

use luminos_core::fact::Day;

/// The days from 1904, where films count from, to 1970.
pub(super) const SINCE_1904: i64 = 24_107;

/// A day as it is told: `2024-05-17`.
pub(super) fn told(day: i64) -> String {
    Day::of_number(day).to_string()
}

/// Days since 1970; `None` for what is no day.
pub(super) fn number(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1700..=2200).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let y = year - i64::from(month <= 2);
    let era = y.div_euclid(400);
    let yoe = y.rem_euclid(400);
    let doy = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    Some(era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468)
}

/// A day at the beginning of a text: `2024-05-17`, `2024/05/17` or `2024:05:17`.
pub(super) fn at_start(text: &str) -> Option<i64> {
    let text = text.get(..10)?;
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let is_mark = |at: usize| matches!(text.as_bytes()[at], b'-' | b'/' | b':');
    if !(is_mark(4) && is_mark(7)) {
        return None;
    }
    number(part(0, 4)?, part(5, 7)?, part(8, 10)?)
}

/// `20240517`, and nothing behind it but a time.
pub(super) fn joined(text: &str) -> Option<i64> {
    let digits = text.get(..8).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let part = |from: usize, to: usize| digits.get(from..to)?.parse::<i64>().ok();
    number(part(0, 4)?, part(4, 6)?, part(6, 8)?)
}

/// `17.05.2024` or `7.5.2024`, at the beginning of a text.
pub(super) fn dotted(text: &str) -> Option<i64> {
    let (day, rest) = text.split_once('.')?;
    let (month, rest) = rest.split_once('.')?;
    let (day, month) = (small(day)?, small(month)?);
    number(year_of(rest)?, month, day)
}

/// The three numbers of `17/05/2024`, at the beginning of a text; which of the first two is the day is not said.
pub(super) fn slashed(text: &str) -> Option<(i64, i64, i64)> {
    let (one, rest) = text.split_once('/')?;
    let (two, rest) = rest.split_once('/')?;
    let (one, two) = (small(one)?, small(two)?);
    ((1..=31).contains(&one) && (1..=31).contains(&two)).then_some((one, two, year_of(rest)?))
}

fn small(text: &str) -> Option<i64> {
    let is_small = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_small.then(|| text.parse().ok())?
}

/// A year of four digits, and nothing that goes on with one.
fn year_of(text: &str) -> Option<i64> {
    let year = text.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()))?;
    let goes_on = text[4..].starts_with(|next: char| next.is_alphanumeric());
    (!goes_on).then(|| year.parse().ok())?
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `May 17 2024` or `May 17, 2024`.
pub(super) fn month_first(text: &str) -> Option<i64> {
    let name = text.get(..3)?;
    let month = MONTHS.iter().position(|month| *month == name)? as i64 + 1;
    let mut parts = text[3..].trim_start_matches(|rest: char| rest.is_ascii_lowercase()).split_whitespace();
    let day = small(parts.next()?.trim_end_matches(','))?;
    number(year_of(parts.next()?)?, month, day)
}

/// `17 May 2024` or `17/May/2024`, as mails and web servers write it; a weekday may stand before it.
pub(super) fn by_name(text: &str) -> Option<i64> {
    let text = text.split_once(", ").map_or(text, |(_, rest)| rest).trim();
    let mut parts = text.splitn(4, [' ', '/', ':']);
    let day = parts.next()?.parse::<i64>().ok()?;
    let month = parts.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    number(parts.next()?.parse().ok()?, month, day)
}

/// `Jun  1` of `Jun  1 09:00:01`, as it is written but for spaces.
pub(super) fn without_year(text: &str) -> Option<String> {
    let mut parts = text.split_whitespace();
    let (month, day, time) = (parts.next()?, parts.next()?, parts.next()?);
    let is_time = time.len() == 8 && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let is_day = day.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
    (MONTHS.contains(&month) && is_day && is_time).then(|| format!("{month} {day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_come_back_as_they_were() {
        for text in ["1970-01-01", "2000-02-29", "2024-12-31", "1999-03-01"] {
            assert_eq!(told(at_start(text).unwrap()), text);
        }
        assert_eq!(number(1970, 1, 1), Some(0));
        assert_eq!(by_name("Fri, 17 May 2024 10:00:00 +0200").map(told), Some("2024-05-17".to_owned()));
        assert_eq!(by_name("12/Mar/2024:10:00:01 +0000").map(told), Some("2024-03-12".to_owned()));
        assert_eq!(dotted("7.5.2024 10:00").map(told), Some("2024-05-07".to_owned()));
        assert_eq!(dotted("1.2.3"), None);
        assert_eq!(slashed("31/12/2024"), Some((31, 12, 2024)));
        assert_eq!(slashed("1/2/20245"), None);
        assert_eq!(at_start("2024-13-01"), None);
        assert_eq!(at_start("12345678901"), None);
    }
}
