//! Runs a program once, and leaves nothing behind.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};

use luminos_core::Untrusted;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, Command};
use tokio::sync::Notify;

use super::places::{self, find_program};
use super::{CommandSettings, Workplace, output};
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
    place: &Workplace,
    arguments: &[OsString],
    prompt: Vec<u8>,
    hear: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<Vec<u8>, Error> {
    let running = run_to_end(settings, place, arguments, prompt, hear);
    match tokio::time::timeout(settings.time_limit, running).await {
        Ok(result) => result,
        Err(_) => {
            Err(error(settings, Kind::ProgramTimeout)
                .message(format!("the limit is {:?}", settings.time_limit)))
        }
    }
}

/// The process to start: the program itself, or its launcher.
fn command(settings: &CommandSettings, place: &Workplace, arguments: &[OsString]) -> Result<Command, Error> {
    let template = &settings.template;
    let path = settings.variables.get("PATH").map(OsString::as_os_str);
    let program =
        find_program(&template.program, path).ok_or_else(|| error(settings, Kind::ProgramMissing))?;
    let mut command = match &settings.launcher {
        None => {
            let mut command = Command::new(&program);
            command.args(arguments).process_group(0).kill_on_drop(true);
            command
        }
        Some(launcher) => {
            let readable = places::readable(&program, &settings.variables);
            let mut writable = places::writable(template.own.as_ref(), &settings.variables);
            writable.push(place.whole().to_owned());
            let arguments = launcher.arguments(&place.empty(), &readable, &writable, &program, arguments);
            let mut command = Command::new(&launcher.program);
            command.args(arguments).process_group(0);
            command
        }
    };
    let temporary = place.temporary();
    command
        .env_clear()
        .envs(&settings.variables)
        .env("TMPDIR", &temporary)
        .env("XDG_CACHE_HOME", temporary.join("cache"))
        // Claude has a place of its own for temporary files, which others can see.
        .env("CLAUDE_CODE_TMPDIR", &temporary)
        .current_dir(place.empty())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

async fn run_to_end(
    settings: &CommandSettings,
    place: &Workplace,
    arguments: &[OsString],
    prompt: Vec<u8>,
    hear: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<Vec<u8>, Error> {
    let mut child = command(settings, place, arguments)?
        .spawn()
        .map_err(|source| error(settings, Kind::ProgramMissing).source_error(source))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let is_launched = settings.launcher.is_some();
    // A launcher ends by itself when its standard input closes, and has more to end than a group.
    let group = child.id().filter(|_| !is_launched).and_then(|id| Pid::from_raw(id.cast_signed())).map(Group);
    let over = Notify::new();

    let end = || {
        group.iter().for_each(Group::end);
        over.notify_one();
    };
    let wait = async {
        let status = child.wait().await;
        // What the program has left running must neither go on nor hold its output open.
        end();
        status
    };
    let print = async {
        let printed = read_all(stdout, settings.max_bytes, hear).await;
        if printed.is_none() {
            end();
        }
        printed
    };
    let ask = async {
        let lifeline = write_all(stdin, prompt, is_launched).await;
        if is_launched {
            over.notified().await;
        }
        drop(lifeline);
    };
    let (status, printed, complaint, ()) = tokio::join!(wait, print, read_tail(stderr), ask);
    let Some(printed) = printed else {
        let message = format!("it printed more than {} bytes", settings.max_bytes);
        return Err(error(settings, Kind::AnswerTooLarge).message(message));
    };
    let status = status.map_err(|source| error(settings, Kind::ProgramFailed).source_error(source))?;
    if status.success() { Ok(printed) } else { Err(failed(settings, status, &printed, &complaint)) }
}

/// A program may end without reading its whole prompt; then its exit status tells more than this would. A launcher is
/// told how long the prompt is, since its input stays open.
async fn write_all(stdin: Option<ChildStdin>, prompt: Vec<u8>, is_launched: bool) -> Option<ChildStdin> {
    let mut stdin = stdin?;
    if is_launched {
        let _ = stdin.write_all(&(prompt.len() as u64).to_le_bytes()).await;
    }
    let _ = stdin.write_all(&prompt).await;
    Some(stdin)
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

/// The reason is where the program put it: in what it printed as an answer, or in its complaints.
fn failed(settings: &CommandSettings, status: ExitStatus, printed: &[u8], complaint: &[u8]) -> Error {
    if let Some(reason) = output::reason(settings.template.prints, printed) {
        return output::failed(settings, reason);
    }
    let complaint = inert(String::from_utf8_lossy(complaint).trim());
    let message = if complaint.is_empty() { status.to_string() } else { format!("{status}: {complaint}") };
    output::failed(settings, message)
}

/// What a program said, so that it can be shown: without secrets, without control characters, its end.
pub(super) fn inert(text: &str) -> String {
    let text = Untrusted::new(redact(text).text.as_bytes()).for_terminal();
    let surplus = text.chars().count().saturating_sub(SHOWN_COMPLAINT_CHARS);
    if surplus == 0 { text } else { format!("…{}", text.chars().skip(surplus).collect::<String>()) }
}

pub(super) fn error(settings: &CommandSettings, kind: Kind) -> Error {
    let shown = Untrusted::new(settings.template.program.as_bytes()).for_terminal();
    Error::new(kind, format!("the program `{shown}`"))
}
