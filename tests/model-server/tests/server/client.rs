//! A client that shows bytes as they come.

use std::io::ErrorKind;

use luminos_model_server::ModelServer;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What came over a connection, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) bytes: Vec<u8>,
    pub(crate) ended: Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    InOrder,
    Reset,
}

/// An answer taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether all came that the head promised.
    pub(crate) is_complete: bool,
}

impl Answered {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The data of all events.
    pub(crate) fn data(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.filter_map(|data| serde_json::from_str(data).ok()).collect()
    }
}

/// A question of the messages interface that is in order.
pub(crate) fn question(stream: bool) -> Value {
    json!({
        "model": "claude-haiku-5-5", "max_tokens": 4000, "stream": stream,
        "messages": [{ "role": "user", "content": "hi" }],
        "tools": [{ "name": "read", "input_schema": { "type": "object" } }],
    })
}

/// The same for chat completions.
pub(crate) fn chat_question(stream: bool) -> Value {
    let mut body = json!({
        "model": "local-small", "stream": stream, "messages": [{ "role": "user", "content": "hi" }],
        "tools": [{ "type": "function", "function": { "name": "read", "parameters": { "type": "object" } } }],
    });
    if stream {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body
}

pub(crate) fn post(path: &str, body: &str, connection: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n\
         content-type: application/json\r\nconnection: {connection}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Sends bytes and reads until the connection ends.
pub(crate) async fn exchange(server: &ModelServer, request: &[u8]) -> Seen {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut bytes = Vec::new();
    let ended = match stream.read_to_end(&mut bytes).await {
        Ok(_) => Ended::InOrder,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => Ended::Reset,
        Err(error) => panic!("{error}"),
    };
    Seen { bytes, ended }
}

/// Asks the messages interface.
pub(crate) async fn ask(server: &ModelServer, body: &Value) -> Answered {
    take_apart(&exchange(server, &post("/v1/messages", &body.to_string(), "close")).await.bytes)
}

/// Asks chat completions.
pub(crate) async fn ask_chat(server: &ModelServer, body: &Value) -> Answered {
    take_apart(&exchange(server, &post("/v1/chat/completions", &body.to_string(), "close")).await.bytes)
}

/// Head and body out of raw bytes, chunks put together.
pub(crate) fn take_apart(bytes: &[u8]) -> Answered {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a whole head");
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| line.split_once(':').unwrap());
    let headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
    let rest = &bytes[end + 4..];
    let mut answered = Answered { status, headers, body: rest.to_vec(), is_complete: true };
    if answered.header("transfer-encoding") == Some("chunked") {
        (answered.body, answered.is_complete) = join_chunks(rest);
    } else if let Some(length) = answered.header("content-length") {
        answered.is_complete = length.parse::<usize>().unwrap() == rest.len();
    }
    answered
}

fn join_chunks(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        let from = end + 2;
        if size == 0 {
            return (body, &rest[from..] == b"\r\n");
        }
        let to = (from + size).min(rest.len());
        body.extend_from_slice(&rest[from..to]);
        rest = rest.get(to + 2..).unwrap_or_default();
    }
    (body, false)
}
