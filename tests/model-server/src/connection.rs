//! Carries out steps on a connection, and notices when the client leaves.

use std::future::pending;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::yield_now;

use crate::http::{self, Broken, Request};
use crate::record::{Outcome, Record};
use crate::step::Step;

/// Decides what is done with a request.
pub(crate) trait Service: Send + Sync {
    /// The steps that answer it. Its number is that of the record.
    fn answer(&self, number: u64, request: &Request) -> Vec<Step>;
    /// The steps for what is too large to be read.
    fn too_large(&self, request: &Request) -> Vec<Step>;
    /// Called when the answer to a request begins.
    fn begun(&self, number: u64);
    /// Where everything is noted.
    fn record(&self) -> &Record;
}

/// How the steps ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Complete,
    /// Complete, and nothing more can follow.
    Finished,
    /// By the server, in order or not.
    Closed,
    ClientLeft,
}

/// A request being answered; whatever happens to the task, the record learns of its end.
struct Open<'a> {
    record: &'a Record,
    number: u64,
    outcome: Outcome,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.record.end(self.number, self.outcome);
    }
}

/// Answers the requests of one connection until one side closes it.
pub(crate) async fn serve(mut stream: TcpStream, connection: u64, service: &dyn Service) {
    let mut buffer = Vec::new();
    // Without this the system would join small pieces.
    let _ = stream.set_nodelay(true);
    loop {
        let request = match http::read_request(&mut stream, &mut buffer).await {
            Ok(request) => request,
            Err(Broken::TooLarge(request)) => {
                let steps = service.too_large(&request);
                let number = service.record().begin(connection, request);
                let mut open = Open { record: service.record(), number, outcome: Outcome::CutOff };
                perform(&mut stream, &mut buffer, steps, service, number).await;
                open.outcome = Outcome::Answered;
                return;
            }
            Err(Broken::Malformed(_)) => {
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
                return;
            }
            Err(Broken::Left | Broken::Io(_)) => return,
        };
        if request.header("expect").is_some() {
            let _ = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await;
        }
        let wants_close = request.wants_close();
        let number = service.record().begin(connection, request.clone());
        let mut open = Open { record: service.record(), number, outcome: Outcome::CutOff };
        let steps = service.answer(number, &request);
        let ended = perform(&mut stream, &mut buffer, steps, service, number).await;
        open.outcome = match ended {
            Ended::Complete | Ended::Finished => Outcome::Answered,
            Ended::Closed => Outcome::CutOff,
            Ended::ClientLeft => Outcome::ClientLeft,
        };
        drop(open);
        if wants_close || ended != Ended::Complete {
            return;
        }
    }
}

async fn perform(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
    steps: Vec<Step>,
    service: &dyn Service,
    number: u64,
) -> Ended {
    for step in steps {
        let sent = match step {
            Step::Begun => {
                service.begun(number);
                Ok(())
            }
            Step::Send(bytes) => send(stream, &bytes, service.record()).await,
            Step::Pause(time) if time.is_zero() => {
                yield_now().await;
                Ok(())
            }
            Step::Pause(time) => tokio::select! {
                () = tokio::time::sleep(time) => Ok(()),
                () = left(stream, buffer) => return Ended::ClientLeft,
            },
            Step::Wait(gate) => tokio::select! {
                () = gate.passed() => Ok(()),
                () = left(stream, buffer) => return Ended::ClientLeft,
            },
            Step::Hang => {
                left(stream, buffer).await;
                return Ended::ClientLeft;
            }
            Step::Endless(bytes) => loop {
                if let Err(error) = send(stream, &bytes, service.record()).await {
                    break Err(error);
                }
            },
            Step::Finish => {
                let _ = stream.shutdown().await;
                return Ended::Finished;
            }
            Step::Close => {
                let _ = stream.shutdown().await;
                return Ended::Closed;
            }
            Step::Reset => {
                let _ = stream.set_zero_linger();
                return Ended::Closed;
            }
        };
        if sent.is_err() {
            return Ended::ClientLeft;
        }
    }
    Ended::Complete
}

async fn send(stream: &mut TcpStream, bytes: &[u8], record: &Record) -> std::io::Result<()> {
    stream.write_all(bytes).await?;
    record.count(|counters| counters.bytes_sent += bytes.len() as u64);
    Ok(())
}

/// Waits until the client closes. What it still sends is kept for the next request.
async fn left(stream: &mut TcpStream, buffer: &mut Vec<u8>) {
    const MOST_AHEAD: usize = 1 << 20;
    while buffer.len() < MOST_AHEAD {
        match stream.read_buf(buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    pending::<()>().await;
}
