//! A server that does on each connection what its script says, and remembers what it was sent.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes again and again, with pauses.
    Drip(Vec<u8>, Duration),
    /// Waits until the client goes away.
    Hang,
    /// Closes the connection in a hurry, so that the client sees a reset.
    Reset,
    /// Closes the connection.
    Close,
}

#[derive(Debug, Default)]
struct Seen {
    requests: Vec<String>,
    connections: usize,
}

pub(crate) struct Server {
    port: u16,
    seen: Arc<Mutex<Seen>>,
    left: Arc<Notify>,
}

impl Server {
    /// A server that answers the first request with the first script, and so on.
    pub(crate) async fn start(scripts: impl IntoIterator<Item = Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            seen: Arc::default(),
            left: Arc::new(Notify::new()),
        };
        let scripts: Arc<Mutex<VecDeque<Vec<Act>>>> = Arc::new(Mutex::new(scripts.into_iter().collect()));
        let (seen, left) = (server.seen.clone(), server.left.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                seen.lock().unwrap().connections += 1;
                tokio::spawn(connection(stream, scripts.clone(), seen.clone(), left.clone()));
            }
        });
        server
    }

    /// A server that sends one answer.
    pub(crate) async fn once(answer: Vec<u8>) -> Self {
        Self::start([vec![Act::Send(answer)]]).await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What was sent, head and body, one text for each request.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().requests.clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.seen.lock().unwrap().connections
    }

    /// Waits until a client has closed its connection while the server was hanging.
    pub(crate) async fn client_left(&self) {
        tokio::time::timeout(Duration::from_secs(5), self.left.notified()).await.expect("the client stays");
    }

    /// Removes what differs from run to run.
    pub(crate) fn blank(&self, text: &str) -> String {
        text.replace(&self.port.to_string(), "PORT")
    }
}

async fn connection(
    mut stream: TcpStream,
    scripts: Arc<Mutex<VecDeque<Vec<Act>>>>,
    seen: Arc<Mutex<Seen>>,
    left: Arc<Notify>,
) {
    while let Some(request) = read_request(&mut stream).await {
        seen.lock().unwrap().requests.push(request);
        let script = scripts.lock().unwrap().pop_front().unwrap_or_else(|| vec![Act::Close]);
        for act in script {
            match act {
                Act::Send(bytes) => {
                    if stream.write_all(&bytes).await.is_err() {
                        return;
                    }
                    // Each piece travels on its own.
                    stream.flush().await.unwrap();
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                Act::Drip(bytes, pause) => {
                    while stream.write_all(&bytes).await.is_ok() {
                        tokio::time::sleep(pause).await;
                    }
                    left.notify_one();
                    return;
                }
                Act::Hang => {
                    let mut rest = [0; 64];
                    while stream.read(&mut rest).await.is_ok_and(|count| 0 < count) {}
                    left.notify_one();
                    return;
                }
                Act::Reset => {
                    let std_stream = stream.into_std().unwrap();
                    // With unread bytes, or a linger of nothing, closing resets.
                    let socket = tokio::net::TcpStream::from_std(std_stream).unwrap();
                    let _ = socket.set_zero_linger();
                    return;
                }
                Act::Close => return,
            }
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(head) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            if head + 4 + length <= bytes.len() {
                return Some(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// A stream of events as an answer, in one chunk.
pub(crate) fn events(body: &str) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).into_bytes()
}

/// The beginning of a stream of events that is cut off by closing the connection.
pub(crate) fn endless(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{body}").into_bytes()
}

/// A JSON document as an answer.
pub(crate) fn json(status: &str, body: &str) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    format!("{head}\r\n\r\n{body}").into_bytes()
}
