use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

type Owned = (String, String);

fn parse<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Owned>, EventTooLarge> {
    let mut parser = SseParser::new();
    let mut events = Vec::new();
    for piece in pieces {
        parser.push::<EventTooLarge>(piece, |event| {
            let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            events.push((owned(event.name), owned(event.data)));
            Ok(())
        })?;
    }
    Ok(events)
}

#[track_caller]
fn check(stream: &str, expected: &[(&str, &str)]) {
    let expected: Vec<Owned> =
        expected.iter().map(|(name, data)| ((*name).to_owned(), (*data).to_owned())).collect();
    let bytes = stream.as_bytes();
    assert_eq!(parse([bytes]).unwrap(), expected, "{stream:?}");
    for cut in 0..=bytes.len() {
        let (before, after) = bytes.split_at(cut);
        assert_eq!(parse([before, after]).unwrap(), expected, "{stream:?} cut at {cut}");
    }
    assert_eq!(parse(bytes.chunks(1)).unwrap(), expected, "{stream:?} byte by byte");
}

#[test]
fn events_have_names_and_data() {
    check("event: ping\ndata: {}\n\ndata: [DONE]\n\n", &[("ping", "{}"), ("", "[DONE]")]);
}

#[test]
fn all_line_ends_are_understood_even_mixed() {
    check("data: a\r\n\r\ndata: b\r\rdata: c\n\n", &[("", "a"), ("", "b"), ("", "c")]);
    check("data: a\r\ndata: b\r\n\r\n", &[("", "a\nb")]);
    check("data: a\n\rdata: b\n\r\n", &[("", "a"), ("", "b")]);
}

#[test]
fn several_data_lines_are_one_text() {
    check("data: a\ndata:b\ndata\ndata:  c\n\n", &[("", "a\nb\n\n c")]);
}

#[test]
fn comments_unknown_fields_and_a_byte_order_mark_are_skipped() {
    check("\u{feff}data: a\n\n: keep-alive\n\nid: 7\nretry: 10\nfoo\ndata: b\n\n", &[("", "a"), ("", "b")]);
}

#[test]
fn an_event_without_data_is_none_and_its_name_is_forgotten() {
    check("event: ping\n\ndata: x\n\n", &[("", "x")]);
}

#[test]
fn an_event_whose_end_did_not_come_is_none() {
    check("data: a\n\ndata: b\n", &[("", "a")]);
    check("data: a\n\ndata: b", &[("", "a")]);
}

#[test]
fn a_character_may_be_cut() {
    check("data: größe 数\n\n", &[("", "größe 数")]);
}

#[test]
fn an_event_that_is_too_large_is_refused_before_it_is_kept() {
    let line = [b"data: ".as_slice(), &vec![b'x'; MAX_EVENT_BYTES + 1], b"\n\n"].concat();
    assert_eq!(parse([line.as_slice()]), Err(EventTooLarge));
    assert_eq!(parse(line.chunks(65_536)), Err(EventTooLarge));
    let many_lines = b"data: xxxxxxxxxxxxxxxx\n".repeat(MAX_EVENT_BYTES / 16);
    assert_eq!(parse(many_lines.chunks(65_536)), Err(EventTooLarge));
}

fn any_stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"data: ".to_vec()),
        Just(b"event:".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b":".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        vec(any::<u8>(), 0..6),
    ];
    vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_split_changes_the_events(stream in any_stream(), cuts in vec(any::<prop::sample::Index>(), 0..8)) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut start = 0;
        for cut in cuts {
            pieces.push(&stream[start..cut]);
            start = cut;
        }
        pieces.push(&stream[start..]);
        let whole = parse([stream.as_slice()]);
        prop_assert_eq!(parse(pieces), whole.clone());
        prop_assert_eq!(parse(stream.chunks(1)), whole);
    }
}
