//! The providers against a server on this machine that behaves, and misbehaves, like real ones.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod bodies;
mod events;
mod faults;
mod learning;
mod recordings;
mod talks;

use std::sync::LazyLock;
use std::time::Duration;

use luminos_model_server::{Answer, Matcher, ModelServer, Received, Script, Step};
use luminos_models::{
    Anthropic, AnthropicSettings, AnyModel, Error, HttpClient, Model, OpenAi, OpenAiSettings, Pass, Request,
    Secret, TimeOuts,
};

/// A key that must never be seen anywhere but in its header.
const CANARY: &str = "sk-ant-CANARY-0123456789abcdefghij";

/// Patient enough for a busy machine. Made once: reading the machine's certificates takes a while.
fn patient() -> HttpClient {
    static PATIENT: LazyLock<HttpClient> = LazyLock::new(|| {
        let seconds = Duration::from_secs;
        let time_outs = TimeOuts { connect: seconds(20), idle: seconds(40), total: seconds(120) };
        HttpClient::new(time_outs, &luminos_models::Network::default()).unwrap()
    });
    PATIENT.clone()
}

/// For tests in which waiting is the point.
fn impatient() -> HttpClient {
    let milliseconds = Duration::from_millis;
    let time_outs =
        TimeOuts { connect: milliseconds(500), idle: milliseconds(400), total: milliseconds(1500) };
    HttpClient::new(time_outs, &luminos_models::Network::default()).unwrap()
}

fn anthropic(server: &ModelServer) -> Anthropic {
    anthropic_over(patient(), &server.url())
}

fn anthropic_over(http: HttpClient, url: &str) -> Anthropic {
    let settings = AnthropicSettings {
        base_url: url.to_owned(),
        ..AnthropicSettings::new("claude-sonnet-5-5", Secret::new(CANARY.to_owned()))
    };
    Anthropic::new(http, settings).unwrap()
}

fn openai(server: &ModelServer) -> OpenAi {
    openai_over(patient(), &server.url())
}

fn openai_over(http: HttpClient, url: &str) -> OpenAi {
    let settings = OpenAiSettings {
        key: Some(Secret::new(CANARY.to_owned())),
        ..OpenAiSettings::new("local-small", format!("{url}/v1"))
    };
    OpenAi::new(http, settings).unwrap()
}

/// A model behind each interface.
fn both(http: &HttpClient, url: &str) -> [AnyModel; 2] {
    [AnyModel::Anthropic(anthropic_over(http.clone(), url)), AnyModel::OpenAi(openai_over(http.clone(), url))]
}

fn question() -> Request {
    Request::question(Pass::Ask, "Hello?", 500)
}

/// A server that sends exactly these bytes, whatever it is asked, one answer after the other.
async fn plays(answers: impl IntoIterator<Item = Vec<Step>>) -> ModelServer {
    let answers = answers.into_iter().map(Answer::raw);
    ModelServer::start(Script::new().when(Matcher::any(), answers)).await.unwrap()
}

fn send(bytes: impl Into<Vec<u8>>) -> Vec<Step> {
    vec![Step::Send(bytes.into()), Step::Finish]
}

/// A stream of events as an answer, in one chunk.
fn events(body: &str) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).into_bytes()
}

/// A JSON document as an answer.
fn json(status: &str, body: &str) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    format!("{head}\r\n\r\n{body}").into_bytes()
}

/// What a server received, as one text: the head with its headers in order, then the body.
fn text(received: &Received) -> String {
    let request = &received.request;
    let mut headers: Vec<String> =
        request.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    headers.sort_unstable();
    let body = String::from_utf8_lossy(&request.body);
    format!("{} {} HTTP/1.1\n{}\n\n{body}", request.method, request.path, headers.join("\n"))
}

/// Removes what differs from run to run.
fn blank(server: &ModelServer, text: &str) -> String {
    text.replace(&server.address().port().to_string(), "PORT")
}

/// The words a user sees, with all causes.
fn words(server: &ModelServer, error: &Error) -> String {
    blank(server, &luminos_core::Failure::new(error, error.hint()).to_string())
}

/// Asks, and expects to fail.
async fn failure(model: &impl Model, request: &Request) -> Error {
    match model.complete(request).await {
        Ok(reply) => panic!("an answer: {reply:?}"),
        Err(error) => error,
    }
}
