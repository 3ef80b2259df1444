//! Faults of connections: cut, reset, silent, endless, split.

use std::io::ErrorKind;
use std::time::Duration;

use luminos_model_server::{
    Answer, ByteFault, Cut, EventFault, Framing, Lasts, ModelServer, Outcome, Script, Step, WireFault,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::client::{Ended, Seen, ask, chat_question, exchange, post, question, take_apart};

async fn serve(answer: Answer) -> ModelServer {
    ModelServer::start(Script::new().always(answer)).await.unwrap()
}

/// What a client sees of an answer in chunks.
async fn seen(answer: Answer) -> Seen {
    let server = serve(answer).await;
    exchange(&server, &post("/v1/messages", &question(true).to_string(), "close")).await
}

/// Head and time apart, every answer to the same question is the same.
async fn whole() -> Seen {
    seen(Answer::text("Hello")).await
}

#[tokio::test]
async fn a_reset_is_seen_where_it_was_asked_for() {
    let whole = whole().await;
    let head = whole.bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let reset = |cut| seen(Answer::text("Hello").with(WireFault::Reset(cut)));
    assert_eq!(reset(Cut::BeforeHead).await, Seen { bytes: vec![], ended: Ended::Reset });
    let after_head = reset(Cut::AfterHead).await;
    assert_eq!((after_head.bytes.len(), after_head.ended), (head, Ended::Reset));
    let after_events = reset(Cut::AfterEvents(2)).await;
    let text = String::from_utf8(after_events.bytes).unwrap();
    assert!(text.ends_with("\"text\":\"\"}}\n\n\r\n"), "{text}");
    let after_bytes = reset(Cut::AfterBytes(head + 11)).await;
    assert_eq!((after_bytes.bytes.len(), after_bytes.ended), (head + 11, Ended::Reset));
}

#[tokio::test]
async fn a_body_can_end_before_its_end() {
    let cut = seen(Answer::text("Hello").with(WireFault::Close(Cut::AfterEvents(4)))).await;
    assert_eq!(cut.ended, Ended::InOrder);
    assert!(!take_apart(&cut.bytes).is_complete);
    let empty = take_apart(&seen(Answer::text("Hello").with(WireFault::EmptyBody)).await.bytes);
    assert_eq!((empty.status, empty.body.len(), empty.is_complete), (200, 0, true));
}

#[tokio::test(start_paused = true)]
async fn a_silence_that_ends_changes_nothing_but_the_time() {
    let expected = take_apart(&whole().await.bytes).body;
    for cut in [Cut::BeforeHead, Cut::AfterHead, Cut::AfterEvents(3), Cut::AfterBytes(9)] {
        let began = Instant::now();
        let silence = WireFault::Hang(cut, Lasts::For(Duration::from_secs(90)));
        let answered = take_apart(&seen(Answer::text("Hello").with(silence)).await.bytes);
        assert!(Duration::from_secs(90) <= began.elapsed(), "{cut:?}");
        assert_eq!((answered.body, answered.is_complete), (expected.clone(), true), "{cut:?}");
    }
}

#[tokio::test]
async fn a_client_that_leaves_is_noticed() {
    for (cut, first) in [(Cut::BeforeHead, 0), (Cut::AfterEvents(1), 40)] {
        let server = serve(Answer::text("Hello").with(WireFault::Hang(cut, Lasts::Forever))).await;
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(&post("/v1/messages", &question(true).to_string(), "close")).await.unwrap();
        server.until(|counters| counters.in_flight == 1).await;
        stream.read_exact(&mut vec![0; first]).await.unwrap();
        assert_eq!(server.requests()[0].outcome, Outcome::Open);
        drop(stream);
        let counters = server.until(|counters| counters.clients_left == 1).await;
        assert_eq!(counters.in_flight, 0);
        assert_eq!(server.requests()[0].outcome, Outcome::ClientLeft);
    }
}

#[tokio::test]
async fn an_endless_stream_ends_with_its_client() {
    for fault in [EventFault::Endless(2), EventFault::EndlessPings(1)] {
        let server = serve(Answer::text("Hello").with(fault)).await;
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(&post("/v1/messages", &question(true).to_string(), "close")).await.unwrap();
        stream.read_exact(&mut vec![0; 1 << 20]).await.unwrap();
        drop(stream);
        assert_eq!(server.until(|counters| counters.clients_left == 1).await.answered, 0);
    }
}

#[tokio::test]
async fn connections_are_refused_until_they_are_accepted_again() {
    let server = serve(Answer::text("Hello")).await;
    assert_eq!(ask(&server, &question(true)).await.status, 200);
    let mut idle = TcpStream::connect(server.address()).await.unwrap();
    server.until(|counters| counters.connections == 2).await;
    server.refuse_connections().await;
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap(), 0);
    let refused = TcpStream::connect(server.address()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    server.accept_connections().await;
    assert_eq!(ask(&server, &question(true)).await.status, 200);
}

#[tokio::test]
async fn every_framing_carries_the_same_body() {
    let expected = take_apart(&whole().await.bytes);
    assert_eq!(expected.header("transfer-encoding"), Some("chunked"));
    let framed =
        |framing| async move { take_apart(&seen(Answer::text("Hello").framed(framing)).await.bytes) };
    let length = framed(Framing::Length).await;
    assert_eq!((length.body.clone(), length.is_complete), (expected.body.clone(), true));
    assert!(length.header("content-length").is_some());
    let server = serve(Answer::text("Hello").framed(Framing::UntilClose)).await;
    let until_close = ask(&server, &question(true)).await;
    assert_eq!(server.until(|counters| counters.in_flight == 0).await.answered, 1);
    assert_eq!(until_close.body, expected.body);
    assert_eq!((until_close.header("content-length"), until_close.header("transfer-encoding")), (None, None));
}

#[tokio::test]
async fn raw_steps_are_sent_as_they_are() {
    let steps = vec![Step::Send(b"HTTP/9.9 nonsense".to_vec()), Step::Close];
    let server = serve(Answer::text("x")).await;
    server.play(Script::new().then(Answer::raw(steps)));
    let seen = exchange(&server, b"POST /v1/messages HTTP/1.1\r\n\r\n").await;
    assert_eq!(seen, Seen { bytes: b"HTTP/9.9 nonsense".to_vec(), ended: Ended::InOrder });
}

#[tokio::test]
async fn an_answer_split_at_any_byte_is_the_same() {
    for (path, body) in [("/v1/messages", question(true)), ("/v1/chat/completions", chat_question(true))] {
        let request = post(path, &body.to_string(), "close");
        let server = serve(Answer::text("grüße")).await;
        let expected = take_apart(&exchange(&server, &request).await.bytes);
        let length = exchange(&server, &request).await.bytes.len();
        for cut in 1..length {
            let split = ByteFault::SplitAt(vec![cut], Duration::ZERO);
            server.play(Script::new().then(Answer::text("grüße").with(split)));
            let seen = take_apart(&exchange(&server, &request).await.bytes);
            assert_eq!((&seen.body, seen.is_complete), (&expected.body, true), "cut at {cut}");
        }
        server.play(Script::new().then(Answer::text("grüße").with(ByteFault::SplitEvery(1, Duration::ZERO))));
        assert_eq!(take_apart(&exchange(&server, &request).await.bytes).body, expected.body);
    }
}

#[test]
fn splitting_never_changes_the_bytes_received() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request = post("/v1/messages", &question(true).to_string(), "close");
    let server = runtime.block_on(serve(Answer::text("Hello")));
    let expected = take_apart(&runtime.block_on(exchange(&server, &request)).bytes).body;
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() });
    let cuts = prop::collection::vec(0_usize..4000, 0..60);
    let result = runner.run(&cuts, |cuts| {
        server.play(Script::new().then(Answer::text("Hello").with(ByteFault::SplitAt(cuts, Duration::ZERO))));
        let seen = runtime.block_on(exchange(&server, &request));
        prop_assert_eq!(&take_apart(&seen.bytes).body, &expected);
        Ok(())
    });
    result.unwrap();
}

#[tokio::test]
async fn bodies_come_compressed_or_under_another_name() {
    let plain = take_apart(&whole().await.bytes);
    let stored = take_apart(&seen(Answer::text("Hello").with(WireFault::Gzip)).await.bytes);
    assert_eq!(stored.header("content-encoding"), Some("gzip"));
    assert_eq!(stored.body[..3], [0x1f, 0x8b, 8]);
    assert_eq!(stored.body[15..stored.body.len() - 8], plain.body[..]);
    let bomb = take_apart(&seen(Answer::text("Hello").with(WireFault::GzipBomb(10_000_000))).await.bytes);
    let promised = u32::from_le_bytes(*bomb.body.last_chunk().unwrap());
    assert!(9_999_000 < promised && bomb.body.len() < 70_000, "{promised} in {}", bomb.body.len());
    let renamed = seen(Answer::text("Hello").with(WireFault::ContentType("text/html".to_owned()))).await;
    let renamed = take_apart(&renamed.bytes);
    assert_eq!((renamed.header("content-type"), &renamed.body), (Some("text/html"), &plain.body));
}
