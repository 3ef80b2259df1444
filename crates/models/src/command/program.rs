//! Runs a program once, and leaves nothing behind.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};

use luminos_core::Untrusted;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, Command};

use super::CommandSettings;
use crate::error::{Error, Kind};
use crate::redact::redact;

/// How much of what a program complains is kept: the end, where the reason usually is.
const KEPT_COMPLAINT_BYTES: usize = 4096;
const SHOWN_COMPLAINT_CHARS: usize = 300;

/// A process group that ends with this value.
struct Group(Pid);

impl Group {
    fn end(&self) {
        // It may have ended by itself, which is as good.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a program printed, if it ended well. The listener hears it while it is printed.
pub(super) async fn run(
    settings: &CommandSettings,
    arguments: &[OsString],
    prompt: Vec<u8>,
    hear: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<Vec<u8>, Error> {
    let running = run_to_end(settings, arguments, prompt, hear);
    match tokio::time::timeout(settings.time_limit, running).await {
        Ok(result) => result,
        Err(_) => {
            Err(error(settings, Kind::ProgramTimeout)
                .message(format!("the limit is {:?}", settings.time_limit)))
        }
    }
}

async fn run_to_end(
    settings: &CommandSettings,
    arguments: &[OsString],
    prompt: Vec<u8>,
    hear: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<Vec<u8>, Error> {
    let mut child = Command::new(&settings.template.program)
        .args(arguments)
        .env_clear()
        .envs(&settings.variables)
        .current_dir(&settings.dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(|source| error(settings, Kind::ProgramMissing).source_error(source))?;
    let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed())).map(Group);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());

    let end_group = || group.iter().for_each(Group::end);
    let wait = async {
        let status = child.wait().await;
        // What the program has left running must neither go on nor hold its output open.
        end_group();
        status
    };
    let print = async {
        let printed = read_all(stdout, settings.max_bytes, hear).await;
        if printed.is_none() {
            end_group();
        }
        printed
    };
    let (status, printed, complaint, ()) =
        tokio::join!(wait, print, read_tail(stderr), write_all(stdin, prompt));
    let Some(printed) = printed else {
        let message = format!("it printed more than {} bytes", settings.max_bytes);
        return Err(error(settings, Kind::AnswerTooLarge).message(message));
    };
    let status = status.map_err(|source| error(settings, Kind::ProgramFailed).source_error(source))?;
    if status.success() { Ok(printed) } else { Err(failed(settings, status, &complaint)) }
}

/// A program may end without reading its whole prompt; then its exit status tells more than this would.
async fn write_all(stdin: Option<ChildStdin>, prompt: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&prompt).await;
    }
}

/// All that comes, or `None` if it is too much.
async fn read_all(
    pipe: Option<impl AsyncRead + Unpin>,
    max_bytes: usize,
    hear: &mut (dyn FnMut(&[u8]) + Send),
) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let Some(mut pipe) = pipe else { return Some(bytes) };
    let mut before = 0;
    // A pipe that breaks has ended.
    while let Ok(1..) = pipe.read_buf(&mut bytes).await {
        if max_bytes < bytes.len() {
            return None;
        }
        hear(&bytes[before..]);
        before = bytes.len();
    }
    Some(bytes)
}

async fn read_tail(pipe: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut tail = Vec::new();
    let Some(mut pipe) = pipe else { return tail };
    let mut buffer = [0; KEPT_COMPLAINT_BYTES];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        tail.extend_from_slice(&buffer[..count]);
        let surplus = tail.len().saturating_sub(KEPT_COMPLAINT_BYTES);
        tail.drain(..surplus);
    }
    tail
}

fn failed(settings: &CommandSettings, status: ExitStatus, complaint: &[u8]) -> Error {
    let complaint = inert(String::from_utf8_lossy(complaint).trim());
    let message = if complaint.is_empty() { status.to_string() } else { format!("{status}: {complaint}") };
    error(settings, Kind::ProgramFailed).message(message)
}

/// What a program said, so that it can be shown: without secrets, without control characters, its end.
pub(super) fn inert(text: &str) -> String {
    let text = Untrusted::new(redact(text).text.as_bytes()).for_terminal();
    let surplus = text.chars().count().saturating_sub(SHOWN_COMPLAINT_CHARS);
    if surplus == 0 { text } else { format!("…{}", text.chars().skip(surplus).collect::<String>()) }
}

fn error(settings: &CommandSettings, kind: Kind) -> Error {
    let shown = Untrusted::new(settings.template.program.as_bytes()).for_terminal();
    Error::new(kind, format!("the program `{shown}`"))
}
