//! Keys out of the environment block of this process.
//!
//! The variables that a process was started with stay readable in `/proc` for its whole life, whatever the
//! process does to its own copy of them. So a program that finds a key there starts itself anew, in its own place,
//! without the variable; the key comes along in memory that has no name in any file system.
//!
//! Not here: where else keys may be (`luminos_models::KeySource`), and who sends them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use luminos_core::config::Surroundings;
use luminos_models::Service;
use rustix::fs::MemfdFlags;
use rustix::process::DumpableBehavior;
use zeroize::Zeroizing;

/// Tells a program that was started anew where its keys are.
const HANDOVER_VARIABLE: &str = "LUMINOS_KEYS_HANDED_OVER";
/// What the memory is called in lists of open files.
const MEMORY_NAME: &str = "luminos-keys";
const LONGEST: u64 = 1 << 20;
/// Keys that are no model's: the task planner makes issues with it.
const OTHER_KEYS: &[&str] = &["GITHUB_TOKEN"];

/// Makes sure that no key is readable in this process's environment block, and that the keys are in the
/// surroundings as if they came from there. Call it before anything else: this process may be replaced.
///
/// Where that cannot be done, the keys stay where they are; the error says why.
pub fn hide_keys(around: &mut Surroundings, arguments: impl IntoIterator<Item = OsString>) -> io::Result<()> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(place) = around.variables.remove(HANDOVER_VARIABLE) {
        forbid_dumps();
        around.variables.extend(take_over(&place)?);
        name_process(arguments.first());
        return Ok(());
    }
    let is_key = |name: &str| {
        OTHER_KEYS.contains(&name)
            || Service::ALL.into_iter().any(|service| service.key_variable() == Some(name))
    };
    let keys: BTreeMap<&str, &OsStr> = around
        .variables
        .iter()
        .filter(|(name, value)| is_key(name) && !value.is_empty())
        .map(|(name, value)| (name.as_str(), value.as_os_str()))
        .collect();
    if keys.is_empty() {
        return Ok(());
    }
    hand_over(&keys, &arguments).map(|never| match never {})
}

/// Forbids others of the same user to look into this process: memory, environment, core dumps.
pub fn forbid_dumps() {
    // It is one more lock on the door, not the only one; where the system knows none, that is no reason to stop.
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Starts this program anew, without these variables.
#[expect(clippy::disallowed_methods, reason = "this very program, in its own place")]
fn hand_over(keys: &BTreeMap<&str, &OsStr>, arguments: &[OsString]) -> io::Result<Infallible> {
    let mut packed = Zeroizing::new(Vec::new());
    for (name, value) in keys {
        for part in [name.as_bytes(), b"=", value.as_bytes(), b"\0"] {
            packed.extend_from_slice(part);
        }
    }
    // Without the flag that would close it when the program is started anew.
    let mut memory = File::from(rustix::fs::memfd_create(MEMORY_NAME, MemfdFlags::empty())?);
    memory.write_all(&packed)?;
    let mut command = Command::new("/proc/self/exe");
    if let Some((name, arguments)) = arguments.split_first() {
        command.arg0(name).args(arguments);
    }
    command.env(HANDOVER_VARIABLE, memory.as_raw_fd().to_string());
    keys.keys().for_each(|name| {
        command.env_remove(name);
    });
    Err(command.exec())
}

/// Takes the keys out of the memory that they came in, and gives the memory back.
fn take_over(place: &OsStr) -> io::Result<BTreeMap<String, OsString>> {
    let foreign = || io::Error::other(format!("{HANDOVER_VARIABLE} is for internal use and names no keys"));
    let number: RawFd = place.to_str().and_then(|place| place.parse().ok()).ok_or_else(foreign)?;
    let path = format!("/proc/self/fd/{number}");
    // Anything else that is open here under this number is none of our business.
    let link = std::fs::read_link(&path).map_err(|_| foreign())?;
    if !link.as_os_str().as_bytes().starts_with(format!("/memfd:{MEMORY_NAME}").as_bytes()) {
        return Err(foreign());
    }
    let memory = File::options().read(true).write(true).open(&path)?;
    let mut packed = Zeroizing::new(Vec::new());
    (&memory).take(LONGEST).read_to_end(&mut packed)?;
    memory.set_len(0)?;
    // Programs that are started later must not inherit it.
    nix::unistd::close(number)?;
    let entries = packed.split(|byte| *byte == 0).filter_map(|entry| {
        let at = entry.iter().position(|byte| *byte == b'=')?;
        let name = String::from_utf8(entry[..at].to_vec()).ok()?;
        Some((name, OsString::from_vec(entry[at + 1..].to_vec())))
    });
    Ok(entries.collect())
}

/// Gives this process the name that it was called by: lists of processes would show `exe`.
fn name_process(called: Option<&OsString>) {
    let name = called.and_then(|called| Path::new(called).file_name());
    if let Some(name) = name.and_then(|name| CString::new(name.as_bytes()).ok()) {
        let _ = rustix::thread::set_name(&name);
    }
}
