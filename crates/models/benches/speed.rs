//! How fast streams are parsed, secrets looked for and calls made. Run with `cargo bench -p luminos-models`.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops when it cannot go on"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use luminos_models::{
    Anthropic, AnthropicSettings, Dialect, EventTooLarge, HttpClient, Model, Pass, Request, Secret,
    SseParser, TimeOuts, decode_stream, estimate_text, redact,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// What the network hands over at a time.
const PIECE: usize = 16 << 10;
const CALLS_IN_FLIGHT: usize = 64;
const CALLS: usize = 64 * 40;

fn main() {
    let messages = messages_stream(20_000);
    let chat = chat_stream(20_000);
    throughput("events of the Messages API", &messages, count_events);
    throughput("events of chat completions", &chat, count_events);
    throughput("Messages API, whole answer", &messages, |stream| {
        decode_stream(Dialect::Messages, stream.chunks(PIECE)).unwrap().content.len()
    });
    throughput("chat completions, whole answer", &chat, |stream| {
        decode_stream(Dialect::Chat, stream.chunks(PIECE)).unwrap().content.len()
    });
    let source = include_str!("../src/http.rs").repeat(100);
    throughput("redaction of source code", source.as_bytes(), |_| redact(&source).count);
    throughput("estimate of tokens", source.as_bytes(), |_| {
        usize::try_from(estimate_text(&source).0).unwrap_or(usize::MAX)
    });
    calls();
}

fn throughput(name: &str, bytes: &[u8], run: impl Fn(&[u8]) -> usize) {
    let mut best = Duration::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        black_box(run(black_box(bytes)));
        best = best.min(start.elapsed());
    }
    let megabytes = bytes.len() as f64 / 1e6;
    println!("{name:<34} {:>8.0} MB/s ({megabytes:.1} MB)", megabytes / best.as_secs_f64());
}

fn count_events(stream: &[u8]) -> usize {
    let mut parser = SseParser::new();
    let mut events = 0;
    for piece in stream.chunks(PIECE) {
        let counted: Result<(), EventTooLarge> = parser.push(piece, |event| {
            events += usize::from(!event.data.is_empty());
            Ok(())
        });
        counted.unwrap();
    }
    events
}

fn messages_stream(deltas: usize) -> Vec<u8> {
    let event = |kind: &str, rest: &str| format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n");
    let mut stream =
        event("message_start", ",\"message\":{\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}");
    stream +=
        &event("content_block_start", ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}");
    for number in 0..deltas {
        let delta =
            format!(",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\" word{number}\\n\"}}");
        stream += &event("content_block_delta", &delta);
    }
    stream += &event("content_block_stop", ",\"index\":0");
    stream +=
        &event("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}");
    stream += &event("message_stop", "");
    stream.into_bytes()
}

fn chat_stream(deltas: usize) -> Vec<u8> {
    let mut stream = String::new();
    for number in 0..deltas {
        stream += &format!(
            "data: {{\"choices\":[{{\"finish_reason\":null,\"index\":0,\"delta\":{{\"content\":\" word{number}\\n\"}}}}],\
             \"created\":1794789121,\"id\":\"chatcmpl-0123456789abcdef0123456789abcdef\",\"model\":\"some-model\",\
             \"system_fingerprint\":\"b0-unknown\",\"object\":\"chat.completion.chunk\"}}\n\n"
        );
    }
    stream +=
        "data: {\"choices\":[{\"finish_reason\":\"stop\",\"index\":0,\"delta\":{}}]}\n\ndata: [DONE]\n\n";
    stream.into_bytes()
}

/// Calls with many in flight, against a server in the same process, whose work is counted as well.
fn calls() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (cpu, wall, growth) = runtime.block_on(async {
        let body = messages_stream(200);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let answer: Arc<[u8]> = [head.as_bytes(), &body].concat().into();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let answer = answer.clone();
                tokio::spawn(async move {
                    let mut request = [0; 16 << 10];
                    let _ = stream.read(&mut request).await;
                    let _ = stream.write_all(&answer).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        let http = HttpClient::new(TimeOuts::default(), &luminos_models::Network::default()).unwrap();
        let key = Secret::new("sk-none".to_owned());
        let settings = AnthropicSettings { base_url: url, ..AnthropicSettings::new("m", key) };
        let model = Arc::new(Anthropic::new(http, settings).unwrap());
        let request = Arc::new(Request::question(Pass::Ask, "word ".repeat(500), 100));
        model.complete(&request).await.unwrap();

        let (cpu, memory, start) = (cpu_time(), resident_bytes(), Instant::now());
        let callers: Vec<_> = (0..CALLS_IN_FLIGHT)
            .map(|_| {
                let (model, request) = (model.clone(), request.clone());
                tokio::spawn(async move {
                    for _ in 0..CALLS / CALLS_IN_FLIGHT {
                        model.complete(&request).await.unwrap();
                    }
                })
            })
            .collect();
        for caller in callers {
            caller.await.unwrap();
        }
        (cpu_time() - cpu, start.elapsed(), resident_bytes().saturating_sub(memory))
    });
    println!(
        "{CALLS} calls, {CALLS_IN_FLIGHT} in flight:      {:.0} µs CPU each with the server's part, {:.0} µs wall, \
         {} KB more memory per call in flight",
        cpu.as_secs_f64() * 1e6 / CALLS as f64,
        wall.as_secs_f64() * 1e6 / CALLS as f64,
        growth / 1024 / CALLS_IN_FLIGHT as u64,
    );
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}
