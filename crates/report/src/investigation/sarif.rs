//! Flags as SARIF 2.1.0, which code hosts and editors read.
//!
//! A rule's help is what `docs/flags.md` says about it. Fingerprints leave line numbers out, so that a host knows a
//! flag again after lines have moved. Places are relative to the target; no text becomes a link.

mod rules;

use std::collections::BTreeMap;
use std::io::{self, Write};

use luminos_core::ContentHash;
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::Evidence;
use luminos_core::report::Report;
use serde_json::{Value, json};

use super::baseline::{Comparison, Standing};
use super::markdown::destination;
use crate::investigation::flagged;
use crate::json::write_json_line;
use crate::prose;

/// Where the form is described; named in each document, and never fetched by this program.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What places are relative to.
const BASE: &str = "TARGET";
/// The fingerprint's name; its number changes when what it is made of does.
const FINGERPRINT: &str = "luminosFlag/v1";

/// Writes the flags of a report. Held against an earlier report, each says whether it is new, and those that are gone
/// are listed as such.
pub fn write_sarif(out: &mut dyn Write, report: &Report, compared: Option<&Comparison>) -> io::Result<()> {
    write_json_line(out, &document(report, compared))
}

fn document(report: &Report, compared: Option<&Comparison>) -> Value {
    let absent = compared.map(|compared| compared.absent.as_slice()).unwrap_or_default();
    let mut ids: Vec<&str> = report.flags.iter().chain(absent).map(Flag::rule_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules: Vec<Value> = ids.iter().map(|id| rule(id)).collect();
    let mut seen = BTreeMap::new();
    let mut results = Vec::with_capacity(report.flags.len() + absent.len());
    for (number, flag) in report.flags.iter().enumerate() {
        let state =
            compared.and_then(|compared| compared.standings.get(number)).map(|standing| match standing {
                Standing::New => "new",
                Standing::Worse(_) => "updated",
                Standing::Unchanged => "unchanged",
            });
        results.push(result(flag, &ids, state, &mut seen));
    }
    let mut gone = BTreeMap::new();
    results.extend(absent.iter().map(|flag| result(flag, &ids, Some("absent"), &mut gone)));
    let notifications: Vec<Value> = super::basis::why_partial(report, &super::head::Tally::of(report))
        .map(|reason| json!({"level": "warning", "message": {"text": plain(&reason)}}))
        .into_iter()
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Luminos",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "automationDetails": {"id": format!("luminos/{}/", prose::one_line(&report.target))},
            "originalUriBaseIds": {BASE: {"description": {"text": "The directory that was investigated."}}},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "results": results,
            "properties": {
                "investigation": prose::one_line(&report.investigation),
                "partial": report.is_partial(),
                "claims": report.claims,
                "claimsVerified": report.claims_verified,
                "coverage": {
                    "files": report.coverage.files,
                    "filesSeen": report.coverage.files_seen,
                    "bytes": report.coverage.bytes,
                    "bytesSeen": report.coverage.bytes_seen,
                    "symbols": report.coverage.symbols,
                    "symbolsSeen": report.coverage.symbols_seen,
                    "unreadable": report.coverage.unreadable,
                },
            },
        }],
    })
}

fn rule(id: &str) -> Value {
    let known = rules::about(id);
    let (what, why, remedy) = known.map_or(("A finding", "", ""), |rule| (rule.what, rule.why, rule.remedy));
    let severity = known.map_or(Severity::Concern, |rule| rule.severity);
    let help = [what, why, remedy]
        .map(|words| words.trim_end_matches('.'))
        .into_iter()
        .filter(|words| !words.is_empty());
    let help = help.map(|words| format!("{words}.")).collect::<Vec<_>>().join(" ");
    json!({
        "id": prose::one_line(id),
        "shortDescription": {"text": plain(what)},
        "fullDescription": {"text": plain(if why.is_empty() { what } else { why })},
        "help": {"text": plain(&help)},
        "defaultConfiguration": {"level": level(severity), "rank": rank(severity)},
        "properties": {
            "tags": [id.split('.').next().unwrap_or_default()],
            "security-severity": security(severity),
        },
    })
}

fn result(flag: &Flag, ids: &[&str], state: Option<&str>, seen: &mut BTreeMap<ContentHash, u32>) -> Value {
    let fingerprint = flag.fingerprint();
    // The same words may stand twice in a file; the first of them stays the first when lines move.
    let times = seen.entry(fingerprint).or_default();
    *times += 1;
    let mut places = flag.evidence.iter().filter_map(location);
    let first = places.next().or_else(|| {
        destination(&flag.path).map(|uri| json!({"physicalLocation": {"artifactLocation": artifact(&uri)}}))
    });
    let others: Vec<Value> = places.collect();
    let mut result = json!({
        "ruleId": prose::one_line(flag.rule_id()),
        "ruleIndex": ids.iter().position(|id| *id == flag.rule_id()).unwrap_or(0),
        "level": level(flag.severity),
        "rank": rank(flag.severity),
        "message": {"text": plain(&format!("{}{}", flag.finding, flagged::doubt(flag)))},
        "locations": first.into_iter().collect::<Vec<_>>(),
        "partialFingerprints": {FINGERPRINT: format!("{fingerprint}:{times}")},
        "properties": {"severity": flag.severity.word(), "verified": flag.verified},
    });
    if flag.is_unproved() {
        // Somebody has to look whether it is so: no tool takes it for an error.
        result["kind"] = json!("review");
        result["level"] = json!("none");
        result["rank"] = json!(0.0);
    }
    if !others.is_empty() {
        result["relatedLocations"] = json!(others);
    }
    if let Some(state) = state {
        result["baselineState"] = json!(state);
    }
    result
}

fn artifact(uri: &str) -> Value {
    json!({"uri": uri, "uriBaseId": BASE})
}

fn location(evidence: &Evidence) -> Option<Value> {
    let uri = destination(&evidence.path)?;
    let mut place = json!({"artifactLocation": artifact(&uri)});
    if 0 < evidence.start_line {
        let mut region = json!({
            "startLine": evidence.start_line,
            "endLine": evidence.end_line.max(evidence.start_line),
        });
        if let Some(quote) = evidence.quote.as_deref().filter(|quote| !quote.is_empty()) {
            region["snippet"] = json!({"text": luminos_core::Untrusted::new(quote.as_bytes()).for_lines()});
        }
        place["region"] = region;
    }
    Some(json!({"physicalLocation": place}))
}

/// A text in which nothing is a link or a place for an argument: viewers make links of `[words](place)`.
fn plain(text: &str) -> String {
    let text = prose::one_line(text);
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '[' | ']' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '{' if characters.peek().is_some_and(char::is_ascii_digit) => out.push_str("{{"),
            character => out.push(character),
        }
    }
    // A message says something.
    if out.is_empty() { "(no words)".to_owned() } else { out }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "error",
        Severity::Concern => "warning",
        Severity::Info => "note",
    }
}

fn rank(severity: Severity) -> f64 {
    match severity {
        Severity::Critical => 90.0,
        Severity::Concern => 50.0,
        Severity::Info => 10.0,
    }
}

/// By this number code hosts sort what concerns security.
fn security(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.0",
        Severity::Concern => "5.0",
        Severity::Info => "2.0",
    }
}

#[cfg(test)]
mod tests;
