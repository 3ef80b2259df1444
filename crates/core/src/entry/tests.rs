use serde_json::{Value, json};

use super::*;

fn dir_entry() -> Value {
    json!({
        "format": 1,
        "path": "/target/src",
        "relative_path": "src",
        "child_count": 3,
        "summary": "The parser.",
        "dominant_category": "source",
        "cached_at": "2026-01-01T00:00:00Z",
    })
}

fn with(mut document: Value, name: &str, value: Value) -> Value {
    document[name] = value;
    document
}

#[test]
fn the_least_that_an_entry_needs_is_enough() {
    let entry = DirEntry::read(dir_entry()).unwrap();
    assert_eq!(entry.relative_path, RelPath::from("src"));
    assert_eq!(entry.confidence, None);
    assert!(!entry.partial);
    for name in ["path", "relative_path", "child_count", "summary", "dominant_category", "cached_at"] {
        let mut document = dir_entry();
        document.as_object_mut().unwrap().remove(name);
        assert!(matches!(DirEntry::read(document), Err(NotAnEntry::Shape(_))), "{name} is needed");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let entry = DirEntry::read(with(dir_entry(), "confidence", json!(0.5))).unwrap();
    let written = serde_json::to_value(&entry).unwrap();
    assert_eq!(DirEntry::read(written).unwrap(), entry);
}

#[test]
fn contents_and_endless_summaries_are_refused() {
    for name in CONTENTS {
        let document = with(dir_entry(), name, json!("fn main() {}"));
        assert_eq!(DirEntry::read(document), Err(NotAnEntry::Contents(name.to_owned())));
    }
    let long = with(dir_entry(), "summary", json!("x".repeat(LONGEST_SUMMARY + 1)));
    assert_eq!(DirEntry::read(long), Err(NotAnEntry::TooLong(LONGEST_SUMMARY + 1)));
}

#[test]
fn shares_lie_between_nothing_and_all() {
    for bad in [json!(1.01), json!(-0.1), json!("high"), json!(null)] {
        let document = with(dir_entry(), "completeness", bad.clone());
        let read = DirEntry::read(document);
        assert_eq!(read.is_err(), !bad.is_null(), "{bad}: {read:?}");
    }
    let reason = with(dir_entry(), "confidence_reason", json!(3));
    assert!(matches!(DirEntry::read(reason), Err(NotAnEntry::Shape(_))));
}

#[test]
fn an_entry_of_a_newer_program_is_not_guessed_at() {
    assert_eq!(DirEntry::read(with(dir_entry(), "format", json!(4))), Err(NotAnEntry::TooNew(4)));
}

#[test]
fn low_confidence_comes_least_sure_first() {
    let entry = |path: &str, confidence: Option<f64>| {
        let mut entry = DirEntry::read(dir_entry()).unwrap();
        entry.relative_path = RelPath::from(path);
        entry.confidence = confidence.and_then(Share::new);
        entry
    };
    let entries =
        [entry("sure", Some(0.9)), entry("half", Some(0.5)), entry("silent", None), entry("edge", Some(0.7))];
    let low = low_confidence_entries(&entries, LOW_CONFIDENCE);
    let paths: Vec<String> = low.iter().map(|entry| entry.relative_path.to_word()).collect();
    assert_eq!(paths, ["silent", "half"]);
}

#[test]
fn coverage_is_the_mean_of_files_and_bytes() {
    let coverage = Coverage { files: 4, files_seen: 1, bytes: 1000, bytes_seen: 750, ..Coverage::default() };
    assert_eq!(coverage.share(), Share::new(0.5).unwrap());
    assert_eq!(Coverage::default().share(), Share::ALL);
}
