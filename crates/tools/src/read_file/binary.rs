//! What can be told of a file that is no text.

use std::fmt::Write as _;

use luminos_core::RelPath;
use luminos_core::proof::{Served, ToolCallId};

use super::head;
use crate::blobs::{Facts, blank_secrets, read_full, secrets_of};
use crate::root::Opened;
use crate::session::{Done, Reply, Session};

/// How many bytes are looked at to say what it is.
const LOOKED_AT: usize = 4_096;
/// How many are shown.
const SHOWN: usize = 64;

/// Says what a file is, and shows its first bytes.
pub(super) fn describe(
    session: &Session,
    path: &RelPath,
    opened: &Opened,
    facts: &Facts,
    call: &ToolCallId,
) -> Reply {
    let mut bytes = vec![0; LOOKED_AT];
    let read = read_full(&opened.file, &mut bytes, 0);
    bytes.truncate(read.map_err(|error| format!("It could not be read: {error}."))?);
    let secrets = secrets_of(&bytes, facts.encoding, &opened.name);
    blank_secrets(&mut bytes, facts.encoding, &secrets);
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let mut text = head(path, opened, facts);
    text.push_str(" Its text is not shown, because it has none.\n");
    let name = opened.name.for_terminal();
    if let Some(describe) = session.describe {
        let what = describe(&bytes, opened.stamp.size);
        text.push_str(&session.quoted(what.as_bytes(), &format!("what {name} is")));
        text.push('\n');
    }
    let mut dump = String::new();
    for (row, bytes) in shown.chunks(16).enumerate() {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String =
            bytes.iter().map(|&byte| if matches!(byte, b' '..=b'~') { byte as char } else { '.' }).collect();
        let _ = writeln!(dump, "{:04x}  {:<47}  {letters}", row * 16, digits.join(" "));
    }
    text.push_str(&session.quoted(dump.as_bytes(), &format!("first {} bytes of {name}", shown.len())));
    if session.outlines.is_some() {
        text.push_str("\nparse_structure may tell more, if it is a known format.");
    }
    let served = Served {
        path: opened.name.clone(),
        blob: facts.blob,
        start: 0,
        end: shown.len() as u64,
        first_line: 0,
        last_line: 0,
        call: call.clone(),
    };
    Ok(Done { served: vec![served], ..Done::text(text) })
}
