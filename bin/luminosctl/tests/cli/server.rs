//! A small HTTP server on the loopback interface, which answers as a test says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub(crate) struct Server {
    address: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server that answers each request, head and body in one text, with these bytes.
    pub(crate) fn new(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let server = Self { address, heard: heard.clone() };
        // It ends with the test's process.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read_request(&stream);
                let bytes = answer(&request);
                heard.lock().unwrap().push(request);
                // A client that has heard enough may have left.
                let _ = stream.write_all(bytes.as_bytes());
            }
        });
        server
    }

    /// A server that streams chat completions.
    pub(crate) fn chat(texts: &'static [&'static str]) -> Self {
        Self::new(move |request| {
            if request.starts_with("GET") {
                return document(200, r#"{"object":"list","data":[{"id":"tiny"},{"id":"small"}]}"#);
            }
            chat_stream(texts, "stop")
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// A text without the port, which differs each time.
    pub(crate) fn blanked(&self, text: impl ToString) -> String {
        text.to_string().replace(&self.address, "[SERVER]")
    }
}

pub(crate) fn chat_stream(texts: &[&str], finish: &str) -> String {
    let mut answer =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_owned();
    let mut data = |json: serde_json::Value| answer.push_str(&format!("data: {json}\n\n"));
    for text in texts {
        data(serde_json::json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }));
    }
    data(serde_json::json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] }));
    data(serde_json::json!({ "choices": [], "usage": { "prompt_tokens": 9, "completion_tokens": 3 } }));
    answer.push_str("data: [DONE]\n\n");
    answer
}

pub(crate) fn document(status: u16, json: &str) -> String {
    let length = json.len();
    format!(
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{json}"
    )
}

fn read_request(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or_default() == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        request.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    request + "\r\n" + &String::from_utf8(body).unwrap()
}
