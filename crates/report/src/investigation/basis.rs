//! What a report rests on, as pairs of a word and what is to be said about it.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::ByteSize;
use luminos_core::report::{Counters, Note, Origin, Report, SecondJudge};
use luminos_core::seen::Extent;
use luminos_core::spend::{PassSpend, Tokens};

use super::head::Tally;
use crate::measure::{count, money, number};
use crate::{prose, time};

/// The facts of the run that tell how far the prose can be trusted. The texts are inert.
pub(super) fn facts(report: &Report, tally: &Tally) -> Vec<(&'static str, String)> {
    let counters = &report.counters;
    let mut facts = vec![("claims", claims(report)), ("seen", seen(report))];
    if 0 < report.coverage.symbols {
        let symbols = count(report.coverage.symbols, "type or function", "types and functions");
        facts.push(("symbols", format!("{} of {symbols} seen", number(report.coverage.symbols_seen))));
    }
    facts.extend(extents(tally).map(|extents| ("files", extents)));
    facts.extend(counters.second_judge.map(|second| ("second judge", second_judge(second))));
    facts.push(("directories", directories(counters)));
    if 0 < counters.turns || 0 < counters.calls {
        let turns = count(counters.turns, "turn", "turns");
        let calls = count(counters.calls, "model call", "model calls");
        facts.push(("work", format!("{turns} in directories, {calls} in all")));
    }
    if Tokens(0) < counters.usage.total() {
        facts.push(("tokens", tokens(counters)));
    }
    if Tokens(0) < counters.usage.total() || 0 < counters.lost.calls {
        facts.push(("cost", spending(counters)));
    }
    facts.extend(by_pass(report).map(|passes| ("by pass", passes)));
    let when = if report.made_at.0.is_empty() {
        String::new()
    } else {
        format!(", ended {}", time::stamp(&report.made_at))
    };
    facts.push(("time", format!("{}{when}", time::duration(counters.seconds))));
    facts.push(("written by", written_by(report)));
    if !report.investigation.is_empty() {
        facts.push(("id", prose::one_line(&report.investigation)));
    }
    facts
}

/// The passes in the order in which they come; those that nobody knows come last.
pub(super) fn in_order(passes: &BTreeMap<String, PassSpend>) -> impl Iterator<Item = (&str, &PassSpend)> {
    let place = |pass: &str| PASSES.iter().position(|known| *known == pass).unwrap_or(PASSES.len());
    let mut passes: Vec<(&str, &PassSpend)> =
        passes.iter().map(|(pass, spend)| (pass.as_str(), spend)).collect();
    passes.sort_by_key(|(pass, _)| place(pass));
    passes.into_iter()
}

const PASSES: [&str; 5] = ["survey", "plan", "dir", "judge", "synthesis"];

/// What a pass is called on paper.
pub(super) fn pass_name(pass: &str) -> String {
    match pass {
        "dir" => "directories".to_owned(),
        "" => "not known".to_owned(),
        pass => prose::one_line(pass),
    }
}

/// What the calls of each pass came to; `None` where nobody was asked.
fn by_pass(report: &Report) -> Option<String> {
    let passes = in_order(&report.passes).map(|(pass, spend)| {
        let calls = count(spend.calls, "call", "calls");
        let tokens = number(spend.tokens.0);
        let cost = spend.cost().map(|cost| format!(", {}", money(cost))).unwrap_or_default();
        format!("{}: {calls}, {tokens} tokens{cost}", pass_name(pass))
    });
    let passes: Vec<String> = passes.collect();
    (!passes.is_empty()).then(|| passes.join("; "))
}

fn claims(report: &Report) -> String {
    match report.claims {
        0 => "none that can be checked".to_owned(),
        claims => {
            let (verified, share) = (number(report.claims_verified), report.verified_share());
            format!("{verified} of {} verified ({share})", number(claims))
        }
    }
}

fn second_judge(second: SecondJudge) -> String {
    let (refuted, share) = (number(second.refuted), second.disagreement());
    format!(
        "refuted {refuted} of {} that the bytes bear out ({share})",
        count(second.asked, "claim", "claims")
    )
}

fn seen(report: &Report) -> String {
    let coverage = report.coverage;
    format!(
        "{} of {}, {} of {} ({}){}",
        number(coverage.files_seen),
        count(coverage.files, "file", "files"),
        ByteSize(coverage.bytes_seen),
        ByteSize(coverage.bytes),
        coverage.share(),
        crate::coverage::unreadable(coverage),
    )
}

/// How many files were read how far; `None` where nobody kept account.
fn extents(tally: &Tally) -> Option<String> {
    let words = [
        (Extent::Whole, "read whole"),
        (Extent::Ranges, "in parts"),
        (Extent::Metadata, "by name and size only"),
        (Extent::Skipped, "left out"),
        (Extent::Unreadable, "unreadable"),
    ];
    let counts = words.iter().filter_map(|(extent, words)| Some((tally.extents.get(extent)?, words)));
    let counts: Vec<String> = counts.map(|(files, words)| format!("{} {words}", number(*files))).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

fn directories(counters: &Counters) -> String {
    let (investigated, all) = (number(counters.dirs_investigated), number(counters.dirs));
    let investigated = format!("{investigated} of {all} investigated");
    let rest = [
        (counters.dirs_reused, "unchanged since an earlier run"),
        (counters.dirs_partial, "only in part"),
        (counters.dirs_skipped, "skipped by the plan"),
        (counters.dirs_failed, "failed"),
    ];
    let rest = rest.iter().filter(|(dirs, _)| 0 < *dirs);
    let rest = rest.map(|(dirs, what)| format!(", {} {what}", number(*dirs)));
    std::iter::once(investigated).chain(rest).collect()
}

/// What was spent, what was reserved and what was lost, as three numbers.
pub(super) fn spending(counters: &Counters) -> String {
    let spent = counters.cost.map_or_else(|| "not known, a price is missing".to_owned(), money);
    let lost = match counters.lost.calls {
        0 => String::new(),
        calls => format!(" ({}, {} tokens)", count(calls, "call", "calls"), number(counters.lost.tokens.0)),
    };
    format!(
        "{spent} spent; {} reserved; {} lost in flight{lost}",
        money(counters.reserved.money),
        money(counters.lost.money)
    )
}

fn tokens(counters: &Counters) -> String {
    let usage = &counters.usage;
    let cached = match usage.cache_read.0 {
        0 => String::new(),
        cached => format!(", {} of it from the cache", number(cached)),
    };
    format!(
        "{} ({} in{cached}; {} out)",
        number(usage.total().0),
        number(usage.prompt().0),
        number(usage.output.0)
    )
}

/// What the analyst is called where models are named.
const OFFLINE: &str = "offline";

fn written_by(report: &Report) -> String {
    let who = match report.origin {
        Origin::Model => "a model",
        Origin::Offline if report.models.get("synthesis").is_some_and(|model| model != OFFLINE) => {
            "the offline analyst, in place of the model"
        }
        Origin::Offline => "the offline analyst, without a model",
        Origin::Mechanical => "nobody: put together from what was found in the directories",
    };
    // Where the analyst did everything, that says it all.
    if report.models.values().all(|model| model == OFFLINE) {
        return who.to_owned();
    }
    // One for all passes is said once; and who wrote it by itself asked nobody else.
    let all: BTreeSet<&str> = report.models.values().map(String::as_str).collect();
    match (all.first(), all.len(), report.origin) {
        (Some(only), 1, _) if 1 < report.models.len() => {
            return format!("{who}; asked: {} for everything", prose::one_line(only));
        }
        _ => {}
    }
    let models = report.models.iter().map(|(pass, model)| {
        format!("{} for {}", prose::one_line(model), prose::one_line(pass).replace('_', " "))
    });
    format!("{who}; asked: {}", models.collect::<Vec<_>>().join(", "))
}

/// What a note is, and what it says.
pub(super) fn note(note: &Note) -> (&'static str, &str) {
    match note {
        Note::Partial(text) => ("partial", text),
        Note::Degraded(text) => ("degraded", text),
        Note::Plan(text) => ("plan", text),
        Note::LeftOut(text) => ("left out", text),
        Note::Other(text) => ("note", text),
    }
}

/// No more reasons than this are named at the head of a report.
pub(super) const SHOWN_REASONS: usize = 5;

/// Why a report is not of everything, in one inert sentence; `None` for a complete one.
pub(super) fn why_partial(report: &Report, tally: &Tally) -> Option<String> {
    let is_partial = 0 < tally.notes_partial + tally.dirs_partial + report.counters.dirs_failed;
    if !is_partial {
        return None;
    }
    let reasons = report.notes.iter().filter_map(|note| match note {
        Note::Partial(reason) => Some(prose::one_line(reason)),
        Note::Degraded(_) | Note::Plan(_) | Note::LeftOut(_) | Note::Other(_) => None,
    });
    let reasons: Vec<String> = reasons.collect();
    if !reasons.is_empty() {
        let more = match tally.notes_partial.saturating_sub(SHOWN_REASONS as u64) {
            0 => String::new(),
            more => format!("; and {} more", number(more)),
        };
        let shown = &reasons[..reasons.len().min(SHOWN_REASONS)];
        return Some(format!("{}{more}", shown.join("; ")));
    }
    let parts = [(tally.dirs_partial, "only in part"), (report.counters.dirs_failed, "not at all")];
    let parts = parts.iter().filter(|(dirs, _)| 0 < *dirs);
    let parts = parts.map(|(dirs, how)| format!("{} {how}", count(*dirs, "directory", "directories")));
    Some(format!("looked at {}", parts.collect::<Vec<_>>().join(" and ")))
}
