//! One claim against the bytes it cites.

use std::ops::Range;

use super::stated::{self, Grounds};
use super::text::Text;
use super::{Author, Exhibit, Library, Shown};
use crate::Untrusted;
use crate::entry::Claim;
use crate::flag::Flag;
use crate::proof::{Evidence, Served, ToolCallId, hash_quote};
use crate::secrets::{
    Secret, TextKind, find_redacted, find_secrets_around, has_mark, is_made_from, redact_part,
};

/// So many first bytes of a secret tell its kind, and may be quoted.
const TELLS_KIND: usize = 4;

/// What is wrong with a claim; its evidence is completed on the way.
pub(super) fn check(claim: &mut Claim, shown: Shown<'_>, library: &mut impl Library) -> Vec<String> {
    if claim.evidence.is_empty() && claim.entries.is_empty() {
        return vec!["it cites nothing".to_owned()];
    }
    let (mut faults, mut texts) = (Vec::new(), Vec::new());
    for evidence in &mut claim.evidence {
        match check_one(evidence, shown.served, shown.author, library) {
            Ok(words) => texts.push(words),
            Err(fault) => faults.push(fault),
        }
    }
    for dir in &claim.entries {
        match shown.entries.get(dir) {
            Some(words) => texts.push(words.clone()),
            None => {
                faults.push(format!("there is no entry of `{}` below this directory", dir.for_terminal()))
            }
        }
    }
    if faults.is_empty() && shown.author == Author::Model {
        faults.extend(words_fault(&claim.text, &claim.evidence, texts, library));
    }
    faults
}

/// What is wrong with a flag; its evidence is completed on the way.
pub(super) fn check_flag(flag: &mut Flag, served: &[Served], library: &mut impl Library) -> Vec<String> {
    if flag.evidence.is_empty() {
        // A rule may be about a path as such. A model has to show what it means.
        let is_ruled = flag.rule.is_some();
        return if is_ruled { Vec::new() } else { vec!["it cites nothing".to_owned()] };
    }
    // The analyst has taken the secrets out of what it quotes.
    let author = if flag.rule.is_some() { Author::Analyst } else { Author::Model };
    let (mut faults, mut texts) = (Vec::new(), vec![flag.path.to_word()]);
    for evidence in &mut flag.evidence {
        match check_one(evidence, served, author, library) {
            Ok(words) => texts.push(words),
            Err(fault) => faults.push(fault),
        }
    }
    // The words of a rule are its own, and so is what it counted.
    if faults.is_empty() && flag.rule.is_none() {
        faults.extend(words_fault(&flag.finding, &flag.evidence, texts, library));
    }
    faults
}

fn words_fault(
    sentence: &str,
    evidence: &[Evidence],
    texts: Vec<String>,
    library: &impl Library,
) -> Option<String> {
    let numbers = evidence.iter().flat_map(|evidence| library.numbers(&evidence.path)).collect();
    stated::fault(sentence, &Grounds { texts, evidence, numbers }, |path| library.has(path))
}

/// Checks one piece of evidence and completes it. Gives the words that it cites.
fn check_one(
    evidence: &mut Evidence,
    served: &[Served],
    author: Author,
    library: &mut impl Library,
) -> Result<String, String> {
    let shown = evidence.path.for_terminal();
    let Some(exhibit) = library.file(&evidence.path) else {
        return Err(format!("`{shown}` is no file of the target"));
    };
    if exhibit.scanned.is_some_and(|scanned| scanned != exhibit.blob) {
        return Err(format!("`{shown}` has changed since it was scanned"));
    }
    check_at(evidence, &exhibit, served, author)
}

/// Checks a piece of evidence against the file it is about, and completes it. Gives the words that it cites.
pub(crate) fn check_at(
    evidence: &mut Evidence,
    exhibit: &Exhibit,
    served: &[Served],
    author: Author,
) -> Result<String, String> {
    let shown = evidence.path.for_terminal();
    if evidence.blob.is_some_and(|blob| blob != exhibit.blob) {
        return Err(format!("the hash it gives is not that of `{shown}`"));
    }
    let text = Text::of(exhibit);
    let (first, last) = (evidence.start_line, evidence.end_line);
    if first == 0 || last < first {
        return Err(format!("lines {first}–{last} of `{shown}` are no range: lines count from 1"));
    }
    let Some(lines) = text.lines(first, last) else {
        return Err(format!("`{shown}` has {} lines, not {last}", text.line_count()));
    };
    let kind = TextKind::from_name(evidence.path.as_bytes());
    let quote = evidence.quote.as_deref().map(str::trim).filter(|quote| !quote.is_empty());
    let range = match (quote, hashed(evidence, &text, exhibit, &lines)) {
        (None, _) => lines,
        (Some(_), Some(range)) => range,
        (Some(quote), None) => find(&text, kind, quote, &lines, &shown)?,
    };
    let is_redacted = quote.is_some_and(has_mark);
    let hash = hash_quote(exhibit.blob, text.as_str()[range.clone()].as_bytes());
    if evidence.quote_hash.is_some_and(|given| given != hash) {
        return Err(format!("the hash of the quote is not that of the words in `{shown}`"));
    }
    if text.is_as_stored() {
        let found = (range.start as u64, range.end as u64);
        if evidence.start.zip(evidence.end).is_some_and(|given| given != found) {
            return Err(format!("the bytes it gives are not those that it cites in `{shown}`"));
        }
    }
    let seen: Vec<&Served> = served
        .iter()
        .filter(|served| served.path == evidence.path && served.blob == Some(exhibit.blob))
        .collect();
    let wanted = if text.is_as_stored() { (range.start as u64, range.end as u64) } else { (first, last + 1) };
    let measure = if text.is_as_stored() { Measure::Bytes } else { Measure::Lines };
    let Some(call) = is_served(&seen, wanted, measure, evidence.call.as_ref()) else {
        return Err(format!(
            "lines {first}–{last} of `{shown}` were never shown to you: read them before you cite them"
        ));
    };
    let words = text.as_str()[range.clone()].to_owned();
    if text.is_as_stored() {
        evidence.start = Some(wanted.0);
        evidence.end = Some(wanted.1);
    }
    evidence.blob = Some(exhibit.blob);
    evidence.call = Some(call);
    if is_redacted {
        // A quote that was judged before has its hash.
        evidence.quote_hash = Some(hash);
    } else if author == Author::Model
        && let Some(quote) = quote
    {
        let secrets = find_secrets_around(text.as_str().as_bytes(), kind, range.clone());
        if shows_a_secret(&secrets, &range) {
            let redacted = redact_part(quote.as_bytes(), range.start, &secrets);
            evidence.quote = Some(String::from_utf8_lossy(&redacted).into_owned());
            evidence.quote_hash = Some(hash);
        }
    }
    Ok(words)
}

/// Where a quote without its secrets stands, proved by the hash of the words that it was made from: whatever is known of
/// secrets by now, those words and nothing else are what it is about.
fn hashed(
    evidence: &Evidence,
    text: &Text<'_>,
    exhibit: &Exhibit,
    lines: &Range<usize>,
) -> Option<Range<usize>> {
    let (given, quote) = (evidence.quote_hash?, evidence.quote.as_deref()?);
    let (start, end) = evidence.start.zip(evidence.end)?;
    let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
    let is_inside = lines.start <= range.start && range.end <= lines.end;
    let words = text.as_str().get(range.clone()).filter(|_| is_inside && text.is_as_stored())?;
    (given == hash_quote(exhibit.blob, words.as_bytes()) && is_made_from(quote, words)).then_some(range)
}

/// Whether more of a secret stands in a range than tells its kind.
fn shows_a_secret(secrets: &[Secret], range: &Range<usize>) -> bool {
    secrets.iter().any(|secret| secret.start.max(range.start) + TELLS_KIND < secret.end.min(range.end))
}

/// Where a quote stands in a range of a text, as it is or with its secrets taken out.
pub(crate) fn find_quote(
    text: &str,
    kind: TextKind,
    quote: &str,
    lines: &Range<usize>,
) -> Option<Range<usize>> {
    if let Some(start) = text[lines.clone()].find(quote) {
        let start = lines.start + start;
        return Some(start..start + quote.len());
    }
    if !has_mark(quote) {
        return None;
    }
    let secrets = find_secrets_around(text.as_bytes(), kind, lines.clone());
    find_redacted(text.as_bytes(), lines.clone(), &secrets, quote.as_bytes())
}

/// Where a quote stands in the lines it is said to stand in.
fn find(
    text: &Text<'_>,
    kind: TextKind,
    quote: &str,
    lines: &Range<usize>,
    shown: &str,
) -> Result<Range<usize>, String> {
    if let Some(found) = find_quote(text.as_str(), kind, quote, lines) {
        return Ok(found);
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

/// What ranges are compared by. Where a text had to be converted, bytes cannot be compared; lines can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Bytes of the file.
    Bytes,
    /// Lines, the last one excluded.
    Lines,
}

/// The call that showed all of a range, or the last of those that did so together. Where one is named, it must have
/// shown some of it.
pub(crate) fn is_served(
    served: &[&Served],
    (from, to): (u64, u64),
    measure: Measure,
    named: Option<&ToolCallId>,
) -> Option<ToolCallId> {
    let range = |served: &Served| match measure {
        Measure::Bytes => (served.start, served.end),
        Measure::Lines => (served.first_line, served.last_line + 1),
    };
    let mut pieces: Vec<(u64, u64, &ToolCallId)> = served
        .iter()
        .map(|served| {
            let (start, end) = range(served);
            (start, end, &served.call)
        })
        .collect();
    if let Some(named) = named
        && !pieces.iter().any(|(start, end, call)| *call == named && *start <= to && from <= *end)
    {
        return None;
    }
    pieces.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    let mut reached = from;
    let mut call = None;
    for (start, end, by) in pieces {
        if reached < start {
            break;
        }
        if reached < end {
            reached = end;
            call = Some(by);
        }
        if to <= reached {
            return named.or(call).cloned();
        }
    }
    None
}
