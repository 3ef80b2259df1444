//! Contacts and calendars: how many, and from when to when.

use std::collections::BTreeMap;

use luminos_core::fact::{Day, Fact, Holding};
use luminos_core::job::ListedFile;

use super::{Look, days, kept, lacks, most, titles, words};
use crate::eyes::Peek;
use crate::words::{count, number};

pub(super) fn look(files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let heads = files.iter().filter_map(|file| peek(file));
    heads
        .flat_map(|head| {
            if head.name.to_ascii_lowercase().ends_with(".vcf") { contacts(&head) } else { calendar(&head) }
        })
        .collect()
}

fn contacts(head: &Peek) -> Vec<Fact> {
    let text = String::from_utf8_lossy(&head.bytes);
    let begins = |word: &str| text.lines().filter(|line| line.starts_with(word)).count() as u64;
    let all = begins("BEGIN:VCARD");
    if all == 0 {
        return Vec::new();
    }
    let mut with = Vec::new();
    for (word, thing) in [("EMAIL", "address"), ("TEL", "telephone number")] {
        let found = begins(word);
        if 0 < found {
            with.push(match (thing, found) {
                ("address", 1) => "1 e-mail address".to_owned(),
                ("address", found) => format!("{} e-mail addresses", number(found)),
                (thing, found) => count(found, thing),
            });
        }
    }
    let keeps =
        Holding { count: all, noun: "contact".to_owned(), period: None, details: words([with.join(", ")]) };
    let words = "it holds names and addresses of people".to_owned();
    vec![kept(&head.word, keeps, vec![head.cite_head()]), lacks(&head.word, words, vec![head.cite_head()])]
}

fn calendar(head: &Peek) -> Vec<Fact> {
    let text = String::from_utf8_lossy(&head.bytes);
    let all = text.lines().filter(|line| line.starts_with("BEGIN:VEVENT")).count() as u64;
    if all == 0 {
        return Vec::new();
    }
    let mut subjects: BTreeMap<String, u64> = BTreeMap::new();
    let mut period: Option<(i64, i64)> = None;
    for line in text.lines() {
        if let Some(subject) = line.strip_prefix("SUMMARY:").map(str::trim) {
            if !subject.is_empty() && subject.len() <= 60 && !titles::is_private(subject) {
                *subjects.entry(titles::quoted(subject)).or_default() += 1;
            }
        } else if line.starts_with("DTSTART")
            && let Some(day) = line.split_once(':').and_then(|(_, value)| days::joined(value))
        {
            period = Some(period.map_or((day, day), |(first, last)| (first.min(day), last.max(day))));
        }
    }
    let often: BTreeMap<String, u64> = subjects.into_iter().filter(|(_, times)| 2 < *times).collect();
    let details = words((!often.is_empty()).then(|| format!("most often {}", most(&often, 3))));
    let keeps = Holding {
        count: all,
        noun: "appointment".to_owned(),
        period: period.map(|(first, last)| (Day::of_number(first), Day::of_number(last))),
        details,
    };
    vec![kept(&head.word, keeps, vec![head.cite_head()])]
}
