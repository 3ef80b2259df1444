//! What goes wrong on the way.

use std::error::Error as _;
use std::time::{Duration, Instant};

use luminos_models::{Error, HttpClient, Kind, Model, Pass, Request};
use tokio::io::AsyncWriteExt;

use crate::server::{Act, Server, endless, events, json};
use crate::{CANARY, anthropic, anthropic_over, impatient, openai};

fn question() -> Request {
    Request::question(Pass::Ask, "Hello?", 50)
}

const START: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n";
const PING: &str = "event: ping\ndata: {\"type\":\"ping\"}\n\n";

async fn fails(script: Vec<Act>, kind: Kind) -> (Server, Error) {
    fails_over(crate::patient(), script, kind).await
}

async fn fails_over(http: HttpClient, script: Vec<Act>, kind: Kind) -> (Server, Error) {
    let server = Server::start([script]).await;
    let error = anthropic_over(http, &server).complete(&question()).await.unwrap_err();
    assert_eq!(error.kind(), kind, "{error} {:?}", error.source());
    (server, error)
}

/// The words a user sees, with all causes.
fn words(server: &Server, error: &Error) -> String {
    server.blank(&luminos_core::Failure::new(error, error.hint()).to_string())
}

#[tokio::test]
async fn nobody_listens() {
    let server = Server::start([]).await;
    let unused = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let settings = luminos_models::OpenAiSettings::new("m", format!("http://127.0.0.1:{unused}/v1"));
    let model = luminos_models::OpenAi::new(crate::patient(), settings).unwrap();
    let error = model.complete(&question()).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Unreachable);
    assert!(!error.may_have_cost());
    let words = words(&server, &error).replace(&unused.to_string(), "PORT");
    insta::assert_snapshot!(words);
}

#[tokio::test]
async fn a_name_that_leads_nowhere_and_a_server_without_encryption_cannot_be_reached() {
    let server = Server::start([]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let encrypted = format!("https://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    for url in ["http://no-such-host.invalid/v1", &encrypted] {
        let model =
            luminos_models::OpenAi::new(crate::patient(), luminos_models::OpenAiSettings::new("m", url))
                .unwrap();
        let error = model.complete(&question()).await.unwrap_err();
        assert_eq!(error.kind(), Kind::Unreachable, "{}", words(&server, &error));
        assert!(!error.may_have_cost());
    }
}

#[tokio::test]
async fn a_server_that_hangs_is_left_after_a_while() {
    let started = Instant::now();
    let (server, error) = fails_over(impatient(), vec![Act::Hang], Kind::IdleTimeout).await;
    assert!(started.elapsed() < Duration::from_secs(4));
    server.client_left().await;
    assert_eq!(server.blank(&error.to_string()), "127.0.0.1:PORT stopped sending: the limit is 400ms");
    let (server, error) =
        fails_over(impatient(), vec![Act::Send(endless(START)), Act::Hang], Kind::IdleTimeout).await;
    server.client_left().await;
    assert!(error.may_have_cost());
}

#[tokio::test]
async fn pings_alone_do_not_keep_a_call_alive_for_ever() {
    let drip = Act::Drip(PING.as_bytes().to_vec(), Duration::from_millis(50));
    let (server, _) =
        fails_over(impatient(), vec![Act::Send(endless(START)), drip], Kind::TotalTimeout).await;
    server.client_left().await;
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_failed_turn() {
    fails(vec![Act::Reset], Kind::BrokenOff).await;
    fails(vec![Act::Close], Kind::BrokenOff).await;
    fails(vec![Act::Send(endless(START)), Act::Reset], Kind::BrokenOff).await;
    let (_, error) = fails(vec![Act::Send(endless(START)), Act::Close], Kind::BrokenOff).await;
    assert!(error.may_have_cost() && error.retry_after().is_some());
    let cut_in_a_chunk = events(START)[..120].to_vec();
    fails(vec![Act::Send(cut_in_a_chunk), Act::Close], Kind::BrokenOff).await;
}

#[tokio::test]
async fn answers_without_measure_are_refused() {
    let line = endless(&format!("data: {}", "x".repeat(5 << 20)));
    let (server, error) = fails(vec![Act::Send(line), Act::Hang], Kind::AnswerTooLarge).await;
    server.client_left().await;
    insta::assert_snapshot!(words(&server, &error));
    let comment = format!(":{}\n", "x".repeat(1 << 20));
    let drip = Act::Drip(comment.into_bytes(), Duration::ZERO);
    let (server, error) = fails(vec![Act::Send(endless(START)), drip], Kind::AnswerTooLarge).await;
    insta::assert_snapshot!(words(&server, &error));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let answer =
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    let (server, error) = fails(vec![Act::Send(answer.to_vec())], Kind::Misconfigured).await;
    insta::assert_snapshot!(words(&server, &error));
}

#[tokio::test]
async fn an_answer_in_another_language_is_not_understood() {
    let (server, error) = fails(vec![Act::Send(events("data: <html>\n\n"))], Kind::NotUnderstood).await;
    insta::assert_snapshot!(words(&server, &error));
    fails(vec![Act::Send(b"SMTP ready\r\n\r\n".to_vec())], Kind::BrokenOff).await;
}

#[tokio::test]
async fn a_provider_says_how_long_to_stay_away() {
    let answer =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/anthropic-429.http")).unwrap();
    let (server, error) = fails(vec![Act::Send(answer)], Kind::RateLimited).await;
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    let requests = error.rate_signals().requests.unwrap();
    assert_eq!((requests.limit, requests.remaining, requests.resets_in), (50, 0, Duration::from_secs(7)));
    insta::assert_snapshot!(words(&server, &error));
}

#[tokio::test]
async fn dropping_a_call_closes_its_connection() {
    let server = Server::start([vec![Act::Send(endless(START)), Act::Hang]]).await;
    let model = anthropic(&server);
    let question = question();
    let call = model.complete(&question);
    assert!(tokio::time::timeout(Duration::from_millis(150), call).await.is_err(), "still waiting");
    server.client_left().await;
}

#[tokio::test]
async fn a_server_may_close_a_connection_that_it_promised_to_keep() {
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server =
        Server::start([text, text, text].map(|text| vec![Act::Send(events(text)), Act::Close])).await;
    let model = openai(&server);
    for _ in 0..3 {
        assert_eq!(model.complete(&question()).await.unwrap().text(), "Hi");
    }
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn the_key_is_in_its_header_and_nowhere_else() {
    let repeated = format!("{{\"error\":{{\"message\":\"wrong key {CANARY} or x-api-key: {CANARY}\"}}}}");
    let server =
        Server::start(["401 Unauthorized"; 2].map(|status| vec![Act::Send(json(status, &repeated))])).await;
    let first = anthropic(&server);
    let second = openai(&server);
    let errors =
        [first.complete(&question()).await.unwrap_err(), second.complete(&question()).await.unwrap_err()];
    let shown = format!("{errors:?} {first:?} {second:?} {}", words(&server, &errors[0]));
    assert!(!shown.contains("CANARY"), "{shown}");
    for request in server.requests() {
        assert_eq!(request.matches(CANARY).count(), 1, "{request}");
    }
    insta::assert_snapshot!(words(&server, &errors[0]));
}
