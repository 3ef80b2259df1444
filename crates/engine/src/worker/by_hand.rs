//! One call of a tool by hand, in a process that is locked in exactly as a worker is.
//!
//! For people who want to see what a model gets to see. The process is the worker's program in another role: it hears
//! one question, locks itself in, calls the tool, answers and ends.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;

use luminos_agent::Secrets;
use luminos_core::RelPath;
use luminos_core::talk::{Arguments, ToolCall};
use luminos_wire::worker::{ByHand, Handed};
use luminos_wire::{Frames, MOST_BYTES, VERSION};

use super::{BY_HAND, Reader, confinement, lock_in, send};
use crate::pool::{ARENA, Program};

/// Calls a tool on a target. The program is this one; its arguments lead to [`super::play_role`].
pub fn call_by_hand(
    program: &Path,
    target: &Path,
    own_state: &Path,
    dir: &RelPath,
    tool: &str,
    arguments: &str,
    secrets: Secrets,
) -> io::Result<Handed> {
    let (near, far) = UnixStream::pair()?;
    let program = Program { path: program.to_owned(), arguments: vec![BY_HAND.into()] };
    let mut child = spawn(&program, far)?;
    let question = ByHand {
        version: VERSION,
        target: target.as_os_str().as_bytes().to_vec(),
        own_state: own_state.as_os_str().as_bytes().to_vec(),
        dir: dir.clone(),
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
        show_secrets: secrets == Secrets::Shown,
    };
    let mut reader = Reader { connection: near, frames: Frames::new(MOST_BYTES) };
    let answer = send(&reader.connection, &question).and_then(|()| reader.next::<Handed>());
    drop(reader);
    let status = child.wait()?;
    answer?.ok_or_else(|| io::Error::other(format!("the process ended without an answer: {status}")))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the place where a tool called by hand gets its process"
)]
fn spawn(program: &Program, input: UnixStream) -> io::Result<std::process::Child> {
    std::process::Command::new(&program.path)
        .args(&program.arguments)
        .arg(std::process::id().to_string())
        .env_clear()
        // As for every other worker.
        .env("MIMALLOC_ARENA_RESERVE", ARENA)
        .stdin(Stdio::from(OwnedFd::from(input)))
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
}

/// The life of a process that calls one tool.
pub(super) fn call(parent: Option<u32>) -> io::Result<()> {
    let connection = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut reader = Reader { connection, frames: Frames::new(MOST_BYTES) };
    let Some(question) = reader.next::<ByHand>()? else { return Ok(()) };
    let answer = answer(&reader, question, parent)?;
    send(&reader.connection, &answer)
}

fn answer(reader: &Reader, question: ByHand, parent: Option<u32>) -> io::Result<Handed> {
    let ByHand { version, target, own_state, dir, tool, arguments, show_secrets } = question;
    if version != VERSION {
        return Ok(Handed::Unable { reason: format!("it speaks version {VERSION}, not {version}") });
    }
    let workplace = match lock_in(reader, target, own_state, parent)? {
        Ok(workplace) => workplace,
        Err(reason) => return Ok(Handed::Unable { reason }),
    };
    let call = ToolCall { id: "by-hand".to_owned(), name: tool, arguments: Arguments::parse(&arguments) };
    let nonce = luminos_store::InvestigationId::fresh().to_string();
    let secrets = if show_secrets { Secrets::Shown } else { Secrets::Withheld };
    let (text, failed) = workplace.call(&dir, &call, &nonce, secrets);
    Ok(Handed::Result { text, failed, confinement: confinement(&workplace) })
}
