//! Recorded answers, decoded whole and cut at every byte: the result must be the same.
//!
//! The recordings in `tests/data` are our own. Where a directory of further ones lies beside the project,
//! they are decoded as well.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;

use crate::anthropic::MessageDecoder;
use crate::error::Kind;
use crate::http::{Decoder, Fault, fault_of};
use crate::openai::ChatDecoder;
use crate::reply::{Event, Reply};

/// One recorded answer, without its framing.
struct Recorded {
    status: u16,
    is_json: bool,
    body: Vec<u8>,
}

fn split_at<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let place = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((&bytes[..place], &bytes[place + mark.len()..]))
}

/// Takes the first answer off a connection's bytes.
fn take_answer(bytes: &[u8]) -> (Recorded, &[u8]) {
    let (head, mut rest) = split_at(bytes, b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(head).to_lowercase();
    let status = head.split(' ').nth(1).unwrap().trim().parse().unwrap();
    let mut body = Vec::new();
    if head.contains("transfer-encoding: chunked") {
        loop {
            let (size, after) = split_at(rest, b"\r\n").unwrap();
            let size = usize::from_str_radix(std::str::from_utf8(size).unwrap(), 16).unwrap();
            body.extend_from_slice(&after[..size]);
            rest = &after[size + 2..];
            if size == 0 {
                break;
            }
        }
    } else {
        body.extend_from_slice(rest);
        rest = b"";
    }
    (Recorded { status, is_json: head.contains("content-type: application/json"), body }, rest)
}

fn recordings(dir: &Path, ends_with: &str) -> Vec<(String, Recorded)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(ends_with) else { continue };
        let bytes = fs::read(&path).unwrap();
        let mut rest = bytes.as_slice();
        while rest.starts_with(b"HTTP/") {
            let (recorded, after) = take_answer(rest);
            found.push((name.to_owned(), recorded));
            rest = after;
        }
    }
    found
}

type Decoded = (Result<Reply, Fault>, Vec<String>);

fn decode_with(mut decoder: impl Decoder, recorded: &Recorded, pieces: &[&[u8]]) -> Decoded {
    let mut heard = Vec::new();
    let mut listener = |event: Event<'_>| heard.push(format!("{event:?}"));
    let result = if recorded.status != 200 {
        Err(fault_of(recorded.status, &recorded.body))
    } else if recorded.is_json {
        decoder.whole(&recorded.body, &mut listener).and_then(|()| decoder.finish())
    } else {
        let fed = pieces.iter().try_for_each(|piece| decoder.feed(piece, &mut listener));
        fed.and_then(|()| decoder.finish())
    };
    (result, heard)
}

fn decode(name: &str, recorded: &Recorded, pieces: &[&[u8]]) -> Decoded {
    if name.contains("anthropic") {
        decode_with(MessageDecoder::default(), recorded, pieces)
    } else {
        decode_with(ChatDecoder::new(0), recorded, pieces)
    }
}

/// The result of a recording, after making sure that no cut changes it.
fn check_every_cut(name: &str, recorded: &Recorded) -> Decoded {
    let body = recorded.body.as_slice();
    let whole = decode(name, recorded, &[body]);
    if recorded.status == 200 && !recorded.is_json {
        for cut in 0..=body.len() {
            let (before, after) = body.split_at(cut);
            assert_eq!(decode(name, recorded, &[before, after]), whole, "{name} cut at {cut}");
        }
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(decode(name, recorded, &bytes), whole, "{name} byte by byte");
    }
    whole
}

#[test]
fn our_recordings_decode_the_same_however_they_are_cut() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut shown = String::new();
    for (name, recorded) in recordings(&dir, ".http") {
        let (result, heard) = check_every_cut(&name, &recorded);
        shown.push_str(&format!("--- {name}\n{result:#?}\nheard: {heard:?}\n"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn recordings_beside_the_project_decode_the_same_however_they_are_cut() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/transcripts");
    if !dir.is_dir() {
        println!("nothing to do: there are no recordings in {}", dir.display());
        return;
    }
    let recordings = recordings(&dir, ".resp.http");
    assert!(40 < recordings.len());
    for (name, recorded) in recordings {
        if name.contains("count_tokens") {
            continue;
        }
        let (result, _) = check_every_cut(&name, &recorded);
        let number = name.split('-').next().unwrap();
        let expected = match number {
            "3i" | "3l" | "60" | "63" => Err(Kind::Overloaded),
            "3k" | "62" => Err(Kind::SpendLimitReached),
            "3f" | "3j" | "3n" | "61" => Err(Kind::RateLimited),
            "3m" => Err(Kind::BrokenOff),
            "18" | "3c" => Err(Kind::ContextTooLong),
            "19" => Err(Kind::NotFound),
            "1a" | "3d" => Err(Kind::KeyRefused),
            "17" | "3a" | "3b" | "3e" => Err(Kind::BadRequest),
            "3g" | "3h" => Err(Kind::ServerFailed),
            _ => Ok(()),
        };
        match (&result, expected) {
            (Ok(reply), Ok(())) => {
                assert!(!reply.content.is_empty(), "{name}");
                let usage = reply.usage.unwrap_or_else(|| panic!("{name} has no usage"));
                assert!(0 < usage.prompt().0 && 0 < usage.output.0, "{name}: {usage:?}");
                // A client that was recorded in two turns wants tools in the first of them only.
                if !name.contains("sdk") {
                    let wants_tools = name.contains("tool") && !name.contains("toolresult");
                    assert_eq!(0 < reply.tool_calls().count(), wants_tools, "{name}");
                }
            }
            (Err(fault), Err(kind)) => assert_eq!(fault.kind, kind, "{name}: {fault:?}"),
            (result, expected) => panic!("{name}: {result:?}, expected {expected:?}"),
        }
    }
}

#[test]
fn what_follows_the_end_does_not_count() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let further =
        b"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\"}}\n\ndata: junk\n\n";
    for (name, recorded) in recordings(&dir, ".http") {
        let whole = decode(&name, &recorded, &[&recorded.body]);
        if whole.0.is_ok() && !recorded.is_json {
            assert_eq!(decode(&name, &recorded, &[&recorded.body, further]), whole, "{name}");
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_decoder_panic_or_depend_on_cuts(
        pieces in vec(any_piece(), 0..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let body = pieces.concat();
        let (before, after) = body.split_at(cut.index(body.len() + 1));
        let recorded = Recorded { status: 200, is_json: false, body: body.clone() };
        for name in ["anthropic", "openai"] {
            let whole = decode(name, &recorded, &[&body]);
            prop_assert_eq!(decode(name, &recorded, &[before, after]), whole);
            let _ = decode(name, &Recorded { status: 200, is_json: true, body: body.clone() }, &[]);
            let _ = decode(name, &Recorded { status: 500, is_json: true, body: body.clone() }, &[]);
        }
    }
}

/// Pieces of real streams, broken in all kinds of ways.
fn any_piece() -> impl Strategy<Value = Vec<u8>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let bodies: Vec<Vec<u8>> = recordings(&dir, ".http")
        .into_iter()
        .map(|(_, recorded)| recorded.body)
        .filter(|body| !body.is_empty())
        .collect();
    let slice = (prop::sample::select(bodies), any::<prop::sample::Index>(), 0..400_usize).prop_map(
        |(body, start, length)| {
            let start = start.index(body.len());
            body[start..(start + length).min(body.len())].to_vec()
        },
    );
    let odd = prop_oneof![
        Just(b"\n\n".to_vec()),
        Just(b"data: ".to_vec()),
        Just(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{}]}}]}\n\n".to_vec()),
        Just(b"data: {\"choices\":[null],\"usage\":7}\n\n".to_vec()),
        Just(
            b"data: {\"type\":\"content_block_delta\",\"index\":99,\"delta\":{\"type\":\"x\"}}\n\n".to_vec()
        ),
        vec(any::<u8>(), 0..8),
    ];
    prop_oneof![3 => slice, 1 => odd]
}
