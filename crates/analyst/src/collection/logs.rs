//! Logs: the files of one log together, from when to when, how loud, and when errors came in bursts.

use std::collections::BTreeMap;
use std::io::Read as _;

use luminos_core::fact::{Count, Day, Detail, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::{Look, alarms, days, kept, lacks, most, warns, words};
use crate::words::{count, number};

/// No more is unpacked of one file.
const MOST_UNPACKED: u64 = 32 << 20;
/// So many errors in an hour are a burst, where an hour usually has at most a fifth of them.
const BURST: u64 = 10;

const LEVELS: [&str; 6] = ["FATAL", "CRITICAL", "ERROR", "WARN", "INFO", "DEBUG"];

#[derive(Default)]
struct Log {
    files: u64,
    lines: u64,
    levels: [u64; 6],
    failed_requests: u64,
    days: BTreeMap<i64, u64>,
    errors: BTreeMap<String, u64>,
    first: Option<(i64, Evidence)>,
    last: Option<(i64, Evidence)>,
    worst: Option<Evidence>,
    yearless: u64,
    programs: BTreeMap<String, u64>,
    first_named: Option<(String, Evidence)>,
    last_named: Option<(String, Evidence)>,
    alarms: alarms::Alarms,
    head: Option<Evidence>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut logs: BTreeMap<String, Log> = BTreeMap::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let log = logs.entry(base(&head.name)).or_default();
        log.files += 1;
        let text = match head.bytes.strip_prefix(b"\x1f\x8b") {
            None => String::from_utf8_lossy(&head.bytes).into_owned(),
            Some(_) => {
                let mut out = Vec::new();
                // What could be unpacked before a mistake still counts.
                let _ = flate2::read::MultiGzDecoder::new(&head.bytes[..])
                    .take(MOST_UNPACKED)
                    .read_to_end(&mut out);
                String::from_utf8_lossy(&out).into_owned()
            }
        };
        for line in text.lines() {
            // In a packed file no line can be quoted; the file itself can be cited.
            log.see(line, &|| head.cite(line).unwrap_or_else(|| head.cite_head()));
        }
    }
    logs.into_iter().flat_map(|(name, log)| log.told(dir, &name)).collect()
}

/// The name of the log that a file is a part of.
fn base(name: &str) -> String {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    match name.rfind(".log") {
        Some(at) => name[..at + 4].to_owned(),
        None => name.split('.').next().unwrap_or(name).to_owned(),
    }
}

/// Levels as servers and JSON write them: `[error]`, `"level":"warn"`.
fn small_level(line: &str, head: &str) -> Option<usize> {
    let after = match line.find("\"level\"") {
        Some(at) => line[at + 7..].trim_start_matches([' ', ':', '"']),
        None => {
            head.split('[').skip(1).find(|part| part.starts_with(|first: char| first.is_ascii_lowercase()))?
        }
    };
    let word: String = after.chars().take_while(char::is_ascii_alphabetic).collect();
    let word = match word.to_ascii_lowercase().as_str() {
        "emerg" | "alert" | "panic" => "FATAL",
        "crit" => "CRITICAL",
        "err" => "ERROR",
        "warning" => "WARN",
        "notice" => "INFO",
        _ => &word,
    };
    LEVELS.iter().position(|level| word.eq_ignore_ascii_case(level))
}

/// The day in a line of JSON, by the first value that begins with one.
fn in_json(line: &str) -> Option<i64> {
    if !line.starts_with('{') {
        return None;
    }
    line.split('"').skip(1).step_by(2).take(12).find_map(days::at_start)
}

impl Log {
    fn see(&mut self, line: &str, cite: &dyn Fn() -> Evidence) {
        self.lines += 1;
        self.head.get_or_insert_with(cite);
        let head = &line[..line.floor_char_boundary(120)];
        let level = LEVELS.iter().position(|level| head.contains(level)).or_else(|| small_level(line, head));
        if let Some(level) = level {
            self.levels[level] += 1;
        }
        let is_failed = head.find("HTTP/").is_some()
            && line.split('"').nth(2).is_some_and(|rest| rest.trim_start().starts_with('5'));
        self.failed_requests += u64::from(is_failed);
        self.alarms.see(line, level.is_some_and(|level| level < 3), cite);
        let start = line.trim_start_matches('[');
        let day = days::at_start(start)
            .or_else(|| line.split_once('[').and_then(|(_, rest)| days::by_name(rest)))
            .or_else(|| in_json(line));
        let Some(day) = day else {
            self.dated_without_year(line, cite);
            return;
        };
        *self.days.entry(day).or_default() += 1;
        if self.first.as_ref().is_none_or(|(first, _)| day < *first) {
            self.first = Some((day, cite()));
        }
        if self.last.as_ref().is_none_or(|(last, _)| *last < day) {
            self.last = Some((day, cite()));
        }
        if level.is_some_and(|level| level < 3) || is_failed {
            let hour = start.get(11..13).filter(|hour| hour.bytes().all(|byte| byte.is_ascii_digit()));
            let hour = hour.or_else(|| line.split_once('[').and_then(|(_, rest)| rest.get(12..14)));
            let key =
                format!("{} {}", days::told(day), hour.map_or_else(String::new, |hour| format!("{hour}:00")));
            *self.errors.entry(key).or_default() += 1;
            if self.worst.is_none() {
                self.worst = Some(cite());
            }
        }
    }

    /// `Jun  1 09:00:01 host …`: who writes so leaves out the year.
    fn dated_without_year(&mut self, line: &str, cite: &dyn Fn() -> Evidence) {
        let Some(day) = days::without_year(line) else { return };
        self.yearless += 1;
        let program =
            line.split_whitespace().nth(4).map(|word| word.split(['[', ':']).next().unwrap_or(word));
        if let Some(program) =
            program.filter(|name| !name.is_empty() && !name.contains('`') && name.len() < 40)
        {
            *self.programs.entry(program.to_owned()).or_default() += 1;
        }
        if self.first_named.is_none() {
            self.first_named = Some((day.clone(), cite()));
        }
        self.last_named = Some((day, cite()));
    }

    /// A log without years: its first and last day as they are written, and who wrote most.
    fn told_without_year(self, path: &str, levels: Vec<Count>) -> Vec<Fact> {
        let alarms = self.alarms.told(path);
        let (mut details, evidence) = match (self.first_named, self.last_named) {
            (Some(first), Some(last)) => {
                (words([format!("{} to {}, without a year", first.0, last.0)]), vec![first.1, last.1])
            }
            // A log without any day still has its lines.
            _ => (words(["without dates".to_owned()]), self.head.into_iter().collect()),
        };
        match self.programs.first_key_value() {
            Some((only, _)) if self.programs.len() == 1 => {
                details.push(Detail::Text(format!("all from {only}")))
            }
            Some(_) => details.push(Detail::Text(format!("most from {}", most(&self.programs, 3)))),
            None => {}
        }
        if !levels.is_empty() {
            details.push(Detail::Counts(levels));
        }
        let keeps = Holding { count: self.lines, noun: "log line".to_owned(), period: None, details };
        let mut told = vec![kept(path, keeps, evidence)];
        told.extend(alarms);
        told
    }

    fn told(self, dir: &str, name: &str) -> Vec<Fact> {
        let path = if dir == "." { name.to_owned() } else { format!("{dir}/{name}") };
        let levels: Vec<Count> = LEVELS
            .iter()
            .zip(self.levels)
            .filter(|(_, lines)| 0 < *lines)
            .map(|(level, lines)| Count { number: lines, of: (*level).to_owned() })
            .collect();
        let (Some(first), Some(last)) = (self.first.clone(), self.last.clone()) else {
            return self.told_without_year(&path, levels);
        };
        let mut details = Vec::new();
        if 1 < self.files {
            details.push(Detail::Text(format!("in {}", count(self.files, "file"))));
        }
        if !levels.is_empty() {
            details.push(Detail::Counts(levels));
        }
        if 0 < self.failed_requests {
            let noun = if self.failed_requests == 1 { "request" } else { "requests" };
            let of = format!("{noun} answered with a server error");
            details.push(Detail::Counts(vec![Count { number: self.failed_requests, of }]));
        }
        details.extend(self.alarms.details().map(|count| Detail::Counts(vec![count])));
        let period = Some((Day::of_number(first.0), Day::of_number(last.0)));
        let keeps = Holding { count: self.lines, noun: "log line".to_owned(), period, details };
        let mut told = vec![kept(&path, keeps, vec![first.1.clone(), last.1])];
        told.extend(self.burst(&path));
        told.extend(self.gap(&path, &first.1));
        told.extend(self.alarms.told(&path));
        told
    }

    fn burst(&self, path: &str) -> Option<Fact> {
        let all: u64 = self.errors.values().sum();
        let (hour, most) = self.errors.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)))?;
        let others = self.errors.len() as u64 - 1;
        let usual = (all - most).checked_div(others).unwrap_or(0);
        // Where every line is an error, the first hour is no burst.
        let is_all = self.errors.len() == 1 && all == self.lines;
        if *most < BURST || *most < usual * 5 || is_all {
            return None;
        }
        let words =
            format!("errors come in a burst: {} of {} in the hour of {hour}", number(*most), number(all));
        Some(warns(path, words, self.worst.clone().into_iter().collect()))
    }

    /// Days in the middle without a line, where there is one on most days.
    fn gap(&self, path: &str, evidence: &Evidence) -> Option<Fact> {
        let days: Vec<i64> = self.days.keys().copied().collect();
        let (first, last) = (*days.first()?, *days.last()?);
        let all = last - first + 1;
        if days.len() < 5 || (days.len() as i64) * 10 < all * 6 || all == days.len() as i64 {
            return None;
        }
        let gap = days.windows(2).max_by_key(|pair| pair[1] - pair[0])?;
        let words = format!(
            "nothing was written on {}; the longest silence is {} to {}",
            count((all - days.len() as i64).unsigned_abs(), "day"),
            days::told(gap[0] + 1),
            days::told(gap[1] - 1)
        );
        Some(lacks(path, words, vec![evidence.clone()]))
    }
}
