//! One claim against the bytes it cites.

use std::borrow::Cow;
use std::ops::Range;

use super::{Exhibit, Library};
use crate::Untrusted;
use crate::entry::Claim;
use crate::proof::{Evidence, Served};

/// What is wrong with a claim; its evidence is completed on the way.
pub(super) fn check(claim: &mut Claim, served: &[Served], library: &mut impl Library) -> Vec<String> {
    if claim.evidence.is_empty() {
        return vec!["it cites nothing".to_owned()];
    }
    claim.evidence.iter_mut().filter_map(|evidence| check_one(evidence, served, library).err()).collect()
}

fn check_one(evidence: &mut Evidence, served: &[Served], library: &mut impl Library) -> Result<(), String> {
    let shown = evidence.path.for_terminal();
    let Some(exhibit) = library.file(&evidence.path) else {
        return Err(format!("`{shown}` is no file of the target"));
    };
    if exhibit.scanned.is_some_and(|scanned| scanned != exhibit.blob) {
        return Err(format!("`{shown}` has changed since it was scanned"));
    }
    let text = Text::of(&exhibit);
    let (first, last) = (evidence.start_line, evidence.end_line);
    if first == 0 || last < first {
        return Err(format!("lines {first}–{last} of `{shown}` are no range: lines count from 1"));
    }
    let Some(lines) = text.lines(first, last) else {
        return Err(format!("`{shown}` has {} lines, not {last}", text.line_count()));
    };
    let range = match evidence.quote.as_deref().map(str::trim).filter(|quote| !quote.is_empty()) {
        None => lines,
        Some(quote) => find(&text, quote, &lines, &shown)?,
    };
    let seen =
        served.iter().filter(|served| served.path == evidence.path && served.blob == Some(exhibit.blob));
    let call = covering(seen, &range, &text, (first, last));
    let Some(call) = call else {
        return Err(format!(
            "lines {first}–{last} of `{shown}` were never shown to you: read them before you cite them"
        ));
    };
    if text.is_as_stored() {
        evidence.start = Some(range.start as u64);
        evidence.end = Some(range.end as u64);
    }
    evidence.blob = Some(exhibit.blob);
    evidence.call = Some(call);
    Ok(())
}

/// Where a quote stands in the lines it is said to stand in.
fn find(text: &Text<'_>, quote: &str, lines: &Range<usize>, shown: &str) -> Result<Range<usize>, String> {
    let within = &text.as_str()[lines.clone()];
    if let Some(start) = within.find(quote) {
        let start = lines.start + start;
        return Ok(start..start + quote.len());
    }
    let cited = Untrusted::new(&quote.as_bytes()[..quote.floor_char_boundary(60)]).for_terminal();
    Err(match text.as_str().find(quote) {
        Some(start) => {
            let line = text.line_of(start);
            format!("the quote `{cited}` stands in line {line} of `{shown}`, not in the lines you cite")
        }
        None => format!("the quote `{cited}` does not stand in `{shown}`: quote exactly, or not at all"),
    })
}

/// The call that showed all of a range, or the last of those that did so together.
fn covering<'a>(
    served: impl Iterator<Item = &'a Served>,
    range: &Range<usize>,
    text: &Text<'_>,
    (first, last): (u64, u64),
) -> Option<crate::proof::ToolCallId> {
    let mut pieces: Vec<(u64, u64, &Served)> = if text.is_as_stored() {
        served.map(|served| (served.start, served.end, served)).collect()
    } else {
        // Where the text had to be converted, bytes cannot be compared; lines can.
        served.map(|served| (served.first_line, served.last_line + 1, served)).collect()
    };
    let (from, to) =
        if text.is_as_stored() { (range.start as u64, range.end as u64) } else { (first, last + 1) };
    pieces.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    let mut reached = from;
    let mut call = None;
    for (start, end, served) in pieces {
        if reached < start {
            break;
        }
        if reached < end {
            reached = end;
            call = Some(served.call.clone());
        }
        if to <= reached {
            return call;
        }
    }
    None
}

/// A file as text: as it is stored where that is UTF-8, else converted the way tools show it.
struct Text<'a> {
    text: Cow<'a, str>,
    is_as_stored: bool,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'a> Text<'a> {
    fn of(exhibit: &'a Exhibit) -> Self {
        let (text, is_as_stored): (Cow<'a, str>, bool) = match std::str::from_utf8(&exhibit.bytes) {
            Ok(text) => (text.into(), true),
            Err(_) => (convert(&exhibit.bytes).into(), false),
        };
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, is_as_stored, starts }
    }

    fn as_str(&self) -> &str {
        &self.text
    }

    fn is_as_stored(&self) -> bool {
        self.is_as_stored
    }

    fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of some lines, without the last line's end.
    fn lines(&self, first: u64, last: u64) -> Option<Range<usize>> {
        let (first, last) = (usize::try_from(first).ok()?, usize::try_from(last).ok()?);
        let start = *self.starts.get(first.checked_sub(1)?)?;
        if self.starts.len() < last {
            return None;
        }
        let end = self.starts.get(last).copied().unwrap_or(self.text.len());
        let trimmed = self.text[start..end].trim_end_matches(['\n', '\r']).len();
        Some(start..start + trimmed)
    }

    fn line_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }
}

fn convert(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], join: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| join([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}
