//! Research: a question becomes claims, each claim gets evidence from the repository, for and against, and a gate decides
//! whether the report is good enough.
//!
//! Evidence is a place: path, lines and a quote that stands there, byte by byte. What cannot be found there does not count.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use luminos_models::Model;
use serde_json::{Value, json};

use super::ask::{Asker, NoAnswer};
use super::backlog::{Claim, EvidenceRow, Job, ReportRow};
use super::knowledge::Knowledge;
use super::repo::RepoFacts;
use super::roles::has_phrase;
use super::task::{Draft, Kind, Lane, Origin, ResearchRef, Risk};
use super::word::words;

words! {
    /// How thorough research is.
    Profile, "a profile" {
        /// A quick look.
        Low = "low",
        /// The usual.
        Mid = "mid",
        /// Thorough.
        High = "high",
        /// As thorough as can be.
        Ultra = "ultra",
    }
}

/// What a profile asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demands {
    /// At least so many claims.
    pub least_claims: usize,
    /// At most so many.
    pub most_claims: usize,
    /// Verified places for each claim.
    pub evidence: usize,
    /// Different files among them.
    pub files: usize,
    /// Whether somebody must have looked for places that speak against it.
    pub challenge: bool,
}

impl Profile {
    /// What it asks for.
    pub fn demands(self) -> Demands {
        let demands = |least_claims, most_claims, evidence, files, challenge| Demands {
            least_claims,
            most_claims,
            evidence,
            files,
            challenge,
        };
        match self {
            Self::Low => demands(2, 5, 1, 1, false),
            Self::Mid => demands(4, 8, 2, 2, true),
            Self::High => demands(6, 10, 3, 2, true),
            Self::Ultra => demands(8, 12, 4, 3, true),
        }
    }
}

/// A report needs this confidence, out of 100.
const LEAST_CONFIDENCE: u32 = 70;
/// So many of its places, out of 100, must be verified.
const LEAST_VERIFIED: usize = 90;
/// How sure a claim is before anybody has looked.
const FIRST_CONFIDENCE: u32 = 35;

/// Claims as a model gave them, in order: blanks and repetitions dropped, the most important first, not too many.
pub fn tidy_claims(raw: &[(String, i64, Option<Risk>)], query: &str, profile: Profile) -> Vec<Claim> {
    let mut seen = BTreeSet::new();
    let mut claims: Vec<Claim> = Vec::new();
    for (text, priority, risk) in raw {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || !seen.insert(text.to_lowercase()) {
            continue;
        }
        let priority = u32::try_from((*priority).clamp(1, 100)).unwrap_or(50);
        claims.push(claim(&text, priority, risk.unwrap_or_else(|| inferred_risk(&text))));
    }
    claims.sort_by_key(|claim| std::cmp::Reverse(claim.priority));
    claims.truncate(profile.demands().most_claims);
    if claims.is_empty() {
        claims.push(claim(query.trim(), 100, inferred_risk(query)));
    }
    claims
}

fn claim(text: &str, priority: u32, risk: Risk) -> Claim {
    Claim {
        id: uuid::Uuid::now_v7().to_string(),
        text: text.to_owned(),
        stance: "provisional".to_owned(),
        confidence: FIRST_CONFIDENCE,
        priority,
        risk,
        task: None,
    }
}

fn inferred_risk(text: &str) -> Risk {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| has_phrase(&text, word));
    if has(&[
        "safety",
        "medical",
        "finance",
        "legal",
        "security",
        "password",
        "passwords",
        "secret",
        "secrets",
    ]) {
        Risk::High
    } else if has(&["trend", "forecast", "benchmark", "compare", "performance"]) {
        Risk::Medium
    } else {
        Risk::Low
    }
}

/// The task that collects evidence for a claim.
pub fn collect_task(job: &Job, claim: &Claim) -> Draft {
    let title = format!("[Research/Collect] {}", super::clipped(&claim.text, 72));
    let mut draft =
        Draft::new(title, format!("There is evidence for or against: {}", claim.text), Origin::Research);
    draft.kind = Kind::Research;
    draft.lane = Lane::Research;
    draft.risk_level = Risk::Medium;
    draft.target_area = Some(format!("research:{}:claim:{}", job.id, claim.id));
    draft.context.research = Some(ResearchRef {
        job_id: job.id.clone(),
        query: job.query.clone(),
        stage: "collect".to_owned(),
        profile: job.profile.clone(),
        claim_id: Some(claim.id.clone()),
        claim_text: Some(claim.text.clone()),
    });
    draft
}

/// Asks a model for the claims that a question stands on.
pub async fn decompose<M: Model>(
    asker: &mut Asker<'_, M>,
    query: &str,
    context: &str,
    profile: Profile,
) -> Result<Vec<Claim>, NoAnswer> {
    let demands = profile.demands();
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["claims"], "properties": {
        "claims": { "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["text", "priority", "risk"],
            "properties": { "text": { "type": "string" }, "priority": { "type": "integer" }, "risk": { "type": "string" } } } } } });
    let question = format!(
        "{}{}\nWhich {} to {} statements, each to be proved or refuted from the files of this repository alone, answer the question \
         together? Priority 1 to 100; risk low, medium or high.",
        asker.data("question", query),
        asker.data("repository", context),
        demands.least_claims,
        demands.most_claims
    );
    let document = asker.document("claims", schema, question, Ok, || Value::Null).await?;
    let items = document.get("claims").and_then(Value::as_array).cloned().unwrap_or_default();
    let text =
        |item: &Value, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let raw: Vec<(String, i64, Option<Risk>)> = items
        .iter()
        .map(|item| {
            (
                text(item, "text"),
                item.get("priority").and_then(Value::as_i64).unwrap_or(50),
                text(item, "risk").parse().ok(),
            )
        })
        .collect();
    Ok(tidy_claims(&raw, query, profile))
}

/// Asks a model for places that speak for and against a claim. Only those that stand where it says count as verified.
pub async fn collect<M: Model>(
    asker: &mut Asker<'_, M>,
    claim: &Claim,
    context: &str,
    check: &(dyn Fn(&str, u64, &str) -> bool + Sync),
) -> Result<Vec<EvidenceRow>, NoAnswer> {
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["places"], "properties": {
        "places": { "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["path", "line", "quote", "stance"],
            "properties": { "path": { "type": "string" }, "line": { "type": "integer" }, "quote": { "type": "string" },
                "stance": { "enum": ["supporting", "counter"] } } } } } });
    let question = format!(
        "{}{}\nWhich places above speak for the claim, and which against it? Look for both. Give the path, the number of the line and \
         words of that line exactly as they stand there.",
        asker.data("claim", &claim.text),
        asker.data("repository", context)
    );
    let document = asker.document("places", schema, question, Ok, || Value::Null).await?;
    let text = |item: &Value, name: &str| {
        item.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
    };
    let items = document.get("places").and_then(Value::as_array).cloned().unwrap_or_default();
    let row = |item: &Value| {
        let (path, quote) = (text(item, "path"), text(item, "quote"));
        let line = item.get("line").and_then(Value::as_u64).unwrap_or(0);
        let stance = if text(item, "stance") == "counter" { "counter" } else { "supporting" };
        EvidenceRow {
            claim: claim.id.clone(),
            verified: !quote.is_empty() && check(&path, line, &quote),
            path,
            first_line: line,
            last_line: line,
            quote,
            stance: stance.to_owned(),
        }
    };
    Ok(items.iter().map(row).collect())
}

/// Places that hold the words of a claim. They are there, but nobody has understood them: they support nothing by themselves.
pub fn places_by_words(
    claim: &Claim,
    knowledge: &Knowledge,
    facts: &RepoFacts,
    most: usize,
) -> Vec<EvidenceRow> {
    let mut rows = Vec::new();
    for (path, hit) in knowledge.best_lines(&claim.text, facts, most) {
        let line = hit.line as u64;
        rows.push(EvidenceRow {
            claim: claim.id.clone(),
            path,
            first_line: line,
            last_line: line,
            quote: hit.text.clone(),
            stance: "mention".to_owned(),
            verified: true,
        });
    }
    rows
}

/// What a claim has come to.
pub fn settle(claim: &mut Claim, evidence: &[EvidenceRow], profile: Profile) {
    let own: Vec<&EvidenceRow> =
        evidence.iter().filter(|row| row.claim == claim.id && row.verified).collect();
    let count = |stance: &str| own.iter().filter(|row| row.stance == stance).count();
    let (supporting, counter) = (count("supporting"), count("counter"));
    let enough = profile.demands().evidence;
    (claim.stance, claim.confidence) = match (supporting, counter) {
        (0, 0) => ("provisional".to_owned(), FIRST_CONFIDENCE),
        (0, _) => ("refuted".to_owned(), 75),
        (_, 0) if enough <= supporting => ("supported".to_owned(), 90),
        (_, 0) => ("supported".to_owned(), 65),
        (_, _) => ("contested".to_owned(), 50),
    };
}

/// Why a report is not good enough; nothing, if it is.
pub fn shortfalls(
    claims: &[Claim],
    evidence: &[EvidenceRow],
    was_challenged: bool,
    profile: Profile,
) -> Vec<String> {
    let demands = profile.demands();
    let mut reasons = Vec::new();
    if claims.len() < demands.least_claims {
        reasons.push(format!(
            "{}, and the profile {profile} wants {}",
            counted(claims.len(), "claim"),
            demands.least_claims
        ));
    }
    for claim in claims {
        let own: Vec<&EvidenceRow> = evidence
            .iter()
            .filter(|row| row.claim == claim.id && row.verified && row.stance != "mention")
            .collect();
        let files: BTreeSet<&str> = own.iter().map(|row| row.path.as_str()).collect();
        let text = super::clipped(&claim.text, 80);
        if own.len() < demands.evidence {
            reasons.push(format!(
                "`{text}` has {} for or against it, and {} are wanted",
                counted(own.len(), "verified place"),
                demands.evidence
            ));
        } else if files.len() < demands.files {
            reasons.push(format!(
                "`{text}` rests on {}, not {}",
                counted(files.len(), "file"),
                demands.files
            ));
        }
    }
    if demands.challenge && !was_challenged {
        reasons.push("nobody has looked for places that speak against the claims".to_owned());
    }
    let verified = evidence.iter().filter(|row| row.verified).count();
    if !evidence.is_empty() && verified * 100 < evidence.len() * LEAST_VERIFIED {
        reasons.push(format!("only {verified} of {} places stand where they are said to", evidence.len()));
    }
    let confidence = confidence(claims);
    if confidence < LEAST_CONFIDENCE {
        reasons.push(format!("its confidence is {confidence}, not {LEAST_CONFIDENCE}"));
    }
    reasons
}

/// A number of things.
fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

fn confidence(claims: &[Claim]) -> u32 {
    let count = u32::try_from(claims.len().max(1)).unwrap_or(u32::MAX);
    claims.iter().map(|claim| claim.confidence).sum::<u32>() / count
}

/// The report: every claim with what it has come to and its places.
pub fn write(
    job: &Job,
    claims: &[Claim],
    evidence: &[EvidenceRow],
    reasons: &[String],
    now: i64,
) -> ReportRow {
    let mut body = format!("# {}\n", job.query);
    for claim in claims {
        body.push_str(&format!("\n## {}: {}\n\n", claim.stance, claim.text));
        for row in evidence.iter().filter(|row| row.claim == claim.id) {
            let mark = if row.verified { "" } else { " (not found there)" };
            body.push_str(&format!(
                "- {}: {}:{} `{}`{mark}\n",
                row.stance,
                row.path,
                row.first_line,
                super::clipped(&row.quote, 160)
            ));
        }
    }
    if !reasons.is_empty() {
        body.push_str("\n## Not good enough yet\n\n");
        reasons.iter().for_each(|reason| body.push_str(&format!("- {reason}\n")));
    }
    let count = |stance: &str| claims.iter().filter(|claim| claim.stance == stance).count();
    let summary = format!(
        "{}: {} supported, {} refuted, {} contested, {} open",
        counted(claims.len(), "claim"),
        count("supported"),
        count("refuted"),
        count("contested"),
        count("provisional")
    );
    ReportRow { summary, body, confidence: confidence(claims), created_at: now }
}
