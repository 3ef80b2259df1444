//! Who has a lock, in words.

use std::path::Path;

use luminos_core::Untrusted;
use luminos_core::entry::Stamp;
use serde::{Deserialize, Serialize};

use super::read_some;

/// Who has a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process. Ids are used again, so this names it only together with `started` and `boot`.
    pub pid: u32,
    /// When it started, in ticks since the machine did.
    pub started: u64,
    /// Which start of the machine that was.
    pub boot: String,
    /// The machine.
    pub host: String,
    /// Since when it has the lock.
    pub since: Stamp,
    /// How to reach it.
    #[serde(default)]
    pub note: String,
}

impl Holder {
    /// This process.
    pub fn this_process(since: Stamp, note: impl Into<String>) -> Self {
        let line = |path| read_some(Path::new(path)).map(|text| text.trim().to_owned()).unwrap_or_default();
        let pid = std::process::id();
        Self {
            pid,
            started: started(pid).unwrap_or_default(),
            boot: line("/proc/sys/kernel/random/boot_id"),
            host: line("/proc/sys/kernel/hostname"),
            since,
            note: note.into(),
        }
    }

    /// Whether the process is still there. Only for words: the lock itself is the kernel's.
    fn is_alive(&self) -> bool {
        started(self.pid) == Some(self.started)
    }
}

/// When a process started: the 22nd field of its line, counted behind its name, which can hold anything.
fn started(pid: u32) -> Option<u64> {
    let line = read_some(Path::new(&format!("/proc/{pid}/stat")))?;
    line.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Who has the lock, as far as its file tells.
pub(super) fn words(path: &Path) -> String {
    let holder = read_some(path).and_then(|text| serde_json::from_str::<Holder>(&text).ok());
    let Some(holder) = holder else { return "a process that has not said who it is".to_owned() };
    let inert = |text: &str| Untrusted::new(text.as_bytes()).for_terminal();
    let mut words =
        format!("process {} on {} since {}", holder.pid, inert(&holder.host), inert(&holder.since.0));
    if !holder.note.is_empty() {
        words.push_str(&format!(" ({})", inert(&holder.note)));
    }
    let here = Holder::this_process(Stamp::default(), "");
    if here.host == holder.host && (here.boot != holder.boot || !holder.is_alive()) {
        words.push_str(", which is gone: something that it had started may still have it");
    }
    words
}
