//! What a call costs besides the network: time of the processor and memory. Run with
//! `cargo bench -p luminos-engine`.
//!
//! The server is another process, so that all that this one uses is ours: taking secrets out, estimating, the
//! gateway itself, the client, the decoding of the stream. What the kernel does for it (sockets, waiting) is told apart
//! from what runs in the program. Events come each on its own, as from a model that thinks, or all in one piece.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark prints, starts its server, and stops when it cannot go on"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use luminos_core::rate::Concurrency;
use luminos_core::spend::{Limits, Spending};
use luminos_engine::{Call, CallId, GatewayHandle, GatewaySetup, InputCount, Models, Pass, Request};
use luminos_model_server::{Answer, Cut, Lasts, ModelServer, Script, WireFault};
use luminos_models::{
    Anthropic, AnthropicSettings, AnyModel, HttpClient, Line, Message, Model as _, Reply, Scripted, Secret,
    TimeOuts, estimate_input, fingerprint, redact_request,
};
use rustix::time::{ClockId, clock_gettime};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// How many calls are in flight.
const IN_FLIGHT: usize = 64;
const CALLS: usize = IN_FLIGHT * 40;
const ROUNDS: usize = 5;
/// How many pieces of text an answer comes in: one of 1 KB, and a long one.
const PIECES: [usize; 2] = [60, 300];
/// How many calls hang when memory is measured: more, because the system counts in pages.
const HANGING: usize = 512;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("serve") => serve_plainly(arguments[1].parse().unwrap(), arguments[2] == "together"),
        Some("hang") => {
            let hang = WireFault::Hang(Cut::AfterEvents(5), Lasts::Forever);
            serve(Answer::text("A word or two.").with(hang));
        }
        Some("hold") => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let held = runtime.block_on(memory(&arguments[1], &request(arguments[2].parse().unwrap())));
            println!("{held:.1}");
        }
        Some(_) | None => measure(),
    }
}

/// Serves until standard input ends, which it does with the process that started this one.
fn serve(answer: Answer) {
    let server = ModelServer::start_on_thread(Script::new().always(answer), Default::default()).unwrap();
    println!("{}", server.url());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// Serves the same answer to everybody, its events each in a write of its own or all in one.
fn serve_plainly(pieces: usize, together: bool) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            std::thread::spawn(move || answer_all(stream, pieces, together));
        }
    });
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

fn answer_all(stream: TcpStream, pieces: usize, together: bool) {
    stream.set_nodelay(true).unwrap();
    let answer = plain_answer(pieces);
    let mut writing = stream.try_clone().unwrap();
    let mut reading = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if !matches!(reading.read_line(&mut line), Ok(1..)) {
                return;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        reading.read_exact(&mut vec![0; length]).unwrap();
        // Long enough that all the others have asked, too.
        std::thread::sleep(Duration::from_millis(5));
        let written = match together {
            true => writing.write_all(answer.concat().as_bytes()),
            false => answer.iter().try_for_each(|part| writing.write_all(part.as_bytes())),
        };
        if written.is_err() {
            return;
        }
    }
}

/// The parts of an answer: its head, and its events, a chunk each.
fn plain_answer(pieces: usize) -> Vec<String> {
    let begin = concat!(
        r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"#,
        r#""model":"m","stop_reason":null,"usage":{"input_tokens":300,"output_tokens":1}}}"#
    );
    let block = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    let delta =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"A word or two. "}}"#;
    let stop = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":300}}"#;
    let mut events = vec![("message_start", begin), ("content_block_start", block)];
    events.extend(vec![("content_block_delta", delta); pieces]);
    events.push(("content_block_stop", r#"{"type":"content_block_stop","index":0}"#));
    events.extend([("message_delta", stop), ("message_stop", r#"{"type":"message_stop"}"#)]);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut parts = vec![head.to_owned()];
    for (name, data) in events {
        let event = format!("event: {name}\ndata: {data}\n\n");
        parts.push(format!("{:x}\r\n{event}\r\n", event.len()));
    }
    parts.push("0\r\n\r\n".to_owned());
    parts
}

fn measure() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    println!("{IN_FLIGHT} calls in flight, each with          µs of CPU, median of {ROUNDS} (least–most)");
    for kilobytes in [1, 32] {
        let request = request(kilobytes << 10);
        let alone = rounds(|| runtime.block_on(gateway_alone(&request)));
        println!("{kilobytes:>3} KB, the gateway and no client    {alone}");
        for (part, run) in PARTS {
            println!("        of which {part:<24} {}", rounds(|| part_alone(&request, run)));
        }
        for (pieces, delivery) in
            PIECES.into_iter().flat_map(|pieces| [(pieces, "apart"), (pieces, "together")])
        {
            let server = Server::start(&["serve", &pieces.to_string(), delivery]);
            println!("{kilobytes:>3} KB, {pieces} pieces {delivery}");
            let client = split_rounds(|| runtime.block_on(client_alone(&server, &request)));
            println!("        the client and no gateway  {client}");
            let both = split_rounds(|| runtime.block_on(gateway_and_client(&server, &request)));
            println!("        both                       {both}");
        }
    }
    println!("\nmemory of a call in flight, its text apart, KB");
    let server = Server::start(&["hang"]);
    for kilobytes in [1, 32] {
        // In a process of its own, which has no memory left over from anything else.
        let mut command = Command::new(std::env::current_exe().unwrap());
        let held = command.args(["hold", &server.url, &(kilobytes << 10).to_string()]).output().unwrap();
        println!(
            "{kilobytes:>3} KB, both                         {}",
            String::from_utf8_lossy(&held.stdout).trim()
        );
    }
}

/// A conversation of so many bytes, most of them source code.
fn request(bytes: usize) -> Request {
    let source = include_str!("../src/gateway.rs");
    let code: String = source.chars().cycle().take(bytes * 7 / 8).collect();
    let mut request = Request::question(Pass::Dir, code, 1000);
    request.system = vec!["You look into directories. ".repeat(bytes / 8 / 27)];
    request
}

fn setup(model: AnyModel) -> GatewaySetup {
    GatewaySetup {
        models: BTreeMap::from([("m".to_owned(), model)]),
        facts: Models::read(Some("[scripted]\ninput = 1\noutput = 2\n")).unwrap(),
        input_count: InputCount::Estimated,
        limits: Limits { money: Some("1000".parse().unwrap()), ..Limits::default() },
        spent: Spending::default(),
        overseers: Vec::new(),
        lanes: luminos_engine::Lanes::default(),
        concurrency: Concurrency { initial: 1024, most: 1024 },
        patience: Duration::from_secs(600),
        start: Instant::now(),
        random: Box::new(|| 0),
    }
}

fn anthropic(url: &str) -> AnyModel {
    let time_outs = TimeOuts { connect: Duration::from_secs(20), ..TimeOuts::default() };
    let settings = AnthropicSettings {
        base_url: url.to_owned(),
        ..AnthropicSettings::new("claude-sonnet-5-5", Secret::new("sk-none".to_owned()))
    };
    AnyModel::Anthropic(
        Anthropic::new(HttpClient::new(time_outs, &luminos_models::Network::default()).unwrap(), settings)
            .unwrap(),
    )
}

/// A part of the work, alone.
type Part = fn(&mut Request);

/// What the gateway does with the text of a request.
const PARTS: [(&str, Part); 3] = [
    ("taking secrets out", |request| {
        black_box(redact_request(request));
    }),
    ("estimating", |request| {
        black_box(estimate_input(request));
    }),
    ("the fingerprint", |request| {
        black_box(fingerprint("m", request));
    }),
];

fn part_alone(request: &Request, run: fn(&mut Request)) -> f64 {
    let mut request = request.clone();
    let before = cpu();
    for _ in 0..CALLS {
        run(&mut request);
    }
    (cpu() - before).as_secs_f64() * 1e6 / CALLS as f64
}

/// Microseconds of CPU for a call.
async fn gateway_alone(request: &Request) -> f64 {
    let reply = || Line::Reply(Reply::of_text("A word or two. ".repeat(60)));
    let model = AnyModel::Scripted(Scripted::new((0..CALLS).map(|_| reply())));
    let gateway = GatewayHandle::start(setup(model)).await.unwrap();
    calls(&gateway, request).await
}

async fn gateway_and_client(server: &Server, request: &Request) -> f64 {
    let gateway = GatewayHandle::start(setup(anthropic(&server.url))).await.unwrap();
    calls(&gateway, request).await
}

async fn calls(gateway: &GatewayHandle, request: &Request) -> f64 {
    // The first calls pay for what is made once.
    call_each(gateway, request, IN_FLIGHT, "warm").await;
    let before = cpu();
    call_each(gateway, request, CALLS - IN_FLIGHT, "call").await;
    let used = cpu() - before;
    gateway.stop();
    used.as_secs_f64() * 1e6 / (CALLS - IN_FLIGHT) as f64
}

async fn call_each(gateway: &GatewayHandle, request: &Request, calls: usize, name: &str) {
    let mut callers = JoinSet::new();
    for caller in 0..IN_FLIGHT {
        let (gateway, request, name) = (gateway.clone(), request.clone(), name.to_owned());
        callers.spawn(async move {
            for turn in 0..calls / IN_FLIGHT {
                let id = CallId(format!("{name}/{caller}/{turn}/1"));
                gateway.complete(Call::new("m", request.clone()).with_id(id)).await.unwrap();
            }
        });
    }
    callers.join_all().await;
}

async fn client_alone(server: &Server, request: &Request) -> f64 {
    let model = std::sync::Arc::new(anthropic(&server.url));
    let before = cpu();
    let mut callers = JoinSet::new();
    for _ in 0..IN_FLIGHT {
        let (model, request) = (model.clone(), request.clone());
        callers.spawn(async move {
            for _ in 0..CALLS / IN_FLIGHT {
                model.complete(&request).await.unwrap();
            }
        });
    }
    callers.join_all().await;
    (cpu() - before).as_secs_f64() * 1e6 / CALLS as f64
}

/// Kilobytes that a call holds beyond its own text.
async fn memory(url: &str, request: &Request) -> f64 {
    let gateway = GatewayHandle::start(setup(anthropic(url))).await.unwrap();
    let text: usize = request.system.iter().map(String::len).sum::<usize>()
        + request.messages.iter().map(|message| format!("{message:?}").len()).sum::<usize>();
    assert!(matches!(request.messages[0], Message::User(_)));
    let before = resident();
    let mut callers = JoinSet::new();
    for _ in 0..HANGING {
        let (gateway, request) = (gateway.clone(), request.clone());
        callers.spawn(async move { gateway.complete(Call::new("m", request)).await.map(drop) });
    }
    while gateway.totals().await.unwrap().in_flight < HANGING as u64 {
        tokio::task::yield_now().await;
    }
    // Each has got the beginning of its answer.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let held = (resident() - before) / HANGING as f64 - text as f64;
    callers.shutdown().await;
    gateway.stop();
    held / 1024.0
}

fn rounds(mut run: impl FnMut() -> f64) -> String {
    let mut results: Vec<f64> = (0..ROUNDS).map(|_| run()).collect();
    results.sort_by(f64::total_cmp);
    format!("{:>6.0} ({:.0}–{:.0})", results[ROUNDS / 2], results[0], results[ROUNDS - 1])
}

/// The same, with what of it ran in the program and not in the kernel.
fn split_rounds(mut run: impl FnMut() -> f64) -> String {
    let mut own: Vec<f64> = Vec::new();
    let all = rounds(|| {
        let before = ticks();
        let used = run();
        let (user, system) = (ticks().0 - before.0, ticks().1 - before.1);
        own.push(used * user / (user + system).max(1.0));
        used
    });
    own.sort_by(f64::total_cmp);
    format!("{all}, in the program {:>4.0} ({:.0}–{:.0})", own[ROUNDS / 2], own[0], own[ROUNDS - 1])
}

/// Time of this process in the program and in the kernel, in the system's own units.
fn ticks() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse().unwrap(), fields[12].parse().unwrap())
}

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap())
}

fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: f64 = status.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096.0
}

/// A server in a process of its own, which ends with this value.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(play: &[&str]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut process = command.args(play).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { process, url: url.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
