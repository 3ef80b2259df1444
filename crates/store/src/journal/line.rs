//! One line of a journal, as bytes.

use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest as _, Sha256};

use super::Kind;
use crate::document::hex;
use crate::error::LineFault;

const CHECK: &[u8] = b",\"check\":\"";
const END: &[u8] = b"\"}";
pub(super) const DIGITS: usize = 16;
/// The bytes of a line behind what is checked.
pub(super) const TAIL: usize = CHECK.len() + DIGITS + END.len();

/// A line whose check holds.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    pub(crate) seq: u64,
    pub(crate) id: Option<&'a str>,
    /// The fields of its body, without braces.
    pub(crate) fields: &'a [u8],
}

/// The fields that are not for the body.
#[derive(Deserialize)]
struct OurFields {
    #[serde(default)]
    seq: Option<IgnoredAny>,
    #[serde(default)]
    id: Option<IgnoredAny>,
    #[serde(default)]
    check: Option<IgnoredAny>,
}

/// Puts a value in the words of a body.
pub(crate) fn words(body: &impl serde::Serialize) -> Result<Vec<u8>, String> {
    let bytes = serde_json::to_vec(body).map_err(|error| error.to_string())?;
    if !bytes.starts_with(b"{") {
        return Err("it is not an object".to_owned());
    }
    let ours: OurFields = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let taken = [("seq", ours.seq), ("id", ours.id), ("check", ours.check)];
    match taken.into_iter().find(|(_, field)| field.is_some()) {
        Some((name, _)) => Err(format!("`{name}` is the journal's own field")),
        None => Ok(bytes),
    }
}

/// Adds a line to some bytes. The body is what `words` made.
pub(crate) fn render(out: &mut Vec<u8>, seq: u64, id: Option<&str>, body: &[u8]) {
    let start = out.len();
    out.extend_from_slice(format!("{{\"seq\":{seq}").as_bytes());
    if let Some(id) = id {
        out.extend_from_slice(b",\"id\":\"");
        out.extend_from_slice(id.as_bytes());
        out.push(b'"');
    }
    let fields = body.strip_prefix(b"{").and_then(|body| body.strip_suffix(b"}")).unwrap_or_default();
    if !fields.is_empty() {
        out.push(b',');
        out.extend_from_slice(fields);
    }
    let check = check(&out[start..]);
    out.extend_from_slice(CHECK);
    out.extend_from_slice(check.as_bytes());
    out.extend_from_slice(END);
    out.push(b'\n');
}

/// The first line of a journal.
pub(crate) fn header(kind: Kind, about: &str) -> Vec<u8> {
    let fields = serde_json::json!({"kind": kind.word(), "format": kind.format(), "about": about});
    let mut line = Vec::new();
    render(&mut line, 0, None, fields.to_string().as_bytes());
    line
}

/// Whether a name can stand in a line as it is. Names are made by us: digits, words, slashes.
pub(crate) fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
}

/// Reads a line, without its end.
pub(crate) fn parse(line: &[u8]) -> Result<Line<'_>, LineFault> {
    let (checked, found) = split(line).ok_or(LineFault::Checksum)?;
    if found != check(checked).as_bytes() {
        return Err(LineFault::Checksum);
    }
    let shape = || LineFault::Shape("no number".to_owned());
    let rest = checked.strip_prefix(b"{\"seq\":").ok_or_else(shape)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, mut rest) = rest.split_at(digits);
    let seq = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).ok_or_else(shape)?;
    let mut id = None;
    if let Some(named) = rest.strip_prefix(b",\"id\":\"") {
        let end = named.iter().position(|&byte| byte == b'"').ok_or_else(shape)?;
        id = Some(std::str::from_utf8(&named[..end]).map_err(|_| shape())?);
        rest = &named[end + 1..];
    }
    Ok(Line { seq, id, fields: rest.strip_prefix(b",").unwrap_or(rest) })
}

/// The body of a line as JSON of its own.
pub(crate) fn body(fields: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(fields.len() + 2);
    body.push(b'{');
    body.extend_from_slice(fields);
    body.push(b'}');
    body
}

/// What is checked of a line, and its check.
pub(super) fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (checked, tail) = line.split_at(line.len().checked_sub(TAIL)?);
    Some((checked, tail.strip_prefix(CHECK)?.strip_suffix(END)?))
}

/// What stands behind what is checked.
pub(super) fn tail(digits: &str) -> Vec<u8> {
    [CHECK, digits.as_bytes(), END].concat()
}

/// The digits of a check.
pub(super) fn digits(hash: &[u8]) -> String {
    hex(&hash[..DIGITS / 2])
}

fn check(bytes: &[u8]) -> String {
    digits(&Sha256::digest(bytes))
}
