//! What a journal makes of bytes that are not as they were written.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::line::{parse, words};
use super::*;

fn journal(kind: Kind, lines: u64) -> Vec<u8> {
    let mut bytes = header(kind, "x");
    for seq in 1..=lines {
        let id = format!("name/{seq}");
        let body = words(&json!({"number": seq, "text": "some words"})).unwrap();
        render(&mut bytes, seq, Some(&id).filter(|_| seq % 2 == 0).map(String::as_str), &body);
    }
    bytes
}

/// The numbers of the lines that count, and how the journal looked.
fn walked(kind: Kind, bytes: &[u8]) -> Result<(Vec<u64>, Walked), Why> {
    let mut numbers = Vec::new();
    let walked = walk(bytes, kind, "x", |_, line| {
        numbers.push(line.seq);
        Ok(())
    })?;
    Ok((numbers, walked))
}

/// The numbers of the lines that count, and how many do not.
fn numbers(kind: Kind, bytes: &[u8]) -> Result<(Vec<u64>, u64), Why> {
    walked(kind, bytes).map(|(numbers, walked)| (numbers, walked.skipped))
}

#[test]
fn a_line_is_json_with_its_number_first_and_its_check_last() {
    let text = String::from_utf8(journal(Kind::Flags, 2)).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["kind"], "flags");
    assert_eq!(lines[0]["format"], 2);
    let names = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&lines[1]), ["seq", "number", "text", "check"]);
    assert_eq!(names(&lines[2]), ["seq", "id", "number", "text", "check"]);
}

#[test]
fn every_flipped_bit_is_noticed_and_undone_where_each_line_counts() {
    let whole = (vec![1, 2, 3], 0);
    let strict = journal(Kind::Budget, 3);
    for at in 0..strict.len() {
        for bit in 0..8 {
            let mut flipped = strict.clone();
            flipped[at] ^= 1 << bit;
            let (numbers, walked) = walked(Kind::Budget, &flipped).unwrap();
            assert!(walked.fault.is_some() && 0 < walked.mended, "byte {at}, bit {bit}");
            assert_eq!((numbers, walked.skipped), whole, "byte {at}, bit {bit}");
        }
    }
    let lenient = journal(Kind::Flags, 3);
    assert_eq!(numbers(Kind::Flags, &lenient).unwrap(), whole);
    for at in 0..lenient.len() {
        let mut flipped = lenient.clone();
        flipped[at] ^= 4;
        let (numbers, walked) = walked(Kind::Flags, &flipped).unwrap();
        assert!(0 < walked.skipped && walked.fault.is_some(), "byte {at}: {numbers:?}");
    }
}

/// Whatever is lost in the middle, what comes after it counts.
#[test]
fn a_stretch_that_cannot_be_mended_costs_its_own_lines() {
    let bytes = journal(Kind::Transcript, 5);
    let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    for (from, to, left) in [(1, 2, vec![1, 3, 4, 5]), (1, 3, vec![1, 4, 5]), (0, 1, vec![2, 3, 4, 5])] {
        for filling in [0, b'x', b'\n'] {
            let mut damaged = bytes.clone();
            damaged[ends[from] + 1..ends[to]].fill(filling);
            let (numbers, walked) = walked(Kind::Transcript, &damaged).unwrap();
            assert_eq!(numbers, left, "{from} to {to}");
            assert!((to - from) as u64 <= walked.skipped && walked.mended == 0 && walked.fault.is_some());
        }
    }
}

#[test]
fn a_cut_end_loses_the_last_line_and_no_other() {
    let bytes = journal(Kind::Budget, 3);
    let lines: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at).collect();
    for length in 0..bytes.len() {
        let (found, skipped) = numbers(Kind::Budget, &bytes[..length]).unwrap();
        // A line counts when all of it but its end is there.
        let whole = lines.iter().skip(1).filter(|&&end| end <= length).count() as u64;
        assert_eq!(found, (1..=whole).collect::<Vec<_>>(), "{length}");
        assert_eq!(skipped, 0);
    }
}

#[test]
fn zeroes_at_the_end_are_noticed_or_cut() {
    let bytes = journal(Kind::Budget, 3);
    let mut zeroed = bytes.clone();
    let third = bytes.len() - 20;
    zeroed[third..].fill(0);
    assert_eq!(numbers(Kind::Budget, &zeroed).unwrap().0, [1, 2]);
    zeroed.push(b'\n');
    assert_eq!(numbers(Kind::Budget, &zeroed).unwrap(), (vec![1, 2], 1));
}

#[track_caller]
fn check(order: &[u64], expected: LineFault, left: (&[u64], u64)) {
    for kind in [Kind::Transcript, Kind::Flags] {
        let mut bytes = header(kind, "x");
        for &seq in order {
            render(&mut bytes, seq, None, b"{}");
        }
        let (numbers, walked) = walked(kind, &bytes).unwrap();
        assert!(matches!(walked.fault, Some(Why::Line { fault, .. }) if fault == expected), "{order:?}");
        assert_eq!((&numbers[..], walked.skipped), left, "{order:?}");
    }
}

#[test]
fn missing_and_repeated_lines_are_noticed() {
    check(&[1, 2, 4], LineFault::Number { found: 4, wanted: 3 }, (&[1, 2, 4], 1));
    check(&[1, 2, 2, 3], LineFault::Number { found: 2, wanted: 3 }, (&[1, 2, 3], 1));
    check(&[1, 0, 2], LineFault::Number { found: 0, wanted: 2 }, (&[1, 2], 1));
}

#[test]
fn garbage_in_the_middle_costs_a_line() {
    for garbage in ["garbage\n", "\n", "{}\n", "{\"seq\":2}\n", "\u{0}\u{0}\n"] {
        for kind in [Kind::Budget, Kind::Log] {
            let mut bytes = journal(kind, 1);
            bytes.extend_from_slice(garbage.as_bytes());
            render(&mut bytes, 2, None, b"{}");
            let (numbers, walked) = walked(kind, &bytes).unwrap();
            assert_eq!((numbers, walked.skipped), (vec![1, 2], 1));
            assert_eq!(walked.fault, Some(Why::Line { line: 3, fault: LineFault::Checksum }));
        }
    }
}

#[test]
fn foreign_line_ends_are_damage() {
    let text = String::from_utf8(journal(Kind::Budget, 2)).unwrap().replace('\n', "\r\n");
    assert_eq!(numbers(Kind::Budget, text.as_bytes()).unwrap(), (vec![], 3));
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let mut bytes = journal(Kind::Log, 1);
    bytes.resize(bytes.len() + LONGEST_LINE + 10, b'x');
    bytes.push(b'\n');
    render(&mut bytes, 2, None, b"{}");
    assert_eq!(numbers(Kind::Log, &bytes), Ok((vec![1, 2], 1)));
}

#[test]
fn another_kind_another_subject_and_a_newer_format_are_refused() {
    let bytes = journal(Kind::Flags, 1);
    assert_eq!(numbers(Kind::Log, &bytes), Err(Why::Kind { found: "flags".to_owned(), wanted: "log" }));
    assert_eq!(walk(&*bytes, Kind::Flags, "y", |_, _| Ok(())).unwrap_err(), Why::Elsewhere);
    let mut newer = Vec::new();
    render(&mut newer, 0, None, br#"{"kind":"flags","format":3,"about":"x"}"#);
    assert_eq!(numbers(Kind::Flags, &newer), Err(Why::TooNew { found: 3, known: 2 }));
}

#[test]
fn what_is_no_object_or_takes_our_names_is_no_line() {
    assert!(words(&"x").is_err());
    for name in ["seq", "id", "check"] {
        assert!(words(&json!({name: 1})).is_err(), "{name}");
    }
    assert!(!is_plain("a\"b") && !is_plain("a b") && !is_plain("") && is_plain("inv/dir/3#1"));
}

proptest! {
    #[test]
    fn whatever_is_written_comes_back(texts in proptest::collection::vec(".*", 0..8), named in any::<bool>()) {
        let bodies: Vec<Value> = texts.iter().map(|text| json!({"text": text, "more": [text]})).collect();
        for body in &bodies {
            let mut line = Vec::new();
            render(&mut line, 7, named.then_some("n"), &words(body).unwrap());
            prop_assert_eq!(line.pop(), Some(b'\n'));
            prop_assert!(!line.contains(&b'\n'));
            let found = parse(&line).unwrap();
            prop_assert_eq!((found.seq, found.id), (7, named.then_some("n")));
            let body_found: Value = serde_json::from_slice(&line::body(found.fields)).unwrap();
            prop_assert_eq!(&body_found, body);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_fall_over(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = numbers(Kind::Budget, &bytes);
        let _ = numbers(Kind::Log, &bytes);
    }
}
