//! Runs a program once, and leaves nothing behind.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use luminos_core::Untrusted;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, Command};
use tokio::sync::Notify;

use super::places::{self, find_program};
use super::{CommandSettings, OwnHome, Workplace, output};
use crate::error::{Error, Kind};
use crate::redact::redact;

/// How much of what a program complains is kept: the end, where the reason usually is. A secret in it must be whole, or it
/// would not be recognised.
const KEPT_COMPLAINT_BYTES: usize = 64 << 10;
const SHOWN_COMPLAINT_CHARS: usize = 1000;
/// Where a program begins to speak to those who make it.
const BACKTRACE: &str = "Stack backtrace:";

/// Where programs are looked for if nobody says.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

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

/// The program's file. What it consists of must not come from the target.
fn file_of(settings: &CommandSettings) -> Result<PathBuf, Error> {
    let path = settings.variables.get("PATH").map_or(OsStr::new(USUAL_PATH), OsString::as_os_str);
    let program = find_program(&settings.template.program, Some(path));
    let program = program.ok_or_else(|| error(settings, Kind::ProgramMissing))?;
    if settings.apart.holds(&program) {
        let words = "lies inside the directory that is looked at, of which nothing is used as a program";
        return Err(misplaced(settings, &program, words));
    }
    Ok(program)
}

/// Its own configuration.
struct Own {
    /// The variable that names it, if it is not where it usually is.
    variable: Option<(&'static str, PathBuf)>,
    /// What of it the program writes.
    writable: Vec<PathBuf>,
    /// A copy, what it is a copy of, and how it was made.
    copy: Option<(OwnHome, PathBuf, PathBuf)>,
}

impl Own {
    fn of(settings: &CommandSettings, place: &Workplace) -> Result<Self, Error> {
        let own = settings.template.own.as_ref();
        let places = places::own_places(own, &settings.variables);
        if let Some(inside) = places.iter().find(|path| settings.apart.holds(path)) {
            let words = "lies inside the directory that is looked at, of which nothing is configuration";
            return Err(misplaced(settings, inside, words));
        }
        let copied = own.and_then(|own| Some((own.variable, own.private.as_ref()?)));
        let (Some((variable, home)), [original]) = (copied, places.as_slice()) else {
            return Ok(Self { variable: None, writable: places, copy: None });
        };
        let copy = place.own_home();
        let outside = home.make(original, &copy).map_err(|source| {
            let shown = Untrusted::new(original.as_os_str().as_encoded_bytes()).for_terminal();
            let words = format!("its configuration in `{shown}` cannot be read");
            error(settings, Kind::Misconfigured).message(words).source_error(source)
        })?;
        let (home, original) = (home.clone(), original.clone());
        let writable = places.into_iter().chain(outside).collect();
        Ok(Self { variable: Some((variable, copy.clone())), writable, copy: Some((home, original, copy)) })
    }
}

/// The process to start: the program itself, or its launcher.
fn command(
    settings: &CommandSettings,
    place: &Workplace,
    own: &Own,
    arguments: &[OsString],
) -> Result<Command, Error> {
    let program = file_of(settings)?;
    let mut command = match &settings.launcher {
        None => {
            let mut command = Command::new(&program);
            command.args(arguments).process_group(0).kill_on_drop(true);
            command
        }
        Some(launcher) => {
            let readable = places::readable(&program, &settings.variables, &settings.apart);
            let mut writable = own.writable.clone();
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
        .envs(settings.template.variables.iter().copied())
        .envs(own.variable.iter().map(|(name, value)| (name, value)))
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
    let own = Own::of(settings, place)?;
    let mut child = command(settings, place, &own, arguments)?
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
    if let Some((home, original, copy)) = &own.copy {
        home.take_back(original, copy);
    }
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

/// The last lines that come. None of them is cut: the rest of a secret would not be recognised as one.
async fn read_tail(pipe: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut tail = Vec::new();
    let Some(mut pipe) = pipe else { return tail };
    let mut buffer = [0; 4096];
    let mut is_cut = false;
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        tail.extend_from_slice(&buffer[..count]);
        let surplus = tail.len().saturating_sub(KEPT_COMPLAINT_BYTES);
        is_cut |= 0 < surplus;
        tail.drain(..surplus);
    }
    if is_cut {
        let begun = tail.iter().position(|byte| *byte == b'\n').map_or(tail.len(), |end| end + 1);
        tail.drain(..begun);
    }
    tail
}

/// The reason is where the program put it: in what it printed as an answer, or in its complaints; nobody knows which of
/// them it is.
fn failed(settings: &CommandSettings, status: ExitStatus, printed: &[u8], complaint: &[u8]) -> Error {
    let reason = output::reason(settings.template.prints, printed);
    let complaint = Some(inert(&String::from_utf8_lossy(complaint))).filter(|words| !words.is_empty());
    let message = match (reason, complaint) {
        (Some(reason), Some(complaint)) if !reason.contains(&complaint) => format!("{reason}; {complaint}"),
        (Some(reason), _) => reason,
        (None, Some(complaint)) => format!("{status}: {complaint}"),
        (None, None) => status.to_string(),
    };
    output::failed(settings, message)
}

/// What a program said, so that it can be shown: without secrets, without control characters, in one line. Of much, the
/// last whole sentences.
pub(super) fn inert(text: &str) -> String {
    let text = text.split(BACKTRACE).next().unwrap_or_default();
    // Before it is cut: half a secret is not recognised.
    let text = redact(text).text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = Untrusted::new(text.as_bytes()).for_terminal();
    let surplus = text.chars().count().saturating_sub(SHOWN_COMPLAINT_CHARS);
    let Some((start, _)) = text.char_indices().nth(surplus).filter(|_| 0 < surplus) else { return text };
    let rest = &text[start..];
    let sentence = rest.find(". ").map(|end| end + 2);
    let whole = sentence.or_else(|| rest.find(' ').map(|end| end + 1)).unwrap_or_default();
    format!("… {}", &rest[whole..])
}

fn misplaced(settings: &CommandSettings, path: &Path, words: &str) -> Error {
    let shown = Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal();
    error(settings, Kind::Misconfigured).message(format!("`{shown}` {words}"))
}

pub(super) fn error(settings: &CommandSettings, kind: Kind) -> Error {
    let shown = Untrusted::new(settings.template.program.as_bytes()).for_terminal();
    Error::new(kind, format!("the program `{shown}`"))
}
