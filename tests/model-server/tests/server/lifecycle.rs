//! How the server lives: connections, records, limits, ends.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use luminos_model_server::{Answer, Gate, Keys, Limits, ModelServer, Outcome, Policy, Script, Settings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::client::{ask, ask_chat, chat_question, exchange, post, question, take_apart};

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let body = question(false).to_string();
    let first = post("/v1/messages", &body, "keep-alive");
    // The second request is sent before the first is answered.
    stream.write_all(&[first, post("/v1/messages", &body, "close")].concat()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&bytes).matches("HTTP/1.1 200 OK").count(), 2);
    let requests = server.requests();
    let numbers: Vec<(u64, u64)> =
        requests.iter().map(|received| (received.number, received.connection)).collect();
    assert_eq!(numbers, [(1, 1), (2, 1)]);
}

#[tokio::test]
async fn everything_received_is_kept() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    ask(&server, &question(true)).await;
    let received = server.until(|counters| counters.answered == 1).await;
    assert_eq!((received.requests, received.invalid, received.in_flight), (1, 0, 0));
    let kept = &server.requests()[0];
    assert_eq!(kept.outcome, Outcome::Answered);
    assert_eq!((kept.request.method.as_str(), kept.request.route()), ("POST", "/v1/messages"));
    assert_eq!(kept.request.header("x-api-key"), Some("k"));
    assert_eq!(kept.request.json(), question(true));
}

#[tokio::test]
async fn a_dropped_server_is_gone() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let address = server.address();
    assert!(address.ip().is_loopback());
    let mut stream = TcpStream::connect(address).await.unwrap();
    server.until(|counters| counters.connections_open == 1).await;
    drop(server);
    assert_eq!(stream.read(&mut [0; 1]).await.unwrap_or_default(), 0);
    assert!(TcpStream::connect(address).await.is_err());
}

#[test]
fn a_server_on_its_own_thread_needs_no_runtime() {
    let server = ModelServer::start_on_thread(Policy::default(), Settings::default()).unwrap();
    let address = server.address();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.write_all(&post("/v1/messages", &question(true).to_string(), "close")).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    assert_eq!(take_apart(&bytes).status, 200);
    drop(server);
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[tokio::test]
async fn what_is_not_a_request_is_turned_away() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let tls = exchange(&server, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n").await;
    assert!(tls.bytes.starts_with(b"HTTP/1.1 400"));
    let head = "POST /v1/messages HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n";
    let large = take_apart(&exchange(&server, head.as_bytes()).await.bytes);
    assert_eq!((large.status, large.json()["error"]["type"].as_str()), (413, Some("request_too_large")));
    let mut nonsense = question(true);
    nonsense["max_tokens"] = serde_json::json!("many");
    assert_eq!(ask(&server, &nonsense).await.status, 400);
    assert_eq!(server.counters().invalid, 2);
}

#[tokio::test]
async fn a_wrong_key_is_refused_by_both_interfaces() {
    let settings = Settings { keys: Keys::Only("right".to_owned()), ..Settings::default() };
    let server = ModelServer::start_with(Policy::default(), settings).await.unwrap();
    assert_eq!(ask(&server, &question(true)).await.status, 401);
    assert_eq!(ask_chat(&server, &chat_question(true)).await.status, 401);
}

#[tokio::test(start_paused = true)]
async fn limits_hold_and_the_time_to_wait_is_true() {
    let limits = Limits { requests: 3, ..Limits::generous() };
    let settings = Settings { limits, ..Settings::default() };
    let server = ModelServer::start_with(Policy::default(), settings).await.unwrap();
    for _ in 0..3 {
        assert_eq!(ask(&server, &question(false)).await.status, 200);
    }
    let refused = ask(&server, &question(false)).await;
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert_eq!((refused.status, wait), (429, 20));
    assert_eq!(refused.header("anthropic-ratelimit-requests-remaining"), Some("0"));
    tokio::time::advance(Duration::from_secs(wait)).await;
    assert_eq!(ask(&server, &question(false)).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn latency_and_pace_take_their_time() {
    let slow = Answer::text("Hello").after(Duration::from_secs(5)).paced(Duration::from_secs(1));
    let server = ModelServer::start(Script::new().always(slow)).await.unwrap();
    let began = Instant::now();
    let answered = ask(&server, &question(true)).await;
    let pauses = answered.data().len() as u64 - 1;
    assert_eq!(began.elapsed().as_secs(), 5 + pauses);
}

#[tokio::test]
async fn answers_wait_behind_a_gate() {
    let gate = Gate::shut();
    let server = ModelServer::start(Script::new().always(Answer::text("x").behind(&gate))).await.unwrap();
    let question = question(false);
    let open = async {
        assert_eq!(server.until(|counters| counters.in_flight == 2).await.answered, 0);
        gate.open();
    };
    let (first, second, ()) = tokio::join!(ask(&server, &question), ask(&server, &question), open);
    assert_eq!((first.status, second.status), (200, 200));
}

#[tokio::test]
async fn requests_at_one_time_are_counted() {
    let gate = Gate::shut();
    let server = ModelServer::start(Script::new().always(Answer::text("x").behind(&gate))).await.unwrap();
    let mut streams = Vec::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(&post("/v1/messages", &question(true).to_string(), "close")).await.unwrap();
        streams.push(stream);
    }
    server.until(|counters| counters.in_flight == 8).await;
    drop(streams);
    let counters = server.until(|counters| counters.in_flight == 0).await;
    assert_eq!((counters.most_in_flight, counters.clients_left), (8, 8));
}
