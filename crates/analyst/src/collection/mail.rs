//! Mail: from when to when, who writes, about what, how many threads.

use std::collections::BTreeMap;

use luminos_core::fact::{Day, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::{Look, days, encoded, kept, lacks, most, titles, words};
use crate::eyes::Peek;
use crate::words::{count, list, number};

/// So many subjects are told.
const SUBJECTS: usize = 4;

#[derive(Default)]
struct Box {
    messages: u64,
    undated: u64,
    attachments: u64,
    senders: BTreeMap<String, u64>,
    /// How many mails each subject has, and how it is written.
    threads: BTreeMap<String, (u64, String)>,
    lists: u64,
    first: Option<(i64, Evidence)>,
    last: Option<(i64, Evidence)>,
    evidence: Vec<Evidence>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    let mut letters = Box::default();
    for file in files {
        let Some(head) = peek(file) else { continue };
        if head.name.to_ascii_lowercase().ends_with(".mbox") {
            let mut mails = Box::default();
            mails.read(&head);
            told.extend(mails.told(&head.word));
        } else {
            letters.read(&head);
        }
    }
    told.extend(letters.told(dir));
    told
}

impl Box {
    /// Reads a box of mails, or a single one: headers count, bodies do not.
    fn read(&mut self, head: &Peek) {
        let text = String::from_utf8_lossy(&head.bytes);
        let is_box = text.starts_with("From ");
        let mut in_headers = true;
        let mut is_dated = true;
        let mut is_listed = false;
        if !is_box {
            self.messages += 1;
            is_dated = false;
        }
        let mut blank = true;
        for line in text.lines() {
            if is_box && blank && line.starts_with("From ") {
                self.messages += 1;
                self.undated += u64::from(!is_dated);
                (in_headers, is_dated, is_listed) = (true, false, false);
            }
            blank = line.is_empty();
            if blank {
                in_headers = false;
            }
            if !in_headers {
                self.attachments += u64::from(line.starts_with("Content-Disposition: attachment"));
                continue;
            }
            if let Some(from) = header(line, "From:") {
                let address = from.rsplit_once('<').map_or(from, |(_, rest)| rest.trim_end_matches('>'));
                *self.senders.entry(address.trim().to_ascii_lowercase()).or_default() += 1;
                if self.evidence.len() < 2 {
                    self.evidence.extend(head.cite(line));
                }
            } else if let Some(subject) = header(line, "Subject:") {
                let subject = encoded::words(subject);
                let subject = plain(&subject);
                let subject = titles::without_numbers(subject);
                self.threads.entry(subject.to_lowercase()).or_insert_with(|| (0, subject.clone())).0 += 1;
            } else if header(line, "List-Id:").or_else(|| header(line, "List-Unsubscribe:")).is_some()
                && !is_listed
            {
                is_listed = true;
                self.lists += 1;
            } else if let Some(day) = header(line, "Date:").and_then(days::by_name) {
                is_dated = true;
                if self.first.as_ref().is_none_or(|(first, _)| day < *first) {
                    self.first = head.cite(line).map(|cited| (day, cited));
                }
                if self.last.as_ref().is_none_or(|(last, _)| *last < day) {
                    self.last = head.cite(line).map(|cited| (day, cited));
                }
            }
        }
        self.undated += u64::from(!is_dated);
        if self.evidence.is_empty() {
            self.evidence.push(head.cite_head());
        }
    }

    /// What most mails are about.
    fn subjects(&self) -> Option<String> {
        let subjects: BTreeMap<String, u64> = self
            .threads
            .values()
            .filter(|(_, subject)| 3 <= subject.chars().count() && !titles::is_private(subject))
            .map(|(mails, subject)| (titles::quoted(subject), *mails))
            .collect();
        let shown: Vec<String> = subjects.keys().cloned().collect();
        match subjects.values().max()? {
            1 if subjects.len() <= SUBJECTS => Some(format!("about {}", list(&shown))),
            // Each mail is about something else: the first say what kind of things.
            1 => Some(format!("about {} and others", shown[..SUBJECTS].join(", "))),
            _ => Some(format!("about {}", most(&subjects, SUBJECTS))),
        }
    }

    fn told(self, path: &str) -> Vec<Fact> {
        if self.messages == 0 {
            return Vec::new();
        }
        let mut details = vec![format!(
            "{} in {}",
            count(self.senders.len() as u64, "sender"),
            count(self.threads.len() as u64, "thread")
        )];
        match self.senders.first_key_value() {
            Some((only, _)) if self.senders.len() == 1 => details.push(format!("all from {only}")),
            Some(_) => details.push(format!("most from {}", most(&self.senders, 3))),
            None => {}
        }
        details.extend(self.subjects());
        if 0 < self.lists {
            details.push(format!("{} sent to many", number(self.lists)));
        }
        if 0 < self.attachments {
            details.push(count(self.attachments, "attachment"));
        }
        let period = self
            .first
            .as_ref()
            .zip(self.last.as_ref())
            .map(|(first, last)| (Day::of_number(first.0), Day::of_number(last.0)));
        let dates = self.first.into_iter().chain(self.last).map(|(_, cited)| cited);
        let evidence: Vec<Evidence> = dates.chain(self.evidence).collect();
        let keeps =
            Holding { count: self.messages, noun: "mail".to_owned(), period, details: words(details) };
        let mut told = vec![kept(path, keeps, evidence.clone())];
        if 0 < self.undated {
            told.push(lacks(
                path,
                format!("{} of {} mails carry no date", number(self.undated), number(self.messages)),
                evidence,
            ));
        }
        told
    }
}

fn header<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let head = line.get(..name.len())?;
    head.eq_ignore_ascii_case(name).then(|| line[name.len()..].trim())
}

/// A subject without what answers put before it.
fn plain(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let marks = ["re:", "fwd:", "fw:", "aw:", "wg:", "tr:", "antw:", "rv:", "sv:"];
        let cut = marks
            .iter()
            .find(|mark| rest.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark)));
        let Some(mark) = cut else { return rest };
        rest = rest[mark.len()..].trim_start();
    }
}
