//! What in a log should worry somebody: the error that comes again and again, logins that failed, doors that were tried.

use std::collections::BTreeMap;

use luminos_core::fact::{Count, Fact};
use luminos_core::proof::Evidence;

use super::{lacks, most, titles, warns};
use crate::words::{clipped, number};

/// So many different messages are kept apart.
const MESSAGES: usize = 2_000;
/// A message is told by so many of its characters.
const SHOWN: usize = 70;
/// Fewer failed logins, or doors tried, are everyday.
const FEWEST: u64 = 10;

/// Something that happened, how often, from where, and the first line that says so.
#[derive(Default)]
struct Alarm {
    times: u64,
    from: BTreeMap<String, u64>,
    at: Option<Evidence>,
}

impl Alarm {
    fn see(&mut self, source: Option<&str>, cite: &dyn Fn() -> Evidence) {
        self.times += 1;
        self.at.get_or_insert_with(cite);
        if let Some(source) = source.filter(|_| self.from.len() < MESSAGES) {
            *self.from.entry(source.to_owned()).or_default() += 1;
        }
    }
}

#[derive(Default)]
pub(super) struct Alarms {
    /// How often each message comes, and the first line that has it.
    messages: BTreeMap<String, (u64, Evidence)>,
    errors: u64,
    requests: BTreeMap<char, u64>,
    logins: Alarm,
    doors: Alarm,
    memory: Alarm,
}

impl Alarms {
    pub(super) fn see(&mut self, line: &str, is_error: bool, cite: &dyn Fn() -> Evidence) {
        if is_error {
            self.errors += 1;
            let message = message_of(line);
            if self.messages.len() < MESSAGES || self.messages.contains_key(&message) {
                self.messages.entry(message).or_insert_with(|| (0, cite())).0 += 1;
            }
        }
        if let Some(at) = line.find(" HTTP/") {
            let status = line[at..].split_once("\" ").and_then(|(_, rest)| rest.chars().next());
            if let Some(first) = status.filter(char::is_ascii_digit) {
                *self.requests.entry(first).or_default() += 1;
            }
            let doors = [
                "/wp-login.php",
                "/.env",
                "/phpmyadmin",
                "/.git/",
                "/xmlrpc.php",
                "/cgi-bin/",
                "/etc/passwd",
            ];
            if let Some(door) = doors.iter().find(|door| line[..at].contains(**door)) {
                self.doors.see(Some(door), cite);
            }
        } else if ["Failed password", "authentication failure", "Invalid user", "Login failed"]
            .iter()
            .any(|words| line.contains(words))
        {
            let source =
                line.split_once(" from ").or_else(|| line.split_once("rhost=")).map(|(_, rest)| rest);
            self.logins.see(source.and_then(|rest| rest.split_whitespace().next()), cite);
        } else if line.contains("Out of memory")
            || line.contains("oom-killer")
            || line.contains("OutOfMemoryError")
        {
            self.memory.see(None, cite);
        }
    }

    /// What a web server answered.
    pub(super) fn details(&self) -> Option<Count> {
        let all: u64 = self.requests.values().sum();
        let of = |first: char| self.requests.get(&first).copied().unwrap_or(0);
        (FEWEST <= all && 0 < of('4')).then(|| Count {
            number: of('4'),
            of: "requests for what is not there or not allowed".to_owned(),
        })
    }

    pub(super) fn told(&self, path: &str) -> Vec<Fact> {
        let mut told = Vec::new();
        let top = self.messages.iter().max_by(|a, b| a.1.0.cmp(&b.1.0).then_with(|| b.0.cmp(a.0)));
        if let Some((message, (times, cited))) = top
            && 3 <= *times
            && self.errors <= times * 4
            && 8 <= message.len()
            && !titles::is_private(message)
        {
            let all = if *times == self.errors {
                format!("all {}", number(*times))
            } else {
                format!("{} of {}", number(*times), number(self.errors))
            };
            told.push(warns(path, format!("{all} errors say “{message}”"), vec![cited.clone()]));
        }
        type Tell = fn(&str, String, Vec<Evidence>) -> Fact;
        let alarms: [(_, _, _, Tell); 2] = [
            (&self.logins, "logins failed", "most from", warns),
            (&self.doors, "requests try doors that attackers look for", "most often", lacks),
        ];
        for (alarm, what, word, tell) in alarms {
            if FEWEST <= alarm.times
                && let Some(cited) = alarm.at.clone()
            {
                let from = if alarm.from.is_empty() {
                    String::new()
                } else {
                    format!(", {word} {}", most(&alarm.from, 3))
                };
                told.push(tell(path, format!("{} {what}{from}", number(alarm.times)), vec![cited]));
            }
        }
        if let Some(cited) = self.memory.at.clone() {
            let times = if self.memory.times == 1 {
                "once".to_owned()
            } else {
                format!("{} times", number(self.memory.times))
            };
            told.push(lacks(path, format!("memory ran out {times}"), vec![cited]));
        }
        told
    }
}

/// What a line says after its time, level and source, without numbers that differ each time.
fn message_of(line: &str) -> String {
    let levels = ["FATAL", "CRITICAL", "ERROR", "[error]", "[crit]", "[fatal]"];
    let after = levels.iter().find_map(|level| line.split_once(level).map(|(_, rest)| rest));
    let json = || {
        let (_, rest) = line.split_once("\"msg\"").or_else(|| line.split_once("\"message\""))?;
        rest.trim_start_matches([' ', ':']).strip_prefix('"')?.split('"').next()
    };
    let rest = if line.starts_with('{') { json() } else { after }.unwrap_or(line);
    let rest = rest.rsplit_once(" - ").map_or(rest, |(_, rest)| rest);
    let mut out = String::new();
    for character in rest.trim_matches([' ', ':', ']', '[', '-']).chars().take(SHOWN * 3) {
        let is_digit = character.is_ascii_digit();
        if is_digit && out.ends_with('#') {
            continue;
        }
        out.push(match character {
            _ if is_digit => '#',
            '`' | '“' | '”' => '\'',
            other => other,
        });
    }
    let out = out.trim_start_matches(['#', ':', ' ', '*', ',']).to_owned();
    let out = out.split(", client:").next().unwrap_or(&out).to_owned();
    clipped(&out, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::message_of;

    #[test]
    fn a_message_is_what_comes_again() {
        let nginx = "2024/03/11 14:00:05 [error] 1234#1234: *7 connect() failed (111: Connection refused), client: 10.0.0.1";
        assert_eq!(message_of(nginx), "connect() failed (#: Connection refused)");
        let java = "2024-03-01 00:00:00,000 ERROR [worker-1] c.e.shop.Cart - timeout after 30 ms";
        assert_eq!(message_of(java), "timeout after # ms");
        assert_eq!(message_of("{\"level\":\"error\",\"msg\":\"payment timeout\"}"), "payment timeout");
        assert_eq!(message_of("2024-03-15 14:30:00 ERROR no connection"), "no connection");
    }
}
